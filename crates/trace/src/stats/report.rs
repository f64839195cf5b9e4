//! Statistics as a report for people.
//!
//! In:   what was counted, the names of minds, and what plans can have at all.
//! Out:  a page: how much minds plan; then what is done; then what a designer may want to change:
//!       actions without use, reasons for no plan.
//! Cost: linear in what is told.

mod page;
mod picked;
mod usable;

use super::{ActionStats, GoalStats, SelectStats, Stats, TypeStats};
use page::Page;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use throng_base::text::count;
use throng_domain::model::{GoalId, NpcTypeId};
use throng_mind::spec::{SelectSpec, Spec};
use throng_planner::explain::Usable;

/// How many minds, reasons are listed.
const LISTED: usize = 5;
/// How many names stand in a list of actions.
const NAMED: usize = 200;
/// Where lines of names are parted.
const WIDTH: usize = 96;

/// What there is to tell.
pub struct StatsReport {
    /// The file, or the story.
    pub name: String,
    /// What the minds are made of.
    pub spec: Spec,
    /// What was counted; `None` if no mind lived.
    pub lived: Option<Lived>,
    /// The types to tell of, in declared order.
    pub types: Vec<NpcTypeId>,
    /// What plans of each type can have at all.
    pub usable: Vec<Usable>,
}

/// What was counted, and the names of the minds.
pub struct Lived {
    /// The figures.
    pub stats: Stats,
    /// By the number that the statistics know a mind by.
    pub names: BTreeMap<u32, String>,
    /// Whether what became of tasks is known: of minds without their world it is not.
    pub knows_tasks: bool,
}

impl Lived {
    /// The name of a mind; `?` if it has none.
    pub fn name(&self, who: u32) -> &str {
        self.names.get(&who).map_or("?", String::as_str)
    }
}

impl StatsReport {
    /// The page; `width` says how many columns a text takes.
    pub fn page(&self, width: fn(&str) -> usize) -> Vec<String> {
        let mut page = Page { lines: Vec::new(), width };
        match &self.lived {
            Some(lived) => {
                page.overview(self, lived);
                for &npc in &self.types {
                    page.lived(self, lived, npc);
                }
            }
            None => page.line(&format!("{}: {}", self.name, domain_line(&self.spec))),
        }
        for usable in &self.usable {
            page.usable(self, usable);
        }
        page.lines
    }

    /// What was counted of each action of a type, in declared order; those that differ only in
    /// which slot of a selection they are about are one.
    pub fn actions(&self, own: &TypeStats, npc: NpcTypeId) -> Vec<(String, ActionStats)> {
        let (domain, map) = (&self.spec.domain, self.spec.domain.map());
        let mut actions: Vec<(String, ActionStats)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for &action in domain.npc(npc).actions() {
            let name = map.alike(map.action(action));
            let at = *places.entry(name.clone()).or_insert(actions.len());
            if at == actions.len() {
                actions.push((name, ActionStats::default()));
            }
            actions[at].1 += &own.actions[action.index()];
        }
        actions
    }

    /// What was counted of each selection of a type that anything is to be told of, by name, in
    /// declared order.
    pub fn selects<'s>(&'s self, own: &'s TypeStats) -> Vec<(&'s SelectSpec, &'s SelectStats)> {
        let all = self.spec.selects.iter().zip(&own.selects);
        let mut used: Vec<_> = all.filter(|(_, counts)| counts.is_used()).collect();
        used.sort_by_key(|(select, _)| select.select);
        used
    }

    /// For how many ticks minds of a type had nothing to do, by reason in words, the longest first.
    pub fn idle(&self, own: &TypeStats) -> Vec<(String, u64)> {
        let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
        for (why, ticks) in &own.idle_reasons {
            *reasons.entry(why.words(&self.spec)).or_default() += ticks;
        }
        let mut reasons: Vec<_> = reasons.into_iter().collect();
        reasons.sort_by_key(|(_, ticks)| std::cmp::Reverse(*ticks));
        reasons
    }

    /// What was counted of each goal of a type, in declared order; alternatives of one name are
    /// one goal.
    pub fn goals(&self, own: &TypeStats, npc: NpcTypeId) -> Vec<(&str, GoalStats)> {
        let domain = &self.spec.domain;
        let mut goals: Vec<(&str, GoalStats)> = Vec::new();
        for &goal in domain.npc(npc).goals() {
            let (name, counts) = (domain.map().wish(goal), &own.goals[goal.index()]);
            let at = goals.iter().position(|(known, _)| *known == name).unwrap_or(goals.len());
            if at == goals.len() {
                goals.push((name, GoalStats::default()));
            }
            let sum = &mut goals[at].1;
            sum.chosen += counts.chosen;
            sum.plans += counts.plans;
            sum.ticks += counts.ticks;
        }
        goals
    }
}

impl fmt::Display for StatsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let page = self.page(|text| text.chars().count());
        page.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// `3 minds, 1 squad`.
pub fn minds_and_squads(minds: usize, squads: usize) -> String {
    match squads {
        0 => count(minds, "mind"),
        _ => format!("{}, {}", count(minds, "mind"), count(squads, "squad")),
    }
}

fn domain_line(spec: &Spec) -> String {
    let domain = &spec.domain;
    let actions = count(domain.map().action_ids().count(), "action");
    let is_first = |(at, group): &(usize, Option<GoalId>)| group.is_none_or(|g| g.index() == *at);
    let groups = domain.goals().iter().map(|goal| goal.group());
    let wishes = groups.enumerate().filter(is_first).count();
    format!("{}, {actions}, {}", count(domain.npcs().len(), "NPC type"), count(wishes, "goal"))
}
