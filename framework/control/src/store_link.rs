//! The client's connection to the store: [`StoreLink`], and its implementation over TCP.
use std::{
    io::{self, BufRead, BufReader, ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use serde::Serialize;

use crate::{
    Credentials, Error, Result, Secret,
    protocol::{FromClient, FromServer, Hello, ReplyBody, StoreRequest, VERSION, parse, to_line},
};

/// The longest line that a client accepts, in bytes; a server with sensible limits sends at most half of that.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// A connection to the store that may break; the client decides what to do then.
///
/// # Errors
/// Both functions: [`Error::Link`] when it broke or nothing arrived by the deadline, so that a retry may help; another
/// error when a retry does not help.
#[allow(clippy::missing_errors_doc, reason = "said once for the whole trait")]
pub trait StoreLink {
    /// Opens the connection, or reopens it, and says hello as the client of that number and key.
    fn open(&mut self, client: (u64, Secret), last: u64, by: Instant) -> Result<()>;

    /// One request and its answer.
    fn exchange(&mut self, request: &StoreRequest, by: Instant) -> Result<ReplyBody>;

    /// Announces that the client sends nothing more.
    fn bye(&mut self);

    /// The server's name for messages.
    fn server(&self) -> String;
}

/// A TCP connection to a [`Server`](crate::Server).
#[derive(Debug)]
pub struct TcpLink {
    server: SocketAddr,
    token: Secret,
    reader: Option<BufReader<TcpStream>>,
}

impl TcpLink {
    /// To the server at that address, with its token; nothing is opened yet.
    pub fn new(Credentials { address, token }: Credentials) -> Self {
        Self { server: address, token, reader: None }
    }

    fn link_error(&self, why: &impl ToString) -> Error {
        Error::Link { server: self.server.to_string(), reason: why.to_string() }
    }

    fn send(&mut self, said: &impl Serialize, by: Instant) -> Result<()> {
        let Some(reader) = &mut self.reader else { return Err(self.link_error(&"not connected")) };
        let stream = reader.get_mut();
        let sent = remaining(by).and_then(|left| {
            stream.set_write_timeout(Some(left))?;
            stream.write_all(&to_line(said))
        });
        sent.map_err(|error| self.link_error(&describe_error(&error)))
    }

    fn receive(&mut self, by: Instant) -> Result<FromServer> {
        let said = match &mut self.reader {
            None => return Err(self.link_error(&"not connected")),
            Some(reader) => read_line(reader, by),
        };
        let said = said.map_err(|error| self.link_error(&describe_error(&error)))?;
        let server = self.server.to_string();
        match parse(&said) {
            Ok(FromServer::Refused(why)) => Err(Error::Refused { server, reason: why }),
            Ok(said) => Ok(said),
            Err(why) => Err(Error::Protocol { server, reason: why }),
        }
    }

    fn protocol_error(&self, said: &FromServer) -> Error {
        Error::Protocol { server: self.server.to_string(), reason: format!("not expected now: {said:?}") }
    }
}

impl StoreLink for TcpLink {
    fn open(&mut self, (client, key): (u64, Secret), last: u64, by: Instant) -> Result<()> {
        self.reader = None;
        let connected = remaining(by).and_then(|left| {
            let stream = TcpStream::connect_timeout(&self.server, left)?;
            stream.set_nodelay(true)?;
            Ok(stream)
        });
        let stream = connected.map_err(|error| self.link_error(&describe_error(&error)))?;
        self.reader = Some(BufReader::new(stream));
        self.send(&FromClient::Hello(Hello { version: VERSION, client, last, token: self.token, key }), by)?;
        match self.receive(by)? {
            FromServer::Welcome { version: VERSION } => Ok(()),
            other => Err(self.protocol_error(&other)),
        }
    }

    fn exchange(&mut self, request: &StoreRequest, by: Instant) -> Result<ReplyBody> {
        self.send(&FromClient::Request(request.clone()), by)?;
        loop {
            match self.receive(by)? {
                FromServer::Reply(reply) if reply.id == request.id => return Ok(reply.answer),
                // The late answer to a request that was given up.
                FromServer::Reply(reply) if reply.id < request.id => {}
                other => return Err(self.protocol_error(&other)),
            }
        }
    }

    fn bye(&mut self) {
        // The server forgets this client in time even if it does not receive this.
        let _unheard = self.send(&FromClient::Bye, Instant::now() + Duration::from_millis(100));
        self.reader = None;
    }

    fn server(&self) -> String {
        self.server.to_string()
    }
}

/// The remaining time, in the form that system calls require: never zero.
fn remaining(by: Instant) -> io::Result<Duration> {
    match by.saturating_duration_since(Instant::now()) {
        Duration::ZERO => Err(ErrorKind::TimedOut.into()),
        left => Ok(left),
    }
}

/// Reads a line, at most until `by` and at most [`MAX_LINE_BYTES`] bytes.
fn read_line(reader: &mut BufReader<TcpStream>, by: Instant) -> io::Result<Vec<u8>> {
    let mut read = vec![];
    loop {
        reader.get_ref().set_read_timeout(Some(remaining(by)?))?;
        let room = MAX_LINE_BYTES - read.len() as u64;
        // One buffer at a time, so that a server that sends single bytes does not extend the deadline.
        let available = match reader.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            available => available?.len() as u64,
        };
        let bytes = reader.by_ref().take(available.min(room)).read_until(b'\n', &mut read)?;
        match (bytes, read.last()) {
            (_, Some(b'\n')) => return Ok(read),
            (0, _) if room == 0 => return Err(io::Error::new(ErrorKind::InvalidData, "a line without end")),
            (0, _) => return Err(ErrorKind::UnexpectedEof.into()),
            _ => {}
        }
    }
}

fn describe_error(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => "nothing came in time".into(),
        ErrorKind::UnexpectedEof => "it closed the connection".into(),
        _ => error.to_string(),
    }
}
