//! Whatever is admitted can be done in every order, to the same end.

use super::*;
use throng_base::SplitMix;

/// Of so many values.
const N: PackedValue = 4;

/// A step of a plan, as far as one variable goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    need: Option<(PackedValue, PackedValue)>,
    effect: Effect,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    None,
    Set(PackedValue),
    Shift(i32, ShiftEnd),
}

impl Step {
    /// The value after it; `None` if it cannot be done.
    fn run(self, value: PackedValue) -> Option<PackedValue> {
        let holds = self.need.is_none_or(|(low, high)| (low..=high).contains(&value));
        match self.effect {
            _ if !holds => None,
            Effect::None => Some(value),
            Effect::Set(set) => Some(set),
            Effect::Shift(by, end) => ShiftBy { by, end }.apply(value, N),
        }
    }
}

/// What a plan wants that begins with a value; `None` if it cannot be done alone.
fn want_of(plan: &[Step], mut value: PackedValue) -> Option<Want> {
    let mut want = Want::of(LocalVariable(0));
    for step in plan {
        if let Some((low, high)) = step.need
            && !want.need(value, &ValueSet::run(low, high))
        {
            return None;
        }
        let can = match step.effect {
            Effect::None => true,
            Effect::Set(set) => {
                want.set(set);
                true
            }
            Effect::Shift(by, end) => want.shift(value, ShiftBy { by, end }, N),
        };
        assert_eq!(can, step.run(value).is_some(), "{plan:?} {value}");
        value = step.run(value)?;
    }
    Some(want)
}

/// The values that plans end with, done in every order in which their steps can be mixed; `None`
/// if one of them gets stuck.
fn ends(plans: &[&[Step]], value: PackedValue, out: &mut Vec<PackedValue>) -> Option<()> {
    if plans.iter().all(|plan| plan.is_empty()) {
        out.push(value);
    }
    for at in 0..plans.len() {
        if let Some((first, rest)) = plans[at].split_first() {
            let mut left = plans.to_vec();
            left[at] = rest;
            ends(&left, first.run(value)?, out)?;
        }
    }
    Some(())
}

fn steps() -> Vec<Step> {
    let mut all = Vec::new();
    for need in [None, Some((0, 0)), Some((1, 1)), Some((1, 2)), Some((0, 2)), Some((2, 3))] {
        for effect in [
            Effect::None,
            Effect::Set(0),
            Effect::Set(1),
            Effect::Shift(1, ShiftEnd::Refuse),
            Effect::Shift(-1, ShiftEnd::Refuse),
            Effect::Shift(1, ShiftEnd::Stop(2)),
            Effect::Shift(-2, ShiftEnd::Stop(0)),
        ] {
            if need.is_some() || effect != Effect::None {
                all.push(Step { need, effect });
            }
        }
    }
    all
}

/// Whether all are admitted, one after the other; and then that they can be done in any order.
fn admitted(plans: &[&[Step]], value: PackedValue) -> bool {
    let mut hold = Hold::default();
    for plan in plans {
        let Some(want) = want_of(plan, value) else { return false };
        if hold.admits(&want, value) != Admission::Yes {
            return false;
        }
        hold.add(&want, value);
    }
    let mut all = Vec::new();
    assert_eq!(ends(plans, value, &mut all), Some(()), "{plans:?} from {value}");
    assert!(all.iter().all(|&end| end == all[0]), "{plans:?} from {value}: {all:?}");
    true
}

#[test]
fn every_two_plans_that_are_admitted_can_be_mixed() {
    let steps = steps();
    let long: Vec<[Step; 2]> =
        steps.iter().flat_map(|&a| steps.iter().map(move |&b| [a, b])).collect();
    let (mut n_admitted, mut n_refused) = (0, 0);
    for value in 0..N {
        for step in &steps {
            for plan in &long {
                match admitted(&[std::slice::from_ref(step), plan], value) {
                    true => n_admitted += 1,
                    false => n_refused += 1,
                }
            }
        }
    }
    assert!(n_admitted > 2_000 && n_refused > 5_000, "{n_admitted} {n_refused}");
}

#[test]
fn many_plans_that_are_admitted_can_be_mixed() {
    let steps = steps();
    let mut random = SplitMix::new(11);
    let mut n_admitted = 0;
    for _ in 0..250_000 {
        let plans: Vec<Vec<Step>> = (0..2 + random.below(3))
            .map(|_| (0..1 + random.below(2)).map(|_| steps[random.below(steps.len())]).collect())
            .collect();
        let plans: Vec<&[Step]> = plans.iter().map(Vec::as_slice).collect();
        n_admitted += usize::from(admitted(&plans, random.below(N.into()) as PackedValue));
    }
    assert!(n_admitted > 1_000, "{n_admitted}");
}

#[test]
fn who_only_reads_or_has_enough_is_let_in() {
    let read: &[Step] = &[Step { need: Some((1, 1)), effect: Effect::None }];
    let take: &[Step] = &[Step { need: Some((1, 3)), effect: Effect::Shift(-1, ShiftEnd::Refuse) }];
    let light: &[Step] = &[Step { need: Some((0, 0)), effect: Effect::Set(1) }];
    let ring: &[Step] = &[Step { need: None, effect: Effect::Set(1) }];
    assert!(admitted(&[read; 4], 1) && admitted(&[ring; 4], 0));
    assert!(admitted(&[take; 3], 3) && !admitted(&[take; 4], 3) && admitted(&[take; 1], 1));
    assert!(!admitted(&[light; 2], 0), "one of them would come too late");
    assert!(!admitted(&[take, read], 1) && !admitted(&[read, take], 1));
}
