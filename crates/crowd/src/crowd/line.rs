//! Who gets a claim to what a group shares, and who stands in line for it.
//!
//! In:   the crowds of a population, or one alone, with rows that ask for claims.
//! Out:  rows that hold one, each for all that is left of its plan; the others wait in line and
//!       keep their plans.
//! Cost: nothing if nobody asks; else a walk along the plan of each who does, those left aside that
//!       ask like the one before. Claims of a group are added up anew where one of its holders has
//!       moved and somebody is not admitted.
//!
//! *Order.* In each group the line begins with who was refused first when claims were last given,
//! and goes on by crowd and row, round and round. The first in line waits for holders alone, who
//! come to their end: nobody passes it whom it could not go with. Behind it whoever can go at once
//! goes. So everybody is the first at some time, and those who can go together do.
//!
//! *What a claim is.* It is had for all that is left of a plan, in one piece or not at all, so that
//! nobody who holds one waits for another. What holders want can be done in any order
//! (`claims/want`): it is as if they had done their plans one after the other.

use super::Crowd;
use crate::claims::{Admission, Hold, Want};
use crate::core::Core;
use crate::footprint::Footprint;
use crate::rows::NpcHandle;
use throng_base::ones;
use throng_domain::compile::CompiledDomain;
use throng_domain::model::{NpcTypeId, VariableId};

/// A row of a crowd, by the crowd's place among those that share a line.
type Place = (u16, u32);

/// What an NPC waits for that has a plan and no claim to its next step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[must_use]
pub struct WaitingFor {
    /// The shared variable.
    pub variable: VariableId,
    /// The type of who is in the way.
    pub npc_type: NpcTypeId,
    /// Who is in the way: of several the one but for whom there would have been enough.
    pub npc: NpcHandle,
    /// Whether that NPC has claimed the variable; else it is the first in line for it.
    pub is_held: bool,
}

/// The line of a group.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// Who was refused first when claims were last given.
    head: Place,
    /// The same of this time.
    next_head: Option<Place>,
    /// When its line was last begun.
    round: u64,
    /// Its claims are to be added up anew.
    is_jammed: bool,
}

/// What came of giving claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct HandedOut {
    pub(crate) claimed: usize,
    pub(crate) queued: usize,
}

/// The lines of all groups.
#[derive(Debug, Default)]
pub(crate) struct Line {
    /// By variable of the domain: its place among the shared ones.
    places: Vec<u32>,
    n_shared: usize,
    slots: Vec<Slot>,
    /// By group and shared variable: what holders want, and with those in line.
    held: Vec<Hold>,
    line: Vec<Hold>,
    round: u64,
    footprint: Footprint,
}

impl Line {
    /// No groups yet.
    pub(crate) fn new(domain: &CompiledDomain) -> Line {
        let ids = (0..domain.map().n_variables()).map(VariableId::at);
        let mut n = 0;
        let place = |id: VariableId| {
            n += usize::from(domain.map().is_shared(id));
            n.wrapping_sub(1) as u32
        };
        let places = ids.map(place).collect();
        Line { places, n_shared: n, ..Line::default() }
    }

    /// Room for so many groups.
    pub(crate) fn make_room(&mut self, n_groups: usize) {
        let n_groups = n_groups.max(self.slots.len());
        self.slots.resize(n_groups, Slot::default());
        self.held.resize(n_groups * self.n_shared, Hold::default());
        self.line.resize(n_groups * self.n_shared, Hold::default());
    }

    /// Room for the groups of all: after a restore one crowd may have more than the others.
    fn make_room_for(&mut self, crowds: &[Crowd]) {
        self.make_room(crowds.iter().map(|crowd| crowd.core.groups.len()).max().unwrap_or(0));
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
            + (self.held.capacity() + self.line.capacity()) * size_of::<Hold>()
    }

    /// By group, where each line begins; groups behind the last one that ever had a line are left
    /// out.
    pub(crate) fn heads(&self) -> Vec<Place> {
        let end = self.slots.iter().rposition(|slot| slot.head != Place::default());
        self.slots[..end.map_or(0, |last| last + 1)].iter().map(|slot| slot.head).collect()
    }

    /// The lines of so many groups begin there; those behind the last one that is told have none.
    pub(crate) fn set_heads(&mut self, n_groups: usize, heads: &[Place]) {
        self.make_room(heads.len().min(n_groups));
        self.slots.iter_mut().zip(heads).for_each(|(slot, head)| slot.head = *head);
    }

    /// Gives claims to those who ask, as far as they can be had.
    pub(crate) fn hand_out(&mut self, crowds: &mut [Crowd]) -> HandedOut {
        let mut handed = HandedOut::default();
        if crowds.iter().all(|crowd| crowd.core.claims.is_quiet()) {
            return handed;
        }
        self.take_back(crowds);
        self.make_room_for(crowds);
        self.round += 1;
        self.sweep(crowds, false, &mut handed);
        if self.slots.iter().any(|slot| slot.is_jammed) {
            self.add_up(crowds);
            self.sweep(crowds, true, &mut handed);
        }
        for slot in &mut self.slots {
            slot.is_jammed = false;
            slot.head = slot.next_head.take().unwrap_or(slot.head);
        }
        for crowd in crowds {
            crowd.core.claims.handed_out();
            let (asks, waiting) = (crowd.core.claims.asks(), crowd.core.columns.waiting());
            let words = asks.words().iter().zip(waiting.words());
            handed.queued +=
                words.map(|(asks, not)| (asks & !not).count_ones() as usize).sum::<usize>();
        }
        handed
    }

    /// What the game says may leave less than was claimed: who can no longer have its claim gives
    /// it back. Nobody gets one.
    pub(crate) fn take_back(&mut self, crowds: &mut [Crowd]) {
        if !crowds.iter().any(|crowd| crowd.core.claims.has_said()) {
            return;
        }
        self.make_room_for(crowds);
        self.round += 1;
        for (group, slot) in self.slots.iter_mut().enumerate() {
            slot.is_jammed = crowds.iter().any(|crowd| crowd.core.claims.was_said(group));
        }
        self.add_up(crowds);
        self.slots.iter_mut().for_each(|slot| slot.is_jammed = false);
    }

    /// Walks along the lines once, of those groups that are jammed or of the others. Who is not
    /// admitted to claims that may be out of date jams its group.
    fn sweep(&mut self, crowds: &mut [Crowd], jammed: bool, handed: &mut HandedOut) {
        // Who asks like the one refused before is refused too.
        let mut refused = None;
        for is_before in [false, true] {
            for at in 0..crowds.len() {
                let n_words = crowds[at].core.claims.asks().words().len();
                for word in 0..n_words {
                    let core = &crowds[at].core;
                    let waiting = core.columns.waiting().words()[word];
                    for bit in ones(core.claims.asks().words()[word] & !waiting) {
                        let row = word * 64 + bit;
                        let core = &crowds[at].core;
                        let (place, group) = ((at as u16, row as u32), core.columns.group(row));
                        let slot = &self.slots[group];
                        if slot.is_jammed != jammed || (place < slot.head) != is_before {
                            continue;
                        }
                        let (columns, goal) = (&core.columns, core.columns.goal(row));
                        let asking = (at, group, goal, columns.id(row), columns.steps_done(row));
                        if refused == Some(asking) {
                            continue;
                        }
                        self.footprint.fill(core, row);
                        if !self.footprint.fits() {
                            // It will be planned for again.
                            continue;
                        }
                        self.open(crowds, group);
                        let core = &crowds[at].core;
                        match self.admits(core, group, false) {
                            Admission::Yes => {
                                self.add(core, group, true);
                                crowds[at].core.claims.grant(row, group);
                                handed.claimed += 1;
                            }
                            no if !jammed
                                && (no == Admission::Unknown || is_stale(crowds, group)) =>
                            {
                                self.slots[group].is_jammed = true;
                            }
                            _ => {
                                // Nobody goes before the first.
                                if place == self.slots[group].head {
                                    self.add(core, group, false);
                                }
                                self.slots[group].next_head.get_or_insert(place);
                                refused = (!self.footprint.is_own()).then_some(asking);
                            }
                        }
                    }
                }
            }
        }
    }

    /// Gives a row that has just come to ask a claim, if its group has no line.
    pub(crate) fn ask_at_once(&mut self, crowds: &mut [Crowd], at: usize, row: usize) {
        let core = &crowds[at].core;
        let group = core.columns.group(row);
        let n_asking: usize = crowds.iter().map(|crowd| crowd.core.claims.n_asking(group)).sum();
        if !core.claims.asks().get(row) || core.columns.waiting().get(row) || n_asking > 1 {
            return;
        }
        self.make_room_for(crowds);
        self.round += 1;
        self.footprint.fill(&crowds[at].core, row);
        if !self.footprint.fits() {
            return;
        }
        self.open(crowds, group);
        let was_said = crowds.iter().any(|crowd| crowd.core.claims.was_said(group));
        if was_said || self.admits(&crowds[at].core, group, true) != Admission::Yes {
            self.slots[group].is_jammed = true;
            self.add_up(crowds);
            self.slots[group].is_jammed = false;
            self.footprint.fill(&crowds[at].core, row);
        }
        if self.admits(&crowds[at].core, group, true) == Admission::Yes {
            self.add(&crowds[at].core, group, true);
            crowds[at].core.claims.grant(row, group);
        }
    }

    /// Begins the line of a group, if it has not begun in this round.
    fn open(&mut self, crowds: &mut [Crowd], group: usize) {
        if self.slots[group].round == self.round {
            return;
        }
        self.slots[group].round = self.round;
        let all = group * self.n_shared..(group + 1) * self.n_shared;
        if crowds.iter().all(|crowd| crowd.core.claims.n_holding(group) == 0) {
            self.held[all.clone()].fill(Hold::default());
            crowds.iter_mut().for_each(|crowd| crowd.core.claims.added_up(group));
        }
        self.line[all.clone()].copy_from_slice(&self.held[all]);
    }

    /// Adds up anew what holders of the jammed groups want. One who can no longer have that beside
    /// the others, as the game has said something else, stands in line again.
    fn add_up(&mut self, crowds: &mut [Crowd]) {
        for group in (0..self.slots.len()).filter(|&group| self.slots[group].is_jammed) {
            self.held[group * self.n_shared..][..self.n_shared].fill(Hold::default());
            crowds.iter_mut().for_each(|crowd| crowd.core.claims.added_up(group));
        }
        for crowd in crowds.iter_mut() {
            for word in 0..crowd.core.claims.holds().words().len() {
                for bit in ones(crowd.core.claims.holds().words()[word]) {
                    let (core, row) = (&mut crowd.core, word * 64 + bit);
                    let group = core.columns.group(row);
                    if !self.slots[group].is_jammed {
                        continue;
                    }
                    self.footprint.fill(core, row);
                    if core.columns.waiting().get(row) || !self.footprint.fits() {
                        self.footprint.have_alone();
                    } else if self.admits(core, group, true) != Admission::Yes {
                        core.claims.leave(row, group);
                        core.stand(row);
                        core.claims.added_up(group);
                        continue;
                    }
                    for (place, want, value) in wants(&self.places, core, group, &self.footprint) {
                        self.held[group * self.n_shared + place].add(want, value);
                    }
                }
            }
        }
        for (group, slot) in self.slots.iter_mut().enumerate().filter(|it| it.1.is_jammed) {
            let all = group * self.n_shared..(group + 1) * self.n_shared;
            self.line[all.clone()].copy_from_slice(&self.held[all]);
            slot.round = self.round;
        }
    }

    /// Whether who wants the footprint is admitted beside holders, or also those in line.
    fn admits(&self, core: &Core, group: usize, to_held: bool) -> Admission {
        let holds = if to_held { &self.held } else { &self.line };
        let mut all = Admission::Yes;
        for (place, want, value) in wants(&self.places, core, group, &self.footprint) {
            match holds[group * self.n_shared + place].admits(want, value) {
                Admission::Yes => {}
                no => all = no,
            }
        }
        all
    }

    /// Adds the footprint to the line, and to what is held if it is granted.
    fn add(&mut self, core: &Core, group: usize, is_granted: bool) {
        debug_assert!(!is_granted || self.admits(core, group, true) == Admission::Yes);
        for (place, want, value) in wants(&self.places, core, group, &self.footprint) {
            let at = group * self.n_shared + place;
            let goes = self.held[at].admits(want, value) == Admission::Yes;
            self.line[at].add(want, value);
            if is_granted {
                self.held[at].add(want, value);
            } else if !goes {
                // What is at odds with holders cannot be added up with them: one that goes with
                // the first might be at odds with a holder, and the other way round.
                self.line[at].close();
            }
        }
    }

    /// What a row of a crowd waits for.
    pub(crate) fn waiting_for(
        &self,
        crowds: &[Crowd],
        at: usize,
        row: usize,
    ) -> Option<WaitingFor> {
        let core = &crowds[at].core;
        let (group, own) = (core.columns.group(row), (at as u16, row as u32));
        let (mut wanted, mut other) = (Footprint::default(), Footprint::default());
        wanted.fill(core, row);
        let mut all = vec![Hold::default(); self.n_shared];
        let head = self.slots.get(group).map_or((0, 0), |slot| slot.head);
        let others = crowds.iter().enumerate().flat_map(|(nth, crowd)| {
            let claims = &crowd.core.claims;
            let rows = claims.holds().iter().chain(claims.asks().iter());
            rows.filter(move |&row| crowd.core.columns.group(row) == group)
                .map(move |row| (!claims.holds().get(row), (nth as u16, row as u32)))
        });
        // Holders first, then the first in line.
        let others = others.filter(|&(asks, place)| place != own && (!asks || place == head));
        let mut others: Vec<(bool, Place)> = others.collect();
        others.sort_unstable();
        for (asks, (nth, row)) in others {
            let (its, row) = (&crowds[usize::from(nth)].core, row as usize);
            let waits = its.columns.waiting().get(row);
            if asks && waits {
                continue;
            }
            other.fill(its, row);
            if waits || !other.fits() {
                other.have_alone();
            }
            for (place, want, value) in wants(&self.places, its, group, &other) {
                all[place].add(want, value);
            }
            let mut in_the_way = wants(&self.places, core, group, &wanted)
                .filter(|&(place, want, value)| all[place].admits(want, value) != Admission::Yes);
            if let Some((_, want, _)) = in_the_way.next() {
                return Some(WaitingFor {
                    variable: core.kind.npc().variables()[want.variable.index()],
                    npc_type: its.kind.id(),
                    npc: its.columns.rows().handle(row),
                    is_held: !asks,
                });
            }
        }
        None
    }
}

impl Crowd {
    /// Whether something has changed since claims were last given.
    pub(crate) fn has_claim_news(&self) -> bool {
        self.core.claims.is_fresh()
    }
}

/// Whether what is added up of a group's claims may be more than what is held.
fn is_stale(crowds: &[Crowd], group: usize) -> bool {
    crowds.iter().any(|crowd| crowd.core.claims.is_stale(group))
}

/// The wants of a footprint, each with its place among shared variables and the value that there
/// is now.
fn wants<'f>(
    places: &'f [u32],
    core: &'f Core,
    group: usize,
    footprint: &'f Footprint,
) -> impl Iterator<Item = (usize, &'f Want, u16)> {
    let (variables, shared) = (core.kind.npc().variables(), core.groups.shared(group));
    footprint.wants().iter().map(move |want| {
        let at = want.variable.index();
        (places[variables[at].index()] as usize, want, shared[at])
    })
}
