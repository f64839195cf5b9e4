//! The `throng` program: hands words and streams to the library half and exits with its code.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use throng_cli::{Console, INTERRUPTED, run};

fn main() -> ExitCode {
    let stop = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&stop);
    // Work in progress sees the flag and ends by itself; what waits for input cannot.
    let handler = move || {
        seen.store(true, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(300));
        std::process::exit(INTERRUPTED.into());
    };
    // Without a handler Ctrl-C still ends the program, only less politely.
    let _ = ctrlc::set_handler(handler);
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let mut console = Console {
        input: Box::new(io::stdin().lock()),
        out: Box::new(io::BufWriter::new(io::stdout().lock())),
        err: Box::new(io::stderr().lock()),
        colour_out: !plain && io::stdout().is_terminal(),
        colour_err: !plain && io::stderr().is_terminal(),
        stop,
    };
    ExitCode::from(run(std::env::args_os(), &mut console))
}
