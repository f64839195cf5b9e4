//! A domain as canonical bytes, and those bytes as 128 bits.
//!
//! In:   the model.
//! Out:  bytes that are equal exactly for equal domains (tests and places left out), and
//!       their FNV-1a hash of 128 bits.
//! Cost: linear in the model.
//!
//! The hash tells files, tables and recordings of different domains apart; it is not meant to
//! withstand a search for collisions, so nothing is trusted because of it alone.

use crate::amounts::ShiftEnd;
use crate::model::*;
pub use throng_base::Digest128 as Digest;

/// The digest of a model, without ever holding its bytes.
pub(crate) fn digest_of(model: &Model) -> Digest {
    digest_of_written(|out| out.model(model))
}

/// The digest of what `write` writes.
pub(super) fn digest_of_written(write: impl FnOnce(&mut Bytes<'_>)) -> Digest {
    let mut digest = Digest::EMPTY;
    write(&mut Bytes(&mut |bytes| digest.bytes(bytes)));
    digest
}

/// The domain as bytes: lists with their lengths in front, numbers little-endian.
pub(super) fn canonical_bytes(model: &Model) -> Vec<u8> {
    let mut all = Vec::new();
    Bytes(&mut |bytes| all.extend_from_slice(bytes)).model(model);
    all
}

/// Writes canonical bytes to whoever takes them.
pub(super) struct Bytes<'t>(&'t mut dyn FnMut(&[u8]));

impl Bytes<'_> {
    fn model(&mut self, model: &Model) {
        self.head(&model.name);
        self.list(&model.variables, |out, variable| {
            out.text(&variable.name);
            out.number(variable.values.len() as u64);
            variable.values.each_name(|name| out.text(name));
            out.flag(variable.shared);
            out.texts(&variable.was);
        });
        self.texts(&model.checks);
        self.list(&model.actions, |out, action| {
            out.text(&action.name);
            out.facts(action.requires());
            out.facts(action.sets());
            out.checks(action.checks());
            out.list(action.overrides(), |out, id| out.number(id.0.into()));
            out.number(action.cost.0);
            out.texts(action.was());
        });
        self.list(&model.goals, |out, goal| {
            out.text(&goal.name);
            out.facts(&goal.wants);
            out.number(goal.priority.0);
            out.texts(&goal.was);
        });
        self.list(&model.npcs, |out, npc| {
            out.text(&npc.name);
            out.flag(npc.implicit);
            out.list(&npc.can, |out, id| out.number(id.0.into()));
            out.list(&npc.wants, |out, id| out.number(id.0.into()));
            out.facts(&npc.starts);
            out.texts(&npc.was);
        });
        self.extras(model);
    }

    /// What only some domains have, each behind a letter: domains without it keep the digest
    /// they had before it could be said.
    fn extras(&mut self, model: &Model) {
        let serving = model.goals.iter().enumerate().filter_map(|(at, g)| Some((at, g.serves()?)));
        self.extra(b"s", serving.collect(), |out, (at, serves)| {
            out.number(*at as u64);
            out.text(serves);
        });
        let numbered = || model.actions.iter().enumerate();
        let compounds = numbered().filter(|(_, action)| !action.parts().is_empty());
        self.extra(b"p", compounds.collect(), |out, (at, action)| {
            out.number(*at as u64);
            out.list(action.parts(), |out, id| out.number(id.0.into()));
        });
        let generic = numbered().filter(|(_, action)| !action.kinds().is_empty());
        self.extra(b"k", generic.collect(), |out, (at, action)| {
            out.number(*at as u64);
            out.list(action.kinds(), |out, kind| {
                out.text(&kind.name);
                out.checks(&kind.checks);
                out.number(kind.cost.0);
            });
        });
        let counting = numbered().filter(|(_, action)| action.counts());
        self.extra(b"c", counting.collect(), |out, (at, action)| {
            out.number(*at as u64);
            out.amounts(action.conditions());
            out.list(action.shifts(), |out, shift| {
                out.number(shift.variable.0.into());
                out.number(i64::from(shift.by.by) as u64);
                out.number(match shift.by.end {
                    ShiftEnd::Refuse => 0,
                    ShiftEnd::Stop(at) => 1 + u64::from(at),
                });
            });
        });
        let goals = model.goals.iter().enumerate();
        let goals = goals.filter(|(_, g)| !(g.ranges.is_empty() && g.comparisons.is_empty()));
        self.extra(b"g", goals.collect(), |out, (at, goal)| {
            out.number(*at as u64);
            out.amounts(goal.conditions());
        });
        self.extra(b"w", model.preferences.iter().collect(), |out, preference| {
            out.list(&preference.before, |out, id| out.number(id.0.into()));
            out.list(&preference.after, |out, id| out.number(id.0.into()));
        });
        self.slots(model);
    }

    /// The slots of selects, and which values stand for them; all else of them is in names.
    fn slots(&mut self, model: &Model) {
        self.extra(b"l", model.selects.iter().collect(), |out, select| {
            out.text(&select.name);
            out.number(select.n_slots as u64);
        });
        let picking = model.variables.iter().enumerate().filter(|(_, it)| !it.picks.is_empty());
        self.extra(b"v", picking.collect(), |out, (at, variable)| {
            out.number(*at as u64);
            out.list(&variable.picks, |out, (first, select)| {
                out.number(first.0.into());
                out.number(select.0.into());
            });
        });
    }

    /// A list behind a letter, if there is anything in it.
    fn extra<T>(&mut self, letter: &[u8], items: Vec<T>, each: impl FnMut(&mut Self, &T)) {
        if !items.is_empty() {
            (self.0)(letter);
            self.list(&items, each);
        }
    }

    /// What is asked of amounts.
    fn amounts(&mut self, conditions: Conditions<'_>) {
        self.list(conditions.ranges, |out, range| {
            out.number(range.variable.0.into());
            out.list(range.values.runs(), |out, &(first, last)| {
                out.number(first.into());
                out.number(last.into());
            });
        });
        self.list(conditions.comparisons, |out, it| {
            out.number(it.variable.0.into());
            out.number(it.relation as u64);
            out.number(it.other.0.into());
        });
    }

    fn checks(&mut self, checks: &[CheckUse]) {
        self.list(checks, |out, used| {
            out.number(used.check.0.into());
            out.flag(used.expected);
        });
    }

    /// What every domain begins with.
    pub(super) fn head(&mut self, domain: &str) {
        (self.0)(b"throng domain 1\0");
        self.text(domain);
    }

    pub(super) fn number(&mut self, number: u64) {
        (self.0)(&number.to_le_bytes());
    }

    pub(super) fn flag(&mut self, flag: bool) {
        (self.0)(&[u8::from(flag)]);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        (self.0)(text.as_bytes());
    }

    pub(super) fn texts(&mut self, texts: &[String]) {
        self.list(texts, |out, text| out.text(text));
    }

    pub(super) fn facts(&mut self, facts: &[Fact]) {
        self.list(facts, |out, fact| out.fact(*fact));
    }

    pub(super) fn fact(&mut self, fact: Fact) {
        self.number(fact.variable.0.into());
        self.number(fact.value.0.into());
    }

    pub(super) fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u64);
        for item in items {
            each(self, item);
        }
    }
}
