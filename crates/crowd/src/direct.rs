//! Questions answered by the planner at once.
//!
//! In:   the questions of a frame, and how many plans may be computed.
//! Out:  their answers; those that need a long search go on to `searches`.
//! Cost: one plan per question. They are cut into as many stretches as there are threads.

use crate::choice_search::{Asked, ChoiceSearch};
use crate::core::Core;
use crate::kind::Kind;
use crate::memory::Memory;
use crate::plans::PlanId;
use crate::questions::Questions;
use crate::settings::Frame;
use throng_domain::compile::{LocalAction, PackedValue};
use throng_planner::{Call, Outcome, Problem, SearchBudget, Solver};

/// Working memory.
#[derive(Debug)]
pub(crate) struct Direct {
    threads: Vec<Thread>,
}

/// What one thread needs and finds.
#[derive(Debug)]
struct Thread {
    solver: Solver,
    problem: Problem,
    state: Vec<PackedValue>,
    jobs: std::ops::Range<usize>,
    answers: Vec<Answer>,
    actions: Vec<LocalAction>,
    nodes: u64,
    course: ChoiceSearch,
}

#[derive(Clone, Copy, Debug)]
enum Answer {
    Plan {
        len: u32,
        cost: u64,
        searched: bool,
    },
    Verdict {
        id: PlanId,
        searched: bool,
    },
    /// It needs a search.
    Open,
    /// It is a search's already, or was.
    NotAsked,
}

impl Direct {
    pub(crate) fn new(kind: &Kind, threads: usize) -> Direct {
        let thread = |_| Thread {
            solver: Solver::default(),
            problem: Problem::new(kind.domain(), kind.id()).without_reasons(),
            state: kind.npc().unknown_state(),
            jobs: 0..0,
            answers: Vec::new(),
            actions: Vec::new(),
            nodes: 0,
            course: ChoiceSearch::default(),
        };
        Direct { threads: (0..threads.max(1)).map(thread).collect() }
    }

    /// Puts questions in the order in which they are answered: as they are if all can be afforded,
    /// else the most urgent first, and among equals those who were left out before.
    pub(crate) fn order(&self, core: &Core, questions: &mut Questions, frame: &Frame) {
        let each = core.goals.most_parts() + tries(core);
        if (questions.len() as u64).saturating_mul(each) > frame.nodes {
            questions.put_urgent_first(core);
        }
    }

    /// Plans for jobs until the budget is spent.
    pub(crate) fn serve(
        &mut self,
        core: &mut Core,
        questions: &mut Questions,
        memory: &mut Memory,
        frame: &mut Frame,
    ) {
        let tries = tries(core);
        let each = core.goals.most_parts() + tries;
        let mut next = 0;
        while next < questions.len() && frame.nodes > 0 {
            let left = questions.len() - next;
            let affordable = usize::try_from((frame.nodes / each).max(1)).unwrap_or(left);
            let n = left.min(affordable);
            let (tries, most) = (tries.min(frame.nodes - 1), each.min(frame.nodes));
            let stretch = n.div_ceil(self.threads.len());
            for (at, thread) in self.threads.iter_mut().enumerate() {
                thread.jobs = next + (at * stretch).min(n)..next + ((at + 1) * stretch).min(n);
            }
            let (shared, asked) = (&*core, &*questions);
            let pool = &shared.pool;
            pool.each(&mut self.threads, &|_, thread| thread.run(shared, asked, tries, most));
            for thread in &self.threads {
                thread.hand_out(core, questions, memory, frame);
            }
            next += n;
        }
        if next < questions.len() && next > 0 {
            questions.leave_out_after(next - 1);
        }
    }
}

/// How many nodes a question may take at once. Where one way leads to each value a plan is found
/// without search, or left to one.
fn tries(core: &Core) -> u64 {
    if core.kind.has_one_way() { 0 } else { core.settings.first_try }
}

impl Thread {
    /// Gives rows the answers that were found.
    fn hand_out(
        &self,
        core: &mut Core,
        questions: &mut Questions,
        memory: &mut Memory,
        frame: &mut Frame,
    ) {
        let mut actions = &self.actions[..];
        for (job, answer) in self.jobs.clone().zip(&self.answers) {
            let (id, searched) = match *answer {
                Answer::Plan { len, cost, searched } => {
                    let (own, rest) = actions.split_at(len as usize);
                    actions = rest;
                    (core.book.plans.intern(own, cost), searched)
                }
                Answer::Verdict { id, searched } => (id, searched),
                Answer::Open => {
                    questions.open(job);
                    continue;
                }
                Answer::NotAsked => continue,
            };
            let n_rows = questions.finish(job, id, core, memory, &mut frame.report);
            if searched {
                frame.report.searched += n_rows;
            } else {
                frame.report.planned += n_rows;
            }
        }
        frame.use_nodes(self.nodes);
    }

    /// `tries` is what a goal may take, `most` what a choice among goals may.
    fn run(&mut self, core: &Core, questions: &Questions, tries: u64, most: u64) {
        self.answers.clear();
        self.actions.clear();
        self.nodes = 0;
        let budget = SearchBudget {
            nodes: tries,
            bytes: core.settings.search_bytes,
            ..SearchBudget::DEFAULT
        };
        for job in self.jobs.clone() {
            if !questions.is_new(job) {
                self.answers.push(Answer::NotAsked);
                continue;
            }
            let row = questions.row(job);
            let goal = core.columns.goal(row);
            self.solver.begin();
            let outcome = match core.goals.choice(goal) {
                None => {
                    core.fill_problem(row, goal, &mut self.problem, &mut self.state);
                    let call = Call::new(core.kind.domain(), &self.problem).budget(budget);
                    let outcome = self.solver.solve(&call);
                    self.nodes += 1 + self.solver.used();
                    outcome
                }
                Some(choice) => {
                    self.course.begin();
                    let Thread { solver, problem, state, .. } = self;
                    let asked = Asked { core, row, choice, solver, problem, state };
                    let (outcome, nodes) = self.course.run(asked, most);
                    self.nodes += nodes;
                    outcome
                }
            };
            let searched = self.solver.used() > 0;
            let answer = match outcome {
                Outcome::Plan { cost } => {
                    self.actions.extend_from_slice(&self.solver.plan);
                    let len = self.solver.plan.len() as u32;
                    Answer::Plan { len, cost: cost.0, searched }
                }
                Outcome::Satisfied => Answer::Verdict { id: PlanId::SATISFIED, searched },
                Outcome::Impossible(_) => Answer::Verdict { id: PlanId::IMPOSSIBLE, searched },
                Outcome::GaveUp(_) => Answer::Open,
            };
            self.answers.push(answer);
        }
    }
}
