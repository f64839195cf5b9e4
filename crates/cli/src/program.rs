//! A program around the commands: hands them words and streams and exits with their code.
//!
//! In:   what it adds to the commands, and its process: words, streams, signals.
//! Out:  the exit code.

use crate::{Console, Extension, INTERRUPTED, Signals, Terminal, last_words, run};
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long the last words of a command may take: a frame of many millions, and its summary.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// Runs the command that the process was started with.
pub fn program(extension: Extension) -> ExitCode {
    // A mistake of our own may quote a stranger's text.
    std::panic::set_hook(Box::new(|died| last_words(&died.to_string())));
    let signals = Signals::default();
    let seen = signals.clone();
    let handler = move || {
        let is_second = seen.interrupt();
        if is_second {
            end(&seen);
        }
        // A thread of its own, so that a second Ctrl-C is heard.
        let seen = seen.clone();
        std::thread::spawn(move || end_soon(&seen));
    };
    // For Ctrl-C, and for those who end the program from outside or take its terminal away.
    // Without a handler they still end it, only less politely.
    if !outlives_its_terminal() {
        let _ = ctrlc::set_handler(handler);
    }
    // A terminal that obeys no codes is as good as a file.
    let obeys = std::env::var_os("TERM").is_none_or(|kind| kind != "dumb");
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) || !obeys;
    let (out, err) = (io::stdout().is_terminal(), io::stderr().is_terminal());
    let terminal = Terminal {
        reads_out: out,
        colour_out: !plain && out,
        colour_err: !plain && err,
        watched_out: obeys && out,
        watched_err: obeys && err,
    };
    let out = io::BufWriter::new(io::stdout().lock());
    let console = Console::new(io::stdin().lock(), out, io::stderr().lock());
    let mut console = console.read_by(terminal).listening_to(signals, reader_is_gone);
    ExitCode::from(run(std::env::args_os(), &extension, &mut console))
}

/// Work in progress sees the flag and ends by itself; what waits for input cannot, and is ended
/// here. Who has something to say first is given longer; a second Ctrl-C does not wait for it.
fn end_soon(signals: &Signals) {
    std::thread::sleep(Duration::from_millis(300));
    let asked = Instant::now();
    while signals.has_last_words() && asked.elapsed() < LAST_WORDS {
        std::thread::sleep(Duration::from_millis(20));
    }
    end(signals);
}

fn end(signals: &Signals) -> ! {
    signals.leave_screen_at_once();
    std::process::exit(INTERRUPTED.into());
}

/// Whether whoever read the results went away. Writing would tell, but there may be nothing to
/// write for long.
#[cfg(unix)]
fn reader_is_gone() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let out = rustix::stdio::stdout();
    // Nothing is asked for: an end is told in any case.
    let mut asked = [PollFd::new(&out, PollFlags::empty())];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    let told = poll(&mut asked, Some(&at_once)).is_ok();
    told && asked[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

#[cfg(not(unix))]
fn reader_is_gone() -> bool {
    false
}

/// Whether it was told to go on when its terminal goes away, as `nohup` does: a handler for
/// hangups would undo that. Who has no terminal cannot lose it. Only where the system tells.
fn outlives_its_terminal() -> bool {
    if std::fs::File::open("/dev/tty").is_err() {
        return false;
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // The hangup is signal number 1.
    ignored.is_some_and(|mask| mask & 1 == 1)
}
