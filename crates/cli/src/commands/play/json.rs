//! A story as JSON lines: events, one moment, the end.
//!
//! In:   a play after a tick.
//! Out:  a line per event, a line for a moment, the last line.
//! Cost: allocates; a moment plans again to say why.

use super::telling::{is_asked, name_picks};
use crate::console::{Console, Fail};
use crate::shapes::{list, rounded};
use serde_json::{Value, json};
use throng_mind::Mind;
use throng_mind::choose::Standing;
use throng_mind::fact::{Attribute, Value as FactValue};
use throng_mind::inspect::{
    BesideView, CoolingView, FactView, GoalView, Inspection, PickView, StepView,
};
use throng_mind::memory::FactRef;
use throng_world::story::log::Log;
use throng_world::story::promise::Verdict;
use throng_world::story::run::Play;

/// A JSON line per event, of one actor or squad or of all; `sensors` at work are told only if
/// that is asked for.
pub(crate) fn tick(
    play: &Play,
    only: Option<&str>,
    sensors: bool,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let (story, cast) = (play.story(), play.cast());
    let (tick, seconds) = (play.now(), story.pace.seconds(play.now()));
    // `actor` is `null` for the script, `code` is the world's word for a failure.
    let mut tell =
        |actor: Option<usize>, event: &str, name: &str, why: Option<&str>, code: Option<&str>| {
            let actor = actor.map(|actor| cast.voice_name(actor));
            console.json(&json!({
                "tick": tick, "seconds": seconds, "actor": actor, "event": event, "name": name,
                "why": why, "code": code,
            }))
        };
    for line in &Log::default().tick(play) {
        let is_asked = line.who.map_or(only.is_none(), |who| is_asked(play, who, only));
        if is_asked && (sensors || line.told.id != "heavy") {
            let (told, code) = (&line.told, line.code.as_deref());
            tell(line.who, told.id, &told.name, told.why.as_deref(), code)?;
        }
    }
    Ok(())
}

/// The last line. Before the story is over, `passed` says that nothing is broken so far.
pub(crate) fn end(play: &Play, console: &mut Console<'_>) -> Result<(), Fail> {
    let promises = play.judge().verdicts().map(|(promise, verdict)| {
        // `null` as long as it is not decided; the tick at which it was.
        let (kept, at, why) = match verdict {
            Verdict::Kept(at) => (Some(true), Some(*at), None),
            Verdict::Broken(at, why) => (Some(false), Some(*at), Some(why)),
            Verdict::Open => (None, None, None),
        };
        json!({"text": promise.text, "kept": kept, "at": at, "why": why})
    });
    console.json(&json!({
        "story": play.story().name,
        "passed": if play.is_over() { play.is_kept() } else { !play.is_broken() },
        "ticks": play.now(),
        "digest": format!("{:016x}", play.digest()),
        "promises": promises.collect::<Vec<_>>(),
    }))
}

/// A moment in full, with one mind only; `None`: all. A mind is `null` where an actor has none now.
pub(crate) fn moment(
    play: &Play,
    only: Option<&str>,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let (story, cast, tick) = (play.story(), play.cast(), play.now());
    let minded = (0..story.actors.len()).filter(|&actor| story.actors[actor].is_minded());
    let asked = minded.chain(cast.squad_voices()).filter(|&voice| is_asked(play, voice, only));
    let minds = asked.map(|voice| {
        let mind = cast.mind(voice).and_then(|mind| data(play, voice, mind));
        json!({"actor": cast.voice_name(voice), "mind": mind})
    });
    console.json(&json!({
        "story": story.name, "tick": tick, "seconds": story.pace.seconds(tick),
        "map": play.world().draw_as(&cast.signs()), "minds": minds.collect::<Vec<_>>(),
    }))
}

/// An inspection as data. The library knows no JSON, so its shape is made here.
fn data(play: &Play, voice: usize, mind: &Mind) -> Option<Value> {
    let mut it: Inspection = play.minds().inspect(mind.id())?;
    name_picks(play, voice, &mut it);
    let goal = |goal: &GoalView| {
        json!({"goal": goal.name, "score": rounded(goal.score), "relevance": rounded(goal.relevance),
            "standing": standing(goal.standing), "why_not": goal.why_not})
    };
    // The views of facts have all in words; the facts themselves know what is a number.
    let facts = it.facts.iter().zip(mind.memory().iter());
    let facts = facts.map(|(view, fact)| fact_data(play, view, fact));
    let step = |step: &StepView| json!({"action": step.action, "status": step.status});
    let runner_up = it.runner_up.as_ref();
    Some(json!({
        "npc": it.npc, "here": place(it.here), "doing": it.doing, "why": it.why, "goal": it.goal,
        "besides": list(it.besides.iter().map(beside)),
        "plan": list(it.plan.iter().map(step)), "cost": it.cost,
        "runner_up": runner_up.map(|(plan, cost)| json!({"plan": plan, "cost": cost})),
        "goals": list(it.goals.iter().map(goal)),
        "facts": list(facts),
        "memory_bound": it.memory_bound,
        "state": it.state.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
        "false_checks": it.false_checks,
        "picks": list(it.picks.iter().map(pick)), "claims": it.claims,
        "told_checks": list(it.told_checks.iter().map(|check| {
            json!({"check": check.name, "holds": check.holds, "ago": check.age, "by": check.by})
        })),
        "asks": list(it.asks.iter().map(|it| {
            json!({"question": it.what, "about": it.about, "from": it.from, "ago": it.age,
                "handed_out": it.handed_out})
        })),
        "absent": list(it.absent.iter().map(|a| json!({"action": a.action, "why": a.why}))),
        "cooling": list(it.cooling.iter().map(cooling)),
        "sensors": list(it.sensors.iter().map(|(s, ago)| json!({"sensor": s, "ago": ago}))),
        "missed": it.missed, "asked": it.asked,
    }))
}

/// What is done beside.
pub(crate) fn beside(it: &BesideView) -> Value {
    json!({"beside": it.name, "since": it.since, "channels": it.channels.split(", ").collect::<Vec<_>>()})
}

/// A slot, with what it holds; `null`: it is empty.
pub(crate) fn pick(it: &PickView) -> Value {
    json!({"slot": it.slot, "holds": it.holds, "score": rounded(it.score), "since": it.since,
        "why": it.why, "planned": it.pinned, "kept_for": it.kept_for})
}

/// An action that is not there for a while; `chance` is `null` if it cools.
fn cooling(it: &CoolingView) -> Value {
    let chance = it.chance.map(|(odds, per)| json!({"odds": rounded(odds), "per": per}));
    json!({"action": it.action, "left": it.left, "of": it.of, "chance": chance, "why": it.why})
}

fn fact_data(play: &Play, view: &FactView, fact: FactRef<'_>) -> Value {
    let attribute = |attribute: Attribute| {
        let (value, confidence) = fact.get(attribute)?;
        let value = match value {
            FactValue::Position(at) => place(at),
            FactValue::Word(word) => json!(play.minds().spec().words.text(word)),
            FactValue::Number(number) => rounded(number),
            FactValue::Entity(handle) => match play.cast().name_in_full(handle) {
                Some(name) => json!(name),
                None => json!(handle.0),
            },
        };
        let name = attribute.name().to_string();
        Some((name, json!({"value": value, "confidence": rounded(confidence)})))
    };
    let attributes: serde_json::Map<_, _> =
        Attribute::ALL.into_iter().filter_map(attribute).collect();
    json!({"kind": view.kind, "by": view.writer, "age": view.age,
        "expires_in": view.expires_in, "attributes": attributes})
}

/// `[x, y]`; of a place above or below the ground `[x, y, z]`.
fn place(at: [f32; 3]) -> Value {
    let flat = if at[2] == 0.0 { 2 } else { 3 };
    Value::Array(at[..flat].iter().map(|&part| rounded(part)).collect())
}

fn standing(standing: Standing) -> &'static str {
    match standing {
        Standing::Active => "active",
        Standing::Satisfied => "satisfied",
        Standing::Irrelevant => "irrelevant",
        Standing::Resting => "resting",
        Standing::Outscored => "outscored",
        Standing::NoPlan => "no_plan",
        Standing::GaveUp => "gave_up",
        Standing::HeldBack => "held_back",
    }
}
