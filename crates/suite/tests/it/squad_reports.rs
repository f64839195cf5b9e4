//! What members of squads report: whoever says that he has done what was to be done at a place is
//! there, in all levels with squads, whatever chance decides.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may stop")]

use std::collections::BTreeMap;
use throng::Domain;
use throng_mind::squad::{TaskEnd, TaskEvent, TaskNews};
use throng_world::story::run::Play;

/// Chance is drawn anew so many times.
const SEEDS: u64 = 5;
/// Who is so near is there, in cells.
const THERE: f32 = 1.0;
/// Tasks that are done by being where they are to be done.
const AT_A_PLACE: [&str; 4] = ["move", "cover", "flank", "hold"];

/// How far from the place of his task somebody is who has just reported it done.
fn far(play: &Play, news: &TaskNews) -> Option<f32> {
    let is_at_a_place = AT_A_PLACE.contains(&play.words().text(news.task.what));
    let is_done = news.event == TaskEvent::Ended(TaskEnd::Done) && is_at_a_place;
    let place = play.world().actor(news.task.to).filter(|_| is_done)?.cell.place();
    Some((place[0] - news.task.place[0]).hypot(place[1] - news.task.place[1]))
}

#[test]
fn who_reports_a_task_done_is_where_it_was_to_be_done() {
    let mut wrong = Vec::new();
    let mut reports: BTreeMap<String, u32> = BTreeMap::new();
    for file in throng_lab::corpus::files("levels", "npc").unwrap() {
        let domain = Domain::from_file(&file).unwrap();
        let level = file.file_stem().unwrap().to_string_lossy().into_owned();
        for seed in 1..=SEEDS {
            let mut play = Play::of_seed(domain.model(), Some(seed), 1).unwrap();
            if play.minds().spec().squads.is_empty() {
                break;
            }
            while play.tick() {
                for news in play.cast().squads().news() {
                    let Some(far) = far(&play, news) else { continue };
                    *reports.entry(level.clone()).or_default() += 1;
                    if far > THERE {
                        let seconds = play.story().pace.seconds(play.now());
                        let who = play.cast().name_of(news.task.to).unwrap_or_default();
                        let what = play.words().text(news.task.what);
                        wrong.push(format!(
                            "{level}, seed {seed}, {seconds:.1} s: {who} reports `{what}` and is \
                             {far:.1} cells from there"
                        ));
                    }
                }
            }
        }
    }
    println!("{reports:?}");
    assert!(wrong.is_empty(), "{} of {reports:?}\n{}", wrong.len(), wrong.join("\n"));
    assert!(reports.len() >= 5 && reports.values().sum::<u32>() > 100, "{reports:?}");
}
