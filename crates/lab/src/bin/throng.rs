//! The `throng` of this repository: the published commands, and those of the lab.

use std::process::ExitCode;
use throng_cli::program;
use throng_lab::commands::LAB;

fn main() -> ExitCode {
    program(LAB)
}
