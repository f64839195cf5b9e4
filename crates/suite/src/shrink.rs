//! Cuts a failing text down to the lines that matter.
//!
//! In:   a text and a question whether it still fails.
//! Out:  a text that fails and of which no single line (and no half) can be left out.
//! Cost: about lines × log(lines) questions.

/// The smallest failing text found by leaving out ever shorter runs of lines.
pub fn shrink(text: &str, mut fails: impl FnMut(&str) -> bool) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut run = lines.len().div_ceil(2).max(1);
    loop {
        let mut at = 0;
        while at < lines.len() {
            let end = (at + run).min(lines.len());
            let shorter: String = [&lines[..at], &lines[end..]].concat().concat();
            if shorter.len() < text.len() && fails(&shorter) {
                lines.drain(at..end);
            } else {
                at += run;
            }
        }
        if run == 1 {
            return lines.concat();
        }
        run = run.div_ceil(2);
    }
}

#[cfg(test)]
mod tests {
    use super::shrink;

    #[test]
    fn only_the_lines_that_matter_stay() {
        let text = "a\nb\nc\nd\ne\nf\ng\n";
        let fails = |text: &str| text.contains('b') && text.contains('f');
        assert_eq!(shrink(text, fails), "b\nf\n");
    }
}
