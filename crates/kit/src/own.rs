//! The sensors `self` and `clock`: where I am, how I hold myself, what I have in hand.
//!
//! In:   the body and its arms.
//! Out:  `self{object, node, position, knowledge, stimulus}`, where `object` is what he stands at;
//!       `weapon{knowledge, stimulus, amount, node}`; `ammo{node, amount}` of what he has any of;
//!       `item{object, node, knowledge, stimulus}` of what he carries, `mine` of what he owns;
//!       `stock{object, node, amount, position}` of what he has that is counted;
//!       `desire{desire = make_way, source}` while a friend waits for where he stands.
//! Cost: light.

use crate::facts::{name, rewrite};
use crate::lists::Lent;
use crate::scene::{Arms, Scene, Seen, Stock};
use crate::words::Vocabulary;
use throng_mind::fact::{Attribute, EntityId, FactDraft};
use throng_mind::words::Word;
use throng_mind::{Sensing, Work};

/// Looks at himself, and moves the mind to where he is.
pub(crate) fn sense_self<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let Some(body) = sensing.world.body(sensing.me) else { return Work::Light };
    *sensing.here = body.place;
    let own = own(sensing, &body);
    rewrite(sensing, own, &[]);
    let arms = sensing.world.arms(sensing.me);
    let weapon = weapon(sensing.world.words(), &arms);
    rewrite(sensing, weapon, &[]);
    ammo(sensing, &arms);
    belongings(sensing);
    note_stock(sensing, sensing.me);
    make_way(sensing);
    // What he has no more of, and who waits no longer.
    sensing.forget_the_rest();
    Work::Light
}

/// Of what there is no end so many are noted: a number that people can read.
const PLENTY: u32 = 9_999;
/// So much of what he carries or owns he keeps in mind.
const MOST_BELONGINGS: usize = 16;

/// What he carries and what he owns, as things with their states.
fn belongings<W: Scene>(sensing: &mut Sensing<'_, W>) {
    let (world, words) = (sensing.world, sensing.world.words());
    let mut things: Lent<EntityId> = Lent::new();
    world.carries(sensing.me, &mut things);
    let n_carried = things.len();
    world.owns(sensing.me, &mut things);
    for (at, &thing) in things.iter().enumerate().take(MOST_BELONGINGS) {
        let Some(it) = world.thing(thing) else { continue };
        let kind = if at < n_carried { words.item } else { words.mine };
        let draft = FactDraft::new(kind)
            .with(Attribute::Object, it.id, 1.0)
            .with_some(Attribute::Node, name(it.name), 1.0)
            .with(Attribute::Knowledge, it.state, 1.0)
            .with(Attribute::Stimulus, it.kind, 1.0)
            // What he carries is where he is.
            .with_some(Attribute::Position, Some(it.place).filter(|_| at >= n_carried), 1.0);
        sensing.remember_one(draft, &[Attribute::Object]);
    }
}

/// What somebody or something has of goods that are counted.
pub(crate) fn note_stock<W: Scene>(sensing: &mut Sensing<'_, W>, of: EntityId) {
    let mut stock: Lent<Stock> = Lent::new();
    sensing.world.stock(of, &mut stock);
    // One's own goods are where one is: that is no news.
    let place = if of == sensing.me { None } else { sensing.world.place(of) };
    for it in stock.iter().filter(|it| it.amount > 0) {
        let draft = FactDraft::new(sensing.world.words().stock)
            .with(Attribute::Object, of, 1.0)
            .with(Attribute::Node, it.ware, 1.0)
            .with(Attribute::Amount, it.amount.min(PLENTY) as f32, 1.0)
            .with_some(Attribute::Position, place, 1.0);
        sensing.remember_one(draft, &[Attribute::Object, Attribute::Node]);
    }
}

/// What he has to shoot and to throw with.
fn ammo<W: Scene>(sensing: &mut Sensing<'_, W>, arms: &Arms) {
    let words = sensing.world.words();
    let spare = if arms.weapon.is_some() { arms.spare } else { 0 };
    for (what, amount) in [(words.rounds, spare), (words.grenade, arms.grenades)] {
        if amount > 0 {
            let draft = FactDraft::new(words.ammo).with(Attribute::Node, what, 1.0).with(
                Attribute::Amount,
                amount.min(PLENTY) as f32,
                1.0,
            );
            sensing.remember_one(draft, &[Attribute::Node]);
        }
    }
}

/// The wish to make way.
fn make_way<W: Scene>(sensing: &mut Sensing<'_, W>) {
    let words = sensing.world.words();
    if let Some(friend) = sensing.world.waits_for(sensing.me) {
        let draft = FactDraft::new(words.desire).with(Attribute::Desire, words.make_way, 1.0).with(
            Attribute::Source,
            friend,
            1.0,
        );
        sensing.remember_one(draft, &[Attribute::Desire]);
    }
}

/// How late it is, in seconds of the story.
pub(crate) fn clock<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let seconds = sensing.spec.pace.seconds(sensing.now) as f32;
    let draft = FactDraft::new(sensing.world.words().day);
    sensing.remember_one(draft.with(Attribute::Time, seconds, 1.0), &[]);
    Work::Light
}

/// What something is called.
pub(crate) fn name_of<W: Scene>(world: &W, id: EntityId) -> Option<Word> {
    let spot = || world.spot(id).map(|spot| spot.name);
    let thing = || world.thing(id).map(|thing| thing.name);
    let body = || world.body(id).map(|body| body.name);
    spot().or_else(thing).or_else(body).and_then(name)
}

fn own<W: Scene>(sensing: &Sensing<'_, W>, body: &Seen) -> FactDraft {
    let world = sensing.world;
    let at = world.stands_at(sensing.me);
    let cloaked = Some(world.words().cloaked).filter(|_| body.cloaked);
    let roofed = Some(world.words().roofed).filter(|_| body.roofed);
    FactDraft::new(world.words().own)
        .with(Attribute::Position, body.place, 1.0)
        .with_some(Attribute::Knowledge, name(body.posture), 1.0)
        .with_some(Attribute::Stimulus, cloaked.or(roofed), 1.0)
        .with_some(Attribute::Object, at, 1.0)
        .with_some(Attribute::Node, at.and_then(|at| name_of(world, at)), 1.0)
}

fn weapon(words: &Vocabulary, arms: &Arms) -> FactDraft {
    let draft = FactDraft::new(words.weapon);
    let Some(weapon) = arms.weapon else {
        return draft.with(Attribute::Knowledge, words.none, 1.0);
    };
    let held = if arms.in_hand { words.armed } else { words.holstered };
    // What only hits at arm's length never runs out.
    let is_loaded = arms.rounds > 0 || arms.holds == 0;
    let loaded = if is_loaded { words.loaded } else { words.empty };
    draft
        .with(Attribute::Knowledge, held, 1.0)
        .with(Attribute::Stimulus, loaded, 1.0)
        .with(Attribute::Amount, arms.rounds as f32, 1.0)
        .with_some(Attribute::Node, name(weapon), 1.0)
}
