//! A chart as a drawing that stands alone, and as the drawing inside a page.
//!
//! Texts of models are escaped. What a browser must move when rows are folded carries the numbers of
//! its rows: see `page.js`.

use super::layout::{DOT, HEAD, LINE, LONGEST, Label, Layout, RETURNS, Side, cut, head, label};
use super::{Chart, Event, Figure, Row};
use crate::escape::xml;
use std::fmt::Write as _;

/// The height of the names above a chart.
pub(crate) const HEAD_HEIGHT: i32 = HEAD;

/// The colours and fonts, for drawings and for pages.
pub(crate) const STYLE: &str = include_str!("chart.css");

/// Draws a figure that stands alone: charts beside each other, with their captions.
pub fn to_text(figure: &Figure<'_>) -> String {
    const MARGIN: i32 = 16;
    let drawings: Vec<Drawing<'_>> =
        figure.charts.iter().map(|(caption, chart)| Drawing::new(caption, chart)).collect();
    let width = drawings.iter().map(|one| one.layout.width + MARGIN).sum::<i32>() + MARGIN;
    let top = 44 + if drawings.len() > 1 { 22 } else { 0 };
    let height = drawings.iter().map(Drawing::height).max().unwrap_or(0) + top + HEAD + MARGIN;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"msc alone\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n\
         <style>{STYLE}</style>\n<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n\
         <text class=\"title\" x=\"{MARGIN}\" y=\"28\">{}</text>\n",
        xml(&figure.title),
        xml(&cut(&figure.title, (width / 9).max(10) as usize)),
    );
    let mut x = MARGIN;
    for drawing in &drawings {
        if drawings.len() > 1 {
            let caption = xml(drawing.caption);
            let _ = writeln!(
                text,
                "<text class=\"caption\" x=\"{x}\" y=\"{}\">{caption}</text>",
                top - 8
            );
        }
        let _ = writeln!(text, "<g transform=\"translate({x},{top})\">");
        text += &drawing.heads();
        let _ = writeln!(text, "<g transform=\"translate(0,{HEAD})\">");
        text += &drawing.body(true);
        text += "</g></g>\n";
        x += drawing.layout.width + MARGIN;
    }
    text + "</svg>\n"
}

/// A chart that is being drawn.
pub(crate) struct Drawing<'a> {
    caption: &'a str,
    chart: &'a Chart,
    pub(crate) layout: Layout,
}

impl<'a> Drawing<'a> {
    pub(crate) fn new(caption: &'a str, chart: &'a Chart) -> Self {
        Self { caption, chart, layout: Layout::of(chart) }
    }

    /// The height without the heads.
    pub(crate) fn height(&self) -> i32 {
        self.layout.rows[self.chart.rows.len()] + self.foot_height()
    }

    fn foot_height(&self) -> i32 {
        let lines = self.chart.waiting.iter().map(|one| one.options.len().min(3) as i32 + 1).max();
        lines.map_or(0, |lines| lines * 16 + 22) + self.banner_height() + 16
    }

    fn banner_height(&self) -> i32 {
        match self.banner().len() as i32 {
            0 => 0,
            lines => lines * 20 + 12,
        }
    }

    /// The names of the processes.
    pub(crate) fn heads(&self) -> String {
        let mut text = String::from("<g class=\"heads\">\n");
        for (lane, &x) in self.chart.lanes.iter().zip(&self.layout.lanes) {
            let name = head(lane);
            let half = name.chars().count() as i32 * 4 + 12;
            let (left, full) = (x - half, 2 * half);
            let _ = writeln!(
                text,
                "<rect class=\"head\" x=\"{left}\" y=\"4\" width=\"{full}\" height=\"24\" rx=\"6\"/>\
                 <text class=\"name\" x=\"{x}\" y=\"21\">{}<title>{}</title></text>",
                xml(&name),
                xml(&lane.name())
            );
        }
        text + "</g>\n"
    }

    /// Everything else; with `titles` each row says what it is when a mouse is over it.
    pub(crate) fn body(&self, titles: bool) -> String {
        let mut text = String::new();
        self.shade(&mut text);
        self.lives(&mut text);
        for (lane, first, last) in self.chart.frames() {
            let (x, y) = (self.layout.lanes[lane] - 9, self.layout.rows[first] + 3);
            let height = self.layout.rows[last + 1] - 3 - y;
            let _ = writeln!(
                text,
                "<rect class=\"frame\" data-from=\"{first}\" data-to=\"{last}\" x=\"{x}\" y=\"{y}\" \
                 width=\"18\" height=\"{height}\" rx=\"5\"><title>atomic</title></rect>"
            );
        }
        self.arrows(&mut text);
        for (at, row) in self.chart.rows.iter().enumerate() {
            self.row(&mut text, at, row, titles);
        }
        self.foot(&mut text);
        text
    }

    fn shade(&self, text: &mut String) {
        let Some(again) = &self.chart.again else { return };
        let rows = self.chart.rows.len();
        if again.from >= rows {
            return;
        }
        let (y, end) = (self.layout.rows[again.from], self.layout.rows[rows]);
        let (width, height) = (self.layout.width, end - y);
        let told = xml(&self.chart.repetition().unwrap_or_default());
        let _ = writeln!(
            text,
            "<rect class=\"again\" data-from=\"{0}\" data-to=\"{1}\" x=\"0\" y=\"{y}\" \
             width=\"{width}\" height=\"{height}\"><title>{told}</title></rect>\
             <rect class=\"again-bar\" data-from=\"{0}\" data-to=\"{1}\" x=\"0\" y=\"{y}\" \
             width=\"4\" height=\"{height}\"/>",
            again.from,
            rows - 1
        );
    }

    fn lives(&self, text: &mut String) {
        let rows = self.chart.rows.len();
        for (lane, &x) in self.chart.lanes.iter().zip(&self.layout.lanes) {
            for life in &lane.lives {
                let from = life.from.map_or(-6, |row| self.layout.rows[row] + DOT);
                let to = match life.to {
                    Some(row) => self.layout.rows[row] + DOT,
                    None => self.layout.rows[rows] + 8,
                };
                let data = |row: Option<usize>| row.map_or_else(String::new, |row| row.to_string());
                let _ = writeln!(
                    text,
                    "<line class=\"life\" data-from=\"{}\" data-to=\"{}\" x1=\"{x}\" y1=\"{from}\" \
                     x2=\"{x}\" y2=\"{to}\"/>",
                    data(life.from),
                    data(life.to)
                );
                for (row, class, shape) in [
                    (life.from, "birth", "M-5-8h10v5h-10z"),
                    (life.to, "death", "M-5 6l10 10M5 6l-10 10"),
                ] {
                    if let Some(row) = row {
                        let y = self.layout.rows[row] + DOT;
                        let _ = writeln!(
                            text,
                            "<path class=\"{class}\" data-row=\"{row}\" \
                             transform=\"translate({x},{y})\" d=\"{shape}\"/>"
                        );
                    }
                }
            }
        }
    }

    fn arrows(&self, text: &mut String) {
        for (at, message) in self.chart.messages.iter().enumerate() {
            let colour = message.channel % COLOURS;
            let [sent, taken] = self.layout.ends[at];
            let lane = |end: Option<super::End>| end.map(|end| self.layout.lanes[end.lane]);
            let (x1, x2) = (lane(message.sent), lane(message.taken));
            let class = if message.rendezvous { "whole" } else { "apart" };
            let data = |end: Option<(usize, usize)>| {
                end.map_or_else(String::new, |(row, place)| format!("{row},{place}"))
            };
            let (from, to) = match (sent.zip(x1), taken.zip(x2)) {
                (Some((from, x1)), Some((to, x2))) => {
                    ((x1, self.layout.dot(from)), (x2, self.layout.dot(to)))
                }
                // It stays in the channel, or came from before.
                (Some((from, x1)), None) => {
                    let y = self.layout.dot(from);
                    ((x1, y), (x1 + STUB, y))
                }
                (None, Some((to, x2))) => {
                    let y = self.layout.dot(to);
                    ((x2 - STUB, y), (x2, y))
                }
                (None, None) => continue,
            };
            let (path, tip) = arrow(from, to);
            let stays = if taken.is_none() { " stays" } else { "" };
            let _ = writeln!(
                text,
                "<g class=\"arrow {class}{stays} k{colour}\" data-message=\"{at}\" data-a=\"{}\" \
                 data-b=\"{}\" data-x=\"{},{}\"><path d=\"{path}\"/>\
                 <path class=\"tip\" transform=\"{tip}\" d=\"M0 0l-9-4.5v9z\"/></g>",
                data(sent),
                data(taken),
                from.0,
                to.0
            );
        }
    }

    fn row(&self, text: &mut String, at: usize, row: &Row, titles: bool) {
        let (y, width) = (self.layout.rows[at], self.layout.width);
        let height = self.layout.rows[at + 1] - y;
        let local = if self.chart.is_local(at) { " local" } else { "" };
        let _ = write!(
            text,
            "<g class=\"row{local}\" data-row=\"{at}\" transform=\"translate(0,{y})\">\
             <rect class=\"hit\" width=\"{width}\" height=\"{height}\"/>\
             <text class=\"number\" x=\"40\" y=\"{}\">{}</text>",
            DOT + 4,
            row.number
        );
        if titles {
            let _ = write!(text, "<title>{}</title>", xml(&self.told(row)));
        }
        for (place, event) in row.events.iter().enumerate() {
            self.event(text, row, event, LINE * place as i32 + DOT);
        }
        text.push_str("</g>\n");
    }

    fn event(&self, text: &mut String, row: &Row, event: &Event, y: i32) {
        let Label { lane, side, text: told } = label(self.chart, row, event);
        let x = self.layout.lanes[lane];
        let (dot, colour) = match *event {
            Event::Local { .. } => ("dot", String::new()),
            Event::Lost { .. } => ("dot lost", String::new()),
            Event::Peek { message, .. } => ("dot peek", self.colour(message)),
            Event::Send { message, .. } => ("dot sent", self.colour(message)),
            Event::Receive { message, .. } => ("dot taken", self.colour(message)),
            Event::Rendezvous { message } => ("dot sent", self.colour(message)),
        };
        let radius = if matches!(event, Event::Local { .. }) { 3 } else { 4 };
        let _ =
            write!(text, "<circle class=\"{dot}{colour}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
        if let (Event::Rendezvous { message }, Side::Between(to)) = (event, side) {
            let (x, colour) = (self.layout.lanes[to], self.colour(*message));
            let _ =
                write!(text, "<circle class=\"dot taken{colour}\" cx=\"{x}\" cy=\"{y}\" r=\"4\"/>");
        }
        let (at, anchor) = match side {
            Side::Right if self.chart.returns(event) => (x + 12 + RETURNS, "start"),
            Side::Left => (x - 12, "end"),
            Side::Right => (x + 12, "start"),
            Side::Between(to) => ((x + self.layout.lanes[to]) / 2, "middle"),
        };
        let rise = match event {
            Event::Send { .. } | Event::Rendezvous { .. } => -5,
            _ => 4,
        };
        let kind = if matches!(event, Event::Local { .. }) { "say" } else { "say message" };
        let _ = write!(
            text,
            "<text class=\"{kind} {anchor}{colour}\" x=\"{at}\" y=\"{}\">{}</text>",
            y + rise,
            xml(&cut(&told, LONGEST))
        );
    }

    fn colour(&self, message: usize) -> String {
        format!(" k{}", self.chart.messages[message].channel % COLOURS)
    }

    /// A row in words.
    fn told(&self, row: &Row) -> String {
        let mut text = String::new();
        for part in &row.parts {
            let name = self.chart.lanes[part.lane].name();
            let _ = writeln!(text, "{name}, line {}: {}", part.place.line, part.statement);
        }
        for one in &row.changes {
            let _ = writeln!(text, "{} = {}", one.name, one.value.as_deref().unwrap_or("gone"));
        }
        for queue in &row.queues {
            let _ = writeln!(text, "{}", self.chart.contents(queue));
        }
        text.trim_end().to_owned()
    }

    /// What is said at the bottom.
    fn banner(&self) -> Vec<String> {
        let chart = self.chart;
        let adds = chart.again.iter().flat_map(|again| &again.adds);
        let adds =
            adds.map(|(channel, messages)| format!("each round adds to {channel}: {messages}"));
        chart.repetition().into_iter().chain(adds).chain(chart.fault.clone()).collect()
    }

    fn foot(&self, text: &mut String) {
        let mut y = self.layout.rows[self.chart.rows.len()] + 8;
        let _ = writeln!(text, "<g class=\"foot\" data-row=\"{}\">", self.chart.rows.len());
        for waiting in &self.chart.waiting {
            let x = self.layout.lanes[waiting.lane];
            let most = self.layout.letters(waiting.lane);
            let class = if waiting.may_end { "rests" } else { "waits" };
            let mut line = |at: i32, class: &str, what: &str| {
                let top = y + 18 + 16 * at;
                let what = xml(&cut(what, most));
                let _ =
                    writeln!(text, "<text class=\"{class}\" x=\"{x}\" y=\"{top}\">{what}</text>");
            };
            line(0, class, &format!("waits, line {}", waiting.line));
            for (at, option) in waiting.options.iter().take(3).enumerate() {
                line(at as i32 + 1, "option", option);
            }
        }
        let banner = self.banner();
        if !banner.is_empty() {
            y += self.foot_height() - self.banner_height() - 16;
            let (width, height) = (self.layout.width - 8, self.banner_height());
            let most = (width / 8).max(12) as usize;
            let _ = writeln!(
                text,
                "<rect class=\"banner\" x=\"4\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>"
            );
            for (at, line) in banner.iter().enumerate() {
                let line_at = y + 20 * (at as i32 + 1);
                let _ = writeln!(
                    text,
                    "<text class=\"verdict\" x=\"16\" y=\"{line_at}\">{}</text>",
                    xml(&cut(line, most))
                );
            }
        }
        text.push_str("</g>\n");
    }
}

/// So many colours for channels.
const COLOURS: usize = 7;

/// So long is the arrow of a message that stays in its channel.
const STUB: i32 = 30;

/// An arrow from a dot to a dot, and where its tip is; one back to the same process goes round.
/// (`page.js` does the same when rows are folded.)
fn arrow((x1, y1): (i32, i32), (x2, y2): (i32, i32)) -> (String, String) {
    if x1 == x2 {
        let out = x1 + 44;
        let path = format!("M{x1} {y1}C{out} {y1} {out} {y2} {} {y2}", x1 + 10);
        return (path, format!("translate({},{y2}) rotate(180)", x1 + 5));
    }
    let x2 = if x1 < x2 { x2 - 5 } else { x2 + 5 };
    let angle = f64::from(y2 - y1).atan2(f64::from(x2 - x1)).to_degrees();
    (format!("M{x1} {y1}L{x2} {y2}"), format!("translate({x2},{y2}) rotate({angle:.1})"))
}
