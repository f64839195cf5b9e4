//! Violations in words: why it matters, and how to fix it.
//!
//! In:   a violation and the source map.
//! Out:  sentences for a designer: names in backticks, no letters of the papers.
//! Cost: the length of the text; made when read, not at load.

use super::Class;
use super::findings::{Breach, Violation, Where};
use throng_domain::Location;
use throng_domain::compile::SourceMap;
use throng_domain::model::{ActionId, Fact, VariableId};

/// How many names of a list are spelled out in a sentence.
const MOST_SPELLED: usize = 4;

impl Violation {
    /// Where the thing to change is declared.
    pub fn source_place(&self, map: &SourceMap) -> Location {
        match self.place {
            Where::Action(action) => map.action_place(action),
            Where::Variable(variable) => map.variable_place(variable),
        }
    }

    /// What is so, and why it matters.
    pub fn why(&self, map: &SourceMap) -> String {
        let fact = |fact: Fact| format!("`{}`", map.fact(fact));
        let action = |action: ActionId| format!("`{}`", map.action(action));
        let variable = |variable: VariableId| format!("`{}`", map.variable(variable));
        let names = self.spelled(map);
        match &self.breach {
            Breach::Asks(first) => {
                format!("{} is a part of {}, which does not hold", self.class.id(), first.id())
            }
            Breach::Counts(variables) => {
                let counted = list(variables.iter().map(|&id| variable(id)), variables.len());
                match self.class {
                    Class::PostUnique => format!(
                        "{names} {} {counted} up or down, so what {} depends on how much there is",
                        self.verb("moves", "move"),
                        self.verb("it sets", "they set"),
                    ),
                    Class::SingleValued => format!(
                        "{names} {}: one of several values of {counted} will do",
                        self.verb("counts", "count")
                    ),
                    Class::Binary => match variables.len() {
                        1 => format!("{counted} is an amount"),
                        _ => format!("{counted} are amounts"),
                    },
                    _ => format!(
                        "{names} {} {counted}: what {} depends on how much there is, so plans have \
                         to be searched for",
                        self.verb("counts", "count"),
                        self.verb("it needs and sets", "they need and set"),
                    ),
                }
            }
            Breach::ChangesNothing => {
                format!("{names} changes nothing, so no plan ever needs it")
            }
            Breach::ChangesSeveral(variables) => format!(
                "{names} changes {} variables at once ({}), so one step serves or spoils several \
                 needs and plans have to be searched for",
                variables.len(),
                list(variables.iter().map(|&id| variable(id)), variables.len()),
            ),
            Breach::FromAny(set, n_values) if *n_values < 2 => format!(
                "{names} sets {}, the only value that the variable has, so nothing changes",
                fact(*set)
            ),
            Breach::FromAny(set, n_values) => format!(
                "{names} leads to {} from any of {} values, so it does not tell where it comes \
                 from",
                fact(*set),
                n_values - 1
            ),
            Breach::SameValue { fact: set, apart: true } => format!(
                "{names} set {}, but never in the same call, because overrides or checks keep \
                 them apart",
                fact(*set)
            ),
            Breach::SameValue { fact: set, apart: false } => format!(
                "{names} {} set {}, so the planner has to choose between them, and choosing is \
                 search",
                if self.n_actions == 2 { "both" } else { "all" },
                fact(*set)
            ),
            Breach::TwoDuringValues { odd, usual, usual_by } => format!(
                "{names} {} {}, but {} needs {}",
                self.verb("needs", "need"),
                fact(*odd),
                action(*usual_by),
                fact(*usual)
            ),
            Breach::ManyValues(id, n_values) => {
                format!("{} has {n_values} values", variable(*id))
            }
            Breach::OnLoop { needed, cycle } => format!(
                "{names} {} {}, which can be left and reached again ({})",
                self.verb("needs", "need"),
                fact(*needed),
                list(cycle.iter().map(|&id| action(id)), cycle.len()),
            ),
            Breach::LongLoop { needed, by, length } => format!(
                "{names} make a loop of {length} through {}, which {} needs: a plan may take a \
                 part of the loop twice",
                fact(*needed),
                action(*by)
            ),
            Breach::TwoOnLoop { odd, usual, usual_by } => format!(
                "{names} {} {} and {} needs {}, two values of one loop: both sides \
                 of it are needed, and the order has to be found",
                self.verb("needs", "need"),
                fact(*odd),
                action(*usual_by),
                fact(*usual)
            ),
            Breach::Linked { one, other, through } => self.linked(map, *one, *other, through),
            Breach::Different { one, other } => {
                let (first, second) = self.pair(map);
                format!(
                    "{first} needs {} and its counterpart {second} needs {}, both tied to the same \
                     work, so the order cannot be read off",
                    fact(*one),
                    fact(*other)
                )
            }
        }
    }

    /// What to change.
    pub fn cure(&self, map: &SourceMap) -> String {
        let fact = |fact: Fact| format!("`{}`", map.fact(fact));
        let (first, second) = self.pair(map);
        match &self.breach {
            Breach::Asks(class) => format!("mend {} first", class.id()),
            Breach::Counts(_) => "nothing has to change, amounts are planned exactly; only a few \
                words for values instead of an amount could promise more about time"
                .to_string(),
            Breach::ChangesNothing => format!("delete {first}, or let it change something"),
            Breach::ChangesSeveral(_) => {
                format!("split {first} into one action for each variable that it changes")
            }
            Breach::FromAny(_, n_values) if *n_values < 2 => {
                format!("delete {first}, or give the variable another value")
            }
            Breach::FromAny(set, _) => {
                let (variable, value) = (map.variable(set.variable), map.value(*set));
                format!(
                    "say from where: write `{variable} … -> {value}`, with the one value it comes from"
                )
            }
            Breach::SameValue { apart: true, .. } => {
                "nothing has to change for speed; only the finer classes stay undecided until \
                 the context is known"
                    .to_string()
            }
            Breach::SameValue { .. } if first == second => {
                "nothing has to change: what is needed is met in one way at a time, and the others \
                 are not there then"
                    .to_string()
            }
            Breach::SameValue { .. } => format!(
                "let {first} set a value of its own, join it with {second}, or let the context \
                 keep them apart with `overrides` or `if`"
            ),
            Breach::TwoDuringValues { usual, .. } => format!(
                "let {first} do without that condition or need {} too, or give it a variable of \
                 its own",
                fact(*usual)
            ),
            Breach::ManyValues(variable, _) if map.amount(*variable).is_some() => {
                "nothing has to change, amounts are planned exactly".to_string()
            }
            Breach::ManyValues(variable, _) => {
                format!("split `{}` into variables of two values", map.variable(*variable))
            }
            Breach::OnLoop { cycle, .. } => {
                let last = cycle.iter().max().map_or("", |&action| map.action(action));
                format!(
                    "let {first} do without that condition, or let `{last}` lead to another value \
                     or delete it, so that the loop is open"
                )
            }
            Breach::LongLoop { needed, by, .. } => format!(
                "let {first} lead to another value or delete it, so that the loop is open, or let \
                 `{}` do without {}",
                map.action(*by),
                fact(*needed)
            ),
            Breach::TwoOnLoop { .. } => {
                format!("let {first} do without that condition, or give it a variable of its own")
            }
            Breach::Linked { one, .. } => format!(
                "let {first} do without {}, or remove the conditions that link the two",
                fact(*one)
            ),
            // Both needs at once would be two values of one variable.
            Breach::Different { one, other } if one.variable == other.variable => format!(
                "let {first} do without {}, or let {second} do without {}",
                fact(*one),
                fact(*other)
            ),
            Breach::Different { one, other } => format!(
                "let {first} need {} as well, or let {second} do without it; or let {first} do \
                 without {}",
                fact(*other),
                fact(*one)
            ),
        }
    }

    fn linked(&self, map: &SourceMap, one: Fact, other: Fact, through: &[VariableId]) -> String {
        let (first, second) = self.pair(map);
        let name = |id: &VariableId| format!("`{}`", map.variable(*id));
        let link = match through {
            [] => "what they change hangs together".to_string(),
            [both] => format!("both change {}", name(both)),
            [one, between @ .., other] => {
                let through = match between.len() {
                    0 => String::new(),
                    n => format!(" through {}", list(between.iter().map(name), n)),
                };
                let [one, other] = [one, other].map(name);
                format!("what they change, {one} and {other}, hangs together{through}")
            }
        };
        format!(
            "{first} needs `{}` and {second} needs `{}`, and {link}: a plan may have to switch \
             back and forth",
            map.fact(one),
            map.fact(other)
        )
    }

    fn verb(&self, one: &'static str, several: &'static str) -> &'static str {
        if self.n_actions == 1 { one } else { several }
    }

    /// The names of the actions, in a row.
    fn spelled(&self, map: &SourceMap) -> String {
        let mut names: Vec<String> =
            self.actions.iter().map(|&action| format!("`{}`", map.action(action))).collect();
        names.dedup();
        match &names[..] {
            [only] if self.n_actions > 1 => format!("{only} in its {} variants", self.n_actions),
            _ => {
                let twice = self.actions.len() - names.len();
                list(names.into_iter(), self.n_actions - twice)
            }
        }
    }

    /// The first two actions by name.
    fn pair(&self, map: &SourceMap) -> (String, String) {
        let name = |at: usize| {
            self.actions.get(at).map_or(String::new(), |&id| format!("`{}`", map.action(id)))
        };
        (name(0), name(1))
    }
}

/// `a`, `b` and 3 more.
fn list(names: impl Iterator<Item = String>, n_names: usize) -> String {
    let mut spelled: Vec<String> = names.take(MOST_SPELLED).collect();
    let more = n_names.saturating_sub(spelled.len());
    let last = match more {
        0 => spelled.pop().unwrap_or_default(),
        _ => format!("{more} more"),
    };
    match spelled.is_empty() {
        true => last,
        false => format!("{} and {last}", spelled.join(", ")),
    }
}
