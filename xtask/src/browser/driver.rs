//! A browser without a window, driven through chromedriver: WebDriver's requests over plain HTTP.

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// What Debian calls the programs, and what others do.
const DRIVERS: [&str; 2] = ["chromedriver", "/usr/lib/chromium/chromedriver"];
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// A browser with one page.
pub(super) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    /// Its settings and caches; nothing of other runs.
    _profile: TempDir,
}

impl Browser {
    /// Starts one; `None` where there is none on this machine.
    pub(super) fn start() -> Result<Option<Self>> {
        let Some(browser) = BROWSERS.into_iter().find_map(installed) else { return Ok(None) };
        let Some(driver) = DRIVERS.into_iter().find_map(installed) else { return Ok(None) };
        let mut driver = Command::new(driver)
            .args(["--port=0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .stdin(Stdio::null())
            .spawn()
            .context("chromedriver does not start")?;
        let profile = tempfile::tempdir()?;
        let mut lines = BufReader::new(driver.stdout.take().context("its output")?);
        let port = port(&mut lines)?;
        // Whoever writes into a closed pipe may end.
        std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
        let mut started = Self { driver, port, session: String::new(), _profile: profile };
        let folder = format!("--user-data-dir={}", started._profile.path().display());
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--window-size=1440,1100",
            &folder,
        ];
        let asked = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": { "binary": browser, "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        }}});
        let answer = started.request("POST", "/session", &asked)?;
        started.session = answer["sessionId"].as_str().context("no session")?.to_owned();
        Ok(Some(started))
    }

    /// A command of the session.
    fn post(&self, what: &str, body: &Value) -> Result<Value> {
        self.request("POST", &format!("/session/{}/{what}", self.session), body)
    }

    /// Goes to a page and waits until it has been loaded.
    pub(super) fn open(&self, url: &str) -> Result<()> {
        self.post("url", &json!({ "url": url })).map(drop)
    }

    /// What a piece of script gives back.
    pub(super) fn ask(&self, script: &str) -> Result<Value> {
        self.post("execute/sync", &json!({ "script": format!("return ({script});"), "args": [] }))
            .with_context(|| format!("asking {script}"))
    }

    /// Presses and lets go of a key.
    pub(super) fn press(&self, key: &str) -> Result<()> {
        let actions = json!([
            { "type": "keyDown", "value": key }, { "type": "keyUp", "value": key },
        ]);
        let source = json!({ "type": "key", "id": "keyboard", "actions": actions });
        self.post("actions", &json!({ "actions": [source] })).map(drop)
    }

    /// Moves the mouse to the middle of what a selector finds, and clicks there if asked to.
    pub(super) fn point(&self, selector: &str, click: bool) -> Result<()> {
        let found = self.ask(&format!(
            "(() => {{ const one = document.querySelector({}); one.scrollIntoView({{ block: 'center' }}); \
             const box = one.getBoundingClientRect(); \
             return [Math.round(box.x + Math.min(200, box.width / 2)), Math.round(box.y + box.height / 2)]; }})()",
            json!(selector)
        ))?;
        let mut actions = vec![
            json!({ "type": "pointerMove", "duration": 0, "x": 1, "y": 1 }),
            json!({ "type": "pointerMove", "duration": 0, "x": found[0], "y": found[1] }),
        ];
        if click {
            actions.push(json!({ "type": "pointerDown", "button": 0 }));
            actions.push(json!({ "type": "pointerUp", "button": 0 }));
        }
        let source = json!({
            "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" },
            "actions": actions,
        });
        self.post("actions", &json!({ "actions": [source] })).map(drop)
    }

    /// Makes the window so wide and high.
    pub(super) fn size(&self, width: u32, height: u32) -> Result<()> {
        self.post("window/rect", &json!({ "width": width, "height": height })).map(drop)
    }

    /// A command of the browser's own protocol.
    pub(super) fn command(&self, name: &str, parameters: &Value) -> Result<Value> {
        self.post("goog/cdp/execute", &json!({ "cmd": name, "params": parameters }))
    }

    /// What a log has gathered since it was last asked for: `browser` or `performance`.
    pub(super) fn log(&self, kind: &str) -> Result<Vec<Value>> {
        let log = self.post("se/log", &json!({ "type": kind }))?;
        Ok(log.as_array().cloned().unwrap_or_default())
    }

    /// A picture of what is to be seen, as PNG.
    pub(super) fn picture(&self) -> Result<Vec<u8>> {
        let shot =
            self.request("GET", &format!("/session/{}/screenshot", self.session), &json!({}))?;
        base64(shot.as_str().context("no picture")?)
    }

    fn request(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        let body = if method == "GET" { String::new() } else { body.to_string() };
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            body.len()
        )?;
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
        }
        let mut text = vec![0; length];
        reader.read_exact(&mut text)?;
        let answer: Value = serde_json::from_slice(&text)?;
        let value = answer["value"].clone();
        match value["error"].as_str() {
            Some(error) => bail!("{path}: {error}: {}", value["message"].as_str().unwrap_or("")),
            None => Ok(value),
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.request("DELETE", &format!("/session/{}", self.session), &json!({}));
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The program of this name that starts, if there is one.
fn installed(name: &str) -> Option<String> {
    let found = Command::new("sh").args(["-c", "command -v \"$0\"", name]).output().ok()?;
    let path = String::from_utf8(found.stdout).ok()?.trim().to_owned();
    (found.status.success() && !path.is_empty()).then_some(path)
}

/// The port that the driver says it listens at.
fn port(lines: &mut impl std::io::BufRead) -> Result<u16> {
    let mut line = String::new();
    while lines.read_line(&mut line)? > 0 {
        if let Some((_, rest)) = line.split_once("started successfully on port ") {
            return Ok(rest.trim().trim_end_matches('.').parse()?);
        }
        line.clear();
    }
    bail!("chromedriver does not say where it listens")
}

fn base64(text: &str) -> Result<Vec<u8>> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for letter in text.bytes().filter(|&letter| letter != b'=') {
        let digit = DIGITS.iter().position(|&one| one == letter).context("not base64")?;
        bits = (bits << 6 | digit as u32) & 0xff_ffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read() {
        assert_eq!(base64("cHZlcmlmeQ==").ok().as_deref(), Some(&b"pverify"[..]));
        assert!(base64("a b").is_err());
    }
}
