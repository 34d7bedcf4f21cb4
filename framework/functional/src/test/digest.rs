//! A summary of an output: a digest of its `Debug` text and its outline, without holding the whole text.
use std::{
    fmt::{self, Debug, Write},
    hash::{DefaultHasher, Hasher},
};

use serde::{Deserialize, Serialize};
use wb_task::{debug_parser::DebugScanner, outline::Outline};

/// The digest and the outline of a value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Digest {
    /// The hash of the whole `Debug` text; the ranks of a job run one program, so they have one hash.
    pub(crate) hash: u64,
    /// The summary of the value: [`wb_task::outline`].
    pub(crate) excerpt: String,
}

impl Digest {
    /// Of `value`.
    pub(crate) fn from_debug(value: &impl Debug) -> Self {
        let mut reader =
            DigestWriter { hasher: DefaultHasher::new(), scanner: DebugScanner::new(Outline::default()) };
        // The reader itself never fails; a `Debug` that does has written the text to compare.
        let _incomplete = write!(reader, "{value:?}");
        Self { hash: reader.hasher.finish(), excerpt: reader.scanner.finish().into_text() }
    }
}

/// Processes a text piece by piece.
struct DigestWriter {
    hasher: DefaultHasher,
    scanner: DebugScanner<Outline>,
}

impl Write for DigestWriter {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.hasher.write(piece.as_bytes());
        self.scanner.write_str(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_equal_digests_and_others_do_not() {
        assert_eq!(Digest::from_debug(&vec![1, 2]), Digest::from_debug(&[1, 2]));
        assert_ne!(Digest::from_debug(&[1.0]).hash, Digest::from_debug(&[1.5]).hash);
        let in_pieces = Digest::from_debug(&format_args!("foo{}", "bar"));
        assert_eq!(in_pieces, Digest::from_debug(&format_args!("foobar")));
    }

    #[test]
    fn a_long_list_is_shown_by_its_ends() {
        assert_eq!(
            Digest::from_debug(&vec!['я'; 500]).excerpt,
            "['я', 'я', 'я', 'я', 'я', 'я', …, 'я', 'я'] (500)"
        );
        assert_eq!(Digest::from_debug(&7).excerpt, "7");
    }
}
