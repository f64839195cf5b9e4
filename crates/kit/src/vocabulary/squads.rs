//! The part of the table that is about squads: tasks, what is done for them, what is told.

use super::{BehaviourEntry, Can, Facts, KitPart, facts};
use throng_mind::fact::Attribute;

/// What squads ask of their members.
pub const TASKS: [&str; 8] =
    ["cover", "move", "suppress", "flank", "attack", "search", "hold", "flush"];

/// What members do for a task.
pub const DUTIES: [&str; 7] =
    ["take_post", "sneak_to_post", "hold", "suppress", "search", "comply", "assault"];

/// Enemies as a squad is told of them: some have been killed by its members.
const KNOWN: Facts = facts!("character":
    Object, Position, Stimulus = Can::Words(&["seen", "body"]),
    Knowledge = Can::Words(&["alive", "dead"]), Node = Can::Actor, Amount);
const DUTY: Facts = facts!("duty":
    Index, Knowledge = Can::Words(&["underway", "done", "failed"]), Event = Can::Duty);
/// What a squad's action has tried, for as long as it runs.
pub(super) const TRIED: Facts = facts!("tried":
    Node = Can::Node, Object, Index, Knowledge = Can::Words(&["done", "refused", "failed"]));

/// What carries out a task: it reports to the squad.
pub(super) const fn on_duty(
    name: &'static str,
    needs: &'static str,
    line: &'static str,
) -> BehaviourEntry {
    BehaviourEntry { writes: &[DUTY], ..super::behaviour(KitPart::Duties, name, "", needs, line) }
}

/// What a squad does: its orders are tasks.
pub(super) const fn of_squad(
    name: &'static str,
    needs: &'static str,
    line: &'static str,
    gives: &'static [&'static str],
) -> BehaviourEntry {
    BehaviourEntry { gives, ..super::behaviour(KitPart::Squads, name, "", needs, line) }
}

/// Who leads, as members and the squad's mind are told.
const LEADER: Facts = facts!("leader":
    Object, Position, Direction, Knowledge = Can::Words(&["alive", "lost"]));

/// What a squad tells its members; besides, what mates know of the kinds that it `shares`.
pub const TOLD_TO_MEMBERS: [Facts; 3] = [
    facts!("task": Task = Can::Words(&TASKS), Index, Position, Node = Can::Node, Object, Source),
    LEADER,
    facts!("formation": Position, Direction, Index),
];

/// What a squad is told: of its members, and what these know of enemies.
pub const TOLD_TO_SQUADS: [Facts; 3] = [
    facts!("member":
        Object, Position, Amount, Knowledge = Can::Words(&["free", "underway", "elsewhere"]),
        Task = Can::Words(&TASKS), Event = Can::Words(&DUTIES), Node = Can::Node, Source),
    KNOWN,
    LEADER,
];
