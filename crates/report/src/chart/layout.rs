//! Where everything of a chart lies on paper, in pixels.

use super::{Chart, Event, Lane, Row};
use unicode_width::UnicodeWidthChar as _;

/// The height of a line.
pub(crate) const LINE: i32 = 28;
/// From the top of a line to the dots of its event.
pub(crate) const DOT: i32 = 17;
/// The width of a letter of the font for statements.
const LETTER: i32 = 7;
/// The height of the boxes with the names.
pub(crate) const HEAD: i32 = 34;
/// No chart is narrower: there is room for what is said at the end.
const NARROWEST: i32 = 440;
/// An arrow back to the same process comes in where a label usually stands: it stands so far off.
pub(crate) const RETURNS: i32 = 34;
/// Labels are cut behind so many letters.
pub(crate) const LONGEST: usize = 34;
/// And names of processes behind so many.
pub(crate) const LONGEST_NAME: usize = 24;

/// A chart on paper; the first row is at 0.
#[derive(Debug)]
pub(crate) struct Layout {
    /// The lane of each process.
    pub(crate) lanes: Vec<i32>,
    /// The top of each row, and the end of the last.
    pub(crate) rows: Vec<i32>,
    /// The whole width.
    pub(crate) width: i32,
    /// The free place left of each lane, and right of the last.
    pub(crate) gaps: Vec<i32>,
    /// The row and place in it where each message is sent, and where it is taken.
    pub(crate) ends: Vec<[Option<(usize, usize)>; 2]>,
}

/// The side on which a label stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Left of its lane.
    Left,
    /// Right of its lane.
    Right,
    /// In the middle of an arrow to another lane.
    Between(usize),
}

/// A text of an event.
#[derive(Debug)]
pub(crate) struct Label {
    pub(crate) lane: usize,
    pub(crate) side: Side,
    pub(crate) text: String,
}

impl Layout {
    /// Lays out a chart.
    pub(crate) fn of(chart: &Chart) -> Self {
        let count = chart.lanes.len();
        let roomy = count <= 4 || !chart.waiting.is_empty();
        let mut gaps = vec![if roomy { 150 } else { 110 }; count + 1];
        gaps[0] = 60;
        for (at, lane) in chart.lanes.iter().enumerate() {
            let half = wide(&head(lane)) as i32 * 8 / 2 + 16;
            gaps[at] = gaps[at].max(if at == 0 { half + 8 } else { half + 20 });
            gaps[at + 1] = gaps[at + 1].max(half + 8);
        }
        for row in &chart.rows {
            for event in &row.events {
                let Label { lane, side, text } = label(chart, row, event);
                let mut need = wide(&cut(&text, LONGEST)) as i32 * LETTER + 26;
                if chart.returns(event) {
                    need += RETURNS;
                }
                match side {
                    Side::Left => gaps[lane] = gaps[lane].max(need),
                    Side::Right => gaps[lane + 1] = gaps[lane + 1].max(need),
                    Side::Between(other) => {
                        let (low, high) = (lane.min(other), lane.max(other));
                        let each = (need + 10) / (high - low).max(1) as i32;
                        gaps[low + 1..=high].iter_mut().for_each(|gap| *gap = (*gap).max(each));
                    }
                }
            }
        }
        for waiting in &chart.waiting {
            let told = waiting.options.iter().take(3).map(|option| option.chars().count());
            let most = told.max().unwrap_or(0).clamp(WAITS, LONGEST) as i32 * LETTER + 14;
            for gap in &mut gaps[waiting.lane..=waiting.lane + 1] {
                *gap = (*gap).max(most);
            }
        }
        let gutter = 48;
        let mut lanes = Vec::with_capacity(count);
        let mut x = gutter;
        for gap in &gaps[..count] {
            x += gap;
            lanes.push(x);
        }
        let width = (x + gaps[count] + 10).max(NARROWEST);
        let mut rows = Vec::with_capacity(chart.rows.len() + 1);
        let mut y = 0;
        let mut ends = vec![[None; 2]; chart.messages.len()];
        for (at, row) in chart.rows.iter().enumerate() {
            rows.push(y);
            y += LINE * row.events.len().max(1) as i32;
            for (place, event) in row.events.iter().enumerate() {
                match *event {
                    Event::Send { message, .. } => ends[message][0] = Some((at, place)),
                    Event::Receive { message, .. } => ends[message][1] = Some((at, place)),
                    Event::Rendezvous { message } => ends[message] = [Some((at, place)); 2],
                    _ => {}
                }
            }
        }
        rows.push(y);
        Self { lanes, rows, width, gaps, ends }
    }

    /// The height of the dot of an event.
    pub(crate) fn dot(&self, (row, place): (usize, usize)) -> i32 {
        self.rows[row] + LINE * place as i32 + DOT
    }

    /// So many letters have room beneath a lane.
    pub(crate) fn letters(&self, lane: usize) -> usize {
        let half = |gap: i32| if gap > 0 { gap / 2 } else { 0 };
        let room = half(self.gaps[lane]).min(half(self.gaps[lane + 1])) * 2 - 12;
        usize::try_from(room / LETTER).unwrap_or(0).max(6)
    }
}

/// So many letters say where a process waits.
const WAITS: usize = 16;

/// What stands above a lane: the number is kept, of a long name the beginning.
pub(crate) fn head(lane: &Lane) -> String {
    format!("{}({})", cut(&lane.process, LONGEST_NAME), lane.pid)
}

/// What stands beside an event.
pub(crate) fn label(chart: &Chart, row: &Row, event: &Event) -> Label {
    match *event {
        Event::Local { lane } | Event::Lost { lane } | Event::Peek { lane, .. } => {
            let own = row.parts.iter().find(|part| part.lane == lane).or(row.parts.first());
            let text = own.map_or_else(String::new, |part| part.statement.clone());
            Label { lane, side: Side::Right, text }
        }
        Event::Send { message, .. } => {
            let one = &chart.messages[message];
            let lane = one.sent.map_or(0, |end| end.lane);
            let leftwards = one.taken.is_some_and(|end| end.lane < lane);
            let side = if leftwards { Side::Left } else { Side::Right };
            Label { lane, side, text: chart.label(message, "!") }
        }
        Event::Receive { message, .. } => {
            let one = &chart.messages[message];
            let lane = one.taken.map_or(0, |end| end.lane);
            let from_right = one.sent.is_some_and(|end| end.lane > lane);
            let side = if from_right { Side::Left } else { Side::Right };
            Label { lane, side, text: chart.label(message, "?") }
        }
        Event::Rendezvous { message } => {
            let one = &chart.messages[message];
            let lane = one.sent.map_or(0, |end| end.lane);
            let to = one.taken.map_or(lane, |end| end.lane);
            let side = if to == lane { Side::Right } else { Side::Between(to) };
            Label { lane, side, text: chart.label(message, "!") }
        }
    }
}

/// So many columns of a terminal, or letters' widths on paper, a text takes.
pub(crate) fn wide(text: &str) -> usize {
    text.chars().map(|letter| letter.width().unwrap_or(0)).sum()
}

/// A text of at most so many letters.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}
