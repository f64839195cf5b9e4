//! What the commands of the planning field tell programs about bad input.
//!
//! In:   why a command ends early.
//! Out:  with `--json` an answer whose outcome is `error`, the mistakes one by one; the complaint
//!       itself goes on to the message stream.

use crate::console::{CommandResult, Console, Fail};
use crate::shapes::{Mistake, ReasonShape};
use serde::Serialize;

/// The answer to a question that cannot be answered.
#[derive(Serialize)]
struct ErrorShape {
    outcome: &'static str,
    plan: Option<()>,
    reason: ReasonShape,
    errors: Vec<Mistake>,
}

/// Tells a complaint as an answer, if answers are JSON.
pub(crate) fn told(outcome: CommandResult, json: bool, console: &mut Console<'_>) -> CommandResult {
    outcome.map_err(|fail| {
        if !json || matches!(fail, Fail::ReaderGone) {
            return fail;
        }
        let errors = fail.mistakes();
        let (code, text) = fail.clone().coded();
        let reason = ReasonShape { code: code.to_string(), text };
        let told = console.json(&ErrorShape { outcome: "error", plan: None, reason, errors });
        told.err().unwrap_or(fail)
    })
}
