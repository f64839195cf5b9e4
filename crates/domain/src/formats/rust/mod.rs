//! A domain as a Rust module: typed names, their numbers, and the tables as constants.
//!
//! In:   a [`Model`].
//! Out:  the text of a module that depends on nothing; the same bytes for the same model.
//! Cost: linear in the model as written out.
//!
//! The numbers are those of [`VariableId`](crate::VariableId) and its siblings, so an id of a
//! loaded domain becomes a name of the module by its index, and `DIGEST` tells whether the two
//! are of the same version. The text begins with no inner attribute or comment, so that it may
//! be included in a module as well as be a file of one.

mod amounts;
mod identifiers;
mod layout;
mod names;
mod tables;

use crate::compile::{Digest, digest_of};
use crate::model::Model;
use identifiers::identifiers;
use layout::{Item, Page, in_comment, quoted};

/// What every item allows: a program need not use all of a module.
const GENERATED: &str = "allow(dead_code, unreachable_pub, reason = \"generated\")";

/// Types of every module, and words that Rust keeps for itself: no variable's values may be
/// called so.
#[rustfmt::skip]
const OWN_TYPES: [&str; 13] = [
    "Variable", "Fact", "Action", "Goal", "Npc", "Check",
    "VariableRow", "ActionRow", "GoalRow", "NpcRow", "Option", "Some", "Self",
];

/// The identifiers of everything in a domain.
struct Names {
    variables: Vec<String>,
    /// The type of each variable's values.
    value_types: Vec<String>,
    values: Vec<Vec<String>>,
    checks: Vec<String>,
    actions: Vec<String>,
    goals: Vec<String>,
    npcs: Vec<String>,
    /// Whether something counts: then rows say what they ask of amounts, and how these move.
    has_amounts: bool,
}

impl Names {
    fn of(model: &Model) -> Names {
        let variables = || model.variables().iter();
        let variants = ["Self"];
        let mut value_types = identifiers(variables().map(|it| it.name()), &OWN_TYPES);
        for (of, variable) in value_types.iter_mut().zip(variables()) {
            if variable.is_bool() {
                *of = "bool".to_string();
            }
        }
        Names {
            variables: identifiers(variables().map(|it| it.name()), &variants),
            value_types,
            values: variables()
                .map(|it| {
                    let words = it.values().words().unwrap_or_default();
                    identifiers(words.iter().map(String::as_str), &variants)
                })
                .collect(),
            checks: identifiers(model.checks().iter().map(String::as_str), &variants),
            actions: identifiers(model.actions().iter().map(|it| it.name()), &variants),
            goals: identifiers(model.goals().iter().map(|it| it.name()), &variants),
            npcs: identifiers(model.npcs().iter().map(|it| it.name()), &variants),
            has_amounts: amounts::has_amounts(model),
        }
    }
}

/// The module.
pub fn write(model: &Model) -> String {
    let made = Names::of(model);
    let mut page = Page::default();
    page.remark(&[
        &format!("The domain {} in Rust, made by `throng gen rust`.", in_comment(model.name())),
        "Change the domain and make it anew; what is changed here is lost.",
    ]);
    page.item(constant("The name of the domain.", "DOMAIN: &str", &quoted(model.name())));
    let comment = "What the domain is, in 128 bits: refuse a loaded domain of another digest.";
    page.item(constant(comment, "DIGEST: u128", &grouped(digest_of(model))));
    names::write(model, &made, &mut page);
    tables::write(model, &made, &mut page);
    page.into_text()
}

fn constant(comment: &str, name_and_type: &str, value: &str) -> Item {
    let mut item = Item::new(&[comment], &[GENERATED]);
    item.line(0, &format!("pub const {name_and_type} = {value};"));
    item
}

/// `0x0123_4567_…`
fn grouped(digest: Digest) -> String {
    let digits = digest.to_string();
    let groups: Vec<String> = digits
        .as_bytes()
        .chunks(4)
        .map(|four| String::from_utf8_lossy(four).into_owned())
        .collect();
    format!("0x{}", groups.join("_"))
}
