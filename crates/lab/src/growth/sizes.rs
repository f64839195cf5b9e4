//! Variables, values, actions and needs, each growing alone.
//!
//! In:   an axis and a size.
//! Out:  a member of [`Climb`] with that size; its time, judged by length and replay.
//! Cost: makes all members at once; they take turns.
//!
//! More values without more actions are values that no action sets. More actions without more needs
//! need nothing. Only variables cannot grow alone: each brings its own actions.

use super::{Axes, Point};
use crate::harness::{Timed, race};
use crate::members::Climb;
use crate::report::{BenchResult, Session};
use crate::warm::{Rows, Warm};

/// Where every axis begins.
const BASE: Climb = Climb { variables: 1_000, values: 9, steps: 8, needy: 8, needs: 4 };
/// The same for a quick look.
const QUICK: Climb = Climb { variables: 10, ..BASE };
/// A turn lasts about so many nanoseconds.
const TURN: u64 = 2_000_000;

/// An axis: its name, what stays, its sizes, and the member of a size.
struct Growing {
    name: &'static str,
    fixed: &'static str,
    sizes: &'static [u32],
    of_size: fn(Climb, u32) -> Climb,
}

const AXES: [Growing; 4] = [
    Growing {
        name: "variables",
        fixed: "9 values, 8 actions each with 4 needs",
        sizes: &[1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000],
        of_size: |base, variables| Climb { variables, ..base },
    },
    Growing {
        name: "values",
        fixed: "1,000 variables, 8,000 actions, 32,000 needs",
        sizes: &[9, 17, 33, 65, 129, 257, 513],
        of_size: |base, values| Climb { values: values as u16, ..base },
    },
    Growing {
        name: "actions",
        fixed: "1,000 variables of 513 values, 32,000 needs; actions per variable",
        sizes: &[8, 16, 32, 64, 128, 256, 512],
        of_size: |base, steps| Climb { values: 513, steps: steps as u16, ..base },
    },
    Growing {
        name: "needs",
        fixed: "1,000 variables of 9 values, 8,000 actions; needs per action",
        sizes: &[4, 8, 16, 32, 64, 128, 256],
        of_size: |base, needs| Climb { needs, ..base },
    },
];

pub(super) fn measure(session: &mut Session<'_>) -> BenchResult<Vec<Axes>> {
    let base = session.pick(BASE, QUICK);
    let mut axes = Vec::new();
    for axis in &AXES {
        session.begin(&format!("time as {} grow", axis.name))?;
        let sizes = session.pick(axis.sizes, &axis.sizes[..2]);
        axes.push(Axes {
            name: axis.name,
            fixed: axis.fixed.to_string(),
            per: "action and need",
            points: points(axis, base, sizes, session)?,
        });
    }
    Ok(axes)
}

fn points(
    axis: &Growing,
    base: Climb,
    sizes: &[u32],
    session: &mut Session<'_>,
) -> BenchResult<Vec<Point>> {
    let mut members = Vec::new();
    for &size in sizes {
        let climb = (axis.of_size)(base, size);
        // Flat rows serve every type and every size; rows of bits would change the layout
        // somewhere on the way.
        let member = climb.member()?;
        match Warm::new(member, Rows::Flat) {
            Ok(warm) => members.push((size, climb, warm)),
            Err(error) => session.wrong.push(format!("{} = {size}: {}", axis.name, error.text())),
        }
    }
    let turn = session.pick(TURN, 1);
    let turns = members.iter_mut().map(|(_, _, warm)| warm.turn(turn));
    let times = race(session.pick(9, 1), turns.collect(), session)?;
    let point = |((size, climb, warm), nanoseconds): (&(u32, Climb, Warm), Timed)| {
        let (m, n) = (f64::from(climb.variables), f64::from(climb.values));
        Point {
            size: (*size).into(),
            work: warm.work(),
            nanoseconds,
            bytes: None,
            bounds: Some([m * m * n, m * m * n * n]),
        }
    };
    Ok(members.iter().zip(times).map(point).collect())
}

/// Makes a member and plans it; `None` if there is no such axis.
pub(super) fn make_and_plan(axis: &str, size: u64) -> Option<BenchResult> {
    let axis = AXES.iter().find(|known| known.name == axis)?;
    let make = || {
        let size = u32::try_from(size)?;
        let member = (axis.of_size)(BASE, size).member()?;
        Warm::new(member, Rows::Flat).map(|_| ())
    };
    Some(make())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_axis_grows_one_size_and_its_plans_are_right() {
        for axis in &AXES {
            let [small, large] =
                [axis.sizes[0], axis.sizes[1]].map(|size| (axis.of_size)(QUICK, size));
            assert_ne!(small, large, "{}", axis.name);
            for climb in [small, large] {
                let Ok(member) = climb.member() else { panic!("{climb:?}") };
                assert!(Warm::new(member, Rows::Flat).is_ok(), "{climb:?}");
            }
        }
    }
}
