//! The two programs: how they are called, and what they say.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;
use throng_lab::BenchResult;
use throng_lab::clock::thread_nanoseconds;
use throng_lab::tasks::lifted_of;
use throng_pddl::ground::{Limits, ground};
use throng_pddl::sas::replay;
use throng_planner::SearchBudget;
use throng_planner::forward::{Found, Search};

/// What a planner may use.
#[derive(Clone, Copy)]
pub(crate) struct Allowed {
    pub(crate) seconds: f64,
    pub(crate) megabytes: f64,
}

/// How the other planner is to search.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    /// Its own language for searches.
    Search(&'static str),
    /// A configuration that it knows by name.
    Alias(&'static str),
}

/// What a planner came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    /// Steps of the plan, if there is one.
    pub(crate) length: Option<usize>,
    /// States made, and how long the search took.
    pub(crate) generated: f64,
    pub(crate) search: f64,
    /// Seconds from start to end of the program.
    pub(crate) wall: f64,
    /// Whether the input was not accepted.
    pub(crate) is_refused: bool,
    /// Whether time or memory ran out.
    pub(crate) is_out_of_limits: bool,
}

impl Answer {
    pub(crate) fn rate(&self) -> f64 {
        if self.search > 0.0 { self.generated / self.search } else { 0.0 }
    }

    pub(crate) fn told(&self) -> String {
        match self.length {
            Some(length) => format!("{length} steps in {:.3} s", self.wall),
            None if self.is_refused => "refused".to_string(),
            None if self.is_out_of_limits => format!("out of limits in {:.3} s", self.wall),
            None => format!("no plan in {:.3} s", self.wall),
        }
    }
}

pub(crate) struct Planners {
    throng: PathBuf,
    downward: Vec<String>,
    /// Where files are written.
    folder: PathBuf,
}

impl Planners {
    pub(crate) fn from_environment() -> BenchResult<Planners> {
        let throng = std::env::var_os("THRONG").ok_or("THRONG is not set")?.into();
        let downward = std::env::var("DOWNWARD").map_err(|_| "DOWNWARD is not set")?;
        let downward = downward.split('\n').map(str::to_string).collect();
        let folder = std::env::temp_dir().join(format!("throng-downward-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Planners { throng, downward, folder })
    }

    /// The other planner's own name of its version.
    pub(crate) fn version(&self) -> BenchResult<String> {
        let said = self.downward().arg("--version").output()?.stdout;
        let said = String::from_utf8_lossy(&said);
        Ok(said.lines().next().unwrap_or("a version of its own").to_string())
    }

    /// The domain and the problem of boxes, competition.
    pub(crate) fn boxes(&self, n: usize) -> BenchResult<[PathBuf; 2]> {
        let folder = self.folder.join("boxes");
        let files = ["domain.pddl", "problem.pddl"].map(|name| folder.join(name));
        let mut command = Command::new(&self.throng);
        command.args(["gen", "boxes", "competition", &n.to_string(), "--out"]).arg(&folder);
        well(&mut command)?;
        Ok(files)
    }

    /// Breadth-first search alone, which `shortest` joins with another after a while.
    pub(crate) fn breadth_first(&self, domain: &Path, problem: &Path) -> BenchResult<Answer> {
        let (domain, problem) = (fs::read_to_string(domain)?, fs::read_to_string(problem)?);
        let task = lifted_of([&domain, &problem]).ok_or("the files are not read")?;
        let grounded =
            ground(&task, &Limits::default(), None).map_err(|refusal| refusal.to_string())?;
        let task = &grounded.named.task;
        // The other planner counts the time that it was given, not the time that passed.
        let begin = thread_nanoseconds();
        let mut search = Search::default();
        search.begin_breadth_first(task);
        let Found::Goal(goal) =
            search.run(task, &SearchBudget { bytes: 4 << 30, ..SearchBudget::DEFAULT })
        else {
            return Err("no plan".into());
        };
        let seconds = (thread_nanoseconds() - begin) as f64 / 1e9;
        let mut plan = Vec::new();
        search.extract_plan(goal, &mut plan);
        replay(&grounded.named, &plan).map_err(|failed| format!("{failed:?}"))?;
        let (generated, length) = (search.generated() as f64, Some(plan.len()));
        Ok(Answer { length, generated, search: seconds, wall: seconds, ..Answer::default() })
    }

    /// Ours on a domain and a problem, or on a `.sas` file.
    pub(crate) fn ours(&self, files: &[&Path], mode: &str, limits: Allowed) -> BenchResult<Answer> {
        let mut command = Command::new(&self.throng);
        command.args([if files.len() == 1 { "sas" } else { "pddl" }, "solve"]).args(files);
        command.args(["--mode", mode, "--time", &limits.seconds.to_string()]);
        command.args(["--memory", &limits.megabytes.to_string(), "--json", "--stats"]);
        let (output, wall) = timed(&mut command)?;
        if output.status.code() == Some(2) {
            return Ok(Answer { wall, is_refused: true, ..Answer::default() });
        }
        let said: serde_json::Value = serde_json::from_slice(&output.stdout)?;
        let has_plan = said["outcome"] == "plan" || said["outcome"] == "satisfied";
        Ok(Answer {
            length: has_plan.then(|| said["length"].as_u64().unwrap_or(0) as usize),
            generated: said["generated"].as_f64().unwrap_or(0.0),
            search: said["stats"]["phases"]["search"].as_f64().unwrap_or(0.0) / 1e3,
            wall,
            is_refused: false,
            is_out_of_limits: said["outcome"] == "gave_up",
        })
    }

    /// Whether our judge accepts the plan that the other planner wrote last.
    pub(crate) fn their_plan_is_valid(&self, files: &[&Path]) -> BenchResult<bool> {
        let mut command = Command::new(&self.throng);
        command.args(["pddl", "validate"]).args(files).arg(self.their_plan());
        Ok(command.output()?.status.success())
    }

    fn their_plan(&self) -> PathBuf {
        self.folder.join("their.plan")
    }

    /// Theirs on the same.
    pub(crate) fn theirs(&self, files: &[&Path], way: Way, limits: Allowed) -> BenchResult<Answer> {
        let mut command = self.downward();
        if let Way::Alias(name) = way {
            command.args(["--alias", name]);
        }
        command.args(["--overall-time-limit", &format!("{:.0}s", limits.seconds)]);
        command.args(["--overall-memory-limit", &format!("{:.0}M", limits.megabytes)]);
        command.arg("--plan-file").arg(self.their_plan());
        command.arg("--sas-file").arg(self.folder.join("their-output.sas"));
        command.args(files);
        if let Way::Search(search) = way {
            command.args(["--search", search]);
        }
        let (output, wall) = timed(&mut command)?;
        let said = String::from_utf8_lossy(&output.stdout);
        let number = |before: &str, after: &str| -> Option<f64> {
            said.lines().find_map(|line| {
                let (_, rest) = line.split_once(before)?;
                rest.split(after).next()?.trim().parse().ok()
            })
        };
        // Its codes: 30 and more for errors of input, 20 to 24 for time and memory.
        let code = output.status.code().unwrap_or(24);
        let is_refused = code >= 30;
        Ok(Answer {
            length: number("Plan length: ", " step").map(|length| length as usize),
            generated: number("Generated ", " state").unwrap_or(0.0),
            search: number("Search time: ", "s").unwrap_or(0.0),
            wall,
            is_refused,
            is_out_of_limits: (20..30).contains(&code),
        })
    }

    /// Our `.sas` of a task.
    pub(crate) fn write_sas(&self, files: &[&Path]) -> BenchResult<PathBuf> {
        let file = self.folder.join("ours.sas");
        let mut command = Command::new(&self.throng);
        well(command.arg("convert").args(files).arg(&file))?;
        Ok(file)
    }

    /// Their `.sas` of a task.
    pub(crate) fn their_sas(&self, files: &[&Path]) -> BenchResult<PathBuf> {
        let file = self.folder.join("theirs.sas");
        let mut command = self.downward();
        command.arg("--sas-file").arg(&file).arg("--keep-sas-file");
        well(command.arg("--translate").args(files))?;
        Ok(file)
    }

    fn downward(&self) -> Command {
        let mut command = Command::new(&self.downward[0]);
        command.args(&self.downward[1..]).current_dir(&self.folder);
        command
    }
}

/// Runs a command that must end well.
fn well(command: &mut Command) -> BenchResult {
    let output = command.output()?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
    }
}

/// What a command said, and how many seconds it took.
fn timed(command: &mut Command) -> BenchResult<(Output, f64)> {
    let begin = Instant::now();
    let output = command.stdin(Stdio::null()).output()?;
    Ok((output, begin.elapsed().as_secs_f64()))
}
