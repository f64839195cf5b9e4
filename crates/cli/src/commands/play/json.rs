//! A story as JSON lines: events, one moment, the end.
//!
//! In:   a play after a tick.
//! Out:  a line per event, a line for a moment, the last line.
//! Cost: allocates; a moment plans again to say why.

use super::telling::is_asked;
use crate::console::{Console, Fail};
use serde::Serialize;
use serde_json::{Value, json};
use throng_mind::Mind;
use throng_mind::body::Ending;
use throng_mind::choose::Standing;
use throng_mind::events::EventKind;
use throng_mind::fact::{Attribute, Value as FactValue};
use throng_mind::inspect::{FactView, GoalView, Inspection, StepView};
use throng_mind::memory::FactRef;
use throng_mind::time::Tick;
use throng_world::story::promise::Verdict;
use throng_world::story::run::Play;
use throng_world::story::tell::in_order;

#[derive(Serialize)]
struct EventShape<'a> {
    tick: Tick,
    seconds: f64,
    /// `null` for the script.
    actor: Option<&'a str>,
    event: &'a str,
    name: &'a str,
    why: Option<&'a str>,
    /// Of a failure, the world's word for it.
    code: Option<&'a str>,
}

/// A JSON line per event, without sensors at work.
pub(crate) fn tick(play: &Play, console: &mut Console<'_>) -> Result<(), Fail> {
    events(play, false, None, console)
}

/// The same of one actor or squad only.
pub(crate) fn tick_of(play: &Play, actor: &str, console: &mut Console<'_>) -> Result<(), Fail> {
    events(play, false, Some(actor), console)
}

/// A JSON line per event.
pub(crate) fn tick_with_sensors(play: &Play, console: &mut Console<'_>) -> Result<(), Fail> {
    events(play, true, None, console)
}

fn events(
    play: &Play,
    sensors: bool,
    only: Option<&str>,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let (story, words) = (play.story(), &play.minds().spec().words);
    let (tick, seconds) = (play.now(), story.pace.seconds(play.now()));
    for scripted in play.scripted().iter().filter(|_| only.is_none()) {
        let name = &story.script[scripted.entry].text;
        let why = (!scripted.worked).then_some("without effect");
        let (actor, event, code) = (None, "script", None);
        console.json(&EventShape { tick, seconds, actor, event, name, why, code })?;
    }
    let of_asked = |who: usize| is_asked(play, who, only);
    for &dead in play.deaths().iter().filter(|&&actor| of_asked(actor)) {
        let (actor, event) = (Some(play.cast().voice_name(dead)), "dies");
        console.json(&EventShape {
            tick,
            seconds,
            actor,
            event,
            name: "",
            why: None,
            code: None,
        })?;
    }
    for told in play.cast().squad_news().iter().filter(|told| of_asked(told.who)) {
        let actor = Some(play.cast().voice_name(told.who));
        let (event, name, why) = (told.id(), &told.name, told.why.as_deref());
        console.json(&EventShape { tick, seconds, actor, event, name, why, code: None })?;
    }
    for happening in &in_order(play.happenings()) {
        if !of_asked(happening.actor) || matches!(happening.what, EventKind::Heavy(_)) && !sensors {
            continue;
        }
        let told = play.cast().tell(happening);
        let actor = Some(play.cast().voice_name(happening.actor));
        let (event, name, why) = (told.id, &told.name, told.why.as_deref());
        let code = match happening.what {
            EventKind::Ended { how: Ending::Failed(why), .. } => Some(words.text(why)),
            _ => None,
        };
        let code = code.filter(|code| !code.is_empty());
        console.json(&EventShape { tick, seconds, actor, event, name, why, code })?;
    }
    Ok(())
}

#[derive(Serialize)]
struct PromiseShape<'a> {
    text: &'a str,
    /// `null`: not decided yet.
    kept: Option<bool>,
    /// The tick at which it was decided.
    at: Option<Tick>,
    /// Why it was broken.
    why: Option<&'a str>,
}

#[derive(Serialize)]
struct EndShape<'a> {
    story: &'a str,
    passed: bool,
    ticks: Tick,
    digest: String,
    promises: Vec<PromiseShape<'a>>,
}

/// The last line. Before the story is over, `passed` says that nothing is broken so far.
pub(crate) fn end(play: &Play, console: &mut Console<'_>) -> Result<(), Fail> {
    let promises = play.judge().verdicts().map(|(promise, verdict)| {
        let (kept, at, why) = match verdict {
            Verdict::Kept(at) => (Some(true), Some(*at), None),
            Verdict::Broken(at, why) => (Some(false), Some(*at), Some(why.as_str())),
            Verdict::Open => (None, None, None),
        };
        PromiseShape { text: &promise.text, kept, at, why }
    });
    console.json(&EndShape {
        story: &play.story().name,
        passed: if play.is_over() { play.is_kept() } else { !play.is_broken() },
        ticks: play.now(),
        digest: format!("{:016x}", play.digest()),
        promises: promises.collect(),
    })
}

#[derive(Serialize)]
struct MomentShape<'a> {
    story: &'a str,
    tick: Tick,
    seconds: f64,
    map: Vec<String>,
    minds: Vec<MindShape<'a>>,
}

/// A mind at a moment, as data; `null` where somebody has no mind now.
#[derive(Serialize)]
struct MindShape<'a> {
    actor: &'a str,
    mind: Option<Value>,
}

/// A moment in full, and the last line.
pub(crate) fn moment(play: &Play, console: &mut Console<'_>) -> Result<(), Fail> {
    moment_of(play, None, console)?;
    end(play, console)
}

/// A moment in full, with one mind only; `None`: all.
pub(crate) fn moment_of(
    play: &Play,
    only: Option<&str>,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let (story, tick) = (play.story(), play.now());
    let minded = story.actors.iter().enumerate().filter(|(_, entry)| entry.is_minded());
    let minded = minded.filter(|(actor, _)| is_asked(play, *actor, only));
    let cast = play.cast();
    let mind = |voice: usize| cast.mind(voice).map(|mind| data(play, mind));
    let minds = minded.map(|(actor, entry)| MindShape { actor: &entry.name, mind: mind(actor) });
    let squads = cast.squad_voices().filter(|&squad| is_asked(play, squad, only));
    let squads = squads.map(|squad| MindShape { actor: cast.voice_name(squad), mind: mind(squad) });
    let (minds, map) = (minds.chain(squads).collect(), play.world().draw_as(&play.cast().signs()));
    let seconds = story.pace.seconds(tick);
    console.json(&MomentShape { story: &story.name, tick, seconds, map, minds })
}

/// An inspection as data. The library knows no JSON, so its shape is made here.
fn data(play: &Play, mind: &Mind) -> Value {
    let it: Inspection = mind.inspect(play.minds().spec(), play.now());
    let goal = |goal: &GoalView| {
        json!({"goal": goal.name, "score": rounded(goal.score), "relevance": rounded(goal.relevance),
            "standing": standing(goal.standing), "why_not": goal.why_not})
    };
    // The views of facts have all in words; the facts themselves know what is a number.
    let facts = it.facts.iter().zip(mind.memory().iter());
    let facts: Vec<Value> = facts.map(|(view, fact)| fact_data(play, view, fact)).collect();
    let step = |step: &StepView| json!({"action": step.action, "status": step.status});
    let list = |values: Vec<Value>| Value::Array(values);
    let runner_up = it.runner_up.as_ref();
    json!({
        "npc": it.npc, "here": place(it.here), "doing": it.doing, "why": it.why, "goal": it.goal,
        "plan": list(it.plan.iter().map(step).collect()), "cost": it.cost,
        "runner_up": runner_up.map(|(plan, cost)| json!({"plan": plan, "cost": cost})),
        "goals": list(it.goals.iter().map(goal).collect()),
        "facts": list(facts),
        "memory_bound": it.memory_bound,
        "state": it.state.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
        "false_checks": it.false_checks,
        "absent": list(it.absent.iter().map(|a| json!({"action": a.action, "why": a.why})).collect()),
        "sensors": list(it.sensors.iter().map(|(s, ago)| json!({"sensor": s, "ago": ago})).collect()),
        "missed": it.missed, "asked": it.asked,
    })
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

/// Three digits behind the point, as they are read: 0.9, not 0.8999999762.
fn rounded(number: f32) -> Value {
    json!((f64::from(number) * 1000.0).round() / 1000.0)
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
    }
}
