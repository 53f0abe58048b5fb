//! Values that a person types: sizes, durations, counts, macros.

use anyhow::{Context as _, Result, bail};
use std::num::NonZeroUsize;
use std::str::FromStr;

/// A number of bytes: `512M`, `1.5G`, `2GiB`; letters count by 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) u64);

impl FromStr for Size {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let (number, unit) = number_and_unit(text);
        let lower = unit.to_ascii_lowercase();
        let power = match lower.trim_end_matches('b').trim_end_matches('i') {
            "" => 0,
            "k" => 1,
            "m" => 2,
            "g" => 3,
            "t" => 4,
            _ => bail!("`{unit}` is no unit of memory; use K, M, G or T, as in 512M or 1.5G"),
        };
        let number: f64 = number.parse().context("a size is a number and a unit, as in 512M")?;
        let bytes = number * 1024f64.powi(power);
        if !(1.0..1e18).contains(&bytes) {
            bail!(
                "a size must be at least one byte, and less than the machines of this world have"
            );
        }
        Ok(Self(bytes as u64))
    }
}

/// A new name of actions: `OLD=NEW`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rename {
    pub(crate) from: String,
    pub(crate) to: String,
}

impl FromStr for Rename {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        // What stands in quotes may hold the sign itself.
        let text = text.trim();
        let quoted = text.starts_with('"').then(|| text.find("\"=")).flatten().map(|at| at + 1);
        let halves = match quoted {
            Some(at) => Some((&text[..at], &text[at + 1..])),
            None => text.split_once('='),
        };
        let halves = halves.map(|(from, to)| (from.trim(), to.trim()));
        match halves.filter(|(from, to)| !from.is_empty() && !to.is_empty()) {
            Some((from, to)) => Ok(Self { from: from.to_owned(), to: to.to_owned() }),
            None => bail!("a new name is given as OLD=NEW, as in 'in?_=put?_'"),
        }
    }
}

/// A capacity of channels: `N` of all, `NAME=N` of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Capacity {
    pub(crate) channel: Option<String>,
    pub(crate) most: NonZeroUsize,
}

impl FromStr for Capacity {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let (channel, number) = match text.rsplit_once('=') {
            Some((channel, number)) => (Some(channel.trim().to_owned()), number.trim()),
            None => (None, text),
        };
        Ok(Self { channel, most: at_least_one(number)? })
    }
}

/// A time: `90s`, `5m`, `1h30m`, `250ms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Duration(pub(crate) std::time::Duration);

impl FromStr for Duration {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut seconds = 0.0;
        let mut rest = text;
        while !rest.is_empty() {
            let (number, tail) = number_and_unit(rest);
            let length = tail.find(|letter: char| !letter.is_ascii_alphabetic());
            let (unit, tail) = tail.split_at(length.unwrap_or(tail.len()));
            let scale = match unit {
                "ms" => 0.001,
                "s" => 1.0,
                "m" | "min" => 60.0,
                "h" => 3600.0,
                "d" => 86_400.0,
                "" => bail!("a time needs a unit, as in 90s, 5m or 1h30m"),
                _ => bail!("`{unit}` is no unit of time; use ms, s, m, h or d"),
            };
            let number: f64 = number.parse().context("a time is written as in 90s, 5m or 1h30m")?;
            seconds += number * scale;
            rest = tail;
        }
        if seconds <= 0.0 {
            bail!("a time must be longer than nothing, as in 90s");
        }
        let duration = std::time::Duration::try_from_secs_f64(seconds);
        Ok(Self(duration.context("a time must fit a calendar")?))
    }
}

/// A count that cannot be nothing.
pub(crate) fn at_least_one(text: &str) -> Result<NonZeroUsize> {
    match text.parse::<usize>().map(NonZeroUsize::new) {
        Ok(Some(count)) => Ok(count),
        Ok(None) => bail!("it must be at least 1"),
        Err(_) => bail!("it must be a whole number, at least 1"),
    }
}

/// Splits `12.5xyz` behind the number.
fn number_and_unit(text: &str) -> (&str, &str) {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.');
    text.split_at(end.unwrap_or(text.len()))
}

/// A macro: `NAME` or `NAME=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Define {
    /// Its name.
    pub(crate) name: String,
    /// What it stands for; 1 where none is given.
    pub(crate) value: String,
}

impl FromStr for Define {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let (name, value) = text.split_once('=').unwrap_or((text, "1"));
        let mut letters = name.chars();
        let first =
            letters.next().is_some_and(|letter| letter.is_ascii_alphabetic() || letter == '_');
        if !first || !letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
            bail!("`{name}` is no name of a macro; write -D NAME or -D NAME=VALUE");
        }
        if value.contains('\n') {
            bail!("the value of a macro stands on one line");
        }
        Ok(Self { name: name.to_owned(), value: value.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: FromStr<Err = anyhow::Error>, U>(
        text: &str,
        value: impl Fn(T) -> U,
        expected: Option<U>,
    ) where
        U: PartialEq + std::fmt::Debug,
    {
        assert_eq!(text.parse::<T>().ok().map(value), expected, "{text}");
    }

    #[test]
    fn sizes() {
        for (text, expected) in [
            ("1", Some(1)),
            ("512M", Some(512 << 20)),
            ("1.5g", Some(3 << 29)),
            ("2GiB", Some(2 << 30)),
            ("64 M", None),
            ("", None),
            ("M", None),
            ("0", None),
            ("-1", None),
            ("1X", None),
            ("1..2M", None),
            ("99999999999T", None),
        ] {
            check(text, |Size(bytes)| bytes, expected);
        }
    }

    #[test]
    fn durations() {
        for (text, expected) in [
            ("90s", Some(90_000)),
            ("1h30m", Some(5_400_000)),
            ("250ms", Some(250)),
            ("1.5s", Some(1500)),
            ("90", None),
            ("s", None),
            ("", None),
            ("0s", None),
            ("5 m", None),
            ("5x", None),
            ("1e9d", None),
        ] {
            check(text, |Duration(time)| time.as_millis(), expected);
        }
    }

    #[test]
    fn counts() {
        for (text, expected) in [
            ("1", Ok(1)),
            ("0", Err("it must be at least 1")),
            ("-1", Err("it must be a whole number, at least 1")),
            ("x", Err("it must be a whole number, at least 1")),
        ] {
            let count = at_least_one(text).map(NonZeroUsize::get).map_err(|e| e.to_string());
            assert_eq!(count, expected.map_err(str::to_owned), "{text}");
        }
    }

    #[test]
    fn capacities() {
        let all = |channel: Option<&str>, most| Some((channel.map(str::to_owned), most));
        for (text, expected) in [
            ("3", all(None, 3)),
            ("c=1", all(Some("c"), 1)),
            ("A->B=2", all(Some("A->B"), 2)),
            ("c=0", None),
            ("c=", None),
            ("", None),
        ] {
            check(text, |Capacity { channel, most }| (channel, most.get()), expected);
        }
    }

    #[test]
    fn defines() {
        let define = |name: &str, value: &str| Some((name.to_owned(), value.to_owned()));
        for (text, expected) in [
            ("N", define("N", "1")),
            ("N=", define("N", "")),
            ("_n1=a=b", define("_n1", "a=b")),
            ("1N=2", None),
            ("", None),
            ("a-b", None),
            ("f(x)=x", None),
            ("N=1\n2", None),
        ] {
            check(text, |Define { name, value }| (name, value), expected);
        }
    }
}
