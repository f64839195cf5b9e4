//! A mind as bytes and back, part by part; each part's own file says how.
//!
//! In:   a mind; or bytes, not to be trusted, and the file that it is a mind of.
//! Out:  bytes; or the mind that goes on exactly as the other would have.
//! Cost: one pass; reading takes the room that the file says, never what the bytes say.
//!
//! Everything that later code relies on is checked here and in the parts: what is under way is
//! of this type, lists are as long as the file makes them, moments that were are over, counts do
//! not run over. A mind that says what older saves do not know has a number of its type that is
//! higher by the number of types, by twice that if things are done beside, by four times that if it
//! asks, and by eight times that if it has just reached something or got another task; so those are
//! still read. A field that is added to a part must be described, or it does not compile.

use super::{Follow, Mind};
use crate::beside::Besides;
use crate::choose::Linger;
use crate::events::Activity;
use crate::fact::EntityId;
use crate::known::{File, Known};
use crate::memory::Memory;
use crate::orders::MindId;
use crate::picks::Picks;
use crate::planning::Considered;
use crate::questions::Questions;
use crate::run::{AskAgain, Run};
use crate::seldom::Seldom;
use crate::spec::Spec;
use crate::time::Tick;
use crate::words::Word;
use throng_base::codec::{CodecIn, DecodeError, Decoder, Encoder};
use throng_base::{codec_enum, codec_struct};
use throng_domain::compile::PackedValue;
use throng_domain::model::NpcTypeId;

impl Mind {
    pub(crate) fn encode(&self, spec: &Spec, to: &mut Encoder) {
        // Nothing that is written depends on the moment.
        let says_most = self.follow.another_task || self.goals.linger != Linger::default();
        let says_more = !self.picks.slots().is_empty()
            || self.side != Word::NONE
            || self.squad.is_some()
            || !self.state.told_at.is_empty()
            || !self.state.pauses.are_none()
            || self.state.doubts.iter().any(|doubt| doubt.read != 0)
            || self.plan.considered != Considered::default();
        let (has_besides, asks) =
            (!self.follow.besides.lanes.is_empty(), !self.questions.are_none());
        let file = File::present(spec).known(self.npc, 0);
        let known = &Known { says_more, has_besides, asks, says_most, ..file };
        let parts = [says_more, has_besides, asks, says_most];
        let more = (0..).zip(parts).fold(0, |all, (bit, has)| all | usize::from(has) << bit);
        let number = self.npc.index() + more * spec.names().npcs.len();
        to.write(&self.id).write(&self.me).write(&number);
        to.write_in(self, known);
    }

    /// Reads a mind of a file; `now` is when it was saved.
    pub(crate) fn decode(
        from: &mut Decoder<'_>,
        file: File<'_>,
        now: Tick,
    ) -> Result<Mind, DecodeError> {
        let (id, me) = from.read()?;
        let n_types = file.names.npcs.len();
        let number = from.below(16 * n_types, "type of mind")?;
        let (npc, more) = (NpcTypeId::at(number % n_types.max(1)), number / n_types.max(1));
        let [says_more, has_besides, asks, says_most] = [1, 2, 4, 8].map(|bit| more & bit != 0);
        let known = Known { says_more, has_besides, asks, says_most, ..file.known(npc, now) };
        let mind: Mind = from.read_in(&known)?;
        Ok(Mind { id, me, ..mind })
    }
}

fn write_memory(memory: &Memory, to: &mut Encoder, _: &Known<'_>) {
    memory.encode(to);
}

fn read_memory(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Memory, DecodeError> {
    Memory::decode(from, known.own.memory, known.now)
}

/// What minds have had since some were saved without it: written if there is something to say.
fn write_side(side: &Word, to: &mut Encoder, known: &Known<'_>) {
    if known.says_more {
        to.write(side);
    }
}

fn read_side(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Word, DecodeError> {
    if known.says_more { from.read() } else { Ok(Word::NONE) }
}

fn write_squad(squad: &Option<MindId>, to: &mut Encoder, known: &Known<'_>) {
    if known.says_more {
        to.write(squad);
    }
}

fn read_squad(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Option<MindId>, DecodeError> {
    if known.says_more { from.read() } else { Ok(None) }
}

fn write_picks(picks: &Picks, to: &mut Encoder, known: &Known<'_>) {
    if known.says_more {
        to.write_in(picks, known);
    }
}

fn read_picks(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Seldom<Picks>, DecodeError> {
    let (n_slots, n_selects) = (known.file.slots.len(), known.file.n_selects);
    if known.says_more { from.read_in(known) } else { Ok(Picks::new(n_slots, n_selects).into()) }
}

fn write_questions(questions: &Questions, to: &mut Encoder, known: &Known<'_>) {
    if known.asks {
        to.write_in(questions, known);
    }
}

fn read_questions(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Questions, DecodeError> {
    if known.asks { from.read_in(known) } else { Ok(Questions::default()) }
}

// Whose it is, and of what type, is known before the rest is read.
codec_struct!(
    in known: Known<'_>;
    Mind {
        side by (write_side, read_side),
        squad by (write_squad, read_squad),
        here,
        inbox,
        memory by (write_memory, read_memory),
        senses in known,
        picks by (write_picks, read_picks),
        questions by (write_questions, read_questions),
        state in known,
        goals in known,
        plan in known,
        follow in known,
        board,
        wake,
        shared_seen,
    }
    given { id: MindId(0), me: EntityId::default(), npc: known.npc }
    where |mind| mind.follow.besides.lanes.iter().all(|lane| mind.board.has_given(&lane.given)),
        "number of an order"
);

impl CodecIn<Known<'_>> for Follow {
    fn encode_in(&self, to: &mut Encoder, known: &Known<'_>) {
        let Follow { run, begun, started, ended, news, another_task, .. } = self;
        let Follow { last_done, flavours, otherwise_after, besides, .. } = self;
        to.write(started).write(ended).write_in(run, known);
        // How many there are follows from what is under way; unknown is the highest, so it is short.
        begun.iter().for_each(|value| _ = to.write(&value.wrapping_add(1)));
        to.write(news);
        if known.says_most {
            to.write(another_task);
        }
        to.write_in(last_done, known).write(flavours).write(otherwise_after);
        if known.has_besides {
            to.write_in(&**besides, known);
        }
    }

    fn decode_in(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Self, DecodeError> {
        let (started, ended) = (from.counter()?, from.counter()?);
        let run: Option<Run> = from.read_in(known)?;
        let n_begun = run.map_or(0, |run| known.n_shifts(run.doing));
        let begun = from.items(n_begun, |from| Ok(from.read::<PackedValue>()?.wrapping_sub(1)))?;
        let news = from.read()?;
        let another_task = if known.says_most { from.read()? } else { false };
        let last_done = from.read_in(known)?;
        let (flavours, otherwise_after): (Vec<Tick>, Tick) = (from.read()?, from.read()?);
        let besides: Besides = match (known.has_besides, known.spec) {
            (true, _) => from.read_in(known)?,
            (false, Some(spec)) => Besides::new(spec, known.npc),
            (false, None) => Besides::default(),
        };
        // Each has exactly one end, so all but those under way have ended.
        let mut under_way: Vec<u32> = run.iter().chain(besides.runs()).map(|run| run.run).collect();
        under_way.sort_unstable();
        let all_ended = u64::from(started) == u64::from(ended) + under_way.len() as u64;
        from.sound((), all_ended, "number of actions that have ended")?;
        let is_known = under_way.iter().all(|number| (1..=started).contains(number))
            && under_way.windows(2).all(|two| two[0] < two[1])
            && run.is_none_or(|run| !matches!(run.doing, Activity::Beside(_)));
        from.sound((), is_known, "number of the action under way")?;
        from.sound((), flavours.len() == known.file.n_flavours, "list of flavours")?;
        Ok(Follow {
            run,
            begun,
            started,
            ended,
            news,
            another_task,
            last_done,
            flavours: flavours.into(),
            otherwise_after,
            besides: besides.into(),
        })
    }
}

codec_struct!(
    in known: Known<'_>;
    Run {
        run: counter,
        doing in known,
        kind,
        since: past(known.now),
        part,
        part_since: past(known.now),
        ask,
        state,
        serial: counter,
        step,
    }
    where |run| usize::from(run.part) < known.n_parts(run.doing).max(1), "part of an action"
);

impl CodecIn<Known<'_>> for Activity {
    fn encode_in(&self, to: &mut Encoder, known: &Known<'_>) {
        match self {
            Activity::Step(action) => to.write(&0u8).write_in(action, known),
            // The file says which.
            Activity::Otherwise(_) => to.write(&1u8),
            Activity::Flavour(at) => to.write(&2u8).write(at),
            Activity::Beside(at) => to.write(&3u8).write(at),
        };
    }

    fn decode_in(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Self, DecodeError> {
        Ok(match (from.read::<u8>()?, known.own.otherwise) {
            (0, _) => Activity::Step(from.read_in(known)?),
            (1, Some(action)) => Activity::Otherwise(action),
            (2, _) => Activity::Flavour(from.below(known.file.n_flavours, "flavour")? as u16),
            (3, _) => Activity::Beside(from.below(known.n_besides(), "beside")? as u16),
            _ => return from.error("action under way"),
        })
    }
}

codec_enum!("moment to be asked again" AskAgain { 0 => Orders, 1 => At(tick), 2 => Over(tick) });

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn moments_to_be_asked_again_come_back() {
        comes_back::<AskAgain>(|trial, round| match round % 3 {
            0 => AskAgain::Orders,
            1 => AskAgain::At(trial.any()),
            _ => AskAgain::Over(trial.any()),
        });
    }
}
