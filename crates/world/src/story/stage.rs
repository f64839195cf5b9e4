//! What stories do to the world beyond its own script door: seat somebody, and let him go for
//! good.

use crate::actor::Posture;
use crate::world::World;
use throng_mind::fact::Handle;

impl World {
    /// Puts somebody into a posture at once, on a vehicle or a ladder if one is named; `false` if
    /// there is no such actor.
    pub(super) fn seat(&mut self, actor: Handle, posture: Posture, on: Option<Handle>) -> bool {
        let Some(index) = self.actor_index(actor) else { return false };
        (self.actors[index].posture, self.actors[index].on) = (posture, on);
        if let Some(thing) = on.and_then(|thing| self.thing_index(thing)) {
            self.things[thing].held_by = Some(actor);
            self.things[thing].cell = self.actors[index].cell;
        }
        true
    }

    /// Takes somebody out of the world: what he carried stays where he was, nobody aims at him
    /// any more, and the node that he held is free. `false` if there is no such actor.
    pub(super) fn remove(&mut self, actor: Handle) -> bool {
        let Some(index) = self.actor_index(actor) else { return false };
        self.actors.remove(index);
        for thing in self.things.iter_mut().filter(|thing| thing.held_by == Some(actor)) {
            thing.held_by = None;
        }
        for node in self.nodes.iter_mut().filter(|node| node.taken_by == Some(actor)) {
            node.taken_by = None;
        }
        for other in &mut self.actors {
            other.aims_at = other.aims_at.filter(|&at| at != actor);
            other.noticed.retain(|&seen| seen != actor);
        }
        true
    }
}
