//! What a search tells: counts, how far it is, the plan.
//!
//! In:   a search, under way or ended.
//! Out:  numbers, and operators.
//! Cost: a way is one pass over the parents; if only these are kept, the operators of each state
//!       on the way are tried again.

use super::search::{Order, Search};
use super::task::Atom;

/// How far a search is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SearchProgress {
    /// States expanded.
    pub nodes: u64,
    /// Different states met and kept.
    pub states: usize,
    /// Bytes in use.
    pub bytes: usize,
    /// How many steps the state looked at last is from the start, by the way it was found.
    pub depth: usize,
    /// Of a greedy search the least number of steps that was ever guessed to be left; of A* what
    /// a plan costs at least.
    pub guess: Option<u64>,
}

impl Search {
    /// Bytes in use for states and what waits; if there are two searches, by both.
    pub fn bytes(&self) -> usize {
        self.own_bytes() + self.other().map_or(0, Search::own_bytes)
    }

    /// Bytes of one state's packed variables.
    pub fn state_bytes(&self) -> usize {
        self.packed.n_halves() * size_of::<u32>()
    }

    /// States expanded since the search began; if there are two searches, by both.
    pub fn nodes(&self) -> u64 {
        self.nodes + self.other().map_or(0, |other| other.nodes)
    }

    /// Successors made since the search began, known states among them.
    pub fn generated(&self) -> u64 {
        self.generated + self.other().map_or(0, |other| other.generated)
    }

    /// Different states met and kept; if there are two searches, those of both.
    pub fn n_states(&self) -> usize {
        self.states.len() + self.other().map_or(0, |other| other.states.len())
    }

    /// Different states met by the search that answered, which alone prove that there is no plan.
    pub fn n_states_of_answer(&self) -> usize {
        self.answering().states.len()
    }

    /// Whether states were left aside because an estimate saw no way on: what holds in none of
    /// those that were met may hold behind these.
    pub fn has_dead_ends(&self) -> bool {
        self.answering().dead_ends > 0
    }

    /// How far the search is.
    pub fn progress(&self) -> SearchProgress {
        let leading = self.other().unwrap_or(self);
        let guess = match leading.order {
            Order::Breadth | Order::Haste => None,
            Order::Greedy => leading.greedy.best_guess(),
            Order::Cheapest => Some(leading.open.least_f),
        };
        SearchProgress {
            nodes: self.nodes(),
            states: self.n_states(),
            bytes: self.bytes(),
            depth: self.looking().depth(),
            guess,
        }
    }

    fn depth(&self) -> usize {
        let last = self.next.min(self.states.len().saturating_sub(1) as u32);
        let mut path = Vec::new();
        self.states.ways.states_to(last, self.states.len(), &mut path);
        path.len().saturating_sub(1)
    }

    /// Extracts the plan: writes the operators that lead to a state.
    pub fn extract_plan(&mut self, state: u32, plan: &mut Vec<u32>) {
        plan.clear();
        if let Some(other) = self.answering_mut() {
            return other.extract_plan(state, plan);
        }
        let mut path = std::mem::take(&mut self.path);
        self.states.ways.states_to(state, self.states.len(), &mut path);
        for pair in path.windows(2) {
            plan.extend(self.operator_between(pair[0], pair[1]));
        }
        self.path = path;
    }

    /// The operator by which a state was found from its parent: the first that leads there.
    fn operator_between(&mut self, parent: u32, child: u32) -> Option<u32> {
        if let Some(way) = self.states.ways.get(child) {
            return Some(way.operator);
        }
        self.tried.resize(self.packed.n_words(), 0);
        self.states.read::<0>(child, &mut self.tried);
        self.look::<0>(parent);
        self.successors.find(&self.words);
        let wanted = &self.tried[..self.packed.n_stored()];
        for operators in self.successors.found().chunks(self.most_made) {
            self.states.clear_made();
            self.states.make::<0>(&self.packed, parent, &self.words, operators);
            let leads = |&at: &usize| self.states.made::<0>(at) == wanted;
            if let Some(first) = (0..self.states.n_made()).find(leads) {
                return Some(operators[first]);
            }
        }
        None
    }

    /// Whether all of some atoms hold in one of the states that were met.
    pub fn some_state_has(&mut self, atoms: &[Atom]) -> bool {
        if let Some(other) = self.answering_mut() {
            return other.some_state_has(atoms);
        }
        (0..self.states.len() as u32).any(|state| {
            self.look::<0>(state);
            atoms.iter().all(|&atom| self.packed.holds(&self.words, atom))
        })
    }
}
