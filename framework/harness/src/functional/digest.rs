//! An output in short: a digest of its `Debug` text and the text's beginning, without ever holding the whole text.
use std::fmt::{self, Debug, Write};

/// How much of a text a report shows.
const SHOWN: usize = 160;

/// The digest and the beginning of a value's `Debug` text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Digest {
    /// FNV-1a, 64 bits, of the whole text.
    pub(super) hash: u64,
    /// The text's beginning; an ellipsis says that there is more.
    pub(super) excerpt: String,
}

impl Digest {
    /// Of `value`.
    pub(super) fn of(value: &impl Debug) -> Self {
        let mut reader = Reader { hash: 0xcbf2_9ce4_8422_2325, excerpt: String::new(), cut: false };
        // The reader itself never fails; a `Debug` that does has written what there is to compare.
        let _incomplete = write!(reader, "{value:?}");
        if reader.cut {
            reader.excerpt.push('…');
        }
        Self { hash: reader.hash, excerpt: reader.excerpt }
    }
}

/// Takes a text piece by piece.
struct Reader {
    hash: u64,
    excerpt: String,
    cut: bool,
}

impl Write for Reader {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        for byte in piece.bytes() {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let room = SHOWN.saturating_sub(self.excerpt.len());
        let fits = (0..=room.min(piece.len())).rev().find(|&end| piece.is_char_boundary(end)).unwrap_or(0);
        self.excerpt.push_str(&piece[..fits]);
        self.cut |= fits < piece.len();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_equal_digests_and_others_do_not() {
        assert_eq!(Digest::of(&vec![1, 2]), Digest::of(&[1, 2]));
        assert_ne!(Digest::of(&[1.0]).hash, Digest::of(&[1.5]).hash);
        assert_eq!(Digest::of(&"").hash, Digest::of(&"").hash);
    }

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        let long = Digest::of(&vec!['я'; 500]);
        assert!(long.excerpt.ends_with('…') && long.excerpt.len() <= SHOWN + '…'.len_utf8());
        assert_eq!(Digest::of(&7).excerpt, "7");
    }
}
