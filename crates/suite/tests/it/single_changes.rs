//! Why-not over domains in which kinds, compounds, `or`, amounts and templates meet: every fix
//! gives the plan that it promises, none is missing, and an action "can be done from here" exactly
//! if it can. The judge edits the text, reads it anew and tries everything.
//!
//! Each instance is named by its seed. `THRONG_LONG=1` tries ten times as many.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and say what was tried"
)]

use std::collections::{BTreeMap, BTreeSet};
use throng::check::Wanted;
use throng::prelude::*;
use throng::{ActionId, GoalId, Target};
use throng_base::SplitMix;
use throng_domain::model::{Range, VariableId};
use throng_domain::{Model, ValueSet};
use throng_planner::explain::{Change, Group, NotUsed};
use throng_planner::{Absence, Unmet};
use throng_suite::blend::{Blend, WHO, blend};
use throng_suite::edits::Edited;
use throng_suite::random::Told;
use throng_suite::what_if::WhatIf;

fn instances(normal: u64) -> u64 {
    if std::env::var_os("THRONG_LONG").is_some() { 10 * normal } else { normal }
}

type Tally = BTreeMap<String, u64>;

fn count(tally: &mut Tally, what: &str) {
    *tally.entry(what.to_string()).or_default() += 1;
}

/// A question, as the library sees it, and what the judge knows of it.
struct Case {
    blend: Blend,
    npc: Npc,
    request: Request,
    /// What each alternative of the goal wants.
    goals: Vec<Vec<Wanted>>,
    /// An action that the caller forbids.
    forbidden: Option<String>,
}

/// One alternative of the goal, in numbers, or the same with one thing otherwise.
type Worlds = Vec<WhatIf>;

impl Case {
    fn of(seed: u64) -> Case {
        let blend = blend(seed);
        let domain = Domain::from_loaded(blend.load()).unwrap();
        let mut npc = Npc::new(&domain, WHO).unwrap();
        let (told, holds) = match &blend.told {
            Told::Without(checks) => (checks, false),
            Told::Only(checks) => {
                npc.clear_checks();
                (checks, true)
            }
        };
        told.iter().for_each(|check| npc.set_check(check, holds).unwrap());
        let mut dice = SplitMix::new(seed ^ 0xf0_7b1d);
        let can = domain.model().npcs()[0].can();
        let forbidden = (dice.percent(35) && !can.is_empty())
            .then(|| domain.compiled().map().action(*dice.pick(can)).to_string());
        if let Some(name) = &forbidden {
            npc.forbid(name, true).unwrap();
        }
        let want = domain.goal_target(&blend.goal).unwrap();
        let model = domain.model();
        let named = |goal: &GoalId| Wanted::of(model, model.goals()[goal.index()].conditions());
        let goals = match &want {
            Target::Goal(goal) => vec![named(goal)],
            Target::Any(goals) => goals.iter().map(named).collect(),
            other => panic!("{other:?}"),
        };
        let request = Request::new(want);
        Case { blend, npc, request, goals, forbidden }
    }

    fn model(&self) -> &Model {
        self.npc.domain().model()
    }

    /// The question to a model, for each alternative.
    fn worlds(&self, model: &Model) -> Worlds {
        let ask = |wants: &Vec<Wanted>| {
            let mut world = WhatIf::of(model, &self.blend.question(wants)).unwrap();
            let forbidden = self.forbidden.iter().map(|name| deed(model, name));
            world.forbidden.extend(forbidden);
            world
        };
        self.goals.iter().map(ask).collect()
    }
}

fn deed(model: &Model, name: &str) -> usize {
    model.actions().iter().position(|action| action.name() == name).unwrap()
}

fn cheapest(worlds: &Worlds) -> Option<u64> {
    worlds.iter().filter_map(WhatIf::cheapest).min()
}

/// A changed question, with the model that it is asked of.
struct Changed {
    model: Model,
    worlds: Worlds,
    cost: u64,
}

/// Every single change that gives a plan, by a word for it.
fn all_changes(case: &Case) -> BTreeMap<String, Changed> {
    let model = case.model();
    let mut helpful = BTreeMap::new();
    let mut add = |word: String, model: &Model, worlds: Worlds| {
        if let Some(cost) = cheapest(&worlds) {
            helpful.insert(word, Changed { model: model.clone(), worlds, cost });
        }
    };
    let with = |change: &dyn Fn(&mut WhatIf)| {
        let mut worlds = case.worlds(model);
        worlds.iter_mut().for_each(change);
        worlds
    };
    for (at, variable) in model.variables().iter().enumerate() {
        for value in 0..variable.values().len() {
            let word = format!("value {} {}", variable.name(), variable.values()[value]);
            add(word, model, with(&|world| world.start[at] = Some(value)));
        }
    }
    for (at, name) in model.checks().iter().enumerate() {
        let flip = |world: &mut WhatIf| world.checks[at] = !world.checks[at];
        add(format!("check {name}"), model, with(&flip));
    }
    if let Some(name) = &case.forbidden {
        add(format!("allow {name}"), model, with(&|world| world.forbidden.clear()));
    }
    let text = Edited::of(model).unwrap();
    let mut edit = |word: String, edited: Edited| {
        let model = edited.load().unwrap_or_else(|| panic!("{word}: {edited:?}"));
        let worlds = case.worlds(&model);
        add(word, &model, worlds);
    };
    let can = model.npcs()[0].can();
    for (at, action) in model.actions().iter().enumerate() {
        let name = action.name();
        if !can.iter().any(|id| id.index() == at) {
            edit(format!("grant {name}"), text.clone().grant(WHO, name));
        }
        for other in action.overrides() {
            let other = model.actions()[other.index()].name();
            edit(format!("override {name} {other}"), text.clone().drop_override(name, other));
        }
        for &need in action.requires() {
            let (variable, value) = model.fact_names(need);
            let word = format!("need {name} {variable} {value}");
            edit(word, text.clone().drop_need(name, variable));
        }
        for range in action.ranges().iter().filter(|_| action.parts().is_empty()) {
            let variable = model.variables()[range.variable.index()].name();
            let word = format!("range {name} {variable}");
            edit(word, text.clone().ask_for(name, variable, None));
        }
    }
    // What a compound asks of amounts cannot be changed by an edit of one statement.
    for (at, action) in model.actions().iter().enumerate().filter(|(_, it)| !it.parts().is_empty())
    {
        for range in action.ranges() {
            let worlds = with(&|world| asks_for(world, at, range.variable, None));
            let variable = model.variables()[range.variable.index()].name();
            add(format!("range {} {variable}", action.name()), model, worlds);
        }
    }
    helpful
}

/// Lets an action ask for other values of a variable, or for none in particular.
fn asks_for(world: &mut WhatIf, at: usize, variable: VariableId, values: Option<ValueSet>) {
    let (index, low) = (variable.index(), world.ends[variable.index()].0);
    let within = &mut world.deeds[at].within;
    within.retain(|asked| asked.0 != index);
    within.extend(values.map(|values| {
        let runs = values.runs().iter();
        (index, runs.map(|&(a, b)| (low + i64::from(a), low + i64::from(b))).collect())
    }));
}

/// What a compound asks for instead gives the plan, and one closer to what it asked does not.
fn check_loosened(case: &Case, action: ActionId, range: Range, cost: u64, context: &str) {
    let model = case.model();
    let price = |values: ValueSet| {
        let mut worlds = case.worlds(model);
        let loosen = |world| asks_for(world, action.index(), range.variable, Some(values));
        worlds.iter_mut().for_each(loosen);
        cheapest(&worlds)
    };
    let asked = model.actions()[action.index()].ranges().iter();
    let asked = asked.into_iter().find(|asked| asked.variable == range.variable).unwrap();
    let ((first, last), (before, _)) = (range.values.ends().unwrap(), asked.values.ends().unwrap());
    let closer = match before > first {
        true => ValueSet::run(first + 1, last),
        false => ValueSet::run(first, last - 1),
    };
    assert_eq!(price(range.values), Some(cost), "{range:?}\n{context}");
    assert_eq!(price(closer), None, "{range:?}\n{context}");
}

/// The amounts that something of the question moves, or asks for several values of.
fn counted(model: &Model) -> BTreeSet<String> {
    let can = model.npcs()[0].can().iter().map(|id| &model.actions()[id.index()]);
    let of_actions = can.flat_map(|action| {
        let ranges = action.ranges().iter().map(|range| range.variable);
        ranges.chain(action.shifts().iter().map(|shift| shift.variable))
    });
    let of_goals = model.goals().iter().flat_map(|goal| goal.ranges());
    let all = of_actions.chain(of_goals.map(|range| range.variable));
    let variables = all.map(|id| &model.variables()[id.index()]);
    let amounts = variables.filter(|variable| variable.values().ends().is_some());
    amounts.map(|variable| variable.name().to_string()).collect()
}

/// What is left of the changes once the start values of amounts that are counted are judged: the
/// nearest value that helps is told, with its price.
fn check_amounts(
    case: &Case,
    fixes: &[throng::Advice],
    helpful: &mut BTreeMap<String, Changed>,
    context: &str,
) {
    let model = case.model();
    for name in counted(model) {
        let at = model.variables().iter().position(|known| known.name() == name).unwrap();
        let now = case.worlds(model)[0].start[at];
        let values = model.variables()[at].values();
        let all: Vec<(usize, u64)> = (0..values.len())
            .filter_map(|value| {
                let key = format!("value {name} {}", values[value]);
                helpful.remove(&key).map(|changed| (value, changed.cost))
            })
            .collect();
        let told = fixes.iter().find_map(|fix| match fix.change {
            Change::Amount(range) if range.variable.index() == at => Some((range, fix)),
            _ => None,
        });
        assert_eq!(told.is_some(), !all.is_empty(), "{name}: {all:?} {told:?}\n{context}");
        let Some((_, fix)) = told else { continue };
        let far = |value: usize| now.map_or(value, |now| now.abs_diff(value));
        let to = usize::from(fix.to.unwrap());
        let least = all.iter().map(|&(value, _)| far(value)).min();
        assert_eq!(Some(far(to)), least, "{name}: {all:?} {to}\n{context}");
        assert!(all.contains(&(to, fix.plan.cost().0)), "{name}: {all:?} {to}\n{context}");
    }
}

fn word(model: &Model, change: Change) -> String {
    let name = |action: ActionId| model.actions()[action.index()].name();
    let fact = |fact: Fact| {
        let (variable, value) = model.fact_names(fact);
        format!("{variable} {value}")
    };
    match change {
        Change::Value(start) => format!("value {}", fact(start)),
        Change::Check { check, .. } => format!("check {}", model.checks()[check.index()]),
        Change::Allow(action) => format!("allow {}", name(action)),
        Change::DropOverride { by, action } => format!("override {} {}", name(by), name(action)),
        Change::Grant(action) => format!("grant {}", name(action)),
        Change::DropNeed { action, need } => format!("need {} {}", name(action), fact(need)),
        Change::DropRange { action, variable } => {
            format!("range {} {}", name(action), model.variables()[variable.index()].name())
        }
        Change::Loosen { action, range } => {
            word(model, Change::DropRange { action, variable: range.variable })
        }
        other => panic!("{other:?}"),
    }
}

/// For a need of a part that only one compound of the type has, the compound, and the variable: what
/// it needs of that at the outset is another value where parts count, or one of several.
fn of_its_compound(model: &Model, word: &str) -> Option<[String; 2]> {
    let can = model.npcs()[0].can().iter().map(|id| &model.actions()[id.index()]);
    let part =
        model.actions().iter().find(|part| word.starts_with(&format!("need {} v", part.name())))?;
    let id = deed(model, part.name());
    let mut with = can.clone().filter(|action| action.parts().iter().any(|p| p.index() == id));
    let is_own = can.clone().any(|action| action.name() == part.name());
    let only = with.next().filter(|_| with.next().is_none() && !is_own)?;
    let (_, variable) = word.strip_prefix("need ")?.strip_prefix(part.name())?.split_once(' ')?;
    let (variable, _) = variable.split_once(' ')?;
    Some(["need", "range"].map(|what| format!("{what} {} {variable}", only.name())))
}

/// The compound that alone has a part which no type does by itself, if that is what a set of values
/// is asked of.
fn of_one_compound(model: &Model, word: &str) -> Option<()> {
    let rest = word.strip_prefix("range ")?;
    let part =
        model.actions().iter().find(|part| rest.starts_with(&format!("{} v", part.name())))?;
    let id = deed(model, part.name());
    let can = model.npcs()[0].can().iter().map(|id| &model.actions()[id.index()]);
    let with = can.clone().filter(|action| action.parts().iter().any(|p| p.index() == id)).count();
    let is_own = can.clone().any(|action| action.name() == part.name());
    (!is_own && with <= 1).then_some(())
}

/// Compares the fixes of an impossible instance with all single changes of its text.
fn check_fixes(seed: u64, tally: &mut Tally) {
    let case = Case::of(seed);
    let model = case.model();
    let context = format!(
        "seed {seed}, {:?}, without {:?}\n{}",
        case.blend.told, case.forbidden, case.blend.text
    );
    let why = Planner::new().why_not(&case.npc, &case.request, &mut Scratch::default());
    let impossible = cheapest(&case.worlds(model)).is_none();
    assert_eq!(impossible, matches!(why.answer.outcome(), Outcome::Impossible(_)), "{context}");
    count(tally, if impossible { "impossible" } else { "solved" });
    let Some(fixes) = why.fixes else { return };
    assert!(fixes.undecided == 0 && !why.causes.is_empty(), "{context}");
    let mut expected = all_changes(&case);
    check_amounts(&case, &fixes.list, &mut expected, &context);
    let amounts = fixes.list.iter().filter(|fix| matches!(fix.change, Change::Amount(_)));
    amounts.for_each(|fix| count(tally, fix.change.code()));
    let is_compound = |id: ActionId| !model.actions()[id.index()].parts().is_empty();
    let judged = fixes.list.iter().filter(|fix| !matches!(fix.change, Change::Amount(_)));
    let judged: Vec<&throng::Advice> = judged.collect();
    let found: BTreeSet<String> = judged.iter().map(|fix| word(model, fix.change)).collect();
    // A part that only one compound has asks in its name; that is judged with the compound.
    expected.retain(|name, _| of_one_compound(model, name).is_none());
    // What a part needs that only one compound has is told of the compound.
    expected.retain(|name, changed| {
        let Some([need, range]) = of_its_compound(model, name) else { return true };
        let is_told = |told: String| told == range || told.starts_with(&format!("{need} "));
        let fix = judged.iter().find(|fix| is_told(word(model, fix.change)));
        let fix = fix.unwrap_or_else(|| panic!("{name} helps, {need} not\n{context}"));
        let is_least = matches!(fix.change, Change::Loosen { .. });
        assert!(is_least || fix.plan.cost().0 <= changed.cost, "{name}\n{context}");
        false
    });
    assert_eq!(found, expected.keys().cloned().collect(), "{context}");
    // Where another answer to one check is enough, a reason of something out of reach names a
    // check, and the causes name one that is enough.
    let enough = expected.keys().filter_map(|word| word.strip_prefix("check "));
    let enough: Vec<String> = enough.map(|check| format!("`{check}`")).collect();
    if !enough.is_empty() {
        let reason = why.answer.why_impossible().unwrap();
        assert!(reason.far.is_none() || !reason.checks().is_empty(), "{reason:?}\n{context}");
        let named =
            |cause: &throng::Explanation| enough.iter().any(|name| cause.text.contains(name));
        assert!(why.causes.iter().any(named), "{:?}\n{context}", why.causes);
        count(tally, if reason.far.is_some() { "named by the reason" } else { "added" });
    }
    for fix in judged {
        let changed = &expected[&word(model, fix.change)];
        if let Change::Loosen { action, range } = fix.change {
            // Who asks for less can do at least as well; how much less, of what is no compound, is
            // judged elsewhere.
            assert!(fix.plan.cost().0 >= changed.cost, "{context}");
            count(tally, fix.change.code());
            if is_compound(action) {
                check_loosened(&case, action, range, fix.plan.cost().0, &context);
                count(tally, "a compound asks for less");
            }
            continue;
        }
        let plan: Vec<usize> = fix.plan.names().map(|name| deed(&changed.model, name)).collect();
        let price = changed.worlds.iter().filter_map(|world| world.price(&plan)).min();
        assert_eq!((fix.plan.cost().0, price), (changed.cost, Some(changed.cost)), "{context}");
        count(tally, fix.change.code());
        match fix.change {
            Change::DropNeed { action, .. } if is_compound(action) => count(tally, "of a compound"),
            Change::DropRange { action, .. } if is_compound(action) => {
                count(tally, "a compound asks for nothing");
            }
            Change::Check { check, .. } => {
                let of_kind = |action: &throng_domain::model::Action| {
                    let mut kinds = action.kinds().iter().flat_map(|kind| kind.checks());
                    kinds.any(|used| used.check == check)
                };
                if model.actions().iter().any(of_kind) {
                    count(tally, "of a kind");
                }
            }
            _ => {}
        }
    }
    let keys: Vec<(Group, u64)> =
        fixes.list.iter().map(|fix| (fix.group, fix.plan.cost().0)).collect();
    assert!(keys.is_sorted(), "{context}\n{keys:?}");
    if fixes.list.is_empty() {
        count(tally, "no single change");
    }
}

#[test]
fn every_fix_gives_its_plan_and_none_is_missing() {
    let mut tally = Tally::new();
    let n = instances(5_000);
    (0..n).for_each(|seed| check_fixes(seed, &mut tally));
    println!("{tally:?}");
    let kinds = ["value", "check", "allow", "drop_override", "grant", "drop_need"];
    for kind in kinds.iter().chain(&[
        "impossible",
        "no single change",
        "of a compound",
        "of a kind",
        "named by the reason",
    ]) {
        assert!(tally.get(*kind).is_some_and(|&seen| seen >= 20), "{kind}: {tally:?}");
    }
}

/// Whether an action asks for this, it does not hold, and nothing that the NPC can do changes it.
fn stands_in_the_way(world: &WhatIf, at: usize, unmet: &Unmet) -> bool {
    let changes = |variable: VariableId| {
        let mut deeds = world.can.iter().map(|&deed| &world.deeds[deed]);
        deeds.any(|deed| {
            deed.sets.iter().any(|set| set.0 == variable.index())
                || deed.moves.iter().any(|it| it.variable == variable.index())
        })
    };
    let (deed, only) = (&world.deeds[at], WhatIf { goal: Vec::new(), ..world.clone() });
    match *unmet {
        Unmet::Range { asked: Range { variable, values }, .. } => {
            let (index, low) = (variable.index(), world.ends[variable.index()].0);
            let runs = values.runs().iter();
            let runs = runs.map(|&(a, b)| (low + i64::from(a), low + i64::from(b))).collect();
            let asked = deed.within.contains(&(index, runs))
                || values.only().is_some_and(|it| deed.needs.contains(&(index, it.into())));
            let is_in = world.start[index].is_some_and(|value| values.has(value as u16));
            asked && !changes(variable) && !is_in
        }
        Unmet::Comparison { asked, .. } => {
            let it = (asked.variable.index(), asked.relation, asked.other.index());
            let holds = WhatIf { goal_within: Vec::new(), goal_compared: vec![it], ..only };
            let stand = !changes(asked.variable) && !changes(asked.other);
            deed.compared.contains(&it) && stand && !holds.is_goal(&world.start)
        }
    }
}

/// Asks for every action why it is not in the plan.
fn check_actions(seed: u64, tally: &mut Tally) {
    let case = Case::of(seed);
    let model = case.model();
    let worlds = case.worlds(model);
    for (at, action) in model.actions().iter().enumerate() {
        let id = case.npc.domain().action(action.name()).unwrap();
        let scratch = &mut Scratch::default();
        let why = Planner::new().why_not_action(&case.npc, &case.request, id, scratch);
        let context = format!(
            "seed {seed}, {:?}, without {:?}, {}: {why:?}\n{}",
            case.blend.told,
            case.forbidden,
            action.name(),
            case.blend.text
        );
        count(tally, why.why.code());
        let world = &worlds[0];
        let is_there = world.there().contains(&at);
        let asked = &world.deeds[at];
        let ready = WhatIf {
            goal: asked.needs.clone(),
            goal_within: asked.within.clone(),
            goal_compared: asked.compared.clone(),
            ..world.clone()
        };
        let can_be_done = is_there && ready.cheapest().is_some();
        let with = worlds.iter().filter_map(|world| world.cheapest_with(Some(at))).min();
        let says_so = match &why.why {
            NotUsed::InThePlan(_) | NotUsed::InNoPlan | NotUsed::InAnotherPlan { .. } => true,
            NotUsed::GaveUp(limit) => panic!("{limit:?}: {context}"),
            _ => false,
        };
        assert_eq!(says_so, can_be_done, "{context}");
        let is_own = world.can.contains(&at);
        match &why.why {
            NotUsed::NotItsOwn(_) => assert!(!is_own, "{context}"),
            NotUsed::NeverReady(_) => assert!(is_there, "{context}"),
            NotUsed::InNoPlan => assert!(with.is_none(), "{context}"),
            NotUsed::InAnotherPlan { cost, .. } => {
                let plan = why.with.as_ref().unwrap().names();
                let plan: Vec<usize> = plan.map(|name| deed(model, name)).collect();
                let price = worlds.iter().filter_map(|world| world.price(&plan)).min();
                assert_eq!((Some(cost.0), price), (with, with), "{context}");
                assert!(plan.contains(&at), "{context}");
            }
            NotUsed::NotThere(Absence::CheckFalse(wrong) | Absence::NoKind(wrong)) => {
                assert!(is_own && !is_there && !wrong.is_empty(), "{context}");
                let holds = |wrong: &throng_planner::WrongCheck| world.checks[wrong.check.index()];
                assert!(wrong.iter().all(|one| holds(one) != one.needed), "{context}");
            }
            NotUsed::NotThere(Absence::Standing(unmet)) => {
                assert!(is_own && is_there && !unmet.is_empty(), "{context}");
                assert!(unmet.iter().all(|one| stands_in_the_way(world, at, one)), "{context}");
            }
            NotUsed::NotThere(_) => {
                assert!(is_own && !is_there, "{context}");
            }
            NotUsed::InThePlan(_) | NotUsed::GaveUp(_) => {}
        }
    }
}

#[test]
fn an_action_can_be_done_from_here_exactly_if_it_is_said() {
    let mut tally = Tally::new();
    (0..instances(2_000)).for_each(|seed| check_actions(seed, &mut tally));
    println!("{tally:?}");
    let codes = ["in_the_plan", "cannot_do", "check_false", "no_kind", "forbidden", "overridden"];
    for code in codes.iter().chain(&["never_ready", "in_no_plan", "dearer"]) {
        assert!(tally.get(*code).is_some_and(|&seen| seen >= 20), "{code}: {tally:?}");
    }
}
