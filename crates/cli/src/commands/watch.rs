//! `throng watch`: on every save the files are checked and answered anew, and what changed in
//! the plan is shown. A file with errors keeps the last good answer in sight, the errors under it.
//!
//! In:   domains and the words of `plan`; tasks of the planning field.
//! Out:  an answer for each change, until Ctrl-C.
//! Cost: a look at the files ten times a second; loading and planning when they changed.
//!
//! Files are looked at, not reported by the system: that works on every disk and asks for no
//! library. What is being answered when a file changes again is given up.

mod domain_file;
mod field_task;
mod files;
mod screen;
mod show;
mod steps;
mod subject;

use crate::args::field::Form;
use crate::args::plan::WatchArgs;
use crate::console::{CommandResult, Console, Fail, bad};
use crate::screen::{NAP, wait};
use crate::{BAD, FINE};
use domain_file::DomainFile;
use field_task::FieldTask;
use files::{Eyes, Rest, Seen, Stamp};
use show::{Manner, show};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};
use subject::{Answered, Broken, Good, News, Subject};

/// Time between two looks.
const BETWEEN: Duration = Duration::from_millis(100);
/// How often one change may lead to more files without a rest.
const ROUNDS: u32 = 4;

pub(crate) fn run(args: &WatchArgs, console: &mut Console<'_>) -> CommandResult {
    let (files, plan) = args.files()?;
    let manner = match (plan.question.json, console.terminal().watched_out && !args.once) {
        (true, _) => Manner::Json,
        (false, true) => Manner::Screen,
        (false, false) => Manner::Lines,
    };
    let colour = console.terminal().colour_out && manner == Manner::Screen;
    let mut all = Vec::new();
    let mut files = files.into_iter();
    while let Some(file) = files.next() {
        let form = Form::of_path(&file);
        if args.time.is_some() && !matches!(form, Some(Form::Pddl | Form::Sas)) {
            let name = file.display();
            return bad(format!(
                "`--time` is for tasks, and `{name}` is a domain; `--max-nodes` holds for both"
            ));
        }
        let subject: Box<dyn Subject> = match form {
            Some(Form::Sas) => Box::new(FieldTask::new(vec![file], &plan, args.time, colour)?),
            Some(Form::Pddl) => {
                let Some(problem) = files.next().filter(|next| Form::of_path(next) == form) else {
                    let name = file.display();
                    return bad(format!(
                        "a PDDL task is two files, first the domain, then the problem; \
                         behind `{name}` there is no other"
                    ));
                };
                Box::new(FieldTask::new(vec![file, problem], &plan, args.time, colour)?)
            }
            _ => Box::new(DomainFile::new(file, &plan, colour)?),
        };
        all.push(Watched::new(subject));
    }
    // Every look sees whether Ctrl-C was pressed.
    console.set_ends_by_itself(true);
    let mut next = Instant::now();
    while !console.interrupted() {
        for at in 0..all.len() {
            if all[at].look(console.stop(), console.reader_is_gone()) && !console.interrupted() {
                show(manner, &all, at, console)?;
            }
        }
        if args.once && all.iter().all(|one| one.version > 0) {
            return Ok(all.iter().map(Watched::code).max().unwrap_or(FINE));
        }
        if console.reader_is_gone()() {
            return Err(Fail::ReaderGone);
        }
        next = (next + BETWEEN).max(Instant::now());
        wait(next, || console.interrupted());
    }
    Ok(FINE)
}

/// Something watched, and what is known of it.
pub(crate) struct Watched {
    subject: Box<dyn Subject>,
    eyes: Eyes,
    rest: Rest,
    /// How many answers there were, good or not.
    version: u64,
    /// The last good answer.
    good: Option<Good>,
    /// What is wrong now.
    broken: Option<Broken>,
    /// What the last good answer changed.
    news: Option<News>,
}

impl Watched {
    fn new(subject: Box<dyn Subject>) -> Watched {
        let eyes = Eyes::new(subject.files());
        let rest = Rest::default();
        Watched { subject, eyes, rest, version: 0, good: None, broken: None, news: None }
    }

    fn code(&self) -> u8 {
        match (&self.broken, &self.good) {
            (None, Some(good)) => good.code,
            _ => BAD,
        }
    }

    /// Looks at the files; whether there is a new answer.
    fn look(&mut self, stop: &AtomicBool, reader_is_gone: fn() -> bool) -> bool {
        let mut seen = self.eyes.look(SystemTime::now());
        if !self.rest.is_due(&seen) {
            return false;
        }
        for _ in 0..ROUNDS {
            let began = SystemTime::now();
            let (files, subject) = (self.eyes.stamps(), &mut self.subject);
            let answered = unless_changed(&files, stop, reader_is_gone, |it| subject.answer(it));
            let Some(answered) = answered else {
                // It changed meanwhile, or nobody wants to know any more.
                return false;
            };
            let now = self.see(&answered.files);
            let is_same = seen.iter().all(|known| now.contains(known));
            if is_same && self.eyes.others_are_older(&seen, began) {
                self.take(answered, now);
                return true;
            }
            if !is_same {
                return false;
            }
            // It includes what was not looked at before, and may have changed since it was read.
            seen = now;
        }
        false
    }

    /// Looks at these files from now on.
    fn see(&mut self, files: &[PathBuf]) -> Seen {
        let mut distinct: Vec<PathBuf> = Vec::new();
        for file in self.subject.files().iter().chain(files) {
            if !distinct.contains(file) {
                distinct.push(file.clone());
            }
        }
        self.eyes.turn_to(distinct);
        self.eyes.look(SystemTime::now())
    }

    fn take(&mut self, answered: Answered, seen: Seen) {
        self.rest.answered(seen);
        self.version += 1;
        match answered.came {
            Ok(good) => {
                self.news = self.good.as_ref().map(|before| News::between(before, &good));
                self.good = Some(good);
                self.broken = None;
            }
            Err(broken) => self.broken = Some(broken),
        }
    }
}

/// Does the work and watches the files meanwhile; `None` if it was stopped: a file changed, the
/// reader went, or Ctrl-C.
fn unless_changed(
    files: &[(PathBuf, Option<Stamp>)],
    interrupted: &AtomicBool,
    reader_is_gone: fn() -> bool,
    work: impl FnOnce(&Arc<AtomicBool>) -> Answered,
) -> Option<Answered> {
    let stop = Arc::new(AtomicBool::new(false));
    let is_done = AtomicBool::new(false);
    let answered = std::thread::scope(|scope| {
        let looker = scope.spawn(|| {
            let mut next = Instant::now() + BETWEEN;
            while !is_done.load(Ordering::Acquire) {
                let mut is_stopped = interrupted.load(Ordering::Relaxed);
                if Instant::now() >= next {
                    let changed = |(path, stamp): &(PathBuf, _)| Stamp::of(path) != *stamp;
                    is_stopped |= files.iter().any(changed) || reader_is_gone();
                    next = Instant::now() + BETWEEN;
                }
                if is_stopped {
                    stop.store(true, Ordering::Relaxed);
                }
                std::thread::park_timeout(NAP);
            }
        });
        let answered = work(&stop);
        is_done.store(true, Ordering::Release);
        looker.thread().unpark();
        answered
    });
    (!stop.load(Ordering::Relaxed)).then_some(answered)
}
