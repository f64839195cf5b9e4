//! Why actions are not there for a while, in words.
//!
//! In:   a mind, its spec.
//! Out:  a line per action that cools, or that chance is against.
//! Cost: a pass over the actions of the type.

use crate::effects::Circle;
use crate::mind::Mind;
use crate::spec::Spec;
use crate::symbols::CooledBy;
use crate::time::Tick;
use crate::words::Word;

/// An action that is not there for a while, whatever its parameters.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct CoolingView {
    /// The action, by its bare name.
    pub action: String,
    /// Seconds until that ends, or is decided anew.
    pub left: f64,
    /// `squad`, `side` or `all` if others share the cooldown.
    pub of: Option<&'static str>,
    /// If it is by chance: how likely it is to be there, and for how many seconds that is decided.
    pub chance: Option<(f32, f64)>,
    /// The same in words.
    pub why: String,
}

impl Mind {
    /// The actions of its type that are not there for a while for themselves, each once.
    pub(super) fn pauses(&self, spec: &Spec, now: Tick) -> Vec<CoolingView> {
        let pauses = &self.state.pauses;
        let seconds = |ticks: Tick| spec.pace.seconds(ticks);
        let (mut list, mut told) = (Vec::new(), Vec::<Word>::new());
        for &action in spec.domain.npc(self.npc).actions() {
            let own = spec.action(action);
            if told.contains(&own.template) {
                continue;
            }
            told.push(own.template);
            let mut say = |left: f64, of, chance, why: String| {
                let action = spec.words.text(own.template).to_string();
                list.push(CoolingView { action, left, of, chance, why });
            };
            let cools = pauses.cooling.iter().filter(|it| it.template == own.template);
            if let Some(longest) = cools.filter(|it| it.until > now).max_by_key(|it| it.until) {
                let left = seconds(longest.until - now);
                let of = match longest.by {
                    CooledBy::Other(circle) => Some(circle),
                    CooledBy::Me | CooledBy::MeToo => own.cooldown.and_then(|own| own.of),
                };
                // Who is in no squad shares with nobody.
                let of = of.filter(|of| *of != Circle::Squad || self.squad.is_some());
                let of = of.map(Circle::name);
                let whose = of.map(|of| format!(" ({of})")).unwrap_or_default();
                say(left, of, None, format!("cools {left:.1} s more{whose}"));
            }
            if let Some(chance) = own.chance.filter(|it| !it.says_yes(pauses.luck, now)) {
                let (per, until) = (seconds(chance.per), chance.until(now));
                let (odds, left) = (chance.probability, seconds(until.saturating_sub(now)));
                let until = seconds(until);
                let why = format!("its chance ({odds} per {per}) says no until {until:.1} s");
                say(left, None, Some((odds, per)), why);
            }
        }
        list
    }
}
