//! Overrides and confirmed similarities name students, letters and variants that exist.

use wb_text::{course as text, settings};

use super::problems::Problems;
use crate::{
    AssignmentSettings, ConfirmedSimilarities, CourseSettings, GivenVariants, OverrideSettings, Overrides,
    Roster,
};

pub(super) fn overrides(
    course: &CourseSettings,
    roster: &Roster,
    overrides: &Overrides,
    problems: &mut Problems<'_>,
) {
    for (at, change) in overrides.list.iter().enumerate() {
        let at = at.to_string();
        if roster.student(&change.login).is_none() {
            problems.overrides(&[&at, "login"], settings::unknown_login(&change.login));
        }
        let (min, max) = range(course.assignment(change.assignment), change);
        if !(min * 100..=max * 100).contains(&change.points_hundredths) {
            problems.overrides(&[&at, "points"], text::points_of_letter(change.letter, min, max));
        }
    }
}

/// The least and the greatest number of points of a letter.
fn range(assignment: &AssignmentSettings, change: &OverrideSettings) -> (i32, i32) {
    let points = &assignment.points;
    let total = i32::try_from(points.total()).unwrap_or(i32::MAX);
    match change.letter {
        'S' => (0, i32::from(points.mpi) + i32::from(points.seq)),
        'P' => (0, i32::from(points.performance)),
        'R' => (0, i32::from(points.report)),
        _ => (-total, 0),
    }
}

pub(super) fn similarities(
    course: &CourseSettings,
    roster: &Roster,
    (similarities, given): (&ConfirmedSimilarities, &GivenVariants),
    problems: &mut Problems<'_>,
) {
    for (at, case) in similarities.list.iter().enumerate() {
        let (at, assignment) = (at.to_string(), case.assignment);
        if course.variant(assignment, case.variant).is_none() {
            let last = course.assignment(assignment).variants.len();
            problems.similarity(&[&at, "variant"], settings::variant(assignment, case.variant, last));
            continue;
        }
        for (place, login) in case.students().iter().enumerate() {
            let (place, login) = (place.to_string(), &login.0);
            let path = [at.as_str(), "logins", &place];
            if roster.student(login).is_none() {
                problems.similarity(&path, settings::unknown_login(login));
                continue;
            }
            match given.variant(login, assignment) {
                Some(number) if number == case.variant => {}
                Some(number) => {
                    problems.similarity(&path, settings::other_variant(login, number, assignment));
                }
                None => problems.similarity(&path, settings::variant_not_given(login, assignment)),
            }
        }
    }
}
