//! Conditions with `or`: the alternatives that one combination of a statement's values leaves.
//!
//! In:   trees of conditions with names found, and the values that the combination fixes.
//! Out:  *alternatives*, one of which must hold: a set of values for each of some variables.
//!       None is contained in another; alternatives that speak of one and the same variable
//!       are one.
//! Cost: every alternative is compared with those before it; their number is bounded by
//!       [`Limits::alternatives`](crate::Limits), the work is counted against the entries.

use super::facts::{Current, holds};
use super::{Operand, Plan, Term};
use crate::build::ModelBuilder;
use crate::diagnostics::Code;
use crate::formats::npc::syntax::Relation;
use crate::model::{ValueId, VariableId};
use std::rc::Rc;

/// Conditions under `or`, negation moved into the conditions.
pub(super) enum Tree {
    Leaf(Literal),
    All(Vec<Tree>),
    Any(Vec<Tree>),
}

/// One condition, names found.
pub(super) struct Literal {
    pub(super) variable: VariableId,
    pub(super) relation: Relation,
    pub(super) operand: Operand,
}

impl Tree {
    /// Calls `each` with every condition, in the order of the text.
    pub(super) fn each_literal(&self, each: &mut impl FnMut(&Literal)) {
        match self {
            Tree::Leaf(literal) => each(literal),
            Tree::All(list) | Tree::Any(list) => {
                list.iter().for_each(|tree| tree.each_literal(each));
            }
        }
    }
}

/// Values of one variable, a bit for each.
#[derive(Clone, PartialEq, Eq)]
struct Values(Rc<Vec<u64>>);

impl Values {
    fn of(size: usize, mut has: impl FnMut(usize) -> bool) -> Values {
        let mut words = vec![0u64; size.div_ceil(64)];
        for value in (0..size).filter(|&value| has(value)) {
            words[value / 64] |= 1 << (value % 64);
        }
        Values(Rc::new(words))
    }

    fn has(&self, value: usize) -> bool {
        self.0.get(value / 64).is_some_and(|word| word >> (value % 64) & 1 == 1)
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn contains(&self, other: &Values) -> bool {
        self.0.iter().zip(other.0.iter()).all(|(mine, theirs)| theirs & !mine == 0)
    }

    fn joined(&self, other: &Values, join: fn(u64, u64) -> u64) -> Values {
        Values(Rc::new(self.0.iter().zip(other.0.iter()).map(|(&a, &b)| join(a, b)).collect()))
    }
}

/// What must hold: for each of some variables, one of some values. Nothing at all, if empty.
#[derive(Clone)]
pub(super) struct Alternative {
    /// By position in [`Plan::open`], rising.
    sets: Vec<(usize, Values)>,
}

impl Alternative {
    /// The variables it speaks of, by position in [`Plan::open`], each with its values.
    pub(super) fn choices(&self) -> impl Iterator<Item = (usize, Vec<ValueId>)> + '_ {
        self.sets.iter().map(|(at, values)| {
            let all = 0..values.0.len() * 64;
            (*at, all.filter(|&value| values.has(value)).map(ValueId::at).collect())
        })
    }

    /// How many combinations of values it allows.
    pub(super) fn n_choices(&self) -> Option<usize> {
        let count = |values: &Values| values.0.iter().map(|word| word.count_ones() as usize).sum();
        self.sets.iter().try_fold(1usize, |n, (_, values)| n.checked_mul(count(values)))
    }

    /// Whether it says less than `other` and allows the values given (by position).
    pub(super) fn leaves_more_open(&self, other: &Alternative, values: &[Option<ValueId>]) -> bool {
        self.sets.len() < other.sets.len()
            && self.sets.iter().all(|(at, set)| values[*at].is_some_and(|v| set.has(v.index())))
    }

    /// Whether everything that `other` allows is allowed here.
    fn contains(&self, other: &Alternative) -> bool {
        self.sets.iter().all(|(at, mine)| {
            let theirs = other.sets.binary_search_by_key(at, |(at, _)| *at);
            theirs.is_ok_and(|found| mine.contains(&other.sets[found].1))
        })
    }

    /// What both allow; `None` if that is nothing.
    fn both(&self, other: &Alternative) -> Option<Alternative> {
        let mut sets = self.sets.clone();
        for (at, theirs) in &other.sets {
            match sets.binary_search_by_key(at, |(at, _)| *at) {
                Err(place) => sets.insert(place, (*at, theirs.clone())),
                Ok(place) if theirs.contains(&sets[place].1) => {}
                Ok(place) => {
                    let values = sets[place].1.joined(theirs, |a, b| a & b);
                    if values.is_empty() {
                        return None;
                    }
                    sets[place].1 = values;
                }
            }
        }
        Some(Alternative { sets })
    }
}

/// A limit was passed and said to be.
pub(super) struct TooMany;
type Found<T> = Result<T, TooMany>;

/// Evaluates the trees of a plan for one combination.
pub(super) struct Evaluation<'e, 'b, 'l, 't> {
    pub(super) plan: &'e Plan<'t>,
    pub(super) choice: &'e [ValueId],
    /// The values that the combination fixes.
    pub(super) current: Current<'e>,
    pub(super) builder: &'b mut ModelBuilder<'l>,
}

impl Evaluation<'_, '_, '_, '_> {
    /// The alternatives that all trees together leave; none if they contradict each other.
    pub(super) fn all(&mut self, trees: &[Tree]) -> Found<Vec<Alternative>> {
        let mut list = vec![Alternative { sets: Vec::new() }];
        for tree in trees {
            let other = self.tree(tree)?;
            let mut product = Vec::new();
            for (a, b) in list.iter().flat_map(|a| other.iter().map(move |b| (a, b))) {
                if let Some(both) = a.both(b) {
                    self.push(&mut product, both)?;
                }
                self.spend(a.sets.len() + b.sets.len())?;
            }
            list = product;
        }
        Ok(list)
    }

    fn tree(&mut self, tree: &Tree) -> Found<Vec<Alternative>> {
        match tree {
            Tree::Leaf(literal) => self.leaf(literal),
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

    fn leaf(&mut self, literal: &Literal) -> Found<Vec<Alternative>> {
        let variable = literal.variable;
        let size = self.builder.value_names(variable).len();
        let ordered = !matches!(literal.relation, Relation::Is | Relation::IsNot);
        self.spend(1 + if ordered { size } else { size / 64 })?;
        let builder = &*self.builder;
        let Some(other) = self.plan.operand_name(variable, literal.operand, self.choice, builder)
        else {
            return Ok(Vec::new());
        };
        let truth = |yes: bool| if yes { vec![Alternative { sets: Vec::new() }] } else { vec![] };
        if let Some(value) = self.current.value(variable) {
            let now = builder.value_name(variable, value);
            return Ok(truth(holds(literal.relation, now, &other)));
        }
        let values = match literal.relation {
            Relation::Is | Relation::IsNot => {
                let found = builder.value_of(variable, &other).map(ValueId::index);
                let equal = literal.relation == Relation::Is;
                Values::of(size, |value| (Some(value) == found) == equal)
            }
            relation => {
                let names = builder.value_names(variable);
                Values::of(size, |value| holds(relation, &names[value], &other))
            }
        };
        let at = self.plan.open.iter().position(|&open| open == variable);
        Ok(match at {
            Some(at) if !values.is_empty() => vec![Alternative { sets: vec![(at, values)] }],
            _ => Vec::new(),
        })
    }

    /// Adds an alternative, unless another says it already.
    fn push(&mut self, list: &mut Vec<Alternative>, mut new: Alternative) -> Found<()> {
        self.spend(1 + list.len() * (1 + new.sets.len()) / 8)?;
        if list.iter().any(|known| known.contains(&new)) {
            return Ok(());
        }
        // Two that speak of one and the same variable are one that has the values of both.
        let alone =
            |one: &Alternative| one.sets.first().map(|set| set.0).filter(|_| one.sets.len() == 1);
        let same =
            list.iter().position(|known| alone(&new).is_some() && alone(known) == alone(&new));
        if let Some(at) = same {
            let known = list.remove(at);
            new.sets[0].1 = known.sets[0].1.joined(&new.sets[0].1, |a, b| a | b);
            self.spend(new.sets[0].1.0.len())?;
        }
        list.retain(|known| !new.contains(known));
        list.push(new);
        let limit = self.builder.limits().alternatives;
        if list.len() <= limit {
            return Ok(());
        }
        let name = self.plan.head.name.text;
        self.builder.report.say(
            Code::TooManyAlternatives,
            self.plan.head.span,
            format!("the conditions of `{name}` have more than {limit} alternatives"),
            "split the statement, or name what they have in common by a variable of its own",
        );
        Err(TooMany)
    }

    fn spend(&mut self, count: usize) -> Found<()> {
        match self.builder.spend(count, self.plan.head.span) {
            true => Ok(()),
            false => Err(TooMany),
        }
    }
}

impl Plan<'_> {
    /// Whether the alternatives are the same for all combinations of values.
    pub(super) fn alternatives_are_constant(&self) -> bool {
        let mut constant = true;
        for tree in &self.trees {
            tree.each_literal(&mut |literal| {
                let fixed = !matches!(literal.operand, Operand::Term(Term::Dimension(_)));
                constant &= fixed && self.open.contains(&literal.variable);
            });
        }
        constant
    }

    /// What stands in a name where an alternative leaves a variable open: as many `_` as it
    /// takes to be no value of any of these variables.
    pub(super) fn blank_word(&self, builder: &ModelBuilder<'_>) -> String {
        let values = self.open.iter().flat_map(|&open| builder.value_names(open));
        let blanks = values.filter(|value| value.bytes().all(|byte| byte == b'_'));
        let longest = blanks.map(String::len).max();
        "_".repeat(1 + longest.unwrap_or(0))
    }
}
