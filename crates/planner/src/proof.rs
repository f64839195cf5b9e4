//! A proof that there is no plan, and the reason, found when it is read.
//!
//! In:   a problem that an engine has proved to have no plan.
//! Out:  a [`Proof`]; its [`Reason`] is found when it is first read, and kept.
//! Cost: a copy of the problem; the reason when it is first read. A game may hear "impossible" in
//!       every frame, and read why once.

use crate::budget::Mode;
use crate::prepared::PreparedDomain;
use crate::problem::Problem;
use crate::reason::{Reason, Root, amounts_out_of_reach, ray};
use crate::relaxed::Relaxed;
use std::fmt;
use std::sync::OnceLock;
use throng_domain::compile::NpcTables;
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
    /// The caller wants no reason.
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
    /// Everything was tried; which part of the goal is to blame is still to be found.
    Exhausted(Exhausted),
}

/// A search that has tried everything, and how it finds what is to blame.
#[derive(Clone, Copy)]
pub(crate) struct Exhausted {
    pub(crate) mode: Mode,
    /// How many sets of demands it tried.
    pub(crate) tried: u64,
    /// The memory that it may take.
    pub(crate) bytes: usize,
    pub(crate) blame: fn(&PreparedDomain, &Problem, &Exhausted) -> Reason,
}

impl fmt::Debug for Exhausted {
    /// Without the address of a function, which says nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Exhausted").field(&(self.mode, self.tried, self.bytes)).finish()
    }
}

impl PartialEq for Exhausted {
    fn eq(&self, other: &Exhausted) -> bool {
        (self.mode, self.tried, self.bytes) == (other.mode, other.tried, other.bytes)
    }
}

impl Eq for Exhausted {}

impl Proof {
    /// Of a problem; `found` is asked only if the caller may want to hear a reason.
    pub(crate) fn new(problem: &Problem, found: impl FnOnce() -> Found) -> Proof {
        let ground = match problem.says_why {
            true => Ground::Open(Box::new((problem.clone(), found()))),
            false => Ground::Unsaid,
        };
        Proof { npc: problem.npc(), ground, reason: OnceLock::new() }
    }

    /// With a reason that is known already, if the caller may want to hear it.
    pub(crate) fn known(problem: &Problem, reason: impl FnOnce() -> Reason) -> Proof {
        match problem.says_why {
            true => Proof::of(reason()),
            false => Proof::unsaid(problem.npc()),
        }
    }

    /// Of a problem whose goal on outside variables does not hold: no engine need look at it.
    pub(crate) fn outside(problem: &Problem) -> Option<Proof> {
        (!problem.outside_holds()).then(|| Proof::new(problem, || Found::OutOfReach))
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
    pub fn reason(&self, domain: &PreparedDomain) -> &Reason {
        match &self.ground {
            Ground::Known(reason) => reason,
            Ground::Unsaid => self.reason.get_or_init(|| Box::new(Reason::unsaid(self.npc))),
            Ground::Open(open) => {
                self.reason.get_or_init(|| Box::new(look(domain, &open.0, &open.1)))
            }
        }
    }

    /// The reason as a sentence.
    pub fn sentence(&self, domain: &PreparedDomain) -> String {
        self.reason(domain).sentence(domain)
    }

    /// How far out of reach the goal is, for comparing alternatives; see [`Reason::far`].
    pub fn far(&self, domain: &PreparedDomain) -> Option<u64> {
        // A caller that wants no reason does not pay for one.
        if matches!(self.ground, Ground::Unsaid) { None } else { self.reason(domain).far }
    }
}

fn look(domain: &PreparedDomain, problem: &Problem, found: &Found) -> Reason {
    let npc = problem.kind(domain);
    simple(domain, problem, npc).unwrap_or_else(|| match found {
        Found::OutOfReach => Reason::unsaid(problem.npc()),
        Found::Known(reason) => reason.clone(),
        Found::Exhausted(exhausted) => (exhausted.blame)(domain, problem, exhausted),
    })
}

/// A reason that takes no search: what is out of reach by itself; where something counts, also a
/// sum that never rises.
fn simple(domain: &PreparedDomain, problem: &Problem, npc: &NpcTables) -> Option<Reason> {
    let counts = problem.counts(npc);
    // What counts may be what is not there.
    if (counts || npc.has_amounts())
        && let Some(reason) = amounts_out_of_reach(domain, problem)
    {
        return Some(reason);
    }
    if counts {
        return ray(domain, problem);
    }
    let mut relaxed = Relaxed::default();
    relaxed.explore(npc, problem);
    Reason::out_of_reach(domain, problem, &relaxed)
}

/// The same problem without a plan for the same cause; whether the reason was read does not count.
impl PartialEq for Proof {
    fn eq(&self, other: &Proof) -> bool {
        (self.npc, &self.ground) == (other.npc, &other.ground)
    }
}

impl Eq for Proof {}
