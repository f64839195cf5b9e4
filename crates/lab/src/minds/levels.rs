//! Five hundred soldiers in the fights of three levels, and in none: each level many times at once.
//!
//! In:   `office.npc`, `courtyard.npc` and `warehouse.npc` of `domains/levels`, with a seed for each
//!       copy; `market_hundred.npc` once; a barracks in which nothing happens, at 60 ticks a second.
//! Out:  nanoseconds of every tick of all minds together, by phase; how the planner was asked; bytes
//!       of a mind.
//! Cost: some minutes of story for five hundred, some times; the run whose sum is least counts, whole.
//!
//! A tick of all is the sum of the ticks of the copies: they are in step, and what minds of one do is
//! no affair of another. The dead have no minds, so that ticks grow cheaper in time: percentiles are of
//! the ticks in which at least half of the minds live.

use super::bytes::Bytes;
use super::fight::wall_nanoseconds;
use super::ticks::{Meter, TickCost, at_most};
use crate::corpus;
use crate::report::{BenchResult, Session};
use crate::stories;
use throng::Domain;
use throng_mind::tick::PHASES;
use throng_world::story::run::Play;

/// So many minds are measured at least.
const MINDS: usize = 500;

/// The promise about how often the planner is asked, and what it says. Levels keep it for each
/// soldier on the seeds that they are tested with; on others who dies early in the thick of a fight
/// may have asked more often, so here all soldiers together are held to it.
const CALLS: &str = "calls below";
const MOST_CALLS: f64 = 2.0;

/// Soldiers whom nothing happens to.
const BARRACKS: &str = include_str!("barracks.npc");
/// The barracks come to rest first: seconds that do not count.
const SETTLING: f64 = 2.0;

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Level {
    Office,
    Courtyard,
    Warehouse,
    Market,
    Barracks,
}

impl Level {
    /// As pages call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Level::Office => "office",
            Level::Courtyard => "courtyard",
            Level::Warehouse => "warehouse",
            Level::Market => "market_hundred",
            Level::Barracks => "barracks",
        }
    }

    fn load(self) -> BenchResult<Domain> {
        if self != Level::Barracks {
            return Ok(Domain::from_file(corpus::story(self.name()))?);
        }
        let folder = corpus::story("office");
        let folder = folder.parent().ok_or("levels are in no folder")?;
        let read = |path: &str| std::fs::read_to_string(folder.join("soldiers").join(path));
        let (soldier, kit) = (read("soldier.npc")?, read("kit.npc")?);
        let soldier = soldier.replace("use \"kit.npc\"", &kit).replace("domain soldier", "");
        Ok(Domain::from_text(&BARRACKS.replace("use \"soldiers/soldier.npc\"", &soldier))?)
    }

    /// How many copies make five hundred.
    fn copies(self, minds: usize) -> usize {
        if self == Level::Market { 1 } else { MINDS.div_ceil(minds.max(1)) }
    }
}

/// What all copies of a level cost.
pub(super) struct Levels {
    pub(super) level: Level,
    pub(super) minds: usize,
    /// Ticks in a second of the story.
    pub(super) per_second: f64,
    /// Those in which at least half of the soldiers live.
    pub(super) ticks: Vec<TickCost>,
    pub(super) asked: u64,
    pub(super) searched: u64,
    /// Seconds lived, of all soldiers together.
    pub(super) lived: f64,
    /// Of the mind that took most, in any tick.
    pub(super) bytes: Bytes,
}

impl Levels {
    /// The cost of a tick that so many of a thousand do not exceed.
    pub(super) fn at_most(&self, thousandths: usize) -> u64 {
        at_most(self.ticks.iter().map(|tick| tick.whole), thousandths)
    }

    /// The same of a phase alone.
    pub(super) fn phase_at_most(&self, phase: usize, thousandths: usize) -> u64 {
        at_most(self.ticks.iter().map(|tick| tick.phases[phase]), thousandths)
    }

    /// A phase's part of all, from 0 to 1.
    pub(super) fn share(&self, phase: usize) -> f64 {
        let of: u64 = self.ticks.iter().map(|tick| tick.phases[phase]).sum();
        of as f64 / self.sum().max(1) as f64
    }

    /// How often the planner was asked, per mind and second.
    pub(super) fn rate(&self) -> f64 {
        self.asked as f64 / self.lived.max(1.0)
    }

    /// Milliseconds of a second of the story, for five hundred minds.
    pub(super) fn milliseconds(&self) -> f64 {
        let tick = self.sum() as f64 / self.ticks.len().max(1) as f64;
        tick * self.per_second * MINDS as f64 / self.minds.max(1) as f64 / 1e6
    }

    pub(super) fn sum(&self) -> u64 {
        self.ticks.iter().map(|tick| tick.whole).sum()
    }
}

pub(super) fn plan_phase() -> usize {
    PHASES.iter().position(|phase| phase.name == "plan").unwrap_or(0)
}

pub(super) fn measure(session: &mut Session<'_>, level: Level) -> BenchResult<Levels> {
    let domain = level.load()?;
    let mut best: Option<(Levels, u64)> = None;
    for _ in 0..session.pick(3, 1) {
        session.begin(level.name())?;
        let (found, digest) = once(level, &domain, session)?;
        if best.as_ref().is_some_and(|(_, known)| *known != digest) {
            session.wrong.push(format!("{} is another each time", level.name()));
        }
        if best.as_ref().is_none_or(|(known, _)| found.sum() < known.sum()) {
            best = Some((found, digest));
        }
    }
    Ok(best.ok_or("nobody lived")?.0)
}

fn begin(domain: &Domain, seed: u64) -> BenchResult<(Play, Meter)> {
    let mut play = Play::of_seed(domain.model(), Some(seed), 1)?;
    play.measure_by(Some(wall_nanoseconds));
    Ok((play, Meter::new(None)))
}

fn once(level: Level, domain: &Domain, session: &mut Session<'_>) -> BenchResult<(Levels, u64)> {
    let mut plays = vec![begin(domain, 1)?];
    let copies = level.copies(plays[0].0.minds().len());
    for seed in 2..=session.pick(copies, 2.min(copies)) {
        plays.push(begin(domain, seed as u64)?);
    }
    let living = |plays: &[(Play, Meter)]| plays.iter().map(|(play, _)| play.minds().len()).sum();
    let minds: usize = living(&plays);
    let pace = plays[0].0.story().pace;
    let settled = if level == Level::Barracks { pace.ticks(SETTLING) } else { 0 };
    // A market of ten minutes is for those who have the time.
    let until = if level == Level::Market { session.pick(600.0, 20.0) } else { f64::INFINITY };
    let (mut ticks, mut lived, mut is_over) = (Vec::new(), 0.0, false);
    let mut bytes: Option<Bytes> = None;
    while !is_over && pace.seconds(plays[0].0.now()) < until {
        session.go_on()?;
        let mut all = TickCost::default();
        for (play, meter) in &mut plays {
            is_over |= !play.tick();
            let tick = meter.tick(play.minds());
            all.whole += tick.whole;
            all.phases.iter_mut().zip(tick.phases).for_each(|(sum, cost)| *sum += cost);
            let most = Bytes::most(play.minds().iter());
            let is_more = |most: &Bytes| bytes.is_none_or(|known| most.all > known.all);
            bytes = most.filter(is_more).or(bytes);
        }
        let alive: usize = living(&plays);
        lived += alive as f64;
        if !is_over && 2 * alive >= minds && plays[0].0.now() > settled {
            ticks.push(all);
        }
    }
    let lived = lived * pace.seconds(1);
    let per_second = pace.seconds(1).recip();
    let bytes = bytes.ok_or("nobody lived")?;
    let mut found = Levels { level, minds, per_second, ticks, asked: 0, searched: 0, lived, bytes };
    let mut digest = 0u64;
    for (play, _) in &plays {
        let broken = stories::broken(play).into_iter().filter(|it| !it.starts_with(CALLS));
        // Copies have seeds of their own, on which a promise about luck may fail; all are shown.
        let broken = broken.filter(|_| is_over && level == Level::Office);
        let name = level.name();
        session.wrong.extend(broken.map(|promise| format!("{name} broke a promise: {promise}")));
        let totals = play.minds().totals();
        found.asked += totals.asked;
        found.searched += totals.calls;
        digest = digest.rotate_left(7) ^ play.digest();
    }
    let calls = found.asked as f64 / found.lived.max(1.0);
    if calls >= MOST_CALLS {
        session.wrong.push(format!("minds asked the planner {calls:.2} times a second"));
    }
    Ok((found, digest))
}
