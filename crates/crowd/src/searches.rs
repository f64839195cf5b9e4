//! Searches that take several frames.
//!
//! In:   questions that the planner could not answer at once, and how many states may be
//!       expanded in this frame.
//! Out:  answers as searches end; the others go on in the next frame where they stopped.
//! Cost: the budget, shared evenly among the searches under way; no more than that.
//!
//! A search belongs to a question, not to a row. It keeps its place while who asked first waits
//! for its turn. A question that has a place is not tried at once again, and half of each frame's
//! nodes are for searches under way: whatever the budget, they come to an end.

use crate::choice_search::{Asked, ChoiceSearch};
use crate::core::Core;
use crate::memory::Memory;
use crate::plans::PlanId;
use crate::questions::Questions;
use crate::settings::Frame;
use throng_domain::compile::{PackedValue, UNKNOWN};
use throng_planner::{Call, Limit, Outcome, Problem, SearchBudget, Solver};

/// Who has had no turn in so many frames, because others are more urgent, loses its place.
const PATIENCE_FRAMES: u64 = 250;

/// The searches of a crowd.
#[derive(Debug)]
pub(crate) struct Searches {
    places: Vec<Place>,
    n: usize,
    work: Work,
}

/// Working memory.
#[derive(Debug, Default)]
struct Work {
    state: Vec<PackedValue>,
    problem: Option<Problem>,
    key: Vec<u64>,
}

/// A place for one search.
#[derive(Debug)]
struct Place {
    solver: Solver,
    problem: Problem,
    /// Whose search it is: policy and state; empty if a state with unknown values has none.
    key: Vec<u64>,
    /// The row that asked first.
    row: usize,
    /// It belongs to a question.
    is_taken: bool,
    /// The frame in which that was last asked.
    asked_at: u64,
    /// The job of this frame that asks for it.
    job: Option<usize>,
    is_begun: bool,
    /// States expanded so far, and those to expand now.
    used: u64,
    share: u64,
    outcome: Option<Outcome>,
    /// The goal; if it is a choice, how far that has come, and what it took in this frame.
    goal: u16,
    course: ChoiceSearch,
    state: Vec<PackedValue>,
    nodes: u64,
}

impl Searches {
    /// Places for so many searches at the same time.
    pub(crate) fn new(n: usize) -> Searches {
        Searches { places: Vec::new(), n: n.max(1), work: Work::default() }
    }

    /// Goes on with searches under way whose questions are asked again, with half of the nodes;
    /// what they do not need is for the others.
    pub(crate) fn resume(
        &mut self,
        core: &mut Core,
        questions: &mut Questions,
        memory: &mut Memory,
        frame: &mut Frame,
    ) {
        if self.find_askers(core, questions) {
            let others = frame.nodes - frame.nodes.div_ceil(2);
            frame.nodes -= others;
            self.serve(core, questions, memory, frame);
            frame.nodes += others;
        }
    }

    /// Goes on with searches until all are answered or the budget is spent.
    pub(crate) fn serve(
        &mut self,
        core: &mut Core,
        questions: &mut Questions,
        memory: &mut Memory,
        frame: &mut Frame,
    ) {
        if questions.open_jobs().next().is_none() {
            return;
        }
        self.make_places(core);
        loop {
            // Who can be answered in this frame need not wait for a place.
            let ends_now = frame.nodes >= core.settings.most_nodes;
            self.fill_places(core, questions, ends_now);
            if frame.nodes == 0 || !self.share_out(frame.nodes, core.settings.most_nodes) {
                break;
            }
            let (shared, asked) = (&*core, &*questions);
            shared.pool.each(&mut self.places, &|_, place| place.run(shared, asked));
            for place in &mut self.places {
                let (Some(job), Some(outcome)) = (place.job, place.outcome.take()) else {
                    continue;
                };
                // At least one, or a question that needs none would be asked for ever.
                let used = place.nodes.max(1);
                frame.use_nodes(used);
                place.used += used;
                let id = match outcome {
                    Outcome::Plan { cost } => core.book.plans.intern(&place.solver.plan, cost.0),
                    Outcome::Satisfied => PlanId::SATISFIED,
                    Outcome::Impossible(_) => PlanId::IMPOSSIBLE,
                    Outcome::GaveUp(Limit::Nodes) if place.used < core.settings.most_nodes => {
                        continue;
                    }
                    Outcome::GaveUp(_) => PlanId::GAVE_UP,
                };
                let n_rows = questions.finish(job, id, core, memory, &mut frame.report);
                frame.report.searched += n_rows;
                place.free();
            }
        }
    }

    /// Makes places and working memory when they are first needed.
    fn make_places(&mut self, core: &Core) {
        let (domain, npc) = (core.kind.domain(), core.kind.id());
        let place = || Place::new(Problem::new(domain, npc).without_reasons());
        self.places.resize_with(self.n, place);
        self.work.problem.get_or_insert_with(|| Problem::new(domain, npc).without_reasons());
        self.work.state.resize(core.kind.npc().variables().len(), UNKNOWN);
    }

    /// Gives searches that are asked for an even share of the nodes; `false` if there are none.
    fn share_out(&mut self, nodes: u64, most: u64) -> bool {
        let busy = || self.places.iter().filter(|place| place.job.is_some());
        let n_busy = busy().count() as u64;
        if n_busy == 0 {
            return false;
        }
        // The first ones take what an even share leaves over.
        let (even, mut over) = (nodes / n_busy, nodes % n_busy);
        for place in self.places.iter_mut().filter(|place| place.job.is_some()) {
            let share = even + u64::from(over > 0);
            over = over.saturating_sub(1);
            place.share = share.min(most.saturating_sub(place.used));
        }
        true
    }

    /// Which jobs of this frame ask for searches that have a place: they need not be tried at
    /// once. Places that nobody asks for any more become free. Returns whether there are any.
    fn find_askers(&mut self, core: &mut Core, questions: &mut Questions) -> bool {
        let Searches { places, work, .. } = self;
        for place in places.iter_mut().filter(|place| place.is_taken) {
            let still_asks = place.still_asks(core, work);
            place.job = (0..questions.len()).find(|&job| match questions.key(job) {
                Some(key) => key == place.key,
                None => still_asks && questions.row(job) == place.row,
            });
            match place.job {
                Some(job) => {
                    questions.open(job);
                    place.asked_at = core.turns.frame();
                }
                None if !still_asks => place.free(),
                None => {}
            }
        }
        places.iter().any(|place| place.job.is_some())
    }

    /// Gives places that nobody asks for to jobs that have none.
    fn fill_places(&mut self, core: &Core, questions: &Questions, ends_now: bool) {
        let (Searches { places, work, .. }, frame) = (self, core.turns.frame());
        for job in questions.open_jobs() {
            if places.iter().any(|place| place.job == Some(job)) {
                continue;
            }
            let is_free = |place: &&mut Place| {
                let is_late = frame - place.asked_at > PATIENCE_FRAMES;
                !place.is_taken || (place.job.is_none() && (is_late || ends_now))
            };
            let Some(place) = places.iter_mut().find(is_free) else { return };
            place.free();
            place.key.extend_from_slice(questions.key(job).unwrap_or(&[]));
            place.row = questions.row(job);
            (place.job, place.is_taken, place.asked_at) = (Some(job), true, frame);
            place.goal = core.columns.goal(place.row);
            let goal = place.asked_for(core);
            core.fill_problem(place.row, goal, &mut place.problem, &mut work.state);
        }
    }
}

impl Place {
    fn new(problem: Problem) -> Place {
        Place {
            solver: Solver::default(),
            problem,
            key: Vec::new(),
            row: 0,
            is_taken: false,
            asked_at: 0,
            job: None,
            is_begun: false,
            used: 0,
            share: 0,
            outcome: None,
            goal: 0,
            course: ChoiceSearch::default(),
            state: Vec::new(),
            nodes: 0,
        }
    }

    fn free(&mut self) {
        self.key.clear();
        self.job = None;
        self.is_taken = false;
        self.is_begun = false;
        self.used = 0;
        self.course.begin();
    }

    /// Whether the row that asked first waits for the same answer.
    fn still_asks(&self, core: &mut Core, work: &mut Work) -> bool {
        if !core.columns.waiting().get(self.row) {
            return false;
        }
        work.key.clear();
        let has_key = core.question(self.row, &mut work.key);
        if has_key || !self.key.is_empty() {
            return has_key && work.key == self.key;
        }
        core.columns.goal(self.row) == self.goal
            && work.problem.as_mut().is_some_and(|problem| {
                core.fill_problem(self.row, self.asked_for(core), problem, &mut work.state);
                *problem == self.problem
            })
    }

    /// The goal that it is at.
    fn asked_for(&self, core: &Core) -> u16 {
        let choice = core.goals.choice(self.goal);
        choice.and_then(|choice| self.course.next(choice)).unwrap_or(self.goal)
    }

    fn run(&mut self, core: &Core, questions: &Questions) {
        let Some(job) = self.job.filter(|_| self.share > 0) else { return };
        self.solver.begin();
        if let Some(choice) = core.goals.choice(self.goal) {
            // Who asked first may want something else by now.
            let row = questions.row(job);
            self.state.resize(core.kind.npc().variables().len(), UNKNOWN);
            let Place { solver, problem, state, .. } = self;
            let asked = Asked { core, row, choice, solver, problem, state };
            let (outcome, nodes) = self.course.run(asked, self.share);
            (self.outcome, self.nodes) = (Some(outcome), nodes);
            return;
        }
        let bytes = core.settings.search_bytes;
        let budget = SearchBudget { nodes: self.share, bytes, ..SearchBudget::DEFAULT };
        let call = Call::new(core.kind.domain(), &self.problem).budget(budget);
        let outcome = self.solver.solve(&call.resume(self.is_begun));
        self.is_begun = true;
        (self.outcome, self.nodes) = (Some(outcome), self.solver.used());
    }
}

#[cfg(test)]
impl Searches {
    /// Who has a place and how far it is, in words: for tests that compare it.
    pub(crate) fn outline(&self) -> String {
        let taken = self.places.iter().filter(|place| place.is_taken);
        let one = |place: &Place| {
            let Place { key, row, asked_at, job, used, goal, is_begun, .. } = place;
            format!("{key:?} {row} {asked_at} {job:?} {used} {goal} {is_begun}\n")
        };
        taken.map(one).collect()
    }
}
