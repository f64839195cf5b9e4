//! What a mind does beside the step of its plan, seen from outside.
//!
//! In:   what is under way, and the file.
//! Out:  its name, since when, and what it takes; its beginning as people tell it.
//! Cost: allocates; not for the frame.

use crate::events::Activity;
use crate::mind::Mind;
use crate::spec::{BesideSpec, Spec};
use crate::time::Tick;

/// The behaviour that says the word that it is given.
const SAYS: &str = "say";

/// Something that is done beside the step.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct BesideView {
    /// What the file calls it.
    pub name: String,
    /// For how many seconds.
    pub since: f64,
    /// The channels that it takes, in words: `hands, head`.
    pub channels: String,
}

impl Mind {
    /// What it does beside the step of its plan.
    pub(super) fn besides_view(&self, spec: &Spec, now: Tick) -> Vec<BesideView> {
        let view = |run: &crate::run::Run| {
            let Activity::Beside(at) = run.doing else { return None };
            let beside = spec.besides.get(usize::from(at))?;
            Some(BesideView {
                name: spec.words.text(beside.name).to_string(),
                since: spec.pace.seconds(now.saturating_sub(run.since)),
                channels: beside.uses.to_string(),
            })
        };
        self.follow.besides().filter_map(view).collect()
    }
}

/// That something is begun beside, as people tell it of somebody: `says contact`, and of
/// `fire_on_the_move` that he `fires on the move`.
pub(super) fn begins_words(spec: &Spec, beside: &BesideSpec) -> String {
    let text = |word| spec.words.text(word);
    if text(beside.does) == SAYS
        && let Some(&word) = beside.given.first()
    {
        return format!("says {}", text(word).replace('_', " "));
    }
    // What `use … as` puts before a name tells whose file it is.
    let name = text(beside.name).rsplit('.').next().unwrap_or_default();
    let (verb, rest) = name.split_once('_').unwrap_or((name, ""));
    format!("{} {}", third_person(verb), rest.replace('_', " ")).trim_end().to_string()
}

/// A verb as one says it of somebody: `fires`, `watches`, `carries`.
fn third_person(verb: &str) -> String {
    let ends = |endings: &[&str]| endings.iter().any(|ending| verb.ends_with(ending));
    match verb.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if ends(&["s", "sh", "ch", "x", "z", "o"]) => format!("{verb}es"),
        _ => format!("{verb}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_told_of_somebody() {
        let told = ["fire", "call", "watch", "carry", "say", "go", "glance"].map(third_person);
        assert_eq!(told, ["fires", "calls", "watches", "carries", "says", "goes", "glances"]);
    }
}
