//! A crowd comes back from its file, of this format and of the first.

use super::*;
use crate::former::tests::former;
use crate::former::{ActionAmounts, FormerClaims};
use throng_base::codec::trial::Trial;
use throng_domain::compile::FormerValues;

#[test]
fn a_crowd_of_the_first_format_is_still_read() {
    let mut trial = Trial::new(5);
    for _ in 0..20 {
        let some = former(&mut trial);
        let first = ByteFormat { version: 1, ..CROWD };
        let mut to = first.begin();
        to.seal(|to| _ = to.write(&some));
        assert_eq!(read::<Former>(&CROWD, &to.bytes).unwrap(), some);
        let now = bytes(&CROWD, &some);
        assert_eq!(read::<Former>(&CROWD, &now).unwrap(), some);
    }
}

#[test]
fn claims_come_back_and_a_crowd_of_the_second_format_has_none() {
    let mut trial = Trial::new(6);
    let mut some = former(&mut trial);
    let second = ByteFormat { version: 2, ..CROWD };
    let mut to = second.begin();
    to.seal(|to| {
        to.write(&some);
        write_amounts(some.crowds(), to);
    });
    assert_eq!(read::<Former>(&CROWD, &to.bytes).unwrap(), some);
    some.claims = FormerClaims { holders: vec![0, 3], heads: vec![(0, 2), (1, 70_000)] };
    assert_eq!(read::<Former>(&CROWD, &bytes(&CROWD, &some)).unwrap(), some);
}

#[test]
fn amounts_come_back_with_their_crowd_and_only_where_they_fit() {
    let mut trial = Trial::new(7);
    let mut some = former(&mut trial);
    while some.variables.len() < 2 || some.actions.is_empty() {
        some = former(&mut trial);
    }
    some.variables[1].values = FormerValues::range(-5, 60_000 - 6).unwrap();
    some.actions[0].amounts = ActionAmounts {
        ranges: vec![(1, vec![(0, 3), (7, 9)])],
        comparisons: vec![(1, 5, 0)],
        shifts: vec![(1, -3, Some(2)), (0, 4, None)],
    };
    let n_bytes = bytes(&CROWD, &some).len();
    assert!(n_bytes < 2_000, "a range is two numbers: {n_bytes}");
    let again = |some: &Former| read::<Former>(&CROWD, &bytes(&CROWD, some));
    assert_eq!(again(&some).unwrap(), some);
    for wrong in [
        |it: &mut ActionAmounts| it.ranges[0].0 = 9,
        |it: &mut ActionAmounts| it.comparisons[0].2 = 9,
        |it: &mut ActionAmounts| it.shifts[0].0 = 9,
    ] {
        let mut other = some.clone();
        wrong(&mut other.actions[0].amounts);
        assert!(again(&other).is_err());
    }
}
