//! Groups: NPCs that share context checks, forbidden actions and the values of shared variables.
//!
//! In:   what the game says of a group, and what its members do to what they share.
//! Out:  the *situation* of each group; what differs since its members were compared with it.
//! Cost: a change is a step; situations are worked out, and rows compared, once per frame,
//!       whatever happened in between.

use crate::effects::SharedChange;
use crate::kind::Kind;
use crate::situations::{NONE, Policies, Situations};
use throng_domain::compile::{
    LocalAction, LocalFact, LocalVariable, NpcTables, PackedValue, UNKNOWN,
};
use throng_domain::model::{CheckId, Fact};
use throng_planner::{ActionMask, Checks};

/// A group of a crowd.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GroupId(pub(crate) u16);

impl GroupId {
    /// The group that every crowd has: all checks hold, nothing is forbidden.
    pub const FIRST: GroupId = GroupId(0);

    /// Its position among the groups of its crowd.
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// When the members of a group have their turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rate {
    /// Every so many frames.
    pub(crate) every: u16,
    /// Added to the urgency of each.
    pub(crate) urgency: u8,
}

/// What is said of a group.
#[derive(Clone, Debug)]
struct Group {
    checks: Checks,
    forbidden: ActionMask,
    /// A plain state of the type in which only the shared places count.
    shared: Vec<PackedValue>,
    /// Its situation now, and when rows were last compared with it.
    now: u32,
    settled: u32,
    /// Shared variables that members have changed since: some plans expect that, and would not
    /// notice if it were undone.
    touched: Vec<LocalVariable>,
    /// Shared variables that members have changed and others have not been told of.
    untold: Vec<LocalVariable>,
    /// Something was said since its situation was worked out. That waits until somebody plans:
    /// what lies between two changes is nothing to remember.
    is_stale: bool,
}

/// What differs between two situations.
#[derive(Debug, Default)]
pub(crate) struct Difference {
    pub(crate) shared: Vec<LocalVariable>,
    pub(crate) removed: Vec<LocalAction>,
    pub(crate) has_added: bool,
    /// A shared value was unknown, or is.
    pub(crate) has_unknown: bool,
    /// Working memory: what is there now.
    pub(crate) enabled: ActionMask,
}

impl Difference {
    /// With room for everything that can differ, once for all frames.
    pub(crate) fn with_room(npc: &NpcTables) -> Difference {
        Difference {
            // What members have changed is told again.
            shared: Vec::with_capacity(2 * npc.variables().len()),
            removed: Vec::with_capacity(npc.n_actions()),
            has_added: false,
            has_unknown: false,
            enabled: ActionMask::none(npc.n_actions()),
        }
    }
}

/// All groups of a crowd, and their situations.
#[derive(Debug)]
pub(crate) struct Groups {
    list: Vec<Group>,
    /// By group.
    rates: Vec<Rate>,
    pub(crate) situations: Situations,
    /// Some group is not settled.
    has_changes: bool,
    /// Groups whose shared values members changed themselves, if somebody asks for them.
    shared_changes: Vec<GroupId>,
    tells_changes: bool,
    /// Working memory: what is there now.
    enabled: ActionMask,
}

impl Groups {
    throng_base::getters! { pub(crate):
        /// By group.
        rates: &[Rate];
        tells_changes: bool;
        /// Whether a change was not looked at yet.
        has_changes: bool;
    }

    /// One group.
    pub(crate) fn new(kind: &Kind) -> Groups {
        let mut groups = Groups {
            list: Vec::new(),
            rates: Vec::new(),
            situations: Situations::new(),
            has_changes: false,
            shared_changes: Vec::new(),
            tells_changes: false,
            enabled: ActionMask::default(),
        };
        groups.add(kind);
        groups
    }

    /// A group in which all checks hold and nothing is forbidden; `None` if there are too many.
    pub(crate) fn add(&mut self, kind: &Kind) -> Option<GroupId> {
        let number = u16::try_from(self.list.len()).ok().filter(|&number| number < u16::MAX)?;
        let npc = kind.npc();
        // Members fill these while they move, which is no time to allocate.
        let [touched, untold] = [(); 2].map(|()| Vec::with_capacity(npc.variables().len()));
        self.shared_changes.reserve(self.list.len() + 1);
        self.rates.push(Rate { every: 1, urgency: 0 });
        self.list.push(Group {
            checks: Checks::all(kind.domain().map().n_checks()),
            forbidden: ActionMask::none(npc.n_actions()),
            shared: kind.shared_starts(),
            now: NONE,
            settled: NONE,
            touched,
            untold,
            is_stale: false,
        });
        self.update(npc, number.into());
        let now = self.list[usize::from(number)].now;
        self.list[usize::from(number)].settled = now;
        self.situations.use_more(now);
        Some(GroupId(number))
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn has(&self, group: GroupId) -> bool {
        group.index() < self.list.len()
    }

    // What is said.

    pub(crate) fn checks(&self, group: usize) -> &Checks {
        &self.list[group].checks
    }

    pub(crate) fn forbidden(&self, group: usize) -> &ActionMask {
        &self.list[group].forbidden
    }

    /// A plain state in which only the shared places count.
    #[inline]
    pub(crate) fn shared(&self, group: usize) -> &[PackedValue] {
        &self.list[group].shared
    }

    pub(crate) fn set_rate(&mut self, group: usize, rate: Rate) {
        self.rates[group] = rate;
    }

    pub(crate) fn set_check(&mut self, group: usize, check: CheckId, holds: bool) {
        self.change(group).checks.set(check, holds);
    }

    pub(crate) fn forbid(&mut self, group: usize, action: LocalAction, forbidden: bool) {
        self.change(group).forbidden.set(action, forbidden);
    }

    pub(crate) fn set_shared(&mut self, group: usize, variable: LocalVariable, value: PackedValue) {
        self.change(group).shared[variable.index()] = value;
    }

    fn change(&mut self, group: usize) -> &mut Group {
        self.has_changes = true;
        let group = &mut self.list[group];
        group.is_stale = true;
        group
    }

    // What members do.

    /// What an action of a member does to what is shared; `false` if what it needs of that is not
    /// there. `own` tells the member's own values.
    pub(crate) fn step(
        &mut self,
        group: usize,
        action: LocalAction,
        kind: &Kind,
        own: impl Fn(LocalVariable) -> PackedValue,
    ) -> bool {
        let Group { shared, touched, untold, is_stale, .. } = &mut self.list[group];
        let value = |variable: LocalVariable| match kind.space().is_shared(variable) {
            true => shared[variable.index()],
            false => own(variable),
        };
        if !kind.effects().shared_needs_hold(action, value) {
            return false;
        }
        let changes = kind.effects().shared_changes(action);
        let is_so = |change: &SharedChange| {
            let value = shared[change.variable.index()];
            change.after(value) == value
        };
        if changes.iter().all(is_so) {
            return true;
        }
        for change in changes {
            let variable = change.variable;
            if !touched.contains(&variable) {
                touched.push(variable);
            }
            shared[variable.index()] = change.after(shared[variable.index()]);
            if self.tells_changes && !untold.contains(&variable) {
                if untold.is_empty() {
                    self.shared_changes.push(GroupId(group as u16));
                }
                untold.push(variable);
            }
        }
        *is_stale = true;
        self.has_changes = true;
        true
    }

    /// Keeps what members change until somebody asks for it.
    pub(crate) fn tell_changes(&mut self, tells: bool) {
        self.tells_changes = tells;
    }

    /// What members have changed since this was last asked. What it was in between is left out.
    pub(crate) fn drain_changes(&mut self, npc: &NpcTables, mut tell: impl FnMut(GroupId, Fact)) {
        for at in self.shared_changes.drain(..) {
            let Group { shared, untold, .. } = &mut self.list[at.index()];
            for variable in untold.drain(..) {
                tell(at, npc.fact(LocalFact { variable, value: shared[variable.index()] }));
            }
        }
    }

    // Situations, and who was compared with them.

    /// The situation of a group, as it was when it was last worked out.
    #[inline]
    pub(crate) fn situation(&self, group: usize) -> u32 {
        self.list[group].now
    }

    /// What is learned in that situation.
    #[inline]
    pub(crate) fn policies(&self, group: usize) -> Policies<'_> {
        self.situations.policies_in(self.situation(group))
    }

    /// The situation of a group, if nothing was said since it was worked out.
    pub(crate) fn fresh_situation(&self, group: usize) -> Option<u32> {
        let group = &self.list[group];
        (!group.is_stale).then_some(group.now)
    }

    /// The situation that the members of a group were last compared with.
    pub(crate) fn settled(&self, group: usize) -> u32 {
        self.list[group].settled
    }

    /// Works out the situations of groups that were changed; whether there were any.
    pub(crate) fn update_all(&mut self, npc: &NpcTables) -> bool {
        let has_changes = std::mem::take(&mut self.has_changes);
        for group in 0..self.list.len() {
            if has_changes && self.list[group].is_stale {
                self.update(npc, group);
            }
        }
        has_changes
    }

    /// Works out the situation of a group after changes.
    pub(crate) fn update(&mut self, npc: &NpcTables, group: usize) {
        let Group { checks, forbidden, shared, now, is_stale, .. } = &mut self.list[group];
        *is_stale = false;
        self.enabled.fill_enabled(npc, checks, forbidden);
        let number = self.situations.enter(&self.enabled, (checks, forbidden), shared);
        let before = std::mem::replace(now, number);
        if before != NONE {
            self.situations.use_less(before);
        }
    }

    /// Whether a group's members have not been compared with its situation yet.
    pub(crate) fn is_unsettled(&self, group: usize) -> bool {
        let group = &self.list[group];
        group.is_stale || group.now != group.settled || !group.touched.is_empty()
    }

    /// Members of a group have been compared with its situation.
    pub(crate) fn settle(&mut self, group: usize) {
        let Group { now, settled, touched, .. } = &mut self.list[group];
        let before = std::mem::replace(settled, *now);
        touched.clear();
        self.situations.use_more(*now);
        self.situations.use_less(before);
    }

    /// Writes what differs for a group since its members were compared.
    pub(crate) fn difference(&self, npc: &NpcTables, group: usize, out: &mut Difference) {
        let after = &self.list[group];
        let before = self.situations.get(after.settled);
        out.enabled.fill_enabled(npc, &after.checks, &after.forbidden);
        let values = before.shared.iter().zip(&after.shared).enumerate();
        let changed = values.filter(|(_, (before, after))| before != after);
        out.shared.clear();
        out.shared.extend(changed.map(|(at, _)| LocalVariable(at as u32)));
        out.shared.extend_from_slice(&after.touched);
        let is_unknown = |at: usize| before.shared[at] == UNKNOWN || after.shared[at] == UNKNOWN;
        out.has_unknown = out.shared.iter().any(|variable| is_unknown(variable.index()));
        out.removed.clear();
        out.has_added = false;
        if before.enabled != out.enabled {
            for action in (0..npc.n_actions() as u32).map(LocalAction) {
                match (before.enabled.has(action), out.enabled.has(action)) {
                    (true, false) => out.removed.push(action),
                    (false, true) => out.has_added = true,
                    _ => {}
                }
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let per_group = size_of::<Group>() + size_of::<Rate>() + 64;
        self.list.len() * per_group + self.situations.table_bytes() + self.situations.lists.bytes()
    }
}
