//! Admission: [`Secret`]s that cannot be guessed, and [`Credentials`], which a member needs to join.
//!
//! The server's *token* admits members: the process that starts the server gives it to the members. A client draws a
//! secret of its own, by which the server knows it when it connects again. Neither is encrypted in transit: where others
//! can read the network, the network has to be protected.
use std::{fmt, net::SocketAddr, str::FromStr};

use serde::{Deserialize, Serialize};

/// A random number of 128 bits, written as 32 hexadecimal digits. Its `Debug` does not show it.
#[derive(Clone, Copy, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
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

/// Compares in a time that does not depend on where two secrets differ.
impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.0 ^ other.0 == 0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(not shown)")
    }
}

impl From<Secret> for String {
    fn from(secret: Secret) -> Self {
        format!("{:032x}", secret.0)
    }
}

impl TryFrom<String> for Secret {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let number = u128::from_str_radix(&text, 16).ok();
        // The message does not contain the text: it may be a secret with a typing error.
        number
            .filter(|_| text.len() == 32 && text.bytes().all(is_digit))
            .map(Self)
            .ok_or("a secret is 32 lower-case hexadecimal digits")
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
        write!(f, "{}/{}", self.address, String::from(self.token))
    }
}

impl FromStr for Credentials {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (address, token) = text.split_once('/').ok_or("credentials are `address:port/token`")?;
        let address = address.parse().map_err(|_| format!("`{address}` is not an address and a port"))?;
        Ok(Self { address, token: token.to_owned().try_into()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_read_as_they_are_written_and_nothing_else_is_read() {
        for address in ["127.0.0.1:4000", "[::1]:65535"] {
            let written = Credentials { address: address.parse().expect("one"), token: Secret(1) };
            assert_eq!(written.to_string().parse(), Ok(written));
            assert!(written.to_string().ends_with("/00000000000000000000000000000001"));
        }
        let odd =
            ["", "0", &"0".repeat(31), &"0".repeat(33), &"F".repeat(32), &format!("+{}", "0".repeat(31))];
        for text in odd {
            let refused = format!("127.0.0.1:1/{text}").parse::<Credentials>();
            assert_eq!(refused, Err("a secret is 32 lower-case hexadecimal digits".into()), "{text}");
        }
        assert!("127.0.0.1:1".parse::<Credentials>().is_err_and(|why| why.contains("address:port/token")));
        assert!("here/0".parse::<Credentials>().is_err_and(|why| why.contains("`here` is not an address")));
    }

    #[test]
    fn secrets_differ_are_compared_to_the_last_bit_and_are_not_shown() {
        let one = Secret::random();
        assert_ne!(one, Secret::random());
        assert!((0..128).all(|bit| one != Secret(one.0 ^ (1 << bit))));
        assert_eq!(format!("{one:?}"), "Secret(not shown)");
    }
}
