//! A vocabulary as JSON text, and back.
//!
//! In:   a [`BodyVocabulary`], or a text that somebody wrote.
//! Out:  the other; what is wrong with a text is reported with its place.
//! Cost: one pass; how much a text may list is limited.
//!
//! `"knowledge": ["alive", "dead"]` lists words, `"node": "actor"` says whose names they are, and
//! `"position": true` is no word.

use super::{BehaviourWords, BodyVocabulary, CanBe, FactWords, SensorWords, UsualTime};
use crate::fact::Attribute;
use throng_base::DidYouMean;
use throng_domain::formats::json::quote;
use throng_domain::formats::json::tree::{JsonMember, JsonValue, JsonValueKind, parse};
use throng_domain::{Code, FileId, Limits, Report, Span};

/// The version of the format.
const VERSION: &str = "1";
/// So many sensors, behaviours, kinds, attributes and words may one list have.
const MOST: usize = 4096;
const KEYS: [&str; 8] = [
    "vocabulary",
    "name",
    "stimuli",
    "questions",
    "sensors",
    "behaviours",
    "told_to_members",
    "told_to_squads",
];

impl BodyVocabulary {
    /// As JSON text, a sensor or behaviour a line.
    #[must_use]
    pub fn to_json(&self) -> String {
        let lines = |list: Vec<String>| match list.is_empty() {
            true => "[]".to_string(),
            false => format!("[\n  {}\n ]", list.join(",\n  ")),
        };
        let sections = [
            format!("{{\"vocabulary\": {VERSION}, \"name\": {}", quote(&self.name)),
            format!(" \"stimuli\": {}", texts(&self.stimuli)),
            format!(" \"questions\": {}", texts(&self.questions)),
            format!(" \"sensors\": {}", lines(self.sensors.iter().map(sensor).collect())),
            format!(" \"behaviours\": {}", lines(self.behaviours.iter().map(behaviour).collect())),
            format!(" \"told_to_members\": {}", facts(&self.told_to_members)),
            format!(" \"told_to_squads\": {}", facts(&self.told_to_squads)),
        ];
        format!("{}}}\n", sections.join(",\n"))
    }

    /// Reads a text that [`to_json`](Self::to_json) wrote, or a person; `file` is for the places of
    /// mistakes.
    ///
    /// # Errors
    ///
    /// Every mistake.
    pub fn from_json(text: &str, file: FileId) -> Result<BodyVocabulary, Report> {
        let mut reader = Reader { report: Report::default() };
        let tree = match parse(text, file, Limits::default().json_depth) {
            Ok(tree) => tree,
            Err(wrong) => {
                reader.report.add(wrong);
                return Err(reader.report);
            }
        };
        let vocabulary = reader.vocabulary(&tree);
        match vocabulary.filter(|_| !reader.report.has_errors()) {
            Some(vocabulary) => Ok(vocabulary),
            None => Err(reader.report),
        }
    }
}

fn texts(list: &[String]) -> String {
    let list: Vec<String> = list.iter().map(|text| quote(text)).collect();
    format!("[{}]", list.join(", "))
}

fn facts(list: &[FactWords]) -> String {
    let one = |facts: &FactWords| {
        let attributes = facts.attributes.iter().map(|(attribute, can)| {
            let can = match can {
                CanBe::NoWord => "true".to_string(),
                CanBe::Words(words) => texts(words),
                CanBe::NameOf(of) => quote(of),
            };
            format!("{}: {can}", quote(attribute.name()))
        });
        let attributes: Vec<String> = attributes.collect();
        let shared = if facts.shared { ", \"shared\": true" } else { "" };
        let kind = quote(&facts.kind);
        format!("{{\"kind\": {kind}{shared}, \"attributes\": {{{}}}}}", attributes.join(", "))
    };
    format!("[{}]", list.iter().map(one).collect::<Vec<_>>().join(", "))
}

fn sensor(sensor: &SensorWords) -> String {
    let when = match &sensor.when {
        Some(UsualTime::On(stimulus)) => format!(", \"on\": {}", quote(stimulus)),
        Some(UsualTime::Every(seconds)) => format!(", \"every\": {seconds}"),
        None => String::new(),
    };
    let writes = sensor.writes.as_ref().map(|it| format!(", \"writes\": {}", facts(it)));
    format!("{{\"name\": {}{when}{}}}", quote(&sensor.name), writes.unwrap_or_default())
}

fn behaviour(behaviour: &BehaviourWords) -> String {
    let (least, most) = behaviour.given;
    let mut text = format!("{{\"name\": {}", quote(&behaviour.name));
    if most <= MOST {
        text.push_str(&format!(", \"given\": [{least}, {most}]"));
    }
    if let Some(about) = &behaviour.about {
        text.push_str(&format!(", \"about\": {}", quote(about)));
    }
    if let Some(writes) = &behaviour.writes {
        text.push_str(&format!(", \"writes\": {}", facts(writes)));
    }
    if !behaviour.changes.is_empty() {
        text.push_str(&format!(", \"changes\": {}", facts(&behaviour.changes)));
    }
    if !behaviour.gives.is_empty() {
        text.push_str(&format!(", \"gives\": {}", texts(&behaviour.gives)));
    }
    text + "}"
}

struct Reader {
    report: Report,
}

type Members<'v, 't> = &'v [JsonMember<'t>];

impl Reader {
    fn vocabulary(&mut self, tree: &JsonValue<'_>) -> Option<BodyVocabulary> {
        let members = self.members(tree, "a vocabulary", &KEYS)?;
        let version = self.needed(members, "vocabulary", tree.span)?;
        if !matches!(version.kind, JsonValueKind::Number(VERSION)) {
            let text = "a version of the vocabulary that this reader does not know";
            self.report.say(Code::JsonVersion, version.span, text, "write `\"vocabulary\": 1`");
            return None;
        }
        let name = self.needed(members, "name", tree.span)?;
        let name = self.text(name)?;
        let mut all = |key: &str| self.list(members, key).unwrap_or_default();
        let (stimuli, sensors, behaviours) = (all("stimuli"), all("sensors"), all("behaviours"));
        let questions = all("questions");
        let (to_members, to_squads) = (all("told_to_members"), all("told_to_squads"));
        Some(BodyVocabulary {
            name,
            stimuli: stimuli.iter().filter_map(|it| self.text(it)).collect(),
            questions: questions.iter().filter_map(|it| self.text(it)).collect(),
            sensors: sensors.iter().filter_map(|it| self.sensor(it)).collect(),
            behaviours: behaviours.iter().filter_map(|it| self.behaviour(it)).collect(),
            told_to_members: to_members.iter().filter_map(|it| self.facts(it)).collect(),
            told_to_squads: to_squads.iter().filter_map(|it| self.facts(it)).collect(),
        })
    }

    fn sensor(&mut self, value: &JsonValue<'_>) -> Option<SensorWords> {
        let members = self.members(value, "a sensor", &["name", "on", "every", "writes"])?;
        let name = self.needed(members, "name", value.span)?;
        let name = self.text(name)?;
        let when = match (find(members, "on"), find(members, "every")) {
            (Some(on), _) => Some(UsualTime::On(self.text(on)?)),
            (None, Some(every)) => Some(UsualTime::Every(self.number(every)? as f32)),
            (None, None) => None,
        };
        Some(SensorWords { name, when, writes: self.all_facts(members, "writes") })
    }

    fn behaviour(&mut self, value: &JsonValue<'_>) -> Option<BehaviourWords> {
        let known = ["name", "given", "about", "writes", "changes", "gives"];
        let members = self.members(value, "a behaviour", &known)?;
        let name = self.needed(members, "name", value.span)?;
        let name = self.text(name)?;
        let given = match self.list(members, "given") {
            None => (0, usize::MAX),
            Some(given) => {
                let ends: Vec<f64> = given.iter().filter_map(|it| self.number(it)).collect();
                let [least, most] = ends[..] else {
                    return self.wrong(value, "`\"given\"` as `[0, 1]`: at least and at most");
                };
                (least as usize, most as usize)
            }
        };
        let gives = self.list(members, "gives").unwrap_or_default();
        Some(BehaviourWords {
            name,
            given,
            about: find(members, "about").and_then(|about| self.text(about)),
            writes: self.all_facts(members, "writes"),
            changes: self.all_facts(members, "changes").unwrap_or_default(),
            gives: gives.iter().filter_map(|it| self.text(it)).collect(),
        })
    }

    fn all_facts(&mut self, members: Members<'_, '_>, key: &str) -> Option<Vec<FactWords>> {
        let list = self.list(members, key)?;
        Some(list.iter().filter_map(|it| self.facts(it)).collect())
    }

    fn facts(&mut self, value: &JsonValue<'_>) -> Option<FactWords> {
        let members = self.members(value, "facts", &["kind", "shared", "attributes"])?;
        let kind = self.needed(members, "kind", value.span)?;
        let kind = self.text(kind)?;
        let shared = match find(members, "shared").map(|it| &it.kind) {
            None => false,
            Some(JsonValueKind::Bool(shared)) => *shared,
            Some(_) => return self.wrong(value, "`\"shared\"` as true or false"),
        };
        let attributes = match find(members, "attributes") {
            None => &[][..],
            Some(all) => {
                let known = Attribute::ALL.map(|attribute| attribute.name());
                self.members(all, "attributes", &known)?
            }
        };
        let attributes = attributes.iter().filter_map(|member| {
            Some((Attribute::named(&member.key)?, self.can_be(&member.value)?))
        });
        Some(FactWords { kind, shared, attributes: attributes.collect() })
    }

    fn can_be(&mut self, value: &JsonValue<'_>) -> Option<CanBe> {
        match &value.kind {
            JsonValueKind::Bool(true) => Some(CanBe::NoWord),
            JsonValueKind::Text(of) => Some(CanBe::NameOf(of.to_string())),
            JsonValueKind::List(words) if words.len() <= MOST => {
                Some(CanBe::Words(words.iter().filter_map(|it| self.text(it)).collect()))
            }
            _ => self.wrong(value, "true, a list of words, or what it is the name of"),
        }
    }

    /// The members of an object; keys that it cannot have are told.
    fn members<'v, 't>(
        &mut self,
        value: &'v JsonValue<'t>,
        what: &str,
        known: &[&str],
    ) -> Option<Members<'v, 't>> {
        let JsonValueKind::Object(members) = &value.kind else {
            return self.wrong(value, &format!("an object: {what}"));
        };
        for member in members.iter().filter(|it| !known.contains(&it.key.as_ref())).take(1) {
            let did = DidYouMean(self.report.nearest(&member.key, known.iter().copied()));
            let text = format!("unknown key `{}` in {what}{did}", member.key);
            let cure = format!("the keys of {what}: {}", known.join(", "));
            self.report.say(Code::JsonUnknownKey, member.key_span, text, cure);
        }
        Some(members)
    }

    fn needed<'v, 't>(
        &mut self,
        members: Members<'v, 't>,
        key: &str,
        span: Span,
    ) -> Option<&'v JsonValue<'t>> {
        let found = find(members, key);
        if found.is_none() {
            let text = format!("the key `{key}` is missing");
            self.report.say(Code::JsonMissingKey, span, text, format!("add `\"{key}\": …`"));
        }
        found
    }

    fn list<'v, 't>(&mut self, members: Members<'v, 't>, key: &str) -> Option<&'v [JsonValue<'t>]> {
        let value = find(members, key)?;
        match &value.kind {
            JsonValueKind::List(list) if list.len() <= MOST => Some(list),
            _ => self.wrong(value, &format!("`\"{key}\"` as a list of at most {MOST}")),
        }
    }

    fn text(&mut self, value: &JsonValue<'_>) -> Option<String> {
        match &value.kind {
            JsonValueKind::Text(text) => Some(text.to_string()),
            _ => self.wrong(value, "a text"),
        }
    }

    fn number(&mut self, value: &JsonValue<'_>) -> Option<f64> {
        let number = match value.kind {
            JsonValueKind::Number(text) => text.parse::<f64>().ok(),
            _ => None,
        };
        number
            .filter(|number| (0.0..=1e6).contains(number))
            .or_else(|| self.wrong(value, "a number from 0 to 1000000"))
    }

    fn wrong<T>(&mut self, value: &JsonValue<'_>, wanted: &str) -> Option<T> {
        let text = format!("expected {wanted}; found {}", value.kind.words());
        let cure = "see what `Body::describe` writes";
        self.report.say(Code::JsonWrongType, value.span, text, cure);
        None
    }
}

fn find<'v, 't>(members: Members<'v, 't>, key: &str) -> Option<&'v JsonValue<'t>> {
    members.iter().find(|member| member.key == key).map(|member| &member.value)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn a_vocabulary_comes_back_as_it_was_written() {
        let facts = FactWords {
            kind: "guest".into(),
            shared: true,
            attributes: vec![
                (Attribute::Position, CanBe::NoWord),
                (Attribute::Knowledge, CanBe::Words(vec!["hungry".into(), "a \"b\"".into()])),
                (Attribute::Node, CanBe::NameOf("actor".into())),
            ],
        };
        let sensor = |name: &str, when, writes| SensorWords { name: name.into(), when, writes };
        let vocabulary = BodyVocabulary {
            name: "inn".into(),
            stimuli: vec!["bell".into()],
            questions: vec!["sight".into(), "smell".into()],
            sensors: vec![
                sensor("see", Some(UsualTime::Every(0.5)), Some(vec![facts.clone()])),
                sensor("hear", Some(UsualTime::On("bell".into())), None),
                sensor("feel", None, Some(Vec::new())),
            ],
            behaviours: vec![BehaviourWords {
                name: "serve".into(),
                given: (1, 2),
                about: Some("table".into()),
                writes: Some(vec![facts.clone()]),
                changes: vec![facts.clone()],
                gives: vec!["carry".into()],
            }],
            told_to_members: vec![facts],
            told_to_squads: Vec::new(),
        };
        let text = vocabulary.to_json();
        assert_eq!(BodyVocabulary::from_json(&text, FileId(0)).unwrap(), vocabulary, "{text}");
    }

    #[test]
    fn what_is_wrong_in_a_text_is_told_with_its_code() {
        for (text, code) in [
            ("{", "E080"),
            ("[]", "E085"),
            (r#"{"vocabulary": 1}"#, "E082"),
            (r#"{"vocabulary": 2, "name": "x"}"#, "E086"),
            (r#"{"vocabulary": 1, "name": "x", "sensor": []}"#, "E083"),
            (r#"{"vocabulary": 1, "name": "x", "sensors": [{"name": 3}]}"#, "E085"),
            (r#"{"vocabulary": 1, "name": "x", "sensors": [{"name": "s", "every": -1}]}"#, "E085"),
            (
                r#"{"vocabulary": 1, "name": "x", "behaviours": [{"name": "s", "given": [1]}]}"#,
                "E085",
            ),
            (
                r#"{"vocabulary": 1, "name": "x", "told_to_members": [{"kind": "k", "attributes": {"colour": true}}]}"#,
                "E083",
            ),
        ] {
            let report = BodyVocabulary::from_json(text, FileId(0)).unwrap_err();
            assert_eq!(report.diagnostics()[0].code.id(), code, "{text}");
        }
    }
}
