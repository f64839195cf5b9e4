//! `throng classes` in the papers' notation, and drawn.
//!
//! In:   the words of `classes`, with `--formal` or `--graph`.
//! Out:  the papers' tables and sets; an SVG file beside the usual report.

mod drawing;
mod formal;
mod layout;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::PathBuf;
use throng_cli::writing::replace;
use throng_cli::{AskedClasses, CommandResult, Console, FINE, bad};

const EXAMPLES: &str = "Examples:\n  \
    throng classes stable.npc\n  \
    throng classes western.npc Blacksmith --graph blacksmith.svg\n  \
    throng classes --formal stable.npc      tables and sets as in the papers";

/// Adds the two options, before those of the command itself.
pub(super) fn words(classes: Command) -> Command {
    let formal = Arg::new("formal")
        .long("formal")
        .action(ArgAction::SetTrue)
        .conflicts_with("json")
        .display_order(0)
        .help("Print the papers' tables: predecessor sets, requestable actions, cycles");
    let graph = Arg::new("graph")
        .long("graph")
        .value_name("OUT.svg")
        .value_parser(value_parser!(PathBuf))
        .display_order(0)
        .help("Also draw the domain-action graphs and the action graph");
    let later = ["format", "json"];
    let classes = later
        .into_iter()
        .fold(classes, |classes, name| classes.mut_arg(name, |option| option.display_order(1)));
    classes.arg(formal).arg(graph).after_help(EXAMPLES)
}

/// Runs the command if one of the two was given.
pub(super) fn run(words: &ArgMatches, console: &mut Console<'_>) -> Option<CommandResult> {
    let graph = words.get_one::<PathBuf>("graph");
    let is_formal = words.get_flag("formal");
    (is_formal || graph.is_some()).then(|| tell(words, graph, is_formal, console))
}

fn tell(
    words: &ArgMatches,
    graph: Option<&PathBuf>,
    is_formal: bool,
    console: &mut Console<'_>,
) -> CommandResult {
    let asked = AskedClasses::read(words, console)?;
    let (npcs, map) = (asked.types(), asked.map());
    if let Some(path) = graph {
        if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("svg")) {
            return bad(format!(
                "`{}`: pictures are written as SVG; let the name end in `.svg`",
                path.display()
            ));
        }
        let picture = drawing::picture(&npcs, map);
        replace(path, &picture.svg)?;
        for name in &picture.left_out {
            let most = drawing::MOST_DRAWN;
            console.message(&format!("note: `{name}` has more than {most} actions, not drawn"));
        }
    }
    if !is_formal {
        return asked.tell(console);
    }
    for (at, npc) in npcs.iter().enumerate() {
        if at > 0 {
            writeln!(console)?;
        }
        console.print(&formal::text(npc, map))?;
    }
    Ok(FINE)
}
