//! How far a ground task is from the class that is planned in linear time.
//!
//! In:   a named task.
//! Out:  how many operators keep each restriction, and which actions break it, and why.
//! Cost: a few visits per fact that operators need and set.
//!
//! The restrictions are those of `docs/classes.md`. U: an operator moves exactly one variable,
//! from one value. P: no other operator sets the value it sets. S: whatever it looks at without
//! moving it, all operators that do so want the same value of. Operators are counted under the
//! name of their action, the first word of their own.

use crate::asking::Asking;
use crate::named::NamedTask;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use throng_base::mix::BuildMix;
use throng_base::text::count;
use throng_domain::compile::PackedValue;
use throng_planner::forward::{Atom, GroundTask};

/// What stands in the way.
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Breach {
    /// It has conditional effects.
    Conditional,
    /// It moves several variables.
    Several,
    /// It sets a variable from any of several values.
    FromAny,
    /// It changes nothing.
    NoChange,
    /// Another operator sets the same value.
    SharedValue,
    /// Others want another value of something that it looks at.
    OtherValue,
}

impl Breach {
    /// The class that is broken.
    pub fn class(self) -> &'static str {
        match self {
            Breach::Conditional | Breach::Several | Breach::FromAny | Breach::NoChange => "U",
            Breach::SharedValue => "P",
            Breach::OtherValue => "S",
        }
    }

    /// The reason, to follow the name of the action.
    pub fn why(self) -> &'static str {
        match self {
            Breach::Conditional => "has conditional effects",
            Breach::Several => "changes several variables at once",
            Breach::FromAny => "sets a variable from any of several values",
            Breach::NoChange => "changes nothing",
            Breach::SharedValue => "sets a value that another operator sets too",
            Breach::OtherValue => "looks at a variable of which others want another value",
        }
    }
}

/// The operators of one action that break something.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obstacle {
    /// The action.
    pub action: String,
    /// What it breaks.
    pub breach: Breach,
    /// How many of its operators do.
    pub operators: usize,
    /// How many operators it has.
    pub of: usize,
    /// The first that does.
    pub example: String,
    /// The fact it is about, in the first that does, if it is about one.
    pub fact: Option<String>,
}

/// How far a task is from the fast class.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Distance {
    /// All operators.
    pub operators: usize,
    /// Those that keep U.
    pub unary: usize,
    /// Those that keep P.
    pub post_unique: usize,
    /// Those that keep S.
    pub single_valued: usize,
    /// Variables with at most two values.
    pub binary: usize,
    /// All variables.
    pub variables: usize,
    /// Variables that rules derive, which no class knows.
    pub derived: usize,
    /// What breaks U, then P, then S; each by the action with the most operators first.
    pub obstacles: Vec<Obstacle>,
}

/// `U  move (3 of 5) moves two variables, as (move a b): at(a)`.
impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Obstacle { breach, action, operators, of, example, fact } = self;
        let (class, why) = (breach.class(), breach.why());
        write!(f, "{class}  {action} ({operators} of {of}) {why}, as ({example})")?;
        fact.iter().try_for_each(|fact| write!(f, ": {fact}"))
    }
}

/// What there is, and a row for each restriction: how many keep it.
impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (operators, variables) = (self.operators, self.variables);
        let all = (count(operators, "operator"), count(variables, "variable"));
        writeln!(f, "{}, {}, {} of them derived", all.0, all.1, self.derived)?;
        let rows = [
            (self.unary, operators, "U", "unary: each moves one variable, from one value"),
            (self.post_unique, operators, "P", "post-unique: nobody else sets that value"),
            (self.single_valued, operators, "S", "single-valued: all look for the same value"),
            (self.binary, variables, "B", "binary: variables of at most two values"),
        ];
        for (kept, all, class, words) in rows {
            let word = if kept == all { "yes" } else { "no" };
            let share = match all {
                0 => String::new(),
                _ => format!("{:.1} %", 100.0 * kept as f64 / all as f64),
            };
            writeln!(f, "  {word:<4} {class:<4} {kept:>8} of {all:<8} {share:>7}  {words}")?;
        }
        Ok(())
    }
}

impl Distance {
    /// Whether all operators are unary and post-unique, and nothing is derived: the fast class.
    pub fn is_fast(&self) -> bool {
        self.derived == 0 && self.unary == self.operators && self.post_unique == self.operators
    }
}

/// Measures a task; `None` if `stop`, asked now and then, said so before it was done.
pub fn distance_until(named: &NamedTask, stop: &dyn Fn() -> bool) -> Option<Distance> {
    let task = &named.task;
    let asking = Asking::new(stop);
    let tables = Tables::new(task, &asking)?;
    let mut found = Distance {
        operators: task.n_operators(),
        variables: task.sizes().len(),
        binary: task.sizes().iter().filter(|&&size| size <= 2).count(),
        derived: (0..task.sizes().len()).filter(|&at| task.layer(at as u32).is_some()).count(),
        ..Distance::default()
    };
    let mut of: BTreeMap<&str, usize> = BTreeMap::new();
    let mut obstacles: BTreeMap<(&str, Breach), Obstacle> = BTreeMap::new();
    for operator in 0..task.n_operators() as u32 {
        if asking.step() {
            return None;
        }
        let name = named.operators.get(operator as usize);
        let action = name.split(' ').next().unwrap_or_default();
        *of.entry(action).or_default() += 1;
        let breaches =
            [unary(task, operator), tables.post(task, operator), tables.single(task, operator)];
        let [unary, post_unique, single_valued] =
            breaches.map(|breach| usize::from(breach.is_none()));
        found.unary += unary;
        found.post_unique += post_unique;
        found.single_valued += single_valued;
        for (breach, fact) in breaches.into_iter().flatten() {
            let obstacle = obstacles.entry((action, breach)).or_insert_with(|| Obstacle {
                action: action.to_owned(),
                breach,
                operators: 0,
                of: 0,
                example: name.to_owned(),
                fact: fact.map(|atom| named.fact_text(atom)),
            });
            obstacle.operators += 1;
        }
    }
    found.obstacles = obstacles.into_values().collect();
    for obstacle in &mut found.obstacles {
        obstacle.of = of.get(obstacle.action.as_str()).copied().unwrap_or_default();
    }
    let rank = |o: &Obstacle| ["U", "P", "S"].iter().position(|class| *class == o.breach.class());
    found.obstacles.sort_by_key(|o| (rank(o), std::cmp::Reverse(o.operators)));
    Some(found)
}

type Found = Option<(Breach, Option<Atom>)>;

/// What facts, sorted by variable, say of one variable.
fn of_variable(atoms: &[Atom], variable: u32) -> Option<Atom> {
    atoms.binary_search_by_key(&variable, |atom| atom.variable).ok().map(|at| atoms[at])
}

fn unary(task: &GroundTask, operator: u32) -> Found {
    if let Some(effect) = task.effects(operator).next() {
        return Some((Breach::Conditional, Some(effect.sets)));
    }
    let before = |set: Atom| of_variable(task.needs(operator), set.variable);
    let sets = task.sets(operator).iter().copied();
    let mut changed = sets.filter(|&set| before(set) != Some(set));
    match (changed.next(), changed.next()) {
        (None, _) => Some((Breach::NoChange, None)),
        (Some(_), Some(second)) => Some((Breach::Several, Some(second))),
        (Some(only), None) => {
            let other_ways = task.sizes()[only.variable as usize] > 2;
            (before(only).is_none() && other_ways).then_some((Breach::FromAny, Some(only)))
        }
    }
}

/// How often values are set, and which are looked at.
#[derive(Default)]
struct Tables {
    /// How many operators set each value.
    setters: HashMap<Atom, u32, BuildMix>,
    /// The value of each variable that is looked at without being moved; `None` for several.
    wanted: HashMap<u32, Option<PackedValue>, BuildMix>,
}

impl Tables {
    fn new(task: &GroundTask, asking: &Asking<'_>) -> Option<Self> {
        let mut tables = Tables::default();
        for operator in 0..task.n_operators() as u32 {
            if asking.step() {
                return None;
            }
            for atom in set_values(task, operator) {
                *tables.setters.entry(atom).or_default() += 1;
            }
            for Atom { variable, value } in looked_at(task, operator) {
                let known = tables.wanted.entry(variable).or_insert(Some(value));
                *known = known.filter(|&known| known == value);
            }
        }
        Some(tables)
    }

    fn post(&self, task: &GroundTask, operator: u32) -> Found {
        let is_shared = |atom: &Atom| self.setters.get(atom).is_some_and(|&setters| setters > 1);
        let shared = set_values(task, operator).into_iter().find(is_shared);
        shared.map(|atom| (Breach::SharedValue, Some(atom)))
    }

    fn single(&self, task: &GroundTask, operator: u32) -> Found {
        let is_contested = |atom: &Atom| self.wanted.get(&atom.variable) == Some(&None);
        let contested = looked_at(task, operator).find(is_contested);
        contested.map(|atom| (Breach::OtherValue, Some(atom)))
    }
}

/// The values that an operator sets, each once; those it needs itself left out.
fn set_values(task: &GroundTask, operator: u32) -> Vec<Atom> {
    let effects = task.effects(operator).map(|effect| effect.sets);
    let mut atoms: Vec<Atom> = task.sets(operator).iter().copied().chain(effects).collect();
    atoms.retain(|&atom| of_variable(task.needs(operator), atom.variable) != Some(atom));
    atoms.sort_unstable();
    atoms.dedup();
    atoms
}

/// What an operator needs and does not move.
fn looked_at(task: &GroundTask, operator: u32) -> impl Iterator<Item = Atom> {
    let set = move |atom: &Atom| of_variable(task.sets(operator), atom.variable);
    let is_moved = move |atom: &Atom| set(atom).is_some_and(|set| set.value != atom.value);
    let needs = task.needs(operator).iter().filter(move |atom| !is_moved(atom));
    let conditions = task.effects(operator).flat_map(|effect| effect.when);
    needs.chain(conditions).copied()
}
