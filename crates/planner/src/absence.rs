//! Why an action is not there now.
//!
//! In:   which checks hold, what the caller forbids, an action of the type.
//! Out:  the first obstacle: its own checks, its kinds, the caller, another action.
//! Cost: a look at its checks and kinds; for overrides, one at every action of the type.

use crate::context::{ActionMask, Checks, is_enabled};
use throng_domain::compile::{LocalAction, NpcTables};
use throng_domain::model::{CheckId, CheckUse};

/// A check whose answer is not the one that is needed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WrongCheck {
    /// The check.
    pub check: CheckId,
    /// The answer that is needed.
    pub needed: bool,
    /// Whether somebody gave the other answer; if not, it only stands because nobody said
    /// otherwise.
    pub told: bool,
}

/// Why an action is not there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Absence {
    /// All of its own checks that fail.
    Checks(Vec<WrongCheck>),
    /// For each of its kinds a check that fails, each once.
    NoKind(Vec<WrongCheck>),
    /// The caller forbids it.
    Forbidden,
    /// Another action is enabled and overrides it.
    Overridden {
        /// That action.
        by: LocalAction,
        /// Checks of which another answer alone would end that; perhaps none.
        unless: Vec<WrongCheck>,
    },
}

impl Absence {
    /// `None` if the action is there.
    pub(crate) fn of(
        npc: &NpcTables,
        checks: &Checks,
        forbidden: &ActionMask,
        action: LocalAction,
    ) -> Option<Absence> {
        let wrong: Vec<WrongCheck> = wrong(checks, npc.checks(action)).collect();
        if !wrong.is_empty() {
            return Some(Absence::Checks(wrong));
        }
        if let Some(wrong) = no_kind(npc, checks, action) {
            return Some(Absence::NoKind(wrong));
        }
        if forbidden.has(action) {
            return Some(Absence::Forbidden);
        }
        let by = overriders(npc, checks, forbidden, action).next()?;
        let is_there = |checks: &Checks| {
            is_enabled(npc, checks, forbidden, action)
                && overriders(npc, checks, forbidden, action).next().is_none()
        };
        let mut unless: Vec<WrongCheck> = Vec::new();
        for check in asks(npc, by) {
            let mut other = checks.clone();
            other.set(check, !checks.holds(check));
            let wrong = answer(checks, check, other.holds(check));
            if !unless.contains(&wrong) && is_there(&other) {
                unless.push(wrong);
            }
        }
        Some(Absence::Overridden { by, unless })
    }
}

/// Those of some checks that fail.
pub(crate) fn wrong(checks: &Checks, uses: &[CheckUse]) -> impl Iterator<Item = WrongCheck> {
    let wrong = uses.iter().filter(|used| checks.holds(used.check) != used.expected);
    wrong.map(|used| answer(checks, used.check, used.expected))
}

fn answer(checks: &Checks, check: CheckId, needed: bool) -> WrongCheck {
    WrongCheck { check, needed, told: checks.is_told(check) }
}

/// A failing check of each kind; `None` if a kind is possible, or there are none.
fn no_kind(npc: &NpcTables, checks: &Checks, action: LocalAction) -> Option<Vec<WrongCheck>> {
    let mut failing: Vec<WrongCheck> = Vec::new();
    for &kind in npc.kinds(action) {
        let one = wrong(checks, npc.kind_checks(kind)).next()?;
        if !failing.contains(&one) {
            failing.push(one);
        }
    }
    (!failing.is_empty()).then_some(failing)
}

/// The enabled actions that override an action.
fn overriders(
    npc: &NpcTables,
    checks: &Checks,
    forbidden: &ActionMask,
    action: LocalAction,
) -> impl Iterator<Item = LocalAction> {
    (0..npc.n_actions() as u32).map(LocalAction).filter(move |&by| {
        npc.overrides(by).contains(&action) && is_enabled(npc, checks, forbidden, by)
    })
}

/// The checks that an action asks for, those of its kinds included.
pub(crate) fn asks(npc: &NpcTables, action: LocalAction) -> impl Iterator<Item = CheckId> {
    let of_kinds = npc.kinds(action).iter().flat_map(|&kind| npc.kind_checks(kind));
    npc.checks(action).iter().chain(of_kinds).map(|used| used.check)
}
