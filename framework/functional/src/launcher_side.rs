//! The process of a plain `cargo test`: it starts jobs of this binary and reads the verdicts from their evidence.
pub(crate) mod backend_job;
pub(crate) mod job_driver;
pub(crate) mod parent;
pub(crate) mod selected_backends;
