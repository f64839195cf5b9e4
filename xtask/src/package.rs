//! `cargo xtask package`: the published crates as strangers get them.
//!
//! In:   the manifests that do not say `publish = false`.
//! Out:  their packages, unpacked in `target/packages`, built and tested there, each with the
//!       others as packaged.
//! Cost: a build of its own and the crates' tests, some minutes; so it is a part of `--long`.

use crate::command::{Outcome, cargo, root, run as run_command};
use crate::tidy::manifest::{Manifest, read_all};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Packs, unpacks and tests.
pub(crate) fn run() -> Outcome {
    let root = root();
    let all = read_all(&root);
    let published: Vec<&Manifest> = all.iter().filter(|manifest| manifest.is_published).collect();
    let mut pack = cargo(&["package", "--no-verify", "--allow-dirty", "--quiet"]);
    pack.args(["--target-dir", "target"]);
    pack.args(published.iter().flat_map(|manifest| ["-p", &manifest.package]));
    run_command(&mut pack)?;
    let folder = root.join("target").join("packages");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut workspace = String::from("[workspace]\nresolver = \"3\"\nmembers = [\"*-*\"]\n");
    workspace.push_str("[patch.crates-io]\n");
    for manifest in &published {
        let name = format!("{}-{}", manifest.package, version(&root)?);
        let packed = root.join("target").join("package").join(format!("{name}.crate"));
        run_command(Command::new("tar").arg("-xzf").arg(packed).current_dir(&folder))?;
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            if !folder.join(&name).join(file).is_file() {
                return Err(format!("{name} has no {file}"));
            }
        }
        let _ = writeln!(workspace, "{} = {{ path = \"{name}\" }}", manifest.package);
    }
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).map_err(|error| format!("{name}: {error}"))
    };
    write("Cargo.toml", &workspace)?;
    write("Cargo.lock", &fs::read_to_string(root.join("Cargo.lock")).unwrap_or_default())?;
    let manifest = folder.join("Cargo.toml");
    let mut test = cargo(&["test", "--workspace", "--all-features", "--target-dir"]);
    test.args(["target/outside", "--manifest-path"]).arg(&manifest);
    // Optimised a little: these are the tests of a game's size.
    test.envs([("CARGO_PROFILE_DEV_DEBUG", "0"), ("CARGO_PROFILE_DEV_OPT_LEVEL", "1")]);
    run_command(&mut test)
}

/// The version that all packages share.
fn version(root: &Path) -> Result<String, String> {
    let text = fs::read_to_string(root.join("Cargo.toml")).map_err(|error| error.to_string())?;
    let line = text.lines().find_map(|line| line.strip_prefix("version = "));
    line.map(|line| line.trim_matches('"').to_string()).ok_or("no version".to_string())
}
