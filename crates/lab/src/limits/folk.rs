//! NPCs of the Western as a crowd holds them: grouped by type and goal, in random states.
//!
//! In:   how many.
//! Out:  columns of states in three forms, and for every case the right plan.
//! Cost: the single planner once per case; then a few bytes per NPC.
//!
//! Every NPC needs three to ten steps: what the papers count as plans of a game. The right plan of
//! a case is that of the single planner, judged by replay and by the length that a plain search
//! found.

use super::ROUNDS_TOGETHER;
use crate::harness::{Timed, wall_together};
use crate::judge::Verdict;
use crate::people::part;
use crate::report::{BenchResult, Session};
use crate::town::{Ours, Town, drawn, packed};
use std::hint::black_box;
use std::ops::{Range, RangeInclusive};
use throng_crowd::space::Space;
use throng_domain::compile::{LocalAction, PackedValue, UNKNOWN};

/// Steps that an NPC needs.
const LENGTHS: RangeInclusive<usize> = 3..=10;

/// NPCs of one type that want the same.
pub(super) struct Group {
    /// The position of type and goal among the town's trades.
    pub(super) trade: usize,
    /// By NPC, the position of its case.
    pub(super) cases: Vec<u32>,
    /// By NPC, the number of its state.
    pub(super) numbers: Vec<u16>,
    /// By NPC, its packed state.
    pub(super) words: Vec<u64>,
    /// By variable and NPC, the value.
    pub(super) columns: Vec<Vec<u8>>,
}

/// All groups, with the right answers.
pub(super) struct Folk {
    pub(super) town: Town,
    pub(super) groups: Vec<Group>,
    /// By case, the single planner's plan.
    pub(super) right: Vec<Vec<LocalAction>>,
}

/// Some NPCs of a group, and the place for their answers.
pub(super) struct Piece<'o, T> {
    pub(super) group: usize,
    pub(super) first: usize,
    pub(super) out: &'o mut [T],
}

impl<T> Piece<'_, T> {
    /// Where its NPCs are in the group.
    pub(super) fn rows(&self) -> Range<usize> {
        self.first..self.first + self.out.len()
    }

    /// The rows of a column of the group that belong to it.
    pub(super) fn of<'c, C>(&self, column: &'c [C]) -> &'c [C] {
        &column[self.rows()]
    }
}

impl Folk {
    /// So many NPCs, as many of each type and goal; their plans are judged here, once per case.
    pub(super) fn new(n_npcs: usize, session: &mut Session<'_>) -> BenchResult<Folk> {
        let town = Town::new("western", LENGTHS, usize::MAX)?;
        let mut ours = Ours::new(town.domain.compiled())?;
        let mut right = Vec::new();
        for case in &town.cases {
            let outcome = ours.answer(&town, case);
            let verdict = town.judge(case, |asked| asked.ours(&outcome, &ours.solver.plan));
            if verdict != Verdict::Right {
                session.wrong.push(format!("western: {verdict:?} from {:?}", case.values));
            }
            right.push(ours.solver.plan.clone());
        }
        let n_trades = town.trades.len();
        let groups: BenchResult<Vec<Group>> =
            (0..n_trades).map(|at| Group::new(&town, at, part(n_npcs, at, n_trades))).collect();
        Ok(Folk { groups: groups?, town, right })
    }

    /// How many NPCs there are.
    pub(super) fn len(&self) -> usize {
        self.groups.iter().map(|group| group.cases.len()).sum()
    }

    /// The place for everybody's answer in equal shares, each with a part of every group.
    pub(super) fn shares<'o, T>(
        &self,
        n_shares: usize,
        mut out: &'o mut [T],
    ) -> Vec<Vec<Piece<'o, T>>> {
        let mut shares: Vec<Vec<Piece<'o, T>>> = (0..n_shares).map(|_| Vec::new()).collect();
        for (group, Group { cases, .. }) in self.groups.iter().enumerate() {
            let mut first = 0;
            for (at, share) in shares.iter_mut().enumerate() {
                let end = cases.len() * (at + 1) / n_shares;
                let (own, rest) = out.split_at_mut(end - first);
                out = rest;
                share.push(Piece { group, first, out: own });
                first = end;
            }
        }
        shares
    }

    /// Hands out the place for everybody's answer, group by group.
    pub(super) fn each<T>(&self, out: &mut [T], work: impl FnMut(&mut Piece<'_, T>)) {
        self.shares(1, black_box(out)).iter_mut().flatten().for_each(work);
    }

    /// The wall time of two threads, each with a half of every group.
    pub(super) fn wall_of_two<T: Send, S: Default + Send>(
        &self,
        session: &mut Session<'_>,
        out: &mut [T],
        work: impl Fn(&mut Piece<'_, T>, &mut S) + Sync,
    ) -> Timed {
        let shares = self.shares(2, out).into_iter();
        let mut parts: Vec<_> = shares.map(|share| (share, S::default())).collect();
        let (rounds, sweep) = (session.pick(ROUNDS_TOGETHER, 2), &mut session.sweep);
        wall_together(rounds, &mut parts, &mut || sweep.run(), |(pieces, scratch)| {
            pieces.iter_mut().for_each(|piece| work(piece, scratch));
        })
    }

    /// Tells the session if an NPC's answer is not the right one of its case.
    pub(super) fn check<T: PartialEq>(
        &self,
        row: &str,
        answers: &[T],
        right: &[T],
        session: &mut Session<'_>,
    ) {
        let cases = self.groups.iter().flat_map(|group| &group.cases);
        check_cases(row, cases, answers, right, session);
    }

    /// By case, the right plan in one word.
    pub(super) fn right_words(&self) -> Vec<u64> {
        self.right.iter().map(|plan| packed(plan)).collect()
    }
}

/// Tells the session if the answers to cases are not the right ones.
pub(super) fn check_cases<'c, T: PartialEq>(
    row: &str,
    cases: impl Iterator<Item = &'c u32>,
    answers: &[T],
    right: &[T],
    session: &mut Session<'_>,
) {
    let cases: Vec<&u32> = cases.collect();
    let pairs = cases.iter().zip(answers);
    let n_wrong = pairs.filter(|(case, answer)| right[***case as usize] != **answer).count();
    if n_wrong > 0 || answers.len() != cases.len() {
        let all = cases.len();
        session.wrong.push(format!("{row}: {n_wrong} of {all} NPCs got another plan"));
    }
}

impl Group {
    fn new(town: &Town, trade: usize, n: usize) -> BenchResult<Group> {
        let (compiled, npc) = (town.domain.compiled(), town.trades[trade].npc);
        let kind = compiled.npc(npc);
        let space = Space::new(compiled.map(), kind);
        let of_trade = |case: &u32| town.cases[*case as usize].trade == trade;
        let own: Vec<u32> = (0..town.cases.len() as u32).filter(of_trade).collect();
        if own.is_empty() {
            return Err("a goal that nobody needs three steps for".into());
        }
        let cases = drawn(&own, n);
        let mut group = Group {
            trade,
            numbers: Vec::with_capacity(n),
            words: Vec::with_capacity(n),
            columns: vec![Vec::with_capacity(n); kind.variables().len()],
            cases,
        };
        let mut local: Vec<PackedValue> = Vec::new();
        for &case in &group.cases {
            let case = &town.cases[case as usize];
            local.clear();
            local.extend(kind.variables().iter().map(|variable| case.values[variable.index()]));
            let number = space.index_of(&local).and_then(|number| u16::try_from(number).ok());
            group.numbers.push(number.ok_or("too many states")?);
            group.words.push(case.start);
            for (column, &value) in group.columns.iter_mut().zip(&local) {
                column.push(if value == UNKNOWN { u8::MAX } else { value as u8 });
            }
        }
        Ok(group)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_hold_everybody_once_whatever_their_number() {
        let mut session = Session::default();
        let Ok(folk) = Folk::new(1001, &mut session) else { panic!("the Western loads") };
        assert_eq!((folk.len(), session.wrong.len()), (1001, 0));
        for n_shares in [1, 2, 3] {
            let mut out = vec![0u32; folk.len()];
            for piece in folk.shares(n_shares, &mut out).into_iter().flatten() {
                let cases = piece.of(&folk.groups[piece.group].cases);
                piece.out.copy_from_slice(cases);
            }
            let right: Vec<u32> = (0..folk.right.len() as u32).collect();
            folk.check("cases", &out, &right, &mut session);
            assert_eq!(session.wrong.len(), 0, "{n_shares}");
            // And the check can fail.
            out[500] = u32::MAX;
            folk.check("cases", &out, &right, &mut session);
            assert_eq!(session.wrong.len(), 1);
            session.wrong.clear();
        }
    }
}
