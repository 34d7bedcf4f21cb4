//! The messages of client and server: lines of JSON, one value a line, of limited length.
//!
//! | who | line | meaning |
//! |---|---|---|
//! | client | `{"version":3,"token":"<32 digits>","client":"<32 digits>","member":{"group":"world","rank":0,"size":2}}` | first line of a connection; `token`: the server's; `client`: drawn by the client, the same at each of its connections |
//! | server | `"welcome"` | continue |
//! | client | `{"id":1,"op":{"add":{"key":"k","delta":1}}}` | ids grow; a repeated id is the same request |
//! | server | `{"reply":{"id":1,"answer":{"sum":1}}}` | the answer to that id |
//! | client | `{"id":2,"op":{"set":{"key":"k","value":"ok"}}}` | answer `"done"` |
//! | client | `{"id":3,"op":{"get":{"key":"k","wait":2000}}}` | waits at most this number of ms; answer `{"value":"ok"}` or `"late"` |
//! | client | `{"id":4,"op":{"remove":{"key":"k"}}}` | answer `"done"`, whether the key existed or not |
//! | server | `{"reply":{"id":5,"answer":{"wrong":"..."}}}` | the request breaks a rule; nothing was changed |
//! | server | `{"refused":"..."}` | the connection is about to be closed, and repeating does not help |
//!
//! Lines, because a person can type them: `nc 127.0.0.1 PORT`. The hello of another version is refused.
use std::{
    io::{self, BufRead, BufReader, ErrorKind, Write},
    mem,
    net::TcpStream,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::Secret;

/// The protocol's version; a server refuses any other.
pub const VERSION: u32 = 3;

/// The first line of a connection.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hello {
    pub(crate) version: u32,
    pub(crate) token: Secret,
    pub(crate) client: Secret,
    pub(crate) member: GroupMember,
}

/// A member of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupMember {
    /// The group's name; several groups can use one server.
    pub group: String,
    /// This member, `0..size`.
    pub rank: usize,
    /// How many members, the same for all.
    pub size: usize,
}

impl GroupMember {
    /// Member `rank` of `size` of the group `"world"`.
    pub fn new(rank: usize, size: usize) -> Self {
        Self { group: "world".into(), rank, size }
    }
}

/// An operation to execute. Its id is larger than that of every earlier request of this client.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
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
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum FromServer {
    Welcome,
    Reply { id: u64, answer: Answer },
    Refused(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answer {
    Sum(i64),
    Done,
    Value(String),
    Late,
    Wrong(String),
}

/// Above this a remaining time is waited for in halves.
const MIN_HALVED: Duration = Duration::from_millis(20);

/// Sends a value as a line. A part of it is sent only when the socket's time is over, or a signal came: then the line
/// counts as lost, so that a peer that reads slowly does not extend the time.
pub(crate) fn send(mut stream: &TcpStream, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    loop {
        match stream.write(&line) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(bytes) if bytes < line.len() => return Err(ErrorKind::TimedOut.into()),
            other => return other.map(drop),
        }
    }
}

/// Did nothing come by the deadline?
pub(crate) fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// The remaining time, in the form that system calls require: never zero.
pub(crate) fn remaining(by: Instant) -> io::Result<Duration> {
    match by.saturating_duration_since(Instant::now()) {
        Duration::ZERO => Err(ErrorKind::TimedOut.into()),
        left => Ok(left),
    }
}

/// The receiving side of a connection.
#[derive(Debug)]
pub(crate) struct Receiver {
    reader: BufReader<TcpStream>,
    line: Vec<u8>,
    max_bytes: usize,
    /// The socket's.
    timeout: Option<Duration>,
}

impl Receiver {
    pub(crate) fn new(stream: TcpStream, max_bytes: usize) -> Self {
        Self { reader: BufReader::new(stream), line: vec![], max_bytes, timeout: None }
    }

    pub(crate) fn stream(&self) -> &TcpStream {
        self.reader.get_ref()
    }

    /// The next line; after a time-out its beginning is kept.
    ///
    /// # Errors
    /// A time-out at the deadline; `InvalidData` for a line that is too long or of another protocol.
    pub(crate) fn receive<T: DeserializeOwned>(&mut self, by: Option<Instant>) -> io::Result<T> {
        loop {
            // One buffer at a time, so that a peer that sends single bytes does not extend the deadline.
            self.fill(by)?;
            let available = self.reader.buffer();
            let end = available.iter().position(|&byte| byte == b'\n');
            let bytes = end.map_or(available.len(), |end| end + 1);
            if bytes == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            if self.line.len() + bytes > self.max_bytes {
                let why = format!("a line of more than {} bytes", self.max_bytes);
                return Err(io::Error::new(ErrorKind::InvalidData, why));
            }
            self.line.extend_from_slice(&available[..bytes]);
            self.reader.consume(bytes);
            if end.is_some() {
                let line = mem::take(&mut self.line);
                let why = |error| format!("not a line of protocol version {VERSION}: {error}");
                return serde_json::from_slice(&line)
                    .map_err(|error| io::Error::new(ErrorKind::InvalidData, why(error)));
            }
        }
    }

    /// Returns when there are bytes to read, or the peer has closed its side. The socket's time-out, a call of the system,
    /// is kept from one line to the next where it is at most the remaining time: it then ends early, and is set again.
    fn fill(&mut self, by: Option<Instant>) -> io::Result<()> {
        loop {
            let left = by.map(remaining).transpose()?;
            if let Some(left) = left
                && !self.timeout.is_some_and(|timeout| (left / 64..=left).contains(&timeout))
            {
                self.set_timeout(Some(if left > MIN_HALVED { left / 2 } else { left }))?;
            }
            match self.reader.fill_buf() {
                Err(error) if is_timeout(&error) && left.is_none() => self.set_timeout(None)?,
                Err(error) if is_timeout(&error) || error.kind() == ErrorKind::Interrupted => {}
                other => return other.map(drop),
            }
        }
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) -> io::Result<()> {
        self.timeout = timeout;
        self.stream().set_read_timeout(timeout)
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener};

    use super::*;

    #[test]
    fn a_line_of_which_a_part_is_sent_counts_as_lost() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let stream = TcpStream::connect(listener.local_addr().expect("an address")).expect("connected");
        stream.set_write_timeout(Some(Duration::from_millis(50))).expect("an option");
        send(&stream, &"short").expect("it has room");
        // More than the system keeps for a peer that does not read.
        let error = send(&stream, &"x".repeat(1 << 25)).expect_err("a part");
        assert!(is_timeout(&error), "{error}");
    }
}
