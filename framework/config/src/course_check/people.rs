//! The groups of the roster and of the streams agree, given variants exist, and no two students have the same ones.

use std::collections::{HashMap, HashSet};

use wb_text::{course as text, settings};

use super::{deadlines::known_groups, problems::Problems};
use crate::{CourseSettings, GivenVariants, Roster};

pub(super) fn check(
    course: &CourseSettings,
    roster: &Roster,
    given: &GivenVariants,
    problems: &mut Problems<'_>,
) {
    streams(course, roster, problems);
    combinations(roster, given, problems);
}

fn streams(course: &CourseSettings, roster: &Roster, problems: &mut Problems<'_>) {
    if course.streams.is_empty() {
        problems.course(&["streams"], text::no_streams());
    }
    let populated: HashSet<&str> = roster.students.iter().map(|student| student.group.as_str()).collect();
    let (mut names, mut groups) = (HashSet::new(), HashMap::new());
    for (at, stream) in course.streams.iter().enumerate() {
        let at = at.to_string();
        if !names.insert(&stream.name) {
            problems.course(&["streams", &at, "name"], text::stream_again(&stream.name));
        }
        if stream.groups.is_empty() {
            problems.course(&["streams", &at, "groups"], text::no_groups());
        }
        for (place, group) in stream.groups.iter().enumerate() {
            let path = ["streams", &at, "groups", &place.to_string()];
            if let Some(first) = groups.insert(group, &stream.name) {
                problems.course(&path, text::group_again(group, first));
            } else if !populated.contains(group.as_str()) {
                problems.course(&path, text::group_without_students(group));
            }
        }
    }
}

/// Each student is in a group of a stream, and no name is twice in a group.
pub(super) fn students(course: &CourseSettings, roster: &Roster, problems: &mut Problems<'_>) {
    let mut names = HashMap::new();
    for student in &roster.students {
        if course.stream_of(&student.group).is_none() && !course.streams.is_empty() {
            let problem = text::unknown_group(&student.group, known_groups(course));
            problems.roster(student.line, (2, "group"), problem);
        }
        let first = *names.entry((student.name.to_lowercase(), &student.group)).or_insert(student.line);
        if first != student.line {
            let problem = text::name_again(&student.name, &student.group, first);
            problems.roster(student.line, (1, "name"), problem);
        }
    }
}

/// Every given variant exists.
pub(super) fn variants(course: &CourseSettings, given: &GivenVariants, problems: &mut Problems<'_>) {
    for row in &given.rows {
        let last = course.assignment(row.assignment).variants.len();
        if usize::from(row.variant) > last {
            let problem = settings::variant(row.assignment, row.variant, last);
            problems.variants(row.line, (2, "variant"), problem);
        }
    }
}

/// No two students have the same variants of all assignments.
fn combinations(roster: &Roster, given: &GivenVariants, problems: &mut Problems<'_>) {
    let mut by_login: HashMap<String, [Option<u8>; 3]> = HashMap::new();
    for row in &given.rows {
        let all = by_login.entry(row.login.to_ascii_lowercase()).or_default();
        all[usize::from(row.assignment) - 1] = Some(row.variant);
    }
    let mut seen = HashMap::new();
    for student in &roster.students {
        let Some([Some(one), Some(two), Some(three)]) = by_login.get(&student.login.to_ascii_lowercase())
        else {
            continue;
        };
        let first = *seen.entry([one, two, three]).or_insert(student.line);
        if first != student.line {
            let problem = text::same_three_variants(&student.login, first);
            problems.roster(student.line, (0, "login"), problem);
        }
    }
}
