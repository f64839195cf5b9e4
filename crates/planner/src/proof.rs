//! That there is no plan, and why, for whoever asks.
//!
//! In:   a problem that an engine has proved to have no plan.
//! Out:  a [`Proof`]; its [`Reason`] is found when somebody looks at it, and kept.
//! Cost: a copy of the problem; the reason when it is first read. A game may hear "impossible" in
//!       every frame, and read why once.

use crate::outcome::Mode;
use crate::problem::Problem;
use crate::reason::{Reason, Root};
use crate::regressive;
use crate::relaxed::Relaxed;
use std::sync::OnceLock;
use throng_domain::compile::CompiledDomain;
use throng_domain::model::NpcTypeId;

/// There is no plan.
#[derive(Clone, Debug)]
pub struct Proof {
    npc: NpcTypeId,
    ground: Ground,
    reason: OnceLock<Box<Reason>>,
}

/// What the reason is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Ground {
    /// Nobody wants to hear it.
    Unsaid,
    /// It is known.
    Known(Box<Reason>),
    /// A value out of reach, if there is one; else what the engine has found.
    Open(Box<(Problem, Found)>),
}

/// What an engine knows of a problem without a plan, beside that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// Nothing: a value is out of reach.
    OutOfReach,
    /// A reason for the order or the ways of the topological planner.
    Known(Reason),
    /// So many sets of demands were tried; which part of the goal is to blame is still to be found.
    NoWayBack { mode: Mode, tried: u64, bytes: usize },
}

impl Proof {
    /// Of a problem; `found` is asked only if the caller may want to hear a reason.
    pub(crate) fn new(problem: &Problem, found: impl FnOnce() -> Found) -> Proof {
        let ground = match problem.says_why() {
            true => Ground::Open(Box::new((problem.clone(), found()))),
            false => Ground::Unsaid,
        };
        Proof { npc: problem.npc(), ground, reason: OnceLock::new() }
    }

    /// With a reason that is known already, if the caller may want to hear it.
    pub(crate) fn known(problem: &Problem, reason: impl FnOnce() -> Reason) -> Proof {
        match problem.says_why() {
            true => Proof::of(reason()),
            false => Proof::unsaid(problem.npc()),
        }
    }

    /// If somebody asks for what cannot be had before any engine looks at it.
    pub(crate) fn outside(problem: &Problem) -> Option<Proof> {
        let wrong = problem.outside().iter().any(|fact| !fact.holds);
        wrong.then(|| Proof::new(problem, || Found::OutOfReach))
    }

    fn of(reason: Reason) -> Proof {
        let (npc, ground) = (reason.npc, Ground::Known(Box::new(reason)));
        Proof { npc, ground, reason: OnceLock::new() }
    }

    /// Without a reason, as for [`Problem::without_reasons`].
    pub fn unsaid(npc: NpcTypeId) -> Proof {
        Proof { npc, ground: Ground::Unsaid, reason: OnceLock::new() }
    }

    /// Of a request that holds ids of another domain.
    pub fn foreign(npc: NpcTypeId) -> Proof {
        Proof::of(Reason::new(npc, Root::Foreign))
    }

    /// Why there is no plan; found when it is first asked for. `domain` is the one of the problem.
    pub fn reason(&self, domain: &CompiledDomain) -> &Reason {
        match &self.ground {
            Ground::Known(reason) => reason,
            Ground::Unsaid => self.reason.get_or_init(|| Box::new(Reason::unsaid(self.npc))),
            Ground::Open(open) => {
                self.reason.get_or_init(|| Box::new(look(domain, &open.0, &open.1)))
            }
        }
    }

    /// The reason as a sentence.
    pub fn sentence(&self, domain: &CompiledDomain) -> String {
        self.reason(domain).sentence(domain)
    }

    /// How far out of reach the goal is, for comparing alternatives; see [`Reason::far`].
    pub fn far(&self, domain: &CompiledDomain) -> Option<u64> {
        // Whoever wants no reason shall not pay for one.
        if matches!(self.ground, Ground::Unsaid) { None } else { self.reason(domain).far }
    }
}

fn look(domain: &CompiledDomain, problem: &Problem, found: &Found) -> Reason {
    let mut relaxed = Relaxed::default();
    relaxed.explore(problem.kind(domain), problem);
    if let Some(reason) = Reason::out_of_reach(domain, problem, &relaxed) {
        return reason;
    }
    match found {
        Found::OutOfReach => Reason::unsaid(problem.npc()),
        Found::Known(reason) => reason.clone(),
        &Found::NoWayBack { mode, tried, bytes } => {
            regressive::why(domain, problem, mode, tried, bytes)
        }
    }
}

/// The same problem without a plan for the same cause; whether somebody has looked does not count.
impl PartialEq for Proof {
    fn eq(&self, other: &Proof) -> bool {
        (self.npc, &self.ground) == (other.npc, &other.ground)
    }
}

impl Eq for Proof {}
