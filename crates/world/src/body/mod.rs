//! The body of those who live in the world: sensors and behaviours, by the names used in files.
//!
//! In:   the world, a mind's memory, its blackboard.
//! Out:  facts in the words of the table; orders.
//! Cost: sensors that search a way, cast a ray or sort say so: minds take them in turns.
//!
//! What each sensor writes and each behaviour needs is data: [`vocabulary`].
//!
//! Behaviours write an order and wait for it; what they do besides stands in their own files.

mod disturbances;
mod enemies;
mod facts;
mod fighting;
mod going;
mod handling;
mod own;
mod places;
mod reacting;
pub mod vocabulary;
mod ways;

use crate::vocabulary::Vocabulary;
use crate::world::World;
use throng_mind::Body;

/// All sensors and behaviours of the world.
pub fn body() -> Body<World> {
    let body = Body::new().words(Vocabulary::TEXTS).words(&["self", "day", "alarm"]);
    behaviours(sensors(body))
}

fn sensors(body: Body<World>) -> Body<World> {
    body.sensor("self", own::sense_self)
        .sensor("see_enemy", enemies::see_enemy)
        .sensor("lose_enemy", enemies::lose_enemy)
        .sensor("call_out", enemies::call_out)
        .sensor("aim", enemies::aim)
        .sensor("hurt", enemies::hurt)
        .sensor("watch", enemies::watch)
        .sensor("hear", disturbances::hear)
        .sensor("see_danger", disturbances::see_danger)
        .sensor("nodes", places::nodes)
        .sensor("things", places::things)
        .sensor("path_target", ways::path_target)
        .sensor("pass_target", ways::pass_target)
        .sensor("clock", own::clock)
}

fn behaviours(body: Body<World>) -> Body<World> {
    body.behaviour("goto", going::Goto { sneaking: false })
        .behaviour("sneak", going::Goto { sneaking: true })
        .behaviour("goto_target", going::GotoTarget)
        .behaviour("traverse", going::traverse)
        .behaviour("escape", going::escape)
        .behaviour("attack", fighting::Attack)
        .behaviour("attack_from_cover", fighting::Attack)
        .behaviour("melee", fighting::Melee)
        .behaviour("lunge", fighting::Lunge)
        .behaviour("draw", fighting::draw)
        .behaviour("reload", fighting::reload)
        .behaviour("holster", fighting::holster)
        .behaviour("dodge", fighting::dodge)
        .behaviour("pick_up", handling::PICK_UP)
        .behaviour("use", handling::USE)
        .behaviour("mount", handling::MOUNT)
        .behaviour("dismount", handling::dismount)
        .behaviour("kick", handling::Kick)
        .behaviour("climb", handling::Climb)
        .behaviour("look", reacting::Look)
        .behaviour("look_at", reacting::LookAt)
        .behaviour("inspect", reacting::Inspect)
        .behaviour("survey", reacting::Survey)
        .behaviour("flinch", reacting::Flinch)
        .behaviour("crouch", reacting::crouch)
        .behaviour("stand", reacting::stand)
        .behaviour("wait", reacting::wait)
}
