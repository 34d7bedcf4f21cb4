//! `cargo wb test --changed`: the checks and tests whose result a change can affect, and why each of them runs.

use std::process::Command;

use wb_messages::change as text;

use super::Suite;
use crate::{
    change::ChangeScope,
    error::{CliError, Result},
    pages,
    repository::Repository,
    step,
    step::OutputMode,
    test_program::STEP_LIMIT,
};

/// The tests that read documents and workflows, and nothing that is built from tasks.
const DOCUMENT_TESTS: [&str; 3] = ["repository", "documents", "book_commands"];

/// The packages of these tests.
const DOCUMENT_PACKAGES: [&str; 3] = ["wb-tests", "wb-book", "wb-cli"];

impl Suite<'_> {
    /// Checks what the change since `base` can affect; the empty text means the main branch. In a sandbox only tasks are tested: the
    /// tests of everything and of documents build tasks, too.
    pub(super) fn test_change(&mut self, base: &str, in_sandbox: bool) -> Result<bool> {
        let (workspace, lang) = (self.workspace, self.lang);
        let base = Some(base).filter(|base| !base.is_empty());
        let repository = Repository::find(workspace.root())?;
        let commit = repository.merge_base(base)?;
        let files = repository.changed_files(&commit)?;
        let scope = ChangeScope::of_files(&files, &workspace.members());
        println!("{}", text::changed_files(lang, files.len(), &commit[..commit.len().min(12)]));
        self.explain(&scope, in_sandbox);
        if scope.everything.is_some() && !in_sandbox {
            return self.test_workspace();
        }
        let packages: Vec<&str> = scope.packages.iter().map(String::as_str).collect();
        self.check_settings(|task| packages.contains(&task))?;
        let mut well = match in_sandbox {
            true => packages
                .iter()
                .try_fold(true, |well, task| Ok::<_, CliError>(self.test_in_sandbox(task)? && well))?,
            false => packages.is_empty() || self.test_packages(&packages)?,
        };
        for task in &scope.reports {
            well &= self.check_report(task);
        }
        if scope.course {
            // The roster and the given variants decide whether the settings of a task are right.
            self.check_settings(|_| true)?;
            well &= self.check_course()?;
        }
        if scope.documents && !in_sandbox {
            well &= self.test_documents()?;
        }
        Ok(well)
    }

    /// Prints what runs, and why.
    fn explain(&self, scope: &ChangeScope, in_sandbox: bool) {
        let lang = self.lang;
        match &scope.everything {
            Some(file) if in_sandbox => println!("  {}", text::everything_in_sandbox(lang, file.display())),
            Some(file) => return println!("  {}", text::everything(lang, file.display())),
            None => {}
        }
        let mut reasons: Vec<String> =
            scope.removed.iter().map(|folder| text::removed(lang, folder)).collect();
        if !scope.packages.is_empty() {
            let names: Vec<&str> = scope.packages.iter().map(String::as_str).collect();
            reasons.push(text::packages(lang, names.join(", ")));
        }
        reasons.extend(scope.reports.iter().map(|task| text::report_of(lang, task)));
        reasons.extend(scope.course.then(|| text::course(lang)));
        reasons.extend(scope.documents.then(|| match in_sandbox {
            true => text::documents_in_sandbox(lang),
            false => text::documents(lang),
        }));
        reasons.extend(scope.is_empty().then(|| text::nothing(lang)));
        reasons.iter().for_each(|reason| println!("  {reason}"));
    }

    /// The settings of these tasks; a mistake in them is an error.
    fn check_settings(&self, is_meant: impl Fn(&str) -> bool) -> Result<()> {
        let tasks = self.workspace.tasks_where(is_meant);
        Ok(tasks.into_iter().try_for_each(|task| task.settings.map(drop))?)
    }

    /// Renders the report of a task from its records and compares it with the committed pages.
    fn check_report(&self, task: &str) -> bool {
        let lang = self.lang;
        let problems = match pages::outdated_pages(self.workspace, task, lang) {
            Ok(old) => old.iter().map(|file| text::report_old(lang, file.display(), task)).collect(),
            Err(unreadable) => vec![unreadable],
        };
        print!("{}", step::column(&text::report_step(lang, task)));
        match problems.is_empty() {
            true => println!("{}", text::report_well(lang)),
            false => println!("{}", problems.join("\n")),
        }
        problems.is_empty()
    }

    /// `cargo wb course check`, by this program.
    fn check_course(&self) -> Result<bool> {
        let program = std::env::current_exe().map_err(CliError::system("run", "wb"))?;
        let mut check = Command::new(program);
        check.args(["course", "check", "--lang", self.lang.code()]).current_dir(self.workspace.root());
        self.step("cargo wb course check".into(), check, OutputMode::Live)
    }

    fn test_documents(&self) -> Result<bool> {
        let selected = selected("-p", &DOCUMENT_PACKAGES) + &selected("--test", &DOCUMENT_TESTS);
        let words: Vec<&str> =
            ["test", "--no-fail-fast"].into_iter().chain(selected.split_whitespace()).collect();
        let names = (format!("cargo test{selected}"), DOCUMENT_PACKAGES.join(", "));
        self.run_tests(names, self.cargo(&words, &[]), STEP_LIMIT)
    }
}

/// ` OPTION NAME OPTION NAME`.
fn selected(option: &str, names: &[&str]) -> String {
    names.iter().map(|name| format!(" {option} {name}")).collect()
}
