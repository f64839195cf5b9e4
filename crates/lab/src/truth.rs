//! The truth about a small NPC type: how far every state is from a goal.
//!
//! In:   the tables of a type whose states can be numbered.
//! Out:  the length of the shortest way from every state to a goal, by plain search.
//! Cost: states times actions once, then a visit per state and goal.
//!
//! Knows nothing of planning: states are lists of values, an action is tried by looking.

use throng_domain::compile::{LocalAction, LocalFact, NpcTables, PackedValue};

/// Types with more states are left out.
pub const MOST_STATES: u64 = 1 << 20;
/// The distance from where there is no way.
pub const NO_WAY: u32 = u32::MAX;

/// All states of a type, and for each those from which a step leads there.
#[derive(Debug)]
pub struct States<'n> {
    npc: &'n NpcTables,
    all: Vec<PackedValue>,
    before: Vec<Vec<u32>>,
}

impl<'n> States<'n> {
    /// Numbers the states; `None` if there are too many.
    pub fn new(npc: &'n NpcTables) -> Option<Self> {
        let n_states = npc.layout().n_states().filter(|&n| n <= MOST_STATES)?;
        let width = npc.variables().len();
        let mut states =
            States { npc, all: Vec::new(), before: vec![Vec::new(); n_states as usize] };
        let mut state = vec![0; width];
        for index in 0..n_states {
            npc.layout().state_at(index, &mut state);
            states.all.extend_from_slice(&state);
        }
        for index in 0..n_states as usize {
            for action in (0..npc.n_actions() as u32).map(LocalAction) {
                state.copy_from_slice(states.values(index));
                let needs = npc.needs(action);
                if needs.iter().all(|need| state[need.variable.index()] == need.value) {
                    let sets = npc.sets(action);
                    sets.iter().for_each(|set| state[set.variable.index()] = set.value);
                    let after = npc.layout().index_of(&state)?;
                    states.before[after as usize].push(index as u32);
                }
            }
        }
        Some(states)
    }

    /// How many there are.
    pub fn n_states(&self) -> usize {
        self.before.len()
    }

    /// The values in a state.
    pub fn values(&self, index: usize) -> &[PackedValue] {
        let width = self.npc.variables().len();
        &self.all[index * width..(index + 1) * width]
    }

    /// By state, the length of the shortest way to the goal, or [`NO_WAY`].
    pub fn distances(&self, goal: &[LocalFact]) -> Vec<u32> {
        let mut far = vec![NO_WAY; self.n_states()];
        let is_goal =
            |state: &[PackedValue]| goal.iter().all(|g| state[g.variable.index()] == g.value);
        let mut found: Vec<u32> =
            (0..self.n_states() as u32).filter(|&at| is_goal(self.values(at as usize))).collect();
        found.iter().for_each(|&at| far[at as usize] = 0);
        let mut next = 0;
        while let Some(&at) = found.get(next) {
            next += 1;
            for &before in &self.before[at as usize] {
                if far[before as usize] == NO_WAY {
                    far[before as usize] = far[at as usize] + 1;
                    found.push(before);
                }
            }
        }
        far
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::Domain;

    #[test]
    fn distances_are_those_of_the_horse_breeder() {
        let text = include_str!("../../../domains/papers/horse_breeder_000.npc");
        let Ok(domain) = Domain::from_text(text) else { panic!("the file loads") };
        let npc = &domain.compiled().npcs()[0];
        let Some(states) = States::new(npc) else { panic!("18 states") };
        assert_eq!(states.n_states(), 18);
        let goal: Vec<LocalFact> = domain.compiled().goals()[0]
            .wants()
            .iter()
            .filter_map(|fact| {
                let variable = npc.local_variable(fact.variable)?;
                Some(LocalFact { variable, value: fact.value.index() as PackedValue })
            })
            .collect();
        let far = states.distances(&goal);
        // From hay in store, bucket on the floor, water in the fountain: six actions.
        assert_eq!(far[0], 6);
        // With the hay in the feeder no free hand is left for water.
        assert_eq!(far[npc.layout().index_of(&[2, 0, 0]).map_or(0, |at| at as usize)], NO_WAY);
    }
}
