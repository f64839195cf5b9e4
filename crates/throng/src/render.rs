//! Diagnostics as people read them: the line quoted, the place underlined, the cure below.
//!
//! In:   a report, and the texts it speaks of.
//! Out:  text in the manner of rustc, with a closing line that counts.
//! Cost: per diagnostic, what is quoted and two binary searches. A text is walked once to
//!       count its lines and a long line once to count its characters, however many mistakes
//!       they have.
//!
//! The drawing is done by `annotate-snippets`. It sees only the quoted lines, and of a long
//! line only a window, so its cost and its picture do not depend on the size of the file.

use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Padding, Renderer, Snippet,
};
use std::collections::HashMap;
use std::ops::Range;
use throng_base::text::count;
use throng_domain::source::SourceFile;
use throng_domain::{Diagnostic, FileId, Report, Severity, Sources, Span};

/// Lines of more characters than this are cut to a window of so many.
const LONGEST: usize = 160;
/// Characters of a cut line that stay before the underlined place.
const BEFORE: usize = 50;
/// A place that covers more lines than this is shown by its first.
const MOST_LINES: u32 = 6;
/// Wider than any quoted line can get, tabs and wide characters included: the library does
/// not cut again what was cut here.
const TERMINAL: usize = 8 * LONGEST;

/// All diagnostics of a report without colours, ready to print, with a closing line; empty if
/// there are none.
pub fn render(report: &Report, sources: &Sources) -> String {
    if report.diagnostics().is_empty() {
        return String::new();
    }
    let mut text = String::new();
    for picture in pictures(report.diagnostics(), sources, false) {
        text += &picture;
        text += "\n\n";
    }
    text + &closing_line(report) + "\n"
}

/// Each diagnostic by itself, in colours or not, without a line break at its end.
pub fn pictures<'d>(
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    sources: &Sources,
    colour: bool,
) -> Vec<String> {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(TERMINAL);
    let mut quoter = Quoter { sources, n_lines: HashMap::new(), marks: HashMap::new() };
    let diagnostics = diagnostics.into_iter();
    diagnostics.map(|diagnostic| picture(diagnostic, &renderer, &mut quoter)).collect()
}

/// `2 errors, 1 warning`, and how many of them are not shown.
pub fn closing_line(report: &Report) -> String {
    let shown = report.diagnostics().len();
    let counts: Vec<String> = [(report.errors(), "error"), (report.warnings(), "warning")]
        .into_iter()
        .filter(|&(n, _)| n > 0)
        .map(|(n, word)| count(n, word))
        .collect();
    match report.not_kept() {
        0 => counts.join(", "),
        more => format!("{}; {shown} of them are shown, {more} are not", counts.join(", ")),
    }
}

/// One diagnostic, without a line break at its end.
fn picture(diagnostic: &Diagnostic, renderer: &Renderer, quoter: &mut Quoter<'_>) -> String {
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(on_one_line(&diagnostic.text)).id(diagnostic.code.id());
    let mut group = Group::with_title(title);
    let main = quoter.quote(diagnostic.span);
    let also = diagnostic.also.and_then(|(span, words)| Some((quoter.quote(span)?, words)));
    let (beside, elsewhere) = match also {
        Some(also) if main.as_ref().is_some_and(|main| main.shows(&also.0)) => (Some(also), None),
        also => (None, also),
    };
    if let Some(main) = main.as_ref().filter(|main| main.is_blank) {
        // Nothing to quote: a file that is empty, or was refused before it was kept.
        let place = Origin::path(&main.file).line(main.line as usize).char_column(main.column);
        group = group.element(place).element(Padding);
    } else if let Some(main) = &main {
        let mut snippet = main.snippet(AnnotationKind::Primary, None);
        if let Some((also, words)) = &beside {
            let mark = AnnotationKind::Context.span(also.marked.clone()).label(*words);
            snippet = snippet.annotation(mark);
        }
        group = group.element(snippet);
    }
    if let Some((also, words)) = &elsewhere {
        group = group.element(also.snippet(AnnotationKind::Context, Some(words)));
    }
    group = group.element(Level::HELP.message(on_one_line(&diagnostic.cure)));
    let quotes = main.iter().chain(elsewhere.iter().map(|(also, _)| also));
    with_true_columns(renderer.render(&[group]), quotes)
}

/// A place cut out of its text: the lines shown, and what to underline.
struct Quote {
    file: String,
    line: u32,
    column: usize,
    /// The column in what is shown: not the true one if the line was cut.
    shown_column: usize,
    text: String,
    /// The underlined bytes of `text`.
    marked: Range<usize>,
    /// The whole file is empty.
    is_blank: bool,
}

impl Quote {
    /// Whether the place of `other` can be underlined in the lines that this one shows.
    fn shows(&self, other: &Quote) -> bool {
        let from = |quote: &Quote| quote.column.abs_diff(quote.shown_column);
        (&self.file, self.line, &self.text) == (&other.file, other.line, &other.text)
            && from(self) == from(other)
    }

    fn snippet<'q>(
        &'q self,
        kind: AnnotationKind,
        label: Option<&'q str>,
    ) -> Snippet<'q, Annotation<'q>> {
        Snippet::source(&self.text)
            .path(&self.file)
            .line_start(self.line as usize)
            .annotation(kind.span(self.marked.clone()).label(label))
    }

    /// `file:line:column`
    fn place(&self, column: usize) -> String {
        format!("{}:{}:{column}", self.file, self.line)
    }
}

/// The library counts columns in what it is shown; where a line was cut they are put right.
fn with_true_columns<'q>(mut picture: String, quotes: impl Iterator<Item = &'q Quote>) -> String {
    let mut from = picture.find('\n').unwrap_or(0);
    for quote in quotes.filter(|quote| quote.column != quote.shown_column) {
        let (shown, place) = (quote.place(quote.shown_column), quote.place(quote.column));
        if let Some(at) = picture[from..].find(&shown) {
            picture.replace_range(from + at..from + at + shown.len(), &place);
            from += at + place.len();
        }
    }
    picture
}

/// Finds lines and columns, remembering what was counted.
struct Quoter<'s> {
    sources: &'s Sources,
    /// How many lines a file has.
    n_lines: HashMap<FileId, u32>,
    /// Of a long line, the bytes and characters before some places of it, rising.
    marks: HashMap<(FileId, u32), Vec<(usize, usize)>>,
}

impl Quoter<'_> {
    fn quote(&mut self, span: Span) -> Option<Quote> {
        let file = self.sources.file(span.file)?;
        let line = self.line_of(file, span);
        let content = file.line(line);
        let from = file.line_start(line);
        let start = boundary(content, (span.start as usize).saturating_sub(from));
        let end = (span.end as usize).saturating_sub(from).max(start);
        let (text, marked) = lines_under(file, line, start, end);
        Some(Quote {
            file: on_one_line(file.name()),
            line,
            column: self.column(span.file, line, content, start),
            shown_column: text[..marked.start].chars().count() + 1,
            text: without_controls(text),
            marked,
            is_blank: file.text().is_empty(),
        })
    }

    fn line_of(&mut self, file: &SourceFile, span: Span) -> u32 {
        let n_lines = *self.n_lines.entry(span.file).or_insert_with(|| {
            let breaks = file.text().bytes().filter(|&byte| byte == b'\n').count();
            u32::try_from(breaks).unwrap_or(u32::MAX - 1) + 1
        });
        let (mut line, mut beyond) = (1, n_lines.saturating_add(1));
        while beyond - line > 1 {
            let middle = line + (beyond - line) / 2;
            match file.line_start(middle) <= span.start as usize {
                true => line = middle,
                false => beyond = middle,
            }
        }
        line
    }

    /// The column of byte `at` of a line: characters, from 1.
    fn column(&mut self, file: FileId, line: u32, content: &str, at: usize) -> usize {
        const BETWEEN_MARKS: usize = 4096;
        if at < BETWEEN_MARKS {
            return content[..at].chars().count() + 1;
        }
        let marks = self.marks.entry((file, line)).or_insert_with(|| {
            let mut marks = vec![(0, 0)];
            let (mut byte, mut characters) = (0, 0);
            while byte + BETWEEN_MARKS < content.len() {
                let next = boundary(content, byte + BETWEEN_MARKS);
                characters += content[byte..next].chars().count();
                byte = next;
                marks.push((byte, characters));
            }
            marks
        });
        let before = marks.partition_point(|&(byte, _)| byte <= at).saturating_sub(1);
        let (byte, characters) = marks.get(before).copied().unwrap_or((0, 0));
        characters + content[byte..at].chars().count() + 1
    }
}

/// The lines from `line` on that a place covers, and the place in them. Bytes `start` and
/// `end` count from the beginning of the line.
fn lines_under(file: &SourceFile, line: u32, start: usize, end: usize) -> (String, Range<usize>) {
    let from = file.line_start(line);
    let mut text = String::new();
    for number in line..line.saturating_add(MOST_LINES) {
        let content = file.line(number);
        if is_long(content) {
            break;
        }
        let before = text.len();
        text.push_str(content);
        // A place that ends in the line break ends with the line.
        if end <= file.line_start(number + 1) - from {
            let in_line = end.saturating_sub(file.line_start(number) - from);
            let end = before + boundary(content, in_line);
            return (text, start..end.max(start));
        }
        text.push('\n');
    }
    window(file.line(line), start, end)
}

fn is_long(line: &str) -> bool {
    line.len() > LONGEST && line.chars().nth(LONGEST).is_some()
}

/// One line, cut around the place if it is long.
fn window(line: &str, start: usize, end: usize) -> (String, Range<usize>) {
    let mut window = 0..line.len();
    if is_long(line) {
        let before = line[..start].char_indices().rev().nth(BEFORE - 1);
        window.start = before.map_or(0, |(at, _)| at);
        let after = line[window.start..].char_indices().nth(LONGEST);
        window.end = after.map_or(line.len(), |(at, _)| window.start + at);
    }
    let left = if window.start > 0 { "…" } else { "" };
    let right = if window.end < line.len() { "…" } else { "" };
    let shift = |at: usize| at.clamp(window.start, window.end) - window.start + left.len();
    let marked = shift(start)..shift(boundary(line, end));
    (format!("{left}{}{right}", &line[window]), marked)
}

/// The nearest place at or before byte `at` that is not inside a character.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Text of a stranger on one line, without anything that steers a terminal.
fn on_one_line(text: &str) -> String {
    without_controls(annotate_snippets::normalize_untrusted_str(&text.replace('\n', "␊")))
}

/// Puts a dot of the same length in the place of the control characters that the library
/// leaves alone (U+0080 to U+009F), so that places in the text stay true.
fn without_controls(text: String) -> String {
    match text.contains(is_late_control) {
        true => text.replace(is_late_control, "·"),
        false => text,
    }
}

fn is_late_control(c: char) -> bool {
    ('\u{80}'..='\u{9f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    use throng_domain::Code;

    /// The picture of one diagnostic at bytes `span` of a file called `a.npc`.
    fn drawn(text: &str, span: Range<usize>, also: Option<Range<usize>>) -> String {
        let mut sources = Sources::default();
        let file = sources.add("a.npc", text);
        let place = |span: Range<usize>| Span::new(file, span.start, span.end);
        let mut report = Report::default();
        let (code, at) = (Code::UnknownVariable, place(span));
        match also {
            Some(also) => {
                report.say_also(code, at, (place(also), "see here"), "wrong", "mend it");
            }
            None => report.say(code, at, "wrong", "mend it"),
        }
        render(&report, &sources)
    }

    /// The line number and column, the quoted line, and what stands under it.
    fn check(text: &str, span: Range<usize>, expected: [&str; 3]) {
        let picture = drawn(text, span, None);
        let lines: Vec<&str> = picture.lines().collect();
        assert_eq!(lines[1].trim_start(), format!("--> a.npc:{}", expected[0]), "{picture}");
        assert_eq!(lines[3].split_once("| ").unwrap_or((lines[3], "")).1, expected[1], "{picture}");
        assert_eq!(lines[4].split_once("| ").unwrap_or((lines[4], "")).1, expected[2], "{picture}");
    }

    #[test]
    fn a_diagnostic_has_code_place_line_underline_and_cure() {
        let text = "domain d\nvar lamp: off, on\n";
        let expected = "\
error[E050]: wrong
 --> a.npc:2:5
  |
2 | var lamp: off, on
  |     ^^^^
  |
  = help: mend it

1 error
";
        assert_eq!(drawn(text, 13..17, None), expected);
    }

    #[test]
    fn the_second_place_is_shown_beside_the_first_or_below() {
        let text = "var lamp: off, on, on\nvar lamp: off\n";
        let beside = drawn(text, 19..21, Some(15..17));
        assert!(beside.contains("  |                --  ^^\n"), "{beside}");
        assert!(beside.contains("  |                see here\n"), "{beside}");
        let below = drawn(text, 26..30, Some(4..8));
        assert!(below.contains("\n ::: a.npc:1:5\n"), "{below}");
        assert!(below.contains("\n  |     ---- see here\n"), "{below}");
    }

    #[test]
    fn carets_stand_under_their_place_whatever_the_text() {
        check("var x\n", 5..5, ["1:6", "var x", "     ^"]);
        check("var x", 5..5, ["1:6", "var x", "     ^"]);
        check("var x\r\nvar y\r\n", 5..5, ["1:6", "var x", "     ^"]);
        check("var x\r\nvar y\r\n", 5..7, ["1:6", "var x", "     ^"]);
        check("var x\r\nvar y\r\n", 11..12, ["2:5", "var y", "    ^"]);
        check("\tvar x\n", 5..6, ["1:6", "    var x", "        ^"]);
        check("é = ü\n", 5..7, ["1:5", "é = ü", "    ^"]);
        check("馬 = x\n", 6..7, ["1:5", "馬 = x", "     ^"]);
        check("a\n\nb\n", 2..2, ["2:1", "", "^"]);
        check("a\n", 2..2, ["2:1", "", "^"]);
    }

    #[test]
    fn places_that_do_not_fit_the_text_do_no_harm() {
        check("é", 1..1, ["1:1", "é", "^"]);
        check("abc", 1..99, ["1:2", "abc", " ^^"]);
        check("abc\n", 77..99, ["2:1", "", "^"]);
        let mut report = Report::default();
        report.say(Code::NoDomain, Span::default(), "wrong", "mend it");
        let text = render(&report, &Sources::default());
        assert_eq!(text, "error[E007]: wrong\n |\n = help: mend it\n\n1 error\n");
    }

    #[test]
    fn an_empty_file_has_a_place_but_no_line() {
        let expected = "\
error[E050]: wrong
--> a.npc:1:1
 |
 = help: mend it

1 error
";
        assert_eq!(drawn("", 0..0, None), expected);
    }

    #[test]
    fn a_few_lines_are_shown_together_and_many_by_the_first() {
        let few = drawn("npc a\n  can x,\r\n    y\n", 8..21, None);
        let expected = "\
error[E050]: wrong
 --> a.npc:2:3
  |
2 | /   can x,
3 | |     y
  | |_____^
  |
  = help: mend it

1 error
";
        assert_eq!(few, expected);
        let many = drawn(&"x\n".repeat(100), 20..180, None);
        assert!(many.contains(" --> a.npc:11:1\n   |\n11 | x\n   | ^\n"), "{many}");
    }

    #[test]
    fn long_lines_are_cut_around_the_place_and_keep_their_column() {
        let text = format!("{}wrong{}", "ä".repeat(300), "ö".repeat(300));
        let line = format!("…{}wrong{}…", "ä".repeat(50), "ö".repeat(105));
        check(&text, 600..605, ["1:301", &line, &format!("{}^^^^^", " ".repeat(51))]);
        let all = format!("…{}wrong{}…", "ä".repeat(50), "ö".repeat(105));
        check(&text, 600..1200, ["1:301", &all, &format!("{}{}", " ".repeat(51), "^".repeat(110))]);
        let text = format!("{}wrong", "ä".repeat(5000));
        let line = format!("…{}wrong", "ä".repeat(50));
        check(&text, 10_000..10_005, ["1:5001", &line, &format!("{}^^^^^", " ".repeat(51))]);
        // Two places of one long line, far apart.
        let picture = drawn(&text, 10_000..10_005, Some(6_000..6_002));
        assert!(picture.contains("--> a.npc:1:5001\n"), "{picture}");
        assert!(picture.contains("::: a.npc:1:3001\n"), "{picture}");
    }

    #[test]
    fn a_strangers_text_cannot_steer_the_terminal() {
        let mut sources = Sources::default();
        let file = sources.add("a\u{1b}[2J.npc", "x\u{1b}[31m\u{9b}y\n");
        let mut report = Report::default();
        let span = Span::new(file, 8, 9);
        report.say(Code::UnknownVariable, span, "no `\u{1b}\n`", "not `\u{9b}`\u{202e}");
        let picture = render(&report, &sources);
        assert!(!picture.chars().any(|c| c.is_control() && c != '\n'), "{picture:?}");
        assert!(!picture.contains('\u{202e}'), "{picture:?}");
        assert!(picture.contains("\n  |        ^\n"), "{picture}");
    }

    #[test]
    fn the_closing_line_counts_what_is_shown_and_what_is_not() {
        let mut sources = Sources::default();
        let file = sources.add("a.npc", "x\n".repeat(10_010));
        let mut report = Report::default();
        report.say(Code::EmptyGoal, Span::new(file, 0, 1), "w", "c");
        let closing = |report: &Report| {
            let text = render(report, &sources);
            text.lines().last().unwrap_or_default().to_string()
        };
        assert_eq!(closing(&report), "1 warning");
        report.say(Code::UnknownGoal, Span::new(file, 0, 1), "w", "c");
        report.say(Code::UnknownGoal, Span::new(file, 2, 3), "w", "c");
        assert_eq!(closing(&report), "2 errors, 1 warning");
        for line in 2..10_005 {
            report.say(Code::UnknownGoal, Span::new(file, 2 * line, 2 * line + 1), "w", "c");
        }
        let expected = "10005 errors, 1 warning; 10001 of them are shown, 5 are not";
        assert_eq!(closing(&report), expected);
        assert_eq!(render(&Report::default(), &sources), "");
    }

    #[test]
    fn colour_changes_nothing_but_colour() {
        let mut sources = Sources::default();
        let file = sources.add("a.npc", "var lamp: off\n");
        let mut report = Report::default();
        report.say(Code::UnknownVariable, Span::new(file, 4, 8), "wrong", "mend it");
        let coloured = pictures(report.diagnostics(), &sources, true).concat();
        let mut plain = String::new();
        let mut rest = coloured.as_str();
        while let Some((before, after)) = rest.split_once('\u{1b}') {
            plain.push_str(before);
            rest = after.split_once('m').map_or("", |(_, rest)| rest);
        }
        plain.push_str(rest);
        assert!(coloured.len() > plain.len());
        assert_eq!(plain, pictures(report.diagnostics(), &sources, false).concat());
    }
}
