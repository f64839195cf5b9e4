//! A damaged recording is read up to the damage and says so; what is read is true, and what cannot
//! be true is never called right.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may stop")]

use crate::recorded::{GAME, Recorded, record, story};
use throng_base::SplitMix;
use throng_trace::{Recording, Replay, forge};

/// How many recordings are damaged, all together.
const TIMES: usize = 10_000;

const STORIES: [&str; 4] = ["cover", "grenade", "shared", "ten_soldiers"];

fn recordings() -> Vec<Recorded> {
    STORIES.map(|name| record(&story(name), 1, 2.0, 0)).into()
}

/// Two positions, the lower first.
fn range(dice: &mut SplitMix, length: usize) -> std::ops::Range<usize> {
    let (one, two) = (dice.below(length + 1), dice.below(length + 1));
    // Most damage is small.
    let end = if dice.below(2) == 0 { one.max(two) } else { (one.min(two) + 16).min(length) };
    one.min(two)..end
}

fn damage(bytes: &mut Vec<u8>, dice: &mut SplitMix) {
    let length = bytes.len();
    match dice.below(7) {
        0 => bytes.truncate(dice.below(length)),
        1 => bytes[dice.below(length)] ^= 1 << dice.below(8),
        2 => {
            let at = dice.below(length);
            let new: Vec<u8> = (0..1 + dice.below(20)).map(|_| dice.below(256) as u8).collect();
            bytes.splice(at..at, new);
        }
        3 => _ = bytes.drain(range(dice, length)),
        4 => {
            let part = bytes[range(dice, length)].to_vec();
            let at = dice.below(length);
            bytes.splice(at..at, part);
        }
        5 => {
            // Exchanged, as blocks of a disk may be.
            let size = 1 << dice.below(10);
            let (one, two) = (dice.below(length), dice.below(length));
            for at in 0..size {
                if one + at < length && two + at < length {
                    bytes.swap(one + at, two + at);
                }
            }
        }
        _ => range(dice, length).for_each(|at| bytes[at] = 0),
    }
}

/// Whether what is read is true, as far as it goes, and says where it ends unless that is the end;
/// gives how far it goes.
fn check_is_true_as_far_as_it_goes(bytes: Vec<u8>, truth: &Recorded) -> Option<usize> {
    let is_same = bytes == truth.bytes;
    let mut replay = Replay::open(bytes).ok()?;
    let mut ticks = 0;
    loop {
        assert_eq!(replay.minds().digest(), truth.minds[replay.now() as usize]);
        if !replay.step().unwrap() {
            break;
        }
        ticks += 1;
    }
    assert_eq!(ticks, replay.last() as usize);
    assert_eq!(replay.damage().is_none(), is_same, "all damage is told, and nothing else");
    assert!(replay.damage().is_none_or(|damage| damage.tick as usize == ticks));
    Some(ticks)
}

#[test]
fn ten_thousand_damaged_recordings_are_true_up_to_the_damage() {
    let recordings = recordings();
    let mut dice = SplitMix::new(8);
    let (mut unread, mut some, mut whole) = (0, 0, 0);
    for time in 0..TIMES {
        // The large one now and then.
        let pick = if time.is_multiple_of(25) { 3 } else { dice.below(3) };
        let truth = &recordings[pick];
        let mut bytes = truth.bytes.clone();
        (0..1 + dice.below(3)).for_each(|_| damage(&mut bytes, &mut dice));
        match check_is_true_as_far_as_it_goes(bytes, truth) {
            None => unread += 1,
            Some(ticks) if ticks + 1 == truth.minds.len() => whole += 1,
            Some(_) => some += 1,
        }
    }
    println!("{unread} not at all, {some} in part, {whole} to the last tick");
    assert!(some > TIMES / 4 && unread > 0, "{unread} {some} {whole}");
}

#[test]
fn frames_that_are_missing_repeated_or_exchanged_are_found() {
    let truth = record(&story("cover"), 1, 2.0, 0);
    let whole = Recording::read(truth.bytes.clone()).unwrap();
    let ends: Vec<usize> = whole.frame_ends().collect();
    let frame = |at: usize| truth.bytes[ends[at]..ends[at + 1]].to_vec();
    let mut dice = SplitMix::new(9);
    for _ in 0..300 {
        let (one, two) = (dice.below(ends.len() - 2), dice.below(ends.len() - 2));
        let (low, high) = (one.min(two), one.max(two));
        let mut bytes = truth.bytes[..ends[low]].to_vec();
        match dice.below(3) {
            0 => bytes.extend(&truth.bytes[ends[low + 1]..]),
            1 => {
                bytes.extend(frame(low));
                bytes.extend(&truth.bytes[ends[low]..]);
            }
            _ if low == high => continue,
            _ => {
                bytes.extend(frame(high));
                bytes.extend(&truth.bytes[ends[low + 1]..ends[high]]);
                bytes.extend(frame(low));
                bytes.extend(&truth.bytes[ends[high + 1]..]);
            }
        }
        if let Ok(recording) = Recording::read(bytes) {
            let damage = recording.damage().unwrap();
            assert!(damage.at >= ends[low] && damage.at <= ends[low + 1], "{damage}");
            assert!(damage.to_string().contains("not what was written"), "{damage}");
        }
    }
}

#[test]
fn a_file_that_is_cut_anywhere_ends_at_the_last_whole_frame_and_says_so() {
    let truth = record(&story("grenade"), 1, 2.0, 0);
    let whole = Recording::read(truth.bytes.clone()).unwrap();
    let ends: Vec<usize> = whole.frame_ends().collect();
    assert_eq!((whole.damage(), ends.last()), (None, Some(&truth.bytes.len())));
    // Here and there, and at the end of every frame but the last, which says that it is.
    let between = ends[1..ends.len() - 1].iter().copied();
    let mut unfinished = 0;
    for cut in (ends[1]..truth.bytes.len()).step_by(7).chain(between) {
        let recording = Recording::read(truth.bytes[..cut].to_vec()).unwrap();
        let frames = ends.iter().filter(|&&end| end <= cut).count();
        assert_eq!(recording.frame_ends().count(), frames);
        let damage = recording.damage().unwrap_or_else(|| panic!("cut at {cut}, and whole"));
        assert_eq!((damage.at, damage.tick), (ends[frames - 1], recording.last()));
        let is_between = ends.contains(&cut);
        let said = match is_between {
            true => format!("not finished, ends after tick {}", recording.last()),
            false => "ends in the middle of a frame".to_string(),
        };
        assert!(damage.to_string().ends_with(&said), "cut at {cut}: {damage}");
        unfinished += usize::from(is_between);
    }
    assert!(unfinished > truth.minds.len(), "at the end of every tick");
}

#[test]
fn what_was_changed_by_somebody_who_made_the_numbers_fit_is_never_called_right() {
    let mut dice = SplitMix::new(10);
    let mut sentences = std::collections::BTreeSet::new();
    let (mut refused, mut diverged, mut same) = (0, 0, 0);
    for truth in recordings() {
        let whole = Recording::read(truth.bytes.clone()).unwrap();
        let frames = whole.frame_ends().count() - 1;
        for _ in 0..500 {
            let at = dice.below(frames);
            let mut change = |payload: &mut Vec<u8>| {
                // What the game keeps beside the minds is its own affair.
                let game = payload.windows(GAME.len()).position(|part| part == GAME);
                let game = game.map_or(0..0, |at| at..at + GAME.len());
                let length = payload.len();
                let at = dice.below(length);
                let at = if game.contains(&at) { length - 1 } else { at };
                match dice.below(4) {
                    0 => payload[at] ^= 1 << dice.below(8),
                    1 => payload[at] = dice.below(256) as u8,
                    2 => _ = payload.remove(at),
                    _ => payload.insert(at, dice.below(256) as u8),
                }
            };
            let bytes = forge(&whole, Some(at), &mut change);
            if bytes == truth.bytes {
                continue;
            }
            let Ok(mut replay) = Replay::open(bytes) else {
                refused += 1;
                continue;
            };
            if replay.damage().is_some() {
                refused += 1;
            }
            match replay.check() {
                Err(found) => {
                    diverged += 1;
                    assert!(found.sentence.starts_with(&format!("tick {}", found.tick)));
                    sentences.insert(found.sentence);
                }
                Ok(_) if replay.damage().is_some() => {}
                // It means the same: every tick must be as it was.
                Ok(_) => {
                    same += 1;
                    let first = replay.first();
                    replay.seek(first).unwrap();
                    loop {
                        let now = replay.now() as usize;
                        assert_eq!(replay.minds().digest(), truth.minds[now]);
                        if !replay.step().unwrap() {
                            break;
                        }
                    }
                }
            }
        }
    }
    println!("{refused} refused, {diverged} diverged, {same} mean the same");
    sentences.iter().take(40).for_each(|sentence| println!("{sentence}"));
    assert!(diverged > 500, "{refused} {diverged} {same}");
}
