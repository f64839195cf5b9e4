//! The values of a variable in another version of the domain, and what they are in this one.
//!
//! In:   values as they were called, or the range of an amount.
//! Out:  the value of now: words by name, amounts by number.
//! Cost: a look-up by name; of an amount, a subtraction.
//!
//! For saved games. A number that has left the range of its amount becomes the nearest that is in
//! it; the caller is told, so that it can tell its own.

use super::{PackedValue, SourceMap, UNKNOWN};
use crate::model::{ValueId, VariableId};
use crate::names::as_integer;
use std::borrow::Cow;
use std::sync::Arc;

/// The values of a variable as they were.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormerValues {
    /// Words, in order.
    Words(Arc<[String]>),
    /// The whole numbers of an amount.
    Range {
        /// The least.
        low: i64,
        /// How many there are.
        len: u16,
    },
}

/// What a value has become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CarriedValue {
    /// This is the same.
    Same(ValueId),
    /// The number is out of the range by now; this is the nearest.
    Nearest(ValueId),
    /// There is no such value.
    Gone,
}

impl CarriedValue {
    /// The value of now, the same or the nearest; unknown if there is none.
    #[must_use]
    pub fn packed(self) -> PackedValue {
        match self {
            CarriedValue::Same(value) | CarriedValue::Nearest(value) => {
                value.index() as PackedValue
            }
            CarriedValue::Gone => UNKNOWN,
        }
    }
}

impl FormerValues {
    /// Those of a variable.
    #[must_use]
    pub fn of(map: &SourceMap, variable: VariableId) -> FormerValues {
        match map.amount(variable) {
            Some((low, _)) => FormerValues::Range { low, len: map.n_values(variable) as u16 },
            None => FormerValues::Words(map.values(variable).into()),
        }
    }

    /// The numbers from one to another; `None` if these are none, or too many for an amount.
    #[must_use]
    pub fn range(low: i64, high: i64) -> Option<FormerValues> {
        let len = u16::try_from(high.checked_sub(low)?.checked_add(1)?).ok()?;
        (len > 0 && len < UNKNOWN).then_some(FormerValues::Range { low, len })
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            FormerValues::Words(words) => words.len(),
            FormerValues::Range { len, .. } => usize::from(*len),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ends of the range, if these are the values of an amount.
    #[must_use]
    pub fn ends(&self) -> Option<(i64, i64)> {
        match self {
            FormerValues::Words(_) => None,
            FormerValues::Range { low, len } => Some((*low, low + i64::from(*len) - 1)),
        }
    }

    /// What a value was called; nothing if there was no such value.
    #[must_use]
    pub fn name(&self, value: PackedValue) -> Cow<'_, str> {
        match self {
            FormerValues::Words(words) => {
                words.get(usize::from(value)).map_or(Cow::Borrowed(""), |word| word.into())
            }
            FormerValues::Range { low, .. } => match usize::from(value) < self.len() {
                true => (low + i64::from(value)).to_string().into(),
                false => Cow::Borrowed(""),
            },
        }
    }

    /// The number that a value was, also of a word that is one.
    fn number(&self, value: PackedValue) -> Option<i64> {
        match self {
            FormerValues::Words(words) => as_integer(words.get(usize::from(value))?),
            FormerValues::Range { low, len } => (value < *len).then(|| low + i64::from(value)),
        }
    }

    /// What a value is in a variable of now.
    #[must_use]
    pub fn carry(&self, value: PackedValue, map: &SourceMap, variable: VariableId) -> CarriedValue {
        if let (Some((low, high)), Some(number)) = (map.amount(variable), self.number(value)) {
            let at = ValueId::at((number.clamp(low, high) - low) as usize);
            return match (low..=high).contains(&number) {
                true => CarriedValue::Same(at),
                false => CarriedValue::Nearest(at),
            };
        }
        if usize::from(value) >= self.len() {
            return CarriedValue::Gone;
        }
        let found = map.find_value(variable, &self.name(value));
        found.map_or(CarriedValue::Gone, CarriedValue::Same)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, Limits, formats, load};

    #[test]
    fn words_go_by_name_and_numbers_by_number() {
        let text = "domain d\nvar hp: 0..5\nvar pick: none, wood, 3\n\
                    action a: hp 0 -> 1\naction b: pick none -> wood\ngoal g: hp = 1\n";
        let limits = Limits::default();
        let loaded = load("a.npc", text, Format::Npc, &limits, &[], &mut formats::no_includes);
        let domain = crate::compile::CompiledDomain::new(&loaded.model.unwrap());
        let map = domain.map();
        let [hp, pick] = ["hp", "pick"].map(|name| map.find_variable(name).unwrap());
        let was = FormerValues::range(-2, 9).unwrap();
        assert_eq!((was.len(), was.ends()), (12, Some((-2, 9))));
        let at = |n: usize| CarriedValue::Same(ValueId::at(n));
        let near = |n: usize| CarriedValue::Nearest(ValueId::at(n));
        let now: Vec<_> = [0, 2, 7, 8, 11, 12, UNKNOWN].map(|it| was.carry(it, map, hp)).into();
        let gone = CarriedValue::Gone;
        assert_eq!(now, [near(0), at(0), at(5), near(5), near(5), gone, gone]);
        assert_eq!(was.carry(5, map, pick), at(2), "3 is a word there");
        assert_eq!(was.carry(6, map, pick), gone);
        let words = FormerValues::Words(["wood", "4", "77"].map(String::from).into());
        let now: Vec<_> = [0, 1, 2, 3].map(|it| words.carry(it, map, hp)).into();
        assert_eq!(now, [gone, at(4), near(5), gone]);
        assert_eq!(words.carry(0, map, pick), at(1));
        assert_eq!((was.name(0), was.name(12), words.name(3)), ("-2".into(), "".into(), "".into()));
        assert_eq!(FormerValues::range(3, 2), None);
        assert_eq!(FormerValues::range(0, 70_000), None);
        assert_eq!(FormerValues::range(i64::MIN, i64::MAX), None);
        assert_eq!(FormerValues::of(map, hp), FormerValues::range(0, 5).unwrap());
    }
}
