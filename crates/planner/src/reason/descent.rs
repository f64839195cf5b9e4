//! The way down from a fact that is out of reach to what blocks it.
//!
//! In:   a problem, and what could be reached at all.
//! Out:  the chain of actions that would help, each with what it needs; the root that blocks them.
//! Cost: one look at the setters of each fact on the chain.

use super::{Link, Root};
use crate::context::is_enabled;
use crate::problem::Problem;
use crate::relaxed::Relaxed;
use throng_domain::compile::{LocalAction, LocalFact, LocalKind, NpcType, UNKNOWN};
use throng_domain::model::{CheckId, CheckUse};

/// Goes down from a fact to what blocks it.
pub(super) struct Descent<'r> {
    pub(super) npc: &'r NpcType,
    pub(super) problem: &'r Problem,
    pub(super) relaxed: &'r Relaxed,
}

impl Descent<'_> {
    pub(super) fn follow(&self, wanted: LocalFact, chain: &mut Vec<Link>) -> Root {
        let mut fact = wanted;
        let mut passed = vec![wanted];
        let mut unknown = None;
        loop {
            let start_unknown = self.problem.start()[fact.variable.index()] == UNKNOWN;
            if start_unknown {
                unknown = Some(fact);
            }
            let setters = self.npc.setters(self.npc.slot(fact));
            let Some(&action) = setters.iter().find(|&&a| self.problem.enabled().has(a)) else {
                return match setters.first() {
                    Some(&action) => self.disabled(fact, action),
                    None if start_unknown => Root::UnknownStart(self.npc.fact(fact).variable),
                    None if self.npc.can_change(fact.variable) => {
                        Root::NobodySets(self.npc.fact(fact))
                    }
                    None => Root::OnlyWorldSets(self.npc.fact(fact)),
                };
            };
            if let Some(root) = self.stuck(fact) {
                return root;
            }
            // An enabled setter of an unreached fact has a need that is unreached too.
            let missing = |need: &&LocalFact| !self.relaxed.has(self.npc, **need);
            let Some(&need) = self.npc.needs(action).iter().find(missing) else {
                return Root::NobodySets(self.npc.fact(fact));
            };
            chain.push(Link {
                action: self.npc.actions()[action.index()],
                needs: self.npc.fact(need),
            });
            if passed.contains(&need) {
                // An unknown value on the way is the better hint: knowing it may open the circle.
                return match unknown {
                    Some(fact) => Root::UnknownStart(self.npc.fact(fact).variable),
                    None => Root::Circle(self.npc.fact(need)),
                };
            }
            passed.push(need);
            fact = need;
        }
    }

    /// Why the variable of a fact cannot leave the value it has; `None` if it can, or if that
    /// value is unknown.
    fn stuck(&self, wanted: LocalFact) -> Option<Root> {
        let npc = self.npc;
        let now = LocalFact {
            variable: wanted.variable,
            value: self.problem.start()[wanted.variable.index()],
        };
        if now.value == UNKNOWN {
            return None;
        }
        let setters = npc.setters_of(now.variable).filter(|(fact, _)| *fact != now);
        let leads_away = |action: LocalAction| {
            let own = npc.needs(action).iter().find(|need| need.variable == now.variable);
            own.is_none_or(|need| *need == now)
        };
        let mut ways = setters.filter(|&(_, action)| leads_away(action)).peekable();
        let Some(&(fact, action)) = ways.peek() else {
            return Some(Root::StuckAt(npc.fact(now)));
        };
        match ways.any(|(_, action)| self.problem.enabled().has(action)) {
            true => None,
            false => Some(self.disabled(fact, action)),
        }
    }

    fn disabled(&self, fact: LocalFact, action: LocalAction) -> Root {
        let (npc, checks) = (self.npc, self.problem.checks());
        let named = npc.actions()[action.index()];
        let fact = npc.fact(fact);
        let wrong = |used: &&CheckUse| checks.holds(used.check) != used.expected;
        let failing = npc.checks(action).iter().filter(wrong);
        let failing: Vec<_> = failing.map(|used| (used.check, used.expected)).collect();
        if !failing.is_empty() {
            return Root::CheckFalse { fact, action: named, checks: failing };
        }
        let kinds = npc.kinds(action);
        let failing = |kind: &LocalKind| {
            npc.kind_checks(*kind).iter().find(wrong).map(|used| (used.check, used.expected))
        };
        let failing: Vec<_> = kinds.iter().filter_map(failing).collect();
        if !kinds.is_empty() && failing.len() == kinds.len() {
            let mut checks: Vec<(CheckId, bool)> = Vec::new();
            for one in failing {
                if !checks.contains(&one) {
                    checks.push(one);
                }
            }
            return Root::NoKind { fact, action: named, checks };
        }
        let forbidden = self.problem.forbidden();
        let overrides = |&by: &LocalAction| {
            npc.overrides(by).contains(&action) && is_enabled(npc, checks, forbidden, by)
        };
        match (0..npc.n_actions() as u32).map(LocalAction).find(overrides) {
            Some(by) if !forbidden.has(action) => {
                Root::Overridden { fact, action: named, by: npc.actions()[by.index()] }
            }
            _ => Root::Forbidden { fact, action: named },
        }
    }
}
