//! A chart for the terminal: a column for each process, a line for each step.
//!
//! Arrows cannot slope there. A message that is left in a channel is a broken arrow towards the
//! process that takes it, and the receive names the step it was sent in; a rendezvous is a whole one.

use super::layout::{head, wide};
use super::{Chart, Event, Row};
use unicode_width::UnicodeWidthChar as _;

/// How a chart is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Lines and arrows rather than signs of ASCII.
    pub unicode: bool,
    /// The columns there are.
    pub width: usize,
}

/// Columns are no narrower and no wider than this.
const NARROWEST: usize = 10;
const WIDEST: usize = 34;
/// Room for what channels hold.
const QUEUES: usize = 24;

/// Draws a chart; nothing where it does not fit, unless it must be drawn all the same.
pub fn to_text(chart: &Chart, style: Style, anyway: bool) -> String {
    match Columns::new(chart, style) {
        Some(columns) => Pen { chart, columns, signs: Signs::of(style) }.draw(),
        None if anyway => {
            // As narrow as it can be; lines that are too long are the person's wish.
            let names = chart.lanes.iter().map(|lane| wide(&head(lane)) + 3);
            let each = names.max().unwrap_or(0).max(NARROWEST);
            let need = chart.lanes.len() * each + QUEUES + 30;
            let style = Style { width: style.width.max(need), ..style };
            let drawn = Columns::new(chart, style)
                .map(|columns| Pen { chart, columns, signs: Signs::of(style) }.draw());
            drawn.unwrap_or_default()
        }
        None => String::new(),
    }
}

/// What lines are made of.
struct Signs {
    life: char,
    act: char,
    along: char,
    whole: char,
    right: char,
    left: char,
    right_whole: char,
    left_whole: char,
    wrong: char,
    more: char,
    frame: [char; 3],
    again: [char; 3],
}

impl Signs {
    fn of(style: Style) -> Self {
        if style.unicode {
            Self {
                life: '│',
                act: '●',
                along: '╌',
                whole: '─',
                right: '▷',
                left: '◁',
                right_whole: '▶',
                left_whole: '◀',
                wrong: '✗',
                more: '…',
                frame: ['┌', '│', '└'],
                again: ['╭', '│', '╰'],
            }
        } else {
            Self {
                life: '|',
                act: '*',
                along: '-',
                whole: '=',
                right: '>',
                left: '<',
                right_whole: '>',
                left_whole: '<',
                wrong: 'X',
                more: '~',
                frame: ['[', '[', '['],
                again: ['/', '|', '\\'],
            }
        }
    }
}

/// Where the columns stand.
struct Columns {
    lanes: Vec<usize>,
    /// Where what channels hold begins.
    queues: usize,
    width: usize,
}

impl Columns {
    /// Columns as wide as their texts ask for, or as there is room.
    fn new(chart: &Chart, style: Style) -> Option<Self> {
        let count = chart.lanes.len();
        let gutter = 4 + digits(chart.rows.last().map_or(1, |row| row.number));
        let names = chart.lanes.iter().map(|lane| wide(&head(lane)) / 2);
        let first = gutter + names.clone().next().unwrap_or(0).max(1);
        // Names beside each other do not touch.
        let halves: Vec<usize> = names.collect();
        let next = |at: usize| halves.get(at + 1).copied().unwrap_or(0);
        let beside = halves.iter().enumerate().map(|(at, half)| half + next(at) + 3);
        let mut wanted: Vec<usize> = beside.collect();
        for (at, row) in chart.rows.iter().enumerate() {
            for (text, from, to) in labels(chart, row, at) {
                let length = wide(&text) + 3;
                match to {
                    // The room of an arrow is what lies between both ends.
                    Some(to) if to != from => {
                        let (low, high) = (from.min(to), from.max(to));
                        let each = (length + 5).div_ceil(high - low);
                        wanted[low..high].iter_mut().for_each(|one| *one = (*one).max(each));
                    }
                    _ => wanted[from] = wanted[from].max(length),
                }
            }
        }
        let queues = if chart.rows.iter().any(|row| !row.queues.is_empty()) { QUEUES } else { 0 };
        let room = style.width.checked_sub(first + queues)?;
        let mut widest = WIDEST;
        let total =
            |widest: usize| wanted.iter().map(|&one| one.clamp(NARROWEST, widest)).sum::<usize>();
        while total(widest) > room {
            if widest == NARROWEST {
                return None;
            }
            widest -= 1;
        }
        let mut lanes = Vec::with_capacity(count);
        let mut at = first;
        for one in wanted {
            lanes.push(at);
            at += one.clamp(NARROWEST, widest);
        }
        Some(Self { lanes, queues: at, width: style.width })
    }
}

/// Stands in the columns that a wide letter takes besides its first.
const COVERED: char = '\0';

fn digits(number: u64) -> usize {
    number.to_string().len()
}

/// The labels of a row: text, column, and where its arrow leads.
fn labels(chart: &Chart, row: &Row, at: usize) -> Vec<(String, usize, Option<usize>)> {
    row.events.iter().map(|event| label(chart, row, at, event)).collect()
}

fn label(chart: &Chart, row: &Row, at: usize, event: &Event) -> (String, usize, Option<usize>) {
    let own = |lane: usize| row.parts.iter().find(|part| part.lane == lane).or(row.parts.first());
    let statement = |lane: usize| own(lane).map_or_else(String::new, |part| part.statement.clone());
    match *event {
        Event::Local { lane } | Event::Lost { lane } | Event::Peek { lane, .. } => {
            (statement(lane), lane, None)
        }
        Event::Send { message, .. } => {
            let one = &chart.messages[message];
            let from = one.sent.map_or(0, |end| end.lane);
            let to = one.taken.map(|end| end.lane);
            let stays = if to.is_none() { " (stays)" } else { "" };
            (chart.label(message, "!") + stays, from, to)
        }
        Event::Rendezvous { message } => {
            let one = &chart.messages[message];
            let (from, to) = (one.sent, one.taken.map(|end| end.lane));
            (chart.label(message, "!"), from.map_or(0, |end| end.lane), to)
        }
        Event::Receive { message, .. } => {
            let one = &chart.messages[message];
            let from = match one.sent {
                Some(end) if end.row + 1 == at => String::new(),
                Some(end) => {
                    format!(" (of {})", chart.rows.get(end.row).map_or(0, |row| row.number))
                }
                None => " (of before)".to_owned(),
            };
            (chart.label(message, "?") + &from, one.taken.map_or(0, |end| end.lane), None)
        }
    }
}

struct Pen<'a> {
    chart: &'a Chart,
    columns: Columns,
    signs: Signs,
}

impl Pen<'_> {
    fn draw(&self) -> String {
        let chart = self.chart;
        let mut text = String::new();
        let mut heads = self.blank();
        for (lane, &column) in chart.lanes.iter().zip(&self.columns.lanes) {
            let name = head(lane);
            let from = column.saturating_sub(wide(&name) / 2);
            self.write(&mut heads, from, &name, from + 200);
        }
        push(&mut text, &heads);
        if chart.left_out > 0 {
            text += &format!("       ({} steps before are not shown)\n", chart.left_out);
        }
        let frames = chart.frames();
        let mut frames = frames.iter().peekable();
        for (at, row) in chart.rows.iter().enumerate() {
            while frames.next_if(|(_, _, last)| *last < at).is_some() {}
            let frame = frames.peek().filter(|(_, first, _)| *first <= at).map(|&&one| one);
            for (number, event) in row.events.iter().enumerate() {
                let mut line = self.lives(at);
                if let Some((lane, first, last)) = frame {
                    let sign = if at == first { 0 } else { 1 + usize::from(at == last) };
                    self.put(&mut line, self.columns.lanes[lane] - 1, self.signs.frame[sign]);
                }
                if number == 0 {
                    self.numbered(&mut line, row);
                }
                self.again(&mut line, at, number == 0);
                self.event(&mut line, row, at, event);
                if number + 1 == row.events.len() {
                    self.queues(&mut line, row);
                }
                push(&mut text, &line);
            }
        }
        self.end(&mut text);
        text
    }

    fn blank(&self) -> Vec<char> {
        vec![' '; self.columns.width]
    }

    fn put(&self, line: &mut [char], at: usize, sign: char) {
        if let Some(place) = line.get_mut(at) {
            *place = sign;
        }
    }

    /// Writes a text up to a column, and says where it was cut.
    fn write(&self, line: &mut [char], from: usize, text: &str, end: usize) {
        let end = end.min(line.len());
        let room = end.saturating_sub(from);
        let mut at = from;
        for letter in text.chars() {
            let width = letter.width().unwrap_or(0);
            if width == 0 {
                continue;
            }
            if at + width > end {
                break;
            }
            self.put(line, at, letter);
            (at + 1..at + width).for_each(|behind| self.put(line, behind, COVERED));
            at += width;
        }
        if wide(text) > room && room > 0 {
            // Half of a wide letter is none.
            if line.get(end - 1) == Some(&COVERED) {
                self.put(line, end - 2, ' ');
            }
            self.put(line, end - 1, self.signs.more);
        }
    }

    fn lives(&self, row: usize) -> Vec<char> {
        let mut line = self.blank();
        for (lane, &column) in self.chart.lanes.iter().zip(&self.columns.lanes) {
            if lane.lives_at(row) {
                self.put(&mut line, column, self.signs.life);
            }
        }
        line
    }

    fn numbered(&self, line: &mut [char], row: &Row) {
        let most = digits(self.chart.rows.last().map_or(1, |row| row.number));
        self.write(line, 2, &format!("{:>most$}", row.number), 3 + most);
    }

    fn again(&self, line: &mut [char], row: usize, first_line: bool) {
        let Some(again) = &self.chart.again else { return };
        if row >= again.from {
            let starts = row == again.from && first_line;
            self.put(line, 0, self.signs.again[usize::from(!starts)]);
        }
    }

    fn event(&self, line: &mut [char], row: &Row, at: usize, event: &Event) {
        let (text, from, to) = label(self.chart, row, at, event);
        let column = self.columns.lanes[from];
        self.put(line, column, self.signs.act);
        let is_rendezvous = matches!(event, Event::Rendezvous { .. });
        let Some(to) = to.filter(|to| *to != from) else {
            let next = self.columns.lanes.get(from + 1).copied();
            let next = next.unwrap_or(self.columns.queues);
            self.write(line, column + 2, &text, next.saturating_sub(1));
            return;
        };
        let target = self.columns.lanes[to];
        let along = if is_rendezvous { self.signs.whole } else { self.signs.along };
        let (low, high) = (column.min(target) + 1, column.max(target));
        for place in low..high {
            self.put(line, place, along);
        }
        let head = match (column < target, is_rendezvous) {
            (true, false) => self.signs.right,
            (true, true) => self.signs.right_whole,
            (false, false) => self.signs.left,
            (false, true) => self.signs.left_whole,
        };
        self.put(line, if column < target { high - 1 } else { low }, head);
        if is_rendezvous {
            self.put(line, target, self.signs.act);
        }
        // The text stands near the sender.
        let length = wide(&text).min(high.saturating_sub(low + 5));
        let start = if column < target { low + 1 } else { high.saturating_sub(length + 3) };
        self.write(line, start, &format!(" {text}"), start + length + 1);
        self.put(line, start + length + 1, ' ');
    }

    fn queues(&self, line: &mut [char], row: &Row) {
        let told: Vec<String> = row.queues.iter().map(|one| self.chart.contents(one)).collect();
        self.write(line, self.columns.queues, &told.join("  "), self.columns.width);
    }

    /// What is repeated, and what is wrong.
    fn end(&self, text: &mut String) {
        let chart = self.chart;
        if let Some(told) = chart.repetition() {
            let sign = if chart.is_repeated(chart.rows.len().saturating_sub(1)) {
                self.signs.again[2]
            } else {
                ' '
            };
            *text += &format!("{sign} {told}\n");
        }
        let mut stuck = self.lives(chart.rows.len());
        for waiting in &chart.waiting {
            let column = self.columns.lanes[waiting.lane];
            let next = self.columns.lanes.get(waiting.lane + 1).copied();
            let end = next.map_or(self.columns.width, |next| next - 1);
            let mark = if waiting.may_end { self.signs.life } else { self.signs.wrong };
            self.put(&mut stuck, column, mark);
            self.write(&mut stuck, column + 2, &waiting.options.join(" | "), end);
        }
        if !chart.waiting.is_empty() {
            push(text, &stuck);
        } else if let (Some(_), None) = (&chart.fault, &chart.again) {
            let mut line = self.lives(chart.rows.len());
            if let Some(part) = chart.rows.last().and_then(|row| row.parts.last()) {
                let column = self.columns.lanes[part.lane];
                self.put(&mut line, column, self.signs.wrong);
                let fault = chart.fault.as_deref().unwrap_or_default();
                self.write(&mut line, column + 2, fault, self.columns.width);
            }
            push(text, &line);
        }
    }
}

fn push(text: &mut String, line: &[char]) {
    let line: String = line.iter().filter(|&&letter| letter != COVERED).collect();
    *text += line.trim_end();
    text.push('\n');
}
