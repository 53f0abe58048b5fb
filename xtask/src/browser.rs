//! The pages of `--report` and `--msc` in a real browser: what a person does with them must work,
//! nothing may be asked of the network, and nothing of a model may become part of the page.

mod driver;
mod pages;

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use driver::Browser;
use pages::Pages;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Look at the pages of reports in a browser.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The program to ask [default: the debug build, which is made first]
    #[arg(long)]
    pverify: Option<PathBuf>,
    /// Save pictures of the pages in this folder
    #[arg(long, value_name = "FOLDER")]
    screenshots: Option<PathBuf>,
    /// Fail where there is no browser, instead of saying so
    #[arg(long)]
    required: bool,
}

/// Looks at every page.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let pages = Pages::write(arguments.pverify.as_deref())?;
    let Some(browser) = Browser::start()? else {
        if arguments.required {
            bail!("there is no chromium with its chromedriver (Debian: chromium, chromium-driver)");
        }
        println!("chromium or chromedriver is missing: the pages were not looked at");
        return Ok(());
    };
    for name in ["safety", "lasso", "unbounded", "equivalence", "chart"] {
        let page = pages.page(name);
        visit(&browser, &page).and_then(|()| works(&browser)).context(name)?;
        legible(&browser).context(name)?;
        printed(&browser).context(name)?;
        println!(
            "{name}: opens, nothing asked of the network, steps, keys, folding and printing work"
        );
        if let Some(folder) = &arguments.screenshots {
            picture(&browser, &page, folder, name)?;
        }
    }
    for name in ["stuck", "names", "deep", "many"] {
        visit(&browser, &pages.page(name)).and_then(|()| legible(&browser)).context(name)?;
        println!("{name}: no text lies on another, is cut off, or is wider than its window");
        if let Some(folder) = &arguments.screenshots {
            picture(&browser, &pages.page(name), folder, name)?;
        }
    }
    let waits = "document.querySelector('.waiting')?.textContent";
    visit(&browser, &pages.page("stuck"))?;
    let told = text(&browser, waits)?;
    ensure!(told.contains("ping!1 (nobody receives)"), "who waits for what is not told: {told:?}");
    hostile(&browser, &pages.page("hostile")).context("hostile")?;
    println!("hostile: names and texts of a model stay text");
    let took = long(&browser, &pages.page("long")).context("long")?;
    println!("long: a counterexample of 400 steps by 8 processes opens in {took:.0} ms");
    if let Some(folder) = &arguments.screenshots {
        picture(&browser, &pages.page("long"), folder, "long")?;
    }
    Ok(())
}

/// Opens a page: nothing is asked of the network, nothing goes wrong.
fn visit(browser: &Browser, page: &str) -> Result<()> {
    browser.log("performance")?;
    browser.log("browser")?;
    browser.open(page)?;
    let complaints = browser.log("browser")?;
    ensure!(complaints.is_empty(), "the console says {complaints:?}");
    for entry in browser.log("performance")? {
        let message: Value = serde_json::from_str(entry["message"].as_str().unwrap_or("{}"))?;
        let event = &message["message"];
        // The empty tab that was there before asks for parts of the browser itself.
        let own = event["params"]["documentURL"] == page;
        if own && event["method"] == "Network.requestWillBeSent" {
            let url = event["params"]["request"]["url"].as_str().unwrap_or_default();
            ensure!(url == page, "{url} was asked for");
        }
    }
    Ok(())
}

/// Texts of charts that are shown lie beside each other, folded and unfolded, and inside their drawing; and
/// in a narrow window the page has no more width than the window.
fn legible(browser: &Browser) -> Result<()> {
    // Of a long chart the first thousand texts.
    let on_another = "(() => { const found = []; for (const body of document.querySelectorAll('.figure svg.body')) { \
         const edge = body.getBoundingClientRect(); \
         const boxes = Array.from(body.querySelectorAll('.say, .waits, .rests, .option, .folded-mark')) \
             .filter(one => one.style.display !== 'none' && one.parentNode.style.display !== 'none').slice(0, 1000) \
             .map(one => [one.getBoundingClientRect(), one.textContent]).filter(([box]) => box.width > 0); \
         boxes.forEach(([a, text], at) => { \
             if (a.right > edge.right + 1 || a.left < edge.left - 1) found.push([text, 'the edge']); \
             for (const [b, other] of boxes.slice(at + 1, at + 40)) \
                 if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 \
                     && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4) found.push([text, other]); \
         }); } return JSON.stringify(found.slice(0, 3)); })()";
    for _ in 0..2 {
        let found = text(browser, on_another)?;
        ensure!(found == "[]", "texts lie on others: {found}");
        browser.press("c")?;
    }
    browser.size(480, 900)?;
    let wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    let wider = count(browser, wider)?;
    browser.size(1440, 1100)?;
    ensure!(wider <= 0, "a narrow window is {wider} pixels too narrow");
    Ok(())
}

/// On paper there are no tools, and nothing is cut off at the right.
fn printed(browser: &Browser) -> Result<()> {
    browser.command("Emulation.setEmulatedMedia", &json!({ "media": "print" }))?;
    browser.size(800, 1100)?;
    let shown = count(
        browser,
        "Array.from(document.querySelectorAll('.tools, .panel')).filter(one => one.offsetHeight > 0).length",
    )?;
    let wider = count(
        browser,
        "Math.max(...Array.from(document.querySelectorAll('.figure svg, table, h2'), \
         one => Math.ceil(one.getBoundingClientRect().right))) - document.documentElement.clientWidth",
    )?;
    browser.size(1440, 1100)?;
    browser.command("Emulation.setEmulatedMedia", &json!({ "media": "" }))?;
    ensure!(shown == 0, "{shown} tools are printed");
    ensure!(wider <= 0, "{wider} pixels are cut off on paper");
    Ok(())
}

/// Asks for a number.
fn count(browser: &Browser, script: &str) -> Result<i64> {
    browser.ask(script)?.as_i64().with_context(|| format!("{script} is no number"))
}

/// Asks for a text.
fn text(browser: &Browser, script: &str) -> Result<String> {
    Ok(browser.ask(script)?.as_str().unwrap_or_default().to_owned())
}

const PICKED: &str = "Number(document.querySelector('.figure .row.picked')?.dataset.row ?? -1)";
const SHOWN: &str = "Array.from(document.querySelectorAll('.figure .chart')[0].querySelectorAll('.row'))\
     .filter(one => one.style.display !== 'none').length";

/// What a person does with the first chart of the page.
fn works(browser: &Browser) -> Result<()> {
    let rows = count(
        browser,
        "document.querySelectorAll('.figure .chart')[0].querySelectorAll('.row').length",
    )?;
    ensure!(rows > 1, "only {rows} rows");
    let clicked = count(
        browser,
        "Number(Array.from(document.querySelectorAll('.figure .row')).find((one, at) => at > 0 && \
         one.style.display !== 'none').dataset.row)",
    )?;
    browser.point(&format!(".figure .row[data-row='{clicked}'] .hit"), true)?;
    ensure!(count(browser, PICKED)? == clicked, "a click does not choose the step");
    let step = text(browser, "document.querySelector('.panel .step')?.textContent")?;
    ensure!(step.starts_with("Step "), "the panel says {step:?}");
    let states = count(browser, "document.querySelectorAll('.panel table.state tr').length")?;
    ensure!(states > 0, "no state is shown");
    let line = text(browser, "document.querySelector('.panel .source .here span')?.textContent")?;
    let said = text(browser, "document.querySelector('.panel .what')?.textContent")?;
    ensure!(said.contains(&format!("line {line}:")), "{said:?} is not the marked line {line}");
    let seen = "(() => { const box = document.querySelector('.panel .source').getBoundingClientRect(); \
         const here = document.querySelector('.panel .source .here').getBoundingClientRect(); \
         return here.top >= box.top - 1 && here.bottom <= box.bottom + 1; })()";
    ensure!(browser.ask(seen)? == json!(true), "the marked line is out of sight");
    browser.point(&format!(".figure .row[data-row='{clicked}'] .hit"), false)?;
    let tip = text(
        browser,
        "document.getElementById('tip').hidden ? '' : document.getElementById('tip').textContent",
    )?;
    ensure!(tip.contains("line "), "nothing is said where the mouse is: {tip:?}");
    keys(browser, rows)?;
    for what in ["aria-label", "aria-activedescendant", "role"] {
        let script =
            format!("document.querySelector('.figure .chart').getAttribute('{what}') || ''");
        ensure!(!text(browser, &script)?.is_empty(), "the chart has no {what}");
    }
    let picked = "document.getElementById(document.querySelector('.figure .chart').getAttribute('aria-activedescendant'))?.getAttribute('aria-selected')";
    ensure!(text(browser, picked)? == "true", "the chosen step is not said to be chosen");
    Ok(())
}

/// Keys: WebDriver's names of them are characters of their own.
fn keys(browser: &Browser, rows: i64) -> Result<()> {
    let (home, end, down, up, enter) = ("\u{e011}", "\u{e010}", "\u{e015}", "\u{e013}", "\u{e007}");
    let after = |key: &str, expected: i64| -> Result<()> {
        browser.press(key)?;
        let picked = count(browser, PICKED)?;
        ensure!(
            picked == expected,
            "behind the key {:?} row {picked} is chosen, not {expected}",
            key.escape_unicode().to_string()
        );
        Ok(())
    };
    let folded = "document.querySelector('[data-do=fold]').getAttribute('aria-pressed')";
    if text(browser, folded)? == "true" {
        browser.press("c")?;
    }
    after(home, 0)?;
    after("j", 1)?;
    after("k", 0)?;
    after(down, 1)?;
    after(up, 0)?;
    after("k", 0)?;
    after(end, rows - 1)?;
    after("j", rows - 1)?;
    let last = text(browser, "document.querySelector('.panel').textContent")?;
    ensure!(!last.is_empty(), "nothing is said of the last step");
    if count(
        browser,
        "document.querySelector('.figure .chart').querySelectorAll('.folded-mark').length",
    )? > 0
    {
        let height = "Number(document.querySelector('.figure svg.body').getAttribute('height'))";
        let (before, tall) = (count(browser, SHOWN)?, count(browser, height)?);
        browser.press("c")?;
        let (after, low) = (count(browser, SHOWN)?, count(browser, height)?);
        ensure!(after < before && low < tall, "folding leaves {after} of {before} rows");
        browser.press(home)?;
        let first_group = "(() => { const rows = Array.from(document.querySelectorAll('.figure .chart')[0]\
             .querySelectorAll('.row')); return Number(rows.find(one => { const mark = \
             one.querySelector('.folded-mark'); return mark && mark.style.display !== 'none'; }).dataset.row); })()";
        let group = count(browser, first_group)?;
        for _ in 0..group {
            if count(browser, PICKED)? < group {
                browser.press("j")?;
            }
        }
        browser.press(enter)?;
        ensure!(count(browser, SHOWN)? > after, "a folded run does not open");
        browser.press("c")?;
        if text(browser, folded)? == "true" {
            browser.press("c")?;
        }
        ensure!(count(browser, SHOWN)? == before, "folding cannot be taken back");
    }
    let width = "Number(document.querySelector('.figure svg.body').getAttribute('width'))";
    let before = count(browser, width)?;
    browser.press("+")?;
    ensure!(count(browser, width)? > before, "it does not get larger");
    browser.press("0")?;
    ensure!(count(browser, width)? == before, "it does not get its own size back");
    browser.press(home)
}

/// A model whose texts would like to be part of the page.
fn hostile(browser: &Browser, page: &str) -> Result<()> {
    visit(browser, page)?;
    works(browser)?;
    let strange =
        count(browser, "document.querySelectorAll('img, iframe, b.owned, main script').length")?;
    ensure!(strange == 0, "{strange} elements came out of the model");
    ensure!(browser.ask("window.owned === undefined")? == json!(true), "a script of the model ran");
    let shown = text(browser, "document.querySelector('.figure svg.body').textContent")?;
    ensure!(shown.contains("</script>"), "the text is not shown as it is");
    Ok(())
}

/// A long counterexample: how many milliseconds it takes to open, at best of three.
fn long(browser: &Browser, page: &str) -> Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        visit(browser, page)?;
        let took = browser.ask("performance.getEntriesByType('navigation')[0].duration")?;
        best = best.min(took.as_f64().unwrap_or(f64::INFINITY));
    }
    ensure!(best < 1000.0, "it takes {best:.0} ms to open");
    let rows = count(browser, "document.querySelectorAll('.figure .row').length")?;
    let lanes = count(browser, "document.querySelectorAll('.figure .heads .head').length")?;
    ensure!(rows >= 400 && lanes >= 8, "{rows} rows of {lanes} processes");
    ensure!(count(browser, SHOWN)? < rows, "local steps are not folded");
    works(browser)?;
    Ok(best)
}

fn picture(browser: &Browser, page: &str, folder: &Path, name: &str) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    for (scheme, ending) in [("light", ""), ("dark", "-dark")] {
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        browser.command("Emulation.setEmulatedMedia", &features)?;
        browser.open(page)?;
        browser.press("\u{e011}")?;
        for _ in 0..5 {
            browser.press("j")?;
        }
        let path = folder.join(format!("report-{name}{ending}.png"));
        std::fs::write(&path, browser.picture()?).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
