//! The published `throng`: the commands of the library, and nothing added.

use std::process::ExitCode;
use throng_cli::{Extension, program};

fn main() -> ExitCode {
    program(Extension::NONE)
}
