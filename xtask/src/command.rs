//! Running other programs: the places they run in, and their outcome in words.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Nothing, or what went wrong.
pub(crate) type Outcome = Result<(), String>;

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// The same cargo that runs us, in the repository.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// A program that cargo built in a profile: it lies beside us, two folders up.
pub(crate) fn built(profile: &str, name: &str) -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let build = own.ancestors().nth(2).ok_or("no build folder")?;
    Ok(build.join(profile).join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
}

/// Runs a command, its output let through.
pub(crate) fn run(command: &mut Command) -> Outcome {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{}`: {status}", words(command))),
        Err(error) => Err(format!("`{}` cannot be run: {error}", words(command))),
    }
}

/// A command as one would type it.
pub(crate) fn words(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let mut words = vec![program.to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    let set = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let set = set.map(|(name, value)| {
        let value = value.to_string_lossy();
        let quote = if value.contains(' ') { "\"" } else { "" };
        format!("{}={quote}{value}{quote}", name.to_string_lossy())
    });
    set.chain(words).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_reads_as_typed() {
        let mut command = Command::new("cargo");
        command.args(["doc", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(words(&command), "RUSTDOCFLAGS=\"-D warnings\" cargo doc --no-deps");
    }

    #[test]
    fn the_repository_has_a_manifest() {
        assert!(root().join("Cargo.toml").is_file());
    }
}
