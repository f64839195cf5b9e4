//! The words of `throng gen` for problem families.

use super::boxes::BoxesArgs;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum FamilyArgs {
    /// Lights are switched on one after the other, then off again: 2N - 1 actions
    #[command(after_help = "Example:\n  throng gen tunnel 8")]
    Tunnel {
        /// Lights
        n: u64,
        #[command(flatten)]
        to: GenOut,
    },
    /// MultiPrv_X_Cycle: every action needs value 1 of all later variables; X·N - 1 actions
    #[command(after_help = "Example:\n  throng gen multiprv 2 100 --out multiprv.npc")]
    Multiprv(PrvArgs),
    /// OnePrv_X: every action needs the middle value of the next variable; (X - 1)·N actions
    #[command(after_help = "Example:\n  throng gen oneprv 5 1000 --out oneprv.npc")]
    Oneprv(PrvArgs),
    /// The Gray code: a plan of 2^N - 1 actions, which repeat
    #[command(after_help = "Example:\n  throng gen gray 4")]
    Gray {
        /// Bits
        n: u64,
        #[command(flatten)]
        to: GenOut,
    },
    /// Creatures carry boxes one at a time: more objects for one plan, or long plans
    #[command(after_help = "Examples:\n  \
        throng gen boxes scaling 100 --out boxes            domain.pddl and problem.pddl\n  \
        throng gen boxes competition 8 --out boxes.npc\n  \
        throng gen boxes scaling 50 --vary place --json\n  \
        throng gen boxes competition 6 --unsolvable --creatures 2")]
    Boxes(BoxesArgs),
    /// A formula as a planning problem: there is a plan if and only if it can be satisfied
    #[command(
        after_help = "Examples:\n  throng gen threesat --clauses \"1 -2 3, -1 2\" --out formula.npc\n  throng gen threesat formula.cnf      DIMACS, or a clause a line\n  throng gen threesat - < formula.cnf"
    )]
    Threesat {
        /// A file with the formula; `-` reads standard input
        #[arg(required_unless_present = "clauses", conflicts_with = "clauses")]
        file: Option<PathBuf>,
        /// The formula: clauses between commas, -2 is the negation of variable 2
        #[arg(long, value_name = "1 -2 3, …", allow_hyphen_values = true)]
        clauses: Option<String>,
        #[command(flatten)]
        to: GenOut,
    },
}

#[derive(Args)]
pub(crate) struct PrvArgs {
    /// Values of a variable
    pub(crate) x: u64,
    /// Variables
    pub(crate) n: u64,
    #[command(flatten)]
    pub(crate) to: GenOut,
}

#[derive(Args)]
pub(crate) struct GenOut {
    /// The file to write, .npc or .json; without it, print
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write the JSON twin
    #[arg(long)]
    pub(crate) json: bool,
}
