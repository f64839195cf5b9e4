//! All sensors and behaviours: what they understand, what they write, what they need.
//!
//! In:   nothing: a table.
//! Out:  for each sensor when it runs and which facts it writes; for each behaviour what its
//!       parameters mean, what it needs and which facts it leaves; all stimuli.
//! Cost: constants.
//!
//! The body is made from it ([`code`](crate::body)), files are checked against it, and the reference of
//! the language shows it. A test plays every story and holds the facts in the minds against it, so it
//! cannot say less than the code does.

mod described;
mod failures;
mod squads;

pub use described::described;
pub(crate) use described::described_part;
pub use failures::{FAILURES, failure_words};
pub use squads::{DUTIES, TASKS, TOLD_TO_MEMBERS, TOLD_TO_SQUADS};

use squads::{TRIED, of_squad, on_duty};
use throng_mind::fact::Attribute;

/// What a sensor or behaviour is about: an engine may take a part of the kit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KitPart {
    /// Sensors.
    Senses,
    /// Going somewhere, and out of the way.
    Moving,
    /// Weapons.
    Fighting,
    /// Looking, ducking, waiting.
    Reacting,
    /// Things.
    Handling,
    /// What members do for the tasks of their squad.
    Duties,
    /// What squads do.
    Squads,
}

/// The stimuli that an engine sends.
pub const STIMULI: [&str; 5] = ["sight", "noise", "grenade", "damage", "deed"];

/// The questions that an engine understands: how well something is seen, whether a spot protects, the
/// way to something.
pub const QUESTIONS: [&str; 3] = ["sight", "cover", "path"];

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
    /// A ware: what is counted.
    Ware,
    /// What a behaviour may be about: the name of a node, a thing or an actor, or `target`.
    About,
}

impl Can {
    /// What it is the name of, in words; `None` for what is no name.
    pub fn name_of(self) -> Option<&'static str> {
        Self::NAMES.iter().find(|(can, _)| *can == self).map(|(_, of)| *of)
    }

    /// The other way round.
    pub fn named(of: &str) -> Option<Can> {
        Self::NAMES.iter().find(|(_, known)| *known == of).map(|(can, _)| *can)
    }

    const NAMES: [(Can, &'static str); 13] = [
        (Can::Node, "node"),
        (Can::Thing, "thing"),
        (Can::NodeOrThing, "node or thing"),
        (Can::Named, "node, thing or actor"),
        (Can::Actor, "actor"),
        (Can::Weapon, "weapon"),
        (Can::Side, "side"),
        (Can::State, "state"),
        (Can::Sort, "sort"),
        (Can::Action, "action"),
        (Can::Duty, "duty"),
        (Can::Ware, "ware"),
        (Can::About, "node, thing or actor, or target"),
    ];
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

/// A sensor of the kit.
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

/// A behaviour of the kit.
#[derive(Clone, Copy, Debug)]
pub struct BehaviourEntry {
    /// Its name in files.
    pub name: &'static str,
    /// What the parameters of an action that it does mean; empty: it looks at none.
    pub parameters: &'static str,
    /// How many of them it must have, and how many it looks at.
    pub given: (usize, usize),
    /// What the first of them is the name of.
    pub about: Can,
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
    /// What it is about.
    pub part: KitPart,
}

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

const BODY: Facts = facts!("body":
    Object, Position, Stimulus = Can::Words(&["enemy", "friend", "person"]), Node = Can::Actor);
const FRIEND: Facts = facts!("friend":
    Object, Position, Stimulus = Can::Words(&["seen"]), Knowledge = Can::Words(&["alive"]),
    Node = Can::Actor, Amount);
const PERSON: Facts = facts!("person":
    Object, Position, Stimulus = Can::Words(&["seen"]), Knowledge = Can::Words(&["alive"]),
    Node = Can::Actor, Amount);
const ITEM: Facts = facts!("item":
    Object, Node = Can::Thing, Knowledge = Can::State,
    Stimulus = Can::Words(&["door", "window", "ladder", "item", "weapon", "vehicle", "device"]));
const MINE: Facts = facts!("mine":
    Object, Node = Can::Thing, Position, Knowledge = Can::State,
    Stimulus = Can::Words(&["door", "window", "ladder", "item", "weapon", "vehicle", "device"]));
const STOCK: Facts = facts!("stock": Object, Node = Can::Ware, Amount, Position);
const AMMO: Facts = facts!("ammo": Node = Can::Words(&["rounds", "grenade"]), Amount);
const MAKE_WAY: Facts = facts!("desire": Desire = Can::Words(&["make_way"]), Source);
const SPOT: Facts = facts!("spot":
    Object, Node = Can::Node, Position, Knowledge = Can::Sort, Direction, Radius, Index);
const WAY: Facts = facts!("path":
    Object, Node = Can::Named, Knowledge = Can::Words(&["clear", "blocked"]), Amount,
    Link = Can::Thing);
const ASSIGNMENT: Facts = facts!("assignment":
    Object, Knowledge = Can::Words(&["there", "away"]), Node = Can::Node, Position,
    Task = Can::Words(&TASKS), Index);
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
    Stimulus = Can::Words(&["door", "window", "ladder", "item", "weapon", "vehicle", "device"]));
const NEED: Facts = facts!("need":
    Source, Object, Knowledge = Can::Words(&["met", "unmet"]), Event = Can::State, Position,
    Node = Can::Thing);
const WAY_TO_TARGET: Facts = facts!("path":
    Object, Node = Can::Words(&["target"]), Knowledge = Can::Words(&["clear", "blocked"]), Amount,
    Link = Can::Thing);
const WAY_TO_NODE: Facts = facts!("path":
    Node = Can::Node, Knowledge = Can::Words(&["clear", "blocked", "watched"]), Amount,
    Link = Can::Thing);
const WAY_SHUT: Facts = facts!("path":
    Object, Node = Can::Named, Knowledge = Can::Words(&["blocked"]), Link = Can::Thing);
const SELF: Facts = facts!("self":
    Stimulus = Can::Words(&["cloaked", "roofed"]), Position, Node = Can::NodeOrThing,
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
    when: Usual,
    writes: &'static [Facts],
    line: &'static str,
) -> SensorEntry {
    SensorEntry { name, when, writes, line }
}

/// All sensors.
#[rustfmt::skip]
pub const SENSORS: [SensorEntry; 21] = [
    sensor("self", Usual::Every(0.0), &[SELF, WEAPON, AMMO, ITEM, MINE, STOCK, MAKE_WAY], "where he is, what he stands at, how he holds himself, what he has in hand and to spare, what he carries (`item`), owns (`mine`) and has of goods (`stock`); that a friend waits for where he stands"),
    sensor("see", Usual::On("sight"), &[CHARACTER, FRIEND, PERSON, BODY], "somebody in view: enemies, friends, others, the dead"),
    sensor("lose", Usual::Every(0.5), &[CHARACTER, FRIEND, PERSON, BODY], "who is out of view is less and less surely where he was"),
    sensor("spots", Usual::Every(0.33), &[SPOT], "the free spots around, the nearest first"),
    sensor("exposure", Usual::Every(0.1), &[facts!("exposed": Object, Source), facts!("reach": Object, Source), facts!("masked": Object, Source)], "which spots enemies see into, and from where they can be hit: what is picked first, then what may be; `masked`: from that pick the target cannot be hit"),
    sensor("ways", Usual::Every(0.33), &[WAY], "the ways to what is picked, and to what may be"),
    sensor("pinned", Usual::Every(0.3), &[facts!("pinned": Object)], "whom of those in view fire keeps down"),
    sensor("see_enemy", Usual::On("sight"), &[CHARACTER], "an enemy in view; `see` without the others"),
    sensor("lose_enemy", Usual::Every(0.5), &[CHARACTER], "an enemy out of view is less and less surely where he was; `lose` without the others"),
    sensor("call_out", Usual::Every(0.5), &[Facts { shared: true, ..ALARM }], "tells everybody of the enemies in view"),
    sensor("aim", Usual::Every(0.3), &[facts!("aimed": Source, Position)], "an enemy has him in his sights"),
    sensor("hurt", Usual::On("damage"), &[DAMAGE], "what hit him, and from where"),
    sensor("watch", Usual::On("deed"), &[facts!("deed": Event = Can::Action, Object, Position, Source)], "what somebody with a mind begins to do in view"),
    sensor("hear", Usual::On("noise"), &[DISTURBANCE_HEARD], "a noise that is not of his side"),
    sensor("see_danger", Usual::On("grenade"), &[facts!("danger": Position, Radius, Time, Object), facts!("grenade": Object, Radius, Stimulus = Can::Words(&["seen"])), DISTURBANCE_SEEN], "a grenade, until it goes off or something stands between"),
    sensor("nodes", Usual::Every(0.33), &[facts!("node": Node = Can::Node, Position, Knowledge = Can::Sort, Index)], "the free nodes around, the surer the nearer"),
    sensor("things", Usual::Every(0.5), &[THING, STOCK, NEED], "the things around that nobody holds, and the goods in them; what spots and things around need first, for who asks for it"),
    sensor("path_target", Usual::Every(0.5), &[WAY_TO_TARGET], "the way to the enemy, and the shut door or the window on it"),
    sensor("pass_target", Usual::Every(0.0), &[WAY_TO_NODE, facts!("desire": Desire = Can::Words(&["hold"]))], "ways to the nodes around that no enemy watches; the wish to hold while there is none"),
    sensor("clock", Usual::Every(1.0), &[facts!("day": Time)], "how late it is, in seconds of the story"),
    sensor("orders", Usual::Every(0.0), &[POST, ASSIGNMENT], "where his task is to be done, and whether he is there"),
];

/// What is given to a behaviour that fights somebody.
const WHOM: &str = "whom: a slot, or somebody by name; else the pick `target`";

/// A behaviour that leaves no facts.
const fn behaviour(
    part: KitPart,
    name: &'static str,
    parameters: &'static str,
    needs: &'static str,
    line: &'static str,
) -> BehaviourEntry {
    let given = (0, if parameters.is_empty() { 0 } else { 1 });
    let about = Can::About;
    let (writes, changes, gives): (&[Facts], &[Facts], &[&str]) = (&[], &[], &[]);
    BehaviourEntry { name, parameters, given, about, needs, line, writes, changes, gives, part }
}

/// What it is given is a word, and nothing of the level.
const fn about_a_word(entry: BehaviourEntry) -> BehaviourEntry {
    BehaviourEntry { about: Can::NoWord, ..entry }
}

/// It cannot do without its first parameter.
const fn about_one(entry: BehaviourEntry) -> BehaviourEntry {
    BehaviourEntry { given: (1, 1), ..entry }
}

/// It is about a thing, and perhaps about one of its wares.
const fn with_ware(entry: BehaviourEntry) -> BehaviourEntry {
    BehaviourEntry { given: (1, 2), ..entry }
}

const fn leaving(entry: BehaviourEntry, writes: &'static [Facts]) -> BehaviourEntry {
    BehaviourEntry { writes, ..entry }
}

const fn killing(entry: BehaviourEntry) -> BehaviourEntry {
    BehaviourEntry { changes: &[KILLED], ..entry }
}

const PLACE: &str = "a slot, spot, thing or actor, or `target`";
const WARE_OF: &str = "a thing, or a spot beside one; the ware, else its first";
const ENEMY: &str = "a pick `target`, or a `character`";

/// All behaviours.
#[rustfmt::skip]
pub const BEHAVIOURS: [BehaviourEntry; 61] = [
    about_one(leaving(behaviour(KitPart::Moving, "goto", PLACE, "a way", "walks there; runs if there is an enemy"), &[WAY_SHUT])),
    about_one(leaving(behaviour(KitPart::Moving, "run_to", PLACE, "a way", "runs there"), &[WAY_SHUT])),
    about_one(leaving(behaviour(KitPart::Moving, "sneak", PLACE, "a way", "goes there out of the enemies' view, as far as possible"), &[WAY_SHUT, CHARACTER])),
    about_one(leaving(behaviour(KitPart::Moving, "leap", PLACE, "a way", "runs there, round the enemies that it knows of, and leaps onto what nobody walks to, as a perch, or down from it"), &[WAY_SHUT, CHARACTER])),
    behaviour(KitPart::Moving, "goto_target", "", ENEMY, "runs to the enemy and after him, through windows too"),
    behaviour(KitPart::Moving, "traverse", "a door or window, else the one on the way", "", "goes through to the other side"),
    behaviour(KitPart::Moving, "retreat", "", ENEMY, "runs out of the enemy's reach"),
    behaviour(KitPart::Moving, "step_aside", "", "room beside", "makes room for a friend who waits, or who stands too near"),
    behaviour(KitPart::Moving, "escape", "", "somewhere safe near", "runs out of reach of every grenade"),
    killing(behaviour(KitPart::Fighting, "attack", WHOM, "a pick `target`, or a `character`; a weapon", "shoots until he is dead, or strikes if the weapon is for that")),
    killing(behaviour(KitPart::Fighting, "attack_from_cover", "", "a pick `target`, or a `character`; a weapon", "the same")),
    killing(behaviour(KitPart::Fighting, "melee", WHOM, "a pick `target`, or a `character`, at arm's length", "strikes until he is dead")),
    killing(behaviour(KitPart::Fighting, "lunge", WHOM, "a pick `target`, or a `character`, within 6 steps", "leaps at him, after one who moves once more, and strikes")),
    behaviour(KitPart::Fighting, "throw", "what to throw at, else the target", "a grenade, and a place within reach", "throws a grenade to where that is believed to be, and waits as long as the action `takes`, and until no grenade that he knows of is left"),
    behaviour(KitPart::Fighting, "blind_fire", "", "a pick `target`, or a `character`; a weapon in hand", "fires over the edge of his cover to where the enemy was, until he is kept down or as long as the action `takes`"),
    behaviour(KitPart::Fighting, "aim_at_last", "", ENEMY, "aims at where he is expected, until he shows himself or as long as the action `takes`"),
    behaviour(KitPart::Fighting, "draw", "", "a weapon", "takes it in hand"),
    behaviour(KitPart::Fighting, "reload", "", "a weapon", "fills it"),
    behaviour(KitPart::Fighting, "holster", "", "a weapon", "puts it away"),
    behaviour(KitPart::Fighting, "dodge", "", "", "steps out of the enemy's line"),
    behaviour(KitPart::Handling, "pick_up", "an item, else the nearest", "to be beside it", "takes it"),
    BehaviourEntry { given: (0, 2), ..behaviour(KitPart::Handling, "use", "a thing, else the nearest; the state to put it into, else that which something is known to need, else its next", "to be beside it, and what the thing `needs`", "puts it into that state") },
    behaviour(KitPart::Handling, "mount", "a vehicle, else the nearest", "to be beside it", "gets on"),
    behaviour(KitPart::Reacting, "cloak", "", "", "is seen only from near from then on, until he strikes, fires or throws"),
    behaviour(KitPart::Reacting, "uncloak", "", "", "is seen by everybody again"),
    behaviour(KitPart::Handling, "dismount", "", "to be on a vehicle", "gets off"),
    with_ware(behaviour(KitPart::Handling, "buy", WARE_OF, "to be beside it, and `coins`", "pays for one and has it, when the action has taken as long as it `takes`")),
    with_ware(behaviour(KitPart::Handling, "fetch", WARE_OF, "to be beside it", "takes all that is in it")),
    with_ware(behaviour(KitPart::Handling, "deliver", WARE_OF, "to be beside it, and to have some", "puts in what he has, as far as there is room")),
    with_ware(behaviour(KitPart::Handling, "make", WARE_OF, "to be beside it, and what the thing `needs`", "fills it up")),
    about_a_word(about_one(behaviour(KitPart::Handling, "consume", "a ware", "to have one", "uses one up"))),
    leaving(behaviour(KitPart::Moving, "kick", "a door, else the one on the way", "a way to it", "goes there and kicks it; one that holds is remembered for 20 s"), &[facts!("blocked": Object, Link = Can::Thing)]),
    behaviour(KitPart::Moving, "climb", "a ladder, else the nearest", "a way to it", "goes there and climbs it; goes on where he was interrupted"),
    behaviour(KitPart::Reacting, "look", "what to look at, else the pick `stir`, else the surest `disturbance`", "", "turns to it, and forgets the `disturbance`"),
    about_one(leaving(behaviour(KitPart::Reacting, "look_at", "a thing", "to see it", "remembers its state for an hour"), &[THING])),
    behaviour(KitPart::Reacting, "inspect", "as `look`", "a way", "goes there, looks, and forgets the `disturbance`"),
    behaviour(KitPart::Reacting, "survey", "", "", "looks around, and forgets the surest `disturbance` unless there is a `select stir`"),
    behaviour(KitPart::Reacting, "recoil", "", "", "is thrown back, for as long as the action `takes`"),
    behaviour(KitPart::Reacting, "flinch", "", "", "ducks until every `danger` has passed"),
    behaviour(KitPart::Reacting, "crouch", "", "", "gets low"),
    behaviour(KitPart::Reacting, "stand", "", "", "gets up"),
    about_a_word(about_one(behaviour(KitPart::Reacting, "say", "a word", "", "says that word: a noise that is heard 8 steps far, and no disturbance to those of his side"))),
    behaviour(KitPart::Reacting, "wait", "", "", "does nothing for as long as the action `takes`"),
    behaviour(KitPart::Moving, "keep_formation", "", "a fact `formation`", "goes to his place beside the leader, and after it when it moves; done when he is there"),
    on_duty("take_post", "a task, a way", "runs to where the task is to be done"),
    on_duty("sneak_to_post", "a task, a way", "goes there out of the enemies' view, as far as possible"),
    on_duty("hold", "a task", "stays, and fires at who comes into view, until the task is over"),
    on_duty("suppress", "a task, or a pick `target`; a weapon in hand", "fires at where the enemy is, hit or not, and reloads, until the task is over; without a task until he is kept down, or as long as the action `takes`"),
    on_duty("search", "a task", "looks around for as long as the action `takes`"),
    on_duty("comply", "a task", "nothing: to be there is all that is asked"),
    BehaviourEntry { changes: &[KILLED], ..on_duty("assault", "a task, a `character`, a weapon", "attacks whom the task is about") },
    of_squad("get_to_cover", "free cover", "gives everybody a cover of his own", &["cover"]),
    leaving(of_squad("advance_in_cover", "an enemy, cover ahead", "everybody goes from cover to cover towards the enemy", &["move"]), &[TRIED]),
    leaving(of_squad("orderly_advance", "an enemy, cover ahead", "the same by halves, while the others fire", &["move", "suppress"]), &[TRIED]),
    leaving(of_squad("search_area", "nodes around", "gives everybody places of his own to search", &["search"]), &[TRIED]),
    of_squad("lay_fire", "an enemy in view from somewhere", "lets one in three fire; done as soon as he does", &["suppress"]),
    of_squad("flank", "an enemy, nodes with a view of him from the side", "lets the others go round while the fire goes on", &["flank"]),
    of_squad("strike", "an enemy", "lets those attack who do not fire", &["attack"]),
    of_squad("hold_ground", "", "everybody keeps a cover, or his place", &["hold"]),
    BehaviourEntry { parameters: "a task, and what it is about, else the enemy", given: (1, 2), about: Can::NoWord, ..leaving(of_squad("give", "a member who will", "gives one member this task, the free and near first; who will not or cannot is followed by the next", &[]), &[TRIED]) },
    of_squad("move_in_formation", "a fact `objective` with a `position`", "sends who leads there; the others keep their places beside him by themselves", &["move"]),
];

/// The sensor of this name.
pub fn sensor_named(name: &str) -> Option<&'static SensorEntry> {
    SENSORS.iter().find(|entry| entry.name == name)
}

/// The behaviour of this name.
pub fn behaviour_named(name: &str) -> Option<&'static BehaviourEntry> {
    BEHAVIOURS.iter().find(|entry| entry.name == name)
}
