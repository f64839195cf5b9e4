//! The logs of all stories: every death has its cause, and idling is a small part of what is told.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

use throng::Domain;
use throng_world::story::log::Log;
use throng_world::story::run::Play;

#[test]
fn logs_name_the_cause_of_every_death_and_tell_little_of_idling() {
    let mut wrong = Vec::new();
    let (mut n_deaths, mut all_told, mut all_idle) = (0, 0, 0);
    let all = throng_lab::corpus::stories().unwrap().into_iter();
    for path in all.filter(|path| path.file_stem().is_none_or(|name| name != "market_hundred")) {
        let domain = Domain::from_file(&path).unwrap();
        let mut play = Play::of(domain.model(), 2).unwrap();
        let (mut log, mut told, mut idle) = (Log::default(), 0_usize, 0_usize);
        let name = play.story().name.clone();
        while play.tick() {
            for line in log.tick(&play).iter().filter(|line| !line.is_minor) {
                told += 1;
                idle += usize::from(line.is_idle);
                if line.told.id == "dies" {
                    n_deaths += 1;
                    if line.told.why.is_none() {
                        wrong.push(format!("{name}: {:?} died of nothing", line.who));
                    }
                }
            }
        }
        (all_told, all_idle) = (all_told + told, all_idle + idle);
        if idle * 10 >= told {
            wrong.push(format!("{name}: {idle} of {told} lines tell of idling"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(all_idle * 10 < all_told, "{all_idle} of {all_told}");
    assert!(n_deaths > 10, "{n_deaths}");
}
