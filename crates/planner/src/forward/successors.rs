//! Which operators can run in a state.
//!
//! In:   a task on packed states.
//! Out:  the operators that can run, in an order of their own that is always the same.
//! Cost: few operators are all compared with the state, a mask each. Many are the leaves of a
//!       tree: a node switches on the value of one variable, so that a state meets only
//!       operators whose needs it meets so far.
//!
//! The tree is the sorted list of the operators' needs, folded: operators that begin with the
//! same needs share the nodes for these. The variable that most operators ask for comes first
//! in every list, so the first switches part the most. Where few operators miss nothing but a
//! value of one variable, they are compared with the state: a switch would tell no more.
//!
//! The idea of the tree is that of the successor generator in "The Fast Downward Planning
//! System".

use super::packed::{Field, Packed};
use super::task::GroundTask;
use throng_base::Rows;
use throng_domain::compile::PackedValue;

/// So many operators are rather compared than looked up, if a state is one word. Measured on
/// boxes of growing number: both take the same time per state at 30 to 60 operators, the tree
/// two thirds at 76; but it takes ten times as long to build.
const FEW: usize = 48;

/// So many operators that miss the same variable only are compared rather than switched.
const FEW_LAST: u32 = 4;

/// Nothing there.
const NONE: u32 = u32::MAX;
/// Marks a single operator in the place of a node.
const OPERATOR: u32 = 1 << 31;

/// An operator by what it looks at and must see.
#[derive(Clone, Copy, Debug)]
struct Glance {
    look: u64,
    see: u64,
    operator: u32,
}

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
    glances: Vec<Glance>,
    nodes: Vec<Node>,
    branches: Vec<u32>,
    sorted: Vec<u32>,
    lasts: Vec<Last>,
    stack: Vec<u32>,
    /// Room for all operators and one more.
    found: Vec<u32>,
    // Only while building.
    asked: Vec<u32>,
    needs: Rows<Need>,
    jobs: Vec<Job>,
}

impl Successors {
    pub(super) fn fill(&mut self, task: &GroundTask, packed: &Packed) {
        self.fill_for(task, packed, FEW);
    }

    fn fill_for(&mut self, task: &GroundTask, packed: &Packed, few: usize) {
        self.glances.clear();
        self.sorted.clear();
        let can_run = |operator: &u32| !task.needs(*operator).iter().any(|&a| packed.is_never(a));
        self.sorted.extend((0..task.n_operators() as u32).filter(can_run));
        if self.sorted.len() <= few && packed.n_words() == 1 {
            self.glances.extend(self.sorted.iter().map(|&operator| {
                let (look, see) = packed.look_and_see(task.needs(operator));
                Glance { look, see, operator }
            }));
            self.sorted.clear();
        }
        self.found.resize(self.found.len().max(self.sorted.len() + 1), 0);
        // A tree without leaves needs no order.
        if !self.sorted.is_empty() {
            self.sort(task, packed);
        }
        self.build(task, packed);
    }

    /// Brings every operator's needs into the order of how often they are asked for, and the
    /// operators into the order of these lists.
    fn sort(&mut self, task: &GroundTask, packed: &Packed) {
        let Successors { sorted, asked, needs, .. } = self;
        asked.clear();
        asked.resize(task.sizes().len(), 0);
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

    /// Writes the operators that can run in a state into `into`.
    #[inline]
    pub(super) fn of(&mut self, state: &[u64], into: &mut Vec<u32>) {
        into.clear();
        for glance in &self.glances {
            if state[0] & glance.look == glance.see {
                into.push(glance.operator);
            }
        }
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
                    // Written always, kept if it can run: whether it can nobody can guess.
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
        into.extend_from_slice(&self.found[..n_found]);
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

    /// Compares scan, tree and the definition along a walk through the task.
    fn check(seed: u64, n_variables: u32, n_operators: u32) {
        let task = any_task(seed, n_variables, n_operators);
        let (mut packed, mut words, mut state) = (Packed::default(), Vec::new(), Vec::new());
        packed.fill(&task);
        packed.pack_start(&mut words);
        let [mut by_glance, mut by_tree] = [Successors::default(), Successors::default()];
        by_glance.fill_for(&task, &packed, usize::MAX);
        by_tree.fill_for(&task, &packed, 0);
        let (mut glanced, mut found) = (Vec::new(), Vec::new());
        for step in 0..50 {
            packed.unpack(&words, &mut state);
            let holds = |atom: &Atom| state[atom.variable as usize] == atom.value;
            let can_run = |operator: &u32| task.needs(*operator).iter().all(holds);
            let expected: Vec<u32> = (0..n_operators).filter(can_run).collect();
            by_glance.of(&words, &mut glanced);
            by_tree.of(&words, &mut found);
            glanced.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "seed {seed}, step {step}: tree");
            assert_eq!(glanced, expected, "seed {seed}, step {step}: glances");
            let Some(&operator) = expected.get(step % expected.len().max(1)) else { return };
            packed.apply(operator, &mut words);
        }
    }

    #[test]
    fn tree_and_glances_find_the_operators_that_can_run() {
        for seed in 0..300 {
            check(seed, 1 + seed as u32 % 9, seed as u32 % 40);
            check(seed, 60, 400);
        }
    }
}
