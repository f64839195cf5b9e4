//! Checks that the game is asked for: `check sees_stir: asks sight of stir keeps 0.3 default false`.
//!
//! In:   the words behind `asks`.
//! Out:  an [`AskedCheck`]: what is asked, of what, for how long an answer is good, and what holds
//!       until there is one.
//! Cost: a look-up by name.

use super::Spec;
use super::conditions::Scope;
use super::defaults::bare;
use super::parts::{Seen, no_part};
use super::read::{Read, Reading};
use super::statements::truth;
use crate::ask::{Ask, AskKind, KEPT_SECONDS, MOST_OPEN, PATIENCE_SECONDS, Point};
use crate::condition::{Ref, Situation};
use crate::fact::{Sort, Value};
use crate::picks::SlotSet;
use crate::time::Tick;
use crate::words::Word;
use throng_domain::Code;
use throng_domain::model::{ActionId, CheckId, Model};
use throng_domain::notes::NoteReader;

const PARTS: [&str; 2] = ["keeps", "default"];

/// Of the questions that a mind may have open, so many are left to checks if there are any.
const LEFT_TO_CHECKS: usize = 2;

/// A check that the game is asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct AskedCheck {
    /// The check.
    pub check: CheckId,
    /// What is asked.
    pub what: AskKind,
    /// Of what.
    pub of: Option<Ref>,
    /// How long an answer is good.
    pub keeps: Tick,
    /// What holds until the first answer, and when there is none.
    pub default: bool,
    /// The slots that it is about: it does not hold while one of them is empty.
    pub needs: SlotSet,
    /// The actions that need it.
    pub actions: Vec<ActionId>,
    /// How a way is to be gone that is asked for.
    pub(crate) manner: Word,
}

impl AskedCheck {
    /// The question as things are; `None` if what it is about is not known.
    pub fn ask(&self, situation: &Situation<'_>) -> Option<Ask> {
        let point = match self.of {
            Some(of) => Some(point(of, situation)?),
            None => None,
        };
        Some(match self.what {
            AskKind::Sight => Ask::sight(point?),
            AskKind::Path => Ask::path(point?, self.manner),
            AskKind::Cover => {
                Ask::Cover { spot: point?, from: Point::of(situation.me, situation.here) }
            }
            AskKind::Other(what) => Ask::Other { what, of: point },
        })
    }
}

/// What a reference stands for now, and where that is; `None` if that is nothing.
fn point(of: Ref, situation: &Situation<'_>) -> Option<Point> {
    let what = match situation.value_of(of, Sort::Entity) {
        Some(Value::Entity(entity)) => Some(entity),
        _ => None,
    };
    let place = match situation.value_of(of, Sort::Position) {
        Some(Value::Position(place)) => Some(place),
        _ => None,
    };
    match (what, place) {
        (None, None) => None,
        (what, place) => Some(Point { what, place: place.unwrap_or_default() }),
    }
}

impl Spec {
    /// How many questions of a mind sensors and behaviours may have open.
    pub(crate) fn most_asked(&self) -> usize {
        if self.asked_checks.is_empty() { MOST_OPEN } else { MOST_OPEN - LEFT_TO_CHECKS }
    }

    /// For how long a question may be open.
    pub(crate) fn question_patience(&self) -> Tick {
        self.pace.ticks(PATIENCE_SECONDS).max(1)
    }
}

impl Reading<'_> {
    /// `asks QUESTION [of REF] [keeps SECONDS] default true|false`.
    pub(super) fn asked_check(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        name: &str,
        check: Option<CheckId>,
    ) -> Read<()> {
        let place = r.place();
        r.take_word("asks");
        let word = r.name("a question, as in `asks sight of stir`")?;
        let known = AskKind::NAMED.iter().find(|(known, _)| *known == word.text);
        let what = known
            .map_or_else(|| AskKind::Other(self.spec.words.intern(&word.text)), |&(_, kind)| kind);
        let mut of = None;
        if r.take_word("of") {
            let span = r.place();
            of = self.reference(r, Scope::Elsewhere)?;
            if let Some(Ref::Slots(_, 2..)) = of {
                let text = "a question is about one thing, and this `select` picks several";
                let cure = "name one of its slots, as in `cover.1`, or ask of each: \
                            `check seen(spot in cover): asks sight of spot default false`";
                r.report.say(Code::NoReference, span, text, cure);
            }
        } else if known.is_some() {
            let text = format!("`{}` is asked of something", word.text);
            let cure = format!("say of what: `asks {} of target`", word.text);
            r.report.say(Code::NoReference, word.span, text, cure);
        }
        let mut keeps = self.spec.pace.ticks(KEPT_SECONDS);
        let mut default = None;
        let mut seen = Seen::default();
        while !r.is_done() {
            match seen.part(r, &PARTS) {
                Some("keeps") => keeps = self.seconds(r, "seconds, as in `keeps 0.3`")?.max(1),
                Some(_) => default = Some(truth(r)?),
                None => return Err(no_part(r, "a check that asks", &PARTS)),
            }
        }
        if default.is_none() {
            let text = format!("nobody knows what `{}` is until the game has answered", bare(name));
            let cure = "say it: `default false`, or `default true`".to_string();
            r.report.say(Code::AskWithoutDefault, place, text, cure);
        }
        let bound = self.bound.iter().fold(0, |all, bound| all | bound.what.slots());
        let needs = bound | of.map_or(0, Ref::slots);
        let manner = self.spec.words.find("run").unwrap_or(Word::NONE);
        self.spec.asked_checks.extend(check.map(|check| AskedCheck {
            check,
            what,
            of,
            keeps,
            default: default.unwrap_or(false),
            needs,
            actions: Vec::new(),
            manner,
        }));
        Ok(())
    }

    /// Notes which actions need the checks that are asked for.
    pub(super) fn find_askers(&mut self, model: &Model) {
        let map = self.names.map;
        for asked in &mut self.spec.asked_checks {
            for (action, id) in model.actions().iter().zip(map.action_ids()) {
                let of_kinds = action.kinds().iter().flat_map(|kind| kind.checks());
                let mut uses = action.checks().iter().chain(of_kinds);
                if uses.any(|used| used.check == asked.check) {
                    asked.actions.push(id);
                }
            }
        }
    }
}
