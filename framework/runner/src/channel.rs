//! The channel between a runner and the processes of its job: a Unix socket on one host, TCP between hosts.
//!
//! A runner opens a [`RunnerChannel`] and names its [`RunnerAddress`] to the processes that it starts. Each of them is a *member*: it
//! connects with a [`RunnerLink`], shows the secret of the run and its number, and from then on both sides exchange typed messages.
//!
//! The invariant: *a connection that is closed is a member that has ended, and no member outlives its runner.* Nothing here calls a
//! message-passing library, so it works while that library is stuck, and no folder is needed that hosts share. Who does not know the secret,
//! speaks another version or sends what is not a message is refused: see [`ChannelEvent`].
//!
//! | module | contents |
//! |---|---|
//! | `address` | where a runner listens, and its secret |
//! | `frame` | a message and its payload as bytes |
//! | `listener` | the end of the runner |
//! | `link` | the end of a member |
mod address;
pub mod frame;
mod link;
mod listener;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use wb_process::ProcessIdentity;

pub use address::{RunnerAddress, SILENCE_MAX};
pub use link::{RunnerLink, member_number};
pub use listener::{ChannelEvent, MemberStream, Refusal, RunnerChannel, Transfer};

/// The version of the protocol: a runner and its members may be of different builds.
pub const PROTOCOL_VERSION: u32 = 1;

/// A message from a member to its runner; `M` are the messages of their work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum ToRunner<M> {
    /// The first message.
    Hello(Hello),
    /// The member runs. Sent once a second where it is on another host.
    Alive,
    /// A signal has asked it to end, as launchers do when another rank is lost. Sent where it is on another host.
    AskedToEnd,
    /// A message of its work.
    Work(M),
}

/// The introduction of a member.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Hello {
    version: u32,
    secret: String,
    member: usize,
    process: ProcessIdentity,
    host: String,
}
