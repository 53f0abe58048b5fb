//! Charts of counterexamples: whether they are drawn, how wide the terminal is, and files.

use crate::commands::verify::Arguments;
use crate::front_end::Model;
use crate::options::charts::{Charts, Form, When};
use crate::options::output::{Format, Output};
use crate::output;
use crate::saving;
use anyhow::Result;
use pverify_report::answers::Answered;
use pverify_report::chart::terminal::{self, Style};
use pverify_report::chart::{Chart, Figure, Run, draw, figures, mermaid, plantuml, svg};
use pverify_report::page::Page;
use pverify_semantics::Engine;
use pverify_syntax::source::Sources;
use std::path::Path;

/// Longer counterexamples are drawn in the terminal on demand only.
const SHORT: usize = 32;

/// Which counterexamples are drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wish {
    /// In files.
    files: bool,
    /// In the terminal.
    terminal: When,
}

impl Wish {
    /// What the person asks for.
    pub(crate) fn new(charts: &Charts, output: &Output) -> Self {
        let text = output.format == Format::Text && !output.quiet;
        Self {
            files: charts.msc.is_some() || charts.report.is_some(),
            terminal: if text { charts.chart } else { When::Never },
        }
    }

    /// Draws a run, if somebody wants to see it.
    pub(crate) fn draw(
        self,
        engine: &mut Engine<'_>,
        sources: &Sources,
        run: &Run<'_>,
    ) -> Option<Chart> {
        let wanted = match self.terminal {
            When::Always => true,
            When::Auto => run.steps.len() <= SHORT,
            When::Never => false,
        };
        (self.files || wanted).then(|| draw(engine, sources, run))
    }

    /// The same, but in the terminal only where it is asked for.
    pub(crate) fn on_demand(self) -> Self {
        let asked = self.terminal == When::Always;
        Self { terminal: if asked { When::Always } else { When::Never }, ..self }
    }

    /// Draws a run that is not the answer to a check: in files, and for the terminal.
    pub(crate) fn run(
        self,
        charts: &Charts,
        (engine, model, file): (&mut Engine<'_>, &Model, &str),
        run: &Run<'_>,
        title: String,
    ) -> String {
        let Some(chart) = self.draw(engine, &model.sources, run) else { return String::new() };
        let figure = Figure::of(title, &chart);
        let page = page(model, file, &[]);
        if let Some(path) = &charts.msc {
            save_chart(path, std::slice::from_ref(&figure), &page);
        }
        if let Some(path) = &charts.report {
            saving::write("--report", path, &page.of_figures(std::slice::from_ref(&figure)));
        }
        self.drawing(&figure)
    }

    /// A figure as the terminal shows it; nothing where it is too large.
    fn drawing(self, figure: &Figure<'_>) -> String {
        let style = Style { unicode: output::unicode(), width: output::width() };
        let mut text = String::new();
        for (caption, chart) in &figure.charts {
            // What one process does by itself is a list, not a chart.
            let movers = chart.rows.iter().flat_map(|row| &row.parts).map(|part| part.lane);
            let first = chart.rows.first().and_then(|row| row.parts.first()).map(|part| part.lane);
            let several = movers.into_iter().any(|lane| Some(lane) != first);
            let drawn = match self.terminal {
                When::Never => String::new(),
                When::Always => terminal::to_text(chart, style, true),
                When::Auto if chart.rows.len() > SHORT || !several => String::new(),
                When::Auto => terminal::to_text(chart, style, false),
            };
            if !drawn.is_empty() {
                let caption: String = caption.chars().filter(|one| !one.is_control()).collect();
                text +=
                    &if caption.is_empty() { "\n".to_owned() } else { format!("\n  {caption}:\n") };
                text += &drawn;
            }
        }
        if text.is_empty() { text } else { text + "\n" }
    }
}

/// Puts drawings for the terminal into answers.
pub(crate) fn show(arguments: &Arguments, answers: &mut [Answered]) {
    let wish = Wish::new(&arguments.charts, &arguments.output);
    for answer in answers {
        let drawn =
            figures(std::slice::from_ref(answer)).iter().map(|one| wish.drawing(one)).collect();
        answer.drawing = drawn;
    }
}

/// Writes the files that were asked for.
pub(crate) fn save(arguments: &Arguments, model: &Model, answers: &[Answered]) {
    let page = page(model, &arguments.reading.file, answers);
    let Charts { msc, report, .. } = &arguments.charts;
    if let Some(path) = report {
        saving::write("--report", path, &page.to_html());
    }
    if let Some(path) = msc {
        let violated = answers.iter().find(|answer| answer.verdict == "violated");
        let figures = figures(violated.map_or(&[], std::slice::from_ref));
        save_chart(path, &figures, &page);
    }
}

fn page<'a>(model: &'a Model, file: &'a str, answers: &'a [Answered]) -> Page<'a> {
    let version = env!("CARGO_PKG_VERSION");
    let (sources, diagnostics) = (&model.sources, model.diagnostics.as_slice());
    Page { version, file, answers, sources, diagnostics }
}

/// Refuses files that cannot be written, or that would overwrite what is read.
pub(crate) fn prepare(charts: &Charts, read: &[&str]) -> Result<()> {
    charts.are_known()?;
    let files = [("--msc", &charts.msc), ("--report", &charts.report)];
    read.iter().try_for_each(|path| saving::try_all(path, &files))
}

/// Writes the first figure, or as a page all of them; nothing if there is none.
fn save_chart(path: &Path, figures: &[Figure<'_>], page: &Page<'_>) {
    let Some(first) = figures.first() else { return };
    let text = match Form::of(path) {
        Some(Form::Svg) => svg::to_text(first),
        Some(Form::Mermaid) => mermaid::to_text(first),
        Some(Form::PlantUml) => plantuml::to_text(first),
        Some(Form::Html) => page.of_figures(figures),
        None => return,
    };
    saving::write("--msc", path, &text);
}
