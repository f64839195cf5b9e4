//! What an engine implements: who there is, what can be seen, how one gets there, what there is.
//!
//! In:   questions of sensors and behaviours, about the tick that is sensed.
//! Out:  answers: now, later (a ray or a path that the engine has not cast yet), or never.
//! Cost: the engine's. The kit asks for a ray or a path only in work that it calls heavy.
//!
//! Positions are three numbers in the engine's own unit; the kit never assumes a plane or a grid. It
//! takes an arm's length for 1.5 and a step for 1, so an engine with other units scales them.
//! Answers must be the same for the same world: minds of one tick ask on any thread, in any order.

use crate::geometry::{along, direction, distance};
use crate::words::Vocabulary;
use throng_mind::fact::{EntityId, Position};
use throng_mind::time::Tick;
use throng_mind::words::Word;

/// An answer of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineAnswer<T> {
    /// This is so.
    Now(T),
    /// Not known yet: the kit asks a [question](crate::questions), and goes by what it knows until the
    /// engine answers.
    Later,
    /// There is none: no way, no room, no line.
    Never,
}

impl<T> EngineAnswer<T> {
    /// The answer, if it is there.
    pub fn now(self) -> Option<T> {
        match self {
            EngineAnswer::Now(it) => Some(it),
            EngineAnswer::Later | EngineAnswer::Never => None,
        }
    }
}

impl<T> From<Option<T>> for EngineAnswer<T> {
    fn from(it: Option<T>) -> Self {
        it.map_or(EngineAnswer::Never, EngineAnswer::Now)
    }
}

/// What one is to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attitude {
    /// To be fought.
    Enemy,
    /// Of the same side.
    Friend,
    /// Neither.
    Neutral,
}

/// A body as it is; `Seen::at(place)` is one without more to say.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Seen {
    /// Where it is.
    pub place: Position,
    /// Which way it looks.
    pub facing: Position,
    /// Whether it lives.
    pub alive: bool,
    /// What it can take.
    pub health: f32,
    /// `standing`, `crouched`, `riding`, `climbing`; [`Word::NONE`] for what has no posture.
    pub posture: Word,
    /// Whom or what it aims at.
    pub aims_at: Option<EntityId>,
    /// Whether fire keeps it down.
    pub pinned: bool,
    /// Hard to see, by whatever means.
    pub cloaked: bool,
    /// Under a roof.
    pub roofed: bool,
    /// What it rides or climbs.
    pub on: Option<EntityId>,
    /// Ticks that it has climbed on what it climbs.
    pub climbed: Tick,
    /// What it is called, or [`Word::NONE`].
    pub name: Word,
}

impl Seen {
    /// Somebody who stands there and lives.
    pub fn at(place: Position) -> Self {
        Seen {
            place,
            facing: [0.0; 3],
            alive: true,
            health: 1.0,
            posture: Word::NONE,
            aims_at: None,
            pinned: false,
            cloaked: false,
            roofed: false,
            on: None,
            climbed: 0,
            name: Word::NONE,
        }
    }
}

/// What somebody fights with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Arms {
    /// The weapon's name; `None`: unarmed.
    pub weapon: Option<Word>,
    /// In hand; put away if not.
    pub in_hand: bool,
    /// Rounds in it.
    pub rounds: u32,
    /// Rounds that it holds when loaded; 0 for what only hits at arm's length.
    pub holds: u32,
    /// Rounds to load it with; [`u32::MAX`]: as many as he likes.
    pub spare: u32,
    /// Grenades that he carries.
    pub grenades: u32,
}

/// Who looks, and from where: from where he is, or from where he would be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Eye {
    /// Who, if it is somebody.
    pub who: Option<EntityId>,
    /// From where.
    pub place: Position,
}

/// What is looked at or gone to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mark {
    /// What, if it is something.
    pub what: Option<EntityId>,
    /// Where.
    pub place: Position,
}

/// Who there is.
pub trait Bodies: Sync {
    /// The words of the kit, as the minds know them: [`Vocabulary::find`] in the words of the minds,
    /// once.
    fn words(&self) -> &Vocabulary;

    /// The side that somebody is on; [`Word::NONE`]: on none.
    fn side(&self, who: EntityId) -> Word;

    /// What one is to another. Without a word of the engine: a friend if of the same side, an enemy
    /// if of another.
    fn attitude(&self, me: EntityId, other: EntityId) -> Attitude {
        match (self.side(me), self.side(other)) {
            (Word::NONE, _) | (_, Word::NONE) => Attitude::Neutral,
            (mine, other) if mine == other => Attitude::Friend,
            _ => Attitude::Enemy,
        }
    }

    /// A body, living or dead; `None` if there is none of this number.
    fn body(&self, who: EntityId) -> Option<Seen>;

    /// What somebody fights with.
    fn arms(&self, who: EntityId) -> Arms;

    /// What somebody carries, by number of the thing. An engine without such things says nothing.
    fn carries(&self, who: EntityId, out: &mut Vec<EntityId>) {
        let _ = (who, out);
    }

    /// What belongs to somebody, wherever it is.
    fn owns(&self, who: EntityId, out: &mut Vec<EntityId>) {
        let _ = (who, out);
    }

    /// Those alive in a circle, by distance, then by number.
    fn near(&self, place: Position, radius: f32, out: &mut Vec<EntityId>);

    /// Who has somebody in his sights, by number. An engine that keeps such a list answers from it.
    fn aiming_at(&self, who: EntityId, out: &mut Vec<EntityId>) {
        /// Farther away nobody aims.
        const REACH: f32 = 100.0;
        let Some(me) = self.body(who) else { return };
        self.near(me.place, REACH, out);
        out.retain(|&other| self.body(other).is_some_and(|it| it.aims_at == Some(who)));
        out.sort_unstable();
    }
}

/// What can be seen.
pub trait Sight: Sync {
    /// How well a mark is seen, from 0 (not at all) to 1: near enough, and nothing between.
    fn sees(&self, from: Eye, to: Mark) -> EngineAnswer<f32>;

    /// How far anybody sees.
    fn range(&self) -> f32;

    /// Whether a spot protects who is there against shots from a place. `Never`: it protects against
    /// none.
    fn protects(&self, spot: EntityId, from: Position) -> EngineAnswer<bool> {
        let _ = (spot, from);
        EngineAnswer::Never
    }
}

/// How a way is looked for: as the mover believes things to be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trip<'a> {
    /// How he goes: `walk`, `run`, `sneak` (out of view where possible), `dive` (through windows).
    pub manner: Word,
    /// Links that he believes impassable.
    pub avoid: &'a [EntityId],
    /// Where he believes those to be who should not see him.
    pub eyes: &'a [Position],
}

/// A way that was found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Way {
    /// How far it is, with what doors and windows add.
    pub cost: f32,
    /// The first door or window on it that must be opened or dived through.
    pub link: Option<EntityId>,
    /// Whether that is a shut door.
    pub shut: bool,
    /// Whether one of the eyes sees a part of it.
    pub watched: bool,
}

/// What navigation keeps away from on somebody's ways.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Avoided {
    /// A link.
    Link(EntityId),
    /// The view from a place.
    View(Position),
}

/// How one gets there.
pub trait Paths: Sight {
    /// The way from where somebody is, or would be.
    fn way(&self, from: Eye, to: Mark, trip: &Trip<'_>) -> EngineAnswer<Way>;

    /// Whether there is room for a body of this radius.
    fn clear(&self, at: Position, radius: f32) -> EngineAnswer<bool>;

    /// Where a step in a direction leads, if there is room.
    fn step(&self, from: Position, towards: Position) -> EngineAnswer<Position> {
        let to = along(from, direction([0.0; 3], towards), 1.0);
        match self.clear(to, ROOM) {
            EngineAnswer::Now(true) => EngineAnswer::Now(to),
            EngineAnswer::Later => EngineAnswer::Later,
            EngineAnswer::Now(false) | EngineAnswer::Never => EngineAnswer::Never,
        }
    }

    /// The other side of a door or window at this place, for one who is here.
    fn beyond(&self, from: Eye, link: Mark, avoid: &[EntityId]) -> EngineAnswer<Position> {
        let _ = avoid;
        let through = direction(from.place, link.place);
        EngineAnswer::Now(along(link.place, through, 1.0))
    }

    /// The nearest place, at most so far away, that none of these circles of danger reaches. Unless
    /// the engine knows better: the first of sixteen directions, step by step outwards, in which
    /// there is room and nothing between.
    fn shelter(
        &self,
        from: Eye,
        reach: f32,
        dangers: &[(Position, f32)],
    ) -> EngineAnswer<Position> {
        let is_danger = |place: Position| {
            dangers.iter().any(|&(at, radius)| {
                let (eye, mark) = (Eye { who: None, place: at }, Mark { what: None, place });
                distance(at, place) <= radius && self.sees(eye, mark) != EngineAnswer::Now(0.0)
            })
        };
        for step in 0..=reach.clamp(0.0, 100.0) as u32 {
            for turn in 0..16_u8 {
                let angle = f32::from(turn) * std::f32::consts::TAU / 16.0;
                let place = along(from.place, [angle.cos(), angle.sin(), 0.0], step as f32);
                // What is answered later is not known to be hidden.
                let is_hidden = match self.sees(from, Mark { what: None, place }) {
                    EngineAnswer::Now(how_well) => how_well <= 0.0,
                    EngineAnswer::Later => false,
                    EngineAnswer::Never => true,
                };
                if !is_danger(place)
                    && !is_hidden
                    && self.clear(place, ROOM) == EngineAnswer::Now(true)
                {
                    return EngineAnswer::Now(place);
                }
            }
        }
        EngineAnswer::Never
    }

    /// The link that stopped somebody's last way.
    fn stopped_by(&self, who: EntityId) -> Option<EntityId> {
        let _ = who;
        None
    }

    /// What somebody's ways keep away from, as orders `avoid` said. An engine that takes no such
    /// orders has nothing to say.
    fn avoided(&self, who: EntityId, out: &mut Vec<Avoided>) {
        let _ = (who, out);
    }

    /// A friend whose way leads through where somebody stands, and who waits for it.
    fn waits_for(&self, who: EntityId) -> Option<EntityId> {
        let _ = who;
        None
    }
}

/// Room that a body needs, as a radius.
pub const ROOM: f32 = 0.4;

/// Against what a spot protects: shots out of this arc.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Faces {
    /// Its middle.
    pub direction: Position,
    /// How wide it is, in degrees.
    pub arc: f32,
}

/// A place with a purpose.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpotView {
    /// Its number.
    pub id: EntityId,
    /// Its name, or [`Word::NONE`].
    pub name: Word,
    /// What it is good for: `cover`, `view`, `work` …
    pub sort: Word,
    /// Where it is.
    pub place: Position,
    /// The side from which it protects; `None`: it does not say.
    pub faces: Option<Faces>,
    /// It is of use only against an enemy so near to it.
    pub radius: Option<f32>,
    /// Who has it, or is on the way to it.
    pub held_by: Option<EntityId>,
}

/// A thing that can be handled.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Thing {
    /// Its number.
    pub id: EntityId,
    /// Its name, or [`Word::NONE`].
    pub name: Word,
    /// `door`, `window`, `ladder`, `item`, `vehicle`, `device` …
    pub kind: Word,
    /// Where it is.
    pub place: Position,
    /// The state that it is in.
    pub state: Word,
    /// Who carries or rides it.
    pub held_by: Option<EntityId>,
}

/// What a spot or a thing asks for first: a thing in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpotNeed {
    /// Which thing.
    pub thing: EntityId,
    /// In which state.
    pub state: Word,
    /// Whether it is.
    pub met: bool,
}

/// How much of a ware somebody or something has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stock {
    /// What: `bread`, `coins`.
    pub ware: Word,
    /// How much of it.
    pub amount: u32,
}

/// Places and things with a purpose. An engine without any of them says nothing everywhere.
pub trait Spots: Sync {
    /// Spots that there are now, the nearest first, those taken by others too.
    fn spots(&self, around: Position, radius: f32, out: &mut Vec<SpotView>);

    /// Things that nobody holds, the nearest first.
    fn things(&self, around: Position, radius: f32, out: &mut Vec<Thing>);

    /// Spots that would be there if what they need were: the nearest first, none unless the engine
    /// says so. Who asks for `need` facts knows of them.
    fn wanting(&self, around: Position, radius: f32, out: &mut Vec<SpotView>) {
        let _ = (around, radius, out);
    }

    /// What a spot or a thing asks for first of who would use it: a key may be one that he carries.
    fn needs(&self, of: EntityId, who: EntityId, out: &mut Vec<SpotNeed>) {
        let _ = (of, who, out);
    }

    /// What somebody or something has of goods that are counted.
    fn stock(&self, of: EntityId, out: &mut Vec<Stock>) {
        let _ = (of, out);
    }

    /// A spot by number.
    fn spot(&self, id: EntityId) -> Option<SpotView>;

    /// A thing by number, held or not.
    fn thing(&self, id: EntityId) -> Option<Thing>;

    /// What is called so: a spot, a thing, somebody.
    fn named(&self, name: Word) -> Option<EntityId>;

    /// The spot or thing that somebody stands at.
    fn stands_at(&self, who: EntityId) -> Option<EntityId>;

    /// Where something is: a spot, a thing, somebody, a grenade.
    fn place(&self, what: EntityId) -> Option<Position>;
}

/// A scene: whatever implements the four traits is one, and the kit plays in it.
pub trait Scene: Bodies + Sight + Paths + Spots + 'static {}

impl<W: Bodies + Sight + Paths + Spots + 'static> Scene for W {}
