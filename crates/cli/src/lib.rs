//! The command line of Throng, as a function: words and streams in, an exit code out.
//!
//! In:   arguments, and a [`Console`] with the three streams.
//! Out:  results on `out`, messages on `err`, and the exit code below.
//! Cost: what the command does; nothing here is kept between calls.
//!
//! | code | meaning |
//! |--:|---|
//! | 0 | plan found, satisfied, valid, explanation given, all tests passed, all promises kept, stream read to its end, warnings only |
//! | 1 | impossible, invalid plan, a test failed, a promise broken, `fmt --check` differs, a wrong answer in a bench, a recording that is damaged or does not replay |
//! | 2 | bad input or usage |
//! | 3 | a limit was hit |
//! | 130 | interrupted |
//!
//! [`program`] is a thin shell around [`run`], so that tests can call it in the same process. What
//! a program adds to these commands is an [`Extension`]; `main.rs` adds nothing.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod complaint;
mod console;
pub mod edge;
pub mod extension;
mod field;
pub mod life;
pub mod loading;
mod program;
mod question;
pub mod render;
mod rows;
mod screen;
mod shapes;
pub mod writing;

pub use args::names::{planners, task_planners};
pub use commands::classes::AskedClasses;
pub use commands::plan::AskedPlan;
pub use commands::solve::stream as solve_stream;
pub use console::{CommandResult, Console, Fail, Signals, Terminal, bad, last_words, plain};
pub use extension::Extension;
pub use field::measure::peak_kilobytes;
pub use program::program;
pub use question::PlanQuestion;
pub use shapes::{CostShape, Mistake, outcome_word};

use args::{Arguments, Command};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};
use edge::{Styled, is_obeyed};
use std::ffi::OsString;

/// Plan found, satisfied, valid, all well.
pub const FINE: u8 = 0;
/// Impossible, invalid, a test failed, the layout differs.
pub const NO: u8 = 1;
/// Bad input or usage.
pub const BAD: u8 = 2;
/// A limit was hit.
pub const LIMIT: u8 = 3;
/// Interrupted by Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// Runs one command line and gives its exit code.
pub fn run<A: Into<OsString> + Clone>(
    arguments: impl IntoIterator<Item = A>,
    extension: &Extension,
    console: &mut Console<'_>,
) -> u8 {
    let words: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    let outcome = match understood(&words, extension, console) {
        Ok(outcome) => outcome,
        Err(error) => usage(&error, &words, console),
    };
    let outcome = outcome.and_then(|code| console.flush().map(|()| code));
    match outcome {
        Ok(_) | Err(Fail::ReaderGone) if console.interrupted() => INTERRUPTED,
        Ok(code) => code,
        // A reader that goes away has seen enough: no error.
        Err(Fail::ReaderGone) => FINE,
        Err(Fail::Bad(message) | Fail::Known { message, .. }) => {
            // Results printed before the trouble still belong to the user.
            console.message(&format!("error: {message}"));
            BAD
        }
        Err(Fail::Limit { text, .. }) => {
            console.message(&format!("gave up: {text}"));
            LIMIT
        }
    }
}

/// Understands the words and runs their command: one that was added, or one of ours.
fn understood(
    words: &[OsString],
    extension: &Extension,
    console: &mut Console<'_>,
) -> Result<CommandResult, clap::Error> {
    let mut program = (extension.words)(Arguments::command());
    let matches = program.try_get_matches_from_mut(words)?;
    if let Some(outcome) = (extension.run)(&matches, console) {
        return Ok(outcome);
    }
    let arguments = Arguments::from_arg_matches(&matches);
    let arguments = arguments.map_err(|error| error.format(&mut program))?;
    Ok(dispatch(arguments.command, extension, console))
}

fn dispatch(command: Command, extension: &Extension, console: &mut Console<'_>) -> CommandResult {
    match command {
        Command::Demo(args) => commands::demo::run(&args, console),
        Command::Check(args) => commands::check::run(&args, console),
        Command::Fmt(args) => commands::fmt::run(&args, console),
        Command::Convert(args) => commands::convert::run(&args, console),
        Command::Classes(args) => commands::classes::run(&args, console),
        Command::Plan(args) => commands::plan::run(&args, console),
        Command::Why(args) => commands::why::run(&args, console),
        Command::Whynot(args) => commands::whynot::run(&args, console),
        Command::Test(args) => commands::test::run(&args, console),
        Command::Solve(args) => commands::solve::run(&args, extension.planners, console),
        Command::Crowd(args) => commands::crowd::run(&args, console),
        Command::Play(args) => commands::play::run(&args, console),
        Command::Replay(args) => commands::replay::run(&args, console),
        Command::Stats(args) => commands::stats::run(&args, console),
        Command::Watch(args) => commands::watch::run(&args, console),
        Command::Pddl(args) => commands::pddl::run(&args, console),
        Command::Sas(args) => commands::sas::run(&args, console),
        Command::Validate(args) => commands::validate::run(&args, console),
        Command::Gen(args) => commands::gen_rust::run(&args, console),
    }
}

fn usage(error: &clap::Error, words: &[OsString], console: &mut Console<'_>) -> CommandResult {
    let rendered = error.render();
    // Colours are drawn around the words that are quoted: not around codes.
    let has_codes = words.iter().any(|word| word.to_string_lossy().contains(is_obeyed));
    let plain = in_plain_words(error, rendered.to_string());
    let styled = |colour: bool| match colour && !has_codes {
        true => Styled::coloured(&plain, in_plain_words(error, rendered.ansi().to_string())),
        false => Styled::plain(&plain),
    };
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            console.print_styled(&styled(console.terminal().colour_out))?;
            Ok(FINE)
        }
        _ => {
            // An unknown name is an answer, for commands whose answers are asked for as JSON.
            let fail = unknown_name(error).filter(|_| words.iter().any(|word| word == "--json"));
            match (words.get(1).and_then(|word| word.to_str()), fail) {
                (Some("plan" | "why" | "whynot"), Some(fail)) => {
                    console.json(&complaint::of_plan(&fail))?;
                }
                (Some("pddl" | "sas"), Some(fail)) => console.json(&complaint::of_task(&fail))?,
                _ => {}
            }
            console.message_styled(&styled(console.terminal().colour_err).trimmed());
            Ok(BAD)
        }
    }
}

/// An unknown name where one of a few is wanted that programs choose, too.
fn unknown_name(error: &clap::Error) -> Option<Fail> {
    let said = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let Some(ContextValue::Strings(known)) = error.get(ContextKind::ValidValue) else {
        return None;
    };
    let what = match said(ContextKind::InvalidArg)?.split_once(' ')?.0 {
        "--mode" => "mode",
        "--planner" => "planner",
        "--choose" => "way to choose",
        _ => return None,
    };
    let name = said(ContextKind::InvalidValue)?;
    Some(args::names::unknown(what, name, known.iter().map(String::as_str)))
}

/// What a reader of numbers says, and what it means to people.
const PLAIN_WORDS: [(&str, &str); 4] = [
    ("invalid digit found in string", "a whole number is needed"),
    ("cannot parse integer from empty string", "a whole number is needed"),
    ("number too large to fit in target type", "the number is too large"),
    ("invalid float literal", "a number is needed"),
];

/// What clap says, in words for people, with a tip on what to write if that is known.
fn in_plain_words(error: &clap::Error, mut text: String) -> String {
    for (theirs, ours) in PLAIN_WORDS {
        text = text.replace(theirs, ours);
    }
    if let Some(number) = number_meant(error) {
        // As clap gives its own tips, between what is wrong and where to find help.
        let at = text.find("\n\n").map_or(text.len(), |at| at + 2);
        text.insert_str(at, &format!("  tip: write {number}\n\n"));
    }
    text
}

/// The plain digits of a value that was refused, if it is a number of another language.
fn number_meant(error: &clap::Error) -> Option<String> {
    match error.get(ContextKind::InvalidValue)? {
        ContextValue::String(value) => throng_domain::number::plain_number(value),
        _ => None,
    }
}
