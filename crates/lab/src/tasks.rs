//! The benchmark tasks of a folder: one folder a domain, several problems in each.

use crate::corpus::sorted;
use std::io;
use std::path::{Path, PathBuf};
use throng_pddl::lifted::Lifted;
use throng_pddl::read::{self, Text, read_task};

/// The two files of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskFiles {
    /// Folder and problem: `gripper/prob01.pddl`.
    pub name: String,
    /// The domain's file.
    pub domain: PathBuf,
    /// The problem's file.
    pub problem: PathBuf,
}

/// Every problem of a folder of folders with its domain, by name.
///
/// # Errors
///
/// If a folder cannot be read.
pub fn tasks(folder: &Path) -> io::Result<Vec<TaskFiles>> {
    let mut tasks = Vec::new();
    for group in sorted(folder)?.into_iter().filter(|path| path.is_dir()) {
        for problem in sorted(&group)? {
            let name = name_of(&problem);
            if name.contains("domain") || !name.ends_with(".pddl") {
                continue;
            }
            // Some problems have a domain of their own, named by the same number.
            let number = name.split(['-', '.']).next().unwrap_or_default();
            let own = [format!("{number}-domain.pddl"), format!("domain_{number}.pddl")];
            let own = own.map(|name| group.join(name)).into_iter().find(|path| path.is_file());
            let domain = own.unwrap_or_else(|| group.join("domain.pddl"));
            tasks.push(TaskFiles { name: format!("{}/{name}", name_of(&group)), domain, problem });
        }
    }
    Ok(tasks)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The task that two texts say; `None` if the reader finds an error.
pub fn lifted_of([domain, problem]: [&str; 2]) -> Option<Lifted> {
    let domain = Text { name: "domain.pddl", text: domain };
    let problem = Text { name: "problem.pddl", text: problem };
    read_task(domain, problem, &read::Limits::default()).task
}
