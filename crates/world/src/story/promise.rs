//! Whether a story keeps its promises, tick by tick.
//!
//! In:   what happened in minds, by actor, and a [`View`] of memories and the world.
//! Out:  for each promise a [`Verdict`]: kept since when, broken since when and why, or open.
//! Cost: per tick one look at each promise that is open, and at each happening for each of them.
//!
//! What `by SECONDS` means: the promise must have come true at that moment or before. `is alive`
//! and `forgets` are judged at that moment. Without `by`, what can come and go (`=`, `at`,
//! `remembers`, `forgets`) is judged at the end, and the rest may come true at any time.

mod codec;
mod end;
mod group;
mod hidden;
mod soon;
mod world;

use super::facts::FactPattern;
use super::incident::Incident;
use super::squads::SquadTold;
use super::{Claim, Need, Promise, Spot, Step, Story};
use std::collections::BTreeMap;
use throng_domain::Model;
use throng_mind::body::Ending;
use throng_mind::events::{Activity, EventKind};
use throng_mind::time::{Pace, Tick};
use throng_mind::words::Word;

/// What an actor with a mind is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Idle {
    /// It has no mind now: it is dead, or not there.
    Absent,
    /// It does something.
    Busy,
    /// It does nothing and is about to.
    Between,
    /// It does nothing, and every goal says why it is not pursued, or it waits for its turn to
    /// plan and says so.
    Because,
    /// It does nothing, and some goal could be pursued.
    Unexplained,
}

/// What the judge may ask of a moment.
pub trait View {
    /// Whether an actor lives.
    fn is_alive(&self, actor: usize) -> bool;
    /// Whether an actor is at a place.
    fn is_at(&self, actor: usize, spot: &Spot) -> bool;
    /// Whether a thing is in a state.
    fn is_so(&self, need: &Need) -> bool;
    /// Whether an actor has a fact of this kind.
    fn remembers(&self, actor: usize, kind: &str) -> bool;
    /// A kind of action in words.
    fn kind(&self, kind: Word) -> String;
    /// The steps of an actor's plan, by position in the model.
    fn plan(&self, actor: usize) -> Vec<u32>;
    /// How often an actor asked for a plan so far.
    fn asked(&self, actor: usize) -> u32;
    /// What an actor is at.
    fn idle(&self, actor: usize) -> Idle;
    /// What a promise about this voice is about: the actor itself, or the type of the squad.
    fn whom(&self, voice: usize) -> usize;
    /// What happened to squads and tasks in the tick.
    fn squad_news(&self) -> &[SquadTold];
    /// Two of the living who stand in the cell of one node, and the node.
    fn sharing(&self) -> Option<(&str, &str, &str)>;
    /// What happened in the world in the tick.
    fn incidents(&self) -> &[Incident];
    /// How many questions the game was asked in the tick.
    fn n_questions(&self) -> usize;
    /// What the slots of a selection hold, or what one slot holds, by name.
    fn picked(&self, actor: usize, select: &str) -> Vec<String>;
    /// Whether an actor stands at what a slot of a selection holds.
    fn is_at_pick(&self, actor: usize, select: &str) -> bool;
    /// An action as it is shown: with what its slots hold.
    fn shown(&self, actor: usize, action: u32) -> Option<String>;
    /// The same for one that has ended in this tick: with what its slots held when it did.
    fn shown_at_end(&self, actor: usize, action: u32) -> Option<String>;
    /// Whether an actor has an item with him, or this weapon.
    fn has(&self, actor: usize, what: &str) -> bool;
    /// The goal that an actor pursues, by position in the model.
    fn wants(&self, actor: usize) -> Option<u32>;
    /// Whether a goal is urgent.
    fn is_urgent(&self, goal: u32) -> bool;
    /// Whether an actor with a mind has nothing to do: it does what it does otherwise, or nothing.
    fn rests(&self, actor: usize) -> bool;
    /// Whether an actor knows such a fact.
    fn knows(&self, actor: usize, pattern: &FactPattern) -> bool;
    /// Whether an actor knows of a body that it is that actor's.
    fn saw_dead(&self, actor: usize, dead: usize) -> bool;
    /// Whether an actor believes that another lives.
    fn believes_alive(&self, actor: usize, other: usize) -> bool;
    /// At whom an actor aims.
    fn aims_at(&self, actor: usize) -> Option<usize>;
    /// Whether nothing would keep an actor from seeing another, if that were not cloaked.
    fn could_see(&self, actor: usize, other: usize) -> bool;
    /// Whether an actor is cloaked.
    fn is_cloaked(&self, actor: usize) -> bool;
    /// How far two actors are apart, in cells; `None` if one of them is not there.
    fn distance(&self, one: usize, other: usize) -> Option<f32>;
    /// How far an actor is from what another has picked, be it somebody, a thing or a place.
    fn distance_to_pick(&self, one: usize, who: usize, select: &str) -> Option<f32>;
}

/// What happened in an actor's mind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Happening {
    /// Whose mind, as a voice.
    pub actor: usize,
    /// What happened in it.
    pub what: EventKind,
}

/// How a promise stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Not yet decided.
    Open,
    /// Kept, since this tick.
    Kept(Tick),
    /// Broken at this tick, and why.
    Broken(Tick, String),
}

/// What is remembered of a promise until it is decided.
#[derive(Clone, Debug, Default, PartialEq)]
struct Progress {
    /// How many of its steps were done, and when the last of them was.
    done: usize,
    done_at: Tick,
    /// Whether there ever was such a fact, and since when there is none any more.
    had: bool,
    forgotten: Option<Tick>,
    /// What came instead: plans or goals, in words, the first few.
    instead: Vec<String>,
    /// By actor: since how many ticks it is between two actions.
    between: BTreeMap<usize, u32>,
    /// By actor: how often it asked for a plan, and for how many ticks it was there.
    asked: BTreeMap<usize, (u32, Tick)>,
    /// By two actors, or by an actor and the number of its run: when it was.
    since: BTreeMap<(usize, usize), Tick>,
    /// By two actors: for how many ticks it has been so.
    lasted: BTreeMap<(usize, usize), u32>,
    /// Who owes what he is to do soon, because of whom, and until when.
    owed: Vec<(usize, usize, Tick)>,
}

/// Whether a promise is kept or broken, and why; `None` while it is open.
type Decided = Option<Result<(), String>>;

impl Progress {
    /// Kept if this is it; else it is remembered as what came instead, unless there is enough.
    fn kept_if(&mut self, is_it: bool, instead: impl FnOnce() -> String) -> Decided {
        if !is_it {
            let what = instead();
            if self.instead.len() < TOLD && !self.instead.contains(&what) {
                self.instead.push(what);
            }
        }
        is_it.then_some(Ok(()))
    }
}

/// A promise of one actor, of a type of squads, or of the world.
#[derive(Clone, Debug)]
struct Case {
    who: Option<usize>,
    verdict: Verdict,
    progress: Progress,
}

/// A promise with a case for each whose promise it is.
struct Judged {
    promise: Promise,
    verdict: Verdict,
    cases: Vec<Case>,
}

/// Judges the promises of one story.
pub struct Judge {
    promises: Vec<Judged>,
    actors: Vec<String>,
    /// The side of each actor; empty if it has none.
    sides: Vec<String>,
    /// Actors with minds.
    minds: Vec<usize>,
    actions: Vec<String>,
    goals: Vec<String>,
    pace: Pace,
}

/// How many of the things that came instead are told.
const TOLD: usize = 3;

impl Judge {
    /// All promises open. The model is the one that the story was read with.
    pub fn new(story: &Story, model: &Model) -> Judge {
        let fresh = |promise: &Promise| {
            let who = match &promise.among {
                Some((_, among)) => among.iter().copied().map(Some).collect(),
                None => vec![promise.who],
            };
            let case = |who| Case { who, verdict: Verdict::Open, progress: Progress::default() };
            let cases = who.into_iter().map(case).collect();
            Judged { promise: promise.clone(), verdict: Verdict::Open, cases }
        };
        let minds = (0..story.actors.len()).filter(|&actor| story.actors[actor].is_minded());
        Judge {
            promises: story.promises.iter().map(fresh).collect(),
            actors: story.actors.iter().map(|actor| actor.name.clone()).collect(),
            sides: story.actors.iter().map(|actor| actor.side.clone()).collect(),
            minds: minds.collect(),
            actions: model.actions().iter().map(|action| action.name().to_string()).collect(),
            goals: model.goals().iter().map(|goal| goal.name().to_string()).collect(),
            pace: story.pace,
        }
    }

    /// One tick: what happened in it, and how things are after it.
    pub fn see(&mut self, now: Tick, happenings: &[Happening], view: &dyn View) {
        self.decide(|judge, promise, Case { who, progress, .. }| {
            let mut hear = |it| judge.hear(promise, *who, it, now, view, progress);
            let decided = happenings
                .iter()
                .find_map(&mut hear)
                .or_else(|| judge.too_heavy(&promise.claim, happenings))
                .or_else(|| judge.watch(&promise.claim, happenings, now, view, progress))
                .or_else(|| judge.look(promise, *who, now, view, progress));
            match decided {
                Some(Ok(())) => Verdict::Kept(now),
                Some(Err(why)) => Verdict::Broken(now, why),
                None if promise.by.is_some_and(|by| now >= by) => {
                    judge.close(promise, *who, now, view, progress)
                }
                None => Verdict::Open,
            }
        });
    }

    /// The end: decides what is still open.
    pub fn finish(&mut self, now: Tick, view: &dyn View) {
        self.decide(|judge, promise, case| {
            judge.close(promise, case.who, now, view, &case.progress)
        });
    }

    /// A verdict for each promise that is open, by the verdicts of its cases.
    fn decide(&mut self, mut how: impl FnMut(&Judge, &Promise, &mut Case) -> Verdict) {
        let mut promises = std::mem::take(&mut self.promises);
        for Judged { promise, verdict, cases } in &mut promises {
            if *verdict != Verdict::Open {
                continue;
            }
            for case in cases.iter_mut().filter(|case| case.verdict == Verdict::Open) {
                case.verdict = how(self, promise, case);
            }
            *verdict = self.together(promise, cases);
        }
        self.promises = promises;
    }

    /// Every promise and how it stands, in the order of the text.
    pub fn verdicts(&self) -> impl Iterator<Item = (&Promise, &Verdict)> {
        self.promises.iter().map(|judged| (&judged.promise, &judged.verdict))
    }

    /// The name of an actor.
    fn name(&self, actor: usize) -> &str {
        self.actors.get(actor).map_or("a squad", String::as_str)
    }

    /// One happening, for one promise.
    fn hear(
        &self,
        promise: &Promise,
        who: Option<usize>,
        happening: &Happening,
        now: Tick,
        view: &dyn View,
        progress: &mut Progress,
    ) -> Decided {
        let (voice, actor) = (happening.actor, view.whom(happening.actor));
        if who.is_some_and(|who| who != actor) {
            return None;
        }
        let ends = matches!(happening.what, EventKind::Ended { .. });
        let is =
            |step: &Step, doing: Activity| step.is(doing) && step.holds(voice, doing, ends, view);
        // What is done beside goes on until something stands in its way: who has begun it does it.
        let done = match happening.what {
            EventKind::Started { doing: doing @ Activity::Beside(_), .. } => Some(doing),
            EventKind::Ended { doing: Activity::Beside(_), .. } => None,
            EventKind::Ended { doing, how: Ending::Done, .. } => Some(doing),
            _ => None,
        };
        match (&promise.claim, happening.what) {
            (Claim::Plans(steps), EventKind::Planned { .. }) => {
                let plan = view.plan(voice);
                let same = |(step, action): (&Step, &u32)| step.has(voice, *action, view);
                let is_it = plan.len() == steps.len() && steps.iter().zip(&plan).all(same);
                progress.kept_if(is_it, || self.spelled(&plan))
            }
            (Claim::NeverPlans(step), EventKind::Planned { .. }) => {
                let plan = view.plan(voice);
                let has_it = plan.iter().any(|&action| step.has(voice, action, view));
                has_it.then(|| Err(format!("it planned {}", self.spelled(&plan))))
            }
            (Claim::Does(steps), _)
                if steps.get(progress.done).zip(done).is_some_and(|(step, it)| is(step, it)) =>
            {
                (progress.done, progress.done_at) = (progress.done + 1, now);
                (progress.done == steps.len()).then_some(Ok(()))
            }
            (Claim::NeverDoes(step), _) => {
                done.filter(|&doing| is(step, doing)).map(|_| Err("it did".to_string()))
            }
            (Claim::Starts(step, wanted), EventKind::Started { doing, kind, .. }) => {
                let as_kind = kind.map(|kind| view.kind(kind));
                let is_it = is(step, doing) && (wanted.is_none() || *wanted == as_kind);
                let manner = as_kind.map_or(String::new(), |kind| format!(" as {kind}"));
                progress.kept_if(is_it, || self.name_of(doing) + &manner)
            }
            (Claim::NeverAmong(step, crowd), EventKind::Started { doing, .. })
                if is(step, doing) =>
            {
                self.among(actor, crowd, view, progress)
            }
            (Claim::Fails(step), EventKind::Ended { doing, how: Ending::Failed(_), .. }) => {
                progress.kept_if(is(step, doing), || self.name_of(doing))
            }
            (Claim::Wants(goals), EventKind::Goal(Some(goal))) => {
                let is_it = goals.contains(&(goal.index() as u32));
                progress.kept_if(is_it, || format!("`{}`", self.goals[goal.index()]))
            }
            // Who begins something and is done with it at once has not stood.
            (Claim::NobodyStands, EventKind::Started { doing, .. })
                if !matches!(doing, Activity::Beside(_)) =>
            {
                progress.between.remove(&actor);
                None
            }
            (Claim::Learns(step), EventKind::Learnt(action)) => {
                step.actions.contains(&(action.index() as u32)).then_some(Ok(()))
            }
            _ => None,
        }
    }

    /// How things are at the end of a tick, for one promise.
    fn look(
        &self,
        promise: &Promise,
        who: Option<usize>,
        now: Tick,
        view: &dyn View,
        progress: &mut Progress,
    ) -> Decided {
        let (soon, who) = (promise.by.is_some(), who.unwrap_or_default());
        let kept = match &promise.claim {
            Claim::Alive(false) => !view.is_alive(who),
            Claim::Alive(true) if !view.is_alive(who) => {
                return Some(Err("it died".to_string()));
            }
            Claim::Is(need) => soon && view.is_so(need),
            Claim::At(spot) => soon && view.is_at(who, spot),
            Claim::Has(what) => soon && view.has(who, what),
            Claim::NeverIs(need) if view.is_so(need) => {
                return Some(Err("it was".to_string()));
            }
            Claim::NeverAt(spot) if view.is_at(who, spot) => {
                return Some(Err("it was there".to_string()));
            }
            Claim::Remembers(kind) => {
                let remembers = view.remembers(who, kind);
                progress.had |= remembers;
                soon && remembers
            }
            Claim::Forgets(kind) => {
                let remembers = view.remembers(who, kind);
                progress.had |= remembers;
                progress.forgotten = match remembers {
                    true => None,
                    false => progress.forgotten.or(progress.had.then_some(now)),
                };
                false
            }
            Claim::CallsBelow(_) => {
                for &actor in self.minds.iter().filter(|&&it| view.idle(it) != Idle::Absent) {
                    let (asked, ticks) = progress.asked.entry(actor).or_default();
                    (*asked, *ticks) = (view.asked(actor), *ticks + 1);
                }
                false
            }
            Claim::Task(what, task) => {
                let mut news = view.squad_news().iter().filter(|told| told.who == who);
                return news.find_map(|told| {
                    let name = told.name.split([' ', '.']).next();
                    let is_it = told.what == *what && name == Some(task);
                    progress.kept_if(is_it, || format!("it {told}"))
                });
            }
            Claim::QuestionsAtMost(most) => {
                let n = view.n_questions();
                let is_over = n > *most as usize;
                return is_over.then(|| Err(format!("{n} questions were asked in one tick")));
            }
            Claim::NobodyShares => {
                let (one, other, node) = view.sharing()?;
                return Some(Err(format!("`{one}` and `{other}` were both at `{node}`")));
            }
            Claim::NobodyStands => return self.somebody_stands(view, progress).map(Err),
            Claim::Picks(select, thing) => {
                let picked = view.picked(who, select);
                if picked.is_empty() {
                    return None;
                }
                let is_it = thing.as_ref().is_none_or(|thing| picked.contains(thing));
                return progress.kept_if(is_it, || picked.join(", "));
            }
            Claim::Cloaked(count, of, most) => {
                return self.uncloaked(who, (*count, of, *most), view, progress);
            }
            Claim::NeverAmong(_, crowd) => {
                Self::watch_crowd(who, crowd, view, progress);
                return None;
            }
            Claim::AtPick(select) => view.is_at_pick(who, select),
            Claim::Leaves(spot) => {
                let is_there = view.is_at(who, spot);
                progress.had |= is_there;
                progress.had && !is_there
            }
            Claim::Within(cells, other, until) => {
                return self
                    .strays(who, *other, *cells, view)
                    .map(Err)
                    .or((now >= *until).then_some(Ok(())));
            }
            Claim::ComesWithin(cells, other) => {
                view.distance(who, *other).is_some_and(|far| far <= *cells)
            }
            _ => false,
        };
        kept.then_some(Ok(()))
    }

    fn too_heavy(&self, claim: &Claim, happenings: &[Happening]) -> Decided {
        let Claim::HeavyAtMost(most) = claim else { return None };
        let is_heavy = |happening: &&Happening| matches!(happening.what, EventKind::Heavy(_));
        let mut runs: BTreeMap<usize, u32> = BTreeMap::new();
        for happening in happenings.iter().filter(is_heavy) {
            *runs.entry(happening.actor).or_default() += 1;
        }
        let (actor, runs) = runs.into_iter().find(|(_, runs)| runs > most)?;
        let name = self.name(actor);
        Some(Err(format!("`{name}` had {runs} heavy sensor runs in one tick")))
    }

    fn somebody_stands(&self, view: &dyn View, progress: &mut Progress) -> Option<String> {
        for &actor in &self.minds {
            let idle = view.idle(actor);
            let between = progress.between.entry(actor).or_default();
            *between = if idle == Idle::Between { *between + 1 } else { 0 };
            let name = &self.actors[actor];
            if idle == Idle::Unexplained {
                return Some(format!("`{name}` does nothing, and a goal of it could be pursued"));
            }
            // The tick after an action ends belongs to the next one.
            if *between > 1 {
                return Some(format!("`{name}` has a plan and does not begin its next step"));
            }
        }
        None
    }

    fn spelled(&self, plan: &[u32]) -> String {
        let name = |&action: &u32| self.actions.get(action as usize).map_or("?", String::as_str);
        match plan.is_empty() {
            true => "nothing".to_string(),
            false => plan.iter().map(name).collect::<Vec<_>>().join(", "),
        }
    }

    fn name_of(&self, doing: Activity) -> String {
        match doing {
            Activity::Step(action) | Activity::Otherwise(action) => {
                self.spelled(&[action.index() as u32])
            }
            Activity::Flavour(_) => "a flavour".to_string(),
            Activity::Beside(_) => "something beside".to_string(),
        }
    }
}

impl Step {
    /// Whether an action is this, with what it asks for in its slot.
    fn has(&self, voice: usize, action: u32, view: &dyn View) -> bool {
        let shown = || view.shown(voice, action);
        self.actions.contains(&action)
            && self.shown.as_ref().is_none_or(|wanted| shown().as_ref() == Some(wanted))
    }

    /// Whether what it asks for is in the slot of what is done, or was when that ended.
    fn holds(&self, voice: usize, doing: Activity, ends: bool, view: &dyn View) -> bool {
        let Some(wanted) = &self.shown else { return true };
        let action = doing.action().map(|action| action.index() as u32);
        action.is_some_and(|action| match ends {
            true => view.shown_at_end(voice, action).as_ref() == Some(wanted),
            false => self.has(voice, action, view),
        })
    }

    /// Whether this is done.
    pub fn is(&self, doing: Activity) -> bool {
        match doing {
            Activity::Step(action) | Activity::Otherwise(action) => {
                self.actions.contains(&(action.index() as u32))
            }
            Activity::Flavour(flavour) => self.flavour == Some(flavour),
            Activity::Beside(beside) => self.beside == Some(beside),
        }
    }
}
