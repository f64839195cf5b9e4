//! Levels: what things of a sort there are where NPCs live.
//!
//! In:   members by sort, from a game, or from the statements of a story.
//! Out:  their names, which `any SORT` makes values of a variable.
//! Cost: a list for each sort; levels are small.
//!
//! Planning knows sorts and the names of their members. What a member is in the game is its
//! number, which is only kept.

use crate::model::Model;
use crate::notes::{Note, Role};
use crate::source::Span;
use std::collections::BTreeMap;

/// So many members a sort may have: each is a value of its own.
pub(crate) const MOST_MEMBERS: usize = 256;

/// What something in a level needs before it serves: another thing in some state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LevelNeed {
    /// What has the need, and its sort.
    pub(crate) of: String,
    pub(crate) sort: String,
    /// The thing, and the state that it must have.
    pub(crate) thing: String,
    pub(crate) state: String,
    /// Where it is said; `None` if a program said it.
    pub(crate) span: Option<Span>,
}

/// What there is in a level, by sort.
///
/// ```
/// use throng_domain::Level;
///
/// let level = Level::new().add("landmark", "mill", 7).add("landmark", "well", 8);
/// assert_eq!(level.members("landmark").collect::<Vec<_>>(), [("mill", 7), ("well", 8)]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Level {
    sorts: BTreeMap<String, Vec<(String, u64)>>,
    /// How often each letter stands on the maps so far.
    letters: BTreeMap<char, usize>,
    /// What is placed at `each` cell with a letter: sort, name and letter.
    twins: Vec<(String, String, char)>,
    needs: Vec<LevelNeed>,
}

impl Level {
    /// A level in which there is nothing.
    #[must_use]
    pub fn new() -> Level {
        Level::default()
    }

    /// What the statements of a model place: all of its level that was not told from outside.
    #[must_use]
    pub fn of(model: &Model) -> Level {
        let mut level = Level::new();
        model.notes().iter().for_each(|note| level.add_placed(note));
        level
    }

    /// The same with one more member of a sort, and what number the game knows it by. A name that
    /// the sort has already keeps its place and takes the number.
    #[must_use]
    pub fn add(mut self, sort: &str, name: &str, number: u64) -> Level {
        self.put(sort, name, number);
        self
    }

    fn put(&mut self, sort: &str, name: &str, number: u64) {
        let members = self.sorts.entry(sort.to_string()).or_default();
        match members.iter_mut().find(|(known, _)| known == name) {
            Some(member) => member.1 = number,
            None => members.push((name.to_string(), number)),
        }
    }

    /// The same with a need: the member serves only while a thing has a state. Actions that say
    /// `needs` of it ask for a variable that is called like the thing to have that value.
    #[must_use]
    pub fn add_need(mut self, member: &str, thing: &str, state: &str) -> Level {
        let sort = self.sorts.iter().find(|(_, members)| members.iter().any(|it| it.0 == member));
        let sort = sort.map(|(sort, _)| sort.clone()).unwrap_or_default();
        let [of, thing, state] = [member, thing, state].map(str::to_string);
        self.needs.push(LevelNeed { of, sort, thing, state, span: None });
        self
    }

    /// What a member needs.
    pub(crate) fn needs<'l>(&'l self, member: &'l str) -> impl Iterator<Item = &'l LevelNeed> {
        self.needs.iter().filter(move |need| need.of == member)
    }

    pub(crate) fn all_needs(&self) -> impl Iterator<Item = &LevelNeed> {
        self.needs.iter()
    }

    /// Takes in what a statement says behind `needs`: `table = flipped, generator = on`.
    fn add_needs(&mut self, note: &Note, sort: &str, names: &[String]) {
        let mut words = note.words.iter().skip_while(|word| word.text != "needs").skip(1);
        while let (Some(thing), Some(sign), Some(state)) =
            (words.next(), words.next(), words.next())
        {
            if sign.text != "=" {
                return;
            }
            let span = Some(thing.span.to(state.span));
            self.needs.extend(names.iter().map(|of| LevelNeed {
                of: of.clone(),
                sort: sort.to_string(),
                thing: thing.text.clone(),
                state: state.text.clone(),
                span,
            }));
            if words.next().is_none_or(|comma| comma.text != ",") {
                return;
            }
        }
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sorts.is_empty()
    }

    /// The members of a sort, in the order in which they were added.
    pub fn members(&self, sort: &str) -> impl ExactSizeIterator<Item = (&str, u64)> {
        let members = self.sorts.get(sort).map_or(&[][..], Vec::as_slice);
        members.iter().map(|(name, number)| (name.as_str(), *number))
    }

    /// The sorts that have members, by name.
    pub fn sorts(&self) -> impl Iterator<Item = &str> + Clone {
        self.sorts.keys().map(String::as_str)
    }

    /// The names of all members, by sort.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.sorts.values().flatten().map(|(name, _)| name.as_str())
    }

    /// Takes in what a statement places, if it does: `node mill at M: landmark` is a member of
    /// the sort `landmark`. With `each` at the end there is one for every such letter of the map,
    /// whichever of the two statements comes first: `mill`, `mill.2` …
    pub(crate) fn add_placed(&mut self, note: &Note) {
        if note.keyword.role == Role::Rows {
            for letter in note.words.iter().flat_map(|row| row.text.chars()) {
                *self.letters.entry(letter).or_default() += 1;
            }
            std::mem::take(&mut self.twins).into_iter().for_each(|twin| self.add_twins(twin));
            return;
        }
        let Role::Places { after } = note.keyword.role else { return };
        let Some(name) = note.words.first() else { return };
        let mut words = note.words.iter().skip_while(|word| word.text != ":").skip(1);
        let sort = words.next().filter(|word| word.text != after).or_else(|| words.next());
        let Some(sort) = sort else { return };
        self.put(&sort.text, &name.text, 0);
        self.add_needs(note, &sort.text, std::slice::from_ref(&name.text));
        let mark = note.words.get(2).and_then(|mark| mark.text.chars().next());
        let says_each = note.words.last().is_some_and(|last| last.text == "each");
        if let Some(mark) = mark.filter(|_| says_each) {
            self.add_twins((sort.text.clone(), name.text.clone(), mark));
        }
    }

    /// All but the first; one too many if there are more than can be listed.
    fn add_twins(&mut self, (sort, name, mark): (String, String, char)) {
        let count = self.letters.get(&mark).copied().unwrap_or(0);
        for number in 2..=count.min(MOST_MEMBERS + 1) {
            let twin = format!("{name}.{number}");
            self.put(&sort, &twin, 0);
            let own: Vec<LevelNeed> = self.needs(&name).cloned().collect();
            let known = self.needs(&twin).next().is_some();
            let own = own.into_iter().filter(|_| !known);
            self.needs.extend(own.map(|need| LevelNeed { of: twin.clone(), span: None, ..need }));
        }
        self.twins.push((sort, name, mark));
    }
}
