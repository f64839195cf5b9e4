//! Sets of values as few conditions on few bits.
//!
//! In:   a set of the values of a variable, and those that can occur.
//! Out:  cubes (bits to look at, what to see there) that together hold exactly in that set; codes
//!       that cannot occur may fall on either side.
//! Cost: at load only; 3 to the number of bits, at most six.

/// Holds where `code & care == want`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cube {
    pub(super) care: u8,
    pub(super) want: u8,
}

/// The cubes of a set among the codes that can occur; none for the empty set.
pub(super) fn cover(set: u64, can_occur: u64, width: u32) -> Vec<Cube> {
    let mut cubes = Vec::new();
    let mut missing = set;
    while missing != 0 {
        let Some((cube, held)) = best_cube(set, missing, can_occur, width) else { break };
        cubes.push(cube);
        missing &= !held;
    }
    cubes
}

/// The cube inside the set that holds in most of what is missing; of equals the one that looks at
/// fewest bits, then the first.
fn best_cube(set: u64, missing: u64, can_occur: u64, width: u32) -> Option<(Cube, u64)> {
    let mut best: Option<((u32, u32), Cube, u64)> = None;
    for care in 0..1u8 << width {
        for want in (0..1u8 << width).filter(|want| want & !care == 0) {
            let inside = (0..1u64 << width).filter(|&code| code as u8 & care == want);
            let held = inside.fold(0u64, |all, code| all | 1 << code) & can_occur;
            let gain = (held & missing).count_ones();
            if held & !set != 0 || gain == 0 {
                continue;
            }
            let rank = (gain, 8 - care.count_ones());
            if best.as_ref().is_none_or(|(known, _, _)| rank > *known) {
                best = Some((rank, Cube { care, want }, held));
            }
        }
    }
    best.map(|(_, cube, held)| (cube, held))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cover_holds_in_its_set_and_nowhere_else() {
        for size in 1..=9u16 {
            let width = size.next_power_of_two().trailing_zeros();
            for set in 0..1u64 << size {
                let cubes = cover(set, (1 << size) - 1, width);
                for code in 0..size {
                    let holds = cubes.iter().any(|cube| code as u8 & cube.care == cube.want);
                    assert_eq!(holds, set >> code & 1 == 1, "{set:b} of {size}, {code}");
                }
            }
        }
    }

    #[test]
    fn codes_that_are_no_value_save_bits() {
        // The last of three values is the only one with the high bit.
        assert_eq!(cover(0b100, 0b111, 2), [Cube { care: 2, want: 2 }]);
        assert_eq!(cover(0b111, 0b111, 2), [Cube { care: 0, want: 0 }]);
    }
}
