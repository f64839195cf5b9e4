//! Reasons in words: sentences that say what to change.
//!
//! In:   a reason, the compiled domain for its names.
//! Out:  a sentence.
//! Cost: the length of the text; made when read.

use super::{LinkEffect, RayTerm, Reason, Root};
use crate::absence::{Absence, WrongCheck};
use crate::asks::Unmet;
use throng_domain::compile::{CompiledDomain, NpcTables, SourceMap};
use throng_domain::model::{ActionId, Fact, NpcTypeId, Range, VariableId};

/// A sum of so many parts is written out.
const MOST_TERMS: usize = 6;

impl Reason {
    /// The reason as a sentence, ready to print.
    pub fn sentence(&self, domain: &CompiledDomain) -> String {
        let map = domain.map();
        let mut text = match self.wanted.filter(|_| !self.root.is_about_whole_goal()) {
            Some(wanted) => format!("`{}` cannot be reached: ", map.range(wanted)),
            None => String::new(),
        };
        for link in &self.chain {
            text.push_str(&format!(
                "`{}` needs {}; ",
                map.action(link.action),
                need(map, link.needs)
            ));
        }
        text.push_str(&self.root_sentence(domain));
        text
    }

    /// The value of an unknown variable that would help most: the one that is needed.
    fn helpful_value<'m>(&self, map: &'m SourceMap, variable: VariableId) -> &'m str {
        let needed = self.chain.iter().rev().map(|link| link.needs).chain(self.wanted);
        let needed = needed.into_iter().find(|range| range.variable == variable);
        let value = needed.and_then(|range| range.values.ends()).map_or(0, |ends| ends.0);
        map.values(variable).get(usize::from(value)).map_or("", String::as_str)
    }

    /// What blocks the last link of the chain, as a sentence.
    pub(crate) fn root_sentence(&self, domain: &CompiledDomain) -> String {
        let map = domain.map();
        let who = map.npc(self.npc);
        let (action, about) = self.root.about();
        let action = action.map_or("", |id| map.action(id));
        let fact = about.map_or(String::new(), |asked| map.range(asked));
        let only = about.and_then(|asked| Some((asked.variable, asked.values.only()?)));
        let only = only.and_then(|(id, value)| map.values(id).get(usize::from(value)));
        let value = only.map_or("", String::as_str);
        let variable = about.map_or("", |asked| map.variable(asked.variable));
        match &self.root {
            Root::NobodySets(wanted) => {
                let others = others_can(domain, self.npc, *wanted);
                format!("no action of `{who}` sets `{fact}`{others}")
            }
            Root::OnlyWorldSets { asked, now: None } => {
                let others = others_can(domain, self.npc, *asked);
                let is_not = match asked.values.only() {
                    Some(_) => format!("it is not `{value}`"),
                    None => format!("`{fact}` does not hold"),
                };
                format!(
                    "no action of `{who}` changes `{variable}`, only the world can, \
                     and {is_not}{others}"
                )
            }
            Root::OnlyWorldSets { asked, now: Some(now) } => {
                let others = others_can(domain, self.npc, *asked);
                let (asked, now) = (needed(map, *asked), map.value(*now));
                format!(
                    "no action of `{who}` changes `{variable}`, only the world can; {asked}, and \
                     it is {now}{others}"
                )
            }
            Root::NobodyMoves { asked, now, up } => {
                let others = others_can(domain, self.npc, *asked);
                let moves = if *up { "raises" } else { "lowers" };
                let there = now.map_or(String::new(), |now| match asked.values.ends() {
                    Some(_) if *up => format!(", there are {}", map.value(now)),
                    _ => format!(", it is {}", map.value(now)),
                });
                format!("nothing {moves} `{variable}`; {}{there}{others}", needed(map, *asked))
            }
            Root::NeverSoFar { asked, most, up } => {
                let gets = if *up { "above" } else { "below" };
                let (asked, most) = (needed(map, *asked), map.value(*most));
                format!("`{variable}` never gets {gets} {most}, whatever is done; {asked}")
            }
            Root::PassedOver(_) => {
                format!("whatever is done, `{variable}` is moved past that, and `{fact}` never holds")
            }
            Root::Contradictory => {
                "what is wanted contradicts itself: a variable would have to have two values at once"
                    .to_string()
            }
            Root::NeverRises { sum, there, needed } => never_rises(map, sum, *there, *needed),
            Root::UnknownStart(variable) => {
                let (name, value) = (map.variable(*variable), self.helpful_value(map, *variable));
                format!(
                    "the value of `{name}` is unknown: say it, as in `{name}={value}`, \
                     or give it in `starts`"
                )
            }
            Root::NotThere { absence, effect, .. } => {
                let what = match effect {
                    LinkEffect::Sets => fact,
                    LinkEffect::Raises | LinkEffect::Lowers => variable.to_string(),
                };
                let would = effect.verb();
                format!("`{action}` would {would} `{what}`, but {}", absence.sentence(map))
            }
            Root::StuckAt(_) => format!(
                "`{variable}` is `{value}` now, and no action of `{who}` leads away from that"
            ),
            Root::Circle(_) => {
                format!("and `{fact}` is what we came from: each needs the other first")
            }
            Root::NotOnTheWay { by, start, end, .. } => {
                let from = start.map_or("an unknown value", |fact| map.value(fact));
                let needs = match by {
                    Some(_) => format!("every plan needs `{action}`, which needs `{fact}`"),
                    None => format!("the goal wants `{fact}`"),
                };
                match end.filter(|_| by.is_some()).map(|end| map.value(end)) {
                    Some(end) => format!(
                        "{needs}, but on its way from `{from}` to `{end}` `{variable}` never has \
                         that value"
                    ),
                    None => format!(
                        "{needs}, but no way of `{variable}` from `{from}` passes all that is \
                         needed"
                    ),
                }
            }
            Root::NoOrder { example, torn, by_going_back } => {
                let back = match by_going_back {
                    true => ", whichever variables go back to where they started",
                    false => "",
                };
                let stuck = match torn.map(|torn| torn.map(|id| map.action(id))) {
                    Some([by, ends, restores]) => format!(
                        "; among them `{ends}` takes away what `{by}` needs, and `{restores}` \
                         brings it back"
                    ),
                    None => circle(&quoted(map, example.iter().copied()))
                        .map_or(String::new(), |circle| format!("; as they stand, {circle}")),
                };
                format!(
                    "every plan contains the same actions, and no order of them works{back}{stuck}"
                )
            }
            Root::BeforeAndAfter(cycle) => {
                let names = quoted(map, cycle.iter().copied());
                match circle(&names) {
                    None => "the actions that are needed cannot be put in any order".to_string(),
                    Some(circle) => format!("every plan needs {}, but {circle}", names.join(", ")),
                }
            }
            Root::NeitherBeforeNorAfter { by, ends, restores } => {
                let [by, ends, restores] = [*by, *ends, *restores].map(|id| map.action(id));
                format!(
                    "every plan needs `{by}`, `{ends}` and `{restores}`; `{ends}` takes away what \
                     `{by}` needs and `{restores}` brings it back, but `{by}` can come neither \
                     before the one nor after the other"
                )
            }
            Root::Foreign => {
                "the request speaks of something that this domain does not have".to_string()
            }
            Root::NoWayBack { never, never_together, tried } => {
                let tried = match tried {
                    // The engine has not counted.
                    0 => "everything that leads to it was tried".to_string(),
                    1 => "no action leads to it".to_string(),
                    _ => format!("all {tried} ways that lead to it were followed back"),
                };
                match (never, never_together.map(|(_, other)| map.range(other))) {
                    (Some(_), _) => format!("`{fact}` cannot be reached from here; {tried}"),
                    (None, Some(other)) => {
                        format!("`{fact}` and `{other}` cannot be had together from here; {tried}")
                    }
                    (None, None) => {
                        format!("the parts of the goal cannot be had all at once; {tried}")
                    }
                }
            }
            Root::Unreachable { states: 1, .. } => {
                "from here no action leads anywhere else".to_string()
            }
            Root::Unreachable { never, never_together, states } => {
                let tried = format!("all {states} states that can be reached from here were tried");
                match (never, never_together.map(|(_, other)| map.range(other))) {
                    (Some(_), _) => format!("{tried}; `{fact}` holds in none of them"),
                    (None, Some(other)) => {
                        format!("{tried}; `{fact}` and `{other}` never hold together")
                    }
                    (None, None) => {
                        format!("{tried}; the parts of the goal never hold all at once")
                    }
                }
            }
        }
    }
}

impl Absence {
    /// Why the action is not there, as the end of a sentence.
    pub(crate) fn sentence(&self, map: &SourceMap) -> String {
        let checks = wrong_checks(map, self.checks());
        match self {
            Absence::CheckFalse(_) => checks,
            Absence::NoKind(_) => format!("none of its kinds is possible: {checks}"),
            Absence::Forbidden => "the caller forbids it".to_string(),
            Absence::Overridden { by, .. } => match (map.action(*by), checks.is_empty()) {
                (by, true) => format!("`{by}` overrides it"),
                (by, false) => format!("`{by}`, which overrides it, is there: {checks}"),
            },
            Absence::Standing(unmet) => {
                let each: Vec<String> = unmet.iter().map(|one| one.sentence(map)).collect();
                format!("it needs {}", each.join(", and "))
            }
        }
    }
}

impl Unmet {
    /// What is asked, and what is: `` `level >= 3`; it is 2 ``.
    fn sentence(&self, map: &SourceMap) -> String {
        let value = |now: Option<Fact>| now.map_or("unknown", |now| map.value(now)).to_string();
        match *self {
            Unmet::Range { asked, now } => format!("`{}`; it is {}", map.range(asked), value(now)),
            Unmet::Comparison { asked, now: [left, right] } => {
                let [variable, other] = [asked.variable, asked.other].map(|id| map.variable(id));
                format!(
                    "`{}`; `{variable}` is {} and `{other}` is {}",
                    map.comparison(asked),
                    value(left),
                    value(right)
                )
            }
        }
    }
}

/// The names of actions, in quotes.
pub(crate) fn quoted(map: &SourceMap, actions: impl Iterator<Item = ActionId>) -> Vec<String> {
    actions.map(|action| format!("`{}`", map.action(action))).collect()
}

/// Which of some actions must come before which, around to the first again.
fn circle(names: &[String]) -> Option<String> {
    let (first, rest) = names.split_first()?;
    let rest = rest.join(", which must come before ");
    Some(format!("{first} must come before {rest}, and that before {first}"))
}

/// Which checks are answered otherwise than an action needs: ``the checks `a` and `b` are false``.
/// Of those that are so only by default, also that, and how to say otherwise.
pub fn wrong_checks(map: &SourceMap, wrong: &[WrongCheck]) -> String {
    let answered = |of: WrongCheck| {
        let kind = |it: &WrongCheck| (it.needed, it.told, it.by_default);
        let same = wrong.iter().filter(|wrong| kind(wrong) == kind(&of));
        let names: Vec<&str> = same.map(|wrong| map.check(wrong.check)).collect();
        let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let which = match &quoted[..] {
            [] => return None,
            [one] => format!("the check {one} is"),
            [first @ .., last] => format!("the checks {} and {last} are", first.join(", ")),
        };
        Some(format!("{which} {}", answer_of(of, &names)))
    };
    // One of each sort, told ones first.
    let mut sorts: Vec<WrongCheck> = wrong.to_vec();
    sorts.sort_by_key(|it| (!it.needed, !it.told, it.by_default));
    sorts.dedup_by_key(|it| (it.needed, it.told, it.by_default));
    let parts = sorts.into_iter().filter_map(answered);
    parts.collect::<Vec<_>>().join(", and ")
}

/// The answer that checks of one sort have; if only by default, also that, and how to say otherwise.
fn answer_of(of: WrongCheck, names: &[&str]) -> String {
    let answer = if of.needed { "false" } else { "true" };
    let how = match (of.needed, names) {
        _ if of.told => return answer.to_string(),
        (false, names) => format!("`--without {}`", names.join(",")),
        (true, names) if of.by_default => format!("`--with {}`", names.join(",")),
        (true, [_]) => "`--only` does not name it".to_string(),
        (true, _) => "`--only` does not name them".to_string(),
    };
    format!("{answer} unless told otherwise ({how})")
}

/// The answer that one check has now, where another is needed: `it is false`.
pub(crate) fn answer_now(map: &SourceMap, wrong: WrongCheck) -> String {
    format!("it is {}", answer_of(wrong, &[map.check(wrong.check)]))
}

impl LinkEffect {
    /// What it does to what is asked, or to the amount that is asked for.
    pub(crate) fn verb(self) -> &'static str {
        match self {
            LinkEffect::Sets => "set",
            LinkEffect::Raises => "raise",
            LinkEffect::Lowers => "lower",
        }
    }
}

/// What an action needs: `` `hp >= 10` ``, or only that an amount is known.
pub(crate) fn need(map: &SourceMap, asked: Range) -> String {
    let top = map.n_values(asked.variable).saturating_sub(1);
    match *asked.values.runs() {
        [(0, last)] if usize::from(last) == top && top > 0 => {
            format!("`{}` to be known", map.variable(asked.variable))
        }
        _ => format!("`{}`", map.range(asked)),
    }
}

/// How much is asked of an amount: `10 are needed`, `at most 20 is asked`.
fn needed(map: &SourceMap, asked: Range) -> String {
    let top = map.n_values(asked.variable).saturating_sub(1);
    let name = |at: u16| map.values(asked.variable).get(usize::from(at)).map_or("", |name| name);
    match *asked.values.runs() {
        [(first, last)] if usize::from(last) == top && first > 0 => {
            format!("{} are needed", name(first))
        }
        [(0, last)] if usize::from(last) < top => format!("at most {} is asked", name(last)),
        _ => format!("`{}` is needed", map.range(asked)),
    }
}

/// `whatever is done, hp + 2 mp never rises: there are 60, 70 are needed`.
fn never_rises(map: &SourceMap, sum: &[RayTerm], there: i64, needed: i64) -> String {
    let mut text = String::new();
    let mut terms: Vec<&RayTerm> = sum.iter().collect();
    // What is added comes before what is taken away.
    terms.sort_by_key(|term| term.weight < 0);
    for (at, term) in terms.iter().take(MOST_TERMS).enumerate() {
        let sign = match (at, term.weight < 0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        let name = map.variable(term.variable);
        let of = match term.value.and_then(|value| map.values(term.variable).get(value.index())) {
            Some(value) => format!("{} if `{name} = {value}`", term.weight.unsigned_abs()),
            None if term.weight.unsigned_abs() == 1 => format!("`{name}`"),
            None => format!("{} `{name}`", term.weight.unsigned_abs()),
        };
        text.push_str(&format!("{sign}{of}"));
    }
    let more = match terms.len().saturating_sub(MOST_TERMS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("whatever is done, {text}{more} never rises: there are {there}, {needed} are needed")
}

/// `; `smith` can, by `light_forge``, if another NPC type has an action that brings it about.
fn others_can(domain: &CompiledDomain, npc: NpcTypeId, asked: Range) -> String {
    for other in domain.npcs().iter().filter(|other| other.id() != npc) {
        if let Some(setter) = who_can(other, asked) {
            let action = domain.map().action(setter);
            return format!("; `{}` can, by `{action}`", domain.map().npc(other.id()));
        }
    }
    String::new()
}

/// An action of a type that sets a variable to what is asked; of a set of values, one that moves it
/// that way.
fn who_can(npc: &NpcTables, asked: Range) -> Option<ActionId> {
    let variable = npc.local_variable(asked.variable)?;
    let top = npc.n_values(variable).saturating_sub(1);
    let is_lower = asked.values.ends().is_some_and(|ends| usize::from(ends.1) == top);
    let sets = |action| {
        let sets = npc.sets(action).iter().filter(|set| set.variable == variable);
        sets.into_iter().any(|set| asked.values.has(set.value))
    };
    let moves = |action| {
        let shifts = npc.shifts(action).iter().filter(|shift| shift.variable == variable);
        shifts.into_iter().any(|shift| (shift.by.by > 0) == is_lower)
    };
    let action = npc.local_actions().find(|&action| sets(action) || moves(action))?;
    Some(npc.actions()[action.index()])
}
