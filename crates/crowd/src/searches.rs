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

use crate::course::{Asked, Course};
use crate::crowd::Crowd;
use crate::plans::PlanId;
use crate::settings::Report;
use throng_domain::compile::{UNKNOWN, Value};
use throng_planner::{Budget, Call, Limit, Outcome, Problem, Solver};

/// Who has had no turn in so many frames, because others are more urgent, loses its place.
const PATIENCE_FRAMES: u64 = 250;

/// The searches of a crowd.
#[derive(Debug)]
pub(crate) struct Searches {
    places: Vec<Place>,
    n: usize,
    state: Vec<Value>,
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
    course: Course,
    state: Vec<Value>,
    nodes: u64,
}

impl Searches {
    pub(crate) fn new(n: usize) -> Searches {
        Searches {
            places: Vec::new(),
            n: n.max(1),
            state: Vec::new(),
            problem: None,
            key: Vec::new(),
        }
    }
}

impl Crowd {
    /// Goes on with searches until all are answered or the budget is spent.
    pub(crate) fn search(&mut self, nodes: &mut u64, report: &mut Report) {
        if self.work.direct.open_jobs().next().is_none() {
            return;
        }
        let mut places = std::mem::take(&mut self.searches.places);
        let mut state = std::mem::take(&mut self.searches.state);
        state.clone_from(&self.state);
        while places.len() < self.searches.n {
            let problem = Problem::new(&self.domain, self.npc).without_reasons();
            places.push(Place::new(problem));
        }
        if self.searches.problem.is_none() {
            self.searches.problem = places.first().map(|place| place.problem.clone());
        }
        loop {
            // Who can be answered in this frame need not wait for a place.
            let ends_now = *nodes >= self.settings.most_nodes;
            self.fill_places(&mut places, ends_now, &mut state);
            if *nodes == 0 {
                break;
            }
            let n_busy = places.iter().filter(|place| place.job.is_some()).count() as u64;
            if n_busy == 0 {
                break;
            }
            // The first ones take what an even share leaves over.
            let (even, mut over) = (*nodes / n_busy, *nodes % n_busy);
            for place in places.iter_mut().filter(|place| place.job.is_some()) {
                let share = even + u64::from(over > 0);
                over = over.saturating_sub(1);
                place.share = share.min(self.settings.most_nodes.saturating_sub(place.used));
            }
            let crowd = &*self;
            crowd.pool.each(&mut places, &|_, place| place.run(crowd));
            for place in &mut places {
                let (Some(job), Some(outcome)) = (place.job, place.outcome.take()) else {
                    continue;
                };
                // At least one, or a question that needs none would be asked for ever.
                let used = place.nodes.max(1);
                report.nodes += used;
                *nodes = nodes.saturating_sub(used);
                place.used += used;
                let id = match outcome {
                    Outcome::Plan { cost } => self.plans.intern(&place.solver.plan, cost.0),
                    Outcome::Satisfied => PlanId::SATISFIED,
                    Outcome::Impossible(_) => PlanId::IMPOSSIBLE,
                    Outcome::GaveUp(Limit::Nodes) if place.used < self.settings.most_nodes => {
                        continue;
                    }
                    Outcome::GaveUp(_) => PlanId::GAVE_UP,
                };
                self.work.direct.close(job);
                report.searched += self.finish_job(job, id, report);
                self.plans.release(id);
                place.free();
            }
        }
        self.searches.places = places;
        self.searches.state = state;
    }

    /// Which jobs of this frame ask for searches that have a place: they need not be tried at
    /// once. Places that nobody asks for any more become free. Returns whether there are any.
    pub(crate) fn find_askers(&mut self) -> bool {
        let mut places = std::mem::take(&mut self.searches.places);
        for place in places.iter_mut().filter(|place| place.is_taken) {
            let still_asks = self.still_asks(place);
            let (direct, words) = (&self.work.direct, self.states.key_words());
            place.job =
                (0..direct.jobs.len()).find(|&job| match direct.key(direct.jobs[job], words) {
                    Some(key) => key == place.key,
                    None => still_asks && direct.row(direct.jobs[job]) == place.row,
                });
            match place.job {
                Some(job) => {
                    self.work.direct.open(job);
                    place.asked_at = self.frame;
                }
                None if !still_asks => place.free(),
                None => {}
            }
        }
        let is_any = places.iter().any(|place| place.job.is_some());
        self.searches.places = places;
        is_any
    }

    /// Whether the row that asked first waits for the same answer.
    fn still_asks(&mut self, place: &Place) -> bool {
        if !self.dirty.get(place.row) {
            return false;
        }
        let mut key = std::mem::take(&mut self.searches.key);
        key.clear();
        key.push(self.policy_number(place.row).into());
        let has_key = self.states.key(place.row, &mut key);
        let is_same = has_key && key == place.key;
        self.searches.key = key;
        if has_key || !place.key.is_empty() {
            return is_same;
        }
        let mut problem = self.searches.problem.take();
        let mut state = std::mem::take(&mut self.searches.state);
        let is_same = self.goal[place.row] == place.goal
            && problem.as_mut().is_some_and(|problem| {
                self.fill_problem(place.row, self.asked_for(place), problem, &mut state);
                *problem == place.problem
            });
        (self.searches.problem, self.searches.state) = (problem, state);
        is_same
    }

    /// The goal that a search is at.
    fn asked_for(&self, place: &Place) -> u16 {
        let choice = self.goals.choice(place.goal);
        choice.and_then(|choice| place.course.next(choice)).unwrap_or(place.goal)
    }

    /// Gives places that nobody asks for to jobs that have none.
    fn fill_places(&self, places: &mut [Place], ends_now: bool, state: &mut [Value]) {
        let words = self.states.key_words();
        let direct = &self.work.direct;
        for job in direct.open_jobs() {
            if places.iter().any(|place| place.job == Some(job)) {
                continue;
            }
            let mut free = places.iter_mut();
            let is_free = |place: &&mut Place| {
                let is_late = self.frame - place.asked_at > PATIENCE_FRAMES;
                !place.is_taken || (place.job.is_none() && (is_late || ends_now))
            };
            let Some(place) = free.find(is_free) else { return };
            place.free();
            place.key.extend_from_slice(direct.key(direct.jobs[job], words).unwrap_or(&[]));
            place.row = direct.row(direct.jobs[job]);
            (place.job, place.is_taken, place.asked_at) = (Some(job), true, self.frame);
            place.goal = self.goal[place.row];
            self.fill_problem(place.row, self.asked_for(place), &mut place.problem, state);
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
            course: Course::default(),
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

    fn run(&mut self, crowd: &Crowd) {
        let Some(job) = self.job.filter(|_| self.share > 0) else { return };
        self.solver.begin();
        if let Some(choice) = crowd.goals.choice(self.goal) {
            // Who asked first may want something else by now.
            let row = crowd.work.direct.row(crowd.work.direct.jobs[job]);
            self.state.resize(crowd.state.len(), UNKNOWN);
            let Place { solver, problem, state, .. } = self;
            let asked = Asked { crowd, row, choice, solver, problem, state };
            let (outcome, nodes) = self.course.run(asked, self.share);
            (self.outcome, self.nodes) = (Some(outcome), nodes);
            return;
        }
        let bytes = crowd.settings.search_bytes;
        let budget = Budget { nodes: self.share, bytes, ..Budget::DEFAULT };
        let call = Call::new(&crowd.domain, &self.problem).budget(budget).resume(self.is_begun);
        let outcome = self.solver.solve(&call);
        self.is_begun = true;
        (self.outcome, self.nodes) = (Some(outcome), self.solver.used());
    }
}
