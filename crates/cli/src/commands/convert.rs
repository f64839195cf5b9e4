//! `throng convert`: between `.npc` and JSON.

use crate::FINE;
use crate::args::ConvertArgs;
use crate::commands::fmt::replace;
use crate::console::{Console, Outcome, bad, count};
use crate::loading;
use serde::Serialize;
use std::path::Path;
use throng::model::Format;
use throng::model::formats::{json, npc};

#[derive(Serialize)]
struct ConvertedShape {
    output: String,
    digest: String,
    variables: usize,
    actions: usize,
}

pub(crate) fn run(args: &ConvertArgs, console: &mut Console<'_>) -> Outcome {
    let to_stdout = args.output == Path::new("-");
    if is_same_file(&args.input, &args.output) {
        return bad("input and output are the same file; `throng fmt --write` rewrites in place");
    }
    let domain = loading::domain(&args.input, args.format.map(Format::from), console)?;
    let format = match (args.out_format, to_stdout) {
        (Some(format), _) => Format::from(format),
        // Printing: the other format than the one that came in.
        (None, true) => match loading::format_of(&args.input, args.format.map(Format::from)) {
            Ok(Format::Json) => Format::Npc,
            _ => Format::Json,
        },
        (None, false) => loading::format_to_write(&args.output, None)?,
    };
    let text = match format {
        Format::Json => json::write(domain.model()),
        Format::Npc => match npc::write(domain.model()) {
            Ok(text) => text,
            Err(problems) => {
                let lines: Vec<String> = problems
                    .iter()
                    .take(20)
                    .map(|problem| format!("\n  {}: `{}`", problem.what, problem.name))
                    .collect();
                let more = problems.len().saturating_sub(20);
                let more = if more > 0 { format!("\n  and {more} more") } else { String::new() };
                return bad(format!(
                    ".npc cannot express these names; rename them first:{}{more}",
                    lines.concat()
                ));
            }
        },
    };
    match to_stdout {
        true => console.print(&text)?,
        false => replace(&args.output, &text)?,
    }
    if !args.json && !to_stdout {
        let model = domain.model();
        console.message(&format!(
            "wrote `{}`: {}, {}",
            args.output.display(),
            count(model.variables().len(), "variable"),
            count(model.actions().len(), "action")
        ));
    }
    if args.json && !to_stdout {
        console.json(&ConvertedShape {
            output: args.output.display().to_string(),
            digest: domain.digest().to_string(),
            variables: domain.model().variables().len(),
            actions: domain.model().actions().len(),
        })?;
    }
    Ok(FINE)
}

/// Converting a file onto itself would lose its comments and templates.
fn is_same_file(input: &Path, output: &Path) -> bool {
    match (input.canonicalize(), output.canonicalize()) {
        (Ok(input), Ok(output)) => input == output,
        _ => false,
    }
}
