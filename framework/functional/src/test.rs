//! A test: what the student writes, its runs with their types erased, and what is expected of each run.
pub(crate) mod digest;
pub(crate) mod erased_test;
pub(crate) mod limit;
pub(crate) mod panics;
pub(crate) mod settings;
pub(crate) mod suite;
pub(crate) mod test_case;
pub(crate) mod test_run;
