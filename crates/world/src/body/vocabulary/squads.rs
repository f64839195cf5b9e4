//! The part of the table that is about squads: tasks, what is done for them, what is told.

use super::{BehaviourEntry, Can, Facts, own};
use throng_mind::fact::Attribute::*;

/// What squads ask of their members.
pub const TASKS: [&str; 7] = ["cover", "move", "suppress", "flank", "attack", "search", "hold"];

/// What members do for a task.
pub const DUTIES: [&str; 7] =
    ["take_post", "sneak_to_post", "hold", "suppress", "search", "comply", "assault"];

/// The same as a squad is told it: some of them have been killed by its members.
const KNOWN: Facts = own(
    "character",
    &[
        (Object, Can::NoWord),
        (Position, Can::NoWord),
        (Stimulus, Can::Words(&["seen", "body"])),
        (Knowledge, Can::Words(&["alive", "dead"])),
        (Node, Can::Actor),
        (Amount, Can::NoWord),
    ],
);
const DUTY: Facts = own(
    "duty",
    &[
        (Index, Can::NoWord),
        (Knowledge, Can::Words(&["underway", "done", "failed"])),
        (Event, Can::Duty),
    ],
);
/// What a squad's action has tried, for as long as it runs.
pub(super) const TRIED: Facts = own(
    "tried",
    &[
        (Node, Can::Node),
        (Object, Can::NoWord),
        (Index, Can::NoWord),
        (Knowledge, Can::Words(&["done", "refused", "failed"])),
    ],
);

/// What carries out a task: it reports to the squad.
pub(super) const fn on_duty(
    name: &'static str,
    needs: &'static str,
    line: &'static str,
) -> BehaviourEntry {
    BehaviourEntry { name, parameters: "", needs, line, writes: &[DUTY], changes: &[], gives: &[] }
}

/// What a squad does: its orders are tasks.
pub(super) const fn of_squad(
    name: &'static str,
    needs: &'static str,
    line: &'static str,
    gives: &'static [&'static str],
) -> BehaviourEntry {
    BehaviourEntry { name, parameters: "", needs, line, writes: &[], changes: &[], gives }
}

/// What a squad tells its members.
pub const TOLD_TO_MEMBERS: [Facts; 1] = [own(
    "task",
    &[
        (Task, Can::Words(&TASKS)),
        (Index, Can::NoWord),
        (Position, Can::NoWord),
        (Node, Can::Node),
        (Object, Can::NoWord),
        (Source, Can::NoWord),
    ],
)];

/// What a squad is told: of its members, and what these know of enemies.
pub const TOLD_TO_SQUADS: [Facts; 2] = [
    own(
        "member",
        &[
            (Object, Can::NoWord),
            (Position, Can::NoWord),
            (Amount, Can::NoWord),
            (Knowledge, Can::Words(&["free", "underway", "elsewhere"])),
            (Task, Can::Words(&TASKS)),
            (Event, Can::Words(&DUTIES)),
            (Node, Can::Node),
        ],
    ),
    KNOWN,
];
