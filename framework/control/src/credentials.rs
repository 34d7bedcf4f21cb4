//! Admission: [`Secret`]s that cannot be guessed, and [`Credentials`], which a member needs to join.
//!
//! There are two secrets. The server's *token* admits members: the process that starts the server gives it to the
//! members. A client's *key*, which the client generates, authenticates its session: a number alone, which others can
//! see or guess, does not. Neither is encrypted in transit: where others can read the network, the network has to be
//! protected.
use std::{fmt, net::SocketAddr, str::FromStr};

use serde::{Deserialize, Serialize};

/// Bytes of a secret: too many to try all values.
const BYTES: usize = 16;

/// A random number of 128 bits, written as 32 hexadecimal digits. Its `Debug` does not show it.
#[derive(Clone, Copy, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Secret([u8; BYTES]);

impl Secret {
    /// A new one, from the system's random numbers.
    ///
    /// # Panics
    /// When the system has none.
    pub fn random() -> Self {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).expect("the system has random numbers");
        Self(bytes)
    }

    /// The 32 digits, to pass on to members.
    pub fn to_hex(&self) -> String {
        format!("{:032x}", u128::from_be_bytes(self.0))
    }
}

/// Compares in a time that does not depend on where two secrets differ.
impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).fold(0, |differences, (a, b)| differences | (a ^ b)) == 0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(not shown)")
    }
}

impl From<Secret> for String {
    fn from(secret: Secret) -> Self {
        secret.to_hex()
    }
}

impl TryFrom<String> for Secret {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for Secret {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let number = (text.len() == 2 * BYTES && text.bytes().all(is_digit))
            .then(|| u128::from_str_radix(text, 16).ok())
            .flatten();
        // The message does not contain the text: it may be a secret with a typing error.
        let number =
            number.ok_or_else(|| format!("a secret is {} lower-case hexadecimal digits", 2 * BYTES))?;
        Ok(Self(number.to_be_bytes()))
    }
}

/// The address of a server and the token that it requires: what a member needs. As text `127.0.0.1:4000/<digits>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The server.
    pub address: SocketAddr,
    /// The server's token.
    pub token: Secret,
}

impl fmt::Display for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.token.to_hex())
    }
}

impl FromStr for Credentials {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (address, token) = text.split_once('/').ok_or("credentials are `address:port/token`")?;
        let address = address.parse().map_err(|_| format!("`{address}` is not an address and a port"))?;
        Ok(Self { address, token: token.parse()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_read_as_they_are_written() {
        for address in ["127.0.0.1:4000", "[::1]:65535"] {
            let written = Credentials { address: address.parse().expect("one"), token: Secret::random() };
            assert_eq!(written.to_string().parse(), Ok(written));
        }
        let zeros = "0".repeat(32);
        assert_eq!(zeros.parse::<Secret>().map(|secret| secret.to_hex()), Ok(zeros));
    }

    #[test]
    fn what_is_no_secret_is_refused_without_being_told() {
        let odd = ["", "0", &"0".repeat(31), &"0".repeat(33), &"F".repeat(32), &"+".repeat(32), "secret"];
        for text in odd.map(str::to_owned).into_iter().chain([format!("+{}", "0".repeat(31))]) {
            assert_eq!(text.parse::<Secret>(), Err("a secret is 32 lower-case hexadecimal digits".into()));
        }
        let refusal = |text: &str| text.parse::<Credentials>().expect_err("not credentials");
        assert_eq!(refusal("127.0.0.1:1"), "credentials are `address:port/token`");
        assert_eq!(refusal(&format!("here/{}", "0".repeat(32))), "`here` is not an address and a port");
    }

    #[test]
    fn secrets_differ_and_are_compared_to_the_last_bit() {
        let one = Secret::random();
        assert_ne!(one, Secret::random());
        for bit in 0..8 * BYTES {
            let mut other = one;
            other.0[bit / 8] ^= 1 << (bit % 8);
            let same = Secret(other.0);
            assert!(one != other && other == same, "bit {bit}");
        }
        assert!(!format!("{one:?}").contains(&one.to_hex()));
    }
}
