//! Windows: their parts, their epochs and locks, and accesses to them.

pub(crate) mod access;
pub(crate) mod fetched;
pub(crate) mod locks;
pub(crate) mod notice;
pub(crate) mod pending_accesses;
pub(crate) mod pscw;
pub(crate) mod window_part;
pub(crate) mod window_state;
