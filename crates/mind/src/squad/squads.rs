//! The step between ticks: members of squads, ends of tasks, what squads and members are told.
//!
//! In:   minds, a [`Ground`], orders of squad minds since the last step.
//! Out:  squad minds that come and go; facts `task` for members, `member` and what members know for
//!       squads; ends of orders; [`TaskNews`].
//! Cost: a look at each member and task; twice a second a look at all minds that could be in a squad.
//!
//! | # | part of a step | what it does |
//! |---|---|---|
//! | 1 | bury | a member whose mind has ended leaves: its tasks end, its claims are free; a squad without a mind ends |
//! | 2 | recall | members forget tasks that are no longer theirs |
//! | 3 | watch | tasks that are done, failed, refused or late end |
//! | 4 | form | members that stray leave, small squads end, those near join or form new ones |
//! | 5 | lead | squads that are to have a leader have one, or learn that they have lost it |
//! | 6 | order | orders of squads become tasks, in the order of the minds |
//! | 7 | let go | tasks that their squad no longer wants end |
//! | 8 | call out | orders by voice go from mouth to mouth |
//! | 9 | share | members tell each other what they know |
//! | 10 | tell | squad minds learn where members are, what these are at and know; members, who leads and where they go |

use super::Ground;
use super::duty::{Report, report_of};
use super::formation::Rank;
use super::sharing::Retelling;
use super::task::{Task, TaskEnd, TaskEvent, TaskNews};
use super::voice::{Call, Unheard};
use crate::choose::Standing;
use crate::events::Activity;
use crate::fact::{Attribute, EntityId, FactDraft, Position};
use crate::mind::Mind;
use crate::minds::Minds;
use crate::orders::{IssuedOrder, Message, MindId, Order, Stimulus, TaskSlot};
use crate::run::Run;
use crate::spec::SquadSpec;
use crate::time::{Tick, after};
use crate::words::Word;

/// What the handles of squads begin with. They are only names: whose order an order is, is said by
/// its mind.
pub(super) const SQUAD: u64 = 1 << 63;
/// Seconds between two looks at the distances of minds, and between two tellings.
pub(super) const LOOK: f64 = 0.5;
/// Seconds that squads wait for a member that finds no way to do its task.
const NO_PLAN: f64 = 0.5;
/// A task that the squad's action has let go of may be taken up again for so many ticks.
const LOOSE: Tick = 2;

/// A member of a squad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its mind.
    pub mind: MindId,
    /// The thing of the game that it is the mind of.
    pub me: EntityId,
}

/// A squad.
#[derive(Clone, PartialEq, Debug)]
pub struct Squad {
    /// Counted from 1; never used for another.
    pub number: u32,
    /// Position in [`Spec::squads`](crate::spec::Spec::squads).
    pub kind: usize,
    /// Its mind.
    pub mind: MindId,
    /// Its members, in the order in which they came.
    pub members: Vec<Member>,
    /// The mind that leads it; `None` if the file wants none, or the last one is gone and the next
    /// has not taken over yet.
    pub leader: Option<MindId>,
    /// Since when nobody leads who did.
    pub(super) lost: Option<Tick>,
    /// Which way its head goes, as far as that is known; who that was and where, when it was looked at.
    pub(super) heading: Position,
    pub(super) led_from: Option<(MindId, Position)>,
    /// When its mind is to be told again.
    pub(super) tell: Tick,
    /// When it is looked at next what members know.
    pub(super) share: Tick,
    /// What members are going to tell each other.
    pub(super) tellings: Vec<Retelling>,
    /// Who has heard of which order, where these come by voice.
    pub(super) calls: Vec<Call>,
    /// Tasks that are over, of which their members have not heard that they are.
    pub(super) unheard: Vec<Unheard>,
    /// Who has which place of the formation.
    pub(super) ranks: Vec<Rank>,
}

impl Squad {
    pub(super) fn new(
        number: u32,
        kind: usize,
        mind: MindId,
        members: Vec<Member>,
        now: Tick,
    ) -> Self {
        Squad {
            number,
            kind,
            mind,
            members,
            leader: None,
            lost: None,
            heading: [0.0; 3],
            led_from: None,
            tell: now,
            share: now,
            tellings: Vec::new(),
            calls: Vec::new(),
            unheard: Vec::new(),
            ranks: Vec::new(),
        }
    }

    /// Whether a mind is one of its members'.
    pub fn has(&self, mind: MindId) -> bool {
        self.members.iter().any(|member| member.mind == mind)
    }
}

/// All squads, their tasks and claims.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Squads {
    /// By number.
    pub(super) squads: Vec<Squad>,
    /// By number.
    pub(super) tasks: Vec<Task>,
    /// Orders of squad minds since the last step.
    pub(super) waiting: Vec<IssuedOrder>,
    /// What happened in the last step.
    pub(super) news: Vec<TaskNews>,
    /// What happened since then: the first news of the next.
    pub(super) between: Vec<TaskNews>,
    /// Minds of squads that ended in the last step or since then: their last orders are ours too.
    pub(super) ended: Vec<MindId>,
    pub(super) last_squad: u32,
    pub(super) last_task: u32,
    /// When squads are formed next.
    pub(super) look: Tick,
    /// What was called out in the last step.
    pub(super) noises: Vec<Stimulus>,
}

impl Squads {
    /// No squads yet.
    pub fn new() -> Self {
        Squads::default()
    }

    /// All squads, by number.
    pub fn all(&self) -> &[Squad] {
        &self.squads
    }

    /// The squad that a mind is of, as a member or as the squad's own.
    pub fn squad_of(&self, mind: MindId) -> Option<&Squad> {
        self.squads.iter().find(|squad| squad.mind == mind || squad.has(mind))
    }

    throng_base::getters! {
        /// Tasks under way, by number.
        tasks: &[Task];

        /// What happened to tasks in the last step, in order.
        news: &[TaskNews];

        /// Orders that were called out in the last step, where they come by voice: noises with the
        /// event `order`, for the game to let sound, as those of [`Order::Emit`].
        noises: &[Stimulus];
    }

    /// The task that has claimed this; `None` if it is free.
    pub fn claimed_by(&self, slot: TaskSlot) -> Option<&Task> {
        self.tasks.iter().find(|task| task.slot == slot && slot != TaskSlot::Free)
    }

    /// The number of the task that a member goes on with because it has not heard that it is over:
    /// where orders come by voice.
    pub fn unheard(&self, mind: MindId) -> Option<u32> {
        let mut unheard = self.squads.iter().flat_map(|squad| &squad.unheard);
        unheard.find(|it| it.member == mind).map(|it| it.task)
    }

    /// Takes an order of a squad's mind; `false` if it is of another mind.
    pub fn take(&mut self, sent: &IssuedOrder) -> bool {
        let is_its = |squad: &Squad| squad.mind == sent.mind;
        let is_ours = self.squads.iter().any(is_its) || self.ended.contains(&sent.mind);
        if is_ours && matches!(sent.order, Order::Task { .. } | Order::Cancel(_)) {
            self.waiting.push(*sent);
        }
        is_ours
    }

    /// One step, before the tick `now` of the minds. Orders and events of squad minds that end are
    /// with those of the last tick.
    pub fn step<W: Ground + ?Sized + Sync>(&mut self, minds: &mut Minds<W>, world: &W, now: Tick) {
        self.news.clear();
        self.noises.clear();
        self.news.append(&mut self.between);
        self.ended.clear();
        let n_kinds = minds.spec().squads.len();
        if n_kinds == 0 && self.squads.is_empty() {
            self.waiting.clear();
            return;
        }
        Step { all: self, minds }.all(world, now);
    }

    /// Lets a member go whose mind goes on elsewhere: call it before [`Minds::put_aside`]. Its task is
    /// cancelled, and its mind takes along that it is. `false` if it is in no squad. A mind that is put
    /// aside without it is taken for dead, and forgets its task when it is back.
    ///
    /// The mind of a squad cannot go elsewhere: a squad whose mind is gone ends.
    pub fn leave<W: Ground + ?Sized + Sync>(&mut self, mind: MindId, minds: &mut Minds<W>) -> bool {
        let found = self.squads.iter().find_map(|squad| {
            let member = squad.members.iter().find(|member| member.mind == mind)?;
            Some((squad.number, *member))
        });
        let Some((squad, member)) = found else { return false };
        let before = self.news.len();
        Step { all: self, minds }.dismiss(squad, member, TaskEnd::Cancelled);
        self.between.extend(self.news.drain(before..));
        // It may be too small now.
        self.look = 0;
        true
    }

    /// Ends all squads and tasks, as before a [`Minds::reload`]: they form anew in the next step.
    pub fn disband<W: Ground + ?Sized + Sync>(&mut self, minds: &mut Minds<W>, world: &W) {
        self.news.clear();
        self.waiting.clear();
        while let Some(squad) = self.squads.last().map(|squad| squad.number) {
            Step { all: self, minds }.end_squad(squad, world);
        }
        self.look = 0;
    }

    pub(super) fn at(&self, number: u32) -> Option<usize> {
        self.squads.iter().position(|squad| squad.number == number)
    }

    pub(super) fn tell_soon(&mut self, number: u32) {
        if let Some(at) = self.at(number) {
            self.squads[at].tell = 0;
        }
    }
}

/// A step under way: squads and the minds they are about.
pub(super) struct Step<'s, W: ?Sized> {
    pub(super) all: &'s mut Squads,
    pub(super) minds: &'s mut Minds<W>,
}

impl<W: Ground + ?Sized + Sync> Step<'_, W> {
    /// All parts, in their order.
    fn all(&mut self, world: &W, now: Tick) {
        let has_lost = self.bury(world);
        self.recall_members();
        self.watch(now);
        if has_lost || now >= self.all.look {
            self.all.look = after(now, self.minds.spec().pace.ticks(LOOK).max(1));
            self.shrink(world);
            self.join(world, now);
        }
        self.say_who_is_where();
        self.lead(now);
        self.order(world, now);
        self.let_go(now);
        self.call_out(now);
        self.share(now);
        for at in 0..self.all.squads.len() {
            if now >= self.all.squads[at].tell {
                self.tell(at, world, now);
            }
        }
    }

    /// Lets minds know whose members they are, if the file says anything to squads.
    fn say_who_is_where(&mut self) {
        if !self.minds.spec().speaks_of_squads {
            return;
        }
        let squads = &self.all.squads;
        let of = |mind: &Mind| {
            let has = |squad: &&Squad| squad.members.iter().any(|it| it.mind == mind.id());
            (mind.id(), mind.squad(), squads.iter().find(has).map(|squad| squad.mind))
        };
        let moved: Vec<_> = self.minds.iter().map(of).filter(|(_, was, is)| was != is).collect();
        // They are there.
        moved.into_iter().for_each(|(mind, _, is)| _ = self.minds.set_squad(mind, is));
    }

    /// Puts a message into an inbox; a mind that has ended needs none.
    pub(super) fn send(&mut self, mind: MindId, message: Message) {
        let _ = self.minds.tell(mind, message);
    }

    fn bury(&mut self, world: &W) -> bool {
        let mut has_lost = false;
        for at in (0..self.all.squads.len()).rev() {
            let number = self.all.squads[at].number;
            if self.minds.mind(self.all.squads[at].mind).is_none() {
                has_lost = true;
                self.end_squad(number, world);
                continue;
            }
            loop {
                let is_gone = |member: &&Member| self.minds.mind(member.mind).is_none();
                let gone = self.all.squads[at].members.iter().find(is_gone);
                let Some(&member) = gone else { break };
                has_lost = true;
                self.dismiss(number, member, TaskEnd::Dead);
            }
        }
        has_lost
    }

    /// A member is in its squad no longer.
    pub(super) fn dismiss(&mut self, squad: u32, member: Member, how: TaskEnd) {
        let is_his = |task: &&Task| task.member == member.mind;
        if let Some(task) = self.all.tasks.iter().find(is_his).map(|task| task.number) {
            self.end(task, how);
        }
        let Some(at) = self.all.at(squad) else { return };
        self.let_forget(at, |it| it == member.mind);
        self.all.squads[at].members.retain(|known| *known != member);
        self.all.squads[at].ranks.retain(|rank| rank.mind != member.mind);
        self.all.squads[at].tell = 0;
        let like = FactDraft::new(self.minds.spec().squad_words.member);
        let like = like.with(Attribute::Object, member.me, 1.0);
        self.send(self.all.squads[at].mind, Message::Untold(Box::new(like)));
    }

    fn watch(&mut self, now: Tick) {
        let mut next = 0;
        while let Some(&task) = self.all.tasks.get(next) {
            // What ends here is taken out, and the others move up.
            let at = next;
            next += 1;
            let Some(spec) = self.spec_of(task.squad) else { continue };
            let (tasks, patience) = (spec.tasks, spec.patience);
            let Some(mind) = self.minds.mind(task.member) else { continue };
            let end = match report_of(mind.memory(), self.minds.spec(), task.number) {
                Report::Done => Some(TaskEnd::Done),
                Report::Failed(why) => Some(TaskEnd::Failed(why)),
                Report::Underway(doing) => {
                    (self.all.tasks[at].seen, self.all.tasks[at].doing) = (now, doing);
                    None
                }
                // Who has not heard of it yet cannot refuse.
                Report::Nothing if !task.told => {
                    self.all.tasks[at].seen = now;
                    None
                }
                // He is at it, by something that does not report: he reloads, or throws.
                Report::Nothing if self.pursues_duty(task.member) => {
                    (self.all.tasks[at].seen, self.all.tasks[at].doing) = (now, Word::NONE);
                    None
                }
                Report::Nothing => {
                    self.all.tasks[at].doing = Word::NONE;
                    let away = now.saturating_sub(task.seen);
                    let patience = match self.has_no_plan(task.member) {
                        true => patience.min(self.minds.spec().pace.ticks(NO_PLAN)),
                        false => patience,
                    };
                    (away > patience).then_some(TaskEnd::Refused)
                }
            };
            let is_late = now.saturating_sub(task.given) >= tasks;
            match end.or(is_late.then_some(TaskEnd::TimedOut)) {
                Some(end) => {
                    self.end(task.number, end);
                    next = at;
                }
                None if self.all.tasks[at].doing != task.doing => self.all.tell_soon(task.squad),
                None => {}
            }
        }
    }

    /// Whether what a member does is a step towards what it is told.
    fn pursues_duty(&self, member: MindId) -> bool {
        let Some(mind) = self.minds.mind(member) else { return false };
        let goal = mind.plan().goal();
        let is_step = |run: &Run| matches!(run.doing, Activity::Step(_));
        goal.is_some_and(|goal| self.minds.spec().goals_of_duty.contains(&goal))
            && mind.follow().run().is_some_and(is_step)
    }

    /// Whether a member finds no way to do what it is told.
    fn has_no_plan(&self, member: MindId) -> bool {
        let duties = &self.minds.spec().goals_of_duty;
        let goals = self.minds.mind(member).map_or(&[][..], |mind| mind.goals().all());
        let mut own = goals.iter().filter(|goal| duties.contains(&goal.goal));
        own.any(|goal| goal.standing == Standing::NoPlan)
    }

    fn let_go(&mut self, now: Tick) {
        let is_over = |task: &&Task| task.loose.is_some_and(|since| now >= after(since, LOOSE));
        while let Some(task) = self.all.tasks.iter().find(is_over).map(|task| task.number) {
            self.end(task, TaskEnd::Cancelled);
        }
    }

    /// The one end of a task: claims are free, the member is to know, the squad's order ends.
    pub(super) fn end(&mut self, number: u32, how: TaskEnd) {
        let Some(at) = self.all.tasks.iter().position(|task| task.number == number) else { return };
        let task = self.all.tasks.remove(at);
        self.all.news.push(TaskNews { task, event: TaskEvent::Ended(how) });
        self.release(task.member, task.slot, task.thing);
        self.take_back(&task, how);
        let Some(squad) = self.all.at(task.squad).map(|at| self.all.squads[at].mind) else {
            return;
        };
        self.all.tell_soon(task.squad);
        // What was let go of wants no end.
        if task.loose.is_some() {
            return;
        }
        let words = self.minds.spec().squad_words;
        let end = match how {
            TaskEnd::Done => Message::Done(task.order),
            TaskEnd::Failed(why) if why != Word::NONE => Message::Failed(task.order, why),
            TaskEnd::Failed(_) => Message::Failed(task.order, words.failed),
            TaskEnd::Cancelled => Message::Failed(task.order, words.replaced),
            TaskEnd::Refused => Message::Failed(task.order, words.refused),
            TaskEnd::Dead => Message::Failed(task.order, words.dead),
            TaskEnd::TimedOut => Message::Failed(task.order, words.late),
        };
        self.send(squad, end);
    }

    pub(super) fn spec_of(&self, squad: u32) -> Option<&SquadSpec> {
        self.minds.spec().squads.get(self.all.squads[self.all.at(squad)?].kind)
    }
}
