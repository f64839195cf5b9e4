//! What others have: claims, and what was picked by whom. Written between ticks, read inside.
//!
//! In:   the picks of all minds, and what the game claims for some.
//! Out:  who holds a thing, and how many of a side have picked it before.
//! Cost: writing, a sort of what is claimed or shared; reading, a search in a sorted list.
//!
//! A mind asks for a claim when the rest of its plan names the slot, or when a value says that it is
//! there; it lets go when neither is so. A holder keeps what it has. Of several who ask the better
//! score has it, then the smaller number. Who goes without has the next best of what the selection has
//! picked besides, if that is free: many who want the same are shared out in one tick.

use super::{Key, Pick, Picks};
use crate::orders::MindId;
use crate::spec::Spec;
use crate::time::Tick;
use crate::words::Word;
use throng_base::codec::{Decode, DecodeError, Decoder, Encode, Encoder};
use throng_base::{codec_struct, ones};

/// Who has something, and since when.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Claim {
    /// What.
    pub key: Key,
    /// Since when.
    pub since: Tick,
    /// Who.
    pub mind: MindId,
}

codec_struct!(Claim { key, since, mind });

/// A pick that others of the side leave alone if they can.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Shared {
    /// The first slot of the selection.
    select: u16,
    key: Key,
    side: Word,
    since: Tick,
    mind: MindId,
}

codec_struct!(Shared { select, key, side, since, mind });

/// Who asks for a claim.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Asker {
    /// 0 is what it wants; what comes after that is for who goes without.
    choice: u16,
    key: Key,
    score: f32,
    mind: MindId,
    /// The slot that it asks for, whatever it would have instead.
    slot: u16,
    most: u32,
}

/// A mind, as others see it.
#[derive(Clone, Copy)]
pub(crate) struct Picker<'m> {
    pub(crate) id: MindId,
    pub(crate) side: Word,
    pub(crate) picks: &'m Picks,
}

/// What others have.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Others {
    /// By thing, then by moment.
    claims: Vec<Claim>,
    picks: Vec<Shared>,
    /// What the game has claimed for minds.
    pub(crate) given: Vec<Claim>,
    /// Changes whenever one of these does.
    pub(crate) version: u64,
    // Kept for the next time.
    next_claims: Vec<Claim>,
    next_picks: Vec<Shared>,
    askers: Vec<Asker>,
    losers: Vec<(MindId, u16)>,
}

impl Others {
    /// Who holds something, by moment.
    pub(crate) fn holders(&self, key: Key) -> &[Claim] {
        of_key(&self.claims, key)
    }

    /// Whether as many others have a thing as may.
    pub(crate) fn is_taken(&self, key: Key, me: MindId, most: u32) -> bool {
        let holders = self.holders(key);
        let mine = holders.iter().any(|claim| claim.mind == me);
        !mine && holders.len() >= most as usize
    }

    /// Which others of a side have picked something, and since when; only those before a moment and
    /// a mind, if there is one.
    pub(crate) fn picked(
        &self,
        select: u16,
        key: Key,
        side: Word,
        before: Option<(Tick, MindId)>,
        me: MindId,
    ) -> impl Iterator<Item = (MindId, Tick)> {
        let of = |it: &Shared| (it.select, it.key, it.side);
        let from = self.picks.partition_point(|it| of(it) < (select, key, side));
        let all = self.picks[from..].iter();
        let all = all.take_while(move |it| of(it) == (select, key, side));
        let counts = move |it: &&Shared| {
            it.mind != me && before.is_none_or(|before| (it.since, it.mind) < before)
        };
        all.filter(counts).map(|it| (it.mind, it.since))
    }

    /// Writes both lists anew, and gives claims to minds that ask.
    pub(crate) fn gather<'m>(
        &mut self,
        spec: &Spec,
        minds: impl Iterator<Item = Picker<'m>>,
        now: Tick,
    ) {
        let Others { claims, next_claims, next_picks, askers, losers, given, .. } = self;
        next_claims.clear();
        next_picks.clear();
        askers.clear();
        next_claims.extend_from_slice(given);
        for mind in minds {
            let id = mind.id;
            share(spec, mind, next_picks);
            for slot in ones(mind.picks.asks) {
                let pick = mind.picks.get(slot).filter(|pick| pick.key.can_be_claimed());
                let Some(pick) = pick else { continue };
                match of_key(claims, pick.key).iter().find(|it| it.mind == id) {
                    Some(&held) => next_claims.push(held),
                    None => ask(spec, mind, slot, askers),
                }
            }
        }
        // What the game has claimed is held, too: each counts once.
        next_claims.sort_unstable();
        next_claims.dedup_by_key(|it| (it.key, it.mind));
        share_out(askers, next_claims, losers, now);
        next_picks.sort_unstable();
        if *next_claims != self.claims || *next_picks != self.picks {
            std::mem::swap(&mut self.claims, &mut self.next_claims);
            std::mem::swap(&mut self.picks, &mut self.next_picks);
            self.version += 1;
        }
    }

    /// All claims, by thing.
    pub(crate) fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// The game claims something for a mind; `false` if another has it.
    pub(crate) fn give(&mut self, claim: Claim) -> bool {
        let holders = self.holders(claim.key);
        if !holders.is_empty() {
            let own = holders.iter().find(|held| held.mind == claim.mind).copied();
            // What it has because it asked for it is its own now, whether it goes on to ask or not.
            self.given.extend(own.filter(|own| !self.given.contains(own)));
            return own.is_some();
        }
        self.given.push(claim);
        let at = self.claims.partition_point(|held| *held < claim);
        self.claims.insert(at, claim);
        self.version += 1;
        true
    }

    /// Nobody has this for a mind any more; all of it, if no thing is named.
    pub(crate) fn take_back(&mut self, mind: MindId, key: Option<Key>) {
        let stays = |claim: &Claim| claim.mind != mind || key.is_some_and(|key| key != claim.key);
        let before = self.claims.len();
        self.given.retain(stays);
        self.claims.retain(stays);
        self.version += u64::from(before != self.claims.len());
    }

    /// The same with other claims.
    pub(crate) fn with(&self, mut claims: Vec<Claim>, given: Vec<Claim>) -> Self {
        claims.sort_unstable();
        Others { version: self.version + 1, claims, given, ..Others::default() }
    }

    /// Writes down what was picked.
    pub(crate) fn note_picks<'m>(&mut self, spec: &Spec, minds: impl Iterator<Item = Picker<'m>>) {
        self.picks.clear();
        minds.for_each(|mind| share(spec, mind, &mut self.picks));
        self.picks.sort_unstable();
    }
}

impl Encode for Others {
    fn encode(&self, to: &mut Encoder) {
        to.write(&self.version).write(&self.claims).write(&self.picks).write(&self.given);
    }
}

impl Decode for Others {
    fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        let version = from.long_counter()?;
        let (claims, picks, given): (Vec<Claim>, Vec<Shared>, Vec<Claim>) = from.read()?;
        let is_sound = claims.is_sorted() && picks.is_sorted();
        from.sound((), is_sound, "list of what others have")?;
        Ok(Others { version, claims, picks, given, ..Others::default() })
    }
}

/// The claims of a thing, of a list by thing.
fn of_key(claims: &[Claim], key: Key) -> &[Claim] {
    let from = claims.partition_point(|claim| claim.key < key);
    let n = claims[from..].partition_point(|claim| claim.key == key);
    &claims[from..from + n]
}

/// Adds who asks for a slot, and what it would have instead: what else the selection has picked for
/// it, by score.
fn ask(spec: &Spec, mind: Picker<'_>, slot: usize, to: &mut Vec<Asker>) {
    let Some(select) = spec.selects.iter().find(|select| select.own() >> slot & 1 != 0) else {
        return;
    };
    let Some(most) = select.claims else { return };
    let from = to.len();
    let others = ones(select.own() & !mind.picks.asks);
    for other in std::iter::once(slot).chain(others) {
        let pick = mind.picks.get(other).filter(|pick| pick.key.can_be_claimed());
        let Some(Pick { key, score, .. }) = pick else { continue };
        to.push(Asker { choice: 0, key, score, mind: mind.id, slot: slot as u16, most });
    }
    let instead = &mut to[from..];
    instead[1..].sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.key.cmp(&b.key)));
    instead.iter_mut().zip(0..).for_each(|(asker, choice)| asker.choice = choice);
}

/// Gives claims to who asks for them: what is wanted first, then to who goes without what it would have
/// instead.
fn share_out(
    askers: &mut [Asker],
    claims: &mut Vec<Claim>,
    losers: &mut Vec<(MindId, u16)>,
    now: Tick,
) {
    askers.sort_unstable_by(|a, b| {
        let score = b.score.total_cmp(&a.score);
        let what = a.choice.cmp(&b.choice).then(a.key.cmp(&b.key));
        what.then(score).then(a.mind.cmp(&b.mind)).then(a.slot.cmp(&b.slot))
    });
    losers.clear();
    for same in askers.chunk_by(|a, b| a.choice == b.choice) {
        // Those of one thing stand together: behind who holds it come who got it just now.
        let n_held = claims.len();
        let mut first = n_held;
        for &Asker { choice, key, mind, slot, most, .. } in same {
            let lost = losers.binary_search(&(mind, slot));
            if choice > 0 && lost.is_err() {
                continue;
            }
            if claims[first..].first().is_some_and(|it| it.key != key) {
                first = claims.len();
            }
            let (held, new) = (of_key(&claims[..n_held], key), &claims[first..]);
            let has_it = held.iter().chain(new).any(|it| it.mind == mind);
            let is_free = held.len() + new.len() < most as usize;
            if !has_it && is_free {
                claims.push(Claim { key, since: now, mind });
            }
            match lost {
                Ok(at) if has_it || is_free => _ = losers.remove(at),
                Err(at) if !(has_it || is_free) => losers.insert(at, (mind, slot)),
                _ => {}
            }
        }
        claims.sort_unstable();
    }
}

/// Adds what a mind has picked and its side is to leave alone.
fn share(spec: &Spec, mind: Picker<'_>, to: &mut Vec<Shared>) {
    for select in spec.selects.iter().filter(|select| select.spread.is_some()) {
        let slots = select.slots.clone().filter_map(|slot| mind.picks.get(slot.into()));
        let (side, mind, select) = (mind.side, mind.id, select.slots.start);
        to.extend(slots.map(|Pick { key, since, .. }| Shared { select, key, side, since, mind }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::{Trial, comes_back};

    #[test]
    fn what_others_have_comes_back() {
        let shared = |trial: &mut Trial| Shared {
            select: trial.any(),
            key: trial.any(),
            side: trial.any(),
            since: trial.any(),
            mind: trial.any(),
        };
        comes_back::<Shared>(|trial, _| shared(trial));
        comes_back::<Others>(|trial, round| {
            let mut claims: Vec<Claim> = (0..round % 4).map(|_| trial.any()).collect();
            let mut picks: Vec<Shared> = (0..round % 3).map(|_| shared(trial)).collect();
            claims.sort();
            picks.sort();
            let given = (0..round % 2).map(|_| trial.any()).collect();
            let version = u64::from(trial.any::<u32>());
            Others { claims, picks, given, version, ..Others::default() }
        });
    }
}
