//! The `throng` program: hands words and streams to the library half and exits with its code.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use throng_cli::{Console, INTERRUPTED, last_words, leave_screen_at_once, run};

/// How long the last words of a command may take: a frame of many millions, and its summary.
const LAST_WORDS: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    // A mistake of our own may quote a stranger's text.
    std::panic::set_hook(Box::new(|died| last_words(&died.to_string())));
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
    // For Ctrl-C, and for those who end the program from outside or take its terminal away.
    // Without a handler they still end it, only less politely.
    if !outlives_its_terminal() {
        let _ = ctrlc::set_handler(handler);
    }
    // A terminal that obeys no codes is as good as a file.
    let obeys = std::env::var_os("TERM").is_none_or(|kind| kind != "dumb");
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) || !obeys;
    let out = io::BufWriter::new(io::stdout().lock());
    let mut console = Console::new(io::stdin().lock(), out, io::stderr().lock());
    console.terminal_out = io::stdout().is_terminal();
    console.colour_out = !plain && io::stdout().is_terminal();
    console.colour_err = !plain && io::stderr().is_terminal();
    console.watched_out = obeys && io::stdout().is_terminal();
    console.watched_err = obeys && io::stderr().is_terminal();
    (console.stop, console.ends_by_itself) = (stop, ends_by_itself);
    (console.on_screen, console.reader_is_gone) = (on_screen, reader_is_gone);
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
