//! Tables of a small NPC type whose actions are all *moves*: at most 64 actions and one word of
//! state, every action changes one variable from one value, no two set the same value.
//!
//! In:   the compiled type.
//! Out:  sets of actions as machine words: the way from any value to any other, the loop through
//!       a value, who asks for whom, who waits for whom; conditions and changes as masks of the
//!       state.
//! Cost: for each variable the square of its values, times the length of the way.
//!
//! Ways and loops stand by the bits of the value in the packed state, so that a look-up is a shift
//! and an index; the bits that mean no value have no way to anywhere.
//!
//! Made once at load. A mask of enabled actions only takes actions away, so the tables serve
//! every mask.

use super::as_move;
use throng_base::ones;
use throng_domain::compile::{LocalAction, LocalFact, LocalVariable, NpcTables, PackedValue};
use throng_domain::model::{ActionId, GoalId};

/// Ways are written down for all pairs of values, but never more than this many per action, so
/// that the tables stay linear in the text whatever a stranger declares.
const WAYS_PER_ACTION: usize = 64;

/// One action as masks of the packed state, and as sets of actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SmallMove {
    /// The bits of the state that it looks at: what it needs, and the value it leaves.
    pub look: u64,
    /// What it must see there.
    pub see: u64,
    /// The bits it turns over, where it sees what it must.
    pub turns: u64,
    /// Its price in thousandths, as the domain says.
    pub cost: u64,
    /// The actions that set what it needs, and the one that sets the value it leaves.
    pub waits_for: u64,
    /// The actions that need the value it leaves.
    pub needs_left: u64,
    /// The action that sets the value it leaves, as a set of one or none.
    pub brings_back: u64,
    /// The action as the domain numbers it.
    pub id: ActionId,
}

/// Steps of one variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SmallWay {
    /// The actions; [`SmallWay::NONE`] if there is no way.
    pub actions: u64,
    /// The actions that set what these need of other variables.
    pub asks: u64,
}

impl SmallWay {
    /// There is no way from the one value to the other.
    pub const NONE: u64 = u64::MAX;
}

/// The steps from a value round to the same value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Loop {
    /// The steps; none if there is no loop.
    pub way: SmallWay,
    /// The last of them, as a set of one or none.
    pub last: u64,
}

/// A variable of a small type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SmallVariable {
    shift: u32,
    /// The bits of its value, shifted down; also by how much the ways to its next value are off.
    mask: u32,
    first_way: u32,
    first_loop: u32,
    /// The actions that move it.
    own: u64,
}

/// What an action sets: where the ways there begin, and how to find the one from a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct SetValue {
    variable: u32,
    shift: u32,
    mask: u32,
    first_way: u32,
}

/// What one of the type's goals wants, if it wants facts alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SmallWant {
    goal: GoalId,
    first_fact: u32,
    end_of_facts: u32,
    look: u64,
    see: u64,
}

/// The tables of a small type of moves. Whoever asks for a goal of the type finds all that the
/// answer takes here, and nothing of it behind another table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmallMoves {
    /// By id of the goal.
    wants: Vec<SmallWant>,
    facts: Vec<LocalFact>,
    moves: Vec<SmallMove>,
    /// By action.
    sets: Vec<SetValue>,
    variables: Vec<SmallVariable>,
    /// By variable, value where it ends, bits of the value where it begins.
    ways: Vec<SmallWay>,
    /// By variable, bits of its value.
    loops: Vec<Loop>,
}

impl SmallMoves {
    /// The tables, if the type is small and all its actions are moves with values of their own.
    pub(super) fn new(npc: &NpcTables) -> Option<SmallMoves> {
        let n_variables = npc.variables().len();
        let fits = npc.n_actions() <= 64 && npc.layout().n_words() == 1 && n_variables <= 64;
        // Who plans by these asks for no problem, which would see what amounts forbid.
        let fits = fits && !npc.has_amounts();
        let ways: usize = npc.local_variables().map(|v| npc.n_values(v).saturating_pow(2)).sum();
        if !fits || ways > WAYS_PER_ACTION * npc.n_actions() {
            return None;
        }
        let slots = Slots::new(npc)?;
        let mut tables = SmallMoves {
            wants: Vec::with_capacity(npc.goals().len()),
            facts: Vec::new(),
            moves: npc.local_actions().map(|action| slots.small_move(npc, action)).collect(),
            sets: vec![SetValue::default(); npc.n_actions()],
            variables: Vec::with_capacity(n_variables),
            ways: Vec::new(),
            loops: Vec::new(),
        };
        for variable in npc.local_variables() {
            tables.add_variable(npc, &slots, variable);
        }
        for &goal in npc.goals() {
            let Some((facts, look, see)) = npc.wants(goal) else { continue };
            let first_fact = tables.facts.len() as u32;
            tables.facts.extend_from_slice(facts);
            let end_of_facts = tables.facts.len() as u32;
            tables.wants.push(SmallWant { goal, first_fact, end_of_facts, look, see });
        }
        Some(tables)
    }

    /// All ways between values of a variable, and the loops through them.
    fn add_variable(&mut self, npc: &NpcTables, slots: &Slots, variable: LocalVariable) {
        let field = npc.layout().field_mask(variable.index());
        let shift = field.trailing_zeros();
        let mask = (field >> shift) as u32;
        let (first_way, first_loop) = (self.ways.len() as u32, self.loops.len() as u32);
        let mut own = 0;
        for (to, fact) in npc.facts_of(variable).enumerate() {
            let setter = slots.setter[npc.slot(fact)];
            if setter != 0 {
                let (variable, first_way) = (variable.0, self.ways.len() as u32);
                let action = setter.trailing_zeros() as usize;
                self.sets[action] = SetValue { variable, shift, mask, first_way };
            }
            own |= setter;
            let back = |from: u32| slots.back(npc, variable, from as usize, to);
            self.ways.extend((0..=mask).map(|from| match back(from) {
                _ if from as usize == to => SmallWay::default(),
                Some(actions) => slots.way(actions),
                None => SmallWay { actions: SmallWay::NONE, asks: 0 },
            }));
        }
        self.loops.extend((0..=mask).map(|at| {
            let around = slots.back(npc, variable, at as usize, at as usize);
            around.map_or_else(Loop::default, |actions| Loop {
                way: slots.way(actions),
                last: slots.setter[npc.slot(LocalFact { variable, value: at as PackedValue })],
            })
        }));
        self.variables.push(SmallVariable { shift, mask, first_way, first_loop, own });
    }

    /// What one of the type's goals wants, and the same as the bits of the state to look at and to
    /// see there; `None` if it does not want that goal, or more of it than facts.
    #[inline]
    pub fn wants(&self, goal: GoalId) -> Option<(&[LocalFact], u64, u64)> {
        // Most types want all goals of their domain.
        let want = match self.wants.get(goal.index()) {
            Some(want) if want.goal == goal => want,
            _ => &self.wants[self.wants.binary_search_by_key(&goal, |want| want.goal).ok()?],
        };
        let facts = self.facts.get(want.first_fact as usize..want.end_of_facts as usize)?;
        Some((facts, want.look, want.see))
    }

    /// One action.
    #[inline]
    pub fn action(&self, action: u32) -> &SmallMove {
        &self.moves[action as usize]
    }

    /// The way from the value that a variable has in a state.
    #[inline]
    pub fn way(&self, state: u64, to: LocalFact) -> &SmallWay {
        let variable = &self.variables[to.variable.index()];
        let first = variable.first_way + u32::from(to.value) * (variable.mask + 1);
        &self.ways[(first + ((state >> variable.shift) as u32 & variable.mask)) as usize]
    }

    /// The variable that an action moves, and the way from the value that it has in a state to the
    /// one that the action sets.
    #[inline]
    pub fn way_to(&self, state: u64, action: u32) -> (u32, &SmallWay) {
        let set = &self.sets[action as usize];
        let at = set.first_way + ((state >> set.shift) as u32 & set.mask);
        (set.variable, &self.ways[at as usize])
    }

    /// The loop through the value that a variable has in a state.
    #[inline]
    pub fn loop_through(&self, state: u64, variable: u32) -> &Loop {
        let variable = &self.variables[variable as usize];
        let at = variable.first_loop + ((state >> variable.shift) as u32 & variable.mask);
        &self.loops[at as usize]
    }

    /// The actions that move a variable.
    #[inline]
    pub fn own(&self, variable: u32) -> u64 {
        self.variables[variable as usize].own
    }
}

/// Who sets and who needs what; known while the tables are made.
struct Slots {
    /// By slot, the action that sets it, as a set of one or none.
    setter: Vec<u64>,
    /// By slot, the actions that need it and move another variable.
    requesters: Vec<u64>,
    /// By action, the slot it leaves; by an action that sets nothing, none.
    leaves: Vec<Option<usize>>,
    /// By action, those that set what it needs of other variables.
    asks: Vec<u64>,
}

impl Slots {
    /// `None` if an action is no move, or two set the same value.
    fn new(npc: &NpcTables) -> Option<Slots> {
        let mut slots = Slots {
            setter: vec![0; npc.n_slots()],
            requesters: vec![0; npc.n_slots()],
            leaves: Vec::with_capacity(npc.n_actions()),
            asks: Vec::with_capacity(npc.n_actions()),
        };
        for action in npc.local_actions() {
            if npc.sets(action).is_empty() {
                slots.leaves.push(None);
                continue;
            }
            let (set, source) = as_move(npc, action)?;
            let setter = &mut slots.setter[npc.slot(set)];
            if *setter != 0 {
                return None;
            }
            *setter = 1 << action.0;
            slots.leaves.push(Some(npc.slot(LocalFact { value: source, ..set })));
        }
        for action in npc.local_actions() {
            let mut asks = 0;
            if let [set] = npc.sets(action) {
                let others = npc.needs(action).iter().filter(|it| it.variable != set.variable);
                for slot in others.map(|&need| npc.slot(need)) {
                    slots.requesters[slot] |= 1 << action.0;
                    asks |= slots.setter[slot];
                }
            }
            slots.asks.push(asks);
        }
        Some(slots)
    }

    fn small_move(&self, npc: &NpcTables, action: LocalAction) -> SmallMove {
        let (id, cost) = (npc.actions()[action.index()], npc.cost(action));
        let ([set], Some(leaves)) = (npc.sets(action), self.leaves[action.index()]) else {
            // Who sets nothing is part of no plan; only its place is kept.
            let (look, see, turns, waits_for, needs_left, brings_back) = (0, 0, 0, 0, 0, 0);
            return SmallMove { look, see, turns, cost, waits_for, needs_left, brings_back, id };
        };
        let layout = npc.layout();
        let mask = |fact: &LocalFact| layout.field_mask(fact.variable.index());
        let bits = |fact: &LocalFact| layout.field_bits(fact.variable.index(), fact.value);
        let first = npc.slot(LocalFact { value: 0, ..*set });
        let source = LocalFact { value: (leaves - first) as PackedValue, ..*set };
        let looks = || npc.needs(action).iter().chain([&source]);
        let brings_back = self.setter[leaves];
        SmallMove {
            look: looks().fold(0, |all, fact| all | mask(fact)),
            see: looks().fold(0, |all, fact| all | bits(fact)),
            turns: bits(&source) ^ bits(set),
            cost,
            waits_for: self.asks[action.index()] | brings_back,
            needs_left: self.requesters[leaves],
            brings_back,
            id,
        }
    }

    fn way(&self, actions: u64) -> SmallWay {
        SmallWay { actions, asks: ones(actions).fold(0, |all, action| all | self.asks[action]) }
    }

    /// Backward from a value of a variable until another, at least one step.
    fn back(
        &self,
        npc: &NpcTables,
        variable: LocalVariable,
        from: usize,
        to: usize,
    ) -> Option<u64> {
        let n_values = npc.n_values(variable);
        if from >= n_values {
            return None;
        }
        let first = npc.slot(LocalFact { variable, value: 0 });
        let (mut actions, mut at) = (0u64, first + to);
        for _ in 0..n_values {
            let setter = self.setter[at];
            if setter == 0 {
                return None;
            }
            actions |= setter;
            at = self.leaves[setter.trailing_zeros() as usize]?;
            if at == first + from {
                return Some(actions);
            }
        }
        None
    }
}
