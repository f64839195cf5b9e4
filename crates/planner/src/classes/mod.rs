//! Which restrictions an NPC type keeps, and what that promises: decided once, at load.
//!
//! In:   the compiled tables of an NPC type, all its actions together.
//! Out:  a [`ClassReport`]: which classes hold, what breaks the others and how to fix it, the
//!       loops of the variables, the engine that serves, the promise.
//! Cost: linear in the actions and what they need and set, but for a logarithm in the look-ups
//!       of `causal`. At most `MOST_TOLD` violations of a class are kept and at most
//!       `MOST_NAMED` actions named in each; all are counted.
//!
//! Every class is inherited by every subset of the actions: whatever the context takes away, a
//! class that holds here still holds. So one report serves all masks of enabled actions. The
//! reverse is not true: a class that fails here may hold for a subset.
//!
//! | class | an NPC type is in it if | file |
//! |---|---|---|
//! | U | every action changes exactly one variable, from one value | `unary` |
//! | P | no two actions set the same value | `post_unique` |
//! | S | all actions that look at a variable without changing it want the same value | `single_valued` |
//! | B | no variable has more than two values | `binary` |
//! | C0 | U, P, and no loop passes a requested value | `loops` |
//! | C2S | U, P, and loops with a requested value have two actions and one such value | `loops` |
//! | C2* | U, P, and where both values of a loop are requested, those who do are independent | `on_off` |
//! | nested | C2*, and the two actions of such a loop do not want different things | `nested` |
//! | one per cycle | U, P, and no loop has two requested values | `loops` |
//!
//! Follows "Topological Planning with Post-unique and Unary Actions", Definitions 1 to 7, with
//! an intersection where it prints `Req(v) ∪ Cycle(v)`. The plain twin is in the suite's
//! `tests/it/classes.rs`.

mod basic;
mod causal;
mod findings;
mod loops;
mod on_off;
mod report;
mod structure;
mod words;

pub use causal::{Part, Parts};
pub use findings::{Breach, MOST_NAMED, MOST_TOLD, Violation, Where};
pub use report::{ClassReport, Repetition};
pub use structure::Cycle;

use crate::tables::ActionMasks;
use findings::Findings;
use structure::Structure;
use throng_domain::compile::NpcTables;

/// A restriction on the actions of an NPC type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Class {
    /// U: every action changes exactly one variable, from one value.
    Unary,
    /// P: no two actions set the same value.
    PostUnique,
    /// S: a variable is needed at one value only.
    SingleValued,
    /// B: every variable has at most two values.
    Binary,
    /// C0: no loop passes a requested value.
    C0,
    /// C2S: loops with a requested value have two actions and one such value.
    C2S,
    /// C2*, strict reading: who requests the two values of a loop is independent.
    C2Star,
    /// C2*, and the two actions of a loop requested both ways want no different things.
    Nested,
    /// No loop has two requested values.
    OnePerCycle,
}

impl Class {
    /// All classes, in the order of the catalogue.
    pub const ALL: [Class; 9] = [
        Class::Unary,
        Class::PostUnique,
        Class::SingleValued,
        Class::Binary,
        Class::C0,
        Class::C2S,
        Class::C2Star,
        Class::Nested,
        Class::OnePerCycle,
    ];

    /// The papers' letter, or our word where they have none.
    pub fn id(self) -> &'static str {
        WORDS[self as usize].0
    }

    /// What it says, in a few words.
    pub fn title(self) -> &'static str {
        WORDS[self as usize].1
    }
}

/// The classes in words, in the order of [`Class::ALL`].
const WORDS: [(&str, &str); Class::ALL.len()] = [
    ("U", "every action changes one variable, from one value"),
    ("P", "no two actions set the same value"),
    ("S", "no variable is needed at two different values"),
    ("B", "no variable has more than two values"),
    ("C0", "no loop passes a value that is needed"),
    ("C2S", "loops with a needed value are pairs, and need one side only"),
    ("C2*", "pairs needed on both sides serve independent work"),
    ("nested", "and the two actions of such a pair want no different things"),
    ("one_per_cycle", "no loop passes two values that are needed"),
];

/// One line of the catalogue.
struct Entry {
    class: Class,
    /// The classes that it is a part of: asked first, and it fails with them.
    asks: &'static [Class],
    /// Finds what breaks it.
    check: fn(&Structure<'_>, &mut Findings),
}

const U_AND_P: &[Class] = &[Class::Unary, Class::PostUnique];

/// Every class, each after those that it asks for.
const CATALOGUE: [Entry; 9] = [
    Entry { class: Class::Unary, asks: &[], check: basic::check_unary },
    Entry { class: Class::PostUnique, asks: &[], check: basic::check_post_unique },
    Entry { class: Class::SingleValued, asks: &[], check: basic::check_single_valued },
    Entry { class: Class::Binary, asks: &[], check: basic::check_binary },
    Entry { class: Class::C0, asks: U_AND_P, check: loops::check_c0 },
    Entry { class: Class::C2S, asks: U_AND_P, check: loops::check_c2s },
    Entry { class: Class::C2Star, asks: U_AND_P, check: on_off::check },
    Entry {
        class: Class::Nested,
        asks: &[Class::Unary, Class::PostUnique, Class::C2Star],
        check: on_off::check_nested,
    },
    Entry { class: Class::OnePerCycle, asks: U_AND_P, check: loops::check_one_per_cycle },
];

/// Decides all classes of an NPC type.
pub fn classify(npc: &NpcTables) -> ClassReport {
    let structure = Structure::new(npc);
    let mut findings = Findings::default();
    for entry in &CATALOGUE {
        match entry.asks.iter().find(|&&class| !findings.holds(class)) {
            Some(&first) => findings.asks(entry.class, first),
            None => (entry.check)(&structure, &mut findings),
        }
    }
    let are_moves = U_AND_P.iter().all(|&class| findings.holds(class));
    let c2_star_as_printed = are_moves && on_off::holds_as_printed(&structure, &findings);
    let (cycles, parts) = if are_moves { structure.into_kept() } else { (Vec::new(), None) };
    let Findings { violations, counts: found, .. } = findings;
    // Only types in C2* make use of the parts.
    let parts = parts.filter(|_| found[Class::C2Star as usize] == 0);
    let is_narrow = ActionMasks::serves(npc);
    let counts = npc.local_actions().any(|action| npc.counts(action));
    ClassReport { violations, found, c2_star_as_printed, cycles, parts, is_narrow, counts }
}
