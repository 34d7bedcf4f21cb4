//! A synthetic course is what it says: the same files for the same seed, valid settings, right solutions, and every kind of grade.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use jiff::tz::TimeZone;
use wb_config::{CourseDate, CourseSettings, TaskSettings};
use wb_course::{CourseGrades, Evidence, Letter, PerformanceEvidence, Points};
use wb_messages::Lang;

use crate::demo::{DemoFile, DemoInput, RepositoryFiles, course};

fn repository(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn made(students: usize, seed: u64) -> Vec<DemoFile> {
    made_of(&repository("tasks/course.yaml"), students, seed)
}

/// The files of a course with this `course.yaml`.
fn made_of(course_text: &str, students: usize, seed: u64) -> Vec<DemoFile> {
    let texts = ["Cargo.toml", "Cargo.lock", ".cargo/config.toml"].map(repository);
    let repository = RepositoryFiles {
        folder: "/somewhere",
        manifest: &texts[0],
        lock: &texts[1],
        cargo_config: &texts[2],
        toolchain: "",
        rustfmt: "",
        clippy: "",
        course: course_text,
    };
    course(&DemoInput { students, seed, repository }).unwrap_or_else(|error| panic!("{error}"))
}

fn text<'a>(files: &'a [DemoFile], path: &str) -> &'a str {
    &files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path}")).text
}

#[test]
fn the_same_seed_gives_the_same_files_and_another_one_other_files() {
    let files = made(30, 1);
    assert_eq!(files, made(30, 1));
    assert_ne!(files, made(30, 2));
    let paths: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths.len(), files.len(), "no path twice");
}

#[test]
fn every_task_has_valid_settings_and_evidence_and_is_in_the_roster() {
    let files = made(150, 1);
    let mut tasks = 0;
    for file in
        files.iter().filter(|file| file.path.starts_with("tasks/") && file.path.ends_with("/task.yaml"))
    {
        let settings = TaskSettings::parse(Path::new(&file.path), &file.text);
        let settings = settings.unwrap_or_else(|error| panic!("{error}"));
        let name = file.path.split('/').nth(1).expect("a folder");
        let evidence = Evidence::parse(text(&files, &format!("grades/evidence/{name}.json")));
        let evidence = evidence.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(settings.login.as_deref(), Some(evidence.login.as_str()));
        assert_eq!((settings.task_number, settings.variant), (evidence.assignment, evidence.variant));
        tasks += 1;
    }
    assert!((400..450).contains(&tasks), "{tasks}");
    assert_eq!(text(&files, "tasks/roster.csv").lines().count(), 151);
    assert_eq!(text(&files, "tasks/variants.csv").lines().count(), 451);
    assert!(text(&files, "tasks/course.yaml").contains("\nsynthetic: true\n"));
}

#[test]
fn every_letter_is_earned_by_some_tasks_and_lost_by_others() {
    let grades: CourseGrades =
        serde_json::from_str(text(&made(150, 1), "grades/grades.json")).expect("grades");
    let grades = grades.grades;
    assert_eq!(grades.len(), 450);
    let of = |letter| grades.iter().filter_map(move |grade| grade.letter(letter));
    for letter in [Letter::Solution, Letter::Performance, Letter::Report] {
        let full = of(letter).filter(|grade| Some(grade.points) == grade.of).count();
        let none = of(letter).filter(|grade| grade.points == Points::ZERO && grade.of > Some(Points::ZERO));
        let none = none.count();
        assert!(full > 20 && none > 5, "{letter:?}: {full} full, {none} without points");
    }
    let penalised = |letter| of(letter).filter(|grade| grade.points < Points::ZERO).count();
    assert!(penalised(Letter::Deadline) > 20, "{}", penalised(Letter::Deadline));
    assert_eq!(penalised(Letter::Copying), 2, "the two tasks of the confirmed case");
    assert_eq!(grades.iter().map(|grade| grade.overrides.len()).sum::<usize>(), 2);
    assert!(grades.iter().filter(|grade| grade.task.is_none()).count() > 5);
}

#[test]
fn moments_follow_from_the_deadlines_of_the_course() {
    let later = repository("tasks/course.yaml").replace("deadline: 2027-", "deadline: 2031-");
    let files = made_of(&later, 60, 1);
    assert!(text(&files, "README.md").contains("--at 2031-05-20T12:00"));
    assert!(files.iter().any(|file| file.path.starts_with("archive/2030/")));
    assert!(text(&files, "tasks/course.yaml").contains("until: 2031-03-14"));
    let decided = ["tasks/overrides.yaml", "tasks/similarity.yaml"].map(|name| text(&files, name));
    assert!(
        decided.iter().all(|text| text.contains("at: 2031-05-18") && !text.contains("2027")),
        "{decided:?}"
    );
    let at = CourseDate::parse("2031-05-20T12:00").expect("a moment").first_instant(&TimeZone::UTC);
    for one in evidence(&files) {
        let submission = one.submission.expect("it was submitted");
        assert!(submission.merged_at < at, "{}: {}", one.task, submission.merged_at);
    }
}

#[test]
fn deadlines_for_groups_of_the_repository_are_not_those_of_the_demo() {
    let (first, second) = ("    deadline: 2027-03-07\n", "    deadline: 2027-04-11\n");
    let course = repository("tasks/course.yaml")
        .replace(first, &format!("{first}    deadlines: {{ 3823B1PR1: 2027-03-09, staff: 2027-03-10 }}\n"))
        .replace(second, &format!("{second}    deadlines:\n      # later\n      3823B1PR1: 2027-04-12\n"));
    let before = CourseSettings::parse(Path::new("course.yaml"), &course).expect("a course");
    assert_eq!(before.assignments.iter().map(|one| one.deadlines.len()).collect::<Vec<_>>(), [2, 1, 0]);
    let files = made_of(&course, 30, 1);
    let files_without = made(30, 1);
    let settings = |files: &[DemoFile]| {
        CourseSettings::parse(Path::new("course.yaml"), text(files, "tasks/course.yaml")).expect("a course")
    };
    assert_eq!(settings(&files), settings(&files_without));
    assert_eq!(text(&files, "grades/grades.json"), text(&files_without, "grades/grades.json"));
}

fn evidence(files: &[DemoFile]) -> Vec<Evidence> {
    let of_tasks = files.iter().filter(|file| file.path.starts_with("grades/evidence/"));
    of_tasks.map(|file| Evidence::parse(&file.text).expect("evidence")).collect()
}

#[test]
fn reports_have_the_sections_that_a_grade_reads_and_some_have_records_and_pages() {
    let files = made(150, 1);
    let (mut states, mut reported) = (BTreeSet::new(), 0);
    for one in evidence(&files) {
        let path = |name: &str| format!("reports/{}/{name}", one.task);
        let report = text(&files, &path("report.md"));
        assert_eq!(
            one.report.sections,
            crate::sections(report).expect("its blocks are whole"),
            "{}",
            one.task
        );
        states.extend(one.report.sections.iter().map(|section| format!("{:?}", section.state)));
        assert!(!one.instructor_owned && !one.judged, "{}: there are no crates of assignments", one.task);
        let Some(records) = files.iter().find(|file| file.path == path("records.jsonl")) else { continue };
        reported += 1;
        let records = wb_record::read_all(&records.text).expect("records");
        assert_eq!(one.performance, crate::performance_evidence(&records), "{}", one.task);
        assert!(matches!(one.performance, PerformanceEvidence::Scaling(_)), "{:?}", one.performance);
        assert!(crate::are_blocks_current(report, &crate::markdown(&records, Lang::En)), "{}", one.task);
        assert_eq!(text(&files, &path("report.html")), crate::html(&records, Lang::En));
    }
    assert_eq!(states.len(), 4, "{states:?}");
    assert!((10..40).contains(&reported), "{reported} tasks with records");
}

/// All ways of the sequential version in one program, which compares them with the definition.
#[test]
fn the_sequential_solutions_are_right() {
    let files = made(60, 1);
    let sources =
        files.iter().filter(|file| file.path.starts_with("tasks/") && file.path.ends_with("src/seq.rs"));
    let mut ways = BTreeSet::new();
    let mut program = String::new();
    for source in sources {
        let way = source.text.lines().next().expect("a line").to_owned();
        if ways.insert(way) {
            let (_, functions) = source.text.split_once("/// The weighted sum").expect("the function");
            program += &format!("mod way_{} {{\n/// The weighted sum{functions}}}\n", ways.len());
        }
    }
    assert_eq!(ways.len(), 7, "{ways:?}");
    let calls: String = (1..=7).map(|way| format!("way_{way}::weighted_sum,")).collect();
    program += &include_str!("weighted_sums.txt").replace("@calls@", &calls);
    assert_eq!(compile_and_run(&program), "7 ways agree\n");
    let wrong = program.replacen("% 7", "% 6", 1);
    assert_ne!(compile_and_run(&wrong), "7 ways agree\n", "canary: a wrong way is found");
}

fn compile_and_run(program: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, binary) = (folder.path().join("ways.rs"), folder.path().join("ways"));
    fs::write(&source, program).expect("written");
    let mut rustc = Command::new("rustc");
    let compiled = rustc.args(["--edition", "2024", "-o"]).args([&binary, &source]).output().expect("rustc");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(&binary).output().expect("it runs");
    String::from_utf8_lossy(&run.stdout).into_owned()
}

#[test]
fn a_course_of_any_size_is_made() {
    for students in [0, 1, 2, 26, 200] {
        let files = made(students, 7);
        let roster = text(&files, "tasks/roster.csv");
        let logins: BTreeSet<&str> = roster.lines().filter_map(|line| line.split(',').next()).collect();
        assert_eq!((roster.lines().count(), logins.len()), (students + 1, students + 1), "no login twice");
    }
}
