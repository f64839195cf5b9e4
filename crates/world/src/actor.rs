//! Actors: who moves, by a mind or by the script.

pub(crate) mod jobs;

use crate::cell::Cell;
use crate::goods::Goods;
use crate::register::{Member, Numbered};
use jobs::Jobs;
use throng_base::{codec_enum, codec_struct};
use throng_mind::fact::EntityId;
use throng_mind::time::Tick;
use throng_mind::words::Word;

/// Where actors are who have left a story.
pub(crate) const OFF_THE_MAP: Cell = Cell::new(-1, -1);

/// How an actor holds himself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Posture {
    /// On his feet.
    #[default]
    Standing,
    /// Low: harder to hit beside cover.
    Crouched,
    /// On or in a vehicle; it moves with him.
    Riding,
    /// On a ladder.
    Climbing,
}

/// How an actor goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Manner {
    /// Upright.
    Walk,
    /// Fast.
    Run,
    /// Low and slow, out of view of enemies where possible.
    Sneak,
    /// As run, and through windows.
    Dive,
    /// As run, and onto what is out of reach for who walks.
    Leap,
}

/// Who decides what an actor does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Control {
    /// A mind: it is told what can be sensed.
    Mind,
    /// The script; nothing is told.
    Script,
}

/// What an actor fights with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weapon {
    /// Its name.
    pub name: Word,
    /// In hand; holstered if not.
    pub armed: bool,
    /// Rounds in it now.
    pub rounds: u16,
    /// Rounds it holds when loaded; 0 for what only hits at arm's length.
    pub holds: u16,
}

/// An actor as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Actor {
    /// His number.
    pub handle: EntityId,
    /// His name.
    pub name: Word,
    /// The same as text.
    pub text: String,
    /// Whose side he is on; those of other sides are enemies. [`Word::NONE`]: no one's enemy.
    pub side: Word,
    /// Where he is. No two of the living are in one cell, unless the rules say `bodies_pass`.
    pub cell: Cell,
    /// Which way he looks, as steps to the side and down; (0, 1) at first.
    pub facing: (i16, i16),
    /// What he can take; at 0 he is dead.
    pub health: i32,
    /// What he fights with.
    pub weapon: Option<Weapon>,
    /// Rounds that he has besides those in his weapon; `None`: as many as he needs.
    pub spare: Option<u16>,
    /// How many grenades he carries.
    pub grenades: u16,
    /// What he has picked up, oldest first.
    pub carries: Vec<EntityId>,
    /// Things that are his own, wherever they are, by number.
    pub owns: Vec<EntityId>,
    /// What he has that is counted: coins, bread.
    pub goods: Goods,
    /// How he holds himself.
    pub posture: Posture,
    /// What he rides or climbs.
    pub on: Option<EntityId>,
    /// Ticks that he has climbed on the ladder he is on.
    pub climbed: Tick,
    /// The target that he aims at.
    pub aims_at: Option<EntityId>,
    /// Whether he lives.
    pub alive: bool,
    /// Who decides what he does.
    pub control: Control,
    /// Links that he believes impassable: his ways lead round them (order `avoid`).
    pub avoids: Vec<EntityId>,
    /// Where he believes enemies to be: sneaking he keeps out of their view (order `avoid`).
    pub shuns: Vec<Cell>,
    /// The door, or who, stopped him last; forgotten when he sets out anew.
    pub blocked_by: Option<EntityId>,
    /// The node that he holds or is on the way to, by position in [`Site::nodes`](crate::site::Site::nodes).
    pub holds_node: Option<usize>,
    /// What plays, and until when.
    pub plays: Option<(Word, Tick)>,
    /// Until when fire keeps his head down: his own shots do no harm before that.
    pub pinned: Option<Tick>,
    /// Whether he is seen only from near.
    pub cloaked: bool,
    /// Orders under way, one per subsystem.
    pub(crate) jobs: Jobs,
}

codec_enum!("posture" Posture { 0 => Standing, 1 => Crouched, 2 => Riding, 3 => Climbing });
codec_enum!("control of an actor" Control { 0 => Mind, 1 => Script });
codec_enum!("manner of going" Manner { 0 => Walk, 1 => Run, 2 => Sneak, 3 => Dive, 4 => Leap });
codec_struct!(Weapon { name, armed, rounds, holds });
codec_struct!(Actor {
    handle,
    name,
    text,
    side,
    cell,
    facing,
    health,
    weapon,
    spare,
    grenades,
    carries,
    owns,
    goods,
    posture,
    on,
    climbed,
    aims_at,
    alive,
    control,
    avoids,
    shuns,
    blocked_by,
    holds_node,
    plays,
    pinned,
    cloaked,
    jobs,
});

impl Actor {
    /// Whether a mind decides what he does, and he lives.
    pub fn is_minded(&self) -> bool {
        self.alive && self.control == Control::Mind
    }

    /// Whether he is of this side and a mind, or the script, decides what he does.
    pub(crate) fn is_of(&self, side: Word, has_mind: bool) -> bool {
        self.side == side && (self.control == Control::Mind) == has_mind
    }

    /// Whether an order of his is under way.
    pub fn is_busy(&self) -> bool {
        !self.jobs.is_empty()
    }

    /// Whether he is on the way somewhere.
    pub fn is_moving(&self) -> bool {
        self.jobs.moving.is_some()
    }

    /// Whether the other is of another side.
    pub fn is_enemy_of(&self, other: &Actor) -> bool {
        self.side != other.side && self.side != Word::NONE && other.side != Word::NONE
    }
}

impl Member for Actor {
    fn name(&self) -> (Word, &str) {
        (self.name, &self.text)
    }

    /// The dead are not found; the others by their side.
    fn found(&self) -> Option<(Cell, Word)> {
        self.alive.then_some((self.cell, self.side))
    }
}

impl Numbered for Actor {
    fn handle(&self) -> EntityId {
        self.handle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn actors_and_their_parts_come_back() {
        // The lists of choices are checked by the compiler.
        comes_back::<Posture>(|trial, _| trial.any());
        comes_back::<Control>(|trial, _| trial.any());
        comes_back::<Manner>(|trial, _| trial.any());
        comes_back::<Weapon>(|trial, _| Weapon {
            name: trial.any(),
            armed: trial.any(),
            rounds: trial.any(),
            holds: trial.any(),
        });
        comes_back::<Actor>(|trial, _| Actor {
            handle: trial.any(),
            name: trial.any(),
            text: trial.any(),
            side: trial.any(),
            cell: trial.any(),
            facing: trial.any(),
            health: trial.any(),
            weapon: trial.any(),
            spare: trial.any(),
            grenades: trial.any(),
            carries: trial.any(),
            owns: trial.any(),
            goods: trial.any(),
            posture: trial.any(),
            on: trial.any(),
            climbed: trial.any(),
            aims_at: trial.any(),
            alive: trial.any(),
            control: trial.any(),
            avoids: trial.any(),
            shuns: trial.any(),
            blocked_by: trial.any(),
            holds_node: trial.any(),
            plays: trial.any(),
            pinned: trial.any(),
            cloaked: trial.any(),
            jobs: trial.any(),
        });
    }
}
