//! `cargo wb grade`: evidence of tasks, and the grades that follow from it.
//!
//! Collecting runs tests, so it takes as long as they do; the evidence is kept in `grades/evidence`. Grading is a pure function of the
//! evidence and of the course's files, so it can be repeated years later.

mod collect;
mod git;
mod print;
mod submission;

use std::{collections::HashMap, env, path::Path};

use jiff::Timestamp;
use wb_config::{CourseDate, RosterStudent, TaskSettings};
use wb_course::{GradingFiles, TaskGrade};
use wb_messages::{Lang, grade as text};

use crate::{
    CommandStatus,
    arguments::GradeArgs,
    backend::SelectedBackend,
    course_files::{read_course, read_evidence, write_evidence},
    error::{CliError, Result, describe_config_error},
    measure::BenchmarkRunner,
    output,
    workspace::{TaskEntry, Workspace},
};
use collect::{Collector, JudgeOptions};
use submission::MainBranch;

/// All grades, below the root of the workspace.
const GRADES: &str = "grades/grades.json";

pub(crate) fn run(wanted: &GradeArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
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
        true => read_evidence(workspace.root())?.into_iter().find(|evidence| evidence.task == name),
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
        (false, false) => println!("{}", print::details(&grade, lang)),
    }
    Ok(CommandStatus::Success)
}

/// Grades all students, or those of a group; the grades of all are written.
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
    let complete = match wanted.collect || wanted.measure || wanted.judge {
        true => collect_all(workspace, files, wanted, is_meant, at, (lang, json))?,
        false => true,
    };
    let mut grades = files.grade_all(&read_evidence(root)?, at);
    if group.is_none() {
        write_grades(root, &grades)?;
    }
    let meant = |grade: &TaskGrade| files.roster.student(&grade.login).is_some_and(is_meant);
    grades.retain(meant);
    if json {
        output::print_json(&grades);
    } else {
        let names: HashMap<&str, &str> =
            files.roster.students.iter().map(|one| (one.login.as_str(), one.name.as_str())).collect();
        println!("{}", print::table(&grades, &names, lang));
        if group.is_none() {
            println!("{}", text::wrote(lang, GRADES, grades.len()));
        }
    }
    Ok(CommandStatus::from_success(complete))
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
    for (number, task) in tasks.iter().enumerate() {
        match enrolled(task, files, lang) {
            Ok((settings, student)) if is_meant(student) => {
                eprintln!("{}", text::collecting(lang, number + 1, tasks.len(), &task.name));
                match collector.collect(task, settings, student, lang) {
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
        runner: BenchmarkRunner { workspace, backend, quick: false, ranks: &[], quiet },
        course: &files.course,
        main: MainBranch::find(workspace.root(), wanted.main.as_deref()),
        owned: workspace.assignments().iter().map(|entry| (entry.number, entry.variant)).collect(),
        measures: wanted.measure,
        judge: wanted.judge.then(|| JudgeOptions {
            sandbox: wanted.sandbox,
            private: wanted.private.clone(),
            quiet,
        }),
        at,
    })
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
    workspace.tasks().into_iter().find(|task| is_around(&task.folder)).map(|task| task.name)
}

/// Writes `grades/grades.json`.
fn write_grades(root: &Path, grades: &[TaskGrade]) -> Result<()> {
    let file = root.join(GRADES);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(CliError::system("create", folder))?;
    }
    let text = serde_json::to_string_pretty(grades).expect("grades have string keys only") + "\n";
    wb_process::write_atomically(&file, text).map_err(CliError::system("write", &file))
}
