//! What the lab adds to the command line: families, measurements, planners of papers.
//!
//! In:   the commands of `throng-cli`.
//! Out:  [`LAB`], the extension with which this repository's `throng` is built.

mod bench;
mod classes;
mod r#gen;
mod printed;
mod seed;

use bench::args::SuiteArgs;
use clap::{ArgMatches, Command, FromArgMatches, Subcommand};
use r#gen::args::FamilyArgs;
use std::ffi::OsString;
use throng_cli::{CommandResult, Console, Extension, Fail, planners, task_planners};

/// All that the lab adds.
pub const LAB: Extension = Extension { words, run: run_added, planners: &printed::NAMES };

/// Runs one command line, the lab's commands among the others, and gives its exit code.
pub fn run<A: Into<OsString> + Clone>(
    arguments: impl IntoIterator<Item = A>,
    mut console: Console<'_>,
) -> u8 {
    throng_cli::run(arguments, &LAB, &mut console)
}

// The commands of the lab alone. No documentation: clap would take it for that of the program.
#[derive(Subcommand)]
enum Added {
    /// Measures: the papers' experiments, how things grow, how close the machine's limits are
    #[command(after_help = "Examples:\n  \
        throng bench papers --out docs/papers      tables, figures, points and a page\n  \
        throng bench growth --json")]
    Bench {
        #[command(subcommand)]
        suite: SuiteArgs,
    },
}

const GEN: &str =
    "Writes a domain as Rust, or members of problem families: to measure, to see what is hard";
const GEN_EXAMPLES: &str = "Examples:\n  \
    throng gen rust stable.npc --out src/stable.rs\n  \
    throng gen tunnel 8\n  \
    throng gen multiprv 3 10 --out multiprv.npc\n  \
    throng gen oneprv 5 1000 --out oneprv.json\n  \
    throng gen gray 4 --json\n  \
    throng gen boxes competition 8 --out boxes\n  \
    throng gen threesat --clauses \"1 -2 3, -1 2\"";
const PLANNERS: &str = "Which engine; or, for `plan`, an algorithm as printed: papers/…";
const TRACE: &str =
    "Show what changes at each step; with papers/…, what the algorithm does at each of its own";
const TASK_MODES: &str =
    "Which plan; the cheapest if nothing is said, and the shortest of the seed";
const TASK_PLANNERS: &str =
    "Which planner: the library's, or the one of the seed, which unifies actions with the state";

fn words(program: Command) -> Command {
    let asking = ["plan", "why", "whynot", "watch"];
    let program = asking.into_iter().fold(program, |program, name| {
        program.mut_subcommand(name, |command| {
            command
                .mut_arg("planner", |planner| {
                    planner.value_parser(planners(&printed::NAMES)).help(PLANNERS)
                })
                .mut_arg("trace", |trace| trace.help(TRACE))
        })
    });
    let program = program.mut_subcommand("plan", |plan| {
        with_example(plan, "throng plan stable.npc --planner papers/topoplan --trace")
    });
    let program = program.mut_subcommand("pddl", |pddl| {
        pddl.mut_subcommand("solve", |solve| {
            let line = "throng pddl solve domain.pddl problem.pddl --planner seed --stats";
            with_example(solve, line)
                .mut_arg("mode", |mode| mode.help(TASK_MODES))
                .mut_arg("planner", |planner| {
                    planner.value_parser(task_planners(&[&seed::Seed])).help(TASK_PLANNERS)
                })
        })
    });
    let program = program.mut_subcommand("classes", classes::words);
    let program = program.mut_subcommand("gen", |families| {
        FamilyArgs::augment_subcommands(families).about(GEN).after_help(GEN_EXAMPLES)
    });
    Added::augment_subcommands(program)
}

/// A command with one more example.
fn with_example(command: Command, line: &str) -> Command {
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    command.after_help(format!("{examples}\n  {line}"))
}

fn run_added(matches: &ArgMatches, console: &mut Console<'_>) -> Option<CommandResult> {
    match matches.subcommand()? {
        ("bench", _) => Some(match Added::from_arg_matches(matches) {
            Ok(Added::Bench { suite }) => bench::run(&suite, console),
            Err(error) => Err(Fail::Bad(error.to_string())),
        }),
        ("classes", of) => classes::run(of, console),
        ("plan", of) => printed::asked(of).map(|planner| printed::run(planner, of, console)),
        ("gen", of) if of.subcommand_name() != Some("rust") => {
            Some(match FamilyArgs::from_arg_matches(of) {
                Ok(args) => r#gen::run(&args, console),
                Err(error) => Err(Fail::Bad(error.to_string())),
            })
        }
        _ => None,
    }
}
