//! The time limit of the stages of a functional run: the course's limit under the environment's variables.
use std::{env, path::PathBuf, sync::OnceLock, time::Duration};

use wb_config::{ConfigError, CourseSettings, TimeLimits};

/// The limit in force; `None` when the user has lifted it.
///
/// # Panics
/// When the course's settings or a variable are invalid, which `settings` has found by then: a test under a limit that
/// is not set would be meaningless.
pub(crate) fn time_limit() -> Option<Duration> {
    match read() {
        Ok(limit) => *limit,
        Err(error) => panic!("{error}"),
    }
}

/// The limit, or why there is none; read once.
pub(crate) fn read() -> Result<&'static Option<Duration>, &'static ConfigError> {
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
