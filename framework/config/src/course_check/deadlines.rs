//! Deadlines follow each other for every group, and extensions extend.

use wb_text::course as text;
use wb_text::settings;

use super::problems::Problems;
use crate::{CourseSettings, Roster};

pub(super) fn check(course: &CourseSettings, roster: Option<&Roster>, problems: &mut Problems<'_>) {
    for (at, assignment) in course.assignments.iter().enumerate() {
        let at = at.to_string();
        for (group, deadline) in &assignment.deadlines {
            let path = ["assignments", &at, "deadlines", group];
            if course.stream_of(group).is_none() {
                problems.course(&path, text::unknown_group(group, known_groups(course)));
            }
            if *deadline == assignment.deadline {
                problems.course(&path, text::same_deadline());
            }
        }
    }
    order(course, problems);
    if let Some(roster) = roster {
        extensions(course, roster, problems);
    }
}

/// The groups of all streams, for a message.
pub(super) fn known_groups(course: &CourseSettings) -> String {
    let groups: Vec<_> =
        course.streams.iter().flat_map(|stream| &stream.groups).map(|group| format!("`{group}`")).collect();
    groups.join(", ")
}

fn order(course: &CourseSettings, problems: &mut Problems<'_>) {
    let instant = |deadline: crate::CourseDate| deadline.last_instant(&course.time_zone);
    for at in 1..course.assignments.len() {
        let (before, here) = (&course.assignments[at - 1], &course.assignments[at]);
        let step = at.to_string();
        if instant(here.deadline) <= instant(before.deadline) {
            let problem = text::general_deadlines_order(
                here.number,
                here.deadline.to_string(),
                before.deadline.to_string(),
            );
            problems.course(&["assignments", &step, "deadline"], problem);
        }
        let special = before.deadlines.keys().chain(here.deadlines.keys());
        let groups: std::collections::BTreeSet<_> = special.collect();
        for group in groups {
            let (ends, begins) = (here.deadline_of_group(group), before.deadline_of_group(group));
            if instant(ends) <= instant(begins) {
                let (step, earlier) = (at.to_string(), (at - 1).to_string());
                let place = if here.deadlines.contains_key(group) { &step } else { &earlier };
                let problem = text::deadlines_order(group, here.number, ends.to_string(), begins.to_string());
                problems.course(&["assignments", place, "deadlines", group], problem);
            }
        }
    }
}

fn extensions(course: &CourseSettings, roster: &Roster, problems: &mut Problems<'_>) {
    for (at, extension) in course.extensions.iter().enumerate() {
        let (place, assignment) = (at.to_string(), extension.assignment);
        let is_same = |other: &&crate::ExtensionSettings| {
            other.assignment == assignment && other.login.eq_ignore_ascii_case(&extension.login)
        };
        if course.extensions[..at].iter().any(|other| is_same(&other)) {
            problems.course(&["extensions", &place], text::extension_again(&extension.login, assignment));
        }
        let Some(student) = roster.student(&extension.login) else {
            problems.course(&["extensions", &place, "login"], settings::unknown_login(&extension.login));
            continue;
        };
        let deadline = course.assignment(assignment).deadline_of_group(&student.group);
        let zone = &course.time_zone;
        if extension.until.last_instant(zone) <= deadline.last_instant(zone) {
            let problem = text::extension_without_effect(extension.until.to_string(), deadline.to_string());
            problems.course(&["extensions", &place, "until"], problem);
        }
    }
}
