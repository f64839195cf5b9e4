//! A behaviour of your own: opening a door. `cargo run -p throng --example own_behaviour`
//!
//! In:   a text and a house whose door may be locked.
//! Out:  how the burglar gets in, on standard output.
//!
//! A behaviour gives orders to the game and says when it is done, or why it cannot be. What to
//! do then is the planner's affair.
#![allow(clippy::print_stdout, reason = "this is a program")]

use std::error::Error;
use throng::mind::prelude::*;
use throng::prelude::*;

/// The game's world.
pub(crate) struct House {
    pub(crate) locked: bool,
    pub(crate) alarm: bool,
}

const BURGLAR: &str = "domain house
var at: street, inside
action go_in_by_door: at street -> inside
    cost 1
action climb_in: at street -> inside
    cost 4
    takes 3
action look_around:
    takes 60
goal inside: at = inside
npc burglar
    can go_in_by_door, climb_in, look_around
    wants inside
    starts at = street
    otherwise look_around
    retry 30
";

// --- the behaviour begins
struct GoInByDoor;

impl Behaviour<House> for GoInByDoor {
    /// An order to the game; the rest follows from what it reports.
    fn start(&self, acting: &mut Acting<'_, House>) -> Progress {
        if acting.world.alarm {
            return Progress::Failed(acting.word("watched"));
        }
        let (what, name) = (acting.word("open"), acting.word("door"));
        acting.board.order(Order::Other { what, name, on: None, place: acting.here, amount: 0.0 });
        Progress::Waiting
    }

    /// Whatever the end, it comes once: the place for clean-up and for what was learnt.
    fn end(&self, acting: &mut Acting<'_, House>, how: Ending) {
        if let Ending::Failed(why) = how {
            let fact = acting.fact("door").with(Attribute::Knowledge, why, 1.0);
            acting.remember(fact, 600);
        }
    }
}

fn body() -> Body<House> {
    let words = ["open", "door", "locked", "watched"];
    Body::new().behaviour("go_in_by_door", GoInByDoor).words(&words)
}
// --- the behaviour ends

pub(crate) fn run(house: &House) -> Result<Vec<String>, Box<dyn Error>> {
    let domain = Domain::from_text(BURGLAR)?;
    let mut minds = Minds::new(domain.mind_spec(10)?, body(), 1)?;
    let burglar = minds.spawn("burglar", EntityId(1))?;
    let (locked, mut diary) = (minds.word("locked")?, Vec::new());
    for now in 0..60 {
        minds.tick(house, now);
        for event in minds.events() {
            diary.push(format!("{:4.1} s  {}", f64::from(now) / 10.0, minds.describe(event)));
        }
        // The game carries out the orders it knows, here within a tick.
        let orders: Vec<IssuedOrder> = minds.drain_orders().collect();
        for sent in orders.iter().filter(|sent| matches!(sent.order, Order::Other { .. })) {
            let report = match house.locked {
                true => Message::Failed(sent.id, locked),
                false => Message::Done(sent.id),
            };
            minds.tell(sent.mind, report)?;
        }
    }
    let facts = minds.inspect(burglar).map_or(Vec::new(), |seen| seen.facts);
    for fact in facts {
        let knows = fact.attributes.iter().map(|known| format!("{} {}", known.name, known.value));
        diary.push(format!("remembers {}: {}", fact.kind, knows.collect::<Vec<_>>().join(", ")));
    }
    Ok(diary)
}

fn main() -> Result<(), Box<dyn Error>> {
    for (title, locked) in [("The door is open:", false), ("The door is locked:", true)] {
        println!("{title}");
        run(&House { locked, alarm: false })?.iter().for_each(|line| println!("  {line}"));
    }
    Ok(())
}
