//! The seed's own figures and traps, on tasks made by hand.

use super::*;
use throng_domain::Span;
use throng_pddl::lifted::{
    Action, Atom, Condition, Effect, GroundAtom, Object, ObjectId, Parameter, Predicate,
    PredicateId, Term, Type, TypeId,
};
use throng_pddl::plan::PlanStep;

/// A task of one type, from words: predicates with their arities, actions, what holds, the goal.
struct Made(Lifted);

impl Made {
    fn new(objects: &[&str], predicates: &[(&str, usize)]) -> Made {
        let types = vec![Type { name: "object".to_string(), parents: Vec::new() }];
        let object = |name: &&str| Object { name: name.to_string(), types: vec![TypeId(0)] };
        let predicate = |&(name, arity): &(&str, usize)| Predicate {
            name: name.to_string(),
            arguments: vec![vec![TypeId(0)]; arity],
            is_derived: false,
        };
        Made(Lifted {
            types,
            objects: objects.iter().map(object).collect(),
            predicates: predicates.iter().map(predicate).collect(),
            ..Lifted::default()
        })
    }

    /// `at-o ?l ?o` as an atom: the predicate by name and arity, variables by their place.
    fn atom(&self, text: &str, parameters: &[&str]) -> Atom {
        let words: Vec<&str> = text.split_whitespace().collect();
        let fits = |p: &Predicate| p.name == words[0] && p.arguments.len() == words.len() - 1;
        let predicate = self.0.predicates.iter().position(fits).unwrap();
        let term = |word: &&str| match parameters.iter().position(|p| p == word) {
            Some(at) => Term::Variable(at as u32),
            None => Term::Object(ObjectId(
                self.0.objects.iter().position(|o| o.name == **word).unwrap() as u32,
            )),
        };
        let arguments = words[1..].iter().map(term).collect();
        Atom { predicate: PredicateId(predicate as u32), arguments }
    }

    fn condition(&self, literals: &[&str], parameters: &[&str]) -> Condition {
        let literal = |text: &&str| match text.strip_prefix("not ") {
            Some(atom) => Condition::Not(Box::new(Condition::Atom(self.atom(atom, parameters)))),
            None => Condition::Atom(self.atom(text, parameters)),
        };
        Condition::And(literals.iter().map(literal).collect())
    }

    fn action(mut self, name: &str, parameters: &[&str], needs: &[&str], does: &[&str]) -> Made {
        let effect = |text: &&str| {
            let (adds, atom) = match text.strip_prefix("not ") {
                Some(atom) => (false, atom),
                None => (true, *text),
            };
            let (forall, condition) = (Vec::new(), Condition::default());
            Effect { forall, condition, adds, atom: self.atom(atom, parameters) }
        };
        let parameter = |(at, name): (usize, &&str)| Parameter {
            name: name.to_string(),
            variable: at as u32,
            types: vec![TypeId(0)],
        };
        let made = Action {
            name: name.to_string(),
            parameters: parameters.iter().enumerate().map(parameter).collect(),
            n_variables: parameters.len(),
            condition: self.condition(needs, parameters),
            effects: does.iter().map(effect).collect(),
            changes: Vec::new(),
            cost: Vec::new(),
            span: Span::default(),
        };
        self.0.actions.push(made);
        self
    }

    fn start(mut self, atoms: &[&str], goal: &[&str]) -> Lifted {
        for atom in atoms {
            let Atom { predicate, arguments } = self.atom(atom, &[]);
            let object = |term: &Term| match term {
                Term::Object(object) => *object,
                Term::Variable(_) => unreachable!(),
            };
            let arguments = arguments.iter().map(object).collect();
            self.0.init.push(GroundAtom { predicate, arguments });
        }
        self.0.goal = self.condition(goal, &[]);
        self.0
    }
}

const OBJECTS: [&str; 14] =
    ["loc1", "loc2", "loc3", "loc4", "loc5", "c1", "c2", "c3", "c4", "o1", "o2", "o3", "o4", "o5"];

/// The seed's Take, in a file where three other predicates come first, and its initial state.
fn take_of_the_seed() -> Lifted {
    Made::new(&OBJECTS, &[("at-c", 2), ("at-o", 2), ("hold", 2), ("seen", 1)])
        .action(
            "take",
            &["?l", "?c", "?o"],
            &["at-c ?l ?c", "at-o ?l ?o", "not hold ?o ?c"],
            &["hold ?o ?c", "not at-o ?l ?o"],
        )
        .start(
            &[
                "at-c loc1 c1",
                "at-c loc1 c2",
                "at-c loc3 c4",
                "at-c loc4 c3",
                "at-o loc1 o1",
                "at-o loc1 o3",
                "at-o loc2 o2",
                "at-o loc3 o4",
                "at-o loc5 o5",
            ],
            &["hold o5 c1"],
        )
}

fn texts(task: &Lifted, steps: &[Step]) -> Vec<String> {
    steps.iter().map(|step| PlanStep::of(task, step.0, &step.1).to_string()).collect()
}

#[test]
fn the_array_of_take_has_the_borders_of_the_seed() {
    let program = Program::new(&take_of_the_seed()).unwrap();
    let (array, ranges) = program.array(0).unwrap();
    // Shared in the order they are read: at-c, at-o, hold.
    assert_eq!(array, [0, 1, 2]);
    assert_eq!(ranges, Ranges { a: 1, b: 2, c: 2, d: 2, e: 3, p: 3 });
    assert_eq!(program.written().len(), 3);
    assert_eq!(program.written().width(), 1);
}

#[test]
fn exactly_five_takes_can_be_done_and_twenty_pairs_are_tried() {
    let task = take_of_the_seed();
    let n = task.init.len() as u64;
    assert_eq!((n, n * (n - 1) / 2), (9, 36), "pairs of any two atoms");
    for (tuples, tried) in [(Tuples::Counted, 20), (Tuples::Joined, 20)] {
        let mut search = Search::<Arrays>::begin(Program::new(&task).unwrap(), tuples);
        let mut meter = Counting::new(|| 0);
        let steps = search.steps_at_start(&mut meter);
        assert_eq!(
            texts(&task, &steps),
            [
                "(take loc1 c1 o1)",
                "(take loc1 c1 o3)",
                "(take loc1 c2 o1)",
                "(take loc1 c2 o3)",
                "(take loc3 c4 o4)",
            ]
        );
        assert_eq!((meter.tried, meter.unified), (tried, 5));
    }
}

#[test]
fn the_same_name_with_other_arguments_is_another_column() {
    // Two facts `at` of two arguments, three of one: two tuples, not five, and none mixed.
    let task = Made::new(&["a", "b", "c"], &[("at", 1), ("at", 2), ("done", 0)])
        .action("go", &["?x", "?y"], &["at ?x ?y"], &["done"])
        .start(&["at a", "at b", "at c", "at a b", "at b c"], &["done"]);
    let mut search = Search::<Bits>::begin(Program::new(&task).unwrap(), Tuples::Counted);
    let mut meter = Counting::new(|| 0);
    let steps = search.steps_at_start(&mut meter);
    assert_eq!(texts(&task, &steps), ["(go a b)", "(go b c)"]);
    assert_eq!(meter.tried, 2);
}

/// All ways to keep states and to go through tuples, beside the plain search.
fn check(task: &Lifted, plan: Option<usize>) {
    let plain = plain::solve(task, 100_000).unwrap();
    assert_eq!(plain.plan.as_ref().map(Vec::len), plan);
    for keep in KEEPS {
        for tuples in [Tuples::Counted, Tuples::Joined] {
            let answer = solve(task, keep, tuples, &SearchBudget::DEFAULT, &mut Silent).unwrap();
            assert_eq!(matches!(answer.found, Found::Goal(_)), plan.is_some(), "{keep:?}");
            assert_eq!(answer.plan.len(), plan.unwrap_or(0), "{keep:?}");
            let counts = (answer.expanded, answer.generated, answer.states as u64);
            if plan.is_none() {
                let expected = (plain.expanded, plain.generated, plain.states);
                assert_eq!(counts, expected, "{keep:?} {tuples:?}");
            }
            let mut state: plain::State = task.init.iter().cloned().collect();
            for (action, arguments) in &answer.plan {
                let action = &task.actions[*action];
                assert_eq!(plain::holds(&action.condition, arguments, &state), Some(true));
                state = plain::apply(action, arguments, &state).unwrap();
            }
            assert_eq!(plain::holds(&task.goal, &[], &state).unwrap(), plan.is_some());
            let mut meter = Counting::new(|| 0);
            let again = solve(task, keep, tuples, &SearchBudget::DEFAULT, &mut meter).unwrap();
            assert_eq!(again, answer, "measured and unmeasured are the same");
        }
    }
}

#[test]
fn moving_to_where_one_is_changes_nothing() {
    let moving = |needs: &[&str]| {
        Made::new(&["a", "b"], &[("at", 1), ("road", 1)])
            .action("move", &["?from", "?to"], needs, &["not at ?from", "at ?to"])
            .start(&["at a", "road b"], &["at b", "not at a"])
    };
    check(&moving(&["at ?from"]), Some(1));
    // Needing what is added while the other is deleted: `move a a` must leave `at a`.
    check(&moving(&["at ?from", "at ?to"]), None);
}

#[test]
fn one_object_may_stand_for_two_parameters() {
    let task = Made::new(&["a"], &[("p", 1), ("q", 2)])
        .action("join", &["?x", "?y"], &["p ?x", "p ?y"], &["q ?x ?y", "not p ?x"])
        .start(&["p a"], &["q a a", "not p a"]);
    check(&task, Some(1));
}

#[test]
fn a_negative_precondition_forbids_the_atom_and_not_its_name() {
    // c2 holds o2: by the name alone c1 could take nothing.
    let task = Made::new(&["o1", "o2", "c1", "c2"], &[("free", 1), ("hold", 2)])
        .action(
            "take",
            &["?o", "?c"],
            &["free ?o", "not hold ?o ?c"],
            &["hold ?o ?c", "not free ?o"],
        )
        .start(&["free o1", "hold o2 c2"], &["hold o1 c1", "hold o2 c2"]);
    check(&task, Some(1));
}

#[test]
fn a_goal_that_holds_takes_no_action_and_an_empty_one_neither() {
    let made =
        || Made::new(&["a"], &[("p", 1), ("q", 1)]).action("do", &["?x"], &["p ?x"], &["not p ?x"]);
    check(&made().start(&["p a"], &["p a"]), Some(0));
    check(&made().start(&["p a"], &[]), Some(0));
    check(&made().start(&["p a"], &["not p a"]), Some(1));
    check(&made().start(&["p a"], &["not p a", "p a"]), None);
    // Of what nothing changes: known before the search.
    let hopeless = made().start(&["p a"], &["q a"]);
    let answer = solve(&hopeless, Keep::Bits, Tuples::Joined, &SearchBudget::DEFAULT, &mut Silent);
    let answer = answer.unwrap();
    assert_eq!((answer.found, answer.expanded), (Found::Nothing, 0));
}

#[test]
fn facts_said_twice_and_constants_in_actions_are_served() {
    let task = Made::new(&["a", "b"], &[("at", 1), ("key", 1), ("open", 0)])
        .action("unlock", &[], &["at b", "key a"], &["open"])
        .action("go", &["?x"], &["not at ?x"], &["at ?x", "not at a"])
        .start(&["at a", "at a", "key a"], &["open"]);
    check(&task, Some(2));
}

#[test]
fn limits_are_kept_and_the_search_goes_on() {
    let names: Vec<String> = (0..9).map(|n| format!("o{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let goal: Vec<String> = names.iter().map(|name| format!("p {name}")).collect();
    let goal: Vec<&str> = goal.iter().map(String::as_str).collect();
    let task = Made::new(&names, &[("p", 1)])
        .action("set", &["?x"], &["not p ?x"], &["p ?x"])
        .start(&[], &goal);
    let program = Program::new(&task).unwrap();
    let mut whole = Search::<Bits>::begin(program.clone(), Tuples::Joined);
    let Found::Goal(end) = whole.run(&SearchBudget::DEFAULT, &mut Silent) else { panic!() };
    assert_eq!((whole.n_states(), whole.plan(end).len()), (512, 9));
    let mut parts = Search::<Bits>::begin(program.clone(), Tuples::Joined);
    let mut rounds = 0;
    let few = SearchBudget { nodes: 100, ..SearchBudget::DEFAULT };
    while let Found::Limit(limit) = parts.run(&few, &mut Silent) {
        assert_eq!(limit, throng_planner::Limit::Nodes);
        rounds += 1;
        assert_eq!(parts.expanded(), rounds * 100);
    }
    assert_eq!(parts.plan(end), whole.plan(end));
    let mut small = Search::<Arrays>::begin(program.clone(), Tuples::Counted);
    let little = SearchBudget { bytes: 2_000, ..SearchBudget::DEFAULT };
    let found = small.run(&little, &mut Silent);
    assert_eq!(found, Found::Limit(throng_planner::Limit::Memory));
    let mut stopped = Search::<Arrays>::begin(program, Tuples::Counted);
    let stop = || true;
    let found =
        stopped.run(&SearchBudget { stop: Some(&stop), ..SearchBudget::DEFAULT }, &mut Silent);
    assert_eq!(found, Found::Limit(throng_planner::Limit::Stopped));
    assert_eq!(stopped.run(&SearchBudget::DEFAULT, &mut Silent), Found::Goal(end));
}

#[test]
fn what_is_not_served_is_named_with_its_place() {
    let mut task = take_of_the_seed();
    let condition = std::mem::take(&mut task.actions[0].condition);
    task.actions[0].condition = Condition::Or(vec![condition, Condition::default()]);
    let refused = Program::new(&task).unwrap_err();
    assert_eq!(refused.feature, Feature::Disjunction);
    assert!(refused.to_string().starts_with("action `take` has an `or`"), "{refused}");
    let mut task = take_of_the_seed();
    task.actions[0].effects[0].condition = task.goal.clone();
    assert_eq!(Program::new(&task).unwrap_err().feature, Feature::ConditionalEffect);
    let mut task = take_of_the_seed();
    task.goal = Condition::Exists(Vec::new(), Box::default());
    let refused = Program::new(&task).unwrap_err();
    assert_eq!((refused.feature, refused.place), (Feature::Quantifier, Where::Goal));
}

/// A task of any few actions over one or two predicates of each arity, by a fixed generator.
fn any_task(seed: u64) -> Lifted {
    let mut random = throng_base::SplitMix::new(seed);
    let mut below = move |n: usize| random.below(n);
    let objects = if seed.is_multiple_of(50) { &["a", "b", "c"][..] } else { &["a", "b"] };
    let predicates = [("p", 0), ("q", 1), ("q", 2), ("r", 1)];
    let mut literal = |terms: &[&str], n_negated: usize| {
        let (name, arity) = predicates[below(predicates.len())];
        let mut text = if below(3) < n_negated { "not ".to_string() } else { String::new() };
        text.push_str(name);
        for _ in 0..arity {
            text.push(' ');
            text.push_str(terms[below(terms.len())]);
        }
        (text, below(4))
    };
    let mut some = |terms: &[&str], most: usize, n_negated: usize| -> Vec<String> {
        let mut all = Vec::new();
        while all.len() < most {
            let (text, go_on) = literal(terms, n_negated);
            all.push(text);
            if go_on == 0 {
                break;
            }
        }
        all
    };
    fn words(all: &[String]) -> Vec<&str> {
        all.iter().map(String::as_str).collect()
    }
    let mut made = Made::new(objects, &predicates);
    for name in ["one", "two", "three"] {
        // Parameters more often than constants.
        let terms = ["?x", "?y", "?x", "?y", "a"];
        let (needs, does) = (some(&terms, 3, 1), some(&terms, 4, 1));
        made = made.action(name, &["?x", "?y"], &words(&needs), &words(&does));
    }
    let (start, goal) = (some(objects, 4, 0), some(objects, 3, 1));
    made.start(&words(&start), &words(&goal))
}

#[test]
fn any_small_task_has_the_answer_of_the_plain_search() {
    let (mut solved, mut proved) = (0, 0);
    for seed in 0..4_000 {
        let task = any_task(seed);
        let plan = plain::solve(&task, 100_000).unwrap().plan.map(|plan| plan.len());
        match Program::new(&task).unwrap().is_hopeless {
            true => assert_eq!(plan, None),
            false => check(&task, plan),
        }
        match plan {
            Some(_) => solved += 1,
            None => proved += 1,
        }
    }
    assert!(solved > 500 && proved > 500, "{solved} solved, {proved} proved impossible");
}
