//! What the script of a page shows: states by what changes, statements, places in the source.

use crate::chart::{Chart, Event, Figure, Queue, Row, Setting};
use crate::excerpt::printable;
use pverify_syntax::source::Sources;
use serde_json::{Value, json};

/// Files of more bytes are not shown.
const LARGEST: usize = 1 << 20;

/// The data of all figures, and the files that their steps stand in.
pub(super) fn of(figures: &[Figure<'_>], sources: &Sources) -> Value {
    let charts = |figure: &Figure<'_>| -> Vec<Value> {
        figure.charts.iter().map(|(_, chart)| self::chart(chart)).collect()
    };
    let files: Vec<Value> = sources
        .files()
        .map(|(_, file)| {
            let text = if file.text.len() > LARGEST { "" } else { &*file.text };
            let line = |line: &str| line.chars().map(printable).collect::<String>();
            json!({ "name": line(&file.name), "lines": text.lines().map(line).collect::<Vec<_>>() })
        })
        .collect();
    json!({ "files": files, "figures": figures.iter().map(charts).collect::<Vec<_>>() })
}

fn chart(chart: &Chart) -> Value {
    json!({
        "lanes": chart.lanes.iter().map(crate::chart::Lane::name).collect::<Vec<_>>(),
        "channels": chart.channels,
        "start": chart.start.iter().map(setting).collect::<Vec<_>>(),
        "rows": chart.rows.iter().enumerate().map(|(at, one)| row(chart, at, one)).collect::<Vec<_>>(),
        "messages": chart.messages.iter().map(|one| json!([
            one.channel, one.text, one.sent.map(|end| end.row), one.taken.map(|end| end.row),
        ])).collect::<Vec<_>>(),
        "fault": chart.fault,
        "repeats": chart.repetition(),
    })
}

fn setting(one: &Setting) -> Value {
    json!([one.name, one.value])
}

/// A row: what is said of it, what it changes, where its processes stand then, what channels hold.
fn row(chart: &Chart, at: usize, row: &Row) -> Value {
    let parts = row
        .parts
        .iter()
        .map(|part| json!([part.lane, part.statement, part.place.file, part.place.line]));
    let stands = row.stands.iter().map(|(lane, place)| json!([lane, place.file, place.line]));
    let queues =
        row.queues.iter().map(|Queue { channel, first, length }| json!([channel, first, length]));
    let messages = row.events.iter().filter_map(|event| match *event {
        Event::Send { message, .. }
        | Event::Receive { message, .. }
        | Event::Rendezvous { message }
        | Event::Peek { message, .. } => Some(message),
        Event::Local { .. } | Event::Lost { .. } => None,
    });
    json!({
        "n": row.number,
        "p": parts.collect::<Vec<_>>(),
        "c": row.changes.iter().map(setting).collect::<Vec<_>>(),
        "s": stands.collect::<Vec<_>>(),
        "q": queues.collect::<Vec<_>>(),
        "m": messages.collect::<Vec<_>>(),
        "local": chart.is_local(at),
        "lines": row.events.len().max(1),
        "again": chart.is_repeated(at),
    })
}
