//! What a note asks of memory, with the places of the words.
//!
//! In:   a note that the reader of minds has found right.
//! Out:  every pattern in it: its kind and what is asked of its attributes.
//! Cost: one pass over the words.
//!
//! The reader of minds turns words into numbers and forgets where they stood; this walk follows the
//! same grammar and keeps them. A note that does not follow it gives fewer patterns, never more.

use throng_domain::Report;
use throng_domain::notes::{Note, NoteOn, NoteReader, NoteWord, Relation, WordKind};

/// A pattern as it is written.
pub(super) struct Asked<'m> {
    /// Whether it asks the memory that all share.
    pub(super) shared: bool,
    /// The kind of facts.
    pub(super) kind: &'m NoteWord,
    /// What is asked of attributes.
    pub(super) tests: Vec<Asks<'m>>,
}

/// What is asked of an attribute.
pub(super) struct Asks<'m> {
    pub(super) attribute: &'m NoteWord,
    /// The word or number that it is compared with by `=` or `!=`.
    pub(super) value: Option<&'m NoteWord>,
    /// Whether the comparison is `=`.
    pub(super) equal: bool,
}

/// All patterns of a note about minds; none of others.
pub(super) fn patterns(note: &Note) -> Vec<Asked<'_>> {
    // What is wrong the reader of minds has told.
    let mut told = Report::default();
    let mut walk = Walk { words: NoteReader::new(note, &mut told), found: Vec::new() };
    // Nothing more can be read where a step is `None`.
    let _ = match (&note.on, note.keyword.word) {
        (NoteOn::Itself, "sensor") => walk.behind("while"),
        (NoteOn::Itself, "flavour") => walk.behind("if"),
        (NoteOn::Itself, "check" | "learn") => walk.pass_colon().and_then(|()| walk.condition()),
        (NoteOn::Itself, "symbol" | "price") => walk.pass_colon().and_then(|()| walk.rules()),
        (NoteOn::Goal(_), "relevance") => walk.terms(),
        _ => None,
    };
    walk.found
}

struct Walk<'m, 'r> {
    words: NoteReader<'m, 'r>,
    found: Vec<Asked<'m>>,
}

impl<'m> Walk<'m, '_> {
    fn skip(&mut self, count: usize) {
        (0..count).for_each(|_| _ = self.words.next());
    }

    fn name(&mut self) -> Option<&'m NoteWord> {
        self.words.next().filter(|word| word.kind == WordKind::Name)
    }

    fn pass_colon(&mut self) -> Option<()> {
        while !self.words.take_sign(WordKind::Colon) {
            self.words.next()?;
        }
        Some(())
    }

    /// The condition behind a word, somewhere behind the colon.
    fn behind(&mut self, word: &str) -> Option<()> {
        self.pass_colon()?;
        while !self.words.take_word(word) {
            self.words.next()?;
        }
        self.condition()
    }

    fn condition(&mut self) -> Option<()> {
        loop {
            self.one()?;
            if !(self.words.take_word("and") || self.words.take_word("or")) {
                return Some(());
            }
        }
    }

    fn one(&mut self) -> Option<()> {
        // Any number of these may stand before one.
        while self.words.take_word("not") {}
        if self.words.take_sign(WordKind::Open) {
            // The reader of minds has refused what nests too deep.
            self.condition()?;
            return self.words.take_sign(WordKind::Close).then_some(());
        }
        if self.words.peek_second().is_some_and(|word| word.kind.relation().is_some()) {
            self.skip(3);
            return Some(());
        }
        let counts = self.words.take_word("count");
        self.pattern(None)?;
        self.skip(if counts { 2 } else { 0 });
        Some(())
    }

    /// `[shared] KIND [(TEST, …)]`; `taken` is the attribute that is taken of it.
    fn pattern(&mut self, taken: Option<&'m NoteWord>) -> Option<()> {
        let shared = self.words.take_word("shared");
        let kind = self.name()?;
        let of = |attribute| Asks { attribute, value: None, equal: false };
        let mut tests: Vec<Asks<'m>> = taken.map(of).into_iter().collect();
        if self.words.take_sign(WordKind::Open) {
            loop {
                tests.extend(self.test()?);
                if self.words.take_sign(WordKind::Close) {
                    break;
                }
                self.words.take_sign(WordKind::Comma).then_some(())?;
            }
        }
        self.found.push(Asked { shared, kind, tests });
        Some(())
    }

    /// One test; nothing inside for those that are about no attribute.
    fn test(&mut self) -> Option<Option<Asks<'m>>> {
        if self.words.sees("age") || self.words.sees("distance") {
            self.skip(3);
            return Some(None);
        }
        let sure = self.words.take_word("sure");
        let attribute = self.name()?;
        let Some(relation) = self.words.take_relation() else {
            return Some(Some(Asks { attribute, value: None, equal: false }));
        };
        let compares = !sure && !relation.is_by_size();
        let value = Some(self.words.next()?).filter(|_| compares);
        Some(Some(Asks { attribute, value, equal: relation == Relation::Is }))
    }

    /// `ATTRIBUTE of PATTERN`, `distance of PATTERN` and the like, behind `sure` if that is there.
    fn taken(&mut self, sure: bool) -> Option<()> {
        let word = self.name()?;
        let is_number = !sure && matches!(word.text.as_str(), "distance" | "age" | "count");
        self.words.take_word("of").then_some(())?;
        self.pattern((!is_number).then_some(word))
    }

    /// The rules of a symbol or a price.
    fn rules(&mut self) -> Option<()> {
        loop {
            let sure = self.words.take_word("sure");
            let second = self.words.peek_second();
            match second.is_some_and(|it| it.kind == WordKind::Name && it.text == "of") {
                true => self.taken(sure)?,
                // A value; it may be called `sure`.
                false => self.skip(usize::from(!sure)),
            }
            if self.words.take_word("if") {
                self.condition()?;
            }
            self.words.take_sign(WordKind::Comma).then_some(())?;
        }
    }

    /// `TERM [curve …] times TERM …`.
    fn terms(&mut self) -> Option<()> {
        loop {
            if self.words.take_word("if") {
                self.condition()?;
            } else if self.words.peek()?.kind.is_number() {
                self.skip(1);
            } else {
                let sure = self.words.take_word("sure");
                self.taken(sure)?;
            }
            while !self.words.take_word("times") {
                self.words.next()?;
            }
        }
    }
}
