//! The wide kernel beside the scalar one: nanoseconds per NPC, a plan computed for each.
//!
//! In:   nothing; the Western town, a million NPCs in random states that need at least three steps
//!       to the goals declared there.
//! Out:  a Markdown table, and exit code 1 if a bar is missed or an answer is wrong.
//! Cost: ten seconds.
//!
//! One thread. All kernels take turns, each turn long enough for the clock of the processor's time;
//! the fastest turn counts. Every plan of the scalar kernel is compared with the list and the mask:
//! the same actions, and an order that can be carried out.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::io;
use std::process::ExitCode;
use std::time::Instant;
use throng_domain::compile::{CompiledDomain, LocalAction, LocalFact, NpcType, SmallMoves, Value};
use throng_planner::topological::small::{self, SmallGoal};
use throng_planner::topological::wide::{
    Enabled, Goals, Kernel, Lanes, Plans, States, Wide, WideGoal, WideScratch,
};
use throng_suite::corpus;
use throng_suite::measuring::{busy_nanoseconds, machine};
use throng_suite::random::Dice;

const NPCS: usize = 1_000_000;
const ROUNDS: usize = 15;
/// The shortest plan that counts.
const SHORTEST: usize = 3;
/// Scalar ÷ wide: lists, and masks.
const LISTS_BAR: f64 = 12.0;
const MASKS_BAR: f64 = 40.0;

/// NPCs of one type with one goal.
struct Group<'d> {
    npc: &'d NpcType,
    tables: &'d SmallMoves,
    facts: &'d [LocalFact],
    wide: Wide,
    goal: WideGoal,
    words: Vec<u64>,
    columns: Vec<Vec<u8>>,
    lists: Vec<u64>,
    masks: Vec<u16>,
    next: Vec<u8>,
}

fn main() -> ExitCode {
    measure().unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}

fn measure() -> io::Result<ExitCode> {
    let path = corpus::folder().join("papers/western.npc");
    let model = corpus::read(&path)?.model.ok_or_else(|| io::Error::other("no model"))?;
    let domain = CompiledDomain::new(&model);
    let mut groups = groups(&domain)?;
    let mut scratch = WideScratch::default();
    let mut checked = 0;
    for group in &mut groups {
        group.wide_lists(Kernel::Best, &mut scratch)?;
        group.wide_masks(Kernel::Best, &mut scratch)?;
        checked += group.check()?;
    }
    let mut fastest = [f64::INFINITY; 6];
    for _ in 0..ROUNDS {
        let mut plan = Vec::new();
        let mut turn = |row: usize, times: usize, work: &mut dyn FnMut(&mut Group<'_>)| {
            let begin = now();
            for _ in 0..times {
                groups.iter_mut().for_each(&mut *work);
            }
            fastest[row] = fastest[row].min((now() - begin) / (times * checked) as f64);
        };
        turn(0, 1, &mut |group| group.scalar(&mut plan));
        turn(1, 12, &mut |group| _ = group.wide_lists(Kernel::Best, &mut scratch));
        turn(2, 30, &mut |group| _ = group.wide_masks(Kernel::Best, &mut scratch));
        turn(3, 30, &mut |group| _ = group.wide_next(Kernel::Best, &mut scratch));
        turn(4, 8, &mut |group| _ = group.wide_lists(Kernel::Portable, &mut scratch));
        turn(5, 8, &mut |group| _ = group.wide_masks(Kernel::Portable, &mut scratch));
    }
    println!("Machine: {}. {checked} NPCs, every plan checked.\n", machine());
    println!("| kernel | ns per NPC | scalar ÷ this |\n|---|--:|--:|");
    let names = [
        "scalar",
        "wide, lists",
        "wide, masks",
        "wide, first action",
        "portable, lists",
        "portable, masks",
    ];
    for (name, each) in names.iter().zip(fastest) {
        println!("| {name} | {each:.2} | {:.1} |", fastest[0] / each);
    }
    let bars = [(1, LISTS_BAR), (2, MASKS_BAR)];
    let missed = bars.iter().filter(|(row, bar)| fastest[0] / fastest[*row] < *bar);
    let missed = missed.map(|(row, bar)| eprintln!("missed: {} {bar}", names[*row])).count();
    Ok(if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Time on the processor where the system tells, else of the clock.
fn now() -> f64 {
    thread_local!(static BEGIN: Instant = Instant::now());
    let wall = || BEGIN.with(|begin| begin.elapsed().as_nanos() as f64);
    busy_nanoseconds().map_or_else(wall, |busy| busy as f64)
}

/// For each type and goal of the town: NPCs in random states that need some steps.
fn groups(domain: &CompiledDomain) -> io::Result<Vec<Group<'_>>> {
    let mut dice = Dice::new(2);
    let mut groups = Vec::new();
    for npc in domain.npcs() {
        for (facts, _, _) in npc.goals().iter().filter_map(|&goal| npc.wants(goal)) {
            let wide = Wide::new(npc).map_err(io::Error::other)?;
            let goal = wide.goal(facts).map_err(io::Error::other)?;
            let tables = npc.small_moves().ok_or_else(|| io::Error::other("not small"))?;
            groups.push(Group {
                npc,
                tables,
                facts,
                wide,
                goal,
                words: Vec::new(),
                columns: vec![Vec::new(); npc.variables().len()],
                lists: Vec::new(),
                masks: Vec::new(),
                next: Vec::new(),
            });
        }
    }
    let each = NPCS / groups.len();
    groups.iter_mut().for_each(|group| group.fill(each, &mut dice));
    Ok(groups)
}

impl Group<'_> {
    fn fill(&mut self, n: usize, dice: &mut Dice) {
        let layout = self.npc.layout();
        let goal = SmallGoal::new(self.npc, self.facts);
        let mut starts: Vec<(u64, Vec<Value>)> = Vec::new();
        let mut plan = Vec::new();
        for index in 0..layout.n_states().unwrap_or(0) {
            let mut state = vec![0; layout.n_variables()];
            let mut word = [0];
            layout.state_at(index, &mut state);
            layout.pack(&state, &mut word);
            let cost = small::plan(self.npc, self.tables, word[0], goal, u64::MAX, &mut plan);
            if cost.is_some() && plan.len() >= SHORTEST {
                starts.push((word[0], state));
            }
        }
        for _ in 0..n {
            let (word, state) = dice.pick(&starts);
            self.words.push(*word);
            for (column, value) in self.columns.iter_mut().zip(state) {
                column.push(*value as u8);
            }
        }
        (self.lists, self.masks, self.next) = (vec![0; n], vec![0; n], vec![0; n]);
    }

    /// As lists, like the wide kernel.
    fn scalar(&mut self, plan: &mut Vec<LocalAction>) {
        let goal = SmallGoal::new(self.npc, self.facts);
        for (&word, list) in self.words.iter().zip(&mut self.lists) {
            let cost = small::plan(self.npc, self.tables, word, goal, u64::MAX, plan);
            *list = if cost.is_some() { listed(plan) } else { 1 << 60 };
        }
    }

    fn ask(&mut self, kernel: Kernel, form: Form, scratch: &mut WideScratch) -> io::Result<()> {
        let columns: Vec<&[u8]> = self.columns.iter().map(Vec::as_slice).collect();
        let lanes = Lanes {
            states: States::Columns(&columns),
            goals: Goals::Same(&self.goal),
            enabled: Enabled::Same(u64::MAX),
        };
        let plans = match form {
            Form::Lists => Plans::Lists(&mut self.lists),
            Form::Masks => Plans::Masks16(&mut self.masks),
            Form::Next => Plans::Next(&mut self.next),
        };
        let counted = self.wide.plan_many_with(kernel, &lanes, plans, scratch);
        counted.map(|_| ()).map_err(io::Error::other)
    }

    fn wide_lists(&mut self, kernel: Kernel, scratch: &mut WideScratch) -> io::Result<()> {
        self.ask(kernel, Form::Lists, scratch)
    }

    fn wide_masks(&mut self, kernel: Kernel, scratch: &mut WideScratch) -> io::Result<()> {
        self.ask(kernel, Form::Masks, scratch)
    }

    fn wide_next(&mut self, kernel: Kernel, scratch: &mut WideScratch) -> io::Result<()> {
        self.ask(kernel, Form::Next, scratch)
    }

    /// Compares what the kernels said; gives how many NPCs there are.
    fn check(&self) -> io::Result<usize> {
        let goal = SmallGoal::new(self.npc, self.facts);
        let (mut plan, mut state) = (Vec::new(), vec![0; self.columns.len()]);
        for (at, &word) in self.words.iter().enumerate() {
            small::plan(self.npc, self.tables, word, goal, u64::MAX, &mut plan);
            let wide: Vec<LocalAction> = self.wide.decode(self.masks[at].into()).collect();
            self.npc.layout().unpack(&[word], &mut state);
            let is_plan = self.masks[at] >> 14 == 0 && self.leads_to_goal(&wide, &mut state);
            let is_listed = listed(&wide) == self.lists[at];
            plan.sort_unstable();
            let mut actions = wide;
            actions.sort_unstable();
            if !is_plan || !is_listed || actions != plan {
                return Err(io::Error::other(format!("wrong plan from {word:#x}")));
            }
        }
        Ok(self.words.len())
    }

    fn leads_to_goal(&self, plan: &[LocalAction], state: &mut [Value]) -> bool {
        let holds = |state: &[Value], facts: &[LocalFact]| {
            facts.iter().all(|fact| state[fact.variable.index()] == fact.value)
        };
        for &action in plan {
            if !holds(state, self.npc.needs(action)) {
                return false;
            }
            for set in self.npc.sets(action) {
                state[set.variable.index()] = set.value;
            }
        }
        holds(state, self.facts)
    }
}

#[derive(Clone, Copy)]
enum Form {
    Lists,
    Masks,
    Next,
}

/// Four bits per action, the length above.
fn listed(plan: &[LocalAction]) -> u64 {
    let actions = plan.iter().rev().fold(0, |all, action| all << 4 | u64::from(action.0));
    actions | (plan.len() as u64) << 56
}
