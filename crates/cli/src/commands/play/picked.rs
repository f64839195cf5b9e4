//! `--why NAME`: why a selection of a mind holds what it holds.
//!
//! In:   an explanation of the minds, and how things and minds are called.
//! Out:  what is picked, a table of candidates with the terms of their scores, what was left out and
//!       by what, what it has for itself, what would change it; or the same as a JSON line.
//! Cost: allocates, and makes the selection again; not for the frame.

use super::action;
use crate::console::{Console, Fail, bad, count};
use crate::edge::{cells, cut, padded};
use crate::shapes::{list, rounded};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use throng_domain::model::NpcTypeId;
use throng_mind::fact::EntityId;
use throng_mind::inspect::{CandidateView, LeftOut, PickView, WhyPicked};
use throng_mind::orders::MindId;
use throng_mind::select::{Claim, Key};
use throng_mind::spec::Spec;
use throng_mind::time::{Pace, Tick};
use throng_mind::{Mind, Minds};
use throng_world::story::only::Only;
use throng_world::story::run::Play;

/// How many candidates, and how many of those left out, are told one by one.
const MOST: usize = 16;
/// Columns for the words of a term.
const TERM: usize = 24;

/// Refuses a question that does not say about whom and when.
pub(crate) fn must_say_of_whom(why: Option<&str>, is_said: bool) -> Result<(), Fail> {
    match why {
        Some(select) if !is_said => bad(format!(
            "`--why {select}` asks about one mind at one moment; add `--at SECONDSs --npc NAME`, \
             as in `--at 6.6s --npc guard --why {select}`"
        )),
        _ => Ok(()),
    }
}

/// Refuses what is neither a selection of the file nor an action of the mind's type.
pub(crate) fn no_such<T>(spec: &Spec, npc: NpcTypeId, said: &str) -> Result<T, Fail> {
    let map = spec.domain.map();
    let selects: Vec<&str> = spec.selects.iter().map(|it| map.select(it.select)).collect();
    let actions = spec.domain.npc(npc).actions().iter();
    let actions: BTreeSet<&str> =
        actions.map(|&action| spec.words.text(spec.action(action).template)).collect();
    let known = selects.iter().chain(&actions).copied();
    let bare = said.split('(').next().unwrap_or(said);
    let did = throng_base::DidYouMean(throng_base::nearest(bare, known));
    let list = |words: Vec<&str>| match words.is_empty() {
        true => "none".to_string(),
        false => words.join(", "),
    };
    let add = match selects.is_empty() {
        true => {
            "; the file has no selection: add one, as in `select target: one of \
             character(knowledge = alive)`"
        }
        false => "",
    };
    let (selects, actions) = (list(selects), list(actions.into_iter().collect()));
    bad(format!(
        "no selection and no action of `{}` is called `{bare}`{did} (selections: {selects}; \
         actions: {actions}){add}",
        map.npc(npc)
    ))
}

/// The same of a story, with the names that it has.
pub(crate) fn on_stage(
    play: &Play,
    only: Option<&Only>,
    select: &str,
    json: bool,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let (cast, minds) = (play.cast(), play.minds());
    let name = only.and_then(Only::name).unwrap_or_default();
    let voices = (0..play.story().actors.len()).chain(cast.squad_voices());
    let voice = voices.into_iter().find(|&voice| cast.voice_name(voice) == name);
    let mind = voice.and_then(|voice| Some((voice, cast.mind(voice)?)));
    let Some((voice, mind)) = mind else {
        let (now, seconds) = (play.now(), play.story().pace.seconds(play.now()));
        return bad(format!(
            "`{name}` has no mind at tick {now}, {seconds:.1} s: dead, or not there"
        ));
    };
    let names = Names {
        who: name,
        key: &|key| cast.key_and_place(voice, key).unwrap_or_default(),
        thing: &|thing| cast.thing_name(thing),
        mind: &|id| cast.mind_name(id),
    };
    tell(minds, mind, &names, select, json, console)
}

/// What everything in an explanation is called.
#[derive(Clone, Copy)]
pub(crate) struct Names<'e> {
    pub(crate) who: &'e str,
    pub(crate) key: &'e dyn Fn(Key) -> String,
    pub(crate) thing: &'e dyn Fn(EntityId) -> String,
    pub(crate) mind: &'e dyn Fn(MindId) -> String,
}

/// Tells why a selection of a mind holds what it holds, or why an action is not done.
pub(crate) fn tell<W: ?Sized + Sync>(
    minds: &Minds<W>,
    mind: &Mind,
    names: &Names<'_>,
    asked: &str,
    json: bool,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    match Explained::of(minds, mind, names, asked) {
        Some(explained) => explained.tell(json, console),
        None => action::tell(minds, mind, names, asked, json, console),
    }
}

/// An explanation, and what everything in it is called.
pub(super) struct Explained<'e> {
    names: Names<'e>,
    id: MindId,
    select: &'e str,
    pub(super) why: WhyPicked,
    claims: &'e [Claim],
    now: Tick,
    pace: Pace,
}

impl<'e> Explained<'e> {
    /// Of a selection of a mind; `None` if there is no such.
    pub(super) fn of<W: ?Sized + Sync>(
        minds: &'e Minds<W>,
        mind: &Mind,
        names: &Names<'e>,
        select: &'e str,
    ) -> Option<Explained<'e>> {
        // A slot is asked for as its selection.
        let map = minds.spec().domain.map();
        let of = map.find_slot(select).and_then(|slot| map.select_of(slot));
        let select = of.map_or(select, |of| map.select(of));
        let why = minds.why_picked(mind.id(), select)?;
        let (now, pace, claims) = (minds.now(), minds.spec().pace, minds.claims());
        Some(Explained { names: *names, id: mind.id(), select, why, claims, now, pace })
    }

    /// As text or as a JSON line.
    fn tell(&self, json: bool, console: &mut Console<'_>) -> Result<(), Fail> {
        match json {
            true => console.json(&self.data()),
            false => self.lines().iter().try_for_each(|line| writeln!(console, "{line}")),
        }
    }

    fn lines(&self) -> Vec<String> {
        let (why, all) = (&self.why, &self.why.candidates);
        let slots: Vec<String> = why.slots.iter().map(|slot| self.slot(slot)).collect();
        let mut lines =
            vec![format!("{} picks {}: {}", self.names.who, self.select, slots.join("; "))];
        let mut say = |text: String| lines.push(format!("  {text}"));
        let (out, may): (Vec<_>, Vec<_>) = all.iter().partition(|it| it.left_out.is_some());
        self.table(&may).into_iter().for_each(&mut say);
        for it in out.iter().take(MOST) {
            say(format!("{}: left out, {}", (self.names.key)(it.key), self.left_out(it)));
        }
        if let Some(more) = out.len().checked_sub(MOST).filter(|more| *more > 0) {
            say(format!("and {more} more are left out"));
        }
        let own: Vec<String> = self.own_claims().map(|it| self.claimed(it)).collect();
        if !own.is_empty() {
            say(format!("has for itself: {}", own.join(", ")));
        }
        say(format!("would change: {}", self.would_change().join("; ")));
        lines
    }

    /// `b.3 for 0.7 s, score 0.66`, or `cover.3 empty`.
    fn slot(&self, slot: &PickView) -> String {
        let is_one = self.why.slots.len() == 1;
        let name = if is_one { String::new() } else { format!("{} = ", slot.slot) };
        if slot.holds.is_none() {
            return if is_one { "nothing".to_string() } else { format!("{} empty", slot.slot) };
        }
        let planned = if slot.pinned { ", planned" } else { "" };
        let (holds, since, score) = ((self.names.key)(slot.key), slot.since, slot.score);
        format!("{name}{holds} for {since:.1} s, score {score:.2}{planned}")
    }

    /// A row each, with what every term measures and gives.
    fn table(&self, may: &[&CandidateView]) -> Vec<String> {
        if may.is_empty() {
            let known = count(self.why.candidates.len(), "fact");
            return vec![format!("there is no candidate ({known} might have been)")];
        }
        let bare = |term: &String| {
            let words = term.split_once(" curve ").map_or(term.as_str(), |(words, _)| words);
            cut(words, TERM)
        };
        let mut head = vec!["candidate".to_string(), "score".to_string()];
        head.extend(self.why.terms.iter().map(bare));
        head.extend(self.why.spread.map(|_| "others".to_string()));
        let rows = may.iter().take(MOST).map(|it| self.row(it));
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|it| cells(it)).max();
        let widths: Vec<usize> = (0..columns).map(|at| width(at).unwrap_or(0)).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).map(|(cell, &width)| padded(cell, width));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_string()
        };
        let mut lines: Vec<String> = rows.iter().map(line).collect();
        if let Some(more) = may.len().checked_sub(MOST).filter(|more| *more > 0) {
            lines.push(format!("and {more} more candidates, none better"));
        }
        lines
    }

    fn row(&self, it: &CandidateView) -> Vec<String> {
        let mut row = vec![(self.names.key)(it.key), format!("{:.2}", it.score)];
        row.extend(it.measured.iter().zip(&it.factors).map(|(measured, factor)| match measured {
            Some(measured) => format!("{measured:.1} → {factor:.2}"),
            None => format!("– → {factor:.2}"),
        }));
        row.extend(self.why.spread.map(|spread| match it.others.is_empty() {
            true => "–".to_string(),
            false => format!("{}: × {:.2}", self.minds(&it.others), self.times(spread, it)),
        }));
        row
    }

    fn times(&self, spread: f32, it: &CandidateView) -> f32 {
        it.others.iter().map(|_| spread).product()
    }

    /// `r.2 for 2.5 s, r.3 for 0.1 s`.
    fn minds(&self, minds: &[(MindId, f64)]) -> String {
        let one = |(id, seconds): &(MindId, f64)| {
            format!("{} for {seconds:.1} s", (self.names.mind)(*id))
        };
        minds.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn left_out(&self, it: &CandidateView) -> String {
        match it.left_out {
            Some(LeftOut::Taken) => format!("claimed by {}", self.minds(&it.holders)),
            Some(LeftOut::Filter) => {
                format!("it fails `where {}`", it.fails.as_deref().unwrap_or("…"))
            }
            _ => {
                let terms = self.why.terms.iter().zip(&it.factors);
                let nothing = terms.filter(|(_, factor)| **factor <= 0.0).map(|(term, _)| term);
                match nothing.map(String::as_str).next() {
                    Some(term) => format!("its score is 0 by `{term}`"),
                    None => "its score is 0".to_string(),
                }
            }
        }
    }

    fn own_claims(&self) -> impl Iterator<Item = &Claim> {
        let is_held = |key: Key| self.why.slots.iter().any(|slot| slot.key == key);
        self.claims.iter().filter(move |claim| claim.mind == self.id && is_held(claim.key))
    }

    fn claimed(&self, claim: &Claim) -> String {
        let seconds = self.pace.seconds(self.now.saturating_sub(claim.since));
        format!("{} for {seconds:.1} s", (self.names.key)(claim.key))
    }

    fn would_change(&self) -> Vec<String> {
        let why = &self.why;
        if why.is_off {
            return vec!["when its `while` holds".to_string()];
        }
        let held = || why.slots.iter().filter(|slot| slot.holds.is_some());
        let names: Vec<String> = held().map(|slot| (self.names.key)(slot.key)).collect();
        let mut ways = match names.is_empty() {
            true => Vec::new(),
            false => vec![format!("if {} is gone or left out", names.join(" or "))],
        };
        if held().count() < why.slots.len() {
            ways.push("as soon as there is another candidate".to_string());
        } else if let Some(bar) = why.bar {
            let kept = held().map(|slot| slot.kept_for).fold(f64::INFINITY, f64::min);
            let after = match kept > 0.0 {
                true => format!(", but not for another {kept:.1} s (`keep`)"),
                false => String::new(),
            };
            match held().all(|slot| slot.pinned) {
                true => ways.push("for nothing better while its plan is about it".to_string()),
                false if bar >= 1.0 => ways.push("nothing can score higher".to_string()),
                false => ways.push(format!("if another scores above {bar:.2}{after}")),
            }
        }
        ways
    }

    fn data(&self) -> Value {
        let why = &self.why;
        let slot = |it: &PickView| {
            let mut it = it.clone();
            it.holds = it.holds.map(|_| (self.names.key)(it.key));
            super::json::pick(&it)
        };
        let minds = |all: &[(MindId, f64)]| {
            let one = |(id, since): &(MindId, f64)| json!({"mind": (self.names.mind)(*id), "since": since});
            list(all.iter().map(one))
        };
        let candidate = |it: &CandidateView| {
            let terms = why.terms.iter().zip(it.measured.iter().zip(&it.factors));
            let terms = terms.map(|(term, (measured, factor))| {
                json!({"term": term, "measured": measured.map(rounded), "gives": rounded(*factor)})
            });
            json!({"key": (self.names.key)(it.key), "score": rounded(it.score), "terms": list(terms),
                "others": minds(&it.others), "claimed_by": minds(&it.holders),
                "left_out": it.left_out.map(|_| self.left_out(it))})
        };
        json!({"actor": self.names.who, "select": self.select, "tick": self.now,
            "seconds": self.pace.seconds(self.now), "slots": list(why.slots.iter().map(slot)),
            "candidates": list(why.candidates.iter().map(candidate)),
            "bar": why.bar.map(rounded), "spread": why.spread.map(rounded), "off": why.is_off,
            "claims": list(self.own_claims().map(|it| (self.names.key)(it.key))),
            "would_change": self.would_change()})
    }
}
