//! A random domain with a question about it.
//!
//! In:   a seed, or a shape and dice.
//! Out:  `.npc` text and a question in names.
//! Cost: a few microseconds; loading the text costs more.

use super::draft::{Draft, Fact};
use super::{Shape, words};
use throng_base::SplitMix;
use throng_check::{CheckContext, Question};
use throng_domain::model::{self, CheckId};
use throng_domain::{Format, Loaded, Model};
use throng_lab::corpus::load_text;

/// Which context checks hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Told {
    /// All but these.
    Without(Vec<String>),
    /// These and no others.
    Only(Vec<String>),
}

/// A random domain and a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// What it was made from.
    pub shape: Shape,
    /// The domain as `.npc` text; `goal g` in it is the question's goal.
    pub text: String,
    /// The NPC type asked.
    pub npc: String,
    /// Variable and value: replaces or completes the NPC's `starts`.
    pub from: Vec<(String, String)>,
    /// Variable and value that must hold at the end.
    pub to: Vec<(String, String)>,
    /// Which context checks hold.
    pub told: Told,
}

impl Told {
    /// What a test of a model tells.
    pub fn of(model: &Model, context: &model::TestContext) -> Told {
        let names = |checks: &[CheckId]| {
            checks.iter().map(|check| model.checks()[check.index()].clone()).collect()
        };
        match context {
            model::TestContext::Without(checks) => Told::Without(names(checks)),
            model::TestContext::Only(checks) => Told::Only(names(checks)),
        }
    }

    /// The same, as the replay and the oracle take it.
    pub fn context(&self) -> CheckContext<'_> {
        match self {
            Told::Without(checks) => CheckContext::Without(checks),
            Told::Only(checks) => CheckContext::Only(checks),
        }
    }
}

/// Facts as names of variables and values.
pub fn pairs_of(model: &Model, facts: &[throng_domain::Fact]) -> Vec<(String, String)> {
    let names = facts.iter().map(|&fact| model.fact_names(fact));
    names.map(|(variable, value)| (variable.to_string(), value.to_string())).collect()
}

impl Instance {
    /// The question, as the replay and the oracle take it.
    pub fn question(&self) -> Question<'_> {
        let context = self.told.context();
        Question { npc: &self.npc, from: &self.from, to: &self.to, context, ..Question::default() }
    }

    /// Loads the text.
    pub fn load(&self) -> Loaded {
        load_text(&self.text, Format::Npc)
    }
}

/// The instance of a seed, of a shape that the seed picks.
pub fn instance(seed: u64) -> Instance {
    let mut dice = SplitMix::new(seed);
    let shape = Shape::any(&mut dice);
    instance_of(shape, &mut dice)
}

/// An instance of a given shape.
pub fn instance_of(shape: Shape, dice: &mut SplitMix) -> Instance {
    let draft = Draft::any(shape, dice);
    let goal = draft.any_goal(dice);
    let (starts, from) = any_starts(&draft, dice);
    let pairs = |facts: &[Fact]| facts.iter().map(|&fact| words::pair(&draft, fact)).collect();
    Instance {
        shape,
        text: words::text(&draft, &starts, &goal, dice.percent(90)),
        npc: words::npc(&draft),
        from: pairs(&from),
        to: pairs(&goal),
        told: tell(&draft, dice),
    }
}

/// The `starts` of every NPC type, and what the question has to add for the one asked.
fn any_starts(draft: &Draft, dice: &mut SplitMix) -> (Vec<Vec<Fact>>, Vec<Fact>) {
    let mut starts: Vec<Vec<Fact>> = vec![Vec::new(); draft.shape.npcs];
    let mut from = Vec::new();
    for (variable, size) in draft.variables.iter().map(|variable| variable.size).enumerate() {
        let is_known = draft.start.get(variable);
        for (npc, list) in starts.iter_mut().enumerate() {
            // The others start anyhow; the one asked mostly right, sometimes wrong.
            match (dice.below(10), is_known) {
                (0..=6, Some(value)) if npc == draft.asked => list.push((variable, value)),
                (7 | 8, Some(_)) if npc == draft.asked => list.push((variable, dice.below(size))),
                (0..=6, _) if npc != draft.asked => list.push((variable, dice.below(size))),
                _ => {}
            }
        }
        let Some(value) = is_known else { continue };
        let given = starts.get(draft.asked).is_some_and(|list| list.contains(&(variable, value)));
        if !given {
            from.push((variable, value));
        }
    }
    (starts, from)
}

/// Says which of the checks hold, of those that some action asks for.
fn tell(draft: &Draft, dice: &mut SplitMix) -> Told {
    let asks = |check: usize| draft.actions.iter().any(|a| a.checks.iter().any(|c| c.0 == check));
    let only = dice.percent(40);
    let told =
        (0..draft.holding.len()).filter(|&check| asks(check) && draft.holding[check] == only);
    let told = told.map(words::check).collect();
    if only { Told::Only(told) } else { Told::Without(told) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle;
    use throng_check::{Verdict, replay};
    use throng_domain::{Cost, Severity};

    #[test]
    fn twenty_thousand_random_domains_load() {
        for seed in 0..20_000 {
            let instance = instance(seed);
            let loaded = instance.load();
            let errors = loaded.report.diagnostics().iter();
            let errors = errors.filter(|found| found.severity() == Severity::Error);
            let errors: Vec<_> = errors.map(|error| error.short(&loaded.sources)).collect();
            assert!(errors.is_empty(), "{seed}: {errors:?}\n{}", instance.text);
        }
    }

    #[test]
    fn the_goal_of_the_text_is_the_goal_of_the_question() {
        for seed in 0..500 {
            let instance = instance(seed);
            let model = instance.load().model.unwrap();
            let wants = pairs_of(&model, model.goals()[0].wants());
            let mut to = instance.to.clone();
            to.sort();
            assert_eq!((model.goals()[0].name(), wants), ("g", to), "{seed}");
        }
    }

    #[test]
    fn the_oracle_and_the_replay_agree() {
        for seed in 0..2_000 {
            let instance = instance(seed);
            let (model, question) = (instance.load().model.unwrap(), instance.question());
            let cost = oracle::cheapest(&model, &question, 20_000).unwrap();
            let steps = oracle::shortest(&model, &question, 20_000).unwrap();
            assert_eq!(cost.is_some(), steps.is_some(), "{seed}");
            let plan = oracle::cheapest_plan(&model, &question, 20_000).unwrap();
            let Some(plan) = plan else { continue };
            assert!(Some(plan.len()) >= steps, "{seed}");
            let judged = replay(&model, &question, &plan).unwrap();
            assert_eq!(Some(judged), cost.map(|cost| Verdict::Valid { cost: Cost(cost) }));
        }
    }

    #[test]
    fn most_instances_have_a_plan_and_most_plans_have_several_steps() {
        let mut lengths = Vec::new();
        for seed in 0..2_000 {
            let instance = instance(seed);
            let model = instance.load().model.unwrap();
            lengths.push(oracle::shortest(&model, &instance.question(), 20_000).unwrap());
        }
        let count = |least: usize| lengths.iter().filter(|&&l| l >= Some(least)).count();
        assert!((1000..1500).contains(&count(0)), "solvable: {}", count(0));
        assert!(count(2) > 700 && count(5) > 100, "two steps {}, five {}", count(2), count(5));
    }
}
