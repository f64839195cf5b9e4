//! Cuts a failing text down to what matters.
//!
//! In:   a text and a question whether it still fails.
//! Out:  a text that fails and of which no single line, or no single byte, can be left out.
//! Cost: about parts × log(parts) questions.

/// The smallest failing text found by leaving out ever shorter runs of lines.
pub fn shrink(text: &str, mut fails: impl FnMut(&str) -> bool) -> String {
    let lines = text.as_bytes().split_inclusive(|&byte| byte == b'\n').collect();
    // Whole lines of a text are a text.
    let mut shows = |text: &[u8]| std::str::from_utf8(text).is_ok_and(&mut fails);
    let left = without_parts(lines, &mut usize::MAX.clone(), &mut shows).concat();
    String::from_utf8_lossy(&left).into_owned()
}

/// Makes a text smaller while it still shows what `shows` looks for: first without stretches
/// of lines, then of bytes, half as long each time. Gives up after `tries` questions.
pub fn shrink_bytes(text: &[u8], tries: usize, mut shows: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut left = tries;
    let lines = text.split_inclusive(|&byte| byte == b'\n').collect();
    let text = without_parts(lines, &mut left, &mut shows).concat();
    without_parts(text.chunks(1).collect(), &mut left, &mut shows).concat()
}

fn without_parts<'t>(
    mut parts: Vec<&'t [u8]>,
    left: &mut usize,
    shows: &mut impl FnMut(&[u8]) -> bool,
) -> Vec<&'t [u8]> {
    let mut length = parts.len().div_ceil(2);
    while length > 0 {
        let before = parts.len();
        let mut start = 0;
        while start < parts.len() && *left > 0 {
            let end = (start + length).min(parts.len());
            let fewer = [&parts[..start], &parts[end..]].concat();
            *left -= 1;
            match shows(&fewer.concat()) {
                true => parts = fewer,
                false => start = end,
            }
        }
        // Single parts are tried again as long as one goes: others may have needed it.
        let again = length == 1 && parts.len() < before && *left > 0;
        length = if again { 1 } else { length / 2 };
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_lines_that_matter_stay() {
        let text = "a\nb\nc\nd\ne\nf\ng\n";
        let fails = |text: &str| text.contains('b') && text.contains('f');
        assert_eq!(shrink(text, fails), "b\nf\n");
    }

    #[test]
    fn what_shows_a_mistake_shrinks_to_its_core() {
        let text = b"one\ntwo three\nfour\nfive six\n";
        let small = shrink_bytes(text, 1000, |t| t.contains(&b'h') && t.ends_with(b"x\n"));
        assert_eq!(small, b"hx\n");
    }
}
