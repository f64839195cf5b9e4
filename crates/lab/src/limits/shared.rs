//! Shared: plans of all states computed once, looked up after.
//!
//! In:   the folk.
//! Out:  the tables, what building them takes, and serving three million NPCs beside memcpy.
//! Cost: a nanosecond per NPC and pass.

use super::folk::{Folk, Group, Piece};
use super::lists::PlanLists;
use super::{Number, Row, alone, hot_and_cold, rounds, together, within_a_tenth};
use crate::harness::{Turn, race_cold};
use crate::record::{Bar, Record};
use crate::report::{BenchResult, Session};
use crate::town::{Ours, Trade, packed, spread};
use std::hint::black_box;
use throng::crowd::Pool;
use throng_crowd::plans::PlanStore;
use throng_crowd::space::Space;
use throng_crowd::table::{PolicyTable, TableLimits, TableQuestion};
use throng_domain::compile::PackedValue;
use throng_planner::PreparedDomain;
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
    compiled: &PreparedDomain,
    trade: &Trade,
    pool: &Pool,
) -> BenchResult<(PolicyTable, PlanStore)> {
    let kind = compiled.npc(trade.npc);
    let question = TableQuestion {
        domain: compiled,
        npc: trade.npc,
        goal: (&trade.wants).into(),
        checks: &Checks::all(compiled.map().n_checks()),
        forbidden: &ActionMask::none(kind.n_actions()),
        shared: &[],
        outside: &[],
    };
    let (space, mut plans) = (Space::new(compiled.map(), kind), PlanStore::new());
    let limits = TableLimits::DEFAULT;
    let table = PolicyTable::build(&question, &space, &mut plans, pool, &limits, &|_, _| {});
    Ok((table?, plans))
}

impl Shelf {
    /// Builds all tables and holds them against the single planner's plans.
    pub(super) fn new(folk: &Folk, session: &mut Session<'_>) -> BenchResult<Shelf> {
        let (compiled, pool) = (folk.town.domain.compiled(), Pool::new(1));
        let (mut tables, mut lists, mut arenas) = (Vec::new(), Vec::new(), Vec::new());
        for Group { trade, .. } in &folk.groups {
            let trade = &folk.town.trades[*trade];
            let (table, plans) = built(compiled, trade, &pool)?;
            let words = PlanLists::new(&table, &plans, compiled.npc(trade.npc));
            lists.push(words.ok_or("a plan does not fit into a word")?);
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
                session.wrong.push(format!("tables: another plan from {:?}", case.values));
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
) -> BenchResult<Vec<Row>> {
    session.begin("shared: three million look-ups beside memcpy")?;
    let n_npcs = folk.len();
    let (mut ids, mut plans) = (vec![0u16; n_npcs], vec![0u64; n_npcs]);
    // Separate buffers: nothing of ours warms theirs. A copy moves each byte twice, so for two
    // bytes in and two out it copies two, and for two in and eight out five.
    let [two, five] = [2, 5].map(|bytes| (vec![1u8; bytes * n_npcs], vec![0u8; bytes * n_npcs]));
    let ((from, mut to), (from_5, mut to_5)) = (two, five);
    let turns = vec![
        Turn::new(1, || folk.each(&mut ids, |piece| shelf.serve_ids(folk, piece))),
        Turn::new(1, || black_box(&mut to).copy_from_slice(black_box(&from))),
        Turn::new(1, || folk.each(&mut plans, |piece| shelf.serve_plans(folk, piece))),
        Turn::new(1, || black_box(&mut to_5).copy_from_slice(black_box(&from_5))),
    ];
    let passes = race_cold(rounds(session), turns, session)?;
    folk.check("ids_u16_3m", &ids, &shelf.ids, session);
    folk.check("plans_u64_3m", &plans, &shelf.words, session);
    let mut rows = Vec::new();
    for (name, pair, against, bar) in [
        ("ids_u16_3m", [passes[0], passes[1]], "memcpy of the same bytes", 2.0),
        ("plans_u64_3m", [passes[2], passes[3]], "memcpy that moves as many bytes", 1.5),
    ] {
        let bar = Some(Bar::AtMost(bar));
        rows.extend(hot_and_cold(name, Number::Shared, pair, n_npcs, bar, |n, o, t| {
            Record::ours_by_theirs(n, o, t, against, "ns per NPC")
        }));
    }
    session.begin("shared, two threads")?;
    ids.fill(0);
    plans.fill(0);
    let serve_ids = |piece: &mut Piece<'_, u16>, (): &mut ()| shelf.serve_ids(folk, piece);
    let wall_ids = folk.wall_of_two(session, &mut ids, serve_ids);
    let serve_plans = |piece: &mut Piece<'_, u64>, (): &mut ()| shelf.serve_plans(folk, piece);
    let wall_plans = folk.wall_of_two(session, &mut plans, serve_plans);
    folk.check("ids_u16_3m_two_threads", &ids, &shelf.ids, session);
    folk.check("plans_u64_3m_two_threads", &plans, &shelf.words, session);
    rows.extend([
        within_a_tenth(Number::Shared, "ids_u16_3m_two_threads", wall_ids, together(session)),
        within_a_tenth(Number::Shared, "plans_u64_3m_two_threads", wall_plans, together(session)),
    ]);
    Ok(rows)
}

/// Building all tables of the Western beside asking the single planner about every state.
pub(super) fn building(session: &mut Session<'_>, folk: &Folk) -> BenchResult<Row> {
    session.begin("building the tables of the Western")?;
    let (compiled, pool) = (folk.town.domain.compiled(), Pool::new(1));
    let mut questions: Vec<(usize, Vec<PackedValue>)> = Vec::new();
    for (at, trade) in folk.town.trades.iter().enumerate() {
        let kind = compiled.npc(trade.npc);
        let mut local = vec![0; kind.variables().len()];
        for index in 0..kind.layout().n_states().unwrap_or(0) {
            kind.layout().state_at(index, &mut local);
            questions.push((at, spread(compiled, kind, &local)));
        }
    }
    let (mut asked, mut n_built) = (Ours::new(compiled)?, 0);
    let build = || {
        let tables = folk.town.trades.iter().filter_map(|t| built(compiled, t, &pool).ok());
        n_built = tables.map(|(table, _)| black_box(table).n_states()).sum();
    };
    let ask = || {
        for (trade, values) in &questions {
            let trade = &folk.town.trades[*trade];
            _ = black_box(asked.whole_call(compiled, trade.npc, values, &trade.wants));
            black_box(packed(&asked.solver.plan));
        }
    };
    let turns = vec![Turn::new(1, build), Turn::new(1, ask)];
    let passes = race_cold(rounds(session), turns, session)?;
    if n_built != questions.len() as u64 {
        session
            .wrong
            .push(format!("build_western_tables: {n_built} of {} states", questions.len()));
    }
    let against = format!("the single planner for each of the {} states", questions.len());
    let (ours, theirs) = (passes[0].cold / 1e6, passes[1].cold / 1e6);
    let record = Record::theirs_by_ours("build_western_tables", ours, theirs, against, "ms");
    Ok((Number::Shared, record.by(alone("swept"))))
}
