//! Pseudonyms of students for public pages: the same in each scoreboard of a course, and without the secret not to be traced back.
//!
//! A pseudonym is 40 bits of HMAC-SHA-256 (RFC 2104) of the login under the course's secret, in the letters of Crockford's base 32,
//! which contain no `I`, `L`, `O` and `U`. It depends on no other student, so it stays when students come and go. With 150 students two
//! of them have one pseudonym with a probability of 10^-8.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Crockford's base 32.
const LETTERS: [u8; 32] = *b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The pseudonym of `login` under `secret`: `7K3Q-M2XD`.
///
/// Upper and lower case of a login are the same.
///
/// ```
/// use wb_course::pseudonym;
/// assert_eq!(pseudonym(b"secret", "ivanov.i"), pseudonym(b"secret", "Ivanov.I"));
/// assert_ne!(pseudonym(b"secret", "ivanov.i"), pseudonym(b"another", "ivanov.i"));
/// ```
pub fn pseudonym(secret: &[u8], login: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("a key of any length is allowed");
    mac.update(login.to_ascii_lowercase().as_bytes());
    let digest = mac.finalize().into_bytes();
    let bits = digest.iter().take(5).fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    let letter = |at: u32| char::from(LETTERS[(bits >> (5 * at)) as usize & 31]);
    let letters: String = (0..8).rev().map(letter).collect();
    format!("{}-{}", &letters[..4], &letters[4..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pseudonym_is_the_first_40_bits_of_the_standard_function() {
        // RFC 4231, case 2: the key `Jefe`, the text `what do ya want for nothing?`, the digest 5bdcc146bf...
        for login in ["what do ya want for nothing?", "What Do Ya Want For NOTHING?"] {
            assert_eq!(pseudonym(b"Jefe", login), "BFEC-2HNZ");
        }
    }
}
