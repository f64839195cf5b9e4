//! What happens to both: inserts, values, groups, steps, plans.

use super::*;
use throng_domain::compile::{LocalFact, PackedValue};
use throng_domain::model::Wants;

impl Both {
    pub(super) fn insert(&mut self, dice: &mut SplitMix) {
        if self.npcs.len() >= MOST {
            return;
        }
        let (goal, group) = (dice.below(self.goals.len()), dice.below(self.groups.len()));
        let mut values = self.starts(false);
        let mut facts = Vec::new();
        for _ in 0..dice.below(2) {
            let (variable, value) = self.any_fact(dice);
            if !self.is_shared(&variable) && self.is_touched(&variable) {
                facts.push(self.domain.fact(&variable, &value).unwrap());
                values.insert(variable, value);
            }
        }
        let group_ref = self.group(group);
        let handle = self.crowd.spawn_with(group_ref, self.goals[goal].goal, &facts).unwrap();
        assert!(self.npcs.iter().all(|npc| npc.handle != handle));
        self.npcs.push(PlainNpc { handle, values, goal, group, has_moved: false });
    }

    pub(super) fn group(&self, at: usize) -> GroupId {
        self.crowd.groups().nth(at).unwrap()
    }

    pub(super) fn change_value(&mut self, dice: &mut SplitMix, at: usize) {
        let (variable, value) = self.any_fact(dice);
        let handle = self.npcs[at].handle;
        let id = self.domain.variable(&variable).unwrap();
        let is_own = !self.is_shared(&variable) && self.is_touched(&variable);
        if dice.percent(5) {
            assert_eq!(self.crowd.forget(handle, id).is_ok(), is_own);
            if is_own {
                self.npcs[at].values.remove(&variable);
            }
            return;
        }
        let fact = self.domain.fact(&variable, &value).unwrap();
        assert_eq!(self.crowd.set(handle, fact).is_ok(), is_own);
        if is_own {
            self.npcs[at].values.insert(variable, value);
        }
    }

    /// Changes a group; then exactly those wait who must.
    pub(super) fn change_group(&mut self, dice: &mut SplitMix) {
        let group = dice.below(self.groups.len());
        let members: Vec<usize> =
            (0..self.npcs.len()).filter(|&at| self.npcs[at].group == group).collect();
        let before: Vec<(Status, Vec<LocalAction>)> = members
            .iter()
            .map(|&at| {
                let handle = self.npcs[at].handle;
                (self.crowd.status(handle).unwrap(), self.local(self.crowd.plan_of(handle)))
            })
            .collect();
        let group_ref = self.group(group);
        self.groups[group].was_told = true;
        let shared_before = self.groups[group].shared.len();
        let map = self.domain.compiled().map();
        match dice.below(3) {
            0 => {
                let (variable, value) = self.any_fact(dice);
                let is_shared = self.is_shared(&variable) && self.is_touched(&variable);
                let fact = self.domain.fact(&variable, &value).unwrap();
                if dice.percent(10) {
                    assert_eq!(
                        self.crowd.forget_shared(group_ref, fact.variable).is_ok(),
                        is_shared
                    );
                    self.groups[group].shared.remove(&variable);
                } else {
                    assert_eq!(self.crowd.set_shared(group_ref, fact).is_ok(), is_shared);
                    if is_shared {
                        self.groups[group].shared.insert(variable, value);
                    }
                }
            }
            1 if map.n_checks() > 0 => {
                let all: Vec<String> = map.check_names().map(str::to_string).collect();
                let without = &mut self.groups[group].without;
                let from = if dice.percent(70) { &*without } else { &all };
                let from = if from.is_empty() { &all } else { from };
                let check = dice.pick(from).clone();
                let id = self.domain.check(&check).unwrap();
                let held = !without.contains(&check);
                assert!(self.crowd.set_check(group_ref, id, !held).is_ok());
                if held {
                    without.push(check);
                } else {
                    without.retain(|other| *other != check);
                }
            }
            _ => {
                let forbidden = &mut self.groups[group].forbidden;
                let action = match dice.percent(80) && !forbidden.is_empty() {
                    true => dice.pick(forbidden).clone(),
                    false => dice.pick(self.domain.model().actions()).name().to_string(),
                };
                let id = self.domain.action(&action).unwrap();
                let was = forbidden.contains(&action);
                let kind = self.domain.compiled().npc(self.crowd.npc());
                let can = kind.local_action(id).is_some();
                assert_eq!(self.crowd.forbid(group_ref, id, !was).is_ok(), can);
                if was {
                    forbidden.retain(|other| *other != action);
                } else {
                    forbidden.push(action);
                }
            }
        }
        let kind = self.domain.compiled().npc(self.crowd.npc());
        let n_shared = kind.variables().iter().filter(|&&id| map.is_shared(id)).count();
        let is_known = shared_before == n_shared && self.groups[group].shared.len() == n_shared;
        let has_one_way =
            self.domain.compiled().tables(kind.id()).sole_setters.is_some() && is_known;
        for (&at, (status, steps)) in members.iter().zip(&before) {
            let plain = &self.npcs[at];
            let waits = self.crowd.status(plain.handle).unwrap() == Status::Waiting;
            match status {
                Status::Following | Status::Satisfied if has_one_way => {
                    let (npc, request) = (self.npc(plain), self.request(plain));
                    let answer = self.planner.plan(&npc, &request, &mut self.scratch);
                    let cost = self.replays(plain, steps);
                    let is_right = cost == Some(answer.plan().cost().0) && answer.is_solved();
                    if self.goals[plain.goal].asks.is_choice() {
                        assert!(waits || is_right || self.is_under_way(plain), "{}", self.json);
                        continue;
                    }
                    assert_eq!(
                        waits,
                        !is_right,
                        "who must and only who must: {}\n{plain:?} in {:?} wants {:?} had {steps:?}, \
                         costs {cost:?}, planner {:?}",
                        self.json,
                        self.groups[plain.group],
                        self.goals[plain.goal].asks,
                        answer.plan().names().collect::<Vec<_>>()
                    );
                    self.tally.concerned += u64::from(waits);
                    self.tally.unconcerned += u64::from(!waits);
                }
                _ => {}
            }
        }
    }

    pub(super) fn finish(&mut self, at: usize) {
        let plain = self.npcs[at].clone();
        let next = self.crowd.next_action(plain.handle);
        assert_eq!(self.crowd.finish_step(plain.handle), next);
        if let Some(action) = next {
            self.apply(at, action);
        }
    }

    /// An action in the plain model.
    pub(super) fn apply(&mut self, at: usize, action: throng::ActionId) {
        self.npcs[at].has_moved = true;
        let map = self.domain.compiled().map();
        let kind = self.domain.compiled().npc(self.crowd.npc());
        let local = kind.local_action(action).unwrap();
        // What is moved is not set, so that the order does not matter.
        let moved = kind.shifts(local).iter().map(|&shift| {
            let name = map.variable(kind.variables()[shift.variable.index()]);
            let shared = &self.groups[self.npcs[at].group].shared;
            let now = self.npcs[at].values.get(name).or_else(|| shared.get(name)).unwrap();
            let now = self.domain.fact(name, now).unwrap().value.index() as PackedValue;
            LocalFact { variable: shift.variable, value: kind.shifted(shift, now).unwrap() }
        });
        let moved: Vec<LocalFact> = moved.collect();
        for &set in kind.sets(local).iter().chain(&moved) {
            let fact = kind.fact(set);
            let (variable, value) = (map.variable(fact.variable), map.value(fact));
            let group = self.npcs[at].group;
            let place = match map.is_shared(fact.variable) {
                true => &mut self.groups[group].shared,
                false => &mut self.npcs[at].values,
            };
            place.insert(variable.to_string(), value.to_string());
        }
    }

    pub(super) fn apply_next(&mut self) {
        let mut order: Vec<usize> = (0..self.npcs.len()).collect();
        order.sort_by_key(|&at| self.npcs[at].handle.row());
        let next: Vec<_> =
            order.iter().map(|&at| self.crowd.next_action(self.npcs[at].handle)).collect();
        let steps = |both: &Both, at: usize| both.crowd.plan_of(both.npcs[at].handle).len();
        let left: Vec<usize> = order.iter().map(|&at| steps(self, at)).collect();
        let applied = self.crowd.apply_next();
        let (mut moved, mut blocked) = (0, 0);
        for ((&at, next), left) in order.iter().zip(next).zip(left) {
            // Who has no claim has no next action, and does not move.
            let Some(action) = next else { continue };
            let map = self.domain.compiled().map();
            let mut shared = self.domain.model()[action].conditions().to_wants();
            shared.facts.retain(|fact| map.is_shared(fact.variable));
            shared.ranges.retain(|range| map.is_shared(range.variable));
            shared.comparisons.retain(|it| map.is_shared(it.variable) || map.is_shared(it.other));
            // Who had a claim keeps it, unless the game has said something since: then it may stand
            // in line again, with its plan.
            let stays = self.crowd.status(self.npcs[at].handle) == Some(Status::Following)
                && steps(self, at) == left;
            if stays {
                assert!(self.groups[self.npcs[at].group].was_told, "{}", self.json);
                continue;
            }
            if shared == Wants::default() || self.npc(&self.npcs[at]).has_all(&shared) {
                self.apply(at, action);
                moved += 1;
            } else {
                blocked += 1;
                assert_eq!(self.crowd.status(self.npcs[at].handle), Some(Status::Waiting));
            }
        }
        assert_eq!((applied.moved, applied.blocked), (moved, blocked));
        self.groups.iter_mut().for_each(|group| group.was_told = false);
    }

    pub(super) fn plan(&mut self, dice: &mut SplitMix) {
        let waiting = |both: &Both| {
            let waits = |npc: &&PlainNpc| both.crowd.status(npc.handle) == Some(Status::Waiting);
            both.npcs.iter().filter(waits).count()
        };
        let before = waiting(self);
        let budget = match dice.below(3) {
            0 => FrameBudget { npcs: dice.below(20), nodes: dice.below(200) as u64 },
            1 => FrameBudget { npcs: usize::MAX, nodes: dice.below(2000) as u64 },
            _ => FrameBudget::UNLIMITED,
        };
        let report = self.crowd.plan(budget);
        self.groups.iter_mut().for_each(|group| group.was_told = false);
        self.note_served();
        assert!(report.served <= budget.npcs && report.nodes <= budget.nodes, "{report:?}");
        let after = waiting(self);
        assert_eq!((report.served, report.deferred), (before - after, after), "{report:?}");
        let by_source = report.looked_up
            + report.remembered
            + report.computed
            + report.listed
            + report.planned
            + report.searched;
        assert_eq!(by_source, report.served, "{report:?}");
        if budget == FrameBudget::UNLIMITED && !self.rates {
            assert_eq!(after, 0, "{report:?}");
        }
        self.tally.served += report;
    }

    pub(super) fn note_served(&mut self) {
        let served: Vec<NpcHandle> = self.crowd.just_served().collect();
        for npc in self.npcs.iter_mut().filter(|npc| served.contains(&npc.handle)) {
            npc.has_moved = false;
        }
    }
}
