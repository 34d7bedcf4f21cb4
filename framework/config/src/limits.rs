//! The time limits: those of the environment, else those of the course.

use std::time::Duration;

use wb_text::settings;

use crate::{
    CourseSettings,
    error::{ConfigError, Result},
    variables::refuse_unknown_variables,
};

/// The environment variable that overrides the functional limit: seconds, or `none`.
pub const TASK_LIMIT: &str = "WB_TASK_MAX_TIME";
/// The environment variable that overrides the performance limit: seconds, or `none`.
pub const PERFORMANCE_LIMIT: &str = "WB_PERF_MAX_TIME";
/// The environment variable with the rank that waits for a debugger; it lifts all limits.
pub const DEBUG_RANK: &str = "WB_DEBUG_RANK";

/// The time limits of a task; `None` is without limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimits {
    /// The sum of the stages of a functional case.
    pub functional: Option<Duration>,
    /// One measured repetition.
    pub performance: Option<Duration>,
    /// A test program as a whole: it has no limit where its cases have none.
    pub program: Option<Duration>,
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
        let functional = limit(&environment, TASK_LIMIT, course.limits.functional)?;
        let performance = limit(&environment, PERFORMANCE_LIMIT, course.limits.performance)?;
        let program = functional.map(|_| course.limits.program);
        Ok(match rank(&environment, DEBUG_RANK)? {
            Some(_) => Self { functional: None, performance: None, program: None },
            None => Self { functional, performance, program },
        })
    }

    /// [`TimeLimits::from_environment`] under the environment of this process.
    ///
    /// # Errors
    /// As [`TimeLimits::from_environment`], and when a variable has a misspelt name.
    pub fn from_process_environment(course: &CourseSettings) -> Result<Self> {
        refuse_unknown_variables()?;
        Self::from_environment(course, |name| {
            std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
        })
    }
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

/// The limit of a variable, else `default`; `None` is without limit.
fn limit(
    environment: impl Fn(&str) -> Option<String>,
    name: &'static str,
    default: Duration,
) -> Result<Option<Duration>> {
    let Some(value) = environment(name) else { return Ok(Some(default)) };
    match (value.trim(), value.trim().parse::<f64>()) {
        ("none", _) => Ok(None),
        (_, Ok(seconds)) if (0.001..=3600.0).contains(&seconds) => Ok(Some(Duration::from_secs_f64(seconds))),
        _ => Err(ConfigError::Environment { name, value, allowed: settings::limit_allowed() }),
    }
}
