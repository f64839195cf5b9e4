//! Many soldiers who want the same: five hundred, ten covers, eight enemies.
//!
//! In:   soldiers who all know the same things, of two sides; in every tick a tenth of them learns
//!       that the enemies have moved.
//! Out:  nanoseconds per mind and tick, of all and of what is in no phase, with claims and `spread`
//!       and without a word of them.
//! Cost: some seconds of story, twice.
//!
//! After every tick what is claimed must be in a slot of who has it, and nobody else may have it.

use super::fight::wall_nanoseconds;
use super::soldiers::{Knowledge, Nowhere, PACE, minds, tell};
use crate::report::{BenchResult, Session};
use throng_mind::events::{Event, EventKind};
use throng_mind::orders::MindId;
use throng_mind::select::{Claim, PickReason};
use throng_mind::words::Word;
use throng_mind::{Mind, Minds};

const MINDS: usize = 500;
/// Of so many soldiers one has news in a tick.
const NEWS: usize = 10;
/// Ticks before it counts, and ticks that count.
const WARM: u32 = PACE;
const TICKS: u32 = 3 * PACE;

/// Nanoseconds per mind and tick.
#[derive(Clone, Copy)]
pub(super) struct Cost {
    pub(super) all: f64,
    /// In no phase: settling who has what.
    pub(super) between: f64,
}

/// Soldiers who contend, and who do not.
pub(super) struct Contending {
    pub(super) minds: usize,
    pub(super) with: Cost,
    pub(super) without: Cost,
    /// The most claims that there were after a tick.
    pub(super) claims: usize,
    /// How often something was lost to another.
    pub(super) lost: u64,
}

pub(super) fn measure(session: &mut Session<'_>) -> BenchResult<Contending> {
    session.begin("five hundred who want the same")?;
    let n = session.pick(MINDS, 20);
    let (mut claims, mut lost) = (0, 0);
    let mut costs = [Cost { all: f64::INFINITY, between: f64::INFINITY }; 2];
    for _ in 0..session.pick(3, 1) {
        for (alone, cost) in [false, true].into_iter().zip(&mut costs) {
            session.go_on()?;
            let mut life = Life { minds: minds(n, alone)?, claims: 0, lost: 0 };
            let new = life.live(session)?;
            if new.all < cost.all {
                *cost = new;
            }
            claims = claims.max(life.claims);
            lost = lost.max(life.lost);
        }
    }
    let [with, without] = costs;
    if n == MINDS && (claims == 0 || lost == 0) {
        session.wrong.push("nobody has contended for anything".to_string());
    }
    Ok(Contending { minds: n, with, without, claims, lost })
}

struct Life {
    minds: Minds<Nowhere>,
    claims: usize,
    lost: u64,
}

impl Life {
    fn live(&mut self, session: &mut Session<'_>) -> BenchResult<Cost> {
        let words = self.minds.spec().words.clone();
        let knows = Knowledge { words: &words, first: 1 };
        let ids: Vec<MindId> = self.minds.iter().map(Mind::id).collect();
        for (at, &id) in ids.iter().enumerate() {
            self.minds.set_side(id, Word(at as u32 % 2))?;
            tell(&mut self.minds, id, knows.rest(), false)?;
            tell(&mut self.minds, id, knows.news(0), false)?;
        }
        for now in 1..=WARM + TICKS {
            for &id in ids.iter().skip(now as usize % NEWS).step_by(NEWS) {
                tell(&mut self.minds, id, knows.news(now / 8), true)?;
            }
            self.minds.tick(&Nowhere, now);
            self.check(session);
            if now == WARM {
                self.minds.measure_by(Some(wall_nanoseconds));
            }
        }
        let mind_ticks = (ids.len() as u64 * u64::from(TICKS)) as f64;
        let (all, phases) = (self.minds.cost(), self.minds.costs().iter().sum::<u64>());
        Ok(Cost {
            all: all as f64 / mind_ticks,
            between: all.saturating_sub(phases) as f64 / mind_ticks,
        })
    }

    /// What is claimed is had by one, who has picked it.
    fn check(&mut self, session: &mut Session<'_>) {
        let claims = self.minds.claims();
        self.claims = self.claims.max(claims.len());
        if claims.windows(2).any(|pair| pair[0].key == pair[1].key) {
            session.wrong.push("two have claimed one thing".to_string());
        }
        let has = |claim: &Claim| {
            let mind = self.minds.mind(claim.mind);
            mind.is_some_and(|mind| mind.picks().slots().iter().any(|it| it.key == claim.key))
        };
        if !claims.iter().all(has) {
            session.wrong.push("something is claimed by one who has not picked it".to_string());
        }
        let is_taken =
            |event: &&Event| matches!(event.what, EventKind::Picked { why: PickReason::Taken, .. });
        self.lost += self.minds.events().iter().filter(is_taken).count() as u64;
    }
}
