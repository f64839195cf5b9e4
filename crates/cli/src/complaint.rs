//! Complaints that programs read: with `--json` bad input is an answer, too.
//!
//! In:   why a command ends early.
//! Out:  an answer whose outcome is `error`, in the shape that the command answers in; the
//!       complaint itself goes on to the message stream.

use crate::console::{Console, Fail};
use crate::shapes::AnswerShape;
use serde_json::{Value, json};

/// Tells a complaint as an answer first, if answers are JSON.
pub(crate) fn told<T>(
    outcome: Result<T, Fail>,
    json: bool,
    shape: fn(&Fail) -> Value,
    console: &mut Console<'_>,
) -> Result<T, Fail> {
    if let (Err(fail), true) = (&outcome, json)
        && !matches!(fail, Fail::ReaderGone)
    {
        console.json(&shape(fail))?;
    }
    outcome
}

/// As `plan` and its siblings answer.
pub(crate) fn of_plan(fail: &Fail) -> Value {
    json!(AnswerShape::error(None, None, fail.reason()))
}

/// As the commands of the planning field answer: with the mistakes one by one.
pub(crate) fn of_task(fail: &Fail) -> Value {
    json!({
        "outcome": "error", "plan": null, "reason": fail.reason(), "errors": fail.mistakes(),
    })
}
