//! Bytes come back as the same table, or are refused with a sentence; nothing else happens.

use super::{Key, PolicyTable, TableFileError};
use crate::plans::PlanStore;
use crate::table::TableLimits;
use crate::table::smithy::{Case, TEXT, compiled};
use throng_base::SplitMix;
use throng_base::codec::trial::comes_back;
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
    let mut plans = PlanStore::new();
    let mut told = |bytes: &[u8]| read(&case, bytes, &mut plans).unwrap_err().to_string();
    for text in [&b""[..], b"domain smithy\n", b"THRTABLE", &[0; 100]] {
        assert!(told(text).starts_with("this is not a policy table"), "{text:?}");
    }
    let former = "this is a policy table of format 1; this program reads format 2";
    assert_eq!(told(b"thrtable\x01\0\0\0"), former);
    assert_eq!(told(b"throng table 3\n"), former.replace("format 1", "format 3"));
}

#[test]
fn every_beginning_is_refused() {
    let case = Case::new(0, true, false);
    let (_, _, bytes) = saved(&case);
    let mut plans = PlanStore::new();
    for end in 0..bytes.len() {
        assert!(
            matches!(read(&case, &bytes[..end], &mut plans), Err(TableFileError::Read(_))),
            "{end}"
        );
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(read(&case, &longer, &mut plans), Err(TableFileError::Read(_))));
    assert!(plans.is_empty());
}

#[test]
fn a_question_comes_back_from_its_bytes() {
    comes_back::<Key>(|trial, _| Key {
        npc: trial.any(),
        goal: trial.any(),
        actions: trial.any(),
        shared: trial.any(),
        outside: trial.any(),
    });
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

/// With a seal that fits, as by somebody who means it: never a panic, never a plan that does
/// not replay, never a table that would be written otherwise.
#[test]
fn forged_bytes_are_refused_or_a_sound_table() {
    let case = Case::new(0, true, false);
    let (table, _, bytes) = saved(&case);
    let (_, mut from) = super::TABLE.open(&bytes).unwrap();
    let mut whole = from.unseal().unwrap();
    let body = whole.raw(whole.left()).unwrap();
    let (mut dice, mut accepted) = (SplitMix::new(4), 0);
    for _ in 0..100_000 {
        let mut other = body.to_vec();
        damage(&mut other, &mut dice);
        let mut forged = super::TABLE.begin();
        forged.seal(|to| to.raw(&other));
        let forged = forged.bytes;
        let mut plans = PlanStore::new();
        let Ok(other) = read(&case, &forged, &mut plans) else {
            assert!(plans.is_empty());
            continue;
        };
        accepted += usize::from(other != table);
        // A number may be written in more bytes than it needs, so what it is counts.
        let again = other.to_bytes(&case.question(), &case.space(), &plans);
        assert!(read(&case, &again, &mut PlanStore::new()).is_ok_and(|same| same == other));
        for index in 0..36 {
            assert_eq!(other.plan(index).0 == 1, table.plan(index).0 == 1, "satisfied is checked");
        }
    }
    // Replacing a plan by "impossible" cannot be seen; the test would not know what it forges
    // if that never happened.
    assert!(accepted > 0);
}
