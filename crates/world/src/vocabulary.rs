//! The words that the world itself uses, interned once when it is made.
//!
//! In:   the table of words that the minds use.
//! Out:  a [`Word`] by field: `world.words.sight`.
//! Cost: one look-up each, at build.

use throng_mind::words::{Word, Words};

macro_rules! vocabulary {
    ($($(#[$meta:meta])* $group:ident { $($word:ident),* $(,)? })*) => {
        /// Words of the world, each written as its field is called.
        #[allow(missing_docs, reason = "each field is the word it is called")]
        #[derive(Clone, Debug)]
        pub struct Vocabulary {
            $($(pub $word: Word,)*)*
        }

        impl Vocabulary {
            /// All of them as text, for [`Body::words`](throng_mind::body::Body::words).
            pub const TEXTS: &[&str] = &[$($(stringify!($word),)*)*];

            /// All of them, new or known in the table.
            pub fn new(words: &mut Words) -> Self {
                Vocabulary { $($($word: words.intern(stringify!($word)),)*)* }
            }
        }
    };
}

vocabulary! {
    /// Kinds of stimuli that arrive in inboxes.
    stimuli { sight, noise, grenade, damage, deed }
    /// Kinds of facts that sensors write; besides those above.
    kinds {
        weapon, character, disturbance, danger, node, thing, path, blocked, aimed, desire,
    }
    /// Manners of going.
    manners { walk, run, sneak, dive }
    /// What can be done with weapons.
    weapons { draw, holster, reload, fire, melee, throw, drop }
    /// What can be done with things.
    uses { open, shut, closed, kick, pick_up, mount, dismount, climb, descend }
    /// What else can be done.
    others { crouch, stand, avoid, wait }
    /// Postures.
    postures { standing, crouched, riding, climbing }
    /// What is known of things, weapons and people.
    known { none, holstered, armed, loaded, empty, alive, dead, seen, body, clear, target, taken }
    /// Kinds of things and nodes.
    sorts { door, window, ladder, item, vehicle, device, cover, view, work }
    /// Kinds of noise and damage.
    harms { shot, blast, blow, bang, steps }
    /// Why orders fail, besides `blocked`, `dead`, `empty` and `taken`.
    failures {
        no_path, too_far, needs, gone, unarmed, no_line, unknown, replaced, used, held, lost,
    }
    /// What minds feel, and what they know of ways.
    feelings { hold, watched }
    /// Of squads: where one is to be, and fire that need not hit.
    squads { post, there, away, suppress }
}
