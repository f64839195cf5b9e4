//! Where things stand in the text: files, spans, and lines for people.
//!
//! In:   the text of each file, once, as it is read.
//! Out:  small copyable [`Span`]s that travel with every declaration, and [`Location`]s
//!       (file, line, column) for people.
//! Cost: a span is 12 bytes; a place is a binary search over the line starts.

use std::sync::Arc;

/// A format of domain files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// The language that designers write.
    #[default]
    Npc,
    /// The expanded model, for tools.
    Json,
}

impl Format {
    /// The format that a file's ending tells.
    pub fn of_path(path: &str) -> Option<Format> {
        let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        match ending.as_deref() {
            Some("npc") => Some(Format::Npc),
            Some("json") => Some(Format::Json),
            _ => None,
        }
    }

    /// Of two ways to say something, the one for texts of this format.
    pub(crate) fn words<T>(self, npc: T, json: T) -> T {
        match self {
            Format::Npc => npc,
            Format::Json => json,
        }
    }
}

throng_base::typed_id! {
    /// Number of a file among the [`Sources`] of one load; 0 is the file asked for.
    #[derive(Default)]
    pub struct FileId(pub u16);
}

/// A stretch of bytes in one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The file it is in.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// First byte after it.
    pub end: u32,
}

impl Span {
    /// The stretch from `start` to `end` of a file.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Span { file, start: clip(start), end: clip(end) }
    }

    /// From the beginning of this span to the end of `other`, in this span's file.
    pub fn to(self, other: Span) -> Span {
        Span { end: other.end.max(self.end), ..self }
    }
}

/// Texts are refused above 4 GiB long before a place in them is numbered (see `Limits`).
pub(crate) fn clip(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A position as people count: line and column begin at 1, columns are characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// One text with its name and the starts of its lines.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: Arc<String>,
    line_starts: Vec<u32>,
    /// Characters before every [`CHUNK`] bytes; empty if all are ASCII.
    marks: Vec<u32>,
}

/// Bytes between two marks: a column is counted from the mark before it, so that a place in a
/// file of one long line costs no more than in any other.
const CHUNK: usize = 4096;

impl SourceFile {
    throng_base::getters! {
        /// The name it was loaded under.
        name: &str;
        /// Its whole text.
        text: &str;
    }

    /// The same, to keep.
    pub(crate) fn shared_text(&self) -> Arc<String> {
        Arc::clone(&self.text)
    }

    /// Line `line` (from 1) without its line break; empty beyond the end.
    pub fn line(&self, line: u32) -> &str {
        let index = (line as usize).saturating_sub(1);
        let Some(&start) = self.line_starts.get(index) else { return "" };
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        self.text.get(start as usize..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }

    /// Byte offset at which line `line` (from 1) starts.
    pub fn line_start(&self, line: u32) -> usize {
        let index = (line as usize).saturating_sub(1);
        self.line_starts.get(index).map_or(self.text.len(), |&start| start as usize)
    }

    /// How many characters begin before byte `at`.
    fn characters(&self, at: usize) -> usize {
        let at = at.min(self.text.len());
        let Some(&mark) = self.marks.get(at / CHUNK) else { return at };
        mark as usize + characters(&self.text.as_bytes()[at / CHUNK * CHUNK..at])
    }
}

/// Where the first line of a text ends; eight bytes at a time, for lines are short.
pub(crate) fn line_end(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 255;
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        // A byte that is zero is where the line ends; above the first, others may look so too.
        let other = u64::from_le_bytes(*word) ^ (ONES * b'\n' as u64);
        let zero = other.wrapping_sub(ONES) & !other & (ONES << 7);
        if zero != 0 {
            return Some(at * 8 + zero.trailing_zeros() as usize / 8);
        }
    }
    let found = rest.iter().position(|&byte| byte == b'\n')?;
    Some(words.len() * 8 + found)
}

/// How many characters begin in these bytes of a text.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

/// All texts of one load: the file asked for and what it includes.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Shared: a clone costs nothing.
    files: Arc<Vec<SourceFile>>,
}

impl Sources {
    /// Takes a text in and gives its number.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.add_shared(name.into(), Arc::new(text.into()))
    }

    /// The same of a text that somebody else keeps too.
    pub(crate) fn add_shared(&mut self, name: String, text: Arc<String>) -> FileId {
        // A mark of the byte order is no part of the first line: it is not seen.
        let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() as u32 } else { 0 };
        let mut line_starts = vec![mark];
        let mut at = 0;
        while let Some(end) = line_end(&text.as_bytes()[at..]) {
            at += end + 1;
            line_starts.push(clip(at));
        }
        let mut marks = Vec::new();
        if !text.is_ascii() {
            let mut before = 0;
            for chunk in text.as_bytes().chunks(CHUNK) {
                marks.push(clip(before));
                before += characters(chunk);
            }
            marks.push(clip(before));
        }
        Arc::make_mut(&mut self.files).push(SourceFile { name, text, line_starts, marks });
        FileId::at(self.files.len() - 1)
    }

    /// The files, in the order they were read.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// One file; `None` for a number that was never given out.
    pub fn file(&self, file: FileId) -> Option<&SourceFile> {
        self.files.get(file.0 as usize)
    }

    /// The text under a span; empty if it does not fit the file.
    pub fn snippet(&self, span: Span) -> &str {
        self.file(span.file)
            .and_then(|file| file.text.get(span.start as usize..span.end as usize))
            .unwrap_or("")
    }

    /// Line and column of the beginning of a span.
    pub fn place(&self, span: Span) -> Location {
        let Some(file) = self.file(span.file) else {
            return Location { file: span.file, line: 1, column: 1 };
        };
        let line = file.line_starts.partition_point(|&start| start <= span.start).max(1);
        let start = file.line_starts.get(line - 1).map_or(0, |&start| start as usize);
        let before = file.characters(span.start as usize).saturating_sub(file.characters(start));
        Location { file: span.file, line: clip(line), column: clip(before + 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_in_no_column() {
        let mut sources = Sources::default();
        let file = sources.add("a.npc", "\u{feff}domain d\nvar x: on, off\n");
        let place = |start| sources.place(Span::new(file, start, start));
        assert_eq!((place(0).line, place(0).column), (1, 1));
        assert_eq!((place(3).line, place(3).column), (1, 1));
        assert_eq!((place(10).line, place(10).column), (1, 8));
        assert_eq!((place(16).line, place(16).column), (2, 5));
        let first = sources.file(file).map(|file| (file.line(1), file.line_start(1)));
        assert_eq!(first, Some(("domain d", 3)));
    }

    #[test]
    fn lines_end_where_a_plain_search_says() {
        let bytes: Vec<u8> =
            (0..2_000u32).map(|at| [b'\n', 0x0b, b'x', 0xff][at as usize % 7 % 4]).collect();
        for from in 0..bytes.len() {
            for length in [0, 1, 7, 8, 9, 40] {
                let part = &bytes[from..bytes.len().min(from + length)];
                assert_eq!(line_end(part), part.iter().position(|&byte| byte == b'\n'));
            }
        }
    }

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let mut sources = Sources::default();
        let file = sources.add("a.npc", "domain é\nvar x: on, off\r\n");
        let place = |start| sources.place(Span::new(file, start, start));
        assert_eq!((place(0).line, place(0).column), (1, 1));
        assert_eq!((place(9).line, place(9).column), (1, 9), "é is one character, two bytes");
        assert_eq!((place(14).line, place(14).column), (2, 5));
        assert_eq!(sources.file(file).map(|f| f.line(2)), Some("var x: on, off"));
        assert_eq!(sources.file(file).map(|f| f.line(9)), Some(""));
    }

    #[test]
    fn columns_far_into_a_line_are_counted_in_characters() {
        let text = format!("x\n{}", "aé馬🐎".repeat(5_000));
        let mut sources = Sources::default();
        let file = sources.add("a.npc", text.as_str());
        for (at, _) in text.char_indices().skip(2).filter(|(at, _)| at % 997 == 0 || *at < 20) {
            let column = sources.place(Span::new(file, at, at)).column as usize;
            assert_eq!(column, text[2..at].chars().count() + 1);
        }
        let end = sources.place(Span::new(file, text.len(), text.len()));
        assert_eq!((end.line, end.column), (2, 20_001));
    }
}
