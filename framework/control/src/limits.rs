//! How much of everything the store accepts: whatever a client does, the server's memory has a bound.
use std::time::Duration;

/// The longest time that a Get may be parked, whatever the client asks for.
pub const LONGEST_WAIT: Duration = Duration::from_secs(24 * 3600);

/// The limits of a store. Beyond one of the first four a request is answered with an error and the client goes on;
/// beyond one of the others the connection is refused or closed with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a key.
    pub key: usize,
    /// Bytes of a value.
    pub value: usize,
    /// Keys at one time.
    pub keys: usize,
    /// Gets that are parked at one time; a client has at most one.
    pub parked: usize,
    /// Bytes of a line, its end included.
    pub line: usize,
    /// Bytes that wait for a client who does not read them.
    pub unread: usize,
    /// Clients at one time, those among them that may come back.
    pub clients: usize,
    /// Connections without a hello at one time. One more closes the oldest of them: so those that stay silent keep nobody out.
    pub strangers: usize,
    /// Bytes of the first line of a connection, its end included.
    pub hello_line: usize,
    /// How long a connection may stay without a hello.
    pub hello: Duration,
    /// How long a client who was cut off is remembered, so that he may come back and repeat his last request.
    pub memory: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            key: 128,
            value: 1024,
            keys: 4096,
            parked: 256,
            line: 8192,
            unread: 65536,
            clients: 256,
            strangers: 256,
            hello_line: 512,
            hello: Duration::from_secs(5),
            memory: Duration::from_secs(60),
        }
    }
}
