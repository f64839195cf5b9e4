//! What a level says that its places and things need, held against what actions ask for.
//!
//! In:   `node shelter at C: cover needs table = flipped`, from statements or from a game.
//! Out:  conditions of the actions that say `needs`; warnings of those that will run there and fail.
//! Cost: a look at the actions for each need of the level; levels have few.

use super::ModelBuilder;
use crate::diagnostics::Code;
use crate::level::LevelNeed;
use crate::model::{Action, Fact, Model, VariableId};
use crate::names;
use crate::notes::{Role, WordKind};

impl ModelBuilder {
    /// What something that the level lists needs, as far as there are variables for it.
    pub(crate) fn needs_in_level(&mut self, member: &str) -> Vec<Fact> {
        self.needed_members.insert(member.to_string());
        let needs = self.level.needs(member);
        needs.filter_map(|need| wanted(&self.model, need)).collect()
    }

    /// Warns of needs that nobody's plans know of, or that nothing can meet.
    pub(super) fn lint_level_needs(&mut self) {
        let needs: Vec<LevelNeed> = self.level.all_needs().cloned().collect();
        for need in needs {
            let Some(span) = need.span else { continue };
            let Some((text, cure)) = self.unmet(&need) else { continue };
            let LevelNeed { of, thing, state, .. } = &need;
            let text =
                format!("`{of}` needs `{thing} = {state}`, and {text}: he will run there and fail");
            self.report.say(Code::NeedNobodyMeets, span, text, cure);
        }
    }

    /// What is wrong with a need of the level, and what cures it.
    fn unmet(&self, need: &LevelNeed) -> Option<(String, String)> {
        let LevelNeed { of, thing, state, sort, .. } = need;
        let model = &self.model;
        let fact = wanted(model, need);
        if self.needed_members.contains(of) {
            let Some(fact) = fact else {
                let text = format!("no variable `{thing}` has the value `{state}`");
                return Some((
                    text,
                    format!("declare `var {thing}: …, {state}`, and a `symbol` for it"),
                ));
            };
            let sets = |action: &Action| action.sets().contains(&fact);
            return (!model.actions().iter().any(sets)).then(|| {
                let text = format!("no action brings `{thing} = {state}` about");
                (text, format!("declare one, as in `action use({thing}): {thing} -> {state}`"))
            });
        }
        let goes_there = |action: &&Action| {
            let goes = action.sets().iter().any(|&set| model.fact_names(set).1 == of);
            goes && fact.is_some_and(|fact| !action.requires().contains(&fact))
        };
        if let Some(action) = model.actions().iter().find(goes_there) {
            let text = format!("`{}` does not ask for it", action.name());
            return Some((text, format!("add `needs {of}` to it, or `while {thing} = {state}`")));
        }
        let has_lacks =
            (0..model.variables().len()).any(|at| model.lack(VariableId::at(at)).is_some());
        if has_lacks || fact.is_some() || !self.is_picked(sort) {
            return None;
        }
        let text = format!("no action asks for what a picked `{sort}` needs");
        let cure = format!(
            "let a select take what is needed, `select prop: best 2 of need(source = …)`, and add \
             `needs` to the actions that go to a `{sort}`"
        );
        Some((text, cure))
    }

    /// Whether a select picks spots or things of this sort for actions to go to.
    fn is_picked(&self, sort: &str) -> bool {
        let selects = self.model.notes().iter().filter(|note| note.keyword.role == Role::Selects);
        let mut picking = selects.filter(|note| {
            let is_sort = |at: usize| {
                let words = &note.words[at..];
                matches!(words[0].text.as_str(), "knowledge" | "stimulus")
                    && words.get(1).is_some_and(|sign| sign.text == "=")
                    && words.get(2).is_some_and(|word| word.text == sort)
            };
            (0..note.words.len()).filter(|&at| note.words[at].kind == WordKind::Name).any(is_sort)
        });
        picking.any(|note| {
            let name = note.words.first().map_or("", |word| &word.text);
            let Some(select) = self.model.find_select(name) else { return false };
            let is_of = |words: &str| {
                let slot = self.model.find_slot(words);
                slot.is_some_and(|slot| self.model[slot].select() == select)
            };
            self.model.actions().iter().any(|action| names::arguments_of(action.name()).any(is_of))
        })
    }
}

/// The fact that a need asks for, if a variable is called like the thing.
fn wanted(model: &Model, need: &LevelNeed) -> Option<Fact> {
    let variable = model.find_variable(&need.thing)?;
    Some(Fact { variable, value: model.value_named(variable, &need.state)? })
}
