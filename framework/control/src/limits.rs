//! The limits of the store: the server's memory is bounded whatever a client does.
use std::time::Duration;

/// The longest time for which a Get may be parked, whatever time the client asks for.
pub const MAX_WAIT: Duration = Duration::from_secs(24 * 3600);

/// The limits of a store. Beyond one of the first four a request is answered with an error and the client continues;
/// beyond one of the others the connection is refused or closed with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreLimits {
    /// Bytes of a key.
    pub max_key_bytes: usize,
    /// Bytes of a value.
    pub max_value_bytes: usize,
    /// Keys at one time.
    pub max_keys: usize,
    /// Gets that are parked at one time; a client has at most one.
    pub max_parked: usize,
    /// Bytes of a line, its end included.
    pub max_line_bytes: usize,
    /// Bytes that wait for a client that does not read them.
    pub max_unread_bytes: usize,
    /// Clients at one time, including disconnected ones that may reconnect.
    pub max_clients: usize,
    /// Connections without a hello at one time. One more closes the oldest of them, so silent connections keep no
    /// member out.
    pub max_unauthenticated: usize,
    /// Bytes of the first line of a connection, its end included.
    pub max_hello_bytes: usize,
    /// How long a connection may stay without a hello.
    pub hello_timeout: Duration,
    /// How long a disconnected client is remembered, so that it may reconnect and repeat its last request.
    pub session_timeout: Duration,
}

impl Default for StoreLimits {
    fn default() -> Self {
        Self {
            max_key_bytes: 128,
            max_value_bytes: 1024,
            max_keys: 4096,
            max_parked: 256,
            max_line_bytes: 8192,
            max_unread_bytes: 65536,
            max_clients: 256,
            max_unauthenticated: 256,
            max_hello_bytes: 512,
            hello_timeout: Duration::from_secs(5),
            session_timeout: Duration::from_secs(60),
        }
    }
}
