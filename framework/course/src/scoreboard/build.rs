//! Grades to a scoreboard: for instructors with names, for everyone with pseudonyms.
//!
//! The invariant of a public scoreboard: *it contains points and kinds of reasons, and nothing that a student or an instructor wrote.*

use std::collections::{BTreeMap, HashMap};

use wb_config::{RosterStudent, TitleSettings};
use wb_text::{Lang, Text};

use super::{
    HistoryPoint, SCOREBOARD_SCHEMA, Scoreboard, ScoreboardAssignment, ScoreboardStudent, ScoreboardVariant,
    Visibility,
};
use crate::{CourseGrades, GradingFiles, Points, TaskGrade};

/// What a scoreboard is made of.
#[derive(Clone, Copy, Debug)]
pub struct ScoreboardInput<'a> {
    /// The course.
    pub files: &'a GradingFiles,
    /// The grades, one for each student and assignment.
    pub grades: &'a CourseGrades,
    /// Measurements by login, oldest first.
    pub history: &'a BTreeMap<String, Vec<HistoryPoint>>,
    /// The people who may see it.
    pub visibility: Visibility,
    /// The secret from which pseudonyms are made; it is not published.
    pub secret: &'a [u8],
    /// Whether all students and results are invented.
    pub synthetic: bool,
}

impl Scoreboard {
    /// The scoreboard of these grades.
    pub fn build(input: &ScoreboardInput<'_>) -> Self {
        let course = &input.files.course;
        let zone = course.time_zone.iana_name().unwrap_or("UTC");
        let mut by_login: HashMap<&str, Vec<&TaskGrade>> = HashMap::new();
        for grade in &input.grades.grades {
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
        // Public students have neither name nor group: their order is that of their pseudonyms, since any other would identify them.
        students.sort_by(|a, b| (&a.group, &a.name, &a.id).cmp(&(&b.group, &b.name, &b.id)));
        Self {
            schema: SCOREBOARD_SCHEMA,
            title: title(&course.title),
            at: input.grades.at,
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
        let listed = ScoreboardStudent {
            id: student.login.clone(),
            name: Some(student.name.clone()),
            stream: stream.map(|stream| stream.name.clone()),
            group: Some(student.group.clone()),
            total,
            of: self.files.total_points(),
            mark: self.files.mark(total).map(str::to_owned),
            tasks,
            history: self.history.get(&student.login).cloned().unwrap_or_default(),
        };
        match self.visibility {
            Visibility::Private => listed,
            Visibility::Public => listed.published(self.secret),
        }
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
