//! Every source of plans beside the single planner, over the whole corpus.
//!
//! In:   every NPC type of `domains/` that is not there to be rejected, and one that shares much;
//!       its states, its goals, some random ones, choices among goals, groups with random checks,
//!       forbidden actions and shared values.
//! Out:  a crowd with one NPC per state, goal and group, served by tables, by the wide kernel or
//!       lists, by memory, and by the planner alone, has the outcomes, actions and costs of
//!       [`Planner`](throng::Planner); but for the wide kernel, which has an order of its own,
//!       also in the same order. Where something is counted, tables and lists may have another
//!       plan of the same cost. Every plan replays. No number of threads changes anything.
//! Cost: a sample of the questions of each type; `THRONG_LONG=1` asks all of types with up to
//!       [`ALL_STATES`] states.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may panic, and say what was tried"
)]

use std::path::PathBuf;
use std::sync::Arc;
use throng::crowd::{
    Crowd, CrowdGoalId, CrowdSettings, FrameBudget, FrameReport, GroupId, NpcHandle, Pool, Status,
    TablePolicy,
};
use throng::prelude::*;
use throng::{ActionId, CheckId, GoalId};
use throng_base::SplitMix;
use throng_crowd::space::Space;
use throng_domain::compile::{LocalAction, LocalFact, LocalVariable, NpcTables, PackedValue};
use throng_lab::corpus;
use throng_planner::replay::replay;

/// Of more states a sample is asked about, also in the long run.
const ALL_STATES: u64 = 100_000;
/// NPCs of one crowd.
const BATCH: usize = 100_000;
/// Questions per type that counts, and the nodes that the single planner may need for one: harder
/// ones are asked of searches elsewhere, and here each is answered eleven times.
const MOST_COUNTED: usize = 300;
const MOST_NODES: u64 = 3_000;
/// Goals of no name, per type: one about all variables, the others about some.
const RANDOM_GOALS: usize = 3;
/// Groups of which some actions, checks and shared values are others.
const MASKED_GROUPS: usize = 3;
/// The bytes that a search of the single planner and of a crowd may hold.
const BYTES: usize = 1 << 30;

fn is_long() -> bool {
    std::env::var_os("THRONG_LONG").is_some()
}

/// Questions per type.
fn most_questions() -> usize {
    if is_long() { usize::MAX } else { 1_200 }
}

/// The most states of a type that gets tables: a sample does not pay for large ones.
fn table_states() -> u64 {
    if is_long() { 1 << 20 } else { 5_000 }
}

const SHARED: &str = "\
domain works
shared var furnace: cold, hot
shared var crane: up, down
shared var store: empty, some, full
var at: gate, hall, yard
var load: none, ore, iron
var gloves: off, on
action go(from in at, to in at): at from -> to
    if open_doors
action slip_in: at gate -> hall  while gloves = on
    cost 3
action fire: furnace cold -> hot  while at = hall, gloves = on
action douse: furnace hot -> cold  while at = hall
action lower: crane up -> down  while at = yard
action lift: crane down -> up  while at = yard
action take: load none -> ore  while at = yard, crane = down
action smelt: load ore -> iron  while at = hall, furnace = hot, gloves = on
action store_some: load iron -> none, store empty -> some  while at = gate
action store_rest: load iron -> none, store some -> full  while at = gate
action dress: gloves -> on
action undress: gloves -> off
goal stocked: store = full
goal safe: furnace = cold, crane = up, gloves = off
goal ready: load = iron
npc worker
    can go, slip_in, fire, douse, lower, lift, take, smelt, store_some, store_rest, dress, undress
    wants stocked, safe, ready
npc stoker
    can fire, douse, dress, undress
    wants safe
";

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

/// What is asked about a type.
struct Asked<'d> {
    domain: &'d Domain,
    kind: &'d NpcTables,
    space: Space,
    goals: Vec<Goal>,
    groups: Vec<Group>,
    /// Values of all variables; those of shared ones are the groups' to say.
    states: Vec<Vec<PackedValue>>,
}

#[derive(Debug)]
enum Goal {
    One(GoalId),
    Facts(Vec<Fact>),
    Any(Vec<GoalId>),
    /// All that the type wants, by priority.
    Best,
}

impl Goal {
    fn request(&self) -> Request {
        match self {
            Goal::One(id) => Request::goal(*id),
            Goal::Facts(facts) => Request::to(facts.iter().copied()),
            Goal::Any(goals) => Request::any(goals.iter().copied()),
            Goal::Best => Request::best(),
        }
    }
}

/// What differs from a group as it is made.
#[derive(Default)]
struct Group {
    without: Vec<CheckId>,
    forbidden: Vec<ActionId>,
    shared: Vec<Fact>,
}

/// Positions of a state, a goal and a group.
#[derive(Clone, Copy)]
struct Question {
    state: usize,
    goal: usize,
    group: usize,
}

impl<'d> Asked<'d> {
    fn new(domain: &'d Domain, kind: &'d NpcTables, dice: &mut SplitMix) -> Asked<'d> {
        let space = Space::new(domain.compiled().map(), kind);
        let states = states(kind, &space, dice);
        let mut asked =
            Asked { domain, kind, space, goals: Vec::new(), groups: Vec::new(), states };
        let compiled = domain.compiled();
        for declared in domain.model().goals() {
            let id = domain.goal(declared.name()).unwrap();
            // What nobody of this type wants is asked now and then; by all in the long run.
            if kind.goals().contains(&id) || is_long() || dice.percent(15) {
                asked.goals.push(Goal::One(id));
            }
            // A name with alternatives, asked for with the first of them.
            if let Some((_, goals)) = compiled.map().served_by(id)
                && goals[0] == id
            {
                asked.goals.push(Goal::Any(goals.to_vec()));
            }
        }
        for at in 0..RANDOM_GOALS {
            let facts = asked.random_goal(at == 0, dice);
            asked.goals.push(Goal::Facts(facts));
        }
        asked.goals.push(Goal::Best);
        let all = domain.model().goals();
        if !all.is_empty() {
            let mut some: Vec<GoalId> = (0..dice.within(2, 4))
                .map(|_| domain.goal(dice.pick(all).name()).unwrap())
                .collect();
            some.sort_unstable();
            some.dedup();
            asked.goals.push(Goal::Any(some));
        }
        asked.groups.push(Group::default());
        for at in 0..MASKED_GROUPS {
            let chance = [0, 10, 30][at % 3];
            asked.groups.push(asked.random_group(chance, dice));
        }
        asked
    }

    /// Some values of some variables; of all of them if it is to be `total`.
    fn random_goal(&self, total: bool, dice: &mut SplitMix) -> Vec<Fact> {
        let n = self.kind.variables().len();
        let some = dice.within(1, 3);
        let chosen = dice.some_of(n, if total { n } else { some });
        chosen.into_iter().map(|at| self.any_fact(LocalVariable(at as u32), dice)).collect()
    }

    fn any_fact(&self, variable: LocalVariable, dice: &mut SplitMix) -> Fact {
        let value = dice.below(self.kind.n_values(variable)) as PackedValue;
        self.kind.fact(LocalFact { variable, value })
    }

    fn random_group(&self, chance: usize, dice: &mut SplitMix) -> Group {
        let names = self.domain.compiled().map().check_names();
        let checks = names.map(|name| self.domain.check(name).unwrap());
        let without = checks.filter(|_| dice.percent(40)).collect();
        let actions = self.kind.actions().iter().copied();
        let forbidden = actions.filter(|_| dice.percent(chance)).collect();
        let shared = self.space.shared().iter().map(|&own| self.any_fact(own, dice)).collect();
        Group { without, forbidden, shared }
    }

    /// All questions, or so many of them, by group, goal and state.
    fn questions(&self, most: usize, dice: &mut SplitMix) -> Vec<Question> {
        let (states, goals) = (self.states.len(), self.goals.len());
        let n = states * goals * self.groups.len();
        let question = |at: usize| Question {
            state: at % states,
            goal: at / states % goals,
            group: at / states / goals,
        };
        if n <= most {
            return (0..n).map(question).collect();
        }
        let mut picked: Vec<usize> = (0..most).map(|_| dice.below(n)).collect();
        picked.sort_unstable();
        picked.dedup();
        picked.into_iter().map(question).collect()
    }

    /// Whom the single planner is asked about.
    fn npc(&self, question: Question) -> Npc {
        let mut npc = Npc::of_type(self.domain, self.kind.id()).unwrap();
        let group = &self.groups[question.group];
        for (at, &value) in self.states[question.state].iter().enumerate() {
            let variable = LocalVariable(at as u32);
            if !self.space.is_shared(variable) {
                npc.set_fact(self.kind.fact(LocalFact { variable, value }));
            }
        }
        group.shared.iter().for_each(|&fact| npc.set_fact(fact));
        group.without.iter().for_each(|&check| npc.set_check_id(check, false));
        group.forbidden.iter().for_each(|&action| npc.forbid_id(action, true));
        npc
    }
}

/// All states, or a sample of them.
fn states(kind: &NpcTables, space: &Space, dice: &mut SplitMix) -> Vec<Vec<PackedValue>> {
    let mut state = kind.unknown_state();
    let n_values = |at: usize| kind.n_values(LocalVariable(at as u32));
    if let Some(n) = space.n_states().filter(|&n| n <= ALL_STATES) {
        let state_at = |index| {
            state.fill(0);
            assert!(space.state_at(index, &mut state));
            state.clone()
        };
        return (0..n).map(state_at).collect();
    }
    let any =
        |_| (0..kind.variables().len()).map(|at| dice.below(n_values(at)) as PackedValue).collect();
    (0..2_000).map(any).collect()
}

/// Where plans come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    Tables,
    /// The wide kernel; of types that count, lists of demands.
    Wide,
    Memory,
    Planner,
}

const ALL: [By; 4] = [By::Tables, By::Wide, By::Memory, By::Planner];

impl By {
    fn settings(self, n: usize) -> CrowdSettings {
        let all = CrowdSettings {
            table_states: table_states(),
            table_bytes: 1 << 30,
            remembered: 0,
            // A table that needs more search than a few states each is not worth its time here.
            first_try: if self == By::Tables && !is_long() { 8 } else { 256 },
            most_nodes: u64::MAX,
            search_bytes: BYTES,
            ..CrowdSettings::default()
        };
        let lists = CrowdSettings { tables: TablePolicy::Never, ..all };
        let never = CrowdSettings { list_entries: 0, ..lists };
        match self {
            By::Tables => all,
            By::Wide => lists,
            // So much room that no answer has to go for another.
            By::Memory => CrowdSettings { wide: false, remembered: 16 * n, ..never },
            By::Planner => CrowdSettings { wide: false, ..never },
        }
    }
}

/// A crowd of all questions.
struct Filled {
    crowd: Crowd,
    npcs: Vec<NpcHandle>,
    goals: Vec<CrowdGoalId>,
    report: FrameReport,
    /// The digest when everybody had been served once: later others may be first in line for a claim.
    first: u64,
}

impl Filled {
    fn new(asked: &Asked<'_>, questions: &[Question], by: By, pool: &Arc<Pool>) -> Filled {
        let (domain, kind) = (asked.domain, asked.kind);
        let settings = by.settings(questions.len());
        let mut crowd =
            Crowd::new(domain.compiled_arc(), kind.id(), settings, Arc::clone(pool)).unwrap();
        let groups: Vec<GroupId> = asked.groups.iter().map(|g| fill_group(&mut crowd, g)).collect();
        let goal = |goal: &Goal| match goal {
            Goal::One(id) => crowd.goal(*id).unwrap(),
            Goal::Facts(facts) => crowd.add_goal(facts).unwrap(),
            Goal::Any(goals) => crowd.any_goal(goals).unwrap(),
            Goal::Best => crowd.best().unwrap(),
        };
        let goals: Vec<CrowdGoalId> = asked.goals.iter().map(goal).collect();
        let mut facts = Vec::new();
        let npcs = questions.iter().map(|question| {
            let values = asked.states[question.state].iter().enumerate();
            let locals =
                values.map(|(at, &value)| LocalFact { variable: LocalVariable(at as u32), value });
            facts.clear();
            facts.extend(locals.map(|local| kind.fact(local)));
            crowd.spawn_with(groups[question.group], goals[question.goal], &facts).unwrap()
        });
        let npcs = npcs.collect();
        Filled { crowd, npcs, goals, report: FrameReport::default(), first: 0 }
    }

    /// Serves everybody.
    fn plan(&mut self) {
        let report = self.crowd.plan(FrameBudget::UNLIMITED);
        assert_eq!((report.served, report.deferred), (self.npcs.len(), 0));
        self.report += report;
    }

    /// Serves everybody twice; the second time all answers are known.
    fn plan_again(&mut self, questions: &[Question]) {
        let first = self.answers();
        let nothing = self.crowd.add_goal(&[]).unwrap();
        for (&npc, question) in self.npcs.iter().zip(questions) {
            // Another goal and back again: nothing has changed, but who looks?
            assert!(self.crowd.set_goal(npc, nothing).is_ok());
            assert!(self.crowd.set_goal(npc, self.goals[question.goal]).is_ok());
        }
        let before = self.report.remembered;
        self.plan();
        assert_eq!(self.report.remembered - before, self.npcs.len(), "all are remembered");
        assert!(self.answers() == first, "somebody is answered otherwise");
    }

    /// What everybody was answered. Not who stands in line for a claim: who gave his back by wanting
    /// something else may come behind the others.
    fn answers(&self) -> Vec<(Option<Status>, Vec<ActionId>)> {
        let answer = |&npc: &NpcHandle| {
            (self.crowd.status(npc), self.crowd.plan_of(npc).collect::<Vec<ActionId>>())
        };
        self.npcs.iter().map(answer).collect()
    }
}

fn fill_group(crowd: &mut Crowd, group: &Group) -> GroupId {
    let is_plain = group.without.is_empty() && group.forbidden.is_empty();
    if is_plain && group.shared.is_empty() {
        return GroupId::FIRST;
    }
    let new = crowd.add_group().unwrap();
    group.without.iter().for_each(|&check| assert!(crowd.set_check(new, check, false).is_ok()));
    group.forbidden.iter().for_each(|&action| assert!(crowd.forbid(new, action, true).is_ok()));
    group.shared.iter().for_each(|&fact| assert!(crowd.set_shared(new, fact).is_ok()));
    new
}

/// The single planner, and how much was compared with it.
#[derive(Default)]
struct Single {
    scratch: Scratch,
    sorted: [Vec<LocalAction>; 2],
    steps: Vec<LocalAction>,
    state: Vec<PackedValue>,
    questions: usize,
    plans: usize,
    chosen: usize,
    other_order: usize,
    other_plan: usize,
}

impl Single {
    /// Whether the single planner needs few nodes.
    fn is_easy(&mut self, asked: &Asked<'_>, question: Question) -> bool {
        let request = asked.goals[question.goal].request().max_nodes(MOST_NODES);
        let answer = Planner::new().plan(&asked.npc(question), &request, &mut self.scratch);
        !matches!(answer.outcome(), Outcome::GaveUp(_))
    }

    fn compare(&mut self, asked: &Asked<'_>, question: Question, at: usize, filled: &[Filled]) {
        let (npc, goal) = (asked.npc(question), &asked.goals[question.goal]);
        let request = goal.request().max_bytes(BYTES);
        let answer = Planner::new().plan(&npc, &request, &mut self.scratch);
        let compiled = asked.domain.compiled();
        let problem = match goal {
            Goal::Facts(facts) => npc.problem(facts),
            _ => {
                let wants = answer.goal().map(|id| compiled.goal(id).conditions());
                npc.problem(wants.unwrap_or_default())
            }
        };
        let is_choice = matches!(goal, Goal::Any(_) | Goal::Best);
        let kind = asked.kind;
        let local = |id| kind.local_action(id).unwrap();
        self.questions += 1;
        for (by, Filled { crowd, npcs, .. }) in ALL.into_iter().zip(filled) {
            let place = || format!("{by:?}, {}, {npc:?} to {goal:?}", asked.domain.name());
            let status = crowd.status(npcs[at]).unwrap();
            self.steps.clear();
            self.steps.extend(crowd.plan_of(npcs[at]).map(local));
            let cost = match answer.outcome() {
                Outcome::Plan { cost } => {
                    assert_eq!(status, Status::Following, "{}", place());
                    if is_choice {
                        let aim = crowd.aim_of(npcs[at]).and_then(|aim| crowd.goal_id(aim));
                        assert_eq!(aim, answer.goal(), "{}", place());
                        self.chosen += 1;
                    }
                    *cost
                }
                Outcome::Satisfied => {
                    assert_eq!(status, Status::Satisfied, "{}", place());
                    Cost(0)
                }
                Outcome::Impossible(_) => {
                    assert_eq!(status, Status::Impossible, "{}", place());
                    assert!(self.steps.is_empty());
                    continue;
                }
                Outcome::GaveUp(limit) => panic!("{}: {limit:?}", place()),
            };
            assert_eq!(crowd.cost_of(npcs[at]), cost, "{}", place());
            let replayed = replay(kind, &problem, &self.steps, &mut self.state);
            assert_eq!(replayed, Some(cost.0), "{}", place());
            let [ours, theirs] = &mut self.sorted;
            ours.clone_from(&self.steps);
            theirs.clear();
            theirs.extend(answer.plan().actions().iter().map(|&id| local(id)));
            let is_same_order = ours == theirs;
            // Where something is counted, tables and lists may have another plan of the same price.
            let may_differ = kind.has_amounts() && matches!(by, By::Tables | By::Wide);
            assert!(is_same_order || by == By::Wide || may_differ, "{}", place());
            self.other_order += usize::from(!is_same_order);
            ours.sort_unstable();
            theirs.sort_unstable();
            assert!(ours == theirs || may_differ, "{}", place());
            self.other_plan += usize::from(ours != theirs);
            self.plans += 1;
        }
    }
}

#[test]
fn every_source_has_the_plans_of_the_single_planner_for_any_number_of_threads() {
    let pools = [2, 1, 7].map(|threads| Arc::new(Pool::new(threads)));
    let (mut dice, mut single) = (SplitMix::new(51), Single::default());
    let mut reports = [FrameReport::default(); 4];
    // Of all types, and of those that do not count.
    let (mut digests, mut plain) = ([0u64; 4], [0u64; 4]);
    let (mut n_types, mut too_hard) = (0, 0);
    for domain in domains() {
        // A type that touches no variable, as somebody who only waits, has nothing to plan.
        let kinds = domain.compiled().npcs().iter();
        for kind in kinds.filter(|kind| !kind.variables().is_empty()) {
            n_types += 1;
            let asked = Asked::new(&domain, kind, &mut dice);
            let mut questions = asked.questions(most_questions(), &mut dice);
            if kind.has_amounts() && !is_long() {
                let step = questions.len().div_ceil(MOST_COUNTED).max(1);
                questions = questions.into_iter().step_by(step).collect();
            }
            if kind.has_amounts() {
                let n = questions.len();
                questions.retain(|&question| single.is_easy(&asked, question));
                too_hard += n - questions.len();
            }
            for questions in questions.chunks(BATCH) {
                let [two, one, seven] = pools.each_ref().map(|pool| {
                    ALL.map(|by| {
                        let mut filled = Filled::new(&asked, questions, by, pool);
                        filled.plan();
                        filled.first = filled.crowd.digest();
                        if by == By::Memory {
                            filled.plan_again(questions);
                        }
                        filled
                    })
                });
                for (at, &question) in questions.iter().enumerate() {
                    single.compare(&asked, question, at, &two);
                }
                for by in 0..ALL.len() {
                    let digest = two[by].crowd.digest();
                    for other in [&one[by], &seven[by]] {
                        assert_eq!(other.crowd.digest(), digest, "{:?}", ALL[by]);
                        assert_eq!(other.report, two[by].report, "{:?}", ALL[by]);
                    }
                    let mix = |all: u64| {
                        (all.rotate_left(7) ^ two[by].first).wrapping_mul(0x100_0000_01b3)
                    };
                    digests[by] = mix(digests[by]);
                    if !kind.has_amounts() {
                        plain[by] = mix(plain[by]);
                    }
                    reports[by] += two[by].report;
                }
            }
        }
    }
    let Single { questions, plans, chosen, other_order, other_plan, .. } = single;
    println!(
        "{n_types} types, {questions} questions, {plans} plans, {chosen} of them with a choice of \
         goals, {other_order} reordered, {other_plan} of them other plans; {too_hard} left out"
    );
    assert!(chosen > 10_000, "many choose");
    for ((by, report), digest) in ALL.into_iter().zip(reports).zip(digests) {
        println!("{by:?}: digest {digest:016x} with 1, 2 and 7 threads, {report:?}");
        assert!(report.plans > 10_000 && report.impossible > 5_000 && report.satisfied > 100);
    }
    assert!(plain[0] == plain[2] && plain[0] == plain[3], "only the kernel has its order");
    assert!(digests[2] == digests[3], "only tables and lists have plans of their own");
    assert!(other_plan * 20 < plans, "few are other plans");
    let [tables, wide, memory, alone] = reports;
    assert!(n_types > 60, "the corpus has more types");
    assert!(tables.looked_up * 2 > tables.served && tables.tables > 1_000);
    assert!(wide.computed > 20_000, "the kernel serves many");
    assert!(wide.listed > 1_000, "lists serve many");
    assert!(memory.remembered == questions);
    assert!(alone.planned > 10_000 && alone.searched > 1_000);
    assert_eq!(alone.planned + alone.searched, questions);
}
