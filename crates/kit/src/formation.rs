//! Keeping one's place beside the leader: `keep_formation`.
//!
//! In:   the fact `formation{position}` that his squad tells him.
//! Out:  `Move` orders: the first, and another when his place has moved on.
//! Cost: an order or a few; looks up four times a second.

use crate::facts::{place_of, soon};
use crate::geometry::distance;
use crate::going::move_to;
use crate::scene::Scene;
use throng_mind::blackboard::OrderState;
use throng_mind::fact::{Attribute, Position};
use throng_mind::orders::OrderId;
use throng_mind::words::Word;
use throng_mind::{Acting, Behaviour, Progress};

/// Who is so near has his place.
const IN_PLACE: f32 = 0.8;
/// He goes after his place if it is so far from where he goes.
const MOVED_ON: f32 = 1.0;
/// Who is so far behind runs.
const BEHIND: f32 = 4.0;

/// Goes to his place in the formation. `state` is the order under way.
pub(crate) struct KeepFormation;

impl KeepFormation {
    fn keep_up<W: Scene>(&self, acting: &mut Acting<'_, W>) -> Progress {
        let words = acting.world.words();
        let told = acting.memory.of_kind(words.formation);
        let to = told.filter_map(|fact| fact.position(Attribute::Position)).next();
        let (Some(to), Some(here)) = (to, place_of(acting.world, acting.me)) else {
            return Progress::Failed(words.gone);
        };
        if distance(here, to) <= IN_PLACE {
            return Progress::Done;
        }
        let goes_there =
            acting.board.destination.is_some_and(|goes: Position| distance(goes, to) < MOVED_ON);
        match acting.board.state_of(OrderId(*acting.state as u32)) {
            Some(OrderState::Open) if goes_there => {}
            Some(OrderState::Failed(why)) if goes_there => return Progress::Failed(why),
            _ => {
                let manner = if distance(here, to) > BEHIND { words.run } else { words.walk };
                acting.board.destination = Some(to);
                *acting.state = u64::from(move_to(acting, to, Word::NONE, manner).0);
            }
        }
        soon(acting, 0.25)
    }
}

impl<W: Scene> Behaviour<W> for KeepFormation {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        acting.board.destination = None;
        self.keep_up(acting)
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        self.keep_up(acting)
    }
}
