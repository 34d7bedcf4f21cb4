//! The process of a plain `cargo test`: it starts jobs, and reads the verdicts of all their processes.
pub(crate) mod backend_job;
pub(crate) mod job_observer;
pub(crate) mod job_termination;
