//! Characters that a reader does not see and that change what the reader does see.

/// Whether the character is a control, a direction mark, or a character without width or ink.
///
/// These are the general category Cc, the format characters of Cf that have no width (Unicode 16, the property
/// `Default_Ignorable_Code_Point`), line and paragraph separators, the letters that are blank (Hangul fillers, Braille
/// blank), private use and noncharacters. A space is none of them.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{e000}'..='\u{f8ff}'
            | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}' | '\u{f0000}'..='\u{10ffff}')
        || u32::from(c) & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::is_hidden;

    #[test]
    fn letters_digits_spaces_and_signs_of_all_scripts_are_visible() {
        for c in "Ёж Ångström 李 יעל علي 𝔸 ß-'.,()№ — «» 3823Б1ПР1\u{a0}\u{301}\u{fffd}".chars()
        {
            assert!(!is_hidden(c), "{c:?}");
        }
    }

    #[test]
    fn controls_directions_and_blanks_are_hidden() {
        let hidden = "\0\u{1b}\u{7f}\u{9b}\n\t\r\u{200b}\u{200d}\u{202e}\u{2066}\u{2028}\u{feff}\u{3164}\u{2800}\
                      \u{ad}\u{e0041}\u{fe0f}\u{ffff}\u{1fffe}\u{10ffff}\u{e000}";
        for c in hidden.chars() {
            assert!(is_hidden(c), "{c:?}");
        }
    }
}
