//! One mind: its parts, and nothing that happens between them.
//!
//! What happens is in [`tick`](crate::tick), phase by phase. Parts are plain data: a mind can be
//! copied, compared, saved.

mod codec;

use crate::beside::Besides;
use crate::blackboard::{Blackboard, OrderState};
use crate::choose::Goals;
use crate::effects::{Begun, Telling};
use crate::events::Event;
use crate::fact::{EntityId, FactDraft, Position};
use crate::memory::Memory;
use crate::mistakes::Mistake;
use crate::orders::{IssuedOrder, Message, MindId, Order, OrderId};
use crate::picks::Picks;
use crate::planning::PlanBook;
use crate::questions::{Ask, Questions};
use crate::run::Run;
use crate::seldom::Seldom;
use crate::select::Picker;
use crate::senses::Senses;
use crate::spec::Spec;
use crate::symbols::State;
use crate::tape::Tape;
use crate::time::{Tick, after};
use crate::words::Word;
use throng_domain::compile::PackedValue;
use throng_domain::model::{ActionId, NpcTypeId};

/// How many phases a tick has; [`PHASES`](crate::tick::PHASES) names them.
pub(crate) const N_PHASES: usize = 9;

/// What is done, and what was.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Follow {
    /// The action under way.
    pub(crate) run: Option<Run>,
    /// The amounts that it moves as they were when it began, in the order of its shifts.
    pub(crate) begun: Vec<PackedValue>,
    /// How many were started, and ended.
    pub(crate) started: u32,
    pub(crate) ended: u32,
    /// An order of the action under way has ended since it was last asked.
    pub(crate) news: bool,
    /// What is under way is done for a task, and the mind has another by now.
    pub(crate) another_task: bool,
    /// The step done last, if nothing came after it.
    pub(crate) last_done: Option<ActionId>,
    /// By flavour: when it may be played again.
    pub(crate) flavours: Seldom<Vec<Tick>>,
    /// The action of no plan may not be started again before this.
    pub(crate) otherwise_after: Tick,
    /// What is done beside it.
    pub(crate) besides: Seldom<Besides>,
}

impl Follow {
    /// The action under way.
    pub fn run(&self) -> Option<&Run> {
        self.run.as_ref()
    }

    /// What is done beside it, by the first channel that it takes.
    pub fn besides(&self) -> impl Iterator<Item = &Run> {
        self.besides.runs()
    }

    /// The orders of what is done beside it, and how they are doing.
    pub fn orders_beside(&self) -> impl Iterator<Item = (OrderId, OrderState)> {
        self.besides.lanes.iter().flat_map(|lane| lane.given.orders.iter().copied())
    }

    /// An order has ended: what gave it is to be asked.
    pub(crate) fn report(&mut self, board: &mut Blackboard, order: OrderId, state: OrderState) {
        match board.report(order, state) {
            true => self.news = true,
            // A type that has none keeps none for an order that nobody waits for any more.
            false if self.besides.lanes.is_empty() => {}
            false => _ = self.besides.report(order, state),
        }
    }

    /// Whether anything is under way.
    pub(crate) fn is_busy(&self) -> bool {
        self.run.is_some() || self.besides.runs().next().is_some()
    }

    /// How many actions were started and ended so far, those beside too.
    pub fn counts(&self) -> (u32, u32) {
        (self.started, self.ended)
    }
}

/// What leaves minds in a tick, in the order of the minds.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Outbox {
    pub(crate) orders: Vec<IssuedOrder>,
    pub(crate) events: Vec<Event>,
    pub(crate) shares: Vec<FactDraft>,
    /// Room in which a mind writes its orders: they leave it in the tick in which they are given.
    pub(crate) order_room: Vec<(OrderId, Order)>,
    /// What others are to know.
    pub(crate) tellings: Vec<Telling>,
    /// What others are to leave alone for a while.
    pub(crate) begun: Vec<Begun>,
    /// Messages about facts that have been read: their room is for the next ones.
    pub(crate) read: Vec<Message>,
    /// How many times the game was asked something.
    pub(crate) filed: u32,
    /// What the code that is being called asks, and for how long a reply is good.
    pub(crate) asking: Vec<(Ask, Tick)>,
    pub(crate) mistakes: Vec<Mistake>,
    /// Where calls of code are written down, or their answers come from.
    pub(crate) tape: Tape,
    /// By phase, what the edge's clock counted.
    pub(crate) costs: [u64; N_PHASES],
}

/// One NPC in depth.
#[derive(Clone, PartialEq, Debug)]
pub struct Mind {
    pub(crate) id: MindId,
    pub(crate) me: EntityId,
    pub(crate) npc: NpcTypeId,
    /// Whose side it is on; [`Word::NONE`] unless the game says so.
    pub(crate) side: Word,
    /// The mind of the squad that it is a member of.
    pub(crate) squad: Option<MindId>,
    pub(crate) here: Position,
    pub(crate) inbox: Vec<Message>,
    pub(crate) memory: Memory,
    pub(crate) senses: Senses,
    pub(crate) picks: Seldom<Picks>,
    pub(crate) questions: Questions,
    pub(crate) state: State,
    pub(crate) goals: Goals,
    pub(crate) plan: PlanBook,
    pub(crate) follow: Follow,
    pub(crate) board: Blackboard,
    /// Nothing happens before this unless a message comes.
    pub(crate) wake: Tick,
    /// The version of the shared memory when it last ran.
    pub(crate) shared_seen: (u64, u64),
}

impl Mind {
    pub(crate) fn new(spec: &Spec, npc: NpcTypeId, id: MindId, me: EntityId, now: Tick) -> Self {
        Mind {
            id,
            me,
            npc,
            side: Word::NONE,
            squad: None,
            here: [0.0; 3],
            inbox: Vec::new(),
            memory: Memory::new(spec.npcs[npc.index()].memory),
            senses: Senses::new(spec, npc, id.0, now),
            picks: Picks::new(spec.n_slots(), spec.selects.len()).into(),
            questions: Questions::default(),
            state: State::new(spec, npc),
            goals: Goals::new(spec, npc),
            plan: PlanBook::new(),
            follow: Follow {
                flavours: vec![0; spec.flavours.len()].into(),
                otherwise_after: after(now, spec.npcs[npc.index()].otherwise_after),
                besides: Besides::new(spec, npc).into(),
                ..Follow::default()
            },
            board: Blackboard::default(),
            wake: 0,
            shared_seen: (0, 0),
        }
    }

    throng_base::getters! {
        /// Its number.
        id: MindId;

        /// The thing of the game that it is the mind of.
        me: EntityId;

        /// Its type.
        npc: NpcTypeId;

        /// Where it is.
        here: Position;

        /// What it believes.
        memory: &Memory;

        /// Its sensors.
        senses: &Senses;

        /// Whose side it is on; [`Word::NONE`] unless the game says so.
        side: Word;

        /// The mind of the squad that it is a member of, as far as the file speaks of squads.
        squad: Option<MindId>;

        /// What it has picked.
        picks: &Picks;

        /// What it asks of the game, and was answered.
        questions: &Questions;

        /// What its planner sees.
        state: &State;

        /// What it wants.
        goals: &Goals;

        /// What it is going to do.
        plan: &PlanBook;

        /// What it does.
        follow: &Follow;

        /// What it has ordered.
        board: &Blackboard;
    }

    /// As others see it.
    pub(crate) fn picker(&self) -> Picker<'_> {
        Picker { id: self.id, side: self.side, picks: &self.picks }
    }

    /// Takes in a message. There is room for one at first, as most minds never have more at a time; then
    /// it grows by four, and by half where many come.
    pub(crate) fn take_in(&mut self, message: Message) {
        if self.inbox.len() == self.inbox.capacity() {
            let more = match self.inbox.len() {
                0 => 1,
                1 => 3,
                len => (len / 2).max(4),
            };
            self.inbox.reserve_exact(more);
        }
        self.inbox.push(message);
    }

    /// The game has changed something: it looks up if that makes a difference.
    pub(crate) fn wake_if_changed(&mut self) {
        self.wake = self.wake.min(self.state.wake());
    }

    /// When it will look up by itself.
    pub fn sleeps_until(&self) -> Tick {
        self.wake
    }

    /// How many bytes it takes, on the heap and off it.
    pub fn bytes(&self) -> usize {
        self.bytes_by_part().iter().map(|(_, bytes)| bytes).sum()
    }

    /// The same by part: what stands in itself, then what each part has on the heap.
    pub fn bytes_by_part(&self) -> [(&'static str, usize); 11] {
        let heap = |capacity: usize, size: usize| capacity * size;
        let Follow { flavours, begun, besides, .. } = &self.follow;
        let follow = flavours.heap_bytes()
            + heap(flavours.capacity(), size_of::<Tick>())
            + heap(begun.capacity(), size_of::<PackedValue>())
            + besides.heap_bytes()
            + Besides::heap_bytes(besides);
        [
            ("itself", size_of::<Mind>()),
            ("memory", self.memory.bytes() - size_of::<Memory>()),
            ("inbox", heap(self.inbox.capacity(), size_of::<Message>())),
            ("senses", self.senses.heap_bytes()),
            ("picks", self.picks.heap_bytes() + Picks::heap_bytes(&self.picks)),
            ("questions", self.questions.heap_bytes()),
            ("state", self.state.heap_bytes()),
            ("goals", self.goals.heap_bytes()),
            ("plan", heap(self.plan.steps.capacity(), size_of::<ActionId>())),
            ("follow", follow),
            ("board", self.board.heap_bytes()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::NEVER;

    /// The end of an order that nobody gave, or that was given up long ago.
    #[test]
    fn a_stray_report_wakes_nobody() {
        let (mut follow, mut board) = (Follow::default(), Blackboard::default());
        follow.report(&mut board, OrderId(7), OrderState::Done);
        assert_eq!((follow.besides.next_due(), follow.besides.heap_bytes()), (NEVER, 0));
        assert!(follow == Follow::default() && !follow.news);
    }
}
