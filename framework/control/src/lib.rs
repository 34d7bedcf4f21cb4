//! The control network: a key-value store over TCP, and the barrier that job launchers and frameworks build on one.
//!
//! A server holds keys (`Add`, `Set`, `Get`, `Remove`). A `Get` of a missing key is *parked*: it is answered when the
//! key is set or when its time is over, so no member polls. [`ControlBarrier`] is a [`wb_comm::Barrier`] on it. It is
//! slower than every other barrier (two round trips, O(P) requests at one server) and the only one that works before a
//! message-passing library has started, and after it has failed.
//!
//! Invariant: *nothing here waits for ever.* A repeated request counts once. A server that dies, and a member that is
//! slow, dead, restarted or of another group, result in an error with the rank, the barrier and the number of arrivals.
//! No program is a client without the server's token, and no second program is a rank that has joined.
//!
//! | module | noun |
//! |---|---|
//! | [`protocol`] | the messages of client and server: lines of JSON |
//! | [`credentials`] | admission: the server's token |
//! | `store` | the keys, the members and the parked Gets |
//! | [`server`] | the server: a thread for each connection |
//! | [`client`] | numbered requests, repeated after a broken connection |
//! | [`barrier`] | the barrier |
//! | [`hosted`], `interfaces` | a job whose rank 0 keeps the server, and where that listens |
//! | [`error`] | the errors |
//!
//! ```
//! use std::time::Duration;
//! use wb_comm::Barrier;
//! use wb_control::{ControlBarrier, StoreLimits, Server};
//!
//! let server = Server::start(StoreLimits::default())?;
//! let (at, patience) = (server.credentials(), Duration::from_secs(5));
//! let other = std::thread::spawn(move || ControlBarrier::connect(at, 1, 2, patience)?.wait());
//! ControlBarrier::connect(at, 0, 2, patience)?.wait()?;
//! other.join().expect("no panic")?;
//! server.shut_down();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod barrier;
pub mod client;
pub mod credentials;
pub mod error;
pub mod hosted;
mod interfaces;
pub mod protocol;
pub mod server;
mod store;

pub use barrier::ControlBarrier;
pub use client::{Client, RetryPolicy};
pub use credentials::{Credentials, Secret};
pub use error::{Error, Result};
pub use hosted::HostedBarrier;
pub use protocol::GroupMember;
pub use server::Server;
pub use store::{Statistics, StoreLimits};

// The tests of the interface use the crate by its name, as others do.
#[cfg(test)]
extern crate self as wb_control;
#[cfg(test)]
#[path = "../tests/control/main.rs"]
mod interface;
