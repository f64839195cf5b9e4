//! The way down from a fact that is out of reach to what blocks it.
//!
//! In:   a problem, what could be reached at all, and what is nearest of the rest.
//! Out:  the chain of actions that would help, each with what it needs; the root that blocks them.
//! Cost: one look at the setters of each fact on the chain.

use super::nearest::Nearest;
use super::{Link, LinkEffect, Root};
use crate::absence::Absence;
use crate::problem::Problem;
use crate::relaxed::Relaxed;
use throng_domain::compile::{LocalAction, LocalFact, NpcTables, UNKNOWN};
use throng_domain::model::Range;

/// Goes down from a fact to what blocks it.
pub(super) struct Descent<'r> {
    pub(super) npc: &'r NpcTables,
    pub(super) problem: &'r Problem,
    pub(super) relaxed: &'r Relaxed,
    pub(super) nearest: Nearest,
}

impl Descent<'_> {
    pub(super) fn follow(&self, wanted: LocalFact, chain: &mut Vec<Link>) -> Root {
        let Descent { npc, problem, relaxed, nearest } = self;
        let mut fact = wanted;
        let mut passed = vec![wanted];
        let mut unknown = None;
        loop {
            let start_unknown = problem.start()[fact.variable.index()] == UNKNOWN;
            if start_unknown {
                unknown = Some(fact);
            }
            let setters = npc.setters(npc.slot(fact));
            let enabled = |action: &&LocalAction| problem.enabled().has(**action);
            let usual = || setters.iter().find(enabled).or(setters.first()).copied();
            let Some(action) = nearest.by(npc, fact).or_else(usual) else {
                let asked = npc.fact(fact).into();
                return match () {
                    () if start_unknown => Root::UnknownStart(npc.fact(fact).variable),
                    () if npc.can_change(fact.variable) => Root::NobodySets(asked),
                    () => Root::OnlyWorldSets { asked, now: None },
                };
            };
            if !problem.enabled().has(action) {
                return self.disabled(fact, action);
            }
            if let Some(root) = self.stuck(fact) {
                return root;
            }
            // An enabled setter of an unreached fact has a need that is unreached too.
            let missing = |need: &&LocalFact| !relaxed.has(npc, **need);
            let Some(&need) = npc.needs(action).iter().find(missing) else {
                return Root::NobodySets(npc.fact(fact).into());
            };
            let action = npc.actions()[action.index()];
            chain.push(Link { action, effect: LinkEffect::Sets, needs: npc.fact(need).into() });
            if passed.contains(&need) {
                // An unknown value on the way is the better hint: knowing it may open the circle.
                return match unknown {
                    Some(fact) => Root::UnknownStart(npc.fact(fact).variable),
                    None => Root::Circle(npc.fact(need).into()),
                };
            }
            passed.push(need);
            fact = need;
        }
    }

    /// Why the variable of a fact cannot leave the value it has; `None` if it can, or if that
    /// value is unknown.
    fn stuck(&self, wanted: LocalFact) -> Option<Root> {
        let (npc, variable) = (self.npc, wanted.variable);
        let now = LocalFact { variable, value: self.problem.start()[variable.index()] };
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
        if ways.any(|(_, action)| self.problem.enabled().has(action)) {
            return None;
        }
        let (fact, action) = self.first_step(wanted).unwrap_or((fact, action));
        Some(self.disabled(fact, action))
    }

    /// The step that is not there on the nearest way of a variable to a value.
    fn first_step(&self, wanted: LocalFact) -> Option<(LocalFact, LocalAction)> {
        let mut fact = wanted;
        loop {
            let action = self.nearest.by(self.npc, fact)?;
            if !self.problem.enabled().has(action) {
                return Some((fact, action));
            }
            let needs = self.npc.needs(action).iter();
            fact = *needs.into_iter().find(|need| need.variable == wanted.variable)?;
        }
    }

    fn disabled(&self, fact: LocalFact, action: LocalAction) -> Root {
        let asked = self.npc.fact(fact).into();
        not_there(self.npc, self.problem, action, LinkEffect::Sets, asked)
    }
}

/// The root of an action that would help and is not there.
pub(super) fn not_there(
    npc: &NpcTables,
    problem: &Problem,
    action: LocalAction,
    effect: LinkEffect,
    asked: Range,
) -> Root {
    let (checks, forbidden) = (problem.checks(), problem.forbidden());
    let absence = Absence::of(npc, checks, forbidden, problem.start(), action);
    let absence = absence.unwrap_or(Absence::Forbidden);
    Root::NotThere { asked, effect, action: npc.actions()[action.index()], absence }
}
