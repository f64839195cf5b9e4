//! The code of every sensor and behaviour of the table, by name.
//!
//! In:   a name of the [vocabulary](crate::vocabulary).
//! Out:  its code for an engine; `None` for other names.
//! Cost: once, when a body is made.

use crate::duty::{self, OneTask};
use crate::facts::other;
use crate::scene::Scene;
use crate::{
    disturbances, enemies, exposure, fighting, formation, going, handling, own, places, reacting,
    trading, ways,
};
use throng_mind::squad::{self, Ground};
use throng_mind::{Behaviour, Sensing, Work};

/// The code of a sensor.
pub(crate) type SensorCode<W> = fn(&mut Sensing<'_, W>) -> Work;

/// The sensor of this name.
pub(crate) fn sensor<W: Scene>(name: &str) -> Option<SensorCode<W>> {
    let code: SensorCode<W> = match name {
        "self" => own::sense_self,
        "see" => enemies::see,
        "lose" => enemies::lose,
        "pinned" => enemies::pinned,
        "spots" => places::spots,
        "exposure" => exposure::exposure,
        "ways" => ways::ways,
        "see_enemy" => enemies::see_enemy,
        "lose_enemy" => enemies::lose_enemy,
        "call_out" => enemies::call_out,
        "aim" => enemies::aim,
        "hurt" => enemies::hurt,
        "watch" => enemies::watch,
        "hear" => disturbances::hear,
        "see_danger" => disturbances::see_danger,
        "nodes" => places::nodes,
        "things" => places::things,
        "path_target" => ways::path_target,
        "pass_target" => ways::pass_target,
        "clock" => own::clock,
        "orders" => duty::orders,
        _ => return None,
    };
    Some(code)
}

/// The behaviour of this name.
pub(crate) fn behaviour<W: Scene>(name: &str) -> Option<Box<dyn Behaviour<W>>> {
    let code: Box<dyn Behaviour<W>> = match name {
        "goto" => Box::new(going::Goto(going::Gait::Fitting)),
        "run_to" => Box::new(going::Goto(going::Gait::Running)),
        "sneak" => Box::new(going::Goto(going::Gait::Sneaking)),
        "leap" => Box::new(going::Goto(going::Gait::Leaping)),
        "goto_target" => Box::new(going::GotoTarget),
        "traverse" => Box::new(going::traverse::<W>),
        "retreat" => Box::new(going::retreat::<W>),
        "step_aside" => Box::new(going::step_aside::<W>),
        "throw" => Box::new(fighting::Throw),
        "aim_at_last" => Box::new(fighting::AimAtLast),
        "blind_fire" => Box::new(duty::Suppress { blindly: true }),
        "recoil" => Box::new(reacting::recoil::<W>),
        "escape" => Box::new(going::escape::<W>),
        "attack" => Box::new(fighting::ATTACK),
        "attack_from_cover" => Box::new(fighting::ATTACK),
        "melee" => Box::new(fighting::MELEE),
        "lunge" => Box::new(fighting::Lunge),
        "draw" => Box::new(reacting::Simply(|words| fighting::arms(words.draw))),
        "reload" => Box::new(reacting::Simply(|words| fighting::arms(words.reload))),
        "holster" => Box::new(reacting::Simply(|words| fighting::arms(words.holster))),
        "dodge" => Box::new(fighting::dodge::<W>),
        "pick_up" => Box::new(handling::PICK_UP),
        "use" => Box::new(handling::USE),
        "mount" => Box::new(handling::MOUNT),
        "cloak" => Box::new(reacting::Simply(|words| other(words.cloak))),
        "uncloak" => Box::new(reacting::Simply(|words| other(words.uncloak))),
        "dismount" => Box::new(reacting::Simply(|words| other(words.dismount))),
        "buy" => Box::new(trading::BUY),
        "fetch" => Box::new(trading::FETCH),
        "deliver" => Box::new(trading::DELIVER),
        "make" => Box::new(trading::MAKE),
        "consume" => Box::new(trading::CONSUME),
        "kick" => Box::new(handling::Kick),
        "climb" => Box::new(handling::Climb),
        "look" => Box::new(reacting::Look),
        "look_at" => Box::new(reacting::LookAt),
        "inspect" => Box::new(reacting::Inspect),
        "survey" => Box::new(reacting::Survey),
        "flinch" => Box::new(reacting::Flinch),
        "crouch" => Box::new(reacting::Simply(|words| other(words.crouch))),
        "stand" => Box::new(reacting::Simply(|words| other(words.stand))),
        "say" => Box::new(reacting::Say),
        "wait" => Box::new(reacting::wait::<W>),
        "keep_formation" => Box::new(formation::KeepFormation),
        "take_post" => Box::new(duty::part(OneTask::<W>::TAKE_POST)),
        "sneak_to_post" => Box::new(duty::part(OneTask::<W>::SNEAK_TO_POST)),
        "hold" => Box::new(duty::whole(OneTask::<W>::HOLD)),
        "suppress" => Box::new(duty::Suppress { blindly: false }),
        "search" => Box::new(duty::whole(OneTask::<W>::SEARCH)),
        "comply" => Box::new(duty::whole(duty::comply::<W>)),
        "assault" => Box::new(duty::whole(duty::Assault)),
        _ => return None,
    };
    Some(code)
}

/// The behaviour of a squad of this name.
pub(crate) fn of_squad<W: Scene + Ground>(name: &str) -> Option<Box<dyn Behaviour<W>>> {
    let code: Box<dyn Behaviour<W>> = match name {
        "get_to_cover" => Box::new(squad::GetToCover),
        "advance_in_cover" => Box::new(squad::AdvanceInCover),
        "orderly_advance" => Box::new(squad::OrderlyAdvance),
        "search_area" => Box::new(squad::SearchArea),
        "lay_fire" => Box::new(squad::LayFire),
        "flank" => Box::new(squad::Flank),
        "strike" => Box::new(squad::Strike),
        "hold_ground" => Box::new(squad::HoldGround),
        "give" => Box::new(squad::Give),
        "move_in_formation" => Box::new(squad::MoveInFormation),
        _ => return None,
    };
    Some(code)
}
