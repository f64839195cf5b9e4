//! Harm and death.
//!
//! In:   who is hurt, how much, by what and whom.
//! Out:  less health, a stimulus `damage`; at nothing, death.
//! Cost: small.

use crate::world::World;
use throng_mind::fact::EntityId;
use throng_mind::words::Word;

impl World {
    /// Takes health; `what` is the kind of harm. The dead are not hurt.
    pub fn hurt(&mut self, actor: EntityId, amount: i32, what: Word, source: Option<EntityId>) {
        let Some(index) = self.actor_index(actor).filter(|&index| self.actors[index].alive) else {
            return;
        };
        let amount = amount.max(0);
        let health = self.actors[index].health.saturating_sub(amount).max(0);
        self.actors[index].health = health;
        self.tell_of_damage(index, what, amount, source);
        if health == 0 {
            self.die(index);
        }
    }

    /// The only place where somebody dies: his orders fail, he lets go of everything.
    fn die(&mut self, index: usize) {
        self.fail_all(index, self.words.dead);
        self.release_node(index);
        self.let_go_of_all(index);
        self.set_aim(index, None);
        let me = &mut self.actors[index];
        me.alive = false;
        me.plays = None;
        let (handle, cell, side) = (me.handle, me.cell, me.side);
        self.actors_near.remove(index, cell, side);
        let aiming: Vec<EntityId> = self.aiming_at(handle).map(|actor| actor.handle).collect();
        for by in aiming {
            self.actor_index(by).into_iter().for_each(|by| self.set_aim(by, None));
        }
    }
}
