//! All NPCs of a domain: a crowd per type, groups that they have in common.
//!
//! In:   a domain; what the game says of groups, once for all types.
//! Out:  crowds that share values: what a smith does to the forge, the apprentice sees.
//! Cost: that of the crowds.

use crate::apply::Applied;
use crate::crowd::Crowd;
use crate::groups::{Group, GroupRef};
use crate::pool::Pool;
use crate::reload::{CannotReload, Migration};
use crate::settings::{Budget, Report, Settings};
use crate::tables::{Prepared, Progress, TableStore};
use std::sync::Arc;
use throng_domain::compile::{CompiledDomain, LocalFact};
use throng_domain::model::{ActionId, CheckId, Fact, NpcId};

/// A crowd for each NPC type of a domain.
///
/// Groups have the same numbers in all crowds. Change them here: a crowd that is told alone
/// keeps what it was told to itself.
#[derive(Debug)]
pub struct Population {
    domain: Arc<CompiledDomain>,
    settings: Settings,
    pool: Arc<Pool>,
    crowds: Vec<Crowd>,
    /// Who is served first in the next frame.
    first: usize,
    changes: Vec<(GroupRef, Fact)>,
}

impl Population {
    /// Empty crowds of all types, with one group.
    pub fn new(domain: Arc<CompiledDomain>, settings: Settings, pool: Arc<Pool>) -> Population {
        let ids = domain.npcs().iter().map(|npc| npc.id());
        let crowds = ids.filter_map(|id| {
            let mut crowd = Crowd::new(Arc::clone(&domain), id, settings, Arc::clone(&pool))?;
            crowd.tells_changes = true;
            Some(crowd)
        });
        let crowds = crowds.collect();
        let mut all = Population { settings, pool, crowds, first: 0, changes: Vec::new(), domain };
        all.share_starts(GroupRef::FIRST);
        all
    }

    /// What one type says of a shared variable in its `starts` holds for all of a new group.
    fn share_starts(&mut self, group: GroupRef) {
        for id in 0..self.domain.npcs().len() {
            for &fact in self.domain.npcs()[id].starts() {
                for crowd in &mut self.crowds {
                    crowd.set_shared(group, fact);
                }
            }
        }
    }

    /// The domain.
    pub fn domain(&self) -> &Arc<CompiledDomain> {
        &self.domain
    }

    /// All crowds, by type.
    pub fn crowds(&self) -> &[Crowd] {
        &self.crowds
    }

    /// The crowd of a type.
    pub fn crowd(&self, npc: NpcId) -> Option<&Crowd> {
        self.crowds.get(npc.index())
    }

    /// The crowd of a type, to change who is in it.
    pub fn crowd_mut(&mut self, npc: NpcId) -> Option<&mut Crowd> {
        self.crowds.get_mut(npc.index())
    }

    /// How many NPCs there are.
    pub fn len(&self) -> usize {
        self.crowds.iter().map(Crowd::len).sum()
    }

    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A new group in all crowds.
    pub fn add_group(&mut self) -> Option<GroupRef> {
        let mut added = None;
        for crowd in &mut self.crowds {
            added = Some(crowd.add_group()?);
        }
        self.share_starts(added?);
        added
    }

    /// Says whether a context check holds for a group.
    pub fn set_check(&mut self, group: GroupRef, check: CheckId, holds: bool) -> bool {
        self.tell(|crowd| crowd.set_check(group, check, holds))
    }

    /// Takes an action out of a group's consideration, or back in.
    pub fn forbid(&mut self, group: GroupRef, action: ActionId, forbidden: bool) -> bool {
        self.tell(|crowd| crowd.forbid(group, action, forbidden))
    }

    /// Gives a shared variable of a group a value, for all types that know it.
    pub fn set_shared(&mut self, group: GroupRef, fact: Fact) -> bool {
        self.tell(|crowd| crowd.set_shared(group, fact))
    }

    /// Serves a group only every so many frames, and how much more urgent its members are.
    pub fn set_rate(&mut self, group: GroupRef, every: u16, urgency: u8) -> bool {
        self.tell(|crowd| crowd.set_rate(group, every, urgency))
    }

    fn tell(&mut self, mut what: impl FnMut(&mut Crowd) -> bool) -> bool {
        self.crowds.iter_mut().fold(false, |any, crowd| what(crowd) | any)
    }

    /// Serves those who wait in all crowds, within one budget; another crowd comes first in each
    /// frame.
    pub fn plan(&mut self, budget: Budget) -> Report {
        let mut report = Report::default();
        let n = self.crowds.len();
        for at in 0..n {
            let npcs = budget.npcs.saturating_sub(report.served);
            let nodes = budget.nodes.saturating_sub(report.nodes);
            report += self.crowds[(self.first + at) % n].plan(Budget { npcs, nodes });
        }
        self.first = if n == 0 { 0 } else { (self.first + 1) % n };
        report
    }

    /// Compares everybody with what their groups have become; see [`Crowd::settle`].
    pub fn settle(&mut self) {
        self.crowds.iter_mut().for_each(Crowd::settle);
    }

    /// Makes all tables, as while a level is loaded; see [`Crowd::prepare`].
    pub fn prepare(&mut self, progress: Progress<'_>) -> usize {
        self.crowds.iter_mut().map(|crowd| crowd.prepare(progress)).sum()
    }

    /// The same, from what earlier runs have kept; see [`Crowd::prepare_from`].
    pub fn prepare_from(&mut self, store: &mut dyn TableStore, progress: Progress<'_>) -> Prepared {
        let mut prepared = Prepared::default();
        for crowd in &mut self.crowds {
            prepared += crowd.prepare_from(Some(store), progress);
        }
        prepared
    }

    /// Everybody who has a next action finishes it, type by type; what one type changes of
    /// shared values the next one sees.
    pub fn apply_next(&mut self) -> Applied {
        let mut applied = Applied::default();
        for at in 0..self.crowds.len() {
            applied += self.crowds[at].apply_next();
            self.pass_on(at);
        }
        applied
    }

    /// Tells the other crowds what members of one have changed by finishing steps one by one.
    pub fn pass_on(&mut self, from: usize) {
        let Some(crowd) = self.crowds.get_mut(from) else { return };
        let kind = crowd.domain.npc(crowd.npc);
        for group in crowd.shared_changes.drain(..) {
            let Group { shared, untold, .. } = &mut crowd.groups.list[group.index()];
            // What it was in between is nobody's business.
            let facts = untold
                .drain(..)
                .map(|variable| kind.fact(LocalFact { variable, value: shared[variable.index()] }));
            self.changes.extend(facts.map(|fact| (group, fact)));
        }
        for (group, fact) in self.changes.drain(..) {
            for (at, other) in self.crowds.iter_mut().enumerate() {
                if at != from {
                    other.set_shared(group, fact);
                }
            }
        }
    }

    /// Goes over to a new version of the domain, all crowds or none.
    ///
    /// # Errors
    ///
    /// If a type that has members is gone; everything is then as it was.
    pub fn reload(&mut self, domain: Arc<CompiledDomain>) -> Result<Migration, CannotReload> {
        let mut next = Population::new(Arc::clone(&domain), self.settings, Arc::clone(&self.pool));
        let n_groups = self.crowds.first().map_or(1, Crowd::n_groups);
        for _ in 1..n_groups {
            next.add_group();
        }
        let mut migration = Migration::default();
        for crowd in &self.crowds {
            match crowd.migrated(Arc::clone(&domain)) {
                Ok((moved, part)) => {
                    migration += part;
                    let at = moved.npc().index();
                    next.crowds[at] = moved;
                }
                Err(CannotReload::NoSuchType { .. }) if crowd.is_empty() => {}
                Err(error) => return Err(error),
            }
        }
        *self = next;
        Ok(migration)
    }

    /// A digest of all states, goals and plans; see [`Crowd::digest`].
    pub fn digest(&self) -> u64 {
        let parts = self.crowds.iter().map(Crowd::digest);
        parts.fold(0, |all, part| (all ^ part).wrapping_mul(0x0100_0000_01b3).rotate_left(29))
    }

    /// Bytes in use by all crowds.
    pub fn bytes(&self) -> usize {
        self.crowds.iter().map(Crowd::bytes).sum()
    }

    /// Bytes of all columns: what grows with the NPCs.
    pub fn column_bytes(&self) -> usize {
        self.crowds.iter().map(Crowd::column_bytes).sum()
    }
}
