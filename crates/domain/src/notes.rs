//! Notes: what a file says to others than the planner.
//!
//! In:   statements and clauses of words that the planner does not know: how a mind senses and
//!       chooses (`sensor`, `symbol`, `goal … keep 2`), what happens in a story (`map`, `at`).
//! Out:  their words with places, in the order of the text, and [`NoteReader`] to read them.
//! Cost: one entry per word.
//!
//! Planning is the same with and without notes, so they are not compiled and not part of the
//! digest. Its owner gives a note its meaning, and reports its mistakes as any other: the
//! crate of minds for sensors, the crate of worlds for maps.

use crate::diagnostics::{Code, Report};
use crate::source::Span;
pub use crate::token::{Relation, WordKind};
use std::borrow::Cow;
use std::collections::HashSet;
use throng_base::DidYouMean;

/// A word that begins a note, described by its owner.
#[derive(PartialEq, Eq, Debug)]
pub struct Keyword {
    /// The word.
    pub word: &'static str,
    /// A right line, to show where one is wrong.
    pub example: &'static str,
    /// What the planner's reader must know of it.
    pub role: Role,
}

/// What a note says of the domain.
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Nothing but that the variables which it compares are used.
    Plain,
    /// Its first word is a variable that the world sets.
    SetsVariable,
    /// Its first word is a context check that it answers.
    AnswersCheck,
    /// Its first word is an action that need not change anything.
    NamesAction,
    /// It names the code of an action; without it, the code is called like the action.
    NamesCode,
    /// A clause of actions that compounds have too.
    OfCompoundsToo,
    /// Its first word is a name of its own; behind its colon stands what code is called, and what
    /// that is given.
    NamesItself,
    /// It begins with the name of a select and how many slots it has: `cover: best 3 …`.
    Selects,
    /// Nothing: the names in it are its own.
    OwnNames,
    /// Its first word is a member of the sort that is the first word behind its colon; the names
    /// in it are its own.
    Places {
        /// A word that may stand before the sort.
        after: &'static str,
    },
    /// Nothing: its quoted texts are rows, each on a line of its own.
    Rows,
}

impl Keyword {
    /// A word that says nothing special of the domain.
    pub const fn new(word: &'static str, example: &'static str) -> Keyword {
        Keyword { word, example, role: Role::Plain }
    }

    /// The same in another role.
    pub const fn with(self, role: Role) -> Keyword {
        Keyword { role, ..self }
    }
}

/// The words that begin notes of one owner, by where they stand. The caller that loads a
/// file hands in those of all owners; a word of no owner is a mistake in the text.
#[derive(PartialEq, Eq, Debug)]
pub struct NoteWords {
    /// Statements.
    pub statements: &'static [Keyword],
    /// Clauses of `action`.
    pub action_clauses: &'static [Keyword],
    /// Clauses of `goal`.
    pub goal_clauses: &'static [Keyword],
    /// Clauses of `npc`.
    pub npc_clauses: &'static [Keyword],
}

/// So many names are listed at most.
const LISTED: usize = 20;

/// Words before which a line of notes may be broken.
pub(crate) const JOINTS: [&str; 3] = ["and", "or", "times"];
/// Words behind which a parenthesis groups conditions; behind others it belongs to the word.
pub(crate) const BEFORE_GROUPS: [&str; 5] = ["and", "or", "not", "if", "while"];

/// What a note belongs to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NoteOn {
    /// It is a statement of its own.
    Itself,
    /// A clause of the action or template of this bare name.
    Action(String),
    /// A clause of the goal or template of this bare name.
    Goal(String),
    /// A clause of the NPC type of this name.
    Npc(String),
}

impl NoteOn {
    /// A clause of what a statement of this keyword declares.
    pub(crate) fn of(statement: &str, name: String) -> NoteOn {
        match statement {
            "action" | "compound" => NoteOn::Action(name),
            "goal" => NoteOn::Goal(name),
            _ => NoteOn::Npc(name),
        }
    }

    /// The keyword and the name of what it is a clause of, if it is one.
    pub(crate) fn owner(&self) -> Option<(&'static str, &str)> {
        match self {
            NoteOn::Itself => None,
            NoteOn::Action(name) => Some(("action", name)),
            NoteOn::Goal(name) => Some(("goal", name)),
            NoteOn::Npc(name) => Some(("npc", name)),
        }
    }
}

/// One word of a note.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoteWord {
    /// What it is.
    pub kind: WordKind,
    /// As written.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A statement or a clause, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Its first word, such as `sensor` or `keep`.
    pub keyword: &'static Keyword,
    /// Whose clause it is, if it is one.
    pub on: NoteOn,
    /// What follows the first word.
    pub words: Vec<NoteWord>,
    /// All of it.
    pub span: Span,
}

impl NoteWord {
    /// As it stands in a text, quotes included.
    fn written(&self) -> Cow<'_, str> {
        match self.kind {
            WordKind::Text => Cow::Owned(format!("\"{}\"", self.text)),
            _ => Cow::Borrowed(&self.text),
        }
    }

    /// Whether no blank stands between this word and the one before it.
    fn is_tight_after(&self, before: &NoteWord) -> bool {
        use WordKind::*;
        let groups = BEFORE_GROUPS.contains(&before.text.as_str());
        matches!(self.kind, Comma | Colon | Close | Range)
            || matches!(before.kind, Open | Range)
            || (self.kind == Open && before.kind == Name && !groups)
    }
}

impl Note {
    /// The note on one line, as `.npc` text says it.
    pub fn text(&self) -> String {
        // Behind the keyword a colon alone is tight: `(` begins a group there.
        let is_tight = self.words.first().is_none_or(|word| word.kind == WordKind::Colon);
        let between = if is_tight { "" } else { " " };
        format!("{}{between}{}", self.keyword.word, written(&self.words))
    }

    /// What stands behind a word of the note, up to the next of `ends`, in parts that `between`
    /// divides; words in parentheses neither end nor divide. Empty if there is no such word.
    pub fn parts_behind(&self, word: &str, ends: &[&str], between: &str) -> Vec<String> {
        let mut depth = 0_usize;
        let mut parts: Vec<Vec<NoteWord>> = Vec::new();
        for it in &self.words {
            match it.kind {
                WordKind::Open => depth += 1,
                WordKind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            let is_name = it.kind == WordKind::Name && depth == 0;
            match parts.last_mut() {
                None if is_name && it.text == word => parts.push(Vec::new()),
                None => {}
                Some(_) if is_name && ends.contains(&it.text.as_str()) => break,
                Some(_) if is_name && it.text == between => parts.push(Vec::new()),
                Some(part) => part.push(it.clone()),
            }
        }
        parts.iter().map(|part| written(part)).collect()
    }

    /// Whether both say the same of the same, wherever they stand.
    pub fn says_the_same(&self, other: &Note) -> bool {
        let words = |note: &Note| note.words.len();
        let same = |(a, b): (&NoteWord, &NoteWord)| (a.kind, &a.text) == (b.kind, &b.text);
        (&self.keyword, &self.on, words(self)) == (&other.keyword, &other.on, words(other))
            && self.words.iter().zip(&other.words).all(same)
    }
}

/// Words on one line, as `.npc` text says them.
fn written(words: &[NoteWord]) -> String {
    let mut text = String::new();
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &words[before]);
        if before.is_some_and(|before| !word.is_tight_after(before)) {
            text.push(' ');
        }
        text.push_str(&word.written());
    }
    text
}

/// A mistake was reported; give this note up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reported;

/// Reads the words of a note from left to right.
pub struct NoteReader<'n, 'r> {
    note: &'n Note,
    at: usize,
    /// Where mistakes go.
    pub report: &'r mut Report,
}

impl<'n, 'r> NoteReader<'n, 'r> {
    /// At the word behind the note's first.
    pub fn new(note: &'n Note, report: &'r mut Report) -> Self {
        NoteReader { note, at: 0, report }
    }

    /// The next word.
    pub fn peek(&self) -> Option<&'n NoteWord> {
        self.note.words.get(self.at)
    }

    /// The word after the next.
    pub fn peek_second(&self) -> Option<&'n NoteWord> {
        self.note.words.get(self.at + 1)
    }

    /// The word after those two.
    pub fn peek_third(&self) -> Option<&'n NoteWord> {
        self.note.words.get(self.at + 2)
    }

    /// Whether nothing is left.
    pub fn is_done(&self) -> bool {
        self.at >= self.note.words.len()
    }

    /// Where the next word stands; the end of the note behind the last.
    pub fn place(&self) -> Span {
        let end = || Span { start: self.note.span.end, ..self.note.span };
        self.peek().map_or_else(end, |word| word.span)
    }

    /// Takes the next word, whatever it is.
    #[expect(clippy::should_implement_trait, reason = "a reader is no iterator: it looks ahead")]
    pub fn next(&mut self) -> Option<&'n NoteWord> {
        let word = self.peek()?;
        self.at += 1;
        Some(word)
    }

    fn take_if(&mut self, is: impl Fn(&NoteWord) -> bool) -> Option<&'n NoteWord> {
        let word = self.peek().filter(|word| is(word))?;
        self.at += 1;
        Some(word)
    }

    fn expect_if(
        &mut self,
        what: &str,
        is: impl Fn(&NoteWord) -> bool,
    ) -> Result<&'n NoteWord, Reported> {
        self.take_if(is).ok_or_else(|| self.expected(what))
    }

    /// Takes a sign if it comes next.
    pub fn take_sign(&mut self, sign: WordKind) -> bool {
        self.take_if(|word| word.kind == sign).is_some()
    }

    /// Takes the sign of a comparison if one comes next.
    pub fn take_relation(&mut self) -> Option<Relation> {
        self.take_if(|word| word.kind.relation().is_some())?.kind.relation()
    }

    /// Takes a name if exactly this one comes next.
    pub fn take_word(&mut self, name: &str) -> bool {
        self.take_if(|word| word.kind == WordKind::Name && word.text == name).is_some()
    }

    /// Whether exactly this name comes next.
    pub fn sees(&self, name: &str) -> bool {
        self.peek().is_some_and(|word| word.kind == WordKind::Name && word.text == name)
    }

    /// Whether this sign comes next.
    pub fn sees_sign(&self, sign: WordKind) -> bool {
        self.peek().is_some_and(|word| word.kind == sign)
    }

    /// A sign that must come next.
    ///
    /// # Errors
    ///
    /// Reported if it does not.
    pub fn sign(&mut self, sign: WordKind) -> Result<(), Reported> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.expected(&sign.words())) }
    }

    /// A name that must come next; `what` says which kind, with an example.
    ///
    /// # Errors
    ///
    /// Reported if there is none.
    pub fn name(&mut self, what: &str) -> Result<&'n NoteWord, Reported> {
        self.expect_if(what, |word| word.kind == WordKind::Name)
    }

    /// A name or a number that must come next, as values are.
    ///
    /// # Errors
    ///
    /// Reported if there is none.
    pub fn value(&mut self, what: &str) -> Result<&'n NoteWord, Reported> {
        self.expect_if(what, |word| word.kind == WordKind::Name || word.kind.is_number())
    }

    /// A quoted text that must come next.
    ///
    /// # Errors
    ///
    /// Reported if there is none.
    pub fn text(&mut self, what: &str) -> Result<&'n NoteWord, Reported> {
        self.expect_if(what, |word| word.kind == WordKind::Text)
    }

    /// A number from `least` to `most` that must come next.
    ///
    /// # Errors
    ///
    /// Reported if there is none, or one out of range.
    pub fn number(&mut self, what: &str, least: f64, most: f64) -> Result<f64, Reported> {
        let word = self.expect_if(what, |word| word.kind.is_number())?;
        let number = word.text.parse::<f64>().unwrap_or(f64::NAN);
        if number >= least && number <= most {
            return Ok(number);
        }
        let text = format!("`{}` is out of range", word.text);
        let cure = format!("write a number from {least} to {most}");
        self.report.say(Code::NoteNumber, word.span, text, cure);
        Err(Reported)
    }

    /// A reference to an action or goal, canonically spelled: `go`, `go(pipe)`, `give(bread joe)`.
    ///
    /// # Errors
    ///
    /// Reported if there is none.
    pub fn reference(&mut self, what: &str) -> Result<(String, Span), Reported> {
        let head = self.name(what)?;
        let (mut name, mut span) = (head.text.clone(), head.span);
        if self.take_sign(WordKind::Open) {
            name.push('(');
            loop {
                let word = self.value("a value")?;
                if !name.ends_with('(') {
                    name.push(' ');
                }
                name.push_str(&word.text);
                if self.sees_sign(WordKind::Close) {
                    span = span.to(self.place());
                    self.at += 1;
                    break;
                }
            }
            name.push(')');
        }
        Ok((name, span))
    }

    /// Says that nothing more was expected, if something is left.
    ///
    /// # Errors
    ///
    /// Reported if a word is left.
    pub fn end(&mut self) -> Result<(), Reported> {
        if self.is_done() { Ok(()) } else { Err(self.expected("the end")) }
    }

    /// Reports that something else should stand here. Of the words in backquotes in `what`, the one
    /// nearest to what stands here is named.
    pub fn expected(&mut self, what: &str) -> Reported {
        let found = match self.peek() {
            Some(word) => format!("`{}`", word.text),
            None => "the end".to_string(),
        };
        let name = self.peek().filter(|word| word.kind == WordKind::Name);
        let near = name.and_then(|word| self.report.nearest(&word.text, keywords(what)));
        let did = DidYouMean(near);
        let text = format!("expected {what}; found {found}{did}");
        let cure = format!("write it as in `{}`", self.note.keyword.example);
        self.report.say(Code::NoteExpected, self.place(), text, cure);
        Reported
    }

    /// Reports a name that is not known, with the nearest that is; the list is by the alphabet.
    pub fn unknown<'k>(
        &mut self,
        what: &str,
        name: &str,
        span: Span,
        known: impl Iterator<Item = &'k str> + Clone,
    ) -> Reported {
        self.not_among(what, (name, span), known, true)
    }

    /// The same with the list in the order given: what is most likely meant first.
    pub fn unknown_in_order<'k>(
        &mut self,
        what: &str,
        name: &str,
        span: Span,
        known: impl Iterator<Item = &'k str> + Clone,
    ) -> Reported {
        self.not_among(what, (name, span), known, false)
    }

    fn not_among<'k>(
        &mut self,
        what: &str,
        (name, span): (&str, Span),
        known: impl Iterator<Item = &'k str> + Clone,
        sorted: bool,
    ) -> Reported {
        let did = DidYouMean(self.report.nearest(name, known.clone()));
        let mut seen = HashSet::new();
        let mut each_once = known.filter(|name| seen.insert(*name));
        let mut list: Vec<&str> = each_once.by_ref().take(LISTED).collect();
        let more = if each_once.next().is_some() { ", …" } else { "" };
        if sorted {
            list.sort_unstable();
        }
        let cure = match list.is_empty() {
            true => format!("there is no {what} yet: declare it"),
            false => format!("use one of: {}{more}", list.join(", ")),
        };
        // Of something with a name: unknown state `takn` of `pipe`.
        let text = match what.split_once(" of `") {
            Some((what, whose)) => format!("unknown {what} `{name}` of `{whose}{did}"),
            None => format!("unknown {what} `{name}`{did}"),
        };
        self.report.say(Code::NoteUnknown, span, text, cure);
        Reported
    }
}

/// The words in backquotes that stand for themselves: not places to fill, and not examples.
fn keywords(what: &str) -> impl Iterator<Item = &str> + Clone {
    let meant = what.split(", as ").next().unwrap_or_default();
    let quoted = meant.split('`').skip(1).step_by(2).flat_map(str::split_whitespace);
    quoted.filter(|word| word.chars().all(|c| c.is_lowercase() || c == '_'))
}
