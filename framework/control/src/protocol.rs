//! The messages of client and server: lines of JSON, one value a line, at most [`StoreLimits::line`] bytes.
//!
//! | who | line | meaning |
//! |---|---|---|
//! | client | `{"hello":{"version":2,"client":77,"last":0,"token":"<32 digits>","key":"<32 digits>"}}` | first line of a connection, at most [`StoreLimits::max_hello_bytes`] bytes; `last`: the newest request id that this client has used, 0 for a new client; `token`: the server's, which admits members; `key`: the client's own, the same at each of its hellos |
//! | server | `{"welcome":{"version":2}}` | continue |
//! | client | `{"request":{"id":1,"op":{"add":{"key":"k","delta":1}}}}` | ids grow; a repeated id is the same request |
//! | server | `{"reply":{"id":1,"answer":{"sum":1}}}` | the answer to that id |
//! | client | `{"request":{"id":2,"op":{"set":{"key":"k","value":"ok"}}}}` | answer `"done"` |
//! | client | `{"request":{"id":3,"op":{"get":{"key":"k","wait":2000}}}}` | waits at most this number of ms; answer `{"value":"ok"}` or `"late"` |
//! | client | `{"request":{"id":4,"op":{"remove":{"key":"k"}}}}` | answer `"done"`, whether the key existed or not |
//! | server | `{"reply":{"id":5,"answer":{"wrong":"..."}}}` | the request breaks a rule; nothing was changed |
//! | server | `{"refused":"..."}` | the connection is about to be closed, and repeating does not help |
//! | client | `"bye"` | the server forgets this client |
//!
//! Lines, because a person can type them: `nc 127.0.0.1 PORT`. Version 1 had neither token nor key: its hello is refused.
//!
//! [`StoreLimits::line`]: crate::StoreLimits::max_line_bytes
//! [`StoreLimits::max_hello_bytes`]: crate::StoreLimits::max_hello_bytes
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::Secret;

/// The protocol's version; a server refuses any other.
pub const VERSION: u32 = 2;

/// A line of the client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum FromClient {
    /// The first line of a connection.
    Hello(Hello),
    /// An operation to execute.
    Request(StoreRequest),
    /// The client sends nothing more, on any connection.
    Bye,
}

/// The identity of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// [`VERSION`].
    pub version: u32,
    /// A number that no other client has.
    pub client: u64,
    /// The newest request id that the client has used; 0 for a new client.
    pub last: u64,
    /// The server's token.
    pub token: Secret,
    /// The client's own: a client that reconnects under its number has to present it.
    pub key: Secret,
}

/// An operation to execute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreRequest {
    /// Larger than that of every other request of this client; the same when it is repeated.
    pub id: u64,
    /// The operation.
    pub op: StoreOp,
}

/// The operations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum StoreOp {
    /// Adds to a counter, which is created at 0; gives the new value.
    Add {
        /// The key.
        key: String,
        /// The increment.
        delta: i64,
    },
    /// Sets a key.
    Set {
        /// The key.
        key: String,
        /// The value.
        value: String,
    },
    /// A key's value, as soon as it is set.
    Get {
        /// The key.
        key: String,
        /// The waiting time in milliseconds; 0 returns the present value.
        wait: u64,
    },
    /// Removes a key.
    Remove {
        /// The key.
        key: String,
    },
}

impl StoreOp {
    /// The key of the operation.
    pub fn key(&self) -> &str {
        match self {
            Self::Add { key, .. } | Self::Set { key, .. } | Self::Get { key, .. } | Self::Remove { key } => {
                key
            }
        }
    }
}

/// A line of the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum FromServer {
    /// The hello is accepted.
    Welcome {
        /// [`VERSION`].
        version: u32,
    },
    /// The answer to a request.
    Reply(Reply),
    /// Why the connection is closed.
    Refused(String),
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// The request's id.
    pub id: u64,
    /// The answer.
    pub answer: ReplyBody,
}

/// The answers to a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReplyBody {
    /// The counter's new value.
    Sum(i64),
    /// The operation was executed.
    Done,
    /// The key's value.
    Value(String),
    /// The key was not set in time.
    Late,
    /// The request breaks a rule; nothing was changed.
    Wrong(String),
}

/// A value as a line, its end included.
///
/// # Panics
/// Never for the types of this module: all of them are JSON.
pub fn to_line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).expect("the protocol's types are JSON");
    line.push(b'\n');
    line
}

/// The value of a line.
///
/// # Errors
/// What is wrong with it, as text.
pub fn parse<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    serde_json::from_slice(line).map_err(|error| format!("not a line of protocol version {VERSION}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to_text(value: &impl Serialize) -> String {
        String::from_utf8(to_line(value)).expect("JSON is text")
    }

    #[test]
    fn lines_are_those_of_the_table() {
        let [token, key] = ["0123456789abcdef0123456789abcdef", "ffffffffffffffffffffffffffffffff"];
        let secret = |digits: &str| digits.parse().expect("a secret");
        let (version, client, last) = (VERSION, 77, 0);
        let hello = Hello { version, client, last, token: secret(token), key: secret(key) };
        let expected = format!(
            "{{\"hello\":{{\"version\":2,\"client\":77,\"last\":0,\"token\":\"{token}\",\"key\":\"{key}\"}}}}\n"
        );
        assert_eq!(to_text(&FromClient::Hello(hello)), expected);
        assert!(expected.len() <= crate::StoreLimits::default().max_hello_bytes / 2);
        let add = FromClient::Request(StoreRequest { id: 1, op: StoreOp::Add { key: "k".into(), delta: 1 } });
        assert_eq!(to_text(&add), "{\"request\":{\"id\":1,\"op\":{\"add\":{\"key\":\"k\",\"delta\":1}}}}\n");
        assert_eq!(to_text(&FromClient::Bye), "\"bye\"\n");
        let reply = |id, answer| to_text(&FromServer::Reply(Reply { id, answer }));
        assert_eq!(reply(1, ReplyBody::Sum(1)), "{\"reply\":{\"id\":1,\"answer\":{\"sum\":1}}}\n");
        assert_eq!(reply(3, ReplyBody::Late), "{\"reply\":{\"id\":3,\"answer\":\"late\"}}\n");
        assert_eq!(to_text(&FromServer::Refused("no".into())), "{\"refused\":\"no\"}\n");
        assert_eq!(to_text(&FromServer::Welcome { version: 2 }), "{\"welcome\":{\"version\":2}}\n");
    }

    #[test]
    fn what_is_read_is_what_was_written_and_nothing_else_is_read() {
        let get =
            FromClient::Request(StoreRequest { id: 9, op: StoreOp::Get { key: "\n\"é".into(), wait: 5 } });
        let written = to_line(&get);
        assert_eq!(written.iter().filter(|&&byte| byte == b'\n').count(), 1, "a line has one end");
        assert_eq!(parse::<FromClient>(&written), Ok(get));
        for bad in ["", "{}", "GET / HTTP/1.1", "{\"request\":{\"id\":-1}}", "\"bye\" \"bye\"", "\u{0}"] {
            let error = parse::<FromClient>(bad.as_bytes()).expect_err(bad);
            assert!(error.starts_with("not a line of protocol version 2: "), "{bad:?}: {error}");
        }
    }
}
