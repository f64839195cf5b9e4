//! All sensors and behaviours: their code, what it understands, and what it writes.
//!
//! In:   nothing: a table.
//! Out:  for each sensor when it runs and which facts it writes; for each behaviour what its
//!       parameters mean, what it needs and which facts it leaves; all stimuli.
//! Cost: constants.
//!
//! The body is made from it, files are checked against it, and the reference of the language shows
//! it. A test plays every story and holds the facts in the minds against it, so it cannot say less
//! than the code does.

mod squads;

pub use squads::{DUTIES, TASKS, TOLD_TO_MEMBERS, TOLD_TO_SQUADS};

use super::facts::other;
use super::{disturbances, duty, enemies, fighting, going, handling, own, places, reacting, ways};
use crate::world::World;
use squads::{TRIED, of_squad, on_duty};
use throng_mind::fact::Attribute;
use throng_mind::{Behaviour, Sensing, Work, squad};

/// The stimuli that the world sends.
pub const STIMULI: [&str; 5] = ["sight", "noise", "grenade", "damage", "deed"];

/// What nodes can be good for, besides what a story thinks of itself.
pub const SORTS: [&str; 3] = ["cover", "view", "work"];

/// What an attribute of a fact can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Can {
    /// Not a word: a place, a number, an entity.
    NoWord,
    /// One of these words.
    Words(&'static [&'static str]),
    /// The name of a node.
    Node,
    /// The name of a thing.
    Thing,
    /// The name of a node or a thing.
    NodeOrThing,
    /// The name of a node, a thing or an actor.
    Named,
    /// The name of an actor.
    Actor,
    /// The name of a weapon.
    Weapon,
    /// A side.
    Side,
    /// A state of a thing.
    State,
    /// What a node is good for.
    Sort,
    /// The bare name of an action.
    Action,
    /// What is done for a task, or why it failed.
    Duty,
}

/// Facts that a sensor or behaviour writes.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Their kind.
    pub kind: &'static str,
    /// Whether they go into the memory that all share.
    pub shared: bool,
    /// The attributes that they can have, and what these can be.
    pub attributes: &'static [(Attribute, Can)],
}

/// When a sensor usually runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Usual {
    /// On this stimulus, and on no other: its code looks at what arrived.
    On(&'static str),
    /// Every so many seconds; other rates, and any stimulus, do as well.
    Every(f32),
}

/// A sensor of the world.
#[derive(Clone, Copy, Debug)]
pub struct SensorEntry {
    /// Its name in files.
    pub name: &'static str,
    /// When it runs.
    pub when: Usual,
    /// What it writes.
    pub writes: &'static [Facts],
    /// What it is for.
    pub line: &'static str,
    /// Its code.
    pub(super) code: fn(&mut Sensing<'_, World>) -> Work,
}

impl SensorEntry {
    /// The statement that declares it: `sensor hear: on noise`.
    pub fn statement(&self) -> String {
        match self.when {
            Usual::On(stimulus) => format!("sensor {}: on {stimulus}", self.name),
            Usual::Every(seconds) => format!("sensor {}: every {seconds}", self.name),
        }
    }
}

/// A behaviour of the world.
#[derive(Clone, Copy, Debug)]
pub struct BehaviourEntry {
    /// Its name in files.
    pub name: &'static str,
    /// What the parameters of an action that it does mean; empty: it looks at none.
    pub parameters: &'static str,
    /// What must be so; empty: nothing.
    pub needs: &'static str,
    /// What it does.
    pub line: &'static str,
    /// Facts that it leaves.
    pub writes: &'static [Facts],
    /// What it makes of facts that are there already.
    pub changes: &'static [Facts],
    /// Of a squad: the tasks that it gives.
    pub gives: &'static [&'static str],
    /// Its code.
    pub(super) code: Code,
}

/// Makes the code of a behaviour.
pub(super) type Code = fn() -> Box<dyn Behaviour<World>>;

/// Facts of a kind: `facts!("path": Link = Can::Thing, Amount)`. An attribute without more is no word.
macro_rules! facts {
    (@can) => { Can::NoWord };
    (@can $can:expr) => { $can };
    ($kind:literal: $($attribute:ident $(= $can:expr)?),* $(,)?) => {
        Facts {
            kind: $kind,
            shared: false,
            attributes: &[$((Attribute::$attribute, facts!(@can $($can)?))),*],
        }
    };
}
use facts;

const DISTURBANCE_HEARD: Facts = facts!("disturbance":
    Position, Stimulus = Can::Words(&["noise"]), Radius,
    Event = Can::Words(&["shot", "blast", "bang"]), Object);
const DISTURBANCE_SEEN: Facts = facts!("disturbance":
    Position, Stimulus = Can::Words(&["grenade"]), Radius, Object);
const CHARACTER: Facts = facts!("character":
    Object, Position, Stimulus = Can::Words(&["seen"]),
    Knowledge = Can::Words(&["alive", "dead"]), Node = Can::Actor, Amount);
const KILLED: Facts = facts!("character":
    Stimulus = Can::Words(&["body"]), Knowledge = Can::Words(&["dead"]));
const ALARM: Facts = facts!("alarm":
    Object, Position, Node = Can::Actor, Source, Knowledge = Can::Side);
const THING: Facts = facts!("thing":
    Node = Can::Thing, Knowledge = Can::State, Position, Object,
    Stimulus = Can::Words(&["door", "window", "ladder", "item", "vehicle", "device"]));
const WAY_TO_TARGET: Facts = facts!("path":
    Node = Can::Words(&["target"]), Knowledge = Can::Words(&["clear", "blocked"]), Amount,
    Link = Can::Thing);
const WAY_TO_NODE: Facts = facts!("path":
    Node = Can::Node, Knowledge = Can::Words(&["clear", "blocked", "watched"]), Amount,
    Link = Can::Thing);
const WAY_SHUT: Facts = facts!("path":
    Node = Can::Named, Knowledge = Can::Words(&["blocked"]), Link = Can::Thing);
const SELF: Facts = facts!("self":
    Position, Node = Can::NodeOrThing,
    Knowledge = Can::Words(&["standing", "crouched", "riding", "climbing"]), Object);
const WEAPON: Facts = facts!("weapon":
    Knowledge = Can::Words(&["none", "holstered", "armed"]),
    Stimulus = Can::Words(&["loaded", "empty"]), Amount, Node = Can::Weapon);
const DAMAGE: Facts = facts!("damage":
    Damage = Can::Words(&["shot", "blast", "blow"]), Amount, Position, Source);
const POST: Facts = facts!("post":
    Knowledge = Can::Words(&["there", "away"]), Node = Can::Node, Position,
    Task = Can::Words(&TASKS));

const fn sensor(
    name: &'static str,
    code: fn(&mut Sensing<'_, World>) -> Work,
    when: Usual,
    writes: &'static [Facts],
    line: &'static str,
) -> SensorEntry {
    SensorEntry { name, when, writes, line, code }
}

/// All sensors.
#[rustfmt::skip]
pub const SENSORS: [SensorEntry; 15] = [
    sensor("self", own::sense_self, Usual::Every(0.0), &[SELF, WEAPON], "where he is, what he stands at, how he holds himself, what he has in hand"),
    sensor("see_enemy", enemies::see_enemy, Usual::On("sight"), &[CHARACTER], "an enemy in view"),
    sensor("lose_enemy", enemies::lose_enemy, Usual::Every(0.5), &[CHARACTER], "an enemy out of view is less and less surely where he was"),
    sensor("call_out", enemies::call_out, Usual::Every(0.5), &[Facts { shared: true, ..ALARM }], "tells everybody of the enemies in view"),
    sensor("aim", enemies::aim, Usual::Every(0.3), &[facts!("aimed": Source, Position)], "an enemy has him in his sights"),
    sensor("hurt", enemies::hurt, Usual::On("damage"), &[DAMAGE], "what hit him, and from where"),
    sensor("watch", enemies::watch, Usual::On("deed"), &[facts!("deed": Event = Can::Action, Position, Source)], "what somebody with a mind begins to do in view"),
    sensor("hear", disturbances::hear, Usual::On("noise"), &[DISTURBANCE_HEARD], "a noise that is not of his side"),
    sensor("see_danger", disturbances::see_danger, Usual::On("grenade"), &[facts!("danger": Position, Radius, Time, Object), facts!("grenade": Object), DISTURBANCE_SEEN], "a grenade, until it goes off or something stands between"),
    sensor("nodes", places::nodes, Usual::Every(0.33), &[facts!("node": Node = Can::Node, Position, Knowledge = Can::Sort, Index)], "the free nodes around, the surer the nearer"),
    sensor("things", places::things, Usual::Every(0.5), &[THING], "the things around that nobody holds"),
    sensor("path_target", ways::path_target, Usual::Every(0.5), &[WAY_TO_TARGET], "the way to the enemy, and the shut door or the window on it"),
    sensor("pass_target", ways::pass_target, Usual::Every(0.0), &[WAY_TO_NODE, facts!("desire": Desire = Can::Words(&["hold"]))], "ways to the nodes around that no enemy watches; the wish to hold while there is none"),
    sensor("clock", own::clock, Usual::Every(1.0), &[facts!("day": Time)], "how late it is, in seconds of the story"),
    sensor("orders", duty::orders, Usual::Every(0.0), &[POST], "where his task is to be done, and whether he is there"),
];

/// A behaviour that leaves no facts.
const fn behaviour(
    name: &'static str,
    code: Code,
    parameters: &'static str,
    needs: &'static str,
    line: &'static str,
) -> BehaviourEntry {
    BehaviourEntry { name, parameters, needs, line, writes: &[], changes: &[], gives: &[], code }
}

const fn leaving(entry: BehaviourEntry, writes: &'static [Facts]) -> BehaviourEntry {
    BehaviourEntry { writes, ..entry }
}

const fn killing(entry: BehaviourEntry) -> BehaviourEntry {
    BehaviourEntry { changes: &[KILLED], ..entry }
}

const PLACE: &str = "a node, thing or actor, or `target`";

/// All behaviours.
#[rustfmt::skip]
pub const BEHAVIOURS: [BehaviourEntry; 42] = [
    leaving(behaviour("goto", || Box::new(going::Goto { sneaking: false }), PLACE, "a way", "walks there; runs if there is an enemy"), &[WAY_SHUT]),
    leaving(behaviour("sneak", || Box::new(going::Goto { sneaking: true }), PLACE, "a way", "goes there out of the enemies' view, as far as possible"), &[WAY_SHUT, CHARACTER]),
    behaviour("goto_target", || Box::new(going::GotoTarget), "", "a `character`", "runs to the enemy and after him, through windows too"),
    behaviour("traverse", || Box::new(going::traverse), "a door or window, else the one on the way", "", "goes through to the other side"),
    behaviour("escape", || Box::new(going::escape), "", "somewhere safe near", "runs out of reach of every grenade"),
    killing(behaviour("attack", || Box::new(fighting::ATTACK), "", "a `character`, a weapon", "shoots until he is dead, or strikes if the weapon is for that")),
    killing(behaviour("attack_from_cover", || Box::new(fighting::ATTACK), "", "a `character`, a weapon", "the same")),
    killing(behaviour("melee", || Box::new(fighting::MELEE), "", "a `character` at arm's length", "strikes until he is dead")),
    killing(behaviour("lunge", || Box::new(fighting::Lunge), "", "a `character` within 6 cells", "leaps at him and strikes")),
    behaviour("draw", || Box::new(reacting::Simply(|words| fighting::arms(words.draw))), "", "a weapon", "takes it in hand"),
    behaviour("reload", || Box::new(reacting::Simply(|words| fighting::arms(words.reload))), "", "a weapon", "fills it"),
    behaviour("holster", || Box::new(reacting::Simply(|words| fighting::arms(words.holster))), "", "a weapon", "puts it away"),
    behaviour("dodge", || Box::new(fighting::dodge), "", "", "steps out of the enemy's line"),
    behaviour("pick_up", || Box::new(handling::PICK_UP), "an item, else the nearest", "to be beside it", "takes it"),
    behaviour("use", || Box::new(handling::USE), "a thing, else the nearest; the state to put it into, else its next", "to be beside it, and what the thing `needs`", "puts it into that state"),
    behaviour("mount", || Box::new(handling::MOUNT), "a vehicle, else the nearest", "to be beside it", "gets on"),
    behaviour("dismount", || Box::new(reacting::Simply(|words| other(words.dismount))), "", "to be on a vehicle", "gets off"),
    leaving(behaviour("kick", || Box::new(handling::Kick), "a door, else the one on the way", "a way to it", "goes there and kicks it; one that holds is remembered for 20 s"), &[facts!("blocked": Link = Can::Thing)]),
    behaviour("climb", || Box::new(handling::Climb), "a ladder, else the nearest", "a way to it", "goes there and climbs it; goes on where he was interrupted"),
    behaviour("look", || Box::new(reacting::Look), "", "", "turns to the surest `disturbance` and forgets it"),
    leaving(behaviour("look_at", || Box::new(reacting::LookAt), "a thing", "to see it", "remembers its state for an hour"), &[THING]),
    behaviour("inspect", || Box::new(reacting::Inspect), "", "a way", "goes to the surest `disturbance`, looks, and forgets it"),
    behaviour("survey", || Box::new(reacting::Survey), "", "", "looks around, and forgets the surest `disturbance`"),
    behaviour("flinch", || Box::new(reacting::Flinch), "", "", "ducks until every `danger` has passed"),
    behaviour("crouch", || Box::new(reacting::Simply(|words| other(words.crouch))), "", "", "gets low"),
    behaviour("stand", || Box::new(reacting::Simply(|words| other(words.stand))), "", "", "gets up"),
    behaviour("wait", || Box::new(reacting::wait), "", "", "does nothing for as long as the action `takes`"),
    on_duty("take_post", || Box::new(duty::part(duty::TAKE_POST)), "a task, a way", "runs to where the task is to be done"),
    on_duty("sneak_to_post", || Box::new(duty::part(duty::SNEAK_TO_POST)), "a task, a way", "goes there out of the enemies' view, as far as possible"),
    on_duty("hold", || Box::new(duty::whole(duty::HOLD)), "a task", "stays, and fires at who comes into view, until the task is over"),
    on_duty("suppress", || Box::new(duty::whole(duty::SUPPRESS)), "a task, a weapon in hand", "fires at where the enemy is, hit or not, and reloads, until the task is over"),
    on_duty("search", || Box::new(duty::whole(duty::SEARCH)), "a task", "looks around for as long as the action `takes`"),
    on_duty("comply", || Box::new(duty::whole(duty::comply)), "a task", "nothing: to be there is all that is asked"),
    BehaviourEntry { changes: &[KILLED], ..on_duty("assault", || Box::new(duty::whole(duty::Assault)), "a task, a `character`, a weapon", "attacks whom the task is about") },
    of_squad("get_to_cover", || Box::new(squad::GetToCover), "free cover", "gives everybody a cover of his own", &["cover"]),
    leaving(of_squad("advance_in_cover", || Box::new(squad::AdvanceInCover), "an enemy, cover ahead", "everybody goes from cover to cover towards the enemy", &["move"]), &[TRIED]),
    leaving(of_squad("orderly_advance", || Box::new(squad::OrderlyAdvance), "an enemy, cover ahead", "the same by halves, while the others fire", &["move", "suppress"]), &[TRIED]),
    leaving(of_squad("search_area", || Box::new(squad::SearchArea), "nodes around", "gives everybody places of his own to search", &["search"]), &[TRIED]),
    of_squad("lay_fire", || Box::new(squad::LayFire), "an enemy in view from somewhere", "lets one in three fire; done as soon as he does", &["suppress"]),
    of_squad("flank", || Box::new(squad::Flank), "an enemy, nodes with a view of him from the side", "lets the others go round while the fire goes on", &["flank"]),
    of_squad("strike", || Box::new(squad::Strike), "an enemy", "lets those attack who do not fire", &["attack"]),
    of_squad("hold_ground", || Box::new(squad::HoldGround), "", "everybody keeps a cover, or his place", &["hold"]),
];

/// The sensor of this name.
pub fn sensor_named(name: &str) -> Option<&'static SensorEntry> {
    SENSORS.iter().find(|entry| entry.name == name)
}

/// The behaviour of this name.
pub fn behaviour_named(name: &str) -> Option<&'static BehaviourEntry> {
    BEHAVIOURS.iter().find(|entry| entry.name == name)
}
