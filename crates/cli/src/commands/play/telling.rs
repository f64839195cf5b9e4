//! A story as lines: events, promises, a moment in full.

use crate::console::{Console, Fail, count};
use crate::edge::{cells, padded};
use throng_mind::Mind;
use throng_mind::fact::{Attribute, EntityId, Value};
use throng_mind::inspect::Inspection;
use throng_mind::time::Tick;
use throng_trace::stats::minds_and_squads;
use throng_world::story::Story;
use throng_world::story::log::{Log, LogLine};
use throng_world::story::promise::Verdict;
use throng_world::story::run::Play;

/// Columns for the name of a squad, in stories with squads.
const SQUAD_NAME: usize = 10;

/// Tells a play tick by tick.
#[derive(Default)]
pub(crate) struct Teller {
    log: Log,
    /// Whether to tell what is left out otherwise.
    all: bool,
}

impl Teller {
    /// Of a play before its first tick.
    pub(crate) fn new(all: bool) -> Teller {
        Teller { all, ..Teller::default() }
    }

    /// `12.3 s  soldier  starts goto(cover1)`, of one actor or squad or of all.
    pub(crate) fn tick(
        &mut self,
        play: &Play,
        only: Option<&str>,
        console: &mut Console<'_>,
    ) -> Result<(), Fail> {
        self.recent(play, true, only).iter().try_for_each(|line| writeln!(console, "{line}"))
    }

    /// What happened in the last tick, a line each. Why somebody plans, or cannot, is left out
    /// where it is told elsewhere. Of one actor or squad there is no script; `None`: all.
    pub(crate) fn recent(&mut self, play: &Play, reasons: bool, only: Option<&str>) -> Vec<String> {
        let story = play.story();
        let names = story.actors.iter().map(|actor| cells(&actor.name));
        let squads = story.squads.iter().map(|_| SQUAD_NAME);
        let width = names.chain(squads).max().unwrap_or(0).clamp(5, 20);
        let seconds = story.pace.seconds(play.now());
        let lines = self.log.tick(play);
        let asked = lines.iter().filter(|line| {
            (self.all || !line.is_minor)
                && line.who.map_or(only.is_none(), |who| is_asked(play, who, only))
        });
        let line = |line: &LogLine| {
            let who = line.who.map_or("-", |who| play.cast().voice_name(who));
            format!("{seconds:6.1} s  {}  {}", padded(who, width), line.text(reasons))
        };
        asked.map(line).collect()
    }
}

/// Whether an actor or squad is the one that is asked for; `None`: all are. Squads form while a
/// story is played, so it is by name that they can be asked for from its beginning.
pub(crate) fn is_asked(play: &Play, voice: usize, only: Option<&str>) -> bool {
    only.is_none_or(|only| play.cast().voice_name(voice) == only)
}

/// `3 minds, 1 squad`: all that the story has, and all squads that formed.
pub(crate) fn minds_of(play: &Play) -> String {
    let minds = play.story().actors.iter().filter(|actor| actor.is_minded()).count();
    minds_and_squads(minds, play.cast().squads_so_far())
}

/// The promises with ✓ or ✗, or only those with ✗, and a summary.
pub(crate) fn text_end(
    play: &Play,
    only_broken: bool,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let story = play.story();
    let is_kept = |verdict: &Verdict| matches!(verdict, Verdict::Kept(_));
    let shown = play.judge().verdicts().filter(|(_, verdict)| !only_broken || !is_kept(verdict));
    for (promise, verdict) in shown {
        writeln!(console, "{}", promise_line(story, &promise.text, verdict))?;
    }
    for entry in play.not_yet() {
        writeln!(console, "· never happened: {}", entry.text)?;
    }
    let kept = play.judge().verdicts().filter(|(_, verdict)| is_kept(verdict)).count();
    let all = story.promises.len();
    let outcome = match (all, kept == all) {
        (0, _) => "it promises nothing".to_string(),
        (_, true) => format!("{} kept", count(all, "promise")),
        (_, false) => format!("{} of {} broken", all - kept, count(all, "promise")),
    };
    let (minds, ticks) = (minds_of(play), count(play.now() as usize, "tick"));
    let (name, totals) = (&story.name, play.minds().totals());
    let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let asked = count(number(totals.asked), "question");
    let searches = match totals.calls {
        1 => "1 search".to_string(),
        calls => format!("{calls} searches"),
    };
    let (asked, digest) = (format!("{asked} to the planner, {searches}"), play.digest());
    let text = format!("{name}: {outcome} · {ticks} · {minds} · {asked} · digest {digest:016x}");
    writeln!(console, "{text}")
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

/// One moment in full: the map, what happened in the tick, and one mind; `None`: all minds.
pub(crate) fn moment(
    play: &Play,
    only: Option<&str>,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let (story, now, lasts) = (play.story(), play.now(), play.story().lasts);
    let (seconds, all) = (story.pace.seconds(now), story.pace.seconds(lasts));
    let head = format!("{}: {}", story.name, story.sentence);
    folded(&head, 80).iter().try_for_each(|line| writeln!(console, "{line}"))?;
    writeln!(console, "tick {now} of {lasts}, {seconds:.1} s of {all:.1} s")?;
    writeln!(console)?;
    let signs = play.cast().signs();
    let drawn = play.world().draw_as(&signs).into_iter().chain(play.world().legend_as(&signs));
    drawn.into_iter().try_for_each(|row| writeln!(console, "{row}"))?;
    writeln!(console)?;
    // The reasons stand with the minds.
    let recent = Teller::default().recent(play, false, only);
    recent.into_iter().try_for_each(|line| writeln!(console, "{line}"))?;
    let asked = |voice: &usize| is_asked(play, *voice, only);
    for squad in play.cast().squad_voices().filter(asked) {
        let (name, of) = (play.cast().voice_name(squad), play.cast().members_of(squad).join(", "));
        writeln!(console)?;
        console.print(&format!("{name} ({of}): {}", inspected(play, squad)))?;
    }
    let minded = story.actors.iter().enumerate().filter(|(_, entry)| entry.is_minded());
    for (actor, entry) in minded.filter(|(actor, _)| asked(actor)) {
        writeln!(console)?;
        match play.cast().mind(actor) {
            Some(_) => console.print(&format!("{}: {}", entry.name, inspected(play, actor)))?,
            None => writeln!(console, "{}: no mind now (dead, or not there)", entry.name)?,
        }
    }
    Ok(())
}

/// A mind as text, with the names of people and things that it knows only by number.
fn inspected(play: &Play, actor: usize) -> String {
    let Some(mind) = play.cast().mind(actor) else { return String::new() };
    let Some(mut seen) = play.minds().inspect(mind.id()) else { return String::new() };
    name_picks(play, actor, &mut seen);
    let show = play.show_slots();
    name_actions(&mut seen, &|text| play.cast().with_names(actor, text, show));
    name_facts(&mut seen, mind, &|handle| play.cast().name_in_full(handle).map(str::to_string));
    seen.to_string()
}

/// Shows actions of an inspection with what their slots hold.
pub(crate) fn name_actions(seen: &mut Inspection, shown: &dyn Fn(&str) -> String) {
    seen.doing = shown(&seen.doing);
    seen.plan.iter_mut().for_each(|step| step.action = shown(&step.action));
    let others = seen.runner_up.iter_mut().flat_map(|(steps, _)| steps);
    others.for_each(|step| *step = shown(step));
}

/// Calls people and things in the facts of an inspection by their names, as far as they have any.
pub(crate) fn name_facts(
    seen: &mut Inspection,
    mind: &Mind,
    name: &dyn Fn(EntityId) -> Option<String>,
) {
    for (view, fact) in seen.facts.iter_mut().zip(mind.memory().iter()) {
        let all = Attribute::ALL.into_iter();
        for it in &mut view.attributes {
            let attribute = all.clone().find(|attribute| attribute.name() == it.name);
            if let Some((Value::Entity(handle), _)) = attribute.and_then(|known| fact.get(known))
                && let Some(name) = name(handle)
            {
                it.value = name;
            }
        }
    }
}

/// Calls what slots hold, and what a mind has for itself, as the story does.
pub(crate) fn name_picks(play: &Play, voice: usize, seen: &mut Inspection) {
    let cast = play.cast();
    seen.picks.iter_mut().for_each(|it| it.holds = cast.key_and_place(voice, it.key));
    let id = cast.mind(voice).map(|mind| mind.id());
    let own = play.minds().claims().iter().filter(|claim| Some(claim.mind) == id);
    seen.claims = own.filter_map(|claim| cast.key_and_place(voice, claim.key)).collect();
}

/// A text in lines of this width, parted between words.
fn folded(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if cells(line) + 1 + cells(word) <= width => {
                line.push_str(&format!(" {word}"));
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}
