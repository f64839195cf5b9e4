//! A soldier with checks and costs: the game answers questions and says what ways cost, the
//! planner decides. `cargo run --release -p throng --example soldier`
//!
//! In:   `domains/fear/soldier.npc`, and a short story.
//! Out:  what the soldier does in each chapter of it, and why, on standard output.
#![allow(clippy::print_stdout, reason = "this is a program")]

use throng::prelude::*;

/// What the game knows about him now. In a game this comes from sensors and path finding.
struct World {
    sees_target: bool,
    rounds: u32,
    knows_a_view: bool,
    metres_to_view: u32,
}

/// Before planning: questions that planning cannot answer become checks, distances become costs.
fn tell(world: &World, npc: &mut Npc) -> Result<(), Box<dyn std::error::Error>> {
    npc.clear_checks();
    for check in ["target", "ranged_weapon", "in_ranged_range", "holstered_weapon"] {
        npc.set_check(check, true)?;
    }
    npc.set_check("target_visible", world.sees_target)?;
    npc.set_check("has_ammo", world.rounds > 0)?;
    npc.set_check("node_of_type_known", world.knows_a_view)?;
    // A second per two metres; costs have three decimal places and are exact.
    npc.set_cost("GotoNodeOfType(Node.View)", Cost(u64::from(world.metres_to_view.max(1)) * 500))?;
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/soldier.npc");
    let domain = Domain::from_file(path)?;
    let mut npc = Npc::new(&domain, "Soldier")?;
    let kill = Request::goal(domain.goal("KillEnemy")?);
    let (planner, mut scratch) = (Planner::new(), Scratch::default());

    let mut world = World { sees_target: true, rounds: 30, knows_a_view: true, metres_to_view: 4 };
    let mut chapter = |title: &str, world: &World, npc: &mut Npc| {
        tell(world, npc)?;
        let answer = planner.plan(npc, &kill, &mut scratch);
        println!("{title}");
        match answer.outcome() {
            Outcome::Plan { cost } => {
                for step in answer.plan().steps() {
                    println!("  {} (cost {})", step.name, step.cost);
                }
                println!("  = {cost}");
            }
            _ => println!("  {}", answer.reason()),
        }
        let names: Vec<String> = answer.plan().names().map(str::to_string).collect();
        Ok::<_, Box<dyn std::error::Error>>(names)
    };

    let near = chapter("A good spot four metres away:", &world, &mut npc)?;
    assert_eq!(near.last().map(String::as_str), Some("AttackFromView"));

    world.metres_to_view = 40;
    let far = chapter("The same spot, forty metres away:", &world, &mut npc)?;
    assert_eq!(far, ["DrawWeapon", "Attack"]);

    world.sees_target = false;
    npc.set("WeaponArmed", "true")?;
    let hidden = chapter("The enemy hides; the long way is the only one:", &world, &mut npc)?;
    assert_eq!(hidden.len(), 2);

    world.knows_a_view = false;
    let stuck = chapter("And nobody knows a spot:", &world, &mut npc)?;
    assert!(stuck.is_empty());

    world = World { sees_target: true, rounds: 0, knows_a_view: false, metres_to_view: 1 };
    let empty = chapter("Out of ammunition:", &world, &mut npc)?;
    assert!(empty.is_empty());
    Ok(())
}
