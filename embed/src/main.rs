//! Planning inside `bevy_ecs`, headless: the domain is a resource, an NPC is a component, one
//! system plans for those whose circumstances changed, another lets everybody act.
//!
//! In:   `domains/fear/soldier.npc`; two soldiers and a few frames.
//! Out:  who decided and did what in which frame, on standard output.

use bevy_ecs::prelude::*;
use std::collections::VecDeque;
use throng::ActionId;
use throng::prelude::*;

/// Loaded once, shared by all; a handle, so that a reloaded domain just replaces it.
#[derive(Resource)]
struct Knowledge(Domain);

/// The frame, for the printout.
#[derive(Resource, Default)]
struct Frame(u32);

#[derive(Component)]
struct Name(&'static str);

/// Somebody who plans, and what is left of the plan.
#[derive(Component)]
struct Mind {
    npc: Npc,
    request: Request,
    steps: VecDeque<ActionId>,
}

/// Something about the circumstances changed: plan anew.
#[derive(Component)]
struct Dirty;

/// What a system keeps for itself between frames: one scratch per system, so one per thread.
#[derive(Default)]
struct Desk {
    scratch: Scratch,
    plan: Option<Plan>,
    /// Whose search hit the limit: the scratch is about that one, so it goes on before others.
    unfinished: Option<Entity>,
}

/// At most so many NPCs plan in a frame; the others stay dirty and have their turn in the next.
const PLANS_PER_FRAME: usize = 8;

fn decide(
    mut commands: Commands,
    knowledge: Res<Knowledge>,
    frame: Res<Frame>,
    mut desk: Local<Desk>,
    mut minds: Query<(Entity, &Name, &mut Mind), With<Dirty>>,
) {
    let Desk { scratch, plan, unfinished } = &mut *desk;
    let plan = plan.get_or_insert_with(|| Plan::empty(&knowledge.0));
    let begun = unfinished.take();
    let others = minds.iter().map(|(entity, ..)| entity).filter(|&entity| Some(entity) != begun);
    let turn: Vec<Entity> = begun.into_iter().chain(others).take(PLANS_PER_FRAME).collect();
    for entity in turn {
        let Ok((_, name, mut mind)) = minds.get_mut(entity) else { continue };
        let (planner, request) = (Planner::new(), &mind.request);
        let (outcome, _) = match begun == Some(entity) {
            true => planner.resume_into(&mind.npc, request, scratch, plan),
            false => planner.plan_into(&mind.npc, request, scratch, plan),
        };
        mind.steps.clear();
        match outcome {
            Outcome::Plan { cost } => {
                mind.steps.extend(plan.actions());
                let names: Vec<&str> = plan.names().collect();
                println!("{:>2} {} plans {} (cost {cost})", frame.0, name.0, names.join(", "));
            }
            Outcome::Satisfied => println!("{:>2} {} is content", frame.0, name.0),
            Outcome::Impossible(reason) => {
                println!("{:>2} {}: {}", frame.0, name.0, reason.sentence(knowledge.0.compiled()));
            }
            // A limit was hit: it stays dirty, and goes on where it stopped in the next frame.
            Outcome::GaveUp(_) => {
                *unfinished = Some(entity);
                return;
            }
        }
        commands.entity(entity).remove::<Dirty>();
    }
}

/// One step per frame. A step that can no longer be done makes its NPC dirty.
fn act(mut commands: Commands, frame: Res<Frame>, mut minds: Query<(Entity, &Name, &mut Mind)>) {
    for (entity, name, mut mind) in &mut minds {
        let Some(step) = mind.steps.pop_front() else { continue };
        let done = mind.npc.apply(step);
        let action = mind.npc.domain().model().actions()[step.index()].name().to_string();
        println!("{:>2} {} {} {action}", frame.0, name.0, if done { "does" } else { "cannot" });
        if !done {
            commands.entity(entity).insert(Dirty);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../domains/fear/soldier.npc");
    let domain = Domain::from_file(path)?;
    // So few nodes that a hard question takes several frames; the soldier has easy ones.
    let kill = Request::goal(domain.goal("KillEnemy")?).max_nodes(200);
    let cover = Request::goal(domain.goal("Cover(cover12)")?);

    let mut world = World::new();
    for (name, request, checks) in [
        (
            "Ann",
            kill,
            &["target", "target_visible", "ranged_weapon", "in_ranged_range", "has_ammo"][..],
        ),
        ("Bob", cover, &["path_to_node"][..]),
    ] {
        let mut npc = Npc::new(&domain, "Soldier")?;
        npc.clear_checks();
        checks.iter().try_for_each(|check| npc.set_check(check, true))?;
        world.spawn((Name(name), Mind { npc, request, steps: VecDeque::new() }, Dirty));
    }
    world.insert_resource(Knowledge(domain.clone()));
    world.init_resource::<Frame>();
    let mut schedule = Schedule::default();
    schedule.add_systems((decide, act).chain());

    for frame in 1..=8 {
        world.resource_mut::<Frame>().0 = frame;
        // In frame 3 the game tells Ann that her weapon is holstered, not lost.
        if frame == 3 {
            let mut minds = world.query::<(Entity, &Name, &mut Mind)>();
            let found = minds.iter_mut(&mut world).find(|(_, name, _)| name.0 == "Ann");
            let (ann, _, mut mind) = found.ok_or("nobody is called Ann")?;
            mind.npc.set_check("holstered_weapon", true)?;
            world.entity_mut(ann).insert(Dirty);
        }
        schedule.run(&mut world);
    }

    let mut minds = world.query::<(&Name, &Mind)>();
    for (name, mind) in minds.iter(&world) {
        let dead = mind.npc.get("TargetIsDead")?;
        let using = mind.npc.get("UsingObject")?;
        match name.0 {
            "Ann" => assert_eq!(dead, Some("true"), "Ann drew and fired"),
            _ => assert_eq!(using, Some("cover12"), "Bob took cover"),
        }
    }
    Ok(())
}
