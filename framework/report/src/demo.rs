//! A synthetic course: settings and a seed in, the files of a whole course out.
//!
//! It shows an instructor everything before the first student comes, and it is the load test of the commands on a course. The
//! invariants: *the same input gives the same files*, and *nothing in it is measured*. Names are invented, evidence is drawn from the
//! seed, records follow from it, moments follow from the deadlines of the course, and `course.yaml` has `synthetic: true`, so that every page says so.
//!
//! All tasks solve one problem, a weighted sum, under the names of their variants. They differ in the way: seven sequential and five
//! parallel solutions were written by hand, and two independent students of one variant never have the same one. Names and comments are
//! drawn. Some tasks are wrong, late, disabled, missing, or copied with other names.

mod calendar;
mod course_text;
mod decisions;
mod evidence;
mod file;
mod people;
mod profile;
mod random;
mod records;
mod report;
mod solution;
mod task;
mod task_files;
mod variants;
mod workspace_files;

use std::{collections::BTreeMap, path::Path};

use calendar::DemoCalendar;
pub use file::DemoFile;
use people::DemoStudent;
use profile::TaskProfile;
use random::DemoRandom;
use report::DemoReport;
use task::DemoTask;
use wb_config::{
    ConfigError, ConfirmedSimilarities, CourseDate, CourseSettings, GivenVariants, Overrides, Roster,
};
use wb_course::{CourseGrades, Evidence, GradingFiles, HistoryPoint};
pub use workspace_files::RepositoryFiles;

/// The greatest number of students.
pub const DEMO_STUDENTS_MAX: u16 = 1000;

/// What a synthetic course is made of.
#[derive(Clone, Copy, Debug)]
pub struct DemoInput<'a> {
    /// The number of students, at most [`DEMO_STUDENTS_MAX`].
    pub students: usize,
    /// The seed of everything that is drawn.
    pub seed: u64,
    /// The repository of the workbench, which the course depends on.
    pub repository: RepositoryFiles<'a>,
}

/// All files of the course.
///
/// # Errors
/// The repository's `course.yaml` is not one, or the files that were made of it are not valid.
pub fn course(input: &DemoInput<'_>) -> Result<Vec<DemoFile>, ConfigError> {
    let students = people::students(input.students, input.seed);
    let path = Path::new("tasks/course.yaml");
    let calendar = DemoCalendar::new(&CourseSettings::parse(path, input.repository.course)?);
    let course_text = course_text::course_text(input.repository.course, &students, &calendar);
    let course = CourseSettings::parse(path, &course_text)?;
    let given = variants::given(&course, &students);
    let tasks = tasks(&course, &students, &given, input.seed);
    let mut files = workspace_files::files(&input.repository, &course_text, input.students, &calendar);
    files.push(DemoFile::new("tasks/roster.csv", people::roster(&students)));
    files.push(DemoFile::new("tasks/variants.csv", variants::table(&students, &given)));
    files.push(DemoFile::new("tasks/overrides.yaml", decisions::overrides(&tasks, &calendar)));
    files.push(DemoFile::new("tasks/similarity.yaml", decisions::similarities(&tasks, &calendar)));
    files.extend(decisions::archive(&tasks, &calendar));
    let submitted: Vec<&DemoTask<'_>> = tasks.iter().filter(|task| task.profile.is_submitted).collect();
    files.extend(submitted.iter().flat_map(|task| task_files::files(&course, task)));
    let report = |(place, task): (usize, &&DemoTask<'_>)| {
        DemoReport::new(&course, task, evidence::changed_at(&course, task), place)
    };
    let reports: Vec<DemoReport> = submitted.iter().enumerate().map(report).collect();
    let reported = || submitted.iter().zip(&reports);
    files.extend(reported().flat_map(|(task, report)| report.files(task)));
    let evidence: Vec<Evidence> =
        reported().map(|(task, report)| evidence::evidence(&course, task, report)).collect();
    files.extend(
        evidence.iter().map(|one| DemoFile::new(format!("grades/evidence/{}.json", one.task), one.to_json())),
    );
    files.push(DemoFile::new("grades/history.json", history_text(&submitted, &evidence)));
    files.push(DemoFile::new("grades/grades.json", grades_text(course, &files, &evidence, &calendar)?));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// Every student's task for every assignment, also those that were not submitted.
fn tasks<'a>(
    course: &CourseSettings,
    students: &'a [DemoStudent],
    given: &[variants::DemoVariant],
    seed: u64,
) -> Vec<DemoTask<'a>> {
    let mut earlier: BTreeMap<(u8, u8), usize> = BTreeMap::new();
    let mut tasks: Vec<DemoTask<'a>> = vec![];
    for one in given {
        let student = &students[one.student];
        let place = earlier.entry((one.assignment, one.variant)).or_insert(0);
        let mut random = DemoRandom::new(seed, &format!("{} {}", student.login, one.assignment));
        let profile = TaskProfile::draw(&mut random, *place, usize::from(one.variant));
        *place += 1;
        let short =
            course.variant(one.assignment, one.variant).map_or("task", |variant| variant.short.as_str());
        let name = format!("{}_{short}", student.login);
        tasks.push(DemoTask { student, assignment: one.assignment, variant: one.variant, name, profile });
    }
    decisions::plant_copies(&mut tasks);
    tasks
}

/// Measurements of earlier commits, and those of the evidence.
fn history_text(tasks: &[&DemoTask<'_>], evidence: &[Evidence]) -> String {
    let mut history: BTreeMap<String, Vec<HistoryPoint>> = BTreeMap::new();
    for (task, last) in tasks.iter().zip(evidence) {
        for earlier in evidence::earlier_commits(task, last) {
            crate::scoreboard::add_measurement(&mut history, &earlier);
        }
        crate::scoreboard::add_measurement(&mut history, last);
    }
    serde_json::to_string_pretty(&history).expect("keys are strings") + "\n"
}

/// The grades of all students, from the same files and evidence as `cargo wb grade --all` reads.
fn grades_text(
    course: CourseSettings,
    files: &[DemoFile],
    evidence: &[Evidence],
    calendar: &DemoCalendar,
) -> Result<String, ConfigError> {
    let path = |name: &str| Path::new("tasks").join(name);
    let text = |name: &str| {
        let wanted = format!("tasks/{name}");
        files.iter().find(|file| file.path == wanted).map_or("", |file| file.text.as_str())
    };
    let files = GradingFiles {
        course,
        roster: Roster::parse(&path("roster.csv"), text("roster.csv"))?,
        given: GivenVariants::parse(&path("variants.csv"), text("variants.csv"))?,
        overrides: Overrides::parse(&path("overrides.yaml"), text("overrides.yaml"))?,
        similarities: ConfirmedSimilarities::parse(&path("similarity.yaml"), text("similarity.yaml"))?,
    };
    let at = CourseDate::parse(&calendar.graded_at())
        .expect("a day and noon")
        .last_instant(&files.course.time_zone);
    let grades = files.grade_all(evidence, at);
    Ok(CourseGrades::new(at, grades).to_json())
}

#[cfg(test)]
#[path = "../tests/demo/course.rs"]
mod interface;
