//! Many minds: one spec, one body of code, one tick for all.
//!
//! In:   minds to be, messages, a world to sense.
//! Out:  orders and events in the order of the minds.
//! Cost: the sum of the minds' ticks, shared by the pool's threads; nothing is allocated once warm.
//!
//! Minds do not see each other inside a tick: what one shares, all know in the next. So the
//! result is the same for any number of threads.

mod by_name;
mod circles;
mod doors;
mod line;
mod meanwhile;
mod migrated;
mod places;
mod questions;
mod recorded;
mod reload;
mod replay;
mod same;
mod saved;

pub use by_name::{MindError, NamedId};
pub use meanwhile::{Followed, Meanwhile, MeanwhileError};
pub use migrated::{Dropped, FormerKind, Lost, Moving, RestoreError, Restored};
pub(crate) use migrated::{Losses, Migrated};
pub use reload::Reloaded;
pub use saved::SavedMinds;

use crate::AskRules;
use crate::body::Body;
use crate::code::Code;
use crate::effects::{Begun, TeamCooling, Telling};
use crate::events::{Cause, Event};
use crate::fact::EntityId;
use crate::fit::BodyErrors;
use crate::heavy::{self, HeavyInLine};
use crate::memory::Memory;
use crate::mind::{Mind, Outbox};
use crate::mistakes::Mistakes;
use crate::orders::{IssuedOrder, MindId};
use crate::planning::Scratch;
use crate::questions::IssuedQuestion;
use crate::select::Others;
use crate::spec::Spec;
use crate::tape::{MindCall, NO_MIND, OutputDigest, Tape};
use crate::tick::{Context, MindTick, PHASES};
use crate::time::{NEVER, Tick};
use crate::turns::{self, Group, InLine, PATIENCE_SECONDS};
use circles::Letters;
use line::QuestionInLine;
use std::collections::HashMap;
use std::mem::take;
use std::sync::Arc;
use throng_base::checksum;
use throng_base::codec::Encoder;
use throng_domain::compile::IdOrName;
use throng_domain::model::NpcTypeId;
use throng_planner::pool::Pool;

/// Facts that a few tell at once.
const MUCH_TOLD: usize = 128;

/// How many facts all minds share.
const SHARED_FACTS: usize = 256;

/// How many states one call of the planner may look at, unless the game says otherwise.
const NODES_PER_CALL: u64 = 50_000;

/// What cools for teams at a time, usually: there is room for it from the beginning.
const USUAL_COOLING: usize = 32;

/// What the minds did so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Totals {
    /// Ticks times minds.
    pub mind_ticks: u64,
    /// Of those, in which something was due.
    pub awake: u64,
    /// Questions to the planner.
    pub asked: u64,
    /// Of those, searches; since these minds were made or last restored.
    pub calls: u64,
    /// Of those, answers that were known from before; likewise. What is known is not saved, so a
    /// game that goes on searches where the other knew, and finds the same.
    pub recalls: u64,
}

/// Minds of one spec, in a world `W`.
///
/// ```
/// # use throng_domain::{Format, Limits, formats::no_includes, load};
/// # use throng_mind::{PreparedDomain, body::Body, fact::EntityId, spec::Spec, time::Pace};
/// use throng_mind::Minds;
///
/// # let text = "domain d\nvar x: a, b\naction go: x a -> b\ngoal g: x = b\nnpc guard\n can go\n wants g\n starts x = a";
/// # let loaded = load("d.npc", text, Format::Npc, &Limits::default(), &throng_mind::notes::WORDS, &mut no_includes);
/// # let model = loaded.model.unwrap();
/// # let domain = std::sync::Arc::new(PreparedDomain::new(&model));
/// # let spec = Spec::read(&model, domain, Pace { ticks_per_second: 10 }).unwrap();
/// let mut minds = Minds::<()>::new(spec, Body::new(), 1).unwrap();
/// let guard = minds.spawn("guard", EntityId(7)).unwrap();
/// minds.tick(&(), 1);
/// let steps = minds.mind(guard).unwrap().plan().steps();
/// assert_eq!(minds.name(steps[0]), Some("go"));
/// // What the engine is to do now: here, play the animation `go`.
/// assert_eq!(minds.orders()[0].me, EntityId(7));
/// ```
pub struct Minds<W: ?Sized> {
    spec: Arc<Spec>,
    code: Code<W>,
    groups: Vec<Group>,
    /// By mind: its group and place in it.
    places: HashMap<MindId, (u32, u32)>,
    last: u32,
    shared: Memory,
    /// What minds have picked and claimed, as of the last tick.
    others: Others,
    pool: Pool,
    orders: Vec<IssuedOrder>,
    events: Vec<Event>,
    /// What the code did wrong so far.
    mistakes: Mistakes,
    totals: Totals,
    clock: Option<fn() -> u64>,
    costs: [u64; PHASES.len()],
    /// What the clock counted around ticks.
    cost: u64,
    now: Tick,
    sleepless: bool,
    rules: AskRules,
    /// How many minds may ask the planner in a tick; `None`: all.
    budget: Option<u32>,
    /// How many minds may do heavy sensor work in a tick; `None`: all.
    heavy: Option<u32>,
    heavy_line: Vec<HeavyInLine>,
    /// How many states one call of the planner may look at.
    nodes: u64,
    line: Vec<InLine>,
    /// What the game was asked in the last tick.
    questions: Vec<IssuedQuestion>,
    /// How many questions it is asked in a tick; `None`: all.
    question_budget: Option<u32>,
    question_line: Vec<QuestionInLine>,
    /// Questions may wait to be handed out.
    questions_wait: bool,
    /// The seed of all chance.
    seed: u64,
    /// What is not there for teams for a while.
    cooling: Vec<TeamCooling>,
    /// What others are to be told, and to leave alone, when all have had their tick.
    tellings: Vec<Telling>,
    begun: Vec<Begun>,
    letters: Letters,
    /// Where all that enters is written down, or comes from.
    tape: Tape,
    /// What left since entries were last forgotten, in one number.
    output: OutputDigest,
    /// The version of the file that these were last restored from, if it was another: what else
    /// was saved with them is in its numbers.
    former: Option<Arc<Migrated>>,
}

impl<W: ?Sized + Sync> Minds<W> {
    /// No minds yet; ticks will use so many threads.
    ///
    /// # Errors
    ///
    /// The code does not fit the file. All that is wrong is told at once, with what was probably
    /// meant: polled sensors of the file without code, code for sensors and behaviours that the
    /// file does not have, words that the code [expects](Body::expects) and the file does not have.
    /// Code that is shared by several files says [`Body::for_many_files`].
    pub fn new(mut spec: Spec, body: Body<W>, threads: usize) -> Result<Self, BodyErrors> {
        let code = Code::new(body, &mut spec)?;
        Ok(Minds {
            spec: Arc::new(spec),
            code,
            groups: Vec::new(),
            places: HashMap::new(),
            last: 0,
            shared: Memory::new(SHARED_FACTS),
            others: Others::default(),
            pool: Pool::new(threads),
            orders: Vec::new(),
            events: Vec::new(),
            mistakes: Mistakes::default(),
            totals: Totals::default(),
            clock: None,
            costs: [0; PHASES.len()],
            cost: 0,
            now: 0,
            sleepless: false,
            rules: AskRules::Changed,
            budget: None,
            heavy: None,
            heavy_line: Vec::new(),
            nodes: NODES_PER_CALL,
            line: Vec::new(),
            questions: Vec::new(),
            question_budget: None,
            question_line: Vec::new(),
            questions_wait: false,
            seed: 0,
            cooling: Vec::with_capacity(USUAL_COOLING),
            tellings: Vec::new(),
            begun: Vec::new(),
            letters: Letters::default(),
            tape: Tape::Off,
            output: OutputDigest::default(),
            former: None,
        })
    }

    /// From now on every mind runs in every tick, due or not. Nothing but the cost may show it:
    /// tests compare such minds with others to prove that minds that sleep miss nothing.
    #[doc(hidden)]
    pub fn never_sleep(&mut self) {
        self.sleepless = true;
    }

    /// From now on every mind asks these rules again; in the beginning, those for which something has
    /// changed. Nothing but the cost may show it: the plain twins that tests and benches hold minds
    /// against.
    #[doc(hidden)]
    pub fn ask_rules(&mut self, rules: AskRules) {
        self.rules = rules;
    }

    /// How many minds may ask the planner in one tick from now on; the others wait for their turn
    /// ([`turns`](crate::turns)). `None`, as in the beginning: all. With `Some(0)` none plans.
    pub fn set_budget(&mut self, plans_per_tick: Option<u32>) {
        self.budget = plans_per_tick;
        self.tape.door(NO_MIND, MindCall::Budget, |to| _ = to.write(&plans_per_tick));
    }

    /// How many minds may do heavy sensor work in one tick from now on: of those that have some to do
    /// the ones whose turn is longest ago ([`heavy`](crate::heavy)). `None`, as in the beginning: all.
    /// With `Some(0)` no sensor that is known to be heavy runs. The number is saved with the minds,
    /// and recorded.
    pub fn set_heavy_budget(&mut self, minds_per_tick: Option<u32>) {
        self.heavy = minds_per_tick;
        self.tape.door(NO_MIND, MindCall::HeavyBudget, |to| _ = to.write(&minds_per_tick));
    }

    throng_base::getters! {
        /// How many minds may ask the planner in one tick.
        budget: Option<u32>;

        /// How many minds may do heavy sensor work in one tick.
        heavy: Option<u32>;

        /// The seed of all chance.
        seed: u64;

        /// What the file says.
        spec: &Spec;

        /// What all minds know.
        shared: &Memory;

        /// The orders of the last tick, by mind.
        orders: &[IssuedOrder];

        /// What happened in the last tick, by mind.
        events: &[Event];

        /// When the last tick was.
        now: Tick;

        /// What all minds did so far.
        totals: Totals;

        /// What your clock counted so far, by phase of [`PHASES`](crate::tick::PHASES).
        costs: [u64; PHASES.len()];

        /// What your clock counted around ticks so far: phases, and what is between them. On one
        /// thread it is at least what the phases are together.
        cost: u64;
    }

    /// How many states one call of the planner may look at from now on; in the beginning 50,000.
    /// Where they do not suffice the goal stands as [`GaveUp`](crate::choose::Standing::GaveUp)
    /// until something changes. The number is saved with the minds, and recorded.
    pub fn set_nodes_per_call(&mut self, nodes: u64) {
        self.nodes = nodes;
        // Answers that were given up on are no longer to be had from memory.
        self.groups.iter_mut().for_each(|group| group.scratch = Scratch::new(nodes));
        self.tape.door(NO_MIND, MindCall::Nodes, |to| to.number(nodes));
    }

    /// How many states one call of the planner may look at.
    pub fn nodes_per_call(&self) -> u64 {
        self.nodes
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// A new mind of a type, by id or name, for an entity of the game.
    ///
    /// # Errors
    ///
    /// There is no such type; no mind begins.
    pub fn spawn(
        &mut self,
        npc: impl IdOrName<NpcTypeId>,
        me: EntityId,
    ) -> Result<MindId, MindError> {
        let npc = self.spec.domain.map().id(npc)?;
        self.last += 1;
        let id = MindId(self.last);
        self.tape.door(id, MindCall::Spawn, |to| _ = to.write(&npc).write(&me));
        self.place(Mind::new(&self.spec, npc, id, me, self.now));
        Ok(id)
    }

    /// Room for what all minds may begin and tell in a tick, a step and two facts each and some who tell
    /// much: so hardly a tick that is busier than those before takes any.
    fn make_room(&mut self) {
        let (pauses, all) = (self.spec.has_pauses, self.places.len());
        for Group { outbox, minds, .. } in &mut self.groups {
            outbox.begun.reserve(if pauses { minds.len() } else { 0 });
            // Where nobody ever tells there is none.
            let much = 2 * minds.len() + MUCH_TOLD;
            outbox.tellings.reserve(if outbox.tellings.capacity() > 0 { much } else { 0 });
            outbox.shares.reserve(if outbox.shares.capacity() > 0 { much } else { 0 });
        }
        self.begun.reserve(if pauses { all } else { 0 });
        let tells = self.tellings.capacity() > 0;
        self.tellings.reserve(if tells { 2 * all + MUCH_TOLD } else { 0 });
    }

    /// Adds what left minds to the orders and events of the last tick.
    fn take_out(&mut self, outbox: &mut Outbox) {
        self.orders.append(&mut outbox.orders);
        self.events.append(&mut outbox.events);
        outbox.mistakes.drain(..).for_each(|mistake| self.mistakes.add(mistake, &self.spec));
        for fact in outbox.shares.drain(..) {
            self.shared.share(&fact, self.spec.told, self.now, NEVER);
        }
        self.tellings.append(&mut outbox.tellings);
        self.begun.append(&mut outbox.begun);
        self.letters.take_back(&mut outbox.read);
        self.questions_wait |= take(&mut outbox.filed) > 0;
    }

    /// Ends a mind: what it does is cancelled first. The orders and events of its end are with
    /// those of the last tick.
    ///
    /// # Errors
    ///
    /// There is no such mind.
    pub fn despawn(&mut self, id: MindId, world: &W) -> Result<(), MindError> {
        let mut mind = self.remove(id).ok_or(MindError::NoMind(id))?;
        self.forget_questions(id);
        self.others.take_back(id, None);
        self.tape.door(id, MindCall::Despawn, |_| {});
        self.between_ticks(|minds, outbox| minds.cancel(&mut mind, world, outbox));
        Ok(())
    }

    fn cancel(&self, mind: &mut Mind, world: &W, outbox: &mut Outbox) {
        let context = &self.context(world);
        let mut tick = MindTick { mind, context, outbox };
        tick.cancel_all();
        tick.publish();
    }

    /// What is around all minds at this moment.
    fn context<'a>(&'a self, world: &'a W) -> Context<'a, W> {
        Context {
            spec: &self.spec,
            code: &self.code,
            world,
            shared: &self.shared,
            others: &self.others,
            now: self.now,
            clock: self.clock,
            sleepless: self.sleepless,
            rules: self.rules,
            may_ask: self.budget.is_none(),
            seed: self.seed,
            cooling: &self.cooling,
        }
    }

    /// Cancels what a mind does and lets it think anew in the next tick. The orders of the end are
    /// with those of the last tick.
    ///
    /// # Errors
    ///
    /// There is no such mind.
    pub fn interrupt(&mut self, id: MindId, world: &W) -> Result<(), MindError> {
        let mut mind = self.mind(id).ok_or(MindError::NoMind(id))?.clone();
        self.tape.door(id, MindCall::Interrupt, |_| {});
        self.between_ticks(|minds, outbox| minds.cancel(&mut mind, world, outbox));
        mind.plan.need = Some(Cause::Reloaded);
        mind.wake = 0;
        if let Some(place) = self.mind_mut(id) {
            *place = mind;
        }
        Ok(())
    }

    /// A mind; `None` if it has ended.
    pub fn mind(&self, id: MindId) -> Option<&Mind> {
        let (group, at) = self.places.get(&id).copied()?;
        self.groups.get(group as usize)?.minds.get(at as usize)
    }

    /// All minds, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Mind> {
        self.groups.iter().flat_map(|group| &group.minds)
    }

    /// One tick for all. `now` counts up from call to call.
    pub fn tick(&mut self, world: &W, now: Tick) {
        let Some(clock) = self.clock else { return self.tick_all(world, now) };
        let begin = clock();
        self.tick_all(world, now);
        self.cost += clock().saturating_sub(begin);
    }

    fn tick_all(&mut self, world: &W, now: Tick) {
        let before = std::mem::replace(&mut self.now, now);
        self.tapes_out(before);
        self.shared.forget(now);
        self.orders.clear();
        self.events.clear();
        self.questions.clear();
        self.make_room();
        // Not `context`: the groups stay in their place, whatever the game's code does.
        let Minds { spec, code, shared, others, pool, groups, line, cooling, .. } = self;
        let (clock, sleepless, may_ask) = (self.clock, self.sleepless, self.budget.is_none());
        let (rules, seed, others) = (self.rules, self.seed, &*others);
        let held = &mut self.heavy_line;
        held.clear();
        self.heavy.iter().for_each(|&most| heavy::hold_back(groups, held, most, spec, now));
        let context = &Context {
            spec,
            code,
            world,
            shared,
            others,
            now,
            clock,
            sleepless,
            rules,
            may_ask,
            seed,
            cooling,
        };
        match self.budget {
            None => pool.each(groups, &|_, group| {
                group.awake = 0;
                for mind in &mut group.minds {
                    let mut tick = MindTick { mind, context, outbox: &mut group.outbox };
                    group.awake += u64::from(tick.all(&mut group.scratch));
                }
            }),
            Some(budget) => {
                let patience = spec.pace.ticks(PATIENCE_SECONDS);
                pool.each(groups, &|_, group| turns::first_half(group, context));
                turns::give(groups, line, budget, now, patience);
                pool.each(groups, &|_, group| turns::second_half(group, context));
            }
        }
        heavy::let_go(groups, &self.heavy_line);
        let mut groups = take(&mut self.groups);
        groups.iter_mut().for_each(|group| self.gather(group));
        if self.spec.selects_ask_others {
            let minds = groups.iter().flat_map(|group| &group.minds).map(Mind::picker);
            self.others.gather(&self.spec, minds, now);
        }
        self.groups = groups;
        self.hand_round();
        self.hand_out_questions();
        self.tapes_in();
    }

    /// Takes what a group has sent and counted in a tick.
    fn gather(&mut self, group: &mut Group) {
        self.take_out(&mut group.outbox);
        let (searched, recalled) = group.scratch.take_counts();
        self.totals.mind_ticks += group.minds.len() as u64;
        self.totals.awake += group.awake;
        self.totals.asked += searched + recalled;
        self.totals.calls += searched;
        self.totals.recalls += recalled;
        for (sum, cost) in self.costs.iter_mut().zip(&mut group.outbox.costs) {
            *sum += take(cost);
        }
    }

    /// Takes the orders out. A game that does so after each tick, and after each
    /// [`despawn`](Self::despawn), [`interrupt`](Self::interrupt) and [`reload`](Self::reload),
    /// gets every order once: the cancellations of these are lost in the next tick.
    pub fn drain_orders(&mut self) -> impl Iterator<Item = IssuedOrder> {
        self.orders.drain(..)
    }

    /// Lets phases be measured by a clock of yours from now on: this library reads none. The clock
    /// is asked on the thread that runs the phase; without one nothing is measured.
    pub fn measure_by(&mut self, clock: Option<fn() -> u64>) {
        self.clock = clock;
        (self.costs, self.cost) = ([0; PHASES.len()], 0);
    }

    /// In how many groups minds are kept; a thread takes one at a time.
    pub fn n_groups(&self) -> usize {
        self.groups.len()
    }

    /// Takes all the room that the facts of these minds, and those that all share, can need. Else it
    /// grows as facts come, until as many were there as ever are. Minds that come later are not meant.
    pub fn reserve_facts(&mut self) {
        let minds = self.groups.iter_mut().flat_map(|group| &mut group.minds);
        minds.for_each(|mind| mind.memory.reserve());
        self.shared.reserve();
    }

    /// The bytes of all minds.
    pub fn bytes(&self) -> usize {
        self.iter().map(Mind::bytes).sum()
    }

    /// All that the minds are, in one number: equal for equal minds.
    pub fn digest(&self) -> u64 {
        let mut to = Encoder::default();
        self.iter().for_each(|mind| mind.encode(&self.spec, &mut to));
        self.shared.encode(&mut to);
        if !self.others.claims().is_empty() {
            to.write(self.others.claims());
        }
        checksum(0, &to.bytes)
    }
}
