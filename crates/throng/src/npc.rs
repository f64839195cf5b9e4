//! An NPC to plan for: a type, a value per variable, and what is possible now.

use crate::domain::Domain;
use std::sync::Arc;
use throng_domain::Cost;
use throng_domain::compile::{
    IdOrName, LocalAction, LocalVariable, NpcTables, PackedValue, UNKNOWN, UnknownNameError,
};
use throng_domain::model::*;
use throng_planner::context::possible_kind;
use throng_planner::tables::SmallMoves;
use throng_planner::{ActionMask, Checks, Context, Problem};

/// Why an action cannot cost that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CostError {
    /// There is no such action.
    Unknown(UnknownNameError),
    /// The cost is zero or above [`Cost::MAX`].
    OutOfRange(Cost),
}

throng_base::error! { CostError {
    Self::Unknown(unknown) => "{unknown}";
    Self::OutOfRange(cost) =>
        "a cost must be above 0 and at most {}, not {cost}", Cost::MAX;
} source {
    Self::Unknown(unknown) => unknown;
} }

/// One NPC. Owns its state; holds its domain by a shared handle. Calls that want an id take it, or
/// its name.
///
/// ```
/// use throng::prelude::*;
///
/// # let domain = Domain::from_text(
/// #     "domain door\nvar door: shut, open\naction push: door shut -> open   if unlocked\n\
/// #      goal out: door = open\nnpc guest\n    can push\n    wants out\n    starts door = shut",
/// # )?;
/// let mut npc = Npc::new(&domain, "guest")?;
/// npc.set("door", "open")?;
/// let answer = Planner::new().plan(&npc, &Request::best(), &mut Scratch::default());
/// assert!(matches!(answer.outcome(), Outcome::Satisfied));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Npc {
    domain: Domain,
    id: NpcTypeId,
    /// A value per variable of the domain: goals may speak of what the type does not touch.
    pub(crate) values: Vec<PackedValue>,
    /// The same for the variables of its type, as planners want them.
    pub(crate) state: Vec<PackedValue>,
    /// That state packed.
    pub(crate) words: Vec<u64>,
    /// The first word of it, at hand.
    pub(crate) word: u64,
    /// The tables that answer at once what such an NPC asks for most, if its type has them and
    /// nothing else must be looked at.
    pub(crate) small: Option<Arc<SmallMoves>>,
    checks: Checks,
    /// The actions of the type that are taken out of consideration.
    pub(crate) forbidden: ActionMask,
    /// The actions that are there, given checks and what is forbidden.
    enabled: ActionMask,
    /// Its first 64 bits, at hand.
    pub(crate) enabled_word: u64,
    /// A price per action of its type, in thousandths; empty if the domain's hold.
    pub(crate) costs: Vec<u64>,
}

impl Npc {
    /// An NPC of a type, with the values of its `starts`.
    ///
    /// # Errors
    ///
    /// The nearest name, if the domain has no such type.
    pub fn new(
        domain: &Domain,
        npc_type: impl IdOrName<NpcTypeId>,
    ) -> Result<Npc, UnknownNameError> {
        Ok(Npc::build(domain, domain.map().id(npc_type)?))
    }

    /// An NPC of a type, with the values of its `starts`; `None` for an id of another domain
    /// that does not fit.
    pub fn of_type(domain: &Domain, id: NpcTypeId) -> Option<Npc> {
        Npc::new(domain, id).ok()
    }

    /// An NPC of a type that the domain has.
    fn build(domain: &Domain, id: NpcTypeId) -> Npc {
        let compiled = domain.compiled();
        let mut npc = Npc {
            domain: domain.clone(),
            id,
            values: vec![UNKNOWN; compiled.map().n_variables()],
            checks: Checks::all(compiled.map().n_checks()),
            state: compiled.npc(id).unknown_state(),
            words: vec![0; compiled.npc(id).layout().n_words()],
            word: 0,
            small: Npc::small_of(domain, id),
            forbidden: ActionMask::none(compiled.npc(id).n_actions()),
            enabled: ActionMask::default(),
            enabled_word: 0,
            costs: Vec::new(),
        };
        npc.update_enabled();
        compiled.npc(id).layout().pack(&npc.state, &mut npc.words);
        npc.word = npc.words.first().copied().unwrap_or(0);
        for &fact in compiled.npc(id).starts() {
            npc.set_fact(fact);
        }
        npc
    }

    fn small_of(domain: &Domain, id: NpcTypeId) -> Option<Arc<SmallMoves>> {
        let compiled = domain.compiled();
        // Wishes are granted within a problem.
        let has_wishes = !compiled.npc(id).preferences().is_empty();
        compiled.tables(id).small_moves.clone().filter(|_| !has_wishes)
    }

    throng_base::getters! {
        /// Its domain.
        domain: &Domain;
        /// Which checks hold.
        checks: &Checks;
    }

    /// Its type.
    pub fn type_id(&self) -> NpcTypeId {
        self.id
    }

    /// The name of its type.
    pub fn type_name(&self) -> &str {
        self.domain.map().npc(self.id)
    }

    pub(crate) fn kind(&self) -> &NpcTables {
        self.domain.compiled().npc(self.id)
    }

    /// Gives a variable the value of a name.
    ///
    /// # Errors
    ///
    /// The nearest name, if one of the two does not exist.
    pub fn set(
        &mut self,
        variable: impl IdOrName<VariableId>,
        value: &str,
    ) -> Result<(), UnknownNameError> {
        let fact = (variable, value).id(self.domain.map())?;
        self.write(fact.variable, fact.value.index() as PackedValue);
        Ok(())
    }

    /// Gives a variable a value, both by id. Ids of another domain that do not fit are ignored.
    pub fn set_fact(&mut self, fact: Fact) {
        if self.domain.map().has_fact(fact) {
            self.write(fact.variable, fact.value.index() as PackedValue);
        }
    }

    fn write(&mut self, variable: VariableId, value: PackedValue) {
        self.values[variable.index()] = value;
        if let Some(local) = self.kind().local_variable(variable) {
            self.state[local.index()] = value;
            let layout = self.domain.compiled().npc(self.id).layout();
            let at = local.index();
            let word = &mut self.words[layout.word(at)];
            *word = (*word & !layout.field_mask(at)) | layout.field_bits(at, value);
            self.word = self.words[0];
        }
    }

    fn update_enabled(&mut self) {
        let kind = self.domain.compiled().npc(self.id);
        self.enabled.fill_enabled(kind, &self.checks, &self.forbidden);
        self.enabled_word = self.enabled.word();
    }

    /// Makes a variable's value unknown.
    ///
    /// # Errors
    ///
    /// The nearest name, if the variable does not exist.
    pub fn forget(&mut self, variable: impl IdOrName<VariableId>) -> Result<(), UnknownNameError> {
        self.write(self.domain.map().id(variable)?, UNKNOWN);
        Ok(())
    }

    /// The name of a variable's value; `None` if unknown.
    ///
    /// # Errors
    ///
    /// The nearest name, if the variable does not exist.
    pub fn get(
        &self,
        variable: impl IdOrName<VariableId>,
    ) -> Result<Option<&str>, UnknownNameError> {
        let map = self.domain.map();
        Ok(self.fact_of(map.id::<VariableId>(variable)?).map(|fact| map.value(fact)))
    }

    /// A variable with its value; `None` if that is unknown, or there is no such variable.
    pub fn fact_of(&self, variable: impl IdOrName<VariableId>) -> Option<Fact> {
        let variable = variable.id(self.domain.map()).ok()?;
        let value = *self.values.get(variable.index()).filter(|&&value| value != UNKNOWN)?;
        Some(Fact { variable, value: ValueId::at(value.into()) })
    }

    /// Whether all of these facts, or conditions, hold.
    pub fn has_all<'c>(&self, conditions: impl Into<Conditions<'c>>) -> bool {
        let value = |id: VariableId| self.values.get(id.index()).copied().unwrap_or(UNKNOWN);
        conditions.into().hold(value)
    }

    /// Says whether a context check holds; all hold until said otherwise.
    ///
    /// # Errors
    ///
    /// The nearest name, if no action asks for such a check.
    pub fn set_check(
        &mut self,
        check: impl IdOrName<CheckId>,
        holds: bool,
    ) -> Result<(), UnknownNameError> {
        self.set_check_id(self.domain.map().id(check)?, holds);
        Ok(())
    }

    /// Says whether a context check holds, by id.
    pub fn set_check_id(&mut self, check: CheckId, holds: bool) {
        self.checks.set(check, holds);
        self.update_enabled();
    }

    /// Says what a context check is until somebody says otherwise; reasons then tell that it is so only
    /// by default.
    pub fn set_default_check(&mut self, check: CheckId, holds: bool) {
        self.checks.set_default(check, holds);
        self.update_enabled();
    }

    /// Makes all checks fail; then say which hold.
    pub fn clear_checks(&mut self) {
        self.checks = Checks::none(self.checks.len());
        self.update_enabled();
    }

    /// Takes an action out of consideration, or back in; a template's bare name means all of
    /// its actions.
    ///
    /// # Errors
    ///
    /// The nearest name, if there is no such action.
    pub fn forbid(
        &mut self,
        action: impl IdOrName<ActionId>,
        forbidden: bool,
    ) -> Result<(), UnknownNameError> {
        let named = self.actions_named(action)?;
        named.into_iter().for_each(|id| self.forbid_id(id, forbidden));
        Ok(())
    }

    /// The action of this name, or those of the template of this name.
    fn actions_named(
        &self,
        action: impl IdOrName<ActionId>,
    ) -> Result<Vec<ActionId>, UnknownNameError> {
        let map = self.domain.map();
        let unknown = match map.id(action) {
            Ok(id) => match map.variants(id) {
                [] => return Ok(vec![id]),
                several => return Ok(several.to_vec()),
            },
            Err(unknown) => unknown,
        };
        let of_template = |id: &&ActionId| {
            throng_domain::names::template_of(map.action(**id)) == Some(&unknown.name)
        };
        let members: Vec<_> = self.kind().actions().iter().filter(of_template).copied().collect();
        if members.is_empty() { Err(unknown) } else { Ok(members) }
    }

    /// Takes an action out of consideration, or back in, by id.
    pub fn forbid_id(&mut self, action: ActionId, forbidden: bool) {
        if let Some(local) = self.kind().local_action(action) {
            self.forbidden.set(local, forbidden);
            self.update_enabled();
        }
    }

    /// Sets what an action costs this NPC from now on: what the domain cannot know, such as how far
    /// a node is or how dangerous a way. A template's bare name means all of its
    /// actions. An action that the NPC cannot do may be named; it changes nothing.
    ///
    /// # Errors
    ///
    /// The nearest name, if there is no such action; or the cost, if it is zero or above
    /// [`Cost::MAX`].
    pub fn set_cost(
        &mut self,
        action: impl IdOrName<ActionId>,
        cost: Cost,
    ) -> Result<(), CostError> {
        let named = self.actions_named(action).map_err(CostError::Unknown)?;
        named.into_iter().try_for_each(|id| self.set_cost_id(id, cost))
    }

    /// Sets what an action costs this NPC, by id. An id of another domain that does not fit
    /// changes nothing.
    ///
    /// # Errors
    ///
    /// The cost, if it is zero or above [`Cost::MAX`].
    pub fn set_cost_id(&mut self, action: ActionId, cost: Cost) -> Result<(), CostError> {
        if cost.0 == 0 || cost > Cost::MAX {
            return Err(CostError::OutOfRange(cost));
        }
        if let Some(local) = self.local(action) {
            let kind = self.domain.compiled().npc(self.id);
            if self.costs.is_empty() {
                let all = (0..kind.n_actions() as u32).map(|at| kind.cost(LocalAction(at)));
                self.costs.extend(all);
            }
            self.costs[local.index()] = cost.0;
        }
        Ok(())
    }

    /// Makes all actions cost what the domain says again.
    pub fn clear_costs(&mut self) {
        self.costs.clear();
    }

    /// What an action costs this NPC; `None` if it cannot do it.
    pub fn cost(&self, action: impl IdOrName<ActionId>) -> Option<Cost> {
        self.local(action).map(|local| self.local_cost(local))
    }

    pub(crate) fn local_cost(&self, action: LocalAction) -> Cost {
        let own = self.costs.get(action.index()).copied();
        Cost(own.unwrap_or_else(|| self.kind().cost(action)))
    }

    /// The question as engines see it: from the present state to these facts, with the actions
    /// that are there. For those who call an engine themselves; [`Planner`](crate::Planner)
    /// does it for you.
    pub fn problem<'g>(&self, goal: impl Into<Conditions<'g>>) -> Problem {
        let mut problem = Problem::new(self.domain.compiled(), self.id);
        self.fill(&mut problem, goal.into());
        problem
    }

    /// The same into a problem that is reused.
    pub(crate) fn fill(&self, problem: &mut Problem, goal: Conditions<'_>) {
        let (compiled, values) = (self.domain.compiled(), &self.values);
        let value = |variable: usize| values[variable];
        let (checks, forbidden, enabled) = (&self.checks, &self.forbidden, Some(&self.enabled));
        let context = Context { checks, forbidden, enabled };
        problem.fill_from(compiled, self.id, &self.state, value, goal, context);
        problem.set_costs(&self.costs);
    }

    fn local(&self, action: impl IdOrName<ActionId>) -> Option<LocalAction> {
        self.kind().local_action(action.id(self.domain.map()).ok()?)
    }

    /// What the domain says of an action of the type.
    fn declared(&self, action: LocalAction) -> &Action {
        &self.domain.model().actions()[self.kind().actions()[action.index()].index()]
    }

    /// The kind of an action to choose now: of those whose checks hold the cheapest, of equals
    /// the one written first. `None` if no kind is possible now, which is a reason to plan
    /// again, and for an action that has no kinds.
    pub fn kind_of(&self, action: impl IdOrName<ActionId>) -> Option<&ActionKind> {
        let local = self.local(action)?;
        let at = possible_kind(self.kind(), &self.checks, local)?;
        self.declared(local).kinds().get(at)
    }

    /// Whether it could do the action now: it is there, and what it requires holds.
    pub fn can_do(&self, action: impl IdOrName<ActionId>) -> bool {
        self.local(action).is_some_and(|local| self.can_do_local(local))
    }

    fn can_do_local(&self, action: LocalAction) -> bool {
        self.enabled.has(action) && self.has_all(self.declared(action).conditions())
    }

    /// Does an action: writes what it sets and how it moves amounts into the state. `false`, and nothing changed, if it
    /// cannot be done now.
    pub fn apply(&mut self, action: impl IdOrName<ActionId>) -> bool {
        let (domain, local) = (self.domain.clone(), self.local(action));
        let Some(local) = local.filter(|&local| self.can_do_local(local)) else { return false };
        let kind = domain.compiled().npc(self.id);
        let id = |variable: LocalVariable| kind.variables()[variable.index()];
        for set in kind.sets(local) {
            self.write(id(set.variable), set.value);
        }
        for &shift in kind.shifts(local) {
            let value = self.state[shift.variable.index()];
            self.write(id(shift.variable), kind.shifted(shift, value).unwrap_or(value));
        }
        true
    }
}
