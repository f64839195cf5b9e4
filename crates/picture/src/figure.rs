//! A figure: what is to be drawn, before anybody draws it.
//!
//! In:   panels with lines of points, or groups of bars.
//! Out:  the same as CSV; as SVG, see `draw`.

/// An axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// What it counts, with its unit.
    pub label: String,
    /// Whether each step of the scale multiplies.
    pub logarithmic: bool,
}

impl Axis {
    /// Steps that multiply.
    pub fn logarithmic(label: &str) -> Axis {
        Axis { label: label.to_string(), logarithmic: true }
    }

    /// Steps that add.
    pub fn linear(label: &str) -> Axis {
        Axis { label: label.to_string(), logarithmic: false }
    }
}

/// A line of points.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// Its name in the legend.
    pub name: String,
    /// Which colour of the palette: the same who in all figures has the same.
    pub colour: usize,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Lines over the same axes.
#[derive(Clone, PartialEq, Debug)]
pub struct Panel {
    /// What it shows.
    pub title: String,
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
    /// The lines.
    pub lines: Vec<Line>,
}

/// Panels side by side, three in a row.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// The name of its files, without ending.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// From left to right, then down.
    pub panels: Vec<Panel>,
}

/// Bars in groups, over a logarithmic scale, with a line to compare with.
#[derive(Clone, PartialEq, Debug)]
pub struct Bars {
    /// The name of its files, without ending.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// From bottom to top.
    pub y: Axis,
    /// The groups, from left to right.
    pub groups: Vec<String>,
    /// Each with a bar for every group, if it has one there.
    pub series: Vec<Series>,
    /// What to compare with, and its name.
    pub mark: (String, f64),
}

/// The bars of one who.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Which colour of the palette.
    pub colour: usize,
    /// By group.
    pub heights: Vec<Option<f64>>,
}

impl Figure {
    /// One row per point.
    pub fn csv(&self) -> String {
        let mut text = "panel,line,x,y,x_is,y_is\n".to_string();
        for panel in &self.panels {
            for line in &panel.lines {
                for (x, y) in &line.points {
                    let words = [&panel.title, &line.name, &panel.x.label, &panel.y.label];
                    let [panel, line, x_is, y_is] = words.map(|word| quoted(word));
                    text += &format!("{panel},{line},{x},{y},{x_is},{y_is}\n");
                }
            }
        }
        text
    }
}

impl Bars {
    /// One row per bar.
    pub fn csv(&self) -> String {
        let mut text = "group,bar,y,y_is\n".to_string();
        for series in &self.series {
            for (group, height) in self.groups.iter().zip(&series.heights) {
                if let Some(height) = height {
                    let words = [group, &series.name].map(|word| quoted(word));
                    text += &format!("{},{height},{}\n", words.join(","), quoted(&self.y.label));
                }
            }
        }
        text
    }
}

/// A cell of CSV.
pub(crate) fn quoted(word: &str) -> String {
    match word.contains([',', '"', '\n']) {
        true => format!("\"{}\"", word.replace('"', "\"\"")),
        false => word.to_string(),
    }
}

/// The slope of a line where both axes multiply, over its right half: 1 is linear growth, 2 is
/// quadratic. `None` for fewer than two points there.
pub fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let right = &points[points.len() / 2..];
    let logs: Vec<(f64, f64)> = right.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = logs.len() as f64;
    let (sum_x, sum_y) = logs.iter().fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
    let (mean_x, mean_y) = (sum_x / n, sum_y / n);
    let above: f64 = logs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let below: f64 = logs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    (below > 0.0).then(|| above / below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw;

    fn figure() -> Figure {
        let squares = (1..=8).map(|x| (f64::from(x), f64::from(x * x))).collect();
        let line = Line { name: "a, b".to_string(), colour: 0, points: squares };
        let panel = Panel {
            title: "squares".to_string(),
            x: Axis::logarithmic("side (m)"),
            y: Axis::logarithmic("area (m²)"),
            lines: vec![line],
        };
        Figure { name: "f".to_string(), title: "Title & more".to_string(), panels: vec![panel] }
    }

    #[test]
    fn the_points_are_written_with_their_units() {
        let csv = figure().csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), 9);
        assert_eq!(lines[2], "squares,\"a, b\",2,4,side (m),area (m²)");
    }

    #[test]
    fn the_picture_has_title_axes_and_legend() {
        let svg = draw::figure(&figure()).unwrap_or_default();
        for word in ["<svg", "Title &amp; more", "side (m)", "area (m²)", "a, b"] {
            assert!(svg.contains(word), "{word}");
        }
    }

    #[test]
    fn bars_have_their_groups_and_their_mark() {
        let bars = Bars {
            name: "b".to_string(),
            title: "Bars".to_string(),
            y: Axis::logarithmic("NPCs"),
            groups: vec!["one".to_string(), "two".to_string()],
            series: vec![Series {
                name: "who".to_string(),
                colour: 1,
                heights: vec![Some(10.0), None],
            }],
            mark: ("the claim".to_string(), 1000.0),
        };
        let svg = draw::bars(&bars).unwrap_or_default();
        for word in ["one", "two", "who", "the claim", "NPCs"] {
            assert!(svg.contains(word), "{word}");
        }
        assert_eq!(bars.csv(), "group,bar,y,y_is\none,who,10,NPCs\n");
    }

    #[test]
    fn the_exponent_is_that_of_the_growth() {
        let panel = &figure().panels[0];
        let exponent_of = |points: &[(f64, f64)]| exponent(points).map(|e| (e * 100.0).round());
        assert_eq!(exponent_of(&panel.lines[0].points), Some(200.0));
        assert_eq!(exponent(&[(1.0, 1.0)]), None);
    }
}
