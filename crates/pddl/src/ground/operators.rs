//! Effects on facts as effects on variables.
//!
//! In:   variables as disjoint groups of facts, and ground operators.
//! Out:  per operator and variable, what it is set to and when, in the order in which a later
//!       one wins: deletions first, additions after.
//! Cost: a sort of the effects, and what [`super::subsets`] compares.
//!
//! A fact is a value of its group's variable. A group's variable has one value more, for none of
//! them, if that can be. Where the absence of a fact is asked for and its variable has more than
//! two values, the fact has a variable of its own besides: a companion.

use super::knowledge::Asked;
use super::limits::{Checked, Guard};
use super::propositional::{Effect, Ground, Literal, Operator, fact_of, holds, literal};
use super::subsets::Subsets;

/// No variable.
pub(super) const NONE: u32 = u32::MAX;

/// A variable is set when all literals hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Setting {
    pub(super) variable: u32,
    pub(super) when: Vec<Literal>,
    /// The fact that then holds; `None` if none of the variable's does.
    pub(super) to: Option<u32>,
}

/// Which variables a fact is in.
pub(super) struct Encoding {
    pub(super) groups: Vec<Vec<u32>>,
    /// By fact.
    pub(super) variable_of: Vec<u32>,
    pub(super) value_of: Vec<u16>,
    /// By group, whether none of its facts may hold.
    pub(super) has_none: Vec<bool>,
    /// By fact, its companion; numbered after the groups.
    pub(super) companion_of: Vec<u32>,
    pub(super) companions: Vec<u32>,
}

impl Encoding {
    /// The encoding of disjoint groups; companions are added for what the task asks.
    pub(super) fn new(groups: Vec<Vec<u32>>, ground: &Ground, guard: &Guard<'_>) -> Checked<Self> {
        let n_facts = ground.n_facts();
        let mut encoding = Encoding {
            variable_of: vec![NONE; n_facts],
            value_of: vec![0; n_facts],
            has_none: vec![false; groups.len()],
            companion_of: vec![NONE; n_facts],
            companions: Vec::new(),
            groups,
        };
        for (at, group) in encoding.groups.iter().enumerate() {
            for (value, &fact) in group.iter().enumerate() {
                encoding.variable_of[fact as usize] = at as u32;
                encoding.value_of[fact as usize] = value as u16;
            }
            encoding.has_none[at] = !group.iter().any(|&fact| ground.starts[fact as usize]);
        }
        let mut settings = Vec::new();
        for operator in &ground.operators {
            settings.clear();
            encoding.settings(ground, operator, &mut settings, guard)?;
            for setting in settings.iter().filter(|setting| setting.to.is_none()) {
                encoding.has_none[setting.variable as usize] = true;
            }
        }
        encoding.drop_certain();
        encoding.add_companions(ground, guard)?;
        Ok(encoding)
    }

    /// Takes out variables of one value: a fact that holds at the start and that operators only
    /// delete while they add it. It is as at the start for ever.
    fn drop_certain(&mut self) {
        let groups = std::mem::take(&mut self.groups).into_iter();
        let groups = groups.zip(std::mem::take(&mut self.has_none));
        let is_kept =
            |(group, has_none): &(Vec<u32>, bool)| group.len() + usize::from(*has_none) > 1;
        (self.groups, self.has_none) = groups.filter(is_kept).unzip();
        self.variable_of.fill(NONE);
        for (at, group) in self.groups.iter().enumerate() {
            group.iter().for_each(|&fact| self.variable_of[fact as usize] = at as u32);
        }
    }

    /// How many values a group's variable has.
    pub(super) fn size(&self, group: usize) -> usize {
        self.groups[group].len() + usize::from(self.has_none[group])
    }

    fn add_companions(&mut self, ground: &Ground, guard: &Guard<'_>) -> Checked<()> {
        for operator in &ground.operators {
            let needs = self.asked(ground.needs(operator));
            guard.pass(1 + ground.needs(operator).len())?;
            self.add_companions_of(ground, ground.needs(operator), &Asked::default());
            for effect in ground.effects(operator) {
                guard.pass(1 + ground.when(effect).len())?;
                self.add_companions_of(ground, ground.when(effect), &needs);
            }
        }
        for rule in &ground.rules {
            guard.pass(1 + ground.when(rule).len())?;
            self.add_companions_of(ground, ground.when(rule), &Asked::default());
        }
        self.add_companions_of(ground, &ground.goal, &Asked::default());
        Ok(())
    }

    fn add_companions_of(&mut self, ground: &Ground, literals: &[Literal], needs: &Asked) {
        let asked = self.asked(literals);
        for fact in literals.iter().filter(|&&literal| !holds(literal)).map(|&l| fact_of(l)) {
            let group = self.variable_of[fact as usize];
            if group == NONE || ground.is_derived[fact as usize] {
                continue;
            }
            let is_open = self.size(group as usize) > 2 && !self.is_implied(fact, &asked, needs);
            if is_open && self.companion_of[fact as usize] == NONE {
                let number = self.groups.len() + self.companions.len();
                self.companion_of[fact as usize] = number as u32;
                self.companions.push(fact);
            }
        }
    }

    /// The variables of which the literals ask for a fact.
    pub(super) fn asked(&self, literals: &[Literal]) -> Asked {
        Asked::new(literals, |fact| [self.variable_of[fact as usize]])
    }

    /// Whether another fact of the same variable is asked for, so that this one cannot hold.
    pub(super) fn is_implied(&self, fact: u32, asked: &Asked, needs: &Asked) -> bool {
        let group = self.variable_of[fact as usize];
        asked.has_other(group, fact) || needs.has_other(group, fact)
    }

    /// What an operator sets, variable by variable.
    pub(super) fn settings(
        &self,
        ground: &Ground,
        operator: &Operator,
        settings: &mut Vec<Setting>,
        guard: &Guard<'_>,
    ) -> Checked<()> {
        let effects = ground.effects(operator);
        let needs = ground.needs(operator);
        let mut touched: Vec<(u32, &Effect)> = Vec::with_capacity(effects.len());
        for effect in effects {
            touched.push((self.variable_of[effect.fact as usize], effect));
            let companion = self.companion_of[effect.fact as usize];
            if companion != NONE {
                touched.push((companion, effect));
            }
        }
        touched.retain(|(variable, _)| *variable != NONE);
        touched.sort_by_key(|(variable, _)| *variable);
        for of_variable in touched.chunk_by(|a, b| a.0 == b.0) {
            let group = self.groups.get(of_variable[0].0 as usize);
            let is_alone = group.is_none_or(|group| group.len() == 1);
            guard.pass(of_variable.len())?;
            set_variable(ground, needs, of_variable, is_alone, settings, guard)?;
        }
        Ok(())
    }
}

/// What an operator sets one variable to; `is_alone` if the variable is about one fact.
fn set_variable(
    ground: &Ground,
    needs: &[Literal],
    effects: &[(u32, &Effect)],
    is_alone: bool,
    settings: &mut Vec<Setting>,
    guard: &Guard<'_>,
) -> Checked<()> {
    let variable = effects[0].0;
    let adds = || effects.iter().map(|(_, effect)| *effect).filter(|effect| effect.adds);
    if let Some(always) = adds().find(|effect| ground.when(effect).is_empty()) {
        settings.push(Setting { variable, when: Vec::new(), to: Some(always.fact) });
        return Ok(());
    }
    let is_needed = |l: &Literal| needs.binary_search(l).is_ok();
    let open = |add: &Effect| ground.when(add).iter().copied().filter(|l| !is_needed(l)).collect();
    let added: Vec<Vec<Literal>> = adds().map(open).collect();
    let replaced = Subsets::of(added.iter().map(Vec::as_slice));
    for (_, deletion) in effects.iter().filter(|(_, effect)| !effect.adds) {
        let mut when = ground.when(deletion).to_vec();
        let held = literal(deletion.fact, true);
        let mut sure = when.clone();
        if let Err(at) = sure.binary_search(&held) {
            sure.insert(at, held);
            // Where another fact holds, its loss is none.
            if !is_alone && !is_needed(&held) {
                when.push(held);
            }
        }
        if !replaced.has_within(&sure, guard)? {
            settings.push(Setting { variable, when, to: None });
        }
    }
    for addition in adds() {
        let when = ground.when(addition).to_vec();
        settings.push(Setting { variable, when, to: Some(addition.fact) });
    }
    Ok(())
}
