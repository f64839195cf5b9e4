//! Figures as SVG.
//!
//! In:   a figure or bars.
//! Out:  an SVG text; letters are left to whoever shows it, so no font is needed here.
//! Cost: a few milliseconds.

use crate::DrawError;
use crate::figure::{Axis, Bars, Figure, Panel};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

/// Colours that differ for everybody, also for those who see few (after Okabe and Ito).
const PALETTE: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(204, 121, 167),
    RGBColor(0, 158, 115),
    RGBColor(86, 180, 233),
    RGBColor(110, 110, 110),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];
const PANEL: (u32, u32) = (560, 460);
/// Panels in a row at most.
const COLUMNS: usize = 3;
const TITLE_HEIGHT: u32 = 36;
pub(crate) const FONT: &str = "sans-serif";

/// Where to draw.
pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

pub(crate) fn colour(index: usize) -> RGBColor {
    PALETTE[index % PALETTE.len()]
}

impl Figure {
    /// The picture and the points, as files.
    ///
    /// # Errors
    ///
    /// If it cannot be drawn.
    pub fn files(&self) -> Result<[(String, String); 2], DrawError> {
        Ok(both(&self.name, figure(self)?, self.csv()))
    }
}

impl Bars {
    /// The picture and the bars, as files.
    ///
    /// # Errors
    ///
    /// If it cannot be drawn.
    pub fn files(&self) -> Result<[(String, String); 2], DrawError> {
        Ok(both(&self.name, bars(self)?, self.csv()))
    }
}

/// A picture and its numbers, each with the name of its file.
pub(crate) fn both(name: &str, svg: String, csv: String) -> [(String, String); 2] {
    [(format!("{name}.svg"), svg), (format!("{name}.csv"), csv)]
}

/// Draws panels side by side, and below each other if they are many.
pub(crate) fn figure(figure: &Figure) -> Result<String, DrawError> {
    let columns = figure.panels.len().clamp(1, COLUMNS);
    let rows = figure.panels.len().div_ceil(columns).max(1);
    let size = (PANEL.0 * columns as u32, PANEL.1 * rows as u32 + TITLE_HEIGHT);
    drawn(size, &figure.title, |area| {
        let parts = area.split_evenly((rows, columns));
        parts.iter().zip(&figure.panels).try_for_each(|(part, panel)| draw_panel(part, panel))
    })
}

/// Draws bars.
pub(crate) fn bars(bars: &Bars) -> Result<String, DrawError> {
    drawn((PANEL.0 + 340, PANEL.1 + TITLE_HEIGHT), &bars.title, |area| draw_bars(area, bars))
}

/// A picture of this size with a title.
pub(crate) fn drawn(
    size: (u32, u32),
    title: &str,
    draw: impl FnOnce(&Area<'_>) -> Result<(), DrawError>,
) -> Result<String, DrawError> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE)?;
        let area = root.titled(title, (FONT, 18))?;
        draw(&area)?;
        root.present()?;
    }
    Ok(svg)
}

fn draw_panel(area: &Area<'_>, panel: &Panel) -> Result<(), DrawError> {
    let points = || panel.lines.iter().flat_map(|line| line.points.iter());
    let x = Scale::over(points().map(|point| point.0), &panel.x);
    let mut y = Scale::over(points().map(|point| point.1), &panel.y);
    // The legend needs its place above the lines: a line of it takes a thirtieth of the height.
    y.make_room((panel.lines.len() + 1) as f64 / 30.0);
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, (FONT, 15))
        .margin(10)
        .x_label_area_size(44)
        .y_label_area_size(66)
        .build_cartesian_2d(x, y)?;
    axes(&mut chart, Some(&panel.x.label), &panel.y.label)?;
    for line in &panel.lines {
        let style = colour(line.colour).stroke_width(2);
        let drawn = LineSeries::new(line.points.iter().copied(), style).point_size(3);
        chart
            .draw_series(drawn)?
            .label(&line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
    }
    legend(&mut chart, SeriesLabelPosition::UpperLeft)
}

/// Lines and names of the axes; where bars stand there are none from left to right.
fn axes(chart: &mut Chart<'_, '_>, x: Option<&str>, y: &str) -> Result<(), DrawError> {
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT).y_desc(y).axis_desc_style((FONT, 14));
    match x {
        Some(x) => mesh.x_desc(x),
        None => mesh.disable_x_mesh().disable_x_axis(),
    };
    Ok(mesh.label_style((FONT, 12)).draw()?)
}

/// The names of what was drawn.
fn legend<'a, 'b: 'a>(
    chart: &mut Chart<'a, 'b>,
    position: SeriesLabelPosition,
) -> Result<(), DrawError> {
    let mut labels = chart.configure_series_labels();
    labels.position(position).background_style(WHITE.mix(0.85)).border_style(BLACK.mix(0.3));
    Ok(labels.label_font((FONT, 12)).draw()?)
}

fn draw_bars(area: &Area<'_>, bars: &Bars) -> Result<(), DrawError> {
    let heights = bars.series.iter().flat_map(|series| series.heights.iter().flatten().copied());
    let mut y = Scale::over(heights.chain([bars.mark.1]), &bars.y);
    y.range.start /= 2.0;
    y.make_room((bars.series.len() + 2) as f64 / 30.0);
    let floor = y.range.start;
    let x = Scale { range: 0.0..bars.groups.len() as f64, logarithmic: false };
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .margin_right(20)
        .x_label_area_size(36)
        .y_label_area_size(66)
        .build_cartesian_2d(x, y)?;
    axes(&mut chart, None, &bars.y.label)?;
    let width = 0.8 / bars.series.len().max(1) as f64;
    for (at, series) in bars.series.iter().enumerate() {
        let (fill, left) = (colour(series.colour), 0.1 + width * at as f64);
        let bar = |(group, height): (usize, &Option<f64>)| {
            let left = left + group as f64;
            let corners = [(left, floor), (left + width * 0.92, (*height)?)];
            Some(Rectangle::new(corners, fill.filled()))
        };
        chart
            .draw_series(series.heights.iter().enumerate().filter_map(bar))?
            .label(&series.name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 14, y + 5)], fill.filled()));
    }
    let n_groups = bars.groups.len() as f64;
    let style = BLACK.stroke_width(2);
    let mark = PathElement::new([(0.0, bars.mark.1), (n_groups, bars.mark.1)], style);
    chart
        .draw_series([mark])?
        .label(&bars.mark.0)
        .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
    name_groups(area, &chart, bars, floor)?;
    legend(&mut chart, SeriesLabelPosition::UpperRight)
}

/// The name of every group below its bars.
fn name_groups(
    area: &Area<'_>,
    chart: &Chart<'_, '_>,
    bars: &Bars,
    floor: f64,
) -> Result<(), DrawError> {
    let (left, top) = area.get_base_pixel();
    for (at, group) in bars.groups.iter().enumerate() {
        let (x, y) = chart.plotting_area().map_coordinate(&(at as f64 + 0.5, floor));
        let centred = (FONT, 14).into_text_style(area).pos(Pos::new(HPos::Center, VPos::Top));
        let below = (x - left, y - top + 10);
        area.draw(&Text::new(group.as_str(), below, centred))?;
    }
    Ok(())
}

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Scale, Scale>>;

/// An axis with its range: lines at powers of ten, or at even steps.
#[derive(Clone)]
struct Scale {
    range: Range<f64>,
    logarithmic: bool,
}

impl Scale {
    /// From the smallest to the largest, with some room around them.
    fn over(numbers: impl Iterator<Item = f64> + Clone, axis: &Axis) -> Scale {
        let least = numbers.clone().fold(f64::INFINITY, f64::min);
        let most = numbers.fold(f64::NEG_INFINITY, f64::max);
        let range = match (least.is_finite() && most.is_finite(), axis.logarithmic) {
            (false, _) => 1.0..10.0,
            (true, true) => least / 1.6..most * 1.6,
            // Where nothing is above zero there is no scale of its own.
            (true, false) if most <= 0.0 => 0.0..1.0,
            (true, false) => 0.0..most * 1.08,
        };
        Scale { range, logarithmic: axis.logarithmic }
    }

    /// Leaves this part of the height free at the top.
    fn make_room(&mut self, part: f64) {
        let Range { start, end } = self.range;
        let times = 1.0 / (1.0 - part.min(0.5));
        self.range.end = match self.logarithmic {
            true => start * (end / start).powf(times),
            false => start + (end - start) * times,
        };
    }
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let Range { start, end } = self.range;
        let part = match self.logarithmic {
            true => (value.max(f64::MIN_POSITIVE) / start).ln() / (end / start).ln(),
            false => (value - start) / (end - start),
        };
        limit.0 + (part * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let Range { start, end } = self.range;
        if !self.logarithmic {
            return RangedCoordf64::from(start..end).key_points(hint);
        }
        let powers = start.log10().ceil() as i32..=end.log10().floor() as i32;
        // A short scale has lines between the powers of ten as well.
        let between: &[f64] = if powers.clone().count() > 2 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let powers = powers.start() - 1..=*powers.end();
        let all = powers.flat_map(|power| between.iter().map(move |b| b * 10f64.powi(power)));
        all.filter(|point| self.range.contains(point)).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Scale {
    fn format_ext(&self, value: &f64) -> String {
        short(*value)
    }
}

/// A number as it stands at an axis: `0.01`, `500`, `20k`, `3M`.
fn short(value: f64) -> String {
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")];
    let (unit, name) =
        units.into_iter().find(|(unit, _)| value.abs() >= unit * 0.999_999).unwrap_or((1.0, ""));
    let rounded = crate::rounded(value / unit);
    format!("{rounded}{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_short_numbers() {
        let all = [0.001, 0.5, 1.0, 500.0, 20_000.0, 3e6].map(short);
        assert_eq!(all, ["0.001", "0.5", "1", "500", "20k", "3M"]);
    }

    #[test]
    fn a_scale_that_multiplies_puts_equal_ratios_at_equal_distances() {
        let scale = Scale { range: 1.0..100.0, logarithmic: true };
        assert_eq!([1.0, 10.0, 100.0].map(|x| scale.map(&x, (0, 100))), [0, 50, 100]);
        assert_eq!(scale.map(&10.0, (100, 0)), 50);
    }
}
