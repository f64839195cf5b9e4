//! The ground of the lives, and what members and squads do there.

use std::collections::BTreeMap;
use throng_base::SplitMix;
use throng_mind::fact::{Attribute, EntityId, FactDraft, Position};
use throng_mind::orders::{Order, TaskSlot};
use throng_mind::squad::{
    AdvanceInCover, Flank, GetToCover, Ground, HoldGround, LayFire, OnDuty, OrderlyAdvance,
    SearchArea, Spot, Strike, Team, outcome,
};
use throng_mind::time::{Tick, after};
use throng_mind::words::Word;
use throng_mind::{Acting, Behaviour, Body, Mind, Progress};

const ENEMY: EntityId = EntityId(9_999);

/// A plane: who is where, and spots.
pub(crate) struct Plain {
    pub(crate) people: BTreeMap<EntityId, (Position, Word)>,
    pub(crate) spots: Vec<Spot>,
    pub(crate) enemy: Option<Position>,
    pub(crate) character: Word,
}

impl Plain {
    fn near(&self, around: Position, reach: f32) -> Vec<Spot> {
        let mut spots = self.spots.clone();
        spots.retain(|spot| far(spot.place, around) <= reach);
        spots.sort_by(|a, b| far(a.place, around).total_cmp(&far(b.place, around)));
        spots
    }
}

pub(crate) fn far(a: Position, b: Position) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt()
}

impl Ground for Plain {
    fn side(&self, who: EntityId) -> Word {
        self.people.get(&who).map_or(Word::NONE, |(_, side)| *side)
    }
    fn known_to(&self, _: &[&Mind]) -> Vec<FactDraft> {
        let fact = |at| {
            FactDraft::new(self.character).with(Attribute::Object, ENEMY, 1.0).with(
                Attribute::Position,
                at,
                1.0,
            )
        };
        self.enemy.map(fact).into_iter().collect()
    }
    fn covers(
        &self,
        _: &[EntityId],
        around: Position,
        reach: f32,
        _: Option<Position>,
    ) -> Vec<Spot> {
        self.near(around, reach)
    }
    fn places(&self, _: &[EntityId], around: Position, reach: f32) -> Vec<Spot> {
        self.near(around, reach)
    }
    fn way(&self, from: Position, to: Position, _: Option<Position>) -> Option<f32> {
        Some(far(from, to))
    }
    fn sees(&self, from: Position, to: Position) -> bool {
        // Some things stand in the way.
        (from[0] + to[0]) as i32 % 3 != 0
    }
    fn reaches(&self, from: Position, to: Position) -> bool {
        far(from, to) < 40.0
    }
}

/// A member's work: some moments, and then it is done, or it cannot be done.
struct Work;

impl Behaviour<Plain> for Work {
    fn start(&self, acting: &mut Acting<'_, Plain>) -> Progress {
        let mut dice = SplitMix::new(acting.me.0 << 32 | u64::from(acting.now));
        *acting.state = dice.number() % 100;
        Progress::Until(after(acting.now, 1 + (dice.number() % 20) as Tick))
    }
    fn go_on(&self, acting: &mut Acting<'_, Plain>) -> Progress {
        match *acting.state {
            0..70 => Progress::Done,
            70..85 => Progress::Failed(acting.word("gone")),
            // As long as it lasts.
            _ => Progress::Until(after(acting.now, 5)),
        }
    }
}

/// A member's work that lasts for as long as it is wanted.
struct Stay;

impl Behaviour<Plain> for Stay {
    fn start(&self, acting: &mut Acting<'_, Plain>) -> Progress {
        Progress::Until(after(acting.now, 1_000))
    }
    fn go_on(&self, acting: &mut Acting<'_, Plain>) -> Progress {
        self.start(acting)
    }
}

/// A squad behaviour of one's own: everybody to a point of a ring around the middle.
struct FormRing;

impl Behaviour<Plain> for FormRing {
    fn start(&self, acting: &mut Acting<'_, Plain>) -> Progress {
        let team = Team::of(acting);
        let n = team.mates.len().max(1) as f32;
        for (at, mate) in team.mates.iter().enumerate() {
            let angle = at as f32 / n * std::f32::consts::TAU;
            let place =
                [team.middle[0] + 3.0 * angle.cos(), team.middle[1] + 3.0 * angle.sin(), 0.0];
            let (what, slot) = (acting.word("ring"), TaskSlot::Free);
            acting.board.order(Order::Task { what, to: mate.me, place, slot, about: None });
        }
        Progress::Waiting
    }
    fn go_on(&self, acting: &mut Acting<'_, Plain>) -> Progress {
        let all = outcome(acting.board, throng_mind::orders::OrderId(0));
        match (all.open, all.done) {
            (0, 0) => Progress::Failed(all.why.unwrap_or(Word::NONE)),
            (0, _) => Progress::Done,
            _ => Progress::Waiting,
        }
    }
}

/// How many spots have names.
const SPOTS: usize = 150;

/// The name of a spot.
pub(crate) fn spot_name(at: usize) -> String {
    format!("spot_{at}")
}

pub(crate) fn body() -> Body<Plain> {
    let spots: Vec<String> = (0..SPOTS).map(spot_name).collect();
    Body::new()
        .for_many_files()
        .words(&spots.iter().map(String::as_str).collect::<Vec<_>>())
        .behaviour("work", OnDuty { does: Work, is_all: true })
        .behaviour("stay", OnDuty { does: Stay, is_all: true })
        .behaviour("get_to_cover", GetToCover)
        .behaviour("advance_in_cover", AdvanceInCover)
        .behaviour("orderly_advance", OrderlyAdvance)
        .behaviour("search_area", SearchArea)
        .behaviour("lay_fire", LayFire)
        .behaviour("flank", Flank)
        .behaviour("strike", Strike)
        .behaviour("hold_ground", HoldGround)
        .behaviour("form_ring", FormRing)
        .words(&["wish", "red", "blue", "mood", "sight", "den"])
}
