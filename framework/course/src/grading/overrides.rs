//! Applies what instructors have changed by hand.

use wb_text::grade as text;

use super::{decision::OverrideDecision, input::GradingInput};
use crate::{AppliedOverride, Letter, LetterGrade, Points, Reason, ReasonKind, TaskGrade};

/// Applies the overrides that were made until the moment of the grade, in order of time; of several for one letter the last one
/// counts.
pub(super) fn apply(graded: &mut TaskGrade, input: &GradingInput<'_>) {
    let mut decided: Vec<&OverrideDecision> =
        input.overrides.iter().filter(|one| one.at <= input.at).collect();
    decided.sort_by_key(|decision| decision.at);
    for decision in decided {
        let Some(letter) = graded.letters.iter_mut().find(|letter| letter.letter == decision.letter) else {
            continue;
        };
        let Some(to) = allowed(letter, decision.points) else { continue };
        graded.overrides.push(AppliedOverride {
            letter: decision.letter,
            from: letter.points,
            to,
            by: decision.by.clone(),
            at: decision.at,
            reason: decision.reason.clone(),
        });
        set(letter, to, decision);
    }
}

/// The points within the range of the letter; `None` for a letter without points.
fn allowed(letter: &LetterGrade, points: Points) -> Option<Points> {
    match (letter.letter, letter.of) {
        (Letter::Acceleration | Letter::Efficiency, _) => None,
        (_, Some(of)) => Some(points.clamp(Points::ZERO, of)),
        (_, None) => Some(points.min(Points::ZERO)),
    }
}

/// Sets the points, and makes the reasons add up to them again.
fn set(letter: &mut LetterGrade, to: Points, decision: &OverrideDecision) {
    let mut given_back = to - letter.points;
    for reason in letter.reasons.iter_mut().rev() {
        let back = reason.lost.min(given_back).max(Points::ZERO);
        reason.lost = reason.lost - back;
        given_back = given_back - back;
        // What the override has given cannot be earned once more.
        if reason.lost == Points::ZERO && back > Points::ZERO {
            reason.remedy = None;
        }
    }
    letter.points = to;
    letter.reasons.push(Reason {
        kind: ReasonKind::SetByInstructor,
        text: text::set_by(to, &decision.by, &decision.reason),
        lost: Points::ZERO.max(-given_back),
        remedy: None,
    });
}
