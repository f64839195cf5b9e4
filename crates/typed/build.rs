//! Makes a Rust module of each domain file, before the package is compiled.
//!
//! In:   the domain files named below, and those they include.
//! Out:  a module each in the folder for generated files; a mistake in a file ends the build and
//!       is told with its place.

use std::error::Error;
use std::path::Path;
use std::{env, fs};
use throng::Domain;

/// Each domain file with the module made of it.
const DOMAINS: [(&str, &str); 4] = [
    ("../../domains/papers/horse_breeder_000.npc", "stable.rs"),
    ("domains/odd.json", "odd.rs"),
    ("domains/bare.npc", "bare.rs"),
    ("domains/camp.npc", "camp.rs"),
];

#[allow(clippy::print_stdout, reason = "this is how a build script speaks")]
fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::var("OUT_DIR")?;
    for (file, module) in DOMAINS {
        println!("cargo::rerun-if-changed={file}");
        let domain = Domain::from_file(file)?;
        for included in domain.model().sources().files().iter().skip(1) {
            println!("cargo::rerun-if-changed={}", included.name());
        }
        fs::write(Path::new(&folder).join(module), throng::codegen::rust(&domain))?;
    }
    Ok(())
}
