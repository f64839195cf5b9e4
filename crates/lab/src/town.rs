//! NPCs of the games in the papers, and the ways to plan for them one at a time.
//!
//! In:   a domain of `domains/papers`.
//! Out:  cases: an NPC in a state, one of its goals, and how long the shortest plan is; and
//!       planners that answer them: ours in two ways, the printed ones.
//! Cost: a plain search per goal once; then that of the planners.

use crate::judge::{Question, Verdict};
use crate::printed::{self, Ends, Printed, Tables};
use crate::report::BenchResult;
use crate::truth::{NO_WAY, States};
use std::ops::RangeInclusive;
use throng::Domain;
use throng_base::SplitMix;
use throng_domain::compile::{LocalAction, LocalFact, NpcTables, PackedValue, UNKNOWN};
use throng_domain::model::{Fact, NpcTypeId};
use throng_planner::PreparedDomain;
use throng_planner::topological::small::{SmallGoal, SmallProblem};
use throng_planner::{ActionMask, Call, Checks, Context, Outcome, Problem, Solver};

/// A domain of the corpus by name, compiled into this program.
const DOMAINS: [(&str, &str); 5] = [
    ("western", include_str!("../../../domains/papers/western.npc")),
    ("western_restricted", include_str!("../../../domains/papers/western_restricted.npc")),
    ("citizens", include_str!("../../../domains/papers/citizens.npc")),
    ("machines", include_str!("../../../domains/papers/machines.npc")),
    // For crowds; the other ways to plan here do not know what is shared.
    ("town", include_str!("../../../domains/papers/town.npc")),
];

/// Loads a domain of the papers.
///
/// # Errors
///
/// If there is none of that name, or it does not load.
pub fn domain(name: &str) -> BenchResult<Domain> {
    let found = DOMAINS.iter().find(|(known, _)| *known == name);
    let (_, text) = found.ok_or_else(|| format!("no domain `{name}`"))?;
    Ok(Domain::from_text(text)?)
}

/// An NPC type and one of its goals.
#[derive(Debug)]
pub struct Trade {
    /// The type.
    pub npc: NpcTypeId,
    /// What it wants.
    pub wants: Vec<Fact>,
    /// The same in the type's own numbers.
    pub goal: Vec<LocalFact>,
    /// All of its actions.
    pub enabled: u64,
    /// The papers' tables; `None` if they do not serve it.
    pub tables: Option<Tables>,
}

/// An NPC that wants a plan.
#[derive(Clone, Debug)]
pub struct Case {
    /// The position of the trade.
    pub trade: usize,
    /// The values of all variables of the domain; unknown where its type has them not.
    pub values: Vec<PackedValue>,
    /// The same in one word of the type's layout.
    pub start: u64,
    /// How long the shortest plan is.
    pub shortest: usize,
    /// For the printed algorithms, if they serve it.
    pub ends: Option<Ends>,
}

/// All that a domain has to ask.
#[derive(Debug)]
pub struct Town {
    /// The domain.
    pub domain: Domain,
    /// Types and goals.
    pub trades: Vec<Trade>,
    /// Those who want a plan of a length in the range, in random order.
    pub cases: Vec<Case>,
}

impl Town {
    /// Every state of every type with every goal it wants, if the shortest plan has a length in
    /// the range; in an order that looks random and is always the same; so many at most.
    ///
    /// # Errors
    ///
    /// If a type is too large for a plain search or for one word.
    pub fn new(name: &str, lengths: RangeInclusive<usize>, most: usize) -> BenchResult<Town> {
        let domain = domain(name)?;
        let compiled = domain.compiled();
        let mut ours = Ours::new(compiled)?;
        let (mut trades, mut cases) = (Vec::new(), Vec::new());
        for npc in compiled.npcs() {
            let states = States::new(npc).ok_or("too many states")?;
            if npc.layout().n_words() != 1 || compiled.tables(npc.id()).small_moves.is_none() {
                return Err("a type that does not fit into a word".into());
            }
            for &goal in npc.goals() {
                let wants = compiled.goal(goal).wants().to_vec();
                ours.fill(compiled, npc.id(), &spread(compiled, npc, states.values(0)), &wants);
                let trade = Trade {
                    npc: npc.id(),
                    goal: ours.problem.goal().to_vec(),
                    enabled: ours.problem.enabled().word(),
                    tables: Tables::read(npc, ours.problem.enabled()).ok(),
                    wants,
                };
                let far = states.distances(&trade.goal);
                for (index, &far) in far.iter().enumerate() {
                    if far == NO_WAY || !lengths.contains(&(far as usize)) {
                        continue;
                    }
                    let values = spread(compiled, npc, states.values(index));
                    ours.fill(compiled, npc.id(), &values, &trade.wants);
                    let mut word = [0];
                    npc.layout().pack(states.values(index), &mut word);
                    let ends = trade.tables.as_ref().and_then(|t| t.ends(&ours.problem).ok());
                    let (shortest, trade) = (far as usize, trades.len());
                    cases.push(Case { trade, values, start: word[0], shortest, ends });
                }
                trades.push(trade);
            }
        }
        SplitMix::new(1).shuffle(&mut cases);
        cases.truncate(most);
        Ok(Town { domain, trades, cases })
    }

    /// The tables of a case's type.
    pub fn npc(&self, case: &Case) -> &NpcTables {
        self.domain.compiled().npc(self.trades[case.trade].npc)
    }

    /// What an answer to a case is worth, as one of the methods of its question says.
    pub fn judge(&self, case: &Case, judge: impl Fn(&Question<'_>) -> Verdict) -> Verdict {
        let (compiled, trade) = (self.domain.compiled(), &self.trades[case.trade]);
        let mut asked = Ours::of(compiled, trade.npc);
        asked.fill(compiled, trade.npc, &case.values, &trade.wants);
        let (npc, shortest) = (self.npc(case), Some(case.shortest));
        judge(&Question { npc, problem: &asked.problem, shortest })
    }

    /// What a printed algorithm makes of a case; `None` if it is none of the papers'.
    pub fn printed(&self, printed: Printed, case: &Case) -> Option<printed::Answer> {
        let tables = self.trades[case.trade].tables.as_ref()?;
        Some(printed.run(tables, case.ends.as_ref()?, &mut |_| {}))
    }
}

/// The values of one type's variables among those of the whole domain.
pub fn spread(
    compiled: &PreparedDomain,
    npc: &NpcTables,
    local: &[PackedValue],
) -> Vec<PackedValue> {
    let mut values = vec![UNKNOWN; compiled.map().n_variables()];
    for (variable, &value) in npc.variables().iter().zip(local) {
        values[variable.index()] = value;
    }
    values
}

/// So many of them, drawn at random, most several times: no predictor of branches learns that
/// order, however few there are.
pub fn drawn<T: Copy>(all: &[T], n: usize) -> Vec<T> {
    let mut chance = SplitMix::new(7);
    if all.is_empty() { Vec::new() } else { (0..n).map(|_| *chance.pick(all)).collect() }
}

/// Our planner with its warm memory.
#[derive(Debug)]
pub struct Ours {
    /// The last question.
    pub problem: Problem,
    /// The plan of the last answer is in it.
    pub solver: Solver,
    checks: Checks,
    nothing: ActionMask,
}

impl Ours {
    /// For NPCs of a domain.
    ///
    /// # Errors
    ///
    /// If the domain has no NPC type.
    pub fn new(compiled: &PreparedDomain) -> BenchResult<Ours> {
        let first = compiled.npcs().first().ok_or("no NPC type")?;
        Ok(Ours::of(compiled, first.id()))
    }

    /// The same, to begin with those of a type.
    fn of(compiled: &PreparedDomain, npc: NpcTypeId) -> Ours {
        let most = compiled.npcs().iter().map(NpcTables::n_actions).max().unwrap_or(0);
        Ours {
            problem: Problem::new(compiled, npc),
            solver: Solver::default(),
            checks: Checks::all(compiled.map().n_checks()),
            nothing: ActionMask::none(most),
        }
    }

    /// Makes the question of an NPC: every check holds and nothing is forbidden.
    pub fn fill(
        &mut self,
        compiled: &PreparedDomain,
        npc: NpcTypeId,
        values: &[PackedValue],
        wants: &[Fact],
    ) {
        let Ours { problem, checks, nothing, .. } = self;
        problem.fill(compiled, npc, |at| values[at], wants, Context::new(checks, nothing));
    }

    /// Everything between the values of an NPC and its replayed plan, as a game asks.
    pub fn whole_call(
        &mut self,
        compiled: &PreparedDomain,
        npc: NpcTypeId,
        values: &[PackedValue],
        wants: &[Fact],
    ) -> Outcome {
        self.fill(compiled, npc, values, wants);
        self.solver.begin();
        self.solver.solve(&Call::new(compiled, &self.problem))
    }

    /// The whole call for a case of a town.
    pub fn answer(&mut self, town: &Town, case: &Case) -> Outcome {
        let trade = &town.trades[case.trade];
        self.whole_call(town.domain.compiled(), trade.npc, &case.values, &trade.wants)
    }

    /// A plan straight from the packed state by the kernel for small types; the whole call for
    /// what it leaves open. Gives the plan in one word.
    pub fn kernel(&mut self, town: &Town, case: &Case, start: u64) -> Option<u64> {
        let (compiled, trade) = (town.domain.compiled(), &town.trades[case.trade]);
        let npc = compiled.npc(trade.npc);
        let tables = compiled.tables(trade.npc).small_moves.as_ref()?;
        let goal = SmallGoal::new(npc, &trade.goal);
        let small = SmallProblem { npc, tables, start, goal, enabled: trade.enabled, costs: &[] };
        if self.solver.solve_small(&small, None).is_none() {
            _ = self.answer(town, case);
        }
        Some(packed(&self.solver.plan))
    }
}

/// The actions of a plan in their own order: the order may differ where several are right.
pub fn sorted(plan: &[LocalAction]) -> Vec<LocalAction> {
    let mut plan = plan.to_vec();
    plan.sort_unstable();
    plan
}

/// A plan of up to ten actions in one word: six bits each, the length above them. Longer plans
/// are cut; their length says so.
pub fn packed(plan: &[LocalAction]) -> u64 {
    let actions = plan.iter().take(10).enumerate();
    let word = actions.fold(0, |word, (at, action)| word | u64::from(action.0 & 63) << (6 * at));
    word | (plan.len().min(15) as u64) << 60
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_in_town_gets_a_right_plan_both_ways() {
        for name in DOMAINS.map(|(name, _)| name).into_iter().filter(|name| *name != "town") {
            let Ok(town) = Town::new(name, 3..=10, 500) else { panic!("{name} does not load") };
            assert!(town.cases.len() > 40, "{name}: {}", town.cases.len());
            let compiled = town.domain.compiled();
            let Ok(mut ours) = Ours::new(compiled) else { panic!("{name} has no type") };
            for case in &town.cases {
                let outcome = ours.answer(&town, case);
                let verdict = town.judge(case, |asked| asked.ours(&outcome, &ours.solver.plan));
                assert_eq!(verdict, Verdict::Right, "{name}");
                let word = ours.kernel(&town, case, case.start);
                assert_eq!(word.map(|word| word >> 60), Some(case.shortest as u64), "{name}");
                let verdict = town.judge(case, |asked| asked.ours(&outcome, &ours.solver.plan));
                assert_eq!(verdict, Verdict::Right, "{name}");
            }
        }
    }

    #[test]
    fn a_plan_in_a_word_keeps_its_order() {
        let plan: Vec<LocalAction> = [5, 63, 0].map(LocalAction).to_vec();
        assert_eq!(packed(&plan), 5 | 63 << 6 | 3 << 60);
    }
}
