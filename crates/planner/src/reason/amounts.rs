//! The reason of a goal that is out of reach by itself, where something counts.
//!
//! In:   a problem that takes an engine that counts.
//! Out:  the chain from what is wanted down to what blocks it, as for words: of several actions that
//!       would help the one that needs the fewest changes is told.
//! Cost: what each value costs at least ([`Reach`]); then each condition of each action once, in a
//!       queue, and for each condition a look at every action.

use super::descent::not_there;
use super::moves::{LinkEffect, Way, helps};
use super::nearest::{NOBODY, Repairs, UNSAID, WORLD, step};
use super::{Link, Reason, Root};
use crate::asks::{Does, asked_by, asked_of, does, global, wanted, written_by};
use crate::budget::Mode;
use crate::counting::{CountingTask, NEVER, Reach};
use crate::problem::Problem;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use throng_domain::amounts::ValueSet;
use throng_domain::compile::{
    CompiledDomain, LocalAction, LocalFact, LocalRange, LocalVariable, NpcTables, PackedValue,
    UNKNOWN,
};
use throng_domain::model::Fact;

/// With more conditions times actions than so many the first action that helps is told.
const MOST_WORK: usize = 4_000_000;

/// The reason, if something that is wanted is out of reach by itself; else `None`.
pub(crate) fn out_of_reach(domain: &CompiledDomain, problem: &Problem) -> Option<Reason> {
    if let Some(reason) = Reason::outside(domain, problem) {
        return Some(reason);
    }
    let npc = problem.kind(domain);
    let values = Values::new(npc, problem);
    let wanted = wanted(problem);
    let missing = *wanted.iter().find(|part| !values.can_have(part))?;
    let nearest = Nearest::new(npc, problem, &values, &wanted);
    let far = wanted.iter().map(|part| nearest.far(part)).fold(0, u64::saturating_add);
    let mut chain = Vec::new();
    let root = nearest.follow(missing, &mut chain);
    let wanted = Some(global(npc, missing));
    Some(Reason { npc: problem.npc(), wanted, chain, root, far: Some(far) })
}

/// What can be had of each variable, if nothing is ever lost.
pub(crate) struct Values {
    pub(super) task: CountingTask,
    /// By action of the task.
    pub(super) actions: Vec<LocalAction>,
    reach: Reach,
    /// By action of the type: whether it is there and can ever run.
    can_run: Vec<bool>,
}

impl Values {
    pub(crate) fn new(npc: &NpcTables, problem: &Problem) -> Self {
        let (mut task, mut actions) = (CountingTask::default(), Vec::new());
        task.fill(npc, problem, Mode::Shortest, &mut actions);
        let mut reach = Reach::default();
        reach.explore(&task, &|_| false);
        let mut can_run = vec![false; npc.n_actions()];
        for (at, action) in (0..).zip(&actions) {
            can_run[action.index()] = reach.ready(at) != NEVER;
        }
        Values { task, actions, reach, can_run }
    }

    /// Whether some value of a set can be had.
    pub(crate) fn can_have(&self, asked: &LocalRange) -> bool {
        self.reach.price(asked.variable.0, &asked.values) != NEVER
    }

    /// Whether an action of the task can ever run.
    pub(super) fn is_ready(&self, action: u32) -> bool {
        self.reach.ready(action) != NEVER
    }

    /// The least and the greatest value that can be had; `None` if none can.
    fn ends(&self, variable: LocalVariable) -> Option<(PackedValue, PackedValue)> {
        let top = self.task.sizes()[variable.index()].checked_sub(1)?;
        let can = |first, last| {
            self.can_have(&LocalRange { variable, values: ValueSet::run(first, last) })
        };
        if !can(0, top) {
            return None;
        }
        let least = least_that(top, |value| can(0, value));
        let most = top - least_that(top, |value| can(top - value, top));
        Some((least, most))
    }
}

/// The least of the numbers up to one for which something holds that holds for all above it, too,
/// and for the last.
fn least_that(top: PackedValue, holds: impl Fn(PackedValue) -> bool) -> PackedValue {
    let (mut first, mut last) = (0, top);
    while first < last {
        let middle = first + (last - first) / 2;
        match holds(middle) {
            true => last = middle,
            false => first = middle + 1,
        }
    }
    first
}

/// How many changes away each condition is that is out of reach, and by which action.
struct Nearest<'r> {
    npc: &'r NpcTables,
    problem: &'r Problem,
    values: &'r Values,
    conditions: Vec<LocalRange>,
    numbers: HashMap<LocalRange, usize>,
    /// By condition: 0 of those in reach.
    far: Vec<u64>,
    by: Vec<Option<(LocalAction, LinkEffect)>>,
    /// By action: its conditions that are out of reach.
    missing: Vec<Vec<usize>>,
}

impl<'r> Nearest<'r> {
    fn new(
        npc: &'r NpcTables,
        problem: &'r Problem,
        values: &'r Values,
        wanted: &[LocalRange],
    ) -> Self {
        let mut nearest = Nearest {
            npc,
            problem,
            values,
            conditions: Vec::new(),
            numbers: HashMap::new(),
            far: Vec::new(),
            by: Vec::new(),
            missing: Vec::with_capacity(npc.n_actions()),
        };
        wanted.iter().for_each(|&part| {
            nearest.number(part);
        });
        for action in npc.local_actions() {
            let asked = asked_by(npc, problem.start(), action);
            let asked = asked.into_iter().filter(|part| !values.can_have(part));
            // The room for a rise is told only if it is what is missing.
            let asked = asked.map(|part| {
                let written = written_by(npc, action, part);
                if values.can_have(&written) { part } else { written }
            });
            let missing = asked.map(|part| nearest.number(part)).collect();
            nearest.missing.push(missing);
        }
        nearest.spread();
        nearest
    }

    fn start(&self, variable: LocalVariable) -> PackedValue {
        self.problem.start()[variable.index()]
    }

    fn fact(&self, variable: LocalVariable, value: PackedValue) -> Option<Fact> {
        let fact = LocalFact { variable, value };
        (usize::from(value) < self.npc.n_values(variable)).then(|| self.npc.fact(fact))
    }

    fn number(&mut self, asked: LocalRange) -> usize {
        let next = self.conditions.len();
        let at = *self.numbers.entry(asked).or_insert(next);
        if at == next {
            self.conditions.push(asked);
            self.far.push(if self.values.can_have(&asked) { 0 } else { u64::MAX });
            self.by.push(None);
        }
        at
    }

    fn way(&self, asked: &LocalRange) -> Way {
        let ends = self.values.ends(asked.variable);
        ends.map_or(Way::Between, |ends| Way::to(&asked.values, ends))
    }

    /// Goes from what must change anyway to what follows from it, the nearest first.
    fn spread(&mut self) {
        let npc = self.npc;
        if self.conditions.len().saturating_mul(npc.n_actions()) > MOST_WORK {
            return;
        }
        let repairs = Repairs::plain(npc, self.problem);
        let mut open: Vec<(usize, u64)> = Vec::with_capacity(npc.n_actions());
        for action in npc.local_actions() {
            open.push((self.missing[action.index()].len(), repairs.of(action)));
        }
        let mut needed_by: Vec<Vec<LocalAction>> = vec![Vec::new(); self.conditions.len()];
        for action in npc.local_actions() {
            let missing = self.missing[action.index()].iter();
            missing.for_each(|&condition| needed_by[condition].push(action));
        }
        // By action: the conditions that it would help with.
        let mut helped: Vec<Vec<(usize, LinkEffect)>> = vec![Vec::new(); npc.n_actions()];
        let mut queue = BinaryHeap::new();
        for at in 0..self.conditions.len() {
            if self.far[at] == 0 {
                continue;
            }
            let asked = self.conditions[at];
            for (action, effect) in self.helpers(&asked) {
                helped[action.index()].push((at, effect));
            }
            if let Some(far) = self.by_the_world(&asked) {
                self.far[at] = far;
                queue.push(Reverse((far, at)));
            }
        }
        let offer =
            |nearest: &mut Nearest<'_>, queue: &mut BinaryHeap<_>, action: usize, far: u64| {
                let local = LocalAction(action as u32);
                let far = far.saturating_add(step(npc, nearest.problem, local));
                for &(condition, effect) in &helped[action] {
                    if far < nearest.far[condition] {
                        nearest.far[condition] = far;
                        nearest.by[condition] = Some((local, effect));
                        queue.push(Reverse((far, condition)));
                    }
                }
            };
        for (action, &(missing, repair)) in open.iter().enumerate() {
            if missing == 0 {
                offer(self, &mut queue, action, repair);
            }
        }
        while let Some(Reverse((far, condition))) = queue.pop() {
            if far > self.far[condition] {
                continue;
            }
            for &action in &needed_by[condition] {
                let (missing, sum) = &mut open[action.index()];
                *missing = missing.saturating_sub(1);
                *sum = sum.saturating_add(far);
                if let (0, sum) = (*missing, *sum) {
                    offer(self, &mut queue, action.index(), sum);
                }
            }
        }
    }

    /// Actions that would help with a condition, and do not yet: not there, or never ready.
    fn helpers(&self, asked: &LocalRange) -> impl Iterator<Item = (LocalAction, LinkEffect)> {
        let (npc, asked, way) = (self.npc, *asked, self.way(asked));
        let idle = npc.local_actions().filter(|action| !self.values.can_run[action.index()]);
        idle.filter_map(move |action| Some((action, helps(npc, action, &asked, way)?)))
    }

    /// What it takes that the world helps, if nobody else does.
    fn by_the_world(&self, asked: &LocalRange) -> Option<u64> {
        match () {
            () if self.stays_unknown(asked.variable) => Some(UNSAID),
            () if !self.npc.can_change(asked.variable) => Some(WORLD),
            () => self.helpers(asked).next().is_none().then_some(NOBODY),
        }
    }

    /// Whether a variable is unknown at the start, and nothing that can be done makes it known.
    fn stays_unknown(&self, variable: LocalVariable) -> bool {
        self.start(variable) == UNKNOWN && self.values.ends(variable).is_none()
    }

    fn far(&self, asked: &LocalRange) -> u64 {
        self.numbers.get(asked).map_or(0, |&at| self.far[at])
    }

    /// Goes down from a condition to what blocks it.
    fn follow(&self, missing: LocalRange, chain: &mut Vec<Link>) -> Root {
        let (npc, problem) = (self.npc, self.problem);
        let mut asked = missing;
        let mut passed = vec![missing];
        let mut unknown = None;
        loop {
            if self.stays_unknown(asked.variable) {
                unknown = Some(npc.variables()[asked.variable.index()]);
            }
            let known = self.numbers.get(&asked).and_then(|&at| self.by[at]);
            let Some((action, effect)) = known.or_else(|| self.helpers(&asked).next()) else {
                return self.blocked(asked);
            };
            if !problem.enabled().has(action) {
                return not_there(npc, problem, action, effect, global(npc, asked));
            }
            if let Some(root) = self.stuck(asked.variable) {
                return root;
            }
            let Some(&need) = self.missing[action.index()].first() else {
                return self.blocked(asked);
            };
            let need = self.conditions[need];
            let need = self.right_side(action, need).unwrap_or(need);
            let (action, needs) = (npc.actions()[action.index()], global(npc, need));
            let link = Link { action, effect, needs };
            // Who needs what it brings itself is told once.
            if chain.last() != Some(&link) {
                chain.push(link);
            }
            if passed.contains(&need) {
                // An unknown value on the way is the better hint: knowing it may open the circle.
                return unknown.map_or(Root::Circle(needs), Root::UnknownStart);
            }
            passed.push(need);
            asked = need;
        }
    }

    /// Of a need that no value meets: what the amount would have to be that is compared with.
    fn right_side(&self, action: LocalAction, need: LocalRange) -> Option<LocalRange> {
        let (npc, variable) = (self.npc, need.variable);
        if !need.values.is_empty() {
            return None;
        }
        let own = npc.comparisons(action).iter().filter(|it| it.variable == variable);
        own.into_iter().find_map(|it| {
            let mut start = self.problem.start().to_vec();
            let fits = (0..npc.n_values(it.other) as PackedValue).filter(|&other| {
                start[it.other.index()] = other;
                asked_of(npc, &start, action, variable).is_some_and(|left| !left.is_empty())
            });
            let values = ValueSet::of(fits).filter(|values| !values.is_empty())?;
            Some(LocalRange { variable: it.other, values })
        })
    }

    /// That a variable cannot leave the value it has; `None` if it can, is counted, or is unknown.
    fn stuck(&self, variable: LocalVariable) -> Option<Root> {
        let (npc, start) = (self.npc, self.problem.start());
        let now = self.start(variable);
        let fact = self.fact(variable, now)?;
        let leads_away = |action: LocalAction| match does(npc, action, variable) {
            Does::Nothing => false,
            Does::Shifts(_) => true,
            Does::Sets(to) => {
                let asked = asked_of(npc, start, action, variable);
                to != now && asked.is_none_or(|asked| asked.has(now))
            }
        };
        (!npc.local_actions().any(leads_away)).then_some(Root::StuckAt(fact))
    }

    /// Why nobody helps with a condition.
    fn blocked(&self, condition: LocalRange) -> Root {
        let (npc, variable) = (self.npc, condition.variable);
        let asked = global(npc, condition);
        let now = self.fact(variable, self.start(variable));
        if self.stays_unknown(variable) {
            return Root::UnknownStart(asked.variable);
        }
        if !npc.can_change(variable) {
            let now = now.filter(|_| asked.values.only().is_none());
            return Root::OnlyWorldSets { asked, now };
        }
        let is_counted = npc
            .local_actions()
            .any(|action| npc.shifts(action).iter().any(|shift| shift.variable == variable));
        let way = self.way(&condition);
        let moves = npc.local_actions().any(|action| helps(npc, action, &condition, way).is_some());
        let (least, most) = self.values.ends(variable).unwrap_or((0, 0));
        match way {
            _ if !is_counted => Root::NobodySets(asked),
            Way::Up | Way::Down if !moves => Root::NobodyMoves { asked, now, up: way == Way::Up },
            Way::Up | Way::Down => {
                let up = way == Way::Up;
                match self.fact(variable, if up { most } else { least }) {
                    Some(most) => Root::NeverSoFar { asked, most, up },
                    None => Root::PassedOver(asked),
                }
            }
            Way::Between => Root::PassedOver(asked),
        }
    }
}
