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
//! | 8 | answers | questions of minds, world | inboxes |
//! | 9 | judge | events, world, minds, tasks | verdicts |
//!
//! A script entry of moment `t` happens before the step that leads to tick `t`, so minds can
//! know of it in that tick. The first tick is number 1.

mod saved;

pub use saved::PLAY;

use super::cast::Cast;
use super::picks::ShowSlots;
use super::promise::{Happening, Judge, Verdict, View};
use super::staging::Staging;
use super::{Cue, Deed, ScriptEntry, Story};
use crate::error::WorldError;
use crate::world::World;
use std::collections::BTreeSet;
use std::ops::Deref;
use throng_base::codec::Encoder;
use throng_base::{SplitMix, checksum};
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

impl Cast {
    /// Whether what an entry of the script waits for holds; never of a moment.
    fn is_cue(&self, cue: &Cue) -> bool {
        match cue {
            Cue::At(_) | Cue::Between(..) => false,
            Cue::Reaches(actor, spot) => self.living(*actor).is_some() && self.is_at(*actor, spot),
            Cue::Dead(actor) => !self.is_alive(*actor),
            Cue::Is(need) => self.is_so(need),
        }
    }
}

/// A story being played.
pub struct Play {
    cast: Cast,
    judge: Judge,
    /// How the story is staged.
    staging: Staging,
    next_entry: usize,
    /// Entries of the script that waited for something and have happened.
    fired: BTreeSet<usize>,
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
        Play::of_seed(model, None, threads)
    }

    /// The same with another seed than the story's own.
    ///
    /// # Errors
    ///
    /// As [`Play::of`].
    pub fn of_seed(model: &Model, seed: Option<u64>, threads: usize) -> Result<Play, PlayError> {
        Play::staged(model, &Staging::of_seed(seed), threads)
    }

    /// The same, staged in another way.
    ///
    /// # Errors
    ///
    /// As [`Play::of`].
    pub fn staged(model: &Model, staging: &Staging, threads: usize) -> Result<Play, PlayError> {
        let (mut story, spec) = Story::with_minds(model).map_err(PlayError::Mistakes)?;
        staging.stage(&mut story);
        let mut play = Play::new(story, model, spec, crate::body::body(), threads)?;
        play.staging = *staging;
        let rules = &mut play.cast.world.rules;
        (rules.rays_later, rules.paths_later) = (staging.late, staging.late);
        if staging.questions.is_some() {
            play.cast.minds.set_questions(staging.questions);
        }
        Ok(play)
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
            staging: Staging::default(),
            next_entry: 0,
            fired: BTreeSet::new(),
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
        /// How the story is staged.
        staging: Staging;
    }

    /// What was to be done when something holds (`when …`) that never did so far.
    pub fn not_yet(&self) -> impl Iterator<Item = &ScriptEntry> {
        let entries = self.cast.story.script.iter().enumerate();
        let waits = |(at, entry): &(usize, &ScriptEntry)| {
            let waits = !matches!(entry.cue, Cue::At(_) | Cue::Between(..));
            waits && !self.fired.contains(at)
        };
        entries.filter(waits).map(|(_, entry)| entry)
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

    /// How actions are told that have slots as parameters.
    pub fn show_slots(&self) -> ShowSlots {
        self.cast.show_slots
    }

    /// How actions are told from now on that have slots as parameters.
    pub fn set_show_slots(&mut self, how: ShowSlots) {
        self.cast.show_slots = how;
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
        self.cast.incidents.clear();
        self.cast.let_go.clear();
        self.script();
        self.cast.world.step();
        self.cast.take_news();
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
        self.cast.answer_questions();
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
            && entry.cue.tick().is_some_and(|at| at <= coming)
        {
            self.perform_entry(self.next_entry);
            self.next_entry += 1;
        }
        self.tell_in_turns(coming);
        // As things are before the tick: what one of them does, another sees in the next.
        let waiting = self.cast.story.script.iter().enumerate();
        let holds = |(at, _): &(usize, &ScriptEntry)| {
            !self.fired.contains(at) && self.cast.is_cue(&self.cast.story.script[*at].cue)
        };
        let due: Vec<usize> = waiting.filter(holds).map(|(at, _)| at).collect();
        for at in due {
            self.perform_entry(at);
            self.fired.insert(at);
        }
    }

    /// Tells those whose moment has come what everybody is told from one moment to another.
    fn tell_in_turns(&mut self, coming: Tick) {
        for at in 0..self.cast.story.script.len() {
            let entry = &self.cast.story.script[at];
            let Cue::Between(first, last) = entry.cue else { continue };
            let Deed::Tells(tellings) = &entry.deed else { continue };
            // A moment at the very beginning is the first tick.
            let first = first.max(1);
            if !(first..=last).contains(&coming) {
                continue;
            }
            let (tellings, seed) = (tellings.clone(), self.cast.story.seed);
            let mut worked = false;
            for who in 0..self.cast.story.actors.len() {
                let mut own = SplitMix::new(seed ^ (at as u64) << 40 ^ (who as u64) << 8);
                let turn = own.below_u64(u64::from(last - first) + 1);
                if u64::from(coming - first) == turn {
                    worked |= self.cast.tell_facts(who, &tellings);
                }
            }
            if worked {
                self.scripted.push(Scripted { entry: at, worked });
            }
        }
    }

    fn perform_entry(&mut self, at: usize) {
        let entry = &self.cast.story.script[at];
        let (who, deed) = (entry.who, entry.deed.clone());
        let worked = self.perform(who, &deed).unwrap_or(false);
        self.scripted.push(Scripted { entry: at, worked });
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
                cast.world.hurt(who?, health, Word::NONE, None);
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
            Deed::Tells(ref tellings) => {
                let all = 0..cast.story.actors.len();
                let told = all.filter(|&it| actor.is_none_or(|actor| actor == it));
                told.filter(|&who| cast.tell_facts(who, tellings)).count() > 0
            }
            Deed::Noise { at, radius, ref event } => {
                let bang = cast.world.words.bang;
                let what = event.as_ref().map_or(bang, |event| cast.word(event));
                cast.world.make_noise(at, radius, what, None);
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
        let Cast { minds, world, by_mind, let_go, .. } = &mut self.cast;
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
            if !what.is_for_readers() {
                events.write(&(at, actor, what));
            }
            if let EventKind::Picked { slot, before, .. } = what {
                let_go.push((actor, slot, before));
            }
            self.happenings.push(Happening { actor, what });
        }
        self.told = checksum(self.told, &events.bytes);
    }
}
