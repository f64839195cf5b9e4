//! Features of PDDL that are known and refused: each by its name, once.
//!
//! In:   forms that use one.
//! Out:  an error at the first use of each kind, that says what it is and what can be done.

use throng_domain::Code;

/// What is said of each kind.
pub(super) const REFUSED: [(Code, &str, &str); 10] = [
    (
        Code::PddlDurative,
        "durative actions are not supported",
        "write it as `:action`, with an action that starts and one that ends it if need be",
    ),
    (
        Code::PddlNumeric,
        "of numbers only counting is supported",
        "compare a function with a number or a function, as in `(>= (fuel ?t) 5)`, and change it by one, as in `(decrease (fuel ?t) 5)`; costs are written `(increase (total-cost) 3)`",
    ),
    (
        Code::PddlPreference,
        "preferences are not supported",
        "make it a part of the goal, or remove it",
    ),
    (
        Code::PddlConstraint,
        "constraints on the way of the plan are not supported",
        "keep track of it with a predicate of its own, or remove it",
    ),
    (
        Code::PddlTimed,
        "initial facts that come true later are not supported",
        "write the fact without its time, or let an action bring it about",
    ),
    (
        Code::PddlProcess,
        "processes and events are not supported",
        "write it as `:action`, or as `:derived` if it always follows",
    ),
    (
        Code::PddlMetric,
        "the only metric is the least total cost",
        "write `(:metric minimize (total-cost))`, or remove it to count steps",
    ),
    (
        Code::PddlObjectFluent,
        "functions whose values are objects are not supported",
        "write a predicate with one more argument",
    ),
    (
        Code::PddlUncertain,
        "effects that may turn out one way or another are not supported",
        "write one action for each outcome",
    ),
    (
        Code::PddlNetwork,
        "tasks and methods of hierarchical planning are not supported",
        "remove them, and give a goal",
    ),
];

/// Which feature a keyword of a section or of an action belongs to.
pub(super) fn feature_of_section(keyword: &str) -> Option<Code> {
    Some(match keyword {
        ":durative-action" | ":duration" | ":condition" => Code::PddlDurative,
        ":process" | ":event" => Code::PddlProcess,
        ":constraints" => Code::PddlConstraint,
        ":task" | ":method" | ":htn" | ":tasks" | ":ordered-subtasks" => Code::PddlNetwork,
        ":observe" | ":sensor" | ":reward" => Code::PddlUncertain,
        _ => return None,
    })
}

/// Which feature a word at the head of a condition or effect belongs to, if it is no predicate.
pub(super) fn feature_of_head(head: &str) -> Option<Code> {
    Some(match head {
        "+" | "-" | "*" | "/" | "scale-up" | "scale-down" => Code::PddlNumeric,
        // What effects know is no fact and no condition.
        "<" | ">" | "<=" | ">=" | "increase" | "decrease" | "assign" => Code::PddlNumeric,
        "preference" => Code::PddlPreference,
        "always" | "sometime" | "within" | "at-most-once" | "sometime-after" => {
            Code::PddlConstraint
        }
        "sometime-before" | "always-within" | "hold-during" | "hold-after" => Code::PddlConstraint,
        "probabilistic" | "oneof" | "unknown" => Code::PddlUncertain,
        _ => return None,
    })
}
