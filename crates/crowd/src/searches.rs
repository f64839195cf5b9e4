//! Searches that take several frames.
//!
//! In:   questions that the planner could not answer at once, and how many states may be
//!       expanded in this frame.
//! Out:  answers as searches end; the others go on in the next frame where they stopped.
//! Cost: the budget, shared evenly among the searches under way; no more than that.
//!
//! A search belongs to a question, not to a row: if nobody asks any more, it makes room for
//! another.

use crate::crowd::Crowd;
use crate::plans::PlanId;
use crate::settings::Report;
use throng_planner::solve::From;
use throng_planner::{Budget, How, Limit, Outcome, Problem, Solver};

/// The searches of a crowd.
#[derive(Debug)]
pub(crate) struct Searches {
    places: Vec<Place>,
    n: usize,
}

/// A place for one search.
#[derive(Debug)]
struct Place {
    solver: Solver,
    problem: Problem,
    /// Whose search it is: policy and state; empty if free, or if its state has no key.
    key: Vec<u64>,
    /// The row that asks, which alone can ask again if there is no key.
    row: usize,
    /// The job of this frame that asks for it.
    job: Option<usize>,
    is_under_way: bool,
    /// States expanded so far, and those to expand now.
    used: u64,
    share: u64,
    outcome: Option<Outcome>,
}

impl Searches {
    pub(crate) fn new(n: usize) -> Searches {
        Searches { places: Vec::new(), n: n.max(1) }
    }
}

impl Crowd {
    /// Goes on with searches until all are answered or the budget is spent.
    pub(crate) fn search(&mut self, nodes: &mut u64, report: &mut Report) {
        if self.work.direct.open_jobs().next().is_none() {
            return;
        }
        let mut places = std::mem::take(&mut self.searches.places);
        while places.len() < self.searches.n {
            let problem = Problem::new(&self.domain, self.npc);
            places.push(Place::new(problem));
        }
        self.find_askers(&mut places);
        while *nodes > 0 {
            self.fill_places(&mut places);
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
                *nodes = nodes.saturating_sub(place.solver.used());
                place.used += place.solver.used();
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
    }

    /// Which jobs of this frame ask for searches that are under way.
    fn find_askers(&self, places: &mut [Place]) {
        let words = self.states.key_words();
        let direct = &self.work.direct;
        for place in places.iter_mut() {
            place.job = None;
            if !place.is_under_way {
                continue;
            }
            place.job = direct.open_jobs().find(|&job| {
                match direct.key(direct.jobs[job], words) {
                    Some(key) => key == place.key,
                    // A state with unknown values: only the same row asks the same again.
                    None => {
                        place.key.is_empty()
                            && place.row == direct.row(direct.jobs[job])
                            && place.problem == self.problem_of(place.row)
                    }
                }
            });
        }
    }

    /// Gives places that nobody asks for to jobs that have none.
    fn fill_places(&self, places: &mut [Place]) {
        let words = self.states.key_words();
        let direct = &self.work.direct;
        let mut state = self.state.clone();
        for job in direct.open_jobs() {
            if places.iter().any(|place| place.job == Some(job)) {
                continue;
            }
            let free = places.iter_mut().filter(|place| place.job.is_none());
            // A free place before one whose search nobody asks for just now.
            let Some(place) = free.min_by_key(|place| place.is_under_way) else { return };
            place.free();
            place.key.extend_from_slice(direct.key(direct.jobs[job], words).unwrap_or(&[]));
            place.job = Some(job);
            place.row = direct.row(direct.jobs[job]);
            self.fill_problem(place.row, &mut place.problem, &mut state);
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
            job: None,
            is_under_way: false,
            used: 0,
            share: 0,
            outcome: None,
        }
    }

    fn free(&mut self) {
        self.key.clear();
        self.job = None;
        self.is_under_way = false;
        self.used = 0;
    }

    fn run(&mut self, crowd: &Crowd) {
        if self.job.is_none() || self.share == 0 {
            return;
        }
        let bytes = crowd.settings.search_bytes;
        let budget = Budget { nodes: self.share, bytes, ..Budget::DEFAULT };
        let from = if self.is_under_way { From::WhereItStopped } else { From::Beginning };
        self.is_under_way = true;
        self.solver.begin();
        let how = How { budget, from, ..How::DEFAULT };
        let outcome = self.solver.solve(&crowd.domain, &self.problem, &how);
        if matches!(outcome, Outcome::Plan { .. }) {
            self.solver.honour_wishes(&crowd.domain, &self.problem);
        }
        self.outcome = Some(outcome);
    }
}
