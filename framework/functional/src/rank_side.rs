//! The processes in which ranks run: one process for each rank, or one for all ranks on threads or in virtual time.
pub(crate) mod current_run;
pub(crate) mod launched;
pub(crate) mod member;
pub(crate) mod rank_process;
pub(crate) mod threads;
