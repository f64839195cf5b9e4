//! What is possible now: context checks, forbidden actions and overrides become a mask of
//! the actions that are *there*, before planning begins.
//!
//! In:   which checks hold, which actions the caller forbids.
//! Out:  an [`ActionMask`] over the actions of one NPC type.
//! Cost: one pass over the actions, their checks and their overrides.
//!
//! The planner never asks the game: the game has answered before.

use throng_base::Bits;
use throng_domain::compile::{LocalAction, NpcTables};
use throng_domain::model::{CheckId, CheckUse};

/// Which context checks hold.
#[derive(Clone, Debug)]
pub struct Checks {
    held: Bits,
    /// The answer of those that the caller does not mention.
    unsaid: bool,
    /// Those of which the file says the other answer until the caller mentions them.
    otherwise: Vec<CheckId>,
}

/// The same checks hold: who said so is for reasons only.
impl PartialEq for Checks {
    fn eq(&self, other: &Checks) -> bool {
        self.held == other.held
    }
}

impl Eq for Checks {}

impl std::hash::Hash for Checks {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.held.hash(state);
    }
}

impl Checks {
    /// All `n_checks` checks of a domain hold: how things are unless said otherwise.
    pub fn all(n_checks: usize) -> Self {
        Checks { held: Bits::full(n_checks), unsaid: true, otherwise: Vec::new() }
    }

    /// No check holds, unless said otherwise.
    pub fn none(n_checks: usize) -> Self {
        Checks { held: Bits::new(n_checks), unsaid: false, otherwise: Vec::new() }
    }

    /// Becomes equal to `other`, reusing its memory (a derived `clone_from` would not).
    pub(crate) fn copy_from(&mut self, other: &Checks) {
        self.held.clone_from(&other.held);
        self.unsaid = other.unsaid;
        self.otherwise.clone_from(&other.otherwise);
    }

    /// Says whether a check holds.
    pub fn set(&mut self, check: CheckId, holds: bool) {
        self.held.set(check.index(), holds);
    }

    /// Says what a check is until the caller says otherwise: what the file gives as its default.
    pub fn set_default(&mut self, check: CheckId, holds: bool) {
        self.set(check, holds);
        self.otherwise.retain(|known| *known != check);
        if holds != self.unsaid {
            self.otherwise.push(check);
        }
    }

    /// Whether a check holds.
    pub fn holds(&self, check: CheckId) -> bool {
        self.held.get(check.index())
    }

    /// Whether a check has another answer than the default.
    pub fn is_told(&self, check: CheckId) -> bool {
        let is_otherwise = self.otherwise.contains(&check);
        self.holds(check) != (self.unsaid != is_otherwise)
    }

    /// Whether a check has its answer only because the file says so, and others have another.
    pub fn is_by_default(&self, check: CheckId) -> bool {
        self.otherwise.contains(&check) && !self.is_told(check)
    }

    /// Whether all of these have the answer that is asked for.
    pub fn answer(&self, uses: &[CheckUse]) -> bool {
        uses.iter().all(|used| self.holds(used.check) == used.expected)
    }

    /// How many checks there are.
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether the domain has no checks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What is possible now, as the caller knows it.
#[derive(Clone, Copy, Debug)]
pub struct Context<'c> {
    /// Which checks hold.
    pub checks: &'c Checks,
    /// Which actions the caller forbids.
    pub forbidden: &'c ActionMask,
    /// The actions that are there, given these, if the caller knows them already.
    pub enabled: Option<&'c ActionMask>,
}

impl<'c> Context<'c> {
    /// Which actions are there is still to be found out.
    pub fn new(checks: &'c Checks, forbidden: &'c ActionMask) -> Self {
        Context { checks, forbidden, enabled: None }
    }
}

/// A set of actions of one NPC type.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ActionMask {
    bits: Bits,
}

impl ActionMask {
    /// The empty set for a type with `n_actions` actions.
    pub fn none(n_actions: usize) -> Self {
        ActionMask { bits: Bits::new(n_actions) }
    }

    /// Becomes equal to `other`, reusing its memory.
    pub fn copy_from(&mut self, other: &ActionMask) {
        self.bits.clone_from(&other.bits);
    }

    /// Adds or removes an action.
    pub fn set(&mut self, action: LocalAction, on: bool) {
        self.bits.set(action.index(), on);
    }

    /// The first 64 actions as bits.
    pub fn word(&self) -> u64 {
        self.words().first().copied().unwrap_or(0)
    }

    /// All actions as bits, 64 to a word.
    pub fn words(&self) -> &[u64] {
        self.bits.words()
    }

    /// Whether an action is in the set.
    #[inline]
    pub fn has(&self, action: LocalAction) -> bool {
        self.bits.get(action.index())
    }

    /// Whether it has all actions of another mask of the type.
    pub(crate) fn has_all(&self, others: &ActionMask) -> bool {
        self.bits.has_all(&others.bits)
    }

    /// Fills in all actions but those that the caller forbids.
    pub(crate) fn fill_all_but(&mut self, npc: &NpcTables, forbidden: &ActionMask) {
        self.bits.reset(npc.n_actions(), true);
        self.bits.remove_all(&forbidden.bits);
    }

    /// Becomes the set of the actions that are there: their checks hold and those of one of
    /// their kinds, if they have any, the caller does not
    /// forbid them, and no action of which both is true overrides them.
    ///
    /// An overridden action still overrides: `a` over `b` over `c` leaves `a` alone.
    pub fn fill_enabled(&mut self, npc: &NpcTables, checks: &Checks, forbidden: &ActionMask) {
        if !npc.has_context() {
            return self.fill_all_but(npc, forbidden);
        }
        let all = || npc.local_actions();
        self.bits.reset(npc.n_actions(), false);
        for action in all().filter(|&action| is_enabled(npc, checks, forbidden, action)) {
            self.set(action, true);
        }
        for action in all().filter(|&action| !npc.overrides(action).is_empty()) {
            if is_enabled(npc, checks, forbidden, action) {
                npc.overrides(action).iter().for_each(|&other| self.set(other, false));
            }
        }
    }
}

/// Whether an action's own checks hold and the caller allows it; overrides not counted.
pub fn is_enabled(
    npc: &NpcTables,
    checks: &Checks,
    forbidden: &ActionMask,
    action: LocalAction,
) -> bool {
    !forbidden.has(action)
        && checks.answer(npc.checks(action))
        && (npc.kinds(action).is_empty() || possible_kind(npc, checks, action).is_some())
}

/// The kind of an action to choose now: of those whose checks hold the cheapest, of equals the
/// first. `None` if there is none, also if the action has no kinds.
pub fn possible_kind(npc: &NpcTables, checks: &Checks, action: LocalAction) -> Option<usize> {
    let kinds = npc.kinds(action).iter().enumerate();
    let possible = kinds.filter(|(_, kind)| checks.answer(npc.kind_checks(**kind)));
    possible.min_by_key(|(_, kind)| kind.cost).map(|(at, _)| at)
}
