//! `map "rows" "of" "text"`: walls, floor, and letters that name places.

use super::Reading;
use crate::cell::Cell;
use crate::grid::LARGEST_SIDE;
use crate::story::Mark;
use std::collections::HashSet;
use throng_domain::notes::{Note, NoteReader, NoteWord, Reported};
use throng_domain::{Code, Span};

impl<'m> Reading<'m> {
    /// The rows and the marks in them.
    pub(super) fn map(&mut self, note: &'m Note) -> Result<(), Reported> {
        let mut reader = NoteReader::new(note, &mut self.report);
        if !self.story.map.is_empty() {
            let (text, cure) = ("a second map in one story", "put all rows behind one `map`");
            reader.report.say(Code::NoteTwice, note.span, text, cure);
            return Err(Reported);
        }
        let mut rows: Vec<&NoteWord> = vec![reader.text("a row of the map, in quotes")?];
        while !reader.is_done() {
            rows.push(reader.text("a row of the map, in quotes")?);
        }
        let width = rows[0].text.chars().count();
        if width == 0 || width > LARGEST_SIDE || rows.len() > LARGEST_SIDE {
            let text = format!("a map of {width} by {} cells", rows.len());
            let cure = format!("a map has from 1 to {LARGEST_SIDE} columns and rows");
            reader.report.say(Code::NoteSense, note.span, text, cure);
            return Err(Reported);
        }
        for (y, word) in rows.iter().enumerate() {
            self.story.map.push(word.text.clone());
            // At most 200, as checked above.
            self.row(word, y as i16, width);
        }
        Ok(())
    }

    fn row(&mut self, word: &NoteWord, y: i16, width: usize) {
        let length = word.text.chars().count();
        if length != width {
            let text = format!("this row has {length} cells, the first has {width}");
            let cure = "make all rows of the map equally long";
            self.report.say(Code::NoteSense, word.span, text, cure);
        }
        for (x, (at, c)) in word.text.char_indices().enumerate().take(LARGEST_SIDE) {
            // The opening quote stands before the text.
            let start = word.span.start as usize + 1 + at;
            let span = Span::new(word.span.file, start, start + c.len_utf8());
            match c {
                '#' | '.' | ',' | ' ' => {}
                c if c.is_alphabetic() => self.mark(c, Cell::new(x as i16, y), span),
                c => {
                    let text = format!("`{c}` means nothing on a map");
                    let cure = "use `#` for walls, `.` or blanks for floor, `,` for floor under a roof, letters \
                                for places";
                    self.report.say(Code::NoteSense, span, text, cure);
                }
            }
        }
    }

    fn mark(&mut self, letter: char, cell: Cell, span: Span) {
        self.story.marks.push(Mark { name: letter.to_string(), cell, span });
    }

    /// A mark names one place, unless `each` is said of it.
    pub(super) fn check_marks(&mut self) {
        for mark in &self.single {
            let cells = self.story.marks.iter().filter(|known| known.name == mark.text).count();
            if cells > 1 && self.each.contains(mark.text.as_str()) {
                let text = format!("the mark `{}` is on the map {cells} times", mark.text);
                let cure = "say `each` here too, or use a letter of its own";
                self.report.say(Code::NoteTwice, mark.span, text, cure);
            }
        }
        let mut known: HashSet<&str> = HashSet::new();
        for mark in &self.story.marks {
            if !known.insert(&mark.name) && !self.each.contains(mark.name.as_str()) {
                let text = format!("the mark `{}` is on the map twice", mark.name);
                let cure = "use another letter: a mark names one place, unless what is there says \
                            `each`";
                self.report.say(Code::NoteTwice, mark.span, text, cure);
            }
        }
    }
}
