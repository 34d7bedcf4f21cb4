//! The processes in which ranks run: one process for each rank, or one for all ranks on threads or in virtual time.
pub(crate) mod captured_output;
pub(crate) mod child;
pub(crate) mod coordinator_link;
pub(crate) mod current_run;
pub(crate) mod debugging;
pub(crate) mod job_end;
pub(crate) mod launched;
pub(crate) mod rank_lock;
pub(crate) mod rank_worker;
pub(crate) mod termination;
pub(crate) mod threads;
pub(crate) mod virtual_time;
