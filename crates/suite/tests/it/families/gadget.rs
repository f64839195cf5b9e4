//! The gadget of 3SAT decides formulas, and its plans tell how.

use super::*;

type Formula = Vec<Vec<i64>>;

fn text_of(formula: &Formula) -> String {
    let clause =
        |clause: &Vec<i64>| clause.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
    formula.iter().map(clause).collect::<Vec<_>>().join(", ")
}

fn satisfies(formula: &Formula, truth: impl Fn(u64) -> bool) -> bool {
    let holds = |literal: &i64| truth(literal.unsigned_abs()) == (*literal > 0);
    formula.iter().all(|clause| clause.iter().any(holds))
}

/// Tries every assignment of variables 1 to 8.
fn is_satisfiable(formula: &Formula) -> bool {
    (0..256_u32).any(|bits| satisfies(formula, |x| bits >> (x - 1) & 1 == 1))
}

fn gadget(formula: &Formula) -> Member {
    Member::of(&generated(&["threesat", "--clauses", &text_of(formula)]))
}

/// Every action once: what comes before what, closed under transitivity, and what is still to
/// be chosen. Knows nothing of planners; reads the model and the meaning of its variables: those
/// that start where they should end are opened and shut, the others move once.
#[derive(Clone)]
struct Orders {
    /// Which actions come after each.
    after: Vec<Vec<bool>>,
    /// An action that must not be between the two others.
    choices: Vec<(usize, usize, usize)>,
}

impl Orders {
    fn of(member: &Member) -> Option<Orders> {
        let model = member.domain.model();
        let actions = model.actions();
        let setter = |variable: usize, value: usize| {
            let sets = |fact: &Fact| (fact.variable.index(), fact.value.index());
            actions.iter().position(|a| sets(&a.sets()[0]) == (variable, value))
        };
        let after = vec![vec![false; actions.len()]; actions.len()];
        let mut orders = Orders { after, choices: Vec::new() };
        let mut edges = Vec::new();
        for (at, action) in actions.iter().enumerate() {
            let own = action.sets()[0].variable;
            for need in action.requires().iter().filter(|need| need.variable != own) {
                let (variable, value) = (need.variable.index(), need.value.index());
                let there = setter(variable, 1).unwrap();
                match (setter(variable, 0), value) {
                    (None, 0) => edges.push((at, there)),
                    (None, _) => edges.push((there, at)),
                    (Some(back), 1) => edges.extend([(there, at), (at, back)]),
                    (Some(back), _) => orders.choices.push((at, there, back)),
                }
            }
        }
        for variable in 0..model.variables().len() {
            if let (Some(there), Some(back)) = (setter(variable, 1), setter(variable, 0)) {
                edges.push((there, back));
            }
        }
        edges.into_iter().all(|(first, then)| orders.put(first, then)).then_some(orders)
    }

    /// Adds an order; `false` if it closes a circle.
    fn put(&mut self, first: usize, then: usize) -> bool {
        if first == then || self.after[then][first] {
            return false;
        }
        let mut gained = self.after[then].clone();
        gained[then] = true;
        for at in 0..self.after.len() {
            if at == first || self.after[at][first] {
                for (held, &new) in self.after[at].iter_mut().zip(&gained) {
                    *held |= new;
                }
            }
        }
        true
    }

    /// Whether everything can be chosen without a circle.
    fn exist(mut self) -> bool {
        loop {
            let n_open = self.choices.len();
            for (at, there, back) in std::mem::take(&mut self.choices) {
                let (not_before, not_after) = (self.after[there][at], self.after[at][back]);
                let fits = match (not_before, not_after) {
                    (true, true) => false,
                    (true, false) => self.put(back, at),
                    (false, true) => self.put(at, there),
                    (false, false) => {
                        self.choices.push((at, there, back));
                        true
                    }
                };
                if !fits {
                    return false;
                }
            }
            if self.choices.len() == n_open {
                break;
            }
        }
        let Some((at, there, back)) = self.choices.first().copied() else { return true };
        let mut other = self.clone();
        other.choices.remove(0);
        self.choices.remove(0);
        (self.put(at, there) && self.exist()) || (other.put(back, at) && other.exist())
    }
}

/// The assignment that a plan tells satisfies the formula.
fn check_told(formula: &Formula, plan: &[String]) {
    let position = |name: String| plan.iter().position(|step| *step == name).unwrap();
    let truth = |x: u64| position(format!("set_{x}")) < position(format!("open_{x}"));
    assert!(satisfies(formula, truth), "{} by {plan:?}", text_of(formula));
}

#[derive(Default, Debug)]
struct Tally {
    satisfiable: u32,
    unsatisfiable: u32,
    without_search: u32,
    planned: u32,
    proved: u32,
}

/// The gadget has a plan exactly if the formula is satisfiable, and no planner says otherwise.
fn check_gadget(formula: &Formula, max_nodes: u64, tally: &mut Tally) {
    let (member, satisfiable) = (gadget(formula), is_satisfiable(formula));
    assert!(member.holds(Class::C2Star), "{}", text_of(formula));
    let exist = Orders::of(&member).is_some_and(Orders::exist);
    assert_eq!(exist, satisfiable, "{}", text_of(formula));
    let counter = if satisfiable { &mut tally.satisfiable } else { &mut tally.unsatisfiable };
    *counter += 1;
    match member.decided() {
        Some(Ok(plan)) => {
            check_told(formula, &plan);
            tally.without_search += 1;
        }
        Some(Err(())) => {
            assert!(!satisfiable, "{}", text_of(formula));
            tally.without_search += 1;
        }
        None => {}
    }
    let npc = Npc::new(&member.domain, &member.npc).unwrap();
    let request = Request::best().max_nodes(max_nodes);
    let answer = Planner::new().plan(&npc, &request, &mut throng::Scratch::default());
    match answer.outcome() {
        Outcome::Plan { .. } => {
            let plan = member.replayed(answer.plan().names().map(str::to_string).collect());
            assert_eq!(plan.len(), member.domain.model().actions().len(), "every action once");
            check_told(formula, &plan);
            tally.planned += 1;
        }
        Outcome::Impossible(_) => {
            assert!(!satisfiable, "{}", text_of(formula));
            tally.proved += 1;
        }
        Outcome::GaveUp(_) => {}
        Outcome::Satisfied => panic!("nothing is done at the start"),
    }
}

fn formula_of(text: &str) -> Formula {
    let literals = |part: &str| part.split_whitespace().map(|l| l.parse().unwrap()).collect();
    text.split(',').map(literals).collect()
}

#[test]
fn the_gadget_agrees_with_the_oracle_on_the_smallest_formulas() {
    let small = ["1", "-1", "1, -1", "1, 1", "-1, -1", "1 -1", "1 1", "1 2", "1 -2", "-1 -2"];
    for formula in small.map(formula_of) {
        let member = gadget(&formula);
        let (model, question) = (member.domain.model(), member.question());
        let shortest = oracle::shortest(model, &question, 300_000).unwrap();
        let expected = is_satisfiable(&formula).then_some(model.actions().len());
        assert_eq!(shortest, expected, "{}", text_of(&formula));
    }
}

#[test]
fn the_gadget_decides_listed_formulas() {
    let listed = [
        "1 2, -1, -2",
        "1 2, 1 -2, -1 2, -1 -2",
        "1 2, 1 -2, -1 2",
        "1 2 3, -1 -2 -3",
        "1, -1 2, -2 3, -3",
        "1, -1 2, -2 3, 3",
        "1 -2 3, -1 2, -3 -1",
        "1 2 3, 1 2 -3, 1 -2 3, 1 -2 -3, -1 2 3, -1 2 -3, -1 -2 3",
        "1 2 3, 1 2 -3, 1 -2 3, 1 -2 -3, -1 2 3, -1 2 -3, -1 -2 3, -1 -2 -3",
        // Shared variables at different places of different clauses.
        "-1 2 -3, -1 -3 2, 3 1, -2 1",
        "1 2 3 4, -1 -2 -3 -4, 1 -2, 2 -3, 3 -4, 4 -1",
    ];
    let mut tally = Tally::default();
    for formula in listed.map(formula_of) {
        check_gadget(&formula, 200, &mut tally);
    }
    assert_eq!((tally.satisfiable, tally.unsatisfiable), (6, 5), "{tally:?}");
}

#[test]
fn the_gadget_decides_random_formulas() {
    let mut dice = SplitMix::new(2022);
    let mut tally = Tally::default();
    for _ in 0..300 {
        let n_variables = dice.within(1, 4);
        let clause = |dice: &mut SplitMix| -> Vec<i64> {
            let literal = |dice: &mut SplitMix| {
                let x = dice.within(1, n_variables) as i64;
                if dice.percent(50) { x } else { -x }
            };
            (0..dice.within(1, 3)).map(|_| literal(dice)).collect()
        };
        let formula: Formula = (0..dice.within(1, 7)).map(|_| clause(&mut dice)).collect();
        check_gadget(&formula, 50, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.satisfiable > 100 && tally.unsatisfiable > 50, "{tally:?}");
    assert!(tally.planned > 50, "{tally:?}");
}

// --- Files --------------------------------------------------------------------------------
