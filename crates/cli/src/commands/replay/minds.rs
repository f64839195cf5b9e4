//! Minds of a recording without a world: events as lines, one moment in full.
//!
//! For recordings of games, whose world this program does not know, and for what comes after a
//! story has left its stage.

use super::reel::Reel;
use crate::console::{Console, Fail};
use serde_json::json;
use throng_mind::events::{Event, EventKind};
use throng_mind::orders::MindId;

/// Who a mind is, in words.
fn who(reel: &Reel, id: MindId) -> String {
    let (minds, map) = (reel.replay.minds(), reel.replay.minds().spec().domain.map());
    match minds.mind(id) {
        Some(mind) => format!("{} {}", map.npc(mind.npc()), id.0),
        None => format!("mind {}", id.0),
    }
}

/// What happened in the tick that was replayed last.
pub(super) fn tick(
    reel: &Reel,
    only: Option<MindId>,
    json: bool,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let (minds, pace) = (reel.replay.minds(), reel.replay.header().source.pace);
    let asked = |event: &&Event| {
        only.is_none_or(|only| only == event.mind) && !matches!(event.what, EventKind::Heavy(_))
    };
    for event in reel.replay.events().iter().filter(asked) {
        let (text, who) = (minds.describe(event), who(reel, event.mind));
        let seconds = pace.seconds(event.at);
        match json {
            true => console.json(&json!({"tick": event.at, "seconds": seconds,
                "mind": event.mind.0, "actor": who, "told": text}))?,
            false => console.line(&format!("{seconds:6.1} s  {who:<12}  {text}"))?,
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
        console.line(&head)?;
        tick(reel, only, false, console)?;
    }
    for mind in minds.iter().filter(|mind| only.is_none_or(|only| only == mind.id())) {
        let told = mind.inspect(minds.spec(), now);
        let who = who(reel, mind.id());
        match json {
            true => console.json(&json!({"tick": now, "seconds": seconds, "mind": mind.id().0,
                "actor": who, "goal": told.goal, "doing": told.doing, "why": told.why,
                "plan": told.plan.iter().map(|step| &step.action).collect::<Vec<_>>()}))?,
            false => {
                console.line("")?;
                console.print(&format!("{who}: {told}"))?;
            }
        }
    }
    Ok(())
}
