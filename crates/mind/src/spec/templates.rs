//! Templates of symbols and checks: one statement, an answer for each slot.
//!
//! In:   `way_to(spot in place): …`, and the ground names that the domain made of it.
//! Out:  the rule, read once for each of them, with its parameters bound.
//! Cost: the words of the note per instance, counted against the room of notes.

use super::defaults::{bare, parameters};
use super::read::{Read, Reading};
use super::references::Bound;
use crate::condition::Ref;
use throng_domain::Report;
use throng_domain::model::SlotAt;
use throng_domain::notes::{Note, NoteReader, NoteWord, WordKind};

/// The head of a statement: its name, and what its parameters are called.
pub(super) struct Head<'n> {
    pub(super) name: &'n NoteWord,
    pub(super) parameters: Vec<&'n str>,
    /// What each of them ranges over.
    pub(super) ranges: Vec<&'n NoteWord>,
}

/// `NAME` or `NAME(PARAMETER in RANGE, …)`.
pub(super) fn head<'n>(r: &mut NoteReader<'n, '_>, what: &str) -> Read<Head<'n>> {
    let name = r.name(what)?;
    let (mut parameters, mut ranges) = (Vec::new(), Vec::new());
    if r.take_sign(WordKind::Open) {
        loop {
            parameters.push(&*r.name("a parameter, as in `way_to(spot in place)`")?.text);
            if !r.take_word("in") {
                return Err(
                    r.expected("`in` and a variable or select, as in `way_to(spot in place)`")
                );
            }
            ranges.push(r.name("a variable or select, as in `way_to(spot in place)`")?);
            // What is left out of it.
            let ends = |r: &NoteReader<'_, '_>| {
                r.is_done() || r.sees_sign(WordKind::Close) || r.sees_sign(WordKind::Comma)
            };
            while !ends(r) {
                r.next();
            }
            if r.take_sign(WordKind::Close) {
                break;
            }
            if !r.take_sign(WordKind::Comma) {
                return Err(r.expected("`)` or `,`"));
            }
        }
    }
    Ok(Head { name, parameters, ranges })
}

impl<'m> Reading<'m> {
    /// Tells of ranges that are neither variables nor selects.
    pub(super) fn judge_ranges(&self, head: &Head<'_>, r: &mut NoteReader<'_, '_>) {
        let map = self.names.map;
        for range in &head.ranges {
            let is_select = map.find_select(&range.text).is_some();
            if !is_select && self.names.variable(&range.text).is_none() {
                let known = self.names.variables().chain(map.select_names());
                let _ = r.unknown("variable or select", &range.text, range.span, known);
            }
        }
    }

    /// Whether a word is one of those that a parameter ranges over. Of a range that is unknown
    /// everything is: that was told.
    pub(super) fn is_in_range(&self, word: &str, range: &str) -> bool {
        let map = self.names.map;
        if let Some(select) = map.find_select(range) {
            let slot = map.find_slot(word);
            return map.slots_of(select).any(|own| Some(own) == slot);
        }
        self.names.variable(range).is_none_or(|id| map.find_value(id, word).is_some())
    }

    /// Binds the parameters of a template to the words of a ground name, of which `slots` are slots.
    pub(super) fn bind(&mut self, parameters: &[&str], ground: &str, slots: &[SlotAt]) {
        let words: Vec<&str> = super::defaults::parameters(ground).collect();
        self.bound.clear();
        for (at, name) in parameters.iter().enumerate() {
            let slot = slots.iter().find(|(position, _)| *position == at);
            let what = match (slot, words.get(at)) {
                (Some((_, slot)), _) => Ref::Slots(slot.index() as u16, 1),
                (None, Some(word)) => Ref::Word(self.spec.words.intern(word)),
                (None, None) => Ref::Slots(0, 0),
            };
            self.bound.push(Bound { name: (*name).to_string(), what });
        }
    }

    /// Reads the rest of a note once for each instance; mistakes are told once, and what is asked of
    /// memory is noted once.
    pub(super) fn each_instance<T>(
        &mut self,
        note: &'m Note,
        r: &mut NoteReader<'m, '_>,
        instances: &[T],
        mut bind: impl FnMut(&mut Self, &T),
        mut read: impl FnMut(&mut Self, &mut NoteReader<'m, '_>, &T) -> Read<()>,
    ) -> Read<()> {
        let count = note.words.len().saturating_mul(instances.len());
        if !self.spend(count, note.span, r.report) {
            return Ok(());
        }
        let mut result = Ok(());
        for (at, instance) in instances.iter().enumerate() {
            bind(self, instance);
            if at == 0 {
                result = read(self, r, instance);
            } else {
                let (mut quiet, n_asked) = (Report::default(), self.asked.len());
                let mut again = NoteReader::new(note, &mut quiet);
                head(&mut again, "a name")?;
                let _ = read(self, &mut again, instance);
                self.asked.truncate(n_asked);
            }
        }
        self.bound.clear();
        result
    }

    /// The bare name of a template, for ground names.
    pub(super) fn is_of_template(ground: &str, template: &str) -> bool {
        bare(ground) == template && parameters(ground).next().is_some()
    }
}
