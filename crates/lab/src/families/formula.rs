//! Formulas in conjunctive normal form: read from text, and decided by trying everything.
//!
//! In:   `1 -2 3, -1 2` (clauses between commas, semicolons or line ends), or a DIMACS file.
//! Out:  a [`Formula`]; whether it can be satisfied, for few variables.
//! Cost: reading is linear; deciding doubles with every variable.

use std::collections::BTreeSet;

/// Literals of a formula at most.
const MOST_LITERALS: usize = 1_000_000;
/// The largest number a variable may have.
const MOST_VARIABLE: i64 = 1_000_000;
/// Formulas with more variables are not decided by trying everything.
const MOST_TRIED: usize = 16;

/// Clauses of literals: `3` is the third variable, `-3` its negation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    /// Literals by clause; a negative number is a negation.
    pub clauses: Vec<Vec<i64>>,
}

impl Formula {
    /// Reads a formula.
    ///
    /// # Errors
    ///
    /// A sentence that names the word or the clause.
    pub fn read(text: &str) -> Result<Formula, String> {
        let head = |line: &str| line.split_whitespace().next() == Some("p");
        let clauses = match text.lines().any(head) {
            true => dimacs(text)?,
            false => plain(text)?,
        };
        if clauses.is_empty() {
            return Err("the formula has no clause; write for example \"1 -2 3, -1 2\"".into());
        }
        let n_literals: usize = clauses.iter().map(Vec::len).sum();
        if n_literals > MOST_LITERALS {
            return Err(format!("the formula has {n_literals} literals; {MOST_LITERALS} at most"));
        }
        if let Some(empty) = clauses.iter().position(Vec::is_empty) {
            return Err(format!("clause {} is empty: nothing satisfies it", empty + 1));
        }
        Ok(Formula { clauses })
    }

    /// The variables that occur, in order.
    pub fn variables(&self) -> Vec<u64> {
        let all: BTreeSet<u64> = self.clauses.iter().flatten().map(|l| l.unsigned_abs()).collect();
        all.into_iter().collect()
    }

    /// Whether some assignment satisfies it; `None` if there are too many to try.
    pub fn is_satisfiable(&self) -> Option<bool> {
        let variables = self.variables();
        if variables.len() > MOST_TRIED {
            return None;
        }
        let place = |literal: i64| variables.binary_search(&literal.unsigned_abs()).unwrap_or(0);
        let clauses: Vec<Vec<(usize, bool)>> = self
            .clauses
            .iter()
            .map(|clause| clause.iter().map(|&literal| (place(literal), literal > 0)).collect())
            .collect();
        let is_true =
            |truth: u32, &(at, positive): &(usize, bool)| (truth >> at & 1 == 1) == positive;
        let satisfies =
            |truth: u32| clauses.iter().all(|clause| clause.iter().any(|l| is_true(truth, l)));
        Some((0..1_u32 << variables.len()).any(satisfies))
    }

    /// The formula as `1 -2 3, -1 2`.
    pub fn text(&self) -> String {
        let clause =
            |clause: &Vec<i64>| clause.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        self.clauses.iter().map(clause).collect::<Vec<_>>().join(", ")
    }
}

fn literal(word: &str) -> Result<i64, String> {
    match word.parse::<i64>() {
        Ok(literal) if literal != 0 && literal.abs() <= MOST_VARIABLE => Ok(literal),
        Ok(0) => Err("0 is no variable; the first one is 1, and -1 is its negation".into()),
        Ok(_) => Err(format!("`{word}`: variables are numbered up to {MOST_VARIABLE}")),
        Err(_) => Err(format!("`{word}` is no literal; write 3 or -3")),
    }
}

/// Clauses between commas, semicolons or line ends; a closing 0 is allowed.
fn plain(text: &str) -> Result<Vec<Vec<i64>>, String> {
    let mut clauses = Vec::new();
    let is_comment = |line: &&str| line.trim_start().starts_with(['c', '#']);
    for line in text.lines().filter(|line| !is_comment(line)) {
        for part in line.split([',', ';']).filter(|part| !part.trim().is_empty()) {
            let mut words: Vec<&str> = part.split_whitespace().collect();
            if words.len() > 1 {
                words.pop_if(|last| *last == "0");
            }
            clauses.push(words.into_iter().map(literal).collect::<Result<_, _>>()?);
        }
    }
    Ok(clauses)
}

/// The DIMACS format: `c` comments, a `p cnf` line, clauses closed by 0.
fn dimacs(text: &str) -> Result<Vec<Vec<i64>>, String> {
    let (mut clauses, mut open) = (Vec::new(), Vec::new());
    for line in text.lines() {
        match line.split_whitespace().next() {
            None | Some("c" | "p") => continue,
            // Some collections close their files like this.
            Some("%") => break,
            Some(_) => {}
        }
        for word in line.split_whitespace() {
            match word {
                "0" => clauses.push(std::mem::take(&mut open)),
                word => open.push(literal(word)?),
            }
        }
    }
    if !open.is_empty() {
        clauses.push(open);
    }
    Ok(clauses)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str, satisfiable: Option<bool>) {
        let formula = Formula::read(text).unwrap();
        assert_eq!(formula.text(), expected);
        assert_eq!(formula.is_satisfiable(), satisfiable);
    }

    #[test]
    fn formulas_are_read_and_decided() {
        check("1", "1", Some(true));
        check("1, -1", "1, -1", Some(false));
        check("1 -2 3; -1 2\n3 0", "1 -2 3, -1 2, 3", Some(true));
        check("c a comment\np cnf 2 2\n1 2 0 -1\n-2 0\n%\n0\n", "1 2, -1 -2", Some(true));
        check("1 2, 1 -2, -1 2, -1 -2", "1 2, 1 -2, -1 2, -1 -2", Some(false));
    }

    #[test]
    fn what_is_no_formula_is_named() {
        let said = |text: &str| Formula::read(text).unwrap_err();
        assert!(said("").contains("no clause"));
        assert!(said("1 x").contains("`x` is no literal"));
        assert!(said("0").contains("0 is no variable"));
        assert!(said("1 0 2").contains("0 is no variable"));
        assert!(said("9999999").contains("numbered up to"));
        assert!(said("99999999999999999999").contains("no literal"));
        assert!(said("p cnf 1 1\n0\n").contains("clause 1 is empty"));
    }
}
