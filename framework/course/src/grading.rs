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
mod letter_sum;
mod overrides;
mod performance;
mod report;
mod rules;
mod solution;

use jiff::Timestamp;
use wb_text::{Text, grade as text};

use crate::{Evidence, Letter, LetterGrade, Points, Reason, TaskGrade, wording::moment};
use letter_sum::LetterSum;
pub use overrides::{ConfirmedCopy, OverrideDecision};
pub use rules::{CommunicationRule, ExtensionRule, GradingRules, PartPoints, PointsBand};

/// All that one grade depends on.
#[derive(Clone, Copy, Debug)]
pub struct GradingInput<'a> {
    /// The settings.
    pub rules: &'a GradingRules,
    /// The student's login.
    pub login: &'a str,
    /// The number of the assignment.
    pub assignment: u8,
    /// The variant that the student was given.
    pub variant: u8,
    /// The evidence; `None` where nothing was submitted.
    pub evidence: Option<&'a Evidence>,
    /// Changes by instructors, of this student and assignment.
    pub overrides: &'a [OverrideDecision],
    /// Confirmed similarities, of this student and assignment.
    pub copies: &'a [ConfirmedCopy],
    /// The moment of the grade: what came later does not count.
    pub at: Timestamp,
    /// Whether a state that is not merged is graded as if it were merged at `at`.
    pub dry_run: bool,
}

/// The grade of one task.
pub fn grade(input: &GradingInput<'_>) -> TaskGrade {
    let points = input.rules.points;
    let letters = match input.obstacle() {
        Some(obstacle) => obstacle.letters(points),
        None => input.evidence.map_or_else(Vec::new, |evidence| letters(input, evidence)),
    };
    let mut graded = TaskGrade {
        login: input.login.to_owned(),
        assignment: input.assignment,
        variant: input.variant,
        task: input.evidence.map(|evidence| evidence.task.clone()),
        commit: input.evidence.and_then(|evidence| Some(evidence.submission.as_ref()?.commit.clone())),
        instructor_owned: input.evidence.is_some_and(|evidence| evidence.instructor_owned),
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

/// Why no letter earns anything.
struct Obstacle {
    reason: Text,
    remedy: Option<Text>,
}

impl Obstacle {
    /// All letters, without points.
    fn letters(&self, points: PartPoints) -> Vec<LetterGrade> {
        let of = |letter| match letter {
            Letter::Solution => Some(points.seq + points.mpi),
            Letter::Performance => Some(points.performance),
            Letter::Report => Some(points.report),
            Letter::Acceleration | Letter::Efficiency | Letter::Deadline | Letter::Copying => None,
        };
        let grade = |letter| {
            let mut sum = LetterSum::new(letter, of(letter));
            if let Some(of) = of(letter).filter(|of| *of > Points::ZERO) {
                sum.lose(of, self.reason.clone(), self.remedy.clone());
            }
            sum.finish()
        };
        Letter::ALL.into_iter().map(grade).collect()
    }
}

impl GradingInput<'_> {
    /// Why this evidence earns nothing, if so.
    fn obstacle(&self) -> Option<Obstacle> {
        let obstacle = |reason, remedy| Some(Obstacle { reason, remedy });
        let Some(evidence) = self.evidence else {
            return obstacle(text::not_submitted(), Some(text::submit()));
        };
        if evidence.variant != self.variant {
            let reason = text::other_variant(evidence.variant, self.variant);
            return obstacle(reason, Some(text::solve_given(self.variant)));
        }
        match &evidence.submission {
            None if !self.dry_run => obstacle(text::not_merged(), Some(text::submit())),
            Some(submission) if submission.merged_at > self.at => {
                let zone = &self.rules.time_zone;
                let reason = text::submitted_later(moment(submission.merged_at, zone), moment(self.at, zone));
                obstacle(reason, None)
            }
            _ => None,
        }
    }
}

/// A remark that costs nothing.
fn note(text: Text) -> Reason {
    Reason { text, lost: Points::ZERO, remedy: None }
}
