//! Where a replay left what was recorded.
//!
//! In:   a call without its answer, an answer without its call.
//! Out:  the same in words, with tick and mind.
//! Cost: text is made when it is asked for.

use super::{Deed, MindCall};
use crate::fit::ReloadError;
use crate::orders::MindId;
use crate::spec::Spec;
use crate::time::Tick;
use crate::words::Word;
use throng_base::codec::DecodeError;

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Wrong {
    /// The mind calls code, and nothing was recorded of it.
    NoAnswer(MindCall),
    /// The mind calls code, and what was recorded is the answer to another call.
    OtherAnswer {
        /// What is asked.
        asked: MindCall,
        /// What was answered.
        recorded: MindCall,
    },
    /// Code answered when it was recorded, and no mind asks now.
    NotAsked(MindCall),
    /// An entry does not say what it should.
    Says {
        /// Of which call.
        call: MindCall,
        /// What it should say.
        damaged: DecodeError,
    },
    /// An entry of no kind that there is.
    Unknown(u32),
    /// An entry about a mind that is not there.
    NoMind(MindCall),
    /// The mind that began has another number.
    OtherMind(MindId),
    /// The file was replaced, and the new one is not in the recording.
    NoFile,
    /// The new file needs other code.
    Code(ReloadError),
    /// The words of the new file are not those that were recorded.
    OtherWords,
    /// The entries hold no tick, or more than one.
    NoTick,
    /// The entries are of another tick than the recording says.
    OtherTick {
        /// The tick that the recording says.
        recorded: Tick,
        /// The tick that the entries lead to.
        entered: Tick,
    },
}

/// Where a replay left what was recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Divergence {
    /// The tick in which it was found.
    pub tick: Tick,
    /// The mind that it is about; `None` if it is about none.
    pub mind: Option<MindId>,
    /// The name of its type, if it is there.
    pub npc: Option<String>,
    /// What is wrong.
    pub wrong: Wrong,
}

impl Divergence {
    /// In words: `tick 113, mind 4 (soldier): the recording has no answer for sensor ...`.
    pub fn sentence(&self, spec: &Spec) -> String {
        let npc = self.npc.as_ref().map(|npc| format!(" ({npc})")).unwrap_or_default();
        let mind = self.mind.map(|mind| format!(", mind {}{npc}", mind.0)).unwrap_or_default();
        format!("tick {}{mind}: {}", self.tick, self.wrong.sentence(spec))
    }
}

impl Wrong {
    fn sentence(&self, spec: &Spec) -> String {
        let name = |call: MindCall| call_words(spec, call);
        match self {
            Wrong::NoAnswer(call) => {
                format!("the recording has no answer for {}", name(*call))
            }
            Wrong::OtherAnswer { asked, recorded } => {
                let (asked, recorded) = (name(*asked), name(*recorded));
                format!("{asked} is asked, but the recording has the answer of {recorded}")
            }
            Wrong::NotAsked(call) => {
                format!("the recording has an answer of {} that nobody asks for", name(*call))
            }
            Wrong::Says { call, damaged } => format!("the entry of {}: {damaged}", name(*call)),
            Wrong::Unknown(number) => format!("there is no entry of kind {number}"),
            Wrong::NoMind(call) => {
                format!("the recording has {}, but there is no such mind", name(*call))
            }
            Wrong::OtherMind(id) => format!("the mind that begins has the number {}", id.0),
            Wrong::NoFile => {
                "the file was replaced, and the new one is not in the recording".to_string()
            }
            Wrong::Code(refused) => format!("the new file was refused: {refused}"),
            Wrong::OtherWords => {
                "the words of the new file are not those that were recorded".to_string()
            }
            Wrong::NoTick => "the entries are not those of one tick".to_string(),
            Wrong::OtherTick { recorded, entered } => {
                format!("the entries are of tick {entered}, and the recording says {recorded}")
            }
        }
    }
}

fn call_words(spec: &Spec, call: MindCall) -> String {
    let map = spec.domain.map();
    let named = |name: Option<&str>, at: u32| {
        name.map_or_else(|| at.to_string(), |name| format!("`{name}`"))
    };
    let word = |word: Option<Word>, at: u32| named(word.map(|word| spec.words.text(word)), at);
    let deed = |deed: Deed| match deed {
        Deed::Action(at) => {
            let id = map.action_at(at as usize);
            format!("action {}", named(id.map(|id| map.action(id)), at))
        }
        Deed::Beside(at) => {
            let found = spec.besides.get(at as usize);
            format!("beside {}", word(found.map(|known| known.name), at))
        }
        Deed::Flavour(at) => {
            let found = spec.flavours.get(at as usize);
            format!("flavour {}", word(found.map(|known| known.name), at))
        }
    };
    let name = match call {
        MindCall::Fact(at) => {
            let id = map.variable_at(at as usize);
            named(id.map(|id| map.variable(id)), at)
        }
        MindCall::Check(at) => {
            let id = map.check_at(at as usize);
            named(id.map(|id| map.check(id)), at)
        }
        MindCall::Sensor(at) => {
            let found = spec.sensors.get(at as usize);
            word(found.map(|known| known.name), at)
        }
        MindCall::Start(what) | MindCall::GoOn(what) | MindCall::End(what) => deed(what),
        _ => return call.words().to_string(),
    };
    format!("{} {name}", call.words())
}
