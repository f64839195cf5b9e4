//! A story as lines: events, promises, a moment in full.

use crate::console::{Console, Fail, count};
use serde::Serialize;
use throng_mind::events::What;
use throng_mind::time::Tick;
use throng_world::story::Story;
use throng_world::story::promise::Verdict;
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

/// What happened in the last tick, a line each; sensors at work are left out.
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
    let told = play.happenings().iter().filter(|it| !matches!(it.what, What::Heavy(_)));
    let told = told.map(|it| line(&story.actors[it.actor].name, &play.cast().tell(it).to_string()));
    scripted.chain(told).collect()
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
        passed: play.is_kept(),
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

/// Text of a stranger, without what a terminal would obey.
pub(crate) fn visible(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
