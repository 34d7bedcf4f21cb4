//! The process of a plain `cargo test`: it starts jobs of this binary and looks the verdicts up in what they leave.
pub(crate) mod backend_job;
pub(crate) mod parent;
