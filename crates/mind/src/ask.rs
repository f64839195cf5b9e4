//! What minds may ask of the game, and what it may reply.
//!
//! In:   what sensors, behaviours and checks want to know: a ray, a way, anything else.
//! Out:  plain data, the same in files, on tapes and in saves.
//! Cost: none.
//!
//! Who asks whom and when is in [`questions`](crate::questions).

use crate::fact::{EntityId, Position};
use crate::words::Word;
use throng_base::{codec_enum, codec_struct, encode_enum};

/// So many questions of a mind are open at a time.
pub const MOST_OPEN: usize = 8;

/// After so many seconds a question that was not answered is dropped.
pub const PATIENCE_SECONDS: f64 = 2.0;

/// For so many seconds a reply is good, unless who asks says otherwise.
pub const KEPT_SECONDS: f64 = 0.5;

/// Where a question begins or leads: somebody, something, or a bare place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// What is there, if it is something.
    pub what: Option<EntityId>,
    /// Where that is, as far as who asks knows.
    pub place: Position,
}

impl Point {
    /// Something, where it is believed to be.
    pub fn of(what: EntityId, place: Position) -> Self {
        Point { what: Some(what), place }
    }

    /// A bare place.
    pub fn at(place: Position) -> Self {
        Point { what: None, place }
    }

    /// Whether two are about the same: the same thing wherever it is, else the same place.
    fn is_same(&self, other: &Point) -> bool {
        match (self.what, other.what) {
            (None, None) => self.place == other.place,
            (one, two) => one == two,
        }
    }

    /// The same with numbers that are numbers.
    pub(crate) fn cleaned(self) -> Self {
        Point { place: self.place.map(|at| if at.is_finite() { at } else { 0.0 }), ..self }
    }
}

/// What a mind wants to know.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Ask {
    /// How well something is seen: [`Reply::Amount`] from 0 to 1, or yes or no.
    Sight {
        /// From where; `None`: by who asks, from where he is then.
        from: Option<Point>,
        /// What is looked at.
        to: Point,
    },
    /// Whether a spot protects who is there against shots from a place: yes or no.
    Cover {
        /// The spot.
        spot: Point,
        /// Who shoots.
        from: Point,
    },
    /// The way somewhere: [`Reply::Way`], or no.
    Path {
        /// From where; `None`: for who asks, from where he is then.
        from: Option<Point>,
        /// Where to.
        to: Point,
        /// `walk`, `run`, `sneak`, `dive` …
        manner: Word,
    },
    /// Anything else that the game understands.
    Other {
        /// What.
        what: Word,
        /// Of what, if of something.
        of: Option<Point>,
    },
}

/// What sort of question it is: files and logs call it so.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum AskKind {
    /// [`Ask::Sight`].
    Sight,
    /// [`Ask::Cover`].
    Cover,
    /// [`Ask::Path`].
    Path,
    /// [`Ask::Other`].
    Other(Word),
}

impl AskKind {
    /// Those that every game has words for, as files call them.
    pub const NAMED: [(&'static str, AskKind); 3] =
        [("sight", AskKind::Sight), ("cover", AskKind::Cover), ("path", AskKind::Path)];
}

impl Ask {
    /// Whether who asks sees this.
    pub fn sight(to: Point) -> Self {
        Ask::Sight { from: None, to }
    }

    /// The way of who asks to this.
    pub fn path(to: Point, manner: Word) -> Self {
        Ask::Path { from: None, to, manner }
    }

    /// What sort of question it is.
    pub fn kind(&self) -> AskKind {
        match *self {
            Ask::Sight { .. } => AskKind::Sight,
            Ask::Cover { .. } => AskKind::Cover,
            Ask::Path { .. } => AskKind::Path,
            Ask::Other { what, .. } => AskKind::Other(what),
        }
    }

    /// What it is about.
    pub fn about(&self) -> Option<Point> {
        match *self {
            Ask::Sight { to, .. } | Ask::Path { to, .. } => Some(to),
            Ask::Cover { spot, .. } => Some(spot),
            Ask::Other { of, .. } => of,
        }
    }

    /// Where it begins, if that is not who asks.
    pub fn from(&self) -> Option<Point> {
        match *self {
            Ask::Sight { from, .. } | Ask::Path { from, .. } => from,
            Ask::Cover { from, .. } => Some(from),
            Ask::Other { .. } => None,
        }
    }

    /// Whether two want to know the same: a reply to one is one to the other.
    pub fn is_same(&self, other: &Ask) -> bool {
        let same = |one: Option<Point>, two: Option<Point>| match (one, two) {
            (Some(one), Some(two)) => one.is_same(&two),
            (one, two) => one.is_none() && two.is_none(),
        };
        let by = |ask: &Ask| match *ask {
            Ask::Path { manner, .. } => manner,
            _ => Word::NONE,
        };
        self.kind() == other.kind()
            && by(self) == by(other)
            && same(self.about(), other.about())
            && same(self.from(), other.from())
    }

    /// The same with each word and point made another.
    pub(crate) fn map(self, mut word: impl FnMut(Word) -> Word, point: fn(Point) -> Point) -> Self {
        match self {
            Ask::Sight { from, to } => Ask::Sight { from: from.map(point), to: point(to) },
            Ask::Cover { spot, from } => Ask::Cover { spot: point(spot), from: point(from) },
            Ask::Path { from, to, manner } => {
                Ask::Path { from: from.map(point), to: point(to), manner: word(manner) }
            }
            Ask::Other { what, of } => Ask::Other { what: word(what), of: of.map(point) },
        }
    }

    /// The same with numbers that are numbers.
    pub(crate) fn cleaned(self) -> Self {
        self.map(|word| word, Point::cleaned)
    }
}

/// What is known of a question.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub enum Reply {
    /// It is not answered yet: go by what you know.
    #[default]
    Waiting,
    /// The game did not answer in time, or cannot.
    Unanswered,
    /// No: not seen, no way, not so.
    No,
    /// Yes.
    Yes,
    /// Yes, and what was asked about was there when it was looked at.
    At(Position),
    /// How well, how far, how much; 0 is no.
    Amount(f32),
    /// There is a way.
    Way {
        /// How far it is, with what doors and windows add.
        cost: f32,
        /// The first door or window on it that must be opened or dived through.
        link: Option<EntityId>,
        /// Whether that is a shut door.
        shut: bool,
        /// Whether one of those who should not see him sees a part of it.
        watched: bool,
    },
}

impl Reply {
    /// Yes or no; `None` if that is not known. A way that is shut is none.
    #[must_use]
    pub fn holds(self) -> Option<bool> {
        match self {
            Reply::Waiting | Reply::Unanswered => None,
            Reply::No => Some(false),
            Reply::Yes | Reply::At(_) => Some(true),
            Reply::Amount(amount) => Some(amount > 0.0),
            Reply::Way { shut, .. } => Some(!shut),
        }
    }

    /// The same with numbers that are numbers; what is none says no.
    pub(crate) fn cleaned(self) -> Self {
        match self {
            Reply::Amount(amount) if !amount.is_finite() => Reply::No,
            Reply::At(place) if !place.iter().all(|at| at.is_finite()) => Reply::No,
            Reply::Way { cost, .. } if !cost.is_finite() => Reply::No,
            reply => reply,
        }
    }
}

impl From<bool> for Reply {
    fn from(holds: bool) -> Self {
        if holds { Reply::Yes } else { Reply::No }
    }
}

impl From<Position> for Reply {
    fn from(place: Position) -> Self {
        Reply::At(place).cleaned()
    }
}

impl From<f32> for Reply {
    fn from(amount: f32) -> Self {
        Reply::Amount(amount).cleaned()
    }
}

codec_struct!(Point { what, place } where |it| it.place.iter().all(|at| at.is_finite()), "place");

codec_enum!("question" Ask {
    0 => Sight { from, to },
    1 => Cover { spot, from },
    2 => Path { from, to, manner },
    3 => Other { what, of },
});

encode_enum!(AskKind { 0 => Sight, 1 => Cover, 2 => Path, 3 => Other(what) });

codec_enum!("reply" Reply {
    0 => Waiting,
    1 => Unanswered,
    2 => No,
    3 => Yes,
    4 => Amount(amount),
    5 => Way { cost, link, shut, watched },
    6 => At(place),
});

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::{Trial, comes_back};

    fn point(trial: &mut Trial) -> Point {
        let place: [f32; 3] = trial.any();
        Point { what: trial.any(), place: place.map(|at| if at.is_finite() { at } else { 0.0 }) }
    }

    #[test]
    fn two_questions_about_one_thing_are_the_same_wherever_it_is() {
        let (one, two) = ([1.0; 3], [2.0; 3]);
        let see = |point| Ask::sight(point);
        assert!(see(Point::of(EntityId(7), one)).is_same(&see(Point::of(EntityId(7), two))));
        assert!(!see(Point::of(EntityId(7), one)).is_same(&see(Point::of(EntityId(8), one))));
        assert!(!see(Point::at(one)).is_same(&see(Point::at(two))));
        assert!(see(Point::at(one)).is_same(&see(Point::at(one))));
        assert!(!see(Point::at(one)).is_same(&Ask::path(Point::at(one), Word::NONE)));
        let from =
            |who| Ask::Sight { from: Some(Point::of(EntityId(who), one)), to: Point::at(two) };
        assert!(!from(1).is_same(&from(2)) && !from(1).is_same(&see(Point::at(two))));
        let (run, sneak) = (Ask::path(Point::at(one), Word(1)), Ask::path(Point::at(one), Word(2)));
        assert!(!run.is_same(&sneak));
    }

    #[test]
    fn a_reply_says_yes_or_no_or_nothing() {
        let way = |shut| Reply::Way { cost: 3.0, link: None, shut, watched: false };
        assert_eq!([Reply::Waiting, Reply::Unanswered].map(Reply::holds), [None, None]);
        assert_eq!([Reply::Yes, Reply::Amount(0.1), way(false)].map(Reply::holds), [Some(true); 3]);
        assert_eq!(Reply::from([1.0; 3]).holds(), Some(true));
        assert_eq!(Reply::from([1.0, f32::INFINITY, 0.0]), Reply::No);
        assert_eq!([Reply::No, Reply::Amount(0.0), way(true)].map(Reply::holds), [Some(false); 3]);
        assert_eq!(Reply::from(f32::NAN), Reply::No);
    }

    #[test]
    fn questions_and_replies_come_back() {
        comes_back::<Ask>(|trial, round| {
            let (from, to) = (point(trial), point(trial));
            let some = (round % 2 == 0).then_some(from);
            match round % 4 {
                0 => Ask::Sight { from: some, to },
                1 => Ask::Cover { spot: to, from },
                2 => Ask::Path { from: some, to, manner: trial.any() },
                _ => Ask::Other { what: trial.any(), of: some },
            }
        });
        comes_back::<Reply>(|trial, round| match round % 6 {
            0 => Reply::Waiting,
            1 => Reply::Unanswered,
            2 => Reply::No,
            3 => Reply::Yes,
            4 => Reply::Amount(round as f32),
            _ => Reply::Way {
                cost: round as f32,
                link: trial.any(),
                shut: trial.any(),
                watched: trial.any(),
            },
        });
        comes_back::<Point>(|trial, _| point(trial));
    }
}
