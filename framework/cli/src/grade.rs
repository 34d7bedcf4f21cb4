//! `cargo wb grade`: evidence of tasks, and the grades that follow from it.
//!
//! Collecting runs tests, so it takes as long as they do; the evidence is kept in `grades/evidence`. Grading is a pure function of the
//! evidence and of the course's files, so it can be repeated years later.

mod collect;
mod print;
mod submission;

use std::{
    collections::{HashMap, HashSet},
    env,
    path::Path,
};

use collect::{Collector, JudgeOptions};
use jiff::Timestamp;
use submission::MainBranch;
use wb_config::{CourseDate, RosterStudent, TaskSettings};
use wb_course::{CourseGrades, Evidence, GradingFiles, ReasonKind, TaskGrade};
use wb_messages::{Lang, grade as text};

use crate::{
    CommandStatus,
    arguments::GradeArgs,
    backend::SelectedBackend,
    course_files::{read_course, read_evidence, write_evidence},
    error::{CliError, Result, describe_config_error},
    measure::BenchmarkRunner,
    output, readable_workspace,
    workspace::{TaskEntry, Workspace},
};

/// All grades, below the root of the workspace.
const GRADES: &str = "grades/grades.json";

pub(crate) fn run(wanted: &GradeArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let workspace = readable_workspace::find()?;
    let files = read_course(workspace.root(), lang)?;
    let at = moment(wanted.at, &files);
    match (&wanted.group, wanted.all) {
        (None, false) => grade_one(&workspace, &files, wanted, at, (lang, json)),
        (group, _) => grade_many(&workspace, &files, group.as_deref(), wanted, at, (lang, json)),
    }
}

/// The last instant of `--at`, or now.
fn moment(at: Option<CourseDate>, files: &GradingFiles) -> Timestamp {
    at.map_or_else(Timestamp::now, |at| at.last_instant(&files.course.time_zone))
}

/// Grades one task.
fn grade_one(
    workspace: &Workspace,
    files: &GradingFiles,
    wanted: &GradeArgs,
    at: Timestamp,
    (lang, json): (Lang, bool),
) -> Result<CommandStatus> {
    let name = match &wanted.task {
        Some(name) => name.clone(),
        None if wanted.dry_run => {
            task_here(workspace).ok_or_else(|| CliError::Usage(text::name_what(lang)))?
        }
        None => return Err(CliError::Usage(text::name_what(lang))),
    };
    let task = workspace.task(&name, lang)?;
    let (settings, student) = enrolled(&task, files, lang)?;
    let evidence = match wanted.from_evidence {
        true => read_evidence(workspace.root(), lang)?.into_iter().find(|evidence| evidence.task == name),
        false => {
            let collector = collector(workspace, files, wanted, at, (lang, json))?;
            Some(collector.collect(&task, settings, student, lang)?)
        }
    };
    if let Some(evidence) = evidence.as_ref().filter(|_| !wanted.dry_run && !wanted.from_evidence) {
        write_evidence(workspace.root(), evidence)?;
    }
    let assignment = settings.task_number;
    let grade = files.grade_task(student, assignment, evidence.as_ref(), at, wanted.dry_run);
    match (json, wanted.dry_run) {
        (true, _) => output::print_json(&grade),
        (false, true) => println!("{}", print::dry_run(&grade, lang)),
        (false, false) => println!("{}", print::details(&grade, &files.course.time_zone, lang)),
    }
    Ok(CommandStatus::Success)
}

/// Grades all students and writes their grades, or shows those of a group and writes none.
fn grade_many(
    workspace: &Workspace,
    files: &GradingFiles,
    group: Option<&str>,
    wanted: &GradeArgs,
    at: Timestamp,
    (lang, json): (Lang, bool),
) -> Result<CommandStatus> {
    let root = workspace.root();
    let is_meant = |student: &RosterStudent| group.is_none_or(|group| student.group == group);
    if let Some(group) = group.filter(|_| !files.roster.students.iter().any(is_meant)) {
        let mut known: Vec<&str> =
            files.roster.students.iter().map(|student| student.group.as_str()).collect();
        known.sort_unstable();
        known.dedup();
        return Err(CliError::Usage(text::no_group(lang, group, known.join(", "))));
    }
    let complete = match wanted.collect || wanted.measure || wanted.judge || wanted.changed {
        true => collect_all(workspace, files, wanted, is_meant, at, (lang, json))?,
        false => true,
    };
    let evidence = evidence_of_tasks(workspace, lang)?;
    let mut graded = CourseGrades::new(at, files.grade_all(&evidence, at));
    if group.is_none() {
        write_grades(root, &graded)?;
    }
    let grades = &mut graded.grades;
    let selected = |grade: &TaskGrade| files.roster.student(&grade.login).is_some_and(is_meant);
    grades.retain(selected);
    warn_of_second_tasks(grades, lang);
    if json {
        output::print_json(&graded);
    } else {
        let names: HashMap<&str, &str> =
            files.roster.students.iter().map(|one| (one.login.as_str(), one.name.as_str())).collect();
        println!("{}", print::table(&graded.grades, &names, lang));
        if group.is_none() {
            println!("{}", text::wrote(lang, GRADES, graded.grades.len()));
        }
    }
    Ok(CommandStatus::from_success(complete))
}

/// The evidence of tasks that exist. A task that was removed from the main branch earns nothing, so its evidence does not count.
fn evidence_of_tasks(workspace: &Workspace, lang: Lang) -> Result<Vec<Evidence>> {
    let tasks: HashSet<String> = workspace.task_names().into_iter().collect();
    let mut evidence = read_evidence(workspace.root(), lang)?;
    for removed in evidence.iter().filter(|evidence| !tasks.contains(&evidence.task)) {
        eprintln!("{}", text::removed_task(lang, wb_text::escape::line(&removed.task)));
    }
    evidence.retain(|evidence| tasks.contains(&evidence.task));
    Ok(evidence)
}

/// Names the students who have two tasks for one assignment.
fn warn_of_second_tasks(grades: &[TaskGrade], lang: Lang) {
    let reasons = grades.iter().flat_map(|grade| {
        let reasons = grade.letters.iter().flat_map(|letter| &letter.reasons);
        reasons.map(move |reason| (grade, reason))
    });
    for (grade, reason) in reasons.filter(|(_, reason)| reason.kind == ReasonKind::SecondTask) {
        let why = reason.text.in_language(lang);
        eprintln!("{}", text::second_task(lang, wb_text::escape::line(&grade.login), grade.assignment, why));
    }
}

/// Collects the evidence of all tasks of these students. Returns whether each task could be assigned to a student.
fn collect_all(
    workspace: &Workspace,
    files: &GradingFiles,
    wanted: &GradeArgs,
    is_meant: impl Fn(&RosterStudent) -> bool,
    at: Timestamp,
    (lang, json): (Lang, bool),
) -> Result<bool> {
    let collector = collector(workspace, files, wanted, at, (lang, json))?;
    let (tasks, mut complete) = (workspace.tasks(), true);
    let known = if wanted.changed { read_evidence(workspace.root(), lang)? } else { vec![] };
    let mut current = 0;
    for (number, task) in tasks.iter().enumerate() {
        match enrolled(task, files, lang) {
            Ok((settings, student)) if is_meant(student) => {
                let known = known.iter().find(|known| known.task == task.name);
                let is_current = known.map_or(Ok(false), |known| collector.is_current(known, task, settings));
                if let Ok(true) = is_current {
                    current += 1;
                    continue;
                }
                eprintln!("{}", text::collecting(lang, number + 1, tasks.len(), &task.name));
                match is_current.and_then(|_| collector.collect(task, settings, student, lang)) {
                    Ok(evidence) => write_evidence(workspace.root(), &evidence)?,
                    Err(error) => {
                        eprintln!("{}", text::skipped(lang, &task.name, error.render(lang)));
                        complete = false;
                    }
                }
            }
            Ok(_) => {}
            Err(error) => {
                eprintln!("{}", text::skipped(lang, &task.name, error.render(lang)));
                complete = false;
            }
        }
    }
    if current > 0 {
        eprintln!("{}", text::current(lang, current));
    }
    Ok(complete)
}

fn collector<'w>(
    workspace: &'w Workspace,
    files: &'w GradingFiles,
    wanted: &GradeArgs,
    at: Timestamp,
    (lang, quiet): (Lang, bool),
) -> Result<Collector<'w>> {
    let backend = SelectedBackend::select(None, lang)?;
    Ok(Collector {
        workspace,
        runner: BenchmarkRunner { backend, ..BenchmarkRunner::without_mpi(workspace, quiet) },
        course: &files.course,
        main: main_branch(workspace.root(), wanted, lang)?,
        measures: wanted.measure,
        judge: wanted.judge.then(|| JudgeOptions { private: wanted.private.clone(), quiet }),
        sandbox: wanted.sandbox,
        at,
    })
}

/// The branch into which tasks are merged. A dry run needs none, since it grades a state as if it were merged; so a clone that lacks the
/// history is enough, as that of a pull request.
fn main_branch(root: &Path, wanted: &GradeArgs, lang: Lang) -> Result<Option<MainBranch>> {
    match MainBranch::find(root, wanted.main.as_deref()) {
        Err(error) if wanted.dry_run && error.is_missing_history() => {
            eprintln!("{}", text::without_main_branch(lang, error.render(lang)));
            Ok(None)
        }
        found => Ok(found.map(Some)?),
    }
}

/// The settings of a task, and its student.
fn enrolled<'t>(
    task: &'t TaskEntry,
    files: &'t GradingFiles,
    lang: Lang,
) -> Result<(&'t TaskSettings, &'t RosterStudent)> {
    let settings = match &task.settings {
        Ok(settings) => settings,
        Err(error) => return Err(CliError::Usage(describe_config_error(error, lang))),
    };
    let student = files.roster.student_of(settings);
    let student = student.ok_or_else(|| CliError::Usage(text::not_in_roster(lang, &task.name)))?;
    Ok((settings, student))
}

/// The task whose folder contains the current folder.
fn task_here(workspace: &Workspace) -> Option<String> {
    let here = env::current_dir().and_then(|folder| folder.canonicalize()).ok()?;
    let is_around = |folder: &Path| folder.canonicalize().is_ok_and(|folder| here.starts_with(folder));
    workspace.task_folders().into_iter().find(|(_, folder)| is_around(folder)).map(|(task, _)| task)
}

/// Writes `grades/grades.json`.
fn write_grades(root: &Path, grades: &CourseGrades) -> Result<()> {
    let file = root.join(GRADES);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(CliError::system("create", folder))?;
    }
    wb_process::write_atomically(&file, grades.to_json()).map_err(CliError::system("write", &file))
}
