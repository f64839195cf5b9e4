//! Tokens into a tree of lists, flat in memory.
//!
//! In:   the text of one file.
//! Out:  [`Form`]s: words and lists with their places; or the parentheses that do not match.
//! Cost: one pass; sixteen bytes a form. Nothing recurses, so lists may nest as deep as the
//!       text is long.
//!
//! PDDL does not tell cases apart: words are compared in lower case and quoted as written.

use super::scan::{Scanner, Token};
use crate::asking::Asking;
use throng_domain::{Code, FileId, Report, Span};

/// No form: the last of its list.
const NONE: u32 = u32::MAX;
/// In place of the first part: the form is a word.
const WORD: u32 = u32::MAX - 1;

#[derive(Clone, Copy)]
struct Node {
    start: u32,
    end: u32,
    /// First part of a list, `NONE` for `()`, or `WORD`.
    first: u32,
    /// The next form of the same list.
    next: u32,
}

/// The forms of one file.
pub(super) struct Tree<'t> {
    file: FileId,
    text: &'t str,
    lowered: String,
    nodes: Vec<Node>,
}

/// A word or a list in a tree.
#[derive(Clone, Copy)]
pub(super) struct Form<'t> {
    tree: &'t Tree<'t>,
    at: u32,
}

impl<'t> Tree<'t> {
    /// Reads a text of less than 4 GB. Mistakes are reported; the tree is whole only without
    /// any.
    pub(super) fn new(
        file: FileId,
        text: &'t str,
        longest_name: usize,
        asking: &Asking<'_>,
        report: &mut Report,
    ) -> Tree<'t> {
        let lowered = text.to_ascii_lowercase();
        // The first node is the file itself: a list of what stands in it.
        let whole = Node { start: 0, end: text.len() as u32, first: NONE, next: NONE };
        let mut tree = Tree { file, text, lowered, nodes: vec![whole] };
        // Open lists, each with its last part so far.
        let mut open: Vec<(u32, u32)> = vec![(0, NONE)];
        let mut suspect = None;
        // Where the last word ended; the first variable that begins right there, and how many do.
        let mut word_end = None;
        let mut glued: Option<(Span, usize)> = None;
        for (token, place) in Scanner::new(text).take_while(|_| !asking.step()) {
            let span = Span::new(file, place.start, place.end);
            match token {
                Token::Close if open.len() > 1 => {
                    let (list, _) = open.pop().unwrap_or_default();
                    tree.nodes[list as usize].end = place.end as u32;
                }
                Token::Close => nothing_open(span, report),
                _ => {
                    if token == Token::Word {
                        check_word(&text[place.clone()], span, longest_name, report);
                        if word_end.replace(place.end) == Some(place.start) {
                            glued.get_or_insert((span, 0)).1 += 1;
                        }
                    }
                    let first = if token == Token::Word { WORD } else { NONE };
                    let at = tree.push(span, first, &mut open);
                    // A section inside a section: the one around it is not closed.
                    if suspect.is_none() && open.len() > 3 && tree.begins_section(at, &open) {
                        suspect = open.get(2).map(|&(list, _)| tree.nodes[list as usize].start);
                    }
                    if token == Token::Open {
                        open.push((at, NONE));
                    }
                }
            }
        }
        if let Some((first, n_glued)) = glued {
            glued_variable(text, first, n_glued - 1, report);
        }
        // One mistake, however many lists it leaves open: one `)` too few opens all around it.
        if let [_, (list, _), inside @ ..] = &open[..] {
            let place = |start: u32| Span { file, start, end: start + 1 };
            let start_of = |list: u32| tree.nodes[list as usize].start;
            let outer = place(start_of(*list));
            match (suspect.filter(|&start| start != outer.start), inside.last()) {
                (Some(start), _) => section_inside(place(start), outer, report),
                (None, None) => not_closed(outer, report),
                (None, Some(&(innermost, _))) => {
                    several_open(outer, place(start_of(innermost)), inside.len(), report);
                }
            }
        }
        tree
    }

    fn push(&mut self, span: Span, first: u32, open: &mut [(u32, u32)]) -> u32 {
        let at = self.nodes.len() as u32;
        self.nodes.push(Node { start: span.start, end: span.end, first, next: NONE });
        if let Some((list, last)) = open.last_mut() {
            match *last {
                NONE => self.nodes[*list as usize].first = at,
                last => self.nodes[last as usize].next = at,
            }
            *last = at;
        }
        at
    }

    /// Whether a word that was just put into the last open list begins it as a section.
    fn begins_section(&self, at: u32, open: &[(u32, u32)]) -> bool {
        const SECTIONS: [&str; 6] =
            [":action", ":predicates", ":derived", ":init", ":goal", ":functions"];
        let node = self.nodes[at as usize];
        let word = self.lowered.get(node.start as usize..node.end as usize);
        let is_first = open.last().is_some_and(|&(list, _)| self.nodes[list as usize].first == at);
        is_first && node.first == WORD && word.is_some_and(|word| SECTIONS.contains(&word))
    }

    /// The file as a list of what stands in it.
    pub(super) fn whole(&'t self) -> Form<'t> {
        Form { tree: self, at: 0 }
    }
}

impl<'t> Form<'t> {
    fn node(self) -> Node {
        self.tree.nodes[self.at as usize]
    }

    /// Where it stands.
    pub(super) fn span(self) -> Span {
        let node = self.node();
        Span { file: self.tree.file, start: node.start, end: node.end }
    }

    /// Where it begins: of a list its parenthesis and its first word.
    pub(super) fn head_span(self) -> Span {
        match self.parts().next() {
            Some(first) if !first.is_list() => Span { end: first.span().end, ..self.span() },
            // The file itself has no parenthesis.
            _ if self.at == 0 => Span { end: 0, ..self.span() },
            _ if self.is_list() => Span { end: self.span().start + 1, ..self.span() },
            _ => self.span(),
        }
    }

    /// Where a list ends: its closing parenthesis.
    pub(super) fn end_span(self) -> Span {
        let span = self.span();
        Span { start: span.end.saturating_sub(1).max(span.start), ..span }
    }

    /// Whether it is a list.
    pub(super) fn is_list(self) -> bool {
        self.node().first != WORD
    }

    /// Its word in lower case; `None` for a list.
    pub(super) fn word(self) -> Option<&'t str> {
        let node = self.node();
        let word = || self.tree.lowered.get(node.start as usize..node.end as usize);
        if self.is_list() { None } else { word() }
    }

    /// As it is written, for messages; of a long list only the beginning.
    pub(super) fn written(self) -> String {
        const LONGEST: usize = 60;
        let node = self.node();
        let text = self.tree.text.get(node.start as usize..node.end as usize).unwrap_or_default();
        let words: Vec<&str> = text.split_whitespace().take(LONGEST).collect();
        let text = words.join(" ");
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) if self.is_list() => format!("{} …)", &text[..end]),
            _ => text,
        }
    }

    /// The parts of a list; none of a word.
    pub(super) fn parts(self) -> impl Iterator<Item = Form<'t>> {
        let form = move |at: u32| (at < WORD).then_some(Form { at, ..self });
        std::iter::successors(form(self.node().first), move |part| form(part.node().next))
    }

    /// The word that a list begins with, in lower case.
    pub(super) fn head(self) -> Option<&'t str> {
        self.parts().next()?.word()
    }

    /// The parts of a list after its first.
    pub(super) fn rest(self) -> impl Iterator<Item = Form<'t>> {
        self.parts().skip(1)
    }
}

fn check_word(word: &str, span: Span, longest: usize, report: &mut Report) {
    if word.len() > longest {
        let text = format!("`{word}` is longer than {longest} bytes");
        report.say(Code::NameTooLong, span, text, "choose a shorter name");
    }
    let belongs = |c: char| c.is_ascii_graphic() || c.is_alphanumeric();
    if let Some((at, c)) = word.char_indices().find(|&(_, c)| !belongs(c)) {
        let start = span.start as usize + at;
        let cure = match c {
            '–' | '—' | '−' | '‐' | '‑' => "write `-`, the sign on the keyboard",
            _ if c.is_whitespace() => "write a plain blank",
            _ => "remove it; names are letters, digits and signs of the keyboard",
        };
        report.say(
            Code::UnexpectedCharacter,
            Span::new(span.file, start, start + c.len_utf8()),
            format!("the character U+{:04X} has no meaning in PDDL", u32::from(c)),
            cure,
        );
    }
}

/// Told once a file: a text that has one has many.
fn glued_variable(text: &str, span: Span, more: usize, report: &mut Report) {
    let name = &text[span.start as usize..span.end as usize];
    let elsewhere = match more {
        0 => String::new(),
        1 => ", and once more below".to_string(),
        _ => format!(", and {more} times more below"),
    };
    let text = format!("the variable `{name}` begins where the word before it ends{elsewhere}");
    report.say(Code::PddlGluedVariable, span, text, "write a blank before the `?`");
}

fn nothing_open(span: Span, report: &mut Report) {
    let text = "this parenthesis closes nothing";
    report.say(Code::PddlNothingOpen, span, text, "remove it, or open a list before it with `(`");
}

fn not_closed(span: Span, report: &mut Report) {
    let text = "this parenthesis is never closed";
    report.say(Code::PddlUnclosed, span, text, "close it with `)` where the list ends");
}

fn several_open(outer: Span, innermost: Span, inside: usize, report: &mut Report) {
    let text = format!("this parenthesis is never closed, and {inside} more inside it");
    let cure = "close each with `)` where its list ends; begin with the innermost";
    report.say_also(Code::PddlUnclosed, outer, (innermost, "the innermost"), text, cure);
}

fn section_inside(span: Span, outer: Span, report: &mut Report) {
    let also = (outer, "so this one is never closed");
    let text = "this parenthesis is not closed before the next section begins";
    let cure = "close it, or a list inside it, with `)` where it ends";
    report.say_also(Code::PddlUnclosed, span, also, text, cure);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistakes(text: &str) -> Vec<(Code, u32)> {
        let mut report = Report::default();
        Tree::new(FileId(0), text, 20, &Asking::new(&|| false), &mut report);
        report.diagnostics().iter().map(|d| (d.code, d.span.start)).collect()
    }

    #[test]
    fn lists_nest_as_deep_as_the_text_is_long() {
        let text = format!("{}{}", "(".repeat(300_000), ")".repeat(300_000));
        assert!(mistakes(&text).is_empty());
    }

    #[test]
    fn parentheses_are_reported_where_they_open_or_close() {
        assert_eq!(mistakes("(a (b) (c"), [(Code::PddlUnclosed, 0)], "one for both");
        assert_eq!(mistakes(&"(".repeat(200_000)), [(Code::PddlUnclosed, 0)]);
        assert_eq!(mistakes("(a))(b)"), [(Code::PddlNothingOpen, 3)]);
        let section = "(define (domain d) (:action a :effect (p) (:action b :effect (q)))";
        assert_eq!(mistakes(section), [(Code::PddlUnclosed, 19)], "not at the `(define`");
    }

    #[test]
    fn odd_characters_and_long_names_are_reported() {
        assert_eq!(mistakes("(a \u{a0}b)"), [(Code::UnexpectedCharacter, 3)]);
        assert_eq!(mistakes("(?x – t)"), [(Code::UnexpectedCharacter, 4)]);
        assert_eq!(mistakes("(Zügel \u{0})"), [(Code::UnexpectedCharacter, 8)]);
        assert_eq!(mistakes(&"x".repeat(21)), [(Code::NameTooLong, 0)]);
    }

    #[test]
    fn variables_glued_to_a_word_are_told_once_a_file() {
        assert_eq!(mistakes("(at?x?y)(b)?x ?x;?x"), [(Code::PddlGluedVariable, 3)]);
    }

    #[test]
    fn forms_are_read_in_lower_case_and_quoted_as_written() {
        let mut report = Report::default();
        let tree = Tree::new(FileId(0), "(Move ?X (p))", 20, &Asking::new(&|| false), &mut report);
        let list = tree.whole().parts().next().unwrap();
        assert_eq!(list.head(), Some("move"));
        assert_eq!(list.written(), "(Move ?X (p))");
        assert_eq!(list.rest().count(), 2);
        assert_eq!(list.end_span().start, 12);
        assert!(list.rest().nth(1).unwrap().is_list());
    }
}
