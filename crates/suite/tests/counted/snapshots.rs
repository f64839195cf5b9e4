//! Every story of the corpus, saved and gone on with, comes to the same end; and bytes that are
//! no saved play are refused, or are a play that can go on.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may stop")]

use crate::counting::bytes_of;
use std::collections::BTreeMap;
use std::path::PathBuf;
use throng::Domain;
use throng_base::SplitMix;
use throng_base::codec::{Decoder, Encoder};
use throng_mind::Mind;
use throng_mind::body::Progress;
use throng_mind::events::Activity;
use throng_world::body::body;
use throng_world::story::Story;
use throng_world::story::promise::Verdict;
use throng_world::story::run::Play;

/// Stories of so many ticks of somebody are saved at every seventh, longer ones in the middle.
const SHORT: usize = 10_000;

fn stories() -> Vec<(String, Domain)> {
    let files = throng_lab::corpus::files("stories", "npc").unwrap();
    let story = |file: PathBuf| {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let domain = Domain::from_file(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, domain)
    };
    files.into_iter().map(story).collect()
}

fn fresh(domain: &Domain, threads: usize) -> Play {
    let story = Story::read(domain.model()).unwrap();
    let spec = domain.mind_spec(story.pace.ticks_per_second).unwrap();
    Play::new(story, domain.model(), spec, body(), threads).unwrap()
}

fn verdicts(play: &Play) -> Vec<Verdict> {
    play.judge().verdicts().map(|(_, verdict)| verdict.clone()).collect()
}

/// What minds were in the middle of when they were saved.
fn note(mind: &Mind, play: &Play, seen: &mut BTreeMap<&'static str, u32>) {
    let spec = play.minds().spec();
    let run = mind.follow().run();
    let parts = match run.map(|run| run.doing) {
        Some(Activity::Step(action) | Activity::Otherwise(action)) => {
            spec.action(action).parts.len()
        }
        _ => 0,
    };
    let learns = spec.learns.iter().flat_map(|rule| &rule.actions);
    let mut add = |what, is: bool| *seen.entry(what).or_default() += u32::from(is);
    add("an action under way", run.is_some());
    add("an order open", run.is_some() && mind.board().progress() == Progress::Waiting);
    add("a compound under way", parts > 0);
    add("a plan of several steps", mind.plan().steps().len() > 1);
    add("an action taken out", mind.state().forbidden().words().iter().any(|word| *word != 0));
    add("an action learnt", learns.into_iter().any(|&action| mind.state().knows(spec, action)));
    add("facts", !mind.memory().is_empty());
    add("something in reach of all", !play.minds().shared().is_empty());
}

#[test]
fn every_story_goes_on_from_a_save_to_the_same_end() {
    let (mut saves, mut bytes_saved) = (0, 0);
    let mut seen = BTreeMap::new();
    for (name, domain) in stories() {
        let mut whole = fresh(&domain, 1);
        let lasts = whole.story().lasts;
        let is_short = lasts as usize * whole.story().actors.len() <= SHORT;
        let mut saved = Vec::new();
        loop {
            let now = whole.now();
            if if is_short { now.is_multiple_of(7) } else { now == lasts / 2 } {
                whole.minds().iter().for_each(|mind| note(mind, &whole, &mut seen));
                saved.push((now, whole.save(), whole.digest()));
            }
            if !whole.tick() {
                break;
            }
        }
        for (at, (now, bytes, digest)) in saved.into_iter().enumerate() {
            for threads in if is_short { vec![1 + at % 2 * 2] } else { vec![1, 3] } {
                let mut play = fresh(&domain, threads);
                play.restore(&bytes).unwrap_or_else(|why| panic!("{name} at {now}: {why}"));
                assert!(play.save() == bytes, "{name} at {now}: saved again it is another");
                assert_eq!((play.now(), play.digest()), (now, digest), "{name}");
                while play.tick() {}
                assert_eq!(
                    play.digest(),
                    whole.digest(),
                    "{name} from {now} on, {threads} threads"
                );
                assert_eq!(verdicts(&play), verdicts(&whole), "{name} from {now} on");
                assert!(play.is_kept() == whole.is_kept());
            }
            (saves, bytes_saved) = (saves + 1, bytes_saved + bytes.len());
        }
    }
    println!("{saves} saves of {} bytes on average, {seen:?}", bytes_saved / saves);
    assert!(saves > 500);
    assert!(seen.values().all(|&times| times >= 5), "{seen:?}");
}

#[test]
fn a_save_is_of_its_story_and_of_nothing_else() {
    let all = stories();
    let named = |name: &str| &all.iter().find(|(known, _)| known == name).unwrap().1;
    let mut cover = fresh(named("cover"), 1);
    (0..20).for_each(|_| _ = cover.tick());
    let bytes = cover.save();
    let mut other = fresh(named("cover_taken"), 1);
    let before = other.save();
    let why = other.restore(&bytes).unwrap_err().to_string();
    assert!(why.contains("no play of this story"), "{why}");
    assert!(other.restore(b"").is_err() && other.restore(b"something else altogether").is_err());
    assert!(other.save() == before);
    // A play that has moved on goes back.
    (0..20).for_each(|_| _ = cover.tick());
    cover.restore(&bytes).unwrap();
    assert!(cover.save() == bytes);
    let longer = [&bytes[..], &[0]].concat();
    assert!(cover.restore(&longer).is_err());
    assert!((0..bytes.len()).all(|n| cover.restore(&bytes[..n]).is_err()));
    assert!(cover.save() == bytes);
}

#[test]
fn no_save_with_a_flipped_bit_is_accepted() {
    let (mut flips, mut saves, mut accepted) = (0, 0, 0);
    for (name, domain) in stories() {
        let mut play = fresh(&domain, 1);
        let lasts = play.story().lasts;
        // The smaller ones: every bit of them is tried.
        if play.save().len() > 3500 {
            continue;
        }
        for until in [0, lasts / 3, lasts] {
            while play.now() < until && play.tick() {}
            let mut bytes = play.save();
            saves += 1;
            for bit in 0..bytes.len() * 8 {
                bytes[bit / 8] ^= 1 << (bit % 8);
                accepted += u32::from(play.restore(&bytes).is_ok());
                bytes[bit / 8] ^= 1 << (bit % 8);
                flips += 1;
            }
            play.restore(&bytes).unwrap_or_else(|why| panic!("{name}: {why}"));
        }
    }
    println!("{accepted} of {flips} flipped bits of {saves} saves accepted");
    assert!(saves >= 9 && flips > 50_000, "{saves} saves, {flips} bits");
    assert_eq!(accepted, 0);
}

#[test]
fn a_save_of_another_version_is_called_that() {
    let all = stories();
    let mut play = fresh(&all[0].1, 1);
    let why = play.restore(b"throng play 1\nand so on, as it was written then").unwrap_err();
    let expected = "this is a saved play of format 1; this program reads format 6";
    assert_eq!(why.to_string(), expected);
}

/// Bytes with something wrong in them.
fn hurt(bytes: &[u8], from: usize, dice: &mut SplitMix) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=dice.below(3) {
        let at = from + dice.below(bytes.len().saturating_sub(from));
        if at >= bytes.len() {
            break;
        }
        let some = [0, 1, 2, 0x7f, 0x80, 0xff, dice.below(256) as u8][dice.below(7)];
        match dice.below(9) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, some),
            2 => drop(bytes.drain(at..(at + 1 + dice.below(4)).min(bytes.len()))),
            3 => bytes[at] = bytes[at].wrapping_add(1),
            4 => bytes[at] ^= 1 << dice.below(8),
            5 => {
                // A part of it comes twice.
                let part = bytes[at..(at + dice.below(40)).min(bytes.len())].to_vec();
                bytes.splice(at..at, part);
            }
            _ => bytes[at] = some,
        }
    }
    bytes
}

/// The bytes under a seal, and how many it takes in all.
fn unsealed(bytes: &[u8]) -> (&[u8], usize) {
    let mut from = Decoder::new(bytes);
    let mut whole = from.unseal().unwrap();
    (whole.raw(whole.left()).unwrap(), from.at())
}

/// The same under seals of its own, as if it had been written so: whatever a checksum does not
/// find must be found by reading.
fn hurt_within(saved: &[u8], dice: &mut SplitMix) -> Vec<u8> {
    let begin = 1 + saved.iter().position(|byte| *byte == b'\n').unwrap();
    let (whole, _) = unsealed(&saved[begin..]);
    let line = b"throng minds 7\n";
    let found = whole.windows(line.len()).position(|bytes| bytes == line).unwrap();
    let (minds, length) = unsealed(&whole[found + line.len()..]);
    // How long they are stands before them.
    let end = found + line.len() + length;
    let minds_at = found - Encoder::bytes_of(&(end - found)).len();
    let rest = &whole[end..];
    let mut to = Encoder { bytes: saved[..begin].to_vec() };
    to.seal(|to| match dice.below(3) {
        0 => {
            // The story: changed, it is refused; that is tried above.
            to.bytes.extend(hurt(&whole[..minds_at], 16, dice));
            to.bytes.extend(&whole[minds_at..]);
        }
        1 => {
            to.bytes.extend(&whole[..end]);
            to.bytes.extend(hurt(rest, 0, dice));
        }
        _ => {
            to.bytes.extend(&whole[..minds_at]);
            let mut section = Encoder { bytes: line.to_vec() };
            section.seal(|to| to.bytes.extend(hurt(minds, 0, dice)));
            to.section(&section.bytes);
            to.bytes.extend(rest);
        }
    });
    to.bytes
}

#[test]
fn wrong_bytes_are_refused_or_are_a_play_that_goes_on() {
    let mut dice = SplitMix::new(31);
    let stories: Vec<_> = stories().into_iter().filter(|(name, _)| name != "western_day").collect();
    let (mut accepted, mut refused, mut most) = (0, 0, 0);
    for (name, domain) in &stories {
        let mut whole = fresh(domain, 1);
        let mut play = fresh(domain, 1);
        for round in 0..40 {
            let until = round * whole.story().lasts / 40;
            while whole.now() < until && whole.tick() {}
            let bytes = whole.save();
            let plain = bytes_of(|| drop(play.restore(&bytes).unwrap()));
            for _ in 0..12 {
                let wrong = hurt_within(&bytes, &mut dice);
                let before = play.digest();
                let mut restored = Ok(());
                let taken = bytes_of(|| restored = play.restore(&wrong).map(drop));
                assert!(taken < 4 * plain + 200 * wrong.len() as u64, "{name}: {taken} bytes");
                most = most.max(taken * 100 / plain);
                if restored.is_err() {
                    refused += 1;
                    assert_eq!(play.digest(), before, "{name}: what is refused changes nothing");
                    continue;
                }
                accepted += 1;
                (0..20).for_each(|_| _ = play.tick());
                let spec = play.minds().spec();
                for mind in play.minds().iter() {
                    assert!(!mind.inspect(spec, play.now()).to_string().is_empty());
                }
                assert!(!play.cast().mind_lines().is_empty());
                let again = play.save();
                play.restore(&again).unwrap_or_else(|why| panic!("{name}: {why}"));
            }
        }
    }
    println!("{accepted} accepted, {refused} refused, {most} % of the memory at most");
    assert!(accepted + refused >= 5_000 && accepted > 500 && refused > 500);
}
