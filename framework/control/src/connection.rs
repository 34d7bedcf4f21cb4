//! One client's connection in the server: reads and writes lines, never blocks.
use std::{
    io::{ErrorKind, Read, Write},
    net::Shutdown,
    time::Instant,
};

use mio::net::TcpStream;

use crate::{
    StoreLimits,
    protocol::{FromServer, to_line},
    store_state::ClientId,
};

/// The maximum number of bytes that are read from one client before the others have their turn.
const MAX_READ_PER_TURN: usize = 16 * 1024;

/// Bytes that one system call reads.
const READ_BUFFER_BYTES: usize = 4096;

/// How a reading turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadStatus {
    /// No data is available now.
    Empty,
    /// More data may be available.
    More,
    /// The client has closed, or the connection broke.
    Closed,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    input: Vec<u8>,
    output: Vec<u8>,
    /// The client, once it has said hello.
    pub(crate) client: Option<ClientId>,
    /// Closed by force at this time: no hello, or a refusal that is not read.
    pub(crate) deadline: Option<Instant>,
    /// Further input is ignored.
    is_input_ignored: bool,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream, hello_by: Instant) -> Self {
        Self {
            stream,
            input: vec![],
            output: vec![],
            client: None,
            deadline: Some(hello_by),
            is_input_ignored: false,
        }
    }

    pub(crate) fn stream(&mut self) -> &mut TcpStream {
        &mut self.stream
    }

    /// Has it not said hello?
    pub(crate) fn is_unauthenticated(&self) -> bool {
        self.client.is_none()
    }

    /// Reads the available bytes, for one turn; from a stranger at most the size of a hello.
    pub(crate) fn read(&mut self, limits: &StoreLimits) -> ReadStatus {
        let mut buffer = [0; READ_BUFFER_BYTES];
        let turn = if self.is_unauthenticated() { limits.max_hello_bytes } else { MAX_READ_PER_TURN };
        let mut read = 0;
        while read < turn {
            let room = READ_BUFFER_BYTES.min(turn - read);
            match self.stream.read(&mut buffer[..room]) {
                Ok(0) => return ReadStatus::Closed,
                Ok(bytes) => {
                    read += bytes;
                    if !self.is_input_ignored {
                        self.input.extend_from_slice(&buffer[..bytes]);
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return ReadStatus::Empty,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return ReadStatus::Closed,
            }
        }
        ReadStatus::More
    }

    /// The next whole line without its end; an error when it is longer than allowed.
    pub(crate) fn next_line(&mut self, limits: &StoreLimits) -> Option<Result<Vec<u8>, String>> {
        let most = if self.is_unauthenticated() { limits.max_hello_bytes } else { limits.max_line_bytes };
        let end = self.input.iter().take(most).position(|&byte| byte == b'\n');
        match end {
            Some(end) => {
                let mut line: Vec<u8> = self.input.drain(..=end).collect();
                line.pop();
                Some(Ok(line))
            }
            None if self.input.len() >= most => Some(Err(format!("a line of more than {most} bytes"))),
            None => None,
        }
    }

    /// Appends a line to those that wait to be sent.
    ///
    /// # Errors
    /// When the client leaves too much output unread.
    pub(crate) fn send(&mut self, said: &FromServer, limits: &StoreLimits) -> Result<(), String> {
        self.output.extend(to_line(said));
        match self.output.len() > limits.max_unread_bytes {
            true => Err(format!("the client leaves more than {} bytes unread", limits.max_unread_bytes)),
            false => Ok(()),
        }
    }

    /// Sends what can be sent now; false when the connection is broken.
    pub(crate) fn flush(&mut self) -> bool {
        while !self.output.is_empty() {
            match self.stream.write(&self.output) {
                Ok(0) => return false,
                Ok(bytes) => drop(self.output.drain(..bytes)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return true,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return false,
            }
        }
        if self.is_input_ignored {
            // The client reads the refusal, then the end of the stream.
            let _gone_already = self.stream.shutdown(Shutdown::Write);
        }
        true
    }

    /// Is there output to send?
    pub(crate) fn has_unsent(&self) -> bool {
        !self.output.is_empty()
    }

    /// Sends the reason and ignores further input. The socket stays open until the client has closed its side or until
    /// `by`, since closing it with unread input would destroy the refusal on its way.
    pub(crate) fn reject(&mut self, why: String, by: Instant) {
        if !self.is_input_ignored {
            self.output.extend(to_line(&FromServer::Refused(why)));
            (self.is_input_ignored, self.deadline) = (true, Some(by));
            self.input = vec![];
        }
    }
}
