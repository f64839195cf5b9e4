//! What a squad is beside its members: who leads, what is shared, how orders come, the formation.
//!
//! In:   `leader TYPE, … [succession S]`, `shares KIND, … [after S]`, `orders by radio | by voice
//!       radius N`, `formation NAME`, `reports SELECT`; `formation NAME: X Y, X Y …`.
//! Out:  [`SquadParts`]; a name that nothing has is told, and the rest is read.
//! Cost: one look-up a name.

use super::parts::{listed, number};
use super::read::{Read, Reading};
use super::squads::FARTHEST;
use crate::time::Tick;
use crate::words::Word;
use throng_base::DidYouMean;
use throng_domain::Code;
use throng_domain::model::{NpcTypeId, SelectId};
use throng_domain::notes::{NoteReader, NoteWord, WordKind};
use throng_domain::source::Span;

/// How long nobody leads after a leader is gone, unless the file says so.
const USUAL_SUCCESSION: f64 = 2.0;
/// How far a place of a formation can be from the leader.
const WIDEST: f64 = 100.0;
/// A voice that carries less far reaches nobody.
const SOFTEST: f64 = 0.1;

/// The parts of a squad that are read here.
#[derive(Default)]
pub(super) struct SquadParts {
    pub(super) leader: Vec<NpcTypeId>,
    leader_places: Vec<(NpcTypeId, Span)>,
    pub(super) succession: Tick,
    pub(super) shares: Vec<Word>,
    pub(super) shares_after: Tick,
    pub(super) voice: Option<f32>,
    pub(super) formation: Option<(String, Span)>,
    pub(super) reports: Option<SelectId>,
}

impl Reading<'_> {
    /// One part, behind its first word.
    pub(super) fn squad_part(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        part: &str,
        parts: &mut SquadParts,
    ) -> Read<()> {
        match part {
            "leader" => {
                let who = listed(r, |r| self.leader_type(r))?;
                parts.leader_places = who.into_iter().flatten().collect();
                parts.leader = parts.leader_places.iter().map(|(npc, _)| *npc).collect();
                parts.succession = match r.take_word("succession") {
                    true => self.seconds(r, "seconds, as in `succession 2`")?,
                    false => self.spec.pace.ticks(USUAL_SUCCESSION),
                };
            }
            "shares" => {
                let kinds = listed(r, |r| r.name("a kind of facts, as in `shares character`"))?;
                parts.shares = kinds.iter().map(|it| self.spec.words.intern(&it.text)).collect();
                if r.take_word("after") {
                    parts.shares_after = self.seconds(r, "seconds, as in `after 0.3`")?;
                }
            }
            "orders" => {
                let how = "`by radio`, or `by voice radius` and cells";
                if !r.take_word("by") {
                    return Err(r.expected(how));
                }
                if r.take_word("voice") {
                    if !r.take_word("radius") {
                        return Err(r.expected("`radius` and cells, as in `by voice radius 12`"));
                    }
                    let what = "cells, as in `radius 12`";
                    parts.voice = Some(number(r, what, SOFTEST, FARTHEST)? as f32);
                } else if !r.take_word("radio") {
                    return Err(r.expected("`radio` or `voice`"));
                }
            }
            "formation" => {
                let name = r.name("a formation, as in `formation wedge`")?;
                parts.formation = Some((name.text.clone(), name.span));
            }
            _ => {
                let name = r.name("a selection, as in `reports target`")?;
                parts.reports = self.names.map.find_select(&name.text);
                if parts.reports.is_none() {
                    let known = self.names.map.select_names();
                    let near = r.report.nearest(&name.text, known);
                    let did = DidYouMean(near);
                    let text =
                        format!("a squad cannot report `{}`: it is no select{did}", name.text);
                    let cure = "name a select of its members, as in `reports target`";
                    r.report.say(Code::SquadPart, name.span, text, cure);
                }
            }
        }
        Ok(())
    }

    /// A type that leads; `None`, with a report, if there is none of the name.
    fn leader_type(&self, r: &mut NoteReader<'_, '_>) -> Read<Option<(NpcTypeId, Span)>> {
        let word = r.name("an NPC type, as in `leader sergeant, soldier`")?;
        let npc = self.names.npc(&word.text);
        if npc.is_none() {
            let near = r.report.nearest(&word.text, self.names.map.npc_names());
            let did = DidYouMean(near);
            let text = format!("a squad cannot be led by `{}`: it is no NPC type{did}", word.text);
            r.report.say(Code::SquadPart, word.span, text, "name a type that the squad is `of`");
        }
        Ok(npc.map(|npc| (npc, word.span)))
    }

    /// What can only be judged when all of a squad is known.
    pub(super) fn judge_squad_parts(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        parts: &SquadParts,
        of: &[NpcTypeId],
        most: usize,
    ) {
        for (npc, span) in parts.leader_places.iter().filter(|(npc, _)| !of.contains(npc)) {
            let names: Vec<&str> = of.iter().map(|&npc| self.names.map.npc(npc)).collect();
            let name = self.names.map.npc(*npc);
            let text = format!("`{name}` leads the squad and can never be in it");
            let cure = format!("name one of those that it is `of`: {}", names.join(", "));
            r.report.say(Code::SquadPart, *span, text, cure);
        }
        let Some((name, span)) = &parts.formation else { return };
        match self.formations.get(name) {
            None => {
                let near = r.report.nearest(name, self.formations.keys().map(String::as_str));
                let did = DidYouMean(near);
                let text = format!("there is no formation `{name}`{did}");
                let cure = format!("write one: `formation {name}: 0 0, -1.5 -1.5, 1.5 -1.5`");
                r.report.say(Code::SquadPart, *span, text, cure);
            }
            Some((first, places)) if places.len() < most => {
                let text = format!(
                    "the formation `{name}` has {} places, and the squad has up to {most} members",
                    places.len()
                );
                let cure = "give it a place for each, or make `most` smaller";
                r.report.say_also(Code::SquadPart, *span, (*first, "its places"), text, cure);
            }
            Some(_) => {}
        }
    }

    /// `formation NAME: X Y, X Y, …`
    pub(super) fn formation(&mut self, r: &mut NoteReader<'_, '_>) -> Read<()> {
        let name: &NoteWord =
            r.name("the formation's name, as in `formation wedge: 0 0, -1 -1`")?;
        r.sign(WordKind::Colon)?;
        let what = "two numbers, as in `-1.5 -1.5`: to the right of the leader and ahead of him";
        let places = listed(r, |r| {
            let x = number(r, what, -WIDEST, WIDEST)?;
            let y = number(r, what, -WIDEST, WIDEST)?;
            Ok([x as f32, y as f32])
        })?;
        let known = self.formations.insert(name.text.clone(), (name.span, places));
        if let Some((first, _)) = known {
            let text = format!("the formation `{}` is declared twice", name.text);
            let cure = "rename one of them".to_string();
            r.report.say_twice(Code::NoteTwice, name.span, first, text, cure);
        }
        Ok(())
    }
}
