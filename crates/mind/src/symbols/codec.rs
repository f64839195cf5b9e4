//! A state as bytes and back.
//!
//! What actions are there follows from the checks and from what is forbidden, unless the game has
//! answered a check since; so it is held against them, and no planner meets anything else.

use super::pauses::{read_pauses, write_pauses};
use super::{Belief, Doubt, Kept, State};
use crate::former::Names;
use crate::known::Known;
use crate::time::Tick;
use throng_base::codec::{CodecIn, DecodeError, Decoder, Encoder};
use throng_base::codec_struct;
use throng_domain::Cost;
use throng_domain::compile::{FormerValues, LocalAction, NpcTables, PackedValue, UNKNOWN};
use throng_domain::model::CheckId;
use throng_planner::{ActionMask, Checks};

codec_struct!(
    in known: Known<'_>;
    Doubt {
        action in known,
        misses,
        fails,
        until,
        earliest by (write_earliest, read_earliest),
        read by (write_read, read_read),
    }
);

// Doubts that nothing can end early say nothing of it, as they did before any could.
fn write_earliest(earliest: &Tick, to: &mut Encoder, known: &Known<'_>) {
    if known.says_more {
        to.write(earliest);
    }
}

fn read_earliest(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Tick, DecodeError> {
    if known.says_more { from.read() } else { Ok(0) }
}

fn write_read(read: &u64, to: &mut Encoder, known: &Known<'_>) {
    if known.says_more {
        to.write(read);
    }
}

fn read_read(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<u64, DecodeError> {
    if known.says_more { from.read() } else { Ok(0) }
}

codec_struct!(
    in known: Known<'_>;
    State {
        values by (write_values, read_values),
        checks by (write_checks, read_checks),
        told in known,
        told_at by (write_told_at, read_told_at),
        forbidden in known,
        enabled in known,
        costs,
        beliefs in known,
        doubts in known,
        pauses by (write_pauses, read_pauses),
        learnt,
        seen,
        wake,
        version: long_counter,
        dirty,
    }
    given { npc: known.npc, kept: Kept::default() }
    where |state| once(&state.told), "check that is told once"
    where |state| state.learnt.len() == known.file.learns.len(), "list of what can be learnt"
    where |state| once(&state.beliefs.iter().map(|it| it.variable).collect::<Vec<_>>()),
        "only belief of a variable"
    where |state| once(&state.doubts.iter().map(|it| it.action).collect::<Vec<_>>()),
        "only doubt of an action"
    where |state| state.is_sound(known), "state of a mind"
);

fn once<T: PartialEq>(all: &[T]) -> bool {
    (1..all.len()).all(|at| !all[..at].contains(&all[at]))
}

impl State {
    /// Whether all prices are such as rules or the domain make them.
    fn costs_fit(&self, kind: &NpcTables) -> bool {
        let mut costs = self.costs.iter().zip((0..).map(LocalAction));
        costs.all(|(&cost, action)| cost <= Cost::MAX.0 || cost == kind.cost(action))
    }

    /// Whether what follows from other parts does.
    fn is_sound(&self, known: &Known<'_>) -> bool {
        // Of a former file's state nothing is used that follows from others.
        let Some((spec, kind)) = known.present() else { return true };
        let n_actions = kind.n_actions();
        let mut enabled = ActionMask::default();
        enabled.fill_enabled(kind, &self.checks, &self.forbidden);
        let priced = !spec.prices.is_empty();
        let costs_fit = match self.costs.len() {
            0 => self.dirty || !priced || n_actions == 0,
            n => priced && n == n_actions && self.costs_fit(kind),
        };
        // Before the first look nothing is there, and the next look makes it anew.
        costs_fit && (self.dirty || self.enabled == enabled)
    }
}

fn write_told_at(told_at: &[(CheckId, Tick)], to: &mut Encoder, known: &Known<'_>) {
    if known.says_more {
        to.number(told_at.len() as u64);
        told_at.iter().for_each(|(check, at)| _ = to.write_in(check, known).write(at));
    }
}

fn read_told_at(
    from: &mut Decoder<'_>,
    known: &Known<'_>,
) -> Result<Vec<(CheckId, Tick)>, DecodeError> {
    if !known.says_more {
        return Ok(Vec::new());
    }
    from.list(|from| Ok((from.read_in(known)?, from.past(known.now)?)))
}

fn write_values(values: &[PackedValue], to: &mut Encoder, _: &Known<'_>) {
    // Unknown is the highest number; so it is short too.
    values.iter().for_each(|value| _ = to.write(&value.wrapping_add(1)));
}

fn read_values(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Vec<PackedValue>, DecodeError> {
    let variables = known.file.variables.iter();
    let value = |(_, values): &(String, FormerValues)| {
        let value = from.read::<PackedValue>()?.wrapping_sub(1);
        let fits = value == UNKNOWN || usize::from(value) < values.len();
        from.sound(value, fits, "value of a variable")
    };
    variables.map(value).collect()
}

fn write_checks(checks: &Checks, to: &mut Encoder, known: &Known<'_>) {
    to.bits(known.checks().map(|id| checks.holds(id)));
}

fn read_checks(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Checks, DecodeError> {
    let n_checks = known.file.checks.len();
    let mut checks = Checks::all(n_checks);
    for (id, holds) in known.checks().zip(from.bits(n_checks)?) {
        checks.set(id, holds);
    }
    Ok(checks)
}

impl CodecIn<Known<'_>> for Belief {
    fn encode_in(&self, to: &mut Encoder, known: &Known<'_>) {
        let &Belief { variable, value, before, action, since } = self;
        let symbol = known.file.symbols.iter().position(|of| *of == variable);
        // What an amount was before stands above its value, one higher, so that nothing is zero.
        let above = before.map_or(0, |before| u64::from(before) + 1);
        to.write(&symbol.unwrap_or(usize::MAX)).write(&(above << 16 | u64::from(value)));
        to.write(&since);
        to.write_in(&action, known);
    }

    fn decode_in(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Self, DecodeError> {
        let Names { symbols, variables, .. } = known.file;
        let variable = symbols[from.below(symbols.len(), "symbol")?];
        let n_values = variables[variable.index()].1.len() as u64;
        let number = from.read::<u64>()?;
        let (value, before) = (number & 0xffff, (number >> 16).checked_sub(1));
        let fits = value < n_values && before.is_none_or(|before| before < n_values);
        from.sound((), fits, "value that is believed")?;
        let (value, before) = (value as PackedValue, before.map(|before| before as PackedValue));
        let since = from.past(known.now)?;
        Ok(Belief { variable, value, before, since, action: from.read_in(known)? })
    }
}

impl State {
    /// Whether it is another one bit by bit: two zeros may differ in their sign.
    pub(crate) fn is_same(&self, other: &State) -> bool {
        self.seen.is_same(&other.seen) && self == other
    }
}

/// A set of actions; one that was never made is another than an empty one.
impl CodecIn<Known<'_>> for ActionMask {
    fn encode_in(&self, to: &mut Encoder, known: &Known<'_>) {
        let n = known.own.actions.len() as u32;
        let is_made = !self.words().is_empty();
        to.write(&is_made);
        if is_made {
            to.bits((0..n).map(|at| self.has(LocalAction(at))));
        }
    }

    fn decode_in(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Self, DecodeError> {
        if !from.read::<bool>()? {
            return Ok(ActionMask::default());
        }
        let n = known.own.actions.len();
        let mut mask = ActionMask::none(n);
        for (at, has) in from.bits(n)?.into_iter().enumerate() {
            mask.set(LocalAction(at as u32), has);
        }
        Ok(mask)
    }
}
