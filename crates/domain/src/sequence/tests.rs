//! Parts in a row, compared with running them one after the other from every state.

use super::*;
use crate::amounts::UNKNOWN;
use crate::amounts::{ShiftBy, ShiftEnd};
use throng_base::SplitMix;

/// Two amounts, a word, and an amount that is only compared with.
const SIZES: [u16; 4] = [9, 5, 3, 4];

#[derive(Clone, Default, Debug)]
struct Deed {
    asks: Wants,
    sets: Vec<Fact>,
    shifts: Vec<Shift>,
}

impl Deed {
    fn part(&self) -> Part<'_> {
        Part { asks: self.asks.conditions(), sets: &self.sets, shifts: &self.shifts }
    }

    fn after(&self, state: &[u16]) -> Option<Vec<u16>> {
        let holds = self.asks.conditions().hold(|id| state[id.index()]);
        let mut after = state.to_vec();
        self.sets.iter().for_each(|set| after[set.variable.index()] = set.value.0 as u16);
        for shift in &self.shifts {
            let at = shift.variable.index();
            after[at] = shift.by.apply(state[at], SIZES[at])?;
        }
        holds.then_some(after)
    }
}

fn any_set(dice: &mut SplitMix, size: u16) -> ValueSet {
    let from = dice.below(usize::from(size)) as u16;
    let set = ValueSet::run(from, size.min(from + 1 + dice.below(6) as u16) - 1);
    let hole = ValueSet::one(dice.below(usize::from(size)) as u16).others(size).unwrap();
    if dice.percent(30) { set.both(&hole).unwrap() } else { set }
}

/// A part in the form that models have.
fn any_deed(dice: &mut SplitMix) -> Deed {
    let mut deed = Deed::default();
    for (at, &size) in SIZES.iter().enumerate() {
        let variable = VariableId::at(at);
        let mut asked = dice.percent(40).then(|| any_set(dice, size)).filter(|set| !set.is_empty());
        let is_amount = at < 2;
        let shift = (is_amount && dice.percent(60)).then(|| {
            let by = (1 + dice.below(5) as i32) * if dice.percent(50) { 1 } else { -1 };
            let stop = ShiftEnd::Stop(dice.below(usize::from(size)) as u16);
            ShiftBy { by, end: if dice.percent(50) { stop } else { ShiftEnd::Refuse } }
        });
        if let Some(by) = shift {
            let needed = by.domain(size);
            let both = asked.map_or(needed, |asked| asked.both(&needed).unwrap());
            if let Some(value) = both.only() {
                let to = by.apply(value, size).unwrap();
                deed.sets
                    .extend((to != value).then_some(Fact { variable, value: ValueId(to.into()) }));
            } else if !both.is_empty() {
                deed.shifts.push(Shift { variable, by });
            }
            asked = Some(both).filter(|both| !both.is_empty());
        } else if at < 3 && dice.percent(25) {
            let value = ValueId(dice.below(usize::from(size)) as u32);
            deed.sets.push(Fact { variable, value });
        }
        match asked.map(|asked| (asked, asked.only())) {
            None => {}
            Some((_, Some(only))) => {
                deed.asks.facts.push(Fact { variable, value: ValueId(only.into()) });
            }
            Some((values, None)) => deed.asks.ranges.push(Range { variable, values }),
        }
    }
    if dice.percent(30) {
        let (variable, other) = (VariableId::at(dice.below(2)), VariableId::at(3));
        let relation = *dice.pick(&[
            Relation::AtLeast,
            Relation::AtMost,
            Relation::Less,
            Relation::More,
            Relation::Is,
            Relation::IsNot,
        ]);
        deed.asks.comparisons.push(Comparison { variable, relation, other, offset: 1 });
    }
    deed
}

fn states() -> Vec<Vec<u16>> {
    let mut all = vec![Vec::new()];
    for size in SIZES {
        let values = || (0..size).chain([UNKNOWN]);
        all = all
            .iter()
            .flat_map(|state: &Vec<u16>| {
                values().map(|value| [&state[..], &[value]].concat()).collect::<Vec<_>>()
            })
            .collect();
    }
    all
}

/// Whether no shift and no value does what the parts do to an amount, tried one by one.
fn is_no_single_change(sequence: &Sequence, variable: VariableId) -> bool {
    let (size, course) = (SIZES[variable.index()], &sequence.courses[&variable]);
    let (Now::Moved(moves), Some(asked)) = (&course.now, course.asked) else { return false };
    let ends = (0..size).map(ShiftEnd::Stop).chain([ShiftEnd::Refuse]);
    let span = i32::from(size);
    let mut shifts = ends.flat_map(|end| (-span..=span).map(move |by| ShiftBy { by, end }));
    let same = |shift: ShiftBy| asked.values().all(|x| shift.apply(x, size) == moves.apply(x));
    let is_value = asked
        .values()
        .all(|x| moves.apply(x) == asked.values().next().and_then(|x| moves.apply(x)));
    !is_value && !shifts.any(same)
}

#[test]
fn the_whole_does_what_its_parts_do() {
    let all = states();
    let (mut told, mut refused, mut never, mut stopped) = (0, 0, 0, 0);
    for seed in 0..3_000 {
        let mut dice = SplitMix::new(seed);
        let parts: Vec<Deed> = (0..dice.within(1, 4)).map(|_| any_deed(&mut dice)).collect();
        let mut sequence = Sequence::default();
        let mut cannot = Vec::new();
        for part in &parts {
            cannot.extend(sequence.add(part.part(), |id| SIZES[id.index()]));
        }
        let run = |state: &Vec<u16>| {
            parts.iter().try_fold(state.clone(), |state, part| part.after(&state))
        };
        let untold = cannot.iter().any(|it| matches!(it, Cannot::Tell(_)));
        if !cannot.is_empty() && !untold {
            assert!(all.iter().all(|state| run(state).is_none()), "seed {seed}: {parts:?}");
            never += 1;
            continue;
        }
        if untold {
            continue;
        }
        let whole = sequence.whole();
        if let Err(variable) = whole {
            refused += 1;
            assert!(is_no_single_change(&sequence, variable), "seed {seed}: {parts:?}");
        }
        let Ok(whole) = whole else { continue };
        told += 1;
        stopped += usize::from(whole.shifts.iter().any(|it| it.by.end != ShiftEnd::Refuse));
        let Whole { requires, ranges, comparisons, sets, shifts } = whole;
        let one = Deed { asks: Wants { facts: requires, ranges, comparisons }, sets, shifts };
        for state in &all {
            assert_eq!(one.after(state), run(state), "seed {seed}, {state:?}: {parts:?} {one:?}");
        }
    }
    let tally = [told, never, stopped, refused];
    assert!(tally.iter().all(|&count| count > 50), "{tally:?}");
}

#[test]
fn shifts_add_up_and_stops_stay() {
    let shift = |by: i32, stop: Option<u16>| {
        let end = stop.map_or(ShiftEnd::Refuse, ShiftEnd::Stop);
        ShiftBy { by, end }
    };
    let all = ValueSet::all(101);
    let together = |one: ShiftBy, two: ShiftBy| {
        let moves = Moves::of(one, 101).and_then(two, 101).unwrap();
        match moves.together(&moves.before(&all).unwrap()) {
            None => "no".to_string(),
            Some(Together::Stays) => "stays".to_string(),
            Some(Together::Becomes(value)) => format!("= {value}"),
            Some(Together::Shifts(by)) => format!("{} {:?}", by.by, by.end),
        }
    };
    for (one, two, whole) in [
        (shift(10, None), shift(5, None), "15 Refuse"),
        (shift(10, None), shift(-10, None), "stays"),
        (shift(10, Some(100)), shift(5, Some(100)), "15 Stop(100)"),
        (shift(-10, Some(0)), shift(-5, Some(0)), "-15 Stop(0)"),
        (shift(200, Some(100)), shift(5, Some(100)), "= 100"),
        // Up to fifty, then up to a hundred: what lies above fifty moves less.
        (shift(10, Some(50)), shift(5, Some(100)), "no"),
        // Down again, all that was stopped is at ninety.
        (shift(10, Some(100)), shift(-10, None), "-10 Stop(90)"),
        (shift(100, None), shift(-60, None), "= 40"),
    ] {
        assert_eq!(together(one, two), whole, "{one:?} {two:?}");
    }
}
