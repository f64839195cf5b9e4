//! The step between ticks: who is in which squad, what became of tasks, what is told to whom.
//!
//! In:   minds, a [`Ground`], orders of squad minds since the last step.
//! Out:  squad minds that come and go; facts `task` for members, `member` and what members know for
//!       squads; ends of orders; [`TaskNews`].
//! Cost: a look at each member and task; twice a second a look at all who could be in a squad.
//!
//! | # | part of a step | what it does |
//! |---|---|---|
//! | 1 | bury | who has no mind any more is in no squad: his tasks end, his claims are free; a squad without a mind ends |
//! | 2 | recall | members forget tasks that are no longer theirs |
//! | 3 | watch | tasks that are done, failed, refused or late end |
//! | 4 | form | who strays leaves, small squads end, those near join or form new ones |
//! | 5 | tell late | members who let go of another task in the last step learn of the new one |
//! | 6 | order | orders of squads become tasks, in the order of the minds |
//! | 7 | let go | tasks that their squad no longer wants end |
//! | 8 | tell | squad minds learn where members are, what these are at and know |

use super::Ground;
use super::duty::{Report, index_of, report_of};
use super::recall::untell;
use super::task::{Task, TaskEnd, TaskEvent, TaskNews};
use crate::fact::{Attribute, EntityId, FactDraft};
use crate::minds::Minds;
use crate::orders::{IssuedOrder, Message, MindId, Order, Slot};
use crate::spec::SquadSpec;
use crate::time::{Tick, after};
use crate::words::Word;

/// What the handles of squads begin with. They are only names: whose order an order is, is said by
/// its mind.
pub(super) const SQUAD: u64 = 1 << 63;
/// Seconds between two looks at who is near whom, and between two tellings.
pub(super) const LOOK: f64 = 0.5;
/// A task that the squad's action has let go of may be taken up again for so many ticks.
const LOOSE: Tick = 2;

/// Somebody in a squad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member {
    /// His mind.
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
    /// When its mind is to be told again.
    pub(super) tell: Tick,
}

impl Squad {
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

    /// Tasks under way, by number.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// What happened to tasks in the last step, in order.
    pub fn news(&self) -> &[TaskNews] {
        &self.news
    }

    /// Who has claimed something.
    pub fn claimed_by(&self, slot: Slot) -> Option<&Task> {
        self.tasks.iter().find(|task| task.slot == slot && slot != Slot::Free)
    }

    /// Takes an order of a squad's mind; `false` if it is of somebody else.
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
        self.news.append(&mut self.between);
        self.ended.clear();
        let n_kinds = minds.spec().squads.len();
        if n_kinds == 0 && self.squads.is_empty() {
            self.waiting.clear();
            return;
        }
        let has_lost = self.bury(minds, world);
        self.recall_members(minds);
        self.watch(minds, now);
        if has_lost || now >= self.look {
            self.look = after(now, minds.spec().pace.ticks(LOOK).max(1));
            self.shrink(minds, world);
            self.join(minds, world, now);
        }
        self.tell_late(minds);
        self.order(minds, now);
        self.let_go(minds, now);
        for at in 0..self.squads.len() {
            if now >= self.squads[at].tell {
                self.tell(at, minds, world, now);
            }
        }
    }

    /// Lets somebody go whose mind goes on elsewhere: call it before [`Minds::put_aside`]. His task
    /// is cancelled, and his mind takes along that it is. `false` if he is in no squad. Who is put
    /// aside without it is taken for dead, and forgets his task when he is back.
    ///
    /// The mind of a squad cannot go elsewhere: a squad whose mind is gone ends.
    pub fn leave<W: Ground + ?Sized + Sync>(&mut self, mind: MindId, minds: &mut Minds<W>) -> bool {
        let found = self.squads.iter().find_map(|squad| {
            let member = squad.members.iter().find(|member| member.mind == mind)?;
            Some((squad.number, *member))
        });
        let Some((squad, member)) = found else { return false };
        let before = self.news.len();
        self.dismiss(squad, member, TaskEnd::Cancelled, minds);
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
            self.end_squad(squad, minds, world);
        }
        self.look = 0;
    }

    fn bury<W: Ground + ?Sized + Sync>(&mut self, minds: &mut Minds<W>, world: &W) -> bool {
        let mut has_lost = false;
        for at in (0..self.squads.len()).rev() {
            let number = self.squads[at].number;
            if minds.mind(self.squads[at].mind).is_none() {
                has_lost = true;
                self.end_squad(number, minds, world);
                continue;
            }
            loop {
                let is_gone = |member: &&Member| minds.mind(member.mind).is_none();
                let gone = self.squads[at].members.iter().find(is_gone);
                let Some(&member) = gone else { break };
                has_lost = true;
                self.dismiss(number, member, TaskEnd::Dead, minds);
            }
        }
        has_lost
    }

    /// Somebody is in a squad no longer.
    pub(super) fn dismiss<W: Ground + ?Sized + Sync>(
        &mut self,
        squad: u32,
        member: Member,
        how: TaskEnd,
        minds: &mut Minds<W>,
    ) {
        let is_his = |task: &&Task| task.member == member.mind;
        if let Some(task) = self.tasks.iter().find(is_his).map(|task| task.number) {
            self.end(task, how, minds);
        }
        let Some(at) = self.at(squad) else { return };
        self.squads[at].members.retain(|known| *known != member);
        self.squads[at].tell = 0;
        let like = FactDraft::new(minds.spec().squad_words.member);
        let like = like.with(Attribute::Object, member.me, 1.0);
        minds.tell(self.squads[at].mind, Message::Untold(Box::new(like)));
    }

    fn watch<W: Ground + ?Sized + Sync>(&mut self, minds: &mut Minds<W>, now: Tick) {
        let mut next = 0;
        while let Some(&task) = self.tasks.get(next) {
            // What ends here is taken out, and the others move up.
            let at = next;
            next += 1;
            let Some(spec) = self.spec_of(task.squad, minds) else { continue };
            let (tasks, patience) = (spec.tasks, spec.patience);
            let Some(mind) = minds.mind(task.member) else { continue };
            let end = match report_of(mind.memory(), minds.spec(), task.number) {
                Report::Done => Some(TaskEnd::Done),
                Report::Failed(why) => Some(TaskEnd::Failed(why)),
                Report::Underway(doing) => {
                    (self.tasks[at].seen, self.tasks[at].doing) = (now, doing);
                    None
                }
                Report::Nothing => {
                    self.tasks[at].doing = Word::NONE;
                    let away = now.saturating_sub(task.seen);
                    (away > patience).then_some(TaskEnd::Refused)
                }
            };
            let is_late = now.saturating_sub(task.given) >= tasks;
            match end.or(is_late.then_some(TaskEnd::TimedOut)) {
                Some(end) => {
                    self.end(task.number, end, minds);
                    next = at;
                }
                None if self.tasks[at].doing != task.doing => self.tell_soon(task.squad),
                None => {}
            }
        }
    }

    fn let_go<W: Ground + ?Sized + Sync>(&mut self, minds: &mut Minds<W>, now: Tick) {
        let is_over = |task: &&Task| task.loose.is_some_and(|since| now >= after(since, LOOSE));
        while let Some(task) = self.tasks.iter().find(is_over).map(|task| task.number) {
            self.end(task, TaskEnd::Cancelled, minds);
        }
    }

    /// The one end of a task: claims are free, the member is told, the squad's order ends.
    pub(super) fn end<W: Ground + ?Sized + Sync>(
        &mut self,
        number: u32,
        how: TaskEnd,
        minds: &mut Minds<W>,
    ) {
        let Some(at) = self.tasks.iter().position(|task| task.number == number) else { return };
        let task = self.tasks.remove(at);
        self.news.push(TaskNews { task, event: TaskEvent::Ended(how) });
        untell(task.member, index_of(number), minds);
        let Some(squad) = self.at(task.squad).map(|at| self.squads[at].mind) else { return };
        self.tell_soon(task.squad);
        // What was let go of wants no end.
        if task.loose.is_some() {
            return;
        }
        let words = minds.spec().squad_words;
        let end = match how {
            TaskEnd::Done => Message::Done(task.order),
            TaskEnd::Failed(why) if why != Word::NONE => Message::Failed(task.order, why),
            TaskEnd::Failed(_) => Message::Failed(task.order, words.failed),
            TaskEnd::Cancelled => Message::Failed(task.order, words.replaced),
            TaskEnd::Refused => Message::Failed(task.order, words.refused),
            TaskEnd::Dead => Message::Failed(task.order, words.dead),
            TaskEnd::TimedOut => Message::Failed(task.order, words.late),
        };
        minds.tell(squad, end);
    }

    pub(super) fn at(&self, number: u32) -> Option<usize> {
        self.squads.iter().position(|squad| squad.number == number)
    }

    pub(super) fn tell_soon(&mut self, number: u32) {
        if let Some(at) = self.at(number) {
            self.squads[at].tell = 0;
        }
    }

    pub(super) fn spec_of<'m, W: Ground + ?Sized + Sync>(
        &self,
        squad: u32,
        minds: &'m Minds<W>,
    ) -> Option<&'m SquadSpec> {
        minds.spec().squads.get(self.squads[self.at(squad)?].kind)
    }
}
