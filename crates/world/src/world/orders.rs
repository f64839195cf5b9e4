//! Orders: taken, begun, gone on with tick by tick, and ended.
//!
//! In:   orders from minds and scripts.
//! Out:  for each exactly one end: done, failed with a word, or cancelled and then silence.
//! Cost: a tick visits only actors with orders under way, and for looks each in his turn.
//!
//! An actor has one order per subsystem. Another for the same subsystem ends the older one with
//! `replaced`. A dead actor's orders fail with `dead`, those of unknown actors with `gone`, those
//! with words that the subsystem does not know with `unknown`. The number of an order that is
//! still under way is not taken twice: the second is passed over.
//!
//! | order | what it does | fails with |
//! |---|---|---|
//! | `Move` | goes to the cell in the manner `walk`, `run`, `sneak`, `dive` (through windows) or `leap` (onto and off a perch, where nobody walks); opens doors on the way; takes the node called `node`, if it is one, until the next `Move`, the cancel, the failure or death | `no_path`, `blocked` (the door or who is in the way is `actor.blocked_by`), `taken` (another holds the node or stands in it), `needs` (no such node now) |
//! | `Target` | turns and aims at an actor or a thing; `None` at once | `gone` |
//! | `Weapon draw`, `holster`, `reload`, `drop` | as it says | `unarmed` (there is none), `empty` (no spare rounds) |
//! | `Weapon fire` | aims if need be, one round, one hit if the line is still clear | `unarmed` (not in hand), `empty`, `gone`, `no_line`, `too_far` |
//! | `Weapon melee` | one hit at arm's length, with or without a weapon | `gone`, `too_far` |
//! | `Weapon throw` | a grenade to the place, else to where the target is | `empty`, `gone`, `too_far` |
//! | `Animate` | plays for so long; nothing else | – |
//! | `Use open`, `shut`, `kick` | a door; a kick opens it with a bang | `blocked` (after trying) |
//! | `Use pick_up` | an item: carried, its state `taken` if it has that; in hand if it is a gun, or a weapon of one who has none | `held` |
//! | `Use mount`, `climb` | a vehicle, a ladder: posture riding, climbing, in its cell | `held`, `taken` (another is in its cell) |
//! | `Use` with a state's name | puts the thing into that state; at once if it is in it | – |
//! | `Use` with another word | puts the thing into its next state, after the last the first | `used` (there is only one) |
//! | every `Use` | from the thing's cell or one of the eight around it | `gone`, `too_far`, `needs` |
//! | `Other crouch`, `stand` | posture | – |
//! | `Other cloak`, `uncloak` | from then on seen only from within `rules.cloaked_sight`, or from afar again; who strikes, fires or throws is seen | – |
//! | `Other dismount`, `descend` | off what he is on; standing | `unknown` (he is on nothing) |
//! | `Other avoid` | at once: his ways avoid the link `on` (or called `name`), with the name `watched` and sneaking the view from `place`; with neither, forgets all of them | `gone` |
//! | `Other wait` | for `place[0]` seconds | – |
//! | `Other throw` | a grenade at `place` | `empty`, `too_far` |
//! | `Other buy`, `fetch`, `deliver`, `make`, `consume` | goods change hands: `world/trade.rs` | `sold_out`, `poor`, `full`, `gone`, `too_far`, `needs` |
//! | `Other kick`, `open`, `pick_up` … with `on`, or `name` of a thing | as `Use` | as `Use` |
//!
//! Orders are begun when they are given, between steps. A step has this order; within a subsystem
//! actors go by number:
//!
//! | # | subsystem | reads | writes |
//! |---|---|---|---|
//! | 1 | clock | – | now, old noises |
//! | 2 | targeting | jobs | targets, facing |
//! | 3 | navigation | jobs, things | cells, facing, doors, nodes taken |
//! | 4 | hands (use, other) | jobs, cells, needs | things, postures, weapons |
//! | 5 | weapons | jobs, sight | rounds, health, grenades, noise |
//! | 6 | animation | jobs | what plays |
//! | 7 | lapses | things that last for a while | their states |
//! | 8 | grenades | fuses, sight | health, noise |
//! | 9 | looks | cells, sight | stimuli `sight`, `grenade` |

use super::World;
use super::fighting::Handling;
use crate::actor::Posture;
use crate::actor::jobs::{Slot, Timed};
use crate::cell::Cell;
use crate::grid::LARGEST_SIDE;
use throng_mind::fact::EntityId;
use throng_mind::orders::{IssuedOrder, Message, Order, OrderId};
use throng_mind::time::{Tick, after};
use throng_mind::words::Word;

/// No two cells of a map are farther apart in one direction.
const FARTHEST: i32 = LARGEST_SIDE as i32;

/// What an order comes to when it is begun: the ticks that it takes, `None` if it is done at once,
/// or the word for why it cannot be done.
pub(super) type Begun = Result<Option<Tick>, Word>;

impl World {
    /// One tick.
    pub fn step(&mut self) {
        self.now = self.now.saturating_add(1);
        self.noises.forget(self.now, self.rules.noise_kept);
        // Orders are given between steps, so none joins the list meanwhile.
        let busy: Vec<usize> = self.actors.busy().collect();
        let subsystems: [fn(&mut World, usize); 5] = [
            |world, index| world.end_due(index, Slot::Targeting, World::take_aim),
            World::navigate,
            |world, index| world.end_due(index, Slot::Hands, World::use_hands),
            |world, index| world.end_due(index, Slot::Weapon, World::use_weapon),
            World::animate,
        ];
        for subsystem in subsystems {
            busy.iter().for_each(|&index| subsystem(self, index));
        }
        self.actors.settle_busy();
        self.site.let_lapse(self.now);
        self.burn_fuses();
        self.look();
    }

    /// Takes an order. It is begun at once and goes on with the steps.
    pub fn order(&mut self, sent: &IssuedOrder) {
        let Some(index) = self.actors.index_of(sent.me) else {
            if sent.order.is_reported() {
                self.outbox.push((sent.me, Message::Failed(sent.id, self.words.gone)));
            }
            return;
        };
        let me = &self.actors[index];
        match sent.order {
            Order::Cancel(id) => self.cancel(index, id),
            Order::Emit(stimulus) if me.alive => self.emit(&stimulus),
            Order::Emit(_) => {}
            _ if me.jobs.ids().any(|id| id == sent.id) => {}
            _ if !me.alive => self.end(index, sent.id, Err(self.words.dead)),
            order => self.begin(index, sent.id, order),
        }
    }

    /// What has happened since the last call, each with its receiver: ends of orders and stimuli, oldest first.
    pub fn reports(&mut self) -> std::vec::Drain<'_, (EntityId, Message)> {
        self.outbox.drain(..)
    }

    fn begin(&mut self, index: usize, id: OrderId, order: Order) {
        let mut me = self.actors.edit(index);
        let older = match Slot::of(&order) {
            Some(slot) => me.jobs.timed[slot as usize].take().map(|job| job.id),
            None if matches!(order, Order::Move { .. }) => me.jobs.moving.take().map(|it| it.id),
            None => None,
        };
        drop(me);
        if let Some(older) = older {
            self.end(index, older, Err(self.words.replaced));
        }
        let begun = match order {
            Order::Move { to, node, manner } => {
                self.begin_move(index, id, Cell::of(to), node, manner);
                return self.actors.note_busy(index);
            }
            Order::Weapon { what, at, to } => self.begin_weapon(index, Handling { what, at, to }),
            Order::Animate { what, ticks } => Ok(self.begin_animation(index, what, ticks)),
            Order::Target { at } => self.begin_target(index, at),
            _ => self.begin_hands(index, order),
        };
        match (begun, Slot::of(&order)) {
            (Ok(Some(ticks)), Some(slot)) => {
                let until = self.in_ticks(ticks);
                self.actors.edit(index).jobs.timed[slot as usize] =
                    Some(Timed { id, until, order });
            }
            (begun, _) => self.end(index, id, begun.map(|_| ())),
        }
        self.actors.note_busy(index);
    }

    fn cancel(&mut self, index: usize, id: OrderId) {
        let mut me = self.actors.edit(index);
        if me.jobs.moving.take_if(|going| going.id == id).is_some() {
            drop(me);
            return self.release_node(index);
        }
        let is_it = |job: &Option<Timed>| job.as_ref().is_some_and(|job| job.id == id);
        match me.jobs.timed.iter().position(is_it) {
            Some(slot) => {
                me.jobs.timed[slot] = None;
                if slot == Slot::Animation as usize {
                    me.plays = None;
                }
            }
            // It has ended, and that was not fetched yet: now it is not wanted.
            None => {
                let is_end = |told: &Message| matches!(told, Message::Done(end) | Message::Failed(end, _) if *end == id);
                self.outbox.retain(|(to, told)| *to != me.handle || !is_end(told));
            }
        }
    }

    /// Ends the order of a subsystem that is due, with what comes of it.
    fn end_due(
        &mut self,
        index: usize,
        slot: Slot,
        act: fn(&mut World, usize, Order) -> Result<(), Word>,
    ) {
        // Looked at before it is edited: in most ticks nothing is due, and an edit looks where the
        // actor is found.
        let jobs = &self.actors[index].jobs;
        let Some(job) = jobs.in_slot(slot).filter(|job| job.until <= self.now) else { return };
        let (id, order) = (job.id, job.order);
        self.actors.edit(index).jobs.timed[slot as usize] = None;
        let done = act(self, index, order);
        self.end(index, id, done);
    }

    /// Ends all orders of an actor in the same way.
    pub(super) fn fail_all(&mut self, index: usize, why: Word) {
        let jobs = std::mem::take(&mut self.actors.edit(index).jobs);
        jobs.ids().for_each(|id| self.end(index, id, Err(why)));
    }

    /// Reports how an order ended.
    pub(super) fn end(&mut self, index: usize, id: OrderId, how: Result<(), Word>) {
        let message = how.map_or_else(|why| Message::Failed(id, why), |()| Message::Done(id));
        self.outbox.push((self.actors[index].handle, message));
    }

    /// So many ticks from now, at least one.
    pub(super) fn in_ticks(&self, ticks: Tick) -> Tick {
        after(self.now, ticks.max(1))
    }

    /// Plays for as long as the order says, for who draws.
    fn begin_animation(&mut self, index: usize, what: Word, ticks: Tick) -> Option<Tick> {
        let until = after(self.now, ticks);
        (ticks > 0).then(|| {
            self.actors.edit(index).plays = Some((what, until));
            ticks
        })
    }

    /// Counts how far a climber has got, and ends what has played.
    fn animate(&mut self, index: usize) {
        let me = &self.actors[index];
        let plays = me.jobs.in_slot(Slot::Animation).map(|job| job.order);
        if me.posture == Posture::Climbing
            && matches!(plays, Some(Order::Animate { what, .. }) if what == self.words.climb)
        {
            let climbed = me.climbed.saturating_add(1);
            self.actors.edit(index).climbed = climbed;
        }
        self.end_due(index, Slot::Animation, |world, index, _| {
            world.actors.edit(index).plays = None;
            Ok(())
        });
    }

    /// Turns to the target at once; aims after a moment.
    fn begin_target(&mut self, index: usize, at: Option<EntityId>) -> Begun {
        let Some(at) = at else {
            self.actors.aim(index, None);
            return Ok(None);
        };
        self.can_aim(at)?;
        self.face(index, at);
        Ok(Some(self.rules.aim))
    }

    fn take_aim(&mut self, index: usize, order: Order) -> Result<(), Word> {
        if let Order::Target { at: Some(at) } = order {
            self.can_aim(at)?;
            self.face(index, at);
            self.actors.aim(index, Some(at));
        }
        Ok(())
    }

    fn can_aim(&self, at: EntityId) -> Result<(), Word> {
        let is_dead = self.actor(at).is_some_and(|actor| !actor.alive);
        if is_dead || self.cell_of(at).is_none() { Err(self.words.gone) } else { Ok(()) }
    }

    /// Turns an actor towards something.
    pub(super) fn face(&mut self, index: usize, at: EntityId) {
        if let Some(cell) = self.cell_of(at) {
            self.face_cell(index, cell);
        }
    }

    /// Turns an actor towards a cell.
    pub(super) fn face_cell(&mut self, index: usize, cell: Cell) {
        let (dx, dy) = self.actors[index].cell.to(cell);
        if (dx, dy) != (0, 0) {
            // Distances on a map are below 200; a place may be far off it.
            let step = |d: i32| d.clamp(-FARTHEST, FARTHEST) as i16;
            self.actors.edit(index).facing = (step(dx), step(dy));
        }
    }
}
