//! Boxes: creatures carry boxes one at a time from the first place to the last.
//!
//! In:   how many boxes, places and creatures; whether one box is wanted or all.
//! Out:  the member as PDDL and as `.npc`, and what is known about it.
//! Cost: linear in the text; the `.npc` text has places times creatures times boxes lines at most.
//!
//! After "Optimizing Practical Planning for Game AI", section 3.2, with its Take and Drop.
//! *Scaling*: only the first box is wanted, so the plan stays three actions while the objects
//! grow. *Competition*: all are wanted, and every order of the boxes is a plan of the same length.
//! The unsolvable twin wants the first box in hands that are free, which no fact alone forbids:
//! a search must meet every state, and everything wanted is reachable when nothing is deleted.

use std::fmt::Write as _;

/// What is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, clap::ValueEnum)]
#[expect(missing_docs, reason = "clap would show it beside the words")]
pub enum Kind {
    // The first box at the last place.
    Scaling,
    // All boxes at the last place.
    Competition,
}

impl Kind {
    /// A word for names.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Scaling => "scaling",
            Kind::Competition => "competition",
        }
    }
}

/// A member of the family.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Boxes {
    /// What is wanted.
    pub kind: Kind,
    /// Boxes, at least one; all at the first place.
    pub boxes: u32,
    /// Places, at least two; every place is one move from every other, and from itself.
    pub places: u32,
    /// Creatures, at least one; all at the first place with free hands.
    pub creatures: u32,
    /// Whether it is the twin without a plan.
    pub unsolvable: bool,
}

/// What a breadth-first search counts that looks for the goal when it takes a state out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figures {
    /// States whose successors are made.
    pub expanded: u64,
    /// Different states met.
    pub distinct: u64,
    /// Successors made.
    pub generated: u64,
}

/// Competition as `.npc` text with one creature: so many boxes, all at the first place, wanted at
/// the last.
pub fn competition(n_boxes: usize, n_places: usize) -> String {
    let [boxes, places] = [n_boxes, n_places].map(|n| n as u32);
    Boxes { places, ..Boxes::new(Kind::Competition, boxes) }.npc()
}

impl Boxes {
    /// So many boxes, one creature, two places.
    pub fn new(kind: Kind, boxes: u32) -> Boxes {
        Boxes { kind, boxes, places: 2, creatures: 1, unsolvable: false }
    }

    /// The same without a plan.
    pub fn twin(self) -> Boxes {
        Boxes { unsolvable: true, ..self }
    }

    /// Actions of a shortest plan; `None` if there is none. Each box is taken and dropped; each
    /// way with a box is one move, and each way back, which every creature saves once.
    pub fn plan_length(&self) -> Option<u64> {
        let (boxes, creatures) = (u64::from(self.boxes), u64::from(self.creatures));
        match (self.unsolvable, self.kind) {
            (true, _) => None,
            (false, Kind::Scaling) => Some(3),
            (false, Kind::Competition) => Some(4 * boxes - boxes.min(creatures)),
        }
    }

    /// States that can be reached: some boxes in different hands, the others and all creatures
    /// anywhere. `None` if there are more than can be counted. For one creature and two places
    /// it is (N + 2) · 2^N.
    pub fn reachable(&self) -> Option<u128> {
        let (boxes, creatures) = (u128::from(self.boxes), u128::from(self.creatures));
        let places = u128::from(self.places);
        let anywhere = |n: u128| places.checked_pow(u32::try_from(n).ok()?);
        // Ways to choose which boxes are held, times ways to choose by whom in order.
        let (mut hands, mut sum) = (1u128, 0u128);
        for held in 0..=boxes.min(creatures) {
            sum = sum.checked_add(hands.checked_mul(anywhere(boxes - held)?)?)?;
            hands = hands.checked_mul(boxes - held)?.checked_mul(creatures - held)? / (held + 1);
        }
        sum.checked_mul(anywhere(creatures)?)
    }

    /// What is known of breadth-first search on this member: of scaling with one creature and
    /// two places, where moving from a place to itself is allowed and the wanted box is first.
    pub fn figures(&self) -> Option<Figures> {
        let n = u64::from(self.boxes);
        let is_known = self.kind == Kind::Scaling && self.places == 2 && self.creatures == 1;
        let figures = Figures { expanded: 2 * n + 2, distinct: 3 * n + 2, generated: 7 * n + 4 };
        (is_known && !self.unsolvable).then_some(figures)
    }

    /// A name for files and tables.
    pub fn name(&self) -> String {
        let Boxes { kind, boxes, places, creatures, unsolvable } = self;
        let twin = if *unsolvable { "-unsolvable" } else { "" };
        format!("boxes-{}-{boxes}-{places}-{creatures}{twin}", kind.word())
    }

    /// The member of a name.
    pub fn from_name(name: &str) -> Option<Boxes> {
        let mut parts = name.strip_prefix("boxes-")?.split('-');
        let word = parts.next()?;
        let kind =
            [Kind::Scaling, Kind::Competition].into_iter().find(|kind| kind.word() == word)?;
        let mut number = || parts.next()?.parse().ok();
        let (boxes, places, creatures) = (number()?, number()?, number()?);
        let member = Boxes { kind, boxes, places, creatures, unsolvable: name.ends_with('e') };
        (member.name() == name).then_some(member)
    }

    /// Atoms and actions that its texts are about, more or less: for limits.
    pub fn size(&self) -> u64 {
        let [boxes, places, creatures] =
            [self.boxes, self.places, self.creatures].map(|n| u64::from(n).max(1));
        boxes.saturating_mul(places).saturating_mul(creatures)
    }

    /// The domain as PDDL; the same for all members.
    pub fn pddl_domain() -> &'static str {
        DOMAIN
    }

    /// The problem as PDDL. The wanted box comes first.
    pub fn pddl_problem(&self) -> String {
        let mut text = format!("(define (problem {})\n  (:domain boxes)\n", self.name());
        text.push_str("  (:objects");
        for (kind, count) in
            [("box", self.boxes), ("place", self.places), ("creature", self.creatures)]
        {
            text.push_str("\n   ");
            for number in 1..=count {
                _ = write!(text, " {kind}{number}");
            }
            _ = write!(text, " - {kind}");
        }
        text.push_str(")\n  (:init");
        for number in 1..=self.creatures {
            _ = write!(text, "\n    (at-c place1 creature{number})");
        }
        for number in 1..=self.boxes {
            _ = write!(text, "\n    (at-o place1 box{number})");
        }
        text.push_str(")\n  (:goal (and");
        for number in self.wanted() {
            _ = match self.is_twisted(number) {
                true => write!(text, "\n    (hold box1 creature1) (not (busy creature1))"),
                false => write!(text, "\n    (at-o place{} box{number})", self.places),
            };
        }
        text.push_str(")))\n");
        text
    }

    /// Numbers of the boxes that the goal is about.
    fn wanted(&self) -> std::ops::RangeInclusive<u32> {
        1..=if self.kind == Kind::Scaling { 1 } else { self.boxes }
    }

    fn is_twisted(&self, number: u32) -> bool {
        self.unsolvable && number == 1
    }

    /// The same as `.npc` text: one NPC that has all creatures in hand.
    pub fn npc(&self) -> String {
        let list = |count: u32, item: &dyn Fn(u32) -> String| -> String {
            (1..=count).map(item).collect::<Vec<_>>().join(", ")
        };
        let places = list(self.places, &|place| format!("place{place}"));
        // One creature needs no number.
        let of = |creature: u32| match self.creatures {
            1 => String::new(),
            _ => creature.to_string(),
        };
        let held = list(self.creatures, &|creature| format!("held{}", of(creature)));
        let mut text = "domain boxes\n\n".to_string();
        for creature in 1..=self.creatures {
            let of = of(creature);
            _ = writeln!(text, "var at{of}: {places}\nvar hands{of}: free, full");
        }
        for number in 1..=self.boxes {
            _ = writeln!(text, "var box{number}: {places}, {held}");
        }
        let mut can = Vec::new();
        for creature in 1..=self.creatures {
            let of = of(creature);
            _ = writeln!(text, "\naction go{of}(from in at{of}, to in at{of}): at{of} from -> to");
            can.push(format!("go{of}"));
            let by = if of.is_empty() { String::new() } else { format!("_by_{of}") };
            for number in 1..=self.boxes {
                _ = writeln!(
                    text,
                    "action take{number}{by}(place in at{of}): box{number} place -> held{of}, \
                     hands{of} free -> full\n    while at{of} = place\n\
                     action drop{number}{by}(place in at{of}): box{number} held{of} -> place, \
                     hands{of} full -> free\n    while at{of} = place"
                );
                can.push(format!("take{number}{by}, drop{number}{by}"));
            }
        }
        let wants = self.wanted().map(|number| match self.is_twisted(number) {
            true => format!("box1 = held{0}, hands{0} = free", of(1)),
            false => format!("box{number} = place{}", self.places),
        });
        _ = writeln!(text, "\ngoal moved: {}", wants.collect::<Vec<_>>().join(", "));
        let creatures = list(self.creatures, &|creature| {
            format!("at{0} = place1, hands{0} = free", of(creature))
        });
        let boxes = list(self.boxes, &|number| format!("box{number} = place1"));
        _ = writeln!(
            text,
            "\nnpc creature\n    can {}\n    wants moved\n    starts {creatures}, {boxes}",
            can.join(", ")
        );
        text
    }
}

/// Take and Drop as the seed prints and describes them, and what keeps hands to one box.
const DOMAIN: &str = include_str!("boxes.pddl");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_creature_and_two_places_reach_the_known_number_of_states() {
        for n in 1..=40 {
            let member = Boxes::new(Kind::Competition, n);
            assert_eq!(member.reachable(), Some(u128::from(n + 2) << n));
            assert_eq!(member.plan_length(), Some(4 * u64::from(n) - 1));
        }
        assert_eq!(Boxes::new(Kind::Scaling, 1000).reachable(), None);
    }

    #[test]
    fn a_member_is_known_by_its_name() {
        let member = Boxes { places: 5, ..Boxes::new(Kind::Scaling, 12) };
        for member in [member, member.twin(), Boxes::new(Kind::Competition, 3).twin()] {
            assert_eq!(Boxes::from_name(&member.name()), Some(member));
        }
        for name in ["", "boxes-scaling-1-2", "boxes-scaling-1-2-1-", "boxes-scaling-01-2-1"] {
            assert_eq!(Boxes::from_name(name), None, "{name}");
        }
    }
}
