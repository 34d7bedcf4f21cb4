//! MPI's matching: messages, posted operations and mailboxes.

pub(crate) mod mailbox;
mod match_queue;
pub(crate) mod message;
pub(crate) mod operation;
pub(crate) mod send_history;
