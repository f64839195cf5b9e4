//! The actions and the goal of a list: what is asked, one run of values per amount.
//!
//! In:   a type, the actions that are there, what is wanted.
//! Out:  rules on lanes and the goal as demands; only what matters to the goal.
//! Cost: the actions a few times over.
//!
//! A set with a hole of an amount of many values is several runs: an action that asks for it is a
//! rule for each, a goal a demand for each. So is a comparison with another amount, which stands
//! still: one for each value that this can have, if these are few.

use super::NoListReason;
use super::demand::{Effect, LaneRule, Layout, MOST_IN_MASK, Term};
use throng_domain::amounts::ValueSet;
use throng_domain::compile::{
    LocalAction, LocalComparison, LocalFact, LocalRange, LocalVariable, NpcTables,
};
use throng_planner::ActionMask;

/// An action, or a goal, may be so many rules.
const MOST_PARTS: usize = 64;

/// What is wanted, among the variables of the type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'w> {
    pub(crate) facts: &'w [LocalFact],
    pub(crate) ranges: &'w [LocalRange],
    pub(crate) comparisons: &'w [LocalComparison],
}

/// What a list is made of.
pub(super) struct Rules {
    pub(super) layout: Layout,
    /// Each with its action and what that costs.
    pub(super) rules: Vec<(LocalAction, u64, LaneRule)>,
    /// What is wanted: any of these.
    pub(super) goals: Vec<Vec<u16>>,
}

impl Rules {
    pub(super) fn new(
        npc: &NpcTables,
        enabled: &ActionMask,
        wants: &Wanted<'_>,
    ) -> Result<Rules, NoListReason> {
        let there = npc.local_actions().filter(|&action| enabled.has(action));
        let actions: Vec<Asking<'_>> = there.map(|action| Asking::new(npc, action)).collect();
        let facts = wants.facts.iter().map(|it| (it.variable, ValueSet::one(it.value)));
        let ranges = wants.ranges.iter().map(|it| (it.variable, it.values));
        let mut wanted: Vec<Term> = Vec::new();
        for (variable, set) in facts.chain(ranges) {
            let variable = variable.index();
            // A game may want two sets of one variable.
            narrow(&mut wanted, variable, set)?;
        }
        let wanted = Asking { action: None, terms: wanted, comparisons: wants.comparisons };
        let is_asked = asked(npc, &actions, &wanted);
        let sizes: Vec<u16> = npc.local_variables().map(|it| npc.n_values(it) as u16).collect();
        let layout = Layout::new(&sizes, |at| is_asked[at]);
        let mut rules = Vec::new();
        for asking in actions.iter().filter(|asking| asking.changes_one(&is_asked)) {
            let Some(action) = asking.action else { continue };
            for part in asking.parts(&sizes)? {
                let rule = layout.rule(&part);
                rules.extend(rule.map(|rule| (action, npc.cost(action), rule)));
            }
        }
        let mut goals = Vec::new();
        for part in wanted.parts(&sizes)? {
            let mut goal = vec![0; layout.n_lanes()];
            let mut is_possible = true;
            for term in &part {
                let set = term.need.unwrap_or(ValueSet::EMPTY);
                is_possible &= layout.write(term.variable, &set, &mut goal);
            }
            if is_possible {
                goals.push(goal);
            }
        }
        Ok(Rules { layout, rules, goals })
    }
}

/// What an action, or the goal, asks and does.
struct Asking<'n> {
    /// `None` of the goal.
    action: Option<LocalAction>,
    /// By variable.
    terms: Vec<Term>,
    comparisons: &'n [LocalComparison],
}

impl<'n> Asking<'n> {
    fn new(npc: &'n NpcTables, action: LocalAction) -> Asking<'n> {
        let facts = npc.needs(action).iter().map(|it| (it.variable, ValueSet::one(it.value)));
        let ranges = npc.ranges(action).iter().map(|it| (it.variable, it.values));
        let sets = npc.sets(action).iter().map(|it| (it.variable, Effect::Set(it.value)));
        let shifts = npc.shifts(action).iter().map(|it| (it.variable, Effect::Shift(it.by)));
        let need = |(variable, set): (LocalVariable, ValueSet)| Term {
            variable: variable.index(),
            need: Some(set),
            effect: None,
        };
        let mut terms: Vec<Term> = facts.chain(ranges).map(need).collect();
        for (variable, effect) in sets.chain(shifts) {
            term_of(&mut terms, variable.index()).effect = Some(effect);
        }
        Asking { action: Some(action), terms, comparisons: npc.comparisons(action) }
    }

    /// Whether it changes one of some variables.
    fn changes_one(&self, of: &[bool]) -> bool {
        self.terms.iter().any(|term| term.effect.is_some() && of[term.variable])
    }

    /// The variables that it asks for.
    fn asks(&self) -> impl Iterator<Item = usize> + '_ {
        let asks =
            |term: &&Term| term.need.is_some() || matches!(term.effect, Some(Effect::Shift(_)));
        let both = self.comparisons.iter().flat_map(|it| [it.variable.index(), it.other.index()]);
        self.terms.iter().filter(asks).map(|term| term.variable).chain(both)
    }

    /// The same without comparisons, and with one run of every set of an amount of many values: one
    /// for each way to be so.
    fn parts(&self, sizes: &[u16]) -> Result<Vec<Vec<Term>>, NoListReason> {
        let mut all = vec![self.terms.clone()];
        for it in self.comparisons {
            let (variable, other) = (it.variable.index(), it.other.index());
            let mut each = Vec::new();
            for value in 0..sizes[other] {
                let holds = |left: &u16| it.comparison.holds(*left, value);
                // All relations but one leave one run, and that one leaves two.
                let set = ValueSet::of((0..sizes[variable]).filter(holds));
                let set = set.ok_or(NoListReason::Compares)?;
                for part in &all {
                    let mut part = part.clone();
                    let fits = narrow(&mut part, other, ValueSet::one(value))?
                        && narrow(&mut part, variable, set)?;
                    each.extend(fits.then_some(part));
                    if each.len() > MOST_PARTS {
                        return Err(NoListReason::Compares);
                    }
                }
            }
            all = each;
        }
        let mut single = Vec::new();
        for part in &all {
            single.extend(runs(part, sizes)?);
            if single.len() > MOST_PARTS {
                return Err(NoListReason::TooLong);
            }
        }
        Ok(single)
    }
}

/// The term of a variable, made if there is none.
fn term_of(terms: &mut Vec<Term>, variable: usize) -> &mut Term {
    let known = terms.iter().position(|term| term.variable == variable);
    let at = known.unwrap_or_else(|| {
        terms.push(Term { variable, need: None, effect: None });
        terms.len() - 1
    });
    &mut terms[at]
}

/// Asks for less of a variable; `false` if nothing is left.
fn narrow(terms: &mut Vec<Term>, variable: usize, set: ValueSet) -> Result<bool, NoListReason> {
    let term = term_of(terms, variable);
    let both = term.need.map_or(Some(set), |need| need.both(&set));
    let both = both.ok_or(NoListReason::TooLong)?;
    term.need = Some(both);
    Ok(!both.is_empty())
}

/// By variable, whether a plan for the goal may ask for it.
fn asked(npc: &NpcTables, actions: &[Asking<'_>], wanted: &Asking<'_>) -> Vec<bool> {
    let mut is_asked = vec![false; npc.variables().len()];
    wanted.asks().for_each(|variable| is_asked[variable] = true);
    let mut is_more = true;
    while is_more {
        is_more = false;
        for asking in actions {
            if asking.changes_one(&is_asked) {
                for variable in asking.asks() {
                    is_more |= !std::mem::replace(&mut is_asked[variable], true);
                }
            }
        }
    }
    is_asked
}

/// The same for each way to take one run of every set of an amount of many values.
fn runs(terms: &[Term], sizes: &[u16]) -> Result<Vec<Vec<Term>>, NoListReason> {
    let mut all = vec![Vec::with_capacity(terms.len())];
    for term in terms {
        let is_wide = usize::from(sizes[term.variable]) > MOST_IN_MASK;
        let runs: Vec<Option<ValueSet>> = match &term.need {
            Some(set) if is_wide => {
                set.runs().iter().map(|&(first, last)| Some(ValueSet::run(first, last))).collect()
            }
            need => vec![*need],
        };
        if all.len() * runs.len() > MOST_PARTS {
            return Err(NoListReason::TooLong);
        }
        all = all
            .iter()
            .flat_map(|part: &Vec<Term>| {
                runs.iter().map(|&need| {
                    let mut longer = part.clone();
                    longer.push(Term { need, ..*term });
                    longer
                })
            })
            .collect();
    }
    Ok(all)
}
