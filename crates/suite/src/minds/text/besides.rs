//! Random things that are done beside steps, and the channels that actions take.

use super::super::notes::{Scope, WORDS};
use super::{BEHAVIOURS, Writer, some};
use std::fmt::Write;

const CHANNELS: [&str; 4] = ["legs", "hands", "head", "voice"];

impl Writer<'_> {
    /// A clause `uses`, and the channels that it names; now and then none.
    pub(super) fn uses(&mut self) -> (String, Vec<&'static str>) {
        if !self.chance(70) {
            return (String::new(), Vec::new());
        }
        let uses = some(self.dice, &CHANNELS, 30);
        (format!("  uses {}", uses.join(", ")), uses)
    }

    pub(super) fn beside(&mut self, at: usize) {
        // One action that leaves something free, so that it can begin at all.
        let leaves = |uses: &[&str]| !uses.is_empty() && uses.len() < CHANNELS.len();
        let leaving: Vec<usize> =
            (0..self.actions.len()).filter(|&at| leaves(&self.actions[at].uses)).collect();
        let goes_with = self.chance(60) && !leaving.is_empty();
        let (mut with, mut free) = (String::new(), CHANNELS.to_vec());
        if goes_with {
            let first = *self.dice.pick(&leaving);
            let name = self.actions[first].name.clone();
            free.retain(|channel| !self.actions[first].uses.contains(channel));
            let others = self.names(|action| action.name != name);
            let mut all = some(self.dice, &others, 30);
            all.push(name);
            with = format!(" with {}", all.join(", "));
        }
        // Where nobody is ever idle one that goes with anything begins beside something that is done.
        if !goes_with && !self.idles {
            let is_done = |at: &&usize| self.done.contains(&self.actions[**at].name);
            let Some(&first) = leaving.iter().find(is_done) else { return };
            free.retain(|channel| !self.actions[first].uses.contains(channel));
        }
        let uses = some(self.dice, &free, 40).join(", ");
        // One has no code.
        let does = match self.chance(80) {
            true => *self.dice.pick(&BEHAVIOURS),
            false => "gesture",
        };
        let slots: Vec<String> = self.selects.iter().flat_map(|it| it.slots.clone()).collect();
        let groups: Vec<String> = self.selects.iter().map(|it| it.name.clone()).collect();
        let given = match self.dice.below(8) {
            0 | 1 if !slots.is_empty() => self.dice.pick(&slots).clone(),
            2 if !groups.is_empty() => self.dice.pick(&groups).clone(),
            3 => self.dice.pick(&WORDS).to_string(),
            _ => String::new(),
        };
        let has_it = !given.is_empty();
        let given = if has_it { format!("({given})") } else { given };
        let mut line = format!("beside e{at}: {does}{given}{with}");
        line += &self.maybe(70, |writer| format!(" if {}", writer.condition(Scope::ELSEWHERE)));
        _ = write!(line, " uses {uses}");
        line += &self.maybe(45, |writer| format!(" every {}", writer.seconds()));
        line += &self.maybe(50, |writer| format!(" takes {}", writer.seconds()));
        line += &self.maybe(20, |writer| {
            let odds = writer.dice.pick(&["0.2", "0.5", "0.9"]);
            format!(" chance {odds} per {}", writer.seconds())
        });
        for moment in ["first", "then", "else", "finally"] {
            line += &self.maybe(12, |writer| {
                let scope = if has_it { Scope::IT } else { Scope::ELSEWHERE };
                format!(" {moment} {}", writer.effect(scope))
            });
        }
        self.line(&line);
    }
}
