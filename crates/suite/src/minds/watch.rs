//! Watches one mind: what must hold after every tick, whatever happens.
//!
//! In:   what was done to it, its events and orders, itself.
//! Out:  nothing, or what is wrong.
//! Cost: some microseconds per tick; a search of all states when a mind says that there is no plan.
//!
//! Here are the rules about what happens: runs, orders, goals that change; in `watch/besides.rs`
//! those about what is done beside, in `watch/plans.rs` those about plans that are made, in `watch/picks.rs` those about what is picked, and in
//! `watch/company.rs` those about all minds together. The rules about what is (values, checks, prices, scores, the
//! rest of the plan) are in `watch/truth.rs`; they are asked in ticks in which no behaviour was
//! called, asleep or not, because after a behaviour things may be otherwise than the mind could
//! know.

mod besides;
mod company;
mod picks;
mod plans;
mod seen;
mod truth;

use super::legal::name;
use super::script::Op;
use super::stage::Stage;
use super::world::World;
use besides::Beside;
pub use company::Company;
use picks::Slots;
pub use seen::Seen;
use seen::{effects_of, name_of};
use std::collections::{BTreeMap, HashMap};
use throng_domain::compile::{PackedValue, UNKNOWN};
use throng_domain::model::{ActionId, CheckId, GoalId, NpcTypeId, VariableId};
use throng_mind::body::Ending;
use throng_mind::choose::Standing;
use throng_mind::events::{Activity, Cause, Event, EventKind};
use throng_mind::fact::{Attribute, EntityId};
use throng_mind::memory::{FactRef, Memory};
use throng_mind::orders::{IssuedOrder, Message, MindId, Order, OrderId};
use throng_mind::select::Claim;
use throng_mind::spec::{GoalSpec, Spec};
use throng_mind::time::{Tick, after};
use throng_mind::{Mind, Minds};

/// An order that has neither been reported nor cancelled.
#[derive(Clone, Copy)]
struct Open {
    sent: Tick,
    /// Ends by itself when its time has passed.
    is_animation: bool,
}

/// What is known about one mind.
pub struct Watch {
    /// Which.
    pub id: MindId,
    me: EntityId,
    npc: NpcTypeId,
    run: Option<(u32, Activity)>,
    last_run: u32,
    run_since: Tick,
    active: Option<GoalId>,
    active_since: Tick,
    /// The score of the active goal as it was after the last tick, if it was pursued then.
    pursued: Option<f32>,
    /// Nothing of a lower score than this begins before then, unless it is urgent: what was reached
    /// lingers.
    lingers: (f32, Tick),
    /// By name of the goal: when it was left.
    left: HashMap<String, Tick>,
    open: BTreeMap<OrderId, Open>,
    last_order: u32,
    /// Orders that were dropped, and whose numbers were not passed over yet.
    dropped: u32,
    reports: Vec<OrderId>,
    otherwise_after: Tick,
    /// Its first tick, or the first after a reload: it does nothing for as long as the file says.
    born: Option<Tick>,
    /// Actions that failed or were doubted, and until when.
    absent: HashMap<ActionId, Tick>,
    /// How often in a row each has failed.
    fails: HashMap<ActionId, u32>,
    /// Values that no rule speaks of, by position.
    values: Vec<PackedValue>,
    /// Values that an action has set, with the moment, of variables with rules.
    believed: HashMap<VariableId, (PackedValue, Tick)>,
    told: HashMap<CheckId, bool>,
    slots: Slots,
    beside: Beside,
    calls: u32,
    /// In this tick the step under way was heard first, as an order of it has ended.
    late: bool,
    /// A question was answered: perhaps the action under way had asked it.
    answered: bool,
    /// It was not known in the tick before whether that was so.
    unsure: bool,
}

/// What is around a mind after a tick.
pub(super) struct Moment<'m> {
    pub(super) stage: &'m Stage,
    pub(super) spec: &'m Spec,
    pub(super) shared: &'m Memory,
    pub(super) mind: &'m Mind,
    pub(super) now: Tick,
    pub(super) events: &'m [Event],
    /// Who had what before the tick.
    pub(super) claims: &'m [Claim],
    pub(super) seed: u64,
}

impl Watch {
    /// A mind that has just begun.
    pub fn new(spec: &Spec, id: MindId, npc: NpcTypeId, me: EntityId) -> Watch {
        let mut values = vec![UNKNOWN; spec.domain.map().n_variables()];
        for fact in spec.domain.npc(npc).starts() {
            values[fact.variable.index()] = fact.value.index() as PackedValue;
        }
        Watch {
            id,
            me,
            npc,
            run: None,
            last_run: 0,
            run_since: 0,
            active: None,
            active_since: 0,
            pursued: None,
            lingers: (0.0, 0),
            left: HashMap::new(),
            open: BTreeMap::new(),
            last_order: 0,
            dropped: 0,
            reports: Vec::new(),
            otherwise_after: 0,
            born: None,
            absent: HashMap::new(),
            fails: HashMap::new(),
            values,
            believed: HashMap::new(),
            told: HashMap::new(),
            slots: Slots::new(spec),
            beside: Beside::default(),
            calls: 0,
            late: false,
            answered: false,
            unsure: false,
        }
    }

    /// Hears what is done to it.
    pub fn hear(&mut self, op: &Op) {
        match op {
            Op::Tell(id, Message::Done(order) | Message::Failed(order, _)) if *id == self.id => {
                self.reports.push(*order);
            }
            Op::SetFact(id, fact) if *id == self.id => {
                self.values[fact.variable.index()] = fact.value.index() as PackedValue;
                // Rules have the last word, but only after something was picked by it.
                self.slots.knows_no_more();
            }
            Op::Answer(question, _) if question.mind() == self.id => self.answered = true,
            Op::SetCheck(id, check, holds) if *id == self.id => {
                self.told.insert(*check, *holds);
            }
            _ => {}
        }
    }

    /// The same file was loaded again: times and doubts are forgotten, values stay.
    pub fn reloaded(&mut self, minds: &Minds<World>) {
        let spec = minds.spec();
        minds.mind(self.id).into_iter().for_each(|mind| self.slots.carried(mind));
        let fresh = Watch::new(spec, self.id, self.npc, self.me);
        let own = spec.domain.npc(self.npc).variables();
        for (at, value) in fresh.values.iter().enumerate() {
            let is_own = own.iter().any(|variable| variable.index() == at);
            if !is_own || self.values[at] == UNKNOWN {
                self.values[at] = *value;
            }
        }
        self.active = None;
        (self.pursued, self.lingers) = (None, (0.0, 0));
        self.left.clear();
        self.absent.clear();
        self.fails.clear();
        self.believed.clear();
        self.beside.knows_no_more();
        (self.otherwise_after, self.late, self.born) = (0, false, None);
        // Orders under way were cancelled, so there is nothing to report.
        self.reports.clear();
    }

    /// What happened between two ticks: it was interrupted, or has ended.
    ///
    /// # Errors
    ///
    /// What is wrong.
    pub fn between(
        &mut self,
        spec: &Spec,
        events: &[Event],
        orders: &[IssuedOrder],
        seen: &mut Seen,
    ) -> Result<(), String> {
        self.runs(spec, events, seen)?;
        let now = events.first().map_or(0, |event| event.at);
        self.count_dropped(events);
        self.orders(orders, now, true, seen)?;
        self.slots.lets_go();
        if let Some(at) = self.beside.any() {
            return Err(format!("beside {at} goes on after the end"));
        }
        self.run.map_or(Ok(()), |run| Err(format!("{run:?} goes on after the end")))
    }

    /// What must hold after a tick.
    ///
    /// # Errors
    ///
    /// What is wrong.
    pub fn after_tick(
        &mut self,
        stage: &Stage,
        minds: &Minds<World>,
        world: &World,
        (shared, claims): (&Memory, &[Claim]),
        (events, orders): (&[Event], &[IssuedOrder]),
        seen: &mut Seen,
    ) -> Result<(), String> {
        let (spec, now) = (minds.spec(), minds.now());
        let mind = minds.mind(self.id).ok_or("it is gone")?;
        let seed = minds.seed();
        let moment = Moment { stage, spec, shared, mind, now, events, claims, seed };
        self.born.get_or_insert(now);
        let mut heard = false;
        for order in std::mem::take(&mut self.reports) {
            heard |= self.open.remove(&order).is_some();
        }
        // Whether the step has asked, and whether it has ordered, is not to be seen from here if
        // others ask and something is done beside.
        let unanswered = |event: &Event| matches!(event.what, EventKind::Unanswered { .. });
        let unsure = std::mem::take(&mut self.answered)
            || events.iter().any(unanswered)
            || heard && self.beside.any().is_some();
        // Not twice in a row.
        let is_plain = |action| spec.action(action).parts.is_empty();
        let is_step = matches!(self.run, Some((_, Activity::Step(action))) if is_plain(action));
        let is_first = !self.late || self.unsure;
        self.late = is_step && (heard && is_first || unsure);
        self.unsure = unsure;
        let was_acting = self.run.is_some() || self.beside.any().is_some();
        let before = self.active;
        self.goals(&moment, seen)?;
        self.runs(spec, events, seen)?;
        let acts = was_acting || self.run.is_some() || !events.is_empty();
        self.count_dropped(events);
        self.orders(orders, now, acts, seen)?;
        self.picks(&moment, seen)?;
        self.no_order_is_left(mind)?;
        self.is_as_told(mind, events)?;
        self.beside.is_as_told(spec, mind, self.run)?;
        self.does_something(&moment, seen)?;
        self.plans(&moment, before, seen)?;
        let acted = world.has_acted(self.me, now);
        let changed = |event: &Event| {
            matches!(event.what, EventKind::Started { .. } | EventKind::Ended { .. })
        };
        // The parts of a compound begin without a word, and may do something besides.
        let action = self.run.and_then(|(_, doing)| doing.action());
        let parts = action.map_or(&[][..], |action| &spec.action(action).parts);
        let is_hidden = parts.iter().any(|&part| spec.action(part).effects.is_some());
        if !acted && !is_hidden && !events.iter().any(changed) {
            self.truth(&moment, seen)?;
        } else {
            self.slots.knows_no_more();
        }
        seen.add("ticks", 1);
        seen.add("asleep", u64::from(mind.sleeps_until() > now + 1));
        Ok(())
    }

    /// Every run ends once, and one is under way at a time.
    fn runs(&mut self, spec: &Spec, events: &[Event], seen: &mut Seen) -> Result<(), String> {
        for event in events {
            seen.add(name_of(spec, event), 1);
            effects_of(spec, event).for_each(|effect| seen.add(effect, 1));
            self.picked(spec, event)?;
            match event.what {
                EventKind::Started { run, doing: Activity::Beside(at), .. } => {
                    if run != self.last_run + 1 {
                        return Err(format!("{event:?} after run {}", self.last_run));
                    }
                    self.last_run = run;
                    self.beside.begins(spec, self.npc, (run, at, event.at), self.run)?;
                }
                EventKind::Ended { run, doing: Activity::Beside(at), how } => {
                    let retry = spec.npcs[self.npc.index()].retry;
                    self.beside.ends((run, at, event.at), how, retry)?;
                }
                EventKind::Started { run, doing, .. } => {
                    if self.run.is_some() || run != self.last_run + 1 {
                        return Err(format!("{event:?} while {:?} is under way", self.run));
                    }
                    (self.run, self.last_run) = (Some((run, doing)), run);
                    self.run_since = event.at;
                    self.beside.makes_way(spec, doing)?;
                }
                EventKind::Ended { run, doing, how } => {
                    if self.run.take() != Some((run, doing)) {
                        return Err(format!("{event:?} was not under way"));
                    }
                    self.ended(spec, doing, how, event.at);
                }
                EventKind::Doubted(action) => {
                    let ticks = spec.npcs[self.npc.index()].doubt.1;
                    self.is_absent_until(action, after(event.at, ticks));
                }
                _ => {}
            }
        }
        let heavy = events.iter().filter(|event| matches!(event.what, EventKind::Heavy(_))).count();
        if heavy > 1 { Err(format!("{heavy} pieces of heavy work in one tick")) } else { Ok(()) }
    }

    fn is_absent_until(&mut self, action: ActionId, until: Tick) {
        let known = self.absent.entry(action).or_default();
        *known = until.max(*known);
    }

    fn ended(&mut self, spec: &Spec, doing: Activity, how: Ending, now: Tick) {
        let retry = spec.npcs[self.npc.index()].retry;
        if !matches!(doing, Activity::Otherwise(_)) {
            let rest = spec.npcs[self.npc.index()].otherwise_after;
            self.otherwise_after = self.otherwise_after.max(after(now, rest));
        }
        match (doing, how) {
            (Activity::Step(action) | Activity::Otherwise(action), Ending::Done) => {
                self.fails.remove(&action);
                let kind = spec.domain.npc(self.npc);
                for &set in kind.local_action(action).map_or(&[][..], |local| kind.sets(local)) {
                    let variable = kind.fact(set).variable;
                    // What it was about is not what the slot holds now.
                    if self.slots.is_lost(spec, variable, set.value, self.run_since) {
                        continue;
                    }
                    self.values[variable.index()] = set.value;
                    self.believed.insert(variable, (set.value, now));
                }
            }
            (Activity::Step(action), Ending::Failed(_)) => {
                // Twice as long each time in a row, up to thirty-two times.
                let fails = self.fails.entry(action).or_default();
                let wait = retry.saturating_mul(1 << (*fails).min(5));
                *fails += 1;
                self.is_absent_until(action, after(now, wait));
            }
            (Activity::Otherwise(_), Ending::Failed(_)) => {
                self.otherwise_after = after(now, retry.max(1));
            }
            _ => {}
        }
    }

    /// Whether it stands still before it does what it does without a plan.
    fn stands_still(&self, spec: &Spec, mind: &Mind, action: ActionId, now: Tick) -> bool {
        let rest = spec.npcs[self.npc.index()].otherwise_after;
        let local = spec.domain.npc(self.npc).local_action(action);
        let rules = spec.action(action);
        let may_be_held_back = rules.cooldown.is_some()
            || rules.chance.is_some()
            || picks::named(spec, action).any(|slot| mind.picks().get(slot).is_none());
        now < self.otherwise_after.max(self.lingers.1)
            || self.born.is_none_or(|born| now < after(born, rest))
            || local.is_some_and(|local| mind.state().forbidden().has(local)) && may_be_held_back
    }

    /// Ways that were ordered without the legs do not go out.
    fn count_dropped(&mut self, events: &[Event]) {
        let drops = |event: &&Event| matches!(event.what, EventKind::WrongChannel(_));
        self.dropped += events.iter().filter(drops).count() as u32;
    }

    /// Orders are given by a mind that acts, and end once.
    fn orders(
        &mut self,
        orders: &[IssuedOrder],
        now: Tick,
        acts: bool,
        seen: &mut Seen,
    ) -> Result<(), String> {
        for sent in orders {
            if !acts {
                return Err(format!("{sent:?} by nobody who acts"));
            }
            match sent.order {
                Order::Cancel(id) => {
                    if self.open.remove(&id).is_none() {
                        return Err(format!("{id:?} is cancelled and was not under way"));
                    }
                }
                Order::Emit(_) => {
                    seen.add("noise", 1);
                    if sent.id.0 != 0 {
                        return Err(format!("{sent:?} has a number, and nothing becomes of it"));
                    }
                }
                order => {
                    // Those that were dropped have numbers too.
                    let skipped = sent.id.0.checked_sub(self.last_order + 1);
                    let Some(left) = skipped.and_then(|it| self.dropped.checked_sub(it)) else {
                        return Err(format!("{sent:?} after order {}", self.last_order));
                    };
                    self.dropped = left;
                    self.last_order = sent.id.0;
                    let is_animation = matches!(order, Order::Animate { .. });
                    self.open.insert(sent.id, Open { sent: now, is_animation });
                }
            }
        }
        Ok(())
    }

    /// What was ordered by an action that has ended was reported or cancelled.
    fn no_order_is_left(&mut self, mind: &Mind) -> Result<(), String> {
        let under_way = mind.follow().run().into_iter().chain(mind.follow().besides());
        let since = under_way.map(|run| run.since).min();
        let given = mind.board().orders().chain(mind.follow().orders_beside());
        let given: Vec<OrderId> = given.map(|(id, _)| id).collect();
        if let Some(id) = self.open.keys().find(|id| !given.contains(id)) {
            return Err(format!("{id:?} is under way, and nothing that is under way has given it"));
        }
        let is_over = |open: &Open| since.is_none_or(|since| open.sent < since);
        // Animations end by themselves.
        self.open.retain(|_, open| !(open.is_animation && is_over(open)));
        match self.open.iter().find(|(_, open)| is_over(open)) {
            Some((id, open)) => Err(format!("{id:?} of tick {} is left behind", open.sent)),
            None => Ok(()),
        }
    }

    /// Events and what can be asked say the same.
    fn is_as_told(&self, mind: &Mind, events: &[Event]) -> Result<(), String> {
        let run = mind.follow().run().map(|run| (run.run, run.doing));
        if run != self.run {
            return Err(format!("does {run:?}, told of {:?}", self.run));
        }
        let ended = self.last_run - u32::from(self.run.is_some()) - self.beside.count();
        if mind.follow().counts() != (self.last_run, ended) {
            return Err(format!("{:?} counted, told of {}", mind.follow().counts(), self.last_run));
        }
        if mind.goals().active() != self.active {
            return Err(format!("wants {:?}, told of {:?}", mind.goals().active(), self.active));
        }
        if let Some(event) = events.iter().find(|event| event.mind != self.id) {
            return Err(format!("{event:?} is somebody else's"));
        }
        Ok(())
    }

    /// It does something, or says why not.
    fn does_something(&self, moment: &Moment<'_>, seen: &mut Seen) -> Result<(), String> {
        let Moment { spec, mind, now, .. } = *moment;
        let bound = spec.npcs[self.npc.index()].memory;
        if mind.memory().len() > bound || mind.memory().bound() != bound {
            return Err(format!("{} facts, at most {bound}", mind.memory().len()));
        }
        let told = |fact: &FactRef<'_>| {
            fact.writer() == spec.told && fact.get(Attribute::Source).is_some()
        };
        seen.add("told", u64::from(mind.memory().iter().any(|fact| told(&fact))));
        if self.run.is_some() {
            return Ok(());
        }
        let is_end = |event: &Event| match event.what {
            EventKind::Ended { doing, .. } => !matches!(doing, Activity::Beside(_)),
            _ => false,
        };
        let ended = moment.events.iter().any(is_end);
        let plan = mind.plan();
        let step = plan.step().filter(|_| plan.goal().is_some());
        let is_to_be_his = step.is_some_and(|step| picks::waits_for_a_claim(moment, step));
        seen.add("waits for a claim", u64::from(is_to_be_his));
        let waits = match (plan.goal(), spec.npcs[self.npc.index()].otherwise) {
            (Some(_), _) => is_to_be_his,
            (None, Some(action)) => self.stands_still(spec, mind, action, now),
            (None, None) => true,
        };
        if !ended && !waits {
            return Err(format!("does nothing and has {:?}", mind.plan()));
        }
        // To say why costs a search.
        if (u64::from(now) + u64::from(self.id.0)).is_multiple_of(16) {
            seen.add("reasons", 1);
            if mind.why(spec, now).is_empty() || mind.doing(spec).is_empty() {
                return Err("does nothing and does not say why".to_string());
            }
        }
        Ok(())
    }

    /// Goals change as the file says.
    fn goals(&mut self, moment: &Moment<'_>, seen: &mut Seen) -> Result<(), String> {
        let Moment { spec, mind, stage, .. } = *moment;
        let model = stage.domain.model();
        let mut better = false;
        let standing = |goal| mind.goals().all().iter().find(|it| it.goal == goal);
        let own = self.active.and_then(standing).map(|it| it.standing);
        match (own, self.pursued.take()) {
            (Some(Standing::Satisfied | Standing::Irrelevant), Some(score)) => {
                let lingers = self.active.map_or(0, |goal| spec.goal(goal).lingers);
                self.lingers = (score, after(moment.now, lingers));
            }
            (Some(Standing::Active), _) => self.lingers.1 = 0,
            _ => {}
        }
        for event in moment.events {
            match event.what {
                EventKind::Planned { cause, .. } => better = cause == Cause::BetterGoal,
                EventKind::Goal(goal) => {
                    let old = std::mem::replace(&mut self.active, goal);
                    if let (Some(old), Some(new), true) = (old, goal, better) {
                        self.is_better(spec, mind, old, new, event.at)?;
                        seen.add("better", 1);
                    }
                    if let Some(new) = goal {
                        let score = standing(new).map_or(0.0, |it| it.score);
                        if self.is_to_wait(spec.goal(new), score, event.at) {
                            return Err(format!("{new:?} is to wait: {:?}", self.lingers));
                        }
                        self.lingers.1 = 0;
                        let left = self.left.get(name(model, new)).copied();
                        let rests = left.map_or(0, |at| after(at, spec.goal(new).cooldown));
                        if event.at < rests {
                            return Err(format!("{new:?} is to rest until {rests}"));
                        }
                    }
                    if let Some(old) = old {
                        self.left.insert(name(model, old).to_string(), event.at);
                    }
                    self.active_since = event.at;
                }
                _ => {}
            }
        }
        let own = self.active.and_then(standing).filter(|it| it.standing == Standing::Active);
        self.pursued = own.map(|it| it.score);
        Ok(())
    }

    /// Whether a goal has to wait because what was reached lingers.
    fn is_to_wait(&self, rules: &GoalSpec, score: f32, now: Tick) -> bool {
        now < self.lingers.1 && score < self.lingers.0 && !rules.urgent
    }

    fn is_better(
        &self,
        spec: &Spec,
        mind: &Mind,
        old: GoalId,
        new: GoalId,
        now: Tick,
    ) -> Result<(), String> {
        let score =
            |goal| mind.goals().all().iter().find(|s| s.goal == goal).map_or(0.0, |s| s.score);
        let rules = spec.goal(old);
        let urgent = spec.goal(new).urgent && !spec.goal(old).urgent;
        let (was, is) = (score(old), score(new));
        let kept = now - self.active_since;
        let enough = if urgent { is > was } else { is > was * (1.0 + rules.margin) };
        if !enough || (kept < rules.keep && !urgent) {
            return Err(format!("{new:?} ({is}) replaces {old:?} ({was}) after {kept} ticks"));
        }
        Ok(())
    }
}
