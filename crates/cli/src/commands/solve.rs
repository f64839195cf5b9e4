//! `throng solve`: the machine door. One JSON problem a line in, one JSON answer a line out.
//!
//! In:   lines of any number; each names its domain by value or by a file below a folder.
//! Out:  an answer per line, in order; a bad line gets an `error` and the stream goes on.
//! Cost: flat memory: lines are bounded, compiled domains are kept in a bounded shelf.

mod files;
mod wanted;

use crate::FINE;
use crate::args::SolveArgs;
use crate::args::names::{MODES, meant, planner};
use crate::args::plan::whole_number;
use crate::console::{CommandResult, Console, Fail, bad, cannot, plain};
use crate::question::{one_value_each, only_npc, set_checks, set_cost};
use crate::shapes::AnswerShape;
use files::{Files, domain_of};
use serde_json::value::RawValue;
use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use throng::{Domain, Fact, Npc, Planner, Request, Scratch, Target};
use throng_base::{DidYouMean, nearest};
use throng_domain::Limits;
use throng_domain::formats::Loaded;
use throng_domain::formats::json::read_value;
use throng_domain::formats::json::tree::{JsonMember, JsonValue, JsonValueKind, parse};
use throng_domain::source::{FileId, Sources};
use wanted::{value_fact, wanted};

/// How planners are called that a program added, and that are not asked here.
type Added = &'static [&'static str];

pub(crate) fn run(args: &SolveArgs, added: Added, console: &mut Console<'_>) -> CommandResult {
    let path = args.file.as_deref().filter(|path| *path != Path::new("-"));
    let files = Files::of(args)?;
    match path {
        None => {
            let input = console.take_input();
            stream_into(input, files, added, console)
        }
        Some(path) if path.is_dir() => {
            bad(format!("`{}` is a folder; name a file of problems", path.display()))
        }
        Some(path) => {
            let file = std::fs::File::open(path).or_else(cannot("read", path))?;
            stream_into(file, files, added, console)
        }
    }
}

/// Answers every line of `input` on the console's results, for callers in the same process; files
/// are read from the folder that it is run in.
pub fn stream(input: impl Read, console: &mut Console<'_>) -> u8 {
    stream_into(input, Files::here(), &[], console).unwrap_or(crate::BAD)
}

/// A line longer than this is refused, not read into memory.
const LINE_BYTES: usize = 4 << 20;

/// Bytes of input that are read at once.
const CHUNK_BYTES: usize = 64 << 10;

fn stream_into(
    input: impl Read,
    files: Files,
    added: Added,
    console: &mut Console<'_>,
) -> CommandResult {
    let mut input = BufReader::with_capacity(CHUNK_BYTES, input);
    let mut solver = Solver {
        limits: Limits { text_bytes: LINE_BYTES, ..Limits::for_strangers() },
        files,
        shelf: Shelf::default(),
        scratch: Scratch::default(),
        stop: Arc::clone(console.stop()),
        added,
    };
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        // Reading on may block. Whoever waits for the last answer before asking again must have
        // it by then.
        if !input.buffer().contains(&b'\n') {
            console.flush()?;
        }
        number += 1;
        line.clear();
        let whole = match read_line(&mut input, &mut line) {
            Ok(None) => return Ok(FINE),
            Ok(Some(whole)) => whole,
            Err(error) => return bad(format!("cannot read line {number}: {}", plain(&error))),
        };
        if console.interrupted() {
            return Ok(crate::INTERRUPTED);
        }
        if whole && line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let answer = match (whole, std::str::from_utf8(&line)) {
            (false, _) => {
                let text = format!("the line is longer than {LINE_BYTES} bytes");
                Err(Fail::known("line_too_long", text))
            }
            (_, Err(_)) => Err(Fail::known("not_text", "the line is not UTF-8 text")),
            (_, Ok(text)) => solver.line(text, number),
        };
        let text = match answer {
            Ok(text) => text,
            Err(fail) => error(&fail, None, number),
        };
        console.json_line(&text)?;
    }
}

/// Reads a line without its end: `None` at the end of the input, `false` if it was longer than
/// allowed and its rest was skipped.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<Option<bool>> {
    let read = input.by_ref().take(LINE_BYTES as u64 + 1).read_until(b'\n', line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.ends_with(b"\n") {
        line.pop();
        return Ok(Some(true));
    }
    if read <= LINE_BYTES {
        return Ok(Some(true));
    }
    line.clear();
    input.skip_until(b'\n')?;
    Ok(Some(false))
}

/// The answer to a line that cannot be answered.
fn error(fail: &Fail, id: Option<&RawValue>, line: u64) -> String {
    serde_json::to_string(&AnswerShape::error(id, Some(line), fail.reason())).unwrap_or_default()
}

const KEYS: [&str; 13] = [
    "id",
    "domain",
    "file",
    "npc",
    "from",
    "goal",
    "to",
    "without",
    "only",
    "costs",
    "planner",
    "mode",
    "max_nodes",
];

/// The members of a line, each known and given once.
struct Fields<'v, 't> {
    members: &'v [JsonMember<'t>],
}

impl<'v, 't> Fields<'v, 't> {
    fn new(members: &'v [JsonMember<'t>]) -> Result<Self, Fail> {
        for (at, member) in members.iter().enumerate() {
            if !KEYS.contains(&member.key.as_ref()) {
                let hint = match nearest(&member.key, KEYS) {
                    None => format!("; the keys are: {}", KEYS.join(", ")),
                    near => DidYouMean(near).to_string(),
                };
                let text = format!("unknown key `{}`{hint}", member.key);
                return Err(Fail::known("unknown_key", text));
            }
            // At most thirteen known keys, so this is no quadratic trap.
            if members[..at].iter().any(|other| other.key == member.key) {
                let text = format!("key `{}` stands twice", member.key);
                return Err(Fail::known("key_twice", text));
            }
        }
        Ok(Fields { members })
    }

    fn get(&self, key: &str) -> Option<&'v JsonValue<'t>> {
        let found = self.members.iter().find(|member| member.key == key);
        found.map(|member| &member.value).filter(|value| !matches!(value.kind, JsonValueKind::Null))
    }

    fn text(&self, key: &str) -> Result<Option<&'v str>, Fail> {
        match self.get(key).map(|value| &value.kind) {
            None => Ok(None),
            Some(JsonValueKind::Text(text)) => Ok(Some(text)),
            Some(other) => Err(wrong(key, "a text", other)),
        }
    }

    fn texts(&self, key: &str) -> Result<Option<Vec<&'v str>>, Fail> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let JsonValueKind::List(items) = &value.kind else {
            return Err(wrong(key, "a list of texts", &value.kind));
        };
        let text = |item: &'v JsonValue<'t>| match &item.kind {
            JsonValueKind::Text(text) => Ok(text.as_ref()),
            other => Err(wrong(key, "a list of texts", other)),
        };
        items.iter().map(text).collect::<Result<_, _>>().map(Some)
    }

    fn facts(&self, key: &str, domain: &Domain) -> Result<Option<Vec<Fact>>, Fail> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let JsonValueKind::Object(members) = &value.kind else {
            return Err(wrong(key, "an object of variables and values", &value.kind));
        };
        let mut facts = Vec::with_capacity(members.len());
        for member in members {
            facts.push(value_fact(&member.value, &member.key, domain)?);
        }
        facts.sort_unstable();
        // Sorted, so two values of one variable are neighbours.
        for pair in facts.windows(2) {
            one_value_each(domain, pair)?;
            if pair[0] == pair[1] {
                let variable = domain.compiled().map().variable(pair[0].variable);
                let text = format!("`{variable}` stands twice in `{key}`");
                return Err(Fail::known("key_twice", text));
            }
        }
        Ok(Some(facts))
    }

    fn set_costs(&self, npc: &mut Npc) -> Result<(), Fail> {
        let Some(value) = self.get("costs") else { return Ok(()) };
        let JsonValueKind::Object(members) = &value.kind else {
            return Err(wrong("costs", "an object of actions and costs", &value.kind));
        };
        let mut seen = HashSet::with_capacity(members.len());
        for member in members {
            let JsonValueKind::Number(cost) = &member.value.kind else {
                return Err(wrong(&member.key, "a cost", &member.value.kind));
            };
            if !seen.insert(member.key.as_ref()) {
                let text = format!("`{}` stands twice in `costs`", member.key);
                return Err(Fail::known("key_twice", text));
            }
            // Actions are written out here, as in the JSON twin: no template stands for many.
            npc.domain().action(&member.key)?;
            set_cost(npc, &member.key, cost)?;
        }
        Ok(())
    }
}

fn wrong(key: &str, fits: &str, found: &JsonValueKind<'_>) -> Fail {
    Fail::known("wrong_type", format!("`{key}` must be {fits}; found {}", found.words()))
}

struct Solver {
    limits: Limits,
    files: Files,
    shelf: Shelf,
    scratch: Scratch,
    stop: Arc<AtomicBool>,
    added: Added,
}

impl Solver {
    /// The answer to one line, as JSON; an `Err` is a line whose id cannot be read.
    fn line(&mut self, text: &str, number: u64) -> Result<String, Fail> {
        let value = parse(text, FileId(0), self.limits.json_depth).map_err(|diagnostic| {
            let mut sources = Sources::default();
            sources.add("", text);
            let column = sources.place(diagnostic.span).column;
            Fail::known("not_json", format!("column {column}: {}", diagnostic.text))
        })?;
        let JsonValueKind::Object(members) = &value.kind else {
            return Err(Fail::known("not_json", "a line must be a JSON object"));
        };
        let id = members.iter().find(|member| member.key == "id").map(|member| member.value.span);
        let id = id.and_then(|span| text.get(span.start as usize..span.end as usize));
        let id = id.and_then(|id| serde_json::from_str(id).ok());
        let answer = self.solve(text, members, id);
        Ok(answer.unwrap_or_else(|fail| error(&fail, id, number)))
    }

    fn solve(
        &mut self,
        text: &str,
        members: &[JsonMember<'_>],
        id: Option<&RawValue>,
    ) -> Result<String, Fail> {
        let fields = Fields::new(members)?;
        let domain = self.domain(text, &fields)?;
        let mut npc = match fields.text("npc")? {
            Some(name) => Npc::new(&domain, name)?,
            None => Npc::new(&domain, only_npc(&domain)?)?,
        };
        for fact in fields.facts("from", &domain)?.unwrap_or_default() {
            npc.set_fact(fact);
        }
        let (without, only) = (fields.texts("without")?, fields.texts("only")?);
        if without.is_some() && only.is_some() {
            let text = "`without` and `only` exclude each other";
            return Err(Fail::known("bad_question", text));
        }
        set_checks(&mut npc, without.unwrap_or_default(), only)?;
        fields.set_costs(&mut npc)?;
        let want = match (fields.text("goal")?, fields.get("to")) {
            (Some(goal), None) => domain.goal_target(goal)?,
            (None, Some(to)) => Target::Conditions(wanted(to, &domain)?),
            _ => return Err(Fail::known("bad_question", "give `goal` or `to`, one of the two")),
        };
        let request = self.request(want, &fields)?;
        let answer = Planner::new().plan(&npc, &request, &mut self.scratch);
        let shape = AnswerShape::new(id, &npc, &answer);
        Ok(serde_json::to_string(&shape).unwrap_or_default())
    }

    fn request(&self, want: Target, fields: &Fields<'_, '_>) -> Result<Request, Fail> {
        let stop = Arc::clone(&self.stop);
        let mut request = Request::new(want).stop_when(move || stop.load(Ordering::Relaxed));
        if let Some(name) = fields.text("mode")? {
            request = request.mode(meant(MODES, "mode", name)?);
        }
        if let Some(name) = fields.text("planner")?
            && let Some(engine) = planner(name, self.added)?.engine("solve")?
        {
            request = request.engine(engine);
        }
        match fields.get("max_nodes").map(|value| &value.kind) {
            None => {}
            Some(JsonValueKind::Number(text)) => match whole_number(text) {
                Some(nodes) => request = request.max_nodes(nodes),
                None => {
                    let text = "`max_nodes` must be a whole number, zero or more";
                    return Err(Fail::known("wrong_type", text));
                }
            },
            Some(other) => return Err(wrong("max_nodes", "a whole number", other)),
        }
        Ok(request)
    }

    fn domain(&mut self, text: &str, fields: &Fields<'_, '_>) -> Result<Domain, Fail> {
        match (fields.get("domain"), fields.text("file")?) {
            (Some(value), None) => {
                let span = value.span.start as usize..value.span.end as usize;
                let written = text.get(span).unwrap_or("");
                let limits = &self.limits;
                self.shelf.get(written, || {
                    let mut sources = Sources::default();
                    sources.add("domain", text);
                    let (model, report) =
                        read_value(value, &sources, limits, throng::domain::NOTE_WORDS);
                    Ok(Loaded { model, report, sources })
                })
            }
            (None, Some(path)) => {
                let files = &self.files;
                self.shelf.get(&format!("file {path}"), || files.load(path))
            }
            _ => Err(Fail::known("bad_question", "give `domain` or `file`, one of the two")),
        }
    }
}

/// Domains compiled before. When it is full it is cleared: a stream of ever new domains costs
/// their compilation, never more memory.
#[derive(Default)]
struct Shelf {
    domains: HashMap<String, Domain>,
    bytes: usize,
}

/// Bytes of domain text on the shelf; the tables take a few times as much.
const SHELF_BYTES: usize = 8 << 20;
/// Domains on the shelf.
const SHELF_DOMAINS: usize = 1024;

impl Shelf {
    fn get(
        &mut self,
        key: &str,
        load: impl FnOnce() -> Result<Loaded, Fail>,
    ) -> Result<Domain, Fail> {
        if let Some(domain) = self.domains.get(key) {
            return Ok(domain.clone());
        }
        let domain = domain_of(load())?;
        let texts = domain.model().sources().files().iter().map(|file| file.text().len());
        let size = key.len() + texts.sum::<usize>();
        if self.bytes + size > SHELF_BYTES || self.domains.len() >= SHELF_DOMAINS {
            self.domains.clear();
            self.bytes = 0;
        }
        self.bytes += size;
        self.domains.insert(key.to_string(), domain.clone());
        Ok(domain)
    }
}
