//! The world as rows of text.
//!
//! In:   a world, at any time.
//! Out:  a letter per cell, and what the letters mean.
//! Cost: one pass over the map and all that is on it.

use crate::cell::Cell;
use crate::thing::{Thing, ThingKind};
use crate::world::World;
use std::collections::{BTreeMap, BTreeSet};

/// Cells of a row that are drawn at most: what fits into a terminal with a margin.
const WIDEST: usize = 78;
/// What is drawn of the world itself; no actor has one of these for a sign.
const OWN: &str = "#.,+'X=c!%*";

/// By name of an actor, the letter or digit that it is drawn as.
pub type Signs = BTreeMap<String, char>;

/// Signs for actors, each with whether it has a mind: the first letter, a capital for those with
/// minds and small for others. Where that is taken or several would have it: the digit that the
/// name ends with, else one of 1…9, else any letter. `?` when there are no more.
#[must_use]
pub fn signs<'a>(
    actors: impl Iterator<Item = (&'a str, bool)> + Clone,
    taken: &BTreeSet<char>,
) -> Signs {
    let mut taken: BTreeSet<char> = taken.iter().copied().chain(OWN.chars()).collect();
    let mut wanted: BTreeMap<char, usize> = BTreeMap::new();
    for (name, is_minded) in actors.clone() {
        *wanted.entry(first_letter(name, is_minded)).or_default() += 1;
    }
    let mut signs = Signs::new();
    let mut clashing = Vec::new();
    for (name, is_minded) in actors {
        let letter = first_letter(name, is_minded);
        match wanted.get(&letter) == Some(&1) && taken.insert(letter) {
            true => _ = signs.insert(name.to_string(), letter),
            false => clashing.push((name, is_minded)),
        }
    }
    for (name, is_minded) in clashing {
        let own = name.chars().last().filter(char::is_ascii_digit);
        let letters = if is_minded { 'A'..='Z' } else { 'a'..='z' };
        let mut choice = own.into_iter().chain('1'..='9').chain(letters);
        let sign = choice.find(|&sign| taken.insert(sign)).unwrap_or('?');
        signs.insert(name.to_string(), sign);
    }
    signs
}

/// A part of rows around a cell, at most so wide and so high.
#[must_use]
pub fn part(rows: &[String], around: Cell, width: usize, height: usize) -> Vec<String> {
    let begin = |at: i16, shown: usize, all: usize| {
        usize::try_from(at).unwrap_or(0).saturating_sub(shown / 2).min(all.saturating_sub(shown))
    };
    let shown = rows.iter().skip(begin(around.y, height, rows.len())).take(height);
    let row = |row: &String| {
        let from = begin(around.x, width, row.chars().count());
        row.chars().skip(from).take(width).collect()
    };
    shown.map(row).collect()
}

impl World {
    /// Rows of text, at most 78 wide: `#` wall, `.` floor, `,` floor under a roof, `+` shut door, `'` open, `X` blocked,
    /// `=` window, `c` cover, `!` item, other things by their first letter, actors by these
    /// [`signs`], `%` dead, `*` grenade. Of wider maps the part around the first living actor with
    /// a mind.
    #[must_use]
    pub fn draw_as(&self, signs: &Signs) -> Vec<String> {
        part(&self.draw_all(signs), self.focus(), WIDEST, usize::MAX)
    }

    /// The whole map, however wide.
    pub fn draw_all(&self, signs: &Signs) -> Vec<String> {
        let (width, height) = (self.grid().width() as usize, self.grid().height() as usize);
        let mut letters: Vec<char> = self.floor();
        // What matters more is drawn over what matters less.
        let mut put = |cell: Cell, letter: char| {
            if let Some(index) = self.grid().index(cell) {
                letters[index] = letter;
            }
        };
        let cover = self.nodes().iter().filter(|node| node.kind == self.words.cover);
        cover.filter(|node| self.exists(node)).for_each(|node| put(node.cell, 'c'));
        let lying = self.things().iter().filter(|thing| thing.held_by.is_none());
        lying.for_each(|thing| put(thing.cell, thing_letter(thing)));
        let (living, dead): (Vec<_>, Vec<_>) = self.actors().iter().partition(|actor| actor.alive);
        dead.iter().for_each(|actor| put(actor.cell, '%'));
        // The first of several in a cell is the one that shows.
        for actor in living.iter().rev() {
            put(actor.cell, signs.get(&actor.text).copied().unwrap_or('?'));
        }
        self.grenades().iter().for_each(|grenade| put(grenade.cell, '*'));
        (0..height).map(|y| letters[y * width..][..width].iter().collect()).collect()
    }

    /// What the letters of things and people mean, a line each, in the order of the alphabet;
    /// then the signs that mean the same everywhere.
    pub fn legend_as(&self, signs: &Signs) -> Vec<String> {
        let own =
            ["# wall  + door  ' open  X blocked", "= window  c cover  ! item  * grenade  % dead"];
        self.meanings(signs).into_iter().chain([own.join("  ")]).collect()
    }

    /// What the letters of things and people mean, in the order of the alphabet.
    pub fn meanings(&self, signs: &Signs) -> BTreeSet<String> {
        let things = self.things().iter().filter(|thing| !thing.kind.is_link());
        let things = things.map(|thing| format!("{} {}", thing_letter(thing), thing.text));
        let actors = self.actors().iter().filter(|actor| actor.alive);
        let sign = |name: &String| signs.get(name).copied().unwrap_or('?');
        things.chain(actors.map(|actor| format!("{} {}", sign(&actor.text), actor.text))).collect()
    }

    /// The letters that things are drawn as.
    pub fn thing_letters(&self) -> BTreeSet<char> {
        self.things().iter().map(thing_letter).collect()
    }

    /// Where the first living actor with a mind is.
    fn focus(&self) -> Cell {
        let first = self.actors().iter().find(|actor| actor.alive && actor.is_minded());
        first.map_or(Cell::new(0, 0), |actor| actor.cell)
    }

    fn floor(&self) -> Vec<char> {
        let letter = |cell| match (self.grid().is_wall(cell), self.grid().is_roofed(cell)) {
            (true, _) => '#',
            (false, true) => ',',
            (false, false) => '.',
        };
        self.grid().cells().map(letter).collect()
    }
}

fn thing_letter(thing: &Thing) -> char {
    match thing.kind {
        ThingKind::Door if !thing.is_shut_door() => '\'',
        ThingKind::Door if thing.blocked => 'X',
        ThingKind::Door => '+',
        ThingKind::Window => '=',
        ThingKind::Item => '!',
        _ => thing.text.chars().next().unwrap_or('?'),
    }
}

fn first_letter(name: &str, is_minded: bool) -> char {
    let letter = name.chars().next().unwrap_or('?');
    if is_minded { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
}
