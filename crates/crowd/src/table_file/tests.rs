//! Bytes come back as the same table, or are refused with a sentence; nothing else happens.

use super::{PolicyTable, TableFileError};
use crate::plans::PlanStore;
use crate::smithy::{Case, TEXT, compiled};
use crate::table::TableLimits;
use throng_base::SplitMix;
use throng_domain::compile::LocalAction;

/// A case, its table as bytes.
fn saved(case: &Case) -> (PolicyTable, PlanStore, Vec<u8>) {
    let (table, plans) = case.build(1, &TableLimits::DEFAULT);
    let table = table.unwrap();
    let bytes = table.to_bytes(&case.question(), &case.space(), &plans);
    (table, plans, bytes)
}

fn read(case: &Case, bytes: &[u8], plans: &mut PlanStore) -> Result<PolicyTable, TableFileError> {
    PolicyTable::from_bytes(bytes, &case.question(), &case.space(), plans)
}

#[test]
fn a_table_comes_back_with_the_same_ids_and_plans() {
    for goal in [0, 1] {
        let case = Case::new(goal, true, false);
        let (table, plans, bytes) = saved(&case);
        let mut again = PlanStore::new();
        assert_eq!(read(&case, &bytes, &mut again).unwrap(), table);
        for &id in table.plans() {
            assert_eq!(again.actions(id), plans.actions(id));
            assert_eq!(again.cost(id), plans.cost(id));
        }
        // Into an arena that others use: other ids, the same plans.
        let mut busy = PlanStore::new();
        busy.intern(&[LocalAction(0); 7], 1);
        let moved = read(&case, &bytes, &mut busy).unwrap();
        for index in 0..table.n_states() {
            let (a, b) = (table.plan(index), moved.plan(index));
            assert_eq!((plans.actions(a), a.is_plan()), (busy.actions(b), b.is_plan()));
        }
        assert_eq!(moved.to_bytes(&case.question(), &case.space(), &busy), bytes);
    }
}

#[test]
fn other_questions_are_told_apart() {
    let case = Case::new(0, true, false);
    let (_, _, bytes) = saved(&case);
    let sentence = |other: &Case| {
        let mut plans = PlanStore::new();
        let refused = read(other, &bytes, &mut plans).unwrap_err();
        assert!(plans.is_empty());
        refused.to_string()
    };
    let another = "the table answers another question: ";
    assert_eq!(sentence(&Case::new(1, true, false)), format!("{another}goal 2 2, not 1 0 3 0"));
    let actions = "actions 0 1 2 3 4 5 6 7 8 9, not 0 1 2 3 4 5 6 7 8";
    assert_eq!(sentence(&Case::new(0, false, false)), format!("{another}{actions}"));
    let shared = "shared values 0 65535 65535 65535, not 1 65535 65535 65535";
    assert_eq!(sentence(&Case::new(0, true, true)), format!("{another}{shared}"));
    let edited = compiled(&TEXT.replace("cost 2", "cost 2.5"));
    let digests = (case.domain.digest(), edited.digest());
    let expected =
        format!("the table is for domain {}, and the domain now is {}", digests.0, digests.1);
    assert_eq!(sentence(&Case::of(edited, 0, true, false)), expected);
}

#[test]
fn what_is_no_table_of_this_version_says_so() {
    let case = Case::new(0, true, false);
    let (_, _, mut bytes) = saved(&case);
    let mut plans = PlanStore::new();
    for text in [&b""[..], b"domain smithy\n", b"THRTABLE", &[0; 100]] {
        assert_eq!(read(&case, text, &mut plans), Err(TableFileError::NotATable));
    }
    bytes[8] = 2;
    let other = TableFileError::OtherVersion { found: 2, expected: 1 };
    assert_eq!(read(&case, &bytes, &mut plans), Err(other));
}

#[test]
fn every_beginning_is_refused_as_cut_off() {
    let case = Case::new(0, true, false);
    let (_, _, bytes) = saved(&case);
    let mut plans = PlanStore::new();
    for end in 1..bytes.len() {
        match read(&case, &bytes[..end], &mut plans) {
            Err(TableFileError::Truncated { found, expected }) => {
                assert!(found == end && expected > end && expected <= bytes.len());
            }
            other => panic!("{end}: {other:?}"),
        }
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(read(&case, &longer, &mut plans), Err(TableFileError::Damaged { .. })));
    assert!(plans.is_empty());
}

/// Damages bytes a little: flips, splices, cuts.
fn damage(bytes: &mut Vec<u8>, dice: &mut SplitMix) {
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len());
        match dice.below(5) {
            0..3 => bytes[at] ^= 1 << dice.below(8),
            3 => {
                let (from, len) = (dice.below(bytes.len()), dice.below(9));
                let part: Vec<u8> = bytes[from..bytes.len().min(from + len)].to_vec();
                bytes.splice(at..bytes.len().min(at + dice.below(9)), part);
            }
            _ => bytes[at] = [0, 1, 0xff][dice.below(3)],
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
}

#[test]
fn damaged_bytes_are_refused() {
    let case = Case::new(0, true, false);
    let (table, _, bytes) = saved(&case);
    let (mut dice, mut refused) = (SplitMix::new(3), 0);
    for _ in 0..100_000 {
        let mut other = bytes.clone();
        damage(&mut other, &mut dice);
        let mut plans = PlanStore::new();
        match read(&case, &other, &mut plans) {
            Ok(same) => assert!(other == bytes && same == table),
            Err(_) => {
                assert!(plans.is_empty());
                refused += 1;
            }
        }
    }
    assert!(refused > 50_000, "{refused}");
}

/// With a checksum that fits, as by somebody who means it: never a panic, never a plan that does
/// not replay, never a table that would be written otherwise.
#[test]
fn forged_bytes_are_refused_or_a_sound_table() {
    let case = Case::new(0, true, false);
    let (table, _, bytes) = saved(&case);
    let (mut dice, mut accepted) = (SplitMix::new(4), 0);
    for _ in 0..100_000 {
        let mut other = bytes.clone();
        damage(&mut other, &mut dice);
        if other.len() > super::BODY {
            let sum = super::Digest::of(&other[super::BODY..]);
            other[12..super::BODY].copy_from_slice(&sum.0.to_le_bytes());
        }
        let mut plans = PlanStore::new();
        let Ok(forged) = read(&case, &other, &mut plans) else {
            assert!(plans.is_empty());
            continue;
        };
        accepted += usize::from(forged != table);
        assert_eq!(forged.to_bytes(&case.question(), &case.space(), &plans), other);
        for index in 0..36 {
            assert_eq!(forged.plan(index).0 == 1, table.plan(index).0 == 1, "satisfied is checked");
        }
    }
    // Replacing a plan by "impossible" cannot be seen; the test would not know what it forges
    // if that never happened.
    assert!(accepted > 0);
}
