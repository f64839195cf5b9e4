//! A ground task that counts as one of our domains, in the JSON twin.
//!
//! In:   a task that counts.
//! Out:  the text of a domain with amounts, one NPC and one goal, and which action is which
//!       operator; or every reason why there is none.
//! Cost: linear in the text.
//!
//! A domain's amounts have ends. Where the task's conditions do not say them, they are assumed, and
//! told: a plan of the domain is a plan of the task, but one that goes beyond is not found.
//! Numbers that stand still are put into the conditions that ask for them.

use super::bounds::{Bounds, Ends, WIDEST};
use super::cases::{Case, Move, cases};
use super::names::Free;
use super::to_domain::{Facts, action_name, legal, listed, names_of, obstacles, separator};
use crate::counted::{CountedTask, NumberRun, NumberTest, both};
use crate::text::Growing;
use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Write};
use throng_domain::Cost;
use throng_domain::amounts::MOST_RUNS;
use throng_domain::names::is_npc_name;
use throng_planner::forward::{Atom, Rule};

/// So many actions one operator may become.
const MOST_CASES: usize = 64;
/// So many rules upon rules are followed.
const MOST_DEPTH: usize = 8;
/// So many actions a domain is given.
const MOST_ACTIONS: usize = 60_000;
/// A variable that never has its second value.
const NEVER: &str = "never";

/// A domain made of a task.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CountedDomain {
    /// Its text, in the JSON twin.
    pub text: String,
    /// Each action's name and the operator that it is.
    pub actions: Vec<(String, u32)>,
    /// What was assumed, in words: of numbers without an end.
    pub assumed: Vec<String>,
}

/// Writes a task that counts as the JSON twin of a domain; `None` if `stop`, asked now and then,
/// said so before all was written.
///
/// # Errors
///
/// What our domains cannot say, all of it.
pub fn to_counted_domain_until(
    task: &CountedTask,
    name: &str,
    stop: &dyn Fn() -> bool,
) -> Result<Option<CountedDomain>, Vec<String>> {
    let mut reasons = obstacles(&task.named, |_| true);
    let bounds = Bounds::new(task);
    let both_move = task.tests.values().filter_map(|test| match *test {
        NumberTest::Compare(a, _, b)
            if bounds.is_changed[a as usize] && bounds.is_changed[b as usize] =>
        {
            let name = |at: u32| &task.numbers[at as usize].name;
            Some(format!("{} and {}", name(a), name(b)))
        }
        _ => None,
    });
    let both_move: Vec<String> = both_move.collect();
    if !both_move.is_empty() {
        let which = listed(both_move.iter().map(String::as_str));
        reasons.push(format!("{which}: compared, and both change; in a domain one stands still"));
    }
    if task.tests.values().any(|test| matches!(test, NumberTest::Words(..))) {
        reasons.push("a condition has alternatives of words".to_owned());
    }
    let ends = bounds.ends();
    for (number, ends) in task.numbers.iter().zip(&ends) {
        if let Some(Ends { low, high, .. }) = ends.filter(|it| it.high - it.low > WIDEST) {
            let name = &number.name;
            reasons.push(format!(
                "`{name}`: goes from {low} to {high}, and a domain's amounts are at most {WIDEST} \
                 wide; count in hundreds"
            ));
        }
    }
    if !reasons.is_empty() {
        return Err(reasons);
    }
    let mut free = Free::without(NEVER);
    let amounts = task.numbers.iter().map(|number| {
        let own = legal(&number.name, is_npc_name);
        free.take(own.clone(), |at| format!("{own}_{at}"))
    });
    let amounts: Vec<String> = amounts.collect();
    let mut writer = Writer {
        task,
        rules: Rules::new(task),
        bounds,
        names: names_of(&task.named, &mut free),
        amounts,
        ends,
        actions: Vec::new(),
        reasons,
    };
    let mut text = Growing::new(usize::MAX, stop);
    // Writing fails only if the caller says stop.
    let _ = writer.all(&mut text, &super::names::plain(name, '_'));
    if !writer.reasons.is_empty() {
        return Err(writer.reasons);
    }
    let assumed = writer.assumed();
    let actions = writer.actions;
    Ok(text.finished().map(|text| CountedDomain { text, actions, assumed }))
}

struct Writer<'t> {
    task: &'t CountedTask,
    rules: Rules<'t>,
    bounds: Bounds<'t>,
    names: Vec<(String, Vec<String>)>,
    amounts: Vec<String>,
    /// Per number, if it changes.
    ends: Vec<Option<Ends>>,
    actions: Vec<(String, u32)>,
    reasons: Vec<String>,
}

/// The rules of a task, by what they derive.
struct Rules<'t> {
    task: &'t CountedTask,
    by_variable: HashMap<u32, Vec<Rule<'t>>>,
}

impl<'t> Rules<'t> {
    fn new(task: &'t CountedTask) -> Self {
        let mut by_variable: HashMap<u32, Vec<Rule<'t>>> = HashMap::new();
        for rule in task.named.task.axioms() {
            by_variable.entry(rule.sets.variable).or_default().push(rule);
        }
        Rules { task, by_variable }
    }

    /// Every way to have all of some facts, without derived ones; `None` if there are too many, or
    /// one is that a derived fact does not hold.
    fn expand(&self, atoms: &[Atom], depth: usize) -> Option<Vec<Vec<Atom>>> {
        let mut ways: Vec<Vec<Atom>> = vec![Vec::new()];
        for &atom in atoms {
            let is_word = self.task.named.task.layer(atom.variable).is_none();
            if is_word || self.task.tests.contains_key(&atom.variable) {
                ways.iter_mut().for_each(|way| way.push(atom));
                continue;
            }
            let is_default = self.task.named.task.start()[atom.variable as usize] == atom.value;
            if is_default || depth >= MOST_DEPTH {
                return None;
            }
            let mut options = Vec::new();
            for rule in self.by_variable.get(&atom.variable).into_iter().flatten() {
                options.extend(self.expand(rule.when, depth + 1)?);
                if options.len() > MOST_CASES {
                    return None;
                }
            }
            let longer = ways
                .iter()
                .flat_map(|way| options.iter().map(move |option| [&way[..], &option[..]].concat()));
            ways = longer.take(MOST_CASES + 1).collect();
            if ways.len() > MOST_CASES {
                return None;
            }
        }
        // What asks for two values of one variable is no way.
        ways.iter_mut().for_each(|way| way.sort_unstable());
        ways.iter_mut().for_each(|way| way.dedup());
        let clashes =
            |way: &Vec<Atom>| way.windows(2).any(|two| two[0].variable == two[1].variable);
        ways.retain(|way| !clashes(way));
        Some(ways)
    }
}

/// The values that are asked of numbers.
type Sets = BTreeMap<u32, Vec<NumberRun>>;

impl Writer<'_> {
    fn all(&mut self, text: &mut Growing<'_>, name: &str) -> fmt::Result {
        let task = &self.task.named.task;
        write!(text, "{{\"throng\": 1, \"domain\": \"{name}\",\n \"variables\": [")?;
        let words = (0..self.names.len() as u32).filter(|&at| task.layer(at).is_none());
        let words: Vec<u32> = words.collect();
        let mut n_written = 0;
        for &variable in &words {
            let (name, values) = &self.names[variable as usize];
            let (at, values) = (separator(n_written), values.join("\", \""));
            write!(text, "{at}{{\"name\": \"{name}\", \"values\": [\"{values}\"]}}")?;
            n_written += 1;
        }
        for (name, ends) in self.amounts.iter().zip(&self.ends) {
            let Some(Ends { low, high, .. }) = ends else { continue };
            let at = separator(n_written);
            write!(text, "{at}{{\"name\": \"{name}\", \"range\": [{low}, {high}]}}")?;
            n_written += 1;
        }
        let goals = self.alternatives(task.goal(), || "the goal".to_owned());
        let goals: Vec<String> = goals.iter().filter_map(|wants| self.goal(wants)).collect();
        if goals.is_empty() {
            let at = separator(n_written);
            write!(text, "{at}{{\"name\": \"{NEVER}\", \"values\": [\"no\", \"yes\"]}}")?;
        }
        write!(text, "],\n \"actions\": [")?;
        let mut free = Free::default();
        for operator in 0..task.n_operators() as u32 {
            self.operator(text, operator, &mut free)?;
        }
        self.goals(text, &goals)?;
        let can = self.actions.iter().map(|(name, _)| format!("\"{name}\""));
        let can = can.collect::<Vec<_>>().join(", ");
        let mut starts: Vec<String> = Vec::new();
        for &variable in &words {
            let atom = [Atom { variable, value: task.start()[variable as usize] }];
            let fact = Facts(&atom, &self.names).to_string();
            starts.push(fact.trim_matches(['{', '}']).to_owned());
        }
        for (at, name) in self.amounts.iter().enumerate().filter(|(at, _)| self.ends[*at].is_some())
        {
            starts.push(format!("\"{name}\": \"{}\"", self.task.numbers[at].start));
        }
        if goals.is_empty() {
            starts.push(format!("\"{NEVER}\": \"no\""));
        }
        let names: Vec<String> =
            (0..goals.len().max(1)).map(|at| format!("\"{}\"", goal_name(at))).collect();
        write!(text, "],\n \"npcs\": [\n  {{\"name\": \"npc\", \"can\": [{can}], \"wants\": [")?;
        writeln!(text, "{}], \"starts\": {{{}}}}}]}}", names.join(", "), starts.join(", "))
    }

    fn goals(&self, text: &mut Growing<'_>, goals: &[String]) -> fmt::Result {
        write!(text, "],\n \"goals\": [")?;
        let serves = if goals.len() > 1 { ", \"serves\": \"any\"" } else { "" };
        for (at, wants) in goals.iter().enumerate() {
            let name = goal_name(at);
            write!(text, "{}{{\"name\": \"{name}\", {wants}{serves}}}", separator(at))?;
        }
        if goals.is_empty() {
            let name = goal_name(0);
            write!(text, "{{\"name\": \"{name}\", \"wants\": {{\"{NEVER}\": \"yes\"}}}}")?;
        }
        Ok(())
    }

    /// Facts in which nothing is derived any more, one list for each way to have them.
    fn alternatives(&mut self, atoms: &[Atom], of: impl FnOnce() -> String) -> Vec<Vec<Atom>> {
        let alternatives = self.rules.expand(atoms, 0);
        alternatives.unwrap_or_else(|| {
            let of = of();
            let why = "asks for what rules derive in too many ways, or for its opposite; in a \
                       domain only actions set values";
            self.reasons.push(format!("`{of}`: {why}"));
            Vec::new()
        })
    }

    /// What an alternative of the goal asks for; `None` if it never can hold.
    fn goal(&mut self, wants: &[Atom]) -> Option<String> {
        let (words, sets) = self.asked(wants)?;
        if words.is_empty() && sets.is_empty() {
            self.reasons.push("the goal is satisfied whatever is done".to_owned());
        }
        let words = Facts(&words, &self.names).to_string();
        Some(format!("\"wants\": {words}{}", self.ranges(&sets)))
    }

    /// Facts about words, and the values asked of numbers that change; `None` if they never can
    /// hold together.
    fn asked(&self, atoms: &[Atom]) -> Option<(Vec<Atom>, Sets)> {
        let words = atoms.iter().copied();
        let words = words.filter(|atom| !self.task.tests.contains_key(&atom.variable));
        let mut sets = Sets::new();
        for atom in atoms {
            let numbers = match self.task.tests.get(&atom.variable) {
                Some(&NumberTest::In(number, _)) => [Some(number), None],
                Some(&NumberTest::Compare(one, _, other)) => [Some(one), Some(other)],
                _ => [None, None],
            };
            for number in numbers.into_iter().flatten() {
                let Some(allowed) = self.bounds.allowed(number, *atom) else { continue };
                let within = match self.ends[number as usize] {
                    Some(ends) => ends.run(),
                    None => {
                        let start = Some(self.task.numbers[number as usize].start);
                        NumberRun { first: start, last: start }
                    }
                };
                let set = sets.entry(number).or_insert_with(|| vec![within]);
                *set = both(set, &allowed);
                if set.is_empty() {
                    return None;
                }
            }
        }
        // What stands still has been decided; what is everything asks for nothing.
        sets.retain(|&number, set| {
            self.ends[number as usize].is_some_and(|ends| *set != [ends.run()])
        });
        Some((words.collect(), sets))
    }

    fn ranges(&mut self, sets: &Sets) -> String {
        if let Some((&number, _)) = sets.iter().find(|(_, set)| set.len() > MOST_RUNS) {
            let name = &self.task.numbers[number as usize].name;
            let reason = format!("`{name}`: a condition has more than {MOST_RUNS} parts");
            if !self.reasons.contains(&reason) {
                self.reasons.push(reason);
            }
        }
        let sets = sets.iter().map(|(&number, runs)| {
            let runs = runs.iter().map(|run| {
                format!("[{}, {}]", run.first.unwrap_or_default(), run.last.unwrap_or_default())
            });
            let runs: Vec<String> = runs.collect();
            format!("\"{}\": [{}]", self.amounts[number as usize], runs.join(", "))
        });
        let sets: Vec<String> = sets.collect();
        match sets.is_empty() {
            true => String::new(),
            false => format!(", \"ranges\": {{{}}}", sets.join(", ")),
        }
    }

    /// The actions of an operator: one for each way to have what it needs, and each choice of
    /// cases.
    fn operator(&mut self, text: &mut Growing<'_>, operator: u32, free: &mut Free) -> fmt::Result {
        let needs = self.task.named.task.needs(operator);
        let name = || self.task.named.operators.get(operator as usize).to_owned();
        for needs in self.alternatives(needs, name) {
            self.alternative(text, operator, &needs, free)?;
        }
        Ok(())
    }

    fn alternative(
        &mut self,
        text: &mut Growing<'_>,
        operator: u32,
        needs: &[Atom],
        free: &mut Free,
    ) -> fmt::Result {
        let Some((words, asked)) = self.asked(needs) else { return Ok(()) };
        let changes = self.task.changes.get(operator as usize).map_or(&[][..], Vec::as_slice);
        let mut numbers: Vec<u32> = changes.iter().map(|change| change.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut options: Vec<(u32, Vec<Case>)> = Vec::new();
        for number in numbers {
            let Some(ends) = self.ends[number as usize] else { continue };
            let whole = vec![ends.run()];
            let allowed = asked.get(&number).unwrap_or(&whole);
            let own: Vec<_> = changes.iter().filter(|change| change.number == number).collect();
            match cases(&self.bounds, number, ends, allowed, &own) {
                Ok(cases) => options.push((number, cases)),
                Err(_) => {
                    let name = self.task.named.operators.get(operator as usize);
                    self.reasons.push(format!(
                        "`{name}`: changes `{}` under a condition on something else; a domain's \
                         actions always do the same",
                        self.task.numbers[number as usize].name
                    ));
                    return Ok(());
                }
            }
        }
        let n_cases = options.iter().try_fold(1usize, |product, (_, cases)| {
            product.checked_mul(cases.len()).filter(|&product| product <= MOST_CASES)
        });
        let Some(n_cases) = n_cases.filter(|n| self.actions.len() + n <= MOST_ACTIONS) else {
            let name = self.task.named.operators.get(operator as usize);
            let reason = format!("`{name}`: what it does to numbers has too many cases");
            self.reasons.push(reason);
            return Ok(());
        };
        for choice in 0..n_cases {
            self.action(text, operator, &words, (asked.clone(), &options, choice), free)?;
        }
        Ok(())
    }

    fn action(
        &mut self,
        text: &mut Growing<'_>,
        operator: u32,
        words: &[Atom],
        (mut sets, options, mut choice): (Sets, &[(u32, Vec<Case>)], usize),
        free: &mut Free,
    ) -> fmt::Result {
        let task = &self.task.named.task;
        let mut set: Vec<String> = Vec::new();
        for atom in task.sets(operator) {
            let fact = Facts(std::slice::from_ref(atom), &self.names).to_string();
            set.push(fact.trim_matches(['{', '}']).to_owned());
        }
        let mut shifts: Vec<String> = Vec::new();
        for (number, cases) in options {
            let case = &cases[choice % cases.len()];
            choice /= cases.len();
            let name = &self.amounts[*number as usize];
            match case.what {
                Move::Stay => {}
                Move::Set(to) => set.push(format!("\"{name}\": \"{to}\"")),
                Move::Add(by) => shifts.push(format!("\"{name}\": {by}")),
                Move::Until(by, end) => {
                    let key = if by < 0 { "down_to" } else { "up_to" };
                    shifts.push(format!("\"{name}\": {{\"add\": {by}, \"{key}\": {end}}}"));
                }
            }
            let whole = self.ends[*number as usize].is_some_and(|ends| case.runs == [ends.run()]);
            match whole {
                true => drop(sets.remove(number)),
                false => drop(sets.insert(*number, case.runs.clone())),
            }
        }
        if set.is_empty() && shifts.is_empty() {
            return Ok(());
        }
        let name = action_name(self.task.named.operators.get(operator as usize), free);
        let (at, needs) = (separator(self.actions.len()), Facts(words, &self.names).to_string());
        let ranges = self.ranges(&sets);
        write!(text, "{at}{{\"name\": \"{name}\", \"requires\": {needs}{ranges}")?;
        write!(text, ", \"sets\": {{{}}}", set.join(", "))?;
        if !shifts.is_empty() {
            write!(text, ", \"shifts\": {{{}}}", shifts.join(", "))?;
        }
        let cost = Cost(self.task.named.task.cost(operator));
        if self.task.named.has_metric && cost != Cost::ONE {
            write!(text, ", \"cost\": {cost}")?;
        }
        self.actions.push((name, operator));
        write!(text, "}}")
    }

    /// What was assumed of numbers without an end.
    fn assumed(&self) -> Vec<String> {
        let ends = self.task.numbers.iter().zip(&self.ends);
        let assumed = ends.filter_map(|(number, ends)| {
            let Ends { low, high, is_low_assumed, is_high_assumed } = (*ends)?;
            let lacks = match (is_low_assumed, is_high_assumed) {
                (false, false) => return None,
                (true, false) => "no least value",
                (false, true) => "no greatest value",
                (true, true) => "neither a least nor a greatest value",
            };
            let name = &number.name;
            Some(format!("`{name}` has {lacks} in the task; it is counted from {low} to {high}"))
        });
        assumed.collect()
    }
}

fn goal_name(at: usize) -> String {
    if at == 0 { "goal".to_owned() } else { format!("goal_{}", at + 1) }
}
