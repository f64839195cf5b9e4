//! Shared: plans of all states computed once, looked up after.
//!
//! In:   the folk.
//! Out:  the tables, what building them takes, and serving three million NPCs beside memcpy.
//! Cost: a nanosecond per NPC and pass.

use super::folk::{Folk, Group, Piece};
use super::row::{Bar, Number, Row};
use super::{ROUNDS_TOGETHER, hot_and_cold, rounds, within_a_tenth};
use crate::protocol::{Sweep, alternate, wall_together};
use crate::record::Record;
use crate::report::{BenchError, Session};
use crate::town::{Ours, Trade, packed};
use std::hint::black_box;
use throng::crowd::Pool;
use throng_crowd::plans::PlanStore;
use throng_crowd::space::Space;
use throng_crowd::table::{PlanLists, PolicyTable, TableLimits, TableQuestion};
use throng_domain::compile::{CompiledDomain, PackedValue, UNKNOWN};
use throng_planner::{ActionMask, Checks};

/// The tables of all groups.
pub(super) struct Shelf {
    tables: Vec<PolicyTable>,
    lists: Vec<PlanLists>,
    /// By case, the id that its group's table must give, and the plan as a word.
    pub(super) ids: Vec<u16>,
    pub(super) words: Vec<u64>,
}

/// The table of a type and a goal, and the plans it names.
fn built(
    compiled: &CompiledDomain,
    trade: &Trade,
    pool: &Pool,
) -> Result<(PolicyTable, PlanStore), BenchError> {
    let kind = compiled.npc(trade.npc);
    let question = TableQuestion {
        domain: compiled,
        npc: trade.npc,
        goal: &trade.wants,
        checks: &Checks::all(compiled.map().n_checks()),
        forbidden: &ActionMask::none(kind.n_actions()),
        shared: &[],
        outside: &[],
    };
    let (space, mut plans) = (Space::new(compiled.map(), kind), PlanStore::new());
    let limits = TableLimits::DEFAULT;
    let table = PolicyTable::build(&question, &space, &mut plans, pool, &limits, &|_, _| {});
    Ok((table.map_err(BenchError::because)?, plans))
}

impl Shelf {
    /// Builds all tables and holds them against the single planner's plans.
    pub(super) fn new(folk: &Folk, wrong: &mut Vec<String>) -> Result<Shelf, BenchError> {
        let (compiled, pool) = (folk.town.domain.compiled(), Pool::new(1));
        let (mut tables, mut lists, mut arenas) = (Vec::new(), Vec::new(), Vec::new());
        for Group { trade, .. } in &folk.groups {
            let trade = &folk.town.trades[*trade];
            let (table, plans) = built(compiled, trade, &pool)?;
            let words = table.lists(&plans, compiled.npc(trade.npc));
            lists
                .push(words.ok_or_else(|| BenchError::because("a plan does not fit into a word"))?);
            tables.push(table);
            arenas.push(plans);
        }
        let mut ids = Vec::new();
        for (case, right) in folk.town.cases.iter().zip(&folk.right) {
            let kind = folk.town.npc(case);
            let space = Space::new(compiled.map(), kind);
            let local: Vec<PackedValue> =
                kind.variables().iter().map(|variable| case.values[variable.index()]).collect();
            let id = tables[case.trade].plan(space.index_of(&local).unwrap_or(u64::MAX));
            if arenas[case.trade].actions(id) != right {
                wrong.push(format!("tables: another plan from {:?}", case.values));
            }
            ids.push(id.0 as u16);
        }
        Ok(Shelf { tables, lists, ids, words: folk.right_words() })
    }

    /// Plan ids for some NPCs of a group.
    pub(super) fn serve_ids(&self, folk: &Folk, piece: &mut Piece<'_, u16>) {
        let states = piece.of(&folk.groups[piece.group].numbers);
        // What does not fit leaves the ids as they were, which the check sees.
        self.tables[piece.group].serve_u16(states, piece.out);
    }

    /// Whole plans for some NPCs of a group.
    pub(super) fn serve_plans(&self, folk: &Folk, piece: &mut Piece<'_, u64>) {
        let states = piece.of(&folk.groups[piece.group].numbers);
        self.lists[piece.group].serve_u16(states, piece.out);
    }
}

/// Ids and whole plans of everybody beside a memcpy that moves as many bytes; then two threads.
pub(super) fn serving(
    session: &mut Session<'_>,
    folk: &Folk,
    shelf: &Shelf,
    sweep: &mut Sweep,
    wrong: &mut Vec<String>,
) -> Result<Vec<Row>, BenchError> {
    session.begin("shared: three million look-ups beside memcpy")?;
    let n_npcs = folk.len();
    let (mut ids, mut plans) = (vec![0u16; n_npcs], vec![0u64; n_npcs]);
    // Separate buffers: nothing of ours warms theirs. A copy moves each byte twice, so for two
    // bytes in and two out it copies two, and for two in and eight out five.
    let (from, mut to) = (vec![1u8; 2 * n_npcs], vec![0u8; 2 * n_npcs]);
    let (from_5, mut to_5) = (vec![1u8; 5 * n_npcs], vec![0u8; 5 * n_npcs]);
    let mut serve_ids = || {
        let shares = folk.shares(1, &mut ids);
        shares.into_iter().flatten().for_each(|mut piece| shelf.serve_ids(folk, &mut piece));
        black_box(&mut ids);
    };
    let mut copy = || {
        to.copy_from_slice(black_box(&from));
        black_box(&mut to);
    };
    let mut serve_plans = || {
        let shares = folk.shares(1, &mut plans);
        shares.into_iter().flatten().for_each(|mut piece| shelf.serve_plans(folk, &mut piece));
        black_box(&mut plans);
    };
    let mut copy_5 = || {
        to_5.copy_from_slice(black_box(&from_5));
        black_box(&mut to_5);
    };
    let passes = alternate(
        rounds(session),
        sweep,
        &mut [&mut serve_ids, &mut copy, &mut serve_plans, &mut copy_5],
    );
    folk.check("ids_u16_3m", &ids, &shelf.ids, wrong);
    folk.check("plans_u64_3m", &plans, &shelf.words, wrong);
    let &[served_ids, copied, served_plans, copied_5] = &passes[..] else { return Ok(Vec::new()) };
    let mut rows = Vec::new();
    for (name, pair, against, bar) in [
        ("ids_u16_3m", [served_ids, copied], "memcpy of the same bytes", 2.0),
        ("plans_u64_3m", [served_plans, copied_5], "memcpy that moves as many bytes", 1.5),
    ] {
        let bar = Some(Bar::AtMost(bar));
        rows.extend(hot_and_cold(name, Number::Shared, pair, n_npcs, bar, |n, o, t| {
            Record::ours_by_theirs(n, o, t, against, "ns per NPC")
        }));
    }
    rows.extend(two_threads(session, folk, shelf, sweep, wrong)?);
    Ok(rows)
}

fn two_threads(
    session: &mut Session<'_>,
    folk: &Folk,
    shelf: &Shelf,
    sweep: &mut Sweep,
    wrong: &mut Vec<String>,
) -> Result<Vec<Row>, BenchError> {
    session.begin("shared, two threads")?;
    let rounds = session.pick(ROUNDS_TOGETHER, 2);
    let (mut ids, mut plans) = (vec![0u16; folk.len()], vec![0u64; folk.len()]);
    let mut before = || sweep.run();
    let mut parts = folk.shares(2, &mut ids);
    let wall_ids = wall_together(rounds, &mut parts, &mut before, |pieces| {
        pieces.iter_mut().for_each(|piece| shelf.serve_ids(folk, piece));
    });
    drop(parts);
    let mut parts = folk.shares(2, &mut plans);
    let wall_plans = wall_together(rounds, &mut parts, &mut before, |pieces| {
        pieces.iter_mut().for_each(|piece| shelf.serve_plans(folk, piece));
    });
    drop(parts);
    folk.check("ids_u16_3m_two_threads", &ids, &shelf.ids, wrong);
    folk.check("plans_u64_3m_two_threads", &plans, &shelf.words, wrong);
    Ok(vec![
        within_a_tenth(Number::Shared, "ids_u16_3m_two_threads", wall_ids),
        within_a_tenth(Number::Shared, "plans_u64_3m_two_threads", wall_plans),
    ])
}

/// Building all tables of the Western beside asking the single planner about every state.
pub(super) fn building(
    session: &mut Session<'_>,
    folk: &Folk,
    sweep: &mut Sweep,
    wrong: &mut Vec<String>,
) -> Result<Row, BenchError> {
    session.begin("building the tables of the Western")?;
    let (compiled, pool) = (folk.town.domain.compiled(), Pool::new(1));
    let mut questions: Vec<(usize, Vec<PackedValue>)> = Vec::new();
    for (at, trade) in folk.town.trades.iter().enumerate() {
        let kind = compiled.npc(trade.npc);
        let mut local = vec![0; kind.variables().len()];
        for index in 0..kind.layout().n_states().unwrap_or(0) {
            kind.layout().state_at(index, &mut local);
            let mut values = vec![UNKNOWN; compiled.map().n_variables()];
            for (variable, &value) in kind.variables().iter().zip(&local) {
                values[variable.index()] = value;
            }
            questions.push((at, values));
        }
    }
    let mut asked = Ours::new(compiled).ok_or_else(|| BenchError::because("nobody to plan for"))?;
    let mut n_built = 0;
    let mut build = || {
        let tables = folk.town.trades.iter().filter_map(|t| built(compiled, t, &pool).ok());
        n_built = tables.map(|(table, _)| black_box(table).n_states()).sum();
    };
    let mut ask = || {
        for (trade, values) in &questions {
            let trade = &folk.town.trades[*trade];
            black_box(asked.whole_call(compiled, trade.npc, values, &trade.wants));
            black_box(packed(&asked.solver.plan));
        }
    };
    let passes = alternate(rounds(session), sweep, &mut [&mut build, &mut ask]);
    if n_built != questions.len() as u64 {
        wrong.push(format!("build_western_tables: {n_built} of {} states", questions.len()));
    }
    let against = format!("the single planner for each of the {} states", questions.len());
    let (ours, theirs) = (passes[0].cold / 1e6, passes[1].cold / 1e6);
    let record = Record::theirs_by_ours("build_western_tables", ours, theirs, against, "ms");
    Ok(Row::stated(Number::Shared, record))
}
