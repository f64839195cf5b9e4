//! A sensor of your own: a nose. `cargo run -p throng --example own_sensor`
//!
//! In:   a text and a world with smoke in it.
//! Out:  what the cook does about it, on standard output.
//!
//! A sensor looks at the world and writes facts. What follows from them is in the file.
#![allow(clippy::print_stdout, reason = "this is a program")]

use std::error::Error;
use throng::mind::prelude::*;
use throng::prelude::*;

/// The game's world.
struct Kitchen {
    /// From 0, none, to 1, black.
    smoke: f32,
}

const COOK: &str = "domain kitchen
var air: clear, smoky
var lid: off, on
action put_lid_on: lid off -> on
action open_window: air smoky -> clear  while lid = on
action cook:
    takes 60
goal breathe: air = clear
    relevance sure stimulus of smell
npc cook
    can put_lid_on, open_window, cook
    wants breathe
    starts lid = off
    otherwise cook
";

// --- the sensor begins: when it runs and how long it is believed is the designer's …
const NOSE: &str = "
sensor nose: every 0.5 keeps 2 feeds air
symbol air: smoky if smell(sure stimulus > 0.3), clear
";

/// … what it does is the programmer's: one look, one fact.
fn nose(sensing: &mut Sensing<'_, Kitchen>) -> Work {
    let smoke = sensing.world.smoke;
    if smoke > 0.0 {
        let what = sensing.word("smoke");
        let fact = sensing.fact("smell").with(Attribute::Stimulus, what, smoke);
        sensing.remember_one(fact, &[]);
    }
    // What is not smelt any more is forgotten at once, before it expires.
    sensing.forget_the_rest();
    Work::Light
}

fn body() -> Body<Kitchen> {
    Body::new().sensor("nose", nose).words(&["smoke"]).expects(&["smell"])
}
// --- the sensor ends

pub(crate) fn run() -> Result<Vec<String>, Box<dyn Error>> {
    let domain = Domain::from_text(&format!("{COOK}{NOSE}"))?;
    let mut minds = Minds::new(domain.mind_spec(10)?, body(), 1)?;
    let cook = minds.spawn("cook", EntityId(1))?;
    let mut kitchen = Kitchen { smoke: 0.0 };
    let mut diary = Vec::new();
    for now in 0..100 {
        let doing = minds.mind(cook).map_or(String::new(), |mind| mind.doing(minds.spec()));
        kitchen.smoke += match doing.as_str() {
            "cook" if now >= 20 => 0.02,
            "open_window" => -0.1,
            _ => 0.0,
        };
        minds.tick(&kitchen, now);
        for event in minds.events() {
            diary.push(format!("{:4.1} s  {}", f64::from(now) / 10.0, minds.describe(event)));
        }
    }
    Ok(diary)
}

fn main() -> Result<(), Box<dyn Error>> {
    run()?.iter().for_each(|line| println!("{line}"));
    Ok(())
}
