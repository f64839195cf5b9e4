//! Which of the files of `throng convert` are read and which are written, and what they are.
//!
//! A task in PDDL has two files, everything else one. So `a.pddl b.pddl c` reads two and writes
//! one; `a c.pddl d.pddl` reads one and writes two; `a c.pddl` writes `c-domain.pddl` and
//! `c-problem.pddl`.

use crate::args::field::{ConvertArgs, Form};
use crate::console::{Fail, bad};
use crate::loading;
use std::path::{Path, PathBuf};
use throng_domain::Format;

/// What is read and written.
pub(super) struct Words<'a> {
    pub(super) args: &'a ConvertArgs,
    pub(super) inputs: Vec<PathBuf>,
    pub(super) from: Form,
    pub(super) outputs: Vec<PathBuf>,
    pub(super) to: Form,
}

impl<'a> Words<'a> {
    pub(super) fn new(args: &'a ConvertArgs) -> Result<Words<'a>, Fail> {
        let first = &args.input;
        let files: Vec<PathBuf> = std::iter::once(first).chain(&args.others).cloned().collect();
        let from = match args.format.or_else(|| Form::of_path(first)) {
            Some(form) => form,
            None if first == Path::new("-") => Form::Npc,
            // Says what is wrong with it.
            None => match loading::format_of(first, None)? {
                Format::Npc => Form::Npc,
                Format::Json => Form::Json,
            },
        };
        let n_inputs = if from == Form::Pddl { 2 } else { 1 };
        if files.len() <= n_inputs {
            let name = first.display();
            return bad(format!(
                "`{name}`: a task in PDDL has two files; write `throng convert DOMAIN.pddl \
                 PROBLEM.pddl OUT`"
            ));
        }
        let (inputs, outputs) = files.split_at(n_inputs);
        let to = output_form(args, from, &outputs[0])?;
        let outputs = match (to, outputs) {
            (Form::Pddl, [only]) if only == Path::new("-") => vec![only.clone(), only.clone()],
            (Form::Pddl, [only]) => ["domain", "problem"].map(|part| beside(only, part)).to_vec(),
            (Form::Pddl, [_, _]) | (_, [_]) => outputs.to_vec(),
            _ => {
                let names: Vec<String> =
                    outputs.iter().map(|path| format!("`{}`", path.display())).collect();
                return bad(format!(
                    "{}: too many files; only PDDL is written into two",
                    names.join(", ")
                ));
            }
        };
        Ok(Words { args, inputs: inputs.to_vec(), from, outputs, to })
    }
}

fn output_form(args: &ConvertArgs, from: Form, output: &Path) -> Result<Form, Fail> {
    if let Some(form) = args.out_format.or_else(|| Form::of_path(output)) {
        return Ok(form);
    }
    match (output == Path::new("-"), from) {
        // Printing: the other format than the one that came in.
        (true, Form::Json) => Ok(Form::Npc),
        (true, Form::Npc) => Ok(Form::Json),
        (true, Form::Pddl) => Ok(Form::Sas),
        (true, Form::Sas) => Ok(Form::Pddl),
        (false, _) => {
            let name = output.display();
            bad(format!(
                "`{name}`: the ending tells no format; use .npc, .json, .pddl or .sas, or say \
                 `--out-format npc`"
            ))
        }
    }
}

/// `blocks.pddl` as `blocks-domain.pddl`.
fn beside(path: &Path, part: &str) -> PathBuf {
    let stem = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    path.with_file_name(format!("{stem}-{part}.pddl"))
}
