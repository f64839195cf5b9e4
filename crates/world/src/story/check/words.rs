//! The words that can occur in facts while a story is played.
//!
//! In:   a model and its story.
//! Out:  for what a fact's attribute can be by the table, the words that it can be here.
//! Cost: a list each, made once.
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

/// All words of a story, by what they are words of.
pub(super) struct StoryWords<'m> {
    nodes: Vec<&'m str>,
    things: Vec<&'m str>,
    actors: Vec<&'m str>,
    weapons: Vec<&'m str>,
    sides: Vec<&'m str>,
    states: Vec<&'m str>,
    sorts: Vec<&'m str>,
    actions: Vec<&'m str>,
    /// The variables of the domain, their values, and the parameters of its actions.
    domain: HashSet<&'m str>,
}

impl<'m> StoryWords<'m> {
    pub(super) fn new(model: &'m Model, story: &'m Story) -> Self {
        let items = story.things.iter().filter(|thing| thing.kind == ThingKind::Item);
        let weapons = story.actors.iter().filter_map(|actor| actor.weapon.as_deref());
        let own = story.things.iter().flat_map(|thing| &thing.states).map(String::as_str);
        let usual = usual_states().map(|state| -> &'m str { state });
        let sorts = story.nodes.iter().map(|node| node.sort.as_str());
        let actions = model.actions().iter().map(throng_domain::model::Action::name);
        let variables = model.variables().iter();
        let values = variables.clone().flat_map(throng_domain::model::Variable::values);
        let names = variables.map(throng_domain::model::Variable::name);
        let parameters =
            actions.clone().filter_map(|name| name.split_once('(')?.1.strip_suffix(')'));
        let parameters = parameters.flat_map(str::split_whitespace);
        StoryWords {
            nodes: story.node_names().collect(),
            things: story.thing_names().collect(),
            actors: story.actor_names().collect(),
            weapons: weapons.chain(items.map(|item| item.name.as_str())).collect(),
            sides: story.actors.iter().map(|actor| actor.side.as_str()).collect(),
            states: own.chain(usual).collect(),
            sorts: sorts.chain(SORTS).collect(),
            actions: actions.map(|name| template_of(name).unwrap_or(name)).collect(),
            domain: values.map(String::as_str).chain(names).chain(parameters).collect(),
        }
    }

    /// The words that something can be in this story.
    pub(super) fn of(&self, can: Can) -> Vec<&'m str> {
        let lists: &[&[&'m str]] = match can {
            Can::NoWord => &[],
            Can::Words(words) => return words.to_vec(),
            Can::Node => &[&self.nodes],
            Can::Thing => &[&self.things],
            Can::NodeOrThing => &[&self.nodes, &self.things],
            Can::Named => &[&self.nodes, &self.things, &self.actors],
            Can::Actor => &[&self.actors],
            Can::Weapon => &[&self.weapons],
            Can::Side => &[&self.sides],
            Can::State => &[&self.states],
            Can::Sort => &[&self.sorts],
            Can::Action => &[&self.actions],
            Can::Duty => &[&DUTIES],
        };
        lists.concat()
    }

    /// Whether a word can be that, here or where the same actions are used in another story.
    pub(super) fn allows(&self, can: Can, word: &str) -> bool {
        let elsewhere = match can {
            Can::NoWord | Can::Words(_) | Can::Side | Can::Sort | Can::Action | Can::Duty => false,
            Can::Node | Can::Thing | Can::NodeOrThing | Can::Named => true,
            Can::Actor | Can::Weapon | Can::State => true,
        };
        self.of(can).contains(&word) || elsewhere && self.domain.contains(word)
    }
}
