//! Rows of bars: names at the left, a bar each, its number behind it.
//!
//! In:   names, and for each a few amounts that belong together.
//! Out:  an SVG text and the same as CSV.
//! Cost: a few milliseconds.
//!
//! Every row has a line of its own, as high as its letters, so names never overlap however many
//! there are; the picture grows instead.

use crate::DrawError;
use crate::draw::{Area, FONT, both, colour, drawn};
use crate::figure::quoted;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const ROW: i32 = 20;
const LETTERS: i32 = 13;
/// The width of a letter, generously: nobody knows the font yet.
const LETTER: i32 = 8;
/// A longer name is cut.
const LONGEST: usize = 72;
const BARS: i32 = 420;
/// For the number behind a bar.
const NUMBER: i32 = 90;

/// Rows of bars, each made of parts.
#[derive(Clone, PartialEq, Debug)]
pub struct Rows {
    /// The name of its files, without ending.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// What the parts of a bar are, in their order.
    pub parts: Vec<String>,
    /// The name of each row, and how much of each part it has.
    pub rows: Vec<(String, Vec<f64>)>,
}

impl Rows {
    /// One line per row and part.
    pub fn csv(&self) -> String {
        let mut text = "row,part,amount\n".to_string();
        for (name, amounts) in &self.rows {
            for (part, amount) in self.parts.iter().zip(amounts) {
                text += &format!("{},{},{amount}\n", quoted(name), quoted(part));
            }
        }
        text
    }

    /// The picture and the amounts, as files.
    ///
    /// # Errors
    ///
    /// If it cannot be drawn.
    pub fn files(&self) -> Result<[(String, String); 2], DrawError> {
        Ok(both(&self.name, self.svg()?, self.csv()))
    }

    fn svg(&self) -> Result<String, DrawError> {
        let longest = self.rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let left = 16 + LETTER * longest.min(LONGEST) as i32;
        let title = LETTER * 3 / 2 * self.title.chars().count() as i32;
        let width = (left + BARS + NUMBER).max(title).max(self.legend_width());
        let height = 80 + ROW * (self.rows.len() as i32 + 1);
        drawn((width as u32, height as u32), &self.title, |area| {
            self.legend(area)?;
            (0..).zip(&self.rows).try_for_each(|(at, row)| self.row(area, left, at, row))
        })
    }

    fn legend_width(&self) -> i32 {
        16 + self.parts.iter().map(|part| 34 + LETTER * part.chars().count() as i32).sum::<i32>()
    }

    fn legend(&self, area: &Area<'_>) -> Result<(), DrawError> {
        let mut left = 16;
        for (at, part) in self.parts.iter().enumerate() {
            let corners = [(left, 8), (left + 12, 8 + 12)];
            area.draw(&Rectangle::new(corners, colour(at).filled()))?;
            write(area, part, (left + 18, 14), HPos::Left)?;
            left += 34 + LETTER * part.chars().count() as i32;
        }
        Ok(())
    }

    fn row(
        &self,
        area: &Area<'_>,
        left: i32,
        at: i32,
        (name, amounts): &(String, Vec<f64>),
    ) -> Result<(), DrawError> {
        let most = self.rows.iter().map(|(_, amounts)| amounts.iter().sum::<f64>());
        let most = most.fold(0.0, f64::max);
        let (top, middle) = (30 + ROW * at, 30 + ROW * at + ROW / 2);
        let mut cut: String = name.chars().take(LONGEST).collect();
        if name.chars().count() > LONGEST {
            cut.pop();
            cut.push('…');
        }
        write(area, &cut, (left - 8, middle), HPos::Right)?;
        let (mut sum, mut from) = (0.0, left);
        for (part, amount) in amounts.iter().enumerate().filter(|(_, amount)| **amount > 0.0) {
            sum += amount;
            let to = left + (sum / most * f64::from(BARS)).round() as i32;
            // What there is can be seen, however little it is.
            let to = to.max(from + 1);
            let corners = [(from, top + 3), (to, top + ROW - 3)];
            area.draw(&Rectangle::new(corners, colour(part).filled()))?;
            from = to;
        }
        let number = crate::rounded(sum).to_string();
        write(area, &number, (from + 6, middle), HPos::Left)
    }
}

fn write(area: &Area<'_>, text: &str, at: (i32, i32), side: HPos) -> Result<(), DrawError> {
    let style = (FONT, LETTERS).into_text_style(area).pos(Pos::new(side, VPos::Center));
    Ok(area.draw(&Text::new(text, at, style))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_line_of_its_own() {
        let row = |at: usize| (format!("action{at}(<a>)"), vec![at as f64, 2.0]);
        let rows = Rows {
            name: "r".to_string(),
            title: "Rows".to_string(),
            parts: vec!["done".to_string(), "failed".to_string()],
            rows: (0..300).map(row).collect(),
        };
        let svg = rows.svg().unwrap_or_default();
        assert!(svg.contains("action299(&lt;a&gt;)"));
        // The heights at which names stand differ by a row each.
        let heights = svg.lines().filter(|line| line.contains("text-anchor=\"end\""));
        let heights: Vec<i32> = heights
            .filter_map(|line| line.split(" y=\"").nth(1)?.split('"').next()?.parse().ok())
            .collect();
        assert_eq!(heights.len(), 300);
        assert!(heights.windows(2).all(|pair| pair[1] - pair[0] == ROW));
        assert_eq!(rows.csv().lines().count(), 601);
        assert_eq!(rows.csv().lines().nth(2), Some("action0(<a>),failed,2"));
    }
}
