//! The time limits: those of the environment, else those of the course.

use std::time::Duration;

use wb_text::settings;

use crate::{
    CourseSettings,
    error::{ConfigError, Result},
};

/// The environment variable that overrides the functional limit, in seconds.
pub const TASK_LIMIT: &str = "WB_TASK_MAX_TIME";
/// The environment variable that overrides the performance limit, in seconds.
pub const PERFORMANCE_LIMIT: &str = "WB_PERF_MAX_TIME";
/// The environment variable that overrides the limit of a test program, in seconds.
pub const PROGRAM_LIMIT: &str = "WB_PROGRAM_MAX_TIME";
/// The environment variable that lifts all limits when it is `1`.
pub const IGNORE_LIMITS: &str = "WB_IGNORE_TEST_TIME_LIMIT";
/// The environment variable with the rank that waits for a debugger; it lifts all limits.
pub const DEBUG_RANK: &str = "WB_DEBUG_RANK";

/// How long a task may take; `None` is without limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimits {
    /// The sum of the stages of a functional case.
    pub functional: Option<Duration>,
    /// One measured repetition.
    pub performance: Option<Duration>,
}

impl TimeLimits {
    /// The limits of `course` under the variables that `environment` returns.
    ///
    /// # Errors
    /// When a variable has an invalid value: a misspelt override must not leave the limit unchanged.
    pub fn from_environment(
        course: &CourseSettings,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self> {
        let functional = seconds(&environment, TASK_LIMIT)?.unwrap_or(course.limits.functional);
        let performance = seconds(&environment, PERFORMANCE_LIMIT)?.unwrap_or(course.limits.performance);
        let lifted = are_lifted(&environment)?;
        let unless_lifted = |limit| (!lifted).then_some(limit);
        Ok(Self { functional: unless_lifted(functional), performance: unless_lifted(performance) })
    }

    /// [`TimeLimits::from_environment`] under the environment of this process.
    ///
    /// # Errors
    /// As [`TimeLimits::from_environment`].
    pub fn from_process_environment(course: &CourseSettings) -> Result<Self> {
        Self::from_environment(course, |name| {
            std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
        })
    }
}

/// The time limit of a task's test program as a whole under the variables that `environment` returns, `default` without one; `None` is
/// without limit.
///
/// # Errors
/// As [`TimeLimits::from_environment`].
pub fn program_limit(
    default: Duration,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<Option<Duration>> {
    let limit = seconds(&environment, PROGRAM_LIMIT)?.unwrap_or(default);
    Ok((!are_lifted(&environment)?).then_some(limit))
}

fn are_lifted(environment: impl Fn(&str) -> Option<String>) -> Result<bool> {
    Ok(flag(&environment, IGNORE_LIMITS)? | rank(&environment, DEBUG_RANK)?.is_some())
}

/// The rank that waits for a debugger.
///
/// # Errors
/// When the variable is not a number.
pub fn debugged_rank() -> Result<Option<usize>> {
    rank(|name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()), DEBUG_RANK)
}

fn rank(environment: impl Fn(&str) -> Option<String>, name: &'static str) -> Result<Option<usize>> {
    let Some(value) = environment(name) else { return Ok(None) };
    match value.trim().parse() {
        Ok(rank) => Ok(Some(rank)),
        Err(_) => Err(ConfigError::Environment { name, value, allowed: settings::rank_allowed() }),
    }
}

fn seconds(environment: impl Fn(&str) -> Option<String>, name: &'static str) -> Result<Option<Duration>> {
    let Some(value) = environment(name) else { return Ok(None) };
    match value.trim().parse::<f64>() {
        Ok(seconds) if (0.001..=3600.0).contains(&seconds) => Ok(Some(Duration::from_secs_f64(seconds))),
        _ => Err(ConfigError::Environment { name, value, allowed: settings::limit_allowed() }),
    }
}

fn flag(environment: impl Fn(&str) -> Option<String>, name: &'static str) -> Result<bool> {
    match environment(name).as_deref() {
        None | Some("0") => Ok(false),
        Some("1") => Ok(true),
        Some(value) => {
            Err(ConfigError::Environment { name, value: value.into(), allowed: settings::flag_allowed() })
        }
    }
}
