//! What the words of a text are: names, numbers, quoted texts and signs.
//!
//! The language and its notes are split into the same words, so readers of notes compare
//! kinds, never how a sign is spelled.

use std::cmp::Ordering;

/// How a condition compares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// `=`
    Is,
    /// `!=`
    IsNot,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

impl Relation {
    /// Whether it holds between two values; never between those that do not compare.
    pub fn holds<T: PartialOrd>(self, left: T, right: T) -> bool {
        left.partial_cmp(&right).is_some_and(|order| match self {
            Relation::Is => order == Ordering::Equal,
            Relation::IsNot => order != Ordering::Equal,
            Relation::Less => order == Ordering::Less,
            Relation::AtMost => order != Ordering::Greater,
            Relation::More => order == Ordering::Greater,
            Relation::AtLeast => order != Ordering::Less,
        })
    }

    /// Whether it asks which of the two is larger.
    pub fn is_by_size(self) -> bool {
        !matches!(self, Relation::Is | Relation::IsNot)
    }

    /// The relation that holds exactly where this one does not, of values that are known.
    pub(crate) fn opposite(self) -> Relation {
        match self {
            Relation::Is => Relation::IsNot,
            Relation::IsNot => Relation::Is,
            Relation::Less => Relation::AtLeast,
            Relation::AtMost => Relation::More,
            Relation::More => Relation::AtMost,
            Relation::AtLeast => Relation::Less,
        }
    }

    /// How it is written.
    pub fn sign(self) -> &'static str {
        WordKind::Compare(self).sign().unwrap_or_default()
    }
}

/// What a word is. Names are compared by readers: keywords are reserved only where a clause
/// begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordKind {
    /// A name.
    Name,
    /// A whole number, sign included.
    Integer,
    /// A number with a point, sign included.
    Decimal,
    /// A quoted text.
    Text,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `..`
    Range,
    /// `->`
    Arrow,
    /// `+=`
    PlusIs,
    /// `-=`
    MinusIs,
    /// `=`, `!=`, `<`, `<=`, `>` or `>=`.
    Compare(Relation),
    /// Something that was reported as no word; readers give up here without a word. Never in a
    /// note.
    Broken,
}

impl WordKind {
    /// Whether it is a number, whole or not.
    pub fn is_number(self) -> bool {
        matches!(self, WordKind::Integer | WordKind::Decimal)
    }

    /// How it compares, if it does.
    pub fn relation(self) -> Option<Relation> {
        match self {
            WordKind::Compare(relation) => Some(relation),
            _ => None,
        }
    }

    /// How it is called in a message.
    pub(crate) fn words(self) -> String {
        match self {
            WordKind::Name => "a name".to_string(),
            WordKind::Integer => "a whole number".to_string(),
            WordKind::Decimal => "a number".to_string(),
            WordKind::Text => "a quoted text".to_string(),
            sign => sign.sign().map_or("something unreadable".to_string(), |it| format!("`{it}`")),
        }
    }

    /// How it is written, if it is a sign.
    pub(crate) fn sign(self) -> Option<&'static str> {
        SIGNS.iter().find(|(_, kind)| *kind == self).map(|&(sign, _)| sign)
    }
}

/// All signs; one that begins with another stands before it.
#[rustfmt::skip]
pub(crate) const SIGNS: [(&str, WordKind); 14] = [
    ("->", WordKind::Arrow), ("+=", WordKind::PlusIs), ("-=", WordKind::MinusIs),
    ("!=", WordKind::Compare(Relation::IsNot)), ("<=", WordKind::Compare(Relation::AtMost)),
    (">=", WordKind::Compare(Relation::AtLeast)), ("..", WordKind::Range),
    ("=", WordKind::Compare(Relation::Is)), ("<", WordKind::Compare(Relation::Less)),
    (">", WordKind::Compare(Relation::More)), (":", WordKind::Colon), (",", WordKind::Comma),
    ("(", WordKind::Open), (")", WordKind::Close),
];
