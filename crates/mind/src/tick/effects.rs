//! Effects carried out: what the file says that an action does besides its behaviour.
//!
//! In:   an action, or what is done beside it, and a moment of it.
//! Out:  facts that come and go in the mind's own memory; noises on the board; what others are to
//!       be told, and what they are to leave alone for a while, in the outbox.
//! Cost: a walk over the facts of a kind per effect.

use super::{MindTick, TOLD_KEPT};
use crate::condition::{It, Ref, Situation};
use crate::effects::{ActionEffect, Audience, Begun, Circle, EffectMoment, Given, Teller, Telling};
use crate::events::{Activity, Event, EventKind};
use crate::fact::{Attribute, FactDraft, Sort, Value};
use crate::mind::Mind;
use crate::orders::{Order, Stimulus};
use crate::picks::Key;
use crate::run::Run;
use crate::time::{Tick, after};
use crate::words::Word;
use throng_domain::model::ActionId;

/// So many facts are told at most by one effect; the first, by slot.
const MOST_TOLD: usize = 16;

/// What tells whether a fact that is remembered takes the place of another.
const SAME: [Attribute; 2] = [Attribute::Object, Attribute::Node];

impl<W: ?Sized> MindTick<'_, W> {
    /// A run begins, or the next part of a compound: what cools from now on, and the first effects.
    pub(super) fn begin_effects(&mut self, run: &Run) {
        if let Activity::Beside(at) = run.doing {
            return self.carry_out_beside(at, EffectMoment::First);
        }
        let whole = run.doing.action().filter(|_| run.part == 0);
        let part = self.part_of(run).filter(|&part| Some(part) != whole);
        for action in whole.into_iter().chain(part) {
            self.cool(action);
            self.carry_out_action(action, EffectMoment::First);
        }
    }

    /// A run ends in a way, or a part of a compound: the effects of that.
    pub(super) fn end_effects(&mut self, run: &Run, moment: Option<EffectMoment>, is_last: bool) {
        let moments = || moment.into_iter().chain([EffectMoment::Finally]);
        if let Activity::Beside(at) = run.doing {
            return moments().for_each(|moment| self.carry_out_beside(at, moment));
        }
        let whole = run.doing.action().filter(|_| is_last);
        let part = self.part_of(run).filter(|&part| Some(part) != whole);
        for action in part.into_iter().chain(whole) {
            moments().for_each(|moment| self.carry_out_action(action, moment));
        }
    }

    /// Of a compound the part under way, else the action itself.
    pub(super) fn part_of(&self, run: &Run) -> Option<ActionId> {
        let action = run.doing.action()?;
        let parts = &self.context.spec.action(action).parts;
        Some(parts.get(usize::from(run.part)).copied().unwrap_or(action))
    }

    fn teller(&self) -> Teller {
        let Mind { id, squad, side, here, .. } = *self.mind;
        Teller { mind: id, squad, side, here }
    }

    fn cool(&mut self, action: ActionId) {
        let spec = self.context.spec.action(action);
        let Some(cooldown) = spec.cooldown else { return };
        let until = after(self.context.now, cooldown.ticks);
        self.mind.state.cool(spec.template, until);
        if let Some(of) = cooldown.of {
            let (by, template) = (self.teller(), spec.template);
            self.outbox.begun.push(Begun { by, template, of, until });
        }
    }

    fn carry_out_action(&mut self, action: ActionId, moment: EffectMoment) {
        let action = self.context.spec.action(action);
        self.carry_out(action.effects, || action.first_parameter(), moment);
    }

    fn carry_out_beside(&mut self, at: u16, moment: EffectMoment) {
        let Some(beside) = self.context.spec.besides.get(usize::from(at)) else { return };
        self.carry_out(beside.effects, || beside.first_given(), moment);
    }

    /// Carries effects out; `first` is what files call `it` there.
    fn carry_out(
        &mut self,
        effects: Option<usize>,
        first: impl Fn() -> Option<Ref>,
        moment: EffectMoment,
    ) {
        let spec = self.context.spec;
        let effects = effects.and_then(|at| spec.effects.get(at));
        let Some(clause) = effects.and_then(|effects| effects.at(moment)) else { return };
        let first = first();
        let it = first.map_or(It::default(), |first| self.situation().it_of(first));
        for effect in &clause.effects {
            match effect {
                ActionEffect::Forgets(pattern) => {
                    let first = |tick: &Self| {
                        let situation = Situation { it, ..tick.situation() };
                        pattern.first(&situation, &mut 0).map(|fact| fact.id())
                    };
                    while let Some(id) = first(self) {
                        self.mind.memory.remove(id);
                    }
                }
                ActionEffect::Remembers { kind, says, keep } => {
                    self.remember(*kind, says, it, clause.writer, *keep);
                }
                ActionEffect::Tells(pattern, to) => self.tell(pattern, *to, it),
                ActionEffect::Noise { kind, what, radius, at } => {
                    let position = at.map_or(Some(Value::Position(self.mind.here)), |named| {
                        self.value_of(named, Sort::Position, it)
                    });
                    if let Some(Value::Position(position)) = position {
                        let stimulus = Stimulus {
                            radius: *radius,
                            source: Some(self.mind.me),
                            event: *what,
                            ..Stimulus::new(*kind, position)
                        };
                        self.mind.board.order(Order::Emit(stimulus));
                    }
                }
            }
        }
    }

    /// What a name stands for now, as a value of a sort; `None` if that is nothing.
    fn value_of(&self, named: Ref, sort: Sort, it: It) -> Option<Value> {
        Situation { it, ..self.situation() }.value_of(named, sort)
    }

    /// Remembers one fact in place of one that an effect wrote and that is about the same.
    fn remember(
        &mut self,
        kind: Word,
        says: &[(Attribute, Given)],
        it: It,
        writer: Word,
        keep: Tick,
    ) {
        let mut draft = FactDraft::new(kind);
        for &(attribute, given) in says {
            let value = match given {
                Given::Value(value) => Some(value),
                Given::Of(named) => self.value_of(named, attribute.sort(), it),
            };
            let Some(value) = value else { return };
            draft = draft.with(attribute, value, 1.0);
        }
        let spec = self.context.spec;
        let by_effect = |other: Word| {
            let mut clauses = spec.effects.iter().flat_map(|effects| effects.0.iter().flatten());
            other != writer && clauses.any(|clause| clause.writer == other)
        };
        let memory = &mut self.mind.memory;
        memory.remove_if(|fact| {
            fact.kind() == kind && by_effect(fact.writer()) && fact.agrees(&draft, SAME)
        });
        memory.put(&draft, &SAME, writer, self.context.now, keep);
    }

    /// Tells facts to others, who know them from the next tick on.
    fn tell(&mut self, pattern: &crate::condition::Pattern, to: Audience, it: It) {
        let by = self.teller();
        let now = self.context.now;
        let longest = self.context.spec.pace.ticks(TOLD_KEPT);
        let Mind { memory, picks, state, here, me, .. } = &*self.mind;
        let situation = self.context.situation(memory, picks, state.values(), (*me, *here));
        let situation = Situation { it, ..situation };
        let is_near = to.circle == Circle::All && to.within.is_some();
        let circle = Some(to.circle).filter(|_| !is_near);
        for fact in pattern.each(&situation, &mut 0).take(MOST_TOLD) {
            let keep = fact.expires().saturating_sub(now).min(longest);
            let fact = fact.draft().keep(keep).with(Attribute::Source, *me, 1.0);
            let what = EventKind::Tells { kind: fact.kind, about: Key::of(&fact), to: circle };
            self.outbox.events.push(Event { at: now, mind: by.mind, what });
            match to.is_everybody() {
                true => self.outbox.shares.push(fact),
                false => self.outbox.tellings.push(Telling { by, to, fact }),
            }
        }
    }
}
