//! The independent judge: replays a plan, by names, on the model.
//!
//! In:   a [`Model`](throng_domain::Model), a [`Question`] in words, and a plan as the names
//!       of its actions.
//! Out:  a [`Verdict`]: valid with its exact cost, or the first step that fails and why; or
//!       what is wrong with the question itself.
//! Cost: linear in the model and the plan, a few hash tables per call. Made for judging, not
//!       for the frame.
//!
//! Shares no code with any planner and does not look at the compiled domain: it knows the
//! language's meaning a second time, in the plainest words. A planner and this crate must be
//! wrong in the same way before a wrong plan passes.
//!
//! ```
//! use throng_check::{Question, Verdict, replay};
//! use throng_domain::{Format, Limits, Cost, formats::no_includes, load};
//!
//! let text = "domain hall\nvar lamp: off, on\naction light: lamp off -> on  cost 2.5\n";
//! let loaded = load("hall.npc", text, Format::Npc, &Limits::default(), &[], &mut no_includes);
//! let model = loaded.model.expect("no errors");
//!
//! let (from, to) = ([("lamp".into(), "off".into())], [("lamp".into(), "on".into())]);
//! let question = Question { npc: "hall", from: &from, to: &to, ..Question::default() };
//! assert_eq!(replay(&model, &question, &["light"]), Ok(Verdict::Valid { cost: Cost(2500) }));
//! let Ok(Verdict::Invalid(failure)) = replay(&model, &question, &["light", "light"]) else {
//!     panic!("a lit lamp cannot be lit");
//! };
//! assert_eq!(failure.to_string(), "step 2, light: needs lamp = off, but lamp is on");
//! ```
#![forbid(unsafe_code)]

mod names;
mod question;
mod replay;
mod state;
mod verdict;
mod wanted;

pub use names::QuestionError;
pub use question::{CheckContext, Question};
pub use replay::replay;
pub use verdict::{Failure, FailureReason, Verdict};
pub use wanted::Wanted;
