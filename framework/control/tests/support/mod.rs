//! What the tests of this crate share: the law of a barrier, and a store whose every message can be late or lost.
#![allow(dead_code, reason = "each test binary uses a part")]
pub(crate) mod barrier_law;
pub(crate) mod fake_store;
pub(crate) mod proxy;
