//! The names of the environment variables: one that is not known has no effect, so it is refused.

use std::ffi::OsString;

use crate::error::{ConfigError, Result};

/// What the names of all variables of the workbench begin with.
const PREFIX: &str = "WB_";

/// The known variables; those for users come first. A test compares them with the tables of the documents.
const KNOWN: [&str; 18] = [
    "WB_TASK_MAX_TIME",
    "WB_PERF_MAX_TIME",
    "WB_MEMORY_LIMIT",
    "WB_DEBUG_RANK",
    "WB_LANG",
    "WB_TEST_BACKENDS",
    "WB_BARRIER_ALGORITHM",
    "WB_COLLECTIVE_ALGORITHM",
    "WB_COLLECTIVE_TABLE",
    "WB_PRELOAD_AFTER",
    "WB_PRELOAD_REPORT",
    "WB_HOSTS",
    "WB_MAP",
    "WB_RUNNER",
    "WB_OWNER",
    "WB_RECORDS",
    "WB_THREAD_LEVEL",
    "WB_TRACE_FOLDER",
];

/// Refuses an environment of this process with a variable of an unknown name.
///
/// # Errors
/// [`ConfigError::UnknownVariable`].
pub fn refuse_unknown_variables() -> Result<()> {
    refuse_unknown(std::env::vars_os().map(|(name, _)| name))
}

fn refuse_unknown(names: impl Iterator<Item = OsString>) -> Result<()> {
    let names = names.map(|name| name.to_string_lossy().into_owned());
    match names.filter(|name| name.starts_with(PREFIX)).find(|name| !KNOWN.contains(&&**name)) {
        None => Ok(()),
        Some(name) => Err(ConfigError::UnknownVariable { name, known: KNOWN.join(", ") }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_has_no_effect_is_refused() {
        let check = |names: &[&str]| {
            refuse_unknown(names.iter().map(OsString::from)).map_err(|error| error.to_string())
        };
        assert_eq!(check(&["HOME", "WB_LANG", "WBTEST_BLESS"]), Ok(()));
        assert!(check(&["WB_TEST_BACKEND"]).is_err(), "a misprint");
        let refused = check(&["WB_LANG", "WB_TASK_TIME"]).expect_err("it is not known");
        assert!(refused.starts_with("the environment variable WB_TASK_TIME is not known"), "{refused}");
        assert!(refused.contains("WB_TASK_MAX_TIME, WB_PERF_MAX_TIME"), "{refused}");
    }
}
