//! The pieces that all statements are read from: members, names, facts, lists.
//!
//! In:   values of the tree.
//! Out:  names, facts and lists; whatever does not fit is reported and left out.
//! Cost: linear in what is read.

use super::*;
use crate::token::Relation;
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
        let mut kept = self.each_key_once(members);
        kept.retain(|member| {
            let is_known = known.contains(&member.key.as_ref());
            if !is_known {
                let near = self.builder.report.nearest(&member.key, known.iter().copied());
                let text = format!("unknown key `{}` in {what}{}", member.key, DidYouMean(near));
                let cure = format!("the keys of {what}: {}", known.join(", "));
                self.builder.report.say(Code::JsonUnknownKey, member.key_span, text, cure);
            }
            is_known
        });
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

    /// The members of an object, each key once; one that stands again is reported.
    pub(super) fn each_key_once<'v, 't>(
        &mut self,
        members: &'v [JsonMember<'t>],
    ) -> Vec<&'v JsonMember<'t>> {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        let mut kept = Vec::with_capacity(members.len());
        for member in members {
            match seen.insert(&member.key, member.key_span) {
                None => kept.push(member),
                Some(first) => self.builder.report.say_also(
                    Code::JsonKeyTwice,
                    member.key_span,
                    (first, "first here"),
                    format!("key `{}` stands twice in one object", member.key),
                    "remove one",
                ),
            }
        }
        kept
    }

    pub(super) fn missing(&mut self, fields: &Fields<'_, '_>, key: &str) {
        // The opening brace is enough to underline: objects can be long.
        let span = Span { end: fields.span.start + 1, ..fields.span };
        let text = format!("key `{key}` is missing in {}", fields.what);
        self.builder.report.say(Code::JsonMissingKey, span, text, format!("add `\"{key}\": …`"));
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
            "a list of two whole numbers" => "`[0, 100]`",
            "an object of variables and sets" => r#"`{"hp": [[50, 100]]}`"#,
            "an object of variables and numbers" => r#"`{"hp": 10}`"#,
            "an amount, a sign and an amount" => r#"`["gold", ">=", "price"]`"#,
            "one of `=`, `!=`, `<`, `<=`, `>`, `>=`" => "`\">=\"`",
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
        let text = format!("expected {fits} for {what}; found {found}");
        let cure = match fits {
            "nothing" => "remove it".to_string(),
            _ => format!("write it as in {example}"),
        };
        self.builder.report.say(Code::JsonWrongType, span, text, cure);
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
        legal || self.not_a_name(name, span)
    }

    /// Whether a text may be the name of an action or a goal; reported if not.
    pub(super) fn legal_reference(&mut self, name: &str, span: Span) -> bool {
        let legal = names::is_json_reference(name);
        legal || self.not_a_name(name, span)
    }

    fn not_a_name(&mut self, name: &str, span: Span) -> bool {
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
        false
    }

    pub(super) fn name<'v>(&mut self, fields: &Fields<'v, '_>, key: &str) -> Option<Word<'v>> {
        self.name_that(fields, key, Self::legal)
    }

    /// The name of an action or a goal.
    pub(super) fn reference<'v>(&mut self, fields: &Fields<'v, '_>, key: &str) -> Option<Word<'v>> {
        self.name_that(fields, key, Self::legal_reference)
    }

    fn name_that<'v>(
        &mut self,
        fields: &Fields<'v, '_>,
        key: &str,
        is_legal: fn(&mut Self, &str, Span) -> bool,
    ) -> Option<Word<'v>> {
        let Some(value) = fields.get(key) else {
            self.missing(fields, key);
            return None;
        };
        let JsonValueKind::Text(text) = &value.kind else {
            return self.wrong(value, "a text", &format!("`{key}`"));
        };
        if !is_legal(self, text, value.span) {
            // Others may use it as it was meant.
            self.builder.add_broken(text.trim());
            return None;
        }
        Some(Word { text, span: value.span })
    }

    /// The name under a key, if there is one.
    pub(super) fn optional_name<'v>(
        &mut self,
        fields: &Fields<'v, '_>,
        key: &str,
    ) -> Option<Word<'v>> {
        fields.get(key).and_then(|_| self.name(fields, key))
    }

    /// The name of a goal under a key, if there is one.
    pub(super) fn optional_reference(
        &mut self,
        fields: &Fields<'_, '_>,
        key: &str,
    ) -> Option<Reference<'static>> {
        let found = fields.get(key).and_then(|_| self.reference(fields, key));
        found.map(|word| word.reference().to_owned())
    }

    /// The number under a key, if there is one; anything else is reported.
    pub(super) fn number<'v>(&mut self, fields: &Fields<'v, '_>, key: &str) -> Option<Word<'v>> {
        match fields.get(key)? {
            JsonValue { kind: JsonValueKind::Number(text), span } => {
                Some(Word { text, span: *span })
            }
            other => self.wrong(other, "a number", &format!("`{key}`")),
        }
    }

    /// A value of a variable: text, or a number or boolean as it would be written in text.
    pub(super) fn value_word<'v>(&mut self, value: &'v JsonValue<'_>) -> Option<&'v str> {
        let word = match &value.kind {
            JsonValueKind::Text(text) => text.as_ref(),
            JsonValueKind::Number(text) if names::as_integer(text).is_some() => text,
            JsonValueKind::Bool(true) => "true",
            JsonValueKind::Bool(false) => "false",
            _ => return self.wrong(value, "a text, a whole number, true or false", "a value"),
        };
        self.legal(word, value.span).then_some(word)
    }

    /// The facts under a key, none if it is missing; what is wrong with one is reported.
    pub(super) fn facts<'v>(&mut self, fields: &Fields<'v, '_>, key: &str) -> Vec<Condition<'v>> {
        let members = self.members(fields, key);
        self.facts_of(&members)
    }

    /// The members under a key, each once; none if it is missing or no object, which is reported.
    pub(super) fn members<'v, 't>(
        &mut self,
        fields: &Fields<'v, 't>,
        key: &str,
    ) -> Vec<&'v JsonMember<'t>> {
        let Some(value) = fields.get(key) else { return Vec::new() };
        match &value.kind {
            JsonValueKind::Object(members) => self.each_key_once(members),
            _ => {
                let fits = "an object of variables and values";
                self.wrong(value, fits, &format!("`{key}`")).unwrap_or_default()
            }
        }
    }

    /// Members as facts; what is wrong with one is reported.
    pub(super) fn facts_of<'v>(&mut self, members: &[&'v JsonMember<'_>]) -> Vec<Condition<'v>> {
        let mut facts = Vec::with_capacity(members.len());
        for member in members {
            let variable = Word { text: &member.key, span: member.key_span };
            facts.extend(self.value_word(&member.value).map(|text| {
                let value = Word { text, span: member.value.span };
                let span = variable.span.to(value.span);
                Condition { variable, argument: None, relation: Relation::Is, value, span }
            }));
        }
        facts
    }

    /// A list of texts under a key; none if it is missing.
    pub(super) fn texts<'v>(&mut self, fields: &Fields<'v, '_>, key: &str) -> Vec<Word<'v>> {
        let Some(value) = fields.get(key) else { return Vec::new() };
        let mut words = Vec::new();
        for item in self.list(value, key) {
            match &item.kind {
                JsonValueKind::Text(text) => words.push(Word { text, span: item.span }),
                _ => self.wrong(item, "a text", &format!("`{key}`")).unwrap_or_default(),
            }
        }
        words
    }

    /// A list of names under a key; none if it is missing.
    pub(super) fn legal_texts<'v>(&mut self, fields: &Fields<'v, '_>, key: &str) -> Vec<Word<'v>> {
        let mut words = self.texts(fields, key);
        words.retain(|word| self.legal(word.text, word.span));
        words
    }

    /// The same, to be looked for.
    pub(super) fn plain_words(
        &mut self,
        fields: &Fields<'_, '_>,
        key: &str,
    ) -> Vec<Reference<'static>> {
        self.legal_texts(fields, key).iter().map(|word| word.reference().to_owned()).collect()
    }

    /// A list of names of actions or goals under a key, to be looked for.
    pub(super) fn words(&mut self, fields: &Fields<'_, '_>, key: &str) -> Vec<Reference<'static>> {
        let mut words = self.texts(fields, key);
        words.retain(|word| self.legal_reference(word.text, word.span));
        words.iter().map(|word| word.reference().to_owned()).collect()
    }
}
