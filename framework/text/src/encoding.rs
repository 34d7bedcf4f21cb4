//! The encoding of a text that is not in UTF-8.

/// Whether a text that was read as UTF-8, with replacement characters for what is not, is in UTF-16: it begins with the byte order mark of
/// UTF-16, or many of its characters are zero bytes.
pub fn is_utf16(text: &str) -> bool {
    let (count, zeros) =
        text.chars().take(256).fold((0, 0), |(all, zeros), c| (all + 1, zeros + usize::from(c == '\0')));
    zeros > 0 && (text.starts_with("\u{fffd}\u{fffd}") || 4 * zeros >= count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_is_recognised_with_and_without_its_mark_and_in_both_orders() {
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            for text in
                ["\u{feff}// Это комментарий, в котором нет английских слов.\n", "\u{feff}a\n", "fn a() {}\n"]
            {
                let bytes: Vec<u8> = text.encode_utf16().flat_map(order).collect();
                assert!(is_utf16(&String::from_utf8_lossy(&bytes)), "{text}");
                assert!(
                    !is_utf16(text) && !is_utf16("a\0b: a zero byte alone") && !is_utf16("\u{fffd}\u{fffd}")
                );
            }
        }
    }
}
