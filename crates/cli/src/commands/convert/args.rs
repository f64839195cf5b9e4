//! The words of `throng convert`.

use crate::field::args::LimitArgs;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct ConvertArgs {
    /// The file to read; of a task in PDDL the domain, then the problem
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The file to write; `-` prints. PDDL has two, the domain and the problem: `NAME.pddl`
    /// alone writes NAME-domain.pddl and NAME-problem.pddl
    #[arg(value_name = "OUT", required = true, num_args = 1..=3)]
    pub(crate) others: Vec<PathBuf>,
    /// What the input is, if its ending does not tell
    #[arg(long)]
    pub(crate) format: Option<ConvertForm>,
    /// What the output is to be, if its ending does not tell
    #[arg(long)]
    pub(crate) out_format: Option<ConvertForm>,
    #[command(flatten)]
    pub(crate) asked: ConvertAsked,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Print what was done as JSON; nothing beside the text itself with `-`
    #[arg(long)]
    pub(crate) json: bool,
}

/// Of a domain that becomes a task: which question about it.
#[derive(Args)]
pub(crate) struct ConvertAsked {
    /// For tasks: the NPC type, if there are several
    #[arg(long, value_name = "NPC")]
    pub(crate) npc: Option<String>,
    /// For tasks: values it starts from instead of `starts`
    #[arg(long, value_name = "var=value,…", value_delimiter = ',')]
    pub(crate) from: Vec<String>,
    /// For tasks: the goal, if it wants several
    #[arg(long, value_name = "GOAL", conflicts_with = "to")]
    pub(crate) goal: Option<String>,
    /// For tasks: values to reach, instead of a goal
    #[arg(long, value_name = "var=value,…", value_delimiter = ',')]
    pub(crate) to: Vec<String>,
    /// For tasks: context checks that do not hold
    #[arg(long, value_name = "CHECK,…", value_delimiter = ',', conflicts_with = "only")]
    pub(crate) without: Vec<String>,
    /// For tasks: the only context checks that hold; `--only ""` for none
    #[arg(long, value_name = "CHECK,…", value_delimiter = ',')]
    pub(crate) only: Option<Vec<String>>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConvertForm {
    Npc,
    Json,
    Pddl,
    Sas,
}
