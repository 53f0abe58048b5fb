//! All answers to a run as one page for a browser, which needs nothing else.
//!
//! Charts are drawn here and stand in the page as they are, so that it can be read and printed without
//! any script. A script (`page.js`) adds what moves: the state and the source line of the step that is
//! chosen, folding, zooming, keys. What it shows lies in the page as data (`page/data.rs`). All text of models
//! is escaped, and the page forbids itself to ask the network for anything.

mod data;

use crate::answers::{Answered, counted, grouped};
use crate::chart::svg::{Drawing, STYLE};
use crate::chart::{Figure, figures};
use crate::escape::{script, xml};
use crate::excerpt::printable;
use crate::plot;
use pverify_syntax::diagnostic::{Diagnostic, Severity};
use pverify_syntax::source::Sources;
use std::fmt::Write as _;

const PAGE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// What a page shows.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The version of pverify.
    pub version: &'a str,
    /// The file as the person named it.
    pub file: &'a str,
    /// The answers.
    pub answers: &'a [Answered],
    /// The files of the model.
    pub sources: &'a Sources,
    /// What is wrong with them.
    pub diagnostics: &'a [Diagnostic],
}

impl Page<'_> {
    /// All answers.
    pub fn to_html(&self) -> String {
        let mut body = String::new();
        self.table(&mut body);
        self.warnings(&mut body);
        let mut shown = Vec::new();
        for answer in self.answers {
            let own = figures(std::slice::from_ref(answer));
            if own.is_empty() && answer.channels.is_none() {
                continue;
            }
            let line = answer.to_text(false);
            let line = line.lines().next().unwrap_or_default();
            let _ = writeln!(body, "<section class=\"answer\"><h2>{}</h2>", xml(line));
            if let Some(channels) = &answer.channels {
                let drawing = plot::to_svg(&channels.channels);
                let _ = writeln!(
                    body,
                    "<div class=\"growth\"><pre>{}</pre><div class=\"plot\">{drawing}</div></div>",
                    xml(&channels.lines())
                );
            }
            if let Some(comparison) = &answer.comparison {
                let _ = writeln!(body, "<pre>{}</pre>", xml(&comparison.to_text()));
            }
            for one in own {
                figure(&mut body, &one, shown.len());
                shown.push(one);
            }
            let waiting: Vec<&String> = answer.story.iter().flat_map(|one| &one.waiting).collect();
            if !waiting.is_empty() {
                body.push_str("<ul class=\"waiting\">\n");
                for line in waiting {
                    let _ = writeln!(body, "<li>{}</li>", xml(line));
                }
                body.push_str("</ul>\n");
            }
            for help in answer.story.iter().flat_map(|story| &story.help) {
                let _ = writeln!(body, "<p class=\"help\">help: {}</p>", xml(help));
            }
            body.push_str("</section>\n");
        }
        self.wrapped(&body, &shown)
    }

    /// Charts alone.
    pub fn of_figures(&self, shown: &[Figure<'_>]) -> String {
        let mut body = String::new();
        for (number, one) in shown.iter().enumerate() {
            let _ = writeln!(body, "<section class=\"answer\"><h2>{}</h2>", xml(&one.title));
            figure(&mut body, one, number);
            body.push_str("</section>\n");
        }
        self.wrapped(&body, shown)
    }

    fn wrapped(&self, body: &str, shown: &[Figure<'_>]) -> String {
        let file = xml(&self.file.chars().map(printable).collect::<String>());
        let data = script(&data::of(shown, self.sources).to_string());
        let version = xml(self.version);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
             <title>{file} · pverify</title>\n<style>\n{STYLE}{PAGE}</style>\n</head>\n<body>\n\
             <header><h1>{file}</h1><p>pverify {version}</p></header>\n<main>\n{body}</main>\n\
             <div id=\"tip\" role=\"tooltip\" hidden></div>\n\
             <script type=\"application/json\" id=\"data\">{data}</script>\n\
             <script>\n{SCRIPT}</script>\n</body>\n</html>\n"
        )
    }

    /// A line for each check.
    fn table(&self, body: &mut String) {
        body.push_str(
            "<section><table class=\"checks\"><thead><tr><th>check</th><th>verdict</th>\
             <th>what is known</th><th class=\"figure-of\">states</th>\
             <th class=\"figure-of\">transitions</th><th class=\"figure-of\">depth</th>\
             <th class=\"figure-of\">time</th><th class=\"figure-of\">memory</th></tr></thead><tbody>\n",
        );
        for answer in self.answers {
            let text = answer.to_text(false);
            let line = text.lines().next().unwrap_or_default();
            let known = line.split_once(answer.verdict).map_or("", |(_, rest)| rest);
            let known = known.trim_start_matches([':', ' ']);
            let name = answer.name();
            let why = answer.route.as_deref().or(answer.scope).unwrap_or_default();
            let _ = writeln!(
                body,
                "<tr><th scope=\"row\">{}</th><td><span class=\"badge {1}\">{1}</span></td>\
                 <td>{2}<div class=\"why\">{3}</div></td><td class=\"figure-of\">{4}</td>\
                 <td class=\"figure-of\">{5}</td><td class=\"figure-of\">{6}</td>\
                 <td class=\"figure-of\">{7:.2} s</td><td class=\"figure-of\">{8} MB</td></tr>",
                xml(&name),
                answer.verdict,
                xml(known),
                xml(why),
                grouped(answer.states),
                grouped(answer.transitions),
                grouped(answer.max_depth),
                answer.seconds,
                grouped(answer.peak_memory_bytes / 1_000_000),
            );
        }
        body.push_str("</tbody></table></section>\n");
    }

    /// What the front end noticed, and what was never executed.
    fn warnings(&self, body: &mut String) {
        const MOST: usize = 100;
        let mut items = Vec::new();
        for diagnostic in self.diagnostics {
            let span = self.sources.outermost(diagnostic.span);
            let line = self.sources.position(span).line;
            let file = &self.sources.file(span.file).name;
            let severity = match diagnostic.code.severity() {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            let (id, message) = (diagnostic.code.id, &diagnostic.message);
            items.push(format!("{severity} {id}: {message} ({file}, line {line})"));
        }
        for answer in self.answers {
            let unreached = answer.unreached.as_deref().unwrap_or_default();
            items.extend(crate::coverage::to_text(unreached).lines().map(str::to_owned));
        }
        if items.is_empty() {
            return;
        }
        let more = items.len().saturating_sub(MOST);
        body.push_str("<section class=\"warnings\"><h2>Warnings</h2><ul>\n");
        for item in items.iter().take(MOST) {
            let _ = writeln!(body, "<li>{}</li>", xml(item.trim()));
        }
        if more > 0 {
            let _ = writeln!(body, "<li>{more} more</li>");
        }
        body.push_str("</ul></section>\n");
    }
}

/// A figure with its tools, its charts, and a place for the step that is chosen.
fn figure(body: &mut String, figure: &Figure<'_>, number: usize) {
    let _ = writeln!(
        body,
        "<div class=\"figure\" data-figure=\"{number}\"><div class=\"tools\" role=\"toolbar\" \
         aria-label=\"chart\"><button data-do=\"first\" title=\"first step (Home)\">⇤</button>\
         <button data-do=\"previous\" title=\"previous step (k, ↑)\">↑</button>\
         <button data-do=\"next\" title=\"next step (j, ↓)\">↓</button>\
         <button data-do=\"last\" title=\"last step (End)\">⇥</button>\
         <span class=\"space\"></span>\
         <button data-do=\"smaller\" title=\"zoom out (-)\">−</button>\
         <button data-do=\"plain\" title=\"original size (0)\">100%</button>\
         <button data-do=\"larger\" title=\"zoom in (+)\">+</button>\
         <button data-do=\"fit\" title=\"fit the width (w)\">fit</button>\
         <span class=\"space\"></span>\
         <button data-do=\"fold\" aria-pressed=\"false\" title=\"fold local steps (c)\">\
         fold local steps</button><span class=\"keys\"><kbd>j</kbd> <kbd>k</kbd> steps · \
         <kbd>c</kbd> fold · <kbd>+</kbd> <kbd>−</kbd> zoom</span></div>\n\
         <div class=\"view\"><div class=\"sides\">"
    );
    for (side, (caption, chart)) in figure.charts.iter().enumerate() {
        let drawing = Drawing::new(caption, chart);
        let (width, height) = (drawing.layout.width, drawing.height());
        let head = crate::chart::svg::HEAD_HEIGHT;
        let label = match caption.is_empty() {
            true => xml(&figure.title),
            false => xml(caption),
        };
        let told = match caption.is_empty() {
            true => String::new(),
            false => format!("<h3>{}</h3>", xml(caption)),
        };
        let told = match chart.left_out {
            0 => told,
            more => format!(
                "{told}<p class=\"left-out\">{} not drawn; --trace FILE and \
                 then <code>pverify replay</code> lists all of them</p>",
                counted(more, "step before these is", "steps before these are")
            ),
        };
        let _ = writeln!(
            body,
            "<div class=\"side\">{told}<div class=\"chart\" tabindex=\"0\" role=\"listbox\" \
             data-side=\"{side}\" aria-label=\"{label}\">\
             <svg class=\"msc top\" width=\"{width}\" height=\"{head}\" \
             viewBox=\"0 0 {width} {head}\" preserveAspectRatio=\"xMinYMin\" aria-hidden=\"true\">{}</svg>\
             <svg class=\"msc body\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"xMinYMin\">{}</svg></div></div>",
            drawing.heads(),
            drawing.body(false)
        );
    }
    body.push_str(
        "</div><aside class=\"panel\" aria-live=\"polite\"><p class=\"hint\">Choose a step to see its \
         statement, the state after it, and the source.</p></aside></div>\n",
    );
    for (caption, chart) in &figure.charts {
        let caption = if caption.is_empty() { "All steps" } else { caption };
        let _ = writeln!(body, "<details class=\"list\"><summary>{}</summary><ol>", xml(caption));
        for row in &chart.rows {
            for (at, part) in row.parts.iter().enumerate() {
                let number = row.number + at as u64;
                let who = chart.lanes.get(part.lane).map(crate::chart::Lane::name);
                let changes = row.changes.iter().filter(|_| at + 1 == row.parts.len());
                let changes: Vec<String> = changes
                    .map(|one| format!("{} = {}", one.name, one.value.as_deref().unwrap_or("gone")))
                    .collect();
                let _ = writeln!(
                    body,
                    "<li value=\"{number}\"><b>{}</b> line {} <code>{}</code> <i>{}</i></li>",
                    xml(&who.unwrap_or_default()),
                    part.place.line,
                    xml(&part.statement),
                    xml(&changes.join(", "))
                );
            }
        }
        body.push_str("</ol></details>\n");
    }
    body.push_str("</div>\n");
}
