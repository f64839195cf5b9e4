//! What a note asks of memory, with the places of the words.
//!
//! In:   a note that the reader of minds has found right.
//! Out:  every pattern in it: its kind and what is asked of its attributes.
//! Cost: one pass over the words.
//!
//! The reader of minds turns words into numbers and forgets where they stood; this walk follows the
//! same grammar and keeps them. A note that does not follow it gives fewer patterns, never more.

use throng_domain::notes::{Note, NoteOn, NoteWord, Relation, WordKind};

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
    let mut walk = Walk { words: &note.words, at: 0, found: Vec::new() };
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

struct Walk<'m> {
    words: &'m [NoteWord],
    at: usize,
    found: Vec<Asked<'m>>,
}

impl<'m> Walk<'m> {
    fn peek(&self, ahead: usize) -> Option<&'m NoteWord> {
        self.words.get(self.at + ahead)
    }

    fn next(&mut self) -> Option<&'m NoteWord> {
        let word = self.words.get(self.at)?;
        self.at += 1;
        Some(word)
    }

    fn sees(&self, ahead: usize, name: &str) -> bool {
        self.peek(ahead).is_some_and(|word| word.kind == WordKind::Name && word.text == name)
    }

    fn take(&mut self, name: &str) -> bool {
        let sees = self.sees(0, name);
        self.at += usize::from(sees);
        sees
    }

    fn sign(&mut self, sign: WordKind) -> bool {
        let sees = self.peek(0).is_some_and(|word| word.kind == sign);
        self.at += usize::from(sees);
        sees
    }

    fn name(&mut self) -> Option<&'m NoteWord> {
        self.next().filter(|word| word.kind == WordKind::Name)
    }

    fn pass_colon(&mut self) -> Option<()> {
        while !self.sign(WordKind::Colon) {
            self.next()?;
        }
        Some(())
    }

    /// The condition behind a word, somewhere behind the colon.
    fn behind(&mut self, word: &str) -> Option<()> {
        self.pass_colon()?;
        while !self.take(word) {
            self.next()?;
        }
        self.condition()
    }

    fn condition(&mut self) -> Option<()> {
        loop {
            self.one()?;
            if !(self.take("and") || self.take("or")) {
                return Some(());
            }
        }
    }

    fn one(&mut self) -> Option<()> {
        // Any number of these may stand before one.
        while self.take("not") {}
        if self.sign(WordKind::Open) {
            // The reader of minds has refused what nests too deep.
            self.condition()?;
            return self.sign(WordKind::Close).then_some(());
        }
        if self.peek(1).is_some_and(|word| word.kind.relation().is_some()) {
            self.at += 3;
            return Some(());
        }
        let counts = self.take("count");
        self.pattern(None)?;
        if counts {
            self.at += 2;
        }
        Some(())
    }

    /// `[shared] KIND [(TEST, …)]`; `taken` is the attribute that is taken of it.
    fn pattern(&mut self, taken: Option<&'m NoteWord>) -> Option<()> {
        let shared = self.take("shared");
        let kind = self.name()?;
        let of = |attribute| Asks { attribute, value: None, equal: false };
        let mut tests: Vec<Asks<'m>> = taken.map(of).into_iter().collect();
        if self.sign(WordKind::Open) {
            loop {
                tests.extend(self.test()?);
                if self.sign(WordKind::Close) {
                    break;
                }
                self.sign(WordKind::Comma).then_some(())?;
            }
        }
        self.found.push(Asked { shared, kind, tests });
        Some(())
    }

    /// One test; nothing inside for those that are about no attribute.
    fn test(&mut self) -> Option<Option<Asks<'m>>> {
        if self.sees(0, "age") || self.sees(0, "distance") {
            self.at += 3;
            return Some(None);
        }
        let sure = self.take("sure");
        let attribute = self.name()?;
        let Some(relation) = self.peek(0).and_then(|word| word.kind.relation()) else {
            return Some(Some(Asks { attribute, value: None, equal: false }));
        };
        self.at += 1;
        let compares = !sure && !relation.is_by_size();
        let value = Some(self.next()?).filter(|_| compares);
        Some(Some(Asks { attribute, value, equal: relation == Relation::Is }))
    }

    /// `[sure] ATTRIBUTE of PATTERN`, `distance of PATTERN` and the like.
    fn taken(&mut self) -> Option<()> {
        let sure = self.take("sure");
        let word = self.name()?;
        let is_number = !sure && matches!(word.text.as_str(), "distance" | "age" | "count");
        self.take("of").then_some(())?;
        self.pattern((!is_number).then_some(word))
    }

    /// The rules of a symbol or a price.
    fn rules(&mut self) -> Option<()> {
        loop {
            let ahead = usize::from(self.sees(0, "sure"));
            match self.sees(ahead + 1, "of") {
                true => self.taken()?,
                false => self.at += 1,
            }
            if self.take("if") {
                self.condition()?;
            }
            self.sign(WordKind::Comma).then_some(())?;
        }
    }

    /// `TERM [curve …] times TERM …`.
    fn terms(&mut self) -> Option<()> {
        loop {
            if self.take("if") {
                self.condition()?;
            } else if self.peek(0)?.kind.is_number() {
                self.at += 1;
            } else {
                self.taken()?;
            }
            while !self.take("times") {
                self.next()?;
            }
        }
    }
}
