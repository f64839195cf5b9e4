//! Every engine and mode beside the oracle.

use super::case::{Case, MOST_STATES, counts, is_compound, limited, prices};
use super::{Tally, domains, note};
use throng::check::{CheckContext, Question, Verdict, Wanted, replay};
use throng::prelude::*;
use throng::{Engine, Target};
use throng_base::SplitMix;
use throng_suite::what_if::{State, WhatIf};

/// The domains of both halves together: about 200,000 answers.
const DOMAINS: u64 = 12_000;

const ENGINES: [Engine; 3] = [Engine::Topological, Engine::Regressive, Engine::Forward];

/// Everything that can be reached from a start, by price and by number of steps.
struct Reach {
    world: WhatIf,
    by_cost: Vec<(State, u64)>,
    by_steps: Vec<(State, u64)>,
}

impl Reach {
    fn of(world: WhatIf, prices: &[u64]) -> Option<Reach> {
        let by_cost = world.reach(MOST_STATES, |deed| prices[deed]).ok()?;
        let by_steps = world.reach(MOST_STATES, |_| 1).ok()?;
        Some(Reach { world, by_cost, by_steps })
    }

    /// The least price and the least number of steps to any of these.
    fn least(&self, case: &Case, alternatives: &[Vec<Wanted>]) -> Option<(u64, u64)> {
        let worlds: Vec<WhatIf> = alternatives
            .iter()
            .map(|wants| {
                let mut world = self.world.clone();
                wants.iter().for_each(|wanted| world.want(case.model(), wanted).unwrap());
                world
            })
            .collect();
        let least = |states: &[(State, u64)]| {
            let reached = |state: &State| worlds.iter().any(|world| world.is_goal(state));
            states.iter().filter(|(state, _)| reached(state)).map(|(_, cost)| *cost).min()
        };
        least(&self.by_cost).zip(least(&self.by_steps))
    }
}

/// One NPC of a case, and what it can reach.
struct Asker<'c> {
    case: &'c Case,
    npc: Npc,
    reach: Reach,
}

impl<'c> Asker<'c> {
    fn new(case: &'c Case) -> Option<Self> {
        let npc = case.npc();
        let reach = Reach::of(case.world(), &prices(&npc))?;
        Some(Asker { case, npc, reach })
    }

    /// The same with costs of its own and some actions forbidden.
    fn otherwise(case: &'c Case, dice: &mut SplitMix) -> Option<Self> {
        let (mut npc, mut world) = (case.npc(), case.world());
        for (at, action) in case.model().actions().iter().enumerate() {
            if dice.percent(40) {
                let cost = Cost(*dice.pick(&[1, 500, 1000, 2000, 7250]));
                npc.set_cost(action.name(), cost).unwrap();
            }
            if dice.percent(12) {
                npc.forbid(action.name(), true).unwrap();
                world.forbidden.push(at);
            }
        }
        let reach = Reach::of(world, &prices(&npc))?;
        Some(Asker { case, npc, reach })
    }

    fn place(&self, what: &str) -> String {
        format!("{what}: {}", self.case.place())
    }

    /// Asks in every mode; of the engines one besides the usual choice.
    fn ask(&self, target: &Target, dice: &mut SplitMix, scratch: &mut Scratch, tally: &mut Tally) {
        let alternatives = self.case.alternatives(target);
        let least = self.reach.least(self.case, &alternatives);
        let request = limited(target.clone());
        let usual = self.judge(&request, Mode::Cheapest, (&alternatives, least), scratch, tally);
        note(tally, "plans", !usual.plan().is_empty());
        note(tally, "plans of ten steps", usual.plan().len() >= 10);
        note(tally, "satisfied", matches!(usual.outcome(), Outcome::Satisfied));
        note(tally, "impossible", least.is_none());
        note(tally, "compounds done", usual.plan().names().any(is_compound));
        let engine = *dice.pick(&ENGINES);
        let chosen = request.clone().engine(engine);
        let _ = self.judge(&chosen, Mode::Cheapest, (&alternatives, least), scratch, tally);
        for mode in [Mode::Shortest, Mode::Fast] {
            for request in [&request, &chosen] {
                let _ = self.judge(request, mode, (&alternatives, least), scratch, tally);
            }
        }
        if dice.percent(30) {
            self.resume(&request, &usual, 1 + dice.below(5) as u64, scratch, tally);
            let fast = request.clone().mode(Mode::Fast).engine(engine);
            let expected = Planner::new().plan(&self.npc, &fast, scratch);
            self.resume(&fast, &expected, 1 + dice.below(5) as u64, scratch, tally);
        }
    }

    /// One answer beside what is known.
    fn judge(
        &self,
        request: &Request,
        mode: Mode,
        (alternatives, least): (&[Vec<Wanted>], Option<(u64, u64)>),
        scratch: &mut Scratch,
        tally: &mut Tally,
    ) -> Answer {
        let request = request.clone().mode(mode);
        let answer = Planner::new().plan(&self.npc, &request, scratch);
        let place = || self.place(&format!("{request:?} -> {answer:?}\n{alternatives:?}"));
        note(tally, "answers", true);
        match answer.outcome() {
            Outcome::Impossible(_) => assert_eq!(least, None, "{}", place()),
            Outcome::GaveUp(_) => note(tally, "gave up", true),
            Outcome::Satisfied | Outcome::Plan { .. } => {
                assert!(least.is_some(), "a plan where there is none: {}", place());
                let (found, least) = match mode {
                    Mode::Cheapest => (answer.plan().cost().0, least.map(|least| least.0)),
                    _ => (answer.plan().len() as u64, least.map(|least| least.1)),
                };
                assert!(mode == Mode::Fast || Some(found) == least, "{least:?}: {}", place());
                self.replay(&answer, alternatives, &place);
            }
        }
        answer
    }

    /// The plan before the independent judge, and before the text itself.
    fn replay(&self, answer: &Answer, alternatives: &[Vec<Wanted>], place: &dyn Fn() -> String) {
        let case = self.case;
        let ((from, unknown), failing) = (case.from(), case.failing());
        let names: Vec<&str> = answer.plan().names().collect();
        let judged = |wants: &Vec<Wanted>| {
            let context = CheckContext::Without(&failing);
            let question =
                Question { npc: "n", from: &from, unknown: &unknown, to: &[], wants, context };
            replay(case.model(), &question, &names).unwrap()
        };
        let mut verdicts = alternatives.iter().map(judged);
        let is_valid = |verdict: &Verdict| matches!(verdict, Verdict::Valid { .. });
        // An action that is forbidden frees what it overrides, which the judge cannot know.
        let is_freed = self
            .reach
            .world
            .forbidden
            .iter()
            .any(|&at| !case.model().actions()[at].overrides().is_empty());
        assert!(is_freed || verdicts.any(|verdict| is_valid(&verdict)), "{}", place());
        let mut walker = self.npc.clone();
        assert!(names.iter().all(|&name| walker.apply(name)), "{}", place());
        let mut state = case.start.clone();
        for name in names {
            let deed = case.stated.deed(name).unwrap_or_else(|| panic!("{name}: {}", place()));
            let next = case.stated.after_deed(&deed, &state);
            state = next.unwrap_or_else(|| panic!("{name} in {state:?}: {}", place()));
        }
    }

    /// In small portions: the same answer, and without beginning again and again.
    fn resume(
        &self,
        request: &Request,
        expected: &Answer,
        nodes: u64,
        scratch: &mut Scratch,
        tally: &mut Tally,
    ) {
        if matches!(expected.outcome(), Outcome::GaveUp(_)) {
            return;
        }
        let limited = request.clone().max_nodes(nodes);
        let mut answer = Planner::new().plan(&self.npc, &limited, scratch);
        let (mut portions, most) = (1, 100 + 2 * expected.nodes());
        while matches!(answer.outcome(), Outcome::GaveUp(_)) {
            let place = || self.place(&format!("{limited:?} after {expected:?}"));
            assert!(portions < most, "{portions} portions, and no end: {}", place());
            portions += 1;
            note(tally, "interrupted", true);
            answer = Planner::new().resume(&self.npc, &limited, scratch);
        }
        note(tally, "answers", true);
        let place = || self.place(&format!("{limited:?} -> {answer:?} after {expected:?}"));
        assert_eq!(answer.outcome(), expected.outcome(), "{}", place());
        assert_eq!(answer.plan().actions(), expected.plan().actions(), "{}", place());
    }

    /// The goal that is wanted most: all matter the same, so the first that can be had.
    fn ask_best(&self, scratch: &mut Scratch, tally: &mut Tally) {
        let answer = Planner::new().plan(&self.npc, &limited(Target::Best), scratch);
        let least = |at| {
            let alternatives = self.case.alternatives(&self.case.goal(at));
            self.reach.least(self.case, &alternatives).map(|least| least.0)
        };
        let all: Vec<Option<u64>> = (0..self.case.stated.goals.len()).map(least).collect();
        let expected = all.iter().flatten().find(|&&cost| cost > 0);
        let cost = matches!(answer.outcome(), Outcome::Plan { .. }).then(|| answer.plan().cost().0);
        note(tally, "answers", true);
        if matches!(answer.outcome(), Outcome::GaveUp(_)) {
            return note(tally, "gave up", true);
        }
        assert_eq!(cost.as_ref(), expected, "{}", self.place(&format!("{all:?} {answer:?}")));
    }
}

/// Everything that is asked of the domain of a seed.
fn check(seed: u64, scratch: &mut Scratch, tally: &mut Tally) {
    let Some(case) = Case::of(seed, tally) else { return };
    let mut dice = SplitMix::new(seed ^ 0x00a3_5e0d);
    let Some(asker) = Asker::new(&case) else { return note(tally, "too many states", true) };
    let goals = case.stated.goals.len();
    let goal = case.goal(dice.below(goals));
    let wants = case.any_wants(&mut dice);
    for target in [&goal, &wants] {
        asker.ask(target, &mut dice, scratch, tally);
    }
    asker.ask_best(scratch, tally);
    if let Target::Goal(goal) = goal {
        note(tally, "goals that count", counts(case.model().goals()[goal.index()].conditions()));
    }
    if dice.percent(50) {
        let other = Asker::otherwise(&case, &mut dice);
        let Some(other) = other else { return note(tally, "too many states otherwise", true) };
        let target = case.goal(dice.below(goals));
        other.ask(&target, &mut dice, scratch, tally);
    }
}

fn check_all(seeds: std::ops::Range<u64>) -> Tally {
    let (mut tally, mut scratch) = (Tally::new(), Scratch::default());
    seeds.for_each(|seed| check(seed, &mut scratch, &mut tally));
    println!("{tally:?}");
    tally
}

/// Whether everything that should meet did, often enough.
fn check_tally(tally: &Tally) {
    let share = |what: &str, of: &str, percent: u64| {
        let (seen, all) = (tally.get(what).copied().unwrap_or(0), tally[of]);
        assert!(seen * 100 >= all * percent, "{what}: {seen} of {all}: {tally:?}");
    };
    for (what, percent) in [
        ("shifts", 80),
        ("stops", 40),
        ("sets", 60),
        ("holes", 8),
        ("comparisons", 10),
        ("or", 30),
        ("not", 5),
        ("templates", 10),
        ("kinds", 10),
        ("overrides", 10),
        ("compounds", 8),
        ("checks", 30),
        ("shared", 4),
        ("preferences", 8),
        ("several types", 20),
        ("lists that count", 2),
        ("goals with alternatives", 3),
        ("unknown starts", 10),
        ("negative ranges", 20),
        ("ranges of one number", 5),
        ("stops inside", 20),
        ("standing conditions", 8),
        ("sets of words", 5),
        ("compounds that count", 5),
    ] {
        share(what, "domains", percent);
    }
    let at_most = |what: &str, of: &str, percent: u64| {
        let (seen, all) = (tally.get(what).copied().unwrap_or(0), tally[of]);
        assert!(seen * 100 <= all * percent, "{what}: {seen} of {all}: {tally:?}");
    };
    at_most("gave up", "answers", 1);
    at_most("too many states", "domains", 50);
    share("plans", "answers", 3);
    share("impossible", "answers", 3);
    assert!(tally["plans of ten steps"] > 20 && tally["compounds done"] > 20, "{tally:?}");
    assert!(tally["refused for asking too much"] * 20 < tally["domains"], "{tally:?}");
}

#[test]
fn every_engine_agrees_with_the_oracle_on_the_first_half() {
    check_tally(&check_all(0..domains(DOMAINS / 2)));
}

#[test]
fn every_engine_agrees_with_the_oracle_on_the_second_half() {
    check_tally(&check_all(domains(DOMAINS / 2)..domains(DOMAINS)));
}

#[test]
fn threads_give_the_same_plans() {
    let plans = |from: u64, to: u64| -> Vec<String> {
        let mut scratch = Scratch::default();
        let told = |seed: u64| {
            let case = Case::of(seed, &mut Tally::new())?;
            let goal = limited(case.goal(0));
            let told = [goal.clone(), goal.mode(Mode::Fast)].map(|request| {
                let answer = Planner::new().plan(&case.npc(), &request, &mut scratch);
                format!("{} {} {}", answer.nodes(), answer.plan().told().join(" "), answer.reason())
            });
            Some(format!("{seed} {told:?}"))
        };
        (from..to).filter_map(told).collect()
    };
    let alone = plans(0, 1400);
    for threads in [2, 7] {
        let share = 1400 / threads;
        let together: Vec<String> = std::thread::scope(|scope| {
            let plans = &plans;
            let parts: Vec<_> = (0..threads)
                .map(|at| scope.spawn(move || plans(at * share, (at + 1) * share)))
                .collect();
            parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
        });
        assert_eq!(alone, together, "{threads} threads");
    }
}
