//! Why an action is not there now.
//!
//! In:   which checks hold, what the caller forbids, what stands still, an action of the type.
//! Out:  the first obstacle: its own checks, its kinds, the caller, another action, amounts that
//!       nothing of the type changes.
//! Cost: a look at its checks and kinds; for overrides, one at every action of the type.

use crate::asks::{Unmet, unmet_standing};
use crate::context::{ActionMask, Checks, is_enabled};
use throng_domain::compile::{LocalAction, NpcTables, PackedValue};
use throng_domain::model::{ActionId, CheckId, CheckUse};

/// A check whose answer is not the one that is needed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WrongCheck {
    /// The check.
    pub check: CheckId,
    /// The answer that is needed.
    pub needed: bool,
    /// Whether the caller gave the other answer; if not, it is only the default.
    pub told: bool,
    /// It is the file's own default, other than that of checks of which it says nothing.
    pub by_default: bool,
}

impl WrongCheck {
    /// A check of which another answer is needed than it has among these.
    pub fn of(checks: &Checks, check: CheckId, needed: bool) -> Self {
        let (told, by_default) = (checks.is_told(check), checks.is_by_default(check));
        WrongCheck { check, needed, told, by_default }
    }
}

/// Why an action is not there.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Absence {
    /// All of its own checks that fail.
    CheckFalse(Vec<WrongCheck>),
    /// For each of its kinds a check that fails, each once.
    NoKind(Vec<WrongCheck>),
    /// The caller forbids it.
    Forbidden,
    /// Another action is enabled and overrides it.
    Overridden {
        /// That action.
        by: ActionId,
        /// Checks of which another answer alone would end that; perhaps none.
        unless: Vec<WrongCheck>,
    },
    /// It asks for this of what nothing of the type changes.
    Standing(Vec<Unmet>),
}

impl Absence {
    /// `None` if the action is there.
    pub(crate) fn of(
        npc: &NpcTables,
        checks: &Checks,
        forbidden: &ActionMask,
        start: &[PackedValue],
        action: LocalAction,
    ) -> Option<Absence> {
        let wrong: Vec<WrongCheck> = wrong(checks, npc.checks(action)).collect();
        if !wrong.is_empty() {
            return Some(Absence::CheckFalse(wrong));
        }
        if let Some(wrong) = no_kind(npc, checks, action) {
            return Some(Absence::NoKind(wrong));
        }
        if forbidden.has(action) {
            return Some(Absence::Forbidden);
        }
        let Some(by) = overriders(npc, checks, forbidden, action).next() else {
            let unmet = unmet_standing(npc, start, action);
            return (!unmet.is_empty()).then_some(Absence::Standing(unmet));
        };
        let is_there = |checks: &Checks| {
            is_enabled(npc, checks, forbidden, action)
                && overriders(npc, checks, forbidden, action).next().is_none()
        };
        let mut unless: Vec<WrongCheck> = Vec::new();
        for check in asks(npc, by) {
            let mut other = checks.clone();
            other.set(check, !checks.holds(check));
            let wrong = WrongCheck::of(checks, check, other.holds(check));
            if !unless.contains(&wrong) && is_there(&other) {
                unless.push(wrong);
            }
        }
        Some(Absence::Overridden { by: npc.actions()[by.index()], unless })
    }

    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Absence::CheckFalse(_) => "check_false",
            Absence::NoKind(_) => "no_kind",
            Absence::Forbidden => "forbidden",
            Absence::Overridden { .. } => "overridden",
            Absence::Standing(_) => "standing",
        }
    }

    /// The checks that it names, each of which stands in the way.
    pub fn checks(&self) -> &[WrongCheck] {
        match self {
            Absence::CheckFalse(checks) | Absence::NoKind(checks) => checks,
            Absence::Overridden { unless, .. } => unless,
            Absence::Forbidden | Absence::Standing(_) => &[],
        }
    }
}

/// Those of some checks that fail.
pub(crate) fn wrong(checks: &Checks, uses: &[CheckUse]) -> impl Iterator<Item = WrongCheck> {
    let wrong = uses.iter().filter(|used| checks.holds(used.check) != used.expected);
    wrong.map(|used| WrongCheck::of(checks, used.check, used.expected))
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
    npc.local_actions().filter(move |&by| {
        npc.overrides(by).contains(&action) && is_enabled(npc, checks, forbidden, by)
    })
}

/// The checks that actions of the type ask for, each once, in order.
pub(crate) fn all_asked(npc: &NpcTables) -> Vec<CheckId> {
    let mut checks: Vec<CheckId> =
        npc.local_actions().flat_map(|action| asks(npc, action)).collect();
    checks.sort_unstable();
    checks.dedup();
    checks
}

/// The checks that an action asks for, those of its kinds included.
pub(crate) fn asks(npc: &NpcTables, action: LocalAction) -> impl Iterator<Item = CheckId> {
    let of_kinds = npc.kinds(action).iter().flat_map(|&kind| npc.kind_checks(kind));
    npc.checks(action).iter().chain(of_kinds).map(|used| used.check)
}
