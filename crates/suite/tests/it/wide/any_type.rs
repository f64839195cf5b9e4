//! Random types whose actions are all moves of their own.
//!
//! In:   dice.
//! Out:  two to six variables of up to six values: loops of any length, branches, values that
//!       nobody sets; needs mostly along a story, so that many problems have plans.
//! Cost: microseconds.

use throng_base::SplitMix;
use throng_domain::compile::{CompiledDomain, Tables};
use throng_domain::{Cost, Fact};

/// A type with at most `most_states` states.
pub(crate) fn any_type(dice: &mut SplitMix, most_states: u64) -> CompiledDomain {
    loop {
        let n_variables = dice.within(2, 6);
        let sizes: Vec<u16> =
            (0..n_variables).map(|_| *dice.pick(&[2, 2, 3, 3, 3, 4, 5, 6])).collect();
        let n_states: u64 = sizes.iter().map(|&size| u64::from(size)).product();
        if n_states <= most_states {
            return with_sizes(dice, &sizes);
        }
    }
}

fn with_sizes(dice: &mut SplitMix, sizes: &[u16]) -> CompiledDomain {
    let mut tables = Tables::new("any");
    let ids: Vec<_> = sizes.iter().map(|&size| tables.add_variable(size, 0).unwrap()).collect();
    let mut moves: Vec<(usize, u16, u16)> = Vec::new();
    for (variable, &size) in sizes.iter().enumerate() {
        moves.extend(sources(dice, size).into_iter().map(|(from, to)| (variable, from, to)));
    }
    moves.retain(|_| dice.percent(93));
    dice.shuffle(&mut moves);
    let most_needs = *dice.pick(&[1, 2, 2, 3]);
    let busy = dice.below(sizes.len());
    let mut here: Vec<u16> = sizes.iter().map(|&size| dice.below(size.into()) as u16).collect();
    while !moves.is_empty() {
        let next = moves.iter().position(|&(variable, from, _)| here[variable] == from);
        let (variable, from, to) = moves.swap_remove(next.unwrap_or(0));
        let mut requires: Vec<Fact> = Vec::new();
        // A move between two values may be written without saying from where.
        if sizes[variable] > 2 || dice.percent(80) {
            requires.push(tables.fact(ids[variable], from).unwrap());
        }
        let mut needed = vec![variable];
        for _ in 0..dice.within(0, most_needs) {
            let other = if dice.percent(40) { busy } else { dice.below(sizes.len()) };
            if needed.contains(&other) {
                continue;
            }
            needed.push(other);
            let any = dice.below(sizes[other].into()) as u16;
            let value = if dice.percent(80) { here[other] } else { any };
            requires.push(tables.fact(ids[other], value).unwrap());
        }
        let set = tables.fact(ids[variable], to).unwrap();
        tables.add_action(&requires, &[set], Cost(1000)).unwrap();
        if next.is_some() {
            here[variable] = to;
        }
    }
    tables.compile()
}

/// For the values of a variable where each comes from: a loop through some of them with branches,
/// a chain, or anything.
fn sources(dice: &mut SplitMix, size: u16) -> Vec<(u16, u16)> {
    let mut values: Vec<u16> = (0..size).collect();
    dice.shuffle(&mut values);
    let around = dice.within(2, size.into());
    let shape = dice.below(3);
    let source = |at: usize, dice: &mut SplitMix| match shape {
        0 if at < around => values[(at + around - 1) % around],
        1 if at == 0 => values[0],
        1 => values[at - 1],
        2 => values[dice.below(size.into())],
        _ => values[dice.below(at)],
    };
    let all = (0..usize::from(size)).map(|at| (source(at, dice), values[at]));
    all.filter(|(from, to)| from != to).collect()
}
