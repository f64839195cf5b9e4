//! What an entry is about.
//!
//! In:   a call of minds, or of the game's code.
//! Out:  the same as a number, and back.
//! Cost: none.

/// An action, a flavour, or something beside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Deed {
    /// An action, by position.
    Action(u32),
    /// A flavour, by position in the spec.
    Flavour(u32),
    /// Something beside the step, by position in the spec.
    Beside(u32),
}

/// More flavours a file cannot have: they are counted in sixteen bits.
const FLAVOURS: u32 = 1 << 16;

/// What a call is about, as the position that its number holds.
trait About {
    fn position(self) -> u32;
    fn at(position: u32) -> Self;
}

impl About for u32 {
    fn position(self) -> u32 {
        self & (u32::MAX >> BITS)
    }

    fn at(position: u32) -> Self {
        position
    }
}

impl About for Deed {
    fn position(self) -> u32 {
        match self {
            Deed::Action(at) => at << 1,
            Deed::Flavour(at) => at << 1 | 1,
            // There are few flavours: those that no file can have are what is done beside.
            Deed::Beside(at) => (FLAVOURS + at) << 1 | 1,
        }
    }

    fn at(position: u32) -> Self {
        match position & 1 {
            0 => Deed::Action(position >> 1),
            _ => match (position >> 1).checked_sub(FLAVOURS) {
                None => Deed::Flavour(position >> 1),
                Some(at) => Deed::Beside(at),
            },
        }
    }
}

/// The lowest bits of a number tell the call, those above them what it is about.
const BITS: u32 = 5;

/// The calls, each with the number of its kind and what it is called: `3 Tell(about: u32) "a message"`.
macro_rules! calls {
    ($($(#[$doc:meta])* $kind:literal $call:ident $(($about:ident: $of:ty))? $words:literal,)*) => {
        /// What was called: a door of minds, or code of the game.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        pub enum MindCall {
            $($(#[$doc])* $call $(($of))?,)*
        }

        impl MindCall {
            /// As a number.
            pub fn number(self) -> u32 {
                match self {
                    $(MindCall::$call $(($about))? => $kind $(| $about.position() << BITS)?,)*
                }
            }

            /// The call of a number; `None` if there is none.
            pub fn of(number: u32) -> Option<MindCall> {
                let position = number >> BITS;
                let call = match number & ((1 << BITS) - 1) {
                    $($kind => MindCall::$call $((<$of>::at(position)))?,)*
                    _ => return None,
                };
                // What is about nothing has no position.
                (call.number() == number).then_some(call)
            }

            /// What it is called; of some, the name of what it is about follows.
            pub(super) fn words(self) -> &'static str {
                match self {
                    $(MindCall::$call { .. } => $words,)*
                }
            }
        }
    };
}

calls! {
    /// A mind began.
    0 Spawn "the beginning of a mind",
    /// A mind ended.
    1 Despawn "the end of a mind",
    /// A mind was interrupted.
    2 Interrupt "an interruption",
    /// A message came. The number stands for what it is about and means nothing else: messages
    /// about the same look the same.
    3 Tell(about: u32) "a message",
    /// A mind was put somewhere.
    4 Place "a place",
    /// A variable, by position, was given a value.
    5 Fact(variable: u32) "a value of",
    /// A check, by position, was answered by the game.
    6 Check(check: u32) "an answer to the check",
    /// Something was made known to all.
    7 Share "a fact for all",
    /// The file was replaced.
    8 Reload "a new file",
    /// The tick itself: the answers of its code come after it, then what enters between it and the
    /// next.
    9 Tick "the tick",
    /// Code answered: a sensor, by position in the spec.
    10 Sensor(sensor: u32) "sensor",
    /// Code answered: the start of something.
    11 Start(deed: Deed) "the start of",
    /// Code answered: something going on.
    12 GoOn(deed: Deed) "the course of",
    /// Code answered: the end of something.
    13 End(deed: Deed) "the end of",
    /// Another number of minds that may plan in a tick.
    14 Budget "a budget for planning",
    /// A mind was put aside.
    15 Aside "a mind put aside",
    /// A mind that was put aside came back, or one that was saved.
    16 Back "a mind that comes back",
    /// Another limit on what one call of the planner may look at.
    17 Nodes "a limit for planning",
    /// A mind was put on a side.
    18 Side "a side",
    /// Another seed of chance.
    19 Seed "a seed of chance",
    /// A mind became a member of a squad, or left it.
    20 Squad "a squad",
    /// Something was claimed for a mind.
    21 Claim "a claim",
    /// A claim of a mind was given back.
    22 Release "a claim given back",
    /// Another number of minds that may do heavy sensor work in a tick.
    23 HeavyBudget "a budget for heavy senses",
    /// Another number of questions that may be handed out in a tick.
    28 Questions "a budget for questions",
}

impl MindCall {
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
        assert!(calls.clone().count() > 2_100);
        for (number, call) in calls {
            assert_eq!(call.number(), number);
        }
        assert_eq!(MindCall::of(15), Some(MindCall::Aside));
        assert_eq!(MindCall::of(2 << BITS | 15), None);
        assert_eq!(MindCall::of(1 << BITS), None, "a spawn has no position");
        assert_eq!(MindCall::of(31), None, "no call has this number");
    }
}
