//! `cargo wb course check`: all problems of the files of the course.

use serde::Serialize;
use wb_config::{ConfigError, CourseCounts, CourseFiles};
use wb_messages::{Lang, enrolment as text};

use crate::{
    CommandStatus,
    error::{Result, describe_config_error},
    output,
    workspace::Workspace,
};

pub(crate) fn run(lang: Lang, json: bool) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
    let checked = CourseFiles::find(workspace.root())?.check();
    if json {
        let problems = checked.problems.iter().map(|error| CourseProblem::new(error, lang)).collect();
        output::print_json(&CheckedCourse { problems, counts: &checked.counts });
    } else {
        for problem in &checked.problems {
            eprintln!("{}\n", describe_config_error(problem, lang));
        }
        print_counts(&checked.counts, lang);
        match checked.problems.len() {
            0 => println!("{}", text::no_problem(lang)),
            count => println!("{}", text::problems(lang, count)),
        }
    }
    Ok(CommandStatus::from_success(checked.problems.is_empty()))
}

fn print_counts(counts: &CourseCounts, lang: Lang) {
    println!("{}", text::checked(lang, counts.variants, counts.groups, counts.students, counts.given));
    if counts.departed > 0 {
        println!("{}", text::departed(lang, counts.departed));
    }
    let decisions = [counts.extensions, counts.overrides, counts.similarities];
    if decisions.iter().any(|count| *count > 0) {
        let [extensions, overrides, similarities] = decisions;
        println!("{}", text::checked_decisions(lang, extensions, overrides, similarities));
    }
}

/// The answer with `--json`.
#[derive(Serialize)]
struct CheckedCourse<'a> {
    problems: Vec<CourseProblem>,
    counts: &'a CourseCounts,
}

/// One problem; file and place where it has one.
#[derive(Serialize)]
struct CourseProblem {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    problem: String,
}

impl CourseProblem {
    fn new(error: &ConfigError, lang: Lang) -> Self {
        match error {
            ConfigError::Diagnostic(found) => Self {
                file: Some(found.file.display().to_string()),
                line: Some(found.line),
                column: Some(found.column),
                problem: found.problem.render(lang),
            },
            other => Self { file: None, line: None, column: None, problem: other.text().render(lang) },
        }
    }
}
