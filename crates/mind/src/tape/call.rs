//! What an entry is about.
//!
//! In:   a call of minds, or of the game's code.
//! Out:  the same as a number, and back.
//! Cost: none.

/// An action or a flavour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// An action, by position.
    Action(u32),
    /// A flavour, by position in the spec.
    Flavour(u32),
}

/// What was called: a door of minds, or code of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MindCall {
    /// A mind began.
    Spawn,
    /// A mind ended.
    Despawn,
    /// A mind was interrupted.
    Interrupt,
    /// A message came. The number stands for what it is about and means nothing else: messages
    /// about the same look the same.
    Tell(u32),
    /// A mind was put somewhere.
    Place,
    /// A variable, by position, was given a value.
    Fact(u32),
    /// A check, by position, was answered by the game.
    Check(u32),
    /// Something was made known to all.
    Share,
    /// The file was replaced.
    Reload,
    /// Another budget for planning.
    Budget,
    /// A mind was put aside.
    Aside,
    /// A mind that was put aside came back, or one that was saved.
    Back,
    /// The tick itself: what comes after it are answers.
    Tick,
    /// Code answered: a sensor, by position in the spec.
    Sensor(u32),
    /// Code answered: the start of something.
    Start(Deed),
    /// Code answered: something going on.
    GoOn(Deed),
    /// Code answered: the end of something.
    End(Deed),
}

impl MindCall {
    /// As a number.
    pub fn number(self) -> u32 {
        let of = |deed: Deed| match deed {
            Deed::Action(at) => at << 1,
            Deed::Flavour(at) => at << 1 | 1,
        };
        let (kind, at) = match self {
            MindCall::Spawn => (0, 0),
            MindCall::Despawn => (1, 0),
            MindCall::Interrupt => (2, 0),
            MindCall::Tell(about) => (3, about & (u32::MAX >> 4)),
            MindCall::Place => (4, 0),
            MindCall::Fact(at) => (5, at),
            MindCall::Check(at) => (6, at),
            MindCall::Share => (7, 0),
            MindCall::Reload => (8, 0),
            MindCall::Tick => (9, 0),
            MindCall::Sensor(at) => (10, at),
            MindCall::Start(deed) => (11, of(deed)),
            MindCall::GoOn(deed) => (12, of(deed)),
            MindCall::End(deed) => (13, of(deed)),
            MindCall::Budget => (14, 0),
            MindCall::Aside => (15, 0),
            MindCall::Back => (15, 1),
        };
        at << 4 | kind
    }

    /// The call of a number; `None` if there is none.
    pub fn of(number: u32) -> Option<MindCall> {
        let at = number >> 4;
        let deed = if at & 1 == 0 { Deed::Action(at >> 1) } else { Deed::Flavour(at >> 1) };
        let call = match number & 15 {
            0 => MindCall::Spawn,
            1 => MindCall::Despawn,
            2 => MindCall::Interrupt,
            3 => MindCall::Tell(at),
            4 => MindCall::Place,
            5 => MindCall::Fact(at),
            6 => MindCall::Check(at),
            7 => MindCall::Share,
            8 => MindCall::Reload,
            9 => MindCall::Tick,
            10 => MindCall::Sensor(at),
            11 => MindCall::Start(deed),
            12 => MindCall::GoOn(deed),
            13 => MindCall::End(deed),
            14 => MindCall::Budget,
            _ if at == 0 => MindCall::Aside,
            _ => MindCall::Back,
        };
        // What has no position has none.
        (call.number() == number).then_some(call)
    }

    /// Whether it is an answer of the game's code, and so part of a tick or of an end.
    pub fn is_answer(self) -> bool {
        matches!(
            self,
            MindCall::Sensor(_) | MindCall::Start(_) | MindCall::GoOn(_) | MindCall::End(_)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_one_call_or_none() {
        let calls = (0..10_000).filter_map(|number| Some((number, MindCall::of(number)?)));
        assert!(calls.clone().count() > 3_700);
        for (number, call) in calls {
            assert_eq!(call.number(), number);
        }
        assert_eq!(MindCall::of(15), Some(MindCall::Aside));
        assert_eq!(MindCall::of(2 << 4 | 15), None);
        assert_eq!(MindCall::of(1 << 4), None, "a spawn has no position");
    }
}
