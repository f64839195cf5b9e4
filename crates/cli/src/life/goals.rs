//! The NPCs of one type: how they begin, what disturbs them, and what they want next.
//!
//! In:   the crowd of the type, and which groups had news.
//! Out:  other values for some, the next goal of the day for those who have nothing to do.
//! Cost: one step per disturbed NPC; one look per NPC that has nothing to do.
//!
//! Goals go round in declared order, alternatives of a name as one; those that hold already, and those that a table knows to be
//! out of reach, are skipped. Who has tried all of
//! them in vain rests until the world disturbs it or its group has news.

use super::{MILLION, values_of};
use std::collections::BTreeMap;
use throng::crowd::{Crowd, CrowdGoalId, GroupId, Idle, Population, Setter, Status};
use throng::{Fact, GoalId, NpcTypeId};
use throng_base::SplitMix;
use throng_domain::compile::CompiledDomain;
use throng_planner::Solver;

/// What the world keeps for each NPC beside the crowd's columns.
pub(super) const BYTES_PER_NPC: usize = size_of::<Tries>();

/// How many NPCs of a type are looked at for goals whose reason is not known yet.
const MOST_ASKED: usize = 1000;

/// How often somebody looked for a goal since something happened to it.
#[derive(Clone, Copy, Default)]
struct Tries {
    n: u8,
    /// The news that it knows.
    news: u8,
}

/// What NPCs of a type want in its turn.
struct DailyGoal {
    id: GoalId,
    goal: CrowdGoalId,
    /// What it is called.
    name: String,
    /// How often somebody looked for it in vain.
    refused: u64,
}

/// The NPCs of one type.
pub(super) struct Kind {
    pub(super) npc: NpcTypeId,
    goals: Vec<DailyGoal>,
    /// The values of each of its own variables, and what gives them to NPCs.
    values: Vec<Vec<(Fact, Setter)>>,
    tries: Vec<Tries>,
    /// Millionths of an NPC that are still to be disturbed.
    owed: u64,
    next: Vec<Idle>,
    /// Who is disturbed in a frame, and how.
    disturbed: Vec<(usize, Option<Setter>)>,
}

impl Kind {
    /// So many of a type, who want one thing after the other or, `by_priority`, choose themselves.
    pub(super) fn new(
        domain: &CompiledDomain,
        crowd: &mut Crowd,
        n: usize,
        by_priority: bool,
    ) -> Kind {
        let npc = crowd.npc();
        let wanted = domain.npc(npc).goals();
        let map = domain.map();
        let name = |id| match by_priority {
            true => "anything it wants",
            false => map.served_by(id).map_or(map.goal(id), |(name, _)| name),
        };
        let goals = match (by_priority, wanted.first()) {
            (true, Some(&first)) => crowd.best().map(|best| (first, best)).into_iter().collect(),
            _ => one_by_one(domain, crowd, wanted),
        };
        let with_setters = |facts: Vec<Fact>| {
            facts.into_iter().filter_map(|fact| Some((fact, crowd.setter(fact).ok()?))).collect()
        };
        let several = values_of(domain, npc, false).filter(|values| values.len() > 1);
        let daily = |(id, goal)| DailyGoal { id, goal, name: name(id).to_owned(), refused: 0 };
        Kind {
            npc,
            goals: goals.into_iter().map(daily).collect(),
            values: several.map(with_setters).collect(),
            tries: vec![Tries::default(); n],
            owed: 0,
            next: Vec::new(),
            disturbed: Vec::new(),
        }
    }

    /// Everybody comes with the first goal and the values of `starts`, but for one to three that
    /// chance decides: a town is not born in step. Neighbours belong to the same group.
    pub(super) fn fill(
        &self,
        crowd: &mut Crowd,
        groups: &[GroupId],
        chance: &mut SplitMix,
    ) -> Option<()> {
        let n = self.tries.len();
        crowd.reserve(n);
        let first = self.goals.first().map_or(CrowdGoalId::NONE, |first| first.goal);
        let mut facts = Vec::new();
        for at in 0..n {
            facts.clear();
            for _ in 0..1 + chance.below(3) {
                facts.extend(self.any_value(chance).map(|(fact, _)| fact));
            }
            let group = groups[at * groups.len() / n];
            crowd.spawn_with(group, first, &facts).ok()?;
        }
        Some(())
    }

    /// One of its own variables with one of its values.
    fn any_value(&self, chance: &mut SplitMix) -> Option<(Fact, Setter)> {
        if self.values.is_empty() {
            return None;
        }
        let values = chance.pick(&self.values);
        Some(*chance.pick(values))
    }

    pub(super) fn disturb(&mut self, crowd: &mut Crowd, drift: u64, chance: &mut SplitMix) {
        let n = self.tries.len() as u64;
        self.owed += n * drift;
        let mut disturbed = std::mem::take(&mut self.disturbed);
        disturbed.clear();
        disturbed.extend((0..self.owed / MILLION).map(|_| {
            let row = chance.below_u64(n) as usize;
            (row, self.any_value(chance).map(|(_, setter)| setter))
        }));
        let edited = crowd.edit_rows(disturbed.iter().map(|&(row, _)| row), |nth, npc| {
            let Some(setter) = &disturbed[nth].1 else { return Ok(()) };
            self.tries[npc.row()].n = 0;
            npc.set(setter)
        });
        debug_assert!(edited.is_ok(), "its own setters");
        self.disturbed = disturbed;
        self.owed %= MILLION;
    }

    /// What they want in turn, by name.
    pub(super) fn goals(&self) -> impl Iterator<Item = (&str, CrowdGoalId)> {
        self.goals.iter().map(|it| (it.name.as_str(), it.goal))
    }

    pub(super) fn n_goals(&self) -> usize {
        self.goals.len()
    }

    pub(super) fn all_want_the_next(&self, crowd: &mut Crowd) {
        let edited = crowd.edit_each(|npc| {
            let at = self.goals.iter().position(|it| it.goal == npc.goal()).unwrap_or(0);
            npc.set_goal(self.goals[(at + 1) % self.goals.len()].goal)
        });
        debug_assert!(edited.is_ok(), "its own goals");
    }

    pub(super) fn hand_out_goals(&mut self, crowd: &mut Crowd, news: &[u8]) {
        let most = self.goals.len().min(usize::from(u8::MAX)) as u8;
        self.next.clear();
        for idle in crowd.idle() {
            let tries = &mut self.tries[idle.npc.row()];
            let group_news = news[idle.group.index()];
            if tries.news != group_news {
                *tries = Tries { n: 0, news: group_news };
            }
            if tries.n < most {
                if idle.status == Status::Satisfied && idle.steps_done > 0 {
                    // It has done something: the day goes on.
                    tries.n = 0;
                }
                self.next.push(idle);
            }
        }
        for &Idle { npc, goal, status, .. } in &self.next {
            let tries = &mut self.tries[npc.row()];
            let mut at = self.goals.iter().position(|it| it.goal == goal).unwrap_or(0);
            self.goals[at].refused += u64::from(status == Status::Impossible);
            while tries.n < most {
                tries.n += 1;
                at = (at + 1) % self.goals.len();
                let other = self.goals[at].goal;
                // A table tells without planning whether it is worth to want that; else one tries.
                match crowd.peek(npc, other) {
                    Some(Status::Impossible) => {
                        self.goals[at].refused += u64::from(other != goal);
                    }
                    Some(Status::Satisfied) => {}
                    None if crowd.has(npc, other) => {}
                    _ => {
                        let _ = crowd.set_goal(npc, other);
                        break;
                    }
                }
            }
        }
    }
}

/// Goals in declared order; alternatives of a name are one, known by the first of them.
fn one_by_one(
    domain: &CompiledDomain,
    crowd: &mut Crowd,
    wanted: &[GoalId],
) -> Vec<(GoalId, CrowdGoalId)> {
    let group = |id: GoalId| domain.goal(id).group();
    let mut goals = Vec::new();
    for (at, &id) in wanted.iter().enumerate() {
        let same = |other: &GoalId| group(id).is_some() && group(*other) == group(id);
        if wanted[..at].iter().any(same) {
            continue;
        }
        let others = wanted[at + 1..].iter().copied().filter(same);
        let all: Vec<GoalId> = std::iter::once(id).chain(others).collect();
        goals.extend(crowd.any_goal(&all).map(|goal| (id, goal)));
    }
    goals
}

/// A goal that had no plan for some.
pub(crate) struct Refusal<'l> {
    pub(crate) npc: NpcTypeId,
    pub(crate) goal: &'l str,
    /// How often.
    pub(crate) n: u64,
    /// What the planner said of one of them.
    pub(crate) reason: &'l str,
}

/// Why some had no plan: one is asked of each type and goal.
#[derive(Default)]
pub(super) struct Reasons {
    told: BTreeMap<(NpcTypeId, GoalId), String>,
    solver: Solver,
}

impl Reasons {
    /// Asks some of those who found out that what they want cannot be had.
    pub(super) fn ask(&mut self, people: &Population, kinds: &[Kind]) {
        for kind in kinds {
            let Some(crowd) = people.crowd(kind.npc) else { continue };
            if kind.goals.iter().all(|it| self.told.contains_key(&(kind.npc, it.id))) {
                continue;
            }
            let refused = crowd.idle().filter(|idle| idle.status == Status::Impossible);
            for Idle { npc, goal, .. } in refused.take(MOST_ASKED) {
                let known = kind.goals.iter().find(|known| known.goal == goal);
                let Some(&DailyGoal { id, .. }) = known else { continue };
                if !self.told.contains_key(&(kind.npc, id))
                    && let Some(reason) = crowd.reason(npc, &mut self.solver)
                {
                    self.told.insert((kind.npc, id), reason.sentence(crowd.domain()));
                }
            }
        }
    }

    /// What was looked for in vain, the most often first.
    pub(super) fn refusals<'l>(&'l self, kinds: &'l [Kind]) -> Vec<Refusal<'l>> {
        let mut refusals = Vec::new();
        for kind in kinds {
            for DailyGoal { id, name: goal, refused, .. } in &kind.goals {
                let reason = self.told.get(&(kind.npc, *id)).map_or("", String::as_str);
                let refusal = Refusal { npc: kind.npc, goal, n: *refused, reason };
                refusals.extend((*refused > 0).then_some(refusal));
            }
        }
        refusals.sort_by_key(|refusal| std::cmp::Reverse(refusal.n));
        refusals
    }
}
