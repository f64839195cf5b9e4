//! Why-not where amounts are counted: every fix gives the plan that it promises, nothing nearer
//! does, and none is missing; what a reason claims is so. The judge changes the question by hand and
//! tries everything.
//!
//! Each instance is named by its seed. `THRONG_LONG=1` tries ten times as many.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may panic, and say what was tried"
)]

use std::collections::{BTreeMap, BTreeSet};
use throng::check::{CheckContext, Question, Wanted};
use throng::prelude::*;
use throng::{GoalId, Target};
use throng_base::SplitMix;
use throng_domain::amounts::ValueSet;
use throng_domain::model::Range;
use throng_domain::{Format, Model};
use throng_lab::corpus::load_text;
use throng_planner::explain::{Change, Group, NotUsed};
use throng_planner::{Reason, Root};
use throng_suite::random::stated::Stated;
use throng_suite::what_if::{State, WhatIf};

/// Trying everything is for small questions only.
const MOST_STATES: usize = 2_500;
const WHO: &str = "n";

fn instances(normal: u64) -> u64 {
    if std::env::var_os("THRONG_LONG").is_some() { 10 * normal } else { normal }
}

type Tally = BTreeMap<String, u64>;

fn count(tally: &mut Tally, what: &str) {
    *tally.entry(what.to_string()).or_default() += 1;
}

/// A question, as the library sees it, and as the judge does: one world per alternative.
struct Case {
    text: String,
    npc: Npc,
    request: Request,
    worlds: Vec<WhatIf>,
}

impl Case {
    /// `None` if the seed makes no question.
    fn of(seed: u64) -> Option<Case> {
        let dice = &mut SplitMix::new(seed ^ 0x00c0_077e_d000);
        let is_recipes = dice.percent(50);
        let mut stated = match is_recipes {
            true => Stated::any_recipes(dice),
            false => Stated::any_counting(dice),
        };
        stated.keep_possible();
        if stated.statements.is_empty() || stated.goals.is_empty() {
            return None;
        }
        let state = match is_recipes {
            true => stated.poor_state(dice),
            false => stated.any_state(dice),
        };
        let text = stated.text();
        let domain = Domain::from_loaded(load_text(&text, Format::Npc)).ok()?;
        let model = domain.model();
        let mut npc = Npc::new(&domain, WHO).unwrap();
        let (mut from, mut unknown) = (Vec::new(), Vec::new());
        for (variable, value) in stated.variables.iter().zip(state) {
            match value {
                Some(at) => {
                    let value = variable.values[at].clone();
                    npc.set(&variable.name, &value).unwrap();
                    from.push((variable.name.clone(), value));
                }
                None => {
                    npc.forget(&variable.name).unwrap();
                    unknown.push(variable.name.clone());
                }
            }
        }
        let checks = model.checks().iter().filter(|_| dice.percent(25));
        let without: Vec<String> = checks.cloned().collect();
        without.iter().for_each(|check| npc.set_check(check, false).unwrap());
        let want = domain.goal_target(&format!("g{}", dice.below(stated.goals.len()))).ok()?;
        let goals: Vec<GoalId> = match &want {
            Target::Goal(goal) => vec![*goal],
            Target::Any(goals) => goals.clone(),
            _ => return None,
        };
        let forbidden = (dice.percent(20) && !model.actions().is_empty())
            .then(|| dice.below(model.actions().len()));
        let mut worlds = Vec::new();
        for goal in goals {
            let wants = Wanted::of(model, model.goals()[goal.index()].conditions());
            let context = CheckContext::Without(&without);
            let (from, unknown, wants) = (&from, &unknown, &wants);
            let question =
                Question { npc: WHO, from, unknown, wants, context, ..Question::default() };
            let mut world = WhatIf::of(model, &question).unwrap();
            world.forbidden.extend(forbidden.filter(|deed| world.can.contains(deed)));
            worlds.push(world);
        }
        for &deed in &worlds[0].forbidden {
            npc.forbid(model.actions()[deed].name(), true).unwrap();
        }
        Some(Case { text, npc, request: Request::new(want), worlds })
    }

    fn model(&self) -> &Model {
        self.npc.domain().model()
    }

    fn context(&self, seed: u64) -> String {
        let world = &self.worlds[0];
        let (start, goal) = (&world.start, &world.goal_within);
        format!("seed {seed}, from {start:?} to {:?} {goal:?}\n{}", world.goal, self.text)
    }

    /// The same with one thing otherwise.
    fn with(&self, change: &dyn Fn(&mut WhatIf)) -> Vec<WhatIf> {
        let mut worlds = self.worlds.clone();
        worlds.iter_mut().for_each(change);
        worlds
    }
}

/// The least price for some alternative; an error if that is too much to try.
fn cheapest(worlds: &[WhatIf]) -> Result<Option<u64>, ()> {
    let mut least = None;
    for world in worlds {
        let found = world.search(None, MOST_STATES, |deed| world.deeds[deed].cost);
        let cost = found.map_err(|_| ())?.map(|(cost, _)| cost);
        least = [least, cost].into_iter().flatten().min();
    }
    Ok(least)
}

/// Every single change that gives a plan, by a word for it, with its price; those of amounts and of
/// what is asked of them apart. An error if that is too much to try.
struct Helpful {
    plain: BTreeMap<String, u64>,
    /// By amount that is counted: the values that help, and their prices.
    amounts: BTreeMap<usize, BTreeMap<usize, u64>>,
    /// By action and variable: the price without the condition.
    without: BTreeMap<(usize, usize), u64>,
}

fn helpful(case: &Case, counted: &BTreeSet<usize>) -> Result<Helpful, ()> {
    let model = case.model();
    let mut all =
        Helpful { plain: BTreeMap::new(), amounts: BTreeMap::new(), without: BTreeMap::new() };
    let base = &case.worlds[0];
    for (at, variable) in model.variables().iter().enumerate() {
        for value in 0..variable.values().len() {
            let worlds = case.with(&|world| world.start[at] = Some(value));
            let Some(cost) = cheapest(&worlds)? else { continue };
            match counted.contains(&at) {
                true => {
                    all.amounts.entry(at).or_default().insert(value, cost);
                }
                false => {
                    all.plain.insert(format!("value {at} {value}"), cost);
                }
            }
        }
    }
    let mut add = |word: String, change: &dyn Fn(&mut WhatIf)| -> Result<(), ()> {
        if let Some(cost) = cheapest(&case.with(change))? {
            all.plain.insert(word, cost);
        }
        Ok(())
    };
    for check in 0..base.checks.len() {
        add(format!("check {check}"), &|world| world.checks[check] = !world.checks[check])?;
    }
    for &deed in &base.forbidden {
        add(format!("allow {deed}"), &|world| world.forbidden.retain(|&other| other != deed))?;
    }
    for (at, deed) in base.deeds.iter().enumerate() {
        if !base.can.contains(&at) && !compares_with_what_changes(base, at) {
            add(format!("grant {at}"), &|world| world.can.push(at))?;
        }
        for &other in &deed.overrides {
            let drop = |world: &mut WhatIf| world.deeds[at].overrides.retain(|&o| o != other);
            add(format!("override {at} {other}"), &drop)?;
        }
        if !base.can.contains(&at) {
            continue;
        }
        for &need in &deed.needs {
            let drop = |world: &mut WhatIf| world.deeds[at].needs.retain(|&other| other != need);
            add(format!("need {at} {} {}", need.0, need.1), &drop)?;
        }
        for &it in &deed.compared {
            let drop = |world: &mut WhatIf| world.deeds[at].compared.retain(|&other| other != it);
            add(format!("compared {at} {it:?}"), &drop)?;
        }
    }
    for &at in &base.can {
        for (variable, _) in &base.deeds[at].within {
            let drop = |world: &mut WhatIf| world.deeds[at].within.retain(|w| w.0 != *variable);
            if let Some(cost) = cheapest(&case.with(&drop))? {
                all.without.insert((at, *variable), cost);
            }
        }
    }
    Ok(all)
}

/// Whether with this action something would be compared with an amount that changes: that is no
/// domain.
fn compares_with_what_changes(world: &WhatIf, new: usize) -> bool {
    let deeds = || world.can.iter().chain([&new]).map(|&at| &world.deeds[at]);
    let wanted = world.goal_compared.iter().map(|it| it.2);
    let right: BTreeSet<usize> =
        deeds().flat_map(|deed| deed.compared.iter().map(|it| it.2)).chain(wanted).collect();
    let changed = deeds().flat_map(|deed| {
        deed.sets.iter().map(|set| set.0).chain(deed.moves.iter().map(|to_move| to_move.variable))
    });
    changed.into_iter().any(|variable| right.contains(&variable))
}

/// The amounts that something of the question moves, or asks for several values of.
fn counted(case: &Case) -> BTreeSet<usize> {
    let model = case.model();
    let mut counted = BTreeSet::new();
    for world in &case.worlds {
        for &at in &world.can {
            let deed = &world.deeds[at];
            counted.extend(deed.moves.iter().map(|to_move| to_move.variable));
            counted.extend(deed.within.iter().map(|within| within.0));
            counted.extend(deed.compared.iter().flat_map(|it| [it.0, it.2]));
        }
        counted.extend(world.goal_compared.iter().flat_map(|it| [it.0, it.2]));
        // Of one value it is a fact, which is no set.
        let several = |runs: &[(i64, i64)]| runs.len() > 1 || runs.iter().any(|run| run.0 < run.1);
        counted.extend(world.goal_within.iter().filter(|w| several(&w.1)).map(|within| within.0));
    }
    counted.retain(|&at| model.variables()[at].values().ends().is_some());
    counted
}

fn word(change: Change) -> String {
    let pair = |fact: Fact| format!("{} {}", fact.variable.index(), fact.value.index());
    match change {
        Change::Value(fact) => format!("value {}", pair(fact)),
        Change::Check { check, .. } => format!("check {}", check.index()),
        Change::Allow(action) => format!("allow {}", action.index()),
        Change::DropOverride { by, action } => {
            format!("override {} {}", by.index(), action.index())
        }
        Change::Grant(action) => format!("grant {}", action.index()),
        Change::DropNeed { action, need } => format!("need {} {}", action.index(), pair(need)),
        Change::DropComparison { action, comparison } => {
            let of = (comparison.variable.index(), comparison.relation, comparison.other.index());
            format!("compared {} {of:?}", action.index())
        }
        Change::Amount(_) | Change::DropRange { .. } | Change::Loosen { .. } => String::new(),
    }
}

fn runs(values: &ValueSet, low: i64) -> Vec<(i64, i64)> {
    values.runs().iter().map(|&(a, b)| (low + i64::from(a), low + i64::from(b))).collect()
}

/// The price after a change of what an action asks of an amount.
fn price_with(case: &Case, action: usize, range: Range) -> Result<Option<u64>, ()> {
    let variable = range.variable.index();
    let runs = runs(&range.values, case.worlds[0].ends[variable].0);
    cheapest(&case.with(&|world| {
        for within in world.deeds[action].within.iter_mut().filter(|w| w.0 == variable) {
            within.1.clone_from(&runs);
        }
    }))
}

/// Compares the fixes of an impossible question with all single changes.
fn check_fixes(seed: u64, tally: &mut Tally) -> Result<(), ()> {
    let Some(case) = Case::of(seed) else { return Ok(()) };
    let is_possible = cheapest(&case.worlds)?.is_some();
    count(tally, if is_possible { "possible" } else { "impossible" });
    if is_possible {
        return Ok(());
    }
    let counted = counted(&case);
    let expected = helpful(&case, &counted)?;
    let context = case.context(seed);
    let why = Planner::new().why_not(&case.npc, &case.request, &mut Scratch::default());
    assert!(matches!(why.answer.outcome(), Outcome::Impossible(_)), "{context}");
    assert!(!why.causes.is_empty() && why.causes.iter().all(|it| !it.text.is_empty()));
    let fixes = why.fixes.unwrap();
    assert_eq!(fixes.undecided, 0, "{context}");
    let found: BTreeSet<String> =
        fixes.list.iter().map(|fix| word(fix.change)).filter(|word| !word.is_empty()).collect();
    assert_eq!(found, expected.plain.keys().cloned().collect(), "{context}");
    let (mut amounts, mut without) = (BTreeSet::new(), BTreeSet::new());
    for fix in &fixes.list {
        count(tally, fix.change.code());
        let cost = fix.plan.cost().0;
        assert!(!fix.told.text.is_empty(), "{context}");
        match fix.change {
            Change::Amount(range) => {
                let at = range.variable.index();
                assert!(amounts.insert(at), "{at} twice\n{context}");
                check_amount(&case, range, cost, &expected.amounts[&at], &context);
                count(tally, if fix.group == Group::GivesGoal { "gives goal" } else { "mends" });
            }
            Change::DropRange { action, variable } => {
                let key = (action.index(), variable.index());
                without.insert(key);
                assert_eq!(Some(&cost), expected.without.get(&key), "{key:?}\n{context}");
            }
            Change::Loosen { action, range } => {
                without.insert((action.index(), range.variable.index()));
                check_loosened(&case, action.index(), range, cost, &context)?;
            }
            other => assert_eq!(cost, expected.plain[&word(other)], "{other:?}\n{context}"),
        }
    }
    assert_eq!(amounts, expected.amounts.keys().copied().collect(), "{context}");
    assert_eq!(without, expected.without.keys().copied().collect(), "{context}");
    if fixes.list.is_empty() {
        count(tally, "no single change");
    }
    let keys: Vec<(Group, u64)> =
        fixes.list.iter().map(|fix| (fix.group, fix.plan.cost().0)).collect();
    assert!(keys.is_sorted(), "{context}\n{keys:?}");
    let reason = why.answer.why_impossible().unwrap();
    check_reason(&case, reason, &context, tally)
}

/// The nearest of the values gives the plan, and nothing nearer does. Where several are told, they
/// are all that do.
fn check_amount(
    case: &Case,
    range: Range,
    cost: u64,
    helpful: &BTreeMap<usize, u64>,
    context: &str,
) {
    let at = range.variable.index();
    let now = case.worlds[0].start[at];
    let far = |value: usize| now.map_or(value, |now| now.abs_diff(value));
    let told: Vec<usize> = range.values.values().map(usize::from).collect();
    let nearest = told.iter().copied().min_by_key(|&value| (far(value), value)).unwrap();
    assert_eq!(helpful.get(&nearest), Some(&cost), "{range:?} {helpful:?}\n{context}");
    let least = helpful.keys().map(|&value| far(value)).min();
    assert_eq!(Some(far(nearest)), least, "{range:?} {helpful:?}\n{context}");
    // `61 or more` says that nothing below does, and everything above.
    if told.len() > 1 {
        let all: Vec<usize> = helpful.keys().copied().collect();
        assert_eq!(told, all, "{range:?}\n{context}");
    }
}

/// What is asked instead gives the plan, and one closer to what was asked does not.
fn check_loosened(
    case: &Case,
    action: usize,
    range: Range,
    cost: u64,
    context: &str,
) -> Result<(), ()> {
    assert_eq!(price_with(case, action, range)?, Some(cost), "{range:?}\n{context}");
    let model = case.model();
    let asked = model.actions()[action].ranges();
    let asked = asked.iter().find(|asked| asked.variable == range.variable).unwrap();
    let (first, last) = range.values.ends().unwrap();
    let closer = match asked.values.ends().unwrap() {
        (before, _) if before > first => ValueSet::run(first + 1, last),
        _ => ValueSet::run(first, last - 1),
    };
    assert!(range.values.has_all(&asked.values) && range.values != asked.values, "{context}");
    let closer = Range { values: closer, ..range };
    assert_eq!(price_with(case, action, closer)?, None, "{closer:?}\n{context}");
    Ok(())
}

/// All states that can be reached.
fn reached(world: &WhatIf) -> Result<BTreeSet<State>, ()> {
    let there = world.there();
    let mut known = BTreeSet::from([world.start.clone()]);
    let mut open = vec![world.start.clone()];
    while let Some(state) = open.pop() {
        for next in there.iter().filter_map(|&deed| world.after(deed, &state)) {
            if known.insert(next.clone()) {
                open.push(next);
            }
        }
        if known.len() > MOST_STATES {
            return Err(());
        }
    }
    Ok(known)
}

fn holds(range: Range, state: &State) -> bool {
    state[range.variable.index()].is_some_and(|value| range.values.has(value as u16))
}

/// What a reason claims is so: what is out of reach holds nowhere, a sum never rises.
fn check_reason(case: &Case, reason: &Reason, context: &str, tally: &mut Tally) -> Result<(), ()> {
    count(tally, reason.code());
    let world = &case.worlds[0];
    let states = reached(world)?;
    let never = |range: Range| {
        let found = states.iter().find(|state| holds(range, state));
        assert!(found.is_none(), "{range:?} holds in {found:?}: {reason:?}\n{context}");
    };
    let is_whole = matches!(
        reason.root,
        Root::NoWayBack { .. } | Root::Unreachable { .. } | Root::NeverRises { .. }
    );
    if case.worlds.len() == 1 {
        reason.wanted.iter().filter(|_| !is_whole).for_each(|&range| never(range));
    }
    reason.chain.iter().for_each(|link| never(link.needs));
    match &reason.root {
        Root::NobodySets(range)
        | Root::OnlyWorldSets { asked: range, .. }
        | Root::NobodyMoves { asked: range, .. }
        | Root::NeverSoFar { asked: range, .. }
        | Root::PassedOver(range) => never(*range),
        Root::NotThere { asked, .. } => never(*asked),
        Root::NoWayBack { never: Some(range), .. } => never(*range),
        Root::NoWayBack { never_together: Some((one, other)), .. } => {
            let both = |state: &&State| holds(*one, state) && holds(*other, state);
            assert_eq!(states.iter().find(both), None, "{reason:?}\n{context}");
        }
        Root::NeverRises { sum, there, needed } => {
            let worth = |state: &State| -> i64 {
                let worths = sum.iter().map(|term| {
                    let at = term.variable.index();
                    match term.value {
                        Some(value) if state[at] == Some(value.index()) => term.weight,
                        Some(_) => 0,
                        None => term.weight * world.number(at, state).unwrap_or(0),
                    }
                });
                worths.sum()
            };
            assert_eq!(worth(&world.start), *there, "{reason:?}\n{context}");
            assert!(there < needed, "{reason:?}\n{context}");
            let most = states.iter().map(worth).max();
            assert!(most <= Some(*there), "{reason:?}\n{context}");
        }
        _ => {}
    }
    Ok(())
}

#[test]
fn the_nearest_amounts_are_those_of_trying_every_value() {
    let mut tally = Tally::new();
    for seed in 0..instances(6_000) {
        if check_fixes(seed, &mut tally).is_err() {
            count(&mut tally, "too much to try");
        }
    }
    println!("{tally:?}");
    let kinds = ["value", "amount", "drop_need", "loosen_need", "gives goal", "mends"];
    for kind in kinds.iter().chain(&["impossible", "no single change", "never_rises"]) {
        assert!(tally.get(*kind).is_some_and(|&seen| seen >= 20), "{kind}: {tally:?}");
    }
}

/// Asks for every action why it is not in the plan.
fn check_unused(seed: u64, tally: &mut Tally) -> Result<(), ()> {
    let Some(case) = Case::of(seed) else { return Ok(()) };
    cheapest(&case.worlds)?;
    let world = &case.worlds[0];
    let states = reached(world)?;
    for (at, action) in case.model().actions().iter().enumerate() {
        let id = case.npc.domain().action(action.name()).unwrap();
        let scratch = &mut Scratch::default();
        let why = Planner::new().why_not_action(&case.npc, &case.request, id, scratch);
        let context = format!("{}: {why:?}\n{}", action.name(), case.context(seed));
        count(tally, why.why.code());
        let is_there = world.there().contains(&at);
        let can_be_done = is_there && states.iter().any(|state| world.after(at, state).is_some());
        let with = case.worlds.iter().filter_map(|world| world.cheapest_with(Some(at))).min();
        match &why.why {
            NotUsed::InThePlan(_) => assert!(with.is_some(), "{context}"),
            NotUsed::NotItsOwn(_) => assert!(!world.can.contains(&at), "{context}"),
            NotUsed::NotThere(_) => assert!(!can_be_done, "{context}"),
            NotUsed::NeverReady(_) => assert!(is_there && !can_be_done, "{context}"),
            NotUsed::InNoPlan => assert!(can_be_done && with.is_none(), "{context}"),
            NotUsed::InAnotherPlan { cost, .. } => assert_eq!(Some(cost.0), with, "{context}"),
            NotUsed::GaveUp(limit) => panic!("{limit:?}: {context}"),
        }
    }
    Ok(())
}

#[test]
fn an_action_that_counts_is_unused_for_the_reason_that_is_said() {
    let mut tally = Tally::new();
    for seed in 0..instances(1_500) {
        if check_unused(seed, &mut tally).is_err() {
            count(&mut tally, "too much to try");
        }
    }
    println!("{tally:?}");
    for code in ["in_the_plan", "never_ready", "in_no_plan", "dearer", "standing"] {
        assert!(tally.get(code).is_some_and(|&seen| seen >= 20), "{code}: {tally:?}");
    }
}
