//! Why there is no plan: as data, and as a sentence that says what to change.
//!
//! In:   a problem whose goal is out of reach (found by [`Relaxed`]), or a search that has
//!       tried everything.
//! Out:  a [`Reason`]: the wanted fact, the chain of actions that would lead to it, and the
//!       root that blocks them.
//! Cost: one look at the setters of each fact on the chain, and what `nearest` costs: of several
//!       ways to a fact the one that needs the fewest changes is told, of as many the cheapest.
//!       It is spent when the reason is read ([`Proof`](crate::Proof)), not when there is no plan.

mod amounts;
mod descent;
mod moves;
mod nearest;
mod ray;
mod words;

pub(crate) use amounts::{Values, out_of_reach as amounts_out_of_reach};
pub use moves::LinkEffect;
pub use ray::RayTerm;
pub(crate) use ray::ray;
pub use words::wrong_checks;
pub(crate) use words::{answer_now, need, quoted};

use crate::absence::{Absence, WrongCheck};
use crate::problem::{Problem, compared};
use crate::relaxed::Relaxed;
use descent::Descent;
use nearest::Nearest;
use throng_domain::amounts::ValueSet;
use throng_domain::compile::{CompiledDomain, PackedValue, UNKNOWN};
use throng_domain::model::{ActionId, Comparison, Fact, NpcTypeId, Range, ValueId, VariableId};

/// Why there is no plan.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Reason {
    /// Who plans.
    pub npc: NpcTypeId,
    /// The part of the goal that cannot be had; `None` if the domain does not know it.
    pub wanted: Option<Range>,
    /// From what is wanted down: the action that would bring it about, and what that needs.
    pub chain: Vec<Link>,
    /// What blocks the last need of the chain (or the wanted fact itself).
    pub root: Root,
    /// How far out of reach the goal is: changes that would help, in millionths, those that are
    /// said anew each time (answers to checks) a little less than others. `None` if nothing is
    /// known to be out of reach by itself. For comparing alternatives.
    pub far: Option<u64>,
}

/// One step down the chain of causes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The action that would help.
    pub action: ActionId,
    /// How it would help.
    pub effect: LinkEffect,
    /// What it needs and cannot get.
    pub needs: Range,
}

/// The root of the matter.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Root {
    /// No action of this NPC type sets the value, though some set other values.
    NobodySets(Range),
    /// No action of this NPC type changes the variable: only the world can.
    OnlyWorldSets {
        /// What is asked of it.
        asked: Range,
        /// What it is, if it is asked for one of several values.
        now: Option<Fact>,
    },
    /// No action of this NPC type moves the amount the way that is asked.
    NobodyMoves {
        /// What is asked of it.
        asked: Range,
        /// What it is; `None` if that is unknown.
        now: Option<Fact>,
        /// Whether it would have to rise.
        up: bool,
    },
    /// The amount never gets so far.
    NeverSoFar {
        /// What is asked of it.
        asked: Range,
        /// The farthest that it gets, even if nothing were ever lost.
        most: Fact,
        /// Whether it would have to rise.
        up: bool,
    },
    /// The amount is moved past what is asked, and never onto it.
    PassedOver(Range),
    /// What is wanted of a variable contradicts itself.
    Contradictory,
    /// A sum of amounts that no action raises would have to rise.
    NeverRises {
        /// What is summed up.
        sum: Vec<RayTerm>,
        /// How much there is.
        there: i64,
        /// How much is needed at least.
        needed: i64,
    },
    /// The variable's value is unknown, and that is what is missing.
    UnknownStart(VariableId),
    /// The only actions that set it are not there now.
    NotThere {
        /// What they would bring about, or bring nearer.
        asked: Range,
        /// How.
        effect: LinkEffect,
        /// The first of them.
        action: ActionId,
        /// Why that one is not there.
        absence: Absence,
    },
    /// The variable has this value, and no action leads away from it.
    StuckAt(Fact),
    /// The chain comes back to what it passed: each needs the other first.
    Circle(Range),
    /// The variable's way is forced, and the needed value does not lie on it.
    NotOnTheWay {
        /// What is needed.
        needed: Fact,
        /// Who needs it; `None` for the goal.
        by: Option<ActionId>,
        /// Where the way begins; `None` if that is unknown.
        start: Option<Fact>,
        /// Where the goal wants it to end, if it says so.
        end: Option<Fact>,
    },
    /// Each of these actions must come before the next, and the last before the first.
    BeforeAndAfter(Vec<ActionId>),
    /// An action needs a value that a plan must leave and bring back, and can stand neither before
    /// it leaves nor after it is back.
    NeitherBeforeNorAfter {
        /// Who needs the value.
        by: ActionId,
        /// Who ends it.
        ends: ActionId,
        /// Who brings it back.
        restores: ActionId,
    },
    /// Every plan contains the same actions, and every order of them was tried.
    NoOrder {
        /// Actions of which each must come before the next, and the last before the first, as
        /// long as no variable goes back to where it started; may be empty.
        example: Vec<ActionId>,
        /// Who needs a value, who ends it and who brings it back: one of the choices tried.
        torn: Option<[ActionId; 3]>,
        /// Variables that the goal leaves open were also sent back to where they started.
        by_going_back: bool,
    },
    /// The request holds an id of another domain.
    Foreign,
    /// Every way back from the goal was tried, and none begins here.
    NoWayBack {
        /// A wanted fact that is out of reach by itself.
        never: Option<Range>,
        /// Two wanted facts that cannot be had together.
        never_together: Option<(Range, Range)>,
        /// How many sets of demands were tried.
        tried: u64,
    },
    /// Every state that can be reached was tried.
    Unreachable {
        /// A wanted fact that held in none of them.
        never: Option<Range>,
        /// Two wanted facts that never held together.
        never_together: Option<(Range, Range)>,
        /// How many states there are.
        states: u64,
    },
}

impl Root {
    /// The action and the condition that it is about.
    pub(crate) fn about(&self) -> (Option<ActionId>, Option<Range>) {
        match self {
            Root::NobodySets(asked)
            | Root::OnlyWorldSets { asked, .. }
            | Root::NobodyMoves { asked, .. }
            | Root::NeverSoFar { asked, .. }
            | Root::PassedOver(asked)
            | Root::Circle(asked) => (None, Some(*asked)),
            Root::StuckAt(fact) => (None, Some((*fact).into())),
            Root::UnknownStart(_)
            | Root::Foreign
            | Root::Contradictory
            | Root::NeverRises { .. } => (None, None),
            Root::NotThere { asked, action, .. } => (Some(*action), Some(*asked)),
            Root::NotOnTheWay { needed, by, .. } => (*by, Some((*needed).into())),
            Root::BeforeAndAfter(cycle) => (cycle.first().copied(), None),
            Root::NeitherBeforeNorAfter { by, .. } => (Some(*by), None),
            Root::NoOrder { example, torn, .. } => {
                (torn.map(|[by, ..]| by).or(example.first().copied()), None)
            }
            Root::Unreachable { never, never_together, .. }
            | Root::NoWayBack { never, never_together, .. } => {
                (None, never.or(never_together.map(|(first, _)| first)))
            }
        }
    }

    /// Whether it only holds for the goal as a whole, of which it names the parts itself.
    pub(crate) fn is_about_whole_goal(&self) -> bool {
        matches!(
            self,
            Root::Unreachable { .. }
                | Root::NoWayBack { .. }
                | Root::NeverRises { .. }
                | Root::Contradictory
        )
    }
}

impl Reason {
    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match &self.root {
            Root::NobodySets(_) => "nobody_sets",
            Root::OnlyWorldSets { .. } => "only_world_sets",
            Root::NobodyMoves { up: true, .. } => "nobody_raises",
            Root::NobodyMoves { up: false, .. } => "nobody_lowers",
            Root::NeverSoFar { .. } | Root::PassedOver(_) => "never_so_far",
            Root::Contradictory => "contradictory",
            Root::NeverRises { .. } => "never_rises",
            Root::UnknownStart(_) => "unknown_start",
            Root::NotThere { absence, .. } => absence.code(),
            Root::StuckAt(_) => "stuck",
            Root::Circle(_) => "circle",
            Root::NotOnTheWay { .. } => "not_on_the_way",
            Root::BeforeAndAfter(_) | Root::NeitherBeforeNorAfter { .. } | Root::NoOrder { .. } => {
                "before_and_after"
            }
            Root::Foreign => "foreign_id",
            Root::Unreachable { .. } | Root::NoWayBack { .. } => "unreachable",
        }
    }

    /// The checks that it names, each of which stands in the way.
    pub fn checks(&self) -> &[WrongCheck] {
        match &self.root {
            Root::NotThere { absence, .. } => absence.checks(),
            _ => &[],
        }
    }

    /// One without a chain, about nothing in particular.
    pub(crate) fn new(npc: NpcTypeId, root: Root) -> Reason {
        Reason { npc, wanted: None, chain: Vec::new(), root, far: None }
    }

    /// The reason of a goal that even the kind assumptions of [`Relaxed`] cannot reach; `None`
    /// if they can.
    pub(crate) fn out_of_reach(
        domain: &CompiledDomain,
        problem: &Problem,
        relaxed: &Relaxed,
    ) -> Option<Reason> {
        if let Some(reason) = Reason::outside(domain, problem) {
            return Some(reason);
        }
        let (npc, id) = (problem.kind(domain), problem.npc());
        let wanted = relaxed.missing(npc, problem)?;
        let mut chain = Vec::new();
        let nearest = Nearest::new(npc, problem, relaxed);
        let far = Some(nearest.far(npc, problem.goal()));
        let root = Descent { npc, problem, relaxed, nearest }.follow(wanted, &mut chain);
        Some(Reason { npc: id, wanted: Some(npc.fact(wanted).into()), chain, root, far })
    }

    /// The reason of a goal on a variable that the NPC type does not touch, and that does not
    /// hold.
    pub(crate) fn outside(domain: &CompiledDomain, problem: &Problem) -> Option<Reason> {
        if problem.is_contradictory() {
            let never = Reason::never_compares(domain, problem);
            return Some(never.unwrap_or(Reason::new(problem.npc(), Root::Contradictory)));
        }
        let facts = problem.outside().iter().filter(|fact| !fact.holds);
        let facts = facts.map(|it| (Range::from(it.fact), it.known, None));
        let ranges = problem.outside_ranges().iter().filter(|range| !range.holds);
        let ranges = ranges.map(|it| (it.range, it.now.is_some(), it.now));
        let mut wrong = facts.chain(ranges);
        let far = |known: bool| if known { nearest::WORLD } else { nearest::UNSAID };
        let (asked, known, now) = wrong.next()?;
        let root = match known {
            true => Root::OnlyWorldSets { asked, now },
            false => Root::UnknownStart(asked.variable),
        };
        let far = wrong.fold(far(known), |sum, (_, known, _)| sum + far(known));
        Some(Reason { wanted: Some(asked), far: Some(far), ..Reason::new(problem.npc(), root) })
    }

    /// The reason of a comparison that is wanted and that no value meets: its right side stands
    /// still, and is unknown or too near an end.
    fn never_compares(domain: &CompiledDomain, problem: &Problem) -> Option<Reason> {
        let n_values = |variable| domain.map().n_values(variable) as PackedValue;
        let leaves = |it: &Comparison, other| compared(it, other, n_values(it.variable));
        let all = problem.comparisons().iter();
        let (it, now) = all.into_iter().find(|(it, now)| leaves(it, *now).is_empty())?;
        let fits = (0..n_values(it.other)).filter(|&other| !leaves(it, other).is_empty());
        let asked = Range { variable: it.other, values: ValueSet::of(fits)? };
        let (root, far) = match *now {
            _ if asked.values.is_empty() => return None,
            UNKNOWN => (Root::UnknownStart(it.other), nearest::UNSAID),
            now => {
                let now = Fact { variable: it.other, value: ValueId::at(now.into()) };
                (Root::OnlyWorldSets { asked, now: Some(now) }, nearest::WORLD)
            }
        };
        Some(Reason { wanted: Some(asked), far: Some(far), ..Reason::new(problem.npc(), root) })
    }

    /// In place of a reason that the caller does not want; see [`Problem::without_reasons`].
    pub(crate) fn unsaid(npc: NpcTypeId) -> Reason {
        Reason::new(npc, Root::Unreachable { never: None, never_together: None, states: 0 })
    }
}
