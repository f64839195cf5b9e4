//! The wide kernel: plans for many NPCs of one type at once, computed for each.
//!
//! In:   a type whose actions are all moves of their own; states, goals and the actions that are
//!       there, of any number of NPCs.
//! Out:  for each NPC a cheapest plan as a mask of the type's *word*, as a list, or its first
//!       action; or a proof that there is none; or that the exact planner has to decide.
//! Cost: a few instructions per NPC; nothing is allocated once the scratch is warm.
//!
//! The word is a sequence of rules found at load: applied once from left to right it orders what
//! the closure collected, from any state to any goal. So planning has no branches and no graph, and
//! a thousand NPCs can do it side by side, one bit each (`bits`). The plain twin does the same for
//! one NPC (`machine`); `docs/theory.md` says why it is right.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(not(target_arch = "x86_64"))]
#[path = "no_avx2.rs"]
mod avx2;
mod bits;
mod block;
mod covers;
mod failures;
mod fields;
mod goal;
mod lanes;
mod machine;
mod output;
mod portable;
mod program;
mod proofs;
mod rules;
mod word;

pub use goal::{WideGoal, WideGoals};
pub use lanes::{
    Counted, Kernel, LaneActions, LaneGoals, LanePlans, LaneStates, Lanes, LanesError, WideScratch,
};
pub use machine::Lane;
pub use output::{NEXT_IMPOSSIBLE, NEXT_NONE, NEXT_UNKNOWN};

use covers::cover;
use failures::Failures;
use fields::{Fields, MOST_VALUES, WORD_BITS};
use goal::GoalWord;
use machine::Machine;
use output::ListTables;
use program::{BEGIN, Condition, Lists, Program};
use proofs::Proofs;
use throng_domain::compile::{LocalAction, LocalFact, LocalVariable, NpcTables, Stamp};

/// Why a type or a goal is not served by the wide kernel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum WideError {
    /// Some actions move several variables, or several set the same value.
    NotMoves,
    /// An action counts: the kernel knows values, not amounts.
    Counts {
        /// The first that does.
        action: LocalAction,
    },
    /// The order of plans matters, and the word has its own.
    Wishes,
    /// Amounts decide which actions are there.
    Amounts,
    /// A variable has too many values.
    Values {
        /// The variable.
        variable: LocalVariable,
        /// How many values it has.
        n_values: usize,
    },
    /// Values, actions and variables together do not fit into a machine word.
    Bits {
        /// How many bits they would take.
        bits: usize,
    },
    /// The word has more positions than a mask has bits.
    LongWord {
        /// How many positions it has.
        length: usize,
    },
    /// A goal asks for a value that is not there, or for two values of a variable.
    Goal {
        /// The fact that does not fit.
        fact: LocalFact,
    },
}

throng_base::error! { WideError {
    Self::NotMoves => "some actions are no moves of their own: they set several variables, or \
        several set the same value";
    Self::Counts { action } => "action {} counts", action.0;
    Self::Wishes => "plans have wishes about their order";
    Self::Amounts => "amounts decide which actions are there";
    Self::Values { variable, n_values } =>
        "variable {} has {n_values} values, and at most {MOST_VALUES} fit", variable.0;
    Self::Bits { bits } =>
        "values, actions and variables take {bits} bits, and at most {WORD_BITS} fit";
    Self::LongWord { length } =>
        "the word has {length} positions, and at most {} fit", word::LONGEST;
    Self::Goal { fact: LocalFact { variable, value } } =>
        "the goal asks for value {value} of variable {}, which it cannot have", variable.0;
} }

/// The wide kernel of one type.
#[derive(Clone, Debug)]
pub struct Wide {
    machine: Machine,
    actions: Vec<LocalAction>,
    n_unfinished: usize,
    failures: Failures,
    lists: Option<ListTables>,
    /// How many bits a packed state has, and where they say that a value is unknown.
    packed_bits: usize,
    unknown: (Lists, Vec<Condition>),
    stamp: Stamp,
}

impl Wide {
    /// Builds and tries the rules and the word of a type; bounded work, the same result always.
    /// Where actions ask for amounts that nothing of the type changes, those that are there are the
    /// caller's to say for each NPC ([`NpcTables::standing_allows`]).
    ///
    /// # Errors
    ///
    /// The limit that the type passes.
    pub fn new(npc: &NpcTables) -> Result<Wide, WideError> {
        let fields = Fields::new(npc)?;
        let mut machine = Machine {
            closure: rules::closure_rules(&fields),
            order: rules::order_rules(&fields),
            word: Vec::new(),
            proofs: Proofs::new(&fields),
            fields,
        };
        let n_unfinished = word::build(&mut machine, npc)?;
        let actions: Vec<LocalAction> =
            machine.word.iter().map(|&rule| machine.order[rule].action).collect();
        let fields = machine.fields.variables.iter();
        let ends = fields.map(|field| field.packed_shift + field.packed_mask.count_ones());
        Ok(Wide {
            packed_bits: ends.max().unwrap_or(0) as usize,
            unknown: unknown_codes(&machine.fields),
            failures: Failures::new(&machine),
            lists: ListTables::new(&actions, npc.n_actions()),
            stamp: npc.stamp().clone(),
            machine,
            actions,
            n_unfinished,
        })
    }

    /// A goal: what must hold at the end, of some variables or of all.
    ///
    /// # Errors
    ///
    /// If a value does not exist, or two are wanted of one variable.
    pub fn goal(&self, facts: &[LocalFact]) -> Result<WideGoal, WideError> {
        let word = GoalWord::new(&self.machine.fields, facts)?;
        let program = Program::new(&self.machine, &[&word]);
        Ok(WideGoal { word, program, stamp: self.stamp.clone() })
    }

    /// Several goals, for NPCs who want different things: a position among these says which.
    ///
    /// # Errors
    ///
    /// If one was made for another type.
    pub fn goals(&self, goals: &[WideGoal]) -> Result<WideGoals, LanesError> {
        if goals.iter().any(|goal| goal.stamp != self.stamp) {
            return Err(LanesError::Goals);
        }
        let words: Vec<&GoalWord> = goals.iter().map(|goal| &goal.word).collect();
        Ok(WideGoals::new(&self.machine, &words, self.stamp.clone()))
    }

    /// The word: the action of each position.
    pub fn word(&self) -> &[LocalAction] {
        &self.actions
    }

    /// How many of the problems looked at when the word was made it leaves to the exact planner
    /// although its rules could order them otherwise.
    pub fn n_unfinished(&self) -> usize {
        self.n_unfinished
    }

    /// Plans for one NPC, plainly. `state` is packed as [`NpcTables::layout`] says; `enabled` has a
    /// bit for each action that is there.
    /// A goal of another type is unknown.
    pub fn plan_one(&self, state: u64, goal: &WideGoal, enabled: u64) -> Lane {
        if goal.stamp != self.stamp {
            return Lane::Unknown;
        }
        self.machine.plan(state, &goal.word, enabled)
    }

    /// The first action of a mask; `None` if it has none.
    pub fn first(&self, mask: u32) -> Option<LocalAction> {
        self.actions.get(mask.trailing_zeros() as usize).copied()
    }

    /// The mask without its first action: what is left when that is done.
    pub fn advance(mask: u32) -> u32 {
        mask & mask.wrapping_sub(1)
    }

    /// How many actions a mask has.
    pub fn length(mask: u32) -> u32 {
        mask.count_ones()
    }

    /// Whether plans can be handed out as masks of 16 bits, and as lists.
    pub fn fits(&self) -> (bool, bool) {
        (self.actions.len() <= output::SHORT, self.lists.is_some())
    }

    /// The actions of a mask, in order.
    pub fn decode(&self, mask: u32) -> impl Iterator<Item = LocalAction> + '_ {
        let has = move |position: &usize| mask >> position & 1 == 1;
        (0..self.actions.len()).filter(has).map(|position| self.actions[position])
    }
}

/// Where the rows of packed states say that a value is unknown.
fn unknown_codes(fields: &Fields) -> (Lists, Vec<Condition>) {
    let (mut lists, mut conditions) = (Lists::default(), Vec::new());
    for field in &fields.variables {
        let base = BEGIN + field.packed_shift;
        if field.size.is_power_of_two() {
            // The highest bit is there for this alone.
            conditions.push(lists.condition(&[(base, 1 << field.width, 1 << field.width)]));
            continue;
        }
        let all = fields::low_bits(1 << field.width);
        for cube in cover(all & !fields::low_bits(field.size.into()), all, field.width) {
            let (care, want) = program::placed(cube, 0);
            conditions.push(lists.condition(&[(base, care, want)]));
        }
    }
    (lists, conditions)
}
