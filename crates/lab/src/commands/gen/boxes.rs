//! `throng gen boxes`: the seed's scaling and competition problems, as PDDL, `.npc` or JSON.
//!
//! In:   which of the two, how many objects, of which kind the number counts.
//! Out:  domain and problem, printed or in a folder; or one `.npc` or JSON text.
//! Cost: linear in the text, which is made before it is written.

use crate::families::boxes::{Boxes, Kind};
use crate::families::check_size;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use throng::Domain;
use throng_cli::FINE;
use throng_cli::writing::{make_folder, replace};
use throng_cli::{CommandResult, Console, Fail, bad};
use throng_domain::formats::{json, npc};

#[derive(Args)]
pub(crate) struct BoxesArgs {
    /// One box is wanted and others stand around, or all are wanted
    kind: Kind,
    /// How many boxes; with `--vary`, how many of that
    n: u32,
    /// What N counts
    #[arg(long, value_name = "WHAT", default_value = "box")]
    vary: Vary,
    /// How many boxes, if N counts something else [default: 1 for scaling, 3 for competition]
    #[arg(long, value_name = "B")]
    boxes: Option<u32>,
    /// How many places, if N counts something else [default: 2]
    #[arg(long, value_name = "P")]
    places: Option<u32>,
    /// How many creatures, if N counts something else [default: 1]
    #[arg(long, value_name = "C")]
    creatures: Option<u32>,
    /// The twin that has no plan: the first box is wanted in hands that are free
    #[arg(long)]
    unsolvable: bool,
    /// What to write, if `--out` does not tell [default: pddl]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Written>,
    /// A folder for domain.pddl and problem.pddl, or a file .npc or .json; without it, print
    #[arg(long, value_name = "WHERE")]
    out: Option<PathBuf>,
    /// Write the JSON twin
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Vary {
    Box,
    Place,
    Creature,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Written {
    Pddl,
    Npc,
    Json,
}

/// Boxes times places times creatures at most.
const MOST: u64 = 1_000_000;

/// Where one printed file ends and the other begins.
const BETWEEN: &str = "\n; --- problem.pddl: what follows is a file of its own ---\n\n";

pub(crate) fn run(args: &BoxesArgs, console: &mut Console<'_>) -> CommandResult {
    let member = member(args)?;
    let written = format(args)?;
    match (written, &args.out) {
        (Written::Pddl, None) => {
            console.print_file(Boxes::pddl_domain())?;
            console.print_file(BETWEEN)?;
            console.print_file(&member.pddl_problem())?;
        }
        (Written::Pddl, Some(folder)) => {
            let [domain, problem] = save_pddl(&member, folder)?;
            let (domain, problem) = (domain.display(), problem.display());
            console.message(&format!("wrote `{domain}` and `{problem}`"));
        }
        (_, None) => console.print_file(&text(&member, written)?)?,
        (_, Some(path)) => {
            replace(path, &text(&member, written)?)?;
            console.message(&format!("wrote `{}`", path.display()));
        }
    }
    Ok(FINE)
}

fn member(args: &BoxesArgs) -> Result<Boxes, Fail> {
    let kind = args.kind;
    let given = [
        (Vary::Box, "boxes", args.boxes, if kind == Kind::Scaling { 1 } else { 3 }, 1),
        (Vary::Place, "places", args.places, 2, 2),
        (Vary::Creature, "creatures", args.creatures, 1, 1),
    ];
    let mut counts = [0; 3];
    for (count, (what, word, said, usual, least)) in counts.iter_mut().zip(given) {
        *count = match said {
            Some(_) if what == args.vary => {
                return bad(format!("N counts the {word} already; leave `--{word}` out"));
            }
            None if what == args.vary => args.n,
            said => said.unwrap_or(usual),
        };
        let what = format!("the number of {word}");
        check_size(&what, u64::from(*count), least, MOST).map_err(Fail::Bad)?;
    }
    let [boxes, places, creatures] = counts;
    let member = Boxes { kind, boxes, places, creatures, unsolvable: args.unsolvable };
    match member.size() <= MOST {
        true => Ok(member),
        false => bad(format!(
            "boxes times places times creatures are {}; at most {MOST} are written; ask for a \
             smaller member",
            member.size()
        )),
    }
}

fn format(args: &BoxesArgs) -> Result<Written, Fail> {
    let said = if args.json { Some(Written::Json) } else { args.format };
    let ending = args.out.as_deref().and_then(Path::extension).and_then(|ending| ending.to_str());
    let told = match ending.map(str::to_ascii_lowercase).as_deref() {
        Some("npc") => Some(Written::Npc),
        Some("json") => Some(Written::Json),
        Some("pddl") => {
            return bad("PDDL is two files, domain.pddl and problem.pddl: name a folder for them");
        }
        // A folder may be called anything, if it is there or PDDL was asked for.
        Some(_) if said.is_none() && !args.out.as_deref().is_some_and(Path::is_dir) => {
            let name = args.out.as_deref().unwrap_or(Path::new("")).display();
            return bad(format!(
                "`{name}`: the ending tells no format; name a file .npc or .json, or a folder \
                 for domain.pddl and problem.pddl (if that is to be its name, say \
                 `--format pddl`)"
            ));
        }
        _ => None,
    };
    match (said, told) {
        (Some(said), Some(told)) if said != told => {
            bad("the ending of the file and the format asked for differ; say one of them")
        }
        (said, told) => Ok(said.or(told).unwrap_or(Written::Pddl)),
    }
}

fn save_pddl(member: &Boxes, folder: &Path) -> Result<[PathBuf; 2], Fail> {
    make_folder(folder)?;
    let both = ["domain.pddl", "problem.pddl"].map(|name| folder.join(name));
    replace(&both[0], Boxes::pddl_domain())?;
    replace(&both[1], member.pddl_problem())?;
    Ok(both)
}

/// The member as `.npc` in canonical layout, with what is known as a test; or the JSON twin.
fn text(member: &Boxes, written: Written) -> Result<String, Fail> {
    let expected = match member.plan_length() {
        Some(length) => format!("known_length: creature\n  goal moved\n  expect length {length}"),
        None => "known_to_be_impossible: creature\n  goal moved\n  expect impossible".to_string(),
    };
    let text = format!("{}{}\ntest {expected}\n", about(member), member.npc());
    let broken = |_| Fail::Bad("this member is larger than the readers take".to_string());
    match written {
        Written::Json => Ok(json::write(Domain::from_text(&text).or_else(too_large)?.model())),
        _ => npc::format(&text, &throng_mind::notes::WORDS).map_err(broken),
    }
}

fn too_large(error: throng::LoadError) -> Result<Domain, Fail> {
    bad(format!("this member is larger than the readers take: {error}"))
}

fn about(member: &Boxes) -> String {
    let Boxes { kind, boxes, places, creatures, unsolvable } = member;
    let twin = if *unsolvable { " --unsolvable" } else { "" };
    let what = match (unsolvable, kind) {
        (true, _) => "Wanted: the first box in hands that are free. There is no plan.",
        (false, Kind::Scaling) => {
            "Wanted: the first box at the last place. The others are in the way of a search, not \
             of a plan."
        }
        (false, Kind::Competition) => {
            "Wanted: all boxes at the last place, one at a time. Every order of them is a plan."
        }
    };
    let states = member.reachable().map_or("more states than can be counted".to_string(), |n| {
        format!("{n} states can be reached")
    });
    format!(
        "# Boxes, {0}, generated: throng gen boxes {0} {boxes} --places {places} --creatures \
         {creatures}{twin}\n#\n# {what}\n# {states}.\n#\n# Source: \"Optimizing Practical \
         Planning for Game AI\", section 3.2.\n\n",
        kind.word()
    )
}
