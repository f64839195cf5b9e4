//! Statistics as a report for people.
//!
//! In:   what was counted, the names of minds, and what plans can have at all.
//! Out:  a page: how much minds plan; then what is done; then what a designer may want to change:
//!       actions without use, reasons for no plan.
//! Cost: linear in what is told.

use super::uses::{OtherUses, said_cost};
use super::{ActionStats, GoalStats, MindStats, Stats, TaskStats, TypeStats};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use throng_base::text::{columns, count, grouped};
use throng_domain::Cost;
use throng_domain::model::{ActionId, GoalId, NpcTypeId};
use throng_mind::inspect::cause_words;
use throng_mind::spec::Spec;
use throng_mind::words::Word;
use throng_planner::explain::{Usable, Usage};

/// How many minds, reasons are listed.
const LISTED: usize = 5;
/// How many names stand in a list of actions.
const NAMED: usize = 200;
/// Where lines of names are parted.
const WIDTH: usize = 96;

/// What there is to tell.
pub struct StatsReport {
    /// The file, or the story.
    pub name: String,
    /// What the minds are made of.
    pub spec: Spec,
    /// What was counted; `None` if no mind lived.
    pub lived: Option<Lived>,
    /// The types to tell of, in declared order.
    pub types: Vec<NpcTypeId>,
    /// What plans of each type can have at all.
    pub usable: Vec<Usable>,
}

/// What was counted, and the names of the minds.
pub struct Lived {
    /// The figures.
    pub stats: Stats,
    /// By the number that the statistics know a mind by.
    pub names: BTreeMap<u32, String>,
    /// Whether what became of tasks is known: of minds without their world it is not.
    pub knows_tasks: bool,
}

impl Lived {
    /// The name of a mind; `?` if it has none.
    pub fn name(&self, who: u32) -> &str {
        self.names.get(&who).map_or("?", String::as_str)
    }
}

impl StatsReport {
    /// The page; `width` says how many columns a text takes.
    pub fn page(&self, width: fn(&str) -> usize) -> Vec<String> {
        let mut page = Page { lines: Vec::new(), width };
        match &self.lived {
            Some(lived) => {
                page.overview(self, lived);
                for &npc in &self.types {
                    page.lived(self, lived, npc);
                }
            }
            None => page.line(&format!("{}: {}", self.name, domain_line(&self.spec))),
        }
        for usable in &self.usable {
            page.usable(self, usable);
        }
        page.lines
    }

    /// What was counted of each goal of a type, in declared order; alternatives of one name are
    /// one goal.
    pub fn goals(&self, own: &TypeStats, npc: NpcTypeId) -> Vec<(&str, GoalStats)> {
        let domain = &self.spec.domain;
        let mut goals: Vec<(&str, GoalStats)> = Vec::new();
        for &goal in domain.npc(npc).goals() {
            let (name, counts) = (domain.map().wish(goal), &own.goals[goal.index()]);
            let at = goals.iter().position(|(known, _)| *known == name).unwrap_or(goals.len());
            if at == goals.len() {
                goals.push((name, GoalStats::default()));
            }
            let sum = &mut goals[at].1;
            sum.chosen += counts.chosen;
            sum.plans += counts.plans;
            sum.ticks += counts.ticks;
        }
        goals
    }
}

impl fmt::Display for StatsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let page = self.page(|text| text.chars().count());
        page.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// `3 minds, 1 squad`.
pub fn minds_and_squads(minds: usize, squads: usize) -> String {
    match squads {
        0 => count(minds, "mind"),
        _ => format!("{}, {}", count(minds, "mind"), count(squads, "squad")),
    }
}

fn domain_line(spec: &Spec) -> String {
    let domain = &spec.domain;
    let actions = count(domain.map().action_ids().count(), "action");
    let is_first = |(at, group): &(usize, Option<GoalId>)| group.is_none_or(|g| g.index() == *at);
    let groups = domain.goals().iter().map(|goal| goal.group());
    let wishes = groups.enumerate().filter(is_first).count();
    format!("{}, {actions}, {}", count(domain.npcs().len(), "NPC type"), count(wishes, "goal"))
}

struct Page {
    lines: Vec<String>,
    width: fn(&str) -> usize,
}

impl Page {
    fn line(&mut self, text: &str) {
        self.lines.push(text.trim_end().to_string());
    }

    fn heading(&mut self, text: &str) {
        self.line("");
        self.line(text);
    }

    /// Rows in columns: the first to the left, the others to the right.
    fn table(&mut self, rows: &[Vec<String>]) {
        self.lines.extend(columns(rows, 1, self.width));
    }

    /// Words behind a head, separated by commas, wrapped below the first of them; of very many, the
    /// first.
    fn list(&mut self, head: &str, words: &[String]) {
        let more = words.len().saturating_sub(NAMED);
        let rest = (more > 0).then(|| format!("… and {} more", grouped(more as u64)));
        let words: Vec<&str> = words.iter().take(NAMED).chain(&rest).map(String::as_str).collect();
        self.wrapped(head, &words, ", ");
    }

    /// Parts behind a head, with a gap between them, wrapped below the first.
    fn wrapped(&mut self, head: &str, parts: &[&str], gap: &str) {
        let (mut line, indent) = (head.to_string(), (self.width)(head));
        for (at, part) in parts.iter().enumerate() {
            if (self.width)(&line) + (self.width)(part) > WIDTH && line.trim() != head.trim() {
                self.line(&line);
                line = " ".repeat(indent);
            }
            line.push_str(part);
            line.push_str(if at + 1 < parts.len() { gap } else { "" });
        }
        self.line(&line);
    }

    /// How much minds plan.
    fn overview(&mut self, report: &StatsReport, lived: &Lived) {
        let stats = &lived.stats;
        let is_squad =
            |mind: &&MindStats| report.spec.squads.iter().any(|squad| squad.npc == mind.npc);
        let squads = stats.minds.values().filter(is_squad).count();
        let minds = minds_and_squads(stats.minds.len() - squads, squads);
        let ticks = count(stats.ticks() as usize, "tick");
        self.line(&format!("{}: {:.1} s, {ticks}, {minds}", report.name, stats.seconds()));
        self.line("");
        let head = [
            "NPC type",
            "minds",
            "plans",
            "plans/s each",
            "steps",
            "longest",
            "no plan",
            "content",
        ];
        let mut rows = vec![head.map(str::to_string).to_vec()];
        for &npc in &report.types {
            let own = &stats.types[npc.index()];
            rows.push(vec![
                report.spec.domain.map().npc(npc).to_string(),
                own.minds.to_string(),
                own.plans.to_string(),
                format!("{:.3}", stats.rate_of_type(own)),
                format!("{:.1}", own.mean_length()),
                own.longest().to_string(),
                own.no_plans.to_string(),
                own.content.to_string(),
            ]);
        }
        self.table(&rows);
        let told = |npc: NpcTypeId| report.types.contains(&npc);
        let mut busiest: Vec<_> = stats.minds.iter().filter(|(_, mind)| told(mind.npc)).collect();
        busiest.sort_by(|a, b| stats.rate_of(b.1).total_cmp(&stats.rate_of(a.1)));
        if busiest.len() > 1 {
            let one = |(who, mind): &(&u32, &MindStats)| {
                format!("{} {:.3}/s", lived.name(**who), stats.rate_of(mind))
            };
            let words: Vec<String> = busiest.iter().take(LISTED).map(one).collect();
            self.heading("Who plans most often");
            self.list("  ", &words);
        }
    }

    /// All about a type that was seen.
    fn lived(&mut self, report: &StatsReport, lived: &Lived, npc: NpcTypeId) {
        let (spec, own) = (&report.spec, &lived.stats.types[npc.index()]);
        let map = spec.domain.map();
        if own.minds == 0 {
            return self.heading(&format!("{}: nobody was there", map.npc(npc)));
        }
        self.heading(&format!("{}: what was done", map.npc(npc)));
        self.actions(report, lived, npc);
        self.tasks(report, lived, npc);
        self.goals(report, own, npc, lived);
        if own.waits > 0 {
            let times = own.waits;
            self.line(&format!("  waited for their turn to plan: {times} times"));
        }
        self.heading("  Plan lengths");
        let some = |(_, plans): &(usize, &u64)| **plans > 0;
        let lengths = own.lengths.iter().enumerate().filter(some);
        let length = |(steps, plans)| format!("{} × {plans}", count(steps, "step"));
        let mut lengths: Vec<String> = lengths.map(length).collect();
        if lengths.is_empty() {
            lengths.push("no plan was made".to_string());
        }
        self.list("    ", &lengths);
        self.heading("  Why a plan was asked for");
        let mut causes: Vec<_> = own.causes.iter().collect();
        causes.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
        self.counted(causes.into_iter().map(|(cause, times)| (*times, cause_words(*cause))));
        if !own.reasons.is_empty() {
            self.heading("  Why there was no plan");
            let mut reasons: Vec<_> = own.reasons.iter().collect();
            reasons.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
            let more = reasons.len().saturating_sub(LISTED);
            let listed = reasons.into_iter().take(LISTED);
            self.counted(listed.map(|(why, times)| (*times, why.as_str())));
            if more > 0 {
                self.line(&format!("    and {}", count(more, "other reason")));
            }
        }
    }

    fn counted<'t>(&mut self, rows: impl Iterator<Item = (u64, &'t str)>) {
        let rows: Vec<(u64, &str)> = rows.collect();
        let width = rows.iter().map(|(times, _)| times.to_string().len()).max().unwrap_or(0);
        for (times, text) in rows {
            self.line(&format!("    {times:>width$} × {text}"));
        }
    }

    fn actions(&mut self, report: &StatsReport, lived: &Lived, npc: NpcTypeId) {
        let (spec, stats) = (&report.spec, &lived.stats);
        let (map, own) = (spec.domain.map(), &stats.types[npc.index()]);
        let head = ["  action", "planned", "started", "done", "failed", "given up", "s each"];
        let mut rows = vec![head.map(str::to_string).to_vec()];
        let can = spec.domain.npc(npc).actions();
        let mut used: Vec<(String, &ActionStats)> = can
            .iter()
            .map(|&action| (map.action(action).to_string(), &own.actions[action.index()]))
            .filter(|(_, counts)| counts.planned + counts.started > 0)
            .collect();
        used.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.started));
        let flavours = spec.flavours.iter().zip(&own.flavours);
        let flavours = flavours.filter(|(_, counts)| counts.started > 0);
        used.extend(flavours.map(|(f, counts)| (spec.words.text(f.name).to_string(), counts)));
        for (name, counts) in used {
            let ends = counts.done + counts.failed + counts.cancelled;
            let each = stats.pace.seconds(1) * counts.ticks as f64 / ends.max(1) as f64;
            let numbers =
                [counts.planned, counts.started, counts.done, counts.failed, counts.cancelled];
            let numbers = numbers.into_iter().map(|n| n.to_string());
            let mut row = vec![format!("  {name}")];
            row.extend(numbers.chain([format!("{each:.1}")]));
            rows.push(row);
        }
        self.table(&rows);
        let never = stats.never_used(npc, can);
        if !never.is_empty() {
            let names: Vec<String> = never.iter().map(|&a| map.action(a).to_string()).collect();
            self.list(&format!("  never used ({}): ", names.len()), &names);
        }
        self.mishaps(report, npc, own);
    }

    /// What became of the tasks that squads of this type gave.
    fn tasks(&mut self, report: &StatsReport, lived: &Lived, npc: NpcTypeId) {
        let is_squad = report.spec.squads.iter().any(|squad| squad.npc == npc);
        if is_squad && !lived.knows_tasks {
            return self.heading("  Tasks: unknown, as their ends are not in minds alone");
        }
        let own = lived.stats.tasks.iter().filter(|((squad, _), _)| *squad == npc);
        let row = |(&(_, what), counts): (&(NpcTypeId, Word), &TaskStats)| {
            let TaskStats { given, done, refused, cancelled, timed_out, dead, failed } = *counts;
            let name = [format!("    {}", report.spec.words.text(what))];
            let numbers = [given, done, refused, cancelled, timed_out, dead, failed];
            name.into_iter().chain(numbers.map(|n| n.to_string())).collect::<Vec<String>>()
        };
        let mut rows: Vec<Vec<String>> = own.map(row).collect();
        if rows.is_empty() {
            return;
        }
        let head =
            ["    task", "given", "done", "refused", "cancelled", "timed out", "dead", "failed"];
        rows.insert(0, head.map(str::to_string).to_vec());
        self.heading("  Tasks");
        self.table(&rows);
    }

    /// What went otherwise than planned.
    fn mishaps(&mut self, report: &StatsReport, npc: NpcTypeId, own: &TypeStats) {
        let map = report.spec.domain.map();
        let can = report.spec.domain.npc(npc).actions();
        type Pick = fn(&ActionStats) -> u64;
        let kinds: [(&str, Pick); 4] = [
            ("done by the world already", |counts| counts.skipped),
            ("done without effect", |counts| counts.no_effect),
            ("not trusted for a while", |counts| counts.doubted),
            ("learnt", |counts| counts.learnt),
        ];
        for (what, pick) in kinds {
            let times = |&action: &ActionId| (action, pick(&own.actions[action.index()]));
            let some = can.iter().map(times).filter(|(_, times)| *times > 0);
            let words: Vec<String> =
                some.map(|(action, times)| format!("{} × {times}", map.action(action))).collect();
            if !words.is_empty() {
                self.list(&format!("  {what}: "), &words);
            }
        }
    }

    fn goals(&mut self, report: &StatsReport, own: &TypeStats, npc: NpcTypeId, lived: &Lived) {
        self.line("");
        let head = ["  goal", "chosen", "plans", "s pursued", "of the time"];
        let mut rows = vec![head.map(str::to_string).to_vec()];
        let share = |ticks: u64| format!("{:.0} %", 100.0 * ticks as f64 / own.ticks as f64);
        let seconds = |ticks: u64| format!("{:.1}", lived.stats.pace.seconds(1) * ticks as f64);
        for (name, counts) in report.goals(own, npc) {
            rows.push(vec![
                format!("  {name}"),
                counts.chosen.to_string(),
                counts.plans.to_string(),
                seconds(counts.ticks),
                share(counts.ticks),
            ]);
        }
        let (none, time) = ("  (no goal)".to_string(), seconds(own.idle));
        rows.push(vec![none, String::new(), String::new(), time, share(own.idle)]);
        self.table(&rows);
    }

    /// Which actions can be in a plan at all.
    fn usable(&mut self, report: &StatsReport, usable: &Usable) {
        let (spec, map) = (&report.spec, report.spec.domain.map());
        let states = usable.states.map_or("too many states".to_string(), |n| count(n, "state"));
        let sets = match usable.contexts {
            1 => String::new(),
            n => format!(", {n} sets of actions that can be there"),
        };
        self.heading(&format!("{}: what plans can have ({states}{sets})", map.npc(usable.npc)));
        let named = |keep: &dyn Fn(ActionId, &Usage) -> bool| -> Vec<String> {
            let kept = usable.uses.iter().filter(|(action, usage)| keep(*action, usage));
            kept.map(|(action, _)| map.action(*action).to_string()).collect()
        };
        let in_plans = named(&|_, usage| matches!(usage, Usage::InPlans(_)));
        self.list(&format!("  in plans ({}): ", in_plans.len()), &in_plans);
        // Those of which the same is to say are told in one line.
        let mut told: Vec<(&str, String, Vec<String>)> = Vec::new();
        let mut places: HashMap<(&str, String), usize> = HashMap::new();
        let others = OtherUses::new(spec, usable.npc);
        for (action, usage) in &usable.uses {
            let cost = Cost(said_cost(spec, *action).unwrap_or(0));
            let other = others.of(*action).filter(|_| usage.is_never());
            let (kind, sentence) = match (usage, other) {
                (Usage::InPlans(_), _) => continue,
                (_, Some(other)) => ("      ", other),
                (Usage::Undecided(_), None) => {
                    ("open  ", usage.sentence(&spec.domain, *action, cost))
                }
                (_, None) => ("never ", usage.sentence(&spec.domain, *action, cost)),
            };
            let name = map.action(*action).to_string();
            let place = places.entry((kind, sentence.clone())).or_insert(told.len());
            match told.get_mut(*place) {
                Some((.., names)) => names.push(name),
                None => told.push((kind, sentence, vec![name])),
            }
        }
        for (kind, sentence, names) in told {
            self.list(&format!("  {kind} "), &names);
            let words: Vec<&str> = sentence.split(' ').collect();
            self.wrapped("           ", &words, " ");
        }
        let useless = |(action, usage): &&(ActionId, Usage)| others.has_none(*action, usage);
        let beaten = |(_, usage): &(ActionId, Usage)| {
            matches!(usage, Usage::Beaten { .. } | Usage::Twin(_) | Usage::InNoPlan)
        };
        if !spec.sensors.is_empty() && usable.uses.iter().filter(useless).any(beaten) {
            self.line(
                "  (a mind may still use what is dearer while what is cheaper has just failed)",
            );
        }
    }
}
