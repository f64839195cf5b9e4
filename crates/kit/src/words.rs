//! The words that the kit itself uses, looked up once.
//!
//! In:   the table of words that the minds use.
//! Out:  a [`Word`] by field: `words.sight`.
//! Cost: one look-up each, at build.

use throng_mind::words::{Word, Words};

macro_rules! vocabulary {
    (@text $word:ident) => { stringify!($word) };
    (@text $word:ident $text:literal) => { $text };
    ($($(#[$meta:meta])* $group:ident { $($word:ident $(= $text:literal)?),* $(,)? })*) => {
        /// Words of the kit, each written as its field is called, but `own`, which is `self`.
        #[allow(missing_docs, reason = "each field is the word it is called")]
        #[derive(Clone, Debug)]
        pub struct Vocabulary {
            $($(pub $word: Word,)*)*
        }

        impl Vocabulary {
            /// All of them as text, for [`Body::words`](throng_mind::body::Body::words).
            pub const TEXTS: &[&str] = &[$($(vocabulary!(@text $word $($text)?),)*)*];

            /// All of them, new or known in the table.
            pub fn new(words: &mut Words) -> Self {
                Vocabulary { $($($word: words.intern(vocabulary!(@text $word $($text)?)),)*)* }
            }

            /// All of them, as minds with a [body of the kit](crate::body) know them; a word that
            /// the table does not have is [`Word::NONE`].
            pub fn find(words: &Words) -> Self {
                let find = |text: &str| words.find(text).unwrap_or(Word::NONE);
                Vocabulary { $($($word: find(vocabulary!(@text $word $($text)?)),)*)* }
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
        own = "self", day, alarm, spot, exposed, reach, masked, friend, person, ammo, pinned, assignment, mine, stock,
        need,
    }
    /// Manners of going.
    manners { walk, run, sneak, dive, leap }
    /// What can be done with weapons.
    weapons { draw, holster, reload, fire, melee, throw, drop }
    /// What can be done with things.
    uses { open, shut, closed, kick, pick_up, mount, dismount, climb, descend }
    /// What can be done with goods.
    goods { buy, fetch, deliver, make, consume, coins }
    /// What else can be done.
    others { crouch, stand, avoid, wait, cloak, uncloak }
    /// Postures.
    postures { standing, crouched, riding, climbing }
    /// What is known of things, weapons and people.
    known { none, holstered, armed, loaded, empty, alive, dead, seen, body, clear, target, taken, enemy,
        rounds, cloaked, roofed, met, unmet,
    }
    /// Kinds of things and nodes.
    sorts { door, window, ladder, item, vehicle, device, cover, view, work }
    /// Kinds of noise and damage.
    harms { shot, blast, blow, bang, steps }
    /// Why orders fail, besides `blocked`, `dead`, `empty` and `taken`.
    failures {
        no_path, too_far, needs, gone, unarmed, no_line, unknown, replaced, used, held, lost, sold_out, poor, full,
    }
    /// What minds feel, and what they know of ways.
    feelings { hold, watched, make_way }
    /// Of squads: where one is to be, and fire that need not hit.
    squads { post, there, away, suppress, formation }
}
