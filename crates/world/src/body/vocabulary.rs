//! What the body's code understands and writes, as data.
//!
//! In:   nothing: the table stands beside the code that it speaks of.
//! Out:  for each sensor when it runs and which facts it writes; for each behaviour what its
//!       parameters mean, what it needs and which facts it leaves; all stimuli.
//! Cost: constants.
//!
//! Files are checked against it, and the reference of the language shows it. A test plays every
//! story and holds the facts in the minds against it, so it cannot say less than the code does.

mod squads;

pub use squads::{DUTIES, TASKS, TOLD_TO_MEMBERS, TOLD_TO_SQUADS};

use squads::{TRIED, of_squad, on_duty};
use throng_mind::fact::Attribute::{self, *};

/// The stimuli that the world sends.
pub const STIMULI: [&str; 5] = ["sight", "noise", "grenade", "damage", "deed"];

/// What nodes can be good for, besides what a story thinks of itself.
pub const SORTS: [&str; 3] = ["cover", "view", "work"];

/// What an attribute of a fact can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Can {
    /// Not a word: a place, a number, somebody or something.
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

/// Facts that somebody writes.
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
}

const fn own(kind: &'static str, attributes: &'static [(Attribute, Can)]) -> Facts {
    Facts { kind, shared: false, attributes }
}

const DISTURBANCE_HEARD: Facts = own(
    "disturbance",
    &[
        (Position, Can::NoWord),
        (Stimulus, Can::Words(&["noise"])),
        (Radius, Can::NoWord),
        (Event, Can::Words(&["shot", "blast", "bang"])),
        (Object, Can::NoWord),
    ],
);
const DISTURBANCE_SEEN: Facts = own(
    "disturbance",
    &[
        (Position, Can::NoWord),
        (Stimulus, Can::Words(&["grenade"])),
        (Radius, Can::NoWord),
        (Object, Can::NoWord),
    ],
);
const CHARACTER: Facts = own(
    "character",
    &[
        (Object, Can::NoWord),
        (Position, Can::NoWord),
        (Stimulus, Can::Words(&["seen"])),
        (Knowledge, Can::Words(&["alive", "dead"])),
        (Node, Can::Actor),
        (Amount, Can::NoWord),
    ],
);
const KILLED: Facts =
    own("character", &[(Stimulus, Can::Words(&["body"])), (Knowledge, Can::Words(&["dead"]))]);
const THING: Facts = own(
    "thing",
    &[
        (Node, Can::Thing),
        (Knowledge, Can::State),
        (Position, Can::NoWord),
        (Object, Can::NoWord),
        (Stimulus, Can::Words(&["door", "window", "ladder", "item", "vehicle", "device"])),
    ],
);
const WAY_TO_TARGET: Facts = own(
    "path",
    &[
        (Node, Can::Words(&["target"])),
        (Knowledge, Can::Words(&["clear", "blocked"])),
        (Amount, Can::NoWord),
        (Link, Can::Thing),
    ],
);
const WAY_TO_NODE: Facts = own(
    "path",
    &[
        (Node, Can::Node),
        (Knowledge, Can::Words(&["clear", "blocked", "watched"])),
        (Amount, Can::NoWord),
        (Link, Can::Thing),
    ],
);
const WAY_SHUT: Facts =
    own("path", &[(Node, Can::Named), (Knowledge, Can::Words(&["blocked"])), (Link, Can::Thing)]);

const fn sensor(
    name: &'static str,
    when: Usual,
    writes: &'static [Facts],
    line: &'static str,
) -> SensorEntry {
    SensorEntry { name, when, writes, line }
}

/// All sensors.
pub const SENSORS: [SensorEntry; 15] = [
    sensor(
        "self",
        Usual::Every(0.0),
        &[
            own(
                "self",
                &[
                    (Position, Can::NoWord),
                    (Node, Can::NodeOrThing),
                    (Knowledge, Can::Words(&["standing", "crouched", "riding", "climbing"])),
                    (Object, Can::NoWord),
                ],
            ),
            own(
                "weapon",
                &[
                    (Knowledge, Can::Words(&["none", "holstered", "armed"])),
                    (Stimulus, Can::Words(&["loaded", "empty"])),
                    (Amount, Can::NoWord),
                    (Node, Can::Weapon),
                ],
            ),
        ],
        "where he is, what he stands at, how he holds himself, what he has in hand",
    ),
    sensor("see_enemy", Usual::On("sight"), &[CHARACTER], "an enemy in view"),
    sensor(
        "lose_enemy",
        Usual::Every(0.5),
        &[CHARACTER],
        "an enemy out of view is less and less surely where he was",
    ),
    sensor(
        "call_out",
        Usual::Every(0.5),
        &[Facts {
            kind: "alarm",
            shared: true,
            attributes: &[
                (Object, Can::NoWord),
                (Position, Can::NoWord),
                (Node, Can::Actor),
                (Source, Can::NoWord),
                (Knowledge, Can::Side),
            ],
        }],
        "tells everybody of the enemies in view",
    ),
    sensor(
        "aim",
        Usual::Every(0.3),
        &[own("aimed", &[(Source, Can::NoWord), (Position, Can::NoWord)])],
        "an enemy has him in his sights",
    ),
    sensor(
        "hurt",
        Usual::On("damage"),
        &[own(
            "damage",
            &[
                (Damage, Can::Words(&["shot", "blast", "blow"])),
                (Amount, Can::NoWord),
                (Position, Can::NoWord),
                (Source, Can::NoWord),
            ],
        )],
        "what hit him, and from where",
    ),
    sensor(
        "watch",
        Usual::On("deed"),
        &[own("deed", &[(Event, Can::Action), (Position, Can::NoWord), (Source, Can::NoWord)])],
        "what somebody with a mind begins to do in view",
    ),
    sensor("hear", Usual::On("noise"), &[DISTURBANCE_HEARD], "a noise that is not of his side"),
    sensor(
        "see_danger",
        Usual::On("grenade"),
        &[
            own(
                "danger",
                &[
                    (Position, Can::NoWord),
                    (Radius, Can::NoWord),
                    (Time, Can::NoWord),
                    (Object, Can::NoWord),
                ],
            ),
            own("grenade", &[(Object, Can::NoWord)]),
            DISTURBANCE_SEEN,
        ],
        "a grenade, until it goes off or something stands between",
    ),
    sensor(
        "nodes",
        Usual::Every(0.33),
        &[own(
            "node",
            &[
                (Node, Can::Node),
                (Position, Can::NoWord),
                (Knowledge, Can::Sort),
                (Index, Can::NoWord),
            ],
        )],
        "the free nodes around, the surer the nearer",
    ),
    sensor("things", Usual::Every(0.5), &[THING], "the things around that nobody holds"),
    sensor(
        "path_target",
        Usual::Every(0.5),
        &[WAY_TO_TARGET],
        "the way to the enemy, and the shut door or the window on it",
    ),
    sensor(
        "pass_target",
        Usual::Every(0.0),
        &[WAY_TO_NODE, own("desire", &[(Desire, Can::Words(&["hold"]))])],
        "ways to the nodes around that no enemy watches; the wish to hold while there is none",
    ),
    sensor(
        "clock",
        Usual::Every(1.0),
        &[own("day", &[(Time, Can::NoWord)])],
        "how late it is, in seconds of the story",
    ),
    sensor(
        "orders",
        Usual::Every(0.0),
        &[own(
            "post",
            &[
                (Knowledge, Can::Words(&["there", "away"])),
                (Node, Can::Node),
                (Position, Can::NoWord),
                (Task, Can::Words(&TASKS)),
            ],
        )],
        "where his task is to be done, and whether he is there",
    ),
];

/// A behaviour that leaves no facts.
const fn behaviour(
    name: &'static str,
    parameters: &'static str,
    needs: &'static str,
    line: &'static str,
) -> BehaviourEntry {
    BehaviourEntry { name, parameters, needs, line, writes: &[], changes: &[], gives: &[] }
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
    leaving(behaviour("goto", PLACE, "a way", "walks there; runs if there is an enemy"), &[WAY_SHUT]),
    leaving(behaviour("sneak", PLACE, "a way", "goes there out of the enemies' view, as far as possible"), &[WAY_SHUT, CHARACTER]),
    behaviour("goto_target", "", "a `character`", "runs to the enemy and after him, through windows too"),
    behaviour("traverse", "a door or window, else the one on the way", "", "goes through to the other side"),
    behaviour("escape", "", "somewhere safe near", "runs out of reach of every grenade"),
    killing(behaviour("attack", "", "a `character`, a weapon", "shoots until he is dead, or strikes if the weapon is for that")),
    killing(behaviour("attack_from_cover", "", "a `character`, a weapon", "the same")),
    killing(behaviour("melee", "", "a `character` at arm's length", "strikes until he is dead")),
    killing(behaviour("lunge", "", "a `character` within 6 cells", "leaps at him and strikes")),
    behaviour("draw", "", "a weapon", "takes it in hand"),
    behaviour("reload", "", "a weapon", "fills it"),
    behaviour("holster", "", "a weapon", "puts it away"),
    behaviour("dodge", "", "", "steps out of the enemy's line"),
    behaviour("pick_up", "an item, else the nearest", "to be beside it", "takes it"),
    behaviour("use", "a thing, else the nearest; the state to put it into, else its next", "to be beside it, and what the thing `needs`", "puts it into that state"),
    behaviour("mount", "a vehicle, else the nearest", "to be beside it", "gets on"),
    behaviour("dismount", "", "to be on a vehicle", "gets off"),
    leaving(behaviour("kick", "a door, else the one on the way", "a way to it", "goes there and kicks it; one that holds is remembered for 20 s"), &[own("blocked", &[(Link, Can::Thing)])]),
    behaviour("climb", "a ladder, else the nearest", "a way to it", "goes there and climbs it; goes on where he was interrupted"),
    behaviour("look", "", "", "turns to the surest `disturbance` and forgets it"),
    leaving(behaviour("look_at", "a thing", "to see it", "remembers its state for an hour"), &[THING]),
    behaviour("inspect", "", "a way", "goes to the surest `disturbance`, looks, and forgets it"),
    behaviour("survey", "", "", "looks around, and forgets the surest `disturbance`"),
    behaviour("flinch", "", "", "ducks until every `danger` has passed"),
    behaviour("crouch", "", "", "gets low"),
    behaviour("stand", "", "", "gets up"),
    behaviour("wait", "", "", "does nothing for as long as the action `takes`"),
    on_duty("take_post", "a task, a way", "runs to where the task is to be done"),
    on_duty("sneak_to_post", "a task, a way", "goes there out of the enemies' view, as far as possible"),
    on_duty("hold", "a task", "stays, and fires at who comes into view, until the task is over"),
    on_duty("suppress", "a task, a weapon in hand", "fires at where the enemy is, hit or not, and reloads, until the task is over"),
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
];

/// The sensor of this name.
pub fn sensor_named(name: &str) -> Option<&'static SensorEntry> {
    SENSORS.iter().find(|entry| entry.name == name)
}

/// The behaviour of this name.
pub fn behaviour_named(name: &str) -> Option<&'static BehaviourEntry> {
    BEHAVIOURS.iter().find(|entry| entry.name == name)
}
