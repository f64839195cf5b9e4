//! What is fuzzed, and what is promised of it.
//!
//! In:   any bytes.
//! Out:  which way they went, or the promise that was broken.
//!
//! | target | promises beside "no panic, no hang" |
//! |---|---|
//! | `npc` | model or errors, never both; every place lies in the text; writing and reading again, as `.npc` or JSON, gives the same domain; every plan survives the replay |
//! | `json` | the same for the twin; what is written is a fixed point |
//! | `layout` | laying out twice changes nothing; every word and comment stays; the domain too |
//! | `pddl` | a task or errors, never both; every place lies in the texts; case makes no difference; plans of every mode survive the judge; through `.sas` it stays the same task |
//! | `sas` | an error with its line, or a task: plans survive the replay; written and read again it is the same |
//! | `solve` | one answer per line that is not blank, valid JSON, in order, with the line's id |

use crate::{layout, pddl, seeds, solve};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use throng::expectations::setting;
use throng::{Answer, Domain, Npc, Planner, Request, Scratch};
use throng_check::{CheckContext, Question, Verdict as Judged, Wanted, replay};
use throng_domain::formats::{self, json, npc};
use throng_domain::model::{Conditions, Target};
use throng_domain::{CompiledDomain, Fact, Format, Limits, Loaded, Model, Report, Sources, load};
use throng_lab::corpus::load_text;
use throng_suite::random::{Told, pairs_of};

/// Which way an input went.
pub(crate) struct Seen {
    /// It was accepted without errors.
    pub(crate) loaded: bool,
    /// It was accepted, or nearly.
    pub(crate) is_near: bool,
    /// Diagnostics, sizes, outcomes: what makes it different from other inputs.
    pub(crate) feature: String,
}

/// What a run gives: the way it went, or the broken promise, its name on the first line.
pub(crate) type Verdict = Result<Seen, String>;

/// Something to fuzz.
pub(crate) struct FuzzTarget {
    pub(crate) name: &'static str,
    /// Words worth inserting.
    pub(crate) words: &'static [&'static str],
    pub(crate) seeds: fn() -> Vec<Vec<u8>>,
    /// Changes what would only make an input slow.
    pub(crate) prepare: fn(Vec<u8>) -> Vec<u8>,
    pub(crate) run: fn(&[u8]) -> Verdict,
}

/// All targets.
pub(crate) const TARGETS: [FuzzTarget; 6] = [
    target("npc", NPC_WORDS, seeds::npc, |bytes| run_file("fuzz.npc", bytes, Format::Npc)),
    target("json", &JSON_WORDS, seeds::json, |bytes| run_file("fuzz.json", bytes, Format::Json)),
    FuzzTarget { prepare: solve::bound, ..target("solve", &JSON_WORDS, seeds::solve, solve::run) },
    target("layout", NPC_WORDS, seeds::npc, layout::run),
    target("pddl", &pddl::WORDS, pddl::seeds, pddl::run),
    target("sas", &pddl::SAS_WORDS, pddl::sas_seeds, pddl::run_sas),
];

/// A target whose inputs are tried as they are.
const fn target(
    name: &'static str,
    words: &'static [&'static str],
    seeds: fn() -> Vec<Vec<u8>>,
    run: fn(&[u8]) -> Verdict,
) -> FuzzTarget {
    FuzzTarget { name, words, seeds, prepare: |text| text, run }
}

#[rustfmt::skip]
const NPC_WORDS: &[&str] = &[
    "domain", "use", "var", "shared", "action", "goal", "capability", "npc", "test", "while", "if",
    "cost", "overrides", "was", "priority", "can", "wants", "starts", "from", "to", "without",
    "only", "expect", "length", "plan", "impossible", "satisfied", "never", "in", "not", "bool",
    "true", "false", ":", ",", "(", ")", "..", "->", "+=", "-=", "=", "!=", "<", "<=", ">", ">=",
    "\"", "\"common.npc\"", "# c", "\n", "\n  ", "-3..3", "0..99999", "a.b-c", "go(x in v)",
    "var v: 0..9\n", "action t(a in v, b in v): v a -> b\n", "or", "and", "not (", "serves",
    "compound", "prefer", "before", "kinds", "compound c: a, b\n", "prefer a before b\n",
    "kinds k if c and not d cost 2, l", "sensor", "symbol", "check", "price", "learn", "flavour", "squad",
    "story", "map", "thing", "node", "actor", "at", "promise", "does", "takes", "relevance",
    "margin", "keep", "cooldown", "urgent", "senses", "otherwise", "memory", "doubt", "retry", "commits",
    "times", "curve", "sure", "keeps", "feeds", "every", "of", "\"#.#\"", "does a  takes 2",
    "relevance if x(sure y >= 0.5) times 2 curve 0 0, 1 1  keep 2  urgent",
    "map\n    \"##\"\n    \"#.\"\n", "symbol v: a if not (x or y), b\n", "up to", "down to", "up",
    "down", "v += 1 up to 3", "v -= 2 down to -1", "0..0", "0..60000", "-30000..29999", "v >= w",
    "v < 3 or v = 5", "not (v = 1 or v = 3)", "var w: 0..60000\n", "amount of self",
];

#[rustfmt::skip]
const JSON_WORDS: [&str; 69] = [
    "{", "}", "[", "]", ":", ",", "\"", "\\", "null", "true", "false", "1", "-1", "1.5", "\"a\"",
    "\"\"", "{}", "[]", "\"throng\": 1", "\"domain\"", "\"variables\"", "\"actions\"", "\"goals\"",
    "\"npcs\"", "\"tests\"", "\"name\"", "\"values\"", "\"requires\"", "\"sets\"", "\"cost\"",
    "\"if\"", "\"overrides\"", "\"was\"", "\"shared\"", "\"wants\"", "\"can\"", "\"starts\"",
    "\"from\"", "\"to\"", "\"id\"", "\"npc\"", "\"only\"", "\"\\ud83d\\u0000\"",
    "\"mode\": \"fast\"", "\"go(a in b)\"", "\"parts\"", "\"kinds\"", "\"prefer\"",
    "\"serves\"", "\"prefer\": [[\"a\", \"b\"]]", "\"notes\"", "\"on\"", "\"text\"",
    "\"on\": \"action go\"", "\"text\": \"keep 2\"", "\"text\": \"map \\\"#\\\"\"",
    "\"notes\": [{\"text\": \"learn go: x(a = it)\"}]", "\"range\": [0, 60000]", "\"range\"",
    "\"ranges\"", "\"shifts\"", "\"compare\"", "[[0, 3], [5, 9]]", "{\"add\": 10, \"up_to\": 100}",
    "{\"add\": -1, \"down_to\": 0}", "[[-3, -3]]", "\"shifts\": {\"a\": -5}", "[[9, 1]]", "60000",
];

/// Small, so that every limit is met and nothing legal is slow.
pub(crate) const LIMITS: Limits = Limits {
    alternatives: 64,
    text_bytes: 150_000,
    files: 6,
    include_depth: 3,
    json_depth: 16,
    name_bytes: 64,
    variables: 200,
    values: 60_000,
    actions: 2_000,
    template: 500,
    declarations: 200,
    entries: 20_000,
};

/// Texts with at most so many kinds of errors are worth going on from.
pub(crate) const NEAR: usize = 1;
/// Pictures of more diagnostics are drawn only now and then: they look alike and take long.
const PICTURES: usize = 30;
/// Searches end here.
const NODES: u64 = 300;
const BYTES: usize = 4 << 20;

pub(crate) fn promise(kept: bool, name: &str, story: impl Fn() -> String) -> Result<(), String> {
    if kept { Ok(()) } else { Err(format!("{name}\n{}", story())) }
}

fn run_file(name: &str, bytes: &[u8], format: Format) -> Verdict {
    let loaded = match formats::decode(name, bytes.to_vec()) {
        Ok(text) => {
            load(name, &text, format, &LIMITS, &throng_mind::notes::WORDS, &mut seeds::fetch)
        }
        Err(refused) => *refused,
    };
    let mut feature = feature(&loaded);
    report_is_sound(loaded.model.is_some(), &loaded.report, &loaded.sources)?;
    let is_near = feature.matches('E').count() <= NEAR;
    let Some(model) = &loaded.model else {
        return Ok(Seen { loaded: false, is_near, feature });
    };
    let same = json_round_trip(model)?;
    match npc::write(model) {
        Ok(text) => npc_round_trip(model, &text, &same)?,
        Err(problems) => {
            let story = || problems.iter().map(|p| format!("{} {}\n", p.what, p.name)).collect();
            // A template over a value called `in` gives names that read like templates; the
            // reference says so.
            let reads_as_template = |name: &str| {
                name.split(' ').nth(1).is_some_and(|word| word.trim_end_matches(')') == "in")
            };
            let known = problems.iter().all(|problem| reads_as_template(&problem.name));
            let fine = format == Format::Json || known;
            promise(fine, "what .npc said cannot be said in .npc", story)?;
            feature.push_str(" unsayable");
        }
    }
    plans(loaded, &mut feature)?;
    Ok(Seen { loaded: true, is_near, feature })
}

/// Codes, and sizes to the nearest power of two.
pub(crate) fn feature(loaded: &Loaded) -> String {
    let sizes = loaded.model.as_ref().map(|model| {
        let sizes = [model.variables().len(), model.actions().len(), model.goals().len()];
        [sizes, [model.npcs().len(), model.tests().len(), model.checks().len()]]
    });
    feature_of(&loaded.report, sizes)
}

/// Codes, and for what was accepted sizes to the nearest power of two.
pub(crate) fn feature_of(report: &Report, sizes: Option<[[usize; 3]; 2]>) -> String {
    let codes: BTreeSet<&str> = report.diagnostics().iter().map(|d| d.code.id()).collect();
    let mut feature = codes.into_iter().collect::<Vec<_>>().join(" ");
    for size in sizes.iter().flatten().flatten() {
        let _ = write!(feature, " {}", usize::BITS - size.leading_zeros());
    }
    feature
}

pub(crate) fn report_is_sound(
    loads: bool,
    report: &Report,
    sources: &Sources,
) -> Result<(), String> {
    promise(loads != report.has_errors(), "a model or errors", String::new)?;
    for found in report.diagnostics() {
        let file = sources.file(found.span.file);
        let span = found.span.start as usize..found.span.end as usize;
        let inside = file.is_some_and(|file| file.text().get(span).is_some());
        promise(inside, "every place lies in the text", || format!("{found:?}"))?;
        let said = !found.text.is_empty() && !found.cure.is_empty();
        promise(said, "every diagnostic has a text and a cure", || format!("{found:?}"))?;
        let line = found.short(sources);
        let plain = !line.contains(char::is_control) && !found.cure.contains(char::is_control);
        promise(plain, "no control characters in messages", || {
            format!("{line:?} {:?}", found.cure)
        })?;
    }
    if report.diagnostics().len() > PICTURES && !report.errors().is_multiple_of(16) {
        return Ok(());
    }
    let picture = throng_cli::render::render(report, sources, false);
    promise(picture.is_empty() == report.diagnostics().is_empty(), "a picture", String::new)
}

/// JSON gives the same domain and, written again, the same text, which is returned.
fn json_round_trip(model: &Model) -> Result<String, String> {
    let text = json::write(model);
    let again = load_text(&text, Format::Json);
    same_domain("JSON reads back the same", model, &again, &text)?;
    let second = again.model.as_ref().map(json::write).unwrap_or_default();
    promise(second == text, "written JSON is a fixed point", || format!("{text}\n---\n{second}"))?;
    Ok(text)
}

/// Written `.npc` gives the same domain, tests included.
fn npc_round_trip(model: &Model, text: &str, json: &str) -> Result<(), String> {
    let again = load_text(text, Format::Npc);
    same_domain(".npc reads back the same", model, &again, text)?;
    let second = again.model.as_ref().map(json::write).unwrap_or_default();
    let story = || format!("{text}\n---\n{json}\n---\n{second}");
    promise(second == json, "the twin is the same after .npc", story)?;
    let laid_out =
        npc::format(text, &throng_mind::notes::WORDS).is_ok_and(|laid_out| laid_out == text);
    promise(laid_out, "written .npc is laid out", || text.to_string())
}

pub(crate) fn same_domain(
    name: &str,
    model: &Model,
    again: &Loaded,
    text: &str,
) -> Result<(), String> {
    let bytes = CompiledDomain::canonical_bytes;
    let same = again.model.as_ref().is_some_and(|again| bytes(again) == bytes(model));
    let errors = || {
        let lines = again.report.diagnostics().iter().map(|found| found.short(&again.sources));
        format!("{}\n{text}", lines.collect::<Vec<_>>().join("\n"))
    };
    promise(same, name, errors)
}

/// Compiles, plans with small limits, and has every plan replayed by the judge.
fn plans(loaded: Loaded, feature: &mut String) -> Result<(), String> {
    let Ok(domain) = Domain::from_loaded(loaded) else { return Ok(()) };
    let model = domain.model();
    let mut scratch = Scratch::default();
    for id in domain.compiled().npcs().iter().take(6).map(|npc| npc.id()) {
        let Some(npc) = Npc::of_type(&domain, id) else { continue };
        let answer = ask(&npc, Request::best(), &mut scratch);
        let goal = answer.goal().map(|goal| model.goals()[goal.index()].conditions());
        let name = model.npcs()[id.index()].name();
        judge(
            model,
            name,
            &[],
            goal.unwrap_or_default(),
            CheckContext::Without(&[]),
            &answer,
            feature,
        )?;
    }
    for test in model.tests().iter().take(6) {
        let Some((npc, request)) = setting(&domain, test) else { continue };
        let answer = ask(&npc, request, &mut scratch);
        let wants = match test.ask() {
            Target::Conditions(wants) => wants.conditions(),
            _ => answer
                .goal()
                .map(|goal| model.goals()[goal.index()].conditions())
                .unwrap_or_default(),
        };
        let told = Told::of(model, test.context());
        let name = model.npcs()[test.npc().index()].name();
        judge(model, name, test.from(), wants, told.context(), &answer, feature)?;
    }
    Ok(())
}

fn ask(npc: &Npc, request: Request, scratch: &mut Scratch) -> Answer {
    Planner::new().plan(npc, &request.max_nodes(NODES).max_bytes(BYTES), scratch)
}

fn judge(
    model: &Model,
    npc: &str,
    from: &[Fact],
    to: Conditions<'_>,
    context: CheckContext<'_>,
    answer: &Answer,
    feature: &mut String,
) -> Result<(), String> {
    if !answer.is_solved() {
        let _ = write!(feature, " {}", answer.reason_code());
        return promise(!answer.reason().is_empty(), "every no has a reason", String::new);
    }
    let _ = write!(feature, " plan{}", usize::BITS - answer.plan().len().leading_zeros());
    let (from, wants) = (pairs_of(model, from), Wanted::of(model, to));
    let question = Question { npc, from: &from, wants: &wants, context, ..Question::default() };
    let plan: Vec<&str> = answer.plan().names().collect();
    let judged = replay(model, &question, &plan);
    let valid = judged == Ok(Judged::Valid { cost: answer.plan().cost() });
    promise(valid, "every plan survives the replay", || format!("{plan:?}: {judged:?}"))
}
