//! The files that ranks have opened together: their content and their state.
pub(crate) mod file_state;
pub(crate) mod file_store;
pub(crate) mod storage;
