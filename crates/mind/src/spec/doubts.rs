//! What is probably not meant in a file about minds, though nothing forbids it.
//!
//! In:   a model and its spec, found right.
//! Out:  warnings: chances before the only way to something urgent; what is told to all and asked
//!       for by nobody.
//! Cost: one pass over the goals and the actions; over the notes for each effect that tells all.

use super::{SelectSpec, Spec};
use crate::effects::EffectMoment;
use throng_domain::compile::NpcTables;
use throng_domain::model::{GoalId, Model};
use throng_domain::notes::{Note, NoteOn};
use throng_domain::{Code, Report};

impl Spec {
    /// What is probably not meant in a file that can be read: warnings, in the order of the text.
    #[must_use]
    pub fn doubts(&self, model: &Model) -> Report {
        let mut report = Report::default();
        for kind in self.domain.npcs() {
            for &goal in kind.goals().iter().filter(|&&goal| self.goal(goal).urgent) {
                self.left_to_chance(kind, goal, model, &mut report);
            }
        }
        self.told_in_vain(model, &mut report);
        report
    }

    /// All that brings about what an urgent goal wants may be not there by chance.
    fn left_to_chance(&self, kind: &NpcTables, goal: GoalId, model: &Model, report: &mut Report) {
        for want in model.goals()[goal.index()].wants() {
            let sets = |action: &&throng_domain::model::ActionId| {
                let local = kind.local_action(**action);
                let sets = local.map_or(&[][..], |local| kind.sets(local));
                sets.iter().any(|&set| kind.fact(set) == *want)
            };
            let mut ways = kind.actions().iter().filter(sets).peekable();
            let Some(&&first) = ways.peek() else { continue };
            if !ways.all(|&action| self.action(action).chance.is_some()) {
                continue;
            }
            let map = self.domain.map();
            let text = format!(
                "`{}` is urgent, and only chance has `{}` there for it",
                map.goal(goal),
                map.action(first)
            );
            let cure = "leave `chance` out, or give it another way, however dear";
            report.say(Code::LeftToChance, model.actions()[first.index()].span(), text, cure);
            return;
        }
    }

    /// What is told to all goes into the memory that all share, and nobody asks that for it.
    fn told_in_vain(&self, model: &Model, report: &mut Report) {
        let is_effect = |note: &&Note| {
            let moments = EffectMoment::ALL.iter().map(|moment| moment.name());
            matches!(note.on, NoteOn::Action(_))
                && moments.into_iter().any(|it| it == note.keyword.word)
        };
        for note in model.notes().iter().filter(is_effect) {
            let mut words = note.words.iter().skip_while(|word| word.text != "tells").skip(1);
            let Some(told) = words.next() else { continue };
            let to = words.skip_while(|word| word.text != "to").nth(1);
            let kinds = self.kinds_told(&told.text);
            let is_asked = || kinds.iter().any(|kind| asks_shared(model, kind));
            if to.is_none_or(|to| to.text != "all") || kinds.is_empty() || is_asked() {
                continue;
            }
            let kind = kinds[0];
            let text =
                format!("facts `{kind}` are told to all, and nobody asks for `shared {kind}`");
            let cure = format!(
                "ask for `shared {kind}`: what all are told is in nobody's own memory; or tell it \
                 `to side`, which is"
            );
            report.say(Code::ToldInVain, told.span, text, cure);
        }
    }

    /// The kinds of facts that `tells NAME` tells: those that a selection picks from, or this one.
    fn kinds_told<'s>(&'s self, name: &'s str) -> Vec<&'s str> {
        let map = self.domain.map();
        let slot = map.find_slot(name);
        let is_it = |it: &&SelectSpec| {
            map.find_select(name) == Some(it.select)
                || map.slots_of(it.select).any(|own| Some(own) == slot)
        };
        match self.selects.iter().find(is_it) {
            Some(select) => {
                select.of.iter().filter_map(|it| Some(self.words.text(it.kind()?))).collect()
            }
            None => vec![name],
        }
    }
}

/// Whether a note asks the memory that all share for facts of a kind.
fn asks_shared(model: &Model, kind: &str) -> bool {
    let pairs = |note: &Note| {
        note.words.windows(2).any(|pair| pair[0].text == "shared" && pair[1].text == kind)
    };
    model.notes().iter().any(pairs)
}
