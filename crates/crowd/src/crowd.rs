//! A crowd: all NPCs of one type, as columns.
//!
//! In:   who is there, in which state, with which goal, in which group.
//! Out:  a [`Status`], a plan and a next action for each, once `plan` has served them.
//! Cost: each change is a step or two; see [`Crowd::plan`] for serving.
//!
//! A changed NPC *waits* until it is served; it has no next action meanwhile, because nobody
//! knows whether its old one is still right. A finished step changes the state as the plan
//! foresaw, so nobody waits for that.

use crate::effects::Effects;
use crate::following::Remainder;
use crate::goals::Goals;
use crate::groups::{GroupRef, Groups, shared_starts};
use crate::ids::Ids;
use crate::memo::Memo;
use crate::plans::{PlanId, Plans};
use crate::pool::Pool;
use crate::rows::Rows;
use crate::searches::Searches;
use crate::serve::Work;
use crate::settings::{Settings, Tables};
use crate::space::Space;
use crate::states::States;
use crate::turns::Turns;
use std::sync::Arc;
use throng_base::Bits;
use throng_domain::compile::{CompiledDomain, NpcType, Value};
use throng_domain::model::NpcId;

/// All NPCs of one type.
#[derive(Debug)]
pub struct Crowd {
    pub(crate) domain: Arc<CompiledDomain>,
    pub(crate) npc: NpcId,
    pub(crate) settings: Settings,
    pub(crate) pool: Arc<Pool>,
    pub(crate) space: Space,
    pub(crate) effects: Effects,
    // One entry per row.
    pub(crate) rows: Rows,
    pub(crate) states: States,
    pub(crate) goal: Vec<u16>,
    pub(crate) group: Vec<u16>,
    pub(crate) ids: Ids,
    pub(crate) step: Vec<u16>,
    pub(crate) urgency: Vec<u8>,
    pub(crate) dirty: Bits,
    // What the rows' numbers mean.
    pub(crate) goals: Goals,
    pub(crate) groups: Groups,
    pub(crate) plans: Plans,
    pub(crate) memo: Option<Memo>,
    // Kept from frame to frame.
    pub(crate) turns: Turns,
    pub(crate) work: Work,
    pub(crate) searches: Searches,
    pub(crate) frame: u64,
    /// Some group is not settled.
    pub(crate) has_changes: bool,
    /// Groups whose shared values members changed themselves, if somebody asks for them.
    pub(crate) shared_changes: Vec<GroupRef>,
    pub(crate) tells_changes: bool,
    pub(crate) state: Vec<Value>,
}

impl Crowd {
    /// An empty crowd of a type, with one group; `None` if the domain has no such type.
    pub fn new(
        domain: Arc<CompiledDomain>,
        npc: NpcId,
        settings: Settings,
        pool: Arc<Pool>,
    ) -> Option<Crowd> {
        let kind = domain.npcs().get(npc.index())?;
        let space = Space::new(domain.map(), kind);
        let numbered = if settings.tables == Tables::Never { 0 } else { settings.table_states };
        let shared = shared_starts(kind, &space);
        let states = States::new(&space, kind, numbered);
        Some(Crowd {
            settings,
            effects: Effects::new(kind, &space),
            rows: Rows::default(),
            states,
            goal: Vec::new(),
            group: Vec::new(),
            ids: Ids::Narrow(Vec::new()),
            step: Vec::new(),
            urgency: Vec::new(),
            dirty: Bits::default(),
            goals: Goals::new(&domain, kind),
            groups: Groups::new(kind, domain.map().n_checks(), shared),
            plans: Plans::new(),
            memo: None,
            turns: Turns::new(),
            work: Work::new(&domain, npc, pool.threads()),
            searches: Searches::new(settings.searches),
            frame: 0,
            has_changes: false,
            shared_changes: Vec::with_capacity(1),
            tells_changes: false,
            state: kind.unknown_state(),
            npc,
            space,
            pool,
            domain,
        })
    }

    /// The domain it plans in.
    pub fn domain(&self) -> &Arc<CompiledDomain> {
        &self.domain
    }

    /// Its type.
    pub fn npc(&self) -> NpcId {
        self.npc
    }

    pub(crate) fn kind(&self) -> &NpcType {
        self.domain.npc(self.npc)
    }

    /// How many NPCs there are.
    pub fn len(&self) -> usize {
        self.rows.n_alive()
    }

    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes room, so that so many newcomers cost no allocation.
    pub fn reserve(&mut self, more: usize) {
        self.rows.reserve(more);
        self.states.reserve(more);
        self.goal.reserve(more);
        self.group.reserve(more);
        self.ids.reserve(more);
        self.step.reserve(more);
        self.urgency.reserve(more);
        self.dirty.reserve(more);
    }

    /// Bytes in use, capacity included: columns, tables, plans, memory of answers, working
    /// memory. Searches that are under way are not counted.
    pub fn bytes(&self) -> usize {
        self.column_bytes()
            + self.groups.bytes()
            + self.plans.bytes()
            + self.memo.as_ref().map_or(0, Memo::bytes)
            + self.work.bytes()
    }

    /// Bytes of the columns alone: what grows with the NPCs.
    pub fn column_bytes(&self) -> usize {
        self.rows.bytes()
            + self.states.bytes()
            + 2 * (self.goal.capacity() + self.group.capacity() + self.step.capacity())
            + self.ids.bytes()
            + self.urgency.capacity()
            + self.dirty.bytes()
            + self.turns.bytes()
    }

    /// Writes what a row goes by from now on.
    pub(crate) fn assign(&mut self, row: usize, id: u32) {
        let before = self.ids.get(row);
        if before == id {
            return;
        }
        if !Remainder::is_word(id) {
            self.plans.retain(PlanId(id));
        }
        if !Remainder::is_word(before) {
            self.plans.release(PlanId(before));
        }
        self.ids.set(row, id);
    }
}
