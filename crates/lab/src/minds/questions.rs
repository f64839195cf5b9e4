//! Rays that come later: five hundred who look at each other, and ask the game who is in view.
//!
//! In:   watchers who want to know of one after the other whether he is in view, in every tick.
//! Out:  nanoseconds per mind and tick: with every ray asked and answered a tick later, with every
//!       ray answered at once, and without any.
//! Cost: some seconds of story, three times.
//!
//! What the watchers know in the end must be what is so.

use super::fight::wall_nanoseconds;
use crate::report::{BenchResult, Session};
use throng::Domain;
use throng_mind::fact::{Attribute, EntityId, FactDraft};
use throng_mind::questions::{Ask, IssuedQuestion, Point};
use throng_mind::words::Word;
use throng_mind::{Body, Minds, Sensing, Work};

const DOMAIN: &str = "domain watchers
var calm: bool
sensor eyes: every 0 keeps 60
symbol calm: true if seen, false
action rest: calm -> true
goal peace: calm = true  relevance if not seen
fact seen: object, amount
npc watcher
    can rest
    wants peace
    memory 16
";

const MINDS: usize = 500;
const PACE: u32 = 10;
/// So many others there are to be seen.
const OTHERS: u64 = 8;
/// Ticks before it counts, and ticks that count.
const WARM: u32 = 40;
const TICKS: u32 = 60;

/// How rays are answered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Answers {
    Later,
    AtOnce,
    None,
}

/// The game.
struct Yard(Answers);

impl Yard {
    fn sees(from: EntityId, to: EntityId) -> bool {
        (from.0 ^ to.0.wrapping_mul(7)).is_multiple_of(3)
    }
}

/// Nanoseconds per mind and tick, and how many questions there were per mind and tick.
pub(super) struct Questions {
    pub(super) minds: usize,
    pub(super) later: f64,
    pub(super) at_once: f64,
    pub(super) none: f64,
    pub(super) rate: f64,
}

impl Questions {
    /// What one question costs, asked and answered, beyond a ray that is answered at once.
    pub(super) fn each(&self) -> f64 {
        (self.later - self.at_once) / self.rate.max(f64::MIN_POSITIVE)
    }
}

fn eyes(sensing: &mut Sensing<'_, Yard>) -> Work {
    let kind = sensing.spec.words.find("seen").unwrap_or(Word::NONE);
    let note = |sensing: &mut Sensing<'_, Yard>, other: EntityId, seen: bool| {
        let draft = FactDraft::new(kind).with(Attribute::Object, other, 1.0);
        let draft = draft.with(Attribute::Amount, f32::from(u8::from(seen)), 1.0);
        sensing.remember_one(draft, &[Attribute::Object]);
    };
    if let Some((ask, reply)) = sensing.answer {
        let other = ask.about().and_then(|point| point.what);
        if let (Some(other), Some(seen)) = (other, reply.holds()) {
            note(sensing, other, seen);
        }
        return Work::Light;
    }
    *sensing.state += 1;
    let other = EntityId(*sensing.state % OTHERS);
    match sensing.world.0 {
        Answers::None => {}
        Answers::AtOnce => note(sensing, other, Yard::sees(sensing.me, other)),
        Answers::Later => _ = sensing.ask_within(Ask::sight(Point::of(other, [0.0; 3])), 2),
    }
    Work::Light
}

pub(super) fn measure(session: &mut Session<'_>) -> BenchResult<Questions> {
    session.begin("rays that come later")?;
    let minds = session.pick(MINDS, 20);
    let mut found = Questions {
        minds,
        later: f64::INFINITY,
        at_once: f64::INFINITY,
        none: f64::INFINITY,
        rate: 0.0,
    };
    for _ in 0..session.pick(3, 1) {
        for answers in [Answers::Later, Answers::AtOnce, Answers::None] {
            session.go_on()?;
            let (cost, rate) = live(session, minds, answers)?;
            let best = match answers {
                Answers::Later => &mut found.later,
                Answers::AtOnce => &mut found.at_once,
                Answers::None => &mut found.none,
            };
            *best = best.min(cost);
            if answers == Answers::Later {
                found.rate = rate;
            }
        }
    }
    if found.rate == 0.0 {
        session.wrong.push("nobody has asked anything".to_string());
    }
    Ok(found)
}

/// Nanoseconds, and questions, per mind and tick.
fn live(session: &mut Session<'_>, n: usize, answers: Answers) -> BenchResult<(f64, f64)> {
    let spec = Domain::from_text(DOMAIN)?.mind_spec(PACE)?;
    let mut minds = Minds::new(spec, Body::new().sensor("eyes", eyes), 1)?;
    for at in 0..n {
        minds.spawn("watcher", EntityId(100 + at as u64))?;
    }
    let (yard, mut asked) = (Yard(answers), Vec::<IssuedQuestion>::new());
    let (mut spent, mut questions) = (0, 0);
    for now in 1..=WARM + TICKS {
        let begin = wall_nanoseconds();
        for question in asked.drain(..) {
            let to = question.to.and_then(|to| to.what);
            minds.answer(question.id, to.is_some_and(|to| Yard::sees(question.me, to)));
        }
        minds.tick(&yard, now);
        asked.extend_from_slice(minds.questions());
        if now > WARM {
            spent += wall_nanoseconds().saturating_sub(begin);
            questions += asked.len();
        }
    }
    check(session, &minds, answers);
    let mind_ticks = (n as u64 * u64::from(TICKS)) as f64;
    Ok((spent as f64 / mind_ticks, questions as f64 / mind_ticks))
}

/// What is known is so, and all is known that was looked at.
fn check(session: &mut Session<'_>, minds: &Minds<Yard>, answers: Answers) {
    let Some(kind) = minds.spec().words.find("seen") else { return };
    for mind in minds.iter() {
        let known = mind.memory().of_kind(kind);
        let wrong = known.clone().any(|fact| {
            let seen = fact.entity(Attribute::Object).is_some_and(|it| Yard::sees(mind.me(), it));
            fact.number(Attribute::Amount) != Some(f32::from(u8::from(seen)))
        });
        let wanted = if answers == Answers::None { 0 } else { OTHERS as usize };
        if wrong || known.count() != wanted {
            session.wrong.push("a watcher knows something else than is so".to_string());
            return;
        }
    }
}
