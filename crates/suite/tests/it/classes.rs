//! The classes that are decided at load are what their definitions say.
//!
//! In:   random domains of all kinds, and random domains of moves, where the finer classes differ.
//! Out:  the class report of every NPC type against the plain twin below.
//!
//! The twin reads the model, not the compiled tables, and follows the definitions to the letter:
//! sets, all pairs, and reachability by repetition. What a report promises about repeated actions
//! is held against the oracle's shortest plans.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

use std::collections::BTreeSet;
use throng_base::SplitMix;
use throng_check::{CheckContext, Question};
use throng_domain::compile::CompiledDomain;
use throng_domain::model::{Action, Fact, NpcType};
use throng_domain::{Format, Model};
use throng_lab::corpus::load_text;
use throng_planner::classes::{Class, ClassReport, Repetition, classify};
use throng_suite::oracle;
use throng_suite::random::instance;

#[test]
fn random_domains_are_in_the_classes_that_the_definitions_say() {
    let mut seen = Seen::default();
    for seed in 0..3_000 {
        let model = instance(seed).load().model.unwrap();
        check(&model, &format!("instance {seed}"), &mut seen);
    }
    for class in Class::ALL {
        assert!(seen.held(class) > 20 && seen.failed(class) > 20, "{class:?}: {seen:?}");
    }
}

#[test]
fn random_moves_are_in_the_classes_that_the_definitions_say() {
    let mut seen = Seen::default();
    for seed in 0..6_000 {
        let text = moves(&mut SplitMix::new(seed));
        check(&read(&text), &text, &mut seen);
    }
    for class in &Class::ALL[2..] {
        assert!(seen.held(*class) > 100 && seen.failed(*class) > 100, "{class:?}: {seen:?}");
    }
    assert!(seen.only_printed > 20, "{seen:?}");
    assert!(seen.strict_but_not_nested > 20, "{seen:?}");
}

#[test]
fn classes_are_inherited_by_every_subset_of_the_actions() {
    for seed in 0..400 {
        let mut dice = SplitMix::new(seed);
        let text = moves(&mut dice);
        let all = report_of(&read(&text));
        for _ in 0..8 {
            let kept = text.lines().filter(|line| !line.starts_with("action") || dice.percent(70));
            let part = report_of(&read(&kept.map(|line| format!("{line}\n")).collect::<String>()));
            for class in Class::ALL.into_iter().filter(|&class| all.holds(class)) {
                assert!(part.holds(class), "{class:?} is lost by taking actions from\n{text}");
            }
            assert!(part.c2_star_as_printed() || !all.c2_star_as_printed(), "{text}");
            assert!(part.repetition() <= all.repetition(), "{text}");
        }
    }
}

#[test]
fn smaller_classes_lie_in_larger_ones() {
    let implied = [
        (Class::C0, Class::C2S),
        (Class::C2S, Class::C2Star),
        (Class::C2S, Class::Nested),
        (Class::C2S, Class::OnePerCycle),
        (Class::Nested, Class::C2Star),
    ];
    for seed in 0..2_000 {
        let text = moves(&mut SplitMix::new(seed));
        let report = report_of(&read(&text));
        for (small, large) in implied {
            assert!(!report.holds(small) || report.holds(large), "{small:?} {large:?}\n{text}");
        }
        assert!(!report.holds(Class::C2Star) || report.c2_star_as_printed(), "{text}");
        assert!(!report.holds(Class::SingleValued) || report.holds(Class::OnePerCycle), "{text}");
        let once = report.holds(Class::C2Star);
        assert_eq!(report.repetition() == Repetition::Once, once, "{text}");
    }
}

/// Known starts, total and partial goals. The oracle's plan is one of the shortest; the promise
/// is about all of them, so one that repeats more is a counterexample.
#[test]
fn no_shortest_plan_repeats_an_action_more_often_than_promised() {
    let mut most = [0; 3];
    let mut plans = [0; 3];
    for seed in 0..20_000 {
        let mut dice = SplitMix::new(seed);
        let text = moves(&mut dice);
        let model = read(&text);
        let report = report_of(&model);
        let from = any_facts(&model, 100, &mut dice);
        let share = *dice.pick(&[100, 60, 30]);
        let to = any_facts(&model, share, &mut dice);
        let context = CheckContext::Without(&[]);
        let question =
            Question { npc: "moves", from: &from, to: &to, context, ..Question::default() };
        let Some(plan) = oracle::cheapest_plan(&model, &question, 100_000).unwrap() else {
            continue;
        };
        let times = |action: &String| plan.iter().filter(|other| *other == action).count();
        let repeated = plan.iter().map(times).max().unwrap_or(0);
        let promised = report.repetition();
        let bound = match promised {
            Repetition::Once => 1,
            Repetition::Twice => 2,
            Repetition::Unbounded => usize::MAX,
        };
        assert!(repeated <= bound, "{promised:?}: {plan:?} from {from:?} to {to:?}\n{text}");
        plans[promised as usize] += 1;
        most[promised as usize] = repeated.max(most[promised as usize]);
    }
    eprintln!("plans {plans:?}, most repetitions {most:?}");
    assert!(plans.iter().all(|&count| count > 50), "{plans:?}");
    assert_eq!(most[..2], [1, 2], "the bounds are reached");
    assert!(most[2] > 1, "without a bound, actions are repeated");
}

/// A value for so many in a hundred of the variables, by name.
fn any_facts(model: &Model, chance: usize, dice: &mut SplitMix) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    for variable in model.variables() {
        if dice.percent(chance) {
            let value = dice.pick(variable.values()).clone();
            facts.push((variable.name().to_string(), value));
        }
    }
    facts
}

/// Many lamps, each needed on and off, all along one chain: one search of the graph for each
/// would be felt here, though nothing measures it.
#[test]
fn a_huge_type_keeps_few_violations_and_counts_all() {
    let n = 10_000;
    let mut text = String::from("domain huge\n");
    for at in 0..n {
        text.push_str(&format!("var l{at}: off, on\nvar d{at}: no, yes\nvar e{at}: no, yes\n"));
        text.push_str(&format!(
            "action on{at}: l{at} off -> on\naction out{at}: l{at} on -> off\n"
        ));
        text.push_str(&format!("action d{at}: d{at} no -> yes while l{at} = on\n"));
        text.push_str(&format!("action e{at}: e{at} no -> yes while l{at} = off\n"));
    }
    // The first and the last lamp are linked around all others; nothing else is.
    let chain = (1..n).map(|at| format!("action c{at}: d{at} yes -> no while d{} = yes\n", at - 1));
    text.extend(chain);
    let report = report_of(&read(&text));
    assert!(report.holds(Class::C2Star) && report.holds(Class::Nested));
    assert_eq!(report.n_violations(Class::OnePerCycle), n);
    assert!(report.violations().len() < 200, "few are kept, all are counted");
    text.push_str(&format!("action x: e0 yes -> no while d{} = yes\n", n - 1));
    let report = report_of(&read(&text));
    assert_eq!(report.n_violations(Class::C2Star), 1);
}

// --- comparison ------------------------------------------------------------------

#[derive(Debug, Default)]
struct Seen {
    held: [usize; 9],
    failed: [usize; 9],
    only_printed: usize,
    strict_but_not_nested: usize,
}

impl Seen {
    fn held(&self, class: Class) -> usize {
        self.held[class as usize]
    }

    fn failed(&self, class: Class) -> usize {
        self.failed[class as usize]
    }

    fn count(&mut self, report: &ClassReport) {
        for class in Class::ALL {
            let counts = if report.holds(class) { &mut self.held } else { &mut self.failed };
            counts[class as usize] += 1;
        }
        let strict = report.holds(Class::C2Star);
        self.only_printed += usize::from(report.c2_star_as_printed() && !strict);
        self.strict_but_not_nested += usize::from(strict && !report.holds(Class::Nested));
    }
}

fn check(model: &Model, what: &str, seen: &mut Seen) {
    let compiled = CompiledDomain::new(model);
    for (npc, compiled) in model.npcs().iter().zip(compiled.npcs()) {
        let twin = Twin::new(model, npc);
        let report = &classify(compiled);
        let expected = [
            (Class::Unary, twin.is_unary()),
            (Class::PostUnique, twin.is_post_unique()),
            (Class::SingleValued, twin.is_single_valued()),
            (Class::Binary, twin.is_binary()),
            (Class::C0, twin.are_moves() && twin.is_c0()),
            (Class::C2S, twin.are_moves() && twin.is_c2() && twin.is_one_per_cycle()),
            (Class::C2Star, twin.are_moves() && twin.is_c2_star()),
            (Class::Nested, twin.are_moves() && twin.is_c2_star() && twin.is_nested()),
            (Class::OnePerCycle, twin.are_moves() && twin.is_one_per_cycle()),
        ];
        for (class, holds) in expected {
            assert_eq!(report.holds(class), holds, "{class:?} of {} in {what}", npc.name());
            // Whatever fails is told, with a place and words.
            let told = report.violations().iter().filter(|violation| violation.class() == class);
            assert_eq!(told.count() > 0, !holds, "{class:?} of {} in {what}", npc.name());
        }
        let printed = twin.are_moves() && twin.is_c2_star_as_printed();
        assert_eq!(report.c2_star_as_printed(), printed, "{} in {what}", npc.name());
        seen.count(report);
    }
}

fn read(text: &str) -> Model {
    let loaded = load_text(text, Format::Npc);
    loaded.model.unwrap_or_else(|| panic!("{text}"))
}

fn report_of(model: &Model) -> ClassReport {
    classify(&CompiledDomain::new(model).npcs()[0])
}

/// A random domain in which all actions are moves with values of their own, one line each.
fn moves(dice: &mut SplitMix) -> String {
    // Few switches with a need each: where pairs are needed both ways and want things themselves.
    let tight = dice.percent(40);
    let n_variables = if tight { dice.within(3, 4) } else { dice.within(2, 6) };
    let most_needs = if tight { 2 } else { dice.within(1, 2) };
    let chance = if tight { 60 } else { *dice.pick(&[25, 45, 70]) };
    let size = |dice: &mut SplitMix| if tight { 2 } else { *dice.pick(&[2, 2, 2, 3, 4]) };
    let sizes: Vec<usize> = (0..n_variables).map(|_| size(dice)).collect();
    let mut text = String::from("domain moves\n");
    for (variable, &size) in sizes.iter().enumerate() {
        let values: Vec<String> = (0..size).map(|value| format!("x{value}")).collect();
        text.push_str(&format!("var v{variable}: {}\n", values.join(", ")));
    }
    for (variable, &size) in sizes.iter().enumerate() {
        for to in (0..size).filter(|_| dice.percent(75)).collect::<Vec<_>>() {
            let from = (to + dice.within(1, size - 1)) % size;
            let from =
                if size == 2 && dice.percent(15) { String::new() } else { format!("x{from} ") };
            text.push_str(&format!("action a{variable}_{to}: v{variable} {from}-> x{to}"));
            let others: Vec<usize> = dice.some_of(n_variables, most_needs);
            let needs = others.into_iter().filter(|&other| other != variable);
            let needs: Vec<String> = needs
                .filter(|_| dice.percent(chance))
                .collect::<Vec<_>>()
                .into_iter()
                .map(|other| format!("v{other} = x{}", dice.below(sizes[other])))
                .collect();
            if !needs.is_empty() {
                text.push_str(&format!("  while {}", needs.join(", ")));
            }
            text.push('\n');
        }
    }
    text
}

// --- the plain twin ----------------------------------------------------------------

/// One NPC type, seen through its definitions.
struct Twin<'m> {
    model: &'m Model,
    npc: &'m NpcType,
    actions: Vec<&'m Action>,
}

impl<'m> Twin<'m> {
    fn new(model: &'m Model, npc: &'m NpcType) -> Self {
        let actions = npc.can().iter().map(|id| &model.actions()[id.index()]).collect();
        Twin { model, npc, actions }
    }

    fn size(&self, variable: usize) -> usize {
        self.model.variables()[variable].values().len()
    }

    fn n_variables(&self) -> usize {
        self.model.variables().len()
    }

    /// What must hold during an action, as (variable, value).
    fn during(&self, action: &Action) -> BTreeSet<(usize, usize)> {
        let sets = |need: &&Fact| action.sets().iter().any(|set| set.variable == need.variable);
        let needs = action.requires().iter().filter(|need| !sets(need));
        needs.map(|need| (need.variable.index(), need.value.index())).collect()
    }

    /// Variable, from, to of a move.
    fn change(&self, action: &Action) -> (usize, usize, usize) {
        let set = action.sets()[0];
        let own = action.requires().iter().find(|need| need.variable == set.variable);
        let from = own.map_or_else(|| 1 - set.value.index(), |need| need.value.index());
        (set.variable.index(), from, set.value.index())
    }

    fn is_unary(&self) -> bool {
        self.actions.iter().all(|action| {
            let [set] = action.sets() else { return false };
            let told = action.requires().iter().any(|need| need.variable == set.variable);
            told || self.size(set.variable.index()) == 2
        })
    }

    fn is_post_unique(&self) -> bool {
        let pairs = |at: usize| self.actions[at + 1..].iter().map(move |other| (at, other));
        (0..self.actions.len()).flat_map(pairs).all(|(at, other)| {
            self.actions[at].sets().iter().all(|set| !other.sets().contains(set))
        })
    }

    fn are_moves(&self) -> bool {
        self.is_unary() && self.is_post_unique()
    }

    fn is_single_valued(&self) -> bool {
        let all: BTreeSet<_> = self.actions.iter().flat_map(|a| self.during(a)).collect();
        all.iter().all(|&(v, x)| all.iter().all(|&(w, y)| v != w || x == y))
    }

    fn is_binary(&self) -> bool {
        let of_actions = self.actions.iter().flat_map(|a| a.requires().iter().chain(a.sets()));
        let goals = self.npc.wants().iter().map(|id| &self.model.goals()[id.index()]);
        let facts = of_actions.chain(goals.flat_map(|goal| goal.wants())).chain(self.npc.starts());
        facts.into_iter().all(|fact| self.size(fact.variable.index()) <= 2)
    }

    fn is_requested(&self, fact: (usize, usize)) -> bool {
        self.actions.iter().any(|action| self.during(action).contains(&fact))
    }

    /// Definition 2: each loop of a variable as the set of its values.
    fn cycles(&self) -> BTreeSet<(usize, BTreeSet<usize>)> {
        let mut cycles = BTreeSet::new();
        for variable in 0..self.n_variables() {
            for begin in 0..self.size(variable) {
                let (mut at, mut passed) = (begin, BTreeSet::new());
                loop {
                    let setter = self.actions.iter().map(|a| self.change(a));
                    let mut into = setter.filter(|&(v, _, to)| v == variable && to == at);
                    let Some((_, from, _)) = into.next() else { break };
                    if !passed.insert(at) {
                        break;
                    }
                    at = from;
                    if at == begin {
                        cycles.insert((variable, passed));
                        break;
                    }
                }
            }
        }
        cycles
    }

    fn n_requested(&self, variable: usize, cycle: &BTreeSet<usize>) -> usize {
        cycle.iter().filter(|&&value| self.is_requested((variable, value))).count()
    }

    fn is_c0(&self) -> bool {
        self.cycles().iter().all(|(variable, cycle)| self.n_requested(*variable, cycle) == 0)
    }

    fn is_c2(&self) -> bool {
        let cycles = self.cycles();
        cycles.iter().all(|(v, cycle)| self.n_requested(*v, cycle) == 0 || cycle.len() <= 2)
    }

    fn is_one_per_cycle(&self) -> bool {
        self.cycles().iter().all(|(variable, cycle)| self.n_requested(*variable, cycle) <= 1)
    }

    /// Loops of two with both values requested: variable, one value, the other.
    fn on_off(&self) -> Vec<(usize, usize, usize)> {
        let cycles = self.cycles().into_iter();
        let both = cycles.filter(|(v, c)| c.len() == 2 && self.n_requested(*v, c) == 2);
        both.map(|(v, c)| (v, *c.first().unwrap(), *c.last().unwrap())).collect()
    }

    fn requesters(&self, fact: (usize, usize)) -> Vec<usize> {
        let all = 0..self.actions.len();
        all.filter(|&action| self.during(self.actions[action]).contains(&fact)).collect()
    }

    /// Which variables hang together in the undirected causal graph without one of them.
    fn together_without(&self, without: usize) -> Vec<Vec<bool>> {
        let mut links = Vec::new();
        for action in &self.actions {
            let (moved, _, _) = self.change(action);
            links.extend(self.during(action).into_iter().map(|(needed, _)| (moved, needed)));
        }
        links.retain(|&(a, b)| a != without && b != without);
        closure(self.n_variables(), &links)
    }

    fn is_c2_star(&self) -> bool {
        let moved = |action: usize| self.change(self.actions[action]).0;
        self.is_c2()
            && self.on_off().into_iter().all(|(v, one, other)| {
                let together = self.together_without(v);
                self.requesters((v, one)).into_iter().all(|x| {
                    let others = self.requesters((v, other));
                    others.into_iter().all(|y| !together[moved(x)][moved(y)])
                })
            })
    }

    /// Definition 7: the action graph without the actions of the variable.
    fn is_c2_star_as_printed(&self) -> bool {
        self.is_c2()
            && self.on_off().into_iter().all(|(v, one, other)| {
                let mut links = Vec::new();
                for (b, needing) in self.actions.iter().enumerate() {
                    let (moved, from, _) = self.change(needing);
                    for (a, setting) in self.actions.iter().enumerate() {
                        let (variable, _, to) = self.change(setting);
                        let pre = variable == moved && to == from;
                        let prevail = self.during(needing).contains(&(variable, to));
                        if (pre || prevail) && variable != v && moved != v {
                            links.push((a, b));
                        }
                    }
                }
                let related = closure(self.actions.len(), &links);
                self.requesters((v, one))
                    .into_iter()
                    .all(|x| self.requesters((v, other)).into_iter().all(|y| !related[x][y]))
            })
    }

    fn is_nested(&self) -> bool {
        self.on_off().into_iter().all(|(v, one, other)| {
            let together = self.together_without(v);
            let requesters = [self.requesters((v, one)), self.requesters((v, other))].concat();
            let needs_of = |to: usize| {
                let setter = self.actions.iter().find(|a| {
                    let (variable, _, its) = self.change(a);
                    (variable, its) == (v, to)
                });
                self.during(setter.unwrap())
            };
            requesters.into_iter().all(|action| {
                let moved = self.change(self.actions[action]).0;
                let here = |needs: BTreeSet<(usize, usize)>| -> BTreeSet<(usize, usize)> {
                    needs.into_iter().filter(|&(w, _)| together[moved][w]).collect()
                };
                let (ones, others) = (here(needs_of(one)), here(needs_of(other)));
                ones.is_subset(&others) || others.is_subset(&ones)
            })
        })
    }
}

/// Which nodes hang together, links taken both ways.
fn closure(n: usize, links: &[(usize, usize)]) -> Vec<Vec<bool>> {
    let mut together = vec![vec![false; n]; n];
    (0..n).for_each(|node| together[node][node] = true);
    for &(a, b) in links {
        together[a][b] = true;
        together[b][a] = true;
    }
    for middle in 0..n {
        for a in 0..n {
            for b in 0..n {
                together[a][b] |= together[a][middle] && together[middle][b];
            }
        }
    }
    together
}
