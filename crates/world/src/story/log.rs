//! The log of a play: what a designer wants to read of each tick, and what is left out.
//!
//! In:   a play after each tick.
//! Out:  lines in the order in which causes have effects: the script, the world, deaths, squads,
//!       minds. That somebody has nothing to do is one line, when it has lasted and something
//!       happens meanwhile.
//! Cost: allocates; for those who watch. A missing plan is explained by planning again.
//!
//! | left out unless all is asked for | because |
//! |---|---|
//! | `wants nothing`, `rests`, `starts wait`, its ends | `idles` says it once |
//! | the same lack of a plan again | it was told |
//! | a shot that hits, who hears shots and blasts | the hit, the shot and the blast are told |
//! | which of the best few a slot holds | what is done with it is told |
//! | what is picked for the people of another file | nothing is done with it |
//! | who is told something by another | who tells it says to whom |
//! | the same told by the same again, or to nobody | it was told; nobody knows more |
//! | what the dead give up | they are dead |
//! | that what was done beside the step has ended | it goes with the step |

use super::cast::Cast;
use super::incident::Incident;
use super::promise::Happening;
use super::run::Play;
use super::squads::SquadWhat;
use super::tell::in_order;
use std::collections::{BTreeMap, BTreeSet};
use throng_mind::Ending;
use throng_mind::effects::Circle;
use throng_mind::events::{Activity, EventKind};
use throng_mind::inspect::{EventText, IdleReason};
use throng_mind::select::Key;
use throng_mind::squad::TaskEnd;
use throng_mind::time::Tick;
use throng_mind::words::Word;

/// So many seconds somebody has nothing to do before it is told.
const IDLE: f64 = 0.5;

/// For so many seconds what somebody tells others is not told again.
const AGAIN: f64 = 10.0;

/// A line of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LogLine {
    /// Whose it is, as a voice; `None`: the script's, or nobody's.
    pub who: Option<usize>,
    /// What happened.
    pub told: EventText,
    /// The world's own word for a failure.
    pub code: Option<String>,
    /// Whether it is told only when all is asked for.
    pub is_minor: bool,
    /// Whether it tells that somebody has nothing to do.
    pub is_idle: bool,
    /// The whole line, where it is more than what happened says.
    said: Option<String>,
}

impl LogLine {
    fn new(who: Option<usize>, told: EventText) -> LogLine {
        LogLine { who, told, code: None, is_minor: false, is_idle: false, said: None }
    }

    /// Whether it is of the script or of the world, and not of a mind.
    fn is_of_world(&self) -> bool {
        const WORLD: [&str; 9] =
            ["script", "shot", "hit", "dies", "thrown", "blast", "says", "heard", "told"];
        WORLD.contains(&self.told.id)
    }

    /// The line for people; why somebody plans, or cannot, with it or without.
    pub fn text(&self, reasons: bool) -> String {
        let is_reason = matches!(self.told.id, "plan" | "no_plan");
        match &self.said {
            Some(said) => said.clone(),
            None => {
                let mut told = self.told.clone();
                told.why = told.why.filter(|_| reasons || !is_reason);
                told.to_string()
            }
        }
    }
}

/// Since when a mind has nothing to do, and whether that was told.
#[derive(Default)]
struct Rest {
    since: Option<Tick>,
    is_told: bool,
    /// What it does meanwhile, and why it has nothing to do.
    why: (String, String),
    /// Whether it has ever begun something: who has not yet is not missed.
    has_begun: bool,
    /// Why there was no plan, as told last.
    no_plan: Option<String>,
    /// What it has told others, and when last.
    told: BTreeMap<String, Tick>,
}

/// What was told so far, as far as it matters for what is told next.
#[derive(Default)]
pub struct Log {
    rests: BTreeMap<usize, Rest>,
    /// By voice and number of the run: what is under way, as it was called when it began. What its
    /// slot held then it is about, whatever that holds when it ends.
    begun: BTreeMap<(usize, u32), String>,
}

impl Log {
    /// Lines of the last tick, those that are left out too. To be asked after every tick.
    pub fn tick(&mut self, play: &Play) -> Vec<LogLine> {
        let mut lines = self.lines(play);
        let idle = self.idle_lines(play, &lines);
        let (now, pace) = (play.now(), play.story().pace);
        for line in &mut lines {
            let Some(rest) = line.who.map(|who| self.rests.entry(who).or_default()) else {
                continue;
            };
            match line.told.id {
                "no_plan" if !line.is_minor => {
                    line.is_minor = rest.no_plan == line.told.why;
                    rest.no_plan.clone_from(&line.told.why);
                }
                "plan" => rest.no_plan = None,
                "tells" if !line.is_minor => {
                    let since = rest.told.insert(line.told.name.clone(), now);
                    line.is_minor = since.is_some_and(|since| pace.seconds(now - since) < AGAIN);
                }
                "start" => rest.has_begun |= !line.is_minor,
                _ => {}
            }
        }
        // Before what has ended it, behind what has happened.
        let at = lines.iter().position(|line| !line.is_of_world()).unwrap_or(lines.len());
        lines.splice(at..at, idle);
        lines
    }

    /// All lines of the last tick but those about idling.
    fn lines(&mut self, play: &Play) -> Vec<LogLine> {
        let mut lines = lines_of_world(play);
        for happening in &in_order(play.happenings()) {
            let mut line = mind_line(play, happening);
            match happening.what {
                // It is told in words of its own, and has the same name all the while.
                EventKind::Started { doing: Activity::Beside(_), .. }
                | EventKind::Ended { doing: Activity::Beside(_), .. } => {}
                EventKind::Started { run, .. } => {
                    self.begun.insert((happening.actor, run), line.told.name.clone());
                }
                EventKind::Ended { run, .. } => {
                    let name = self.begun.remove(&(happening.actor, run));
                    line.told.name = name.unwrap_or(line.told.name);
                }
                _ => {}
            }
            lines.push(line);
        }
        lines
    }

    /// A line for each who has had nothing to do for a while, when something happens meanwhile.
    fn idle_lines(&mut self, play: &Play, lines: &[LogLine]) -> Vec<LogLine> {
        let (cast, now, pace) = (play.cast(), play.now(), play.story().pace);
        let matters = |line: &&LogLine| !line.is_minor && line.is_of_world();
        let happens = lines.iter().any(|line| matters(&line));
        let goes_on =
            |voice: usize| lines.iter().any(|line| !line.is_minor && line.who == Some(voice));
        let is_shot_at = |voice: usize| {
            cast.incidents().iter().any(|it| match *it {
                Incident::Shot { at, .. } => at == Some(voice),
                Incident::Hurt { whom, .. } => whom == voice,
                _ => false,
            })
        };
        let mut told = Vec::new();
        let actors = 0..play.story().actors.len();
        for voice in actors.chain(cast.squad_voices()) {
            let rest = self.rests.entry(voice).or_default();
            let idles = cast.idles(voice);
            let lasted = rest.since.map_or(0.0, |since| pace.seconds(now - since));
            let is_due = rest.has_begun && (happens || goes_on(voice)) || is_shot_at(voice);
            if rest.since.is_some() && !rest.is_told && lasted >= IDLE && is_due {
                rest.is_told = true;
                let (doing, why) = rest.why.clone();
                let why = Some(format!("{why} (for {lasted:.1} s)"));
                let line = LogLine::new(Some(voice), EventText::new("idle", "idles", doing, why));
                told.push(LogLine { is_idle: true, ..line });
            }
            match idles {
                Some(why) => {
                    rest.since.get_or_insert(now);
                    rest.why = why;
                }
                None => (rest.since, rest.is_told) = (None, false),
            }
        }
        told
    }
}

impl Cast {
    /// That a mind has nothing to do, what it does meanwhile, and why; `None` if it has, or if it
    /// has no plan for something, which is told otherwise.
    fn idles(&self, voice: usize) -> Option<(String, String)> {
        let (mind, spec) = (self.mind(voice)?, self.minds().spec());
        let meanwhile = match mind.follow().run().map(|run| run.doing) {
            None => String::new(),
            Some(Activity::Otherwise(action)) => {
                let waits = spec.action(action).does == self.world().words.wait;
                let name = spec.domain.map().action(action);
                if waits { String::new() } else { format!("with {name}") }
            }
            Some(_) => return None,
        };
        // What it has no plan for is told otherwise.
        let rests = mind.idles(spec, self.minds().now()).filter(|why| {
            matches!(
                why,
                IdleReason::NoGoals
                    | IdleReason::AllHolds
                    | IdleReason::AllHoldsOrDoesNotMatter
                    | IdleReason::NothingMatters
                    | IdleReason::NoTask
            )
        });
        let why = rests?.words(spec);
        Some((meanwhile, why))
    }
}

/// What the script, the world and squads did in the last tick.
fn lines_of_world(play: &Play) -> Vec<LogLine> {
    let (story, cast) = (play.story(), play.cast());
    let mut lines = Vec::new();
    for scripted in play.scripted() {
        let why = (!scripted.worked).then(|| "without effect".to_string());
        let text = story.script[scripted.entry].text.clone();
        let said = format!("{text}{}", if scripted.worked { "" } else { " (without effect)" });
        let line = LogLine::new(None, EventText::new("script", "", text, why));
        lines.push(LogLine { said: Some(said), ..line });
    }
    for incident in cast.incidents() {
        let (who, told) = cast.tell_incident(incident);
        lines.push(LogLine { is_minor: is_minor(cast, incident), ..LogLine::new(who, told) });
    }
    for &actor in play.deaths().iter().filter(|&&it| cast.cause_of_death(it).is_none()) {
        let told = EventText::new("dies", "dies", String::new(), None);
        lines.push(LogLine::new(Some(actor), told));
    }
    for told in cast.squad_news() {
        let text = EventText::new(told.id(), "", told.name.clone(), told.why.clone());
        let said = Some(told.to_string());
        lines.push(LogLine { said, ..LogLine::new(Some(told.who), text) });
    }
    lines
}

/// Whether another incident of the tick says it better.
fn is_minor(cast: &Cast, incident: &Incident) -> bool {
    let words = &cast.world().words;
    match *incident {
        Incident::Shot { by, at } => cast.incidents().iter().any(|other| match *other {
            Incident::Hurt { whom, harm, by: who, .. } => {
                harm == words.shot && who == by && Some(whom) == at
            }
            _ => false,
        }),
        Incident::Heard { what, .. } => {
            what == words.shot || what == words.blast || what == words.steps
        }
        // The script has told it.
        Incident::Thrown { by, .. } => by.is_none_or(|by| !cast.story().actors[by].is_minded()),
        _ => false,
    }
}

fn mind_line(play: &Play, happening: &Happening) -> LogLine {
    let (cast, spec, who) = (play.cast(), play.minds().spec(), happening.actor);
    let told = cast.tell(happening);
    let mut line = LogLine::new(Some(who), told);
    let is_idle = |doing: Activity| matches!(doing, Activity::Otherwise(_));
    line.is_minor = play.deaths().contains(&who);
    match happening.what {
        EventKind::Heavy(_) | EventKind::Goal(None) => line.is_minor = true,
        EventKind::NoPlan(_) => {
            line.is_idle = matches!(line.told.event, "rests" | "has nothing to do");
            line.is_minor |= line.is_idle;
        }
        // The best few change places often; what is done with them is told.
        EventKind::Picked { slot, .. } => {
            // So are selections of the files of others: nobody here does anything with them.
            let slot = spec.slots.get(usize::from(slot)).and_then(|slot| cast.own_slot(who, slot));
            line.is_minor |= slot.is_none_or(|slot| slot.contains('.'));
        }
        EventKind::Tells { kind, about, to } => {
            let heard = hearers(play, who, kind, about);
            line.is_minor |= heard.is_empty() && to != Some(Circle::All);
            match heard.is_empty() {
                true => line.told.why = nobody(to),
                false => {
                    let what = cast.told_of(who, kind, about);
                    line.told.name = format!("{what} to {}", heard.join(", "));
                }
            }
        }
        EventKind::Told { .. } => line.is_minor = true,
        // What is said is heard, and told as that.
        EventKind::Started { doing: Activity::Beside(at), .. } => {
            let does = spec.besides.get(usize::from(at)).map(|beside| beside.does);
            line.is_minor |= does.is_some_and(|does| spec.words.text(does) == "say");
        }
        EventKind::Started { doing, .. } => line.is_minor |= is_idle(doing),
        // That it was begun is told; it ends with what it goes with.
        EventKind::Ended { doing: Activity::Beside(_), how, .. } => {
            line.is_minor = true;
            if let Ending::Failed(word) = how {
                let word = spec.words.text(word);
                line.code = Some(word.to_string()).filter(|word| !word.is_empty());
            }
        }
        EventKind::Ended { doing, how, .. } => {
            if let Ending::Failed(word) = how {
                let word = spec.words.text(word);
                line.code = Some(word.to_string()).filter(|word| !word.is_empty());
            } else {
                line.is_minor |= is_idle(doing);
            }
            if how == Ending::Done && was_taken_back(cast, who) {
                line.told.event = "lets go of";
            }
        }
        _ => {}
    }
    let EventText { name, why, .. } = &mut line.told;
    *name = cast.in_own_names(who, name).unwrap_or(std::mem::take(name));
    if let Some(why) = why {
        *why = cast.in_own_names(who, why).unwrap_or(std::mem::take(why));
    }
    line
}

/// Who was told something by somebody in the last tick, by name.
fn hearers(play: &Play, who: usize, kind: Word, about: Key) -> Vec<&str> {
    let cast = play.cast();
    let Some(teller) = cast.mind(who).map(|mind| mind.id()) else { return Vec::new() };
    let what = EventKind::Told { kind, about, by: teller };
    let told = play.happenings().iter().filter(|it| it.what == what);
    // Who is told two things of a kind hears one kind.
    let hearers: BTreeSet<usize> = told.map(|it| it.actor).collect();
    hearers.into_iter().map(|actor| cast.voice_name(actor)).collect()
}

/// That nobody hears what somebody tells; what everybody may know nobody has to hear.
fn nobody(to: Option<Circle>) -> Option<String> {
    (to != Some(Circle::All)).then(|| "there is nobody who hears it".to_string())
}

/// Whether the squad has taken back what a member was at.
fn was_taken_back(cast: &Cast, who: usize) -> bool {
    let back = SquadWhat::Ended(TaskEnd::Cancelled);
    cast.squad_news().iter().any(|told| told.who == who && told.what == back)
}
