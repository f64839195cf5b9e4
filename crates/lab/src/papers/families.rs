//! Figures 1 and 2: time by values and by variables, on families with known plans.
//!
//! In:   members of MultiPrv_n, of the tunnel (MultiPrv_2_Cycle) and of OnePrv_5.
//! Out:  a figure each, records of the largest sizes, and who did not find the plan.
//! Cost: a minute.
//!
//! The printed algorithms get their tables and both states ready; ours gets the values of the
//! NPC and pays for the problem, the choice of the engine and the replay.

use super::{FLAT, Notes, OURS, PRINTED, colour_of, name_of, of_largest};
use crate::harness::{Turn, race};
use crate::judge::{Question, Verdict};
use crate::members::{Climb, Member, one_prv, tunnel};
use crate::printed::{Ends, Printed, Tables, tables};
use crate::report::{BenchResult, Session};
use crate::warm::{Rows, Warm};
use std::hint::black_box;
use throng_domain::compile::TablesError;
use throng_picture::figure::{Axis, Figure, Line, Panel};

/// Variables of figure 1, whose number the paper does not say.
pub(super) const VARIABLES: u32 = 50;
/// A turn lasts about so many nanoseconds.
const TURN: u64 = 1_000_000;
/// P keeps a square matrix of flags; beyond so many variables it takes too much memory.
const MOST_VARIABLES: u32 = 5_000;

/// A family that grows in one size.
struct Family {
    /// For the title and for records.
    title: &'static str,
    name: &'static str,
    x: &'static str,
    make: fn(u32) -> Result<Member, TablesError>,
    sizes: &'static [u32],
    quick: &'static [u32],
}

const MULTI_PRV: Family = Family {
    title: "MultiPrv_n, m = 50 variables",
    name: "fig1_multiprv",
    x: "values per variable (n)",
    make: |values| Climb::multi_prv(values as u16, VARIABLES).member(),
    sizes: &[2, 4, 8, 16, 32, 64, 128],
    quick: &[2, 4],
};
const TUNNEL: Family = Family {
    title: "MultiPrv_2_Cycle (tunnel): orders grow with m²",
    name: "fig2_tunnel",
    x: "variables (m)",
    make: tunnel,
    sizes: &[10, 20, 50, 100, 200, 500, 1_000],
    quick: &[4, 8],
};
const ONE_PRV: Family = Family {
    title: "OnePrv_5: orders grow with m",
    name: "fig2_oneprv",
    x: "variables (m)",
    make: |variables| one_prv(5, variables),
    sizes: &[10, 20, 50, 100, 200, 500, 1_000, 2_000, MOST_VARIABLES],
    quick: &[4, 8],
};

/// A member with everything that everybody needs to plan it.
struct Contest {
    size: u32,
    warm: Warm,
    /// The same in the layout that serves every type.
    flat: Warm,
    tables: Tables,
    ends: Ends,
}

pub(super) fn measure(session: &mut Session<'_>, notes: &mut Notes) -> BenchResult<[Figure; 2]> {
    let figure = |name: &str, title: &str, panels: Vec<Panel>| Figure {
        name: name.to_string(),
        title: title.to_string(),
        panels,
    };
    let values = vec![panel(&MULTI_PRV, session, notes)?];
    let variables = vec![panel(&TUNNEL, session, notes)?, panel(&ONE_PRV, session, notes)?];
    Ok([
        figure("figure1", "Figure 1: time by number of values", values),
        figure("figure2", "Figure 2: time by number of variables", variables),
    ])
}

fn panel(family: &Family, session: &mut Session<'_>, notes: &mut Notes) -> BenchResult<Panel> {
    session.begin(family.title)?;
    let sizes = session.pick(family.sizes, family.quick);
    let mut contests = Vec::new();
    for &size in sizes {
        let member = (family.make)(size)?;
        // `Warm::new` plans, replays and compares the length: a wrong answer ends up here.
        let both = Warm::new(member.clone(), Rows::Best)
            .and_then(|best| Ok((best, Warm::new(member, Rows::Graph)?)));
        match both {
            Ok((best, flat)) => contests.push(Contest::new(size, best, flat)?),
            Err(error) => {
                session.wrong.push(format!("{} of size {size}: {}", family.title, error.text()));
            }
        }
    }
    let mut who: Vec<(&str, usize)> = Vec::new();
    let mut turns = Vec::new();
    for (at, contest) in contests.iter_mut().enumerate() {
        let Contest { warm, flat, tables, ends, size } = contest;
        for printed in PRINTED {
            match judged(warm, tables, ends, printed) {
                Verdict::Right => {
                    who.push((name_of(printed), at));
                    let (tables, ends) = (&*tables, &*ends);
                    turns.push(Turn::lasting(session.pick(TURN, 1), move || {
                        _ = black_box(printed.run(tables, ends, &mut |_| {}));
                    }));
                }
                verdict => notes.misses.push(format!(
                    "{} on {} of size {size}: {verdict:?}",
                    name_of(printed),
                    family.title
                )),
            }
        }
        for (name, warm) in [(OURS, warm), (FLAT, flat)] {
            who.push((name, at));
            turns.push(warm.turn(session.pick(TURN, 1)));
        }
    }
    let rounds = session.pick(9, 1);
    let times = race(rounds, turns, session)?;
    // Of all sizes: whoever is measured at the largest one is there last.
    let mut largest: Vec<(&str, f64)> = Vec::new();
    for ((name, _), time) in who.iter().zip(&times) {
        largest.retain(|(other, _)| other != name);
        largest.push((name, time.spread().unwrap_or(0.0)));
    }
    let spreads = largest;
    let mut lines = Vec::new();
    for name in [OURS, FLAT].into_iter().chain(PRINTED.map(name_of)) {
        let mine = who.iter().zip(&times).filter(|((whose, _), _)| *whose == name);
        let points =
            mine.map(|((_, at), time)| (f64::from(contests[*at].size), time.fastest / 1e6));
        let points: Vec<(f64, f64)> = points.collect();
        lines.push(Line { name: name.to_string(), colour: colour_of(name), points });
    }
    notes.records.extend(of_largest(family.name, "ms per plan", &lines, &spreads, rounds));
    Ok(Panel {
        title: family.title.to_string(),
        x: Axis::logarithmic(family.x),
        y: Axis::logarithmic("milliseconds per plan"),
        lines,
    })
}

impl Contest {
    fn new(size: u32, warm: Warm, flat: Warm) -> BenchResult<Contest> {
        let npc = &warm.member.domain.npcs()[0];
        let (tables, ends) = tables::read(npc, warm.problem())
            .map_err(|failure| failure.sentence(&warm.member.domain, npc))?;
        Ok(Contest { size, warm, flat, tables, ends })
    }
}

fn judged(warm: &Warm, tables: &Tables, ends: &Ends, printed: Printed) -> Verdict {
    let shortest = Some(warm.n_actions() as usize);
    let question =
        Question { npc: &warm.member.domain.npcs()[0], problem: warm.problem(), shortest };
    question.printed(&printed.run(tables, ends, &mut |_| {}))
}
