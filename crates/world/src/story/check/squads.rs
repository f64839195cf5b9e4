//! What of a squad is probably not meant, though nothing forbids it.
//!
//! In:   a model and what its minds are made of, both found right; the table of behaviours.
//! Out:  as mistakes, actors who are the minds of squads; as warnings, actions of a squad that
//!       nothing does, and tasks that its members have no value for.
//! Cost: one pass over the actions of the squads and the symbols.
//!
//! An action without code is an animation, which soldiers have many of. A squad has no body to
//! move, so with it the likelier reason is a slip of the fingers.

use crate::body::vocabulary::{BEHAVIOURS, BehaviourEntry, behaviour_named};
use crate::story::Story;
use crate::story::read::statements;
use throng_base::DidYouMean;
use throng_domain::model::{ActionId, NpcTypeId, VariableId};
use throng_domain::notes::NoteOn;
use throng_domain::{Code, Model, Report};
use throng_mind::fact::Attribute;
use throng_mind::spec::{Spec, SquadSpec, SymbolRule};

/// Actors whose type is the mind of a squad: everything else that is wrong follows from it.
pub(super) fn actors_that_are_squads(
    model: &Model,
    story: &Story,
    spec: &Spec,
    report: &mut Report,
) {
    for name in statements(model, "squad").filter_map(|note| note.words.first()) {
        let is_it = |npc: usize| model.npcs()[npc].name() == name.text;
        let is_squad = spec.squads.iter().any(|squad| is_it(squad.npc.index()));
        let actor = story.actors.iter().find(|actor| actor.npc.is_some_and(is_it));
        if let Some(actor) = actor.filter(|_| is_squad) {
            let text = format!("`{}` is the mind of a squad, and of `{}`", name.text, actor.name);
            let cure = "first name the type of the squad's own mind, and behind `of` its members";
            report.say(Code::NoteSense, name.span, text, cure);
        }
    }
}

/// The names of behaviours, what squads do first.
fn behaviours() -> Vec<&'static str> {
    let is_first = |entry: &&BehaviourEntry| !entry.gives.is_empty();
    let (first, last): (Vec<&BehaviourEntry>, Vec<_>) = BEHAVIOURS.iter().partition(is_first);
    first.into_iter().chain(last).map(|entry| entry.name).collect()
}

/// All warnings about squads.
pub(super) fn doubts(model: &Model, spec: &Spec, report: &mut Report) {
    for squad in &spec.squads {
        without_code(model, spec, squad, report);
        squad.of.iter().for_each(|&member| unknown_tasks(model, spec, squad, member, report));
    }
}

/// What a squad can do; a compound is done by its parts.
fn actions(spec: &Spec, squad: &SquadSpec) -> Vec<ActionId> {
    let whole = spec.domain.npcs()[squad.npc.index()].actions().iter();
    whole
        .flat_map(|&id| match &spec.action(id).parts[..] {
            [] => vec![id],
            parts => parts.to_vec(),
        })
        .collect()
}

fn without_code(model: &Model, spec: &Spec, squad: &SquadSpec, report: &mut Report) {
    for id in actions(spec, squad) {
        let action = spec.action(id);
        let (name, does) = (spec.words.text(action.template), spec.words.text(action.does));
        let on = NoteOn::Action(name.to_string());
        let is_timed =
            model.notes().iter().any(|note| note.on == on && note.keyword.word == "takes");
        if behaviour_named(does).is_some() || is_timed {
            continue;
        }
        let near = report.nearest(name, behaviours().into_iter());
        let did = DidYouMean(near);
        let squad = model.npcs()[squad.npc.index()].name();
        let text = format!("nothing does `{name}` of the squad `{squad}`{did}");
        let cure = "call it like a behaviour, or say which `does` it, or how long it `takes`";
        report.say(Code::SquadWithoutCode, model.actions()[id.index()].span(), text, cure);
    }
}

fn unknown_tasks(
    model: &Model,
    spec: &Spec,
    squad: &SquadSpec,
    member: NpcTypeId,
    report: &mut Report,
) {
    let orders = variables_of_orders(spec, member);
    // Who asks for tasks one by one has said what he understands.
    let Some(&variable) = orders.first() else { return };
    let knows = |task: &str| {
        let values = orders.iter().map(|id| model.variables()[id.index()].values());
        values.filter_map(|values| values.words()).flatten().any(|value| value == task)
    };
    let does = actions(spec, squad).into_iter().map(|id| spec.words.text(spec.action(id).does));
    let mut missing: Vec<(&str, &str)> = Vec::new();
    for entry in does.filter_map(behaviour_named) {
        for task in entry.gives.iter().filter(|task| !knows(task)) {
            if !missing.iter().any(|(known, _)| known == task) {
                missing.push((task, entry.name));
            }
        }
    }
    let Some((_, by)) = missing.first() else { return };
    let tasks: Vec<String> = missing.iter().map(|(task, _)| format!("`{task}`")).collect();
    let (tasks, values) = (tasks.join(", "), if missing.len() == 1 { "value" } else { "values" });
    let (name, variable) =
        (model.npcs()[member.index()].name(), &model.variables()[variable.index()]);
    let (of, squad) = (variable.name(), model.npcs()[squad.npc.index()].name());
    let text = format!(
        "`{squad}` gives tasks {tasks} (`{by}`), and `{of}` of `{name}` has no such {values}"
    );
    let cure = format!("add {tasks} to the values of `{of}`, and an action for it to `{name}`");
    report.say(Code::TaskNotKnown, variable.span(), text, cure);
}

/// The variables of a type that are called like the task: `symbol duty: task of task`.
fn variables_of_orders(spec: &Spec, npc: NpcTypeId) -> Vec<VariableId> {
    let is_order = |rule: &SymbolRule| {
        matches!(rule, SymbolRule::Named(Attribute::Task, pattern)
            if pattern.kind().is_some_and(|kind| spec.words.text(kind) == "task"))
    };
    let symbols = spec.symbols.iter().filter(|symbol| symbol.rules.iter().any(is_order));
    let own = spec.domain.npcs()[npc.index()].variables();
    symbols.map(|symbol| symbol.variable).filter(|variable| own.contains(variable)).collect()
}
