//! What JSON says of amounts: ranges, sets of values, shifts, comparisons.
//!
//! In:   `"range": [0, 100]` of a variable; `"ranges": {"hp": [[50, 100]], "pick": ["stone"]}`,
//!       `"shifts": {"mp": -5, "hp": {"add": 10, "up_to": 100}}` and
//!       `"compare": [["gold", ">=", "price"]]` of an action, goal or test. Numbers are those of
//!       the designer.
//! Out:  the same in positions; whatever does not fit is reported and left out.
//! Cost: linear in what is read.

use super::*;
use crate::model::{Comparison, Range, Shift, VariableId};
use crate::token::{Relation, SIGNS, WordKind};

/// Things with their places; nothing if one of them could not be read.
type Read<T> = Option<Vec<(T, Span)>>;

impl Reader<'_> {
    /// The ends of the range of a variable.
    pub(super) fn range(&mut self, value: &JsonValue<'_>) -> Option<(i64, i64)> {
        let fits = "a list of two whole numbers";
        let JsonValueKind::List(ends) = &value.kind else {
            return self.wrong(value, fits, "`range`");
        };
        let [low, high] = &ends[..] else { return self.wrong(value, fits, "`range`") };
        let [low, high] = [low, high].map(|end| self.whole_number(end, "`range`"));
        let place = |end: &JsonValue<'_>| end.span;
        let span = place(&ends[0]).to(place(&ends[1]));
        self.builder.range(low?, high?, span)
    }

    /// A whole number, perhaps as a text.
    fn whole_number(&mut self, value: &JsonValue<'_>, what: &str) -> Option<i64> {
        let number = match &value.kind {
            JsonValueKind::Number(text) => names::as_integer(text),
            JsonValueKind::Text(text) => names::as_integer(text),
            _ => None,
        };
        if number.is_none() {
            return self.wrong(value, "a whole number", what);
        }
        number
    }

    /// The sets of values under a key.
    pub(super) fn ranges(&mut self, fields: &Fields<'_, '_>, key: &str) -> Read<Range> {
        let Some(value) = fields.get(key) else { return Some(Vec::new()) };
        let JsonValueKind::Object(members) = &value.kind else {
            return self.wrong(value, "an object of variables and sets", &format!("`{key}`"));
        };
        let found: Vec<Option<(Range, Span)>> =
            self.each_key_once(members).into_iter().map(|member| self.set(member)).collect();
        found.into_iter().collect()
    }

    /// `"hp": [[50, 100], 3]` or `"pick": ["stone", "iron"]`.
    pub(super) fn set(&mut self, member: &JsonMember<'_>) -> Option<(Range, Span)> {
        let name = Word { text: &member.key, span: member.key_span };
        let variable = self.builder.find_variable(name.text, name.span)?;
        let is_amount = self.builder.model[variable].values().ends().is_some();
        let what = format!("the values of `{}`", name.text);
        let JsonValueKind::List(items) = &member.value.kind else {
            return self.wrong(&member.value, "a list", &what);
        };
        let values = if is_amount {
            let runs: Vec<_> = items.iter().map(|item| self.run(item, &what)).collect();
            let runs: Vec<_> = runs.into_iter().collect::<Option<_>>()?;
            self.builder.set_of_numbers(variable, &runs, name)?
        } else {
            let found: Vec<_> = items.iter().map(|item| self.position(variable, item)).collect();
            let found: Vec<_> = found.into_iter().collect::<Option<_>>()?;
            self.builder.set_of(variable, found, name)?
        };
        let span = name.span.to(member.value.span);
        Some((Range { variable, values }, span))
    }

    /// `[50, 100]`, or one number.
    fn run(&mut self, item: &JsonValue<'_>, what: &str) -> Option<((i64, i64), Span)> {
        let JsonValueKind::List(ends) = &item.kind else {
            return self.whole_number(item, what).map(|only| ((only, only), item.span));
        };
        let [first, last] = &ends[..] else {
            return self.wrong(item, "a list of two whole numbers", what);
        };
        let [first, last] = [first, last].map(|end| self.whole_number(end, what));
        Some(((first?, last?), item.span))
    }

    fn position(&mut self, variable: VariableId, item: &JsonValue<'_>) -> Option<(u16, u16)> {
        let word = self.value_word(item)?;
        let value = self.builder.find_value(variable, word, item.span)?;
        let at = u16::try_from(value.index()).ok()?;
        Some((at, at))
    }

    /// How amounts move.
    pub(super) fn shifts(&mut self, fields: &Fields<'_, '_>) -> Read<Shift> {
        let Some(value) = fields.get("shifts") else { return Some(Vec::new()) };
        let JsonValueKind::Object(members) = &value.kind else {
            return self.wrong(value, "an object of variables and numbers", "`shifts`");
        };
        let found: Vec<Option<(Shift, Span)>> =
            self.each_key_once(members).into_iter().map(|member| self.shift(member)).collect();
        found.into_iter().collect()
    }

    /// `"mp": -5` or `"hp": {"add": 10, "up_to": 100}`.
    fn shift(&mut self, member: &JsonMember<'_>) -> Option<(Shift, Span)> {
        let variable = self.builder.find_variable(&member.key, member.key_span);
        let (by, stop) = match &member.value.kind {
            JsonValueKind::Object(_) => {
                let known = ["add", "up_to", "down_to"];
                let fields = self.fields(&member.value, "a shift", &known)?;
                let Some(add) = fields.get("add") else {
                    self.missing(&fields, "add");
                    return None;
                };
                let by = self.whole_number(add, "`add`")?;
                (by, self.stop(&fields, by)?)
            }
            _ => (self.whole_number(&member.value, "a shift")?, None),
        };
        let span = member.key_span.to(member.value.span);
        let shift = self.builder.shift((variable?, member.key_span), by, stop)?;
        Some((shift, span))
    }

    /// Where a shift stops; `None` if it should stop on the other side.
    fn stop(&mut self, fields: &Fields<'_, '_>, by: i64) -> Option<Option<(i64, Span)>> {
        let wrong_key = if by < 0 { "up_to" } else { "down_to" };
        if let Some(value) = fields.get(wrong_key) {
            let what = format!("`{wrong_key}` beside `\"add\": {by}`");
            return self.wrong(value, "nothing", &what);
        }
        let key = if by < 0 { "down_to" } else { "up_to" };
        let Some(value) = fields.get(key) else { return Some(None) };
        let number = self.whole_number(value, &format!("`{key}`"))?;
        Some(Some((number, value.span)))
    }

    /// Amounts that are compared with amounts.
    pub(super) fn comparisons(&mut self, fields: &Fields<'_, '_>) -> Read<Comparison> {
        let Some(value) = fields.get("compare") else { return Some(Vec::new()) };
        let items = self.list(value, "compare");
        let found: Vec<_> = items.iter().map(|item| self.comparison(item)).collect();
        found.into_iter().collect()
    }

    /// `["gold", ">=", "price"]`.
    fn comparison(&mut self, item: &JsonValue<'_>) -> Option<(Comparison, Span)> {
        let fits = "an amount, a sign and an amount";
        let JsonValueKind::List(words) = &item.kind else {
            return self.wrong(item, fits, "`compare`");
        };
        let text = |value: &JsonValue<'_>| match &value.kind {
            JsonValueKind::Text(text) => Some(text.to_string()),
            _ => None,
        };
        let [left, sign, right] = &words[..] else { return self.wrong(item, fits, "`compare`") };
        let [Some(left_name), Some(sign_text), Some(right_name)] = [left, sign, right].map(text)
        else {
            return self.wrong(item, fits, "`compare`");
        };
        let Some(relation) = relation(&sign_text) else {
            return self.wrong(sign, "one of `=`, `!=`, `<`, `<=`, `>`, `>=`", "a sign");
        };
        let left_id = self.builder.find_variable(&left_name, left.span);
        let right_id = self.builder.find_variable(&right_name, right.span);
        let (left, right) = ((left_id?, left.span), (right_id?, right.span));
        let comparison = self.builder.comparison(left, relation, right)?;
        Some((comparison, item.span))
    }
}

fn relation(sign: &str) -> Option<Relation> {
    let (_, kind) = SIGNS.iter().find(|(text, _)| *text == sign)?;
    WordKind::relation(*kind)
}

#[cfg(test)]
mod tests {
    use crate::amounts::{ShiftBy, ShiftEnd, ValueSet};
    use crate::compile::CompiledDomain;
    use crate::diagnostics::{Code, Report};
    use crate::formats::json::{read, write};
    use crate::limits::Limits;
    use crate::model::{Model, Target};
    use crate::source::Sources;

    const VARIABLES: &str = r#"
        {"name": "hp", "range": [0, 100]}, {"name": "mood", "range": [-3, 3]},
        {"name": "gold", "range": [0, 60]}, {"name": "price", "range": [10, 30]},
        {"name": "pick", "values": ["none", "wood", "stone", "iron"]}"#;

    fn read_text(text: &str) -> (Option<Model>, Report) {
        let mut sources = Sources::default();
        sources.add("d.json", text);
        read(&sources, &Limits::default(), &[])
    }

    fn load(actions: &str, rest: &str) -> Result<Model, Vec<Code>> {
        let text = format!(
            "{{\"throng\": 1, \"domain\": \"d\", \"variables\": [{VARIABLES}],
              \"actions\": [{actions}]{rest}}}"
        );
        let (model, report) = read_text(&text);
        model.ok_or(report.diagnostics().iter().map(|it| it.code).collect())
    }

    fn action(body: &str) -> Result<Model, Vec<Code>> {
        load(&format!("{{\"name\": \"a\", {body}}}"), "")
    }

    /// What the one action of a model asks and does, in positions.
    fn told(body: &str) -> String {
        let model = action(body).unwrap();
        let a = &model.actions()[0];
        let ranges: Vec<_> =
            a.ranges().iter().map(|it| (it.variable.0, it.values.runs().to_vec())).collect();
        let facts: Vec<_> = a.requires().iter().map(|it| (it.variable.0, it.value.0)).collect();
        let sets: Vec<_> = a.sets().iter().map(|it| (it.variable.0, it.value.0)).collect();
        let shifts: Vec<_> = a.shifts().iter().map(|it| (it.variable.0, it.by.by)).collect();
        format!("{facts:?} {ranges:?} {sets:?} {shifts:?}")
    }

    #[test]
    fn what_is_asked_comes_into_one_form() {
        for (body, form) in [
            // What a refused shift needs is in the set; a shift that stops needs a known value.
            (r#""shifts": {"hp": 10}"#, "[] [(0, [(0, 90)])] [] [(0, 10)]"),
            (r#""shifts": {"hp": -10}"#, "[] [(0, [(10, 100)])] [] [(0, -10)]"),
            (r#""shifts": {"hp": {"add": 9, "up_to": 80}}"#, "[] [(0, [(0, 100)])] [] [(0, 9)]"),
            (
                r#""ranges": {"hp": [[50, 95], 97]}, "shifts": {"hp": 6}"#,
                "[] [(0, [(50, 94)])] [] [(0, 6)]",
            ),
            // A set of one value is a fact, and a shift of it sets what comes out.
            (r#""ranges": {"hp": [[5, 5]]}"#, "[(0, 5)] [] [] []"),
            (r#""ranges": {"mood": [3]}, "shifts": {"mood": -2}"#, "[(1, 6)] [] [(1, 4)] []"),
            (r#""shifts": {"hp": 100}"#, "[(0, 0)] [] [(0, 100)] []"),
            (
                r#""requires": {"hp": 95}, "shifts": {"hp": {"add": 9, "up_to": 100}}"#,
                "[(0, 95)] [] [(0, 100)] []",
            ),
            (r#""requires": {"hp": "95"}, "ranges": {"hp": [[50, 100]]}"#, "[(0, 95)] [] [] []"),
            // Beyond where it stops, a value stays.
            (
                r#""requires": {"hp": 95}, "shifts": {"hp": {"add": 9, "up_to": 80}}"#,
                "[(0, 95)] [] [] []",
            ),
            (r#""shifts": {"hp": 0}, "sets": {"gold": 5}"#, "[] [(0, [(0, 100)])] [(2, 5)] []"),
            (r#""ranges": {"pick": ["iron", "wood", "stone"]}"#, "[] [(4, [(1, 3)])] [] []"),
        ] {
            assert_eq!(told(body), form, "{body}");
        }
    }

    #[test]
    fn what_cannot_be_is_reported() {
        for (body, code) in [
            (r#""shifts": {"hp": 101}"#, Code::NothingExists),
            (r#""ranges": {"hp": []}"#, Code::NothingExists),
            (r#""ranges": {"hp": [[95, 100]]}, "shifts": {"hp": 10}"#, Code::NothingExists),
            (r#""requires": {"hp": 5}, "ranges": {"hp": [[6, 9]]}"#, Code::NothingExists),
            (r#""sets": {"hp": 5}, "shifts": {"hp": 1}"#, Code::SetsTwoValues),
            (r#""ranges": {"hp": [[90, 101]]}"#, Code::OutsideRange),
            (r#""sets": {"hp": 101}"#, Code::OutsideRange),
            (r#""sets": {"hp": "full"}"#, Code::UnknownValue),
            (r#""ranges": {"hp": [[9, 3]]}"#, Code::EmptyRange),
            (r#""ranges": {"hp": [1, 3, 5, 7, 9]}"#, Code::TooManyParts),
            (r#""ranges": {"hp": [1, 3, 5, 7, 9, 11, 13, 15, 17]}"#, Code::TooManyParts),
            (r#""ranges": {"hp": [[1, 2, 3]]}"#, Code::JsonWrongType),
            (r#""ranges": {"pick": [["wood", "iron"]]}"#, Code::JsonWrongType),
            (r#""ranges": {"pick": ["gold"]}"#, Code::UnknownValue),
            (r#""shifts": {"pick": 1}"#, Code::CountsWithWords),
            (r#""shifts": {"hp": 1.5}"#, Code::JsonWrongType),
            (r#""shifts": {"hp": {"up_to": 3}}"#, Code::JsonMissingKey),
            (r#""shifts": {"hp": {"add": 3, "down_to": 3}}"#, Code::JsonWrongType),
            (r#""shifts": {"hp": {"add": 3, "up_to": 101}}"#, Code::OutsideRange),
            (r#""compare": [["hp", ">=", "pick"]]"#, Code::ComparesWords),
            (r#""compare": [["hp", "=>", "gold"]]"#, Code::JsonWrongType),
            (r#""compare": [["hp", ">="]]"#, Code::JsonWrongType),
            (
                r#""compare": [["hp", ">=", "gold"]], "shifts": {"gold": 1}"#,
                Code::ComparedAmountChanges,
            ),
        ] {
            assert_eq!(action(body).unwrap_err(), [code], "{body}");
        }
        for range in ["[3, 1]", "[0, 60001]", "[0]", "[0, 1.5]", "3"] {
            let text = format!(
                r#"{{"throng": 1, "domain": "d", "variables": [{{"name": "x", "range": {range}}}],
                    "actions": []}}"#
            );
            let (model, report) = read_text(&text);
            assert!(model.is_none() && report.errors() == 1, "{range}");
        }
    }

    #[test]
    fn the_right_side_of_a_comparison_stands_still() {
        let buy =
            r#"{"name": "buy", "compare": [["gold", ">=", "price"]], "shifts": {"gold": -1}}"#;
        let haggle = r#"{"name": "haggle", "shifts": {"price": -1}}"#;
        let both = format!("{buy}, {haggle}");
        let two = r#", "npcs": [{"name": "p", "can": ["buy"]}, {"name": "q", "can": ["haggle"]}]"#;
        let one = r#", "npcs": [{"name": "p", "can": ["buy", "haggle"]}]"#;
        assert!(load(buy, "").is_ok() && load(&both, two).is_ok());
        assert_eq!(load(&both, one).unwrap_err(), [Code::ComparedAmountChanges]);
        // Anybody may be asked for a goal.
        let goal = r#", "goals": [{"name": "g", "compare": [["gold", ">=", "price"]]}]"#;
        let told = load(&both, &format!("{two}{goal}")).unwrap_err();
        assert_eq!(told, [Code::ComparedAmountChanges]);
        let comparison = load(buy, goal).unwrap().actions()[0].comparisons()[0];
        let holds = |gold: u16, price: u16| comparison.holds(gold, price);
        assert!(holds(10, 0) && !holds(9, 0) && holds(30, 20) && !holds(29, 20));
    }

    #[test]
    fn a_domain_that_counts_is_written_and_read_again() {
        let actions = r#"
            {"name": "heal", "shifts": {"hp": {"add": 10, "up_to": 90}, "mood": -1}},
            {"name": "tire", "ranges": {"hp": [[20, 100]]}, "shifts": {"hp": -5}},
            {"name": "fall", "shifts": {"mood": {"add": -2, "down_to": -3}}},
            {"name": "mine", "ranges": {"pick": ["wood", "iron"]}, "shifts": {"gold": 1}},
            {"name": "rest", "ranges": {"hp": [[0, 29], 50]}, "sets": {"hp": 100}},
            {"name": "buy", "compare": [["gold", ">=", "price"]], "sets": {"pick": "iron"}}"#;
        let rest = r#", "goals": [{"name": "ok", "ranges": {"hp": [[50, 100]], "mood": [[-3, 0], 2]},
                       "compare": [["gold", "!=", "price"]], "wants": {"gold": 7}}],
            "npcs": [{"name": "n", "can": ["heal", "tire", "fall", "mine", "rest", "buy"],
                      "wants": ["ok"], "starts": {"hp": 3, "gold": "0"}}],
            "tests": [{"name": "t", "from": {"mood": -2}, "compare": [["hp", ">", "price"]],
                       "to": {"hp": [[50, 100]], "pick": ["wood", "stone"], "mood": 1},
                       "expect": [{"impossible": true}]}]"#;
        let model = load(actions, rest).unwrap();
        let text = write(&model);
        for part in [
            r#""range": [-3, 3]"#,
            r#""shifts": {"hp": {"add": 10, "up_to": 90}, "mood": -1}"#,
            r#""ranges": {"hp": [[20, 100]]}"#,
            r#""shifts": {"mood": {"add": -2, "down_to": -3}}"#,
            r#""ranges": {"pick": ["wood", "iron"]}"#,
            r#""ranges": {"hp": [[0, 29], [50, 50]]}"#,
            r#""compare": [["gold", ">=", "price"]]"#,
            r#""starts": {"hp": 3, "gold": 0}"#,
            r#""to": {"mood": 1, "hp": [[50, 100]], "pick": ["wood", "stone"]}"#,
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains(r#"{"name": "heal", "requires": {}, "ranges""#), "{text}");
        let (again, _) = read_text(&text);
        let again = again.unwrap();
        assert_eq!(again.actions().len(), model.actions().len());
        let bytes = CompiledDomain::canonical_bytes;
        assert_eq!(bytes(&model), bytes(&again));
        assert_eq!(write(&again), text);
        let Target::Conditions(wants) = again.tests()[0].ask() else { panic!() };
        assert_eq!(wants.ranges[0].values, ValueSet::run(50, 100));
        let stop = ShiftBy { by: 10, end: ShiftEnd::Stop(90) };
        assert_eq!(again.actions()[0].shifts()[0].by, stop);
    }
}
