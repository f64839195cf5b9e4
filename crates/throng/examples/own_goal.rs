//! A goal of your own: rest. `cargo run -p throng --example own_goal`
//!
//! In:   a smith who works all day, and gets tired.
//! Out:  when he works and when he rests, on standard output.
//!
//! A goal is text: what is to hold, how much it matters, how it competes with others. The game
//! only says how tired he is.
#![allow(clippy::print_stdout, reason = "this is a program")]

use std::error::Error;
use throng::mind::prelude::*;
use throng::prelude::*;

const SMITH: &str = "domain smithy
var iron: raw, wrought
action forge: iron raw -> wrought
    takes 2
action deliver: iron wrought -> raw
goal work: iron = wrought
    priority 5
goal sell: iron = raw
    priority 4
";

// --- the goal begins
const REST: &str = "
var strength: spent, fresh

# A stimulus, and no code: the fact is the stimulus as it came.
sensor muscles: on tired keeps 1.5 feeds strength
symbol strength: spent if tired, fresh

action sit_down: strength spent -> fresh
    takes 3

# Below 0.4 it does not matter; then more and more, up to twice as much as work.
goal rested: strength = fresh
    priority 10
    relevance sure stimulus of tired curve 0.4 0, 1 1
    margin 0.2
    keep 2
    cooldown 4

npc smith
    can forge, deliver, sit_down
    wants work, sell, rested
    starts iron = raw
";
// --- the goal ends

pub(crate) fn run() -> Result<Vec<String>, Box<dyn Error>> {
    let domain = Domain::from_text(&format!("{SMITH}{REST}"))?;
    let mut minds = Minds::<()>::new(domain.mind_spec(10)?, Body::new(), 1)?;
    let smith = minds.spawn("smith", EntityId(1))?;
    let tired = minds.word("tired")?;
    let (mut tiredness, mut diary) = (0.0_f32, Vec::new());
    for now in 0..300 {
        let sits = minds.mind(smith).is_some_and(|mind| mind.doing(minds.spec()) == "sit_down");
        tiredness = (tiredness + if sits { -0.02 } else { 0.008 }).clamp(0.0, 1.0);
        if now % 5 == 0 && tiredness > 0.0 {
            let stimulus = Stimulus { strength: tiredness, ..Stimulus::new(tired, [0.0; 3]) };
            minds.tell(smith, stimulus)?;
        }
        minds.tick(&(), now);
        for event in minds.events().iter().filter(|event| matches!(event.what, EventKind::Goal(_)))
        {
            let (at, what) = (f64::from(now) / 10.0, minds.describe(event));
            diary.push(format!("{at:4.1} s  {what:<13} tired {:3.0} %", tiredness * 100.0));
        }
    }
    Ok(diary)
}

fn main() -> Result<(), Box<dyn Error>> {
    run()?.iter().for_each(|line| println!("{line}"));
    Ok(())
}
