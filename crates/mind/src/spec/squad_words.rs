//! The words that squads use, as numbers.
//!
//! In:   the words of a file and of the code for it.
//! Out:  [`SquadWords`], looked up once, so that nothing is found by its text in a tick.
//! Cost: a look-up a word, at load.

use crate::words::{Word, Words};

macro_rules! words {
    ($($name:ident: $text:literal,)*) => {
        /// The words that squads use; a file with a `squad` statement has them all.
        pub const SQUAD_WORDS: &[&str] = &[$($text),*];

        /// [`SQUAD_WORDS`] in numbers; those that neither the file nor the code has are [`Word::NONE`].
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) struct SquadWords {
            $(pub(crate) $name: Word,)*
        }

        impl SquadWords {
            /// As these words have them.
            pub(crate) fn of(words: &Words) -> Self {
                SquadWords { $($name: words.find($text).unwrap_or(Word::NONE),)* }
            }
        }
    };
}

words! {
    // Kinds of facts.
    task: "task",
    member: "member",
    duty: "duty",
    character: "character",
    tried: "tried",
    leader: "leader",
    formation: "formation",
    objective: "objective",
    noise: "noise",
    // The sensor that says where a member stands with its task.
    orders: "orders",
    // What a member does, and how its duty ended.
    free: "free",
    underway: "underway",
    elsewhere: "elsewhere",
    done: "done",
    failed: "failed",
    // Whether one leads, and what is called out.
    alive: "alive",
    lost: "lost",
    order: "order",
    // Tasks of the behaviours here.
    cover: "cover",
    go: "move",
    suppress: "suppress",
    flank: "flank",
    attack: "attack",
    search: "search",
    hold: "hold",
    // Why a task or a squad's action failed.
    refused: "refused",
    dead: "dead",
    late: "late",
    taken: "taken",
    gone: "gone",
    replaced: "replaced",
    nobody: "nobody",
    no_cover: "no_cover",
    no_line: "no_line",
}
