//! `--why ACTION`: why a mind does not do an action, as `reload` or `goto(c9)`.
//!
//! In:   a mind, an action by its name with slots, things or words as parameters.
//! Out:  what the slot holds that is meant and why the plan goes without the action; or why the
//!       thing is in no slot.
//! Cost: allocates, makes selections again, and plans again; not for the frame.

use super::picked::{Explained, Names, no_such};
use crate::console::{Console, Fail};
use serde_json::json;
use std::collections::BTreeSet;
use throng_domain::Level;
use throng_domain::model::ActionId;
use throng_mind::inspect::{CandidateView, named_key, with_held};
use throng_mind::spec::Spec;
use throng_mind::{Mind, Minds};

/// Tells it; refuses what is no action of the mind's type.
pub(super) fn tell<W: ?Sized + Sync>(
    minds: &Minds<W>,
    mind: &Mind,
    names: &Names<'_>,
    asked: &str,
    json: bool,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let (spec, now) = (minds.spec(), minds.now());
    let (template, parameters) = parts(asked);
    let all = spec.domain.npc(mind.npc()).actions().iter().copied();
    let named = all.filter(|&action| spec.words.text(spec.action(action).template) == template);
    let named: Vec<ActionId> = named.collect();
    if named.is_empty() {
        return no_such(spec, mind.npc(), asked);
    }
    let about = |action: &&ActionId| is_about(spec, mind, **action, &parameters, names);
    let meant: Vec<ActionId> = named.iter().filter(about).copied().collect();
    let whys: Vec<String> = match meant.is_empty() {
        true => why_in_no_slot(minds, mind, &named, &parameters, names),
        false => meant.iter().map(|&action| mind.why_not(spec, action, now)).collect(),
    };
    let shown = |text: &String| with_held(spec, mind, text, true, names.thing);
    let whys: Vec<String> = whys.iter().map(shown).collect();
    let actions: Vec<String> =
        meant.iter().map(|&action| shown(&spec.domain.map().action(action).to_string())).collect();
    if json {
        return console.json(&json!({"actor": names.who, "asked": asked, "tick": now,
            "seconds": spec.pace.seconds(now), "actions": actions, "why": whys}));
    }
    writeln!(console, "{}: why not {asked}?", names.who)?;
    whys.iter().try_for_each(|why| writeln!(console, "  {why}"))
}

/// `goto(cover.1 fast)` as `goto` and its parameters.
fn parts(asked: &str) -> (&str, Vec<&str>) {
    let Some((template, rest)) = asked.split_once('(') else { return (asked.trim(), Vec::new()) };
    let inside = rest.trim_end().strip_suffix(')').unwrap_or(rest);
    let words = inside.split([' ', ',']).filter(|word| !word.is_empty());
    (template.trim(), words.collect())
}

/// Whether a ground action is what is meant: each parameter is called by its word, by its slot or
/// the selection of that, or by what the slot holds. Without parameters all are meant.
fn is_about(
    spec: &Spec,
    mind: &Mind,
    action: ActionId,
    parameters: &[&str],
    names: &Names<'_>,
) -> bool {
    let own = spec.action(action);
    let fits = |(at, said): (usize, &&str)| {
        let word = own.parameters.get(at).map_or("", |&word| spec.words.text(word));
        let slot = own.slots.get(at).copied().flatten();
        let held = slot.and_then(|slot| mind.picks().get(slot.into()));
        let held = held.map(|pick| named_key(spec, Some(mind), pick.key, names.thing));
        let select = word.split_once('.').filter(|_| slot.is_some()).map(|(select, _)| select);
        word == *said || select == Some(said) || held.as_deref() == Some(said)
    };
    parameters.len() <= own.parameters.len() && parameters.iter().enumerate().all(fits)
}

/// Why no slot that an action could be about holds a thing.
fn why_in_no_slot<W: ?Sized + Sync>(
    minds: &Minds<W>,
    mind: &Mind,
    named: &[ActionId],
    parameters: &[&str],
    names: &Names<'_>,
) -> Vec<String> {
    let (spec, map) = (minds.spec(), minds.spec().domain.map());
    let mut whys = Vec::new();
    for (at, said) in parameters.iter().enumerate() {
        let slots = named.iter().filter_map(|&action| *spec.action(action).slots.get(at)?);
        let of = |slot: u16| spec.selects.iter().find(|select| select.slots.contains(&slot));
        let selects: BTreeSet<_> = slots.filter_map(of).map(|select| select.select).collect();
        let words = named.iter().filter_map(|&action| {
            let own = spec.action(action);
            let is_word = own.slots.get(at).is_some_and(Option::is_none);
            own.parameters.get(at).filter(|_| is_word).map(|&word| spec.words.text(word))
        });
        let words: BTreeSet<&str> = words.collect();
        if words.contains(said) {
            continue;
        }
        let mut known: Vec<String> = words.iter().map(ToString::to_string).collect();
        let before = whys.len();
        for select in selects {
            let name = map.select(select);
            let Some(explained) = Explained::of(minds, mind, names, name) else { continue };
            let found = explained.why.candidates.iter().find(|it| (names.key)(it.key) == *said);
            known.extend(explained.why.candidates.iter().map(|it| (names.key)(it.key)));
            whys.extend(found.map(|it| in_no_slot(&explained, it, said, name)));
        }
        if whys.len() == before {
            known.sort_unstable();
            known.dedup();
            let level = map.model().map(Level::of).unwrap_or_default();
            let is_there = level.names().any(|name| name == *said);
            let near = throng_base::nearest(said, known.iter().map(String::as_str));
            let did = throng_base::DidYouMean(near.filter(|_| !is_there));
            let known = match known.is_empty() {
                true => "it knows of nothing".to_string(),
                false => format!("it knows of: {}", known.join(", ")),
            };
            let why = match is_there || level.is_empty() {
                true => "the mind has no fact of it that it could pick",
                false => "nothing that the level places is called so",
            };
            whys.push(format!("`{said}` is in no slot: {why}{did} ({known})"));
        }
    }
    if whys.is_empty() {
        let most = named.iter().map(|&action| spec.action(action).parameters.len()).max();
        let most = most.unwrap_or(0);
        whys.push(format!("it has {most} parameters, not {}", parameters.len()));
    }
    whys
}

/// `c9 is in no slot of cover: left out, it fails …`.
fn in_no_slot(explained: &Explained<'_>, it: &CandidateView, said: &str, select: &str) -> String {
    let why = match it.left_out {
        _ if explained.why.is_off => "its `while` does not hold, so nothing is picked".to_string(),
        Some(_) => format!("left out, {}", explained.left_out(it)),
        None => {
            let least = explained.why.slots.iter().map(|slot| slot.score).reduce(f32::min);
            let (score, least) = (it.score, least.unwrap_or(0.0));
            format!("its score is {score:.2}; the least of what is picked has {least:.2}")
        }
    };
    format!("{said} is in no slot of `{select}`: {why}")
}
