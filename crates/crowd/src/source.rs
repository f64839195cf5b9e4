//! Which source serves a type, and why: in a word and in a sentence.
//!
//! In:   a crowd, as it is now.
//! Out:  a [`SourceReport`]: the cheapest exact source that its type has, what it needs, and the rest.
//! Cost: a count of the tables.
//!
//! The order is that of a frame's phases (`crowd/frame.rs`): tables, the wide kernel, lists of
//! demands, memory, the planner, searches. Memory answers whatever was asked before of the planner
//! and of searches.

use crate::core::Core;
use crate::goals::CrowdGoalId;
use crate::list::NoListReason;
use crate::no_table::NoTableReason;
use crate::settings::TablePolicy;
use crate::wide::{FEWEST, WideWork};
use std::fmt;
use throng_domain::model::ActionId;
use throng_planner::topological::wide::WideError;

/// Who answers most questions of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum PlanSource {
    /// Tables of all states.
    Tables,
    /// The wide kernel: a plan computed for each, many NPCs at once.
    Wide,
    /// Lists of demands: for every state the cheapest plan, by what it satisfies.
    Lists,
    /// The planner without search, then memory of its answers.
    Planner,
    /// Searches, then memory of their answers.
    Search,
}

impl PlanSource {
    /// One word for lists.
    pub fn name(self) -> &'static str {
        match self {
            PlanSource::Tables => "tables",
            PlanSource::Wide => "wide",
            PlanSource::Lists => "lists",
            PlanSource::Planner => "planner",
            PlanSource::Search => "search",
        }
    }
}

/// Which source serves one goal of a crowd.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct GoalSource {
    /// The goal.
    pub goal: CrowdGoalId,
    /// Who answers for it.
    pub by: PlanSource,
    /// Why not by a table; [`NoTableReason::sentence`] says what to do about it.
    pub no_table: Option<NoTableReason>,
    /// How many demands its longest list has.
    pub list_entries: usize,
    /// Why there is no list of it, if one was tried.
    pub no_list: Option<NoListReason>,
}

impl GoalSource {
    /// Those of all goals that tables or lists were tried for, in the order in which they came,
    /// choices left aside.
    pub(crate) fn all(core: &Core, by: PlanSource) -> impl Iterator<Item = GoalSource> + '_ {
        let situations = &core.groups.situations;
        let goals = (1..core.goals.len() as u16).filter(|&goal| core.goals.choice(goal).is_none());
        let asked =
            move |&goal: &u16| situations.was_asked(goal) || situations.lists.tried(goal).is_some();
        goals.filter(asked).map(move |goal| GoalSource::of(core, goal, by))
    }

    /// That of a goal, given that of the type.
    pub(crate) fn of(core: &Core, goal: u16, by: PlanSource) -> GoalSource {
        let situations = &core.groups.situations;
        let no_table = why_no_table(core, goal);
        if let (Some(choice), Some(_)) = (core.goals.choice(goal), no_table) {
            // It is answered as the one of its goals that takes most.
            let parts = choice.parts().map(|part| GoalSource::of(core, part, by));
            if let Some(most) = parts.max_by_key(|part| part.by as u8) {
                return GoalSource { goal: CrowdGoalId(goal), no_table, ..most };
            }
        }
        let other = match by {
            PlanSource::Tables if no_table == Some(NoTableReason::NotAsked) => by,
            PlanSource::Tables | PlanSource::Lists if core.kind.has_one_way() => {
                PlanSource::Planner
            }
            PlanSource::Tables | PlanSource::Lists => PlanSource::Search,
            by => by,
        };
        let (by, list) = match situations.lists.tried(goal) {
            _ if no_table.is_none() => (PlanSource::Tables, Ok(0)),
            Some(Ok(entries)) => (PlanSource::Lists, Ok(entries)),
            Some(Err(why)) => (other, Err(why)),
            None => (other, Ok(0)),
        };
        let (list_entries, no_list) = (list.unwrap_or(0), list.err());
        GoalSource { goal: CrowdGoalId(goal), by, no_table, list_entries, no_list }
    }
}

/// Why a goal has no table in any situation; `None` if it has one.
fn why_no_table(core: &Core, goal: u16) -> Option<NoTableReason> {
    let (situations, states) = (&core.groups.situations, core.kind.space().n_states());
    if situations.has_table(goal) {
        return None;
    }
    Some(match situations.why_no_table(goal) {
        _ if core.settings.tables == TablePolicy::Never => NoTableReason::Unwanted,
        _ if !core.columns.states().is_numbered() => NoTableReason::TooManyStates(states),
        Some(why) => why,
        None if situations.was_asked(goal) => NoTableReason::NotMade(states.unwrap_or(0)),
        None => NoTableReason::NotAsked,
    })
}

impl fmt::Display for GoalSource {
    /// The reason, as the end of a sentence that begins with [`PlanSource::name`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.by, self.no_list) {
            (PlanSource::Tables, _) => write!(f, "every state is in its table"),
            (PlanSource::Lists, _) => {
                write!(f, "{} demands hold the plan of every state", self.list_entries)
            }
            (_, Some(why)) => write!(f, "{why}; {SELDOM}"),
            (_, None) => write!(f, "neither table nor list"),
        }
    }
}

/// What is said of answers that are remembered where amounts are counted.
const SELDOM: &str =
    "amounts are counted, so answers remembered for one state seldom serve another";

/// Where the plans of a crowd come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
#[must_use]
pub struct SourceReport {
    /// Who answers most.
    pub by: PlanSource,
    /// Why not by tables.
    pub without: Option<NoTableReason>,
    /// Private states of the type; `None` if they cannot be counted.
    pub states: Option<u64>,
    /// The most states that a table may have.
    pub most_states: u64,
    /// Tables there are now, one per goal and situation that was asked about.
    pub tables: usize,
    /// Goals in situations for which a table was refused.
    pub refused: usize,
    /// Bytes of the tables.
    pub table_bytes: usize,
    /// Lists of demands there are now, and how many demands the longest has.
    pub lists: usize,
    /// See above.
    pub list_entries: usize,
    /// Why a goal of the type has no list, if one was asked for.
    pub no_list: Option<NoListReason>,
    /// The first action that counts; of others amounts stand still, or there are none.
    pub counting: Option<ActionId>,
    /// Whether every value can be had in one way only, so that plans need no search.
    pub has_one_way: bool,
    /// Whether the settings want the wide kernel for those without tables.
    pub wants_wide: bool,
    /// Why the type cannot have the wide kernel, once that was tried.
    pub not_wide: Option<WideError>,
}

impl SourceReport {
    /// Which source serves a crowd, and why.
    pub(crate) fn of(core: &Core, wide: &WideWork) -> SourceReport {
        let (states, situations) = (core.kind.space().n_states(), &core.groups.situations);
        let (tables, refused) = (situations.tables().count(), situations.n_refused());
        let without = match core.settings.tables {
            TablePolicy::Never => Some(NoTableReason::Unwanted),
            _ if !core.columns.states().is_numbered() => Some(NoTableReason::TooManyStates(states)),
            _ if tables == 0 && refused > 0 => Some(NoTableReason::Refused),
            _ if tables == 0 && situations.n_policies() > 0 => {
                Some(NoTableReason::NotMade(states.unwrap_or(0)))
            }
            _ => None,
        };
        let has_one_way = core.kind.has_one_way();
        let (lists, list_entries) = situations.lists.counts();
        let npc = core.kind.npc();
        let counting = npc.local_actions().find(|&action| npc.counts(action));
        let counts = counting.is_some() || core.goals.has_amounts();
        let no_list = match core.settings.list_entries {
            0 if counts => Some(NoListReason::Unwanted),
            _ => situations.lists.why_not(),
        };
        let by = match without {
            None => PlanSource::Tables,
            Some(_) if wide.is_made() => PlanSource::Wide,
            Some(_) if lists > 0 => PlanSource::Lists,
            Some(_) if has_one_way => PlanSource::Planner,
            Some(_) => PlanSource::Search,
        };
        SourceReport {
            by,
            without,
            states,
            most_states: core.settings.table_states,
            tables,
            refused,
            table_bytes: situations.table_bytes(),
            lists,
            list_entries,
            no_list,
            counting: counting.map(|action| npc.actions()[action.index()]),
            has_one_way,
            wants_wide: core.settings.wide,
            not_wide: wide.why_not(),
        }
    }

    /// Why the wide kernel does not serve, where neither it nor tables do.
    fn tell_why_not_wide(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.not_wide {
            _ if !self.wants_wide => write!(f, "; not wide: it is not wanted"),
            Some(why) => write!(f, "; not wide: {why}"),
            None => write!(f, "; not wide so far: fewer than {FEWEST} were served at once"),
        }
    }
}

impl fmt::Display for SourceReport {
    /// The reasons, as the end of a sentence that begins with [`PlanSource::name`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.without {
            None => match self.states {
                Some(states) => write!(f, "{states} states fit into a table")?,
                None => write!(f, "all states fit into a table")?,
            },
            Some(NoTableReason::Unwanted) => write!(f, "tables are not wanted")?,
            Some(NoTableReason::TooManyStates(Some(states))) => {
                write!(f, "{states} states, and a table may have {}", self.most_states)?;
            }
            Some(NoTableReason::NotMade(states)) => {
                write!(
                    f,
                    "a table of {states} states was not prepared, and no frame's budget made one"
                )?;
            }
            Some(NoTableReason::TooManyStates(None)) => {
                write!(f, "more states than can be counted")?
            }
            // Of a type there are no others.
            Some(_) => {
                write!(f, "tables were refused for want of room or of work allowed")?;
            }
        }
        match self.by {
            PlanSource::Tables if self.refused > 0 => {
                write!(f, "; {} more goals and situations got none", self.refused)
            }
            PlanSource::Tables => Ok(()),
            PlanSource::Wide => write!(f, "; one word of actions holds every plan"),
            PlanSource::Lists => {
                let most = self.list_entries;
                write!(f, "; lists of up to {most} demands hold the plan of every state")?;
                match self.no_list {
                    Some(why) => write!(f, "; of some goals they do not: {why}"),
                    None => Ok(()),
                }
            }
            PlanSource::Planner => {
                write!(f, "; every value can be had in one way, so nothing is searched")?;
                self.tell_why_not_wide(f)
            }
            PlanSource::Search if self.counting.is_some() => {
                write!(f, "; {SELDOM}")?;
                match self.no_list {
                    Some(why) => write!(f, "; no list: {why}"),
                    None => write!(f, "; no list so far: no frame's budget made one"),
                }
            }
            PlanSource::Search => {
                write!(f, "; a value can be had in several ways")?;
                self.tell_why_not_wide(f)
            }
        }
    }
}
