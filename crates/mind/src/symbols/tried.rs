//! Actions that disappointed are tried again as soon as what they depend on is otherwise.
//!
//! In:   an action, and the facts that its checks and the symbols of its variables ask for.
//! Out:  one number for what these say; another number, and there is a reason to try again.
//! Cost: nothing without doubts; else a walk over the facts of a kind per pattern.
//!
//! Of facts that match a pattern only the attributes that the pattern tests count, and how many
//! there are: so an enemy who moves is no news, one who goes is. What is no news does not end a wait,
//! and a wait never gets longer by it.

use super::State;
use crate::condition::{AttributeTest, Condition, Measure, Pattern, Situation};
use crate::fact::{Attribute, Value};
use crate::spec::{Spec, SymbolRule};
use crate::time::{Tick, after};
use throng_base::mix::mix;
use throng_domain::model::{ActionId, NpcTypeId};

/// A wait lasts at least this part of `retry`, whatever happens: news may come in every tick.
const AT_LEAST: Tick = 4;

/// What the facts that an action depends on say, in one number; 0 if it depends on none.
pub(crate) fn facts_read(
    spec: &Spec,
    npc: NpcTypeId,
    action: ActionId,
    situation: &Situation<'_>,
    wake: &mut Tick,
) -> u64 {
    let kind = spec.domain.npc(npc);
    let Some(local) = kind.local_action(action) else { return 0 };
    let mut reader = Reader { situation, wake, digest: 0 };
    let own = kind.checks(local).iter();
    let kinds = kind.kinds(local).iter().flat_map(|&of| kind.kind_checks(of));
    for asked in own.chain(kinds) {
        let answers = spec.checks.iter().filter(|rule| rule.check == asked.check);
        answers.for_each(|rule| reader.condition(&rule.condition));
    }
    let needs = kind.needs(local).iter().map(|it| it.variable);
    let variables = needs.chain(kind.sets(local).iter().map(|it| it.variable));
    for variable in variables.map(|local| kind.variables()[local.index()]) {
        for rule in
            spec.symbols.iter().filter(|it| it.variable == variable).flat_map(|it| &it.rules)
        {
            reader.rule(rule);
        }
    }
    reader.digest
}

struct Reader<'r, 's> {
    situation: &'r Situation<'s>,
    wake: &'r mut Tick,
    digest: u64,
}

impl Reader<'_, '_> {
    fn rule(&mut self, rule: &SymbolRule) {
        match rule {
            SymbolRule::If(_, condition) => condition.iter().for_each(|it| self.condition(it)),
            SymbolRule::Number(Measure::Of(_, pattern), _) => self.pattern(pattern, None),
            SymbolRule::Number(Measure::If(condition), _) => self.condition(condition),
            SymbolRule::Named(attribute, pattern) => self.pattern(pattern, Some(*attribute)),
            _ => {}
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Exists(pattern) | Condition::Count(pattern, ..) => {
                self.pattern(pattern, None);
            }
            Condition::Not(inner) => self.condition(inner),
            Condition::All(list) | Condition::Any(list) => {
                list.iter().for_each(|condition| self.condition(condition));
            }
            _ => {}
        }
    }

    /// The sum does not depend on the order of the facts: one that is written anew is no news.
    fn pattern(&mut self, pattern: &Pattern, besides: Option<Attribute>) {
        let tested = |test: &AttributeTest| match *test {
            AttributeTest::Has(attribute)
            | AttributeTest::Value(attribute, ..)
            | AttributeTest::Is(attribute, ..) => Some(attribute),
            _ => None,
        };
        let mut sum = 0u64;
        for fact in pattern.each(self.situation, self.wake) {
            let attributes = pattern.tests.iter().filter_map(tested).chain(besides);
            let values = attributes.filter_map(|attribute| fact.get(attribute));
            let one = values.fold(1, |digest, (value, _)| mix(digest, number_of(value)));
            sum = sum.wrapping_add(mix(0, one));
        }
        self.digest = mix(self.digest, sum);
    }
}

fn number_of(value: Value) -> u64 {
    match value {
        Value::Word(word) => u64::from(word.0),
        Value::Entity(entity) => entity.0,
        Value::Number(number) => u64::from(number.to_bits()),
        // Where something is changes all the time.
        Value::Position(_) => 0,
    }
}

impl State {
    /// When a wait may end at the earliest.
    pub(super) fn earliest(&self, spec: &Spec, now: Tick) -> Tick {
        after(now, (spec.npcs[self.npc.index()].retry / AT_LEAST).max(1))
    }

    /// Ends the waits of actions for which something has changed.
    pub(super) fn end_waits(&mut self, spec: &Spec, from: &Situation<'_>) {
        let now = from.now;
        for at in 0..self.doubts.len() {
            let doubt = self.doubts[at];
            if doubt.until <= now || doubt.read == 0 {
                continue;
            }
            let situation = Situation { values: &self.values, ..*from };
            let read = facts_read(spec, self.npc, doubt.action, &situation, &mut self.wake);
            if read == doubt.read {
                continue;
            }
            match now >= doubt.earliest {
                true => self.doubts[at].until = now,
                false => self.wake = self.wake.min(doubt.earliest),
            }
        }
    }
}
