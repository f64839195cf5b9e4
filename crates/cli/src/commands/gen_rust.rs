//! `throng gen rust`: a domain as a Rust module.
//!
//! In:   a domain file.
//! Out:  the module, on the results or in a file that is replaced whole.
//! Cost: linear in the domain.

use crate::FINE;
use crate::args::GenWhat;
use crate::console::{CommandResult, Console, bad};
use crate::loading;
use crate::writing::replace;
use serde_json::json;
use throng_domain::Format;

pub(crate) fn run(GenWhat::Rust(args): &GenWhat, console: &mut Console<'_>) -> CommandResult {
    // A slip of the pen must not cost somebody a domain.
    if let Some(out) = &args.out
        && Format::of_path(&out.display().to_string()).is_some()
    {
        return bad(format!("`{}` is named like a domain; a module ends in .rs", out.display()));
    }
    let domain = loading::domain(&args.domain, console)?;
    let module = throng::codegen::rust(&domain);
    let mut changed = None;
    if let Some(out) = &args.out {
        // Builds look at the time of files: the same bytes are not written again.
        let is_same = std::fs::read(out).is_ok_and(|bytes| bytes == module.as_bytes());
        if !is_same {
            replace(out, &module)?;
        }
        changed = Some(!is_same);
    }
    if args.json {
        let output = args.out.as_ref().map(|out| out.display().to_string());
        // `changed`: whether the file had to be written.
        let mut made = json!({
            "domain": domain.name(), "digest": domain.digest().to_string(),
            "output": output, "changed": changed,
        });
        if args.out.is_none() {
            made["module"] = json!(module);
        }
        console.json(&made)?;
    } else if args.out.is_none() {
        console.print_file(&module)?;
    }
    Ok(FINE)
}
