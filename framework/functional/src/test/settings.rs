//! The settings that a test needs, checked before any run: the course's, with the time limit of runs, and those of the task under test.
//!
//! A task's tests do not use `task.yaml`, but the course does: a misprint there is reported as early as here.
use std::{
    env,
    path::PathBuf,
    sync::{Mutex, OnceLock, PoisonError},
    time::Duration,
};

use wb_config::{
    AssignmentRule, ConfigDiagnostic, ConfigError, CourseSettings, Enrolment, JobPlacement, TaskSettings,
    TimeLimits, VersionStatus, Versions,
};
use wb_messages::{Lang, WIDTH, functional as text, program, wrap};
use wb_record::{Backend, Version};
use wb_runner::{Backends, restrict_files};

use crate::{report::test_report, test};

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
    let test = test::test_of(check);
    let first = {
        let mut reporter = REPORTED_BY.lock().unwrap_or_else(PoisonError::into_inner);
        reporter.get_or_insert_with(|| test.to_owned()).clone()
    };
    let shown = match first == test {
        true => wrong.clone(),
        false => wrap(&text::settings_reported_by(lang, first), "  ", "    ", WIDTH),
    };
    test_report::fail(&format!("\n{} {test}\n{shown}\n", text::fail(lang)))
}

/// Whether this version of the task under test is switched off in `task.yaml`. [`check`] has refused wrong settings.
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
        let (course, settings) = (course().ok()?, task()?.ok()?);
        Some(course.assignment(settings.task_number).rules_of(settings.variant).to_vec())
    };
    RULES.get_or_init(|| of_task().unwrap_or_default())
}

/// The problem, in lines.
fn setting_errors(lang: Lang) -> Option<String> {
    let course = course().and_then(|course| read_limit().map(|_| course));
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

/// The limit in force; `None` when the user has lifted it.
///
/// # Panics
/// When the course's settings or a variable are invalid, which [`check`] has found by then: a test under a limit that
/// is not set would be meaningless.
pub(crate) fn time_limit() -> Option<Duration> {
    match read_limit() {
        Ok(limit) => *limit,
        Err(error) => panic!("{error}"),
    }
}

/// The limit, or why there is none; read once.
pub(crate) fn read_limit() -> Result<&'static Option<Duration>, &'static ConfigError> {
    static LIMIT: OnceLock<Result<Option<Duration>, ConfigError>> = OnceLock::new();
    let course = course()?;
    let limit = || Ok(TimeLimits::from_process_environment(course)?.functional);
    LIMIT.get_or_init(limit).as_ref()
}

/// The settings of the course, or why there are none; read once.
pub(crate) fn course() -> Result<&'static CourseSettings, &'static ConfigError> {
    static COURSE: OnceLock<Result<CourseSettings, ConfigError>> = OnceLock::new();
    COURSE.get_or_init(|| CourseSettings::find(&search_start())).as_ref()
}

/// Where the search for the course begins: the package under test; without cargo, the test binary itself, which lies
/// in the workspace's target directory.
pub(crate) fn search_start() -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    package.or_else(|| env::current_exe().ok()).unwrap_or_default()
}

/// The environment variable with the names of the backends to run, separated by commas: `cargo wb watch` runs those of
/// one process first, and then real MPI. Without it all of them run.
pub(crate) const BACKENDS_VARIABLE: &str = "WB_TEST_BACKENDS";

/// The selected backends of those that this program is linked with.
///
/// # Errors
/// A name that is not one of them.
pub(crate) fn selected_backends(linked: Backends) -> Result<Vec<Backend>, String> {
    parse_backends(env::var(BACKENDS_VARIABLE).ok().as_deref(), linked.processes.is_some())
}

fn parse_backends(list: Option<&str>, has_mpi: bool) -> Result<Vec<Backend>, String> {
    let mpi = has_mpi.then_some(Backend::Mpi);
    let all: Vec<_> = [Backend::Threads, Backend::VirtualTime].into_iter().chain(mpi).collect();
    let Some(list) = list else { return Ok(all) };
    let allowed = all.iter().map(|backend| backend.name()).collect::<Vec<_>>().join(", ");
    let find = |name: &str| {
        let found = all.iter().copied().find(|backend| backend.name() == name);
        let lang = Lang::from_environment();
        found.ok_or_else(|| text::unknown_backend(lang, BACKENDS_VARIABLE, list, name, &allowed))
    };
    list.split(',').map(find).collect()
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

    #[test]
    fn a_list_selects_its_backends_and_a_misprint_is_refused() {
        assert_eq!(
            parse_backends(None, true),
            Ok(vec![Backend::Threads, Backend::VirtualTime, Backend::Mpi])
        );
        assert_eq!(parse_backends(Some("mpi"), true), Ok(vec![Backend::Mpi]));
        let both = Ok(vec![Backend::Threads, Backend::VirtualTime]);
        assert_eq!(
            (parse_backends(Some("threads,virtual-time"), true), parse_backends(None, false)),
            (both.clone(), both)
        );
        let refused = parse_backends(Some("threads,mpi"), false).expect_err("it is not linked");
        let expected = "WB_TEST_BACKENDS=threads,mpi: `mpi` is not a backend of this program; its backends are: threads, virtual-time";
        assert_eq!(refused, expected);
        assert!(parse_backends(Some(""), true).is_err(), "a run of no backend would pass");
    }
}
