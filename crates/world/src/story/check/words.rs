//! The words that can occur in facts while a story is played.
//!
//! In:   a model and its story.
//! Out:  for what a fact's attribute can be by the table, the words that it can be here.
//! Cost: a list for each question.
//!
//! One file of actions may serve several stories, so the name of something that is not in this one
//! is no mistake if the domain has a variable or a value of that name, or an action with it.

use crate::body::vocabulary::{Can, DUTIES, SORTS};
use crate::story::read::usual_states;
use crate::story::{Deed, Story};
use crate::thing::ThingKind;
use std::collections::HashSet;
use throng_base::nearest;
use throng_domain::Model;
use throng_domain::names::template_of;
use throng_domain::notes::Note;
use throng_mind::fact::Attribute;
use throng_mind::vocabulary::LevelWords;

/// What things and noises are called everywhere.
const USUAL_KINDS: [&str; 10] =
    ["door", "window", "ladder", "item", "weapon", "vehicle", "device", "shot", "blast", "bang"];
/// Kinds of facts that are about things, which say their kinds.
const THINGS: [&str; 3] = ["thing", "item", "mine"];

/// All words of a story, by what they are words of.
pub(super) struct StoryWords<'m> {
    model: &'m Model,
    story: &'m Story,
    /// The variables of the domain, their values, and the parameters of its actions.
    domain: HashSet<&'m str>,
}

impl<'m> StoryWords<'m> {
    pub(super) fn new(model: &'m Model, story: &'m Story) -> Self {
        let variables = model.variables().iter();
        // The numbers of an amount are no words.
        let values = variables.clone().filter_map(|variable| variable.values().words()).flatten();
        let names = variables.map(throng_domain::model::Variable::name);
        let actions = model.actions().iter().map(throng_domain::model::Action::name);
        let parameters = actions.filter_map(|name| name.split_once('(')?.1.strip_suffix(')'));
        let parameters = parameters.flat_map(str::split_whitespace);
        let domain = values.map(String::as_str).chain(names).chain(parameters).collect();
        StoryWords { model, story, domain }
    }

    /// The words that something can be in this story.
    pub(super) fn of(&self, can: Can) -> Vec<&'m str> {
        let StoryWords { model, story, .. } = self;
        let all = |kinds: &[Can]| kinds.iter().flat_map(|&can| self.of(can)).collect();
        match can {
            Can::NoWord => Vec::new(),
            Can::Words(words) => words.to_vec(),
            Can::Node => story.node_names().collect(),
            Can::Thing => story.thing_names().collect(),
            Can::NodeOrThing => all(&[Can::Node, Can::Thing]),
            Can::Named => all(&[Can::Node, Can::Thing, Can::Actor]),
            Can::About => self.of(Can::Named).into_iter().chain(["target"]).collect(),
            Can::Actor => story.actor_names().collect(),
            Can::Weapon => {
                let items = story.things.iter().filter(|thing| thing.kind == ThingKind::Item);
                let weapons = story.actors.iter().filter_map(|actor| actor.weapon.as_deref());
                weapons.chain(items.map(|item| item.name.as_str())).collect()
            }
            Can::Side => story.actors.iter().map(|actor| actor.side.as_str()).collect(),
            Can::State => {
                let own = story.things.iter().flat_map(|thing| &thing.states).map(String::as_str);
                own.chain(usual_states().map(|state| -> &'m str { state })).collect()
            }
            Can::Sort => story.nodes.iter().map(|node| node.sort.as_str()).chain(SORTS).collect(),
            Can::Action => {
                let names = model.actions().iter().map(throng_domain::model::Action::name);
                names.map(|name| template_of(name).unwrap_or(name)).collect()
            }
            Can::Duty => DUTIES.to_vec(),
            Can::Ware => {
                let of_things = story.things.iter().flat_map(|thing| &thing.wares);
                let of_actors = story.actors.iter().flat_map(|actor| &actor.wares);
                of_things.chain(of_actors).map(|ware| ware.name.as_str()).collect()
            }
        }
    }

    /// Whether the script or an effect makes such a noise.
    fn is_noise(&self, word: &str) -> bool {
        let scripted = self.story.script.iter().any(
            |entry| matches!(&entry.deed, Deed::Noise { event: Some(event), .. } if event == word),
        );
        let says = |note: &Note| {
            let mut pairs = note.words.windows(2);
            pairs.any(|pair| pair[0].text == "noise" && pair[1].text == word)
        };
        scripted || self.model.notes().iter().any(says)
    }

    /// Whether a variable of the domain, one of its values or a parameter is called so.
    pub(super) fn is_value(&self, word: &str) -> bool {
        self.domain.contains(word)
    }
}

impl LevelWords for StoryWords<'_> {
    /// Here, or where the same actions are used in another story.
    fn allows(&self, of: &str, word: &str) -> bool {
        let Some(can) = Can::named(of) else { return true };
        let elsewhere = match can {
            Can::NoWord | Can::Words(_) | Can::Side | Can::Sort | Can::Action | Can::Duty => false,
            Can::Node | Can::Thing | Can::NodeOrThing | Can::Named | Can::About => true,
            Can::Actor | Can::Weapon | Can::State | Can::Ware => true,
        };
        self.of(can).contains(&word) || elsewhere && self.is_value(word)
    }

    fn all(&self, of: &str) -> Vec<&str> {
        Can::named(of).map_or(Vec::new(), |can| self.of(can))
    }

    fn states(&self, thing: &str) -> Option<Vec<&str>> {
        let thing = &self.story.things[self.story.find_thing(thing)?];
        Some(thing.states.iter().map(String::as_str).collect())
    }

    /// Things can be of kinds, and noises of words, that only their story and its file know.
    fn adds(&self, kind: &str, attribute: Attribute, word: &str) -> bool {
        let is_kind = || self.story.things.iter().any(|thing| thing.sort == word);
        is_the_levels(kind, attribute)
            && if attribute == Attribute::Event { self.is_noise(word) } else { is_kind() }
    }

    fn differs(&self, kind: &str, attribute: Attribute, of: &str) -> bool {
        matches!(of, "sort" | "state" | "ware") || is_the_levels(kind, attribute)
    }

    fn is_sort(&self, word: &str) -> bool {
        self.of(Can::Sort).contains(&word) && !self.of(Can::Named).contains(&word)
    }
}

/// Whether levels have words of their own for it: kinds of things, and what noises are.
fn is_the_levels(kind: &str, attribute: Attribute) -> bool {
    match attribute {
        Attribute::Stimulus => THINGS.contains(&kind),
        Attribute::Event => kind == "disturbance",
        _ => false,
    }
}

/// No story in particular: any name will do, and any word that stories may have of their own, unless
/// it looks like a slip.
pub(crate) struct AnyStory;

impl LevelWords for AnyStory {
    fn allows(&self, _of: &str, _word: &str) -> bool {
        true
    }

    fn all(&self, _of: &str) -> Vec<&str> {
        Vec::new()
    }

    fn adds(&self, kind: &str, attribute: Attribute, word: &str) -> bool {
        is_the_levels(kind, attribute) && nearest(word, USUAL_KINDS).is_none()
    }
}
