//! The `throng` program: hands words and streams to the library half and exits with its code.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use throng_cli::{Console, INTERRUPTED, leave_screen_at_once, run};

/// How long the last words of a command may take: a frame of many millions, and its summary.
const LAST_WORDS: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    let [stop, ends_by_itself, on_screen] = [(); 3].map(|()| Arc::new(AtomicBool::new(false)));
    let (seen, has_last_words) = (Arc::clone(&stop), Arc::clone(&ends_by_itself));
    let screen = Arc::clone(&on_screen);
    let handler = move || {
        let is_second = seen.swap(true, Ordering::Relaxed);
        if is_second {
            leave_screen_at_once(&screen);
            std::process::exit(INTERRUPTED.into());
        }
        // A thread of its own, so that a second Ctrl-C is heard.
        let (has_last_words, screen) = (Arc::clone(&has_last_words), Arc::clone(&screen));
        std::thread::spawn(move || end_soon(&has_last_words, &screen));
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
        watched_out: io::stdout().is_terminal(),
        watched_err: io::stderr().is_terminal(),
        stop,
        ends_by_itself,
        on_screen,
    };
    ExitCode::from(run(std::env::args_os(), &mut console))
}

/// Work in progress sees the flag and ends by itself; what waits for input cannot, and is ended
/// here. Who has something to say first is given longer; a second Ctrl-C does not wait for it.
fn end_soon(has_last_words: &AtomicBool, screen: &AtomicBool) {
    std::thread::sleep(Duration::from_millis(300));
    let asked = Instant::now();
    while has_last_words.load(Ordering::Relaxed) && asked.elapsed() < LAST_WORDS {
        std::thread::sleep(Duration::from_millis(20));
    }
    leave_screen_at_once(screen);
    std::process::exit(INTERRUPTED.into());
}
