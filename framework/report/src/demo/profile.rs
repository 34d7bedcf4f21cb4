//! How a task of the demo turned out: drawn, so that every letter of a grade occurs with and without loss.

use crate::demo::{random::DemoRandom, solution::SolutionChoice};

/// What can be wrong with the measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DemoGap {
    TooFewCores,
    NotMeasured,
    SingleWorker,
}

/// How one task turned out.
#[derive(Clone, Debug)]
pub(crate) struct TaskProfile {
    pub(crate) is_submitted: bool,
    pub(crate) choice: SolutionChoice,
    /// The parallel version is wrong where the ranks do not divide the data.
    pub(crate) is_wrong: bool,
    pub(crate) is_disabled: bool,
    /// The sequential version calls a verb of MPI.
    pub(crate) breaks_rule: bool,
    /// Days before the deadline; negative after it.
    pub(crate) days_early: i64,
    /// The efficiency, in per cent.
    pub(crate) efficiency: f64,
    /// Half the width of its interval, in per cent of it.
    pub(crate) spread: f64,
    pub(crate) gap: Option<DemoGap>,
    /// Sections of the report that are not written: their places.
    pub(crate) open_sections: Vec<usize>,
    pub(crate) blocks_current: bool,
    /// Measured commits before the last one.
    pub(crate) earlier_commits: usize,
    /// Where this is a copy: the package that it was copied from.
    pub(crate) copied_from: Option<String>,
}

impl TaskProfile {
    /// The profile of the `place`-th student of a variant.
    pub(crate) fn draw(random: &mut DemoRandom, place: usize, variant: usize) -> Self {
        let is_submitted = !random.chance(0.06);
        let is_late = random.chance(0.12);
        let days_early = if is_late { -1 - random.below(2) as i64 } else { 1 + random.below(20) as i64 };
        let gaps = [DemoGap::TooFewCores, DemoGap::NotMeasured, DemoGap::SingleWorker];
        let open = if random.chance(0.3) { 1 + random.below(3) } else { 0 };
        Self {
            is_submitted,
            choice: SolutionChoice::draw(random, place, variant),
            is_wrong: random.chance(0.1),
            is_disabled: random.chance(0.02),
            breaks_rule: random.chance(0.04),
            days_early,
            efficiency: random.between(24.0, 97.0),
            spread: random.between(1.0, 7.0),
            gap: random.chance(0.06).then(|| random.pick(&gaps)),
            open_sections: (0..open).map(|_| random.below(crate::section_numbers().count())).collect(),
            blocks_current: !random.chance(0.08),
            earlier_commits: random.below(6),
            copied_from: None,
        }
    }
}
