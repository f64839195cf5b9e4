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
mod duty;
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
use throng_mind::squad::{self, OnDuty};

/// All sensors and behaviours of the world, for any story: each uses what it needs.
pub fn body() -> Body<World> {
    let body = Body::new().for_many_files();
    let body = body.words(Vocabulary::TEXTS).words(&["self", "day", "alarm"]);
    of_squads(of_members(behaviours(sensors(body))))
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
        .sensor("orders", duty::orders)
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

/// What members do for their tasks.
fn of_members(body: Body<World>) -> Body<World> {
    let post = |sneaking| OnDuty { does: duty::TakePost { sneaking }, is_all: false };
    body.behaviour("take_post", Settled(post(false)))
        .behaviour("sneak_to_post", Settled(post(true)))
        .behaviour("hold", Settled(OnDuty { does: duty::Hold, is_all: true }))
        .behaviour("suppress", Settled(OnDuty { does: duty::Suppress, is_all: true }))
        .behaviour("search", Settled(OnDuty { does: duty::SearchPost, is_all: true }))
        .behaviour("comply", Settled(OnDuty { does: duty::comply, is_all: true }))
        .behaviour("assault", Settled(OnDuty { does: duty::Assault, is_all: true }))
}

/// What squads do: they order others.
fn of_squads(body: Body<World>) -> Body<World> {
    body.behaviour("get_to_cover", squad::GetToCover)
        .behaviour("advance_in_cover", squad::AdvanceInCover)
        .behaviour("orderly_advance", squad::OrderlyAdvance)
        .behaviour("search_area", squad::SearchArea)
        .behaviour("lay_fire", squad::LayFire)
        .behaviour("flank", squad::Flank)
        .behaviour("strike", squad::Strike)
        .behaviour("hold_ground", squad::HoldGround)
}
