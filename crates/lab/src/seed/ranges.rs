//! An action's predicates in one array, each once, ordered in six ranges.
//!
//! In:   the positions of what an action needs, needs not, deletes and adds.
//! Out:  one array of positions and the five borders in it.
//! Cost: quadratic in the predicates of one action, once.
//!
//! ```text
//! 0        a               b         c      d                 e             p
//! │ needed │ needed,       │ deleted │ added│ added, must not │ must not    │
//! │        │ then deleted  │         │      │ hold before     │ hold before │
//! └────── preconditions ───┘                └────── preconditions ──────────┘
//!          └─────────────────── effects ────────────────────┘
//! ```
//!
//! Figure 1 of the seed. Its rule is that a predicate stands in preconditions and effects only
//! with opposite signs; files do not keep it. So: what is deleted and added is added; adding what
//! is needed and deleting what must not hold change nothing and are left out. The one exception
//! is an addition that is needed while another predicate that is deleted may turn out the same
//! (`move ?from ?to` that needs both): it stands twice, or deleting the one would delete both.

/// Borders of the six ranges. `p` is the length of the array.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ranges {
    /// Where what is only needed ends.
    pub a: usize,
    /// Where what is needed and then deleted ends.
    pub b: usize,
    /// Where what is deleted ends.
    pub c: usize,
    /// Where what is added ends.
    pub d: usize,
    /// Where what is added and must not hold before ends.
    pub e: usize,
    /// Where what must not hold before ends.
    pub p: usize,
}

/// What an action says about predicates, by their positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Literals<'l> {
    /// Positive preconditions.
    pub needs: &'l [u32],
    /// Negative preconditions.
    pub needs_not: &'l [u32],
    /// Negative effects.
    pub deletes: &'l [u32],
    /// Positive effects.
    pub adds: &'l [u32],
}

/// The array of an action and its borders; `None` if it needs what it also needs not, so that it
/// never can be done. `may_be_same` says whether two predicates can turn out the same for some
/// values of the parameters.
pub fn ordered(
    literals: Literals<'_>,
    may_be_same: impl Fn(u32, u32) -> bool,
) -> Option<(Vec<u32>, Ranges)> {
    let Literals { needs, needs_not, deletes, adds } = literals;
    if needs.iter().any(|need| needs_not.contains(need)) {
        return None;
    }
    let is_deleted = |position: &u32| deletes.contains(position) && !adds.contains(position);
    let is_put_back = |position: &u32| {
        adds.contains(position)
            && deletes.iter().any(|other| other != position && may_be_same(*other, *position))
    };
    let mut array = Vec::new();
    let mut range = |from: &[u32], belongs: &dyn Fn(&u32) -> bool| {
        let start = array.len();
        for position in from {
            if belongs(position) && !array[start..].contains(position) {
                array.push(*position);
            }
        }
        array.len()
    };
    let a = range(needs, &|position| !is_deleted(position));
    let b = range(needs, &is_deleted);
    let c = range(deletes, &|position| {
        is_deleted(position) && !needs.contains(position) && !needs_not.contains(position)
    });
    let d = range(adds, &|position| {
        !needs_not.contains(position) && (!needs.contains(position) || is_put_back(position))
    });
    let e = range(adds, &|position| needs_not.contains(position));
    let p = range(needs_not, &|position| !adds.contains(position));
    Some((array, Ranges { a, b, c, d, e, p }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        literals: [&[u32]; 4],
        array: &[u32],
        borders: [usize; 6],
        may_be_same: fn(u32, u32) -> bool,
    ) {
        let [needs, needs_not, deletes, adds] = literals;
        let made = ordered(Literals { needs, needs_not, deletes, adds }, may_be_same);
        let [a, b, c, d, e, p] = borders;
        assert_eq!(made, Some((array.to_vec(), Ranges { a, b, c, d, e, p })));
    }

    #[test]
    fn the_array_of_take_is_that_of_the_seed() {
        // at-c(?l, ?c) at 3, at-o(?l, ?o) at 7, hold(?o, ?c) at 9.
        check([&[3, 7], &[9], &[7], &[9]], &[3, 7, 9], [1, 2, 2, 2, 3, 3], |_, _| false);
    }

    #[test]
    fn what_drop_deletes_is_what_take_adds() {
        // hold(?o, ?c) is needed and deleted: in [a, b) for Drop, in [d, e) for Take.
        check([&[3, 9], &[], &[9], &[7]], &[3, 9, 7], [1, 2, 2, 3, 3, 3], |_, _| false);
    }

    #[test]
    fn every_range_can_be_filled() {
        check(
            [&[0, 1], &[4, 5], &[1, 2], &[3, 4]],
            &[0, 1, 2, 3, 4, 5],
            [1, 2, 3, 4, 5, 6],
            |_, _| false,
        );
    }

    #[test]
    fn effects_that_change_nothing_are_left_out() {
        // Added and needed, deleted and not to hold, deleted and added.
        check([&[0], &[1], &[1], &[0]], &[0, 1], [1, 1, 1, 1, 1, 2], |_, _| false);
        check([&[], &[], &[2], &[2]], &[2], [0, 0, 0, 1, 1, 1], |_, _| false);
        check([&[2], &[], &[2], &[2]], &[2], [1, 1, 1, 1, 1, 1], |_, _| false);
    }

    #[test]
    fn what_another_deletion_may_take_is_put_back() {
        // Needs at(?from) and at(?to), deletes the one and adds the other.
        check([&[0, 1], &[], &[0], &[1]], &[1, 0, 1], [1, 2, 2, 3, 3, 3], |_, _| true);
    }

    #[test]
    fn what_contradicts_itself_has_no_array() {
        let literals = Literals { needs: &[1], needs_not: &[1], ..Literals::default() };
        assert_eq!(ordered(literals, |_, _| true), None);
    }
}
