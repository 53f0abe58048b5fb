//! Curves as SVG: panels side by side, each with a few series and marks.

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;
use std::path::Path;

/// A panel.
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) x: &'static str,
    pub(crate) y: &'static str,
    /// From the least to the greatest; what is above the greatest y is not drawn.
    pub(crate) x_range: (f64, f64),
    pub(crate) y_range: (f64, f64),
    pub(crate) logarithmic: bool,
    pub(crate) series: Vec<Series>,
    /// Vertical dashed lines.
    pub(crate) marks: Vec<f64>,
    /// A single point that a paper tells.
    pub(crate) told: Option<(f64, f64)>,
}

/// A curve.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Colours that people tell apart who see few (Okabe & Ito).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];

const PANEL: (u32, u32) = (560, 400);

/// Draws panels side by side.
pub(crate) fn draw(folder: &Path, name: &str, panels: &[Panel]) -> Result<()> {
    let file = folder.join(name).with_extension("svg");
    let (width, height) = (PANEL.0 * panels.len() as u32, PANEL.1);
    let area = SVGBackend::new(&file, (width, height)).into_drawing_area();
    area.fill(&WHITE).map_err(|error| anyhow!("{error}"))?;
    for (part, panel) in area.split_evenly((1, panels.len())).iter().zip(panels) {
        let (low, high) = panel.y_range;
        // Plotters' errors borrow what they are about.
        if panel.logarithmic {
            draw_panel(part, panel, (low..high).log_scale())
        } else {
            draw_panel(part, panel, low..high)
        }
        .map_err(|error| anyhow!("{}: {error}", panel.title))?;
    }
    area.present().map_err(|error| anyhow!("{error}"))
}

fn draw_panel<'a, Y>(
    area: &DrawingArea<SVGBackend<'a>, Shift>,
    panel: &Panel,
    y: Y,
) -> Result<(), Box<dyn std::error::Error + 'a>>
where
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let (left, right) = panel.x_range;
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, ("sans-serif", 16))
        .margin(10)
        .x_label_area_size(42)
        .y_label_area_size(56)
        .build_cartesian_2d(left..right, y)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc(panel.x)
        .y_desc(panel.y)
        .x_label_formatter(&|value| short(*value))
        .y_label_formatter(&|value| short(*value))
        .draw()?;
    let (low, high) = panel.y_range;
    for &at in &panel.marks {
        let dashes = DashedLineSeries::new([(at, low), (at, high)], 4, 4, BLACK.stroke_width(1));
        chart.draw_series(dashes)?;
    }
    for (number, series) in panel.series.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        // With more curves than colours the dots of the second round are hollow.
        let dot = if number < COLOURS.len() { colour.filled() } else { colour.stroke_width(1) };
        let points = || series.points.iter().copied().filter(|&(_, y)| y <= high);
        chart
            .draw_series(LineSeries::new(points(), colour.stroke_width(2)))?
            .label(&series.name)
            .legend(move |(x, y)| {
                EmptyElement::at((x, y))
                    + PathElement::new([(0, 0), (18, 0)], colour.stroke_width(2))
                    + Circle::new((9, 0), 3, dot)
            });
        chart.draw_series(points().map(|point| Circle::new(point, 3, dot)))?;
    }
    if let Some(point) = panel.told {
        chart
            .draw_series([Cross::new(point, 6, BLACK.stroke_width(2))])?
            .label("the paper's text")
            .legend(|(x, y)| Cross::new((x + 9, y), 5, BLACK.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .position(SeriesLabelPosition::UpperRight)
        .draw()?;
    Ok(())
}

fn short(value: f64) -> String {
    if value.fract().abs() < 1e-9 { format!("{value:.0}") } else { format!("{value:.1}") }
}
