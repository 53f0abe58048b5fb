//! A chart as a sequence diagram of Mermaid.
//!
//! Every text is escaped: whatever is not a letter, a digit or plainly harmless becomes one of
//! Mermaid's entity codes, `#60;` for `<`.

use super::{Chart, Event, Figure};
use std::fmt::Write as _;

/// Draws the charts of a figure as one diagram, beside each other.
pub fn to_text(figure: &Figure<'_>) -> String {
    let mut text = String::from("sequenceDiagram\n");
    let several = figure.charts.len() > 1;
    for (side, (caption, chart)) in figure.charts.iter().enumerate() {
        if several {
            let _ = writeln!(text, "    box {}", escaped(caption));
        }
        for (lane, one) in chart.lanes.iter().enumerate() {
            let _ = writeln!(text, "    participant P{side}x{lane} as {}", escaped(&one.name()));
        }
        if several {
            text += "    end\n";
        }
    }
    let rows = figure.charts.iter().map(|(_, chart)| chart.rows.len()).max().unwrap_or(0);
    for at in 0..=rows {
        for (side, (_, chart)) in figure.charts.iter().enumerate() {
            row(&mut text, chart, side, at, !several);
        }
    }
    text
}

/// A row, with what begins before it and ends behind it; behind the last, how it all ends.
fn row(text: &mut String, chart: &Chart, side: usize, at: usize, framed: bool) {
    let from = chart.again.as_ref().map(|again| again.from);
    let repeats = from.filter(|&from| framed && from < chart.rows.len());
    if repeats == Some(at) {
        let _ = writeln!(text, "    loop {}", escaped(&chart.repetition().unwrap_or_default()));
    }
    let Some(here) = chart.rows.get(at) else {
        if at == chart.rows.len() {
            if repeats.is_some() {
                text.push_str("    end\n");
            }
            ending(text, chart, side);
        }
        return;
    };
    for event in &here.events {
        let note = |text: &mut String, lane: usize, what: &str| {
            let _ = writeln!(text, "    Note over P{side}x{lane}: {}", escaped(what));
        };
        let number = here.number;
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
                let arrow = if one.rendezvous { "->>" } else { "--)" };
                match one.taken {
                    Some(end) => {
                        let label = escaped(&label);
                        let to = end.lane;
                        let _ = writeln!(text, "    P{side}x{lane}{arrow}P{side}x{to}: {label}");
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
        let what = format!("waits for {}", waiting.options.join(" | "));
        let _ = writeln!(text, "    Note over P{side}x{}: {}", waiting.lane, escaped(&what));
    }
    let last = chart.lanes.len().saturating_sub(1);
    if let (Some(fault), Some(_)) = (&chart.fault, chart.lanes.first()) {
        let over = if last == 0 { String::new() } else { format!(",P{side}x{last}") };
        let _ = writeln!(text, "    Note over P{side}x0{over}: {}", escaped(fault));
    }
}

fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for letter in text.chars() {
        match letter {
            ' ' | '.' | ',' | '!' | '?' | '(' | ')' | '[' | ']' | '=' | '+' | '_' | '-' | ':' => {
                safe.push(letter);
            }
            letter if letter.is_alphanumeric() => safe.push(letter),
            letter => {
                let _ = write!(safe, "#{};", u32::from(letter));
            }
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_can_end_a_text() {
        assert_eq!(escaped("a;b#c<d>\n%%"), "a#59;b#35;c#60;d#62;#10;#37;#37;");
        assert_eq!(escaped("wire!msg,0 ü"), "wire!msg,0 ü");
    }
}
