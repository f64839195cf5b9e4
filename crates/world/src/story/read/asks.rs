//! What things ask of each other: `needs THING = STATE`, `needs THING by me`,
//! `follows THING = STATE -> STATE`.
//!
//! In:   these clauses as written; looked up when all things are known.
//! Out:  drafts with what they need, their keys and what they follow; an order to build them in.
//! Cost: a pass over the things for each layer of needs.

use super::{NOWHERE, Reading, Statement};
use crate::build::ThingDraft;
use crate::thing::ThingKind;
use std::collections::HashSet;
use std::ops::Range;
use throng_domain::Code;
use throng_domain::notes::{Note, NoteWord, Relation, Reported, WordKind};

/// What a thing asks of another, as written: to be looked up when all things are known.
pub(super) struct Asks<'m> {
    /// Who asks, by position among the things; several of them if `each` was said.
    pub(super) of: Range<usize>,
    pub(super) note: &'m Note,
    pub(super) thing: &'m NoteWord,
    pub(super) what: Asked<'m>,
}

/// What is asked of another thing.
#[derive(Clone, Copy)]
pub(super) enum Asked<'m> {
    /// `needs THING = STATE`
    State(&'m NoteWord),
    /// `needs THING by me`
    Carried,
    /// `follows THING = STATE -> STATE`
    Leads(&'m NoteWord, &'m NoteWord),
}

/// What was read of a thing's needs.
pub(super) type AsksRead<'m> = Vec<(&'m NoteWord, Asked<'m>)>;

impl<'m> Reading<'m> {
    /// Looks up what things need and follow, now that all things are known.
    pub(super) fn resolve_asks(&mut self) {
        for Asks { of, note, thing, what } in std::mem::take(&mut self.asks) {
            // The mistake is in the report.
            if self.statement(note).is_asked_well(of.start, thing, what).is_err() {
                continue;
            }
            let first = of.start;
            for at in of {
                let name = &self.his_own(&thing.text, what, at - first + 1);
                let entry = &mut self.story.things[at];
                match what {
                    Asked::State(state) => entry.needs.push((name.clone(), state.text.clone())),
                    Asked::Carried => entry.keys.push(name.clone()),
                    Asked::Leads(when, becomes) => {
                        let (when, becomes) = (when.text.clone(), becomes.text.clone());
                        entry.follows.push((name.clone(), when, becomes));
                    }
                }
            }
        }
        self.tools();
    }

    /// Of things of which there are several, the second asks for `THING.2` if there is one that can be
    /// asked for the same.
    fn his_own(&self, name: &str, what: Asked<'_>, number: usize) -> String {
        let his = format!("{name}.{number}");
        let other = self.story.find_thing(&his).map(|at| &self.story.things[at]);
        let can = |it: &ThingDraft| match what {
            Asked::State(state) | Asked::Leads(state, _) => it.states.contains(&state.text),
            Asked::Carried => it.kind == ThingKind::Item,
        };
        if other.is_some_and(can) { his } else { name.to_string() }
    }

    /// An item that something needs is a tool: carried, and not fought with.
    fn tools(&mut self) {
        let things = self.story.things.iter();
        let nodes = self.story.nodes.iter().flat_map(|node| &node.needs);
        let needed = things.flat_map(|thing| thing.needs.iter()).chain(nodes).map(|(name, _)| name);
        let keys = self.story.things.iter().flat_map(|thing| &thing.keys);
        let tools: HashSet<String> = needed.chain(keys).cloned().collect();
        for thing in &mut self.story.things {
            // A gun says how many rounds it has.
            if thing.arms == Some(0) && tools.contains(&thing.name) {
                thing.arms = None;
            }
        }
    }

    /// Two ways through one cell, and things that need each other in a circle.
    pub(super) fn check_things(&mut self) {
        let things = &self.story.things;
        let links = || {
            let placed = |thing: &ThingDraft| thing.kind.is_link() && thing.cell != NOWHERE;
            things.iter().enumerate().filter(move |(_, thing)| placed(thing))
        };
        let span = |name: &str| self.declared.get(name).copied().unwrap_or_default();
        for (at, thing) in links() {
            if let Some((_, other)) =
                links().take(at).find(|(before, other)| *before < at && other.cell == thing.cell)
            {
                let text = format!("`{}` and `{}` are in one cell", thing.name, other.name);
                let cure = "a cell has one door or one window".to_string();
                let (place, first) = (span(&thing.name), span(&other.name));
                self.report.say_twice(Code::NoteSense, place, first, text, cure);
            }
        }
        let cannot = build_order(things).1;
        let Some(&first) = cannot.first() else { return };
        let mut thing = first;
        // A thing that cannot be placed needs one that cannot: after so many steps we are in a circle.
        for _ in 0..things.len() {
            let called = |name: &str| cannot.iter().find(|&&at| things[at].name == *name);
            let next = asked_of(&things[thing]).find_map(called);
            thing = next.copied().unwrap_or(thing);
        }
        let name = &things[thing].name;
        let text = format!("`{name}` needs what in the end needs `{name}`");
        let cure = "break the circle: let one of them need or follow nothing";
        self.report.say(Code::NoteSense, span(name), text, cure);
    }
}

impl<'m> Statement<'m, '_> {
    /// Whether what a thing needs or follows is there: another thing, its state, an item.
    fn is_asked_well(
        &mut self,
        of: usize,
        thing: &NoteWord,
        what: Asked<'_>,
    ) -> Result<(), Reported> {
        let other = match what {
            Asked::State(state) | Asked::Leads(state, _) => self.need(thing, state)?.thing,
            Asked::Carried => self.find("thing", thing, self.story.thing_names())?,
        };
        let (own, is_item) =
            (&self.story.things[of], self.story.things[other].kind == ThingKind::Item);
        if own.name == thing.text {
            let verb = if matches!(what, Asked::Leads(..)) { "follows" } else { "needs" };
            let text = format!("`{}` {verb} itself", thing.text);
            let cure = format!("name another thing, or leave `{verb}` out");
            return Err(self.senseless(thing.span, text, cure));
        }
        match what {
            Asked::Leads(_, becomes) if !own.states.is_empty() => {
                let what = format!("state of `{}`", own.name);
                self.find(&what, becomes, own.states.iter().map(String::as_str)).map(|_| ())
            }
            Asked::Carried if !is_item => {
                let text = format!("`{}` is no item, so nobody can carry it", thing.text);
                Err(self.senseless(thing.span, text, "ask for its state: `needs THING = STATE`"))
            }
            _ => Ok(()),
        }
    }

    /// `THING = STATE, THING by me …`
    pub(super) fn needs(&mut self, asks: &mut AsksRead<'m>) -> Result<(), Reported> {
        loop {
            let thing = self.name("a thing, as in `needs table = flipped`")?;
            if self.take_word("by") {
                self.keyword("me", "`me`: who uses it must carry this")?;
                asks.push((thing, Asked::Carried));
            } else if self.take_sign(WordKind::Compare(Relation::Is)) {
                asks.push((thing, Asked::State(self.value("a state")?)));
            } else {
                let what =
                    "`=` and the state that it must be in, or `by me`: who uses this carries it";
                return Err(self.expected(what));
            }
            if !self.take_sign(WordKind::Comma) {
                return Ok(());
            }
        }
    }

    /// `THING = STATE -> STATE, …`
    pub(super) fn follows(&mut self, asks: &mut AsksRead<'m>) -> Result<(), Reported> {
        loop {
            let thing = self.name("a thing, as in `follows lever = down -> open`")?;
            self.sign(WordKind::Compare(Relation::Is))?;
            let when = self.value("a state of it")?;
            self.sign(WordKind::Arrow)?;
            asks.push((thing, Asked::Leads(when, self.value("what this one becomes")?)));
            if !self.take_sign(WordKind::Comma) {
                return Ok(());
            }
        }
    }
}

/// The names of the things that one needs or follows.
fn asked_of(thing: &ThingDraft) -> impl Iterator<Item = &str> {
    let needs = thing.needs.iter().map(|(name, _)| name);
    let follows = thing.follows.iter().map(|(name, ..)| name);
    needs.chain(&thing.keys).chain(follows).map(String::as_str)
}

/// Things in an order in which each comes after those that it needs or follows, and those that cannot be
/// put so.
pub(crate) fn build_order(things: &[ThingDraft]) -> (Vec<usize>, Vec<usize>) {
    let (mut order, mut rest) = (Vec::new(), (0..things.len()).collect::<Vec<_>>());
    let mut placed: HashSet<&str> = HashSet::new();
    loop {
        let is_ready = |thing: &usize| asked_of(&things[*thing]).all(|name| placed.contains(name));
        let (ready, not_yet): (Vec<usize>, Vec<usize>) = rest.into_iter().partition(is_ready);
        rest = not_yet;
        if ready.is_empty() {
            return (order, rest);
        }
        placed.extend(ready.iter().map(|&thing| things[thing].name.as_str()));
        order.extend(ready);
    }
}
