//! A story against what the world's body can do: no slip of the fingers passes silently.
//!
//! In:   a model, its story, and what its minds are made of, each found right by itself.
//! Out:  every name that the world has no code for or never writes, with the nearest that it has;
//!       facts that a mind asks for and has no sense for; maps with a hole.
//! Cost: one pass over the notes.
//!
//! Memory takes any word, so that games can think of their own. The world of the stories has a
//! fixed vocabulary, and a word outside it is a fact that never comes.

mod anybody;
mod doubts;
mod filled;
mod map;
mod remembered;
mod selects;
mod squads;
mod walks;
mod words;

use crate::body::vocabulary::{self, SORTS};
use crate::story::Story;
use crate::story::read::{in_order, statements};
pub(super) use filled::remarks;
use std::collections::BTreeSet;
use throng_base::nearest;
use throng_domain::notes::Note;
use throng_domain::{Model, Report};
use throng_mind::spec::{AskedPattern, Spec};
use throng_mind::vocabulary::{BodyVocabulary, FileCheck};
pub(super) use words::AnyStory;
use words::StoryWords;

/// The kinds of facts that are places to stand at.
const SPOTS: [&str; 2] = ["spot", "node"];

impl Story {
    /// Holds a story against the vocabulary of the world. The spec, and what it asks of memory, is
    /// read from the same model. Of a story that is not `whole`, which lacks what is wrong in it,
    /// what only follows from that is not told.
    ///
    /// # Errors
    ///
    /// Every mistake, in the order of the text.
    pub(super) fn check(
        &self,
        model: &Model,
        spec: &Spec,
        asked: &[AskedPattern],
        whole: bool,
    ) -> Result<(), Report> {
        let minded = self.actors.iter().filter_map(|actor| actor.npc);
        let squads = spec.squads.iter().map(|squad| squad.npc.index());
        let minded: BTreeSet<usize> = minded.chain(squads).collect();
        let (body, words) = (world(), StoryWords::new(model, self));
        let mut checking = FileCheck::new(model, spec, &body, &words, &minded);
        squads::actors_that_are_squads(model, self, spec, &mut checking.report);
        if checking.report.has_errors() {
            return Err(checking.report);
        }
        checking.check(asked);
        let sorts = sorts_asked_for(asked);
        statements(model, "node").for_each(|note| node(note, &sorts, &words, &mut checking));
        statements(model, "promise").for_each(|note| promise(note, self, &mut checking));
        if whole {
            map::check(model, self, &mut checking.report);
        }
        if checking.report.has_errors() {
            return Err(in_order(&[&checking.report]));
        }
        Ok(())
    }

    /// What is probably not meant in a story that [`Story::with_minds`] finds right: warnings, in the
    /// order of the text.
    pub fn doubts(model: &Model, spec: &Spec) -> Report {
        let mut report = Report::default();
        squads::doubts(model, spec, &mut report);
        selects::doubts(model, spec, &mut report);
        doubts::doubts(model, spec, &mut report);
        walks::doubts(model, spec, &mut report);
        anybody::doubts(model, spec, &mut report);
        remembered::doubts(model, &mut report);
        if let Ok(story) = Story::read(model) {
            filled::doubts(model, &story, spec, &mut report);
        }
        in_order(&[&report])
    }
}

/// What the world understands and writes, as files call it: `body world`.
fn world() -> BodyVocabulary {
    BodyVocabulary { name: "world".to_string(), ..vocabulary::described() }
}

/// The vocabulary of a body that is known by name: of the kit, or of the world that stories are
/// played in.
pub(super) fn known_body(name: &str) -> Option<BodyVocabulary> {
    [vocabulary::described(), world()].into_iter().find(|body| body.name == name)
}

/// What a node is good for is known to the world, or asked for somewhere.
fn node(note: &Note, sorts: &BTreeSet<&str>, words: &StoryWords<'_>, checking: &mut FileCheck<'_>) {
    let sort = note.words.iter().skip_while(|word| word.text != ":").nth(1);
    let Some(sort) = sort.filter(|sort| !SORTS.contains(&sort.text.as_str())) else { return };
    if !sorts.contains(sort.text.as_str()) {
        let known: Vec<&str> = SORTS.into_iter().chain(sorts.iter().copied()).collect();
        // A place that is a value goes by its name, as those do that `any SORT` lists.
        let is_value = note.words.first().is_some_and(|name| words.is_value(&name.text));
        if !is_value || nearest(&sort.text, known.iter().copied()).is_some() {
            checking.unknown(note, "sort of nodes", sort, known.into_iter());
        }
    }
}

/// `ACTOR remembers KIND`, `ACTOR forgets KIND`.
fn promise(note: &Note, story: &Story, checking: &mut FileCheck<'_>) {
    let [actor, verb, kind, ..] = &note.words[..] else { return };
    if !matches!(verb.text.as_str(), "remembers" | "forgets") {
        return;
    }
    let actor = story.find_actor(&actor.text);
    if let Some(npc) = actor.and_then(|actor| story.actors[actor].npc) {
        checking.remembered(note, kind, npc);
    }
}

/// The sorts of nodes that conditions compare with.
fn sorts_asked_for(asked: &[AskedPattern]) -> BTreeSet<&str> {
    let of_spots = asked.iter().filter(|asked| SPOTS.contains(&asked.kind.text.as_str()));
    let tests = of_spots.flat_map(|it| &it.tests);
    let sorts = tests.filter(|test| test.attribute.text == "knowledge");
    sorts.filter_map(|test| Some(test.compared.as_ref()?.1.text.as_str())).collect()
}
