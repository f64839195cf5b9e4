//! What happened in minds, in a file that replays.
//!
//! ```text
//! minds ─▶ entries of a tick ─▶ Recorder ─▶ bytes ─▶ Replay ─▶ minds again, at any tick
//! ```
//!
//! In:   everything that enters minds, tick by tick, and now and then all that they are.
//! Out:  bytes, of which any tick can be brought back; what was planned, how often, and why.
//! Cost: a few bytes per event; bounded memory if only the last seconds are kept.
//!
//! | you have | you want | use |
//! |---|---|---|
//! | minds and their file | the last seconds, when something odd was seen | [`Recorder::ring`], [`Recorder::save_last`] |
//! | the same | all of it in a file, whatever happens | [`Recorder::to`] |
//! | a recording | a tick, inspected | [`Replay::open`], [`Replay::seek`], [`Replay::minds`] |
//! | the same | to know whether it replays as it was | [`Replay::check`] |
//! | the same | its texts, or what the game kept beside the minds | [`Recording::header`], [`Recording::game_at`] |
//!
//! Replaying needs neither the game nor its code: the recording holds the file of the minds and
//! the answers of the code. Where the minds of this version leave what was recorded, that is a
//! divergence, told with tick and mind; nothing is guessed.
//!
//! Does no I/O itself: bytes go to a writer of the caller's, and come from a slice.
#![forbid(unsafe_code)]

mod compact;
mod frame;
mod header;
mod names;
mod recorder;
mod recording;
mod replay;
mod source;
pub mod stats;

pub use header::Header;
pub use recorder::{Recorder, RecorderError, RecorderFigures, RecorderSettings};
#[cfg(any(test, feature = "forge"))]
pub use recording::forge;
pub use recording::{Damage, Recording, RecordingError};
pub use replay::{Checked, Replay, ReplayError};
pub use source::RecordingSource;
