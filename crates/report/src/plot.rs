//! The greatest length of each channel against the depth, as a drawing.

use crate::channels::ChannelReport;
use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 50.0;
const BOTTOM: f64 = 40.0;
const RIGHT: f64 = 160.0;

/// Colours that people tell apart, also those who see fewer (Okabe and Ito).
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// Draws the channels.
pub fn to_svg(channels: &[ChannelReport]) -> String {
    let deepest = channels.iter().map(|one| one.by_depth.len()).max().unwrap_or(0).max(2) - 1;
    let all = channels.iter().flat_map(|one| &one.by_depth);
    let longest = all.copied().max().unwrap_or(0).max(1);
    let x = |depth: usize| LEFT + depth as f64 / deepest as f64 * (WIDTH - LEFT - RIGHT);
    let y = |length: u32| {
        HEIGHT - BOTTOM - f64::from(length) / f64::from(longest) * (HEIGHT - BOTTOM - 20.0)
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let (left, right, top, bottom) = (x(0), x(deepest), y(longest), y(0));
    let _ = writeln!(
        svg,
        "<path d=\"M{left:.1} {top:.1} V{bottom:.1} H{right:.1}\" fill=\"none\" stroke=\"black\"/>"
    );
    let mut label = |at_x: f64, at_y: f64, anchor: &str, text: &str| {
        let _ = writeln!(
            svg,
            "<text x=\"{at_x:.1}\" y=\"{at_y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(text)
        );
    };
    label(left - 6.0, bottom + 4.0, "end", "0");
    label(left - 6.0, top + 4.0, "end", &longest.to_string());
    label(right, bottom + 16.0, "middle", &deepest.to_string());
    label((left + right) / 2.0, bottom + 30.0, "middle", "depth (steps)");
    label(left, 14.0, "start", "greatest length (messages)");
    for (at, channel) in channels.iter().enumerate() {
        let end = channel.by_depth.last().copied().unwrap_or(0);
        let near = y(end) + 4.0 + 3.0 * (at % 3) as f64;
        label(right + 8.0, near, "start", &channel.name);
    }
    for (at, channel) in channels.iter().enumerate() {
        let points: Vec<String> = channel
            .by_depth
            .iter()
            .enumerate()
            .map(|(depth, &length)| format!("{:.1},{:.1}", x(depth), y(length)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>",
            points.join(" "),
            COLOURS[at % COLOURS.len()]
        );
    }
    svg += "</svg>\n";
    svg
}

fn escaped(text: &str) -> String {
    let plain: String = text.chars().filter(|letter| !letter.is_control()).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_channel_has_its_line() {
        let channel = |name: &str, by_depth: &[u32]| ChannelReport {
            name: name.to_owned(),
            by_depth: by_depth.to_vec(),
            ..ChannelReport::default()
        };
        let svg = to_svg(&[channel("A->B", &[0, 1, 2]), channel("<c>", &[])]);
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.contains("A-&gt;B") && svg.contains("&lt;c&gt;") && !svg.contains("NaN"));
        assert!(!to_svg(&[]).contains("NaN"));
    }
}
