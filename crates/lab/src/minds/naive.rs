//! The naive loop: every sensor, every symbol, every check and every goal of everybody, in every
//! frame. The plain twin that a quiet tick is measured beside.
//!
//! In:   the same spec and the same things to see.
//! Out:  a value per variable and the goal that matters most among those that do not hold.
//! Cost: all of it, always; no plans, because no guard needs one here.

use super::guards::{POLLED, write};
use throng_domain::compile::{PackedValue, UNKNOWN};
use throng_domain::model::GoalId;
use throng_mind::condition::Situation;
use throng_mind::fact::EntityId;
use throng_mind::memory::Memory;
use throng_mind::spec::{Spec, SymbolRule, SymbolSpec};
use throng_mind::time::{NEVER, Tick};

/// A guard without a mind.
pub(super) struct Naive {
    me: EntityId,
    memory: Memory,
    pub(super) values: Vec<PackedValue>,
    checks: Vec<bool>,
    scores: Vec<f32>,
    pub(super) goal: Option<GoalId>,
}

impl Naive {
    pub(super) fn new(spec: &Spec, me: EntityId) -> Self {
        Naive {
            me,
            memory: Memory::new(32),
            values: vec![UNKNOWN; spec.domain.map().n_variables()],
            checks: vec![true; spec.checks.len()],
            scores: vec![0.0; spec.goals.len()],
            goal: None,
        }
    }

    /// One frame.
    pub(super) fn frame(&mut self, spec: &Spec, shared: &Memory, now: Tick) {
        for sensor in 0..POLLED.len() {
            write(&mut self.memory, spec, sensor, self.me, now);
        }
        self.memory.forget(now);
        for symbol in &spec.symbols {
            let value = self.value(spec, symbol, shared, now);
            self.values[symbol.variable.index()] = value;
        }
        let Naive { memory, values, checks, scores, .. } = self;
        let situation = situation(spec, memory, values, shared, now);
        let mut wake = NEVER;
        for (check, holds) in spec.checks.iter().zip(checks) {
            *holds = check.condition.holds(&situation, &mut wake);
        }
        let mut best = None;
        for &goal in spec.domain.npcs()[0].goals() {
            let compiled = spec.domain.goal(goal);
            let terms = spec.goal(goal).relevance.iter();
            let relevance = terms.map(|term| term.value(&situation, &mut wake)).product::<f32>();
            let score = relevance.clamp(0.0, 1.0) * compiled.priority().0 as f32 / 1000.0;
            scores[goal.index()] = score;
            let holds = compiled.conditions().hold(|id| situation.values[id.index()]);
            if !holds && score > 0.0 && best.is_none_or(|(most, _)| score > most) {
                best = Some((score, goal));
            }
        }
        self.goal = best.map(|(_, goal)| goal);
    }

    fn value(&self, spec: &Spec, symbol: &SymbolSpec, shared: &Memory, now: Tick) -> PackedValue {
        let situation = situation(spec, &self.memory, &self.values, shared, now);
        let mut wake = NEVER;
        for rule in &symbol.rules {
            match rule {
                SymbolRule::If(value, condition) => {
                    if condition.as_ref().is_none_or(|c| c.holds(&situation, &mut wake)) {
                        return *value;
                    }
                }
                SymbolRule::Number(measure, range) => {
                    if let Some(number) = measure.value(&situation, &mut wake) {
                        return range.nearest(number);
                    }
                }
                SymbolRule::Named(attribute, pattern) => {
                    let fact = pattern.surest(*attribute, &situation, &mut wake);
                    let word = fact.and_then(|fact| fact.word(*attribute));
                    let of_word = |word| symbol.value_words.iter().position(|w| *w == word);
                    if let Some(at) = word.and_then(of_word) {
                        return at as PackedValue;
                    }
                }
            }
        }
        UNKNOWN
    }
}

fn situation<'s>(
    spec: &Spec,
    memory: &'s Memory,
    values: &'s [PackedValue],
    shared: &'s Memory,
    now: Tick,
) -> Situation<'s> {
    Situation::new(memory, shared, values, now, spec.pace)
}
