//! The tables of a crowd: when they are made, and where they come from.
//!
//! In:   goals in situations that rows ask about; or, ahead of time, all of them, and a place
//!       where tables of earlier runs may lie.
//! Out:  a table each, read or built; or none, and then other sources answer.
//! Cost: that of building counts against the budget of a frame: a state is a node.

use crate::crowd::Crowd;
use crate::following::Remainder;
use crate::plans::PlanId;
use crate::settings::{Report, Tables};
use crate::states::Column;
use crate::table::{Limits, NoTable, PolicyTable, Question};
use crate::table_file::Refused;
use std::sync::atomic::{AtomicBool, Ordering};
use throng_domain::compile::{Digest, LocalAction};

/// Where tables are kept from run to run: a folder, in most games.
///
/// A name stays the same when the domain is edited; what lies there is then refused, built anew
/// and kept again.
pub trait TableStore {
    /// What lies under a name.
    fn fetch(&mut self, name: &str) -> Option<Vec<u8>>;
    /// Puts a table there.
    fn keep(&mut self, name: &str, bytes: &[u8]);
    /// What lay there was no use, and why.
    fn refused(&mut self, name: &str, why: &Refused);
}

/// What preparing came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Prepared {
    /// Tables that were read.
    pub read: usize,
    /// Tables that were built.
    pub built: usize,
    /// Tables that lay there and were refused; they were built.
    pub refused: usize,
}

impl std::ops::AddAssign for Prepared {
    fn add_assign(&mut self, other: Prepared) {
        self.read += other.read;
        self.built += other.built;
        self.refused += other.refused;
    }
}

/// Hears how many states of how many of a table are done; `false` ends it.
pub type Progress<'p> = &'p (dyn Fn(u64, u64) -> bool + Sync);

/// What came of the wish for a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Made {
    Yes,
    No,
    Stopped,
}

/// The same, and what it took: nodes, and how many tables were made.
pub(crate) struct Making {
    pub(crate) made: Made,
    pub(crate) nodes: u64,
    pub(crate) tables: usize,
}

impl Crowd {
    /// Makes the tables for all goals in all groups, as while a level is loaded. Returns how many
    /// were made.
    pub fn prepare(&mut self, progress: Progress<'_>) -> usize {
        self.prepare_from(None, progress).built
    }

    /// The same, but reads tables that earlier runs have kept, and keeps those it builds.
    pub fn prepare_from(
        &mut self,
        mut store: Option<&mut dyn TableStore>,
        progress: Progress<'_>,
    ) -> Prepared {
        self.settle();
        let goals = 1..self.goals.len() as u16;
        let pairs = self.groups.list.iter().flat_map(|g| goals.clone().map(|goal| (g.now, goal)));
        let mut wanted: Vec<(u32, u16)> = pairs.collect();
        // Those of choices are put together from the others.
        wanted.sort_unstable_by_key(|&pair| (self.goals.choice(pair.1).is_some(), pair));
        wanted.dedup();
        if matches!(self.states.column, Column::Packed(..)) {
            // No table can be had; what serves instead is made ready.
            self.make_wide();
            for (situation, goal) in wanted {
                self.groups.policy_mut(situation, goal);
            }
            return Prepared::default();
        }
        let mut prepared = Prepared::default();
        for (situation, goal) in wanted {
            if self.has_table(situation, goal) || !self.may_have_table(situation, goal) {
                continue;
            }
            if self.goals.choice(goal).is_some() {
                let making = self.make_choice_table(situation, goal, u64::MAX, progress);
                prepared.built += making.tables;
                if making.made == Made::Stopped {
                    break;
                }
                continue;
            }
            let name = self.table_name(situation, goal);
            if let Some(store) = &mut store
                && let Some(bytes) = store.fetch(&name)
            {
                match self.read_table(situation, goal, &bytes) {
                    Ok(()) => {
                        prepared.read += 1;
                        continue;
                    }
                    Err(why) => {
                        store.refused(&name, &why);
                        prepared.refused += 1;
                    }
                }
            }
            match self.make_table(situation, goal, u64::MAX, progress).made {
                Made::Yes => prepared.built += 1,
                Made::No => continue,
                Made::Stopped => break,
            }
            if let (Some(store), Some(bytes)) = (&mut store, self.written(situation, goal)) {
                store.keep(&name, &bytes);
            }
        }
        prepared
    }

    /// Makes the tables that rows wanted, as far as the budget goes; returns how many.
    pub(crate) fn make_wanted_tables(&mut self, nodes: &mut u64, report: &mut Report) -> usize {
        let mut wanted = std::mem::take(&mut self.work.wanted);
        let mut n_made = 0;
        for (situation, goal) in wanted.drain(..) {
            // Also those who get no table get a number, by which answers are remembered.
            let policy = self.groups.policy_mut(situation, goal);
            if policy.is_none_or(|policy| policy.table.is_some())
                || self.settings.tables != Tables::OnFirstUse
                || !self.may_have_table(situation, goal)
            {
                continue;
            }
            let making = match self.goals.choice(goal) {
                None => self.make_table(situation, goal, *nodes, &|_, _| true),
                Some(_) => self.make_choice_table(situation, goal, *nodes, &|_, _| true),
            };
            report.nodes += making.nodes;
            *nodes = nodes.saturating_sub(making.nodes);
            n_made += making.tables;
        }
        report.tables += n_made;
        self.work.wanted = wanted;
        n_made
    }

    /// Whether there may be a table for a goal in a situation. Makes room first: tables of
    /// situations that nobody is in go.
    pub(crate) fn may_have_table(&mut self, situation: u32, goal: u16) -> bool {
        let is_numbered = !matches!(self.states.column, Column::Packed(..));
        let states = self.space.n_states().unwrap_or(u64::MAX);
        let most = self.settings.table_bytes;
        let is_room = |crowd: &Crowd| {
            let all = (crowd.groups.table_bytes() as u64).saturating_add(states.saturating_mul(2));
            all <= most as u64 && crowd.plans.live_bytes() <= most
        };
        while is_numbered && !is_room(self) && self.groups.drop_oldest() {
            self.unpin_lost_plans();
        }
        let has_room = is_room(self);
        let Some(policy) = self.groups.policy_mut(situation, goal) else { return false };
        policy.no_table |= !is_numbered;
        policy.no_room = !has_room;
        !policy.no_table && has_room
    }

    /// Plans that only dropped tables had are counted again like others, and freed if nobody
    /// goes by them.
    pub(crate) fn unpin_lost_plans(&mut self) {
        if !std::mem::take(&mut self.groups.has_dropped_tables) {
            return;
        }
        let in_tables = self.groups.tables().flat_map(PolicyTable::plans).copied();
        let in_rows = (0..self.rows.len()).map(|row| self.ids.get(row));
        let in_rows = in_rows.filter(|&id| !Remainder::is_word(id)).map(PlanId);
        let in_memory = self.memo.iter().flat_map(|memo| memo.plans());
        self.plans.recount(in_tables, in_rows.chain(in_memory));
    }

    fn question(&self, situation: u32, goal: u16) -> Question<'_> {
        let known = self.groups.situation(situation);
        Question {
            domain: &self.domain,
            npc: self.npc,
            goal: &self.goals.get(goal).facts,
            checks: &known.checks,
            forbidden: &known.forbidden,
            shared: &known.shared,
            outside: &[],
        }
    }

    /// Builds the table of a goal in a situation, if that takes no more than `most_nodes`; and
    /// what it took, whatever came of it.
    pub(crate) fn make_table(
        &mut self,
        situation: u32,
        goal: u16,
        most_nodes: u64,
        progress: Progress<'_>,
    ) -> Making {
        let states = self.space.n_states().unwrap_or(u64::MAX);
        // So much search is worth a table. Where a frame allows less it is tried too, but not
        // again before there is much more.
        let worth = states.saturating_mul(self.settings.first_try);
        let nodes = most_nodes.saturating_sub(states).min(worth);
        let tried = self.groups.policy(situation, goal).map_or(0, |policy| policy.tried);
        if states > most_nodes || (nodes < worth && nodes / 2 < tried) {
            return Making { made: Made::No, nodes: 0, tables: 0 };
        }
        let mut plans = std::mem::take(&mut self.plans);
        let is_stopped = AtomicBool::new(false);
        let stop = || is_stopped.load(Ordering::Relaxed);
        let limits = Limits {
            states: self.settings.table_states,
            nodes,
            bytes: self.settings.table_bytes,
            stop: Some(&stop),
        };
        let heard = |done, all| {
            if !progress(done, all) {
                is_stopped.store(true, Ordering::Relaxed);
            }
        };
        let question = self.question(situation, goal);
        let (space, pool) = (&self.space, &self.pool);
        let (built, searched) =
            PolicyTable::build_counting(&question, space, &mut plans, pool, &limits, &heard);
        self.plans = plans;
        let nodes_used = states.saturating_add(searched);
        let made = match built {
            Ok(table) => {
                self.groups.set_table(situation, goal, table);
                Made::Yes
            }
            Err(NoTable::Stopped) => Made::Stopped,
            Err(why) => {
                let may_be_had = matches!(why, NoTable::TooMuchSearch { .. }) && nodes < worth;
                if let Some(policy) = self.groups.policy_mut(situation, goal) {
                    policy.tried = nodes.max(1);
                    policy.no_table = !may_be_had;
                }
                Made::No
            }
        };
        Making { made, nodes: nodes_used, tables: usize::from(made == Made::Yes) }
    }

    fn read_table(&mut self, situation: u32, goal: u16, bytes: &[u8]) -> Result<(), Refused> {
        let mut plans = std::mem::take(&mut self.plans);
        let question = self.question(situation, goal);
        let read = PolicyTable::from_bytes(bytes, &question, &self.space, &mut plans);
        self.plans = plans;
        self.groups.set_table(situation, goal, read?);
        Ok(())
    }

    fn written(&self, situation: u32, goal: u16) -> Option<Vec<u8>> {
        let table = self.groups.policy(situation, goal)?.table.as_ref()?;
        Some(table.to_bytes(&self.question(situation, goal), &self.space, &self.plans))
    }

    /// What a table is called: by names, so that an edited domain asks under the same one.
    fn table_name(&self, situation: u32, goal: u16) -> String {
        let (map, kind) = (self.domain.map(), self.kind());
        let known = self.groups.situation(situation);
        let mut all = String::new();
        let mut add = |word: &str| {
            all.push_str(word);
            all.push('\n');
        };
        for &fact in &self.goals.get(goal).facts {
            add(&map.fact(fact));
        }
        let there = |at: &usize| known.enabled.has(LocalAction(*at as u32));
        for at in (0..kind.n_actions()).filter(there) {
            add(map.action(kind.actions()[at]));
        }
        for &variable in self.space.shared() {
            add(map.variable(kind.variables()[variable.index()]));
            add(&known.shared[variable.index()].to_string());
        }
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let type_name: String =
            map.npc(self.npc).chars().map(|c| if is_plain(c) { c } else { '_' }).take(64).collect();
        format!("{type_name}-{:016x}", Digest::of(all.as_bytes()).0 as u64)
    }
}
