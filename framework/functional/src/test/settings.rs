//! The settings that a test needs, checked before any run: the course's, and those of the task under test.
//!
//! A task's tests do not use `task.yaml`, but the course does: a misprint there is reported as early as here.
use std::{
    env,
    path::PathBuf,
    sync::{Mutex, OnceLock, PoisonError},
};

use wb_config::{
    AssignmentRule, ConfigDiagnostic, ConfigError, CourseSettings, Enrolment, JobPlacement, TaskSettings,
    VersionStatus, Versions,
};
use wb_messages::{Lang, WIDTH, functional as text, program, wrap};
use wb_record::Version;
use wb_runner::restrict_files;

use crate::{
    report::test_report,
    test::{erased_test, limit},
};

/// Makes `check` fail when a setting is wrong: the first test reports it in full, later ones report the file. The first call restricts the
/// task to the files of its assignment.
pub(crate) fn check(check: &str) {
    static ERRORS: OnceLock<Option<String>> = OnceLock::new();
    static REPORTED_BY: Mutex<Option<String>> = Mutex::new(None);
    let lang = Lang::from_environment();
    let first_check = || {
        package_folder().iter().for_each(|folder| restrict_files(folder));
        setting_errors(lang)
    };
    let Some(wrong) = ERRORS.get_or_init(first_check) else { return };
    let test = erased_test::test_of(check);
    let first = {
        let mut told_by = REPORTED_BY.lock().unwrap_or_else(PoisonError::into_inner);
        told_by.get_or_insert_with(|| test.to_owned()).clone()
    };
    let shown = match first == test {
        true => wrong.clone(),
        false => wrap(&text::settings_reported_by(lang, first), "  ", "    ", WIDTH),
    };
    test_report::fail(&format!("\n{} {test}\n{shown}\n", text::fail(lang)))
}

/// Is this version of the task under test switched off in `task.yaml`? [`check`] has refused wrong settings.
pub(crate) fn is_disabled(version: Version) -> bool {
    static STATUS: OnceLock<Option<Versions>> = OnceLock::new();
    let status = STATUS.get_or_init(|| task()?.ok().map(|settings| settings.status));
    status.is_some_and(|status| match version {
        Version::Seq | Version::Reference => status.seq == VersionStatus::Disabled,
        Version::Mpi => status.mpi == VersionStatus::Disabled,
    })
}

/// The rules of the variant of the task under test; none where there is no task. [`check`] has refused wrong settings.
pub(crate) fn variant_rules() -> &'static [AssignmentRule] {
    static RULES: OnceLock<Vec<AssignmentRule>> = OnceLock::new();
    let of_task = || {
        let (course, settings) = (limit::course().ok()?, task()?.ok()?);
        Some(course.assignment(settings.task_number).rules_of(settings.variant).to_vec())
    };
    RULES.get_or_init(|| of_task().unwrap_or_default())
}

/// The problem, in lines.
fn setting_errors(lang: Lang) -> Option<String> {
    let course = limit::course().and_then(|course| limit::read().map(|_| course));
    let error = |error: &ConfigError| Some(describe(error, lang));
    match course {
        Err(wrong) => error(wrong),
        Ok(course) => agreement(course)
            .and_then(|()| JobPlacement::from_process_environment().map(drop))
            .as_ref()
            .err()
            .and_then(error),
    }
}

/// Whether the settings of the task under test agree with the course, the roster and the given variants.
fn agreement(course: &CourseSettings) -> Result<(), ConfigError> {
    let Some((folder, settings)) = task_folder().zip(task()) else { return Ok(()) };
    Enrolment::find(&folder)?.check_task(course, &folder, &settings?)
}

/// The settings of the task under test, or their problem; `None` where there is no task.
fn task() -> Option<Result<TaskSettings, ConfigError>> {
    task_folder().map(|folder| TaskSettings::load(&folder))
}

/// The folder of the task under test; `None` where there is no task.
fn task_folder() -> Option<PathBuf> {
    package_folder().filter(|folder| folder.join("task.yaml").is_file())
}

/// The folder of the package under test, as cargo names it.
fn package_folder() -> Option<PathBuf> {
    env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from)
}

fn describe(error: &ConfigError, lang: Lang) -> String {
    match error {
        ConfigError::Diagnostic(diagnostic) => describe_diagnostic(diagnostic, lang),
        other => wrap(&other.text().render(lang), "  ", "    ", WIDTH),
    }
}

/// The position, the problem with the allowed values, and the line.
fn describe_diagnostic(misprint: &ConfigDiagnostic, lang: Lang) -> String {
    let ConfigDiagnostic { file, line, column, problem, .. } = misprint;
    let title = program::diagnostic(lang, file.display(), line, column);
    let excerpt: Vec<String> = misprint.excerpt().lines().map(|line| format!("   {line}")).collect();
    [
        wrap(&title, "  ", "    ", WIDTH),
        wrap(&problem.render(lang), "    ", "    ", WIDTH),
        excerpt.join("\n"),
    ]
    .join("\n")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_misprint_is_told_with_its_place_and_what_is_allowed() {
        let yaml = "student: A\ngroup: B\ntask_number: 7\nvariant: 1\n";
        let error = TaskSettings::parse(Path::new("task.yaml"), yaml).expect_err("there is no task 7");
        let shown = describe(&error, Lang::En);
        for part in
            ["task.yaml, line 3, column 14", "task_number", "    3 | task_number: 7\n", " |              ^"]
        {
            assert!(shown.contains(part), "`{part}`\n{shown}");
        }
    }
}
