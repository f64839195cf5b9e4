//! `select`: what matters is picked from facts and has a name.
//!
//! In:   the words of a `select` note; its name and its slots are the domain's.
//! Out:  a [`SelectSpec`] each, in the order in which they are made.
//! Cost: one pass; the order, the square of the selections.

use super::Spec;
use super::conditions::{Scope, attribute};
use super::parts::{Seen, margin, no_part, number, whole};
use super::read::{Read, Reading};
use crate::condition::{Condition, Pattern, Source, Term};
use crate::fact::{Attribute, Sort};
use crate::picks::{Made, SlotSet, slot_set};
use crate::time::Tick;
use std::mem::take;
use std::ops::Range;
use throng_domain::Code;
use throng_domain::Report;
use throng_domain::model::SelectId;
use throng_domain::notes::{Note, NoteReader};
use throng_domain::source::Span;

const PARTS: [&str; 9] =
    ["by", "where", "score", "margin", "keep", "every", "while", "claims", "spread"];
/// How much better another must be, unless the file says so.
const MARGIN: f32 = 0.1;
/// How often what is picked is looked at anew, in seconds: of one, and of several.
const EVERY: [f64; 2] = [0.1, 0.33];
/// How much better another can have to be: twice as good.
const WIDEST_MARGIN: f64 = 1.0;
/// How many minds can be let have one thing.
const MOST_HOLDERS: u32 = 1000;

/// `select NAME: one|best K of PATTERN …`
#[derive(Clone, PartialEq, Debug)]
pub struct SelectSpec {
    /// Its place among the selects of the domain.
    pub select: SelectId,
    /// Its slots, by position among those of the file.
    pub slots: Range<u16>,
    /// Candidates are the facts that match one of these.
    pub of: Vec<Pattern>,
    /// What makes two facts be about the same: this attribute, or `object`, else `node`, else none.
    pub by: Option<Attribute>,
    /// Only those that pass this.
    pub filter: Option<Condition>,
    /// The same as the file says it: what all must hold, one by one.
    pub filter_words: Vec<String>,
    /// Their product is the score; empty: 1.
    pub score: Vec<Term>,
    /// The same as the file says it.
    pub score_words: Vec<String>,
    /// How much better another must be to take a pick's place.
    pub margin: f32,
    /// How long a pick stays at least.
    pub keep: Tick,
    /// How often it is looked at anew at most.
    pub every: Tick,
    /// While this does not hold all slots are empty.
    pub during: Option<Condition>,
    /// At most so many minds have what is picked.
    pub claims: Option<u32>,
    /// The score of what others of the side have picked is times this, for each of them.
    pub spread: Option<f32>,
    /// The slots that it asks for.
    pub(crate) reads: SlotSet,
    /// It asks for variables.
    pub(crate) reads_state: bool,
    /// It asks for the age of facts, and how far things are from the mind.
    pub(crate) reads_age: bool,
    pub(crate) reads_distance: bool,
}

impl SelectSpec {
    /// Its own slots, as a set.
    pub(crate) fn own(&self) -> SlotSet {
        slot_set(self.slots.start, self.slots.end - self.slots.start)
    }

    /// Whether minds of a type have a use for what is picked: as a value, for an action, or in a
    /// symbol.
    pub(crate) fn is_used_by(&self, spec: &Spec, npc: usize) -> bool {
        let Some(compiled) = spec.domain.npcs().get(npc) else { return false };
        let own: SlotSet = self.own();
        let is_value = |slot: &Option<u16>| slot.is_some_and(|at| self.slots.contains(&at));
        let mut symbols = spec.symbols.iter();
        compiled.actions().iter().any(|&id| spec.action(id).named & own != 0)
            || symbols.any(|it| {
                let speaks = it.asks & own != 0 || it.value_slots.iter().any(is_value);
                speaks && compiled.variables().contains(&it.variable)
            })
    }

    /// Whether it asks for what it has picked itself: it is made in rounds.
    pub(crate) fn reads_itself(&self) -> bool {
        self.reads & self.own() != 0
    }

    /// Whether what others have picked matters to it.
    pub(crate) fn asks_others(&self) -> bool {
        self.claims.is_some() || self.spread.is_some()
    }

    /// Whether it may be another when what selections are made of has changed so, but for picks.
    pub(crate) fn is_touched(&self, before: &Made, now: &Made) -> bool {
        let (from, to) = (&before.from, &now.from);
        let says_else = (from.memory.0, from.shared.0) != (to.memory.0, to.shared.0);
        let is_confirmed = (from.memory.1, from.shared.1) != (to.memory.1, to.shared.1);
        says_else
            || is_confirmed && self.reads_age
            || from.here != to.here && self.reads_distance
            || before.state != now.state && self.reads_state
            || before.others != now.others && self.asks_others()
            || (before.pins ^ now.pins) & self.own() != 0
    }

    fn note_what_it_asks(&mut self) {
        let conditions = || self.filter.iter().chain(&self.during);
        let patterns = self.of.iter().fold(0, |all, it| all | it.slots());
        let asked = conditions().fold(patterns, |all, it| all | it.slots());
        self.reads = self.score.iter().fold(asked, |all, it| all | it.slots());
        self.reads_state = conditions().any(Condition::asks_variables)
            || self.score.iter().any(|term| term.measure.asks_variables());
    }
}

impl<'m> Reading<'m> {
    /// `NAME: one|best K of PATTERN or PATTERN [by …] [where …] …`.
    pub(super) fn select(&mut self, note: &'m Note, r: &mut NoteReader<'m, '_>) -> Read<()> {
        let name = r.name("the select's name, as in `select target: one of character`")?;
        // What is wrong with a head the domain has told.
        let Some(select) = self.names.map.find_select(&name.text) else {
            while r.next().is_some() {}
            return Ok(());
        };
        let slots: Vec<u16> =
            self.names.map.slots_of(select).map(|slot| slot.index() as u16).collect();
        let slots = slots.first().map_or(0..0, |&first| first..first + slots.len() as u16);
        while !r.is_done() && !r.take_word("of") {
            r.next();
        }
        // What the file asks for so far, and what this selection does.
        let Spec { asks_age, asks_distance, .. } = &mut self.spec;
        let before = [take(asks_age), take(asks_distance)];
        let of = self.candidates(r)?;
        let mut spec = SelectSpec {
            select,
            of,
            by: None,
            filter: None,
            filter_words: note.parts_behind("where", &PARTS, "and"),
            score: Vec::new(),
            score_words: note.parts_behind("score", &PARTS, "times"),
            margin: MARGIN,
            keep: 0,
            every: self.spec.pace.ticks(EVERY[usize::from(slots.len() > 1)]),
            during: None,
            claims: None,
            spread: None,
            reads: 0,
            reads_state: false,
            reads_age: false,
            reads_distance: false,
            slots,
        };
        let mut seen = Seen::default();
        self.selecting = Some(select);
        while !r.is_done() {
            match seen.part(r, &PARTS) {
                Some(part) => self.select_part(r, part, &mut spec)?,
                None => return Err(no_part(r, "a select", &PARTS)),
            }
        }
        spec.note_what_it_asks();
        let Spec { asks_age, asks_distance, .. } = &mut self.spec;
        (spec.reads_age, spec.reads_distance) = (*asks_age, *asks_distance);
        *asks_age |= before[0];
        *asks_distance |= before[1];
        self.select_places.push((select, note.span));
        self.spec.selects.push(spec);
        Ok(())
    }

    /// `PATTERN or PATTERN …`.
    fn candidates(&mut self, r: &mut NoteReader<'_, '_>) -> Read<Vec<Pattern>> {
        let mut of = Vec::new();
        loop {
            let place = r.place();
            let pattern = self.pattern(r, Scope::Elsewhere)?;
            if !matches!(pattern.source, Source::Own(_)) {
                let text = "a selection picks from facts of a kind that the mind knows itself";
                let cure = "name a kind of facts, as in `one of character(knowledge = alive)`";
                r.report.say(Code::NoteSense, place, text, cure);
            }
            of.push(pattern);
            if !r.take_word("or") {
                return Ok(of);
            }
        }
    }

    fn select_part(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        part: &str,
        spec: &mut SelectSpec,
    ) -> Read<()> {
        match part {
            "by" => {
                let word = r.name("an attribute, as in `by object`")?;
                spec.by = attribute(r, word, &[]);
                if spec.by.is_some_and(|by| by.sort() == Sort::Position) {
                    let text = format!("`{}` is a place, and no two are the same", word.text);
                    let cure = "write a thing, a word or a number, as in `by object`";
                    r.report.say(Code::NoteSense, word.span, text, cure);
                }
            }
            "where" => spec.filter = Some(self.condition(r, Scope::Candidate)?),
            "score" => spec.score = self.product(r, Scope::Candidate)?,
            "margin" => spec.margin = margin(r, WIDEST_MARGIN)?,
            "keep" => spec.keep = self.seconds(r, "seconds, as in `keep 1`")?,
            "every" => spec.every = self.seconds(r, "seconds, as in `every 0.5`")?,
            "while" => spec.during = Some(self.condition(r, Scope::Elsewhere)?),
            "claims" => {
                let is_number = r.peek().is_some_and(|word| word.kind.is_number());
                let what = "how many minds may have it, as in `claims 2`";
                spec.claims = Some(if is_number { whole(r, what, 1, MOST_HOLDERS)? } else { 1 });
            }
            _ => {
                let what = "a number from 0 to 1, as in `spread 0.25`";
                spec.spread = Some(number(r, what, 0.0, 1.0)? as f32);
            }
        }
        Ok(())
    }

    /// Puts the selections into the order in which they are made: each after those that it asks
    /// for. A circle is told.
    pub(super) fn order_selects(&mut self, report: &mut Report) {
        let mut left = std::mem::take(&mut self.spec.selects);
        let mut made: SlotSet = 0;
        while !left.is_empty() {
            let waits = |it: &SelectSpec, left: &[SelectSpec]| {
                let others = left.iter().filter(|other| other.select != it.select);
                others.fold(0, |all, other| all | other.own()) & it.reads & !made != 0
            };
            let Some(next) = left.iter().position(|it| !waits(it, &left)) else { break };
            let next = left.remove(next);
            made |= next.own();
            self.spec.selects.push(next);
        }
        let Spec { selects, .. } = &self.spec;
        let claimed = selects.iter().filter(|it| it.claims.is_some());
        let claimed_slots = claimed.fold(0, |all, it| all | it.own());
        let selects_ask_others = selects.iter().any(SelectSpec::asks_others);
        self.spec.claimed_slots = claimed_slots;
        self.spec.selects_ask_others = selects_ask_others;
        if let Some(first) = left.first() {
            self.say_circle(first, &left, report);
        }
    }

    /// Walks from one selection to one that it waits for until one comes again.
    fn say_circle(&self, first: &SelectSpec, left: &[SelectSpec], report: &mut Report) {
        let mut circle = vec![first];
        loop {
            let Some(&last) = circle.last() else { return };
            let next =
                left.iter().find(|it| it.select != last.select && it.own() & last.reads != 0);
            let Some(next) = next else { return };
            if let Some(at) = circle.iter().position(|it| it.select == next.select) {
                circle.drain(..at);
                break;
            }
            circle.push(next);
        }
        let map = self.names.map;
        let names: Vec<String> =
            circle.iter().map(|it| format!("`{}`", map.select(it.select))).collect();
        let place = |it: &SelectSpec| {
            let known = self.select_places.iter().find(|(select, _)| *select == it.select);
            known.map_or(Span::default(), |(_, span)| *span)
        };
        let Some(first) = circle.first() else { return };
        let text = format!("selections wait for each other in a circle: {}", names.join(", "));
        let cure = "let one of them do without the others: a selection may ask for itself, but not \
                    for one that asks for it";
        report.say(Code::SelectCircle, place(first), text, cure);
    }
}
