//! The successor generator: which operators can run in a state.
//!
//! In:   a task on packed states.
//! Out:  the operators that can run, in an order of their own that is always the same.
//! Cost: where a state is one word and operators are not too many, all are compared with it, a
//!       mask each (`glances`). Else they are the leaves of a tree: a node switches on the value
//!       of one variable, so that a state meets only operators whose needs it meets so far.
//!
//! The tree is the sorted list of the operators' needs, folded: operators that begin with the
//! same needs share the nodes for these. The variable that most operators ask for comes first
//! in every list, so the first switches part the most. Where few operators miss nothing but a
//! value of one variable, they are compared with the state: a switch would tell no more.
//!
//! Whoever finds them, the order is the same. Few operators are found in the order of the task:
//! a tree would take longer to build than to use. More are found in the order in which the tree
//! meets them, also where all are compared. So plans do not depend on the processor.
//!
//! The idea of the tree is that of the successor generator in "The Fast Downward Planning
//! System".

use super::glances::Glances;
use super::packed::{Field, Packed};
use super::task::GroundTask;
use throng_base::{Rows, reset};
use throng_domain::compile::PackedValue;

/// So many operators are compared in the order of the task, and there is no tree, if a state is
/// one word. Measured on boxes of growing number, one after the other: both take the same time
/// per state at 30 to 60 operators, the tree two thirds at 76; but it takes ten times as long to
/// build.
const FEW: usize = 48;

/// So many are compared several at a time, in the order of the tree, where the processor can.
const MANY: usize = 256;

/// So many operators that miss the same variable only are compared rather than switched.
const FEW_LAST: u32 = 4;

/// Nothing there.
const NONE: u32 = u32::MAX;
/// Marks a single operator in the place of a node.
const OPERATOR: u32 = 1 << 31;

/// An operator by the last value it needs.
#[derive(Clone, Copy, Debug)]
struct Last {
    look: u64,
    see: u64,
    word: u32,
    operator: u32,
}

/// Operators that need nothing more, those that need one value, and a switch for the others.
#[derive(Clone, Copy, Debug)]
struct Node {
    field: Field,
    /// Where the switch's branches begin, one per value; [`NONE`] if there is no switch.
    branches: u32,
    /// The operators that can run: a range of `sorted`.
    from: u32,
    to: u32,
    /// Those that may: a range of `lasts`.
    first_last: u32,
    end_last: u32,
    /// Whether the node behind it belongs to it: another switch for the same operators' kin.
    has_sibling: bool,
}

/// A part of the tree to be built: a range of `sorted` whose first `depth` needs are met, and
/// the branch that leads there.
#[derive(Clone, Copy, Debug)]
struct Job {
    from: u32,
    to: u32,
    depth: u32,
    branch: u32,
}

/// What an operator needs: how rarely its variable is asked for, the variable, its value.
type Need = (u32, u32, PackedValue);

/// The successor generator.
#[derive(Debug, Default)]
pub(super) struct Successors {
    /// All operators, if they are compared; then the tree has no part in it.
    glances: Glances,
    nodes: Vec<Node>,
    branches: Vec<u32>,
    sorted: Vec<u32>,
    lasts: Vec<Last>,
    stack: Vec<u32>,
    /// The operators found last, and room for all and one more.
    found: Vec<u32>,
    n_found: usize,
    /// Whether nothing is done several at a time, whatever the processor can do.
    pub(super) is_plain: bool,
    // Only while building.
    asked: Vec<u32>,
    needs: Rows<Need>,
    jobs: Vec<Job>,
}

impl Successors {
    pub(super) fn fill(&mut self, task: &GroundTask, packed: &Packed) {
        self.glances.clear();
        let many = if self.glances.is_wide() && !self.is_plain { MANY } else { 0 };
        self.fill_for(task, packed, FEW, many);
        if self.is_plain {
            self.glances.be_plain();
        }
    }

    /// Compares so many operators in the order of the task, and so many in that of the tree.
    fn fill_for(&mut self, task: &GroundTask, packed: &Packed, few: usize, many: usize) {
        self.glances.clear();
        self.sorted.clear();
        let can_run = |operator: &u32| !task.needs(*operator).iter().any(|&a| packed.is_never(a));
        self.sorted.extend((0..task.n_operators() as u32).filter(can_run));
        let n_operators = self.sorted.len();
        let most = if packed.n_words() == 1 { n_operators } else { usize::MAX };
        if most <= few {
            self.compare(task, packed);
            self.sorted.clear();
        }
        // A tree without leaves needs no order.
        if !self.sorted.is_empty() {
            self.sort(task, packed);
        }
        self.build(task, packed);
        if self.glances.is_empty() && most <= many {
            self.follow_tree();
            self.compare(task, packed);
        }
        let room = self.glances.room().max(n_operators + 1);
        self.found.resize(self.found.len().max(room), 0);
    }

    /// Compares the operators of `sorted` with states, in this order.
    fn compare(&mut self, task: &GroundTask, packed: &Packed) {
        for &operator in &self.sorted {
            let (look, see) = packed.look_and_see(task.needs(operator));
            self.glances.push(look, see, operator);
        }
    }

    /// Brings the operators into the order in which the tree meets them: that of
    /// [`climb`](Self::climb), with all branches of a switch in the place of one. Two that are
    /// behind different branches of one switch never can run together.
    fn follow_tree(&mut self) {
        let Successors { nodes, branches, sorted, lasts, stack, found, .. } = self;
        // Nodes have their branches in the order in which they were made.
        let end_of = |at: usize| {
            let mut later = nodes[at + 1..].iter().map(|node| node.branches);
            later.find(|&first| first != NONE).map_or(branches.len(), |first| first as usize)
        };
        found.clear();
        stack.push(branches[0]);
        while let Some(branch) = stack.pop() {
            if branch & OPERATOR != 0 {
                found.extend((branch != NONE).then_some(branch & !OPERATOR));
                continue;
            }
            for at in branch as usize.. {
                let node = &nodes[at];
                found.extend(&sorted[node.from as usize..node.to as usize]);
                let lasts = &lasts[node.first_last as usize..node.end_last as usize];
                found.extend(lasts.iter().map(|last| last.operator));
                if node.branches != NONE {
                    for &branch in &branches[node.branches as usize..end_of(at)] {
                        match branch & OPERATOR {
                            0 => stack.push(branch),
                            _ => found.extend((branch != NONE).then_some(branch & !OPERATOR)),
                        }
                    }
                }
                if !node.has_sibling {
                    break;
                }
            }
        }
        debug_assert_eq!(found.len(), sorted.len(), "every operator is in the tree once");
        sorted.clone_from(found);
    }

    /// Brings every operator's needs into the order of how often they are asked for, and the
    /// operators into the order of these lists.
    fn sort(&mut self, task: &GroundTask, packed: &Packed) {
        let Successors { sorted, asked, needs, .. } = self;
        reset(asked, task.sizes().len(), 0);
        for atom in sorted.iter().flat_map(|&operator| task.needs(operator)) {
            asked[atom.variable as usize] += 1;
        }
        needs.clear();
        for operator in 0..task.n_operators() as u32 {
            let changing = task.needs(operator).iter().filter(|&&a| !packed.is_fixed(a));
            needs.push_list(changing.map(|atom| {
                // The most asked first: the larger count is the smaller number.
                (u32::MAX - asked[atom.variable as usize], atom.variable, atom.value)
            }));
            needs.row_mut(operator as usize).sort_unstable();
        }
        let row = |operator: u32| needs.row(operator as usize);
        sorted.sort_unstable_by(|&a, &b| row(a).cmp(row(b)).then(a.cmp(&b)));
    }

    fn build(&mut self, task: &GroundTask, packed: &Packed) {
        self.nodes.clear();
        self.branches.clear();
        self.lasts.clear();
        self.jobs.clear();
        // The branch to the root.
        self.branches.push(NONE);
        if !self.sorted.is_empty() {
            let to = self.sorted.len() as u32;
            self.jobs.push(Job { from: 0, to, depth: 0, branch: 0 });
        }
        while let Some(job) = self.jobs.pop() {
            self.grow(task, packed, job);
        }
    }

    /// Makes the nodes for a range of operators.
    fn grow(&mut self, task: &GroundTask, packed: &Packed, job: Job) {
        let Successors { nodes, branches, sorted, lasts, needs, jobs, .. } = self;
        let depth = job.depth as usize;
        let need = |at: u32| needs.row(sorted[at as usize] as usize).get(depth);
        // Those whose needs are all met come first in the order.
        let ready = (job.from..job.to).take_while(|&at| need(at).is_none()).count() as u32;
        if ready == 1 && job.to - job.from == 1 && sorted[job.from as usize] < OPERATOR {
            branches[job.branch as usize] = OPERATOR | sorted[job.from as usize];
            return;
        }
        branches[job.branch as usize] = nodes.len() as u32;
        let mut at = job.from + ready;
        let (mut from, to) = (job.from, at);
        while at < job.to || from < to {
            let first_last = lasts.len() as u32;
            while let Some(n_last) = n_last(needs, &sorted[at as usize..job.to as usize], depth) {
                for &operator in &sorted[at as usize..(at + n_last) as usize] {
                    let (_, variable, value) = needs.row(operator as usize)[depth];
                    let Field { word, shift, mask } = packed.field(variable);
                    let (look, see) = (mask << shift, u64::from(value) << shift);
                    lasts.push(Last { look, see, word, operator });
                }
                at += n_last;
            }
            let end_last = lasts.len() as u32;
            let Some(&(_, variable, _)) = (at < job.to).then(|| need(at)).flatten() else {
                let (field, branches, has_sibling) = (Field::default(), NONE, false);
                nodes.push(Node { field, branches, from, to, first_last, end_last, has_sibling });
                return;
            };
            let first = branches.len() as u32;
            branches.resize(branches.len() + task.sizes()[variable as usize] as usize, NONE);
            let field = packed.field(variable);
            while let Some(&(_, _, value)) =
                (at < job.to).then(|| need(at)).flatten().filter(|need| need.1 == variable)
            {
                let begin = at;
                let same = |&at: &u32| need(at).is_some_and(|n| (n.1, n.2) == (variable, value));
                at += (at..job.to).take_while(same).count() as u32;
                let branch = first + u32::from(value);
                jobs.push(Job { from: begin, to: at, depth: job.depth + 1, branch });
            }
            let has_sibling = at < job.to;
            let branches = first;
            nodes.push(Node { field, branches, from, to, first_last, end_last, has_sibling });
            from = to;
        }
    }

    /// Finds the operators that can run in a state: [`found`](Self::found) has them.
    #[inline]
    pub(super) fn find(&mut self, state: &[u64]) {
        if self.glances.is_empty() {
            self.climb(state);
        } else {
            self.n_found = self.glances.find(state[0], &mut self.found);
        }
    }

    /// The operators that could run in the last state.
    #[inline]
    pub(super) fn found(&self) -> &[u32] {
        &self.found[..self.n_found]
    }

    /// Goes through the tree.
    fn climb(&mut self, state: &[u64]) {
        self.n_found = 0;
        let root = self.branches[0];
        if root == NONE {
            return;
        }
        self.stack.push(root);
        let mut n_found = 0;
        while let Some(branch) = self.stack.pop() {
            let mut at = branch as usize & !(OPERATOR as usize);
            if branch & OPERATOR != 0 {
                self.found[n_found] = at as u32;
                n_found += 1;
                continue;
            }
            loop {
                let node = &self.nodes[at];
                for at in node.from..node.to {
                    self.found[n_found] = self.sorted[at as usize];
                    n_found += 1;
                }
                for last in &self.lasts[node.first_last as usize..node.end_last as usize] {
                    // Written always, kept if it can run: no branch predictor can guess whether it can.
                    self.found[n_found] = last.operator;
                    n_found += usize::from(state[last.word as usize] & last.look == last.see);
                }
                if node.branches != NONE {
                    let field = node.field;
                    let value = state[field.word as usize] >> field.shift & field.mask;
                    let branch = self.branches[node.branches as usize + value as usize];
                    if branch & OPERATOR == 0 {
                        self.stack.push(branch);
                    } else {
                        self.found[n_found] = branch & !OPERATOR;
                        n_found += usize::from(branch != NONE);
                    }
                }
                if !node.has_sibling {
                    break;
                }
                at += 1;
            }
        }
        self.n_found = n_found;
    }
}

/// How many operators at the beginning of a sorted list miss nothing but different values of one
/// variable, if they are all that miss one of it, and few.
fn n_last(needs: &Rows<Need>, operators: &[u32], depth: usize) -> Option<u32> {
    let need = |at: usize| needs.row(*operators.get(at)? as usize).get(depth);
    let is_last = |at: usize| needs.row(operators[at] as usize).len() == depth + 1;
    let &(_, variable, _) = need(0)?;
    let mut n = 0;
    while let Some(&(_, _, value)) = need(n).filter(|need| need.1 == variable) {
        let is_other = n == 0 || need(n - 1).is_some_and(|before| before.2 != value);
        if !is_last(n) || !is_other || n as u32 == FEW_LAST {
            return None;
        }
        n += 1;
    }
    Some(n as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forward::task::Atom;
    use throng_base::SplitMix;

    /// A task of any operators, by a fixed generator; some variables never change.
    fn any_task(seed: u64, n_variables: u32, n_operators: u32) -> GroundTask {
        let mut random = SplitMix::new(seed);
        let mut below = |n: u32| random.below(n as usize) as u32;
        let mut task = GroundTask::default();
        for _ in 0..n_variables {
            let size = 1 + below(5);
            task.add_variable(size, below(size) as PackedValue);
        }
        for _ in 0..n_operators {
            let mut some = |most: u32, task: &GroundTask| {
                let mut atoms: Vec<Atom> = Vec::new();
                for _ in 0..below(most + 1) {
                    let variable = below(n_variables);
                    let value = below(task.sizes()[variable as usize]) as PackedValue;
                    if atoms.iter().all(|atom| atom.variable != variable) {
                        atoms.push(Atom { variable, value });
                    }
                }
                atoms
            };
            let (needs, sets) = (some(4, &task), some(2, &task));
            task.add_operator(needs.into_iter(), sets.into_iter(), 1);
        }
        task
    }

    /// Compares all ways with each other and with the definition along a walk through the task.
    fn check(seed: u64, n_variables: u32, n_operators: u32) {
        let task = any_task(seed, n_variables, n_operators);
        let (mut packed, mut words, mut state) = (Packed::default(), Vec::new(), Vec::new());
        packed.fill(&task);
        packed.pack_start(&mut words);
        let [mut few, mut tree, mut many] = [(); 3].map(|()| Successors::default());
        few.fill_for(&task, &packed, usize::MAX - 1, 0);
        tree.fill_for(&task, &packed, 0, 0);
        many.fill_for(&task, &packed, 0, usize::MAX - 1);
        let is_compared = packed.n_words() == 1 && !many.sorted.is_empty();
        assert_eq!(!many.glances.is_empty(), is_compared, "seed {seed}");
        for step in 0..50 {
            packed.unpack(&words, &mut state);
            let holds = |atom: &Atom| state[atom.variable as usize] == atom.value;
            let can_run = |operator: &u32| task.needs(*operator).iter().all(holds);
            let expected: Vec<u32> = (0..n_operators).filter(can_run).collect();
            [&mut few, &mut tree, &mut many].into_iter().for_each(|way| way.find(&words));
            assert_eq!(many.found(), tree.found(), "seed {seed}, step {step}: order");
            if packed.n_words() == 1 {
                assert_eq!(few.found(), expected, "seed {seed}, step {step}: few");
            }
            let mut found = tree.found().to_vec();
            found.sort_unstable();
            assert_eq!(found, expected, "seed {seed}, step {step}: tree");
            let Some(&operator) = expected.get(step % expected.len().max(1)) else { return };
            packed.apply(operator, &mut words);
        }
    }

    #[test]
    fn all_ways_find_the_operators_that_can_run_in_one_order() {
        for seed in 0..300 {
            check(seed, 1 + seed as u32 % 9, seed as u32 % 40);
            check(seed, 1 + seed as u32 % 20, 80 + seed as u32);
            check(seed, 60, 400);
        }
    }
}
