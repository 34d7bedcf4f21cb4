//! C: the penalty for copying that an instructor has confirmed.

use wb_text::grade as text;

use super::{input::GradingInput, letter_sum::LetterSum, solution::EarnedParts};
use crate::{Letter, LetterGrade, ReasonKind, SolutionPart, wording::shortest};

/// Each part that was copied costs its share of the points that it earned, once; where both are, that is the share of S.
pub(super) fn grade_copying(input: &GradingInput<'_>, earned: EarnedParts) -> LetterGrade {
    let mut sum = LetterSum::new(Letter::Copying, None);
    for part in SolutionPart::ALL {
        let confirmed = input.copies.iter().find(|copy| copy.part == part && copy.at <= input.at);
        if let Some(copy) = confirmed {
            let share = input.rules.copied_share;
            let percent = shortest((share * 1e4).round() / 100.0);
            let reason = text::copied(part.title(), percent, &copy.by, &copy.reason);
            sum.lose(earned.of_part(part).share(share), ReasonKind::Copied, reason, None);
        }
    }
    sum.finish()
}
