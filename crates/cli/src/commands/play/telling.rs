//! A story as lines: events, promises, a moment in full.

use crate::console::{Console, Fail, count};
use serde::Serialize;
use serde_json::json;
use throng_mind::Ending;
use throng_mind::events::{Doing, What};
use throng_mind::inspect::{AttributeView, FactView, GoalView, Inspection, StepView};
use throng_mind::time::Tick;
use throng_world::story::Story;
use throng_world::story::promise::{Happening, Verdict};
use throng_world::story::run::Play;

/// Plays to the end, or until Ctrl-C, and tells each tick.
pub(crate) fn each_tick(
    play: &mut Play,
    tell: fn(&Play, &mut Console<'_>) -> Result<(), Fail>,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    while !console.interrupted() && play.tick() {
        tell(play, console)?;
    }
    Ok(())
}

/// Tells nothing.
pub(crate) fn silent_tick(_: &Play, _: &mut Console<'_>) -> Result<(), Fail> {
    Ok(())
}

/// `12.3 s  soldier  starts goto(cover1)`.
pub(crate) fn text_tick(play: &Play, console: &mut Console<'_>) -> Result<(), Fail> {
    recent(play).into_iter().try_for_each(|line| console.line(&line))
}

/// What happened in the last tick, a line each; sensors at work are left out, and that somebody
/// without a plan does once more what he has just done.
pub(crate) fn recent(play: &Play) -> Vec<String> {
    let story = play.story();
    let names = story.actors.iter().map(|actor| actor.name.chars().count());
    let width = names.max().unwrap_or(0).clamp(5, 20);
    let seconds = story.pace.seconds(play.now());
    let line = |who: &str, text: &str| visible(&format!("{seconds:6.1} s  {who:<width$}  {text}"));
    let scripted = play.scripted().iter().map(|scripted| {
        let text = &story.script[scripted.entry].text;
        let what = if scripted.worked { "" } else { " (without effect)" };
        line("-", &format!("{text}{what}"))
    });
    let told = play.happenings().iter().filter(|it| is_news(it, play.happenings()));
    let told = told.map(|it| line(&story.actors[it.actor].name, &play.cast().tell(it).to_string()));
    scripted.chain(told).collect()
}

/// Whether somebody who watches wants to read it.
fn is_news(it: &Happening, all: &[Happening]) -> bool {
    let ends = |other: &Happening| match other.what {
        What::Ended { doing: Doing::Otherwise(action), how: Ending::Done, .. } => Some(action),
        _ => None,
    };
    match it.what {
        What::Heavy(_) => false,
        What::Ended { doing: Doing::Otherwise(_), how: Ending::Done, .. } => false,
        What::Started { doing: Doing::Otherwise(action), .. } => {
            let again = |other: &Happening| other.actor == it.actor && ends(other) == Some(action);
            !all.iter().any(again)
        }
        _ => true,
    }
}

#[derive(Serialize)]
struct EventShape<'a> {
    tick: Tick,
    seconds: f64,
    /// `null` for the script.
    actor: Option<&'a str>,
    event: &'a str,
    name: &'a str,
    why: Option<&'a str>,
}

/// A JSON line per event.
pub(crate) fn json_tick(play: &Play, console: &mut Console<'_>) -> Result<(), Fail> {
    let story = play.story();
    let (tick, seconds) = (play.now(), story.pace.seconds(play.now()));
    for scripted in play.scripted() {
        let name = &story.script[scripted.entry].text;
        let why = (!scripted.worked).then_some("without effect");
        console.json(&EventShape { tick, seconds, actor: None, event: "script", name, why })?;
    }
    for happening in play.happenings() {
        let told = play.cast().tell(happening);
        let actor = Some(story.actors[happening.actor].name.as_str());
        let (event, name, why) = (told.event, &told.name, told.why.as_deref());
        console.json(&EventShape { tick, seconds, actor, event, name, why })?;
    }
    Ok(())
}

#[derive(Serialize)]
struct PromiseShape<'a> {
    text: &'a str,
    kept: bool,
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

/// The last JSON line.
pub(crate) fn json_end(play: &Play, console: &mut Console<'_>) -> Result<(), Fail> {
    let promises = play.judge().verdicts().map(|(promise, verdict)| {
        let (kept, at, why) = match verdict {
            Verdict::Kept(at) => (true, Some(*at), None),
            Verdict::Broken(at, why) => (false, Some(*at), Some(why.as_str())),
            Verdict::Open => (false, None, None),
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

/// The promises with ✓ or ✗, and a summary.
pub(crate) fn text_end(play: &Play, console: &mut Console<'_>) -> Result<(), Fail> {
    let story = play.story();
    for (promise, verdict) in play.judge().verdicts() {
        console.line(&visible(&promise_line(story, &promise.text, verdict)))?;
    }
    let kept = play.judge().verdicts().filter(|(_, v)| matches!(v, Verdict::Kept(_))).count();
    let all = story.promises.len();
    let outcome = match (all, kept == all) {
        (0, _) => "it promises nothing".to_string(),
        (_, true) => format!("{} kept", count(all, "promise")),
        (_, false) => format!("{} of {} broken", all - kept, count(all, "promise")),
    };
    let minds = story.actors.iter().filter(|actor| actor.is_minded()).count();
    let (minds, ticks) = (count(minds, "mind"), count(play.now() as usize, "tick"));
    let (name, totals) = (&story.name, play.minds().totals());
    let calls = count(usize::try_from(totals.calls).unwrap_or(usize::MAX), "planner call");
    let digest = play.digest();
    let text = format!("{name}: {outcome} · {ticks} · {minds} · {calls} · digest {digest:016x}");
    console.line(&visible(&text))
}

/// `✓ soldier at cover by 5  (3.2 s)`.
pub(crate) fn promise_line(story: &Story, text: &str, verdict: &Verdict) -> String {
    let seconds = |tick: Tick| story.pace.seconds(tick);
    match verdict {
        Verdict::Kept(at) => format!("✓ {text}  ({:.1} s)", seconds(*at)),
        Verdict::Broken(at, why) => format!("✗ {text}  ({:.1} s: {why})", seconds(*at)),
        Verdict::Open => format!("· {text}"),
    }
}

/// One moment in full: the map, what happened in the tick, every mind.
pub(crate) fn moment(play: &Play, console: &mut Console<'_>) -> Result<(), Fail> {
    let (story, now) = (play.story(), play.now());
    let seconds = story.pace.seconds(now);
    let head = format!("{}: {}", story.name, story.sentence);
    console.line(&visible(&head))?;
    console.line(&format!("tick {now} of {}, {seconds:.1} s", story.lasts))?;
    console.line("")?;
    let drawn = play.world().draw().into_iter().chain(play.world().legend());
    drawn.into_iter().try_for_each(|row| console.line(&visible(&row)))?;
    console.line("")?;
    text_tick(play, console)?;
    for (actor, entry) in story.actors.iter().enumerate().filter(|(_, entry)| entry.is_minded()) {
        console.line("")?;
        match play.cast().mind(actor) {
            Some(mind) => {
                let inspection = mind.inspect(play.minds().spec(), now);
                console.print(&format!("{}: {inspection}", entry.name))?;
            }
            None => console.line(&format!("{}: no mind now (dead, or not there)", entry.name))?,
        }
    }
    Ok(())
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
    mind: Option<serde_json::Value>,
}

/// The same as a JSON line, and the last line as of a whole play: so far nothing is broken, or
/// something is.
pub(crate) fn json_moment(play: &Play, console: &mut Console<'_>) -> Result<(), Fail> {
    let (story, tick) = (play.story(), play.now());
    let minded = story.actors.iter().enumerate().filter(|(_, entry)| entry.is_minded());
    let minds = minded.map(|(actor, entry)| MindShape {
        actor: &entry.name,
        mind: play.cast().mind(actor).map(|mind| data(&mind.inspect(play.minds().spec(), tick))),
    });
    let (minds, map) = (minds.collect(), play.world().draw());
    let seconds = story.pace.seconds(tick);
    console.json(&MomentShape { story: &story.name, tick, seconds, map, minds })?;
    json_end(play, console)
}

/// An inspection as data. The library knows no JSON, so its shape is made here.
fn data(it: &Inspection) -> serde_json::Value {
    let goal = |goal: &GoalView| {
        json!({"goal": goal.name, "score": goal.score, "relevance": goal.relevance,
            "standing": format!("{:?}", goal.standing).to_lowercase(), "why_not": goal.why_not})
    };
    let attribute = |it: &AttributeView| {
        (it.name.to_string(), json!({"value": it.value, "confidence": it.confidence}))
    };
    let fact = |fact: &FactView| {
        let attributes: serde_json::Map<_, _> = fact.attributes.iter().map(attribute).collect();
        json!({"kind": fact.kind, "by": fact.writer, "age": fact.age,
            "expires_in": fact.expires_in, "attributes": attributes})
    };
    let step = |step: &StepView| json!({"action": step.action, "status": step.status});
    let list = |values: Vec<serde_json::Value>| serde_json::Value::Array(values);
    let runner_up = it.runner_up.as_ref();
    json!({
        "npc": it.npc, "here": it.here, "doing": it.doing, "why": it.why, "goal": it.goal,
        "plan": list(it.plan.iter().map(step).collect()), "cost": it.cost,
        "runner_up": runner_up.map(|(plan, cost)| json!({"plan": plan, "cost": cost})),
        "goals": list(it.goals.iter().map(goal).collect()),
        "facts": list(it.facts.iter().map(fact).collect()),
        "memory_bound": it.memory_bound,
        "state": it.state.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
        "false_checks": it.false_checks,
        "absent": list(it.absent.iter().map(|a| json!({"action": a.action, "why": a.why})).collect()),
        "sensors": list(it.sensors.iter().map(|(s, ago)| json!({"sensor": s, "ago": ago})).collect()),
        "planned": it.planned.0, "recalled": it.planned.1,
    })
}

/// Text of a stranger, without what a terminal would obey.
pub(crate) fn visible(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
