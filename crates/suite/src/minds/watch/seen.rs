//! What was seen while watching, so that a watch over nothing is noticed.

use std::borrow::Cow;
use throng_mind::body::Ending;
use throng_mind::effects::{ActionEffect, EffectMoment};
use throng_mind::events::{Activity, Event, EventKind};
use throng_mind::spec::Spec;

/// Counts by name. Beside those of events, `ticks` are minds times ticks; of those `asleep` are
/// such in which the mind went to sleep for more than a tick, and `truths` such in which all that
/// it believes of itself was computed again. `plans` were walked and have `steps`, and `rests` of
/// plans were walked; `no_plans` were found where none is in reach; goals were replaced by
/// `better` ones or found `resting`, values found in `beliefs` against the rules, and minds asked
/// for `reasons` why they do nothing. Slots are `bound` or `pinned`, selections `off`, things
/// `claimed` or `given`; actions are not there because they cool or `chance is against`. Effects are counted by what they are.
pub type Seen = crate::tally::Tally<Cow<'static, str>>;

/// What an action that begins or ends does besides, as the file says; noises are counted where they
/// are made.
pub(super) fn effects_of<'s>(
    spec: &'s Spec,
    event: &Event,
) -> impl Iterator<Item = &'static str> + use<'s> {
    let (doing, moments) = match event.what {
        EventKind::Started { doing, .. } => (Some(doing), [Some(EffectMoment::First), None]),
        EventKind::Ended { doing, how, .. } => {
            let moment = match how {
                Ending::Done => Some(EffectMoment::Then),
                Ending::Failed(_) => Some(EffectMoment::Else),
                Ending::Cancelled => None,
            };
            (Some(doing), [moment, Some(EffectMoment::Finally)])
        }
        _ => (None, [None, None]),
    };
    let at = doing.and_then(|doing| match doing {
        Activity::Beside(at) => spec.besides[usize::from(at)].effects,
        doing => spec.action(doing.action()?).effects,
    });
    let effects = at.map(|at| &spec.effects[at]);
    let clauses = moments.into_iter().flatten().filter_map(move |moment| effects?.at(moment));
    clauses.flat_map(|clause| &clause.effects).filter_map(|effect| match effect {
        ActionEffect::Forgets(_) => Some("forgets"),
        ActionEffect::Remembers { .. } => Some("remembers"),
        ActionEffect::Tells(..) => Some("tells"),
        ActionEffect::Noise { .. } => None,
    })
}

/// What an event is counted as.
pub(super) fn name_of(spec: &Spec, event: &Event) -> Cow<'static, str> {
    match event.what {
        EventKind::Goal(_) => "goal".into(),
        EventKind::Planned { cause, .. } => format!("planned {cause:?}").into(),
        EventKind::Waits(cause) => format!("waits {cause:?}").into(),
        EventKind::NoPlan(cause) => format!("no plan {cause:?}").into(),
        EventKind::Started { doing, kind, .. } => match doing {
            Activity::Step(action) if !spec.action(action).parts.is_empty() => "compound".into(),
            Activity::Step(_) if kind.is_some() => "kind".into(),
            Activity::Step(_) => "step".into(),
            Activity::Otherwise(_) => "otherwise".into(),
            Activity::Flavour(_) => "flavour".into(),
            Activity::Beside(_) => "beside".into(),
        },
        EventKind::Ended { doing: Activity::Beside(_), how, .. } => match how {
            Ending::Done => "beside done".into(),
            Ending::Failed(_) => "beside failed".into(),
            Ending::Cancelled => "beside cancelled".into(),
        },
        EventKind::WrongChannel(_) => "wrong channel".into(),
        EventKind::Ended { how: Ending::Done, .. } => "done".into(),
        EventKind::Ended { how: Ending::Failed(_), .. } => "failed".into(),
        EventKind::Ended { how: Ending::Cancelled, .. } => "cancelled".into(),
        EventKind::Skipped(_) => "skipped".into(),
        EventKind::NoEffect(_) => "no effect".into(),
        EventKind::Doubted(_) => "doubted".into(),
        EventKind::Learnt(_) => "learnt".into(),
        EventKind::Picked { why, .. } => format!("picked {why:?}").into(),
        EventKind::Tells { .. } => "heard by others".into(),
        EventKind::Told { .. } => "heard".into(),
        EventKind::Heavy(_) => "heavy".into(),
        EventKind::Mistake(_) => "mistake".into(),
        other => format!("{other:?}").into(),
    }
}
