//! Goals: which one matters most now.
//!
//! In:   memory, state, the goals of the type with their relevance, margins and times.
//! Out:  a score per goal, and the order in which to try them.
//! Cost: nothing while nothing has changed; else one pass over the goals, of which the relevance of
//!       those is made anew for which something has changed.
//!
//! One goal is active. Another takes its place only if it scores higher by the active goal's
//! `margin` and the active goal has had its `keep` time, unless the other is `urgent` or the
//! active one has no relevance any more. A goal that was left rests for its `cooldown`. A goal
//! that holds is never chosen. For as long as a goal `lingers` after it was reached or has lost its
//! relevance, nothing that matters less begins, unless it is urgent.

use crate::condition::Situation;
use crate::known::Known;
use crate::spec::watched::{Inputs, VALUES};
use crate::spec::{GoalSpec, Spec};
use crate::symbols::State;
use crate::time::{NEVER, Tick, after};
use crate::versions::Versions;
use throng_base::codec::{DecodeError, Decoder, Encoder};
use throng_base::{codec_enum, codec_struct};
use throng_domain::model::{GoalId, NpcTypeId};

/// How a goal stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It is being pursued.
    Active,
    /// It holds.
    Satisfied,
    /// Its relevance is zero.
    Irrelevant,
    /// It was left not long ago.
    Resting,
    /// It matters less than the active one, or not enough more.
    Outscored,
    /// There is no plan for it, as things are.
    NoPlan,
    /// The planner gave up: its budget was not enough.
    GaveUp,
    /// It matters less than one that was reached a moment ago, and that lingers.
    HeldBack,
}

/// One goal of one mind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GoalState {
    /// The goal.
    pub goal: GoalId,
    /// Relevance from 0 to 1.
    pub relevance: f32,
    /// Relevance times priority.
    pub score: f32,
    /// Why it is, or is not, the active one.
    pub standing: Standing,
    /// When it may be chosen again.
    pub(crate) rests_until: Tick,
    /// The version of the state for which it is known that there is no plan, plus one.
    pub(crate) no_plan_for: u64,
    /// That is not certain: the planner gave up.
    pub(crate) gave_up: bool,
    asked: AskedUntil,
}

/// When the relevance of a goal may change by itself; 0: it was not asked for yet. It follows from the
/// rest, so goals that differ only in this are equal, and it is not saved: a goal that comes back is
/// asked for once.
#[derive(Clone, Copy, Debug, Default)]
struct AskedUntil(Tick);

impl PartialEq for AskedUntil {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl GoalState {
    fn why_no_plan(&self) -> Standing {
        if self.gave_up { Standing::GaveUp } else { Standing::NoPlan }
    }
}

/// Which goals are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tried {
    /// All of them.
    All,
    /// Those that may take the active one's place.
    Better,
    /// Of these the urgent ones.
    Urgent,
}

/// The goals of one mind.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Goals {
    all: Vec<GoalState>,
    active: Option<usize>,
    since: Tick,
    /// How often the active goal changed.
    switches: u32,
    /// Positions in `all`: those that may take the active one's place, best first, then the active
    /// one, then the others, best first.
    order: Vec<u16>,
    /// How many of them may take the active one's place.
    n_challengers: usize,
    /// What scores were made of: the version of the state, and what it was made of.
    seen: Option<(u64, Versions)>,
    wake: Tick,
    /// What was reached a moment ago.
    pub(crate) linger: Linger,
}

/// Nothing of a lower score than this begins before then, unless it is urgent.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Linger {
    until: Tick,
    score: f32,
}

impl Goals {
    /// Whether these are others bit by bit: two zeros may differ in their sign.
    pub(crate) fn are_same(&self, other: &Goals) -> bool {
        let bits = |goal: &GoalState| [goal.relevance, goal.score].map(f32::to_bits);
        let seen_are = match (&self.seen, &other.seen) {
            (Some((_, one)), Some((_, two))) => one.is_same(two),
            (one, two) => one.is_none() && two.is_none(),
        };
        seen_are
            && self.linger.score.to_bits() == other.linger.score.to_bits()
            && self.all.iter().zip(&other.all).all(|(one, two)| bits(one) == bits(two))
            && self == other
    }

    pub(crate) fn new(spec: &Spec, npc: NpcTypeId) -> Self {
        let goal = |&goal: &GoalId| GoalState {
            goal,
            relevance: 0.0,
            score: 0.0,
            standing: Standing::Irrelevant,
            rests_until: 0,
            no_plan_for: 0,
            gave_up: false,
            asked: AskedUntil::default(),
        };
        let all: Vec<GoalState> = spec.domain.npc(npc).goals().iter().map(goal).collect();
        let order = Vec::with_capacity(all.len());
        Goals { all, order, ..Goals::default() }
    }

    throng_base::getters! {
        /// All goals of the type, in declared order.
        all: &[GoalState];

        /// The tick since which the active goal is pursued.
        since: Tick;

        /// How often the active goal changed so far.
        switches: u32;
    }

    /// The one that is pursued.
    pub fn active(&self) -> Option<GoalId> {
        self.active.map(|at| self.all[at].goal)
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.all.capacity() * size_of::<GoalState>() + self.order.capacity() * 2
    }

    /// When scores or times may change by themselves.
    pub(crate) fn wake(&self) -> Tick {
        // After another goal became the active one the times are not computed yet.
        if self.seen.is_none() { 0 } else { self.wake }
    }

    /// The first of the goals to try that has not been tried in the state as it is.
    pub(crate) fn first_untried(&self, tried: Tried, spec: &Spec) -> Option<GoalId> {
        let order = self.order(tried).iter().map(|&at| usize::from(at));
        let mut untried = order.filter(|&at| self.is_untried(at)).map(|at| self.all[at].goal);
        untried.find(|&goal| tried != Tried::Urgent || spec.goal(goal).urgent)
    }

    /// Whether a goal has not been tried in the state as it is, nor an alternative of it.
    pub(crate) fn is_untried(&self, at: usize) -> bool {
        matches!(self.all[at].standing, Standing::Outscored | Standing::Active)
    }

    /// Whether a goal was found to have no plan, since one last had.
    pub(crate) fn lacks_a_plan(&self) -> bool {
        self.all.iter().any(|entry| entry.no_plan_for > 0)
    }

    pub(crate) fn active_at(&self) -> Option<usize> {
        self.active
    }

    /// Scores are made anew, whatever has changed.
    pub(crate) fn forget_scores(&mut self) {
        self.seen = None;
    }

    /// Scores all goals and lists those that may take the active one's place. Says whether
    /// anything was done. `changed` is what is otherwise than in the tick before: goals for which it
    /// makes no difference keep their relevance.
    pub(crate) fn update(
        &mut self,
        spec: &Spec,
        state: &State,
        situation: &Situation<'_>,
        changed: Inputs,
    ) -> bool {
        let seen = Some((state.version(), Versions::of(spec, situation)));
        if seen == self.seen && situation.now < self.wake {
            return false;
        }
        self.seen = seen;
        self.wake = NEVER;
        let active = self.active.filter(|&at| self.all[at].standing == Standing::Active);
        let before = active.map_or(0.0, |at| self.all[at].score);
        for at in 0..self.all.len() {
            self.score(at, spec, state, situation, changed);
        }
        match self.active.map(|at| (at, self.all[at].standing)) {
            Some((_, Standing::Active)) => self.linger = Linger::default(),
            Some((at, _)) if active.is_some() && self.goal_spec(spec, at).lingers > 0 => {
                let until = after(situation.now, self.goal_spec(spec, at).lingers);
                self.linger = Linger { until, score: before };
            }
            _ => {}
        }
        self.put_in_order(spec, situation.now, state.version());
        true
    }

    fn score(
        &mut self,
        at: usize,
        spec: &Spec,
        state: &State,
        situation: &Situation<'_>,
        changed: Inputs,
    ) {
        let (entry, wake) = (&mut self.all[at], &mut self.wake);
        let AskedUntil(until) = entry.asked;
        let is_due = until <= situation.now || spec.watched.goal(entry.goal) & changed != 0;
        if is_due {
            let (relevance, until) = relevance(spec, entry.goal, situation);
            let priority = spec.domain.goal(entry.goal).priority();
            (entry.relevance, entry.asked) = (relevance, AskedUntil(until));
            entry.score = relevance * (priority.0 as f32 / 1000.0);
        }
        *wake = (*wake).min(entry.asked.0);
        // What did not hold then does not hold now.
        let satisfied = match changed & VALUES == 0 && until != 0 {
            true => entry.standing == Standing::Satisfied,
            false => holds(spec, state, entry.goal),
        };
        #[cfg(debug_assertions)]
        assert_as_made_anew(spec, state, entry, situation, satisfied);
        entry.standing = match () {
            () if satisfied => Standing::Satisfied,
            () if entry.score <= 0.0 => Standing::Irrelevant,
            () if Some(at) == self.active => Standing::Active,
            () if entry.rests_until > situation.now => {
                *wake = (*wake).min(entry.rests_until);
                Standing::Resting
            }
            () => Standing::Outscored,
        };
    }

    /// Lists the goals in the order to try them.
    fn put_in_order(&mut self, spec: &Spec, now: Tick, version: u64) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        let active = self.active.filter(|&at| self.all[at].standing == Standing::Active);
        for at in 0..self.all.len() {
            if self.all[at].standing == Standing::Outscored {
                match self.all[at].no_plan_for == version + 1 {
                    true => self.all[at].standing = self.all[at].why_no_plan(),
                    false if self.is_held_back(spec, at, now) => {
                        self.all[at].standing = Standing::HeldBack;
                        self.wake = self.wake.min(self.linger.until);
                    }
                    false => order.push(at as u16),
                }
            }
        }
        let score = |at: u16| self.all[usize::from(at)].score;
        order.sort_unstable_by(|&a, &b| score(b).total_cmp(&score(a)).then(a.cmp(&b)));
        self.n_challengers = order.len();
        if let Some(active) = active {
            // An urgent goal may pass one that scores higher but must wait, so this is no prefix.
            let mut n = 0;
            for at in 0..order.len() {
                if self.may_replace(spec, active, usize::from(order[at]), now) {
                    order[n..=at].rotate_right(1);
                    n += 1;
                }
            }
            self.n_challengers = n;
            order.insert(n, active as u16);
        }
        self.order = order;
    }

    /// Whether a goal has to wait because one that mattered more was reached a moment ago. What is
    /// urgent waits for nothing.
    fn is_held_back(&self, spec: &Spec, at: usize, now: Tick) -> bool {
        let matters_less = self.all[at].score < self.linger.score;
        now < self.linger.until && matters_less && !self.goal_spec(spec, at).urgent
    }

    /// Until when nothing that matters less than the last goal begins.
    pub(crate) fn lingers_until(&self) -> Tick {
        self.linger.until
    }

    /// Whether a goal may take the active one's place now.
    fn may_replace(&mut self, spec: &Spec, active: usize, at: usize, now: Tick) -> bool {
        let (own, other) = (self.all[active].score, self.all[at].score);
        let bar = own * (1.0 + self.goal_spec(spec, active).margin);
        let is_urgent = |at: usize| spec.goal(self.all[at].goal).urgent;
        // Between urgent goals the usual rules hold, or they would take turns.
        if is_urgent(at) && !is_urgent(active) {
            return other > own;
        }
        let kept_until = after(self.since, self.goal_spec(spec, active).keep);
        if other > bar && now < kept_until {
            self.wake = self.wake.min(kept_until);
        }
        other > bar && now >= kept_until
    }

    /// The goals to try, best first; of the urgent ones alone all that may take the active one's
    /// place.
    pub(crate) fn order(&self, tried: Tried) -> &[u16] {
        match tried {
            Tried::All => &self.order,
            Tried::Better | Tried::Urgent => &self.order[..self.n_challengers],
        }
    }

    fn goal_spec<'s>(&self, spec: &'s Spec, at: usize) -> &'s GoalSpec {
        spec.goal(self.all[at].goal)
    }

    /// There is no plan for a goal while the state is as it is, nor for an alternative of it.
    pub(crate) fn no_plan(&mut self, spec: &Spec, at: usize, version: u64, gave_up: bool) {
        for other in 0..self.all.len() {
            if self.is_untried(other) && self.is_same(spec, at, other) {
                let entry = &mut self.all[other];
                (entry.no_plan_for, entry.gave_up) = (version + 1, gave_up);
                entry.standing = entry.why_no_plan();
            }
        }
    }

    /// Whether two goals are one, or alternatives of one name.
    fn is_same(&self, spec: &Spec, one: usize, two: usize) -> bool {
        let group = |at: usize| spec.domain.goal(self.all[at].goal).group();
        one == two || (group(one).is_some() && group(one) == group(two))
    }

    /// Makes a goal the active one, or none.
    pub(crate) fn activate(&mut self, spec: &Spec, at: Option<usize>, now: Tick) {
        if at == self.active {
            return;
        }
        if let Some(left) = self.active {
            let rests_until = after(now, self.goal_spec(spec, left).cooldown);
            for other in 0..self.all.len() {
                // Else a goal of several alternatives would come back as another of them.
                if self.is_same(spec, left, other) {
                    self.all[other].rests_until = rests_until;
                }
            }
            if self.all[left].standing == Standing::Active {
                self.all[left].standing = Standing::Outscored;
            }
        }
        if let Some(at) = at {
            self.all[at].standing = Standing::Active;
            self.all[at].no_plan_for = 0;
            self.linger = Linger::default();
        }
        self.active = at;
        self.since = now;
        self.switches += 1;
        // Margins and times are measured against another goal now.
        self.seen = None;
    }
}

/// The relevance of a goal, and when it may change by itself.
fn relevance(spec: &Spec, goal: GoalId, situation: &Situation<'_>) -> (f32, Tick) {
    let mut until = NEVER;
    let terms = spec.goal(goal).relevance.iter();
    let relevance = terms.map(|term| term.value(situation, &mut until)).product::<f32>();
    (if relevance.is_nan() { 0.0 } else { relevance.clamp(0.0, 1.0) }, until)
}

/// The plain twin: what was not asked would have given the same, and is not asked too late.
#[cfg(debug_assertions)]
fn assert_as_made_anew(
    spec: &Spec,
    state: &State,
    entry: &GoalState,
    situation: &Situation<'_>,
    satisfied: bool,
) {
    let (relevance, until) = relevance(spec, entry.goal, situation);
    assert_eq!(relevance.to_bits(), entry.relevance.to_bits(), "{entry:?}");
    assert!(entry.asked.0 <= until, "{entry:?}");
    assert_eq!(satisfied, holds(spec, state, entry.goal), "{entry:?}");
}

/// Whether a goal holds, or one of the alternatives that serve the same name.
pub(crate) fn holds(spec: &Spec, state: &State, goal: GoalId) -> bool {
    let compiled = spec.domain.goal(goal);
    match compiled.group() {
        None => state.has_all(compiled.conditions()),
        Some(group) => {
            let goals = spec.domain.goals().iter();
            let mut served = goals.filter(|other| other.group() == Some(group));
            served.any(|goal| state.has_all(goal.conditions()))
        }
    }
}

codec_enum!("standing of a goal" Standing {
    0 => Active,
    1 => Satisfied,
    2 => Irrelevant,
    3 => Resting,
    4 => Outscored,
    5 => NoPlan,
    6 => GaveUp,
    7 => HeldBack,
});

codec_struct!(
    in goal: GoalId;
    GoalState { relevance, score, standing, rests_until, no_plan_for: long_counter, gave_up }
    given { goal: *goal, asked: AskedUntil::default() }
    where |it| (0.0..=1.0).contains(&it.relevance) && (0.0..).contains(&it.score),
        "score of a goal"
);

codec_struct!(
    in known: Known<'_>;
    Goals {
        all each known.own.goals,
        active,
        since: past(known.now),
        switches: counter,
        order,
        n_challengers,
        seen,
        wake,
        linger by (write_linger, read_linger),
    }
    where |goals| goals.is_sound(known.own.goals.len()), "order of goals"
);

codec_struct!(
    Linger { until, score }
    where |it| (0.0..).contains(&it.score), "score of a goal that lingers"
);

/// What minds have had since some were saved without it: written if there is something to say.
fn write_linger(linger: &Linger, to: &mut Encoder, known: &Known<'_>) {
    if known.says_most {
        to.write(linger);
    }
}

fn read_linger(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Linger, DecodeError> {
    if known.says_most { from.read() } else { Ok(Linger::default()) }
}

impl Goals {
    /// Whether all positions are of so many goals, and none is listed twice.
    fn is_sound(&self, n_goals: usize) -> bool {
        let mut listed = self.order.clone();
        listed.sort_unstable();
        listed.is_sorted_by(|one, two| one < two)
            && self.active.is_none_or(|at| at < n_goals)
            && listed.iter().all(|&at| usize::from(at) < n_goals)
            && self.n_challengers <= self.order.len()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::{Goals, Linger, Standing};
    use crate::condition::Situation;
    use crate::memory::Memory;
    use crate::spec::Spec;
    use crate::symbols::State;
    use crate::time::Pace;
    use std::sync::Arc;
    use throng_base::codec::trial::comes_back;
    use throng_domain::formats::{load, no_includes};
    use throng_domain::{Format, Limits};
    use throng_planner::PreparedDomain;

    #[test]
    fn who_gave_up_says_so_as_long_as_nothing_changes() {
        let text = "domain d\nvar a: 0..1\naction go: a -> 1\ngoal g: a = 1\n";
        let loaded = load(
            "t.npc",
            text,
            Format::Npc,
            &Limits::default(),
            &crate::notes::WORDS,
            &mut no_includes,
        );
        let domain = Arc::new(PreparedDomain::new(&loaded.model.unwrap()));
        let npc = domain.npcs()[0].id();
        let pace = Pace { ticks_per_second: 10 };
        let spec = Spec::of(domain, pace);
        let (state, memory) = (State::new(&spec, npc), Memory::new(1));
        let mut goals = Goals::new(&spec, npc);
        for now in 0..3 {
            let situation = Situation::new(&memory, &memory, state.values(), now, pace);
            goals.seen = None;
            assert!(goals.update(&spec, &state, &situation, state.changed()));
            if now == 0 {
                goals.no_plan(&spec, 0, state.version(), true);
            }
            assert_eq!(goals.all()[0].standing, Standing::GaveUp);
        }
    }

    #[test]
    fn standings_come_back() {
        // The list of choices is checked by the compiler.
        comes_back::<Standing>(|trial, _| trial.any());
        comes_back::<Linger>(|trial, round| Linger { until: trial.any(), score: round as f32 });
    }
}
