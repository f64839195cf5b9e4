//! The world as rows of text.
//!
//! In:   a world, at any time.
//! Out:  a letter per cell, and what the letters mean.
//! Cost: one pass over the map and all that is on it.

use crate::cell::Cell;
use crate::thing::{Thing, ThingKind};
use crate::world::World;
use std::collections::BTreeSet;

/// Cells of a row that are drawn at most: what fits into a terminal with a margin.
const WIDEST: usize = 78;

impl World {
    /// Rows of text, at most 78 wide: `#` wall, `.` floor, `+` shut door, `'` open, `X` blocked,
    /// `=` window, `c` cover, `!` item, other things by their first letter, actors with a mind by
    /// their first letter as a capital, scripted ones small, `%` dead, `*` grenade. Of wider maps
    /// the part around the first living actor with a mind.
    pub fn draw(&self) -> Vec<String> {
        let (width, height) = (self.grid.width() as usize, self.grid.height() as usize);
        let mut letters: Vec<char> = self.floor();
        // What matters more is drawn over what matters less.
        let mut put = |cell: Cell, letter: char| {
            if let Some(index) = self.grid.index(cell) {
                letters[index] = letter;
            }
        };
        let cover = self.nodes.iter().filter(|node| node.kind == self.words.cover);
        cover.filter(|node| self.exists(node)).for_each(|node| put(node.cell, 'c'));
        let lying = self.things.iter().filter(|thing| thing.held_by.is_none());
        lying.for_each(|thing| put(thing.cell, thing_letter(thing)));
        let (living, dead): (Vec<_>, Vec<_>) = self.actors.iter().partition(|actor| actor.alive);
        dead.iter().for_each(|actor| put(actor.cell, '%'));
        // The first of several in a cell is the one that shows.
        for actor in living.iter().rev() {
            put(actor.cell, actor_letter(&actor.text, actor.is_minded()));
        }
        self.grenades.iter().for_each(|grenade| put(grenade.cell, '*'));
        let from = self.first_column(width);
        let row = |y: usize| letters[y * width..][from..width.min(from + WIDEST)].iter().collect();
        (0..height).map(row).collect()
    }

    /// What the letters of things and people mean, a line each, in the order of the alphabet;
    /// then the signs that mean the same everywhere.
    pub fn legend(&self) -> Vec<String> {
        let mut lines = BTreeSet::new();
        for thing in self.things.iter().filter(|thing| !thing.kind.is_link()) {
            lines.insert(format!("{} {}", thing_letter(thing), thing.text));
        }
        for actor in self.actors.iter().filter(|actor| actor.alive) {
            let letter = actor_letter(&actor.text, actor.is_minded());
            lines.insert(format!("{letter} {}", actor.text));
        }
        let signs = "# wall  + ' X door shut, open, blocked  = window  c cover  ! item  \
                     * grenade  % dead";
        lines.into_iter().chain([signs.to_string()]).collect()
    }

    fn floor(&self) -> Vec<char> {
        let cells = (0..self.grid.height())
            .flat_map(|y| (0..self.grid.width()).map(move |x| Cell::new(x, y)));
        cells.map(|cell| if self.grid.is_wall(cell) { '#' } else { '.' }).collect()
    }

    /// Where the drawn part of a row begins.
    fn first_column(&self, width: usize) -> usize {
        let middle = self.actors.iter().find(|actor| actor.is_minded());
        let middle = middle.map_or(0, |actor| actor.cell.x as usize);
        middle.saturating_sub(WIDEST / 2).min(width.saturating_sub(WIDEST))
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

fn actor_letter(name: &str, is_minded: bool) -> char {
    let letter = name.chars().next().unwrap_or('?');
    if is_minded { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
}
