//! Evidence to grade: a pure function.
//!
//! | letter | earned from | lost by |
//! |---|---|---|
//! | S | tests of SEQ and of MPI that all pass, also on a real MPI library | a failed test, a disabled version, a broken rule: the part's points |
//! | P | the efficiency's band; for communication the formula's counts and the times beside the library's | lower bands, numbers that earn nothing |
//! | D | | each day that begins after the deadline |
//! | C | | similarity that an instructor confirmed |
//! | R | the written sections and current generated blocks | each section that is missing, short or the template's |
//!
//! The invariant, for every letter that earns points: *the `lost` of its reasons add up to the points that are missing*. So a page, or a
//! dry run, can list what would earn more, and nothing is lost without a reason.

mod copying;
mod deadline;
mod decision;
mod input;
mod letter_sum;
mod obstacle;
mod overrides;
mod performance;
mod report;
mod rules;
mod solution;

pub use decision::{ConfirmedCopy, OverrideDecision};
pub use input::GradingInput;
pub use performance::reasons_for_no_points;
pub use rules::{CommunicationRule, ExtensionRule, GradingRules, PartPoints};

use crate::{Evidence, LetterGrade, Points, TaskGrade};
use obstacle::{Obstacle, obstacle};

/// The grade of one task.
pub fn grade(input: &GradingInput<'_>) -> TaskGrade {
    let points = input.rules.points;
    let obstacle = obstacle(input);
    let submitted = obstacle.as_ref().is_none_or(Obstacle::is_submitted);
    let letters = match obstacle {
        Some(obstacle) => obstacle.letters(points),
        None => input.evidence.map_or_else(Vec::new, |evidence| letters(input, evidence)),
    };
    let mut graded = TaskGrade {
        login: input.login.to_owned(),
        assignment: input.assignment,
        variant: input.variant,
        task: input.evidence.map(|evidence| evidence.task.clone()),
        commit: input.evidence.and_then(|evidence| Some(evidence.submission.as_ref()?.commit.clone())),
        submitted,
        instructor_owned: input.evidence.filter(|_| submitted).map(|evidence| evidence.instructor_owned),
        letters,
        total: Points::ZERO,
        of: points.total(),
        overrides: Vec::new(),
    };
    overrides::apply(&mut graded, input);
    let sum: Points = graded.letters.iter().map(|letter| letter.points).sum();
    graded.total = sum.clamp(Points::ZERO, graded.of);
    graded
}

fn letters(input: &GradingInput<'_>, evidence: &Evidence) -> Vec<LetterGrade> {
    let (solution, earned) = solution::grade_solution(input, evidence);
    let (acceleration, efficiency) = performance::measured_letters(evidence);
    vec![
        solution,
        performance::grade_performance(input, evidence, earned.mpi),
        acceleration,
        efficiency,
        deadline::grade_deadline(input, evidence),
        copying::grade_copying(input, earned),
        report::grade_report(input, evidence),
    ]
}
