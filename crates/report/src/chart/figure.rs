//! What charts there are in the answers to some checks, and what they are called.

use super::Chart;
use crate::answers::Answered;

/// A chart, or several that belong beside each other.
#[derive(Clone, Debug)]
pub struct Figure<'a> {
    /// What it shows.
    pub title: String,
    /// The charts; of several, each with its caption.
    pub charts: Vec<(String, &'a Chart)>,
}

impl<'a> Figure<'a> {
    /// One chart.
    pub fn of(title: String, chart: &'a Chart) -> Self {
        Self { title, charts: vec![(String::new(), chart)] }
    }
}

/// The charts of some answers.
pub fn figures(answers: &[Answered]) -> Vec<Figure<'_>> {
    answers.iter().flat_map(of_answer).collect()
}

/// The charts of an answer.
pub(crate) fn of_answer(answer: &Answered) -> Vec<Figure<'_>> {
    let name = answer.name();
    if let Some(comparison) = &answer.comparison {
        let files = comparison.files.iter().zip(&comparison.charts);
        let charts = files.filter_map(|(file, chart)| Some((file.clone(), chart.as_ref()?)));
        let charts: Vec<_> = charts.collect();
        return match charts.is_empty() {
            true => Vec::new(),
            false => vec![Figure { title: name, charts }],
        };
    }
    let loops = answer.channels.iter().flat_map(|channels| &channels.loops);
    let loops = loops.enumerate().filter_map(|(at, one)| Some((at, one.chart.as_ref()?)));
    let title = |at| format!("{name}: loop {}", at + 1);
    let mut figures: Vec<_> = loops.map(|(at, chart)| Figure::of(title(at), chart)).collect();
    figures.extend(answer.chart.iter().map(|chart| Figure::of(name.clone(), chart)));
    figures
}
