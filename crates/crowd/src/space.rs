//! The private states of an NPC type, numbered 0, 1, 2 … without gaps: the key of tables.
//!
//! In:   the variables of the type, and which of them are `shared`.
//! Out:  the number of a state, the state of a number, one value out of a number.
//! Cost: a number from a state is one multiplication per variable; one value out of a number is a
//!       few multiplications, no division where there are less than 2³² states.
//!
//! Shared variables have one value for a whole group, so they are no part of an NPC's number.
//! For a type without them the numbers are those of its [`StateLayout`].
//!
//! [`StateLayout`]: throng_domain::compile::StateLayout

use throng_domain::compile::{LocalVariable, NpcTables, PackedValue, SourceMap, UNKNOWN};

/// A number that others are divided by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Divisor {
    by: u64,
    /// 2⁶⁴ / `by`, rounded up; by 1 one less, which gives the number from the one after it.
    inverse: u64,
    /// 1 to divide by 1, else 0.
    more: u64,
}

impl Divisor {
    fn new(by: u64) -> Self {
        match by {
            0 | 1 => Divisor { by, inverse: u64::MAX, more: 1 },
            _ => Divisor { by, inverse: u64::MAX / by + 1, more: 0 },
        }
    }

    /// The quotient of a number below 2³², by a divisor below 2³².
    #[inline]
    fn short(self, number: u64) -> u64 {
        ((u128::from(number + self.more) * u128::from(self.inverse)) >> 64) as u64
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    size: Divisor,
    /// By how much the number grows with the value.
    weight: Divisor,
    is_shared: bool,
}

/// A value of a variable, to be written into numbers of states below 2³².
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Digit {
    size: Divisor,
    weight: Divisor,
    /// What the value adds to a number.
    adds: u64,
}

impl Digit {
    /// The number of the state that has this value and otherwise those of this one.
    #[inline]
    pub(crate) fn on(&self, number: u32) -> u32 {
        let number = u64::from(number);
        let above = self.weight.short(number);
        let before = above - self.size.short(above) * self.size.by;
        (number - before * self.weight.by + self.adds) as u32
    }
}

/// How the private states of a type are numbered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Space {
    places: Vec<Place>,
    private: Vec<LocalVariable>,
    shared: Vec<LocalVariable>,
    n_states: Option<u64>,
    /// All numbers are below 2³².
    is_short: bool,
}

impl Space {
    throng_base::getters! {
        /// How many private states there are, if they can be numbered by 64 bits.
        n_states: Option<u64>;
        /// The variables that each NPC has for itself.
        private: &[LocalVariable];
        /// The variables that a group has in common.
        shared: &[LocalVariable];
    }

    /// The states of a type; `map` knows which variables are shared.
    pub fn new(map: &SourceMap, npc: &NpcTables) -> Self {
        let locals = || (0..npc.variables().len() as u32).map(LocalVariable);
        let is_shared = |local: &LocalVariable| map.is_shared(npc.variables()[local.index()]);
        let sizes = locals().map(|local| (npc.n_values(local) as u64, is_shared(&local)));
        Space::from_sizes(&sizes.collect::<Vec<_>>())
    }

    fn from_sizes(sizes: &[(u64, bool)]) -> Self {
        let mut places = Vec::with_capacity(sizes.len());
        let mut weight = Some(1u64);
        for &(size, is_shared) in sizes.iter().rev() {
            // Without numbers there are no weights; nothing is divided then.
            let own = Divisor::new(weight.unwrap_or(1));
            places.push(Place { size: Divisor::new(size), weight: own, is_shared });
            if !is_shared {
                weight = weight.and_then(|weight| weight.checked_mul(size));
            }
        }
        places.reverse();
        let with = |shared: bool| {
            let own = places.iter().enumerate().filter(move |(_, p)| p.is_shared == shared);
            own.map(|(at, _)| LocalVariable(at as u32)).collect()
        };
        let (private, shared) = (with(false), with(true));
        let is_short = weight.is_some_and(|n| n <= 1 << 32);
        Space { private, shared, places, n_states: weight, is_short }
    }

    /// Whether a group has this variable in common.
    pub fn is_shared(&self, variable: LocalVariable) -> bool {
        self.places.get(variable.index()).is_some_and(|place| place.is_shared)
    }

    /// The number of a state of the type, whatever its shared values are; `None` if a private
    /// value is unknown, or the numbers do not fit.
    pub fn index_of(&self, state: &[PackedValue]) -> Option<u64> {
        self.n_states?;
        let mut index = 0;
        for (place, &value) in self.places.iter().zip(state) {
            if place.is_shared {
                continue;
            }
            if u64::from(value) >= place.size.by {
                return None;
            }
            index += u64::from(value) * place.weight.by;
        }
        Some(index)
    }

    /// Writes the private values of the state with this number into `state`, and leaves the
    /// shared ones; `false` if there is no such state.
    pub fn state_at(&self, index: u64, state: &mut [PackedValue]) -> bool {
        if self.n_states.is_none_or(|n| index >= n) {
            return false;
        }
        for (place, value) in self.places.iter().zip(state) {
            if !place.is_shared {
                *value = self.digit(index, place);
            }
        }
        true
    }

    /// The value of a variable in the state with this number; unknown if it is shared, or no
    /// variable of the type, or states have no numbers.
    #[inline]
    pub fn value(&self, index: u64, variable: LocalVariable) -> PackedValue {
        match self.places.get(variable.index()) {
            Some(place) if !place.is_shared && self.n_states.is_some() => self.digit(index, place),
            _ => UNKNOWN,
        }
    }

    /// By how much a number grows with the value of a variable; 0 if it is shared.
    pub fn weight(&self, variable: LocalVariable) -> u64 {
        let place = self.places.get(variable.index()).filter(|place| !place.is_shared);
        place.filter(|_| self.n_states.is_some()).map_or(0, |place| place.weight.by)
    }

    /// A value of a private variable as it is written into numbers; `None` where they take more
    /// than 32 bits, or the variable does not have it.
    pub(crate) fn digit_of(&self, variable: LocalVariable, value: PackedValue) -> Option<Digit> {
        let Place { size, weight, is_shared } = *self.places.get(variable.index())?;
        let is_own = !is_shared && u64::from(value) < size.by && self.is_short;
        is_own.then(|| Digit { size, weight, adds: u64::from(value) * weight.by })
    }

    #[inline]
    fn digit(&self, index: u64, place: &Place) -> PackedValue {
        let Place { size, weight, .. } = place;
        if self.is_short && index < 1 << 32 {
            let above = weight.short(index);
            return (above - size.short(above) * size.by) as PackedValue;
        }
        (index / weight.by % size.by) as PackedValue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against counting by hand: the last private variable turns fastest.
    fn check(sizes: &[(u64, bool)]) {
        let space = Space::from_sizes(sizes);
        let mut state = vec![0; sizes.len()];
        let n_states = space.n_states().unwrap();
        for index in 0..n_states {
            let mut back = vec![77; sizes.len()];
            assert!(space.state_at(index, &mut back));
            assert_eq!(space.index_of(&state), Some(index));
            for (at, &(size, is_shared)) in sizes.iter().enumerate() {
                let variable = LocalVariable(at as u32);
                assert_eq!(back[at], if is_shared { 77 } else { state[at] });
                let value = space.value(index, variable);
                assert_eq!(value, if is_shared { UNKNOWN } else { state[at] });
                let mut other = state.clone();
                other[at] = index as PackedValue % size as PackedValue;
                let weight = space.weight(variable);
                if !is_shared {
                    let digit = space.digit_of(variable, other[at]).unwrap();
                    assert_eq!(Some(digit.on(index as u32).into()), space.index_of(&other));
                }
                assert_eq!(space.digit_of(variable, size as PackedValue), None);
                let moved = index - u64::from(state[at]) * weight + u64::from(other[at]) * weight;
                assert_eq!(Some(moved), space.index_of(&other));
            }
            for (at, &(size, is_shared)) in sizes.iter().enumerate().rev() {
                if !is_shared {
                    state[at] += 1;
                    if u64::from(state[at]) < size {
                        break;
                    }
                    state[at] = 0;
                }
            }
        }
        assert!(!space.state_at(n_states, &mut state));
    }

    #[test]
    fn numbers_and_states_are_one_to_one() {
        check(&[]);
        check(&[(1, false)]);
        check(&[(3, false), (2, false), (1, false), (5, false)]);
        check(&[(3, true), (2, false), (7, true), (5, false), (4, true)]);
        check(&[(2, true), (9, true)]);
    }

    #[test]
    fn large_numbers_are_divided_exactly() {
        for sizes in [&[65_535u64, 65_535, 1][..], &[65_535, 65_535, 3, 11, 60_000]] {
            let sizes: Vec<_> = sizes.iter().map(|&size| (size, false)).collect();
            let space = Space::from_sizes(&sizes);
            let n_states = space.n_states().unwrap();
            let step = (n_states / 9973).max(1);
            assert_eq!(space.digit_of(LocalVariable(0), 1).is_some(), n_states <= 1 << 32);
            for index in (0..n_states).step_by(step as usize).chain([n_states - 1]) {
                let mut state = vec![0; sizes.len()];
                assert!(space.state_at(index, &mut state));
                assert_eq!(space.index_of(&state), Some(index));
            }
        }
    }

    #[test]
    fn what_does_not_fit_has_no_numbers() {
        let space = Space::from_sizes(&[(60_000, false); 5]);
        assert_eq!(space.n_states(), None);
        assert_eq!(space.index_of(&[0; 5]), None);
        assert_eq!(space.value(7, LocalVariable(0)), UNKNOWN);
        assert_eq!(space.weight(LocalVariable(0)), 0);
        let small = Space::from_sizes(&[(3, false), (4, true)]);
        assert_eq!(small.index_of(&[UNKNOWN, 0]), None);
        assert_eq!(small.index_of(&[2, UNKNOWN]), Some(2), "a shared value does not matter");
    }
}
