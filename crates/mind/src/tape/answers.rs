//! Calls of the game's code, through the tape.
//!
//! In:   a sensor or a behaviour and what it may see and touch.
//! Out:  its answer: from the code, and written down; or from the tape, and done again.
//! Cost: off, one branch; on, one entry.
//!
//! An entry is a byte that says what is in it, then the changes of memory, then the rest. What
//! the code left as it was is not mentioned.

use super::{Deed, MindCall, Reading, Tape, Writing, Wrong};
use crate::ask::Ask;
use crate::blackboard::Blackboard;
use crate::body::{Acting, Behaviour, Ending, Progress, Sensing, Work};
use crate::fact::{EntityId, FactDraft, Position};
use crate::memory::{Journal, Memory};
use crate::orders::{MindId, Order, OrderId};
use crate::time::Tick;
use crate::words::Word;
use std::collections::VecDeque;
use throng_base::codec::{DecodeError, Decoder, Encoder};
use throng_base::codec_struct;

/// What is in an answer; of behaviours the lower bits are the progress.
const HEAVY: u8 = 1;
/// Of sensors: questions.
const ASKS: u8 = 2;
const PROGRESS: u8 = 7;
const MEMORY: u8 = 8;
const STATE: u8 = 16;
const SHARES: u8 = 32;
/// Of sensors: a place. Of behaviours: the blackboard.
const MORE: u8 = 64;
/// The code did something that cannot be written down: it is not, and a replay stops there.
pub(crate) const LOST: u8 = 128;
/// What such an entry is not.
pub(crate) const WHAT_IS_LOST: &str = "change that can be recorded: the code put another memory \
                                       or blackboard in the place of the mind's";

/// When a behaviour is called.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Moment {
    Start,
    GoOn,
    End(Ending),
}

impl Moment {
    pub(crate) fn call(self, deed: Deed) -> MindCall {
        match self {
            Moment::Start => MindCall::Start(deed),
            Moment::GoOn => MindCall::GoOn(deed),
            Moment::End(_) => MindCall::End(deed),
        }
    }

    /// Asks the code itself. An ending has no answer; it counts as done.
    pub(crate) fn ask<W: ?Sized>(
        self,
        code: &dyn Behaviour<W>,
        acting: &mut Acting<'_, W>,
    ) -> Progress {
        match self {
            Moment::Start => code.start(acting),
            Moment::GoOn => code.go_on(acting),
            Moment::End(how) => {
                code.end(acting, how);
                Progress::Done
            }
        }
    }
}

/// What all code may change in a call.
pub(crate) struct Touched<'t> {
    now: Tick,
    memory: &'t mut Memory,
    state: &'t mut u64,
    shares: &'t mut Vec<FactDraft>,
}

/// What code is called with: all that it may see and touch.
pub(crate) trait Called {
    /// What the code answers.
    type Answer;
    /// What only such code may change, as it is before the call.
    type Before;
    /// The bits of an entry that are the answer's.
    const BITS: u8;
    /// The answer where the tape has none.
    const NONE: Self::Answer;

    fn touched(&mut self) -> Touched<'_>;
    fn before(&self) -> Self::Before;

    /// Writes the answer and what only such code has changed; says in bits what that is.
    fn write_rest(&self, before: &Self::Before, answer: &Self::Answer, to: &mut Encoder) -> u8;

    /// Does it again, and gives the answer.
    fn read_rest(&mut self, is: u8, from: &mut Decoder<'_>) -> Result<Self::Answer, DecodeError>;
}

impl Tape {
    /// Lets code answer a call, or answers in its place.
    #[inline]
    pub(crate) fn answer<V: Called>(
        &mut self,
        mind: MindId,
        call: MindCall,
        view: &mut V,
        ask: impl FnOnce(&mut V) -> V::Answer,
    ) -> V::Answer {
        match self {
            Tape::Off => ask(view),
            Tape::Writing(to) => write(to, (mind, call), view, ask),
            Tape::Reading(from) => from.answer(mind, call, view).unwrap_or(V::NONE),
        }
    }
}

impl Reading {
    /// Does again what the next entry of a mind says; `None` where the tape left the minds.
    fn answer<V: Called>(
        &mut self,
        mind: MindId,
        call: MindCall,
        view: &mut V,
    ) -> Option<V::Answer> {
        if self.wrong.is_some() {
            return None;
        }
        let next = self.left.get_mut(&mind.0).and_then(VecDeque::pop_front);
        let answer = match next {
            Some(at) => self.entered(at as usize, call, view),
            None => Err(Wrong::NoAnswer(call)),
        };
        let now = view.touched().now;
        answer.map_err(|wrong| self.diverged(now, Some(mind), wrong)).ok()
    }

    /// Does again what an entry says, if it is one of this call.
    fn entered<V: Called>(
        &self,
        at: usize,
        call: MindCall,
        view: &mut V,
    ) -> Result<V::Answer, Wrong> {
        let (_, number, says) = self.entries.entry(at);
        if number != call.number() {
            let recorded = MindCall::of(number).ok_or(Wrong::Unknown(number))?;
            return Err(Wrong::OtherAnswer { asked: call, recorded });
        }
        let mut from = Decoder::new(says);
        from.limit_symbols(self.words);
        let read = read(&mut from, view).and_then(|answer| from.finish().map(|()| answer));
        read.map_err(|damaged| Wrong::Says { call, damaged })
    }
}

/// Lets code answer and writes down what it changed.
fn write<V: Called>(
    to: &mut Writing,
    (mind, call): (MindId, MindCall),
    view: &mut V,
    ask: impl FnOnce(&mut V) -> V::Answer,
) -> V::Answer {
    // Room for what is in the entry.
    let head = to.begin(mind, call);
    head.bytes.push(0);
    let start = head.bytes.len() - 1;
    let own = view.before();
    let before = view.touched();
    let (state, shares) = (*before.state, before.shares.len());
    before.memory.journal = Some(to.lend(before.now));
    let answer = ask(view);
    let after = view.touched();
    let journal = after.memory.journal.take();
    let (mut is, start) = if journal.is_some() { (0, start) } else { (LOST, 0) };
    let to = to.take_back(journal);
    if is == 0 && to.bytes.len() > start + 1 {
        is |= MEMORY;
        Journal::end(to);
    }
    if state != *after.state {
        is |= STATE;
        to.number(*after.state);
    }
    if after.shares.len() > shares {
        is |= SHARES;
        to.write(&after.shares[shares..]);
    }
    is |= view.write_rest(&own, &answer, to);
    to.bytes[start] = is;
    answer
}

/// Does again what [`write`] has written.
fn read<V: Called>(from: &mut Decoder<'_>, view: &mut V) -> Result<V::Answer, DecodeError> {
    let Touched { now, memory, state, shares } = view.touched();
    let is = from.raw(1)?[0];
    if is & !(V::BITS | MEMORY | STATE | SHARES | MORE) != 0 {
        return from.error(if is & LOST == 0 { "answer" } else { WHAT_IS_LOST });
    }
    if is & MEMORY != 0 {
        memory.do_again(now, from)?;
    }
    if is & STATE != 0 {
        *state = from.number()?;
    }
    if is & SHARES != 0 {
        shares.extend(from.read::<Vec<FactDraft>>()?);
    }
    view.read_rest(is, from)
}

/// A place by its bits, for numbers that are none are not equal to themselves.
#[inline]
fn bits([x, y, z]: Position) -> [u32; 3] {
    // Not by `map`, of which the compiler makes a loop.
    [x.to_bits(), y.to_bits(), z.to_bits()]
}

impl<W: ?Sized> Called for Sensing<'_, W> {
    type Answer = Work;
    type Before = [u32; 3];
    const BITS: u8 = HEAVY | ASKS;
    const NONE: Work = Work::Light;

    fn touched(&mut self) -> Touched<'_> {
        let Sensing { now, memory, state, shares, .. } = self;
        Touched { now: *now, memory, state, shares }
    }

    fn before(&self) -> [u32; 3] {
        bits(*self.here)
    }

    fn write_rest(&self, here: &[u32; 3], work: &Work, to: &mut Encoder) -> u8 {
        let mut is = if *work == Work::Heavy { HEAVY } else { 0 };
        if *here != bits(*self.here) {
            to.write(self.here);
            is |= MORE;
        }
        if !self.asking.is_empty() {
            to.write(&self.asking[..]);
            is |= ASKS;
        }
        is
    }

    fn read_rest(&mut self, is: u8, from: &mut Decoder<'_>) -> Result<Work, DecodeError> {
        if is & MORE != 0 {
            *self.here = from.read()?;
        }
        if is & ASKS != 0 {
            for (ask, keeps) in from.read::<Vec<(Ask, Tick)>>()? {
                let _ = self.ask_within(ask, keeps);
            }
        }
        Ok(if is & HEAVY != 0 { Work::Heavy } else { Work::Light })
    }
}

/// What behaviours may set on a blackboard without an order.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Registers {
    target: Option<EntityId>,
    destination: Option<Position>,
    engaged: Option<Word>,
    engaged_with: Option<Word>,
}

impl Registers {
    fn of(board: &Blackboard) -> Registers {
        let &Blackboard { target, destination, engaged, engaged_with, .. } = board;
        Registers { target, destination, engaged, engaged_with }
    }

    /// What orders set besides.
    fn after(mut self, orders: &[(OrderId, Order)]) -> Registers {
        for (_, order) in orders {
            match *order {
                Order::Target { at } => self.target = at,
                Order::Move { to, .. } => self.destination = Some(to),
                _ => {}
            }
        }
        self
    }

    fn is_same(&self, other: &Registers) -> bool {
        let one = (self.target, self.destination.map(bits), self.engaged, self.engaged_with);
        one == (other.target, other.destination.map(bits), other.engaged, other.engaged_with)
    }
}

codec_struct!(Registers { target, engaged, engaged_with, destination });

/// In the place of an order: one is no longer wanted.
const NOT_WANTED: u8 = 127;
/// In the place of an order: a question.
const ASKED: u8 = 126;

fn write_order(to: &mut Encoder, (id, order): &(OrderId, Order)) {
    match order {
        Order::Cancel(old) if id.0 == 0 => {
            to.bytes.push(NOT_WANTED);
            to.write(old);
        }
        order => _ = to.write(order),
    }
}

fn read_order(from: &mut Decoder<'_>, board: &mut Blackboard) -> Result<(), DecodeError> {
    if from.peek() != Some(NOT_WANTED) {
        board.order(from.read()?);
        return Ok(());
    }
    from.raw(1)?;
    match board.cancel(from.read()?) {
        true => Ok(()),
        false => from.error("order that is under way"),
    }
}

impl<W: ?Sized> Called for Acting<'_, W> {
    type Answer = Progress;
    /// How many orders wait and were given so far, and what is set.
    type Before = (usize, u32, Registers);
    const BITS: u8 = PROGRESS;
    const NONE: Progress = Progress::Waiting;

    fn touched(&mut self) -> Touched<'_> {
        let Acting { now, memory, state, shares, .. } = self;
        Touched { now: *now, memory, state, shares }
    }

    fn before(&self) -> Self::Before {
        (self.board.out.len(), self.board.last, Registers::of(self.board))
    }

    fn write_rest(
        &self,
        &(out, last, set): &Self::Before,
        progress: &Progress,
        to: &mut Encoder,
    ) -> u8 {
        let orders = self.board.out.get(out..).unwrap_or(&[]);
        // What is called off is no order of its own and has no number.
        let new = orders.iter().filter(|(id, _)| id.0 != 0).count();
        // Another blackboard in the place of the mind's is no order.
        let is_own = self.board.last.wrapping_sub(last) as usize == new;
        let mut is = if is_own { 0 } else { LOST };
        let after = Registers::of(self.board);
        let is_set = !after.is_same(&set.after(orders));
        let n = orders.len() + self.asking.len();
        if n > 0 || is_set {
            is |= MORE;
            to.number((n as u64) << 1 | u64::from(is_set));
            orders.iter().for_each(|order| write_order(to, order));
            for (ask, _) in &*self.asking {
                to.write(&ASKED).write(ask);
            }
            if is_set {
                to.write(&after);
            }
        }
        is | match *progress {
            Progress::Running => 0,
            Progress::Waiting => 1,
            Progress::Until(tick) => {
                to.write(&tick.wrapping_sub(self.now));
                2
            }
            Progress::Done => 3,
            Progress::Failed(why) => {
                to.write(&why);
                4
            }
        }
    }

    fn read_rest(&mut self, is: u8, from: &mut Decoder<'_>) -> Result<Progress, DecodeError> {
        if is & MORE != 0 {
            let number = from.number()?;
            for _ in 0..number >> 1 {
                if from.peek() == Some(ASKED) {
                    from.raw(1)?;
                    let _ = self.ask(from.read()?);
                } else {
                    read_order(from, self.board)?;
                }
            }
            if number & 1 == 1 {
                let Registers { target, destination, engaged, engaged_with } = from.read()?;
                let board = &mut *self.board;
                (board.target, board.destination) = (target, destination);
                (board.engaged, board.engaged_with) = (engaged, engaged_with);
            }
        }
        Ok(match is & PROGRESS {
            0 => Progress::Running,
            1 => Progress::Waiting,
            2 => Progress::Until(self.now.wrapping_add(from.read()?)),
            3 => Progress::Done,
            4 => Progress::Failed(from.read()?),
            _ => return from.error("progress"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn what_is_set_on_a_blackboard_comes_back() {
        comes_back::<Registers>(|trial, _| Registers {
            target: trial.any(),
            destination: trial.any(),
            engaged: trial.any(),
            engaged_with: trial.any(),
        });
    }
}
