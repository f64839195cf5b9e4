//! The floor: small data structures that every crate of Throng stands on, each one once.
//!
//! In:   nothing of ours; no dependencies.
//! Out:  what is below planning and knows nothing of it: typed ids, lists in rows, bit sets, the
//!       index table, mixing and digests, the byte codec, random numbers, the nearest name, columns.
//! Cost: stated by each.
//!
//! | you have | use |
//! |---|---|
//! | numbers of different things that must not be mixed up | [`typed_id!`] |
//! | fields that others may read and not write | [`getters!`]; of a whole struct: [`readable!`] |
//! | what values and errors say | [`display!`], [`error!`] |
//! | many short lists | [`Rows`]; one that is used again: [`reset`]; of letters: [`Names`] |
//! | a set of small numbers | [`Bits`]; of one word: [`ones`]; of several: [`ones_of`] |
//! | things kept in a list, to be found by content | [`IndexTable`] with [`mix::hash`] |
//! | small keys in a `HashMap` | [`BuildMix`] |
//! | names that a stranger chose, to be found by hash | [`mix::hash_bytes`] with a seed |
//! | a number that tells contents apart | [`Digest64`], [`Digest128`] |
//! | values to be saved, bytes to be read that may be damaged | [`codec`] |
//! | bytes that may be damaged | [`checksum`] |
//! | numbers without pattern that can be had again | [`SplitMix`] |
//! | counts and tables for people | [`text`] |
//! | a name that is not known | [`nearest::nearest`], [`nearest::DidYouMean`] |

pub mod bits;
pub mod codec;
pub mod digest;
mod display;
mod getters;
pub mod ids;
pub mod mix;
pub mod names;
pub mod nearest;
pub mod random;
mod readable;
pub mod rows;
pub mod table;
pub mod text;

pub use bits::{Bits, BitsIter, Ones, ones, ones_of};
pub use digest::{Digest64, Digest128, checksum};
pub use mix::BuildMix;
pub use names::Names;
pub use nearest::{DidYouMean, nearest};
pub use random::SplitMix;
pub use rows::{Rows, reset};
pub use table::IndexTable;
