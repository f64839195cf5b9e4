//! Where fuzzing begins: the corpus, random domains, and questions about both.
//!
//! In:   the `domains/` folder and seeds for random domains.
//! Out:  texts for each target, and the included files they name.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use throng_base::SplitMix;
use throng_domain::formats::json;
use throng_domain::model::Range;
use throng_domain::{Format, Limits, Model, load};
use throng_lab::corpus;
use throng_suite::random;
use throng_suite::random::stated::Stated;

/// Larger files would be parsed most of the time.
const LARGEST: usize = 16_000;
/// So many random domains of each kind.
const RANDOM: u64 = 40;

/// `.npc` texts: the corpus, the rejected ones included, and random ones.
pub(crate) fn npc() -> Vec<Vec<u8>> {
    let random = (0..RANDOM).flat_map(|seed| {
        let dice = &mut SplitMix::new(seed);
        let counting = [Stated::any_counting(dice), Stated::any_recipes(dice)];
        let [counting, recipes] = counting.map(|mut stated| {
            stated.keep_possible();
            stated.text()
        });
        [random::instance(seed).text, random::rich_text(seed), counting, recipes]
    });
    let mut seeds = files("npc");
    seeds.extend(random.map(String::into_bytes));
    seeds.push(WIDE.as_bytes().to_vec());
    seeds
}

/// Ranges of one number, below nothing, and as wide as they may be; sets with holes.
const WIDE: &str = "domain wide
var gold: 0..59999
var debt: -30000..29999
var only: 7..7
var price: 1..500
action dig: gold += 700 up to 59999
action lend: gold -= 300, debt += 1  while gold >= price
action pay: debt -= 40 down to -5, gold -= 1  while not (debt = 3 or debt < -2), only = 7
goal rich: gold >= 50000, debt != 0
goal odd: gold < 30 or gold = 50 or gold > 59990
npc n
    can dig, lend, pay
    wants rich, odd
    starts gold = 5, only = 7
";

/// JSON texts: those of the corpus, and all `.npc` texts that load, written as JSON.
pub(crate) fn json() -> Vec<Vec<u8>> {
    let mut seeds = files("json");
    seeds.extend(models().iter().map(|model| json::write(model).into_bytes()));
    seeds.retain(|text| text.len() <= LARGEST);
    seeds
}

/// Lines for `throng solve`: questions about all domains that load, three a text.
pub(crate) fn solve() -> Vec<Vec<u8>> {
    let lines: Vec<String> = models().iter().flat_map(questions).collect();
    let lines: Vec<String> = lines.into_iter().filter(|line| line.len() < LARGEST).collect();
    let mut seeds: Vec<Vec<u8>> =
        lines.chunks(3).map(|some| some.join("\n").into_bytes()).collect();
    seeds.extend(lines.into_iter().map(String::into_bytes));
    seeds.push(
        b"{\"id\": 1, \"file\": \"no_such.npc\", \"goal\": \"g\"}\n\n[]\n\"x\"\n{\n".to_vec(),
    );
    seeds
}

/// Between the domain, the problem and the plan of a text for the target `pddl`.
pub(crate) const NEXT: &str = "\n;;;;\n";

/// Domains with their problems, and a plan: the rejected ones, one with every feature, one that counts.
pub(crate) fn pddl() -> Vec<Vec<u8>> {
    let text = |ending: &str| {
        let found = corpus_files().iter().find(|(name, _)| name.ends_with(ending));
        found.map_or(String::new(), |(_, text)| String::from_utf8_lossy(text).into_owned())
    };
    let mut seeds = vec![EVERYTHING.to_string(), COUNTING.to_string()];
    for name in corpus_files().keys().filter(|name| name.ends_with(".pddl")) {
        let pairs = [("-domain.pddl", "-problem.pddl"), ("-problem.pddl", "-domain.pddl")];
        for (own, other) in pairs {
            let Some(stem) = name.strip_suffix(own) else { continue };
            let partner = format!("{stem}{other}");
            let other = match corpus_files().contains_key(&partner) {
                true => text(&partner),
                false => text(&format!("/pddl/boxes{other}")),
            };
            let (domain, problem) = match own == "-domain.pddl" {
                true => (text(name), other),
                false => (other, text(name)),
            };
            seeds.push(format!("{domain}{NEXT}{problem}{NEXT}(push wagon yard shed)\n0: (load crate wagon shed) [1]"));
        }
    }
    seeds.into_iter().map(String::into_bytes).collect()
}

const EVERYTHING: &str = include_str!("everything.pddl");
const COUNTING: &str = include_str!("counting.pddl");

/// One line of each kind about a domain.
fn questions(model: &Model) -> Vec<String> {
    let domain = json::write(model).replace('\n', " ");
    let mut lines = Vec::new();
    for (number, npc) in model.npcs().iter().enumerate().take(2) {
        let facts = |facts: &[throng_domain::Fact]| {
            let one = |&fact: &throng_domain::Fact| {
                let (variable, value) = model.fact_names(fact);
                format!("{}: {}", json::quote(variable), json::quote(value))
            };
            format!("{{{}}}", facts.iter().map(one).collect::<Vec<_>>().join(", "))
        };
        let set = |range: &Range| {
            let variable = &model.variables()[range.variable.index()];
            let low = variable.values().ends().map_or(0, |ends| ends.0);
            let run = |&(first, last): &(u16, u16)| {
                format!("[{}, {}]", low + i64::from(first), low + i64::from(last))
            };
            let runs: Vec<String> = range.values.runs().iter().map(run).collect();
            format!("{}: [{}]", json::quote(variable.name()), runs.join(", "))
        };
        let head = format!("\"domain\": {domain}, \"npc\": {}", json::quote(npc.name()));
        let from = facts(npc.starts());
        for goal in model.goals().iter().take(2) {
            let name = json::quote(goal.name());
            let to = match goal.ranges() {
                [] => facts(goal.wants()),
                ranges => format!("{{{}}}", ranges.iter().map(set).collect::<Vec<_>>().join(", ")),
            };
            lines.push(format!(
                "{{\"id\": {number}, {head}, \"from\": {from}, \"goal\": {name}, \"max_nodes\": 99}}"
            ));
            lines.push(format!(
                "{{\"max_nodes\": 200, \"id\": \"{number}\", {head}, \"to\": {to}, \
                 \"mode\": \"shortest\", \"planner\": \"auto\", \"without\": []}}"
            ));
        }
    }
    lines
}

fn models() -> Vec<Model> {
    let limits = Limits::default();
    let read = |text: Vec<u8>| {
        let text = String::from_utf8(text).ok()?;
        load("seed.npc", &text, Format::Npc, &limits, &throng_mind::notes::WORDS, &mut fetch).model
    };
    npc().into_iter().filter_map(read).collect()
}

/// The files of the corpus with an ending, in order of their paths.
fn files(ending: &str) -> Vec<Vec<u8>> {
    let with_ending = |(name, _): &(&String, &Vec<u8>)| name.rsplit('.').next() == Some(ending);
    let found = corpus_files().iter().filter(with_ending);
    found.map(|(_, text)| text.clone()).filter(|text| text.len() <= LARGEST).collect()
}

/// An included file: anything of the corpus, by its path in one of its folders.
pub(crate) fn fetch(path: &str) -> Result<String, String> {
    let ending = format!("/{path}");
    let found = corpus_files().iter().find(|(name, _)| name.ends_with(&ending));
    let (_, text) = found.ok_or("no such file")?;
    String::from_utf8(text.clone()).map_err(|error| error.to_string())
}

fn corpus_files() -> &'static BTreeMap<String, Vec<u8>> {
    static FILES: OnceLock<BTreeMap<String, Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let mut found = BTreeMap::new();
        gather(&corpus::folder(), &mut found);
        found
    })
}

fn gather(folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, found);
        } else if let Ok(text) = fs::read(&path) {
            found.insert(path.display().to_string().replace('\\', "/"), text);
        }
    }
}
