//! The game around the guards: four places, legs, a gun, and intruders who come and go.
//!
//! In:   orders of minds, of one or of many, and the script.
//! Out:  what sensors can see, and what became of the orders.
//! Cost: nothing to speak of.

use std::collections::BTreeMap;
use throng::mind::prelude::*;

const PLACES: [(&str, Position); 4] = [
    ("gate", [0.0, 0.0, 0.0]),
    ("post", [6.0, 0.0, 0.0]),
    ("yard", [14.0, 0.0, 0.0]),
    ("crates", [8.0, 5.0, 0.0]),
];

/// Metres in a tick.
const SPEED: f32 = 0.4;

/// Ticks from the order to the hit.
const SHOT: Tick = 6;

/// How far one can see.
const SIGHT: f32 = 12.0;

/// An order that is being carried out.
enum Job {
    Walk(IssuedOrder, Position),
    Shot(IssuedOrder, Tick),
}

/// All there is.
pub(crate) struct Yard {
    /// Where each guard is who has left the gate.
    guards: BTreeMap<EntityId, Position>,
    /// Where an intruder is, and how many hits he can take.
    pub(crate) intruder: Option<(Position, u32)>,
    jobs: Vec<Job>,
}

/// Where a place is; the gate, if nobody knows it.
pub(crate) fn place(name: &str) -> Position {
    PLACES.iter().find(|(known, _)| *known == name).map_or(PLACES[0].1, |known| known.1)
}

fn distance(a: Position, b: Position) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

impl Yard {
    pub(crate) fn new() -> Yard {
        Yard { guards: BTreeMap::new(), intruder: None, jobs: Vec::new() }
    }

    /// Where a guard is.
    pub(crate) fn guard(&self, me: EntityId) -> Position {
        self.guards.get(&me).copied().unwrap_or(place("gate"))
    }

    /// The name of the place where a guard is; none between places.
    pub(crate) fn guard_at(&self, me: EntityId) -> Option<&'static str> {
        let found = PLACES.iter().find(|(_, place)| distance(*place, self.guard(me)) < 0.1);
        found.map(|(name, _)| *name)
    }

    /// Where a guard sees an intruder.
    pub(crate) fn intruder_in_sight(&self, me: EntityId) -> Option<Position> {
        let (place, _) = self.intruder?;
        (distance(place, self.guard(me)) < SIGHT).then_some(place)
    }

    /// Takes an order in.
    pub(crate) fn take(&mut self, sent: IssuedOrder, now: Tick) {
        match sent.order {
            Order::Move { to, .. } => self.jobs.push(Job::Walk(sent, to)),
            Order::Weapon { .. } => self.jobs.push(Job::Shot(sent, now + SHOT)),
            // Each guard counts his own orders: the number alone would also be another's.
            Order::Cancel(_) => self.jobs.retain(|job| {
                let (Job::Walk(order, _) | Job::Shot(order, _)) = job;
                !sent.cancels(order)
            }),
            // Animations are for those who watch; they take as long as the file says.
            _ => {}
        }
    }

    /// A tick passes; says which orders were carried out.
    pub(crate) fn step(&mut self, now: Tick) -> Vec<IssuedOrder> {
        let mut done = Vec::new();
        let Yard { guards, intruder, jobs } = self;
        jobs.retain(|job| match *job {
            Job::Walk(sent, to) => {
                let guard = guards.entry(sent.me).or_insert(place("gate"));
                let left = distance(*guard, to);
                let part = (SPEED / left.max(SPEED)).min(1.0);
                *guard = [0, 1, 2].map(|axis| guard[axis] + (to[axis] - guard[axis]) * part);
                let arrived = left <= SPEED;
                done.extend(arrived.then_some(sent));
                !arrived
            }
            Job::Shot(sent, at) => {
                if at == now {
                    *intruder =
                        intruder.and_then(|(place, hits)| Some((place, hits.checked_sub(1)?)));
                    *intruder = intruder.filter(|(_, hits)| *hits > 0);
                    done.push(sent);
                }
                at != now
            }
        });
        done
    }
}
