//! `squad TYPE: of NPC, … within CELLS most N least N tasks SECONDS patience SECONDS`.
//!
//! In:   the words behind `squad`.
//! Out:  a [`SquadSpec`]; a mistake in a name or a number is told, and the rest is read.
//! Cost: one look-up a name.

use super::SquadSpec;
use super::parts::{LONGEST, Seen, listed, no_part, number, whole};
use super::read::{Read, Reading};
use throng_domain::Code;
use throng_domain::model::NpcTypeId;
use throng_domain::notes::{NoteReader, WordKind};
use throng_domain::source::Span;

const SQUAD_PARTS: [&str; 6] = ["of", "within", "most", "least", "tasks", "patience"];
/// How many a squad can have: its mind remembers each order.
const MOST: u32 = 16;
/// How far members can be from each other.
const FARTHEST: f64 = 10_000.0;
/// A task that may take no time is over before its member knows of it.
const SHORTEST_TASK: f64 = 0.1;
/// What holds where the statement says nothing.
const USUAL_MOST: usize = 6;
const USUAL_LEAST: usize = 2;
const USUAL_TASKS: f64 = 60.0;
const USUAL_PATIENCE_SECONDS: f64 = 3.0;

impl Reading<'_> {
    pub(super) fn squad(&mut self, r: &mut NoteReader<'_, '_>) -> Read<()> {
        let place = r.place();
        let npc = self.npc_type(r, "the type of the squad's mind")?;
        if let Some(npc) = npc
            && let Some(first) = self.squads.insert(npc, place)
        {
            let text = format!("`{}` is declared as a squad twice", self.names.map.npc(npc));
            let cure = "put all that it is of into one".to_string();
            r.report.say_twice(Code::NoteTwice, place, first, text, cure);
        }
        if let Some(&first) = npc.and_then(|npc| self.squad_members.get(&npc)) {
            self.squad_of_squads(r, npc, place, (first, "a squad of it"));
        }
        r.sign(WordKind::Colon)?;
        let pace = self.spec.pace;
        let (mut of, mut within) = (None, None);
        let (mut most, mut least) = (USUAL_MOST, USUAL_LEAST);
        let (mut tasks, mut patience) =
            (pace.ticks(USUAL_TASKS), pace.ticks(USUAL_PATIENCE_SECONDS));
        let mut seen = Seen::default();
        let mistakes = r.report.errors();
        while !r.is_done() {
            match seen.part(r, &SQUAD_PARTS) {
                Some("of") => of = Some(self.squad_members(r, npc)?),
                Some("within") => {
                    within = Some(number(r, "cells, as in `within 8`", 0.1, FARTHEST)? as f32);
                }
                Some("most") => {
                    most = whole(r, "a whole number, as in `most 5`", 1, MOST)? as usize;
                }
                Some("least") => {
                    least = whole(r, "a whole number, as in `least 2`", 1, MOST)? as usize;
                }
                Some("tasks") => {
                    let what = "seconds, as in `tasks 60`";
                    tasks = pace.ticks(number(r, what, SHORTEST_TASK, LONGEST)?).max(1);
                }
                Some(_) => {
                    patience = self.seconds(r, "seconds, as in `patience 3`")?.max(1);
                }
                None => return Err(no_part(r, "a squad", &SQUAD_PARTS)),
            }
        }
        let Some(of) = of else {
            return Err(r.expected("`of` and who can be in it"));
        };
        let Some(within) = within else {
            return Err(r.expected("`within` and how near they must be to each other"));
        };
        // A number that was told already stands for nothing that could be compared.
        if least > most && r.report.errors() == mistakes {
            let text = format!("at least {least} and at most {most}: there is no such squad");
            r.report.say(Code::NoteSense, place, text, "make `least` the smaller one");
        }
        if let Some(npc) = npc {
            let squad = SquadSpec { npc, of, within, most, least, tasks, patience };
            self.spec.squads.push(squad);
        }
        Ok(())
    }

    fn squad_members(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        squad: Option<NpcTypeId>,
    ) -> Read<Vec<NpcTypeId>> {
        let of = listed(r, |r| {
            let place = r.place();
            let member = self.npc_type(r, "an NPC type")?;
            if let Some(member) = member {
                let name = self.names.map.npc(member);
                if squad == Some(member) {
                    let text = format!("the mind of the squad is a `{name}` itself");
                    let cure = "give the squad a type of its own".to_string();
                    r.report.say(Code::NoteSense, place, text, cure);
                } else if let Some(&first) = self.squads.get(&member) {
                    self.squad_of_squads(r, Some(member), place, (first, "a squad itself"));
                }
                if let Some(first) = self.squad_members.insert(member, place) {
                    let text = format!("`{name}` is in two squads");
                    let cure = "name it in one of them only".to_string();
                    r.report.say_twice(Code::NoteTwice, place, first, text, cure);
                }
            }
            Ok(member)
        })?;
        Ok(of.into_iter().flatten().collect())
    }

    /// A type that is the mind of a squad and a member of another: its members would have no place.
    fn squad_of_squads(
        &self,
        r: &mut NoteReader<'_, '_>,
        npc: Option<NpcTypeId>,
        place: Span,
        also: (Span, &'static str),
    ) {
        let name = npc.map_or("", |npc| self.names.map.npc(npc));
        let text = format!("`{name}` is a squad, and there are no squads of squads");
        let cure = "name those who are in it instead";
        r.report.say_also(Code::NoteSense, place, also, text, cure);
    }

    /// An NPC type; `None`, with a report, if there is none of the name.
    fn npc_type(&mut self, r: &mut NoteReader<'_, '_>, what: &str) -> Read<Option<NpcTypeId>> {
        let word = r.name(what)?;
        let npc = self.names.npc(&word.text);
        if npc.is_none() {
            let _ = r.unknown("NPC type", &word.text, word.span, self.names.map.npc_names());
        }
        Ok(npc)
    }
}
