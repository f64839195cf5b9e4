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
use handling::Settled;
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
    body.behaviour("goto", Settled(going::Goto { sneaking: false }))
        .behaviour("sneak", Settled(going::Goto { sneaking: true }))
        .behaviour("goto_target", Settled(going::GotoTarget))
        .behaviour("traverse", Settled(going::traverse))
        .behaviour("escape", Settled(going::escape))
        .behaviour("attack", Settled(fighting::Attack))
        .behaviour("attack_from_cover", Settled(fighting::Attack))
        .behaviour("melee", Settled(fighting::Melee))
        .behaviour("lunge", Settled(fighting::Lunge))
        .behaviour("draw", Settled(fighting::draw))
        .behaviour("reload", Settled(fighting::reload))
        .behaviour("holster", Settled(fighting::holster))
        .behaviour("dodge", Settled(fighting::dodge))
        .behaviour("pick_up", Settled(handling::PICK_UP))
        .behaviour("use", Settled(handling::USE))
        .behaviour("mount", Settled(handling::MOUNT))
        .behaviour("dismount", Settled(handling::dismount))
        .behaviour("kick", Settled(handling::Kick))
        .behaviour("climb", Settled(handling::Climb))
        .behaviour("look", Settled(reacting::Look))
        .behaviour("look_at", Settled(reacting::LookAt))
        .behaviour("inspect", Settled(reacting::Inspect))
        .behaviour("survey", Settled(reacting::Survey))
        .behaviour("flinch", Settled(reacting::Flinch))
        .behaviour("crouch", Settled(reacting::crouch))
        .behaviour("stand", Settled(reacting::stand))
        .behaviour("wait", Settled(reacting::wait))
}
