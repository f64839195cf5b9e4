//! The tutorial `docs/minds.md` is true: its files load, its code is that of the examples, and
//! what it says that the guard does is what he does.
//!
//! In:   the page's blocks: `npc` (statements that are added, or take the place of those of the
//!       same name), `npc guard` and `npc kit` (of the finished files), `npc snippet` (added to the first),
//!       `rs` (of an example), `error` (what `Minds::new` says of names that do not meet), `diary`,
//!       `diary guard` and `diary kit` (what is printed; `…` for any lines between).
//! Out:  the block that is not true.

#![allow(clippy::panic, clippy::expect_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;
use throng::Domain;
use throng::mind::{Acting, Body, Minds, Progress};
use throng_suite::page_blocks::{blocks, edited, is_in, statements};

#[path = "../../../throng/examples/first_mind.rs"]
#[expect(dead_code, reason = "its `main` prints what is compared here")]
mod first_mind;

const GUARD: &str = include_str!("../../../throng/examples/guard/guard.npc");
const ON_THE_KIT: &str = include_str!("../../../throng/examples/kit/guard.npc");

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

fn lived(text: &str) -> Vec<String> {
    let domain = Domain::from_text(text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    first_mind::live(&domain).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

#[test]
fn each_step_does_what_the_page_shows() {
    let page = read("../../docs/minds.md");
    let finished: Vec<String> =
        read("../throng/tests/diaries/guard.txt").lines().map(String::from).collect();
    let on_the_kit: Vec<String> =
        read("../throng/tests/diaries/kit.txt").lines().map(String::from).collect();
    let (mut text, mut shown) = (String::new(), 0);
    for (kind, block) in blocks(&page) {
        match kind.as_str() {
            "npc" => text = edited(&text, &block),
            "diary" => {
                is_in(&block, &lived(&text));
                shown += 1;
            }
            "error" => {
                let mistyped =
                    Body::new().behaviour("inspct", |_: &mut Acting<'_, ()>| Progress::Done);
                let domain = Domain::from_text(&text).expect("the page's file");
                let spec = domain.mind_spec(10).expect("the page's file");
                let refused = Minds::new(spec, mistyped.expects(&["nosie"]), 1);
                let told = refused.err().expect("two names are wrong").to_string();
                is_in(&block, &told.lines().map(String::from).collect::<Vec<_>>());
                shown += 1;
            }
            "diary guard" | "diary kit" => {
                is_in(&block, if kind.ends_with("kit") { &on_the_kit } else { &finished });
                shown += 1;
            }
            _ => {}
        }
    }
    assert_eq!(shown, 9, "all diaries were found");

    // "Set the cost of `shoot` to 1 …": the page's fourth step, tried.
    let cheap = text.replace("cost 5", "cost 1");
    let diary = lived(&cheap);
    assert!(diary.iter().any(|line| line.contains("plans draw, shoot:")), "{diary:#?}");
}

#[test]
fn code_on_the_page_is_code_of_the_examples() {
    let page = read("../../docs/minds.md");
    let files =
        ["first_mind.rs", "guard/main.rs", "guard/yard.rs", "kit/main.rs", "kit/answers.rs"];
    let code: String = files.map(|file| read(&format!("../throng/examples/{file}"))).concat();
    // Only this test needs more than the example itself does.
    let code = code.replace("pub(crate) ", "");
    let live = &code[code.find("fn live(").unwrap()..code.find("fn main()").unwrap()];
    assert!(page.contains(live), "`live` on the page is not that of first_mind.rs");
    let fragments = blocks(&page).into_iter().filter(|(kind, _)| kind == "rs");
    let fragments: Vec<String> = fragments.map(|(_, block)| block).collect();
    assert!(fragments.len() >= 6);
    for fragment in fragments {
        assert!(code.contains(&fragment), "no example has:\n{fragment}");
    }
}

#[test]
fn statements_on_the_page_are_those_of_the_file_or_can_be_added_to_it() {
    let page = read("../../docs/minds.md");
    // The file is laid out in columns; the page need not be.
    let plain = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let [own, kit] =
        [GUARD, ON_THE_KIT].map(|file| statements(file).iter().map(plain).collect::<Vec<String>>());
    let mut tried = 0;
    for (kind, block) in blocks(&page) {
        match kind.as_str() {
            "npc guard" | "npc kit" => {
                let known = if kind == "npc kit" { &kit } else { &own };
                for statement in statements(&block) {
                    assert!(
                        known.contains(&plain(&statement)),
                        "{kind} does not have:\n{statement}"
                    );
                    tried += 1;
                }
            }
            "npc snippet" => {
                let text = edited(GUARD, &block);
                let domain = Domain::from_text(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
                domain.mind_spec(10).unwrap_or_else(|why| panic!("{why}\n{text}"));
                tried += 1;
            }
            _ => {}
        }
    }
    assert!(tried >= 12, "{tried}");
}

/// Links into the language's page lead somewhere.
#[test]
fn links_lead_somewhere() {
    let page = read("../../docs/minds.md");
    let language = read("../../docs/language.md");
    let anchor = |title: &str| -> String {
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let title = title.trim_start_matches('#').trim().to_lowercase();
        title.chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    let anchors: Vec<String> =
        language.lines().filter(|line| line.starts_with('#')).map(anchor).collect();
    let links = page.split("](language.md#").skip(1).filter_map(|rest| rest.split(')').next());
    let links: Vec<&str> = links.collect();
    assert!(links.len() >= 10);
    for link in links {
        assert!(anchors.iter().any(|anchor| anchor == link), "no title for #{link}");
    }
}
