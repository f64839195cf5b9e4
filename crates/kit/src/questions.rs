//! Rays and ways that an engine answers later: asked as questions, used when the reply comes.
//!
//! In:   what a sensor wants to see, or to go to; the engine's answer, now or [`Later`].
//! Out:  the answer if there is one, and the question filed if not; for engines, a question as the
//!       traits understand it.
//! Cost: the engine's, if it answers at once; else a step per question of the mind.
//!
//! An engine that says `Later` finds the question in [`Minds::questions`](throng_mind::Minds::questions)
//! and answers by [`Minds::answer`](throng_mind::Minds::answer). A sensor goes by what it knows until
//! then, and runs again with the reply.
//!
//! [`Later`]: EngineAnswer::Later

use crate::facts::{believed_enemies, blocked_links};
use crate::lists::Lent;
use crate::scene::{EngineAnswer, Eye, Mark, Scene, Trip, Way};
use throng_mind::fact::{EntityId, Position};
use throng_mind::questions::{Ask, IssuedQuestion, Point, QuestionStatus, Reply};
use throng_mind::words::Word;
use throng_mind::{Mind, Sensing, Work};

/// For so many seconds a reply is as good as an answer of now.
pub(crate) const KEPT: f64 = 0.2;

impl From<Eye> for Point {
    fn from(eye: Eye) -> Self {
        Point { what: eye.who, place: eye.place }
    }
}

impl From<Mark> for Point {
    fn from(mark: Mark) -> Self {
        Point { what: mark.what, place: mark.place }
    }
}

impl From<Point> for Eye {
    fn from(point: Point) -> Self {
        Eye { who: point.what, place: point.place }
    }
}

impl From<Point> for Mark {
    fn from(point: Point) -> Self {
        Mark { what: point.what, place: point.place }
    }
}

impl From<Way> for Reply {
    fn from(way: Way) -> Self {
        let Way { cost, link, shut, watched } = way;
        Reply::Way { cost, link, shut, watched }
    }
}

impl<T: Into<Reply>> From<EngineAnswer<T>> for Reply {
    fn from(answer: EngineAnswer<T>) -> Self {
        match answer {
            EngineAnswer::Now(it) => it.into(),
            EngineAnswer::Later => Reply::Waiting,
            EngineAnswer::Never => Reply::No,
        }
    }
}

/// What who asks for a way believes, as the traits take it: links that he takes for impassable, and
/// those who should not see him if he sneaks.
#[derive(Debug)]
pub struct TripBeliefs {
    manner: Word,
    avoid: Lent<EntityId>,
    eyes: Lent<Position>,
}

impl TripBeliefs {
    /// Those of a mind that asks for a way; `None` of a question about something else.
    pub fn of<W: Scene>(world: &W, mind: &Mind, question: &IssuedQuestion) -> Option<Self> {
        let Ask::Path { manner, .. } = question.ask else { return None };
        let words = world.words();
        let eyes = match manner == words.sneak {
            true => believed_enemies(mind.memory(), world, (mind.me(), mind.here())),
            false => Lent::new(),
        };
        let manner = if manner == Word::NONE { words.run } else { manner };
        Some(TripBeliefs { manner, avoid: blocked_links(mind.memory(), world), eyes })
    }

    /// How the way is to be looked for.
    pub fn trip(&self) -> Trip<'_> {
        Trip { manner: self.manner, avoid: &self.avoid, eyes: &self.eyes }
    }
}

/// What is known of something, and what it cost to know it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<T> {
    /// `None`: not known yet.
    pub(crate) it: Option<T>,
    /// Heavy if the engine answered at once.
    pub(crate) work: Work,
}

/// Whether who senses sees a mark, wherever it is by now: by the engine, or by its reply to a
/// question, if that is younger than so many seconds.
pub(crate) fn sees<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    from: Eye,
    to: Mark,
    kept: f64,
) -> Found<bool> {
    answer_of_ray(sensing, (from, to), Ask::sight(to.into()), kept)
}

/// Whether something can be seen between two places, wherever who is believed to be there is by now:
/// likewise.
pub(crate) fn ray<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    from: Eye,
    to: Mark,
    kept: f64,
) -> Found<bool> {
    let ask = Ask::Sight { from: Some(from.into()), to: to.into() };
    answer_of_ray(sensing, (from, to), ask, kept)
}

fn answer_of_ray<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    (from, to): (Eye, Mark),
    ask: Ask,
    kept: f64,
) -> Found<bool> {
    let work = Work::Heavy;
    match sensing.world.sees(from, to) {
        EngineAnswer::Now(how_well) => Found { it: Some(how_well > 0.0), work },
        EngineAnswer::Never => Found { it: Some(false), work },
        EngineAnswer::Later => {
            let keeps = sensing.spec.pace.ticks(kept);
            Found { it: sensing.ask_within(ask, keeps).holds(), work: Work::Light }
        }
    }
}

/// Whether a spot protects against shots from a place, likewise.
pub(crate) fn protects<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    spot: Mark,
    from: Mark,
) -> Option<bool> {
    match spot.what.map(|it| sensing.world.protects(it, from.place))? {
        EngineAnswer::Now(it) => Some(it),
        EngineAnswer::Never => Some(false),
        EngineAnswer::Later => {
            ask(sensing, Ask::Cover { spot: spot.into(), from: from.into() }).holds()
        }
    }
}

/// A way of who senses, likewise. What he believes of links and eyes is in the trip, and the engine
/// finds it by [`TripBeliefs`].
pub(crate) fn way<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    from: Eye,
    to: Mark,
    trip: &Trip<'_>,
) -> Found<EngineAnswer<Way>> {
    match sensing.world.way(from, to, trip) {
        EngineAnswer::Later => {
            let reply = ask(sensing, Ask::path(to.into(), trip.manner));
            Found { it: way_of(reply), work: Work::Light }
        }
        answer => Found { it: Some(answer), work: Work::Heavy },
    }
}

/// A reply as the way that it is; `None` if it is not known.
pub(crate) fn way_of(reply: Reply) -> Option<EngineAnswer<Way>> {
    match reply {
        Reply::Way { cost, link, shut, watched } => {
            Some(EngineAnswer::Now(Way { cost, link, shut, watched }))
        }
        reply => reply.holds().filter(|holds| !holds).map(|_| EngineAnswer::Never),
    }
}

fn ask<W: Scene>(sensing: &mut Sensing<'_, W>, what: Ask) -> Reply {
    let keeps = sensing.spec.pace.ticks(KEPT);
    sensing.ask_within(what, keeps)
}

/// Whether questions of his have waited for their turn since an earlier tick: then what is less
/// pressing is not asked.
pub(crate) fn are_waiting<W: Scene>(sensing: &Sensing<'_, W>) -> bool {
    let mut open = sensing.questions().open();
    open.any(|it| it.status == QuestionStatus::Filed && it.since < sensing.now)
}

/// How many questions of his are open that are like this.
pub(crate) fn count_open<W: Scene>(
    sensing: &Sensing<'_, W>,
    is_like: impl Fn(&Ask) -> bool,
) -> usize {
    sensing.questions().open().filter(|it| is_like(&it.ask)).count()
}
