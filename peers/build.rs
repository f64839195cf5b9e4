//! Builds GPGOAP, a planner in C, if somebody has it: `THRONG_GPGOAP` names the folder with its
//! `goap.c` and `astar.c`. Without it the bench has no such row, and says so.
//!
//! In:   that folder; `CC`, or `cc`; `AR`, or `ar`.
//! Out:  a library of it and of our shim, and `cfg(gpgoap)`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    for variable in ["THRONG_GPGOAP", "CC", "AR"] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    println!("cargo:rerun-if-changed=gpgoap/shim.c");
    println!("cargo:rustc-check-cfg=cfg(gpgoap)");
    let Some(folder) = env::var_os("THRONG_GPGOAP").map(PathBuf::from) else { return };
    println!("cargo:rerun-if-changed={}", folder.display());
    match build(&folder) {
        Ok(()) => println!("cargo:rustc-cfg=gpgoap"),
        // Whoever names a folder wants the row.
        Err(why) => panic!("GPGOAP in {}: {why}", folder.display()),
    }
}

fn build(folder: &Path) -> Result<(), String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    let tool = |name: &str, otherwise: &str| env::var(name).unwrap_or_else(|_| otherwise.into());
    let sources = [folder.join("goap.c"), folder.join("astar.c"), "gpgoap/shim.c".into()];
    let mut objects = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        let object = out.join(format!("gpgoap{at}.o"));
        let mut compile = Command::new(tool("CC", "cc"));
        // As fast as ours may be: `-O3`, and no less.
        compile.args(["-std=gnu11", "-O3", "-w", "-fPIC", "-I"]).arg(folder);
        run(compile.arg("-c").arg(source).arg("-o").arg(&object))?;
        objects.push(object);
    }
    run(Command::new(tool("AR", "ar")).arg("crs").arg(out.join("libgpgoap.a")).args(&objects))?;
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=gpgoap");
    Ok(())
}

fn run(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}
