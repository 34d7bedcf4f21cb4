//! Element-wise reduction into every rank's buffer.

pub mod recursive_doubling;
pub mod reduce_bcast;

pub use recursive_doubling::recursive_doubling;
pub use reduce_bcast::reduce_bcast;
