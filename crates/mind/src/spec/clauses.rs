//! The clauses about minds: of actions, goals and NPC types.
//!
//! A clause is for everything of its bare name: `takes 2` at `go(place in places)` is for every
//! `go`.

use super::conditions::Scope;
use super::parts::{listed, margin, whole};
use super::read::{Read, Reading};
use crate::effects::EffectMoment;
use crate::words::Word;
use throng_domain::Code;
use throng_domain::model::NpcTypeId;
use throng_domain::notes::{Note, NoteReader, WordKind};
use throng_domain::source::Span;

/// How much better another goal can have to be: eleven times. Priorities lie farther apart than
/// scores of what is picked.
const WIDEST_MARGIN: f64 = 10.0;
/// How many facts a mind can be asked to hold.
const LARGEST_MEMORY: u32 = 4096;

impl Reading<'_> {
    /// `does NAME`, `does NAME(GIVEN, …)`, `takes SECONDS`, `uses CHANNEL, …`, `cooldown SECONDS [of …]`,
    /// `chance F per SECONDS`, and effects.
    pub(super) fn action_clause(
        &mut self,
        head: &str,
        clause: &str,
        span: Span,
        r: &mut NoteReader<'_, '_>,
    ) -> Read<()> {
        let Some(ids) = self.names.actions(head).map(<[_]>::to_vec) else {
            return Err(r.unknown("action", head, span, self.names.like_action(head)));
        };
        match clause {
            "does" => {
                let word = r.name("the behaviour that does it, as in `does goto`")?;
                let does = self.spec.words.intern(&word.text);
                let given =
                    self.given_to_code(r, "what it is about, as in `does throw(target)`")?;
                for id in &ids {
                    let action = &mut self.spec.actions[id.index()];
                    (action.does, action.given) = (does, given.clone());
                }
            }
            "takes" => {
                let takes = self.seconds(r, "seconds, as in `takes 2`")?;
                ids.iter().for_each(|id| self.spec.actions[id.index()].takes = takes);
            }
            "uses" => {
                let uses = self.channels(r)?;
                ids.iter().for_each(|id| self.spec.actions[id.index()].uses = uses);
            }
            "cooldown" => self.action_cooldown(&ids, r)?,
            "chance" => self.action_chance(&ids, head, r)?,
            moment => {
                let moment = EffectMoment::ALL.into_iter().find(|it| it.name() == moment);
                if let Some(moment) = moment {
                    self.effects(&ids, head, moment, span, r)?;
                }
            }
        }
        Ok(())
    }

    /// What code is given: `(target, …)`, or nothing.
    pub(super) fn given_to_code(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        what: &str,
    ) -> Read<Vec<Word>> {
        let mut given = Vec::new();
        if r.take_sign(WordKind::Open) {
            loop {
                let word = r.value(what)?;
                given.push(self.spec.words.intern(&word.text));
                if !r.take_sign(WordKind::Comma) {
                    break;
                }
            }
            r.sign(WordKind::Close)?;
        }
        Ok(given)
    }

    /// `relevance TERM times TERM`, `margin N`, `keep SECONDS`, `cooldown SECONDS`, `reconsiders SECONDS`,
    /// `lingers SECONDS`, `urgent`.
    pub(super) fn goal_clause(
        &mut self,
        head: &str,
        clause: &str,
        note: &Note,
        r: &mut NoteReader<'_, '_>,
    ) -> Read<()> {
        let Some(ids) = self.names.goals.get(head).map(<[_]>::to_vec) else {
            return Err(r.unknown("goal", head, note.span, self.names.goals.names()));
        };
        let goals = ids.iter().map(|id| id.index());
        match clause {
            "relevance" => {
                let terms = self.product(r, Scope::Elsewhere)?;
                let count = note.words.len().saturating_mul(ids.len());
                if self.spend(count, note.span, r.report) {
                    goals.for_each(|at| self.spec.goals[at].relevance.clone_from(&terms));
                }
            }
            "margin" => {
                let margin = margin(r, WIDEST_MARGIN)?;
                goals.for_each(|at| self.spec.goals[at].margin = margin);
            }
            "keep" => {
                let keep = self.seconds(r, "seconds, as in `keep 2`")?;
                goals.for_each(|at| self.spec.goals[at].keep = keep);
            }
            "cooldown" => {
                let cooldown = self.seconds(r, "seconds, as in `cooldown 5`")?;
                goals.for_each(|at| self.spec.goals[at].cooldown = cooldown);
            }
            "reconsiders" => {
                let after = self.seconds(r, "seconds, as in `reconsiders 2`")?.max(1);
                goals.for_each(|at| self.spec.goals[at].reconsiders = Some(after));
            }
            "lingers" => {
                let lingers = self.seconds(r, "seconds, as in `lingers 0.4`")?;
                goals.for_each(|at| self.spec.goals[at].lingers = lingers);
            }
            _ => goals.for_each(|at| self.spec.goals[at].urgent = true),
        }
        Ok(())
    }

    /// `senses NAME, …`, `otherwise ACTION [after SECONDS]`, `memory N`, `doubt N for SECONDS`, `retry SECONDS`,
    /// `commits SECONDS`.
    pub(super) fn npc_clause(
        &mut self,
        name: &str,
        clause: &str,
        span: Span,
        r: &mut NoteReader<'_, '_>,
    ) -> Read<()> {
        let Some(npc) = self.names.npc(name) else {
            return Err(r.unknown("NPC type", name, span, self.names.map.npc_names()));
        };
        let at = npc.index();
        match clause {
            "senses" => self.senses(npc, r)?,
            "otherwise" => self.otherwise(npc, name, r)?,
            "memory" => {
                let what = "a whole number, as in `memory 32`";
                self.spec.npcs[at].memory = whole(r, what, 1, LARGEST_MEMORY)? as usize;
            }
            "doubt" => {
                let times = whole(r, "a whole number, as in `doubt 2 for 10`", 1, 255)?;
                if !r.take_word("for") {
                    return Err(r.expected("`for` and seconds, as in `doubt 2 for 10`"));
                }
                let ticks = self.seconds(r, "seconds, as in `doubt 2 for 10`")?;
                self.spec.npcs[at].doubt = (times as u8, ticks);
            }
            "commits" => {
                self.spec.npcs[at].commits = self.seconds(r, "seconds, as in `commits 0.3`")?;
            }
            _ => self.spec.npcs[at].retry = self.seconds(r, "seconds, as in `retry 1`")?,
        }
        Ok(())
    }

    fn senses(&mut self, npc: NpcTypeId, r: &mut NoteReader<'_, '_>) -> Read<()> {
        let sensors = listed(r, |r| {
            let word = r.name("a sensor")?;
            let known = self.names.sensor(&word.text);
            if known.is_none() {
                let _ = r.unknown("sensor", &word.text, word.span, self.names.sensors());
            }
            // More sensors than fit are refused when all are counted.
            Ok(known.and_then(|(at, _)| u16::try_from(at).ok()))
        })?;
        self.senses.insert(npc.index(), sensors.into_iter().flatten().collect());
        Ok(())
    }

    fn otherwise(&mut self, npc: NpcTypeId, name: &str, r: &mut NoteReader<'_, '_>) -> Read<()> {
        let (action, span) = r.reference("an action, as in `otherwise wait`")?;
        let exact = self.names.ground_action(&action);
        let id = match (exact, self.names.actions(&action).unwrap_or_default()) {
            (Some(id), _) | (None, &[id]) => id,
            (None, []) => {
                let _ = r.unknown("action", &action, span, self.names.like_action(&action));
                return Ok(());
            }
            (None, several @ &[first, ..]) => {
                let text = format!("`{action}` stands for {} actions", several.len());
                let cure = format!("name one, such as `{}`", self.names.map.action(first));
                r.report.say(Code::NoteSense, span, text, cure);
                return Ok(());
            }
        };
        if self.spec.domain.npc(npc).local_action(id).is_none() {
            let text = format!("`{name}` cannot do `{action}`");
            let cure = format!("add it to what `{name}` can do, or name an action it can do");
            r.report.say(Code::NoteSense, span, text, cure);
        }
        self.spec.npcs[npc.index()].otherwise = Some(id);
        if r.take_word("after") {
            let after = self.seconds(r, "seconds, as in `otherwise wait after 2`")?;
            self.spec.npcs[npc.index()].otherwise_after = after;
        }
        Ok(())
    }
}
