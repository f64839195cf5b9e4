//! What one member knows all know: facts of the kinds in `shares`, told from mate to mate.
//!
//! In:   what the senses of members wrote.
//! Out:  the same in the memory of mates who know it less surely, or older: a little less sure,
//!       `source` being who knows, after the delay that the file gives.
//! Cost: ten times a second, for each fact of these kinds, a walk over the same kind of each mate.
//!
//! In one look so much is noted and no more; what waits already is not noted again, so the rest has its
//! turn in the next, and no more ever waits than members know.
//!
//! Only what a member has sensed is told, never what it was told: so no rumour goes round, and none
//! gets surer on the way. What waits to be told is looked at again when its time has come, as the one
//! who knows it knows it then; who has died meanwhile tells nothing.

use super::squads::{LOOK, Step};
use super::{Ground, distance};
use crate::fact::{Attribute, Sort};
use crate::memory::FactRef;
use crate::mind::Mind;
use crate::orders::{Message, MindId};
use crate::picks::Key;
use crate::spec::Spec;
use crate::time::{Tick, after};
use crate::words::Word;
use throng_base::codec_struct;

/// How sure one is of what he was told, of what the one is who told him: less sure than of what he
/// sees himself, surer than of what he has just lost from sight.
const TOLD: f32 = 0.8;
/// Seconds between two looks at what members know.
const EVERY: f64 = 0.1;
/// So many tellings of one squad are noted in one look; the others have their turn in the next.
const MOST_NOTED: usize = 64;
/// What is so near to where it was is where it was.
const SAME_PLACE: f32 = 1.0;
/// Confidence that differs by so little does not differ.
const SAME_SURE: f32 = 0.01;

/// Something that one member is going to tell another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Retelling {
    pub(super) due: Tick,
    pub(super) from: MindId,
    pub(super) to: MindId,
    pub(super) kind: Word,
    /// The thing, or the fact of the one who knows if it is about none.
    pub(super) about: Key,
}

codec_struct!(Retelling { due, from, to, kind, about });

impl<W: Ground + ?Sized + Sync> Step<'_, W> {
    /// Members tell each other what they know.
    pub(super) fn share(&mut self, now: Tick) {
        for at in 0..self.all.squads.len() {
            let spec = self.minds.spec();
            let squad = &self.all.squads[at];
            let Some(kind) = spec.squads.get(squad.kind).filter(|it| !it.shares.is_empty()) else {
                continue;
            };
            let delay = kind.shares_after;
            if now >= squad.share {
                self.all.squads[at].share = after(now, spec.pace.ticks(EVERY).max(1));
                self.note_news(at, after(now, delay));
            }
            self.tell_news(at, now);
        }
    }

    /// Notes what mates do not know yet.
    fn note_news(&mut self, at: usize, due: Tick) {
        let spec = self.minds.spec();
        let look = spec.pace.ticks(LOOK).max(1);
        let squad = &mut self.all.squads[at];
        let Some(kind) = spec.squads.get(squad.kind) else { return };
        let most = squad.tellings.len() + MOST_NOTED;
        for from in &squad.members {
            let Some(knows) = self.minds.mind(from.mind) else { continue };
            let own = kind.shares.iter().flat_map(|&kind| knows.memory().of_kind(kind));
            for fact in own.filter(|fact| is_sensed(spec, fact.writer())) {
                let about = about(fact);
                for to in squad.members.iter().filter(|to| to.mind != from.mind) {
                    let Some(mate) = self.minds.mind(to.mind) else { continue };
                    let waits = |it: &Retelling| {
                        (it.to, it.kind, it.about) == (to.mind, fact.kind(), about)
                            && (about.entity().is_some() || it.from == from.mind)
                    };
                    if squad.tellings.len() < most
                        && fact.entity(Attribute::Object) != Some(to.me)
                        && !squad.tellings.iter().any(waits)
                        && is_news(fact, mate, look)
                    {
                        let (from, to, kind) = (from.mind, to.mind, fact.kind());
                        squad.tellings.push(Retelling { due, from, to, kind, about });
                    }
                }
            }
        }
    }

    /// Tells what has waited long enough, if it is still news.
    fn tell_news(&mut self, at: usize, now: Tick) {
        let look = self.minds.spec().pace.ticks(LOOK).max(1);
        let mut next = 0;
        while let Some(&telling) = self.all.squads[at].tellings.get(next) {
            if telling.due > now {
                next += 1;
                continue;
            }
            self.all.squads[at].tellings.remove(next);
            if let Some(message) = self.retold(&telling, now, look) {
                self.send(telling.to, message);
            }
        }
    }

    /// What is told, as the one knows it now; `None` if that is no news any more.
    fn retold(&self, telling: &Retelling, now: Tick, look: Tick) -> Option<Message> {
        let (knows, mate) = (self.minds.mind(telling.from)?, self.minds.mind(telling.to)?);
        let spec = self.minds.spec();
        let own = knows.memory().of_kind(telling.kind);
        let own = own.filter(|fact| is_sensed(spec, fact.writer()));
        let fact = own
            .filter(|&fact| about(fact) == telling.about)
            .max_by(|a, b| a.updated().cmp(&b.updated()).then(b.id().cmp(&a.id())))?;
        if !is_news(fact, mate, look) {
            return None;
        }
        let mut draft = fact.draft().keep(fact.expires().saturating_sub(now).max(1));
        draft.attributes.iter_mut().flatten().for_each(|(_, sure)| *sure *= TOLD);
        let draft = Box::new(draft.with(Attribute::Source, knows.me(), 1.0));
        // Of what has no number of its own there may be several.
        let is_numbered = fact.has(Attribute::Object) || fact.has(Attribute::Index);
        Some(if is_numbered { Message::Retold(draft) } else { Message::Told(draft) })
    }
}

/// Whether a sensor writes so.
fn is_sensed(spec: &Spec, writer: Word) -> bool {
    writer != spec.told && spec.sensors.iter().any(|sensor| sensor.name == writer)
}

/// What a fact is about.
fn about(fact: FactRef<'_>) -> Key {
    fact.entity(Attribute::Object).map_or(Key::Fact(fact.id()), Key::Entity)
}

/// How surely something is where it is said to be; what is nowhere, how sure the surest of it is.
fn sure(fact: FactRef<'_>) -> f32 {
    match fact.has(Attribute::Position) {
        true => fact.sure(Attribute::Position),
        false => Attribute::ALL.iter().fold(0.0, |best, &at| fact.sure(at).max(best)),
    }
}

/// Whether two facts of a kind are about the same.
fn is_same(one: FactRef<'_>, two: FactRef<'_>) -> bool {
    match one.entity(Attribute::Object) {
        Some(object) => two.entity(Attribute::Object) == Some(object),
        None => says_the_same(one, two),
    }
}

/// Whether two facts say the same in words, and of the same place.
fn says_the_same(one: FactRef<'_>, two: FactRef<'_>) -> bool {
    let words = Attribute::ALL.into_iter().filter(|at| at.sort() == Sort::Word);
    let place = |fact: FactRef<'_>| fact.position(Attribute::Position);
    let is_near = match (place(one), place(two)) {
        (Some(one), Some(two)) => distance(one, two) <= SAME_PLACE,
        (one, two) => one == two,
    };
    is_near && words.into_iter().all(|at| one.word(at) == two.word(at))
}

/// Whether a mate knows something less surely, or older, or has it wrong.
fn is_news(fact: FactRef<'_>, mate: &Mind, look: Tick) -> bool {
    let (wanted, since) = (sure(fact) * TOLD - SAME_SURE, fact.updated());
    let mut is_known = false;
    for known in mate.memory().of_kind(fact.kind()).filter(|&known| is_same(fact, known)) {
        let same = says_the_same(fact, known);
        let may_be_older = if same { look } else { 0 };
        let is_sure = sure(known) >= wanted;
        if is_sure && after(known.updated(), may_be_older) >= since {
            is_known = true;
        } else if !is_sure && !same && known.updated() < since {
            return true;
        }
    }
    !is_known
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn what_waits_to_be_told_comes_back() {
        comes_back::<Retelling>(|trial, _| Retelling {
            due: trial.any(),
            from: trial.any(),
            to: trial.any(),
            kind: trial.any(),
            about: trial.any(),
        });
    }
}
