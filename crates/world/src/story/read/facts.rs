//! Facts in stories: patterns of what minds must know, and facts that they are told.

use super::{Statement, statements};
use crate::story::facts::{Asked, FactPattern, Said};
use throng_domain::Model;
use throng_domain::notes::{Note, NoteWord, Relation, Reported, WordKind};
use throng_mind::fact::{Attribute, Sort};

/// No number of a fact is larger.
const LARGEST: f64 = 1e9;

impl Statement<'_, '_> {
    /// `KIND(attribute = value, age < 5, sure stimulus >= 0.5)`
    pub(super) fn pattern(&mut self) -> Result<FactPattern, Reported> {
        let kind = self.name("a kind of facts, as `character`")?.text.clone();
        let mut tests = Vec::new();
        if self.take_sign(WordKind::Open) {
            loop {
                tests.push(self.test(&kind)?);
                if !self.take_sign(WordKind::Comma) {
                    break;
                }
            }
            self.sign(WordKind::Close)?;
        }
        Ok(FactPattern { kind, tests })
    }

    fn test(&mut self, kind: &str) -> Result<Asked, Reported> {
        if self.take_word("age") {
            let relation = self.relation()?;
            return Ok(Asked::Age(relation, self.number("seconds", 0.0, LARGEST)?));
        }
        let sure = self.take_word("sure");
        let attribute = self.attribute_of_fact(kind)?;
        let relation = self.relation()?;
        if sure {
            let much = self.number("how sure, from 0 to 1", 0.0, 1.0)?;
            return Ok(Asked::Sure(attribute, relation, much as f32));
        }
        let place = self.place();
        let said = self.said(attribute)?;
        let is_size = !matches!(relation, Relation::Is | Relation::IsNot);
        if is_size && attribute.sort() != Sort::Number {
            let text = format!("`{}` is no number", attribute.name());
            return Err(self.senseless(place, text, "compare it with `=` or `!=`"));
        }
        Ok(Asked::Is(attribute, relation, said))
    }

    fn relation(&mut self) -> Result<Relation, Reported> {
        self.take_relation().ok_or_else(|| self.expected("a comparison, as `=` or `<`"))
    }

    /// `(attribute = value, …)`, or nothing.
    pub(super) fn attributes(&mut self, kind: &str) -> Result<Vec<(Attribute, Said)>, Reported> {
        let mut attributes = Vec::new();
        if !self.take_sign(WordKind::Open) {
            return Ok(attributes);
        }
        loop {
            let attribute = self.attribute_of_fact(kind)?;
            self.sign(WordKind::Compare(Relation::Is))?;
            attributes.push((attribute, self.said(attribute)?));
            if !self.take_sign(WordKind::Comma) {
                break;
            }
        }
        self.sign(WordKind::Close)?;
        Ok(attributes)
    }

    /// An attribute of facts of a kind, by its own name or by the one that the file has for it.
    fn attribute_of_fact(&mut self, kind: &str) -> Result<Attribute, Reported> {
        let word = self.name("an attribute, as `knowledge`")?;
        let names = Attribute::ALL.into_iter().map(|it| -> &str { it.name() });
        let own: Vec<(&str, &str)> = own_names(self.model, kind).collect();
        let named =
            own.iter().find(|(name, _)| *name == word.text).map(|(_, attribute)| *attribute);
        if let Some(at) = named.and_then(|attribute| names.clone().position(|it| it == attribute)) {
            return Ok(Attribute::ALL[at]);
        }
        let known = names.chain(own.iter().map(|(name, _)| *name));
        let at = self.find("attribute", word, known)?;
        Ok(Attribute::ALL[at])
    }

    /// A value of an attribute: a word, a number, somebody or something, a place.
    fn said(&mut self, attribute: Attribute) -> Result<Said, Reported> {
        match attribute.sort() {
            Sort::Word => Ok(Said::Word(self.value("a word")?.text.clone())),
            Sort::Number => Ok(Said::Number(self.number("a number", -LARGEST, LARGEST)? as f32)),
            Sort::Position => Ok(Said::Place(self.spot()?.cell)),
            Sort::Entity => {
                let word: &NoteWord = self.name("an actor or a thing")?;
                let story = self.story;
                if let Some(actor) = story.find_actor(&word.text) {
                    return Ok(Said::Actor(actor));
                }
                let known = story.actor_names().chain(story.thing_names());
                let at = self.find("actor or thing", word, known)?;
                Ok(Said::Thing(at - story.actors.len()))
            }
        }
    }
}

/// The names that the file has for attributes of a kind, each with the attribute:
/// `fact hunger: amount as level`.
fn own_names<'m>(model: &'m Model, kind: &str) -> impl Iterator<Item = (&'m str, &'m str)> {
    let is_it = move |note: &&Note| note.words.first().is_some_and(|word| word.text == kind);
    let facts = statements(model, "fact").filter(is_it);
    facts.flat_map(|note| note.words.windows(3)).filter_map(|words| match words {
        [attribute, as_word, name] if as_word.text == "as" => Some((&*name.text, &*attribute.text)),
        _ => None,
    })
}
