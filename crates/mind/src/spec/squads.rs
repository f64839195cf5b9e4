//! `squad TYPE: of NPC, … within CELLS most N least N tasks SECONDS patience SECONDS`; the parts about
//! who leads, what is shared and how orders come are in `squad_parts`.
//!
//! In:   the words behind `squad`.
//! Out:  a [`SquadSpec`]; a mistake in a name or a number is told, and the rest is read.
//! Cost: one look-up a name.

use super::defaults::bare;
use super::parts::{LONGEST, Seen, listed, no_part, number, whole};
use super::read::{Read, Reading};
use super::squad_parts::SquadParts;
use super::{Spec, SquadSpec, SymbolRule};
use crate::fact::Attribute;
use throng_domain::Code;
use throng_domain::model::{GoalId, NpcTypeId, SelectId, VariableId};
use throng_domain::notes::{NoteReader, WordKind};
use throng_domain::source::Span;

const SQUAD_PARTS: [&str; 11] = [
    "of",
    "within",
    "most",
    "least",
    "tasks",
    "patience",
    "leader",
    "shares",
    "orders",
    "formation",
    "reports",
];
/// How many a squad can have: its mind remembers each order.
const MOST: u32 = 16;
/// The selection that says which enemy a squad cares about.
const PRIZE: &str = "prize";
/// How far members can be from each other.
pub(super) const FARTHEST: f64 = 10_000.0;
/// A task that may take no time is over before its member knows of it.
const SHORTEST_TASK: f64 = 0.1;
/// What holds where the statement says nothing.
const USUAL_MOST: usize = 6;
const USUAL_LEAST: usize = 2;
const USUAL_TASKS: f64 = 60.0;
const USUAL_PATIENCE_SECONDS: f64 = 3.0;

impl Spec {
    /// The goals about variables that are called like the task: `symbol duty: task of task`.
    pub(super) fn find_goals_of_duty(&self) -> Vec<GoalId> {
        let task = self.squad_words.task;
        let is_duty = |rule: &SymbolRule| {
            matches!(rule, SymbolRule::Named(Attribute::Task, pattern)
                if pattern.kind() == Some(task))
        };
        let duties = self.symbols.iter().filter(|symbol| symbol.rules.iter().any(is_duty));
        let duties: Vec<VariableId> = duties.map(|symbol| symbol.variable).collect();
        let goals = self.domain.map().goal_ids();
        let asks = |&goal: &GoalId| {
            let wants = self.domain.goal(goal).conditions().facts;
            wants.iter().any(|want| duties.contains(&want.variable))
        };
        goals.filter(asks).collect()
    }
}

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
        let mut parts = SquadParts::default();
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
                Some("patience") => {
                    patience = self.seconds(r, "seconds, as in `patience 3`")?.max(1);
                }
                Some(part) => self.squad_part(r, part, &mut parts)?,
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
            self.judge_squad_parts(r, &parts, &of, most);
            let SquadParts { leader, succession, shares, shares_after, voice, reports, .. } = parts;
            let prize = self.prize_of(npc);
            let formation = parts.formation.and_then(|(name, _)| self.formations.get(&name));
            let formation = formation.map_or(Vec::new(), |(_, places)| places.clone());
            self.spec.squads.push(SquadSpec {
                npc,
                of,
                within,
                most,
                least,
                tasks,
                patience,
                leader,
                succession,
                shares,
                shares_after,
                voice,
                formation,
                reports,
                prize,
            });
        }
        Ok(())
    }

    /// The selection `prize` that a type means: that of the file which its actions are from, as it is
    /// called under `use … as`, else of one that uses it.
    fn prize_of(&self, npc: NpcTypeId) -> Option<SelectId> {
        let map = self.names.map;
        let actions = self.spec.domain.npc(npc).actions().iter();
        let mut scopes = actions.flat_map(|&action| scopes(bare(map.action(action))));
        scopes.find_map(|scope| map.find_select(&format!("{scope}{PRIZE}")))
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
    pub(super) fn npc_type(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        what: &str,
    ) -> Read<Option<NpcTypeId>> {
        let word = r.name(what)?;
        let npc = self.names.npc(&word.text);
        if npc.is_none() {
            let _ = r.unknown("NPC type", &word.text, word.span, self.names.map.npc_names());
        }
        Ok(npc)
    }
}

/// What stands before names in the file that a name is from, and in those that use it: `a.b.`, `a.` and
/// nothing for `a.b.go`.
fn scopes(name: &str) -> impl Iterator<Item = &str> {
    let dots = name.rmatch_indices('.').map(|(dot, _)| &name[..=dot]);
    dots.chain([""])
}
