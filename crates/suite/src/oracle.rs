//! The oracle: cheapest and shortest plans by exhaustive search, straight on the model.
//!
//! In:   a model and a question in present names.
//! Out:  the least cost, the least number of steps, or the certainty that there is no plan.
//! Cost: every reachable state, each a vector in a hash table; for small domains only.
//!
//! Deliberately plain, and a stranger to `throng-check` (of which it takes the type of the
//! question only) and to every planner: it finds names, enabled actions and successors in its
//! own way, so that agreement between the three means something.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::fmt;
use throng_check::{CheckContext, Question};
use throng_domain::Model;
use throng_domain::model::{Action, CheckUse};

/// Why the oracle is silent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Silent {
    /// The question has a name that the model does not know.
    UnknownName(String),
    /// More states than allowed can be reached.
    TooManyStates,
}

impl fmt::Display for Silent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Silent::UnknownName(name) => write!(f, "unknown name `{name}`"),
            Silent::TooManyStates => write!(f, "more states than allowed"),
        }
    }
}

impl std::error::Error for Silent {}

/// The least cost of a plan, in thousandths; `None` if there is no plan.
///
/// # Errors
///
/// If a name is unknown, or more than `max_states` different states are met.
pub fn cheapest(
    model: &Model,
    question: &Question<'_>,
    max_states: usize,
) -> Result<Option<u64>, Silent> {
    cheapest_by(model, question, max_states, &|action| action.cost().0)
}

/// The same if actions cost what `price` says.
///
/// # Errors
///
/// As [`cheapest`].
pub fn cheapest_by(
    model: &Model,
    question: &Question<'_>,
    max_states: usize,
    price: &dyn Fn(&Action) -> u64,
) -> Result<Option<u64>, Silent> {
    let found = Puzzle::of(model, question)?.by_uniform_cost(max_states, price)?;
    Ok(found.map(|(cost, _)| cost))
}

/// A plan of least cost, as names; `None` if there is no plan.
///
/// # Errors
///
/// As [`cheapest`].
pub fn cheapest_plan(
    model: &Model,
    question: &Question<'_>,
    max_states: usize,
) -> Result<Option<Vec<String>>, Silent> {
    let price = |action: &Action| action.cost().0;
    let found = Puzzle::of(model, question)?.by_uniform_cost(max_states, &price)?;
    Ok(found.map(|(_, plan)| plan))
}

/// The least number of steps of a plan; `None` if there is no plan.
///
/// # Errors
///
/// As [`cheapest`].
pub fn shortest(
    model: &Model,
    question: &Question<'_>,
    max_states: usize,
) -> Result<Option<usize>, Silent> {
    Puzzle::of(model, question)?.by_breadth(max_states)
}

/// The value of every variable of the model; `None` is unknown.
type State = Vec<Option<usize>>;

/// A variable and one of its values.
type Pair = (usize, usize);

/// A question in numbers.
struct Puzzle<'m> {
    start: State,
    goal: Vec<Pair>,
    /// The actions that are there.
    actions: Vec<&'m Action>,
}

impl<'m> Puzzle<'m> {
    fn of(model: &'m Model, question: &Question<'_>) -> Result<Self, Silent> {
        let unknown = || Silent::UnknownName(question.npc.to_string());
        let npc = model.npcs().iter().find(|npc| npc.name() == question.npc).ok_or_else(unknown)?;
        let mut start: State = vec![None; model.variables().len()];
        for fact in npc.starts() {
            start[fact.variable.index()] = Some(fact.value.index());
        }
        for fact in question.from {
            let (variable, value) = pair(model, fact)?;
            start[variable] = Some(value);
        }
        let goal = question.to.iter().map(|fact| pair(model, fact)).collect::<Result<_, _>>()?;
        let answers = check_answers(model, question.context)?;
        let enabled: Vec<bool> = model
            .actions()
            .iter()
            .map(|action| {
                let hold = |checks: &[CheckUse]| {
                    checks.iter().all(|used| answers[used.check.index()] == used.expected)
                };
                let kinds = action.kinds();
                let has_kind = kinds.is_empty() || kinds.iter().any(|kind| hold(kind.checks()));
                hold(action.checks()) && has_kind
            })
            .collect();
        let is_overridden = |index: usize| {
            npc.can().iter().any(|other| {
                let overrides = model.actions()[other.index()].overrides();
                enabled[other.index()] && overrides.iter().any(|id| id.index() == index)
            })
        };
        let there = npc.can().iter().map(|id| id.index());
        let there = there.filter(|&index| enabled[index] && !is_overridden(index));
        let actions = there.map(|index| &model.actions()[index]).collect();
        Ok(Puzzle { start, goal, actions })
    }

    fn is_goal(&self, state: &State) -> bool {
        self.goal.iter().all(|&(variable, value)| state[variable] == Some(value))
    }

    fn by_breadth(&self, max_states: usize) -> Result<Option<usize>, Silent> {
        let mut depths = HashMap::from([(self.start.clone(), 0)]);
        let mut queue = VecDeque::from([self.start.clone()]);
        while let Some(state) = queue.pop_front() {
            let depth = depths[&state];
            if self.is_goal(&state) {
                return Ok(Some(depth));
            }
            for next in self.actions.iter().filter_map(|action| after(action, &state)) {
                if !depths.contains_key(&next) {
                    depths.insert(next.clone(), depth + 1);
                    queue.push_back(next);
                }
            }
            if depths.len() > max_states {
                return Err(Silent::TooManyStates);
            }
        }
        Ok(None)
    }

    fn by_uniform_cost(
        &self,
        max_states: usize,
        price: &dyn Fn(&Action) -> u64,
    ) -> Result<Option<(u64, Vec<String>)>, Silent> {
        let mut costs = HashMap::from([(self.start.clone(), 0)]);
        let mut came_by: HashMap<State, (State, &Action)> = HashMap::new();
        let mut open = BinaryHeap::from([Reverse((0, self.start.clone()))]);
        while let Some(Reverse((cost, state))) = open.pop() {
            if cost > costs[&state] {
                continue;
            }
            if self.is_goal(&state) {
                return Ok(Some((cost, way_to(state, &came_by))));
            }
            for action in &self.actions {
                let Some(next) = after(action, &state) else { continue };
                let next_cost = cost + price(action);
                if costs.get(&next).is_none_or(|&known| next_cost < known) {
                    costs.insert(next.clone(), next_cost);
                    came_by.insert(next.clone(), (state.clone(), action));
                    open.push(Reverse((next_cost, next)));
                }
            }
            if costs.len() > max_states {
                return Err(Silent::TooManyStates);
            }
        }
        Ok(None)
    }
}

/// The state after an action; `None` if it cannot run.
fn after(action: &Action, state: &State) -> Option<State> {
    let holds = action
        .requires()
        .iter()
        .all(|fact| state[fact.variable.index()] == Some(fact.value.index()));
    if !holds {
        return None;
    }
    let mut next = state.clone();
    for fact in action.sets() {
        next[fact.variable.index()] = Some(fact.value.index());
    }
    Some(next)
}

/// The names of the actions that led to a state.
fn way_to(mut state: State, came_by: &HashMap<State, (State, &Action)>) -> Vec<String> {
    let mut names = Vec::new();
    while let Some((before, action)) = came_by.get(&state) {
        names.push(action.name().to_string());
        state.clone_from(before);
    }
    names.reverse();
    names
}

fn pair(model: &Model, (name, value): &(String, String)) -> Result<Pair, Silent> {
    let unknown = |name: &str| Silent::UnknownName(name.to_string());
    let variable = model.variables().iter().position(|known| known.name() == name);
    let variable = variable.ok_or_else(|| unknown(name))?;
    let values = model.variables()[variable].values();
    let value = values.iter().position(|known| known == value).ok_or_else(|| unknown(value))?;
    Ok((variable, value))
}

/// The answer of every check of the model.
fn check_answers(model: &Model, context: CheckContext<'_>) -> Result<Vec<bool>, Silent> {
    let (said, answer) = match context {
        CheckContext::Without(said) => (said, false),
        CheckContext::Only(said) => (said, true),
    };
    let mut answers = vec![!answer; model.checks().len()];
    for name in said {
        let check = model.checks().iter().position(|known| known == name);
        answers[check.ok_or_else(|| Silent::UnknownName(name.clone()))?] = answer;
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;
    use throng_check::{Verdict, replay};
    use throng_domain::model::{Expect, Target, Test, TestContext as Told};
    use throng_domain::{Cost, Fact};
    use throng_lab::corpus;

    fn pairs(facts: &str) -> Vec<(String, String)> {
        let split = |fact: &str| fact.split_once('=').map(|(a, b)| (a.to_string(), b.to_string()));
        facts.split_whitespace().filter_map(split).collect()
    }

    fn model_of(path: &str) -> Model {
        corpus::read(&corpus::folder().join(path)).unwrap().model.unwrap()
    }

    /// Asks the horse breeder of the first table; every action costs 1.
    fn check(from: &str, to: &str, expected: Option<usize>) {
        let model = model_of("papers/horse_breeder_000.npc");
        let (from, to) = (pairs(from), pairs(to));
        let context = CheckContext::Without(&[]);
        let question = Question { npc: "horse_breeder", from: &from, to: &to, context };
        assert_eq!(shortest(&model, &question, 100), Ok(expected), "{from:?} {to:?}");
        let cost = expected.map(|steps| 1000 * steps as u64);
        assert_eq!(cheapest(&model, &question, 100), Ok(cost), "{from:?} {to:?}");
    }

    const FED: &str = "haystack=in_feeder bucket=on_floor water=in_trough";

    #[test]
    fn the_horses_are_fed_in_six_steps() {
        check("", FED, Some(6));
        check("bucket=in_hands", FED, Some(5));
    }

    #[test]
    fn hay_in_the_hands_costs_a_seventh_step() {
        check("haystack=in_hands", FED, Some(7));
    }

    #[test]
    fn a_full_feeder_leaves_no_way_to_the_trough() {
        check("haystack=in_feeder", FED, None);
        check("haystack=in_hands bucket=in_hands", FED, None);
    }

    #[test]
    fn what_already_holds_needs_no_step() {
        check("haystack=in_feeder water=in_trough", FED, Some(0));
    }

    #[test]
    fn too_many_states_and_unknown_names_are_said() {
        let model = model_of("papers/horse_breeder_000.npc");
        let to = pairs(FED);
        let context = CheckContext::Without(&[]);
        let question = Question { npc: "horse_breeder", from: &[], to: &to, context };
        assert_eq!(shortest(&model, &question, 3), Err(Silent::TooManyStates));
        assert_eq!(cheapest(&model, &question, 3), Err(Silent::TooManyStates));
        let nobody = Question { npc: "nobody", ..question };
        assert_eq!(cheapest(&model, &nobody, 3), Err(Silent::UnknownName("nobody".to_string())));
    }

    /// Takes random steps until one fails; the replay must stumble over the same one.
    fn stumbles_alike(seed: u64) {
        let instance = random::instance(seed);
        let (model, question) = (instance.load().model.unwrap(), instance.question());
        let puzzle = Puzzle::of(&model, &question).unwrap();
        let mut dice = throng_base::SplitMix::new(seed);
        let (mut state, mut plan, mut cost) = (puzzle.start.clone(), Vec::new(), 0);
        let mut failed = None;
        for step in 1..=dice.within(0, 8) {
            // Mostly something that works, so that the walk is longer than a step.
            let works = |action: &&Action| {
                puzzle.actions.iter().any(|there| there.name() == action.name())
                    && after(action, &state).is_some()
            };
            let all = || model.actions().iter();
            let some: Vec<&Action> = all().filter(|a| dice.percent(30) || works(a)).collect();
            let Some(action) = some.get(dice.below(some.len())) else { break };
            plan.push(action.name());
            if !works(action) {
                failed = Some(step);
                break;
            }
            (state, cost) = (after(action, &state).unwrap(), cost + action.cost().0);
        }
        match replay(&model, &question, &plan).unwrap() {
            Verdict::Invalid(failure) => {
                assert_eq!(failure.step, failed, "{seed}: {plan:?} {failure}");
                assert!(failed.is_some() || !puzzle.is_goal(&state), "{seed}: {failure}");
            }
            Verdict::Valid { cost: judged } => {
                assert_eq!((judged, failed), (Cost(cost), None), "{seed}: {plan:?}");
                assert!(puzzle.is_goal(&state), "{seed}: {plan:?}");
            }
        }
    }

    #[test]
    fn the_replay_stumbles_where_the_oracle_does() {
        (0..5_000).for_each(stumbles_alike);
    }

    /// What a test of the corpus asks, answered by the oracle and judged by the replay.
    fn holds(model: &Model, test: &Test) -> bool {
        let names = |facts: &[Fact]| -> Vec<(String, String)> {
            let names = facts.iter().map(|&fact| model.fact_names(fact));
            names.map(|(variable, value)| (variable.to_string(), value.to_string())).collect()
        };
        let from = names(test.from());
        let to = match test.ask() {
            Target::Goal(goal) => names(model.goals()[goal.index()].wants()),
            Target::Facts(facts) => names(facts),
            Target::Best | Target::Any(_) => return true,
        };
        let (Told::Without(told) | Told::Only(told)) = test.context();
        let told: Vec<String> = told.iter().map(|id| model.checks()[id.index()].clone()).collect();
        let context = match test.context() {
            Told::Without(_) => CheckContext::Without(&told),
            Told::Only(_) => CheckContext::Only(&told),
        };
        let npc = model.npcs()[test.npc().index()].name();
        let question = Question { npc, from: &from, to: &to, context };
        // A domain too large for the oracle is another test's business.
        let Ok(cost) = cheapest(model, &question, 200_000) else { return true };
        if let Ok(Some(plan)) = cheapest_plan(model, &question, 200_000) {
            let judged = replay(model, &question, &plan).unwrap();
            assert_eq!(Some(judged), cost.map(|cost| Verdict::Valid { cost: Cost(cost) }));
        }
        test.expects().iter().all(|(expect, _)| match expect {
            Expect::Cost(expected) => cost == Some(expected.0),
            Expect::Impossible => cost.is_none(),
            Expect::Satisfied => cost == Some(0),
            Expect::Length(_) | Expect::Plan(_) | Expect::Never(_) => cost.is_some(),
        })
    }

    #[test]
    fn the_tests_of_the_corpus_hold() {
        let folders = ["papers", "fear", "strategy", "beyond"];
        for path in folders.iter().flat_map(|folder| corpus::files(folder, "npc").unwrap()) {
            let model = corpus::read(&path).unwrap().model.unwrap();
            for test in model.tests() {
                assert!(holds(&model, test), "{}: {}", path.display(), test.name());
            }
        }
    }
}
