//! What behaviours are given: enough, not too much, and a thing that is there where one is wanted.
//!
//! In:   the actions and besides of a file, a vocabulary, the names of a level.
//! Out:  for each statement at most one mistake.
//! Cost: one pass over the actions and besides.
//!
//! The parameters of an action are for planning too, so more of them than the behaviour looks at
//! are no mistake; what `does NAME(…)` gives is for the behaviour alone.

use super::{BehaviourWords, FileCheck};
use crate::words::Word;
use std::collections::BTreeSet;
use throng_base::{DidYouMean, nearest};
use throng_domain::Code;
use throng_domain::names::plain_of;

/// So many names of a level are told.
const MOST_NAMED: usize = 12;

impl FileCheck<'_> {
    /// Judges what every action gives its behaviour.
    pub(super) fn given(&mut self) {
        let mut told: BTreeSet<(u32, u32)> = BTreeSet::new();
        let (spec, model) = (self.spec, self.model);
        for (action, declared) in spec.actions.iter().zip(model.actions()) {
            let does = spec.words.text(action.does);
            let Some(behaviour) = self.body.behaviour(does) else { continue };
            let span = declared.span();
            let own = if action.given.is_empty() { &action.parameters } else { &action.given };
            let template = spec.words.text(action.template);
            let wrong = self.wrongly_given(("does ", template), own, &action.given, behaviour);
            if let Some((text, cure)) =
                wrong.filter(|_| told.insert((span.file.0.into(), span.start)))
            {
                self.report.say(Code::BehaviourParameter, span, text, cure);
            }
        }
        let notes = model.notes().iter().filter(|note| note.keyword.word == "beside");
        for (beside, note) in spec.besides.iter().zip(notes) {
            let Some(behaviour) = self.body.behaviour(spec.words.text(beside.does)) else {
                continue;
            };
            let name = spec.words.text(beside.name);
            let given = &beside.given;
            let wrong = self.wrongly_given(("", name), given, given, behaviour);
            if let Some((text, cure)) = wrong {
                self.report.say(Code::BehaviourParameter, note.span, text, cure);
            }
        }
    }

    /// What is wrong with what a behaviour is given, and the cure. `own` is all that it can take it
    /// from, `given` what is for it alone; `does` is what stands before its name there.
    fn wrongly_given(
        &self,
        (does, template): (&str, &str),
        own: &[Word],
        given: &[Word],
        behaviour: &BehaviourWords,
    ) -> Option<(String, String)> {
        let (least, most) = behaviour.given;
        let text = |word: &Word| self.spec.words.text(*word);
        let name = &behaviour.name;
        if own.len() < least && does.is_empty() {
            return Some((
                format!("`{name}` is not told what `{template}` is about"),
                format!("say what it is, as in `{name}(target)`"),
            ));
        }
        if own.len() < least {
            return Some((
                format!("`{name}` is not told what `{template}` is about"),
                format!(
                    "give it a parameter, as in `action {template}(spot in place)`, or say \
                     `does {name}(target)`"
                ),
            ));
        }
        if given.len() > most {
            let takes = match most {
                0 => "nothing".to_string(),
                1 => "one thing".to_string(),
                more => format!("{more} things"),
            };
            return Some((
                format!("`{name}` takes {takes}, and is given {}", given.len()),
                match most {
                    0 => format!("write `{does}{name}`: it follows what is picked"),
                    _ => {
                        let kept: Vec<&str> = given[..most].iter().map(text).collect();
                        format!("write `{does}{name}({})`", kept.join(", "))
                    }
                },
            ));
        }
        let first = own.first().map(text).filter(|_| most > 0)?;
        let map = self.spec.domain.map();
        if map.find_slot(first).is_some() || map.find_select(first).is_some() {
            return None;
        }
        if self.level.is_sort(first) {
            return Some((
                format!("`{first}` is what some places are good for, and `{name}` wants one place"),
                format!(
                    "pick one: `select {first}: one of spot(knowledge = {first})` and \
                     `var place: elsewhere, any {first}`; or name a place of the level"
                ),
            ));
        }
        // Parameters are for planning: they may be of another level.
        let about = behaviour.about.as_ref().filter(|_| !given.is_empty())?;
        (!self.level.allows(about, first)).then(|| {
            let known = self.level.all(about);
            let near = DidYouMean(nearest(first, known.iter().copied()));
            // Of several of a kind one is enough.
            let is_twin = |name: &str| plain_of(name).starts_with(|it: char| it.is_ascii_digit());
            let some: Vec<&str> = known.iter().copied().filter(|name| !is_twin(name)).collect();
            let some = some[..some.len().min(MOST_NAMED)].join("`, `");
            (
                format!("`{name}` is given `{first}`, and nothing there is called so{near}"),
                match some.is_empty() {
                    true => "place it in the level, or give a slot".to_string(),
                    false => format!("place it in the level, give a slot, or one of: `{some}`"),
                },
            )
        })
    }
}
