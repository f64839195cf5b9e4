//! The step between ticks: who is in which squad, what became of tasks, what is told to whom.
//!
//! In:   minds, a [`Ground`], orders of squad minds since the last step.
//! Out:  squad minds that come and go; facts `task` for members, `member` and what members know for
//!       squads; ends of orders; [`TaskNews`].
//! Cost: a look at each member and task; twice a second a look at all who could be in a squad.
//!
//! | # | part of a step | what it does |
//! |---|---|---|
//! | 1 | bury | who has no mind any more is in no squad: his tasks end, his claims are free |
//! | 2 | watch | tasks that are done, failed, refused or late end |
//! | 3 | form | who strays leaves, small squads end, those near join or form new ones |
//! | 4 | order | orders of squads become tasks, in the order of the minds |
//! | 5 | let go | tasks that their squad no longer wants end |
//! | 6 | tell | squad minds learn where members are, what these are at and know |

use super::duty::{Report, index_of, report_of};
use super::task::{Task, TaskEnd, TaskEvent, TaskNews};
use super::telling::task_fact;
use super::{Ground, distance, word};
use crate::fact::{Attribute, FactDraft, Handle};
use crate::minds::Minds;
use crate::orders::{Message, MindId, Order, Sent, Slot};
use crate::spec::SquadSpec;
use crate::time::{Tick, after};
use crate::words::Word;

/// The handles of squads: no game counts so far.
pub(super) const SQUAD: u64 = 1 << 63;
/// Seconds between two looks at who is near whom, and between two tellings.
pub(super) const LOOK: f64 = 0.5;
/// A task that the squad's action has let go of may be taken up again for so many ticks.
const LOOSE: Tick = 2;
/// Tasks that claim nothing are the same if they are for places so near to each other.
const SAME_PLACE: f32 = 1.5;

/// Somebody in a squad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member {
    /// His mind.
    pub mind: MindId,
    /// The thing of the game that it is the mind of.
    pub me: Handle,
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
    pub(super) waiting: Vec<Sent>,
    /// What happened in the last step.
    pub(super) news: Vec<TaskNews>,
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
    pub fn take(&mut self, sent: &Sent) -> bool {
        let is_ours = sent.me.0 & SQUAD != 0;
        if is_ours && matches!(sent.order, Order::Task { .. } | Order::Cancel(_)) {
            self.waiting.push(*sent);
        }
        is_ours
    }

    /// One step, before the tick `now` of the minds. Orders and events of squad minds that end are
    /// with those of the last tick.
    pub fn step<W: Ground + ?Sized + Sync>(&mut self, minds: &mut Minds<W>, world: &W, now: Tick) {
        self.news.clear();
        let n_kinds = minds.spec().squads.len();
        if n_kinds == 0 && self.squads.is_empty() {
            self.waiting.clear();
            return;
        }
        let has_lost = self.bury(minds);
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

    /// Ends all squads and tasks, as before a [`Minds::reload`]: they form anew in the next step.
    pub fn disband<W: Ground + ?Sized + Sync>(&mut self, minds: &mut Minds<W>, world: &W) {
        self.news.clear();
        self.waiting.clear();
        while let Some(squad) = self.squads.last().map(|squad| squad.number) {
            self.end_squad(squad, minds, world);
        }
        self.look = 0;
    }

    fn bury<W: Ground + ?Sized + Sync>(&mut self, minds: &mut Minds<W>) -> bool {
        let mut has_lost = false;
        for at in 0..self.squads.len() {
            let gone = |member: &&Member| minds.mind(member.mind).is_none();
            let gone: Vec<Member> = self.squads[at].members.iter().filter(gone).copied().collect();
            for member in gone {
                has_lost = true;
                self.dismiss(self.squads[at].number, member, TaskEnd::Dead, minds);
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
        let like = FactDraft::new(word(minds.spec(), "member"));
        let like = like.with(Attribute::Object, member.me, 1.0);
        minds.tell(self.squads[at].mind, Message::Untold(Box::new(like)));
    }

    fn watch<W: Ground + ?Sized + Sync>(&mut self, minds: &mut Minds<W>, now: Tick) {
        for number in self.tasks.iter().map(|task| task.number).collect::<Vec<_>>() {
            let Some(at) = self.tasks.iter().position(|task| task.number == number) else {
                continue;
            };
            let task = self.tasks[at];
            let Some(spec) = self.spec_of(task.squad, minds).cloned() else { continue };
            let Some(mind) = minds.mind(task.member) else { continue };
            let before = task.doing;
            let end = match report_of(mind.memory(), minds.spec(), number) {
                Report::Done => Some(TaskEnd::Done),
                Report::Failed(why) => Some(TaskEnd::Failed(why)),
                Report::Underway(doing) => {
                    (self.tasks[at].seen, self.tasks[at].doing) = (now, doing);
                    None
                }
                Report::Nothing => {
                    self.tasks[at].doing = Word::NONE;
                    let away = now.saturating_sub(task.seen);
                    (away > spec.patience).then_some(TaskEnd::Refused)
                }
            };
            let is_late = now.saturating_sub(task.given) >= spec.tasks;
            match end.or(is_late.then_some(TaskEnd::TimedOut)) {
                Some(end) => self.end(number, end, minds),
                None if self.tasks[at].doing != before => self.tell_soon(task.squad),
                None => {}
            }
        }
    }

    fn order<W: Ground + ?Sized + Sync>(&mut self, minds: &mut Minds<W>, now: Tick) {
        for sent in std::mem::take(&mut self.waiting) {
            let Some(squad) = self.squads.iter().find(|squad| squad.mind == sent.mind) else {
                continue;
            };
            let number = squad.number;
            match sent.order {
                Order::Cancel(id) => {
                    let is_it = |task: &&mut Task| task.squad == number && task.order == id;
                    if let Some(task) = self.tasks.iter_mut().find(is_it) {
                        task.loose = Some(now);
                    }
                }
                Order::Task { what, to, place, slot, about } => {
                    let draft = Task {
                        number: 0,
                        squad: number,
                        order: sent.id,
                        member: MindId(0),
                        to,
                        what,
                        place,
                        slot,
                        about,
                        given: now,
                        seen: now,
                        doing: Word::NONE,
                        told: false,
                        loose: None,
                    };
                    self.give(draft, minds);
                }
                _ => {}
            }
        }
    }

    /// Gives a task, or goes on with the same one under another order.
    fn give<W: Ground + ?Sized + Sync>(&mut self, draft: Task, minds: &mut Minds<W>) {
        let Some(at) = self.at(draft.squad) else { return };
        let fails = |why: &str, minds: &mut Minds<W>, squads: &Squads| {
            let why = word(minds.spec(), why);
            minds.tell(squads.squads[at].mind, Message::Failed(draft.order, why));
        };
        let found = self.squads[at].members.iter().find(|member| member.me == draft.to);
        let Some(member) = found.map(|member| member.mind) else {
            return fails("gone", minds, self);
        };
        let is_his = |task: &Task| task.member == member;
        let is_same = |task: &Task| {
            (task.what, task.slot, task.about) == (draft.what, draft.slot, draft.about)
                && (task.slot != Slot::Free || distance(task.place, draft.place) <= SAME_PLACE)
        };
        if let Some(known) = self.tasks.iter_mut().find(|task| is_his(task) && is_same(task)) {
            let older = std::mem::replace(&mut known.order, draft.order);
            // An order that was not cancelled wants an end.
            if known.loose.take().is_none() {
                let why = word(minds.spec(), "replaced");
                minds.tell(self.squads[at].mind, Message::Failed(older, why));
            }
            return;
        }
        if self.claimed_by(draft.slot).is_some_and(|task| !is_his(task)) {
            let loose = self.claimed_by(draft.slot).filter(|task| task.loose.is_some());
            // Of this squad's own plan before: it has let go of it.
            match loose.filter(|task| task.squad == draft.squad).map(|task| task.number) {
                Some(number) => self.end(number, TaskEnd::Cancelled, minds),
                None => return fails("taken", minds, self),
            }
        }
        let older = self.tasks.iter().find(|task| is_his(task)).map(|task| task.number);
        if let Some(older) = older {
            self.end(older, TaskEnd::Cancelled, minds);
        }
        self.last_task += 1;
        let task = Task { number: self.last_task, member, told: older.is_none(), ..draft };
        self.tasks.push(task);
        self.news.push(TaskNews { task, event: TaskEvent::Given });
        if task.told {
            self.tell_member(&task, minds);
        }
        self.tell_soon(task.squad);
    }

    /// Tells those who had to let go of something else first.
    fn tell_late<W: Ground + ?Sized + Sync>(&mut self, minds: &mut Minds<W>) {
        for at in 0..self.tasks.len() {
            if !std::mem::replace(&mut self.tasks[at].told, true) {
                self.tell_member(&self.tasks[at], minds);
            }
        }
    }

    fn tell_member<W: Ground + ?Sized + Sync>(&self, task: &Task, minds: &mut Minds<W>) {
        let keep = self.spec_of(task.squad, minds).map_or(0, |spec| spec.tasks);
        let squad = Handle(SQUAD | u64::from(task.squad));
        let fact = task_fact(task, minds.spec(), squad).keep(after(keep, 1));
        minds.tell(task.member, Message::Told(Box::new(fact)));
    }

    fn let_go<W: Ground + ?Sized + Sync>(&mut self, minds: &mut Minds<W>, now: Tick) {
        let is_over = |task: &&Task| task.loose.is_some_and(|since| now >= after(since, LOOSE));
        for task in self.tasks.iter().filter(is_over).map(|task| task.number).collect::<Vec<_>>() {
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
        let like = FactDraft::new(word(minds.spec(), "task"));
        let like = like.with(Attribute::Index, index_of(number), 1.0);
        minds.tell(task.member, Message::Untold(Box::new(like)));
        let Some(squad) = self.at(task.squad).map(|at| self.squads[at].mind) else { return };
        self.tell_soon(task.squad);
        // What was let go of wants no end.
        if task.loose.is_some() {
            return;
        }
        let end = match how {
            TaskEnd::Done => Message::Done(task.order),
            TaskEnd::Failed(why) if why != Word::NONE => Message::Failed(task.order, why),
            TaskEnd::Cancelled => Message::Failed(task.order, word(minds.spec(), "replaced")),
            other => {
                let why = other.text().map_or(Word::NONE, |text| word(minds.spec(), text));
                Message::Failed(task.order, why)
            }
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
