//! Warnings about a model that is legal but probably not what was meant.
//!
//! Only run when there are no errors. Each warning costs one pass over the model.

use super::resolve::instead_of_type;
use super::{FormerName, Kind, ModelBuilder};
use crate::circles::each_edge_back;
use crate::diagnostics::Code;
use crate::index::{NameTable, Named, TextHash};
use crate::model::*;
use crate::names;
use crate::notes::{Note, Role};
use crate::source::{Format, clip};
use std::collections::HashSet;
use std::hash::BuildHasher;
use throng_base::IndexTable;

/// The former name, if one of these is called so now.
fn in_use<'m, T: Named>(former: &FormerName, list: &'m [T], table: &NameTable) -> Option<&'m str> {
    let name = &list[former.owner as usize].was()[former.nth as usize];
    table.find(list, name).map(|_| name.as_str())
}

impl ModelBuilder {
    pub(super) fn lint(&mut self) {
        self.lint_former_names();
        self.lint_variables();
        self.lint_changes_nothing();
        self.lint_equal_actions();
        self.lint_overrides();
        self.lint_override_circles();
        self.lint_check_names();
        self.lint_level_needs();
        if self.model.npcs.iter().all(|npc| !npc.implicit) {
            self.lint_values_never_set();
            self.lint_npcs();
            self.lint_unused();
        }
    }

    /// A former name must not be a present one: logs could then mean either.
    fn lint_former_names(&mut self) {
        let (model, index) = (&self.model, &self.model.index);
        for former in &self.former_names {
            let taken = match former.of {
                Kind::Variable => in_use(former, &model.variables, &index.variables),
                Kind::Action => in_use(former, &model.actions, &index.actions),
                Kind::Goal => in_use(former, &model.goals, &index.goals),
                _ => in_use(former, &model.npcs, &index.npcs),
            };
            if let Some(name) = taken {
                let text = format!("the former name `{name}` is a present name too");
                let cure = "remove it from `was`: the present name wins";
                self.report.say(Code::FormerNameInUse, former.span, text, cure);
            }
        }
    }

    fn lint_variables(&mut self) {
        let mut used = vec![false; self.model.variables.len()];
        let mut mark = |variable: VariableId| used[variable.index()] = true;
        for action in self.model.actions.iter() {
            action.conditions().variables().for_each(&mut mark);
            action.sets().iter().for_each(|set| mark(set.variable));
            action.shifts().iter().for_each(|shift| mark(shift.variable));
        }
        self.model.goals.iter().for_each(|goal| {
            goal.conditions().variables().for_each(&mut mark);
        });
        for test in self.model.tests.iter() {
            if let Target::Conditions(wants) = &test.ask {
                wants.conditions().variables().for_each(&mut mark);
            }
        }
        self.of_parameters.iter().for_each(|variable| used[variable.index()] = true);
        self.sensed().for_each(|variable| used[variable.index()] = true);
        self.asked().for_each(|variable| used[variable.index()] = true);
        for (variable, used) in self.model.variables.iter().zip(used) {
            if !used {
                let text = format!("no action and no goal uses variable `{}`", variable.name);
                self.report.say(Code::UnusedVariable, variable.span, text, "use it, or remove it");
            } else if variable.values.len() == 1 {
                let text =
                    format!("variable `{}` has one value and can never change", variable.name);
                let meant = instead_of_type(&variable.values[0]);
                let cure = match meant.filter(|_| self.format == Format::Npc) {
                    Some(values) => format!("write `var {}: {values}`", variable.name),
                    None => "add the other values, or remove it".to_string(),
                };
                self.report.say(Code::SingleValue, variable.span, text, cure);
            }
        }
    }

    /// Variables that a note gives a value: the world sets them.
    fn sensed(&self) -> impl Iterator<Item = VariableId> {
        let model = &self.model;
        let named = model.first_words(Role::SetsVariable);
        named.flat_map(|word| {
            let members = self.variable_templates.get(&word.text).into_iter().flatten().copied();
            model.find_variable(&word.text).into_iter().chain(members)
        })
    }

    /// Variables that a condition of a note compares, as in `learn dive: rank = veteran`.
    fn asked(&self) -> impl Iterator<Item = VariableId> {
        let model = &self.model;
        let has_ours =
            |note: &&Note| !matches!(note.keyword.role, Role::OwnNames | Role::Places { .. });
        let notes = model.notes.iter().filter(has_ours);
        let pairs = notes.flat_map(|note| note.words.windows(2));
        let compared = pairs.filter(|pair| pair[1].kind.relation().is_some());
        compared.filter_map(|pair| model.find_variable(&pair[0].text))
    }

    /// An action that a note names need not change anything: no plan is to use it.
    fn lint_changes_nothing(&mut self) {
        let idle = self.model.first_words(Role::NamesAction);
        let named: HashSet<&str> = idle.map(|word| word.text.as_str()).collect();
        let cure = self.format.words(
            "give it a change, as in `door shut -> open`, or remove it",
            "give it a change, as in `\"sets\": {\"door\": \"open\"}`, or remove it",
        );
        // Of the actions of one statement all change something, or none does.
        for statement in self.model.actions.chunk_by(|one, next| one.span == next.span) {
            let action = &statement[0];
            let bare = action.name.split('(').next().unwrap_or(&action.name);
            let idle = action.changed().next().is_none() && action.parts().is_empty();
            if idle && !named.contains(bare) {
                let name = if statement.len() == 1 { &action.name } else { bare };
                let text = format!("action `{name}` changes nothing, so no plan will use it");
                self.report.say(Code::ChangesNothing, action.span, text, cure);
            }
        }
    }

    fn lint_equal_actions(&mut self) {
        let (actions, hash) = (&self.model.actions, TextHash::default());
        let mut seen = IndexTable::with_places(2 * (actions.len() + 1));
        let key = |at: u32| {
            let action = &actions[at as usize];
            let effect = (action.sets(), action.shifts());
            (action.conditions(), effect, action.checks(), action.kinds())
        };
        let hash_of = |at: u32| hash.hash_one(key(at));
        for (at, action) in actions.iter().enumerate() {
            let at = clip(at);
            let same = |first: u32| key(first) == key(at);
            let Some(first) = seen.find_or_insert(hash_of(at), at, same, hash_of) else {
                continue;
            };
            let first = &actions[first as usize];
            // Instances of one template that happen to be equal are the template's business.
            if action.changed().next().is_some() && first.span != action.span {
                self.report.say_also(
                    Code::EqualActions,
                    action.span,
                    (first.span, "the same as this one"),
                    format!("`{}` does the same as `{}`", action.name, first.name),
                    "remove one, or let them differ in a condition, a change or a check; \
                     the cheaper one is always chosen",
                );
            }
        }
    }

    /// An action without checks is always enabled, so what it overrides is never there.
    fn lint_overrides(&mut self) {
        let mut seen = vec![false; self.model.actions.len()];
        for npc in self.model.npcs.iter() {
            for id in &npc.can {
                let action = &self.model[*id];
                let has_ifs = |kind: &ActionKind| !kind.checks.is_empty();
                let may_lack_kinds =
                    !action.kinds().is_empty() && action.kinds().iter().all(has_ifs);
                if !action.checks().is_empty() || may_lack_kinds || seen[id.index()] {
                    continue;
                }
                let both = |other: &&ActionId| npc.can.binary_search(other).is_ok();
                let Some(other) = action.overrides().iter().find(both) else { continue };
                seen[id.index()] = true;
                let other = &self.model[*other].name;
                let text = format!(
                    "`{}` has no check, so whoever can do it can never do `{other}`",
                    action.name
                );
                let cure = "give it the check under which it takes over, as in `if riding_now`; \
                            `while` conditions do not switch overrides";
                self.report.say(Code::OverridesForever, action.span, text, cure);
            }
        }
    }

    /// Actions that override each other in a circle can all vanish at once.
    fn lint_override_circles(&mut self) {
        let (actions, report) = (&self.model.actions, &mut self.report);
        let target = |at: usize, nth: usize| actions[at].overrides().get(nth).map(|id| id.index());
        each_edge_back(actions.len(), target, |at, nth| {
            let (a, b) = (&actions[at], &actions[actions[at].overrides()[nth].index()]);
            let text =
                format!("`{}` overrides `{}`, which leads back to `{}`", a.name, b.name, a.name);
            let cure = "remove one of the `overrides` of the circle: \
                        while all of them are enabled, none is there";
            let also = (b.span, "this one leads back");
            report.say_also(Code::OverridesInACircle, a.span, also, text, cure);
        });
    }

    /// Values that a goal wants, but no action sets and no NPC type starts with: no plan can reach
    /// it. What an action needs is not judged: the game may bring it about.
    fn lint_values_never_set(&mut self) {
        // Sorted, each once.
        let mut given: Vec<Fact> = Vec::new();
        given.extend(self.model.actions.iter().flat_map(|action| action.sets()).copied());
        given.extend(self.model.npcs.iter().flat_map(|npc| &npc.starts).copied());
        given.extend(self.model.tests.iter().flat_map(|test| &test.from).copied());
        // Mostly they are sorted already, in three rows.
        given.sort();
        given.dedup();
        let sensed: HashSet<VariableId> = self.sensed().collect();
        // How far an amount can be counted is for the planner to say.
        let shifts = self.model.actions.iter().flat_map(|action| action.shifts());
        let counted: HashSet<VariableId> = shifts.map(|shift| shift.variable).collect();
        let is_open = |variable| sensed.contains(&variable) || counted.contains(&variable);
        let is_given = |fact: &Fact| given.binary_search(fact).is_ok() || is_open(fact.variable);
        let is_met = |range: &Range| {
            let fact = |at: u16| Fact { variable: range.variable, value: ValueId(at.into()) };
            let has = |&(first, last): &(u16, u16)| {
                let next = given.partition_point(|it| *it < fact(first));
                given.get(next).is_some_and(|it| *it <= fact(last))
            };
            is_open(range.variable) || range.values.runs().iter().any(has)
        };
        // Of alternatives one that can be reached is enough.
        let reached =
            |goal: &&Goal| goal.wants.iter().all(is_given) && goal.ranges.iter().all(is_met);
        let served: HashSet<&str> =
            self.model.goals.iter().filter(reached).filter_map(|goal| goal.serves()).collect();
        let (mut told, mut told_ranges) = (HashSet::new(), HashSet::new());
        for goal in self.model.goals.iter() {
            let enough = goal.serves().is_some_and(|name| served.contains(name));
            let missing = goal.wants.iter().filter(|fact| !enough && !is_given(fact));
            let facts = missing.filter(|&&fact| told.insert(fact)).map(|&fact| {
                let (variable, value) = self.model.fact_names(fact);
                format!("{variable} = {value}")
            });
            let unmet = goal.ranges.iter().filter(|range| !enough && !is_met(range));
            let ranges = unmet.filter(|&&range| told_ranges.insert(range)).map(|range| {
                let variable = &self.model[range.variable];
                variable.values.condition(&variable.name, &range.values)
            });
            for needed in facts.chain(ranges) {
                self.report.say(
                    Code::NobodySets,
                    goal.span,
                    format!(
                        "`{}` needs `{needed}`, which no action sets and nobody starts with",
                        goal.name
                    ),
                    "add an action that sets it; \
                     if only the game sets it, say so by a test that has it in `from`",
                );
            }
        }
    }

    fn lint_npcs(&mut self) {
        for npc in self.model.npcs.iter() {
            if npc.can.is_empty() {
                let text = format!("`{}` can do nothing", npc.name);
                let cure = "list its actions after `can`, separated by commas";
                self.report.say(Code::CanDoNothing, npc.span, text, cure);
            }
        }
    }

    /// Actions, goals and capabilities that no NPC type has.
    fn lint_unused(&mut self) {
        let mut done = vec![false; self.model.actions.len()];
        let mut wanted = vec![false; self.model.goals.len()];
        for npc in self.model.npcs.iter() {
            npc.can.iter().for_each(|action| done[action.index()] = true);
            npc.wants.iter().for_each(|goal| wanted[goal.index()] = true);
        }
        // Parts of what an NPC type can do are done.
        for action in 0..done.len() {
            if done[action] {
                let parts = self.model.actions[action].parts().iter();
                parts.for_each(|part| done[part.index()] = true);
            }
        }
        // A goal may also be asked for by a test; then it has a use.
        for test in self.model.tests.iter() {
            let asked = match &test.ask {
                Target::Goal(goal) => std::slice::from_ref(goal),
                Target::Any(goals) => goals,
                Target::Best | Target::Conditions(_) => &[],
            };
            asked.iter().for_each(|goal| wanted[goal.index()] = true);
        }
        for (action, _) in self.model.actions.iter().zip(done).filter(|(_, done)| !done) {
            let name = names::template_of(&action.name).unwrap_or(&action.name);
            let text = format!("no NPC type can do `{}`", action.name);
            self.report.say(Code::NobodyCan, action.span, text, format!("add `{name}` to a `can`"));
        }
        for (goal, _) in self.model.goals.iter().zip(wanted).filter(|(_, wanted)| !wanted) {
            let text = format!("no NPC type wants `{}`", goal.name);
            let cure = "add it to a `wants`, or remove it".to_string();
            self.report.say(Code::NobodyWants, goal.span, text, cure);
        }
        for (name, capability) in self.capabilities.iter().filter(|(_, it)| !it.used) {
            let text = format!("no NPC type has the capability `{name}`");
            self.report.say(Code::UnusedCapability, capability.span, text, "add it to a `can`");
        }
    }
}
