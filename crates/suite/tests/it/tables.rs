//! Policy tables over the whole corpus: every plan of a table is the single planner's, action by
//! action; no number of threads changes a table; a table from a file is the same table.
//!
//! In:   every domain of `domains/` that is not there to be rejected, and one with shared
//!       variables; every NPC type; its goals and some random ones; with all actions and with
//!       random ones taken out.
//! Out:  all states of types with up to [`ALL_STATES`] of them, a sample of larger ones.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may panic, and say what was tried"
)]

use std::path::PathBuf;
use throng::check::{CheckContext, Question as Asked, Verdict, replay};
use throng::prelude::*;
use throng::{GoalId, NpcTypeId};
use throng_base::SplitMix;
use throng_crowd::plans::{PlanId, PlanStore};
use throng_crowd::pool::Pool;
use throng_crowd::space::Space;
use throng_crowd::table::{PolicyTable, TableError, TableLimits, TableQuestion};
use throng_crowd::table_file::TableFileError;
use throng_domain::compile::{
    Digest, LocalAction, LocalFact, LocalVariable, NpcTables, PackedValue,
};
use throng_domain::model::Wants;
use throng_lab::corpus;
use throng_planner::replay::replay as step_by_step;
use throng_planner::{ActionMask, Checks};

/// Of more states a sample is compared.
const ALL_STATES: u64 = 50_000;
const SAMPLE: u64 = 2_000;
/// Of every table so many plans go to the independent judge.
const JUDGED: u64 = 12;
/// The largest and the hardest types have no table within this; that is an answer too.
const LIMITS: TableLimits<'static> = TableLimits { nodes: 300_000, ..TableLimits::DEFAULT };
/// For tests that only build, several times.
const FEWER: TableLimits<'static> = TableLimits { nodes: 30_000, ..LIMITS };
/// Goals of no name, per type.
const RANDOM_GOALS: usize = 3;

const SHARED: &str = "\
domain village
shared var forge: cold, hot
shared var bridge: up, down
var at: home, forge, wood
var has: nothing, wood, tool
var tired: 0..3
action walk(from in at, to in at): at from -> to
    if roads
action cross: at home -> wood  while bridge = down
    cost 0.5
action cut: has nothing -> wood, tired += 1  while at = wood, tired < 3
action light: forge cold -> hot  while at = forge, has = wood
    cost 3
action make: has wood -> tool  while at = forge, forge = hot
action lower: bridge up -> down  while at = home
action rest: tired -> 0  while at = home
goal equipped: has = tool
goal homely: at = home, tired = 0
goal safe: bridge = up, has = wood
npc villager
    can walk, cross, cut, light, make, lower, rest
    wants equipped, homely, safe
npc guard
    can lower
    wants safe
";

/// One question: a type, what it wants, what is not there.
struct Case {
    npc: NpcTypeId,
    named: Option<GoalId>,
    goal: Wants,
    checks: Checks,
    forbidden: ActionMask,
    shared: Vec<PackedValue>,
}

impl Case {
    fn question<'q>(&'q self, domain: &'q Domain) -> TableQuestion<'q> {
        TableQuestion {
            domain: domain.compiled(),
            npc: self.npc,
            goal: (&self.goal).into(),
            checks: &self.checks,
            forbidden: &self.forbidden,
            shared: &self.shared,
            outside: &[],
        }
    }

    fn forbids_nothing(&self, kind: &NpcTables) -> bool {
        (0..kind.n_actions() as u32).all(|at| !self.forbidden.has(LocalAction(at)))
    }
}

fn domains() -> Vec<Domain> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in std::fs::read_dir(corpus::folder()).unwrap() {
        let folder = folder.unwrap();
        let name = folder.file_name().into_string().unwrap();
        if folder.path().is_dir() && name != "rejected" {
            paths.extend(corpus::files(&name, "npc").unwrap());
        }
    }
    paths.sort();
    let read = |path: &PathBuf| Domain::from_loaded(corpus::read(path).unwrap()).unwrap();
    let mut domains: Vec<Domain> = paths.iter().map(read).collect();
    domains.push(Domain::from_text(SHARED).unwrap());
    domains
}

/// Everything that is asked about a domain.
fn cases(domain: &Domain, dice: &mut SplitMix) -> Vec<Case> {
    let compiled = domain.compiled();
    let mut cases = Vec::new();
    for kind in compiled.npcs() {
        let named = compiled.goals().iter().zip(domain.model().goals());
        let named = named.map(|(goal, declared)| {
            (Some(domain.goal(declared.name()).unwrap()), goal.conditions().to_wants())
        });
        let mut goals: Vec<_> = named.collect();
        goals.extend((0..RANDOM_GOALS).map(|at| (None, random_goal(kind, at == 0, dice).into())));
        for (named, goal) in goals {
            for masked in [false, true] {
                cases.push(case(domain, kind, named, goal.clone(), masked, dice));
            }
        }
    }
    cases
}

fn case(
    domain: &Domain,
    kind: &NpcTables,
    named: Option<GoalId>,
    goal: Wants,
    masked: bool,
    dice: &mut SplitMix,
) -> Case {
    let map = domain.compiled().map();
    let mut checks = Checks::all(map.n_checks());
    let mut forbidden = ActionMask::none(kind.n_actions());
    if masked {
        for name in map.check_names() {
            checks.set(domain.check(name).unwrap(), dice.percent(60));
        }
        // Some masks only have checks, so that the judge can follow.
        let chance = [0, 10, 30][dice.below(3)];
        for action in (0..kind.n_actions() as u32).map(LocalAction) {
            forbidden.set(action, dice.percent(chance));
        }
    }
    let locals = (0..kind.variables().len() as u32).map(LocalVariable);
    let shared =
        locals.map(|variable| dice.below(kind.n_values(variable)) as PackedValue).collect();
    Case { npc: kind.id(), named, goal, checks, forbidden, shared }
}

/// Some values of some variables; of all of them if it is to be `total`.
fn random_goal(kind: &NpcTables, total: bool, dice: &mut SplitMix) -> Vec<Fact> {
    let n = kind.variables().len();
    let some = dice.within(1, 3);
    let chosen = dice.some_of(n, if total { n } else { some });
    let fact = |at: usize| {
        let variable = LocalVariable(at as u32);
        let value = dice.below(kind.n_values(variable)) as PackedValue;
        kind.fact(LocalFact { variable, value })
    };
    chosen.into_iter().map(fact).collect()
}

/// How much was seen.
#[derive(Default, Debug)]
struct Seen {
    tables: usize,
    too_large: usize,
    too_hard: usize,
    plans: usize,
    satisfied: usize,
    impossible: usize,
    judged: usize,
    /// Plans that are not the single planner's.
    others: usize,
}

/// The single planner beside a table.
struct Single {
    scratch: Scratch,
    plan: Plan,
    start: Vec<PackedValue>,
}

impl Single {
    fn compare(
        &mut self,
        domain: &Domain,
        case: &Case,
        table: &PolicyTable,
        plans: &PlanStore,
        seen: &mut Seen,
    ) {
        let kind = domain.compiled().npc(case.npc);
        let space = Space::new(domain.compiled().map(), kind);
        assert_eq!(Some(table.n_states()), space.n_states());
        let mut npc = Npc::of_type(domain, case.npc).unwrap();
        for name in domain.compiled().map().check_names() {
            let check = domain.check(name).unwrap();
            npc.set_check_id(check, case.checks.holds(check));
        }
        for (at, &id) in kind.actions().iter().enumerate() {
            npc.forbid_id(id, case.forbidden.has(LocalAction(at as u32)));
        }
        let request = match case.named {
            Some(goal) => Request::goal(goal),
            None => Request::to_conditions(case.goal.clone()),
        };
        let step = if table.n_states() <= ALL_STATES { 1 } else { table.n_states() / SAMPLE };
        let judged_step = (table.n_states() / JUDGED).max(1);
        for index in (0..table.n_states()).step_by(step as usize) {
            self.start.clone_from(&case.shared);
            assert!(space.state_at(index, &mut self.start));
            for (at, &value) in self.start.iter().enumerate() {
                let variable = LocalVariable(at as u32);
                npc.set_fact(kind.fact(LocalFact { variable, value }));
            }
            let (outcome, _) =
                Planner::new().plan_into(&npc, &request, &mut self.scratch, &mut self.plan);
            let id = table.plan(index);
            let place = || format!("{}, {}, state {index}", domain.name(), npc.type_name());
            match outcome {
                Outcome::Satisfied => {
                    assert_eq!(id, PlanId::SATISFIED, "{}", place());
                    seen.satisfied += 1;
                }
                Outcome::Impossible(_) => {
                    assert_eq!(id, PlanId::IMPOSSIBLE, "{}", place());
                    seen.impossible += 1;
                }
                Outcome::GaveUp(limit) => panic!("{}: {limit:?}", place()),
                Outcome::Plan { cost } => {
                    let actions = plans.actions(id).iter().map(|a| kind.actions()[a.index()]);
                    let is_same = actions.eq(self.plan.actions().iter().copied());
                    assert!(is_same || kind.has_amounts(), "{}", place());
                    assert_eq!(plans.cost(id), cost.0, "{}", place());
                    // Where something is counted, another plan of the same price will do, if it is
                    // one, with the actions that are there.
                    if !is_same {
                        let problem = npc.problem(&case.goal);
                        let mut state = Vec::new();
                        let replayed = step_by_step(kind, &problem, plans.actions(id), &mut state);
                        assert_eq!(replayed, Some(cost.0), "{}", place());
                        seen.others += 1;
                    }
                    seen.plans += 1;
                    let is_judged = index % judged_step == 0 || !is_same;
                    if is_judged && case.forbids_nothing(kind) {
                        judge(domain, case, &self.start, plans, id);
                        seen.judged += 1;
                    }
                }
            }
        }
    }
}

/// The independent judge replays a plan by names.
fn judge(domain: &Domain, case: &Case, start: &[PackedValue], plans: &PlanStore, id: PlanId) {
    let (compiled, model) = (domain.compiled(), domain.model());
    let (kind, map) = (compiled.npc(case.npc), compiled.map());
    let words = |fact: Fact| {
        let (variable, value) = model.fact_names(fact);
        (variable.to_string(), value.to_string())
    };
    let places = start.iter().enumerate();
    let from: Vec<_> = places
        .map(|(at, &value)| kind.fact(LocalFact { variable: LocalVariable(at as u32), value }))
        .map(words)
        .collect();
    let wants = throng_check::Wanted::of(model, case.goal.conditions());
    let holds = |name: &&str| case.checks.holds(domain.check(name).unwrap());
    let held: Vec<String> = map.check_names().filter(holds).map(str::to_string).collect();
    let npc = map.npc(case.npc);
    let context = CheckContext::Only(&held);
    let asked = Asked { npc, from: &from, wants: &wants, context, ..Asked::default() };
    let names: Vec<&str> =
        plans.actions(id).iter().map(|action| map.action(kind.actions()[action.index()])).collect();
    let verdict = replay(model, &asked, &names).unwrap();
    assert_eq!(verdict, Verdict::Valid { cost: Cost(plans.cost(id)) }, "{}", domain.name());
}

/// A table and all its plans, as a number.
fn digest(table: &Result<PolicyTable, TableError>, plans: &PlanStore) -> u128 {
    let Ok(table) = table else { return 0 };
    let ids = (0..table.n_states()).flat_map(|at| table.plan(at).0.to_le_bytes());
    let mut bytes: Vec<u8> = ids.collect();
    for &id in table.plans() {
        bytes.extend(plans.cost(id).to_le_bytes());
        bytes.extend(plans.actions(id).iter().flat_map(|action| action.0.to_le_bytes()));
    }
    Digest::of(&bytes).0
}

/// Builds the tables of all cases of a domain, one arena per type; what `each` makes of them.
fn with_tables(
    domain: &Domain,
    cases: &[Case],
    pool: &Pool,
    limits: &TableLimits<'_>,
    mut each: impl FnMut(&Case, &Result<PolicyTable, TableError>, &PlanStore),
) {
    let mut arenas = vec![PlanStore::new(); domain.compiled().npcs().len()];
    for case in cases {
        let plans = &mut arenas[case.npc.index()];
        let space = Space::new(domain.compiled().map(), domain.compiled().npc(case.npc));
        let question = case.question(domain);
        let table = PolicyTable::build(&question, &space, plans, pool, limits, &|_, _| {});
        each(case, &table, plans);
    }
}

#[test]
fn every_plan_of_every_table_is_the_single_planners() {
    let (mut seen, mut dice) = (Seen::default(), SplitMix::new(5));
    let pool = Pool::new(2);
    for domain in domains() {
        let cases = cases(&domain, &mut dice);
        let (scratch, plan) = (Scratch::default(), Plan::empty(&domain));
        let mut single = Single { scratch, plan, start: Vec::new() };
        with_tables(&domain, &cases, &pool, &LIMITS, |case, table, plans| match table {
            Ok(table) => {
                seen.tables += 1;
                single.compare(&domain, case, table, plans, &mut seen);
            }
            Err(TableError::TooManyStates { .. }) => seen.too_large += 1,
            Err(TableError::TooMuchSearch { .. }) => seen.too_hard += 1,
            Err(why) => panic!("{}: {why}", domain.name()),
        });
    }
    println!("{seen:?}");
    let much = seen.tables > 1_000 && seen.plans > 200_000 && seen.impossible > 100_000;
    assert!(much && seen.satisfied > 1_000 && seen.judged > 1_000, "little was asked: {seen:?}");
    assert!(seen.others * 20 < seen.plans, "few are other plans: {seen:?}");
    assert!(seen.too_hard * 20 < seen.tables, "few are too hard: {seen:?}");
}

#[test]
fn no_number_of_threads_changes_a_table() {
    let domains = domains();
    let [one, two, seven] = [1, 2, 7].map(|threads| {
        let (pool, mut dice) = (Pool::new(threads), SplitMix::new(6));
        let mut all = Vec::new();
        for domain in &domains {
            let cases = cases(domain, &mut dice);
            with_tables(domain, &cases, &pool, &FEWER, |_, table, plans| {
                all.push(digest(table, plans))
            });
        }
        all
    });
    assert!(one == two && one == seven);
    assert!(one.iter().filter(|&&digest| digest != 0).count() > 500);
}

#[test]
fn tables_come_back_from_bytes_and_only_for_what_they_answer() {
    let (pool, mut dice) = (Pool::new(2), SplitMix::new(7));
    let (mut n_tables, mut last): (_, Option<Vec<u8>>) = (0, None);
    for domain in domains() {
        let cases = cases(&domain, &mut dice);
        with_tables(&domain, &cases, &pool, &FEWER, |case, table, plans| {
            let Ok(table) = table else { return };
            let question = case.question(&domain);
            let space = Space::new(domain.compiled().map(), question.kind());
            let bytes = table.to_bytes(&question, &space, plans);
            let read = |bytes: &[u8], plans: &mut PlanStore| {
                PolicyTable::from_bytes(bytes, &question, &space, plans)
            };
            assert_eq!(read(&bytes, &mut plans.clone()).as_ref(), Ok(table));
            let mut fresh = PlanStore::new();
            let again = read(&bytes, &mut fresh).unwrap();
            assert_eq!(again.to_bytes(&question, &space, &fresh), bytes);
            let mut none = PlanStore::new();
            let cut = dice.within(1, bytes.len() - 1);
            let cut = read(&bytes[..cut], &mut none);
            assert!(matches!(cut, Err(TableFileError::Read(_))), "{cut:?}");
            let mut damaged = bytes.clone();
            let at = dice.within(12, bytes.len() - 1);
            damaged[at] ^= 1 << dice.below(8);
            assert!(read(&damaged, &mut none).is_err(), "{}, byte {at}", domain.name());
            // Another question, most times of another domain.
            if let Some(last) = last.replace(bytes.clone()).filter(|last| *last != bytes) {
                let refused = read(&last, &mut none).unwrap_err();
                let other = matches!(
                    refused,
                    TableFileError::OtherDomain { .. } | TableFileError::OtherQuestion { .. }
                );
                assert!(other, "{refused}");
            }
            assert!(none.is_empty());
            n_tables += 1;
        });
    }
    assert!(n_tables > 500);
}

#[test]
fn a_table_of_the_domain_before_an_edit_is_refused() {
    let before = Domain::from_text(SHARED).unwrap();
    let after = Domain::from_text(&SHARED.replace("cost 3", "cost 2")).unwrap();
    let case = &cases(&before, &mut SplitMix::new(8))[0];
    let (question, mut plans) = (case.question(&before), PlanStore::new());
    let space = Space::new(before.compiled().map(), question.kind());
    let (pool, limits) = (Pool::new(1), &TableLimits::DEFAULT);
    let table =
        PolicyTable::build(&question, &space, &mut plans, &pool, limits, &|_, _| {}).unwrap();
    let bytes = table.to_bytes(&question, &space, &plans);
    let now = TableQuestion { domain: after.compiled(), ..question };
    let refused = PolicyTable::from_bytes(&bytes, &now, &space, &mut PlanStore::new()).unwrap_err();
    let (found, expected) = (before.digest(), after.digest());
    assert_eq!(refused, TableFileError::OtherDomain { found, expected });
}
