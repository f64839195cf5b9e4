//! What the tests of crowds have in common: texts loaded, names looked up.

// No test needs all of them; and a test that cannot go on has failed.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    reason = "every test uses a part, and may panic"
)]

use std::sync::Arc;
use throng_domain::compile::CompiledDomain;
use throng_domain::formats::no_includes;
use throng_domain::model::Fact;
use throng_domain::{Format, Limits, load};
use throng_planner::PreparedDomain;

/// A text that loads.
pub(crate) fn domain(text: &str) -> Arc<PreparedDomain> {
    let loaded = load("test.npc", text, Format::Npc, &Limits::default(), &[], &mut no_includes);
    Arc::new(PreparedDomain::new(&loaded.model.unwrap_or_else(|| panic!("{text}"))))
}

/// A variable and its value by name.
pub(crate) fn fact(domain: &CompiledDomain, variable: &str, value: &str) -> Fact {
    let variable = domain.map().find_variable(variable).unwrap();
    Fact { variable, value: domain.map().find_value(variable, value).unwrap() }
}

/// Four places in a row.
pub(crate) const LINE: &str = "domain line
var p: a, b, c, d
action ab: p a -> b
action bc: p b -> c
action cd: p c -> d
goal end: p = d
npc w
    can ab, bc, cd
    wants end
    starts p = a
";
