//! A test: the student's description, its runs with their types erased, and the expected results.
pub(crate) mod digest;
pub(crate) mod erased_test;
pub(crate) mod limit;
pub(crate) mod panics;
pub(crate) mod settings;
pub(crate) mod suite;
pub(crate) mod test_case;
pub(crate) mod test_run;
