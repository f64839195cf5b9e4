//! A small domain with a shared variable, a check and costs, for tests.

use crate::plans::PlanStore;
use crate::pool::Pool;
use crate::space::Space;
use crate::table::{PolicyTable, TableError, TableLimits, TableQuestion};
use throng_domain::compile::PackedValue;
use throng_domain::formats::no_includes;
use throng_domain::model::Fact;
use throng_domain::{Format, Limits as TextLimits, load};
use throng_planner::PreparedDomain;
use throng_planner::{ActionMask, Checks};

/// A type with a shared forge and a context check that has to search.
pub(crate) const TEXT: &str = "\
domain smithy
shared var forge: cold, hot
var at: home, shop, mine
var has: nothing, ore, sword
var hunger: 0..3
action walk(from in at, to in at): at from -> to
action dig: has nothing -> ore  while at = mine
    cost 2
action smith: has ore -> sword  while at = shop, forge = hot
action light: forge cold -> hot  while at = shop
    cost 3
action eat: hunger -> 0  while at = home
    if food
goal armed: has = sword
goal fed: hunger = 0, at = home
npc smith
    can walk, dig, smith, light, eat
    wants armed, fed
";

pub(crate) fn compiled(text: &str) -> PreparedDomain {
    let loaded = load("a.npc", text, Format::Npc, &TextLimits::default(), &[], &mut no_includes);
    let report = &loaded.report;
    PreparedDomain::new(loaded.model.as_ref().unwrap_or_else(|| panic!("{report:?}")))
}

/// What is asked in these tests.
pub(crate) struct Case {
    pub(crate) domain: PreparedDomain,
    pub(crate) goal: Vec<Fact>,
    pub(crate) checks: Checks,
    pub(crate) forbidden: ActionMask,
    pub(crate) shared: Vec<PackedValue>,
}

impl Case {
    pub(crate) fn new(goal: usize, food: bool, hot: bool) -> Case {
        Case::of(compiled(TEXT), goal, food, hot)
    }

    /// The same of a domain that is much like it.
    pub(crate) fn of(domain: PreparedDomain, goal: usize, food: bool, hot: bool) -> Case {
        let npc = &domain.npcs()[0];
        let mut shared = npc.unknown_state();
        let forge = domain.map().find_variable("forge").unwrap();
        shared[npc.local_variable(forge).unwrap().index()] = hot.into();
        let n_checks = domain.map().n_checks();
        Case {
            goal: domain.goals()[goal].wants().to_vec(),
            checks: if food { Checks::all(n_checks) } else { Checks::none(n_checks) },
            forbidden: ActionMask::none(npc.n_actions()),
            shared,
            domain,
        }
    }

    pub(crate) fn question(&self) -> TableQuestion<'_> {
        TableQuestion {
            domain: &self.domain,
            npc: self.domain.npcs()[0].id(),
            goal: (&self.goal).into(),
            checks: &self.checks,
            forbidden: &self.forbidden,
            shared: &self.shared,
            outside: &[],
        }
    }

    pub(crate) fn space(&self) -> Space {
        Space::new(self.domain.map(), &self.domain.npcs()[0])
    }

    pub(crate) fn build(
        &self,
        threads: usize,
        limits: &TableLimits<'_>,
    ) -> (Result<PolicyTable, TableError>, PlanStore) {
        let mut plans = PlanStore::new();
        let (pool, space) = (Pool::new(threads), self.space());
        let table =
            PolicyTable::build(&self.question(), &space, &mut plans, &pool, limits, &|_, _| {});
        (table, plans)
    }
}
