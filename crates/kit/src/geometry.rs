//! Distances and directions between positions.

use throng_mind::fact::Position;

/// What can be touched is at most so far away: in a grid, the eight cells around.
pub(crate) const ARM: f32 = 1.5;
/// So near is the same place.
pub(crate) const HERE: f32 = 0.5;

/// How far apart two positions are.
pub fn distance(a: Position, b: Position) -> f32 {
    a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt()
}

/// The way from one position to another as a direction of length 1; nothing if they are the same.
pub(crate) fn direction(from: Position, to: Position) -> Position {
    let length = distance(from, to);
    let part = |at: usize| if length > 0.0 { (to[at] - from[at]) / length } else { 0.0 };
    [part(0), part(1), part(2)]
}

/// A position so far along a direction.
pub(crate) fn along(from: Position, direction: Position, length: f32) -> Position {
    let part = |at: usize| from[at] + direction[at] * length;
    [part(0), part(1), part(2)]
}

/// The two directions across a line, the same first whichever way the line leads.
pub(crate) fn across(line: Position) -> [Position; 2] {
    let (x, y) = (line[1], -line[0]);
    let is_back = if x.abs() > y.abs() { x > 0.0 } else { y > 0.0 };
    let sign = if is_back { -1.0 } else { 1.0 };
    [[sign * x, sign * y, 0.0], [-sign * x, -sign * y, 0.0]]
}

/// Whether something can be touched from here.
pub(crate) fn is_beside(a: Position, b: Position) -> bool {
    distance(a, b) < ARM
}

/// A position in 60 bits, to an eighth, as far as 65,536 from the middle; the fourth number is for
/// whoever keeps it, from 0 to 15.
pub(crate) fn pack(place: Position, besides: u64) -> u64 {
    // Casts saturate, and turn what is no number into zero.
    let part = |at: f32| ((at * 8.0).round() as i32).clamp(-(1 << 19), (1 << 19) - 1) as u64;
    let [x, y, z] = place.map(|at| part(at) & 0xf_ffff);
    x << 44 | y << 24 | z << 4 | besides & 15
}

/// What was packed.
pub(crate) fn unpack(bits: u64) -> (Position, u64) {
    let part = |shift: u32| {
        // Sign and all: 20 bits, moved up to the top of 32 and down again.
        let raw = (bits >> shift) as u32 & 0xf_ffff;
        ((raw << 12) as i32 >> 12) as f32 / 8.0
    };
    ([part(44), part(24), part(4)], bits & 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_position_comes_back_to_an_eighth() {
        for place in [[0.0, 0.0, 0.0], [3.0, -4.25, 199.875], [-65_536.0, 65_535.875, -0.125]] {
            assert_eq!(unpack(pack(place, 9)), (place, 9));
        }
        let (near, _) = unpack(pack([0.3, 1e9, f32::NAN], 0));
        assert_eq!(near, [0.25, 65_535.875, 0.0]);
    }

    #[test]
    fn the_cells_around_can_be_touched_and_no_other() {
        let here = [5.0, 5.0, 0.0];
        assert!(is_beside(here, [6.0, 4.0, 0.0]) && is_beside(here, here));
        assert!(!is_beside(here, [7.0, 5.0, 0.0]));
    }
}
