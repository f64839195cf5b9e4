//! Effects of actions, their cooldowns and chances, as files write them.
//!
//! In:   the words of a clause: `then forgets stir and noise shout radius 10`.
//! Out:  the same in numbers.
//! Cost: one pass.

use super::Spec;
use super::conditions::{LARGEST, Scope, attribute};
use super::parts::{listed, no_part, number};
use super::read::{Read, Reading};
use crate::chance::{Chance, name_of};
use crate::condition::{Ref, Source};
use crate::effects::{
    ActionEffect, Audience, Circle, Cooldown, EffectClause, EffectMoment, Effects, Given,
};
use crate::fact::{Attribute, Sort, Value};
use crate::words::Word;
use throng_domain::Code;
use throng_domain::model::ActionId;
use throng_domain::notes::{NoteReader, NoteWord, Relation, WordKind};
use throng_domain::source::Span;

const EFFECTS: [&str; 4] = ["forgets", "remembers", "tells", "noise"];
/// The farthest that a noise is heard.
const LOUDEST: f64 = 1_000_000.0;

impl Reading<'_> {
    /// `first|then|else|finally EFFECT and EFFECT`.
    pub(super) fn effects(
        &mut self,
        ids: &[ActionId],
        head: &str,
        moment: EffectMoment,
        span: Span,
        r: &mut NoteReader<'_, '_>,
    ) -> Read<()> {
        let has_it = ids.iter().all(|&id| !self.spec.action(id).parameters.is_empty());
        let effects = self.joined_effects(r, Scope::Price { has_it })?;
        let Some(&first) = ids.first() else { return Ok(()) };
        let of = self.spec.action(first).effects;
        let at = self.add_effects(of, head, moment, effects, (span, r));
        ids.iter().for_each(|id| self.spec.actions[id.index()].effects = Some(at));
        Ok(())
    }

    /// `EFFECT and EFFECT`.
    pub(super) fn joined_effects(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        scope: Scope,
    ) -> Read<Vec<ActionEffect>> {
        let mut effects = vec![self.effect(r, scope)?];
        while r.take_word("and") {
            effects.push(self.effect(r, scope)?);
        }
        Ok(effects)
    }

    /// Adds the effects of a moment to those that something has, and says where these are.
    pub(super) fn add_effects(
        &mut self,
        of: Option<usize>,
        head: &str,
        moment: EffectMoment,
        effects: Vec<ActionEffect>,
        (span, r): (Span, &mut NoteReader<'_, '_>),
    ) -> usize {
        let at = of.unwrap_or(self.spec.effects.len());
        if at == self.spec.effects.len() {
            self.spec.effects.push(Effects::default());
        }
        let writer = self.spec.words.intern(&format!("{head}.{}", moment.name()));
        let clause = &mut self.spec.effects[at].0[moment as usize];
        if clause.is_some() {
            let text = format!("`{head}` has two clauses `{}`", moment.name());
            r.report.say(Code::NoteTwice, span, text, "join the effects by `and`");
        }
        *clause = Some(EffectClause { writer, effects });
        at
    }

    fn effect(&mut self, r: &mut NoteReader<'_, '_>, scope: Scope) -> Read<ActionEffect> {
        if r.take_word("forgets") {
            let place = r.place();
            let pattern = self.pattern(r, scope)?;
            if matches!(pattern.source, Source::Shared(_)) {
                let text = "what all share is not one mind's to forget";
                r.report.say(Code::NoteSense, place, text, "forget a fact of one's own");
            }
            return Ok(ActionEffect::Forgets(pattern));
        }
        if r.take_word("remembers") {
            return self.remembers(r, scope);
        }
        if r.take_word("tells") {
            let pattern = self.pattern(r, scope)?;
            return Ok(ActionEffect::Tells(pattern, self.audience(r)?));
        }
        if r.take_word("noise") {
            return self.noise(r, scope);
        }
        Err(no_part(r, "an effect", &EFFECTS))
    }

    /// `KIND(ATTRIBUTE = VALUE, …) for SECONDS`.
    fn remembers(&mut self, r: &mut NoteReader<'_, '_>, scope: Scope) -> Read<ActionEffect> {
        let word = r.name("a kind of facts, as in `remembers blocked(node = it) for 20`")?;
        let kind = self.spec.words.intern(&word.text);
        self.kind.clone_from(&word.text);
        let mut says = Vec::new();
        if r.take_sign(WordKind::Open) {
            let each = listed(r, |r| self.says(r, scope))?;
            says.extend(each.into_iter().flatten());
            if !r.take_sign(WordKind::Close) {
                return Err(r.expected("`,` or `)`"));
            }
        }
        if !r.take_word("for") {
            return Err(r.expected("`for` and seconds, as in `remembers blocked for 20`"));
        }
        // What is not kept for a tick would never be seen.
        let keep = self.seconds(r, "seconds, as in `for 20`")?.max(1);
        Ok(ActionEffect::Remembers { kind, says, keep })
    }

    /// `ATTRIBUTE = VALUE`; `None`, with a report, if these do not go together.
    fn says(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        scope: Scope,
    ) -> Read<Option<(Attribute, Given)>> {
        let word = r.name("an attribute, as in `node = it`")?;
        let own = self.facts.named(&self.kind, &word.text);
        let attribute = own.or_else(|| attribute(r, word, &[]));
        if r.take_relation() != Some(Relation::Is) {
            return Err(r.expected("`=` and what it is"));
        }
        let value = r.value("a word, a number, `it` or `me`")?;
        let Some(attribute) = attribute else { return Ok(None) };
        if let Some((unknown, what, known)) = self.facts.mistake(&self.kind, word, Some(value)) {
            let text = format!("unknown {what}: `{}`", unknown.text);
            let cure = format!("use one of: {}, or declare it", known.join(", "));
            r.report.say(Code::EffectOfNothing, unknown.span, text, cure);
            return Ok(None);
        }
        Ok(self.given(r, scope, (attribute, word), value).map(|given| (attribute, given)))
    }

    fn given(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        scope: Scope,
        (attribute, word): (Attribute, &NoteWord),
        value: &NoteWord,
    ) -> Option<Given> {
        let name = attribute.name();
        let named = self.named(attribute, value);
        let has_it = scope == (Scope::Price { has_it: true });
        let (text, cure) = match (attribute.sort(), named) {
            (_, Some(Ref::It)) if !has_it => (
                "`it` is the first parameter of the action, and the action has none".to_string(),
                "name what is meant".to_string(),
            ),
            (Sort::Word, Some(named)) => return Some(Given::Of(named)),
            (Sort::Word, _) if !value.kind.is_number() => {
                return Some(Given::Value(Value::Word(self.spec.words.intern(&value.text))));
            }
            (Sort::Number, None) if value.kind.is_number() => {
                let number = value.text.parse::<f64>().unwrap_or(f64::NAN);
                if number.abs() <= LARGEST {
                    return Some(Given::Value(Value::Number(number as f32)));
                }
                let cure = format!("write a number from {} to {LARGEST}", -LARGEST);
                (format!("`{}` is out of range", value.text), cure)
            }
            (Sort::Entity | Sort::Position, Some(named)) => return Some(Given::Of(named)),
            (Sort::Word, _) => (
                format!("`{name}` is a word and `{}` a number", value.text),
                "name it by a word".to_string(),
            ),
            (Sort::Number, _) => (
                format!("`{name}` is a number and `{}` a word", value.text),
                format!("write a number, as in `{name} = 2`"),
            ),
            (Sort::Entity, None) => (
                format!("`{name}` is a thing of the game, which has no name in files"),
                format!(
                    "write `{name} = me`, `{name} = it` for the first parameter, or what is picked, \
                     as in `{name} = target`"
                ),
            ),
            (Sort::Position, None) => (
                format!("`{name}` is a place, and `{}` is none", value.text),
                format!("write `{name} = me`"),
            ),
        };
        r.report.say(Code::EffectOfNothing, word.span.to(value.span), text, cure);
        None
    }

    /// `to squad|side|all`, `to within N`, `to side within N`.
    fn audience(&mut self, r: &mut NoteReader<'_, '_>) -> Read<Audience> {
        let what = "`to squad`, `to side`, `to all` or `to within` and a distance";
        if !r.take_word("to") {
            return Err(r.expected(what));
        }
        let circle = self.circle(r);
        let within = match r.take_word("within") {
            true => Some(number(r, "a distance, as in `to within 10`", 0.0, LARGEST)? as f32),
            false => None,
        };
        // Whoever is so near, of any side.
        let circle = circle.or(within.map(|_| Circle::All));
        Ok(Audience { circle: circle.ok_or_else(|| r.expected(what))?, within })
    }

    fn circle(&mut self, r: &mut NoteReader<'_, '_>) -> Option<Circle> {
        let circle = Circle::ALL.into_iter().find(|circle| r.take_word(circle.name()));
        self.spec.speaks_of_squads |= circle == Some(Circle::Squad);
        circle
    }

    /// `WORD radius N [at me|it]`.
    fn noise(&mut self, r: &mut NoteReader<'_, '_>, scope: Scope) -> Read<ActionEffect> {
        let word = r.name("what is heard, as in `noise shout radius 10`")?;
        let kind = self.spec.words.intern("noise");
        let what = self.spec.words.intern(&word.text);
        if !r.take_word("radius") {
            return Err(r.expected("`radius` and how far it is heard"));
        }
        let radius = number(r, "how far it is heard, as in `radius 10`", 0.0, LOUDEST)? as f32;
        let mut at = None;
        if r.take_word("at") {
            let place = r.name("where it is heard from, as in `at me`")?;
            at =
                self.given(r, scope, (Attribute::Position, place), place).and_then(|it| match it {
                    Given::Of(named) => Some(named),
                    Given::Value(_) => None,
                });
        }
        Ok(ActionEffect::Noise { kind, what, radius, at })
    }

    /// `cooldown SECONDS [of squad|side|all]`.
    pub(super) fn action_cooldown(
        &mut self,
        ids: &[ActionId],
        r: &mut NoteReader<'_, '_>,
    ) -> Read<()> {
        let ticks = self.seconds(r, "seconds, as in `cooldown 12 of squad`")?;
        let mut of = None;
        if r.take_word("of") {
            of = self.circle(r);
            if of.is_none() {
                return Err(r.expected("`squad`, `side` or `all`"));
            }
        }
        let cooldown = Some(Cooldown { ticks, of });
        ids.iter().for_each(|id| self.spec.actions[id.index()].cooldown = cooldown);
        self.spec.has_pauses = true;
        Ok(())
    }

    /// `chance F per SECONDS` of an action.
    pub(super) fn action_chance(
        &mut self,
        ids: &[ActionId],
        head: &str,
        r: &mut NoteReader<'_, '_>,
    ) -> Read<()> {
        let chance = Some(self.chance(head, r)?);
        ids.iter().for_each(|id| self.spec.actions[id.index()].chance = chance);
        self.spec.has_pauses = true;
        Ok(())
    }

    /// `F per SECONDS`.
    pub(super) fn chance(&mut self, of: &str, r: &mut NoteReader<'_, '_>) -> Read<Chance> {
        let what = "a number from 0 to 1, as in `chance 0.3 per 10`";
        let probability = number(r, what, 0.0, 1.0)? as f32;
        if !r.take_word("per") {
            return Err(r.expected("`per` and seconds, as in `chance 0.3 per 10`"));
        }
        let per = self.seconds(r, "seconds, as in `chance 0.3 per 10`")?.max(1);
        Ok(Chance { name: name_of(of), probability, per })
    }
}

impl Spec {
    /// Whether an effect of the file writes facts of a kind, or tells them to others.
    #[must_use]
    pub fn writes_by_effect(&self, kind: &str, shared: bool) -> bool {
        let is_kind = |word: Word| self.words.text(word) == kind;
        let writes = |effect: &ActionEffect| match effect {
            ActionEffect::Remembers { kind, .. } => !shared && is_kind(*kind),
            ActionEffect::Tells(pattern, to) => {
                // What is picked is of kinds that others write.
                let (Source::Own(kind) | Source::Shared(kind)) = pattern.source else {
                    return false;
                };
                shared == to.is_everybody() && is_kind(kind)
            }
            _ => false,
        };
        self.each_effect().any(writes)
    }

    /// Whether facts of a kind are the file's own: it declares them, or an effect remembers them. All
    /// others are what senses tell.
    pub(crate) fn is_own_kind(&self, kind: Word) -> bool {
        self.facts.contains(&kind) || self.remembered().any(|known| known == kind)
    }

    /// The kinds of facts that the file declares.
    pub(crate) fn declared_kinds(&self) -> impl Iterator<Item = &str> + Clone {
        self.facts.iter().map(|&kind| self.words.text(kind))
    }

    /// The kinds of facts that effects remember.
    pub(crate) fn remembered_kinds(&self) -> impl Iterator<Item = &str> + Clone {
        self.remembered().map(|kind| self.words.text(kind))
    }

    fn remembered(&self) -> impl Iterator<Item = Word> + Clone {
        self.each_effect().filter_map(|effect| match effect {
            ActionEffect::Remembers { kind, .. } => Some(*kind),
            _ => None,
        })
    }

    fn each_effect(&self) -> impl Iterator<Item = &ActionEffect> + Clone {
        let clauses = self.effects.iter().flat_map(|effects| effects.0.iter().flatten());
        clauses.flat_map(|clause| &clause.effects)
    }
}
