//! What can carry a barrier's signals.

pub mod messages;

pub use messages::Messages;
