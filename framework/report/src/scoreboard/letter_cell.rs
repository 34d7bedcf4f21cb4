//! How a letter of a grade is shown: its number, its colour and its meaning.

use wb_course::{Letter, LetterGrade, Points};
use wb_messages::{Lang, scoreboard as text};

use crate::scoreboard::context::PageContext;

/// The letter's meaning in a few words.
pub(crate) fn meaning(lang: Lang, letter: Letter) -> String {
    match letter {
        Letter::Solution => text::letter_solution(lang),
        Letter::Performance => text::letter_performance(lang),
        Letter::Acceleration => text::letter_acceleration(lang),
        Letter::Efficiency => text::letter_efficiency(lang),
        Letter::Deadline => text::letter_deadline(lang),
        Letter::Copying => text::letter_copying(lang),
        Letter::Report => text::letter_report(lang),
    }
}

/// Whether the letter shows a measured number.
pub(crate) fn is_measured(letter: Letter) -> bool {
    matches!(letter, Letter::Acceleration | Letter::Efficiency)
}

/// Whether the letter takes points away.
pub(crate) fn is_penalty(letter: Letter) -> bool {
    matches!(letter, Letter::Deadline | Letter::Copying)
}

/// The number in the cell; `None` where the assignment has no such number.
pub(crate) fn number(context: &PageContext<'_>, grade: &LetterGrade) -> Option<String> {
    if is_measured(grade.letter) {
        return grade.measured.map(|interval| context.measured(grade.letter, interval.value));
    }
    let counts = is_penalty(grade.letter) || grade.of.is_some_and(|of| of > Points::ZERO);
    counts.then(|| context.points(grade.points))
}

/// The number by which the column is sorted.
pub(crate) fn sort_value(grade: &LetterGrade) -> Option<f64> {
    match is_measured(grade.letter) {
        true => grade.measured.map(|interval| interval.value),
        false => Some(f64::from(grade.points.hundredths()) / 100.0),
    }
}

/// The CSS class: how much of the letter was earned.
pub(crate) fn level(grade: &LetterGrade) -> &'static str {
    let of = grade.of.filter(|of| *of > Points::ZERO);
    match grade.letter {
        letter if is_measured(letter) => grade.measured.map_or("nil", |_| "num"),
        letter if is_penalty(letter) && grade.points < Points::ZERO => "neg",
        letter if is_penalty(letter) => "nil",
        _ => of.map_or("nil", |of| earned_level(grade.points, of)),
    }
}

fn earned_level(points: Points, of: Points) -> &'static str {
    match points {
        points if points >= of => "full",
        points if points > Points::ZERO => "part",
        _ => "none",
    }
}

#[cfg(test)]
#[test]
fn all_points_are_full_and_fewer_are_a_part() {
    let levels = [10, 9, 0].map(|points| earned_level(Points::whole(points), Points::whole(10)));
    assert_eq!(levels, ["full", "part", "none"]);
}
