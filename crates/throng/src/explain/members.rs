//! Goals with alternatives: other plans, fixes and causes over all of them, as one list.
//!
//! In:   what an answer is about: one goal, or any of several.
//! Out:  the merged lists, the cheapest first, nothing twice.
//! Cost: that of the single lists, added up; other plans are looked for one at a time, in every
//!       alternative, as only so the next cheapest of all is known.

use super::told;
use crate::answer::Answer;
use crate::npc::Npc;
use crate::planner::{Planner, Scratch};
use crate::request::{Request, Target};
use std::collections::BTreeSet;
use throng_domain::compile::SourceMap;
use throng_domain::model::{ActionId, Conditions, GoalId, Wants};
use throng_planner::explain::{
    AlternativePlan, Change, Distinctness, EnumerationEnd, Fix, FixLimits, NotUsed, Ways,
    alternatives, fixes, not_used,
};
use throng_planner::reason::wrong_checks;
use throng_planner::{Call, Mode, Reason, SearchBudget, Solver, WrongCheck};

/// The goals that an answer is about, that of the answer first; empty if facts were asked for.
pub(super) fn goals(npc: &Npc, request: &Request, answer: &Answer) -> Vec<GoalId> {
    let Some(own) = answer.goal else { return Vec::new() };
    let compiled = npc.domain().compiled();
    let mut all = vec![own];
    let group = compiled.goal(own).group();
    match &request.want {
        Target::Any(goals) => {
            all.extend(goals.iter().filter(|goal| goal.index() < compiled.goals().len()));
        }
        Target::Best if group.is_some() => {
            let same = |goal: &&GoalId| compiled.goal(**goal).group() == group;
            all.extend(npc.kind().goals().iter().filter(same));
        }
        Target::Best | Target::Goal(_) | Target::Conditions(_) => {}
    }
    let mut seen = BTreeSet::new();
    all.retain(|&goal| seen.insert(goal));
    all
}

/// What each alternative wants, that of the answer first; never empty.
pub(super) fn wanted(npc: &Npc, request: &Request, answer: &Answer) -> Vec<Wants> {
    let compiled = npc.domain().compiled();
    if let Target::Conditions(wants) = &request.want {
        return vec![known_part(compiled.map(), wants)];
    }
    let goals = goals(npc, request, answer);
    match &goals[..] {
        [] => vec![Wants::default()],
        goals => goals.iter().map(|&goal| compiled.goal(goal).conditions().to_wants()).collect(),
    }
}

/// What the domain has of what a request speaks of.
fn known_part(map: &SourceMap, wants: &Wants) -> Wants {
    let one = |conditions: Conditions<'_>| map.has_conditions(conditions);
    let facts = wants.facts.iter().copied().filter(|&fact| map.has_fact(fact));
    let ranges = wants.ranges.iter().copied();
    let ranges =
        ranges.filter(|range| one(Conditions { ranges: &[*range], ..Conditions::default() }));
    let compared = wants.comparisons.iter().copied();
    let compared =
        compared.filter(|it| one(Conditions { comparisons: &[*it], ..Conditions::default() }));
    Wants { facts: facts.collect(), ranges: ranges.collect(), comparisons: compared.collect() }
}

/// Plans beside that of an answer, for whichever alternative.
pub(super) fn others(
    npc: &Npc,
    request: &Request,
    answer: &Answer,
    different: Distinctness,
    most: usize,
    budget: &SearchBudget<'_>,
) -> Ways {
    let compiled = npc.domain().compiled();
    let mut known = vec![answer.plan.local_steps(npc.kind())];
    let mut problems = Vec::new();
    for goal in wanted(npc, request, answer) {
        problems.push(npc.problem(&goal));
    }
    let mode = request.mode;
    if let [only] = &problems[..] {
        let call = Call::new(compiled, only).mode(mode).budget(*budget);
        return alternatives(&call, different, &known, most);
    }
    let mut all = Ways { found: Vec::new(), ended: EnumerationEnd::Enough, nodes: 0 };
    while all.found.len() < most {
        let mut next: Option<AlternativePlan> = None;
        for problem in &problems {
            let call = Call::new(compiled, problem).mode(mode).budget(*budget);
            let call = call.nodes(budget.nodes.saturating_sub(all.nodes));
            let ways = alternatives(&call, different, &known, 1);
            all.nodes += ways.nodes;
            if let EnumerationEnd::Limit(_) = ways.ended {
                // Nobody knows now which is the next cheapest.
                return Ways { ended: ways.ended, ..all };
            }
            let found = ways.found.into_iter().next();
            let better = |way: &AlternativePlan| {
                let least = next.as_ref().map(|next| measure(mode, &next.steps, next.cost.0));
                least.is_none_or(|least| measure(mode, &way.steps, way.cost.0) < least)
            };
            if let Some(way) = found.filter(better) {
                next = Some(way);
            }
        }
        let Some(way) = next else { return Ways { ended: EnumerationEnd::NoMore, ..all } };
        known.push(way.steps.clone());
        all.found.push(way);
    }
    all
}

fn measure<T>(mode: Mode, steps: &[T], cost: u64) -> u64 {
    match mode {
        Mode::Cheapest => cost,
        Mode::Shortest | Mode::Fast => steps.len() as u64,
    }
}

/// Single changes that give a plan for some alternative.
pub(super) fn advices(npc: &Npc, request: &Request, answer: &Answer) -> super::Advices {
    let budget = request.budget();
    let most = FixLimits::DEFAULT;
    let each = SearchBudget { nodes: most.each.nodes.min(budget.nodes), ..budget };
    let limits = FixLimits { each, ..most };
    let size = |fix: &Fix| measure(request.mode, &fix.plan, fix.cost.0);
    let mut solver = Solver::default();
    let goals = wanted(npc, request, answer);
    let all = goals.iter().flat_map(|goal| Change::all(&npc.asked(goal, request.mode)));
    let all: BTreeSet<Change> = all.collect();
    // What one alternative counts, another may ask one value of: it is one change for all of them.
    let told_as = |change: Change| match change.as_amount().tried() {
        amount if all.contains(&amount) => change.as_amount(),
        _ => change,
    };
    let tried: BTreeSet<Change> = all.iter().map(|&change| told_as(change).tried()).collect();
    let mut open = BTreeSet::new();
    let mut found: Vec<Fix> = Vec::new();
    for goal in &goals {
        let asked = npc.asked(goal, request.mode);
        let fixes = fixes(&asked, &limits, &mut solver);
        open.extend(fixes.open.iter().map(|&change| told_as(change).tried()));
        for mut fix in fixes.found {
            fix.change = told_as(fix.change);
            // Of two that change the same by more or less, the smaller change is told.
            let rank = |fix: &Fix| (fix.change.extent(&asked), size(fix));
            let like = found.iter_mut().find(|known| known.change.is_like(fix.change, &asked));
            let Some(known) = like else {
                found.push(fix);
                continue;
            };
            let joined = known.change.joined(fix.change, &asked);
            if rank(&fix) < rank(known) {
                *known = fix;
            }
            known.change = joined.unwrap_or(known.change);
        }
    }
    // Who asks for less need not ask for nothing.
    let loosened: BTreeSet<Change> = found
        .iter()
        .filter(|fix| matches!(fix.change, Change::Loosen { .. }))
        .map(|fix| fix.change.tried())
        .collect();
    found.retain(|fix| !loosened.contains(&fix.change));
    found.sort_by_key(|fix| (fix.group, size(fix), fix.change));
    found.iter().for_each(|fix| {
        open.remove(&fix.change.tried());
    });
    let asked = npc.asked(&goals[0], request.mode);
    let list = found.iter().map(|fix| super::Advice {
        change: fix.change,
        group: fix.group,
        told: told(npc, fix.change.sentence(&asked), Some(fix.change.place(&asked))),
        now: fix.change.values(&asked).and_then(|(now, _)| now),
        to: fix.change.values(&asked).and_then(|(_, to)| to),
        plan: super::plan_of(npc, &fix.plan, fix.cost),
    });
    let mut list: Vec<super::Advice> = list.collect();
    // What differs in the numbers of slots alone is told once: the cheapest of it stands first.
    let map = npc.domain().compiled().map();
    let mut told = BTreeSet::new();
    let has_slots = map.slot_ids().len() > 0;
    list.retain(|it| !has_slots || told.insert((it.group, map.alike(&it.told.text))));
    super::Advices { list, tried: tried.len(), undecided: open.len() }
}

/// That another answer to one check would do, if the reason names no such check.
pub(super) fn unnamed_check(
    npc: &Npc,
    reason: &Reason,
    fixes: &super::Advices,
) -> Option<super::Explanation> {
    let checks = || {
        fixes.list.iter().filter_map(|fix| match fix.change {
            Change::Check { check, holds } => Some((check, holds, fix)),
            _ => None,
        })
    };
    let named = reason.checks();
    if checks().any(|(check, ..)| named.iter().any(|named| named.check == check)) {
        return None;
    }
    let (check, needed, fix) = checks().next()?;
    let wrong = WrongCheck::of(npc.checks(), check, needed);
    let map = npc.domain().compiled().map();
    let text = format!("but for one check there would be a plan: {}", wrong_checks(map, &[wrong]));
    Some(super::Explanation { text, place: fix.told.place.clone() })
}

/// Why the other alternatives have no plan either; chains that were told already are left out.
pub(super) fn other_causes(
    npc: &Npc,
    request: &Request,
    answer: &Answer,
    scratch: &mut Scratch,
) -> Vec<super::OtherCauses> {
    let mut others: Vec<super::OtherCauses> = Vec::new();
    let chain = |answer: &Answer| {
        answer.why_impossible().map(|reason| super::goal_chain(npc, answer.goal, reason))
    };
    let map = npc.domain().compiled().map();
    let alike = |causes: &[super::Explanation]| -> Vec<_> {
        causes.iter().map(|cause| (map.alike(&cause.text), cause.place.clone())).collect()
    };
    let mut told: Vec<_> = chain(answer).map(|causes| alike(&causes)).into_iter().collect();
    for goal in goals(npc, request, answer).into_iter().skip(1) {
        let ask = Request { want: Target::Goal(goal), ..request.clone() };
        let causes = chain(&Planner::new().plan(npc, &ask, scratch));
        if let Some(causes) = causes.filter(|causes| !told.contains(&alike(causes))) {
            told.push(alike(&causes));
            others.push(super::OtherCauses { goal, causes });
        }
    }
    others
}

/// Why an action is not in the plan, whichever alternative that is for.
pub(super) fn why_not_used(
    npc: &Npc,
    request: &Request,
    answer: &Answer,
    action: ActionId,
) -> NotUsed {
    let (mut solver, budget) = (Solver::default(), request.budget());
    let mut cheapest: Option<(u64, NotUsed)> = None;
    for goal in wanted(npc, request, answer) {
        let asked = npc.asked(&goal, request.mode);
        let why = not_used(&asked, action, answer.plan.actions(), &budget, &mut solver);
        match &why {
            NotUsed::InAnotherPlan { plan, cost, .. } => {
                let size = measure(request.mode, plan, cost.0);
                if cheapest.as_ref().is_none_or(|(least, _)| size < *least) {
                    cheapest = Some((size, why));
                }
            }
            NotUsed::InNoPlan => {}
            // The rest is the same for every alternative, or leaves the cheapest open.
            _ => return why,
        }
    }
    cheapest.map_or(NotUsed::InNoPlan, |(_, why)| why)
}
