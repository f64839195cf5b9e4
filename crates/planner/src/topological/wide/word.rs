//! The word of a type: a sequence of order rules that, applied once from left to right, plans from
//! any state to any goal.
//!
//! In:   words after the closure, of all pairs of state and goal if they are few, else of a sample.
//! Out:  the sequence.
//! Cost: at load only; bounded by [`MOST_PAIRS`] closures and a few hundred passes over a sample.
//!
//! Greedy with restarts: append the rule that is ready in most words, first those that are ready
//! in all words that still hold their action; one that takes a risk only if nothing else is ready
//! anywhere. It begins with a sample, and takes in what the sequence leaves unfinished. At last
//! every position goes whose removal leaves every finished word finished. The sequence decides
//! how many plans are found, never whether a plan is right.

use super::WideError;
use super::fields::Fields;
use super::goal::GoalWord;
use super::machine::Machine;
use super::rules::OrderRule;
use throng_base::SplitMix;
use throng_domain::compile::{NpcTables, PackedValue};

/// The longest word that fits beside two bits of status into 32.
pub(super) const LONGEST: usize = 30;
/// All pairs are looked at up to so many, else so many of them.
const MOST_PAIRS: u64 = 200_000;
/// Words to begin with, and words added in each round.
const SAMPLE: usize = 512;
const ROUNDS: usize = 6;
const RESTARTS: usize = 10;
/// A sequence that grows beyond this is given up.
const MOST_POSITIONS: usize = 96;

/// Gives the machine its word; says how many of the words looked at it leaves unfinished although
/// they can be finished.
pub(super) fn build(machine: &mut Machine, npc: &NpcTables) -> Result<usize, WideError> {
    let lanes = closed_words(machine, npc);
    let mut dice = SplitMix::new(0x7468_726f_6e67);
    let order = &machine.order;
    let rest = machine.fields.action_bits();
    let mut sample = every_nth(&lanes, SAMPLE);
    let mut sequence = Vec::new();
    let mut left_over = Vec::new();
    for _ in 0..ROUNDS {
        sequence = best_sequence(order, &sample, rest, &mut dice);
        let unfinished = lanes.iter().filter(|&&lane| run(order, &sequence, lane) & rest != 0);
        left_over = unfinished.copied().filter(|&lane| sweep(order, lane) & rest == 0).collect();
        if left_over.is_empty() {
            break;
        }
        sample.extend(every_nth(&left_over, SAMPLE / 4));
    }
    prune(order, &mut sequence, &sample, &lanes, rest);
    if sequence.len() > LONGEST {
        return Err(WideError::LongWord { length: sequence.len() });
    }
    machine.word = sequence;
    Ok(left_over.len())
}

fn run(order: &[OrderRule], sequence: &[usize], mut word: u64) -> u64 {
    for &rule in sequence {
        if order[rule].is_ready(word) {
            word ^= order[rule].flip;
        }
    }
    word
}

/// Runs whatever is ready until nothing is; a risk only when nothing else is left.
fn sweep(order: &[OrderRule], mut word: u64) -> u64 {
    while let Some(rule) = order.iter().find(|rule| rule.is_ready(word)) {
        word ^= rule.flip;
    }
    word
}

fn every_nth(lanes: &[u64], most: usize) -> Vec<u64> {
    lanes.iter().copied().step_by(lanes.len().div_ceil(most).max(1)).collect()
}

fn best_sequence(
    order: &[OrderRule],
    sample: &[u64],
    rest: u64,
    dice: &mut SplitMix,
) -> Vec<usize> {
    let tries = (0..RESTARTS).map(|restart| greedy(order, sample, rest, restart > 0, dice));
    let best = tries.min_by_key(|(sequence, unfinished)| (*unfinished, sequence.len()));
    best.map_or(Vec::new(), |(sequence, _)| sequence)
}

/// One sequence, and how many words it leaves unfinished. With noise it is another one each time.
fn greedy(
    order: &[OrderRule],
    sample: &[u64],
    rest: u64,
    with_noise: bool,
    dice: &mut SplitMix,
) -> (Vec<usize>, usize) {
    let mut lanes: Vec<u64> = sample.iter().copied().filter(|lane| lane & rest != 0).collect();
    let mut sequence = Vec::new();
    while sequence.len() < MOST_POSITIONS && !lanes.is_empty() {
        let mut best: Option<((u32, u64), usize)> = None;
        for (at, rule) in order.iter().enumerate() {
            let own = rule.flip & rest;
            let ready = lanes.iter().filter(|&&lane| rule.is_ready(lane)).count() as u64;
            let holders = lanes.iter().filter(|&&lane| lane & own != 0).count() as u64;
            if ready == 0 {
                continue;
            }
            let safety = if rule.is_risky { 0 } else { 1 + u32::from(ready == holders) };
            let noise = if with_noise { 64 + dice.below_u64(64) } else { 64 };
            let rank = (safety, ready * noise);
            if best.is_none_or(|(known, _)| rank > known) {
                best = Some((rank, at));
            }
        }
        let Some((_, chosen)) = best else { break };
        sequence.push(chosen);
        lanes.iter_mut().filter(|lane| order[chosen].is_ready(**lane)).for_each(|lane| {
            *lane ^= order[chosen].flip;
        });
        lanes.retain(|lane| lane & rest != 0);
    }
    (sequence, lanes.len())
}

/// Takes out positions as long as every word that was finished stays so: the same words, not as
/// many.
fn prune(order: &[OrderRule], sequence: &mut Vec<usize>, sample: &[u64], lanes: &[u64], rest: u64) {
    let is_finished = |sequence: &[usize], lane: u64| run(order, sequence, lane) & rest == 0;
    let finished = |lanes: &[u64]| -> Vec<u64> {
        lanes.iter().copied().filter(|&lane| is_finished(sequence, lane)).collect()
    };
    let (few, all) = (finished(sample), finished(lanes));
    for at in (0..sequence.len()).rev() {
        let mut shorter = sequence.clone();
        shorter.remove(at);
        // Few words refuse most removals already.
        if [&few, &all].iter().all(|lanes| lanes.iter().all(|&lane| is_finished(&shorter, lane))) {
            *sequence = shorter;
        }
    }
}

/// The different words after the closure, without open bits and without those that are proved
/// impossible by then.
fn closed_words(machine: &Machine, npc: &NpcTables) -> Vec<u64> {
    let fields = &machine.fields;
    let mut lanes = Vec::new();
    let mut add = |state: u64, goal: &GoalWord| {
        let needed = machine.close(state, goal);
        if needed & fields.action_bits() != 0 && machine.is_closed(needed, goal) == Some(true) {
            lanes.push(needed & (fields.state_bits() | fields.action_bits()));
        }
    };
    let sizes: Vec<u64> = fields.variables.iter().map(|field| field.size.into()).collect();
    let product = |extra: u64| {
        sizes.iter().try_fold(1u64, |all, size| all.checked_mul(size + extra)).unwrap_or(u64::MAX)
    };
    let (n_states, n_goals) = (product(0), product(1));
    if n_states.saturating_mul(n_goals) <= MOST_PAIRS {
        for goal in (0..n_goals).map(|number| numbered_goal(fields, &sizes, 1, number)) {
            (0..n_states).for_each(|number| add(numbered_state(fields, &sizes, number), &goal));
        }
    } else {
        let declared = npc.goals().iter().filter_map(|&goal| npc.wants(goal));
        let declared: Vec<GoalWord> =
            declared.filter_map(|(facts, ..)| GoalWord::new(fields, facts).ok()).collect();
        if n_states.saturating_mul(n_states) <= MOST_PAIRS {
            for goal in (0..n_states).map(|number| numbered_goal(fields, &sizes, 0, number)) {
                (0..n_states).for_each(|number| add(numbered_state(fields, &sizes, number), &goal));
            }
        }
        let mut dice = SplitMix::new(0x0077_6964_6500);
        for nth in 0..MOST_PAIRS / 2 {
            let state = numbered_state(fields, &sizes, dice.below_u64(n_states));
            match declared.get(nth as usize % (2 * declared.len() + 1)) {
                Some(goal) => add(state, goal),
                None => add(state, &any_goal(machine, &sizes, state, &mut dice)),
            }
        }
    }
    lanes.sort_unstable();
    lanes.dedup();
    lanes
}

pub(super) fn numbered_state(fields: &Fields, sizes: &[u64], mut number: u64) -> u64 {
    let mut state = 0;
    for (variable, &size) in sizes.iter().enumerate() {
        state |= fields.code(variable, (number % size) as PackedValue);
        number /= size;
    }
    state
}

/// With `extra` 1 the last number of a variable leaves it open.
fn numbered_goal(fields: &Fields, sizes: &[u64], extra: u64, mut number: u64) -> GoalWord {
    let mut wants = Vec::new();
    for &size in sizes {
        let value = number % (size + extra);
        wants.push((value < size).then_some(value as PackedValue));
        number /= size + extra;
    }
    GoalWord::of_wants(fields, wants)
}

/// Where some random steps lead, or anything; all of it or a part.
fn any_goal(machine: &Machine, sizes: &[u64], state: u64, dice: &mut SplitMix) -> GoalWord {
    let fields = &machine.fields;
    let mut end = state;
    for _ in 0..dice.below_u64(4 * fields.n_actions() as u64 + 1) {
        let step = &machine.order[dice.below_u64(machine.order.len() as u64) as usize];
        let conditions = step.care & fields.state_bits();
        if end & conditions == step.want & conditions {
            end ^= step.flip & fields.state_bits();
        }
    }
    if dice.below_u64(4) == 0 {
        end = numbered_state(fields, sizes, dice.below_u64(u64::MAX));
    }
    let is_partial = dice.below_u64(2) == 0;
    let want = |variable| {
        let is_left_open = is_partial && dice.below_u64(2) == 0;
        (!is_left_open).then(|| fields.value(variable, end))
    };
    GoalWord::of_wants(fields, (0..sizes.len()).map(want).collect())
}
