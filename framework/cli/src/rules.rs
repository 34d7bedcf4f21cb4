//! `cargo wb rules`: what in the sources of tasks breaks a rule, printed like the errors of a compiler.

use std::path::Path;

use serde::Serialize;
use wb_config::{AssignmentRule, CourseSettings, TaskSettings};
use wb_course::source::{
    SourceFile,
    rules::{self, SourceFinding, SourceRule},
};
use wb_messages::{Lang, WIDTH, rules as text, wrap};
use wb_text::{Text, escape::line as escaped_line};

use crate::{
    CommandStatus,
    arguments::RulesArgs,
    error::{Result, describe_config_error},
    measure::BenchmarkRunner,
    output, readable_workspace,
    run_rules::{self, BrokenRunRule},
    task_lock,
    task_sources::TaskSources,
    task_workspace,
    workspace::Workspace,
};

pub(crate) fn run(wanted: &RulesArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let workspace = readable_workspace::find()?;
    let tasks = match &wanted.task {
        Some(name) => vec![workspace.task(name, lang)?],
        None => workspace.tasks(),
    };
    let course = CourseSettings::find(workspace.root())?;
    let (mut checked, mut refused) = (vec![], vec![]);
    let seed = run_rules::seed(wanted.seed)?;
    for task in tasks {
        match task.settings {
            Ok(settings) => {
                let named = (task.name, task.folder.as_path());
                let assignment = workspace.assignment(settings.task_number, settings.variant);
                let mut of_task = check_task(named, assignment.is_some(), &settings, &course)?;
                if wanted.runs {
                    let named = (of_task.row.task.as_str(), task.folder.as_path(), &settings);
                    let graded = task_workspace::graded(&workspace, named, assignment.as_ref())?;
                    of_task.run(&graded, (&settings, &course), seed, (lang, json))?;
                }
                checked.push(of_task);
            }
            Err(error) => refused.push((task.name, error)),
        }
    }
    if json {
        let rows = checked.iter().map(|checked| TaskRow::Checked(&checked.row));
        let unknown = refused.iter().map(|(task, error)| {
            let settings_refused = describe_config_error(error, lang);
            TaskRow::Unknown { task, settings_refused }
        });
        output::print_json(&rows.chain(unknown).collect::<Vec<_>>());
    } else {
        checked.iter().for_each(|checked| print(checked, lang));
    }
    // Without its settings the rules of a task are not known: the other tasks are shown, and the command fails.
    for (task, _) in &refused {
        eprintln!("{}", text::settings_refused(lang, task));
    }
    if let Some((_, error)) = refused.into_iter().next() {
        return Err(error.into());
    }
    Ok(CommandStatus::from_success(checked.iter().all(|checked| checked.row.is_clean())))
}

/// A task in the answer with `--json`.
#[derive(Serialize)]
#[serde(untagged)]
enum TaskRow<'a> {
    Checked(&'a CheckedTaskRow),
    /// Its settings are refused, so its rules are not known.
    Unknown {
        task: &'a str,
        settings_refused: String,
    },
}

/// A task with its sources and what was found in them.
pub(crate) struct CheckedTask {
    pub(crate) row: CheckedTaskRow,
    pub(crate) sources: TaskSources,
}

/// The rules of a task and what breaks them.
#[derive(Serialize)]
pub(crate) struct CheckedTaskRow {
    task: String,
    rules: Vec<&'static str>,
    /// Rules of the variant that only a run can decide.
    decided_by_runs: Vec<&'static str>,
    pub(crate) findings: Vec<SourceFinding>,
    /// Rules that runs break, with `--runs`.
    broken_by_runs: Vec<BrokenByRunRow>,
}

/// A rule that a run breaks.
#[derive(Serialize)]
struct BrokenByRunRow {
    rule: &'static str,
    reason: Text,
    remedy: Text,
}

impl CheckedTaskRow {
    fn is_clean(&self) -> bool {
        self.findings.is_empty() && self.broken_by_runs.is_empty()
    }
}

impl CheckedTask {
    /// Decides the rules that need runs in virtual time.
    fn run(
        &mut self,
        workspace: &Workspace,
        (settings, course): (&TaskSettings, &CourseSettings),
        seed: u64,
        (lang, quiet): (Lang, bool),
    ) -> Result<()> {
        let rules = run_rules::of_variant(settings, course);
        let margin = course.work_margin(settings.task_number, settings.variant);
        let runner = BenchmarkRunner::without_mpi(workspace, quiet);
        let _lock = task_lock::lock_task(workspace, &self.row.task, lang)?;
        let broken = run_rules::check(&runner, (&self.row.task, settings), (&rules[..], margin, seed), lang)?;
        self.row.decided_by_runs.retain(|name| !rules.iter().any(|rule| rule.name() == *name));
        let row = |broken: BrokenRunRule| BrokenByRunRow {
            rule: broken.rule.name(),
            reason: broken.reason,
            remedy: broken.remedy,
        };
        self.row.broken_by_runs = broken.into_iter().map(row).collect();
        Ok(())
    }
}

/// Checks the graded sources of the task with this name and folder; `has_assignment` says whether its tests are ours.
pub(crate) fn check_task(
    (name, folder): (String, &Path),
    has_assignment: bool,
    settings: &TaskSettings,
    course: &CourseSettings,
) -> Result<CheckedTask> {
    let mut sources = TaskSources::read(folder)?;
    let is_graded = |path: &str| path.starts_with("src/") || !has_assignment && path.starts_with("tests/");
    sources.files.retain(|file| is_graded(&file.path));
    sources.links.retain(|link| is_graded(link));
    let has_files = settings.files.as_ref().is_some_and(|files| !files.names.is_empty());
    let findings = rules::check(&sources.files, &sources.links, has_files);
    let of_variant = course.assignment(settings.task_number).rules_of(settings.variant);
    let row = CheckedTaskRow {
        task: name,
        rules: SourceRule::ALL.iter().map(|rule| rule.name()).collect(),
        decided_by_runs: of_variant.iter().copied().map(AssignmentRule::name).collect(),
        findings,
        broken_by_runs: vec![],
    };
    Ok(CheckedTask { row, sources })
}

fn print(checked: &CheckedTask, lang: Lang) {
    let CheckedTaskRow { task, findings, decided_by_runs, broken_by_runs, .. } = &checked.row;
    for finding in findings {
        let file = checked.sources.files.iter().find(|file| file.path == finding.file);
        println!("{}", render(finding, file, task, lang));
    }
    for BrokenByRunRow { rule, reason, remedy } in broken_by_runs {
        let found = text::broken_by_run(lang, rule, task, reason.in_language(lang));
        println!("{}", wrap(&escaped_line(&found), "", "", WIDTH));
        println!("{}\n", wrap(&text::remedy(lang, remedy.in_language(lang)), "", "", WIDTH));
    }
    match findings.len() + broken_by_runs.len() {
        0 => println!("{}", text::clean(lang, task)),
        count => println!("{}", text::broken(lang, task, count)),
    }
    if !decided_by_runs.is_empty() {
        println!("  {}", text::run_time(lang, decided_by_runs.join(", ")));
    }
}

/// The finding with the lines around it.
fn render(finding: &SourceFinding, file: Option<&SourceFile>, task: &str, lang: Lang) -> String {
    let name = format!("{task}/{}", escaped_line(&finding.file));
    let title = text::title(lang, finding.rule.name(), &name, finding.line, finding.column);
    let reason = wrap(&escaped_line(finding.reason.in_language(lang)), "", "", WIDTH);
    let remedy = wrap(&text::remedy(lang, finding.remedy.in_language(lang)), "", "", WIDTH);
    let line = file.and_then(|file| file.text.lines().nth(finding.line - 1));
    let excerpt = line.map(|line| wb_text::escape::excerpt(finding.line, line, finding.column) + "\n");
    format!("{title}\n{}{reason}\n{remedy}\n", excerpt.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> String {
        let file = SourceFile::new("src/seq.rs", source);
        let found = rules::check(std::slice::from_ref(&file), &[], false);
        render(&found[0], Some(&file), "ivanov_i_sum", Lang::En)
    }

    #[test]
    fn a_finding_shows_its_line_with_reason_and_remedy() {
        let message = shown("//! A.\nuse std::fs;\n");
        for part in ["rule system: ivanov_i_sum/src/seq.rs, line 2", "use std::fs;", "reaches", "do instead"]
        {
            assert!(message.contains(part), "{part}: {message}");
        }
    }

    #[test]
    fn lines_with_hidden_characters_and_long_lines_do_no_harm() {
        let message = shown("/* \u{202e}\u{1b}[2J */ use std::fs;\n");
        assert!(!message.contains(['\u{202e}', '\u{1b}']), "{message:?}");
        let message = shown(&format!("{}use std::fs;\n", " ".repeat(70_000)));
        assert!(message.len() < 2_000 && message.contains("line 1"), "{message}");
    }
}
