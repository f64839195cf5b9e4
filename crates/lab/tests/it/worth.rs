//! `throng plan --choose worth`: a goal is worth its priority less what the way to it costs.
//!
//! In:   `domains/beyond/worth.npc`, with the bridge open and closed.
//! Out:  by worth the choice follows the price of the way; by priority it does not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;
use serde_json::json;

const COURIER: &str = "domains/beyond/worth.npc";

/// The goal taken, and the cost of its plan.
fn chosen(options: &[&str]) -> serde_json::Value {
    let words = [&["plan", COURIER, "--json"], options].concat();
    let answer = exits(&words, 0).json();
    json!([answer["goal"], answer["cost"]])
}

#[test]
fn with_the_bridge_open_the_parcel_is_worth_most() {
    let said = exits(&["plan", COURIER, "--choose", "worth"], 0);
    assert_eq!(
        said.out,
        "courier → deliver_parcel: 3 actions, cost 4\n  \
         1. walk_to_river  cost 1\n  2. cross_bridge   cost 2\n  3. give_parcel    cost 1\n"
    );
}

#[test]
fn with_the_bridge_closed_the_letter_is_the_better_deal() {
    let closed = ["--choose", "worth", "--without", "bridge_open"];
    let said = exits(&[&["plan", COURIER], &closed[..]].concat(), 0);
    assert_eq!(
        said.out,
        "courier → deliver_letter: 2 actions, cost 2\n  1. walk_next_door\n  2. give_letter\n"
    );
}

#[test]
fn by_priority_the_parcel_wins_whatever_the_way_costs() {
    for choose in [&[][..], &["--choose", "priority"]] {
        assert_eq!(chosen(choose), json!(["deliver_parcel", 4]));
        let closed = [choose, &["--without", "bridge_open"]].concat();
        assert_eq!(chosen(&closed), json!(["deliver_parcel", 10]));
    }
}

#[test]
fn costs_of_the_call_count_and_equals_go_to_the_goal_declared_first() {
    let with =
        |cost: &str| chosen(&["--choose", "worth", "--without", "bridge_open", "--cost", cost]);
    // 12 - 9.001, 12 - 9 and 12 - 8.999 against 5 - 2.
    assert_eq!(with("take_ferry=7.001"), json!(["deliver_letter", 2]));
    assert_eq!(with("take_ferry=7"), json!(["deliver_parcel", 9]));
    assert_eq!(with("take_ferry=6.999"), json!(["deliver_parcel", 8.999]));
}

#[test]
fn the_best_goal_is_taken_though_it_is_worth_less_than_nothing() {
    // 12 - 22 against 5 - 8: whether to act on it is for the caller to decide.
    let dear = "take_ferry=20,give_letter=7";
    let answer = chosen(&["--choose", "worth", "--without", "bridge_open", "--cost", dear]);
    assert_eq!(answer, json!(["deliver_letter", 8]));
}
