//! A chart as a sequence diagram of PlantUML.
//!
//! Every text is escaped: whatever is not a letter, a digit or plainly harmless is written by its
//! number, `<U+003C>` for `<`, so that no markup, no preprocessor and no file name is left in it.

use super::{Chart, Event, Figure};
use std::fmt::Write as _;

/// Draws the charts of a figure as one diagram, beside each other.
pub fn to_text(figure: &Figure<'_>) -> String {
    let mut text = String::from("@startuml\nhide footbox\n");
    let several = figure.charts.len() > 1;
    for (side, (caption, chart)) in figure.charts.iter().enumerate() {
        if several {
            let _ = writeln!(text, "box \"{}\"", escaped(caption));
        }
        for (lane, one) in chart.lanes.iter().enumerate() {
            let _ = writeln!(text, "participant \"{}\" as P{side}x{lane}", escaped(&one.name()));
        }
        if several {
            text += "end box\n";
        }
    }
    let rows = figure.charts.iter().map(|(_, chart)| chart.rows.len()).max().unwrap_or(0);
    for at in 0..=rows {
        for (side, (_, chart)) in figure.charts.iter().enumerate() {
            row(&mut text, chart, side, at, !several);
        }
    }
    text + "@enduml\n"
}

/// A row, with what begins before it and ends behind it; behind the last, how it all ends.
fn row(text: &mut String, chart: &Chart, side: usize, at: usize, framed: bool) {
    let from = chart.again.as_ref().map(|again| again.from);
    let repeats = from.filter(|&from| framed && from < chart.rows.len());
    if repeats == Some(at) {
        let _ = writeln!(text, "loop {}", escaped(&chart.repetition().unwrap_or_default()));
    }
    let Some(here) = chart.rows.get(at) else {
        if at == chart.rows.len() {
            if repeats.is_some() {
                text.push_str("end\n");
            }
            ending(text, chart, side);
        }
        return;
    };
    let number = here.number;
    let note = |text: &mut String, lane: usize, what: &str| {
        let _ = writeln!(text, "note over P{side}x{lane} : {}", escaped(what));
    };
    for event in &here.events {
        match *event {
            Event::Local { lane } | Event::Lost { lane } | Event::Peek { lane, .. } => {
                let part = here.parts.iter().find(|part| part.lane == lane);
                let statement = part.map_or("", |part| &part.statement);
                note(text, lane, &format!("{number}. {statement}"));
            }
            Event::Send { message, .. } | Event::Rendezvous { message } => {
                let one = &chart.messages[message];
                let label = format!("{number}. {}", chart.label(message, "!"));
                let lane = one.sent.map_or(0, |end| end.lane);
                let arrow = if one.rendezvous { "->" } else { "-->>" };
                match one.taken {
                    Some(end) => {
                        let (to, label) = (end.lane, escaped(&label));
                        let _ = writeln!(text, "P{side}x{lane} {arrow} P{side}x{to} : {label}");
                    }
                    None => note(text, lane, &format!("{label} (stays)")),
                }
            }
            Event::Receive { message, .. } => {
                let one = &chart.messages[message];
                let of = one.sent.and_then(|end| chart.rows.get(end.row));
                let of = of.map_or_else(|| "before".to_owned(), |row| row.number.to_string());
                let label = chart.label(message, "?");
                let lane = one.taken.map_or(0, |end| end.lane);
                note(text, lane, &format!("{number}. {label} (of {of})"));
            }
        }
    }
}

fn ending(text: &mut String, chart: &Chart, side: usize) {
    for waiting in &chart.waiting {
        let what = escaped(&format!("waits for {}", waiting.options.join(" | ")));
        let _ = writeln!(text, "note over P{side}x{} #FFE0E0 : {what}", waiting.lane);
    }
    let last = chart.lanes.len().saturating_sub(1);
    if let (Some(fault), Some(_)) = (&chart.fault, chart.lanes.first()) {
        let over = if last == 0 { String::new() } else { format!(", P{side}x{last}") };
        let _ = writeln!(text, "note over P{side}x0{over} #FFE0E0 : {}", escaped(fault));
    }
}

fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for letter in text.chars() {
        match letter {
            ' ' | '.' | ',' | '!' | '?' | '(' | ')' | '=' | '+' | ':' => safe.push(letter),
            letter if letter.is_alphanumeric() => safe.push(letter),
            letter => {
                let _ = write!(safe, "<U+{:04X}>", u32::from(letter));
            }
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_markup_is_left() {
        assert_eq!(
            escaped("<img:x> [[y]]"),
            concat!("<U+003C>img:x<U+003E> ", "<U+005B><U+005B>y<U+005D><U+005D>")
        );
        assert_eq!(
            escaped("wire!msg,0 \" /' \\n"),
            concat!("wire!msg,0 <U+0022> <U+002F><U+0027> ", "<U+005C>n")
        );
    }
}
