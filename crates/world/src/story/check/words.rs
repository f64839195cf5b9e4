//! The words that can occur in facts while a story is played.
//!
//! In:   a model and its story.
//! Out:  for what a fact's attribute can be by the table, the words that it can be here.
//! Cost: a list for each question.
//!
//! One file of actions may serve several stories, so the name of something that is not in this one
//! is no mistake if the domain has a variable or a value of that name, or an action with it.

use crate::body::vocabulary::{Can, DUTIES, SORTS};
use crate::story::Story;
use crate::story::read::usual_states;
use crate::thing::ThingKind;
use std::collections::HashSet;
use throng_domain::Model;
use throng_domain::names::template_of;
use throng_mind::fact::Attribute;
use throng_mind::vocabulary::LevelWords;

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
        }
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
            Can::Node | Can::Thing | Can::NodeOrThing | Can::Named => true,
            Can::Actor | Can::Weapon | Can::State => true,
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

    /// Things can be of kinds that only their story knows.
    fn adds(&self, kind: &str, attribute: Attribute, word: &str) -> bool {
        let is_kind = || self.story.things.iter().any(|thing| thing.sort == word);
        kind == "thing" && attribute == Attribute::Stimulus && is_kind()
    }

    fn differs(&self, kind: &str, attribute: Attribute, of: &str) -> bool {
        matches!(of, "sort" | "state") || kind == "thing" && attribute == Attribute::Stimulus
    }

    fn is_sort(&self, word: &str) -> bool {
        self.of(Can::Sort).contains(&word) && !self.of(Can::Named).contains(&word)
    }
}
