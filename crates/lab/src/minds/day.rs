//! A thousand minds in the western day: the cost of every tick by phase, with and without a budget
//! for planning, on one thread and on two, and what they take when they are far away.
//!
//! In:   `domains/stories/western_day.npc`, in which all begin in the same tick.
//! Out:  for each budget, nanoseconds of every tick by phase and how many minds asked the planner;
//!       bytes of a mind, near and far.
//! Cost: the day, some times for each budget. The run whose sum is least counts, whole: a day is
//!       the same each time, so what differs is not its own, and its ticks were all one day's.

use super::fight::wall_nanoseconds;
use super::ticks::{Meter, TickCost, at_most};
use crate::report::{BenchResult, Session};
use crate::stories;
use std::collections::HashMap;
use std::sync::Arc;
use throng::crowd::{CrowdSettings, GroupId, Pool, Population};
use throng::{Domain, Offscreen};
use throng_mind::Minds;
use throng_mind::orders::MindId;
use throng_world::body::body;
use throng_world::story::run::Play;
use throng_world::world::World;

const STORY: &str = include_str!("../../../../domains/stories/western_day.npc");

/// How many minds may ask the planner in a tick.
const BUDGETS: [Option<u32>; 3] = [None, Some(100), Some(20)];

/// The day with one budget.
pub(super) struct Day {
    pub(super) budget: Option<u32>,
    pub(super) threads: usize,
    pub(super) ticks: Vec<TickCost>,
    /// Questions to the planner, and how many of them it had to search for.
    pub(super) asked: u64,
    pub(super) searched: u64,
}

impl Day {
    /// The cost of a tick that so many of a thousand do not exceed.
    pub(super) fn at_most(&self, thousandths: usize) -> u64 {
        at_most(self.ticks.iter().map(|tick| tick.whole), thousandths)
    }

    /// Nanoseconds of all its ticks.
    pub(super) fn sum(&self) -> u64 {
        self.ticks.iter().map(|tick| tick.whole).sum()
    }

    /// The dearest tick in one of its phases.
    pub(super) fn worst_of(&self, phase: usize) -> u64 {
        self.ticks.iter().map(|tick| tick.phases[phase]).max().unwrap_or(0)
    }

    pub(super) fn most_asked(&self) -> u32 {
        self.ticks.iter().map(|tick| tick.asked).max().unwrap_or(0)
    }

    /// The most ticks in a row in which a mind waited.
    pub(super) fn longest_line(&self) -> usize {
        let lines = self.ticks.split(|tick| tick.waiting == 0);
        lines.map(<[TickCost]>::len).max().unwrap_or(0)
    }
}

/// What a mind takes, near and far.
pub(super) struct Bytes {
    pub(super) near: usize,
    /// As a row, with all else of it packed.
    pub(super) far: usize,
}

/// The days, and bytes at noon.
pub(super) struct Town {
    pub(super) minds: usize,
    /// On one thread, by budget.
    pub(super) days: Vec<Day>,
    /// On two, without a budget.
    pub(super) on_two: Day,
    pub(super) bytes: Bytes,
}

pub(super) fn measure(session: &mut Session<'_>) -> BenchResult<Town> {
    let domain = Domain::from_text(STORY)?;
    let (mut days, mut on_two) = (Vec::new(), Vec::new());
    for budget in BUDGETS {
        session.begin(match budget {
            None => "a thousand in the western day, no budget",
            Some(_) => "a thousand in the western day, with a budget",
        })?;
        let threads: &[usize] = if budget.is_none() { &[1, 2] } else { &[1] };
        let mut runs = Vec::new();
        for _ in 0..session.pick(5, 1) {
            for &threads in threads {
                runs.push(once(&domain, (budget, threads), session)?);
            }
        }
        if runs.iter().any(|(_, digest)| *digest != runs[0].1) {
            session.wrong.push(format!("the day with budget {budget:?} is another each time"));
        }
        let (one, two): (Vec<Day>, Vec<Day>) =
            runs.into_iter().map(|(day, _)| day).partition(|day| day.threads == 1);
        days.extend(cheapest(one.into_iter()));
        on_two.extend(cheapest(two.into_iter()));
    }
    session.begin("a thousand far away")?;
    let mut noon = play(&domain, (None, 1))?;
    while noon.now() < session.pick(230, 8) && noon.tick() {}
    let bytes = bytes(&domain, &noon, session)?;
    let on_two = on_two.pop().ok_or("nobody lived on two threads")?;
    Ok(Town { minds: noon.minds().len(), days, on_two, bytes })
}

/// The run that cost least, as it was.
fn cheapest(runs: impl Iterator<Item = Day>) -> Option<Day> {
    runs.min_by_key(Day::sum)
}

fn play(domain: &Domain, (budget, threads): (Option<u32>, usize)) -> BenchResult<Play> {
    let mut play = stories::play_on(domain, threads)?;
    play.set_budget(budget);
    Ok(play)
}

/// One day, or its first ticks; with a number for all that happened in it.
fn once(
    domain: &Domain,
    (budget, threads): (Option<u32>, usize),
    session: &mut Session<'_>,
) -> BenchResult<(Day, u64)> {
    let (mut play, most_ticks) = (play(domain, (budget, threads))?, session.pick(u32::MAX, 8));
    play.measure_by(Some(wall_nanoseconds));
    let (mut ticks, mut meter) = (Vec::new(), Meter::new(budget).on(threads));
    let mut asked: HashMap<MindId, u32> = HashMap::new();
    while play.now() < most_ticks && play.tick() {
        let mut tick = meter.tick(play.minds());
        for mind in play.minds().iter() {
            let questions = mind.plan().asked();
            let before = asked.insert(mind.id(), questions).unwrap_or(0);
            tick.asked += u32::from(questions > before);
            tick.waiting += u32::from(mind.plan().waits().is_some());
        }
        if budget.is_some_and(|budget| tick.asked > budget) {
            session.wrong.push(format!("{} asked in a tick with budget {budget:?}", tick.asked));
        }
        ticks.push(tick);
    }
    if play.is_over() {
        let told = |promise| format!("budget {budget:?} broke a promise: {promise}");
        session.wrong.extend(stories::broken(&play).into_iter().map(told));
    }
    let totals = play.minds().totals();
    let day = Day { budget, threads, ticks, asked: totals.asked, searched: totals.calls };
    Ok((day, play.digest()))
}

/// Sends all minds far away and lets them come back: nothing may be lost.
fn bytes(domain: &Domain, play: &Play, session: &mut Session<'_>) -> BenchResult<Bytes> {
    let saved = play.minds().save();
    let mut spec = domain.mind_spec(play.story().pace.ticks_per_second)?;
    spec.words = play.minds().spec().words.clone();
    let mut minds: Minds<World> = Minds::new(spec, body(), 1)?;
    minds.restore(&saved)?;
    let ids: Vec<MindId> = minds.iter().map(|mind| mind.id()).collect();
    let near = minds.bytes() / ids.len().max(1);
    let pool = Arc::new(Pool::new(1));
    let mut people = Population::new(domain.compiled_arc(), CrowdSettings::default(), pool);
    let mut far = Offscreen::new();
    for &id in &ids {
        far.demote(id, &mut minds, &mut people, GroupId::FIRST)?;
    }
    let rows: usize = people.crowds().iter().map(|crowd| crowd.column_bytes()).sum();
    let far_bytes = (far.bytes() + rows) / ids.len().max(1);
    for &id in &ids {
        far.promote(id, &mut minds, &mut people, play.world())?;
    }
    let back = minds.save();
    if back != saved {
        session.wrong.push("minds that were far away came back as others".to_string());
    }
    Ok(Bytes { near, far: far_bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(ticks: &[(u64, u64)]) -> Day {
        let tick = |&(first, second): &(u64, u64)| {
            let phases = [first, second, 0, 0, 0, 0, 0, 0, 0];
            TickCost { whole: first + second + 5, phases, asked: 0, waiting: 0 }
        };
        Day {
            budget: None,
            threads: 1,
            ticks: ticks.iter().map(tick).collect(),
            asked: 0,
            searched: 0,
        }
    }

    #[test]
    fn a_day_counts_as_it_was_and_is_not_made_of_the_best_of_several() {
        let runs = [day(&[(9, 1), (1, 9)]), day(&[(1, 8), (2, 8)]), day(&[(1, 1), (40, 1)])];
        let best = cheapest(runs.into_iter()).unwrap();
        assert_eq!(best.ticks, day(&[(1, 8), (2, 8)]).ticks);
        assert_eq!((best.at_most(500), best.at_most(990)), (14, 15));
        assert_eq!(best.ticks[0].between(), 5);
    }
}
