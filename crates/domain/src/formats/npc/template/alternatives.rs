//! Conditions with `or`: the alternatives that one combination of a statement's values leaves.
//!
//! In:   trees of conditions with names found, and what the combination says of variables.
//! Out:  *alternatives*, one of which must hold: a set of values for each of some variables, and
//!       amounts that are compared. None is contained in another; alternatives that speak of one
//!       and the same variable are one.
//! Cost: every alternative is compared with those before it; their number is bounded by
//!       [`Limits::alternatives`](crate::Limits), the work is counted against the entries.

use super::facts::Current;
use super::sets::Runs;
use super::{Demand, Expansion, Operand, Term};
use crate::build::ModelBuilder;
use crate::diagnostics::Code;
use crate::model::{Comparison, ValueId, VariableId};
use crate::source::Span;
use std::collections::HashSet;
use std::rc::Rc;

/// Conditions under `or`, negation moved into the conditions.
pub(super) enum Tree {
    Leaf(Demand),
    /// Two amounts that are compared.
    Compared(Comparison, Span),
    All(Vec<Tree>),
    Any(Vec<Tree>),
}

impl Tree {
    /// Calls `each` with every condition on one variable, in the order of the text.
    pub(super) fn each_demand(&self, each: &mut impl FnMut(&Demand)) {
        match self {
            Tree::Leaf(demand) => each(demand),
            Tree::Compared(..) => {}
            Tree::All(list) | Tree::Any(list) => {
                list.iter().for_each(|tree| tree.each_demand(each));
            }
        }
    }

    /// The one variable that all of it speaks of; `None` if there is no such one.
    pub(super) fn only_variable(&self) -> Option<VariableId> {
        match self {
            Tree::Leaf(demand) => Some(demand.variable),
            Tree::Compared(..) => None,
            Tree::All(list) | Tree::Any(list) => {
                let first = list.first()?.only_variable()?;
                list[1..].iter().all(|tree| tree.only_variable() == Some(first)).then_some(first)
            }
        }
    }

    /// From its first condition to its last.
    pub(super) fn span(&self) -> Span {
        match self {
            Tree::Leaf(demand) => demand.span,
            Tree::Compared(_, span) => *span,
            Tree::All(list) | Tree::Any(list) => match (list.first(), list.last()) {
                (Some(first), Some(last)) => first.span().to(last.span()),
                _ => Span::default(),
            },
        }
    }

    /// Whether a parameter takes part in it.
    pub(super) fn has_parameter(&self) -> bool {
        let mut found = false;
        self.each_demand(&mut |demand| {
            found |= matches!(demand.operand, Operand::Term(Term::Dimension(_)));
        });
        found
    }
}

/// What must hold: for each of some variables, one of some values; and amounts that stand so to
/// each other. Nothing at all, if empty.
#[derive(Clone, Default)]
pub(super) struct Alternative {
    /// By position in [`Expansion::open`], rising; shared, because alternatives are copied often.
    sets: Vec<(usize, Rc<Runs>)>,
    /// Rising.
    pub(super) comparisons: Vec<Comparison>,
}

impl Alternative {
    /// The variables it speaks of, by position in [`Expansion::open`], each with its values.
    pub(super) fn sets(&self) -> &[(usize, Rc<Runs>)] {
        &self.sets
    }

    /// How many combinations of words it allows.
    pub(super) fn n_choices(&self, plan: &Expansion<'_>) -> Option<usize> {
        let words = self.sets.iter().filter(|(at, _)| !plan.open[*at].is_amount);
        words.into_iter().try_fold(1usize, |n, (_, values)| n.checked_mul(values.count()))
    }

    /// Whether it says less than `other`, and allows what that allows with these words (by
    /// position).
    pub(super) fn leaves_more_open(&self, other: &Alternative, words: &[Option<ValueId>]) -> bool {
        let allows = |(at, set): &(usize, Rc<Runs>)| match words[*at] {
            Some(word) => set.has(word),
            None => other.set(*at).is_some_and(|theirs| set.has_all(theirs)),
        };
        let says = |one: &Alternative| one.sets.len() + one.comparisons.len();
        says(self) < says(other) && self.sets.iter().all(allows) && self.compares_no_more(other)
    }

    fn set(&self, at: usize) -> Option<&Rc<Runs>> {
        let found = self.sets.binary_search_by_key(&at, |(at, _)| *at);
        found.ok().map(|found| &self.sets[found].1)
    }

    fn compares_no_more(&self, other: &Alternative) -> bool {
        self.comparisons.iter().all(|it| other.comparisons.binary_search(it).is_ok())
    }

    /// Whether everything that `other` allows is allowed here.
    fn contains(&self, other: &Alternative) -> bool {
        let has = |(at, mine): &(usize, Rc<Runs>)| {
            other.set(*at).is_some_and(|theirs| mine.has_all(theirs))
        };
        self.sets.iter().all(has) && self.compares_no_more(other)
    }

    /// What both allow; `None` if that is nothing.
    fn both(&self, other: &Alternative) -> Option<Alternative> {
        let mut both = self.clone();
        for (at, theirs) in &other.sets {
            match both.sets.binary_search_by_key(at, |(at, _)| *at) {
                Err(place) => both.sets.insert(place, (*at, theirs.clone())),
                Ok(place) if theirs.has_all(&both.sets[place].1) => {}
                Ok(place) => {
                    let values = both.sets[place].1.both(theirs);
                    if values.is_empty() {
                        return None;
                    }
                    both.sets[place].1 = values.into();
                }
            }
        }
        for it in &other.comparisons {
            if let Err(place) = both.comparisons.binary_search(it) {
                both.comparisons.insert(place, *it);
            }
        }
        Some(both)
    }

    /// The only variable it speaks of.
    fn alone(&self) -> Option<usize> {
        match (&self.sets[..], &self.comparisons[..]) {
            ([(at, _)], []) => Some(*at),
            _ => None,
        }
    }

    /// How much memory it looks at.
    fn size(&self) -> usize {
        let runs: usize = self.sets.iter().map(|(_, set)| set.n_runs()).sum();
        1 + runs + self.comparisons.len()
    }
}

/// A limit was passed and said to be.
pub(super) struct TooMany;
pub(super) type Found<T> = Result<T, TooMany>;

/// Evaluates the trees of a plan for one combination.
pub(super) struct Evaluation<'e, 'b, 't> {
    pub(super) plan: &'e Expansion<'t>,
    pub(super) choice: &'e [ValueId],
    /// What the combination says.
    pub(super) current: Current<'e>,
    pub(super) builder: &'b mut ModelBuilder,
}

impl Evaluation<'_, '_, '_> {
    /// The alternatives that all trees together leave; none if they contradict each other.
    pub(super) fn all(&mut self, trees: &[Tree]) -> Found<Vec<Alternative>> {
        let mut list = vec![Alternative::default()];
        for tree in trees {
            let other = self.tree(tree)?;
            let mut product = Vec::new();
            for (a, b) in list.iter().flat_map(|a| other.iter().map(move |b| (a, b))) {
                if let Some(both) = a.both(b) {
                    self.push(&mut product, both)?;
                }
                self.spend((a.size() + b.size()) / 2)?;
            }
            list = product;
        }
        Ok(list)
    }

    fn tree(&mut self, tree: &Tree) -> Found<Vec<Alternative>> {
        match tree {
            Tree::Leaf(demand) => self.leaf(demand),
            Tree::Compared(it, _) => {
                Ok(vec![Alternative { sets: Vec::new(), comparisons: vec![*it] }])
            }
            Tree::All(list) => self.all(list),
            Tree::Any(list) => {
                let mut any = Vec::new();
                for tree in list {
                    for alternative in self.tree(tree)? {
                        self.push(&mut any, alternative)?;
                    }
                }
                Ok(any)
            }
        }
    }

    fn leaf(&mut self, demand: &Demand) -> Found<Vec<Alternative>> {
        let variable = demand.variable;
        let truth = |yes: bool| if yes { vec![Alternative::default()] } else { vec![] };
        if let Some(value) = self.current.value(variable) {
            self.spend(1)?;
            return Ok(truth(self.plan.meets(demand, value, self.choice, self.builder)));
        }
        let values = &self.builder.model[variable].values();
        let by_size = demand.relation.is_by_size() && values.words().is_some();
        self.spend(1 + if by_size { values.len() } else { 0 })?;
        let mut allowed = self.plan.allowed(demand, self.choice, self.builder);
        let at = self.plan.open.iter().position(|open| open.variable == variable);
        let Some(at) = at else { return Ok(Vec::new()) };
        if let Some(base) = self.current.set(variable) {
            let both = allowed.both(base);
            if both == *base {
                return Ok(truth(true));
            }
            // An amount is told as it is written; of words there is an action each.
            if both.is_empty() || !self.plan.open[at].is_amount {
                allowed = both;
            }
        }
        let sets = vec![(at, allowed.into())];
        let one = Alternative { sets, comparisons: Vec::new() };
        Ok(if one.sets[0].1.is_empty() { Vec::new() } else { vec![one] })
    }

    /// Adds an alternative, unless another says it already.
    fn push(&mut self, list: &mut Vec<Alternative>, mut new: Alternative) -> Found<()> {
        self.spend(1 + list.len() * new.size() / 8)?;
        if list.iter().any(|known| known.contains(&new)) {
            return Ok(());
        }
        // Two that speak of one and the same variable are one that has the values of both.
        let same = list.iter().position(|one| new.alone().is_some() && one.alone() == new.alone());
        if let Some(at) = same {
            let known = list.remove(at);
            let values = new.sets[0].1.either(&known.sets[0].1);
            self.spend(values.n_runs())?;
            new.sets[0].1 = values.into();
        }
        list.retain(|known| !new.contains(known));
        list.push(new);
        let limit = self.builder.limits.alternatives;
        if list.len() <= limit {
            return Ok(());
        }
        let name = self.plan.head.name.text;
        let text = format!("the conditions of `{name}` have more than {limit} alternatives");
        let cure = "split the statement, or name what they have in common by a variable of its own";
        self.builder.report.say(Code::TooManyAlternatives, self.plan.head.span, text, cure);
        Err(TooMany)
    }

    fn spend(&mut self, count: usize) -> Found<()> {
        match self.builder.spend(count, self.plan.head.span) {
            true => Ok(()),
            false => Err(TooMany),
        }
    }
}

impl Expansion<'_> {
    /// Whether the alternatives are the same for all combinations of values.
    pub(super) fn alternatives_are_constant(&self) -> bool {
        let mut constant =
            !self.asked.iter().any(|asked| asked.trees.iter().any(Tree::has_parameter));
        for tree in &self.trees {
            constant &= !tree.has_parameter();
            tree.each_demand(&mut |demand| {
                constant &= self.open.iter().any(|open| open.variable == demand.variable);
            });
        }
        constant
    }

    /// What stands in a name where an alternative leaves a variable open: as many `_` as it
    /// takes to be no value of any of these variables. Nothing, if names of amounts tell the
    /// words alone and no word is of two variables.
    pub(super) fn blank_word(&self, builder: &ModelBuilder) -> Option<String> {
        if self.open.is_empty() {
            return None;
        }
        let words = self.open.iter().filter(|open| !open.is_amount && open.is_told);
        let words = || words.clone().map(|open| builder.model[open.variable].values());
        if self.tells_words_only {
            let mut seen = HashSet::new();
            let mut all = words().flat_map(|values| values.iter());
            if words().count() < 2 || all.all(|word| seen.insert(word.as_str())) {
                return None;
            }
        }
        let blanks = words().flat_map(|values| values.iter());
        let blanks = blanks.filter(|value| value.bytes().all(|byte| byte == b'_'));
        let longest = blanks.map(String::len).max();
        Some("_".repeat(1 + longest.unwrap_or(0)))
    }
}
