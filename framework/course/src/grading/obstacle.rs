//! Why a whole task earns nothing: it is missing, of another variant, not merged, or merged later.

use wb_text::{Text, grade as text};

use super::{input::GradingInput, letter_sum::LetterSum, rules::PartPoints};
use crate::{Letter, LetterGrade, Points, ReasonKind, wording::moment};

/// The reason why no letter earns anything.
pub(super) struct Obstacle {
    kind: ReasonKind,
    reason: Text,
    remedy: Option<Text>,
}

impl Obstacle {
    /// Whether a task was merged at the moment of the grade all the same.
    pub(super) fn is_submitted(&self) -> bool {
        self.kind == ReasonKind::OtherVariant
    }

    /// All letters, without points.
    pub(super) fn letters(&self, points: PartPoints) -> Vec<LetterGrade> {
        let of = |letter| match letter {
            Letter::Solution => Some(points.seq + points.mpi),
            Letter::Performance => Some(points.performance),
            Letter::Report => Some(points.report),
            Letter::Acceleration | Letter::Efficiency | Letter::Deadline | Letter::Copying => None,
        };
        let grade = |letter| {
            let mut sum = LetterSum::new(letter, of(letter));
            if let Some(of) = of(letter).filter(|of| *of > Points::ZERO) {
                sum.lose(of, self.kind, self.reason.clone(), self.remedy.clone());
            }
            sum.finish()
        };
        Letter::ALL.into_iter().map(grade).collect()
    }
}

/// The reason why this evidence earns nothing, if there is one.
pub(super) fn obstacle(input: &GradingInput<'_>) -> Option<Obstacle> {
    let obstacle = |kind, reason, remedy| Some(Obstacle { kind, reason, remedy });
    let Some(evidence) = input.evidence else {
        return obstacle(ReasonKind::NotSubmitted, text::not_submitted(), Some(text::submit()));
    };
    match &evidence.submission {
        None if !input.dry_run => obstacle(ReasonKind::NotMerged, text::not_merged(), Some(text::submit())),
        Some(submission) if submission.merged_at > input.at => {
            let zone = &input.rules.time_zone;
            let reason = text::submitted_later(moment(submission.merged_at, zone), moment(input.at, zone));
            obstacle(ReasonKind::SubmittedLater, reason, None)
        }
        _ if evidence.variant != input.variant => {
            let reason = text::other_variant(evidence.variant, input.variant);
            obstacle(ReasonKind::OtherVariant, reason, Some(text::solve_given(input.variant)))
        }
        _ => None,
    }
}
