//! The end of the demonstration: a million NPCs, and three numbers that are never mixed.
//!
//! In:   the town, and how many NPCs.
//! Out:  what planning takes for each alone, for all at once, and with all of a game around it.
//! Cost: some seconds, told by the clock: a slow machine lives fewer frames.
//!
//! *Direct* is a plan computed for every NPC by itself. *Shared* is a crowd served at once, where
//! equal questions have one answer. *End to end* is the whole frame, with a world that disturbs,
//! goals that are handed out and steps that are done.

use super::figures::{Figures, milliseconds};
use super::{Life, Setup, values_of};
use std::time::{Duration, Instant};
use throng::crowd::FrameBudget;
use throng::{Domain, Npc};
use throng_base::SplitMix;
use throng_domain::compile::PackedValue;
use throng_planner::{Call, Outcome, Problem, Solver};

/// How long each of the three is measured at most.
const DIRECT: Duration = Duration::from_secs(1);
const SHARED: Duration = Duration::from_secs(3);
pub(crate) const END_TO_END: Duration = Duration::from_secs(5);

/// Frames and rounds beyond which nothing new is learned.
pub(crate) const MOST_FRAMES: u64 = 300;
const MOST_ROUNDS: usize = 9;

/// How many different questions are asked one by one.
const QUESTIONS: usize = 1 << 14;

/// Answers that were computed one by one.
pub(crate) struct Direct {
    pub(crate) answers: u64,
    /// Of these, plans; for the others it was proven that there is none, or nothing to do.
    pub(crate) plans: u64,
    pub(crate) time: Duration,
}

/// Asks the planner about one NPC after the other, on one core: any type, goal and state, and
/// nothing is kept from one to the next.
pub(crate) fn direct(domain: &Domain, setup: &Setup) -> Direct {
    let mut chance = SplitMix::new(setup.seed);
    let mut problems = problems(domain, setup);
    let domain = domain.compiled();
    let mut direct = Direct { answers: 0, plans: 0, time: Duration::ZERO };
    if problems.is_empty() {
        return direct;
    }
    let questions: Vec<(usize, Vec<PackedValue>)> = (0..QUESTIONS)
        .map(|_| {
            let at = chance.below(problems.len());
            let mut start = problems[at].start().to_vec();
            let kind = problems[at].kind(domain);
            for values in values_of(domain, kind.id(), false) {
                let fact = chance.pick(&values);
                if let Some(local) = kind.local_variable(fact.variable) {
                    start[local.index()] = fact.value.index() as PackedValue;
                }
            }
            (at, start)
        })
        .collect();
    let mut solver = Solver::default();
    let begin = Instant::now();
    // By the handful, so that looking at the clock does not count.
    for handful in questions.chunks(256).cycle() {
        for (at, start) in handful {
            let npc = problems[*at].kind(domain);
            problems[*at].set_start(npc, start);
            solver.begin();
            let outcome = solver.solve(&Call::new(domain, &problems[*at]));
            direct.plans += u64::from(matches!(outcome, Outcome::Plan { .. }));
        }
        direct.answers += handful.len() as u64;
        direct.time = begin.elapsed();
        if direct.time > DIRECT {
            break;
        }
    }
    direct
}

/// A problem for each type and goal, as a group begins: every check holds, and shared things are
/// as `starts` says.
fn problems(domain: &Domain, setup: &Setup) -> Vec<Problem> {
    let npcs = setup.types.iter().filter_map(|&npc| Npc::of_type(domain, npc));
    npcs.flat_map(|npc| {
        let goals = domain.compiled().npc(npc.type_id()).goals().iter();
        goals.map(move |&goal| npc.problem(domain.compiled().goal(goal).conditions()))
    })
    .collect()
}

/// Everybody asks at once, again and again; gives the middle time of a round.
pub(crate) fn shared(life: &mut Life, go_on: impl Fn() -> bool) -> Duration {
    let begin = Instant::now();
    // The first rounds make the tables, for every goal of a day.
    let mut times = Vec::new();
    for round in 0.. {
        let is_warm = round >= life.most_goals();
        // However slow the machine is, one round is measured.
        let is_late = !times.is_empty() && begin.elapsed() > SHARED;
        if times.len() >= MOST_ROUNDS || is_late || !go_on() {
            break;
        }
        life.all_want_the_next();
        let start = Instant::now();
        life.people.plan(FrameBudget::UNLIMITED);
        if is_warm {
            times.push(start.elapsed());
        }
    }
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The page that tells what was seen.
pub(crate) fn told(npcs: u64, direct: &Direct, shared: Duration, figures: &Figures) -> String {
    use throng_base::text::grouped;
    let rate = |n: u64, time: Duration| match time.as_secs_f64() {
        0.0 => "-".to_string(),
        seconds => grouped((n as f64 / seconds) as u64),
    };
    let frames = figures.n_frames();
    let median = figures.phases().map_or(0.0, |[.., whole]| whole.median);
    let per_frame = |n: usize| grouped(n as u64 / frames.max(1));
    format!(
        "    {} frames, {} steps done, {} goals reached.\n\
         \n\
         Three numbers, each about something else:\n\
         \n\
         \x20   direct      {} answers a second\n\
         \x20               One NPC at a time, planned for from scratch, on one core. {} of\n\
         \x20               {} were plans; the others had nothing to do, or a proof that\n\
         \x20               there is no plan. (A thousand side by side: throng bench limits.)\n\
         \x20   shared      {} answers a second\n\
         \x20               All {} ask in the same moment and are answered in {:.1} ms. The\n\
         \x20               plans of all states were computed once, before; equal questions\n\
         \x20               share an answer.\n\
         \x20   end to end  {} answers a second, {:.1} ms a busy frame (the middle one)\n\
         \x20               The whole town, with everything a game does around planning: the\n\
         \x20               world disturbs one NPC in a hundred and what they share, so that\n\
         \x20               {} ask for a plan and {} do a step; whoever reached a goal\n\
         \x20               is given the next.\n",
        grouped(frames),
        grouped(figures.applied.moved as u64),
        grouped(figures.applied.arrived as u64),
        rate(direct.answers, direct.time),
        grouped(direct.plans),
        grouped(direct.answers),
        rate(npcs, shared),
        grouped(npcs),
        milliseconds(shared),
        grouped(figures.per_second().1 as u64),
        median,
        per_frame(figures.report.served),
        per_frame(figures.applied.moved),
    )
}
