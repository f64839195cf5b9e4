//! A state as bytes and back.
//!
//! What actions are there follows from the checks and from what is forbidden, unless the game has
//! answered a check since; so it is held against them, and no planner meets anything else.

use super::{Belief, Doubt, Seen, State};
use crate::known::Known;
use crate::pack::{Damaged, Pack, Packer, Unpacker};
use throng_domain::Milli;
use throng_domain::compile::{LocalAction, NpcType, UNKNOWN, Value};
use throng_domain::model::{CheckId, VariableId};
use throng_planner::{ActionMask, Checks};

impl Pack for Seen {
    fn pack(&self, to: &mut Packer) {
        let Seen { memory, refreshed, shared, here } = self;
        to.put(memory).put(refreshed).put(shared).put(here);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let (memory, refreshed, shared, here) = from.take()?;
        Ok(Seen { memory, refreshed, shared, here })
    }
}

impl State {
    pub(crate) fn pack(&self, to: &mut Packer, known: &Known<'_>) {
        let State {
            npc: _,
            values,
            checks,
            told,
            forbidden,
            there,
            costs,
            beliefs,
            doubts,
            learnt,
            seen,
            wake,
            version,
            dirty,
        } = self;
        for value in values {
            // Unknown is the highest number; so it is short too.
            to.put(&value.wrapping_add(1));
        }
        pack_bits(known.checks().map(|id| checks.holds(id)), to);
        to.number(told.len() as u64);
        told.iter().for_each(|check| to.number(check.index() as u64));
        pack_mask(forbidden, known, to);
        pack_mask(there, known, to);
        to.put(costs);
        to.number(beliefs.len() as u64);
        for &Belief { variable, value, action, since } in beliefs {
            let symbol = (0..known.n_symbols()).position(|at| known.symbol(at) == variable);
            to.put(&symbol.unwrap_or(usize::MAX)).put(&value).put(&since);
            known.pack_action(action, to);
        }
        to.number(doubts.len() as u64);
        for &Doubt { action, misses, fails, until } in doubts {
            known.pack_action(Some(action), to);
            to.put(&misses).put(&fails).put(&until);
        }
        pack_bits(learnt.iter().copied(), to);
        to.put(seen).put(wake).put(version).put(dirty);
    }

    pub(crate) fn unpack(from: &mut Unpacker<'_>, known: &Known<'_>) -> Result<Self, Damaged> {
        let mut values = Vec::with_capacity(known.n_variables());
        for variable in (0..known.n_variables()).map(VariableId::at) {
            values.push(unpack_value(from, known, variable)?);
        }
        let mut checks = Checks::all(known.n_checks());
        for (id, holds) in known.checks().zip(unpack_bits(known.n_checks(), from)?) {
            checks.set(id, holds);
        }
        let mut told: Vec<CheckId> = Vec::new();
        for _ in 0..from.count()? {
            match CheckId::at(from.below(known.n_checks(), "check")?) {
                id if !told.contains(&id) => told.push(id),
                _ => return from.damaged("check that is told once"),
            }
        }
        let state = State {
            npc: known.npc,
            values,
            checks,
            told,
            forbidden: unpack_mask(from, known)?,
            there: unpack_mask(from, known)?,
            costs: from.take()?,
            beliefs: unpack_beliefs(from, known)?,
            doubts: unpack_doubts(from, known)?,
            learnt: unpack_bits(known.n_learns(), from)?,
            seen: from.take()?,
            wake: from.take()?,
            version: from.long_counter()?,
            dirty: from.take()?,
        };
        if state.is_sound(known) { Ok(state) } else { from.damaged("state of a mind") }
    }

    /// Whether all prices are such as rules or the domain make them.
    fn costs_fit(&self, kind: &NpcType) -> bool {
        let mut costs = self.costs.iter().zip((0..).map(LocalAction));
        costs.all(|(&cost, action)| cost <= Milli::MAX.0 || cost == kind.cost(action))
    }

    /// Whether what follows from other parts does.
    fn is_sound(&self, known: &Known<'_>) -> bool {
        // Of a former file's state nothing is used that follows from others.
        let Some((spec, kind)) = known.present() else { return true };
        let n_actions = kind.n_actions();
        let mut there = ActionMask::default();
        there.fill_enabled(kind, &self.checks, &self.forbidden);
        let priced = !spec.prices.is_empty();
        let costs_fit = match self.costs.len() {
            0 => self.dirty || !priced || n_actions == 0,
            n => priced && n == n_actions && self.costs_fit(kind),
        };
        // Before the first look nothing is there, and the next look makes it anew.
        costs_fit && (self.dirty || self.there == there)
    }
}

fn unpack_value(
    from: &mut Unpacker<'_>,
    known: &Known<'_>,
    variable: VariableId,
) -> Result<Value, Damaged> {
    let value = from.take::<Value>()?.wrapping_sub(1);
    let n_values = known.n_values(variable);
    match value == UNKNOWN || usize::from(value) < n_values {
        true => Ok(value),
        false => from.damaged("value of a variable"),
    }
}

fn unpack_beliefs(from: &mut Unpacker<'_>, known: &Known<'_>) -> Result<Vec<Belief>, Damaged> {
    let mut beliefs: Vec<Belief> = Vec::new();
    for _ in 0..from.count()? {
        let at = from.below(known.n_symbols(), "symbol")?;
        let variable = known.symbol(at);
        let n_values = known.n_values(variable);
        let value = from.below(n_values, "value that is believed")? as Value;
        let since = from.past(known.now)?;
        if beliefs.iter().any(|belief| belief.variable == variable) {
            return from.damaged("only belief of a variable");
        }
        beliefs.push(Belief { variable, value, since, action: known.action(from)? });
    }
    Ok(beliefs)
}

fn unpack_doubts(from: &mut Unpacker<'_>, known: &Known<'_>) -> Result<Vec<Doubt>, Damaged> {
    let mut doubts: Vec<Doubt> = Vec::new();
    for _ in 0..from.count()? {
        let action = known.certain_action(from)?;
        if doubts.iter().any(|doubt| doubt.action == action) {
            return from.damaged("only doubt of an action");
        }
        let (misses, fails, until) = from.take()?;
        doubts.push(Doubt { action, misses, fails, until });
    }
    Ok(doubts)
}

/// Yes and no, eight to a byte.
fn pack_bits(bits: impl Iterator<Item = bool>, to: &mut Packer) {
    let mut at = 8;
    for bit in bits {
        if at == 8 {
            to.bytes.push(0);
            at = 0;
        }
        if let Some(last) = to.bytes.last_mut() {
            *last |= u8::from(bit) << at;
        }
        at += 1;
    }
}

fn unpack_bits(n: usize, from: &mut Unpacker<'_>) -> Result<Vec<bool>, Damaged> {
    let bytes = from.raw(n.div_ceil(8))?;
    let bit = |at: usize| bytes[at / 8] >> (at % 8) & 1 == 1;
    match bytes.last().is_some_and(|&last| !n.is_multiple_of(8) && last >> (n % 8) != 0) {
        true => from.damaged("list of so many"),
        false => Ok((0..n).map(bit).collect()),
    }
}

/// A set of actions; one that was never made is another than an empty one.
fn pack_mask(mask: &ActionMask, known: &Known<'_>, to: &mut Packer) {
    let n = known.actions().len() as u32;
    let is_made = !mask.words().is_empty();
    to.put(&is_made);
    if is_made {
        pack_bits((0..n).map(|at| mask.has(LocalAction(at))), to);
    }
}

fn unpack_mask(from: &mut Unpacker<'_>, known: &Known<'_>) -> Result<ActionMask, Damaged> {
    if !from.take::<bool>()? {
        return Ok(ActionMask::default());
    }
    let n = known.actions().len();
    let mut mask = ActionMask::none(n);
    for (at, has) in unpack_bits(n, from)?.into_iter().enumerate() {
        mask.set(LocalAction(at as u32), has);
    }
    Ok(mask)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::tests::comes_back;

    #[test]
    fn what_a_state_was_made_of_comes_back() {
        comes_back::<Seen>(|trial, _| Seen {
            memory: trial.any(),
            refreshed: trial.any(),
            shared: trial.any(),
            here: trial.any(),
        });
    }
}
