//! Every plan of the corpus, as one number: nothing changes unseen, and no number of threads
//! changes anything.
//!
//! In:   every domain of `domains/` that is not there to be rejected: its `test` statements, and
//!       every NPC type from many starts, with every goal, with its best, and with whole states.
//! Out:  a digest of who, what, from where, outcome, plan and cost, equal to [`DIGEST`] with one,
//!       two and seven threads.
//!
//! A new domain, a new test or a better plan change the digest; so may another choice among
//! plans of equal cost. The failure prints the digests by file: compare them with those of the
//! commit before, see that the change was meant, and copy the new digest into the constant.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::fmt::Write;
use std::path::PathBuf;
use throng::expectations::setting;
use throng::prelude::*;
use throng::{GoalId, NpcTypeId, Target};
use throng_base::SplitMix;
use throng_domain::compile::{Digest, LocalFact, LocalVariable, NpcTables};
use throng_domain::model::Test;
use throng_lab::corpus;

/// All plans of the corpus.
const DIGEST: &str = "4428082154be9ac9924986ee8bda4a95";

/// So many starts are all tried; of more, a sample of [`SAMPLE`].
const ALL_STARTS: u64 = 2_000;
const SAMPLE: usize = 300;
/// From each start to those that come so many later: total goals, also for types that want nothing.
const STRIDES: [usize; 5] = [1, 2, 5, 11, 31];
/// Some members of the stress families are made to be hard; giving up is an answer like others.
const MAX_NODES: u64 = 500;

/// What one thread does at a time.
enum Work {
    Test(usize),
    /// All starts of a type, with one goal or with whichever it has.
    Starts(NpcTypeId, Option<GoalId>),
    /// From state to state of a type.
    Strides(NpcTypeId),
}

struct File {
    name: String,
    domain: Domain,
    works: Vec<Work>,
}

/// What came of one piece of work: the digest of its lines, and how they ended.
#[derive(Clone, Copy)]
struct Done {
    digest: Digest,
    plans: usize,
    impossible: usize,
}

#[test]
fn all_plans_of_the_corpus_are_the_known_ones_with_any_number_of_threads() {
    let files = files();
    let [one, two, seven] = [1, 2, 7].map(|threads| by_threads(&files, threads));
    let plans: usize = one.iter().map(|done| done.plans).sum();
    let impossible: usize = one.iter().map(|done| done.impossible).sum();
    println!("{} files, {plans} plans, {impossible} times impossible", files.len());
    assert!(files.len() >= 40 && plans >= 10_000 && impossible >= 1_000, "little was asked");
    let (digest, listing) = combined(&files, &one);
    for (threads, done) in [(2, two), (7, seven)] {
        let (other, other_listing) = combined(&files, &done);
        assert_eq!(digest, other, "{threads} threads\n{listing}against\n{other_listing}");
    }
    assert!(
        digest.to_string() == DIGEST,
        "the plans of the corpus have changed. By file they are:\n{listing}\
         If that was meant, write\n\nconst DIGEST: &str = \"{digest}\";\n\nin {}",
        file!()
    );
}

/// The domains of the corpus in order of their names.
fn files() -> Vec<File> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in std::fs::read_dir(corpus::folder()).unwrap() {
        let folder = folder.unwrap();
        let name = folder.file_name().into_string().unwrap();
        if folder.path().is_dir() && name != "rejected" {
            paths.extend(corpus::files(&name, "npc").unwrap());
        }
    }
    paths.sort();
    paths.into_iter().map(file).collect()
}

fn file(path: PathBuf) -> File {
    let domain = Domain::from_loaded(corpus::read(&path).unwrap()).unwrap();
    let name = domain.model().sources().files()[0].name().to_string();
    let mut works: Vec<Work> = (0..domain.model().tests().len()).map(Work::Test).collect();
    let goals = domain.model().goals().iter().map(|goal| domain.goal(goal.name()).unwrap());
    let goals: Vec<Option<GoalId>> = goals.map(Some).chain([None]).collect();
    for npc in domain.model().npcs() {
        let id = domain.npc_type(npc.name()).unwrap();
        works.extend(goals.iter().map(|&goal| Work::Starts(id, goal)));
        works.push(Work::Strides(id));
    }
    File { name, domain, works }
}

/// All work, shared out to threads like cards; the results in the order of the work.
fn by_threads(files: &[File], threads: usize) -> Vec<Done> {
    let all: Vec<(&File, &Work)> =
        files.iter().flat_map(|file| file.works.iter().map(move |work| (file, work))).collect();
    let all = &all;
    let mut done: Vec<(usize, Done)> = std::thread::scope(|scope| {
        let hands = (0..threads).map(|first| {
            scope.spawn(move || {
                let mut scratch = Scratch::default();
                let mine = (first..all.len()).step_by(threads);
                mine.map(|at| (at, all[at].0.run(all[at].1, &mut scratch))).collect::<Vec<_>>()
            })
        });
        let hands: Vec<_> = hands.collect();
        hands.into_iter().flat_map(|hand| hand.join().unwrap()).collect()
    });
    done.sort_by_key(|&(at, _)| at);
    done.into_iter().map(|(_, done)| done).collect()
}

/// The digest of all, and a line for every file.
fn combined(files: &[File], done: &[Done]) -> (Digest, String) {
    let mut rest = done;
    let mut listing = String::new();
    for file in files {
        let (own, others) = rest.split_at(file.works.len());
        rest = others;
        let bytes: Vec<u8> = own.iter().flat_map(|done| done.digest.0.to_le_bytes()).collect();
        _ = writeln!(listing, "{}  {}", Digest::of(&bytes), file.name);
    }
    (Digest::of(listing.as_bytes()), listing)
}

impl File {
    fn run(&self, work: &Work, scratch: &mut Scratch) -> Done {
        let mut told = Told::default();
        match *work {
            Work::Test(at) => self.run_test(&self.domain.model().tests()[at], scratch, &mut told),
            Work::Starts(id, goal) => {
                let mut npc = Npc::of_type(&self.domain, id).unwrap();
                let want = goal.map_or(Target::Best, Target::Goal);
                let request = Request::new(want).max_nodes(MAX_NODES);
                told.ask(&npc, &request, scratch);
                for start in starts(self.domain.compiled().npc(id)) {
                    start.iter().for_each(|&fact| npc.set_fact(fact));
                    told.ask(&npc, &request, scratch);
                }
            }
            Work::Strides(id) => self.run_strides(id, scratch, &mut told),
        }
        let digest = Digest::of(told.text.as_bytes());
        Done { digest, plans: told.plans, impossible: told.impossible }
    }

    fn run_strides(&self, id: NpcTypeId, scratch: &mut Scratch, told: &mut Told) {
        let mut npc = Npc::of_type(&self.domain, id).unwrap();
        let states = starts(self.domain.compiled().npc(id));
        for (at, start) in states.iter().enumerate() {
            start.iter().for_each(|&fact| npc.set_fact(fact));
            for stride in STRIDES {
                let goal = states[(at + stride) % states.len()].clone();
                let request = Request::new(Target::Conditions(goal.into())).max_nodes(MAX_NODES);
                _ = write!(told.text, "{stride} later: ");
                told.ask(&npc, &request, scratch);
            }
        }
    }

    fn run_test(&self, test: &Test, scratch: &mut Scratch, told: &mut Told) {
        let (npc, request) = setting(&self.domain, test).unwrap();
        _ = write!(told.text, "{}: ", test.name());
        told.ask(&npc, &request.max_nodes(MAX_NODES), scratch);
    }
}

/// All states of a type, or a sample that is the same every time.
fn starts(kind: &NpcTables) -> Vec<Vec<Fact>> {
    let locals = (0..kind.variables().len() as u32).map(LocalVariable);
    let sizes: Vec<usize> = locals.map(|variable| kind.n_values(variable)).collect();
    let n_states = sizes.iter().try_fold(1u64, |all, &size| all.checked_mul(size as u64));
    let fact = |at: usize, value: usize| {
        kind.fact(LocalFact { variable: LocalVariable(at as u32), value: value as u16 })
    };
    match n_states.filter(|&n| n <= ALL_STARTS) {
        Some(n_states) => (0..n_states as usize)
            .map(|mut number| {
                let digits = sizes.iter().enumerate().map(|(at, &size)| {
                    let value = number % size;
                    number /= size;
                    fact(at, value)
                });
                digits.collect()
            })
            .collect(),
        None => {
            let mut dice = SplitMix::new(sizes.len() as u64);
            let mut state = || -> Vec<Fact> {
                let rolled = sizes.iter().enumerate();
                rolled.map(|(at, &size)| fact(at, dice.below(size))).collect()
            };
            (0..SAMPLE).map(|_| state()).collect()
        }
    }
}

/// The lines that are digested: everything in names, so that ids may change.
#[derive(Default)]
struct Told {
    text: String,
    plans: usize,
    impossible: usize,
}

impl Told {
    fn ask(&mut self, npc: &Npc, request: &Request, scratch: &mut Scratch) {
        let map = npc.domain().compiled().map();
        let answer = Planner::new().plan(npc, request, scratch);
        _ = write!(self.text, "{}", npc.type_name());
        for &variable in npc.domain().compiled().npc(npc.type_id()).variables() {
            let value = npc.fact_of(variable).map_or("unknown", |fact| map.value(fact));
            _ = write!(self.text, " {}={value}", map.variable(variable));
        }
        let goal = answer.goal().map_or("facts", |goal| map.goal(goal));
        let outcome = match answer.outcome() {
            Outcome::Plan { .. } => "plan",
            Outcome::Satisfied => "satisfied",
            Outcome::Impossible(_) => "impossible",
            Outcome::GaveUp(_) => "gave up",
        };
        self.plans += usize::from(outcome == "plan");
        self.impossible += usize::from(outcome == "impossible");
        _ = write!(self.text, " -> {goal}: {outcome}");
        for name in answer.plan().names() {
            _ = write!(self.text, " {name}");
        }
        _ = writeln!(self.text, " {}", answer.plan().cost());
    }
}
