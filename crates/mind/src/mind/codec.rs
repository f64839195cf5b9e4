//! A mind as bytes and back, part by part; each part's own file says how.
//!
//! In:   a mind; or bytes, not to be trusted, and the file that it is a mind of.
//! Out:  bytes; or the mind that goes on exactly as the other would have.
//! Cost: one pass; reading takes the room that the file says, never what the bytes say.
//!
//! Everything that later code relies on is checked here and in the parts: what is under way is
//! of this type, lists are as long as the file makes them, moments that were are over, counts do
//! not run over. A mind that says what older saves do not know has a number of its type that is
//! higher by the number of types; so those are still read. A field that is added to a part must be described, or it does not compile.

use super::{Ask, Follow, Mind, Run};
use crate::events::Activity;
use crate::fact::EntityId;
use crate::known::{File, Known};
use crate::memory::Memory;
use crate::orders::MindId;
use crate::picks::Picks;
use crate::planning::Considered;
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
        let says_more = !self.picks.slots().is_empty()
            || self.side != Word::NONE
            || self.squad.is_some()
            || !self.state.told_at.is_empty()
            || !self.state.pauses.are_none()
            || self.state.doubts.iter().any(|doubt| doubt.read != 0)
            || self.plan.considered != Considered::default();
        let known = &Known { says_more, ..File::present(spec).known(self.npc, 0) };
        let more = if says_more { spec.names().npcs.len() } else { 0 };
        to.write(&self.id).write(&self.me).write(&(self.npc.index() + more));
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
        let number = from.below(2 * n_types, "type of mind")?;
        let npc = NpcTypeId::at(number % n_types.max(1));
        let known = Known { says_more: number >= n_types, ..file.known(npc, now) };
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

fn read_picks(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Picks, DecodeError> {
    let (n_slots, n_selects) = (known.file.slots.len(), known.file.n_selects);
    if known.says_more { from.read_in(known) } else { Ok(Picks::new(n_slots, n_selects)) }
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
        state in known,
        goals in known,
        plan in known,
        follow in known,
        board,
        wake,
        shared_seen,
    }
    given { id: MindId(0), me: EntityId::default(), npc: known.npc }
);

impl CodecIn<Known<'_>> for Follow {
    fn encode_in(&self, to: &mut Encoder, known: &Known<'_>) {
        let Follow { run, begun, started, ended, news, last_done, flavours, otherwise_after } =
            self;
        to.write(started).write(ended).write_in(run, known);
        // How many there are follows from what is under way; unknown is the highest, so it is short.
        begun.iter().for_each(|value| _ = to.write(&value.wrapping_add(1)));
        to.write(news).write_in(last_done, known).write(flavours).write(otherwise_after);
    }

    fn decode_in(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Self, DecodeError> {
        let (started, ended) = (from.counter()?, from.counter()?);
        let run: Option<Run> = from.read_in(known)?;
        let n_begun = run.map_or(0, |run| known.n_shifts(run.doing));
        let begun = from.items(n_begun, |from| Ok(from.read::<PackedValue>()?.wrapping_sub(1)))?;
        let (news, last_done) = (from.read()?, from.read_in(known)?);
        let (flavours, otherwise_after): (Vec<Tick>, Tick) = (from.read()?, from.read()?);
        // Each has exactly one end, so all but the one under way have ended.
        let all_ended = started == ended + u32::from(run.is_some());
        from.sound((), all_ended, "number of actions that have ended")?;
        let is_last = run.is_none_or(|run| run.run == started);
        from.sound((), is_last, "number of the action under way")?;
        from.sound((), flavours.len() == known.file.n_flavours, "list of flavours")?;
        Ok(Follow { run, begun, started, ended, news, last_done, flavours, otherwise_after })
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
        };
    }

    fn decode_in(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Self, DecodeError> {
        Ok(match (from.read::<u8>()?, known.own.otherwise) {
            (0, _) => Activity::Step(from.read_in(known)?),
            (1, Some(action)) => Activity::Otherwise(action),
            (2, _) => Activity::Flavour(from.below(known.file.n_flavours, "flavour")? as u16),
            _ => return from.error("action under way"),
        })
    }
}

codec_enum!("moment to be asked again" Ask { 0 => Orders, 1 => At(tick), 2 => Over(tick) });

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn moments_to_be_asked_again_come_back() {
        comes_back::<Ask>(|trial, round| match round % 3 {
            0 => Ask::Orders,
            1 => Ask::At(trial.any()),
            _ => Ask::Over(trial.any()),
        });
    }
}
