//! Shortest plans of a small type by breadth-first search on numbered states.
//!
//! In:   a compiled type with few states.
//! Out:  how many steps each state is away from a start, with the actions that are there.
//! Cost: a look-up per state and action.
//!
//! It reads needs and settings only; nothing of what planners learn at load.

use throng_domain::compile::{LocalAction, LocalFact, NpcTables, PackedValue};

/// No way.
pub(crate) const FAR: u16 = u16::MAX;

/// The states of a type and where each action leads.
pub(crate) struct Explorer {
    /// By number: the values.
    pub(crate) states: Vec<Vec<PackedValue>>,
    /// By number: the packed state.
    pub(crate) words: Vec<u64>,
    /// By action, then by state.
    next: Vec<Vec<u32>>,
    queue: Vec<u32>,
}

impl Explorer {
    /// All states of a type; `None` if there are more than `most`.
    pub(crate) fn new(npc: &NpcTables, most: u64) -> Option<Explorer> {
        let layout = npc.layout();
        let n_states = layout.n_states().filter(|&n| n <= most && layout.n_words() == 1)?;
        let mut states = Vec::new();
        let mut words = Vec::new();
        for index in 0..n_states {
            let mut state = vec![0; layout.n_variables()];
            assert!(layout.state_at(index, &mut state));
            let mut word = [0];
            layout.pack(&state, &mut word);
            words.push(word[0]);
            states.push(state);
        }
        let after = |action: u32, state: &Vec<PackedValue>| {
            let (needs, sets) = (npc.needs(LocalAction(action)), npc.sets(LocalAction(action)));
            let mut end = state.clone();
            if needs.iter().any(|need| state[need.variable.index()] != need.value) {
                return u32::MAX;
            }
            sets.iter().for_each(|set| end[set.variable.index()] = set.value);
            layout.index_of(&end).map_or(u32::MAX, |index| index as u32)
        };
        let row = |action| states.iter().map(|state| after(action, state)).collect();
        let next = (0..npc.n_actions() as u32).map(row).collect();
        Some(Explorer { states, words, next, queue: Vec::new() })
    }

    /// How many steps each state is away from `start`.
    pub(crate) fn distances(&mut self, start: usize, enabled: u64, distances: &mut Vec<u16>) {
        distances.clear();
        distances.resize(self.states.len(), FAR);
        distances[start] = 0;
        self.queue.clear();
        self.queue.push(start as u32);
        let mut done = 0;
        while let Some(&state) = self.queue.get(done) {
            done += 1;
            for (_, row) in
                self.next.iter().enumerate().filter(|(action, _)| enabled >> action & 1 == 1)
            {
                let next = row[state as usize];
                if next != u32::MAX && distances[next as usize] == FAR {
                    distances[next as usize] = distances[state as usize] + 1;
                    self.queue.push(next);
                }
            }
        }
    }

    /// The states in which a goal holds.
    pub(crate) fn where_holds(&self, goal: &[LocalFact]) -> Vec<u32> {
        let holds =
            |state: &Vec<PackedValue>| goal.iter().all(|f| state[f.variable.index()] == f.value);
        let all = self.states.iter().enumerate();
        all.filter(|(_, state)| holds(state)).map(|(index, _)| index as u32).collect()
    }

    /// Where a sequence of actions leads; `None` if one cannot run or is not there.
    pub(crate) fn walk(
        &self,
        start: usize,
        enabled: u64,
        actions: impl Iterator<Item = LocalAction>,
    ) -> Option<(usize, u16)> {
        let (mut state, mut length) = (start, 0);
        for action in actions {
            let next = self.next[action.index()][state];
            if next == u32::MAX || enabled >> action.0 & 1 == 0 {
                return None;
            }
            (state, length) = (next as usize, length + 1);
        }
        Some((state, length))
    }
}
