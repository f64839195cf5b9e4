//! A frame: those who wait get their answers, each from the cheapest source that has one.
//!
//! | # | phase | reads | writes |
//! |---|---|---|---|
//! | 1 | settle | groups, group, goal, state, plan | waiting, groups, tables |
//! | 2 | forget | tables | tables, memory |
//! | 3 | choose | waiting, urgency, group, groups, turns, budget | turns |
//! | 4 | tables | turns, state, goal, group, groups, tables, budget | plan, waiting, turns, tables, budget, report |
//! | 5 | wide | turns, state, goal, group, groups, tables, kernel, budget | plan, waiting, turns, kernel, budget, report |
//! | 6 | lists | turns, state, goal, group, groups, tables, budget | plan, waiting, turns, tables, budget, report |
//! | 7 | remember | turns, state, goal, group, groups, tables, memory | plan, waiting, turns, tables, questions, report |
//! | 8 | order | questions, urgency, group, groups, budget | questions |
//! | 9 | resume | questions, searches, state, goal, group, groups, tables, waiting, budget | plan, waiting, turns, tables, memory, questions, searches, budget, report |
//! | 10 | plan | questions, state, goal, group, groups, budget | plan, waiting, turns, memory, questions, budget, report |
//! | 11 | search | questions, searches, state, goal, group, groups, budget | plan, waiting, turns, memory, questions, searches, budget, report |
//! | 12 | claim | turns, plan, waiting, goal, group, groups, claims | claims, report |
//!
//! In:   the rows that wait, and a budget.
//! Out:  their plans and verdicts, and a [`FrameReport`]; what is left waits for the next frame.
//! Cost: a load per row that a table serves; each source says its own.
//!
//! Who is served and what is planned is decided before work is split, so the outcome does not
//! depend on threads. The table is [`PHASES`]; a test holds it to be the truth.

#[cfg(test)]
mod phases;

use super::Crowd;
use crate::settings::{Frame, FrameBudget, FrameReport};
use crate::tables;
use throng_base::ones;

/// A part of a crowd, or of what a frame works with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Part {
    Groups,
    Group,
    Goal,
    State,
    Urgency,
    Waiting,
    Plan,
    Claims,
    Turns,
    Tables,
    Kernel,
    Memory,
    Questions,
    Searches,
    Budget,
    Report,
}

/// A row of the table.
#[cfg_attr(not(test), expect(dead_code, reason = "all but `run` is for readers and for the test"))]
pub(super) struct Phase {
    name: &'static str,
    reads: &'static [Part],
    writes: &'static [Part],
    run: fn(&mut Crowd, &mut Frame),
}

const fn phase(
    name: &'static str,
    reads: &'static [Part],
    writes: &'static [Part],
    run: fn(&mut Crowd, &mut Frame),
) -> Phase {
    Phase { name, reads, writes, run }
}

/// The phases in their order, with what they read and write.
#[rustfmt::skip]
const PHASES: [Phase; 12] = {
    use Part::*;
    [
        phase("settle", &[Groups, Group, Goal, State, Plan], &[Waiting, Groups, Tables],
            |crowd, _| crowd.settle()),
        phase("forget", &[Tables], &[Tables, Memory],
            |crowd, _| tables::forget_gone(&mut crowd.core, &mut crowd.memory)),
        phase("choose", &[Waiting, Urgency, Group, Groups, Turns, Budget], &[Turns],
            |crowd, frame| crowd.choose(frame)),
        phase("tables", &[Turns, State, Goal, Group, Groups, Tables, Budget], &[Plan, Waiting, Turns, Tables, Budget, Report],
            |crowd, frame| crowd.tables.serve(&mut crowd.core, &crowd.memory, frame)),
        phase("wide", &[Turns, State, Goal, Group, Groups, Tables, Kernel, Budget], &[Plan, Waiting, Turns, Kernel, Budget, Report],
            |crowd, frame| crowd.wide.serve(&mut crowd.core, frame)),
        phase("lists", &[Turns, State, Goal, Group, Groups, Tables, Budget], &[Plan, Waiting, Turns, Tables, Budget, Report],
            |crowd, frame| crowd.lists.serve(&mut crowd.core, frame)),
        phase("remember", &[Turns, State, Goal, Group, Groups, Tables, Memory], &[Plan, Waiting, Turns, Tables, Questions, Report],
            |crowd, frame| crowd.questions.gather(&mut crowd.core, &crowd.memory, frame)),
        phase("order", &[Questions, Urgency, Group, Groups, Budget], &[Questions],
            |crowd, frame| crowd.direct.order(&crowd.core, &mut crowd.questions, frame)),
        phase("resume", &[Questions, Searches, State, Goal, Group, Groups, Tables, Waiting, Budget], &[Plan, Waiting, Turns, Tables, Memory, Questions, Searches, Budget, Report],
            |Crowd { core, questions, memory, searches, .. }, frame| searches.resume(core, questions, memory, frame)),
        phase("plan", &[Questions, State, Goal, Group, Groups, Budget], &[Plan, Waiting, Turns, Memory, Questions, Budget, Report],
            |Crowd { core, questions, memory, direct, .. }, frame| direct.serve(core, questions, memory, frame)),
        phase("search", &[Questions, Searches, State, Goal, Group, Groups, Budget], &[Plan, Waiting, Turns, Memory, Questions, Searches, Budget, Report],
            |Crowd { core, questions, memory, searches, .. }, frame| searches.serve(core, questions, memory, frame)),
        phase("claim", &[Turns, Plan, Waiting, Goal, Group, Groups, Claims], &[Claims, Report],
            |crowd, frame| crowd.claim(frame)),
    ]
};

/// How many phases there are up to that of tables.
const BY_TABLES: usize = 4;

impl Crowd {
    /// Serves those who wait, the most urgent first, within a budget.
    pub fn plan(&mut self, budget: FrameBudget) -> FrameReport {
        let mut frame = Frame::new(budget);
        self.serve_from_tables(&mut frame);
        self.serve_the_rest(&mut frame);
        self.report(&frame)
    }

    /// Begins a frame, up to what tables answer.
    pub(crate) fn serve_from_tables(&mut self, frame: &mut Frame) {
        self.core.turns.begin();
        PHASES[..BY_TABLES].iter().for_each(|phase| (phase.run)(self, frame));
    }

    /// Whether somebody is to be served in this frame and has no answer yet.
    pub(crate) fn has_more_to_serve(&self) -> bool {
        !self.core.turns.serve.is_empty()
    }

    /// The phases of a frame after tables.
    pub(crate) fn serve_the_rest(&mut self, frame: &mut Frame) {
        PHASES[BY_TABLES..].iter().for_each(|phase| (phase.run)(self, frame));
    }

    /// What came of a frame.
    pub(crate) fn report(&self, frame: &Frame) -> FrameReport {
        let mut report = frame.report;
        report.served = report.plans + report.satisfied + report.impossible + report.gave_up;
        report.deferred = self.core.columns.waiting().count();
        report
    }

    /// Compares all NPCs with what their groups have become; those concerned wait from now on.
    /// `plan` and `apply_next` begin with it. Call it before asking many how they stand: until
    /// then each of them is compared anew.
    pub fn settle(&mut self) {
        self.settling.settle(&mut self.core);
    }

    /// Those who were served and come to a step that touches what their group shares ask for a
    /// claim to that, and get it or stand in line.
    fn claim(&mut self, frame: &mut Frame) {
        self.make_room_for_claims();
        let core = &mut self.core;
        if core.kind.effects().some_touch_shared() {
            for at in 0..core.turns.chosen().words().len() {
                let served = core.turns.chosen().words()[at] & !core.columns.waiting().words()[at];
                // Who has no step left has nothing to ask for, and perhaps something to give back.
                let may_stand = core.columns.moving().words()[at] | core.claims.known(at);
                for bit in ones(served & may_stand) {
                    let row = at * 64 + bit;
                    // Who holds a claim may want something else with it now: it is held to what
                    // the others have.
                    if core.claims.holds().get(row) {
                        core.claims.say(core.columns.group(row));
                    }
                    core.stand(row);
                }
            }
        }
        if !self.is_one_of_several() {
            let handed = self.with_line(|line, crowds| line.hand_out(crowds));
            frame.report.claimed += handed.claimed;
            frame.report.queued += handed.queued;
        }
    }

    /// Decides who is served.
    fn choose(&mut self, frame: &Frame) {
        let core = &mut self.core;
        core.turns.choose(&core.columns, core.groups.rates(), frame.npcs);
    }

    /// How many would wait in the next frame, by urgency; those without a turn left aside.
    pub(crate) fn count_waiting(&mut self, counts: &mut [usize; 256]) {
        self.settle();
        self.core.turns.count(&self.core.columns, self.core.groups.rates(), counts);
    }
}
