//! The events of a run as text: colours and the sets D, T and E after every step that changes
//! them.
//!
//! In:   the tables, then the events one by one.
//! Out:  a page like the worked examples of the papers: actions are `a1`, `a2`, … in the order
//!       of the file, values that no action sets are ghosts, `g1`, `g2`, …
//! Cost: every step writes all sets anew; for problems that a reader can follow.

use super::tables::{Ends, Post, Tables};
use super::trace::{Colour, Event, Set};
use super::{Answer, Ghosts, Printed};
use throng_domain::compile::{CompiledDomain, LocalAction, NpcTables};

/// Longer lines are broken.
const WIDTH: usize = 100;

/// A page in the making.
#[derive(Debug)]
pub struct Sheet<'d> {
    domain: &'d CompiledDomain,
    npc: &'d NpcTables,
    tables: &'d Tables,
    /// `a1` or `g1`, by identifier.
    short: Vec<String>,
    printed: Printed,
    text: String,
    colours: Vec<Colour>,
    d: Vec<Post>,
    t: Vec<Post>,
    e: Vec<(Post, Post)>,
    plan: Vec<Post>,
    /// Whether a set has changed since it was written.
    is_news: bool,
}

impl<'d> Sheet<'d> {
    /// A page with the question and the table of actions.
    pub fn new(
        printed: Printed,
        domain: &'d CompiledDomain,
        npc: &'d NpcTables,
        tables: &'d Tables,
        ends: &Ends,
    ) -> Self {
        let mut n_ghosts = 0;
        let short = tables.posts().map(|post| match tables.action(post) {
            Some(action) => format!("a{}", action.index() + 1),
            None => {
                n_ghosts += 1;
                format!("g{n_ghosts}")
            }
        });
        let mut sheet = Sheet {
            short: short.collect(),
            printed,
            text: String::new(),
            colours: vec![Colour::White; tables.n_posts()],
            d: Vec::new(),
            t: Vec::new(),
            e: Vec::new(),
            plan: Vec::new(),
            is_news: false,
            domain,
            npc,
            tables,
        };
        sheet.write_head(ends);
        sheet.write_actions();
        sheet
    }

    fn write_head(&mut self, ends: &Ends) {
        let title = match self.printed {
            Printed::P => "P",
            Printed::TopoPlan(Ghosts::Handled) => "TopoPlan",
            Printed::TopoPlan(Ghosts::Skipped) => "TopoPlan, needs of ghosts skipped",
            Printed::Backstrom => "Bäckström's planner",
        };
        let state =
            |posts: &[Post]| -> Vec<String> { posts.iter().map(|&p| self.fact(p)).collect() };
        let (start, goal) = (state(&ends.start), state(&ends.goal));
        self.line(&format!("{title}\nfrom {}\nto   {}\n", start.join(", "), goal.join(", ")));
    }

    /// The papers' table: every action, what sets its source, what sets its needs.
    fn write_actions(&mut self) {
        let mut rows: Vec<(LocalAction, [String; 4])> = Vec::new();
        for post in self.tables.posts() {
            let Some(action) = self.tables.action(post) else { continue };
            let needs = self.tables.prevail(post).iter().map(|&need| self.short(need).to_string());
            let needs: Vec<String> = needs.collect();
            let row = [
                self.short(post).to_string(),
                format!("{} -> {}", self.fact(self.tables.pre(post)), self.value(post)),
                format!(
                    "pre {{{}}}  prevail {{{}}}",
                    self.short(self.tables.pre(post)),
                    needs.join(", ")
                ),
                self.name(action).to_string(),
            ];
            rows.push((action, row));
        }
        rows.sort_by_key(|(action, _)| *action);
        let width = |column: usize| {
            rows.iter().map(|(_, row)| row[column].chars().count()).max().unwrap_or(0)
        };
        let widths = [width(0), width(1), width(2)];
        for (_, [id, change, before, name]) in &rows {
            let [a, b, c] = widths;
            self.line(&format!("{id:<a$}  {change:<b$}  {before:<c$}  {name}"));
        }
        for post in self.tables.posts().filter(|&post| !self.tables.is_action(post)) {
            let (id, fact, width) = (self.short(post), self.fact(post), widths[0]);
            self.line(&format!("{id:<width$}  {fact}: nobody sets it"));
        }
    }

    /// Takes down an event.
    pub fn note(&mut self, event: Event) {
        let told = match event {
            Event::Phase(number) => format!("\nPhase {number}"),
            Event::Chain { line, from, to } => {
                format!("{line:<5} chain to {} from {}", self.fact(to), self.value(from))
            }
            Event::Need { line, of, need } => {
                let (who, what, by) = (self.label(of), self.fact(need), self.label(need));
                format!("{line:<5} {who} needs {what}: {by}")
            }
            Event::Colours { action, colour } => {
                self.colours[action.index()] = colour;
                if colour != Colour::Blue {
                    return;
                }
                format!("2.1   blue: {}", self.label(action))
            }
            Event::Joins { action, set } => {
                let set = if set == Set::D { &mut self.d } else { &mut self.t };
                self.is_news |= push_new(set, action);
                return;
            }
            Event::Next { of, next } => {
                format!("        {} then {}", self.short(of), self.short(next))
            }
            Event::Orders { line, before, after } => {
                self.is_news |= push_new(&mut self.e, (before, after));
                if self.tables.variable(before) == self.tables.variable(after) {
                    return;
                }
                format!("{line:<5} {} before {}", self.short(before), self.short(after))
            }
            Event::Flags { variable, needed } => {
                let name = |at: usize| self.domain.map().variable(self.npc.variables()[at]);
                format!("3.26  Flag[{}][{}]", name(variable), name(needed))
            }
            Event::Placed(action) => {
                self.plan.push(action);
                let line = if self.printed == Printed::Backstrom { "4" } else { "2.11" };
                format!("{line:<5} green: {}", self.label(action))
            }
            Event::Step => return self.write_sets(),
        };
        self.line(&told);
    }

    fn write_sets(&mut self) {
        let shades = [
            ("white", Colour::White),
            ("yellow", Colour::Yellow),
            ("blue", Colour::Blue),
            ("green", Colour::Green),
        ];
        let mut colours = Vec::new();
        for (word, colour) in shades {
            let mut of_colour: Vec<Post> = self.tables.posts().collect();
            of_colour.retain(|&p| self.tables.is_action(p) && self.colours[p.index()] == colour);
            of_colour.sort_by_key(|&post| self.tables.action(post));
            if !of_colour.is_empty() {
                colours.push(format!("{word} {}", self.list(&of_colour, " ")));
            }
        }
        self.line(&format!("      | {}", colours.join(", ")));
        if std::mem::take(&mut self.is_news) {
            let d = format!("D = {{{}}}", self.list(&self.d, ", "));
            let t = format!("  T = {{{}}}", self.list(&self.t, ", "));
            let has_t = matches!(self.printed, Printed::TopoPlan(_));
            let t = if has_t { t } else { String::new() };
            self.line(&format!("      | {d}{t}"));
            self.write_orders();
        }
        if !self.plan.is_empty() {
            let plan = self.list(&self.plan, ", ");
            self.line(&format!("      | plan = ({plan})"));
        }
    }

    fn write_orders(&mut self) {
        let mut line = "      | E = {".to_string();
        for (at, &(before, after)) in self.e.clone().iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            let order = format!("{comma}({}, {})", self.short(before), self.short(after));
            if line.len() + order.len() > WIDTH {
                self.line(&format!("{line},"));
                line = format!("      |      {}", order.trim_start_matches(", "));
            } else {
                line.push_str(&order);
            }
        }
        self.line(&format!("{line}}}"));
    }

    /// The finished page.
    pub fn finish(mut self, answer: &Answer) -> String {
        let end = match answer {
            Ok(plan) => {
                let names: Vec<&str> = plan.iter().map(|&action| self.name(action)).collect();
                format!("plan, not replayed: {}", names.join(", "))
            }
            Err(failure) => format!("failure: {}", failure.sentence(self.domain, self.npc)),
        };
        self.line(&format!("\n{end}"));
        self.text
    }

    fn line(&mut self, words: &str) {
        self.text += words;
        self.text.push('\n');
    }

    fn list(&self, posts: &[Post], between: &str) -> String {
        let short: Vec<&str> = posts.iter().map(|&post| self.short(post)).collect();
        short.join(between)
    }

    fn short(&self, post: Post) -> &str {
        &self.short[post.index()]
    }

    fn fact(&self, post: Post) -> String {
        self.domain.map().fact(self.npc.fact(self.tables.fact(post)))
    }

    fn value(&self, post: Post) -> &'d str {
        self.domain.map().value(self.npc.fact(self.tables.fact(post)))
    }

    fn name(&self, action: LocalAction) -> &'d str {
        self.domain.map().action(self.npc.actions()[action.index()])
    }

    /// `a5 pick_up_bucket`, or `g1` for a ghost.
    fn label(&self, post: Post) -> String {
        match self.tables.action(post) {
            Some(action) => format!("{} {}", self.short(post), self.name(action)),
            None => format!("{}, a ghost", self.short(post)),
        }
    }
}

/// Adds an item to a set; gives whether it was not in it.
fn push_new<T: PartialEq>(set: &mut Vec<T>, item: T) -> bool {
    let is_new = !set.contains(&item);
    if is_new {
        set.push(item);
    }
    is_new
}
