//! What happened in a play, as promises that another play can keep or break.
//!
//! In:   a play, tick by tick.
//! Out:  lines of the language: `promise soldier does goto(cover1), attack by 4.2`.
//! Cost: a look at each happening; memory for what is new.
//!
//! Everything has the moment at which it had come true, so a story that comes to the same by other
//! ways, or later, breaks them.

use super::promise::View;
use super::run::Play;
use super::squads::SquadWhat;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use throng_domain::model::ActionId;
use throng_mind::Ending;
use throng_mind::events::{Activity, EventKind};
use throng_mind::squad::TaskEnd;
use throng_mind::time::{Pace, Tick};

/// Promises of one kind about one actor.
const MOST_EACH: usize = 24;
/// Steps of one `does`.
const LONGEST: usize = 60;
/// Promises of one story. Each is looked at in every tick.
const MOST: usize = 3_000;

/// What one actor did.
#[derive(Default)]
struct Deeds {
    /// What it wanted, planned, failed at, learnt, and as which kind it did things, each with
    /// the first time.
    firsts: Vec<(String, Tick)>,
    /// By the first word of a promise: how many there are.
    counts: BTreeMap<&'static str, usize>,
    done: Vec<(String, Tick)>,
    planned: BTreeSet<ActionId>,
    died: Option<Tick>,
}

impl Deeds {
    fn first(&mut self, kind: &'static str, text: String, now: Tick) {
        let text = format!("{kind} {text}");
        let count = self.counts.entry(kind).or_default();
        if *count < MOST_EACH && self.firsts.iter().all(|(known, _)| *known != text) {
            *count += 1;
            self.firsts.push((text, now));
        }
    }

    /// What it did, as promises about an actor of this name.
    fn promises(&self, name: &str, pace: Pace) -> Vec<String> {
        let first = |(text, tick): &(String, Tick)| {
            format!("promise {name} {text} by {}", seconds(pace, *tick))
        };
        let does = chain(&self.done)
            .map(|(steps, tick)| format!("promise {name} does {steps} by {}", seconds(pace, tick)));
        self.firsts.iter().map(first).chain(does).collect()
    }

    /// What an NPC of this type could have planned and never did. Variants of an action have one name.
    fn never(&self, name: &str, npc: usize, play: &Play) -> Vec<String> {
        let domain = &play.minds().spec().domain;
        let can = domain.npcs().get(npc).map_or(&[][..], |npc| npc.actions());
        let called = |action: &ActionId| domain.map().action(*action);
        let planned: Vec<&str> = self.planned.iter().map(called).collect();
        let mut never: Vec<&str> = can.iter().map(called).collect();
        never.retain(|action| !planned.contains(action));
        never.dedup();
        never
            .into_iter()
            .take(MOST_EACH)
            .map(|it| format!("promise {name} never plans {it}"))
            .collect()
    }
}

/// Watches a play, and promises what it saw.
pub struct Witness {
    /// By actor of the story; behind them, by squad type of the story.
    voices: Vec<Deeds>,
}

impl Witness {
    /// Of a play before its first tick.
    pub fn new(play: &Play) -> Witness {
        let n = play.story().actors.len() + play.story().squads.len();
        Witness { voices: (0..n).map(|_| Deeds::default()).collect() }
    }

    /// Takes in what happened in the last tick.
    pub fn see(&mut self, play: &Play) {
        let (now, cast, spec) = (play.now(), play.cast(), play.minds().spec());
        let map = spec.domain.map();
        for happening in play.happenings() {
            // A promise about a squad is about all squads of its type.
            let whom = cast.whom(happening.actor);
            let is_squad = whom >= play.story().actors.len();
            let Some(deeds) = self.voices.get_mut(whom) else { continue };
            match happening.what {
                EventKind::Goal(Some(goal)) => {
                    deeds.first("wants", map.goal(goal).to_string(), now)
                }
                EventKind::Planned { .. } => {
                    let mind = cast.mind(happening.actor);
                    let plan = mind.map_or(&[][..], |mind| mind.plan().steps());
                    deeds.planned.extend(plan);
                    if !plan.is_empty() {
                        let names: Vec<&str> = plan.iter().map(|&at| map.action(at)).collect();
                        deeds.first("plans", names.join(", "), now);
                    }
                }
                EventKind::Started { doing: Activity::Step(action), kind: Some(kind), .. } => {
                    let (name, kind) = (map.action(action), spec.words.text(kind));
                    deeds.first("starts", format!("{name} as {kind}"), now);
                }
                EventKind::Ended { doing: Activity::Step(action), how: Ending::Done, .. } => {
                    deeds.done.push((map.action(action).to_string(), now));
                }
                EventKind::Ended {
                    doing: Activity::Step(action), how: Ending::Failed(_), ..
                } => {
                    deeds.first("fails", map.action(action).to_string(), now);
                }
                // For squads the language has no such word.
                EventKind::Learnt(action) if !is_squad => {
                    deeds.first("learns", map.action(action).to_string(), now);
                }
                _ => {}
            }
        }
        self.see_tasks(play);
        for (actor, deeds) in self.voices.iter_mut().enumerate().take(play.story().actors.len()) {
            if deeds.died.is_none() && !cast.is_alive(actor) {
                deeds.died = Some(now);
            }
        }
    }

    /// Takes in which tasks were given, and how they ended where the language has a word for it.
    fn see_tasks(&mut self, play: &Play) {
        for told in play.cast().squad_news() {
            let verb = match told.what {
                SquadWhat::Given => "gets",
                SquadWhat::Ended(TaskEnd::Done) => "fulfils",
                SquadWhat::Ended(TaskEnd::Refused) => "refuses",
                SquadWhat::Leads => "leads",
                SquadWhat::Ended(_) | SquadWhat::Members | SquadWhat::Leaderless => continue,
            };
            // Of a squad the second of a type is called like the first, behind a dot.
            let task = told.name.split([' ', '.']).next().unwrap_or_default().to_string();
            if let Some(deeds) = self.voices.get_mut(told.who) {
                deeds.first(verb, task, play.now());
            }
        }
    }

    /// All promises, a line each; those of the end only if the story `ends` now.
    #[must_use]
    pub fn promises(&self, play: &Play, ends: bool) -> Vec<String> {
        let pace = play.story().pace;
        let mut lines = Vec::new();
        // Squads come first: they are few, and members do what they do because of them.
        for (kind, &npc) in play.story().squads.iter().enumerate() {
            let map = play.minds().spec().domain.map();
            let name = play.minds().spec().domain.npcs().get(npc).map(|npc| map.npc(npc.id()));
            let name = format!("squad {}", name.unwrap_or_default());
            let deeds = &self.voices[play.story().actors.len() + kind];
            lines.extend(deeds.promises(&name, pace));
            // Of a squad that never was, nothing is worth a promise.
            if !deeds.firsts.is_empty() {
                lines.extend(deeds.never(&name, npc, play));
            }
        }
        for actor in by_turns(play) {
            let (entry, deeds) = (&play.story().actors[actor], &self.voices[actor]);
            let name = &entry.name;
            lines.extend(deeds.promises(name, pace));
            if let Some(npc) = entry.npc {
                lines.extend(deeds.never(name, npc, play));
            }
            lines.push(match deeds.died {
                Some(tick) => format!("promise {name} is dead by {}", seconds(pace, tick)),
                None => format!("promise {name} is alive by {}", seconds(pace, play.now())),
            });
            if let Some(spot) = spot_of(play, actor).filter(|_| ends) {
                lines.push(format!("promise {name} at {spot}"));
            }
            if lines.len() > MOST {
                lines.truncate(MOST);
                return lines;
            }
        }
        if ends {
            lines.extend(things(play));
        }
        lines
    }
}

/// The first actor of each type, then the second of each, and so on: if there are too many, some
/// of each are there.
fn by_turns(play: &Play) -> Vec<usize> {
    let mut seen: BTreeMap<Option<usize>, usize> = BTreeMap::new();
    let actors = play.story().actors.iter().enumerate();
    let ranked = actors.map(|(actor, entry)| {
        let rank = seen.entry(entry.npc).or_default();
        *rank += 1;
        (*rank, actor)
    });
    let mut ranked: Vec<(usize, usize)> = ranked.collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, actor)| actor).collect()
}

/// The steps that were done, in their order, and when the last of them was.
fn chain(done: &[(String, Tick)]) -> Option<(String, Tick)> {
    let done = &done[..done.len().min(LONGEST)];
    let (_, last) = done.last()?;
    let steps: Vec<&str> = done.iter().map(|(step, _)| step.as_str()).collect();
    Some((steps.join(", "), *last))
}

/// A named place where an actor is.
fn spot_of(play: &Play, actor: usize) -> Option<String> {
    let story = play.story();
    let nodes = story.nodes.iter().map(|node| (&node.name, node.cell));
    // A name that a thing or node has means that.
    let taken =
        |name: &str| story.node_names().chain(story.thing_names()).any(|known| known == name);
    let marks = story.marks.iter().filter(|mark| !taken(&mark.name));
    let marks = marks.map(|mark| (&mark.name, mark.cell));
    let here = play.world().actor(play.handle(actor)?)?.cell;
    nodes.chain(marks).find(|(_, cell)| *cell == here).map(|(name, _)| name.clone())
}

/// The states of all things.
fn things(play: &Play) -> impl Iterator<Item = String> {
    play.story().things.iter().zip(&play.things).filter_map(|(entry, &at)| {
        let state = play.words().text(play.world().thing(at)?.state());
        Some(format!("promise {} = {state}", entry.name))
    })
}

/// A moment as it is written: `4.2`.
pub(super) fn seconds(pace: Pace, tick: Tick) -> String {
    let mut text = String::new();
    // Four digits name a tick of any pace that a story may have. Writing into a text cannot fail.
    let _ = write!(text, "{:.4}", pace.seconds(tick));
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
