//! Rows that no table serves: from memory, or by the planner itself.
//!
//! In:   the rows of a frame that are left, and how many plans may be computed.
//! Out:  their answers; those that need a long search go on to `searches`.
//! Cost: a memory look-up each; rows that ask the same are planned for once.
//!
//! Questions are sorted by policy and state, so that neighbours take the same branches, then cut
//! into as many stretches as there are threads.

use crate::course::{Asked, Course};
use crate::crowd::Crowd;
use crate::groups::Group;
use crate::memo::Memo;
use crate::plans::PlanId;
use crate::settings::Report;
use std::cmp::Reverse;
use throng_base::ones;
use throng_domain::compile::{CompiledDomain, LocalAction, UNKNOWN, Value};
use throng_domain::model::NpcId;
use throng_planner::{Budget, Call, Context, Outcome, Problem, Solver};

/// So many policies are forgotten at a time.
const FEWEST_GONE: usize = 64;

/// A row that asks: its key lies at `key` among the keys.
#[derive(Clone, Copy, Debug)]
struct Asking {
    row: u32,
    key: u32,
    /// States with unknown values are asked about one by one.
    has_key: bool,
}

/// Rows that ask the same question, one after the other among those asking.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    first: u32,
    end: u32,
    /// Left to a search.
    is_open: bool,
    /// Its rows have their answer.
    is_answered: bool,
    /// Whose turn it is, if not all can be afforded: urgency, then who was left out.
    turn: (Reverse<u8>, u32),
}

impl Job {
    /// The job of one that asks.
    fn new(at: u32) -> Job {
        let (is_open, is_answered, turn) = (false, false, (Reverse(0), 0));
        Job { first: at, end: at + 1, is_open, is_answered, turn }
    }
}

/// Working memory.
#[derive(Debug)]
pub(crate) struct Direct {
    keys: Vec<u64>,
    asking: Vec<Asking>,
    pub(crate) jobs: Vec<Job>,
    threads: Vec<Thread>,
    /// The row behind the last one planned for in a frame that could not afford all.
    after: u32,
}

/// What one thread needs and finds.
#[derive(Debug)]
struct Thread {
    solver: Solver,
    problem: Problem,
    state: Vec<Value>,
    jobs: std::ops::Range<usize>,
    answers: Vec<Answer>,
    actions: Vec<LocalAction>,
    nodes: u64,
    course: Course,
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
    pub(crate) fn new(domain: &CompiledDomain, npc: NpcId, threads: usize) -> Direct {
        let thread = |_| Thread {
            solver: Solver::default(),
            problem: Problem::new(domain, npc).without_reasons(),
            state: domain.npc(npc).unknown_state(),
            jobs: 0..0,
            answers: Vec::new(),
            actions: Vec::new(),
            nodes: 0,
            course: Course::default(),
        };
        Direct {
            keys: Vec::new(),
            asking: Vec::new(),
            jobs: Vec::new(),
            after: 0,
            threads: (0..threads.max(1)).map(thread).collect(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        8 * self.keys.capacity()
            + self.asking.capacity() * size_of::<Asking>()
            + self.jobs.capacity() * size_of::<Job>()
    }

    /// The key of a job: its policy, then its state. `None` if it has none.
    pub(crate) fn key(&self, job: Job, key_words: usize) -> Option<&[u64]> {
        let asking = self.asking[job.first as usize];
        let at = asking.key as usize;
        asking.has_key.then(|| &self.keys[at..at + 1 + key_words])
    }

    /// The first row that asks a job's question.
    pub(crate) fn row(&self, job: Job) -> usize {
        self.asking[job.first as usize].row as usize
    }

    /// Jobs that were left to searches.
    pub(crate) fn open_jobs(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.jobs.len()).filter(|&at| self.jobs[at].is_open)
    }

    /// Leaves a job to a search.
    pub(crate) fn open(&mut self, job: usize) {
        self.jobs[job].is_open = true;
    }

    pub(crate) fn close(&mut self, job: usize) {
        self.jobs[job].is_open = false;
    }
}

impl Crowd {
    /// Answers what is left of a frame's rows.
    pub(crate) fn plan_the_rest(&mut self, nodes: &mut u64, report: &mut Report) {
        self.ask_memory(report);
        self.put_urgent_first(*nodes);
        if self.find_askers() {
            // Searches under way have half; what they do not need is for the others.
            let mut half = nodes.div_ceil(2);
            *nodes -= half;
            self.search(&mut half, report);
            *nodes += half;
        }
        self.plan_directly(nodes, report);
        self.search(nodes, report);
    }

    /// Answers from memory; the others become jobs, rows with the same question one job.
    fn ask_memory(&mut self, report: &mut Report) {
        let mut keys = std::mem::take(&mut self.work.direct.keys);
        let mut asking = std::mem::take(&mut self.work.direct.asking);
        keys.clear();
        asking.clear();
        for at in 0..self.turns.serve.words().len() {
            for bit in ones(self.turns.serve.words()[at]) {
                let row = at * 64 + bit;
                let key = keys.len();
                keys.push(self.policy_number(row).into());
                let has_key = self.states.key(row, &mut keys);
                let memo = self.memo.as_ref().filter(|_| has_key);
                let known = memo.and_then(|memo| memo.get(keys[key] as u32, &keys[key + 1..]));
                if let Some(id) = known {
                    keys.truncate(key);
                    self.answer(row, id.0);
                    report.remembered += 1;
                    report.count(id);
                    continue;
                }
                asking.push(Asking { row: row as u32, key: key as u32, has_key });
            }
        }
        let length = 1 + self.states.key_words();
        let question = |one: &Asking| &keys[one.key as usize..one.key as usize + length];
        asking.sort_unstable_by(|a, b| question(a).cmp(question(b)).then(a.row.cmp(&b.row)));
        let jobs = &mut self.work.direct.jobs;
        jobs.clear();
        for (at, one) in asking.iter().enumerate() {
            let at = at as u32;
            match jobs.last_mut() {
                Some(job)
                    if one.has_key
                        && asking[job.first as usize].has_key
                        && question(&asking[job.first as usize]) == question(one) =>
                {
                    job.end = at + 1;
                }
                _ => jobs.push(Job::new(at)),
            }
        }
        self.work.direct.keys = keys;
        self.work.direct.asking = asking;
    }

    /// If not all jobs can be afforded, the most urgent come first, and among equals those who
    /// were left out before.
    fn put_urgent_first(&mut self, nodes: u64) {
        let has_one_way = self.kind().sole_setters().is_some();
        let tries = if has_one_way { 0 } else { self.settings.first_try };
        let each = self.goals.most_parts() + tries;
        if (self.work.direct.jobs.len() as u64).saturating_mul(each) <= nodes {
            return;
        }
        let mut jobs = std::mem::take(&mut self.work.direct.jobs);
        let direct = &self.work.direct;
        let urgency = |job: &Job| {
            let rows = direct.asking[job.first as usize..job.end as usize].iter();
            let each = rows.map(|asking| {
                let row = asking.row as usize;
                let group = &self.groups.list[usize::from(self.group[row])];
                self.urgency[row].saturating_add(group.urgency)
            });
            each.max().unwrap_or(0)
        };
        // Rows behind the last one that was planned for come before those up to it.
        let turn = |job: &Job| (direct.row(*job) as u32).wrapping_sub(direct.after);
        for job in &mut jobs {
            job.turn = (Reverse(urgency(job)), turn(job));
        }
        jobs.sort_unstable_by_key(|job| job.turn);
        self.work.direct.jobs = jobs;
    }

    pub(crate) fn policy_number(&mut self, row: usize) -> u32 {
        let situation = self.groups.list[usize::from(self.group[row])].now;
        let goal = self.goal[row];
        if let Some(policy) = self.groups.policy(situation, goal) {
            return policy.number;
        }
        self.groups.policy_mut(situation, goal).map_or(u32::MAX, |policy| policy.number)
    }

    /// Plans for jobs until the budget is spent.
    fn plan_directly(&mut self, nodes: &mut u64, report: &mut Report) {
        // Where one way leads to each value a plan is found without search, or left to one.
        let has_one_way = self.kind().sole_setters().is_some();
        let tries = if has_one_way { 0 } else { self.settings.first_try };
        let mut threads = std::mem::take(&mut self.work.direct.threads);
        let mut next = 0;
        while next < self.work.direct.jobs.len() && *nodes > 0 {
            let left = self.work.direct.jobs.len() - next;
            let each = self.goals.most_parts() + tries;
            let affordable = usize::try_from((*nodes / each).max(1)).unwrap_or(left);
            let n = left.min(affordable);
            let (tries, most) = (tries.min(*nodes - 1), each.min(*nodes));
            let each = n.div_ceil(threads.len());
            for (at, thread) in threads.iter_mut().enumerate() {
                thread.jobs = next + (at * each).min(n)..next + ((at + 1) * each).min(n);
            }
            let crowd = &*self;
            crowd.pool.each(&mut threads, &|_, thread| thread.run(crowd, tries, most));
            for thread in &mut threads {
                let mut actions = &thread.actions[..];
                for (job, answer) in thread.jobs.clone().zip(&thread.answers) {
                    let (id, searched) = match *answer {
                        Answer::Plan { len, cost, searched } => {
                            let (own, rest) = actions.split_at(len as usize);
                            actions = rest;
                            (self.plans.intern(own, cost), searched)
                        }
                        Answer::Verdict { id, searched } => (id, searched),
                        Answer::Open => {
                            self.work.direct.open(job);
                            continue;
                        }
                        Answer::NotAsked => continue,
                    };
                    let n_rows = self.finish_job(job, id, report);
                    self.plans.release(id);
                    if searched {
                        report.searched += n_rows;
                    } else {
                        report.planned += n_rows;
                    }
                }
                report.nodes += thread.nodes;
                *nodes = nodes.saturating_sub(thread.nodes);
            }
            next += n;
        }
        if next < self.work.direct.jobs.len() && next > 0 {
            let last = self.work.direct.jobs[next - 1];
            self.work.direct.after = self.work.direct.row(last) as u32 + 1;
        }
        self.work.direct.threads = threads;
    }

    /// Gives all rows of a job its answer, and remembers it; returns how many there were.
    pub(crate) fn finish_job(&mut self, job: usize, id: PlanId, report: &mut Report) -> usize {
        self.work.direct.jobs[job].is_answered = true;
        let job = self.work.direct.jobs[job];
        for at in job.first..job.end {
            let row = self.work.direct.asking[at as usize].row as usize;
            self.answer(row, id.0);
            report.count(id);
        }
        let (words, most) = (self.states.key_words(), self.settings.remembered);
        if let Some(key) = self.work.direct.key(job, words)
            && most > 0
            // Who asks again wants another try.
            && id != PlanId::GAVE_UP
        {
            let memo = self.memo.get_or_insert_with(|| Memo::new(most, words));
            self.plans.retain(id);
            if let Some(evicted) = memo.insert(key[0] as u32, &key[1..], id) {
                self.plans.release(evicted);
            }
        }
        (job.end - job.first) as usize
    }

    /// Forgets the answers of policies that no longer exist. Nobody can ask for them, so it waits
    /// until there are some: each time all that is remembered is looked at.
    pub(crate) fn forget_gone(&mut self) {
        if self.groups.gone.len() < FEWEST_GONE {
            return;
        }
        self.groups.gone.sort_unstable();
        if let Some(memo) = &mut self.memo {
            memo.forget_all(&self.groups.gone, |id| self.plans.release(id));
        }
        self.groups.gone.clear();
        self.unpin_lost_plans();
    }

    /// Makes `problem` the one of a row and a goal that is no choice. `state` is working memory.
    pub(crate) fn fill_problem(
        &self,
        row: usize,
        goal: u16,
        problem: &mut Problem,
        state: &mut [Value],
    ) {
        self.read_state(row, state);
        let kind = self.kind();
        let value_of = |variable: usize| {
            let own = kind.variables();
            // Most types of a small domain touch everything: then numbers are the same.
            let at = match own.get(variable) {
                Some(id) if id.index() == variable => Ok(variable),
                _ => own.binary_search_by_key(&variable, |id| id.index()),
            };
            at.map_or(UNKNOWN, |at| state[at])
        };
        let group = &self.groups.list[usize::from(self.group[row])];
        let goal = &self.goals.get(goal).facts;
        // Whoever asks between two frames may do so before anybody has looked at the group.
        let there = || &self.groups.situation(group.now).enabled;
        let Group { checks, forbidden, .. } = group;
        let context = Context { checks, forbidden, there: (!group.is_stale).then(there) };
        problem.fill_with(&self.domain, self.npc, value_of, goal, context);
    }
}

impl Thread {
    /// `tries` is what a goal may take, `most` what a choice among goals may.
    fn run(&mut self, crowd: &Crowd, tries: u64, most: u64) {
        self.answers.clear();
        self.actions.clear();
        self.nodes = 0;
        let budget = Budget { nodes: tries, bytes: crowd.settings.search_bytes, ..Budget::DEFAULT };
        for job in self.jobs.clone() {
            let direct = &crowd.work.direct;
            if direct.jobs[job].is_open || direct.jobs[job].is_answered {
                self.answers.push(Answer::NotAsked);
                continue;
            }
            let row = direct.row(direct.jobs[job]);
            let goal = crowd.goal[row];
            self.solver.begin();
            let outcome = match crowd.goals.choice(goal) {
                None => {
                    crowd.fill_problem(row, goal, &mut self.problem, &mut self.state);
                    let call = Call::new(&crowd.domain, &self.problem).budget(budget);
                    let outcome = self.solver.solve(&call);
                    self.nodes += 1 + self.solver.used();
                    outcome
                }
                Some(choice) => {
                    self.course.begin();
                    let Thread { solver, problem, state, .. } = self;
                    let asked = Asked { crowd, row, choice, solver, problem, state };
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
