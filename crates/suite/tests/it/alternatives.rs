//! Conditions with `or`, `and`, `not` and parentheses mean what they say: an action that has
//! them can be done in a state exactly if the formula is true there.
//!
//! In:   random formulas, evaluated here as plain truth over all states of a few variables.
//! Out:  agreement with the ground actions and goals that loading makes of them; none of those
//!       is implied by another, and all have names of their own.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::collections::HashSet;
use throng_base::SplitMix;
use throng_domain::{Code, Fact, Format, Model};
use throng_lab::corpus::load_text;

/// Variable `x` has the words `a`, `b`, `c`; `n` and `m` the numbers 0 to 3 and -1 to 1.
const VARIABLES: [(&str, &[&str]); 3] =
    [("x", &["a", "b", "c"]), ("n", &["0", "1", "2", "3"]), ("m", &["-1", "0", "1"])];

enum Formula {
    One(usize, &'static str, usize),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

fn formula(dice: &mut SplitMix, depth: usize) -> Formula {
    let list =
        |dice: &mut SplitMix| (0..dice.within(2, 3)).map(|_| formula(dice, depth - 1)).collect();
    match dice.below(if depth == 0 { 1 } else { 5 }) {
        1 => Formula::Not(Box::new(formula(dice, depth - 1))),
        2 => Formula::And(list(dice)),
        3 | 4 => Formula::Or(list(dice)),
        _ => {
            let variable = dice.below(VARIABLES.len());
            let signs: &[&str] = match variable {
                0 => &["=", "!="],
                _ => &["=", "!=", "<", "<=", ">", ">="],
            };
            let sign = *dice.pick(signs);
            Formula::One(variable, sign, dice.below(VARIABLES[variable].1.len()))
        }
    }
}

impl Formula {
    fn text(&self) -> String {
        let join = |list: &[Formula], word: &str| {
            let words: Vec<String> = list.iter().map(|part| format!("({})", part.text())).collect();
            words.join(word)
        };
        match self {
            Formula::One(variable, sign, value) => {
                let (name, values) = VARIABLES[*variable];
                format!("{name} {sign} {}", values[*value])
            }
            Formula::Not(inner) => format!("not ({})", inner.text()),
            Formula::And(list) => join(list, " and "),
            Formula::Or(list) => join(list, " or "),
        }
    }

    /// Truth where every variable is known; the values of numbers rise.
    fn holds(&self, state: &[usize]) -> bool {
        match self {
            Formula::One(variable, sign, value) => {
                let (is, value) = (state[*variable], *value);
                match *sign {
                    "=" => is == value,
                    "!=" => is != value,
                    "<" => is < value,
                    "<=" => is <= value,
                    ">" => is > value,
                    _ => is >= value,
                }
            }
            Formula::Not(inner) => !inner.holds(state),
            Formula::And(list) => list.iter().all(|part| part.holds(state)),
            Formula::Or(list) => list.iter().any(|part| part.holds(state)),
        }
    }
}

fn states() -> Vec<Vec<usize>> {
    let sizes = VARIABLES.map(|(_, values)| values.len());
    let all = 0..sizes.iter().product();
    all.map(|n: usize| vec![n % sizes[0], n / sizes[0] % sizes[1], n / sizes[0] / sizes[1]])
        .collect()
}

fn domain(statement: &str) -> String {
    let mut text = "domain d\nvar lamp: off, on\n".to_string();
    for (name, values) in VARIABLES {
        text += &format!("var {name}: {}\n", values.join(", "));
    }
    text + statement
}

fn check(seed: u64, text: &str, lists: &[&[Fact]], formula: &Formula) {
    for state in states() {
        // The lamp comes first in the domain and is no part of the formula.
        let holds = |facts: &&&[Fact]| {
            let own = facts.iter().filter(|fact| fact.variable.index() > 0);
            own.clone().all(|fact| state[fact.variable.index() - 1] == fact.value.index())
        };
        let possible = lists.iter().any(|facts| holds(&facts));
        assert_eq!(possible, formula.holds(&state), "seed {seed}, state {state:?}\n{text}");
    }
    for (at, one) in lists.iter().enumerate() {
        for (other_at, other) in lists.iter().enumerate() {
            let implied = other.iter().all(|fact| one.contains(fact));
            assert!(at == other_at || !implied, "seed {seed}: {other_at} says {at}\n{text}");
        }
    }
}

fn model(text: &str) -> Result<Model, Vec<Code>> {
    let loaded = load_text(text, Format::Npc);
    let codes = loaded.report.diagnostics().iter().map(|d| d.code).collect();
    loaded.model.ok_or(codes)
}

#[test]
fn actions_and_goals_are_possible_exactly_where_the_formula_is_true() {
    let mut contradictions = 0;
    for seed in 0..3_000 {
        let mut dice = SplitMix::new(seed);
        let formula = formula(&mut dice, 3);
        let action = domain(&format!("action go: lamp off -> on while {}\n", formula.text()));
        match model(&action) {
            Ok(model) => {
                let lists: Vec<_> = model.actions().iter().map(|a| a.requires()).collect();
                check(seed, &action, &lists, &formula);
                let names: HashSet<_> = model.actions().iter().map(|a| a.name()).collect();
                assert_eq!(names.len(), lists.len());
            }
            Err(codes) => {
                // Two equations that contradict each other are told as such.
                let known = [[Code::NothingExists], [Code::RequiresTwoValues]];
                assert!(known.iter().any(|code| codes == *code), "seed {seed}\n{action}");
                assert!(states().iter().all(|state| !formula.holds(state)), "seed {seed}");
                contradictions += 1;
            }
        }
        let goal = domain(&format!("action go: lamp off -> on\ngoal g: {}\n", formula.text()));
        if let Ok(model) = model(&goal) {
            let lists: Vec<_> = model.goals().iter().map(|goal| goal.wants()).collect();
            check(seed, &goal, &lists, &formula);
            assert!(lists.len() < 2 || model.goals().iter().all(|g| g.serves() == Some("g")));
        }
    }
    assert!(contradictions > 10, "some formulas contradict themselves: {contradictions}");
}

#[test]
fn what_is_satisfied_is_a_goal_that_holds() {
    let text = domain("action go: lamp off -> on\ngoal g: x = a or x = b\n");
    let domain = throng::Domain::from_text(&text).unwrap();
    let mut npc = throng::Npc::new(&domain, "d").unwrap();
    npc.set("x", "b").unwrap();
    let asked = [throng::Request::best(), throng::Request::new(domain.goal_target("g").unwrap())];
    for request in asked {
        let answer = throng::Planner::new().plan(&npc, &request, &mut throng::Scratch::default());
        assert!(answer.is_solved());
        assert_eq!(answer.goal(), Some(domain.goal("g(b)").unwrap()));
    }
}

#[test]
fn many_alternatives_of_hostile_text_end_at_a_limit() {
    // Two hundred variables, a product of two hundred pairs: 2^200 alternatives.
    let mut text = "domain d\nvar lamp: off, on\n".to_string();
    (0..200).for_each(|n| text += &format!("var v{n}: a, b\n"));
    let pairs: Vec<String> = (0..100).map(|n| format!("v{n} = a or v{} = b", n + 100)).collect();
    text += &format!("action go: lamp off -> on while {}\n", pairs.join(", "));
    assert_eq!(model(&text).err(), Some(vec![Code::TooManyAlternatives]));
    let deep = format!("{}x = a{}", "not (".repeat(40), ")".repeat(40));
    let text = domain(&format!("action go: lamp off -> on while {deep}\n"));
    assert_eq!(model(&text).err(), Some(vec![Code::ConditionsTooDeep]));
}
