//! The version of the format of records.

/// The version of the record format this crate writes, and the newest one it reads.
pub const SCHEMA_VERSION: u32 = 1;
