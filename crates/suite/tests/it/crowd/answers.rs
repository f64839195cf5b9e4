//! What the plain model says of an NPC, and whether the crowd says the same.

use super::*;
use throng_domain::model::Wants;

impl Both {
    /// An NPC of the library with everything that the plain model knows of one.
    pub(super) fn npc(&self, plain: &PlainNpc) -> Npc {
        let mut npc = Npc::new(&self.domain, &self.kind).unwrap();
        for variable in self.domain.model().variables() {
            npc.forget(variable.name()).unwrap();
        }
        let group = &self.groups[plain.group];
        for (variable, value) in plain.values.iter().chain(&group.shared) {
            npc.set(variable, value).unwrap();
        }
        for check in &group.without {
            npc.set_check(check, false).unwrap();
        }
        for action in &group.forbidden {
            npc.forbid(action, true).unwrap();
        }
        npc
    }

    /// What the single planner is asked.
    pub(super) fn request(&self, plain: &PlainNpc) -> Request {
        match &self.goals[plain.goal].asks {
            Asks::Facts(facts) => {
                let fact =
                    |(variable, value): (&String, &String)| self.domain.fact(variable, value);
                Request::to(facts.iter().map(|pair| fact(pair).unwrap()))
            }
            Asks::Any(names) => {
                Request::any(names.iter().map(|name| self.domain.goal(name).unwrap()))
            }
            Asks::Name(name) => Request::new(self.domain.goal_target(name).unwrap()),
            Asks::Best => Request::best(),
        }
    }

    /// Conditions of which one list must hold at the end.
    pub(super) fn wanted(&self, plain: &PlainNpc) -> Vec<Wants> {
        let compiled = self.domain.compiled();
        let wants = |goal: GoalId| compiled.goal(goal).conditions().to_wants();
        let kind = compiled.npc(self.crowd.npc());
        match &self.goals[plain.goal].asks {
            Asks::Facts(facts) => {
                let facts = facts.iter().map(|(v, x)| self.domain.fact(v, x).unwrap());
                vec![facts.collect::<Vec<_>>().into()]
            }
            Asks::Any(names) => {
                names.iter().map(|name| wants(self.domain.goal(name).unwrap())).collect()
            }
            Asks::Name(name) => match self.domain.goal_target(name).unwrap() {
                Target::Any(goals) => goals.into_iter().map(wants).collect(),
                Target::Goal(goal) => vec![wants(goal)],
                other => panic!("{other:?}"),
            },
            Asks::Best => kind.goals().iter().copied().map(wants).collect(),
        }
    }

    /// Whether somebody who chooses among all it wants is on its way.
    pub(super) fn is_under_way(&self, plain: &PlainNpc) -> bool {
        matches!(self.goals[plain.goal].asks, Asks::Best) && plain.has_moved
    }

    pub(super) fn local(&self, plan: impl Iterator<Item = throng::ActionId>) -> Vec<LocalAction> {
        let kind = self.domain.compiled().npc(self.domain.npc_type(&self.kind).unwrap());
        plan.map(|id| kind.local_action(id).unwrap()).collect()
    }

    /// Whether steps lead a plain NPC to its goal.
    pub(super) fn replays(&self, plain: &PlainNpc, steps: &[LocalAction]) -> Option<u64> {
        let npc = self.npc(plain);
        self.wanted(plain).iter().find_map(|wants| {
            let problem = npc.problem(wants);
            let kind = self.domain.compiled().npc(problem.npc());
            replay(kind, &problem, steps, &mut Vec::new())
        })
    }

    /// The state of an NPC is the same in both.
    pub(super) fn check_state(&self, plain: &PlainNpc) {
        let map = self.domain.compiled().map();
        for variable in self.domain.model().variables() {
            let name = variable.name();
            if !self.is_touched(name) {
                continue;
            }
            let known = self.crowd.get(plain.handle, self.domain.variable(name).unwrap());
            let known = known.map(|fact| map.value(fact).to_string());
            let group = &self.groups[plain.group];
            let wanted = plain.values.get(name).or_else(|| group.shared.get(name)).cloned();
            assert_eq!(known, wanted, "{name}");
        }
    }

    /// Whoever does not wait has the single planner's answer.
    pub(super) fn check_answer(&mut self, at: usize) {
        let plain = self.npcs[at].clone();
        let status = self.crowd.status(plain.handle).unwrap();
        if status == Status::Waiting {
            self.tally.waiting += 1;
            assert_eq!(self.crowd.next_action(plain.handle), None);
            return;
        }
        self.tally.answers += 1;
        let npc = self.npc(&plain);
        let steps = self.local(self.crowd.plan_of(plain.handle));
        if status == Status::Following && self.is_under_way(&plain) {
            assert!(self.replays(&plain, &steps).is_some(), "{}", self.json);
            return;
        }
        let answer = self.planner.plan(&npc, &self.request(&plain), &mut self.scratch);
        self.told = format!(
            "{}\n{plain:?} in {:?} wants {:?}: {status:?} {:?}, planner {:?} {:?}",
            self.json,
            self.groups[plain.group],
            self.goals[plain.goal].asks,
            self.crowd
                .plan_of(plain.handle)
                .map(|id| self.domain.compiled().map().action(id))
                .collect::<Vec<_>>(),
            answer.outcome(),
            answer.plan().names().collect::<Vec<_>>(),
        );
        match answer.outcome() {
            Outcome::Plan { cost } => {
                assert_eq!(status, Status::Following, "{}", self.told);
                assert_eq!(self.crowd.cost_of(plain.handle), *cost, "{}", self.told);
                assert_eq!(self.replays(&plain, &steps), Some(cost.0));
                self.tally.plans += 1;
                if self.goals[plain.goal].asks.is_choice() {
                    let aim = self.crowd.aim_of(plain.handle).unwrap();
                    assert_eq!(self.crowd.goal_id(aim), answer.goal(), "{}", self.told);
                    self.tally.chosen += 1;
                }
            }
            Outcome::Satisfied => {
                assert_eq!((status, steps.len()), (Status::Satisfied, 0), "{}", self.told);
            }
            Outcome::Impossible(_) => {
                assert_eq!((status, steps.len()), (Status::Impossible, 0), "{}", self.told);
                self.tally.impossible += 1;
            }
            Outcome::GaveUp(_) => panic!("nothing limits the planner"),
        }
        self.tally.choices += u64::from(self.goals[plain.goal].asks.is_choice());
    }
}
