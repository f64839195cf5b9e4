//! The pieces that all statements are read from: members, names, facts, lists.
//!
//! In:   values of the tree.
//! Out:  names, facts and lists; whatever does not fit is reported and left out.
//! Cost: linear in what is read.

use super::*;
use throng_base::DidYouMean;

impl Reader<'_> {
    /// The members of an object, after checking that each key is known and stands once.
    pub(super) fn fields<'v, 't>(
        &mut self,
        value: &'v JsonValue<'t>,
        what: &'static str,
        known: &[&str],
    ) -> Option<Fields<'v, 't>> {
        let JsonValueKind::Object(members) = &value.kind else {
            return self.wrong(value, "an object", what);
        };
        let errors = self.builder.report.errors();
        let mut seen: HashMap<&str, Span> = HashMap::new();
        let mut kept = Vec::new();
        for member in members {
            if let Some(first) = seen.insert(&member.key, member.key_span) {
                self.key_twice(member, first);
            } else if known.contains(&member.key.as_ref()) {
                kept.push(member);
            } else {
                let near = self.builder.report.nearest(&member.key, known.iter().copied());
                self.builder.report.say(
                    Code::JsonUnknownKey,
                    member.key_span,
                    format!("unknown key `{}` in {what}{}", member.key, DidYouMean(near)),
                    format!("the keys of {what}: {}", known.join(", ")),
                );
            }
        }
        Some(Fields { members: kept, span: value.span, what, errors })
    }

    /// `None` if the object of this name had a mistake; then its uses are not reported.
    pub(super) fn is_sound(&mut self, fields: &Fields<'_, '_>, name: &str) -> Option<()> {
        if self.builder.report.errors() == fields.errors {
            return Some(());
        }
        self.builder.add_broken(name);
        None
    }

    pub(super) fn key_twice(&mut self, member: &JsonMember<'_>, first: Span) {
        self.builder.report.say_also(
            Code::JsonKeyTwice,
            member.key_span,
            (first, "first here"),
            format!("key `{}` stands twice in one object", member.key),
            "remove one",
        );
    }

    pub(super) fn missing(&mut self, fields: &Fields<'_, '_>, key: &str) {
        // The opening brace is enough to underline: objects can be long.
        let span = Span { end: fields.span.start + 1, ..fields.span };
        self.builder.report.say(
            Code::JsonMissingKey,
            span,
            format!("key `{key}` is missing in {}", fields.what),
            format!("add `\"{key}\": …`"),
        );
    }

    pub(super) fn wrong<T>(&mut self, value: &JsonValue<'_>, fits: &str, what: &str) -> Option<T> {
        let span = match value.kind {
            JsonValueKind::List(_) | JsonValueKind::Object(_) => {
                Span { end: value.span.start + 1, ..value.span }
            }
            _ => value.span,
        };
        let example = match fits {
            "a text" | "an action" => r#"`"lamp"`"#,
            "a number" => "`2.5`",
            "a whole number" => "`7`",
            "a list" => r#"`["first", "second"]`"#,
            "an object of variables and values" => r#"`{"lamp": "on"}`"#,
            "an object" => r#"`{"name": …}`"#,
            "true" | "true or false" => "`true`",
            "a list of two: what comes first, what comes later" => r#"`["draw", "shoot"]`"#,
            "`action`, `goal` or `npc` and a name" => r#"`"goal armed"`"#,
            _ => r#"`"on"`, `3` or `true`"#,
        };
        let found = match value.kind {
            JsonValueKind::Number(text) => format!("`{text}`"),
            JsonValueKind::Bool(truth) => format!("`{truth}`"),
            _ => value.kind.words().to_string(),
        };
        self.builder.report.say(
            Code::JsonWrongType,
            span,
            format!("expected {fits} for {what}; found {found}"),
            format!("write it as in {example}"),
        );
        None
    }

    pub(super) fn list<'v, 't>(
        &mut self,
        value: &'v JsonValue<'t>,
        what: &str,
    ) -> &'v [JsonValue<'t>] {
        match &value.kind {
            JsonValueKind::List(items) => items,
            _ => self.wrong(value, "a list", &format!("`{what}`")).unwrap_or_default(),
        }
    }

    /// Whether a text may be a name; reported if not.
    pub(super) fn legal(&mut self, name: &str, span: Span) -> bool {
        let legal = names::is_json_name(name);
        if !legal {
            let quoted = match name {
                "" => "an empty text".to_string(),
                _ => format!("`{name}`"),
            };
            self.builder.report.say(
                Code::JsonName,
                span,
                format!("{quoted} cannot be a name"),
                "names are not empty, have no blank at either end, no control character, \
                 none of `\" , = #`, and no `!` in front",
            );
        }
        legal
    }

    pub(super) fn name(&mut self, fields: &Fields<'_, '_>, key: &str) -> Option<(String, Span)> {
        let Some(value) = fields.get(key) else {
            self.missing(fields, key);
            return None;
        };
        let JsonValueKind::Text(text) = &value.kind else {
            return self.wrong(value, "a text", &format!("`{key}`"));
        };
        if !self.legal(text, value.span) {
            // Others may use it as it was meant.
            self.builder.add_broken(text.trim());
            return None;
        }
        Some((text.to_string(), value.span))
    }

    /// A value of a variable: text, or a number or boolean as it would be written in text.
    pub(super) fn value_word<'v>(&mut self, value: &'v JsonValue<'_>) -> Option<Cow<'v, str>> {
        let word = match &value.kind {
            JsonValueKind::Text(text) => Cow::Borrowed(text.as_ref()),
            JsonValueKind::Number(text) if names::as_integer(text).is_some() => {
                Cow::Borrowed(*text)
            }
            JsonValueKind::Bool(true) => Cow::Borrowed("true"),
            JsonValueKind::Bool(false) => Cow::Borrowed("false"),
            _ => return self.wrong(value, "a text, a whole number, true or false", "a value"),
        };
        self.legal(&word, value.span).then_some(word)
    }

    /// The facts under a key, none if it is missing; `None` if some could not be found.
    pub(super) fn facts(
        &mut self,
        fields: &Fields<'_, '_>,
        key: &str,
    ) -> Option<Vec<(Fact, Span)>> {
        let Some(value) = fields.get(key) else { return Some(Vec::new()) };
        let JsonValueKind::Object(members) = &value.kind else {
            let fits = "an object of variables and values";
            return self.wrong(value, fits, &format!("`{key}`"));
        };
        let mut complete = true;
        let mut facts = Vec::with_capacity(members.len());
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for member in members {
            if let Some(first) = seen.insert(&member.key, member.key_span) {
                self.key_twice(member, first);
                continue;
            }
            let word = self.value_word(&member.value);
            let fact = word.and_then(|word| {
                let variable = (member.key.as_ref(), member.key_span);
                self.builder.find_fact(variable, (&word, member.value.span))
            });
            complete &= fact.is_some();
            facts.extend(fact.map(|fact| (fact, member.key_span.to(member.value.span))));
        }
        complete.then_some(facts)
    }

    /// A list of texts under a key; none if it is missing.
    pub(super) fn texts(&mut self, fields: &Fields<'_, '_>, key: &str) -> Vec<Reference> {
        let Some(value) = fields.get(key) else { return Vec::new() };
        let mut words = Vec::new();
        for item in self.list(value, key) {
            match &item.kind {
                JsonValueKind::Text(text) => {
                    words.push(Reference { name: text.to_string(), span: item.span });
                }
                _ => self.wrong(item, "a text", &format!("`{key}`")).unwrap_or_default(),
            }
        }
        words
    }

    /// A list of names under a key; none if it is missing.
    pub(super) fn words(&mut self, fields: &Fields<'_, '_>, key: &str) -> Vec<Reference> {
        let mut words = self.texts(fields, key);
        words.retain(|word| self.legal(&word.name, word.span));
        words
    }
}
