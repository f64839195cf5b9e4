//! Real-time action planning for non-player characters: a plan or a reason, always.
//!
//! Describe what your NPCs can do in a text file, load it once, and ask for plans. The
//! cheapest plan comes back, or a sentence that says what stands in the way.
//!
//! ```
//! use throng::prelude::*;
//!
//! let domain = Domain::from_text(
//!     "domain stable
//! var haystack: stored, in_hands, in_feeder
//! action take: haystack stored -> in_hands
//! action feed: haystack in_hands -> in_feeder   if feeder_reachable
//! goal fed: haystack = in_feeder
//! npc breeder
//!     can take, feed
//!     wants fed
//!     starts haystack = stored",
//! )?;
//!
//! let mut npc = Npc::new(&domain, "breeder")?;
//! let planner = Planner::new();
//! let mut scratch = Scratch::default();
//!
//! let answer = planner.plan(&npc, &Request::best(), &mut scratch);
//! assert_eq!(answer.plan().names().collect::<Vec<_>>(), ["take", "feed"]);
//!
//! npc.set_check("feeder_reachable", false)?;
//! let answer = planner.plan(&npc, &Request::best(), &mut scratch);
//! assert_eq!(
//!     answer.reason(),
//!     "`haystack = in_feeder` cannot be reached: \
//!      `feed` would set `haystack = in_feeder`, but the check `feeder_reachable` is false",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | you have | you want | use |
//! |---|---|---|
//! | a file or a text | a [`Domain`] | [`Domain::from_file`], [`Domain::from_text`] |
//! | text that is huge, or a stranger's | the same, within your limits | [`Domain::from_file_within`] |
//! | a domain | an NPC to plan for | [`Npc::new`], [`Npc::set`], [`Npc::set_amount`], [`Npc::set_check`] |
//! | no goal in the file | what should hold, in words | [`Domain::conditions`] with [`Request::to_conditions`] |
//! | an NPC | a plan | [`Planner::plan`] with a [`Request`] |
//! | a plan | to walk it | [`Plan::steps`], [`Npc::apply`] |
//! | a plan | to know why | [`Planner::why`], [`Planner::plans`], [`Planner::partial_order`] |
//! | no plan | to know why not, and what to change | [`Planner::why_not`] |
//! | thousands or millions of NPCs | their plans in a frame | [`crowd::Crowd`], [`crowd::Population`] |
//! | one NPC in depth | senses, memory, goals, actions | [`Domain::mind_spec`], [`mind::Minds`] |
//! | minds far from the player | rows of a crowd, and the same minds again | [`Offscreen`] |
//! | a domain that is known when you build | typed names and tables in Rust | [`codegen::rust`] |
//! | doubts | a second opinion | [`check`] |
//!
//! A `Domain` is a handle to shared, immutable tables: clone it, send it, share it. A
//! [`Planner`] can be shared too; each thread brings its own [`Scratch`].
#![forbid(unsafe_code)]

mod amounts;
mod answer;
pub mod codegen;
mod conditions;
pub mod domain;
pub mod expectations;
mod explain;
mod files;
mod npc;
#[cfg(all(feature = "crowd", feature = "mind"))]
mod offscreen;
mod planner;
#[cfg(feature = "render")]
pub mod render;
pub mod replace;
mod request;
mod saved;
#[cfg(feature = "crowd")]
mod table_folder;

pub use amounts::AmountError;
pub use answer::{Answer, Plan, Step};
pub use conditions::ConditionsError;
pub use domain::{Domain, LoadError, Surroundings};
pub use explain::{
    Advice, Advices, Explanation, OtherCauses, PassedOver, Plans, RunnerUp, Why, WhyNot,
    WhyNotAction, WhyStep, Worth,
};
pub use npc::{CostError, Npc};
#[cfg(all(feature = "crowd", feature = "mind"))]
pub use offscreen::{
    DemoteError, Offscreen, PromoteError, RestoreOffscreenError, RestoredOffscreen,
};
pub use planner::{Planner, Scratch};
pub use request::{GoalSelection, Request, Target};
pub use saved::{SavedPlan, SavedState};
#[cfg(feature = "crowd")]
pub use table_folder::TableFolder;
pub use throng_domain::compile::{DomainId, IdOrName, UnknownNameError};
pub use throng_domain::{
    ActionId, CheckId, Cost, Fact, GoalId, Level, NpcTypeId, SelectId, SlotId, ValueId, VariableId,
};
pub use throng_planner::explain::{Distinctness, EnumerationEnd};
pub use throng_planner::{Engine, Limit, Mode, Outcome, Proof, Reason};

/// What most programs need.
pub mod prelude {
    pub use crate::{
        Answer, Cost, Domain, Fact, LoadError, Mode, Npc, Outcome, Plan, Planner, Request, Scratch,
    };
}

/// A domain as it is written and as it is compiled, and what is wrong with one that is refused.
pub mod model {
    pub use throng_domain::compile::Digest;
    pub use throng_domain::model::{
        Action, ActionKind, CheckUse, Comparison, Expect, Goal, Model, NpcType, OrderPreference,
        Range, Shift, Test, TestContext, Values, Variable,
    };
    pub use throng_domain::{
        Code, CompiledDomain, Diagnostic, FileId, Format, Limits, Loaded, Location, NoteWords,
        Report, Severity, ShiftBy, ShiftEnd, Sources, Span, ValueSet,
    };
}

/// What planners are asked and say, for tools: problems, checks, causes, reasons.
pub mod engines {
    pub use throng_planner::explain::{
        CauseSource, Causes, Change, Group, NotUsed, PartialOrder, Use,
    };
    pub use throng_planner::topological::NotMoves;
    pub use throng_planner::{
        Absence, ActionMask, Call, Checks, EngineReason, Link, OutsideFact, PreparedDomain,
        Problem, Root, SearchBudget, Solver, WrongCheck,
    };
}

/// Replays a plan on the model, sharing no code with the planner: a second opinion.
pub mod check {
    pub use throng_check::{
        CheckContext, Failure, FailureReason, Question, QuestionError, Verdict, Wanted, replay,
    };
}

/// Plans for thousands or millions of NPCs in a frame.
#[cfg(feature = "crowd")]
pub mod crowd {
    pub use throng_crowd::table_file::TableFileError;
    pub use throng_crowd::{
        Applied, Crowd, CrowdError, CrowdGoalId, CrowdReloadError, CrowdSettings, FrameBudget,
        FrameReport, GoalSource, GroupId, Idle, Migration, NoListReason, NoTableReason, NpcEdit,
        NpcHandle, PlanSource, Pool, Population, Prepared, RestoreCrowdError, Setter, SourceReport,
        Status, TablePolicy, TableProgress, TableStore, WaitingFor,
    };
    pub use throng_planner::topological::wide::WideError;
}

/// NPCs in depth: senses, memory, goals, plans that are followed, squads.
#[cfg(feature = "mind")]
pub mod mind {
    pub use throng_mind::{
        Acting, Behaviour, Body, BodyError, BodyErrors, Dropped, Ending, Follow, Hint, IdOrName,
        Lost, MeanwhileError, Mind, MindError, Minds, Mistake, Misuse, NamedId, Progress,
        ReloadError, Reloaded, RestoreError, Restored, Run, SavedMinds, Sensing, Sensor, Totals,
        TypeGone, UnknownWordError, Work,
    };
    pub use throng_mind::{
        blackboard, events, fact, inspect, memory, orders, prelude, spec, squad, time, words,
    };
}

/// Senses and behaviours for minds, over four small traits of an engine.
#[cfg(feature = "kit")]
pub use throng_kit as kit;

/// Recordings of minds, and their replay.
#[cfg(feature = "trace")]
pub mod trace {
    pub use throng_trace::{
        Checked, Damage, Header, Recorder, RecorderError, RecorderFigures, RecorderSettings,
        Recording, RecordingError, RecordingSource, Replay, ReplayError, stats,
    };
}
