//! How well a way of looking finds what the zoo hides: recall, precision, lines.
use std::{collections::BTreeMap, fmt};

use wb_comm::Finding;

use super::{BugProgram, ExpectedFinding};

/// Counts of one class, or of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Programs that were looked at.
    pub programs: usize,
    /// Different codes that must be found, a program at a time.
    pub expected: usize,
    /// The findings that were found.
    pub found: usize,
    /// Findings with an unexpected code.
    pub false_alarms: usize,
    /// Lines and ranks that must be named.
    pub expected_locations: usize,
    /// The expected lines that were named, with their code.
    pub named_locations: usize,
}

impl Score {
    /// What `findings` are worth for this program.
    pub fn new(program: &BugProgram, findings: &[Finding]) -> Self {
        let mut codes: Vec<_> = program.expected.iter().map(|mark| mark.code).collect();
        codes.sort_unstable();
        codes.dedup();
        let places: Vec<_> = program.expected.iter().flat_map(single).collect();
        Self {
            programs: 1,
            expected: codes.len(),
            found: codes.iter().filter(|code| findings.iter().any(|found| found.code == **code)).count(),
            false_alarms: findings.iter().filter(|found| !codes.contains(&found.code)).count(),
            expected_locations: places.len(),
            named_locations: places.iter().filter(|mark| is_named(program, mark, findings)).count(),
        }
    }

    /// Both together.
    pub fn merge(self, other: Self) -> Self {
        Self {
            programs: self.programs + other.programs,
            expected: self.expected + other.expected,
            found: self.found + other.found,
            false_alarms: self.false_alarms + other.false_alarms,
            expected_locations: self.expected_locations + other.expected_locations,
            named_locations: self.named_locations + other.named_locations,
        }
    }

    /// The share of the expected findings that were found; 1 when there are none.
    pub fn recall(self) -> f64 {
        share(self.found, self.expected)
    }

    /// The share of the findings that were expected.
    pub fn precision(self) -> f64 {
        share(self.found, self.found + self.false_alarms)
    }

    /// The share of the expected lines that were named.
    pub fn lines(self) -> f64 {
        share(self.named_locations, self.expected_locations)
    }
}

fn share(of: usize, all: usize) -> f64 {
    if all == 0 { 1.0 } else { of as f64 / all as f64 }
}

/// A mark for each of its ranks.
fn single(mark: &ExpectedFinding) -> Vec<ExpectedFinding> {
    if mark.ranks.is_empty() {
        return vec![mark.clone()];
    }
    mark.ranks.iter().map(|rank| ExpectedFinding { ranks: vec![*rank], ..mark.clone() }).collect()
}

fn is_named(program: &BugProgram, mark: &ExpectedFinding, findings: &[Finding]) -> bool {
    let file = program.file();
    let with_code = findings.iter().filter(|found| found.code == mark.code);
    with_code.flat_map(|found| &found.locations).any(|place| {
        let rank = mark.ranks.is_empty() || mark.ranks.contains(&place.rank);
        rank && place.lines().any(|(named, line)| line == mark.line && named.ends_with(&file))
    })
}

/// Scores by class, and of all together.
#[derive(Clone, Debug, Default)]
pub struct Scores(BTreeMap<&'static str, Score>);

impl Scores {
    /// Adds a program.
    pub fn add(&mut self, program: &BugProgram, findings: &[Finding]) {
        let score = self.0.entry(program.class).or_default();
        *score = score.merge(Score::new(program, findings));
    }

    /// All classes together.
    pub fn total(&self) -> Score {
        self.0.values().fold(Score::default(), |sum, score| sum.merge(*score))
    }
}

impl fmt::Display for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<22} {:>8} {:>7} {:>9} {:>6}", "class", "programs", "recall", "precision", "lines")?;
        let total = [("all", self.total())];
        for (class, score) in self.0.iter().map(|(class, score)| (*class, *score)).chain(total) {
            writeln!(
                f,
                "{class:<22} {:>8} {:>7.2} {:>9.2} {:>6.2}",
                score.programs,
                score.recall(),
                score.precision(),
                score.lines()
            )?;
        }
        Ok(())
    }
}
