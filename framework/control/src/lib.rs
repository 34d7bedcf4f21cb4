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
//! | `server` | the server: the keys, and a thread for each connection |
//! | `client` | numbered requests, repeated after a broken connection |
//! | `barrier` | the barrier |
//! | `hosted` | a job whose rank 0 keeps the server, and where that listens |
//!
//! ```
//! use std::{net::Ipv4Addr, time::Duration};
//! use wb_comm::Barrier;
//! use wb_control::{Client, ControlBarrier, RetryPolicy, Server};
//!
//! let server = Server::start(Ipv4Addr::LOCALHOST, 2)?;
//! let at = server.credentials();
//! let join = move |rank| {
//!     let client = Client::connect(at, RetryPolicy::default())?;
//!     ControlBarrier::join(client, "world", rank, 2, Duration::from_secs(5))
//! };
//! let other = std::thread::spawn(move || join(1)?.wait());
//! join(0)?.wait()?;
//! other.join().expect("no panic")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod barrier;
mod client;
mod hosted;
pub mod protocol;
mod server;

pub use barrier::ControlBarrier;
pub use client::{Client, Error, Result, RetryPolicy};
pub use hosted::HostedBarrier;
pub use protocol::{Credentials, Secret};
pub use server::Server;

// The tests of the interface use the crate by its name, as others do.
#[cfg(test)]
extern crate self as wb_control;
#[cfg(test)]
#[path = "../tests/control/main.rs"]
mod interface;
