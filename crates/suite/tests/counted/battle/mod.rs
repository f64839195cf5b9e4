//! A battle that allocates nothing itself: two sides on a field, who see, run, shoot, throw, die and
//! come back.
//!
//! In:   orders of minds.
//! Out:  what the kit asks for, what minds are told.
//! Cost: a walk over the people for each answer; all room is taken at the start.
//!
//! What is allocated while minds have their tick is so theirs or the kit's. Minds of a tick ask on any
//! thread: whoever asks for the words of the kit tells the counter of the thread that he is on.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod answers;

use crate::counting::so_far;
use std::sync::Mutex;
use std::thread::{self, ThreadId};
use throng::kit::geometry::distance;
use throng::kit::{Faces, SpotView, Thing, Vocabulary};
use throng::mind::prelude::*;
use throng_mind::Minds;

/// Ticks in a second.
pub(crate) const PACE: u32 = 10;
/// How far people see, and how far they run in a tick.
const SIGHT: f32 = 24.0;
const RUN: f32 = 0.45;
/// Rounds in a weapon.
const MAGAZINE: u32 = 12;
/// How long somebody lies dead, in ticks.
const DEAD: Tick = 30;
/// Threads that are watched at most.
const THREADS: usize = 8;

/// Somebody.
pub(crate) struct Person {
    id: EntityId,
    side: Word,
    mind: MindId,
    home: Position,
    place: Position,
    health: f32,
    died: Tick,
    in_hand: bool,
    rounds: u32,
    grenades: u32,
    aims_at: Option<EntityId>,
    pinned: Tick,
    going: Option<(OrderId, Position)>,
    /// What he does with his hands, and when that is done.
    busy: Option<(OrderId, Order, Tick)>,
}

impl Person {
    fn is_alive(&self) -> bool {
        self.health > 0.0
    }
}

/// How things go. Lists that grow as long as they ever will in the first two need no room in the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mood {
    /// All orders fail.
    Failing,
    /// Everybody sees and hears everything, and all are hurt at once.
    Wild,
    /// As it is.
    Usual,
}

/// What was counted of the battle.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct BattleCounts {
    pub(crate) deaths: u32,
    pub(crate) shots: u32,
    pub(crate) grenades: u32,
    pub(crate) shouts: u32,
    pub(crate) questions: u32,
    pub(crate) answered: u32,
}

/// The game.
pub(crate) struct Battle {
    words: Vocabulary,
    now: Tick,
    people: Vec<Person>,
    spots: Vec<SpotView>,
    things: Vec<Thing>,
    /// A number, a place, the moment at which it goes off, and who threw it.
    grenades: Vec<(EntityId, Position, Tick, EntityId)>,
    told: Vec<(MindId, Message)>,
    /// Rays and ways are answered later.
    pub(crate) is_late: bool,
    /// Replies that are under way, and when they are there.
    late: Vec<(Tick, QuestionId, Reply)>,
    pub(crate) counts: BattleCounts,
    pub(crate) mood: Mood,
    counters: Mutex<[Option<(ThreadId, u64)>; THREADS]>,
}

/// Where the numbers of spots and things begin.
const SPOTS: u64 = 1_000;
const THINGS: u64 = 2_000;
const GRENADES: u64 = 3_000;

impl Battle {
    /// So many soldiers, every other one of the other side, in squads of five.
    pub(crate) fn new(minds: &mut Minds<Battle>, n: u32) -> Battle {
        let words = Vocabulary::find(&minds.spec().words);
        let sides = [words.alive, words.dead];
        let mut people = Vec::new();
        for at in 0..n {
            let (x, y) = ((at % 10) as f32 * 6.0, (at / 10) as f32 * 6.0);
            let side = sides[at as usize % 2];
            let place = [x, if at % 2 == 0 { y } else { y + 20.0 }, 0.0];
            let mind = minds.spawn("soldier", EntityId(at.into())).unwrap();
            minds.set_side(mind, side).unwrap();
            minds.set_squad(mind, Some(MindId(1 + at % 2 + at / 10 * 2))).unwrap();
            people.push(Person {
                id: EntityId(at.into()),
                side,
                mind,
                home: place,
                place,
                health: 100.0,
                died: 0,
                in_hand: at % 3 > 0,
                rounds: MAGAZINE,
                grenades: 2,
                aims_at: None,
                pinned: 0,
                going: None,
                busy: None,
            });
        }
        let spots = (0..30).map(|at| SpotView {
            id: EntityId(SPOTS + at),
            name: Word::NONE,
            sort: [words.cover, words.view, words.cover, words.work][at as usize % 4],
            place: [(at * 7 % 60) as f32, (at * 11 % 50) as f32, 0.0],
            faces: Some(Faces { direction: [0.0, at as f32 % 2.0 * 2.0 - 1.0, 0.0], arc: 170.0 }),
            radius: None,
            held_by: None,
        });
        let things = (0..6).map(|at| Thing {
            id: EntityId(THINGS + at),
            name: Word::NONE,
            kind: [words.item, words.door, words.vehicle][at as usize % 3],
            place: [(at * 9) as f32, 9.0, 0.0],
            state: words.open,
            held_by: None,
        });
        Battle {
            words: words.clone(),
            now: 0,
            people,
            spots: spots.collect(),
            things: things.collect(),
            grenades: Vec::with_capacity(64),
            told: Vec::with_capacity(1 << 16),
            is_late: false,
            late: Vec::with_capacity(1 << 12),
            counts: BattleCounts::default(),
            mood: Mood::Usual,
            counters: Mutex::default(),
        }
    }

    /// A tick of the game and of the minds in it.
    pub(crate) fn tick(&mut self, minds: &mut Minds<Battle>) {
        self.step();
        for (mind, message) in self.told.drain(..) {
            minds.tell(mind, message).unwrap();
        }
        minds.tick(self, self.now);
        for sent in minds.orders() {
            self.take(sent);
        }
        self.answer(minds);
    }

    /// Answers questions, some at once, some later, some never.
    fn answer(&mut self, minds: &mut Minds<Battle>) {
        for question in minds.questions() {
            self.counts.questions += 1;
            let ticks = match question.id.number() % 7 {
                0 => continue,
                number => number - 1,
            };
            self.late.push((self.now + ticks, question.id, self.reply(minds, question)));
        }
        for &(_, id, reply) in self.late.iter().filter(|it| it.0 <= self.now) {
            self.counts.answered += u32::from(minds.answer(id, reply));
        }
        self.late.retain(|it| it.0 > self.now);
    }

    /// The threads that have asked something so far, each with how often it has allocated.
    pub(crate) fn counters(&self) -> [Option<(ThreadId, u64)>; THREADS] {
        *self.counters.lock().unwrap()
    }

    fn note_thread(&self) {
        let (me, count) = (thread::current().id(), so_far());
        let mut counters = self.counters.lock().unwrap();
        let mine = counters.iter_mut().find(|it| it.is_none_or(|(known, _)| known == me));
        *mine.unwrap() = Some((me, count));
    }

    fn person(&self, id: EntityId) -> Option<&Person> {
        self.people.get(id.0 as usize)
    }

    /// A number that nobody foresees.
    fn dice(&self, one: u64, two: u64) -> u64 {
        let mixed = (u64::from(self.now) << 24 ^ one << 12 ^ two)
            .wrapping_add(0x51_7cc1_b727_220a)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 31
    }

    /// Walls stand at every tenth step across, with gaps.
    fn is_clear(from: Position, to: Position) -> bool {
        let crossed = (from[1] / 10.0).floor() != (to[1] / 10.0).floor();
        let middle = (from[0] + to[0]) / 2.0;
        !crossed || middle.rem_euclid(12.0) < 4.0
    }

    /// Takes an order.
    fn take(&mut self, sent: &IssuedOrder) {
        let at = sent.me.0 as usize;
        let words = &self.words;
        let me = &mut self.people[at];
        let ticks = match sent.order {
            Order::Cancel(id) => {
                me.busy.take_if(|(known, ..)| *known == id);
                me.going.take_if(|(known, _)| *known == id);
                return;
            }
            Order::Emit(stimulus) => {
                self.counts.shouts += 1;
                return self.emit(&stimulus);
            }
            _ if !me.is_alive() => {
                let why = words.dead;
                return self.end(at, sent.id, Err(why));
            }
            Order::Move { to, .. } => {
                if let Some((id, _)) = me.going.replace((sent.id, to)) {
                    let why = words.replaced;
                    self.end(at, id, Err(why));
                }
                return;
            }
            Order::Animate { ticks, .. } => ticks,
            Order::Weapon { what, .. } if what == words.reload => 12,
            Order::Other { what, amount, .. } if what == words.wait => {
                (amount * PACE as f32) as Tick
            }
            _ => 3,
        };
        let until = self.now + ticks.max(1);
        if let Some((id, ..)) = me.busy.replace((sent.id, sent.order, until)) {
            let why = words.replaced;
            self.end(at, id, Err(why));
        }
    }

    fn end(&mut self, at: usize, id: OrderId, how: Result<(), Word>) {
        let message = how.map_or_else(|why| Message::Failed(id, why), |()| Message::Done(id));
        self.told.push((self.people[at].mind, message));
    }

    fn tell(&mut self, at: usize, stimulus: Stimulus) {
        if self.people[at].is_alive() {
            self.told.push((self.people[at].mind, Message::Stimulus(stimulus)));
        }
    }

    fn emit(&mut self, heard: &Stimulus) {
        for at in 0..self.people.len() {
            let far = distance(self.people[at].place, heard.position);
            if (self.mood == Mood::Wild || far <= heard.radius)
                && heard.source != Some(self.people[at].id)
            {
                let strength = (1.0 - far / (heard.radius + 1.0)).max(0.1);
                self.tell(at, Stimulus { strength, ..*heard });
            }
        }
    }

    fn noise(&mut self, place: Position, radius: f32, what: Word, by: EntityId) {
        let noise = Stimulus::new(self.words.noise, place);
        self.emit(&Stimulus { radius, event: what, source: Some(by), ..noise });
    }

    fn step(&mut self) {
        self.now += 1;
        for at in 0..self.people.len() {
            self.live(at);
            self.walk(at);
            let now = self.now;
            let due = self.people[at].busy.take_if(|(.., until)| *until <= now);
            if let Some((id, order, _)) = due {
                let fails = self.mood == Mood::Failing;
                let how = if fails { Err(self.words.lost) } else { self.carry_out(at, order) };
                self.end(at, id, how);
            }
        }
        while let Some(first) = self.grenades.iter().position(|it| it.2 <= self.now) {
            let (_, place, _, by) = self.grenades.swap_remove(first);
            self.noise(place, 30.0, self.words.blast, by);
            for at in 0..self.people.len() {
                if distance(self.people[at].place, place) <= 4.0 {
                    self.hurt(at, 60.0, self.words.blast, by);
                }
            }
        }
        if self.mood == Mood::Wild && self.now.is_multiple_of(25) {
            // All of them at once are hurt, and say so.
            let by = self.people[0].id;
            (0..self.people.len()).for_each(|at| self.hurt(at, 1.0, self.words.blow, by));
        }
        self.look();
    }

    /// Who has lain dead for long enough comes back.
    fn live(&mut self, at: usize) {
        let now = self.now;
        let me = &mut self.people[at];
        if !me.is_alive() && now >= me.died + DEAD {
            (me.health, me.place, me.rounds, me.grenades) = (100.0, me.home, MAGAZINE, 2);
        }
    }

    fn walk(&mut self, at: usize) {
        let often = if self.mood == Mood::Failing { 4 } else { 200 };
        let me = &mut self.people[at];
        let Some((id, to)) = me.going else { return };
        let far = distance(me.place, to);
        let part = if far > RUN { RUN / far } else { 1.0 };
        let from = me.place;
        me.place = [0, 1, 2].map(|axis| from[axis] + (to[axis] - from[axis]) * part);
        if far <= RUN {
            me.going = None;
            self.end(at, id, Ok(()));
        } else if self.dice(at as u64, 1).is_multiple_of(often) {
            self.people[at].going = None;
            let why = self.words.no_path;
            self.end(at, id, Err(why));
        }
    }

    fn carry_out(&mut self, at: usize, order: Order) -> Result<(), Word> {
        let (by, from, words) = (self.people[at].id, self.people[at].place, self.words.clone());
        let (what, whom, to) = match order {
            Order::Target { at: whom } => {
                self.people[at].aims_at = whom;
                return Ok(());
            }
            Order::Weapon { what, at, to } => (what, at, to),
            _ => return Ok(()),
        };
        let target = whom.map(|whom| whom.0 as usize).filter(|&it| it < self.people.len());
        match target {
            _ if what == words.reload => self.people[at].rounds = MAGAZINE,
            _ if what == words.draw => self.people[at].in_hand = true,
            _ if what == words.holster => self.people[at].in_hand = false,
            _ if what == words.throw => {
                let there = to.or(target.map(|it| self.people[it].place)).ok_or(words.gone)?;
                let left = self.people[at].grenades.checked_sub(1).ok_or(words.empty)?;
                self.people[at].grenades = left;
                let id = EntityId(GRENADES + u64::from(self.now));
                self.counts.grenades += 1;
                self.grenades.push((id, there, self.now + 25, by));
            }
            Some(target) if self.people[target].is_alive() => {
                if what == words.melee {
                    self.hurt(target, 40.0, words.blow, by);
                    return Ok(());
                }
                let left = self.people[at].rounds.checked_sub(1).ok_or(words.empty)?;
                (self.people[at].rounds, self.people[at].aims_at) = (left, whom);
                self.counts.shots += 1;
                self.noise(from, 20.0, words.shot, by);
                if what == words.suppress {
                    self.people[target].pinned = self.now + 25;
                }
                let hits = self.dice(by.0, target as u64).is_multiple_of(3);
                if hits && Battle::is_clear(from, self.people[target].place) {
                    self.hurt(target, 25.0, words.shot, by);
                }
            }
            _ => return Err(words.gone),
        }
        Ok(())
    }

    fn hurt(&mut self, at: usize, amount: f32, what: Word, by: EntityId) {
        if !self.people[at].is_alive() {
            return;
        }
        let from = self.person(by).map_or(self.people[at].place, |by| by.place);
        let harm = Stimulus::new(self.words.damage, from);
        self.tell(at, Stimulus { event: what, amount, source: Some(by), ..harm });
        let me = &mut self.people[at];
        me.health -= amount;
        if !me.is_alive() {
            (me.died, me.aims_at) = (self.now, None);
            self.counts.deaths += 1;
            let open = [me.going.take().map(|it| it.0), me.busy.take().map(|it| it.0)];
            let why = self.words.dead;
            open.into_iter().flatten().for_each(|id| self.end(at, id, Err(why)));
        }
    }

    /// Twice a second, in turns, everybody sees who is in view, and grenades.
    fn look(&mut self) {
        let turn = self.now as usize % 5;
        for at in (0..self.people.len()).filter(|at| at % 5 == turn) {
            let from = self.people[at].place;
            let all = self.mood == Mood::Wild;
            let in_view = |to| all || distance(from, to) <= SIGHT && Battle::is_clear(from, to);
            for other in 0..self.people.len() {
                let Person { id, place, .. } = self.people[other];
                if other != at && in_view(place) {
                    let sight = Stimulus::new(self.words.sight, place);
                    self.tell(at, Stimulus { object: Some(id), ..sight });
                }
            }
            for grenade in 0..self.grenades.len() {
                let (id, place, until, by) = self.grenades[grenade];
                if in_view(place) {
                    let amount = (until - self.now) as f32 / PACE as f32;
                    let danger = Stimulus::new(self.words.grenade, place);
                    let (object, source) = (Some(id), Some(by));
                    self.tell(at, Stimulus { object, source, amount, radius: 4.0, ..danger });
                }
            }
        }
    }
}
