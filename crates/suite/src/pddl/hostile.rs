//! PDDL that asks for much with few words, of random shapes and growing sizes.
//!
//! In:   a seed, and how large it may become.
//! Out:  two texts without a mistake and a plan of one step, for commands that must stay within
//!       their limits whatever they are given.
//! Cost: linear in the texts, which have at most some hundred kilobytes.

use std::fmt::Write;
use throng_base::SplitMix;

/// Two texts and a plan.
pub struct Hostile {
    /// What is too much in it.
    pub shape: &'static str,
    /// How much of it.
    pub size: usize,
    /// The domain.
    pub domain: String,
    /// The problem.
    pub problem: String,
    /// A plan file; whether it is a plan is not known.
    pub plan: String,
}

/// The parts that shapes differ in.
#[derive(Default)]
struct Parts {
    /// Types, constants, predicates, rules and actions, as sections.
    domain: String,
    objects: String,
    init: String,
    goal: String,
    plan: String,
}

type Shape = fn(&mut SplitMix, usize) -> Parts;

/// Each shape with the largest power of two that it grows to.
const SHAPES: [(&str, Shape, u32); 12] = [
    ("parameters", parameters, 11),
    ("parameters that nothing binds", free_parameters, 9),
    ("effects for all", universal_effects, 5),
    ("nested conditions", nested_conditions, 7),
    ("nested whens", nested_whens, 7),
    ("alternatives", alternatives, 8),
    ("types and either", types, 9),
    ("long names", long_names, 7),
    ("arguments", arguments, 9),
    ("derived predicates", derived, 9),
    ("facts at the start", facts, 14),
    ("groups", groups, 7),
];

/// How many shapes there are; seeds go through them in turn.
pub const N_SHAPES: u64 = SHAPES.len() as u64;

/// The task of a seed; `grows` shifts how large it may become.
pub fn hostile(seed: u64, grows: u32) -> Hostile {
    let dice = &mut SplitMix::new(seed);
    let (shape, make, most) = SHAPES[(seed % N_SHAPES) as usize];
    let power = dice.below((most + grows) as usize + 1);
    let size = (1 << power) + dice.below(1 << power);
    let Parts { domain, objects, init, goal, plan } = make(dice, size);
    Hostile {
        shape,
        size,
        domain: format!("(define (domain d) (:requirements :adl :derived-predicates)\n{domain})\n"),
        problem: format!(
            "(define (problem p) (:domain d)\n(:objects {objects})\n(:init {init})\n(:goal {goal}))\n"
        ),
        plan,
    }
}

fn names(prefix: &str, n: usize) -> String {
    (0..n).fold(String::new(), |mut text, at| {
        let _ = write!(text, "{prefix}{at} ");
        text
    })
}

fn for_each(n: usize, text: impl Fn(usize) -> String) -> String {
    (0..n).map(text).collect()
}

/// An action with many parameters, each bound by a condition, some in pairs.
fn parameters(dice: &mut SplitMix, size: usize) -> Parts {
    let n_objects = dice.within(1, 4);
    let pairs = dice.below(3);
    let needs = for_each(size, |at| match at % 4 < pairs && at > 0 {
        true => format!("(q ?x{} ?x{at})", at - 1),
        false => format!("(p ?x{at})"),
    });
    let effect = if dice.percent(50) { "(a)".to_string() } else { "(and (a) (p ?x0))".to_string() };
    Parts {
        domain: format!(
            "(:predicates (a) (p ?x) (q ?x ?y))
             (:action go :parameters ({}) :precondition (and {needs}) :effect {effect})",
            names("?x", size)
        ),
        objects: names("o", n_objects),
        init: for_each(n_objects, |at| format!("(p o{at}) (q o{at} o{}) ", (at + 1) % n_objects)),
        goal: "(a)".to_string(),
        plan: format!("(go {})", "o0 ".repeat(size)),
    }
}

/// Parameters that no condition binds: all objects are tried for each.
fn free_parameters(dice: &mut SplitMix, size: usize) -> Parts {
    let n_objects = dice.within(1, 12);
    let named = dice.within(1, size.min(5));
    Parts {
        domain: format!(
            "(:predicates (r {}))
             (:action go :parameters ({}) :effect (r {}))",
            names("?x", named),
            names("?x", size),
            names("?x", named)
        ),
        objects: names("o", n_objects),
        init: String::new(),
        goal: format!("(r {})", "o0 ".repeat(named)),
        plan: format!("(go {})", "o0 ".repeat(size)),
    }
}

/// Effects below many `forall`s, about some of their objects, some of them conditional.
fn universal_effects(dice: &mut SplitMix, size: usize) -> Parts {
    let depth = size.min(60);
    let named = dice.within(1, depth.min(8));
    let open = for_each(depth, |at| format!("(forall (?x{at}) "));
    let close = ")".repeat(depth);
    let literal = format!("(r {})", names("?x", named));
    let effect = match dice.below(3) {
        0 => literal,
        1 => format!("(not {literal})"),
        _ => format!("(when (and (s ?x{}) (not {literal})) {literal})", depth - 1),
    };
    let n_objects = dice.within(1, 20);
    Parts {
        domain: format!(
            "(:predicates (r {}) (s ?x) (a))
             (:action go :effect (and (a) {open}{effect}{close}))",
            names("?x", named)
        ),
        objects: names("o", n_objects),
        init: for_each(n_objects, |at| format!("(s o{at}) ")),
        goal: format!("(and (a) (r {}))", "o0 ".repeat(named)),
        plan: "(go)".to_string(),
    }
}

/// Conditions of all kinds, nested.
fn nested_conditions(dice: &mut SplitMix, size: usize) -> Parts {
    let depth = size.min(190);
    let mut open = String::new();
    for at in 0..depth {
        open.push_str(&match dice.below(6) {
            0 => format!("(forall (?y{at}) "),
            1 => format!("(exists (?y{at}) "),
            2 => format!("(and (p ?x{}) ", at % 2),
            3 => format!("(or (not (p ?x{})) ", at % 2),
            4 => "(not ".to_string(),
            _ => format!("(imply (q ?x{}) ", at % 2),
        });
    }
    let close = ")".repeat(depth);
    let n_objects = dice.within(1, 30);
    Parts {
        domain: format!(
            "(:predicates (a) (p ?x) (q ?x))
             (:action flip :parameters (?x) :effect (and (q ?x) (when (p ?x) (not (p ?x)))))
             (:action go :parameters (?x0 ?x1) :precondition {open}(q ?x0){close} :effect (a))"
        ),
        objects: names("o", n_objects),
        init: for_each(n_objects, |at| format!("(p o{at}) ")),
        goal: "(a)".to_string(),
        plan: "(go o0 o0)".to_string(),
    }
}

/// Many effects below many conditions: each is written out with all of them.
fn nested_whens(dice: &mut SplitMix, size: usize) -> Parts {
    let depth = dice.within(1, 150);
    let open = for_each(depth, |at| format!("(when (or (p o{}) (q o0)) ", at % 3));
    let effects = for_each(size * 8, |at| format!("(q o{}) ", at % 3));
    Parts {
        domain: format!(
            "(:constants o0 o1 o2) (:predicates (a) (p ?x) (q ?x))
             (:action make :parameters (?x) :effect (p ?x))
             (:action go :effect (and (a) {open}(and {effects}){}))",
            ")".repeat(depth)
        ),
        objects: "o3".to_string(),
        init: String::new(),
        goal: "(and (a) (q o1))".to_string(),
        plan: "(go)".to_string(),
    }
}

/// Conditions that are `and`s of `or`s.
fn alternatives(dice: &mut SplitMix, size: usize) -> Parts {
    let width = dice.within(2, 9);
    let either = |at: usize| {
        let part = |of: usize| match (at + of) % 3 {
            0 => format!("(not (p ?x o{}))", of % 4),
            1 => format!("(and (p ?x o{}) (q o{}))", of % 4, at % 4),
            _ => format!("(exists (?y) (p ?y o{}))", at % 4),
        };
        format!("(or {}) ", for_each(width, part))
    };
    let whens = for_each(size, |at| format!("(when {}(q o{})) ", either(at), at % 4));
    Parts {
        domain: format!(
            "(:constants o0 o1 o2 o3) (:predicates (p ?x ?y) (q ?x) (a))
             (:action make :parameters (?x ?y) :effect (and (p ?x ?y) (q ?x)))
             (:action lose :parameters (?x ?y) :effect (not (p ?x ?y)))
             (:action go :parameters (?x) :precondition (and {}) :effect (and (a) {whens}))",
            for_each(size, either)
        ),
        objects: names("u", dice.within(0, 20)),
        init: String::new(),
        goal: "(a)".to_string(),
        plan: "(go o0)".to_string(),
    }
}

/// A wide hierarchy, and quantifiers each over another choice of its types.
fn types(dice: &mut SplitMix, size: usize) -> Parts {
    let chain = dice.percent(50);
    let types = for_each(size, |at| match (at, chain) {
        (0, _) => "t0 ".to_string(),
        (_, true) => format!("t{at} - t{} ", at - 1),
        (_, false) => format!("t{at} - t0 "),
    });
    let n_lists = size.min(200);
    let longest = dice.within(1, 20);
    let list =
        |at: usize| for_each(1 + at % longest, |of| format!("t{} ", (at * 7 + of * 3) % size));
    let needs = for_each(n_lists, |at| format!("(exists (?y - (either {})) (p ?y)) ", list(at)));
    let n_objects = size * dice.within(1, 8);
    Parts {
        domain: format!(
            "(:types {types}) (:predicates (a) (p ?x))
             (:action go :parameters (?x - (either {})) :precondition (and {needs}) :effect (a))
             (:action make :parameters (?x - t0) :effect (p ?x))",
            list(3)
        ),
        objects: for_each(n_objects, |at| format!("o{at} - t{} ", at % size)),
        init: "(p o0)".to_string(),
        goal: "(a)".to_string(),
        plan: "(make o0) (go o0)".replace(") (", ")\n("),
    }
}

/// Names as long as they may be, in facts and steps of many arguments.
fn long_names(dice: &mut SplitMix, size: usize) -> Parts {
    let long = "n".repeat(200 + dice.below(40));
    let n_arguments = dice.within(1, 12);
    let n_objects = 1 + size / 4;
    let first = format!("{long}0 ").repeat(n_arguments);
    Parts {
        domain: format!(
            "(:predicates ({long} {0}) (s ?x ?y))
             (:action a{long} :parameters ({0}) :precondition {1} :effect ({long} {0}))",
            names("?x", n_arguments),
            match dice.percent(50) {
                true => "(and)".to_string(),
                false => "(s ?x0 ?x0)".to_string(),
            }
        ),
        objects: names(&long, n_objects),
        init: format!("(s {long}0 {long}0)"),
        goal: format!("({long} {first})"),
        plan: format!("(a{long} {first})"),
    }
}

/// A predicate of many arguments, asked for with other ones bound each time.
fn arguments(dice: &mut SplitMix, size: usize) -> Parts {
    let arity = size.min(300);
    let n_facts = dice.within(1, 60);
    let n_actions = dice.within(1, 12);
    let chance = dice.within(5, 60);
    let mut actions = String::new();
    for action in 0..n_actions {
        let bound: Vec<bool> = (0..arity).map(|_| dice.percent(chance)).collect();
        let terms = for_each(arity, |at| match bound[at] {
            true => "?k ".to_string(),
            false => format!("?x{at} "),
        });
        let free = for_each(arity, |at| if bound[at] { String::new() } else { format!("?x{at} ") });
        let _ = write!(
            actions,
            "(:action go{action} :parameters (?k {free}) :precondition (and (s ?k) (r {terms}))
              :effect (and (a) (r {})))",
            "?k ".repeat(arity)
        );
    }
    Parts {
        domain: format!("(:predicates (a) (s ?x) (r {})) {actions}", names("?x", arity)),
        objects: names("o", 6),
        init: for_each(n_facts, |fact| {
            format!("(r {}) ", for_each(arity, |at| format!("o{} ", (at * fact + fact) % 6)))
        }) + "(s o0) (s o1)",
        goal: "(a)".to_string(),
        plan: String::new(),
    }
}

/// Rules upon rules, with quantifiers and with themselves.
fn derived(dice: &mut SplitMix, size: usize) -> Parts {
    let arity = dice.within(1, 3);
    let variables = names("?x", arity);
    let predicates = for_each(size, |at| format!("(d{at} {variables}) "));
    let kinds: Vec<usize> = (0..size).map(|_| dice.below(5)).collect();
    let rule = |at: usize| {
        let below = at.saturating_sub(1);
        let condition = match (at, kinds[at]) {
            (0, _) => "(p ?x0)".to_string(),
            (_, 0) => format!("(exists ({}) (d{below} {0}))", names("?y", arity)),
            (_, 1) => format!("(or (p ?x0) (d{below} {variables}))"),
            (_, 2) => format!("(not (d{below} {variables}))"),
            (_, 3) => format!("(forall (?z) (imply (p ?z) (d{below} {variables})))"),
            _ => format!(
                "(or (d{below} {variables}) (exists (?z) (and (p ?z) (d{at} {variables}))))"
            ),
        };
        format!("(:derived (d{at} {variables}) {condition}) ")
    };
    let n_objects = dice.within(1, 30);
    let first = "o0 ".repeat(arity);
    Parts {
        domain: format!(
            "(:predicates (a) (p ?x) {predicates}) {}
             (:action make :parameters (?x) :effect (p ?x))
             (:action go :parameters ({variables}) :precondition (d{} {variables}) :effect (a))",
            for_each(size, rule),
            size - 1
        ),
        objects: names("o", n_objects),
        init: String::new(),
        goal: "(a)".to_string(),
        plan: format!("(make o0)\n(go {first})"),
    }
}

/// Many facts, static or not, matched by quantifiers or not.
fn facts(dice: &mut SplitMix, size: usize) -> Parts {
    let n_objects = 2 + size / dice.within(1, 8).max(1);
    let is_matched = dice.percent(50);
    let goal =
        if is_matched { "(and (a) (exists (?x ?y) (and (r ?x ?y) (r ?y ?x))))" } else { "(a)" };
    let change = if dice.percent(50) { "(not (r ?x ?y))" } else { "(r ?y ?x)" };
    Parts {
        domain: format!(
            "(:predicates (a) (r ?x ?y) (s ?x))
             (:action go :parameters (?x ?y) :precondition (r ?x ?y) :effect (and (a) {change}))"
        ),
        objects: names("o", n_objects),
        init: for_each(size, |at| {
            format!("(r o{} o{}) ", at % n_objects, (at * 7 + at / n_objects) % n_objects)
        }),
        goal: goal.to_string(),
        plan: "(go o0 o0)".to_string(),
    }
}

/// Facts of which one holds at a time, in several ways at once.
fn groups(dice: &mut SplitMix, size: usize) -> Parts {
    let arity = dice.within(2, 6);
    let free = dice.within(2, 3).min(arity);
    let fixed = "o0 ".repeat(arity - free);
    let (from, to) = (names("?x", free), names("?y", free));
    Parts {
        domain: format!(
            "(:constants o0) (:predicates (at {}) (next ?x ?y))
             (:action go :parameters ({from} {to}) :precondition (at {from} {fixed})
              :effect (and (not (at {from} {fixed})) (at {to} {fixed})))",
            names("?x", arity)
        ),
        objects: names("u", size),
        init: format!("(at {})", "o0 ".repeat(arity)),
        goal: format!("(at {} {fixed})", "u0 ".repeat(free)),
        plan: format!("(go {} {})", "o0 ".repeat(free), "u0 ".repeat(free)),
    }
}
