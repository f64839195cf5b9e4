//! A story being played: script, world, minds, and the judge, tick by tick.
//!
//! In:   a [`Story`], the spec of its minds, the code of their bodies.
//! Out:  a world that moves, what happened in each tick, a verdict per promise, a digest.
//! Cost: a tick of the world and of the minds.
//!
//! | # | step of a tick | reads | writes |
//! |---|---|---|---|
//! | 1 | script | entries of this tick | world; minds of those who appear or leave |
//! | 2 | world | orders under way | world, reports |
//! | 3 | ends | deaths | minds of the dead are ended |
//! | 4 | messages | reports, cells | inboxes, places |
//! | 5 | squads | minds, world, orders of squads | squad minds, tasks, claims, inboxes |
//! | 6 | minds | world | orders, events |
//! | 7 | orders | orders, events | world: orders under way, deeds that others may see; squads |
//! | 8 | judge | events, world, minds, tasks | verdicts |
//!
//! A script entry of moment `t` happens before the step that leads to tick `t`, so minds can
//! know of it in that tick. The first tick is number 1.

mod saved;

pub use saved::PLAY;

use super::cast::Cast;
use super::promise::{Happening, Judge, Verdict};
use super::{Deed, Story};
use crate::error::WorldError;
use crate::world::World;
use std::ops::Deref;
use throng_base::checksum;
use throng_base::codec::Encoder;
use throng_domain::{Model, Report};
use throng_mind::body::Body;
use throng_mind::events::{Activity, Event, EventKind};
use throng_mind::orders::Order;
use throng_mind::spec::{Spec, When};
use throng_mind::time::Tick;
use throng_mind::words::Word;
use throng_mind::{BodyErrors, Minds};

/// Why a story cannot be played.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum PlayError {
    /// There are mistakes in what the file says of minds and of the story.
    Mistakes(Report),
    /// The world refuses a part of it.
    World(WorldError),
    /// The code does not fit the file.
    Code(BodyErrors),
}

throng_base::error! { PlayError {
    Self::Mistakes(report) => "it has {} mistakes", report.errors();
    Self::World(refused) => "the world refuses the story: {refused}";
    Self::Code(errors) => "{errors}";
} source {
    Self::World(refused) => refused;
    Self::Code(errors) => errors;
} }

/// What the script did in a tick.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Scripted {
    /// Position in [`Story::script`].
    pub entry: usize,
    /// Whether it could be done: the dead do not move.
    pub worked: bool,
}

/// A story being played.
pub struct Play {
    cast: Cast,
    judge: Judge,
    next_entry: usize,
    scripted: Vec<Scripted>,
    happenings: Vec<Happening>,
    /// Who died in the last tick.
    deaths: Vec<usize>,
    /// A digest of all events so far.
    told: u64,
}

/// What is only asked of the story, its world and its minds, the cast answers.
impl Deref for Play {
    type Target = Cast;

    fn deref(&self) -> &Cast {
        &self.cast
    }
}

impl Play {
    /// The story of a model before its first tick, with the bodies of this world.
    ///
    /// # Errors
    ///
    /// Every mistake in the story and in what is said about minds, or why the world refuses it.
    pub fn of(model: &Model, threads: usize) -> Result<Play, PlayError> {
        let (story, spec) = Story::with_minds(model).map_err(PlayError::Mistakes)?;
        Play::new(story, model, spec, crate::body::body(), threads)
    }

    /// A story before its first tick. The model is the one it was read with, the spec is read
    /// from the same model at the story's pace.
    ///
    /// # Errors
    ///
    /// If the world has no place for a part of it, or code for a sensor is missing.
    pub fn new(
        story: Story,
        model: &Model,
        spec: Spec,
        body: Body<World>,
        threads: usize,
    ) -> Result<Play, PlayError> {
        let judge = Judge::new(&story, model);
        let cast = Cast::new(story, spec, body, threads)?;
        Ok(Play {
            cast,
            judge,
            next_entry: 0,
            scripted: Vec::new(),
            happenings: Vec::new(),
            deaths: Vec::new(),
            told: 0,
        })
    }

    throng_base::getters! {
        /// Who is who, and the world and the minds as they are.
        cast: &Cast;
        /// What the script did in the last tick.
        scripted: &[Scripted];
        /// What happened in minds in the last tick.
        happenings: &[Happening];
        /// Who died in the last tick, with or without a mind, by position in the story.
        deaths: &[usize];
        /// The promises and how they stand, in the order of the text.
        judge: &Judge;
    }

    /// The minds, for who records them: what else enters them behind the story's back is not
    /// part of the story.
    pub fn minds_mut(&mut self) -> &mut Minds<World> {
        &mut self.cast.minds
    }

    /// Lets the phases of minds be measured by a clock of yours.
    pub fn measure_by(&mut self, clock: Option<fn() -> u64>) {
        self.cast.minds.measure_by(clock);
    }

    /// How many minds may ask the planner in one tick; `None`, as in the beginning: all.
    pub fn set_budget(&mut self, plans_per_tick: Option<u32>) {
        self.cast.minds.set_budget(plans_per_tick);
    }

    /// The tick that was played last; 0 before the first.
    pub fn now(&self) -> Tick {
        self.cast.world.now()
    }

    /// Whether the story has come to its end.
    pub fn is_over(&self) -> bool {
        self.now() >= self.cast.story.lasts
    }

    /// Whether every promise is kept; of a story that is not over, so far.
    pub fn is_kept(&self) -> bool {
        self.judge.verdicts().all(|(_, verdict)| matches!(verdict, Verdict::Kept(_)))
    }

    /// Whether a promise is broken already.
    pub fn is_broken(&self) -> bool {
        self.judge.verdicts().any(|(_, verdict)| matches!(verdict, Verdict::Broken(..)))
    }

    /// One number for all that happened and all that there is: equal for equal plays.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mut to = Encoder::default();
        to.write(&self.told).write(&self.cast.world.digest()).write(&self.cast.minds.digest());
        self.cast.command.encode(&mut to);
        checksum(0, &to.bytes)
    }

    /// Plays one tick; `false`, and nothing happens, if the story is over. The last tick decides
    /// what is still open.
    pub fn tick(&mut self) -> bool {
        if self.is_over() {
            return false;
        }
        self.scripted.clear();
        self.happenings.clear();
        self.script();
        self.cast.world.step();
        let now = self.now();
        self.deaths = self.cast.newly_dead();
        for at in 0..self.deaths.len() {
            self.end_mind(self.deaths[at]);
        }
        self.cast.deliver();
        let before = self.cast.minds.events().len();
        self.cast.step_squads();
        self.take_events(before);
        let Cast { minds, world, command, .. } = &mut self.cast;
        minds.tick(world, now);
        for sent in minds.orders() {
            if !command.squads.take(sent) {
                world.order(sent);
            }
        }
        self.take_events(0);
        self.judge.see(now, &self.happenings, &self.cast);
        if self.is_over() {
            self.judge.finish(now, &self.cast);
        }
        true
    }

    /// Does what the script says for the tick to come.
    fn script(&mut self) {
        let coming = self.now() + 1;
        while let Some(entry) = self.cast.story.script.get(self.next_entry)
            && entry.at <= coming
        {
            let (who, deed) = (entry.who, entry.deed.clone());
            let worked = self.perform(who, &deed).unwrap_or(false);
            self.scripted.push(Scripted { entry: self.next_entry, worked });
            self.next_entry += 1;
        }
    }

    /// Does one thing of the script: whether it worked; `None` if an actor that it needs does not
    /// live.
    fn perform(&mut self, actor: Option<usize>, deed: &Deed) -> Option<bool> {
        let cast = &mut self.cast;
        let who = actor.and_then(|actor| cast.living(actor));
        Some(match *deed {
            Deed::Moves(to) | Deed::Runs(to) => {
                let words = &cast.world.words;
                let manner = if matches!(deed, Deed::Runs(_)) { words.run } else { words.walk };
                cast.world.command(who?, Order::Move { to: to.place(), node: Word::NONE, manner });
                true
            }
            Deed::Throws(to) => cast.world.drop_grenade(to, Some(who?)).is_some(),
            Deed::Aims(at) => {
                let at = cast.living(at)?;
                cast.world.aim(who?, Some(at))
            }
            Deed::Fires(at) => {
                let at = cast.living(at)?;
                cast.world.shoot(who?, at)
            }
            Deed::LosesWeapon => cast.world.disarm(who?),
            Deed::Dies => {
                let health = cast.world.actor(who?)?.health;
                cast.world.hurt(who?, health, cast.world.words.blow, None);
                true
            }
            Deed::Appears(at) => cast.appear(actor?, at),
            Deed::Leaves => {
                self.end_mind(actor?);
                self.cast.leave(actor?)
            }
            Deed::Becomes(ref need) => {
                let state = cast.word(&need.state);
                cast.world.set_state(cast.things[need.thing], state)
            }
            Deed::Blocked { thing, blocked } => cast.world.set_blocked(cast.things[thing], blocked),
            Deed::Noise { at, radius } => {
                let bang = cast.world.words.bang;
                cast.world.make_noise(at, radius, bang, None);
                true
            }
        })
    }

    /// Ends the mind of an actor, if it has one; what it was at is cancelled.
    fn end_mind(&mut self, actor: usize) {
        let Some(mind) = self.cast.roster.ids[actor] else { return };
        let Cast { minds, world, .. } = &mut self.cast;
        let (orders, events) = (minds.orders().len(), minds.events().len());
        let _ = minds.despawn(mind, world);
        for sent in &minds.orders()[orders..] {
            world.order(sent);
        }
        self.take_events(events);
        self.cast.roster.ids[actor] = None;
    }

    /// Takes over the events of the minds from this position on.
    fn take_events(&mut self, from: usize) {
        let Cast { minds, world, by_mind, .. } = &mut self.cast;
        // A thousand who begin to work at once in view of each other are a million stimuli: where
        // no mind learns by watching, none is made.
        let watches = When::On(world.words.deed);
        let anybody_watches = minds.spec().sensors.iter().any(|sensor| sensor.when == watches);
        let mut events = Encoder::default();
        for &Event { at, mind, what } in &minds.events()[from..] {
            let Some(&(actor, handle)) = by_mind.get(&mind) else { continue };
            if let EventKind::Started {
                doing: Activity::Step(action) | Activity::Otherwise(action),
                ..
            } = what
                && anybody_watches
            {
                world.announce(handle, minds.spec().action(action).template);
            }
            events.write(&(at, actor, what));
            self.happenings.push(Happening { actor, what });
        }
        self.told = checksum(self.told, &events.bytes);
    }
}
