//! Verdicts, pure functions of the evidence: on a run, and on a test at one number of ranks.
pub(crate) mod activity;
pub(crate) mod backend_finding;
pub(crate) mod diagnosis;
pub(crate) mod failure_kind;
pub(crate) mod failure_report;
pub(crate) mod leftover_processes;
pub(crate) mod memory_failure;
pub(crate) mod outputs;
pub(crate) mod run_verdict;
pub(crate) mod test_verdict;
pub(crate) mod unterminated;
