//! Grades to a scoreboard: for instructors with names, for everyone with pseudonyms.
//!
//! The invariant of a public scoreboard: *no name, login, package or commit is in it, and no text that a person wrote about a student.*
//! A reason of a grade may name the task's package and files, so on a public scoreboard these names are replaced.

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use wb_config::{RosterStudent, TitleSettings};
use wb_text::{Lang, Text, grade as text};

use super::{
    HistoryPoint, SCOREBOARD_SCHEMA, Scoreboard, ScoreboardAssignment, ScoreboardStudent, ScoreboardVariant,
    Visibility,
};
use crate::{GradingFiles, Letter, LetterGrade, Points, TaskGrade, pseudonym};

/// What a scoreboard is made of.
#[derive(Clone, Copy, Debug)]
pub struct ScoreboardInput<'a> {
    /// The course.
    pub files: &'a GradingFiles,
    /// The grades, one for each student and assignment.
    pub grades: &'a [TaskGrade],
    /// Measurements by login, oldest first.
    pub history: &'a BTreeMap<String, Vec<HistoryPoint>>,
    /// Who may see it.
    pub visibility: Visibility,
    /// The secret from which pseudonyms are made; it is not published.
    pub secret: &'a [u8],
    /// Whether all students and results are invented.
    pub synthetic: bool,
    /// The moment for which the grades were computed.
    pub at: Timestamp,
}

impl Scoreboard {
    /// The scoreboard of these grades.
    pub fn build(input: &ScoreboardInput<'_>) -> Self {
        let course = &input.files.course;
        let zone = course.time_zone.iana_name().unwrap_or("UTC");
        let mut by_login: HashMap<&str, Vec<&TaskGrade>> = HashMap::new();
        for grade in input.grades {
            by_login.entry(&grade.login).or_default().push(grade);
        }
        let mut students: Vec<ScoreboardStudent> = input
            .files
            .roster
            .students
            .iter()
            .map(|student| {
                let grades = by_login.get(student.login.as_str()).map_or(&[][..], Vec::as_slice);
                input.student(student, grades)
            })
            .collect();
        // Public students have no name: their order is that of their pseudonyms, since the order of names would identify them.
        students.sort_by(|a, b| (&a.group, &a.name, &a.id).cmp(&(&b.group, &b.name, &b.id)));
        Self {
            schema: SCOREBOARD_SCHEMA,
            title: title(&course.title),
            at: input.at,
            time_zone: zone.to_owned(),
            visibility: input.visibility,
            synthetic: input.synthetic,
            assignments: course.assignments.iter().map(assignment).collect(),
            students,
        }
    }
}

impl ScoreboardInput<'_> {
    fn student(&self, student: &RosterStudent, grades: &[&TaskGrade]) -> ScoreboardStudent {
        let stream = self.files.course.stream_of(&student.group);
        let mut tasks: Vec<TaskGrade> = grades.iter().map(|grade| (*grade).clone()).collect();
        tasks.sort_by_key(|task| task.assignment);
        let total: Points = tasks.iter().map(|task| task.total).sum();
        let mut history = self.history.get(&student.login).cloned().unwrap_or_default();
        let is_public = self.visibility == Visibility::Public;
        let id = if is_public { pseudonym(self.secret, &student.login) } else { student.login.clone() };
        if is_public {
            tasks.iter_mut().for_each(|task| anonymise(task, &id));
            history.iter_mut().for_each(|point| point.commit.clear());
        }
        ScoreboardStudent {
            id,
            name: (!is_public).then(|| student.name.clone()),
            stream: stream.map(|stream| stream.name.clone()).unwrap_or_default(),
            group: student.group.clone(),
            total,
            of: self.files.total_points(),
            mark: self.files.mark(total).map(str::to_owned),
            tasks,
            history,
        }
    }
}

/// Removes from a grade what identifies its student, and what instructors wrote about a person.
fn anonymise(grade: &mut TaskGrade, id: &str) {
    for one in &mut grade.overrides {
        let private = text::set_by(one.to, &one.by, &one.reason);
        for reason in grade.letters.iter_mut().flat_map(|letter| &mut letter.reasons) {
            if reason.text == private {
                reason.text = text::set_by_instructor(one.to);
            }
        }
        one.reason.clear();
        one.by.clear();
    }
    grade.letters.iter_mut().for_each(remove_remarks);
    if let Some(package) = grade.task.take() {
        let hide = |text: &mut Text| {
            text.en = text.en.replace(&package, "TASK").into();
            text.ru = text.ru.replace(&package, "TASK").into();
        };
        for reason in grade.letters.iter_mut().flat_map(|letter| &mut letter.reasons) {
            hide(&mut reason.text);
            reason.remedy.iter_mut().for_each(hide);
        }
    }
    id.clone_into(&mut grade.login);
    grade.commit = None;
}

/// The remarks on a deadline name commits and reasons of extensions; the reason of a penalty for copying is an instructor's text.
fn remove_remarks(letter: &mut LetterGrade) {
    match letter.letter {
        Letter::Deadline => {
            let first = letter.reasons.first().map(|reason| reason.text.clone());
            let by_instructor = text::set_by_instructor(letter.points);
            letter
                .reasons
                .retain(|reason| Some(&reason.text) == first.as_ref() || reason.text == by_instructor);
        }
        Letter::Copying => {
            let by_instructor = text::set_by_instructor(letter.points);
            let written = letter.reasons.iter_mut().filter(|reason| reason.text != by_instructor);
            written.for_each(|reason| reason.text = text::copied_publicly());
        }
        _ => {}
    }
}

fn assignment(assignment: &wb_config::AssignmentSettings) -> ScoreboardAssignment {
    let points = assignment.points;
    let variant = |variant: &wb_config::VariantSettings| ScoreboardVariant {
        number: variant.number,
        title: title(&variant.title),
    };
    ScoreboardAssignment {
        number: assignment.number,
        title: title(&assignment.title),
        of: [points.mpi, points.seq, points.performance, points.report].into_iter().map(Points::whole).sum(),
        variants: assignment.variants.iter().map(variant).collect(),
    }
}

fn title(title: &TitleSettings) -> Text {
    let own = |lang| title.in_language(lang).to_owned().into();
    Text { en: own(Lang::En), ru: own(Lang::Ru) }
}
