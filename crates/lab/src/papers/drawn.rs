//! The printed algorithms on the smallest types of their own class.
//!
//! In:   types of three variables with two values, drawn at random, of strict class PUC2*.
//! Out:  how many of all pairs of their states everybody answers rightly.
//! Cost: a few seconds.
//!
//! The games of the papers are kind: there P finds every plan. Its class is larger than the
//! games, and so is TopoPlan's; this counts what happens in the rest of it. In strict PUC2* no
//! plan needs an action twice, so both algorithms claim all of these instances.

use super::pairs::{Counts, Row, of_counts, of_type};
use crate::report::{BenchResult, Session};
use throng_domain::Cost;
use throng_domain::compile::{CompiledDomain, Tables, TablesError};
use throng_planner::PreparedDomain;
use throng_planner::classes::Class;

pub(super) const NAME: &str = "drawn types of PUC2*";
const TYPES: usize = 20_000;

pub(super) fn count(session: &mut Session<'_>) -> BenchResult<Vec<Row>> {
    session.begin(NAME)?;
    let mut counts = Counts::default();
    let mut dice = Dice(1);
    let mut left = session.pick(TYPES, 300);
    while left > 0 {
        let drawn = PreparedDomain::from(draw(&mut dice)?);
        let npc = &drawn.npcs()[0];
        if drawn.classes(npc.id()).holds(Class::C2Star) {
            of_type(&drawn, npc, (1, 1), session, &mut counts)?;
            left -= 1;
        }
    }
    Ok(of_counts(NAME, counts).collect())
}

/// Three switches; five of six moves are there, each with any needs of the other two.
fn draw(dice: &mut Dice) -> Result<CompiledDomain, TablesError> {
    let mut tables = Tables::new("drawn");
    let switches =
        [tables.add_variable(2, 0)?, tables.add_variable(2, 0)?, tables.add_variable(2, 0)?];
    for (at, &switch) in switches.iter().enumerate() {
        for value in 0..2 {
            if dice.below(6) == 0 {
                continue;
            }
            let mut requires = vec![tables.fact(switch, 1 - value)?];
            for (other, &needed) in switches.iter().enumerate() {
                match dice.below(4) {
                    need @ 0..=1 if other != at => requires.push(tables.fact(needed, need as u16)?),
                    _ => {}
                }
            }
            tables.add_action(&requires, &[tables.fact(switch, value)?], Cost(1000))?;
        }
    }
    tables.set_goal(&[tables.fact(switches[0], 0)?])?;
    Ok(tables.compile())
}

/// Numbers below others that follow nothing and are always the same. They are not those of
/// `SplitMix`: the types on the page were drawn by this rule.
struct Dice(u64);

impl Dice {
    /// A number below `n`, 0 if there is none.
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % n.max(1)
    }
}
