//! All minds together: what nobody begins because it cools or chance is against it, and who has
//! what for itself.
//!
//! In:   what is done to the minds, what they begin and hold, tick by tick; the seed.
//! Out:  nothing, or what is wrong.
//! Cost: a pass over what cools for every action that begins; over all actions now and then.
//!
//! Chance is computed as the documents say: one number of the seed, the mind, the name and the
//! moment, and nothing else.

use super::super::script::Op;
use super::super::world::World;
use super::Seen;
use throng_base::checksum;
use throng_base::mix::mix;
use throng_domain::model::ActionId;
use throng_mind::effects::Circle;
use throng_mind::events::EventKind;
use throng_mind::orders::MindId;
use throng_mind::select::Claim;
use throng_mind::spec::Spec;
use throng_mind::time::{Tick, after};
use throng_mind::words::Word;
use throng_mind::{Mind, Minds};

/// All actions of all minds are asked for in one tick of so many.
const ALL_EVERY: Tick = 8;

/// Who has to leave alone what was begun.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Team {
    Own,
    Squad(MindId),
    Side(Word),
    All,
}

impl Team {
    fn of(circle: Option<Circle>, mind: &Mind) -> Team {
        match circle {
            Some(Circle::Squad) => mind.squad().map_or(Team::Own, Team::Squad),
            Some(Circle::Side) => Team::Side(mind.side()),
            Some(Circle::All) => Team::All,
            None => Team::Own,
        }
    }

    fn has(self, mind: &Mind) -> bool {
        match self {
            Team::Own => false,
            Team::Squad(squad) => mind.squad() == Some(squad),
            Team::Side(side) => mind.side() == side,
            Team::All => true,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Team::Own => "cools",
            Team::Squad(_) => "cools (squad)",
            Team::Side(_) => "cools (side)",
            Team::All => "cools (all)",
        }
    }
}

/// Something that was begun and is not there for a while.
#[derive(Clone, Copy, Debug)]
struct Cooling {
    template: Word,
    team: Team,
    by: MindId,
    since: Tick,
    until: Tick,
}

impl Cooling {
    /// Whether it keeps a mind from beginning this at a moment; others know it from the next tick
    /// on.
    fn keeps(&self, mind: &Mind, template: Word, now: Tick) -> bool {
        let is_for = self.by == mind.id() || self.since < now && self.team.has(mind);
        self.template == template && self.until > now && is_for
    }
}

/// What is known about all minds together.
#[derive(Default)]
pub struct Company {
    cooling: Vec<Cooling>,
    /// What the game keeps for somebody.
    given: Vec<Claim>,
    /// Who had what before the tick.
    claims: Vec<Claim>,
}

impl Company {
    /// Hears what was done to the minds.
    pub fn hear(&mut self, op: &Op, minds: &Minds<World>) {
        match *op {
            Op::Claim(mind, key) => {
                let own = minds.claims().iter().find(|it| (it.mind, it.key) == (mind, key));
                self.given.extend(own);
            }
            Op::Release(mind, key) => self.given.retain(|it| (it.mind, it.key) != (mind, key)),
            Op::Despawn(mind) => self.given.retain(|it| it.mind != mind),
            _ => {}
        }
    }

    /// A tick is about to begin.
    pub fn before_tick(&mut self, minds: &Minds<World>) {
        self.claims = minds.claims().to_vec();
    }

    /// Who had what before the tick.
    #[must_use]
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// What must hold after a tick.
    ///
    /// # Errors
    ///
    /// What is wrong.
    pub fn after_tick(&mut self, minds: &Minds<World>, seen: &mut Seen) -> Result<(), String> {
        let (spec, now) = (minds.spec(), minds.now());
        self.cooling.retain(|it| it.until > now);
        if now.is_multiple_of(ALL_EVERY) {
            for mind in minds.iter() {
                self.pauses(spec, minds.seed(), mind, now, seen)?;
            }
        }
        for event in minds.events() {
            let EventKind::Started { doing, .. } = event.what else { continue };
            let (Some(action), Some(mind)) = (doing.action(), minds.mind(event.mind)) else {
                continue;
            };
            if let Some(why) = self.why_not(spec, minds.seed(), mind, action, now) {
                return Err(format!("{event:?}, and it {why}"));
            }
            let rules = spec.action(action);
            if let Some(cooldown) = rules.cooldown {
                let until = after(now, cooldown.ticks);
                let (team, template) = (Team::of(cooldown.of, mind), rules.template);
                self.cooling.push(Cooling { template, team, by: mind.id(), since: now, until });
            }
        }
        self.claims_are_kept(minds, seen)
    }

    /// Why an action is not there for a while; `None` if it is, as far as that goes.
    fn why_not(
        &self,
        spec: &Spec,
        seed: u64,
        mind: &Mind,
        action: ActionId,
        now: Tick,
    ) -> Option<&'static str> {
        let rules = spec.action(action);
        let name = spec.words.text(rules.template);
        let says_no = |chance: throng_mind::chance::Chance| {
            let at = u64::from(now / chance.per);
            number(seed, mind.id(), name, at) >= f64::from(chance.probability)
        };
        if rules.chance.is_some_and(says_no) {
            return Some("chance is against");
        }
        let cools = self.cooling.iter().find(|it| it.keeps(mind, rules.template, now));
        cools.map(|it| if it.by == mind.id() { "cools" } else { it.team.name() })
    }

    /// Everything that cools or that chance is against is not there, and nothing else pauses.
    fn pauses(
        &self,
        spec: &Spec,
        seed: u64,
        mind: &Mind,
        now: Tick,
        seen: &mut Seen,
    ) -> Result<(), String> {
        let kind = spec.domain.npc(mind.npc());
        // Parts begin without a word.
        let is_part = |action: &ActionId| {
            let template = spec.action(*action).template;
            let parts = spec.actions.iter().flat_map(|whole| &whole.parts);
            parts.into_iter().any(|part| spec.action(*part).template == template)
        };
        for &action in kind.actions().iter().filter(|action| !is_part(action)) {
            let Some(local) = kind.local_action(action) else { continue };
            let why = self.why_not(spec, seed, mind, action, now);
            let (forbidden, paused) =
                (mind.state().forbidden().has(local), mind.state().is_paused(local));
            if why.is_some() && !forbidden || why.is_none() && paused {
                let (id, name) = (mind.id().0, spec.domain.map().action(action));
                return Err(format!("mind {id}: {name} is paused: {paused}, and {why:?}"));
            }
            why.into_iter().for_each(|why| seen.add(why, 1));
        }
        Ok(())
    }

    /// Nobody has what as many others have as may; who has something holds it, or was given it.
    fn claims_are_kept(&self, minds: &Minds<World>, seen: &mut Seen) -> Result<(), String> {
        let claims = minds.claims();
        let most = minds.spec().selects.iter().filter_map(|select| select.claims).max();
        let most = most.unwrap_or(1) as usize;
        for claim in claims {
            let holders = claims.iter().filter(|other| other.key == claim.key).count();
            if holders > most {
                return Err(format!("{holders} have {:?}, at most {most}: {claims:?}", claim.key));
            }
            let same = |other: &&Claim| (other.key, other.mind) == (claim.key, claim.mind);
            if claims.iter().filter(same).count() > 1 {
                return Err(format!("{claim:?} twice: {claims:?}"));
            }
            let Some(mind) = minds.mind(claim.mind) else {
                return Err(format!("{claim:?} of nobody"));
            };
            let is_given = self.given.iter().any(|given| same(&given));
            if !is_given && mind.picks().slots().iter().all(|pick| pick.key != claim.key) {
                return Err(format!("{claim:?}, and it is not picked"));
            }
            seen.add(if is_given { "given" } else { "claimed" }, 1);
            seen.add("claimed by two", u64::from(holders > 1));
        }
        Ok(())
    }
}

/// What chance says of a name at a moment, from 0 up to 1.
pub(super) fn number(seed: u64, mind: MindId, name: &str, at: u64) -> f64 {
    let luck = mix(mix(0, seed), u64::from(mind.0));
    let bits = mix(mix(luck, checksum(0, name.as_bytes())), at) >> 11;
    bits as f64 / (1u64 << 53) as f64
}
