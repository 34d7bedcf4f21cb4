//! Points add up, marks fall, and every title is in both languages.

use std::collections::HashMap;

use wb_text::{Text, course as text};

use super::problems::Problems;
use crate::{CourseSettings, TitleSettings};

pub(super) fn check(course: &CourseSettings, problems: &mut Problems<'_>) {
    points(course, problems);
    marks(course, problems);
    titles(course, problems);
    words(course, problems);
}

fn points(course: &CourseSettings, problems: &mut Problems<'_>) {
    let sum: u32 = course.assignments.iter().map(|assignment| assignment.points.total()).sum();
    match course.total_points {
        None => problems.course(&[], text::no_total()),
        Some(total) if total == sum => {}
        Some(total) => problems.course(&["total_points"], text::points_do_not_add_up(total, sum)),
    }
    if course.assignments.iter().all(|assignment| assignment.points.performance == 0) {
        problems.course(&["efficiency_bands"], text::bands_without_points());
    }
}

fn marks(course: &CourseSettings, problems: &mut Problems<'_>) {
    if course.marks.is_empty() {
        problems.course(&["marks"], text::no_marks());
    }
    for (at, step) in course.marks.iter().enumerate() {
        let place = at.to_string();
        let earlier = &course.marks[..at];
        if earlier.last().is_some_and(|before| before.from_percent <= step.from_percent) {
            problems.course(&["marks", &place, "from_percent"], text::marks_order());
        }
        if earlier.iter().any(|before| before.mark == step.mark) {
            problems.course(&["marks", &place, "mark"], text::mark_again(&step.mark));
        }
    }
}

fn titles(course: &CourseSettings, problems: &mut Problems<'_>) {
    title(&course.title, &["title"], problems);
    for (at, assignment) in course.assignments.iter().enumerate() {
        let at = at.to_string();
        title(&assignment.title, &["assignments", &at, "title"], problems);
        if assignment.variants.is_empty() {
            problems.course(&["assignments", &at, "variants"], text::no_variants());
        }
        for (place, variant) in assignment.variants.iter().enumerate() {
            let path = ["assignments", &at, "variants", &place.to_string(), "title"];
            title(&variant.title, &path, problems);
        }
    }
}

fn title(title: &TitleSettings, path: &[&str], problems: &mut Problems<'_>) {
    let languages =
        [(&title.en, Text::new("English", "английский")), (&title.ru, Text::new("Russian", "русский"))];
    for (own, language) in languages {
        if own.is_none() {
            problems.course(path, text::no_title(language));
        }
    }
}

/// A word names a folder: a student with two variants of one word could not have both.
fn words(course: &CourseSettings, problems: &mut Problems<'_>) {
    let mut seen = HashMap::new();
    for (at, assignment) in course.assignments.iter().enumerate() {
        for (place, variant) in assignment.variants.iter().enumerate() {
            let here = (assignment.number, variant.number);
            let (first, number) = *seen.entry(variant.short.as_str()).or_insert(here);
            if (first, number) != here {
                let path = ["assignments", &at.to_string(), "variants", &place.to_string(), "short"];
                problems.course(&path, text::word_again(&variant.short, first, number));
            }
        }
    }
}
