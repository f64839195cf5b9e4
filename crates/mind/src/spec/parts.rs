//! Small pieces of notes: numbers, seconds, actions, and parts in any order.

use super::read::{Read, Reading};
use crate::time::Tick;
use throng_domain::Code;
use throng_domain::model::ActionId;
use throng_domain::notes::{NoteReader, WordKind};
use throng_domain::source::Span;

/// The longest time that can be written, in seconds: eleven days.
pub(super) const LONGEST: f64 = 1_000_000.0;

/// A number that must come next; one out of range is told and read as `least`.
pub(super) fn number(r: &mut NoteReader<'_, '_>, what: &str, least: f64, most: f64) -> Read<f64> {
    let is_number = r.peek().is_some_and(|word| word.kind.is_number());
    let number = r.number(what, least, most);
    if is_number { Ok(number.unwrap_or(least)) } else { number }
}

/// How much better another must be, as a part of what is held; more than `most` is told and read as
/// that.
pub(super) fn margin(r: &mut NoteReader<'_, '_>, most: f64) -> Read<f32> {
    let word = r.peek();
    let margin = number(r, "a part, as in `margin 0.25`", 0.0, f64::MAX)?;
    if let Some(word) = word.filter(|_| margin > most) {
        let text = format!(
            "`margin {}` is more than {most}: another could never be that much better",
            word.text
        );
        let cure = format!(
            "write a part from 0 to {most}; `margin 0.25`: another must be a quarter better"
        );
        r.report.say(Code::NoteNumber, word.span, text, cure);
    }
    Ok(margin.min(most) as f32)
}

/// A whole number that must come next.
pub(super) fn whole(r: &mut NoteReader<'_, '_>, what: &str, least: u32, most: u32) -> Read<u32> {
    if let Some(word) = r.peek().filter(|w| w.kind.is_number() && w.text.contains('.')) {
        // Any number will do: it is read to be left behind.
        let _ = r.number(what, f64::MIN, f64::MAX);
        let text = format!("`{}` is not a whole number", word.text);
        r.report.say(Code::NoteNumber, word.span, text, format!("write {what}"));
        return Ok(least);
    }
    // Whole numbers up to 2^32 are exact.
    Ok(number(r, what, f64::from(least), f64::from(most))? as u32)
}

/// Reports a word that begins no part, with the nearest that does.
pub(super) fn no_part(
    r: &mut NoteReader<'_, '_>,
    of: &str,
    known: &[&'static str],
) -> throng_domain::notes::Reported {
    match r.peek().filter(|word| word.kind == WordKind::Name) {
        Some(word) => {
            r.unknown(&format!("part of {of}"), &word.text, word.span, known.iter().copied())
        }
        None => r.expected(&format!("one of `{}`, or the end", known.join("`, `"))),
    }
}

/// The parts of a statement that have been seen.
#[derive(Default)]
pub(super) struct Seen<'n>(Vec<(&'n str, Span)>);

impl<'n> Seen<'n> {
    /// Takes the next word if it begins a part; says so if that part was there before.
    pub(super) fn part(
        &mut self,
        r: &mut NoteReader<'n, '_>,
        known: &[&'static str],
    ) -> Option<&'n str> {
        let is_part = |text: &str| known.contains(&text);
        let word = r.peek().filter(|w| w.kind == WordKind::Name && is_part(&w.text))?;
        r.take_word(&word.text);
        match self.0.iter().find(|(part, _)| *part == word.text) {
            Some(&(part, first)) => {
                let text = format!("`{part}` is written twice");
                let also = (first, "first written here");
                r.report.say_also(Code::NoteTwice, word.span, also, text, "keep one of them");
            }
            None => self.0.push((&word.text, word.span)),
        }
        Some(&word.text)
    }
}

/// What stands between commas, at least one.
pub(super) fn listed<'n, 'r, T>(
    r: &mut NoteReader<'n, 'r>,
    mut one: impl FnMut(&mut NoteReader<'n, 'r>) -> Read<T>,
) -> Read<Vec<T>> {
    let mut all = vec![one(r)?];
    while r.take_sign(WordKind::Comma) {
        all.push(one(r)?);
    }
    Ok(all)
}

impl Reading<'_> {
    /// Seconds, as ticks.
    pub(super) fn seconds(&mut self, r: &mut NoteReader<'_, '_>, what: &str) -> Read<Tick> {
        Ok(self.spec.pace.ticks(number(r, what, 0.0, LONGEST)?))
    }

    /// An action, or all actions of a template; none, with a report, if there is none.
    pub(super) fn action(&mut self, r: &mut NoteReader<'_, '_>) -> Read<(Vec<ActionId>, Span)> {
        let (name, span) = r.reference("an action")?;
        let Some(ids) = self.names.actions(&name).map(<[_]>::to_vec) else {
            let like = self.names.like_action(&name);
            let _ = r.unknown("action", &name, span, like);
            return Ok((Vec::new(), span));
        };
        let fits = self.spend(ids.len(), span, r.report);
        Ok((if fits { ids } else { Vec::new() }, span))
    }

    /// Actions separated by commas, by id, each once.
    pub(super) fn actions(&mut self, r: &mut NoteReader<'_, '_>) -> Read<Vec<ActionId>> {
        let mut ids = listed(r, |r| Ok(self.action(r)?.0))?.concat();
        ids.sort_unstable();
        ids.dedup();
        Ok(ids)
    }
}
