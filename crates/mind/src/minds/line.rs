//! Who is answered first: which questions the game gets in a tick.
//!
//! In:   the minds, and how many questions may be handed out.
//! Out:  so many of those that are filed: of minds whose goal is urgent first, then about what is
//!       picked as `target`, then the oldest, then of the smaller mind. But every other place is for
//!       the oldest that has waited for half of the time that it is open, if there is one: so what is
//!       less pressing has its turn, and what is urgent does not wait in the same line.
//! Cost: a step per mind that asks, in ticks in which a question waits; else none.

use crate::fact::EntityId;
use crate::mind::Mind;
use crate::orders::MindId;
use crate::questions::{AskedQuestion, IssuedQuestion, Point, QuestionId, QuestionStatus};
use crate::spec::Spec;
use crate::time::Tick;
use crate::turns::Group;

/// The slot whose pick comes before others.
const TARGET: &str = "target";

/// How pressing a question is, the most first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Pressing {
    Urgent,
    Target,
    Usual,
}

/// A question that waits; the first to be handed out is the smallest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct QuestionInLine {
    pressing: Pressing,
    since: Tick,
    mind: MindId,
    number: u32,
    group: u32,
    at: u32,
}

/// Whom a mind has picked as `target`.
fn target(mind: &Mind, slot: Option<usize>) -> Option<EntityId> {
    mind.picks.get(slot?)?.key.entity()
}

/// Hands out so many questions, the first in line first; says whether others wait still.
pub(crate) fn hand_out(
    groups: &mut [Group],
    line: &mut Vec<QuestionInLine>,
    out: &mut Vec<IssuedQuestion>,
    spec: &Spec,
    (budget, now): (Option<u32>, Tick),
) -> bool {
    line.clear();
    let slot = spec.domain.map().find_slot(TARGET).map(|slot| slot.index());
    for (group, it) in groups.iter().enumerate() {
        for (at, mind) in it.minds.iter().enumerate() {
            let is_urgent = mind.goals.active().is_some_and(|goal| spec.goal(goal).urgent);
            let target = target(mind, slot);
            let pressing = |it: &AskedQuestion| match it.ask.about().and_then(|it| it.what) {
                _ if is_urgent => Pressing::Urgent,
                about if about.is_some() && about == target => Pressing::Target,
                _ => Pressing::Usual,
            };
            line.extend(mind.questions.filed().map(|it| QuestionInLine {
                pressing: pressing(it),
                since: it.since,
                mind: mind.id,
                number: it.number,
                group: group as u32,
                at: at as u32,
            }));
        }
    }
    let n = budget.map_or(line.len(), |budget| line.len().min(budget as usize));
    let waits = n < line.len();
    if waits {
        let long = spec.question_patience() / 2;
        let waited = line.iter().filter(|it| now.saturating_sub(it.since) >= long).count();
        // Of an odd number the last place is theirs in every other tick.
        let theirs = waited.min((n + (now % 2) as usize) / 2);
        bring_forward(line, theirs, |it| (it.since, it.mind, it.number));
        bring_forward(&mut line[theirs..], n - theirs, |it| *it);
    }
    line.truncate(n);
    line.sort_unstable();
    for turn in line {
        let mind = &mut groups[turn.group as usize].minds[turn.at as usize];
        out.extend(hand(mind, turn.number));
    }
    waits
}

/// Brings the first `n` by a key to the front, in any order.
fn bring_forward<K: Ord>(
    line: &mut [QuestionInLine],
    n: usize,
    key: impl Fn(&QuestionInLine) -> K,
) {
    if (1..line.len()).contains(&n) {
        line.select_nth_unstable_by_key(n - 1, key);
    }
}

/// Hands out one question of a mind.
fn hand(mind: &mut Mind, number: u32) -> Option<IssuedQuestion> {
    mind.questions.hand_out(number)?;
    again(mind).find(|question| question.id.number() == number)
}

/// The questions of a mind that the game has.
pub(crate) fn again(mind: &Mind) -> impl Iterator<Item = IssuedQuestion> + '_ {
    let own = Point::of(mind.me, mind.here);
    let handed = mind.questions.all().iter();
    let handed = handed.filter(|it| it.status == QuestionStatus::HandedOut);
    handed.map(move |it| IssuedQuestion {
        id: QuestionId::of(mind.id, it.number),
        mind: mind.id,
        me: mind.me,
        ask: it.ask,
        from: it.ask.from().unwrap_or(own),
        to: it.ask.about(),
        since: it.since,
    })
}
