//! The sets of actions that can be there together, and the prices they can have.
//!
//! In:   the checks, kinds and overrides of a type; what can be lacking; prices of the game's.
//! Out:  every different mask of actions, if the questions behind them are few; else some.
//! Cost: a mask for every way to answer [`MOST_QUESTIONS`] questions.

use super::Circumstances;
use super::meter::Meter;
use crate::absence::all_asked;
use crate::context::{ActionMask, Checks};
use std::collections::HashSet;
use throng_domain::compile::{CompiledDomain, LocalAction, NpcTables};
use throng_domain::model::{CheckId, CheckUse};

/// All ways to answer so many questions are tried; beyond, only those that differ from the usual
/// ones in a single answer, or in what one action asks for.
const MOST_QUESTIONS: usize = 12;

/// Prices that are kept: some megabytes.
const MOST_PRICES: usize = 4_000_000;

/// A price that is dearer than every plan, and far from the end of the numbers.
const DEAR: u64 = 1 << 40;

/// What can be there.
pub(super) struct Contexts {
    /// Different sets of actions.
    pub(super) masks: Vec<ActionMask>,
    /// Whether these are all.
    pub(super) complete: bool,
    /// What is in one of the sets; everything, if they are not all.
    pub(super) ever: Vec<bool>,
}

impl Contexts {
    pub(super) fn of(
        domain: &CompiledDomain,
        kind: &NpcTables,
        given: &Circumstances,
        meter: &mut Meter<'_>,
    ) -> Contexts {
        let lists = given.lacking.iter().map(|list| {
            let own = list.iter().filter_map(|&action| kind.local_action(action));
            own.collect::<Vec<LocalAction>>()
        });
        let asking = Asking {
            n_checks: domain.map().n_checks(),
            checks: all_asked(kind),
            lists: lists.filter(|list| !list.is_empty()).collect(),
        };
        let n = asking.checks.len() + asking.lists.len();
        // A mask is made and then looked through.
        let work = |n: usize| (2 * kind.n_actions() as u64) << n;
        if n > MOST_QUESTIONS || meter.spend(work(n)).is_err() {
            return Contexts::some(kind, &asking, n, meter);
        }
        let answers = (0..1u32 << n).map(|at| (0..n).map(|bit| at >> bit & 1 == 0).collect());
        let masks = distinct(answers.map(|answers: Vec<bool>| asking.mask(kind, &answers)));
        let has = |action| masks.iter().any(|mask| mask.has(action));
        let ever = kind.local_actions().map(has).collect();
        Contexts { masks, complete: true, ever }
    }

    /// Those in which all answers are the same, but for one or for those that an action asks for:
    /// where it is there and as little else as can be, it may be the best there is.
    fn some(kind: &NpcTables, asking: &Asking, n: usize, meter: &mut Meter<'_>) -> Contexts {
        let but_one = |usual: bool| {
            (0..=n).map(move |but| (0..n).map(|at| (at == but) != usual).collect::<Vec<bool>>())
        };
        // The last of each leaves out nothing: all answers are the same.
        let answers = but_one(true).rev().chain(but_one(false).rev());
        let all = kind.local_actions();
        let answers = answers.chain(all.flat_map(|action| asking.answers_for(kind, action, n)));
        // The first is the usual one: without it there would be nothing to look at.
        let work = (n + kind.n_actions()) as u64;
        let allowed =
            answers.enumerate().take_while(|(at, _)| meter.spend(work).is_ok() || *at == 0);
        let masks = distinct(allowed.map(|(_, answers)| asking.mask(kind, &answers)));
        Contexts { masks, complete: false, ever: vec![true; kind.n_actions()] }
    }
}

/// The questions whose answers decide what is there.
struct Asking {
    n_checks: usize,
    checks: Vec<CheckId>,
    /// Actions that can be lacking together.
    lists: Vec<Vec<LocalAction>>,
}

impl Asking {
    /// The answers that an action asks for, all others yes, or all others no; once for each of its
    /// kinds.
    fn answers_for(&self, kind: &NpcTables, action: LocalAction, n: usize) -> Vec<Vec<bool>> {
        let kinds = kind.kinds(action).iter().map(|&way| kind.kind_checks(way));
        let ways: Vec<&[CheckUse]> = kinds.chain([&[][..]]).collect();
        let mut all = Vec::new();
        for (way, usual) in ways.iter().flat_map(|way| [(way, true), (way, false)]) {
            let mut answers = vec![usual; n];
            for used in kind.checks(action).iter().chain(*way) {
                if let Ok(at) = self.checks.binary_search(&used.check) {
                    answers[at] = used.expected;
                }
            }
            let lists = self.lists.iter().zip(&mut answers[self.checks.len()..]);
            for (_, there) in lists.filter(|(list, _)| list.contains(&action)) {
                *there = true;
            }
            all.push(answers);
        }
        all
    }

    /// What is there for these answers: first those to the checks, then whether lists are there.
    fn mask(&self, kind: &NpcTables, answers: &[bool]) -> ActionMask {
        let mut checks = Checks::all(self.n_checks);
        self.checks.iter().zip(answers).for_each(|(&check, &answer)| checks.set(check, answer));
        let mut lacking = ActionMask::none(kind.n_actions());
        let lists = self.lists.iter().zip(&answers[self.checks.len()..]);
        for (list, _) in lists.filter(|(_, there)| !**there) {
            list.iter().for_each(|&action| lacking.set(action, true));
        }
        let mut mask = ActionMask::default();
        mask.fill_enabled(kind, &checks, &lacking);
        mask
    }
}

fn distinct(masks: impl Iterator<Item = ActionMask>) -> Vec<ActionMask> {
    let mut seen = HashSet::new();
    masks.filter(|mask| seen.insert(mask.clone())).collect()
}

/// Prices to try, by action: what the domain says; and if the game tells some, for every action
/// all that could make it the better choice.
pub(super) struct Prices {
    /// The first is what the domain says, if the game does not say otherwise for sure.
    pub(super) all: Vec<Vec<u64>>,
    /// Whether no other prices are possible.
    pub(super) complete: bool,
}

pub(super) fn prices(kind: &NpcTables, given: &Circumstances) -> Prices {
    let said: Vec<u64> = kind.local_actions().map(|action| kind.cost(action)).collect();
    let own: Vec<(usize, u64, u64)> = given
        .prices
        .iter()
        .filter_map(|(action, prices)| {
            let at = kind.local_action(*action)?.index();
            let (least, most) = (prices.iter().min(), prices.iter().max());
            Some((at, *least.unwrap_or(&1), *most.unwrap_or(&DEAR)))
        })
        .collect();
    if own.is_empty() {
        return Prices { all: vec![said], complete: true };
    }
    let with = |pick: &dyn Fn(usize, u64, u64) -> u64| {
        let mut prices = said.clone();
        own.iter().for_each(|&(at, least, most)| prices[at] = pick(at, least, most));
        prices
    };
    let mut all = vec![said.clone(), with(&|_, least, _| least), with(&|_, _, most| most)];
    for &(own, ..) in own.iter().take(MOST_PRICES / (2 * said.len().max(1))) {
        all.push(with(&|at, least, most| if at == own { least } else { most }));
        all.push(with(&|at, least, most| if at == own { most } else { least }));
    }
    let mut seen = HashSet::new();
    all.retain(|prices| seen.insert(prices.clone()));
    Prices { all, complete: false }
}
