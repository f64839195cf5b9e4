//! Minds of a recording without a world: events as lines, one moment in full.
//!
//! For recordings of games, whose world this program does not know, and for what comes after a
//! story has left its stage.

use super::reel::Reel;
use crate::commands::play::json::{beside, pick};
use crate::commands::play::picked::{self, Names};
use crate::commands::play::telling::{name_actions, name_facts};
use crate::console::{Console, Fail, bad};
use serde_json::json;
use throng_mind::Mind;
use throng_mind::events::{Event, EventKind};
use throng_mind::inspect::{EventText, Inspection, named_key, with_held};
use throng_mind::orders::MindId;
use throng_mind::select::Key;

/// Who a mind is, in words: as the game called it, if the recording knows; else its type and number.
fn who(reel: &Reel, id: MindId) -> String {
    let (minds, map) = (reel.replay.minds(), reel.replay.minds().spec().domain.map());
    let Some(mind) = minds.mind(id) else { return format!("mind {}", id.0) };
    let name = reel.replay.name_of(mind.me()).map(str::to_string);
    name.unwrap_or_else(|| format!("{} {}", map.npc(mind.npc()), id.0))
}

/// A text with what slots hold, and with the names that the recording has for things and minds.
fn named(reel: &Reel, mind: Option<&Mind>, text: &str) -> String {
    let Some(mind) = mind else { return text.to_string() };
    let spec = reel.replay.minds().spec();
    with_held(spec, mind, text, reel.shows_slots, &|thing| reel.thing_name(thing))
}

/// An event in words, with names.
fn told(reel: &Reel, event: &Event) -> String {
    let minds = reel.replay.minds();
    let (spec, mind) = (minds.spec(), minds.mind(event.mind));
    let key = |key| named_key(spec, mind, key, &|thing| reel.thing_name(thing));
    let fact = |kind, about| match about {
        Key::None => spec.words.text(kind).to_string(),
        about => format!("{} {}", spec.words.text(kind), key(about)),
    };
    let mut text = EventText::of(event.what, spec, mind, event.at);
    text.name = match event.what {
        EventKind::Picked { slot, now: Key::None, before, .. } => {
            format!("{} = {}", spec.slot_name(slot), key(before))
        }
        EventKind::Picked { slot, now, score, .. } => {
            let score = f64::from(score) / 1000.0;
            format!("{} = {} ({score:.2})", spec.slot_name(slot), key(now))
        }
        EventKind::Told { kind, about, by } => {
            format!("{} by {}", fact(kind, about), who(reel, by))
        }
        EventKind::Tells { kind, about, .. } => {
            let (_, whom) = text.name.rsplit_once(" to ").unwrap_or_default();
            format!("{} to {whom}", fact(kind, about))
        }
        _ => named(reel, mind, &text.name),
    };
    text.to_string()
}

/// What happened in the tick that was replayed last.
pub(super) fn tick(
    reel: &Reel,
    only: Option<MindId>,
    json: bool,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let pace = reel.replay.header().source.pace;
    let asked = |event: &&Event| {
        only.is_none_or(|only| only == event.mind) && !matches!(event.what, EventKind::Heavy(_))
    };
    for event in reel.replay.events().iter().filter(asked) {
        let (text, who) = (told(reel, event), who(reel, event.mind));
        let seconds = pace.seconds(event.at);
        match json {
            true => console.json(&json!({"tick": event.at, "seconds": seconds,
                "mind": event.mind.0, "actor": who, "told": text}))?,
            false => writeln!(console, "{seconds:6.1} s  {who:<12}  {text}")?,
        }
    }
    Ok(())
}

/// All minds, or one, in full.
pub(super) fn moment(
    reel: &Reel,
    only: Option<MindId>,
    json: bool,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let (minds, now) = (reel.replay.minds(), reel.replay.now());
    let seconds = reel.replay.header().source.pace.seconds(now);
    if !json {
        let last = reel.replay.last();
        let head = format!("{}: tick {now} of {last}, {seconds:.1} s", reel.name());
        writeln!(console, "{head}")?;
        tick(reel, only, false, console)?;
    }
    for mind in minds.iter().filter(|mind| only.is_none_or(|only| only == mind.id())) {
        let Some(mut told) = minds.inspect(mind.id()) else { continue };
        name_all(reel, mind, &mut told);
        let who = who(reel, mind.id());
        match json {
            true => console.json(&json!({"tick": now, "seconds": seconds, "mind": mind.id().0,
                "actor": who, "goal": told.goal, "doing": told.doing, "why": told.why,
                "besides": told.besides.iter().map(beside).collect::<Vec<_>>(),
                "picks": told.picks.iter().map(pick).collect::<Vec<_>>(), "claims": told.claims,
                "plan": told.plan.iter().map(|step| &step.action).collect::<Vec<_>>()}))?,
            false => {
                writeln!(console)?;
                console.print(&format!("{who}: {told}"))?;
            }
        }
    }
    Ok(())
}

/// Calls everything in an inspection as the recording does.
fn name_all(reel: &Reel, mind: &Mind, seen: &mut Inspection) {
    let (minds, thing) = (reel.replay.minds(), |thing| reel.thing_name(thing));
    let key = |key| named_key(minds.spec(), Some(mind), key, &thing);
    for pick in seen.picks.iter_mut().filter(|pick| pick.holds.is_some()) {
        pick.holds = Some(key(pick.key));
    }
    let own = minds.claims().iter().filter(|claim| claim.mind == mind.id());
    seen.claims = own.map(|claim| key(claim.key)).collect();
    name_actions(seen, &|text| named(reel, Some(mind), text));
    name_facts(seen, mind, &|handle| reel.replay.name_of(handle).map(str::to_string));
}

/// Why a selection of a mind held what it held, or why an action was not done.
pub(super) fn why_picked(
    reel: &Reel,
    id: Option<MindId>,
    select: &str,
    json: bool,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let minds = reel.replay.minds();
    let Some(mind) = id.and_then(|id| minds.mind(id)) else {
        return bad("who that is cannot be told without the world; name the number of a mind");
    };
    let thing = |thing| reel.thing_name(thing);
    let names = Names {
        who: &who(reel, mind.id()),
        key: &|key| named_key(minds.spec(), Some(mind), key, &thing),
        thing: &thing,
        mind: &|id| who(reel, id),
    };
    picked::tell(minds, mind, &names, select, json, console)
}
