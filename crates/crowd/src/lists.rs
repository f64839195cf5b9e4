//! The demand lists of a crowd: when they are made, and who is served by them.
//!
//! In:   rows that no table and no kernel has answered, in types that count; or, ahead of time, all
//!       goals in all groups.
//! Out:  plans from the list of the row's goal; where there is none, others answer.
//! Cost: that of a look-up and of the replay of its plan, per row. Making one counts against the
//!       budget of a frame: a demand is a node.
//!
//! A list depends on the goal and on the actions that are there, not on what groups share: that is
//! part of the state that is looked up. So groups in many situations have few lists.

use crate::columns::Part;
use crate::core::Core;
use crate::goals::{Goals, Verdict};
use crate::groups::Groups;
use crate::kind::Kind;
use crate::list::{Came, Known, Made, PlanList};
use crate::plans::{PlanId, PlanStore};
use crate::settings::{Frame, TablePolicy};
use crate::tables::TableProgress;
use throng_domain::compile::{PackedValue, UNKNOWN};
use throng_planner::counting::ListLimits;

/// A situation and a goal.
type Pair = (u32, u16);

/// Where rows of a goal in a situation find their lists.
#[derive(Clone, Copy, Debug)]
struct Place {
    pair: Pair,
    /// One list, or one for each goal of a choice.
    first: u32,
    end: u32,
}

/// Working memory of a frame.
#[derive(Debug, Default)]
pub(crate) struct ListWork {
    wanted: Vec<Pair>,
    places: Vec<Place>,
    lists: Vec<u32>,
    rows: Vec<RowWork>,
}

/// What one part needs for a row.
#[derive(Debug, Default)]
struct RowWork {
    state: Vec<PackedValue>,
    then: Vec<PackedValue>,
}

impl ListWork {
    /// Answers the rows that lists can answer, and makes those that are wanted, as far as the budget
    /// goes.
    pub(crate) fn serve(&mut self, core: &mut Core, frame: &mut Frame) {
        if !may_have_lists(core) || core.turns.serve.count() == 0 {
            return;
        }
        self.find_wanted(core);
        self.find_lists(core, frame);
        if self.places.is_empty() {
            return;
        }
        let Core { kind, pool, goals, groups, columns, turns, book, parts, .. } = core;
        if u16::try_from(book.plans.max_id().0).is_err() {
            columns.widen();
        }
        let ListWork { places, lists, rows, .. } = self;
        let read = Reading { places, lists, goals, groups, kind };
        let served = (columns, &mut turns.serve);
        parts.each((pool, 0), served, book, &mut frame.report, rows, &|part, work| {
            read.serve(part, work);
        });
    }

    /// The goals and situations of those who are to be served.
    fn find_wanted(&mut self, core: &Core) {
        self.wanted.clear();
        for row in core.turns.serve.iter() {
            let situation = core.groups.situation(core.columns.group(row));
            let pair = (situation, core.columns.goal(row));
            if self.wanted.last() != Some(&pair) {
                self.wanted.push(pair);
            }
            if self.wanted.len() >= MOST_WANTED {
                self.wanted.sort_unstable();
                self.wanted.dedup();
            }
        }
        self.wanted.sort_unstable();
        self.wanted.dedup();
    }

    /// Finds their lists, or makes them.
    fn find_lists(&mut self, core: &mut Core, frame: &mut Frame) {
        self.places.clear();
        self.lists.clear();
        let ListWork { wanted, places, lists, .. } = self;
        let all = &mut core.groups.situations.lists;
        all.began = all.now;
        for &pair in &*wanted {
            let first = lists.len();
            if each_part(core, pair.1, |core, goal| {
                let found = find_or_make(core, (pair.0, goal), frame);
                lists.extend(found);
                found.is_some()
            }) {
                places.push(Place { pair, first: first as u32, end: lists.len() as u32 });
            } else {
                lists.truncate(first);
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let rows = |it: &RowWork| 2 * (it.state.capacity() + it.then.capacity());
        self.wanted.capacity() * size_of::<Pair>()
            + self.places.capacity() * size_of::<Place>()
            + 4 * self.lists.capacity()
            + self.rows.iter().map(rows).sum::<usize>()
    }
}

/// How many wishes are noted before equal ones are looked for.
const MOST_WANTED: usize = 1024;

/// Whether lists are wanted at all, and the type, or a goal of the crowd, counts.
fn may_have_lists(core: &Core) -> bool {
    core.settings.list_entries > 0 && (core.kind.npc().has_amounts() || core.goals.has_amounts())
}

/// Asks for a goal, or for each that a choice is made of, as long as the answer is yes.
fn each_part(core: &mut Core, goal: u16, mut ask: impl FnMut(&mut Core, u16) -> bool) -> bool {
    let n_parts = core.goals.choice(goal).map(|choice| choice.parts().count());
    let Some(n_parts) = n_parts else { return ask(core, goal) };
    (0..n_parts).all(|at| {
        let part = core.goals.choice(goal).and_then(|choice| choice.parts().nth(at));
        part.is_some_and(|part| ask(core, part))
    })
}

/// The list of a goal that is no choice; made if it may be, as far as the budget goes.
fn find_or_make(core: &mut Core, (situation, goal): Pair, frame: &mut Frame) -> Option<u32> {
    if !is_for_a_list(core, (situation, goal)) {
        return None;
    }
    let Core { groups, settings, .. } = core;
    let situations = &mut groups.situations;
    let enabled = &situations.get(situation).enabled;
    let known = situations.lists.position(enabled, goal);
    situations.lists.now += 1;
    let now = situations.lists.now;
    if let Some(at) = known {
        let known = &mut situations.lists.all[at];
        known.used = now;
        match known.came {
            Came::List(_) => return Some(at as u32),
            Came::No(_) => return None,
            Came::NotYet(tried) if frame.nodes / 2 <= tried => return None,
            Came::NotYet(_) => {}
        }
    }
    // Half of what is left: others want to be served too.
    let work = if frame.nodes == u64::MAX { u64::MAX } else { frame.nodes / 2 };
    if settings.tables == TablePolicy::Prepared || work == 0 {
        return None;
    }
    let (at, used) = make(core, (situation, goal), work);
    frame.use_nodes(used);
    at
}

/// Makes the list of a goal that is no choice, and tells how much work that was.
fn make(core: &mut Core, (situation, goal): Pair, work: u64) -> (Option<u32>, u64) {
    let Core { kind, settings, goals, groups, book, .. } = core;
    let situations = &mut groups.situations;
    let enabled = situations.get(situation).enabled.clone();
    let known = situations.lists.position(&enabled, goal);
    let Some(place) = known.or_else(|| situations.lists.place()) else { return (None, 0) };
    let limits = ListLimits { entries: settings.list_entries, work };
    let wanted = goals.wanted(goal);
    let (made, used) = PlanList::build(kind.npc(), &enabled, &wanted, limits, &mut book.plans);
    let came = match made {
        Made::List(list) => Came::List(list),
        Made::No(why) => Came::No(why),
        Made::NotYet => Came::NotYet(work),
    };
    let is_list = matches!(came, Came::List(_));
    let used_at = situations.lists.now;
    if situations.lists.put(place, Known { goal, used: used_at, came, enabled }) {
        // Its plans are looked after with those of tables that went.
        situations.lose_plans();
    }
    (is_list.then_some(place as u32), used)
}

/// Whether the goal counts, with the actions that are there, and no table is to be had.
fn is_for_a_list(core: &Core, (situation, goal): Pair) -> bool {
    let Core { kind, settings, goals, groups, columns, .. } = core;
    let npc = kind.npc();
    let enabled = &groups.situations.get(situation).enabled;
    let may_have_table = settings.tables != TablePolicy::Never
        && columns.states().is_numbered()
        && groups.situations.policy(situation, goal).is_none_or(|policy| !policy.no.is_any());
    let counts = || npc.local_actions().any(|it| enabled.has(it) && npc.counts(it));
    !may_have_table && goals.is_own(goal) && (goals.local_facts(goal).is_none() || counts())
}

/// Makes the lists for all goals in all groups that can have no tables; returns how many there are
/// then.
pub(crate) fn prepare(core: &mut Core, progress: TableProgress<'_>) -> usize {
    if !may_have_lists(core) {
        return 0;
    }
    let mut situations: Vec<u32> =
        (0..core.groups.len()).map(|group| core.groups.situation(group)).collect();
    situations.sort_unstable();
    situations.dedup();
    // All of them are wanted, so none makes room for another.
    core.groups.situations.lists.began = 0;
    for situation in situations {
        let goals = (1..core.goals.len() as u16).filter(|&goal| core.goals.choice(goal).is_none());
        for goal in goals.collect::<Vec<u16>>() {
            if !progress(0, 1) {
                return core.groups.situations.lists.counts().0;
            }
            let enabled = &core.groups.situations.get(situation).enabled;
            let is_known = core.groups.situations.lists.position(enabled, goal).is_some();
            if !is_known && is_for_a_list(core, (situation, goal)) {
                core.groups.situations.lists.now += 1;
                make(core, (situation, goal), u64::MAX);
            }
        }
    }
    core.groups.situations.lists.counts().0
}

/// What all parts read.
struct Reading<'c> {
    places: &'c [Place],
    lists: &'c [u32],
    goals: &'c Goals,
    groups: &'c Groups,
    kind: &'c Kind,
}

impl Reading<'_> {
    fn serve(&self, part: &mut Part<'_>, work: &mut RowWork) {
        work.state.resize(self.kind.npc().variables().len(), UNKNOWN);
        let mut last: Option<Place> = None;
        for word in 0..part.n_words() {
            for row in part.rows(word) {
                let (group, goal) = (part.group(row), part.goal(row));
                let pair = (self.groups.situation(group), goal);
                if last.is_none_or(|place| place.pair != pair) {
                    let found = self.places.binary_search_by_key(&pair, |place| place.pair);
                    last = found.ok().map(|at| self.places[at]);
                }
                let Some(place) = last else { continue };
                work.state.copy_from_slice(self.groups.shared(group));
                part.read(row, self.kind, &mut work.state);
                if let Some(id) = self.answer(place, goal, part.plans(), work) {
                    part.list(row, id);
                }
            }
        }
    }

    /// What lists say of a state; `None` if that is for others to say.
    fn answer(
        &self,
        place: Place,
        goal: u16,
        plans: &PlanStore,
        work: &mut RowWork,
    ) -> Option<PlanId> {
        let lists = &self.lists[place.first as usize..place.end as usize];
        let RowWork { state, then } = work;
        let look = |at: usize| {
            let list = self.groups.situations.lists.get(lists[at]);
            match list.map(|list| list.find(state)) {
                Some(Some(PlanId::SATISFIED)) => Verdict::Holds,
                Some(Some(id)) => Verdict::Plan(id),
                Some(None) => Verdict::Impossible,
                None => Verdict::Open,
            }
        };
        let verdict = match self.goals.choice(goal) {
            None => look(0),
            Some(choice) => choice.decide(look, |id| plans.cost(id)),
        };
        match verdict {
            Verdict::Holds => Some(PlanId::SATISFIED),
            Verdict::Impossible => Some(PlanId::IMPOSSIBLE),
            Verdict::Plan(id) => self.leads(goal, plans, id, state, then).then_some(id),
            Verdict::Open => None,
        }
    }

    /// Whether a plan leads from a state to its goal, or to one of a choice: as always, what is
    /// handed out is replayed.
    fn leads(
        &self,
        goal: u16,
        plans: &PlanStore,
        id: PlanId,
        state: &[PackedValue],
        then: &mut Vec<PackedValue>,
    ) -> bool {
        let npc = self.kind.npc();
        state.clone_into(then);
        for &action in plans.actions(id) {
            if !npc.can_run(action, then) {
                return false;
            }
            npc.run(action, then);
        }
        match self.goals.choice(goal) {
            None => self.goals.holds(goal, |variable| then[variable.index()]),
            Some(choice) => choice
                .parts()
                .any(|part| self.goals.holds_one(&[part], |variable| then[variable.index()])),
        }
    }
}
