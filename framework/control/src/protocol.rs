//! The messages of client and server: lines of JSON, one value a line, of limited length.
//!
//! | who | line | meaning |
//! |---|---|---|
//! | client | `{"token":1,"client":2,"id":1,"op":{"add":{"key":"k","delta":1}}}` | `token`: the server's; `client`: drawn by the client, the same on each of its connections; ids grow, and a repeated id is the same request |
//! | server | `{"reply":{"id":1,"answer":{"Ok":"1"}}}` | the answer to that id: the sum |
//! | client | `... "op":{"set":{"key":"k","value":"ok"}}}` | answer `{"Ok":null}` |
//! | client | `... "op":{"get":{"key":"k","wait":2000}}}` | waits at most this number of ms; answer `{"Ok":"ok"}`, or `{"Ok":null}` where the key is not set in time |
//! | client | `... "op":{"remove":{"key":"k"}}}` | answer `{"Ok":null}`, whether the key existed or not |
//! | server | `{"reply":{"id":5,"answer":{"Err":"..."}}}` | the request breaks a rule; nothing was changed |
//! | server | `{"refused":"..."}` | the connection is about to be closed, and repeating does not help |
//!
//! Lines, because a person can type them: `nc 127.0.0.1 PORT`. Nothing is encrypted: where others can read the network, the
//! network has to be protected.
use std::{
    fmt,
    io::{self, BufRead, BufReader, ErrorKind, Write},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// A random number of 128 bits: the token of a server, which admits clients, or the name of a client, by which the server
/// knows it when it connects again. Its `Debug` does not show it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(u128);

impl Secret {
    /// A new one, from the system's random numbers.
    ///
    /// # Panics
    /// When the system has none.
    pub fn random() -> Self {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the system has random numbers");
        Self(u128::from_ne_bytes(bytes))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(not shown)")
    }
}

/// The address of a server and the token that it requires: what a client needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credentials {
    /// The server.
    pub address: SocketAddr,
    /// The server's token.
    pub token: Secret,
}

/// An operation to execute. Its id is larger than that of every earlier request of this client.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    pub(crate) token: Secret,
    pub(crate) client: Secret,
    pub(crate) id: u64,
    pub(crate) op: Op,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Op {
    Add { key: String, delta: i64 },
    Set { key: String, value: String },
    Get { key: String, wait: u64 },
    Remove { key: String },
}

/// A line of the server.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum FromServer {
    Reply { id: u64, answer: Answer },
    Refused(String),
}

/// The value that an operation results in, if there is one; or the rule that the request breaks.
pub(crate) type Answer = Result<Option<String>, String>;

/// The remaining time, in the form that system calls require: never zero.
pub(crate) fn remaining(by: Instant) -> io::Result<Duration> {
    let left = by.checked_duration_since(Instant::now()).filter(|left| !left.is_zero());
    left.ok_or_else(|| ErrorKind::TimedOut.into())
}

/// The longest line in bytes, its end included. A reply with the value of a request is shorter than the request.
const MAX_LINE_BYTES: usize = 4096;

/// One end of a connection.
#[derive(Debug)]
pub(crate) struct Lines(BufReader<TcpStream>);

impl Lines {
    /// A connection over `stream`; `write_timeout` is the time that the peer has to take a line.
    pub(crate) fn new(stream: TcpStream, write_timeout: Duration) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(write_timeout))?;
        Ok(Self(BufReader::new(stream)))
    }

    pub(crate) fn stream(&self) -> &TcpStream {
        self.0.get_ref()
    }

    pub(crate) fn send(&self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.stream().write_all(&line)
    }

    /// The next line. After an error the connection is of no use.
    ///
    /// # Errors
    /// A time-out at the deadline; `InvalidData` for a line that is too long or of another protocol.
    pub(crate) fn receive<T: DeserializeOwned>(&mut self, by: Option<Instant>) -> io::Result<T> {
        let invalid = |why: String| io::Error::new(ErrorKind::InvalidData, why);
        let mut line = vec![];
        while !line.ends_with(b"\n") {
            // For each part of a line, so that a peer that sends single bytes does not extend the deadline.
            self.stream().set_read_timeout(by.map(remaining).transpose()?)?;
            let received = match self.0.fill_buf() {
                // The deadline decides whether the time is over.
                Err(error)
                    if error.kind() == ErrorKind::WouldBlock || error.kind() == ErrorKind::Interrupted =>
                {
                    continue;
                }
                received => received?,
            };
            let part = received.split_inclusive(|byte| *byte == b'\n').next();
            let part = part.ok_or(ErrorKind::UnexpectedEof)?;
            line.extend_from_slice(part);
            let bytes = part.len();
            self.0.consume(bytes);
            if line.len() > MAX_LINE_BYTES {
                return Err(invalid(format!("a line of more than {MAX_LINE_BYTES} bytes")));
            }
        }
        serde_json::from_slice(&line).map_err(|error| invalid(format!("not a line of the protocol: {error}")))
    }
}
