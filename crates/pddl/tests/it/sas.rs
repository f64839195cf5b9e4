//! `.sas` read and written: the same task again, the same bytes again, and every mistake at its
//! line.

use throng_pddl::named::{NamedTask, VariableNames};
use throng_pddl::sas::{Limits, ReplayFailure, WriteSasError, read, replay, replay_until, write};
use throng_planner::forward::Atom;

/// Two rooms, a lamp, a derived "bright room": everything the format has, by hand.
const LAMP: &str = "begin_version
3
end_version
begin_metric
1
end_metric
3
begin_variable
var0
-1
3
Atom at(a)
Atom at(b)
<none of those>
end_variable
begin_variable
var1
-1
2
Atom lit()
NegatedAtom lit()
end_variable
begin_variable
var2
0
2
Atom bright-here()
NegatedAtom bright-here()
end_variable
1
begin_mutex_group
2
0 1
1 0
end_mutex_group
begin_state
0
1
1
end_state
begin_goal
2
2 0
0 1
end_goal
2
begin_operator
go a b
0
2
0 0 0 1
1 1 0 1 -1 1
7
end_operator
begin_operator
light-lamp
1
0 1
1
0 1 1 0
0
end_operator
1
begin_rule
2
0 1
1 0
2 1 0
end_rule
";

#[allow(clippy::expect_used, reason = "a test may panic")]
fn lamp() -> NamedTask {
    read(LAMP, &Limits::default()).expect("the lamp is a legal task")
}

#[test]
fn everything_is_read() {
    let named = lamp();
    let task = &named.task;
    assert_eq!(task.sizes(), [3, 2, 2]);
    assert_eq!(task.start(), [0, 1, 1]);
    assert_eq!(named.variables[0].values[2], "<none of those>");
    assert_eq!(named.operators.get(0), "go a b");
    assert_eq!(named.mutexes, [vec![atom(0, 1), atom(1, 0)]]);
    // The goal keeps the order of the file.
    assert_eq!(task.goal(), [atom(2, 0), atom(0, 1)]);
    assert_eq!((task.needs(0), task.sets(0)), (&[atom(0, 0)][..], &[atom(0, 1)][..]));
    let effects: Vec<_> = task.effects(0).collect();
    assert_eq!((effects[0].when, effects[0].sets), (&[atom(1, 0)][..], atom(1, 1)));
    assert_eq!((task.cost(0), task.cost(1)), (7000, 0));
    assert_eq!((task.layer(0), task.layer(2)), (None, Some(0)));
    assert_eq!(task.axioms().count(), 1);
}

#[test]
fn what_is_written_is_what_was_read() {
    let again = write(&lamp()).expect("it came from such a file");
    assert_eq!(again, LAMP);
    assert_eq!(read(&again, &Limits::default()).expect("our own"), lamp());
}

#[test]
fn blank_lines_other_line_ends_and_a_byte_order_mark_change_nothing() {
    let odd = format!("\u{feff}\n{}", LAMP.replace('\n', " \r\n\n"));
    assert_eq!(read(&odd, &Limits::default()).expect("white space"), lamp());
}

#[test]
fn without_a_metric_every_operator_counts_one() {
    let named = read(&LAMP.replace("metric\n1\n", "metric\n0\n"), &Limits::default()).expect("ok");
    assert!(!named.has_metric);
    assert_eq!((named.task.cost(0), named.task.cost(1)), (1000, 1000));
    let again = read(&write(&named).expect("it can"), &Limits::default()).expect("our own");
    assert_eq!(again, named);
}

#[test]
fn a_later_line_wins_over_earlier_ones() {
    // First a condition, then without: the latter always wins.
    let text = LAMP.replace("2\n0 0 0 1\n1 1 0 1 -1 1\n", "2\n1 1 0 0 -1 2\n0 0 0 1\n");
    let named = read(&text, &Limits::default()).expect("legal");
    assert_eq!(named.task.sets(0), [atom(0, 1)]);
    assert_eq!(named.task.effects(0).count(), 0);
    // The other way round both stay, and the order does too.
    let text = LAMP.replace("1 1 0 1 -1 1\n", "1 1 0 0 -1 2\n");
    let named = read(&text, &Limits::default()).expect("legal");
    assert_eq!(named.task.effects(0).count(), 1);
    assert_eq!(read(&write(&named).expect("ok"), &Limits::default()).expect("our own"), named);
}

/// A task of one operator with these effects, on variables of two values.
fn with_effects(n_variables: u32, n_effects: u32, line: impl Fn(u32) -> String) -> String {
    let mut text =
        format!("begin_version\n3\nend_version\nbegin_metric\n0\nend_metric\n{n_variables}\n");
    for at in 0..n_variables {
        text.push_str(&format!("begin_variable\nv{at}\n-1\n2\na\nb\nend_variable\n"));
    }
    text.push_str("0\nbegin_state\n");
    (0..n_variables).for_each(|_| text.push_str("0\n"));
    text.push_str(&format!(
        "end_state\nbegin_goal\n1\n0 1\nend_goal\n1\nbegin_operator\no\n0\n{n_effects}\n"
    ));
    (0..n_effects).for_each(|at| text.push_str(&format!("{}\n", line(at))));
    text.push_str("1\nend_operator\n0\n");
    text
}

#[test]
fn an_operator_with_very_many_effects_is_read_and_written() {
    // Quadratic work over so many effects would be ten thousand million steps.
    let size = 100_000;
    let text =
        with_effects(size, size, |at| format!("0 {at} {} 1", if at % 2 == 0 { 0 } else { -1 }));
    let named = read(&text, &Limits::default()).expect("a legal task");
    assert_eq!((named.task.sets(0).len(), named.task.needs(0).len()), (100_000, 50_000));
    assert_eq!(write(&named).expect("it came from such a file"), text);
    // Every line overrules the one before it.
    let text = with_effects(2, size, |at| {
        format!("{} 0 -1 {}", ["0", "1 1 0"][at as usize % 2], at / 2 % 2)
    });
    let named = read(&text, &Limits::default()).expect("a legal task");
    assert_eq!(named.task.sets(0), [atom(0, 1)]);
    let effects: Vec<_> =
        named.task.effects(0).map(|effect| (effect.when.to_vec(), effect.sets)).collect();
    assert_eq!(effects, [(vec![atom(1, 0)], atom(0, 1))]);
}

/// A chain of derived variables, the rules from its end to its beginning; each rule asks for
/// the variable before, in the same layer or in the one below.
fn chain(length: u32, layer: impl Fn(u32) -> u32) -> NamedTask {
    let mut named = NamedTask::default();
    named.task.add_variable(2, 0);
    (0..length).for_each(|at| _ = named.task.add_derived(2, 0, layer(at)));
    named.task.add_operator([].into_iter(), [atom(0, 1)].into_iter(), 1000);
    for at in (0..length).rev() {
        named.task.add_axiom([atom(at, 1)].into_iter(), atom(at + 1, 1));
    }
    named.task.set_goal([atom(length, 1)].into_iter());
    named
}

#[test]
fn long_chains_of_rules_are_followed_in_one_pass() {
    // Rounds over all rules would be ten thousand million steps.
    for named in [chain(100_000, |_| 0), chain(100_000, |at| at)] {
        assert_eq!(replay(&named, &[0]).map(|cost| cost.0), Ok(1000));
        assert_eq!(replay(&named, &[]), Err(ReplayFailure::Goal));
        assert_eq!(replay(&named, &[0, 1]), Err(ReplayFailure::Step(2)));
    }
}

#[test]
fn a_layer_sees_what_the_layers_below_it_came_to() {
    // v1 in layer 0 if v0; v2 in layer 1 if not v1; v3 in layer 1 if v2.
    let mut named = NamedTask::default();
    named.task.add_variable(2, 0);
    [0, 1, 1].into_iter().for_each(|layer| _ = named.task.add_derived(2, 0, layer));
    named.task.add_operator([].into_iter(), [atom(0, 1)].into_iter(), 1000);
    named.task.add_axiom([atom(2, 1)].into_iter(), atom(3, 1));
    named.task.add_axiom([atom(1, 0)].into_iter(), atom(2, 1));
    named.task.add_axiom([atom(0, 1)].into_iter(), atom(1, 1));
    named.task.set_goal([atom(3, 1)].into_iter());
    assert!(replay(&named, &[]).is_ok());
    assert_eq!(replay(&named, &[0]), Err(ReplayFailure::Goal));
}

#[test]
fn a_replay_that_is_stopped_judges_nothing() {
    let named = chain(3, |_| 0);
    let asked = std::cell::Cell::new(0);
    let stop_at = |most: u32| {
        asked.set(0);
        replay_until(&named, &[0, 0, 0], &|| {
            asked.set(asked.get() + 1);
            asked.get() > most
        })
    };
    assert_eq!(stop_at(2), None);
    assert_eq!(stop_at(3), Some(Ok(throng_domain::Cost(3000))));
}

#[test]
fn conditions_that_never_hold_drop_the_effect_only() {
    let text = LAMP.replace("1 1 0 1 -1 1\n", "2 1 0 1 1 0 -1 2\n");
    let named = read(&text, &Limits::default()).expect("legal");
    assert_eq!(named.task.effects(0).count(), 0);
    assert_eq!(named.task.n_operators(), 2);
}

#[test]
fn mistakes_are_named_at_their_line() {
    for (from, to, line, what) in [
        ("version\n3", "version\n2", 2, "version 2 is not understood"),
        ("metric\n1", "metric\n7", 5, "the metric cannot be `7`"),
        ("end_metric\n3", "end_metric\n999999999", 7, "999999999 variables, at most"),
        ("end_metric\n3", "end_metric\n100000", 7, "the text is too short"),
        ("end_metric\n3", "end_metric\n-3", 7, "the number of variables cannot be `-3`"),
        ("end_metric\n3", "end_metric\n4", 30, "expected `begin_variable`, found `1`"),
        ("0\n2\nAtom bright", "0\n3\nAtom extra\nAtom bright", 26, "has 3 values"),
        ("begin_state\n0\n", "begin_state\n3\n", 37, "variable `var0` has no value 3"),
        ("begin_state\n0\n", "begin_state\nx\n", 37, "the value cannot be `x`"),
        ("begin_goal\n2\n2 0\n0 1", "begin_goal\n2\n0 0\n0 1", 44, "needs two values of"),
        ("0 0 0 1\n", "0 9 0 1\n", 51, "there is no variable 9"),
        ("0 0 0 1\n", "0 2 -1 0\n", 51, "sets derived variable `var2`"),
        ("0 0 0 1\n", "0 0 0 1 1\n", 51, "`1` is too much"),
        ("0 0 0 1\n", "0 0 0\n", 51, "the value is missing"),
        ("0 0 0 1\n", "99999999999 0 0 1\n", 51, "is missing in"),
        ("\n7\nend_operator", "\n-1\nend_operator", 53, "the cost cannot be `-1`"),
        ("\n7\nend_operator", "\n2147483648\nend_operator", 53, "is too large"),
        ("2 1 0\nend_rule", "2 0 1\nend_rule", 68, "from its default"),
        ("2 1 0\nend_rule", "1 1 0\nend_rule", 68, "which is not derived"),
        ("1 0\n2 1 0\nend_rule", "2 1\n2 1 0\nend_rule", 68, "before it is decided"),
        ("end_rule\n", "", 68, "the text ends here, and `end_rule` is missing"),
        ("end_rule\n", "end_rule\nmore\n", 70, "expected the end of the file"),
    ] {
        let text = LAMP.replacen(from, to, 1);
        assert_ne!(text, LAMP, "{from:?} is not in the text");
        let error = read(&text, &Limits::default()).expect_err(what);
        assert!(error.what.contains(what), "{what:?} was expected: {error}");
        assert_eq!(error.line, line, "{error}");
        assert!(!error.cure.is_empty());
    }
}

#[test]
fn limits_hold_before_anything_is_built() {
    let check = |limits: Limits, what: &str| {
        let error = read(LAMP, &limits).expect_err(what);
        assert!(error.what.contains("are allowed"), "{error}");
    };
    let all = Limits::default();
    check(Limits { text_bytes: 10, ..all }, "bytes");
    check(Limits { variables: 2, ..all }, "variables");
    check(Limits { values: 2, ..all }, "values");
    check(Limits { operators: 1, ..all }, "operators");
    check(Limits { rules: 0, ..all }, "rules");
    check(Limits { mutexes: 0, ..all }, "mutexes");
}

#[test]
fn what_has_no_words_is_refused_with_the_reason() {
    let check = |spoil: &dyn Fn(&mut NamedTask), why: &dyn Fn(&WriteSasError) -> bool| {
        let mut named = lamp();
        spoil(&mut named);
        let reason = write(&named).expect_err("it is spoilt");
        assert!(why(&reason), "{reason:?}");
        assert!(!reason.to_string().is_empty());
    };
    check(&|n| n.task.set_goal(std::iter::empty()), &|r| *r == WriteSasError::NoGoal);
    check(&|n| n.variables[0].name = String::new(), &|r| matches!(r, WriteSasError::Name(_)));
    let two_lines = "a\nb".to_owned();
    check(&|n| n.variables[0].values[1].clone_from(&two_lines), &|r| {
        matches!(r, WriteSasError::Name(_))
    });
    check(&|n| n.variables[0] = VariableNames::default(), &|r| *r == WriteSasError::Nameless);
    let add = |named: &mut NamedTask, cost| {
        named.task.add_operator(std::iter::empty(), std::iter::empty(), cost);
        named.operators.push("more");
    };
    check(&|n| add(n, 1500), &|r| matches!(r, WriteSasError::Fraction(..)));
    check(&|n| add(n, 3_000_000_000_000), &|r| matches!(r, WriteSasError::TooLarge(..)));
}

/// Texts spoilt at random: whatever is read again is written and read the same, the rest is an
/// error, and nothing panics.
#[test]
fn spoilt_texts_are_errors_or_tasks() {
    let mut random = throng_base::SplitMix::new(1);
    let mut random = |below: usize| random.below(below);
    let (mut tasks, mut errors) = (0, 0);
    for _ in 0..30_000 {
        let mut lines: Vec<String> = LAMP.lines().map(str::to_owned).collect();
        for _ in 0..=random(3) {
            let at = random(lines.len());
            match random(5) {
                0 => drop(lines.remove(at)),
                1 => lines.insert(at, random(4).to_string()),
                2 => lines[at] = format!("{} {}", random(3), random(3)),
                3 => {
                    let other = random(lines.len());
                    lines.swap(at, other);
                }
                _ => lines[at] = lines[at].chars().rev().collect(),
            }
        }
        match read(&lines.join("\n"), &Limits::default()) {
            Err(error) => {
                assert!(error.line <= lines.len(), "{error}");
                errors += 1;
            }
            Ok(named) => {
                tasks += 1;
                if named.task.goal().is_empty() {
                    continue;
                }
                let text = write(&named).expect("it was read");
                let again = read(&text, &Limits::default()).expect("our own");
                assert_eq!(again, named);
                assert_eq!(write(&again).expect("it was written before"), text);
            }
        }
    }
    assert!(tasks > 500 && errors > 500, "{tasks} tasks and {errors} errors");
}

fn atom(variable: u32, value: u16) -> Atom {
    Atom { variable, value }
}
