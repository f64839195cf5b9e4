//! Reasons in words: sentences that say what to change.
//!
//! In:   a reason, the compiled domain for its names.
//! Out:  a sentence.
//! Cost: the length of the text; made when read.

use super::{Reason, Root};
use crate::absence::{Absence, WrongCheck};
use throng_domain::compile::{CompiledDomain, LocalFact, SourceMap};
use throng_domain::model::{ActionId, Fact, NpcTypeId, VariableId};

impl Reason {
    /// The reason as a sentence, ready to print.
    pub fn sentence(&self, domain: &CompiledDomain) -> String {
        let map = domain.map();
        let mut text = match self.wanted.filter(|_| !self.root.is_about_whole_goal()) {
            Some(wanted) => format!("`{}` cannot be reached: ", map.fact(wanted)),
            None => String::new(),
        };
        for link in &self.chain {
            let (action, needs) = (map.action(link.action), map.fact(link.needs));
            text.push_str(&format!("`{action}` needs `{needs}`; "));
        }
        text.push_str(&self.root_sentence(domain));
        text
    }

    /// The value of an unknown variable that would help most: the one that is needed.
    fn helpful_value<'m>(&self, map: &'m SourceMap, variable: VariableId) -> &'m str {
        let needed = self.chain.iter().rev().map(|link| link.needs).chain(self.wanted);
        let needed = needed.into_iter().find(|fact| fact.variable == variable);
        let first = map.values(variable).first().map_or("", String::as_str);
        needed.map_or(first, |fact| map.value(fact))
    }

    /// What blocks the last link of the chain, as a sentence.
    pub(crate) fn root_sentence(&self, domain: &CompiledDomain) -> String {
        let map = domain.map();
        let who = map.npc(self.npc);
        let (action, about) = self.root.about();
        let action = action.map_or("", |id| map.action(id));
        let fact = about.map_or(String::new(), |fact| map.fact(fact));
        let value = about.map_or("", |fact| map.value(fact));
        let variable = about.map_or("", |fact| map.variable(fact.variable));
        match &self.root {
            Root::NobodySets(wanted) => {
                let others = others_can(domain, self.npc, *wanted);
                format!("no action of `{who}` sets `{fact}`{others}")
            }
            Root::OnlyWorldSets(wanted) => {
                let others = others_can(domain, self.npc, *wanted);
                format!(
                    "no action of `{who}` changes `{variable}`, only the world can, \
                     and it is not `{value}`{others}"
                )
            }
            Root::UnknownStart(variable) => {
                let (name, value) = (map.variable(*variable), self.helpful_value(map, *variable));
                format!(
                    "the value of `{name}` is unknown: say it, as in `{name}={value}`, \
                     or give it in `starts`"
                )
            }
            Root::NotThere { absence, .. } => {
                format!("`{action}` would set `{fact}`, but {}", absence.sentence(map))
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
                    1 => "no action leads to it".to_string(),
                    _ => format!("all {tried} ways that lead to it were followed back"),
                };
                match (never, never_together.map(|(_, other)| map.fact(other))) {
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
                match (never, never_together.map(|(_, other)| map.fact(other))) {
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
    let answered = |needed: bool, told: bool| {
        let same = wrong.iter().filter(|wrong| (wrong.needed, wrong.told) == (needed, told));
        let names: Vec<&str> = same.map(|wrong| map.check(wrong.check)).collect();
        let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let which = match &quoted[..] {
            [] => return None,
            [one] => format!("the check {one} is"),
            [first @ .., last] => format!("the checks {} and {last} are", first.join(", ")),
        };
        let answer = if needed { "false" } else { "true" };
        let unless = if told { String::new() } else { unless_told(needed, &names) };
        Some(format!("{which} {answer}{unless}"))
    };
    let parts = [(true, true), (true, false), (false, true), (false, false)];
    let parts = parts.into_iter().filter_map(|(needed, told)| answered(needed, told));
    parts.collect::<Vec<_>>().join(", and ")
}

/// That checks have an answer only by default, and how to say otherwise.
fn unless_told(needed: bool, names: &[&str]) -> String {
    let how = match (needed, names) {
        (false, names) => format!("`--without {}`", names.join(",")),
        (true, [_]) => "`--only` does not name it".to_string(),
        (true, _) => "`--only` does not name them".to_string(),
    };
    format!(" unless told otherwise ({how})")
}

/// The answer that one check has now, where another is needed: `it is false`.
pub(crate) fn answer_now(map: &SourceMap, wrong: WrongCheck) -> String {
    let answer = if wrong.needed { "false" } else { "true" };
    let unless = match wrong.told {
        true => String::new(),
        false => unless_told(wrong.needed, &[map.check(wrong.check)]),
    };
    format!("it is {answer}{unless}")
}

/// ` (smith can: light_forge)`, if another NPC type has an action that sets the fact.
fn others_can(domain: &CompiledDomain, npc: NpcTypeId, fact: Fact) -> String {
    for other in domain.npcs().iter().filter(|other| other.id() != npc) {
        let Some(variable) = other.local_variable(fact.variable) else { continue };
        let slot = other.slot(LocalFact { variable, value: fact.value.index() as u16 });
        if let Some(setter) = other.setters(slot).first() {
            let action = domain.map().action(other.actions()[setter.index()]);
            return format!("; `{}` can, by `{action}`", domain.map().npc(other.id()));
        }
    }
    String::new()
}
