//! The values of a variable: words, or a range of whole numbers.
//!
//! In:   names, or the two ends.
//! Out:  how many there are, the name of each, and each by name.
//! Cost: words are kept; the names of a range are made when somebody first asks for them, so that
//!       an amount of sixty thousand is two numbers until it is printed.

use crate::amounts::ValueSet;
use crate::names::as_integer;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// The values of a variable, in order. Looks like the list of their names.
#[derive(Clone)]
pub struct Values(Kind);

#[derive(Clone)]
enum Kind {
    Words(Arc<[String]>),
    Range { low: i64, len: u16, names: Arc<OnceLock<Vec<String>>> },
}

impl Values {
    /// Words, in this order.
    pub(crate) fn new(words: Vec<String>) -> Values {
        Values(Kind::Words(words.into()))
    }

    /// The whole numbers from one to another; nothing if these are none, or too many to number.
    pub(crate) fn range(low: i64, high: i64) -> Option<Values> {
        let len = u16::try_from(high.checked_sub(low)?.checked_add(1)?).ok()?;
        let names = Arc::default();
        (len > 0 && len < u16::MAX).then_some(Values(Kind::Range { low, len, names }))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Kind::Words(words) => words.len(),
            Kind::Range { len, .. } => usize::from(*len),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The words, if these are words.
    #[must_use]
    pub fn words(&self) -> Option<&[String]> {
        match &self.0 {
            Kind::Words(words) => Some(words),
            Kind::Range { .. } => None,
        }
    }

    /// The ends of the range, if these are the values of an amount.
    #[must_use]
    pub fn ends(&self) -> Option<(i64, i64)> {
        match self.0 {
            Kind::Words(_) => None,
            Kind::Range { low, len, .. } => Some((low, low + i64::from(len) - 1)),
        }
    }

    /// The name of a value by its position, which it has; made for the asker if it is a number.
    #[must_use]
    pub fn name_of(&self, at: usize) -> Cow<'_, str> {
        match &self.0 {
            Kind::Words(words) => words.get(at).map_or("", String::as_str).into(),
            Kind::Range { low, .. } => (low + at as i64).to_string().into(),
        }
    }

    /// The position of a value by name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        match &self.0 {
            Kind::Words(words) => words.iter().position(|word| word == name),
            Kind::Range { .. } => self.position(as_integer(name)?).map(usize::from),
        }
    }

    /// The position of a number in a range.
    #[must_use]
    pub fn position(&self, number: i64) -> Option<u16> {
        let (low, high) = self.ends()?;
        (low..=high).contains(&number).then(|| (number - low) as u16)
    }

    /// That a variable of this name and these values has one of some, as the language writes it:
    /// `hp >= 50`, `hp >= 5 and hp <= 20`, `pick = stone or pick = iron`, `mood != 3`. Of all
    /// values of an amount: from its least on, which holds where it is known.
    #[must_use]
    pub fn condition(&self, name: &str, set: &ValueSet) -> String {
        let Some(last) = self.len().checked_sub(1) else { return format!("{name} is never") };
        let one = |sign: &str, at: u16| format!("{name} {sign} {}", self.name_of(usize::from(at)));
        if let Some(only) = set.others(last as u16 + 1).and_then(|others| others.only())
            && set.count() > 1
            && !(self.ends().is_some() && (only == 0 || usize::from(only) == last))
        {
            return one("!=", only);
        }
        let run = |&(from, to): &(u16, u16), is_alone: bool| -> String {
            match (from == 0, usize::from(to) == last) {
                _ if from == to => one("=", from),
                _ if self.ends().is_none() => {
                    let words: Vec<String> = (from..=to).map(|at| one("=", at)).collect();
                    words.join(" or ")
                }
                (_, true) => one(">=", from),
                (true, false) => one("<=", to),
                (false, false) if is_alone => format!("{} and {}", one(">=", from), one("<=", to)),
                (false, false) => format!("({} and {})", one(">=", from), one("<=", to)),
            }
        };
        match set.runs() {
            [] => format!("{name} is never"),
            [only] => run(only, true),
            runs => runs.iter().map(|it| run(it, false)).collect::<Vec<_>>().join(" or "),
        }
    }

    /// Calls `each` with every name, in order; makes none that are not there yet for longer.
    pub(crate) fn each_name(&self, mut each: impl FnMut(&str)) {
        match self.ends() {
            None => self.iter().for_each(|name| each(name)),
            Some((low, high)) => (low..=high).for_each(|number| each(&number.to_string())),
        }
    }
}

impl Deref for Values {
    type Target = [String];

    fn deref(&self) -> &[String] {
        match &self.0 {
            Kind::Words(words) => words,
            Kind::Range { low, len, names } => names
                .get_or_init(|| (0..*len).map(|at| (low + i64::from(at)).to_string()).collect()),
        }
    }
}

impl<'v> IntoIterator for &'v Values {
    type Item = &'v String;
    type IntoIter = std::slice::Iter<'v, String>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Values {
    fn eq(&self, other: &Values) -> bool {
        (self.ends(), self.words()) == (other.ends(), other.words())
    }
}

impl Eq for Values {}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ends() {
            Some((low, high)) => write!(f, "{low}..{high}"),
            None => self.words().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_written_as_in_the_language() {
        let hp = Values::range(0, 10).unwrap();
        let set = |runs: &[(u16, u16)]| ValueSet::of_runs(runs.iter().copied()).unwrap();
        for (runs, text) in [
            (&[(5, 10)][..], "hp >= 5"),
            (&[(0, 5)], "hp <= 5"),
            (&[(0, 10)], "hp >= 0"),
            (&[(1, 10)], "hp >= 1"),
            (&[(5, 5)], "hp = 5"),
            (&[(2, 5)], "hp >= 2 and hp <= 5"),
            (&[(0, 2), (4, 10)], "hp != 3"),
            (&[(0, 2), (5, 10)], "hp <= 2 or hp >= 5"),
            (&[(1, 2), (5, 5)], "(hp >= 1 and hp <= 2) or hp = 5"),
        ] {
            assert_eq!(hp.condition("hp", &set(runs)), text);
        }
        let pick = Values::new(["none", "wood", "stone", "iron"].map(String::from).into());
        for (runs, text) in [
            (&[(1, 3)][..], "pick != none"),
            (&[(2, 3)], "pick = stone or pick = iron"),
            (&[(0, 0), (3, 3)], "pick = none or pick = iron"),
        ] {
            assert_eq!(pick.condition("pick", &set(runs)), text);
        }
    }

    #[test]
    fn a_range_is_the_list_of_its_numbers() {
        for (low, high) in [(0, 0), (-3, 3), (5, 70), (0, 59_999), (-60_000, -1)] {
            let range = Values::range(low, high).unwrap();
            let list: Vec<String> = (low..=high).map(|number| number.to_string()).collect();
            assert_eq!((range.len(), range.ends()), (list.len(), Some((low, high))));
            for at in [0, list.len() / 2, list.len() - 1] {
                assert_eq!(range.find(&list[at]), Some(at));
            }
            for none in [low - 1, high + 1, i64::MIN, i64::MAX] {
                assert_eq!(range.position(none), None);
            }
            assert_eq!(range[..], list[..]);
            let mut told = Vec::new();
            range.each_name(|name| told.push(name.to_string()));
            assert_eq!(told, list);
            assert_ne!(range, Values::new(list));
        }
        for none in [(1, 0), (0, 70_000), (i64::MIN, i64::MAX)] {
            assert_eq!(Values::range(none.0, none.1), None);
        }
    }
}
