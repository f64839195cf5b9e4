//! Reasons in words: sentences that say what to change.
//!
//! In:   a reason, the compiled domain for its names.
//! Out:  a sentence.
//! Cost: the length of the text; made when read.

use super::{Reason, Root};
use crate::absence::WrongCheck;
use throng_domain::compile::{CompiledDomain, LocalFact, SourceMap};
use throng_domain::model::{ActionId, Fact, NpcTypeId, VariableId};

impl Reason {
    /// The reason as a sentence, ready to print.
    pub fn sentence(&self, domain: &CompiledDomain) -> String {
        let map = domain.map();
        let mut text = match (&self.root, self.wanted) {
            (Root::Unreachable { .. } | Root::NoWayBack { .. }, _) | (_, None) => String::new(),
            (_, Some(wanted)) => format!("`{}` cannot be reached: ", map.fact(wanted)),
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
        match &self.root {
            Root::NobodySets(fact) => {
                let text = format!("no action of `{who}` sets `{}`", map.fact(*fact));
                text + &others_can(domain, self.npc, *fact)
            }
            Root::OnlyWorldSets(fact) => {
                let variable = map.variable(fact.variable);
                let text = format!(
                    "no action of `{who}` changes `{variable}`, only the world can, \
                     and it is not `{}`",
                    map.value(*fact)
                );
                text + &others_can(domain, self.npc, *fact)
            }
            Root::UnknownStart(variable) => {
                let name = map.variable(*variable);
                format!(
                    "the value of `{name}` is unknown: say it, as in `{name}={}`, \
                     or give it in `starts`",
                    self.helpful_value(map, *variable)
                )
            }
            Root::CheckFalse { fact, action, checks } => format!(
                "`{}` would set `{}`, but {}",
                map.action(*action),
                map.fact(*fact),
                wrong_checks(map, checks)
            ),
            Root::NoKind { fact, action, checks } => format!(
                "`{}` would set `{}`, but none of its kinds is possible: {}",
                map.action(*action),
                map.fact(*fact),
                wrong_checks(map, checks)
            ),
            Root::Overridden { fact, action, by, unless } => {
                let [action, by] = [action, by].map(|id| map.action(*id));
                let text = format!("`{action}` would set `{}`, but `{by}`", map.fact(*fact));
                match unless.is_empty() {
                    true => format!("{text} overrides it"),
                    false => format!(
                        "{text}, which overrides it, is there: {}",
                        wrong_checks(map, unless)
                    ),
                }
            }
            Root::Forbidden { fact, action } => format!(
                "`{}` would set `{}`, but the caller forbids it",
                map.action(*action),
                map.fact(*fact)
            ),
            Root::StuckAt(fact) => format!(
                "`{}` is `{}` now, and no action of `{who}` leads away from that",
                map.variable(fact.variable),
                map.value(*fact)
            ),
            Root::Circle(fact) => {
                format!(
                    "and `{}` is what we came from: each needs the other first",
                    map.fact(*fact)
                )
            }
            Root::NotOnTheWay { needed, by, start, end } => {
                not_on_the_way(map, *needed, *by, *start, *end)
            }
            Root::NoOrder { example, torn, by_going_back } => {
                no_order(map, example, *torn, *by_going_back)
            }
            Root::BeforeAndAfter(cycle) => before_and_after(map, cycle),
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
                match (never, never_together) {
                    (Some(fact), _) => {
                        format!("`{}` cannot be reached from here; {tried}", map.fact(*fact))
                    }
                    (None, Some((a, b))) => format!(
                        "`{}` and `{}` cannot be had together from here; {tried}",
                        map.fact(*a),
                        map.fact(*b)
                    ),
                    (None, None) => {
                        format!("the parts of the goal cannot be had all at once; {tried}")
                    }
                }
            }
            Root::Unreachable { never, never_together, states } => {
                unreachable_sentence(map, *never, *never_together, *states)
            }
        }
    }
}

/// Which checks are answered otherwise than an action needs: ``the checks `a` and `b` are false``.
/// Of those that are so only because nobody said otherwise, also that, and how to say it.
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

/// That checks have an answer only because nobody said otherwise, and how to say it.
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

/// Which value is needed, and where its variable goes instead.
fn not_on_the_way(
    map: &SourceMap,
    needed: Fact,
    by: Option<ActionId>,
    start: Option<Fact>,
    end: Option<Fact>,
) -> String {
    let variable = map.variable(needed.variable);
    let who = match by {
        Some(action) => {
            format!("every plan needs `{}`, which needs `{}`", map.action(action), map.fact(needed))
        }
        None => format!("the goal wants `{}`", map.fact(needed)),
    };
    let from = start.map_or("an unknown value", |fact| map.value(fact));
    match end.filter(|_| by.is_some()) {
        Some(end) => {
            let end = map.value(end);
            format!(
                "{who}, but on its way from `{from}` to `{end}` `{variable}` never has that value"
            )
        }
        None => {
            format!("{who}, but no way of `{variable}` from `{from}` passes all that is needed")
        }
    }
}

/// That all orders were tried, and where they get stuck.
fn no_order(
    map: &SourceMap,
    example: &[ActionId],
    torn: Option<[ActionId; 3]>,
    by_going_back: bool,
) -> String {
    let mut text = "every plan contains the same actions, and no order of them works".to_string();
    if by_going_back {
        text.push_str(", whichever variables go back to where they started");
    }
    if let Some(torn) = torn {
        let [by, ends, restores] = torn.map(|id| map.action(id));
        text.push_str(&format!(
            "; among them `{ends}` takes away what `{by}` needs, and `{restores}` brings it back"
        ));
    } else if let [first, rest @ ..] = example {
        let name = |id: &ActionId| format!("`{}`", map.action(*id));
        let rest: Vec<String> = rest.iter().map(name).collect();
        let first = name(first);
        text.push_str(&format!(
            "; as they stand, {first} must come before {}, and that before {first}",
            rest.join(", which must come before ")
        ));
    }
    text
}

/// Who must come before whom, around to the first again.
fn before_and_after(map: &SourceMap, cycle: &[ActionId]) -> String {
    let names: Vec<String> =
        cycle.iter().map(|&action| format!("`{}`", map.action(action))).collect();
    match &names[..] {
        [] => "the actions that are needed cannot be put in any order".to_string(),
        [first, rest @ ..] => format!(
            "every plan needs {}, but {first} must come before {}, and that before {first}",
            names.join(", "),
            rest.join(", which must come before "),
        ),
    }
}

fn unreachable_sentence(
    map: &SourceMap,
    never: Option<Fact>,
    never_together: Option<(Fact, Fact)>,
    states: u64,
) -> String {
    if states == 1 {
        return "from here no action leads anywhere else".to_string();
    }
    let tried = format!("all {states} states that can be reached from here were tried");
    match (never, never_together) {
        (Some(fact), _) => format!("{tried}; `{}` holds in none of them", map.fact(fact)),
        (None, Some((a, b))) => {
            format!("{tried}; `{}` and `{}` never hold together", map.fact(a), map.fact(b))
        }
        (None, None) => format!("{tried}; the parts of the goal never hold all at once"),
    }
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
