//! What of a squad is probably not meant, though nothing forbids it.
//!
//! In:   a model and what its minds are made of, both found right; the table of behaviours.
//! Out:  as mistakes, actors who are the minds of squads; as warnings, actions of a squad that
//!       nothing does, tasks that its members have no value for, members without a will of their
//!       own, and what members share and none of them can sense.
//! Cost: one pass over the actions of the squads and the symbols.
//!
//! An action without code is an animation, which soldiers have many of. A squad has no body to
//! move, so with it the likelier reason is a slip of the fingers.

use super::doubts::kinds;
use crate::body::vocabulary::{
    BEHAVIOURS, BehaviourEntry, SENSORS, SensorEntry, TOLD_TO_MEMBERS, TOLD_TO_SQUADS,
    behaviour_named, sensor_named,
};
use crate::story::Story;
use crate::story::read::statements;
use throng_base::DidYouMean;
use throng_domain::model::{ActionId, GoalId, NpcTypeId, VariableId};
use throng_domain::names::template_of;
use throng_domain::notes::{Note, NoteOn};
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
        not_sensed(model, spec, squad, report);
        squad.of.iter().for_each(|&member| unknown_tasks(model, spec, squad, member, report));
        squad.of.iter().for_each(|&member| no_will(model, spec, squad, member, report));
    }
}

/// What members are to share one of them can sense. What squads tell themselves nobody does, declared
/// or not.
fn not_sensed(model: &Model, spec: &Spec, squad: &SquadSpec, report: &mut Report) {
    let name = model.npcs()[squad.npc.index()].name();
    let is_its = |note: &&Note| note.words.first().is_some_and(|word| word.text == name);
    let Some(note) = statements(model, "squad").find(is_its) else { return };
    let members = squad.of.iter().flat_map(|npc| &spec.npcs[npc.index()].sensors);
    let sensors: Vec<&str> =
        members.map(|&at| spec.words.text(spec.sensors[usize::from(at)].name)).collect();
    for &kind in &squad.shares {
        let kind = spec.words.text(kind);
        let writes = |entry: &SensorEntry| entry.writes.iter().any(|facts| facts.kind == kind);
        let sensor = SENSORS.iter().find(|entry| writes(entry));
        // What only code of the game's own writes is not known here.
        let is_sensed = |sensor: &&str| sensor_named(sensor).is_none_or(writes);
        let is_declared = spec.facts.iter().any(|&fact| spec.words.text(fact) == kind);
        let mut told = TOLD_TO_MEMBERS.iter().chain(&TOLD_TO_SQUADS);
        let by_squads = sensor.is_none() && told.any(|facts| facts.kind == kind);
        let is_known = is_declared || sensors.iter().any(is_sensed);
        let mut words = note.words.iter().skip_while(|word| word.text != "shares");
        let word = words.find(|word| word.text == kind);
        let Some(word) = word.filter(|_| by_squads || !is_known) else { continue };
        let declared = spec.facts.iter().map(|&fact| spec.words.text(fact));
        let sensed = SENSORS.iter().flat_map(|entry| entry.writes).map(|facts| facts.kind);
        let is_slip = sensor.is_none() && !by_squads;
        let near = report.nearest(kind, sensed.chain(declared)).filter(|_| is_slip);
        let cure = match (sensor, &near) {
            (Some(sensor), _) => format!("add `{}`, or leave `{kind}` out", sensor.statement()),
            (None, Some(near)) => format!("write `{near}`, or leave it out"),
            (None, None) if by_squads => {
                format!(
                    "leave `{kind}` out: squads tell it themselves, and only what is sensed is shared"
                )
            }
            (None, None) => format!("leave `{kind}` out: only what is sensed is shared"),
        };
        let did = DidYouMean(near);
        let text =
            format!("`{name}` shares facts `{kind}`, and no sense of its members writes any{did}");
        report.say(Code::NobodySensesIt, word.span, text, cure);
    }
}

/// What one knows of himself, and what his squad tells him: nothing of it is a reason to act that his
/// squad has not given him.
const ABOUT_HIMSELF: [&str; 12] = [
    "self",
    "weapon",
    "ammo",
    "item",
    "mine",
    "desire",
    "task",
    "post",
    "assignment",
    "duty",
    "leader",
    "formation",
];

/// A member that only does what it is told stands about whenever it is told nothing.
fn no_will(model: &Model, spec: &Spec, squad: &SquadSpec, member: NpcTypeId, report: &mut Report) {
    let duties = variables_of_orders(spec, member);
    let npc = &model.npcs()[member.index()];
    let is_of_duty = |goal: &GoalId| {
        let mut wants = model.goals()[goal.index()].wants().iter();
        wants.any(|want| duties.contains(&want.variable))
    };
    let has_will = |goal: &GoalId| {
        let declared = &model.goals()[goal.index()];
        let own =
            declared.wants().iter().map(|want| model.variables()[want.variable.index()].name());
        let symbols = own.map(|name| {
            statements(model, "symbol").find(|note| {
                note.words
                    .first()
                    .is_some_and(|word| template_of(name).unwrap_or(name) == word.text)
            })
        });
        let relevance = model.notes().iter().find(|note| {
            let name = template_of(declared.name()).unwrap_or(declared.name());
            matches!(&note.on, NoteOn::Goal(of) if of == name) && note.keyword.word == "relevance"
        });
        let asked: Vec<&str> = symbols.flatten().chain(relevance).flat_map(kinds).collect();
        // Of what no fact speaks nothing can be said.
        asked.is_empty() || asked.iter().any(|kind| !ABOUT_HIMSELF.contains(kind))
    };
    let wants = npc.wants();
    if duties.is_empty() || !wants.iter().any(is_of_duty) {
        return;
    }
    if !wants.iter().any(|goal| !is_of_duty(goal) && has_will(goal)) {
        let (name, squad) = (npc.name(), model.npcs()[squad.npc.index()].name());
        let text = format!("`{name}` wants nothing but what `{squad}` tells it to");
        let cure = "give it a goal of its own, as `goal kill: threat = dead  relevance if target`: else \
                    it stands there while its squad thinks";
        report.say(Code::NoWillOfHisOwn, npc.span(), text, cure);
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
