//! Plans that rows are given by others: somebody comes from elsewhere and knows what to do.
//!
//! In:   a row and the steps it is to do.
//! Out:  the row follows them, if they lead from where it is to what it wants.
//! Cost: one replay of the steps; not for everybody in a frame.
//!
//! Nothing is taken on trust: each step must be there for the row's group and possible where it is
//! done, and the goal must hold after the last.

use crate::crowd::Crowd;
use crate::goals::GoalRef;
use crate::plans::PlanId;
use crate::rows::Handle;
use throng_domain::compile::LocalAction;
use throng_domain::model::{ActionId, GoalId};
use throng_planner::ActionMask;

impl Crowd {
    /// Lets somebody follow these steps, as if [`Crowd::plan`] had found them; `false`, and nothing
    /// changes, if they do not lead from its state to its goal.
    pub fn follow(&mut self, npc: Handle, steps: &[ActionId]) -> bool {
        let Some(row) = self.rows.find(npc) else { return false };
        let kind = self.domain.npc(self.npc);
        let plan = steps.iter().map(|&action| kind.local_action(action));
        let Some(plan) = plan.collect::<Option<Vec<LocalAction>>>() else { return false };
        // Whether there is nothing to do is for the crowd to say.
        if plan.is_empty() || !self.leads(row, &plan) {
            return false;
        }
        let cost = plan.iter().map(|&action| self.kind().cost(action)).sum();
        let id = self.plans.intern(&plan, cost);
        self.assign(row, id.0);
        self.plans.release(id);
        self.step[row] = 0;
        self.dirty.set(row, false);
        true
    }

    /// Lets somebody have nothing to do, as if [`Crowd::plan`] had found that what it wants holds;
    /// `false`, and nothing changes, if it does not.
    pub fn rest(&mut self, npc: Handle) -> bool {
        let Some(row) = self.rows.find(npc) else { return false };
        let holds = self.leads(row, &[]);
        if holds {
            self.assign(row, PlanId::SATISFIED.0);
            self.step[row] = 0;
            self.dirty.set(row, false);
        }
        holds
    }

    /// Whether steps lead from the state of a row to its goal.
    fn leads(&self, row: usize, plan: &[LocalAction]) -> bool {
        let kind = self.kind();
        let group = &self.groups.list[usize::from(self.group[row])];
        let mut there = ActionMask::default();
        there.fill_enabled(kind, &group.checks, &group.forbidden);
        let mut state = kind.unknown_state();
        self.read_state(row, &mut state);
        let before = state.clone();
        for &action in plan {
            let needs = kind.needs(action).iter();
            let can = needs.clone().all(|need| state[need.variable.index()] == need.value);
            if !there.has(action) || !can {
                return false;
            }
            kind.sets(action).iter().for_each(|set| state[set.variable.index()] = set.value);
        }
        let goal = self.goal[row];
        match self.goals.choice(goal) {
            // Of all that it wants, steps lead to something that it does not have.
            Some(choice) if choice.is_best && !plan.is_empty() => choice.stages.iter().any(|one| {
                !self.goals.holds_one(one, |variable| before[variable.index()])
                    && self.goals.holds_one(one, |variable| state[variable.index()])
            }),
            _ => self.goals.holds(goal, |variable| state[variable.index()]),
        }
    }

    /// The goal of the domain that a goal of this crowd is; `None` for one of the game's own, and
    /// for a choice.
    pub fn goal_id(&self, goal: GoalRef) -> Option<GoalId> {
        self.goals.has(goal).then(|| self.goals.get(goal.0).id).flatten()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Budget, Crowd, GroupRef, Pool, Settings, Status};
    use std::sync::Arc;
    use throng_domain::formats::{load, no_includes};
    use throng_domain::{CompiledDomain, Format, Limits};

    const TEXT: &str = "domain d
var at: home, road, shop
var bread: none, some
action walk_out:  at home -> road   if daylight
action walk_in:   at road -> shop
action ride:      at home -> shop   cost 9
action buy:       bread none -> some   while at = shop
goal fed: bread = some
npc someone
    can walk_out, walk_in, ride, buy
    wants fed
    starts at = home, bread = none
";

    #[test]
    fn somebody_follows_what_leads_to_its_goal_and_nothing_else() {
        let loaded = load("t.npc", TEXT, Format::Npc, &Limits::default(), &[], &mut no_includes);
        let domain = Arc::new(CompiledDomain::new(&loaded.model.unwrap()));
        let npc = domain.npcs()[0].id();
        let action = |name: &str| domain.map().find_action(name).unwrap();
        let (ride, buy) = (action("ride"), action("buy"));
        let pool = Arc::new(Pool::new(1));
        let mut crowd = Crowd::new(Arc::clone(&domain), npc, Settings::default(), pool).unwrap();
        let fed = domain.map().find_goal("fed").unwrap();
        let goal = crowd.goal(fed).unwrap();
        let goal_holds = domain.goals()[fed.index()].wants();
        assert_eq!(crowd.goal_id(goal), Some(fed));
        let who = crowd.insert(GroupRef::FIRST, goal).unwrap();
        for wrong in [&[buy][..], &[ride], &[buy, ride], &[action("walk_in"), buy], &[]] {
            assert!(!crowd.follow(who, wrong) && !crowd.rest(who), "{wrong:?}");
            assert_eq!(crowd.status(who), Some(Status::Waiting));
        }
        assert!(crowd.follow(who, &[ride, buy]));
        assert_eq!(crowd.status(who), Some(Status::Following));
        assert_eq!(crowd.plan_of(who).collect::<Vec<_>>(), [ride, buy]);
        // It does not wait, so it keeps a plan that is not the cheapest.
        crowd.plan(Budget::UNLIMITED);
        assert_eq!((crowd.apply_next().moved, crowd.next_action(who)), (1, Some(buy)));
        assert_eq!(crowd.apply_next().arrived, 1);
        assert_eq!(crowd.status(who), Some(Status::Satisfied));
        // What its group may not do it does not take either.
        let other = crowd.insert(GroupRef::FIRST, goal).unwrap();
        let out = [action("walk_out"), action("walk_in"), buy];
        let daylight = domain.map().find_check("daylight").unwrap();
        crowd.set_check(GroupRef::FIRST, daylight, false);
        assert!(!crowd.follow(other, &out));
        crowd.set_check(GroupRef::FIRST, daylight, true);
        assert!(crowd.follow(other, &out));
        assert!(crowd.remove(other) && !crowd.follow(other, &out));
        // Who has what it wants need not be told so by a search.
        let happy = crowd.insert_with(GroupRef::FIRST, goal, goal_holds).unwrap();
        assert_eq!(crowd.status(happy), Some(Status::Waiting));
        assert!(crowd.rest(happy) && !crowd.rest(other));
        assert_eq!(crowd.status(happy), Some(Status::Satisfied));
    }
}
