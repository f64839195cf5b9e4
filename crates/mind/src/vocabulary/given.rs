//! What behaviours are given: enough, not too much, and a thing where one is wanted.
//!
//! In:   the actions of a file, a vocabulary, the names of a level.
//! Out:  for each statement at most one mistake.
//! Cost: one pass over the actions.
//!
//! The parameters of an action are for planning too, so more of them than the behaviour looks at
//! are no mistake; what `does NAME(…)` gives is for the behaviour alone.

use super::{BehaviourWords, FileCheck};
use crate::spec::ActionSpec;
use crate::words::Word;
use std::collections::BTreeSet;
use throng_domain::Code;

impl FileCheck<'_> {
    /// Judges what every action gives its behaviour.
    pub(super) fn given(&mut self) {
        let mut told: BTreeSet<(u32, u32)> = BTreeSet::new();
        let (spec, model) = (self.spec, self.model);
        for (action, declared) in spec.actions.iter().zip(model.actions()) {
            let does = spec.words.text(action.does);
            let Some(behaviour) = self.body.behaviour(does) else { continue };
            let span = declared.span();
            let wrong = self.wrongly_given(action, behaviour);
            if let Some((text, cure)) =
                wrong.filter(|_| told.insert((span.file.0.into(), span.start)))
            {
                self.report.say(Code::BehaviourParameter, span, text, cure);
            }
        }
    }

    fn wrongly_given(
        &self,
        action: &ActionSpec,
        behaviour: &BehaviourWords,
    ) -> Option<(String, String)> {
        let (least, most) = behaviour.given;
        let text = |word: &Word| self.spec.words.text(*word);
        let (name, template) = (&behaviour.name, text(&action.template));
        let own = if action.given.is_empty() { &action.parameters } else { &action.given };
        if own.len() < least {
            return Some((
                format!("`{name}` is not told what `{template}` is about"),
                format!(
                    "give it a parameter, as in `action {template}(spot in place)`, or say \
                     `does {name}(target)`"
                ),
            ));
        }
        if action.given.len() > most {
            let takes = match most {
                0 => "nothing".to_string(),
                1 => "one thing".to_string(),
                more => format!("{more} things"),
            };
            return Some((
                format!("`{name}` takes {takes}, and is given {}", action.given.len()),
                match most {
                    0 => format!("write `does {name}`: it follows what is picked"),
                    _ => {
                        let kept: Vec<&str> = action.given[..most].iter().map(text).collect();
                        format!("write `does {name}({})`", kept.join(", "))
                    }
                },
            ));
        }
        let first = own.first().map(text).filter(|_| most > 0)?;
        let map = self.spec.domain.map();
        let is_picked = map.find_slot(first).is_some() || map.find_select(first).is_some();
        (!is_picked && self.level.is_sort(first)).then(|| {
            (
                format!("`{first}` is what some places are good for, and `{name}` wants one place"),
                format!(
                    "pick one: `select {first}: one of spot(knowledge = {first})` and \
                     `var place: elsewhere, any {first}`; or name a place of the level"
                ),
            )
        })
    }
}
