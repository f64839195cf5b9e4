//! Why there is no plan: as data, and as a sentence that says what to change.
//!
//! In:   a problem whose goal is out of reach (found by [`Relaxed`]), or a search that has
//!       tried everything.
//! Out:  a [`Reason`]: the wanted fact, the chain of actions that would lead to it, and the
//!       root that blocks them.
//! Cost: one look at the setters of each fact on the chain.

use crate::context::is_enabled;
use crate::problem::Problem;
use crate::relaxed::Relaxed;
use throng_domain::compile::{
    CompiledDomain, LocalAction, LocalFact, LocalKind, NpcType, SourceMap, UNKNOWN,
};
use throng_domain::model::{ActionId, CheckId, CheckUse, Fact, NpcId, VariableId};

/// Why there is no plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// Who plans.
    pub npc: NpcId,
    /// The part of the goal that cannot be had; `None` if the domain does not know it.
    pub wanted: Option<Fact>,
    /// From the wanted fact down: the action that would set it, and what that action needs.
    pub chain: Vec<Link>,
    /// What blocks the last need of the chain (or the wanted fact itself).
    pub root: Root,
}

/// One step down the chain of causes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The action that would help.
    pub action: ActionId,
    /// What it needs and cannot get.
    pub needs: Fact,
}

/// The root of the matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Root {
    /// No action of this NPC type sets the value, though some set other values.
    NobodySets(Fact),
    /// No action of this NPC type changes the variable: only the world can.
    OnlyWorldSets(Fact),
    /// The variable's value is unknown, and that is what is missing.
    UnknownStart(VariableId),
    /// The only actions that set it fail a context check.
    CheckFalse {
        /// What they would set.
        fact: Fact,
        /// The first of them.
        action: ActionId,
        /// Its check.
        check: CheckId,
        /// The answer it needs.
        expected: bool,
    },
    /// The only actions that set it have kinds, none of which is possible.
    NoKind {
        /// What they would set.
        fact: Fact,
        /// The first of them.
        action: ActionId,
        /// For each of its kinds a check that fails, and the answer it needs.
        checks: Vec<(CheckId, bool)>,
    },
    /// The only actions that set it are overridden.
    Overridden {
        /// What they would set.
        fact: Fact,
        /// The first of them.
        action: ActionId,
        /// The action that overrides it.
        by: ActionId,
    },
    /// The only actions that set it were forbidden by the caller.
    Forbidden {
        /// What they would set.
        fact: Fact,
        /// The first of them.
        action: ActionId,
    },
    /// The variable has this value, and no action leads away from it.
    StuckAt(Fact),
    /// The chain comes back to a fact it passed: each needs the other first.
    Circle(Fact),
    /// The variable's way is forced, and the needed value does not lie on it.
    NotOnTheWay {
        /// What is needed.
        needed: Fact,
        /// Who needs it; `None` for the goal.
        by: Option<ActionId>,
        /// Where the way begins; `None` if that is unknown.
        start: Option<Fact>,
        /// Where the goal wants it to end, if it says so.
        end: Option<Fact>,
    },
    /// Each of these actions must come before the next, and the last before the first.
    BeforeAndAfter(Vec<ActionId>),
    /// An action needs a value that a plan must leave and bring back, and can stand neither before
    /// it leaves nor after it is back.
    NeitherBeforeNorAfter {
        /// Who needs the value.
        by: ActionId,
        /// Who ends it.
        ends: ActionId,
        /// Who brings it back.
        restores: ActionId,
    },
    /// Every plan contains the same actions, and every order of them was tried.
    NoOrder {
        /// Actions of which each must come before the next, and the last before the first, as
        /// long as no variable goes back to where it started; may be empty.
        example: Vec<ActionId>,
        /// Who needs a value, who ends it and who brings it back: one of the choices tried.
        torn: Option<[ActionId; 3]>,
        /// Variables that the goal leaves open were also sent back to where they started.
        by_going_back: bool,
    },
    /// The request holds an id of another domain.
    Foreign,
    /// Every way back from the goal was tried, and none begins here.
    NoWayBack {
        /// A wanted fact that is out of reach by itself.
        never: Option<Fact>,
        /// Two wanted facts that cannot be had together.
        never_together: Option<(Fact, Fact)>,
        /// How many sets of demands were tried.
        tried: u64,
    },
    /// Every state that can be reached was tried.
    Unreachable {
        /// A wanted fact that held in none of them.
        never: Option<Fact>,
        /// Two wanted facts that never held together.
        never_together: Option<(Fact, Fact)>,
        /// How many states there are.
        states: u64,
    },
}

impl Reason {
    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self.root {
            Root::NobodySets(_) => "nobody_sets",
            Root::OnlyWorldSets(_) => "only_world_sets",
            Root::UnknownStart(_) => "unknown_start",
            Root::CheckFalse { .. } => "check_false",
            Root::NoKind { .. } => "no_kind",
            Root::Overridden { .. } => "overridden",
            Root::Forbidden { .. } => "forbidden",
            Root::StuckAt(_) => "stuck",
            Root::Circle(_) => "circle",
            Root::NotOnTheWay { .. } => "not_on_the_way",
            Root::BeforeAndAfter(_) | Root::NeitherBeforeNorAfter { .. } | Root::NoOrder { .. } => {
                "before_and_after"
            }
            Root::Foreign => "foreign_id",
            Root::Unreachable { .. } | Root::NoWayBack { .. } => "unreachable",
        }
    }

    /// The reason of a goal that even the kind assumptions of [`Relaxed`] cannot reach; `None`
    /// if they can.
    pub fn out_of_reach(
        domain: &CompiledDomain,
        problem: &Problem,
        relaxed: &Relaxed,
    ) -> Option<Reason> {
        if let Some(reason) = Reason::outside(problem) {
            return Some(reason);
        }
        let npc = problem.kind(domain);
        let id = problem.npc();
        let wanted = problem.goal().iter().copied().find(|&fact| !relaxed.has(npc, fact))?;
        let mut chain = Vec::new();
        let root = Descent { npc, problem, relaxed }.follow(wanted, &mut chain);
        Some(Reason { npc: id, wanted: Some(npc.fact(wanted)), chain, root })
    }

    /// The reason of a goal on a variable that the NPC type does not touch, and that does not
    /// hold.
    pub fn outside(problem: &Problem) -> Option<Reason> {
        let outside = problem.outside().iter().find(|fact| !fact.holds)?;
        let root = match outside.known {
            true => Root::OnlyWorldSets(outside.fact),
            false => Root::UnknownStart(outside.fact.variable),
        };
        let (npc, wanted) = (problem.npc(), Some(outside.fact));
        Some(Reason { npc, wanted, chain: Vec::new(), root })
    }

    /// The reason of a request that holds ids of another domain.
    pub fn foreign(npc: NpcId) -> Reason {
        Reason { npc, wanted: None, chain: Vec::new(), root: Root::Foreign }
    }

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
            Root::CheckFalse { fact, action, check, expected } => {
                let (action, check) = (map.action(*action), map.check(*check));
                let state = if *expected { "false" } else { "true" };
                format!(
                    "`{action}` would set `{}`, but the check `{check}` is {state}",
                    map.fact(*fact)
                )
            }
            Root::NoKind { fact, action, checks } => {
                let state = |expected| if expected { "false" } else { "true" };
                let words = |&(check, expected): &(CheckId, bool)| {
                    format!("the check `{}` is {}", map.check(check), state(expected))
                };
                let words: Vec<String> = checks.iter().map(words).collect();
                format!(
                    "`{}` would set `{}`, but none of its kinds is possible: {}",
                    map.action(*action),
                    map.fact(*fact),
                    words.join(", ")
                )
            }
            Root::Overridden { fact, action, by } => format!(
                "`{}` would set `{}`, but `{}` overrides it",
                map.action(*action),
                map.fact(*fact),
                map.action(*by)
            ),
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
fn others_can(domain: &CompiledDomain, npc: NpcId, fact: Fact) -> String {
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

/// Goes down from a fact to what blocks it.
struct Descent<'r> {
    npc: &'r NpcType,
    problem: &'r Problem,
    relaxed: &'r Relaxed,
}

impl Descent<'_> {
    fn follow(&self, wanted: LocalFact, chain: &mut Vec<Link>) -> Root {
        let mut fact = wanted;
        let mut passed = vec![wanted];
        let mut unknown = None;
        loop {
            let start_unknown = self.problem.start()[fact.variable.index()] == UNKNOWN;
            if start_unknown {
                unknown = Some(fact);
            }
            let setters = self.npc.setters(self.npc.slot(fact));
            let Some(&action) = setters.iter().find(|&&a| self.problem.enabled().has(a)) else {
                return match setters.first() {
                    Some(&action) => self.disabled(fact, action),
                    None if start_unknown => Root::UnknownStart(self.npc.fact(fact).variable),
                    None if self.npc.can_change(fact.variable) => {
                        Root::NobodySets(self.npc.fact(fact))
                    }
                    None => Root::OnlyWorldSets(self.npc.fact(fact)),
                };
            };
            if let Some(root) = self.stuck(fact) {
                return root;
            }
            // An enabled setter of an unreached fact has a need that is unreached too.
            let missing = |need: &&LocalFact| !self.relaxed.has(self.npc, **need);
            let Some(&need) = self.npc.needs(action).iter().find(missing) else {
                return Root::NobodySets(self.npc.fact(fact));
            };
            chain.push(Link {
                action: self.npc.actions()[action.index()],
                needs: self.npc.fact(need),
            });
            if passed.contains(&need) {
                // An unknown value on the way is the better hint: knowing it may open the circle.
                return match unknown {
                    Some(fact) => Root::UnknownStart(self.npc.fact(fact).variable),
                    None => Root::Circle(self.npc.fact(need)),
                };
            }
            passed.push(need);
            fact = need;
        }
    }

    /// Why the variable of a fact cannot leave the value it has; `None` if it can, or if that
    /// value is unknown.
    fn stuck(&self, wanted: LocalFact) -> Option<Root> {
        let npc = self.npc;
        let now = LocalFact {
            variable: wanted.variable,
            value: self.problem.start()[wanted.variable.index()],
        };
        if now.value == UNKNOWN {
            return None;
        }
        let setters = npc.setters_of(now.variable).filter(|(fact, _)| *fact != now);
        let leads_away = |action: LocalAction| {
            let own = npc.needs(action).iter().find(|need| need.variable == now.variable);
            own.is_none_or(|need| *need == now)
        };
        let mut ways = setters.filter(|&(_, action)| leads_away(action)).peekable();
        let Some(&(fact, action)) = ways.peek() else {
            return Some(Root::StuckAt(npc.fact(now)));
        };
        match ways.any(|(_, action)| self.problem.enabled().has(action)) {
            true => None,
            false => Some(self.disabled(fact, action)),
        }
    }

    fn disabled(&self, fact: LocalFact, action: LocalAction) -> Root {
        let (npc, checks) = (self.npc, self.problem.checks());
        let named = npc.actions()[action.index()];
        let fact = npc.fact(fact);
        let failing =
            npc.checks(action).iter().find(|used| checks.holds(used.check) != used.expected);
        if let Some(used) = failing {
            let (check, expected) = (used.check, used.expected);
            return Root::CheckFalse { fact, action: named, check, expected };
        }
        let kinds = npc.kinds(action);
        let failing = |kind: &LocalKind| {
            let wrong = |used: &&CheckUse| checks.holds(used.check) != used.expected;
            npc.kind_checks(*kind).iter().find(wrong).map(|used| (used.check, used.expected))
        };
        let failing: Vec<_> = kinds.iter().filter_map(failing).collect();
        if !kinds.is_empty() && failing.len() == kinds.len() {
            let mut checks: Vec<(CheckId, bool)> = Vec::new();
            for one in failing {
                if !checks.contains(&one) {
                    checks.push(one);
                }
            }
            return Root::NoKind { fact, action: named, checks };
        }
        let forbidden = self.problem.forbidden();
        let overrides = |&by: &LocalAction| {
            npc.overrides(by).contains(&action) && is_enabled(npc, checks, forbidden, by)
        };
        match (0..npc.n_actions() as u32).map(LocalAction).find(overrides) {
            Some(by) if !forbidden.has(action) => {
                Root::Overridden { fact, action: named, by: npc.actions()[by.index()] }
            }
            _ => Root::Forbidden { fact, action: named },
        }
    }
}
