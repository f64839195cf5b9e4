//! Random domains in which kinds, compounds, `or`, amounts and templates meet, small enough to try
//! everything, and a question to each.
//!
//! In:   a seed.
//! Out:  text that loads without errors, who asks, for which goal, with which checks; often there
//!       is no plan.
//! Cost: two loads: compounds are made of actions that can follow each other, as read.

use crate::random::Told;
use throng_base::SplitMix;
use throng_check::{Question, Wanted};
use throng_domain::model::Action;
use throng_domain::{Format, Loaded};
use throng_lab::corpus::load_text;

/// A random domain and a question.
#[derive(Clone, Debug)]
pub struct Blend {
    /// The domain as `.npc` text.
    pub text: String,
    /// The goal that is asked for; it may have alternatives.
    pub goal: String,
    /// Which checks hold.
    pub told: Told,
}

/// Who asks.
pub const WHO: &str = "hero";
const CHECKS: [&str; 4] = ["dark", "near", "rested", "seen"];

impl Blend {
    /// Loads the text.
    pub fn load(&self) -> Loaded {
        load_text(&self.text, Format::Npc)
    }

    /// The question for the words of an oracle, about one alternative of the goal.
    pub fn question<'q>(&'q self, wants: &'q [Wanted]) -> Question<'q> {
        Question { npc: WHO, wants, context: self.told.context(), ..Question::default() }
    }
}

/// The blend of a seed.
pub fn blend(seed: u64) -> Blend {
    let mut writer = Writer { dice: SplitMix::new(seed ^ 0xb1e4d), variables: Vec::new() };
    let mut text = "domain blend\n".to_string();
    for at in 0..writer.dice.within(2, 4) {
        text += &writer.variable(at);
    }
    let mut names = Vec::new();
    for at in 0..writer.dice.within(2, 6) {
        text += &writer.action(&format!("do_{at}"), &names);
        names.push(format!("do_{at}"));
    }
    let mut compounds = Vec::new();
    if let Some(model) = load_text(&text, Format::Npc).model {
        for at in 0..writer.dice.below(4) {
            let name = format!("all_{at}");
            let made = writer.compound(&name, model.actions(), &names);
            // Parts that count may leave no value for the next one: that is no compound.
            let loads =
                |it: &String| load_text(&format!("{text}{it}"), Format::Npc).model.is_some();
            if let Some(statement) = made.filter(loads) {
                text += &statement;
                compounds.push(name);
            }
        }
    }
    let goal = writer.conditions(&[], 2);
    text += &format!("goal done: {}\n", goal.unwrap_or_else(|| writer.fact(0)));
    // Parts that no type can do by themselves are where compounds matter.
    let chance = if compounds.is_empty() { 85 } else { 45 };
    let mut can: Vec<&String> = names.iter().filter(|_| writer.dice.percent(chance)).collect();
    can.extend(compounds.iter().filter(|_| writer.dice.percent(90)));
    let can: Vec<&str> = can.into_iter().map(String::as_str).collect();
    text += &format!("npc {WHO}\n");
    if !can.is_empty() {
        text += &format!("    can {}\n", can.join(", "));
    }
    text += "    wants done\n";
    let known = (0..writer.variables.len()).filter(|_| writer.dice.percent(95));
    let known: Vec<usize> = known.collect();
    let starts: Vec<String> = known.into_iter().map(|at| writer.fact(at)).collect();
    if !starts.is_empty() {
        text += &format!("    starts {}\n", starts.join(", "));
    }
    let told = CHECKS.into_iter().filter(|check| text.contains(check));
    let told: Vec<String> = told.map(str::to_string).filter(|_| writer.dice.percent(40)).collect();
    let told = if writer.dice.percent(70) { Told::Without(told) } else { Told::Only(told) };
    Blend { text, goal: "done".to_string(), told }
}

struct Variable {
    values: Vec<&'static str>,
    is_amount: bool,
}

struct Writer {
    dice: SplitMix,
    variables: Vec<Variable>,
}

impl Writer {
    fn variable(&mut self, at: usize) -> String {
        let is_amount = self.dice.percent(30);
        let all = if is_amount { ["0", "1", "2", "3"] } else { ["red", "blue", "green", "grey"] };
        let count = self.dice.within(2, 3 + usize::from(is_amount));
        let values = all[..count].to_vec();
        let written = match is_amount {
            true => format!("0..{}", count - 1),
            false => values.join(", "),
        };
        self.variables.push(Variable { values, is_amount });
        format!("var v{at}: {written}\n")
    }

    fn value(&mut self, at: usize) -> &'static str {
        let values = &self.variables[at].values;
        values[self.dice.below(values.len())]
    }

    fn fact(&mut self, at: usize) -> String {
        format!("v{at} = {}", self.value(at))
    }

    fn other_than(&mut self, taken: &[usize]) -> Option<usize> {
        let free: Vec<usize> = (0..self.variables.len()).filter(|at| !taken.contains(at)).collect();
        (!free.is_empty()).then(|| *self.dice.pick(&free))
    }

    /// A condition that some value meets and some does not.
    fn condition(&mut self, at: usize) -> String {
        match (self.dice.below(5), self.variables[at].is_amount) {
            (0, _) => format!("v{at} != {}", self.value(at)),
            (1, true) => format!("v{at} >= 1"),
            _ => self.fact(at),
        }
    }

    /// Up to `most` conditions on variables that are not taken, each at most once, sometimes with
    /// `or`.
    fn conditions(&mut self, taken: &[usize], most: usize) -> Option<String> {
        let mut taken = taken.to_vec();
        let mut all = Vec::new();
        for _ in 0..self.dice.within(1, most) {
            let Some(at) = self.other_than(&taken) else { break };
            taken.push(at);
            let one = self.condition(at);
            let other = self.other_than(&taken).filter(|_| self.dice.percent(30));
            all.push(match other {
                Some(other) => {
                    taken.push(other);
                    format!("({one} or {})", self.condition(other))
                }
                None => one,
            });
        }
        (!all.is_empty()).then(|| all.join(", "))
    }

    fn checks(&mut self) -> Vec<String> {
        let count = self.dice.within(1, 2);
        let some = self.dice.some_of(CHECKS.len(), count).into_iter();
        let words = some.map(|at| (CHECKS[at], self.dice.percent(35)));
        words.map(|(check, not)| format!("{}{check}", if not { "not " } else { "" })).collect()
    }

    fn action(&mut self, name: &str, earlier: &[String]) -> String {
        let at = self.dice.below(self.variables.len());
        let mut taken = vec![at];
        let (head, effects) = match self.dice.below(6) {
            0 => (format!("{name}(p in v{at})"), format!("v{at} -> p")),
            1 | 2 if self.variables[at].is_amount => {
                let sign = if self.dice.percent(50) { "+=" } else { "-=" };
                (name.to_string(), format!("v{at} {sign} 1"))
            }
            _ => {
                let mut effects = vec![self.effect(at)];
                if let Some(second) = self.other_than(&taken).filter(|_| self.dice.percent(30)) {
                    taken.push(second);
                    effects.push(self.effect(second));
                }
                (name.to_string(), effects.join(", "))
            }
        };
        let mut text = format!("action {head}: {effects}");
        let conditions = self.dice.percent(60).then(|| self.conditions(&taken, 2));
        if let Some(conditions) = conditions.flatten() {
            text += &format!("  while {conditions}");
        }
        if self.dice.percent(30) {
            text += &format!("  if {}", self.checks().join(", "));
        }
        if self.dice.percent(50) {
            text += &format!("  cost {}", self.dice.within(1, 4));
        }
        if !earlier.is_empty() && self.dice.percent(25) {
            text += &format!("  overrides {}", self.dice.pick(earlier));
        }
        if self.dice.percent(30) {
            let kinds = ["roll", "jump", "crawl"].into_iter().take(self.dice.within(1, 3));
            let kinds: Vec<String> =
                kinds.map(|kind| format!("{kind} if {}", self.checks().join(" and "))).collect();
            text += &format!("\n    kinds {}", kinds.join(", "));
        }
        text + "\n"
    }

    /// `v a -> b`, or `v -> b`.
    fn effect(&mut self, at: usize) -> String {
        let values = self.variables[at].values.clone();
        let some = self.dice.some_of(values.len(), 2);
        match self.dice.percent(60) {
            true => format!("v{at} {} -> {}", values[some[0]], values[some[1]]),
            false => format!("v{at} -> {}", values[some[1]]),
        }
    }

    /// A compound of two or three actions that can follow each other; `None` if none was found.
    fn compound(&mut self, name: &str, actions: &[Action], earlier: &[String]) -> Option<String> {
        for _ in 0..30 {
            let count = self.dice.within(2, 3);
            let parts: Vec<&Action> = (0..count).map(|_| self.dice.pick(actions)).collect();
            if !can_follow(&parts) {
                continue;
            }
            let names: Vec<&str> = parts.iter().map(|part| part.name()).collect();
            let mut text = format!("compound {name}: {}", names.join(", "));
            if self.dice.percent(20) {
                text += &format!("  cost {}", self.dice.within(1, 4));
            }
            if self.dice.percent(10) {
                text += &format!("  overrides {}", self.dice.pick(earlier));
            }
            return Some(text + "\n");
        }
        None
    }
}

/// Whether parts can be done one after the other, as the language demands of compounds.
fn can_follow(parts: &[&Action]) -> bool {
    let (mut known, mut asked) = (Vec::new(), Vec::new());
    parts.iter().all(|part| {
        let is_other = |&(variable, value): &(_, _)| {
            part.requires().iter().any(|need| need.variable == variable && need.value != value)
        };
        let differs = |&(check, expected): &(_, _)| {
            part.checks().iter().any(|used| used.check == check && used.expected != expected)
        };
        let fits =
            part.kinds().is_empty() && !known.iter().any(is_other) && !asked.iter().any(differs);
        asked.extend(part.checks().iter().map(|used| (used.check, used.expected)));
        known.extend(part.requires().iter().map(|need| (need.variable, need.value)));
        for set in part.sets() {
            known.retain(|&(variable, _)| variable != set.variable);
            known.push((set.variable, set.value));
        }
        fits
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_domain::Severity;

    #[test]
    fn blends_load_and_have_everything_in_them() {
        let mut seen = [0; 6];
        for seed in 0..3_000 {
            let blend = blend(seed);
            let loaded = blend.load();
            let errors = loaded.report.diagnostics().iter();
            let errors = errors.filter(|found| found.severity() == Severity::Error);
            let errors: Vec<_> = errors.map(|error| error.short(&loaded.sources)).collect();
            assert!(errors.is_empty(), "{seed}: {errors:?}\n{}", blend.text);
            let marks = ["kinds ", "compound ", " or ", "= 1", "(p in", "overrides "];
            for (count, mark) in seen.iter_mut().zip(marks) {
                *count += u32::from(blend.text.contains(mark));
            }
        }
        assert!(seen.iter().all(|&count| count > 600), "{seen:?}");
    }
}
