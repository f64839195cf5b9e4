//! The reason of "no plan", link by link from what is wanted down to the root, with places.
//!
//! In:   a reason.
//! Out:  sentences, each with the place in the text that it is about.
//! Cost: a sentence per link.

use crate::reason::{LinkEffect, Reason, Root, need};
use throng_domain::Location;
use throng_domain::compile::CompiledDomain;
use throng_domain::model::{ActionId, Range};

/// One link of the chain of causes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CausalLink {
    /// What is the matter, without a full stop.
    pub text: String,
    /// Where that is written; `None` if nowhere.
    pub place: Option<Location>,
    /// The action it is about.
    pub action: Option<ActionId>,
    /// What it is about: wanted, or needed and out of reach.
    pub asked: Option<Range>,
}

/// The links of a reason, from what is wanted to the root.
pub fn chain(domain: &CompiledDomain, reason: &Reason) -> Vec<CausalLink> {
    let map = domain.map();
    let mut causes = Vec::new();
    if let Some(wanted) = reason.wanted.filter(|_| !reason.root.is_about_whole_goal()) {
        let text = format!("`{}` is wanted and cannot be reached", map.range(wanted));
        let place = Some(map.variable_place(wanted.variable));
        causes.push(CausalLink { text, place, action: None, asked: Some(wanted) });
    }
    let mut before = reason.wanted;
    for link in &reason.chain {
        let (action, needs) = (map.action(link.action), need(map, link.needs));
        let would = match link.effect {
            LinkEffect::Sets => "set that".to_string(),
            LinkEffect::Raises | LinkEffect::Lowers => {
                let variable = before.map_or("", |before| map.variable(before.variable));
                format!("{} `{variable}`", link.effect.verb())
            }
        };
        before = Some(link.needs);
        let text = format!("`{action}` would {would}, but needs {needs}");
        let (place, action) = (Some(map.action_place(link.action)), Some(link.action));
        causes.push(CausalLink { text, place, action, asked: Some(link.needs) });
    }
    let (action, asked) = reason.root.about();
    let variable = match &reason.root {
        Root::UnknownStart(variable) => Some(*variable),
        Root::NeverRises { sum, .. } => sum.first().map(|term| term.variable),
        _ => asked.map(|asked| asked.variable),
    };
    let place = action.map(|action| map.action_place(action));
    let place = place.or(variable.map(|variable| map.variable_place(variable)));
    causes.push(CausalLink { text: reason.root_sentence(domain), place, action, asked });
    causes
}
