//! `throng demo`: the main job in one go, for someone who has never seen it.

use crate::args::DemoArgs;
use crate::commands::crowd::{groups, live, threads, types};
use crate::console::{CommandResult, Console, Fail, bad};
use crate::life::{self, Life, Setup};
use crate::{FINE, NO};
use serde::Serialize;
use throng::crowd::{CrowdSettings, FrameBudget};
use throng::expectations::setting;
use throng::{Answer, Domain, Npc, Planner, Request, Scratch, Why};
use throng_base::text::grouped;
use throng_planner::explain::{Causes, Use};

const STABLE: &str = include_str!("demo/horse_breeder_000.npc");
const TOWN: &str = include_str!("demo/town.npc");
const WESTERN: &str = include_str!("demo/western.npc");

/// The beginning.
const ONE_NPC: &str = "\
One NPC. A horse breeder has hay in store, a bucket and a fountain, and wants
the horses fed and watered. Both need free hands. This is part of the file that
describes it (domains/papers/horse_breeder_000.npc):

";

/// The end.
const TRY_NEXT: &str = "
Try next:

    throng why   domains/papers/horse_breeder_000.npc
    throng plan  domains/papers/western.npc Blacksmith --goal close_smithy
    throng test  domains/papers domains/fear
    throng crowd domains/papers/town.npc --npcs 100000
    throng play  door
    throng --help
";

/// What planning may do in a frame of the crowd.
const FRAME: FrameBudget = FrameBudget { npcs: usize::MAX, nodes: 20_000 };

#[derive(Serialize)]
struct GoalShape {
    npc: String,
    goal: String,
    length: usize,
    plan: Vec<String>,
}

pub(crate) fn run(args: &DemoArgs, console: &mut Console<'_>) -> CommandResult {
    let (Ok(stable), Ok(western)) = (Domain::from_text(STABLE), Domain::from_text(WESTERN)) else {
        return bad("the domains inside this program do not load; please report it");
    };
    if !args.json {
        one_npc(&stable, console)?;
        no_plan(&stable, console)?;
    }
    let town = town(&western);
    if args.json {
        console.json(&town)?;
    } else {
        list_town(&western, &town, console)?;
        crowd(args.npcs, console)?;
        if console.interrupted() {
            return Ok(FINE);
        }
        console.print(TRY_NEXT)?;
    }
    let complete = town.iter().all(|goal| goal.length > 0);
    Ok(if complete { FINE } else { NO })
}

fn one_npc(domain: &Domain, console: &mut Console<'_>) -> Result<(), Fail> {
    console.print(ONE_NPC)?;
    for line in STABLE.lines().filter(|line| line.starts_with("action ")) {
        writeln!(console, "    {line}")?;
    }
    let Ok(npc) = Npc::new(domain, "horse_breeder") else {
        return bad("the stable has no horse breeder; please report it");
    };
    let Why { answer, steps, .. } =
        Planner::new().why(&npc, &Request::best(), &mut Scratch::default());
    let work = match answer.nodes() {
        0 => "it was found without any search".to_string(),
        nodes => format!("{nodes} states were looked at"),
    };
    writeln!(console, "\nThe cheapest plan has {} steps; {work}:\n", answer.plan().len())?;
    for (step, why) in answer.plan().steps().zip(&steps) {
        let why = because(&npc, &answer, &why.causes);
        writeln!(console, "    {}. {:15} {why}", step.index + 1, step.name)?;
    }
    Ok(())
}

/// What a step is for, in a few words.
fn because(npc: &Npc, answer: &Answer, causes: &Causes) -> String {
    let names: Vec<&str> = answer.plan().names().collect();
    let compiled = npc.domain().compiled();
    let enables = causes.enables.iter().map(|&(fact, used)| {
        let fact = fact.text(compiled, compiled.npc(npc.type_id()));
        match used {
            Use::Goal => format!("the goal wants {fact}"),
            Use::Step(step) => format!("so that {fact} for {}", names[step]),
        }
    });
    let mut enables: Vec<String> = enables.collect();
    enables.truncate(1);
    let after = causes.needs.iter().filter_map(|(_, source)| source.steps().last().copied());
    if let Some(before) = after.max() {
        enables.push(format!("after {}", names[before]));
    }
    enables.join(", ")
}

fn no_plan(domain: &Domain, console: &mut Console<'_>) -> Result<(), Fail> {
    let Ok(mut npc) = Npc::new(domain, "horse_breeder") else { return Ok(()) };
    if npc.set("haystack", "in_feeder").is_err() {
        return Ok(());
    }
    let answer = Planner::new().plan(&npc, &Request::best(), &mut Scratch::default());
    writeln!(console, "\nNo plan? Then a reason. With the hay already in the feeder:\n")?;
    writeln!(console, "    {}", answer.reason())
}

/// A plan for every goal of every NPC of the town, from where its first test starts.
fn town(domain: &Domain) -> Vec<GoalShape> {
    let mut rows: Vec<GoalShape> = Vec::new();
    let mut scratch = Scratch::default();
    let map = domain.compiled().map();
    for test in domain.model().tests() {
        let Some((npc, request)) = setting(domain, test) else { continue };
        let answer = Planner::new().plan(&npc, &request, &mut scratch);
        let Some(goal) = answer.goal().map(|goal| map.goal(goal).to_string()) else { continue };
        let known = rows.iter().any(|row| row.goal == goal && row.npc == npc.type_name());
        if known || answer.plan().is_empty() {
            continue;
        }
        rows.push(GoalShape {
            npc: npc.type_name().to_string(),
            goal,
            length: answer.plan().len(),
            plan: answer.plan().names().map(str::to_string).collect(),
        });
    }
    rows
}

fn list_town(domain: &Domain, town: &[GoalShape], console: &mut Console<'_>) -> Result<(), Fail> {
    let model = domain.model();
    writeln!(
        console,
        "\nA town. {} NPC types, {} goals, {} actions (domains/papers/western.npc):\n",
        model.npcs().len(),
        model.goals().len(),
        model.actions().len()
    )?;
    for row in town {
        let short = |name: &String| name.rsplit('.').next().unwrap_or(name).to_string();
        let steps: Vec<String> = row.plan.iter().map(short).collect();
        writeln!(console, "    {} → {} ({} steps)", row.npc, row.goal, row.length)?;
        writeln!(console, "        {}", steps.join(", "))?;
    }
    writeln!(console, "\nEvery plan was replayed before it was handed out.")
}

/// The town that goes round, filled with a million.
fn crowd(npcs: u64, console: &mut Console<'_>) -> Result<(), Fail> {
    let Ok(town) = Domain::from_text(TOWN) else {
        return bad("the town inside this program does not load; please report it");
    };
    let tables = town.compiled_arc();
    let setup = Setup {
        npcs,
        types: types(&town, None)?,
        groups: groups(npcs),
        drift: 10_000,
        change_every: 20,
        far_every: 1,
        by_priority: false,
        seed: 1,
        settings: CrowdSettings::default(),
        threads: threads(None),
    };
    writeln!(
        console,
        "\nA crowd. {} NPCs of {} kinds in {} neighbourhoods, each with its own forge, well, gate\n\
         and time of day (domains/papers/town.npc). They plan, act, reach what they want and want\n\
         the next thing; what one does to the forge, its neighbours notice. Some seconds …\n",
        grouped(npcs),
        setup.types.len(),
        grouped(setup.groups.into())
    )?;
    console.flush()?;
    let direct = life::demo::direct(&town, &setup);
    let Some(mut life) = Life::begin(&tables, &setup) else {
        return bad(format!("there is no place for {} NPCs", grouped(npcs)));
    };
    let shared = life::demo::shared(&mut life, || !console.interrupted());
    let figures = live(&mut life, FRAME, console, |frame, time| {
        frame < life::demo::MOST_FRAMES && time < life::demo::END_TO_END
    });
    if console.interrupted() {
        return Ok(());
    }
    console.print(&life::demo::told(npcs, &direct, shared, &figures))
}
