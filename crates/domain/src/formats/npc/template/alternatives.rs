//! Conditions with `or`: the alternatives that one combination of a statement's values leaves.
//!
//! In:   trees of conditions with names found, and the values that the combination fixes.
//! Out:  *alternatives*, one of which must hold: a set of values for each of some variables.
//!       None is contained in another; alternatives that speak of one and the same variable
//!       are one.
//! Cost: every alternative is compared with those before it; their number is bounded by
//!       [`Limits::alternatives`](crate::Limits), the work is counted against the entries.

use super::facts::{Current, holds};
use super::{Demand, Expansion, Operand, Term};
use crate::build::ModelBuilder;
use crate::diagnostics::Code;
use crate::formats::npc::syntax::Relation;
use crate::model::ValueId;
use std::rc::Rc;
use throng_base::Bits;

/// Conditions under `or`, negation moved into the conditions.
pub(super) enum Tree {
    Leaf(Demand),
    All(Vec<Tree>),
    Any(Vec<Tree>),
}

impl Tree {
    /// Calls `each` with every condition, in the order of the text.
    pub(super) fn each_demand(&self, each: &mut impl FnMut(&Demand)) {
        match self {
            Tree::Leaf(demand) => each(demand),
            Tree::All(list) | Tree::Any(list) => {
                list.iter().for_each(|tree| tree.each_demand(each));
            }
        }
    }
}

/// Values of one variable; shared, because alternatives are copied often.
type Values = Rc<Bits>;

/// What must hold: for each of some variables, one of some values. Nothing at all, if empty.
#[derive(Clone)]
pub(super) struct Alternative {
    /// By position in [`Expansion::open`], rising.
    sets: Vec<(usize, Values)>,
}

impl Alternative {
    /// The variables it speaks of, by position in [`Expansion::open`], each with its values.
    pub(super) fn choices(&self) -> impl Iterator<Item = (usize, Vec<ValueId>)> + '_ {
        self.sets.iter().map(|(at, values)| (*at, values.iter().map(ValueId::at).collect()))
    }

    /// How many combinations of values it allows.
    pub(super) fn n_choices(&self) -> Option<usize> {
        self.sets.iter().try_fold(1usize, |n, (_, values)| n.checked_mul(values.count()))
    }

    /// Whether it says less than `other` and allows the values given (by position).
    pub(super) fn leaves_more_open(&self, other: &Alternative, values: &[Option<ValueId>]) -> bool {
        self.sets.len() < other.sets.len()
            && self.sets.iter().all(|(at, set)| values[*at].is_some_and(|v| set.get(v.index())))
    }

    /// Whether everything that `other` allows is allowed here.
    fn contains(&self, other: &Alternative) -> bool {
        self.sets.iter().all(|(at, mine)| {
            let theirs = other.sets.binary_search_by_key(at, |(at, _)| *at);
            theirs.is_ok_and(|found| mine.has_all(&other.sets[found].1))
        })
    }

    /// What both allow; `None` if that is nothing.
    fn both(&self, other: &Alternative) -> Option<Alternative> {
        let mut sets = self.sets.clone();
        for (at, theirs) in &other.sets {
            match sets.binary_search_by_key(at, |(at, _)| *at) {
                Err(place) => sets.insert(place, (*at, theirs.clone())),
                Ok(place) if theirs.has_all(&sets[place].1) => {}
                Ok(place) => {
                    let values = Rc::make_mut(&mut sets[place].1);
                    values.keep_all(theirs);
                    if values.is_empty() {
                        return None;
                    }
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
pub(super) struct Evaluation<'e, 'b, 't> {
    pub(super) plan: &'e Expansion<'t>,
    pub(super) choice: &'e [ValueId],
    /// The values that the combination fixes.
    pub(super) current: Current<'e>,
    pub(super) builder: &'b mut ModelBuilder,
}

impl Evaluation<'_, '_, '_> {
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
            Tree::Leaf(demand) => self.leaf(demand),
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
        let size = self.builder.model[variable].values.len();
        self.spend(1 + if demand.relation.is_by_size() { size } else { size / 64 })?;
        let builder = &*self.builder;
        let other = self.plan.operand_name(variable, demand.operand, self.choice, builder);
        let truth = |yes: bool| if yes { vec![Alternative { sets: Vec::new() }] } else { vec![] };
        if let Some(value) = self.current.value(variable) {
            let now = builder.value_name(variable, value);
            return Ok(truth(holds(demand.relation, now, &other)));
        }
        let values: Bits = if demand.relation.is_by_size() {
            let names = builder.model[variable].values.iter();
            names.map(|name| holds(demand.relation, name, &other)).collect()
        } else {
            let is = demand.relation == Relation::Is;
            let mut values = if is { Bits::new(size) } else { Bits::full(size) };
            let found = builder.model.value_named(variable, &other);
            found.iter().for_each(|value| values.set(value.index(), is));
            values
        };
        let at = self.plan.open.iter().position(|&open| open == variable);
        Ok(match at {
            Some(at) if !values.is_empty() => vec![Alternative { sets: vec![(at, values.into())] }],
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
            Rc::make_mut(&mut new.sets[0].1).insert_all(&known.sets[0].1);
            self.spend(new.sets[0].1.words().len())?;
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
        let mut constant = true;
        for tree in &self.trees {
            tree.each_demand(&mut |demand| {
                let fixed = !matches!(demand.operand, Operand::Term(Term::Dimension(_)));
                constant &= fixed && self.open.contains(&demand.variable);
            });
        }
        constant
    }

    /// What stands in a name where an alternative leaves a variable open: as many `_` as it
    /// takes to be no value of any of these variables.
    pub(super) fn blank_word(&self, builder: &ModelBuilder) -> String {
        let values = self.open.iter().flat_map(|&open| &builder.model[open].values);
        let blanks = values.filter(|value| value.bytes().all(|byte| byte == b'_'));
        let longest = blanks.map(String::len).max();
        "_".repeat(1 + longest.unwrap_or(0))
    }
}
