//! The names of the pages.

use sha2::{Digest, Sha256};
use wb_messages::Lang;

/// The longest id that is a name of a file as it is.
const ID_CHARS_MAX: usize = 64;

/// Names that Windows reserves for devices.
const RESERVED: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// `index.html`, `index.ru.html`.
pub(crate) fn file(stem: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{stem}.html"),
        Lang::Ru => format!("{stem}.ru.html"),
    }
}

/// The page of a student without language and ending: `students/ivanov_i`. It depends on the id alone, so that a link to a
/// student's page stays valid when other students come and go.
///
/// An id that is not a portable name of a file, or that could be the name of another id, is replaced by its hash.
/// Ids that differ in case only are the same id.
pub(crate) fn student_stem(id: &str) -> String {
    let id = &id.to_lowercase();
    let portable = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-' | '.');
    let reserved = {
        let word = id.split('.').next().unwrap_or_default();
        RESERVED.contains(&word.trim_end_matches(|c: char| c.is_ascii_digit()))
    };
    let is_name = (1..=ID_CHARS_MAX).contains(&id.len())
        && id.chars().all(portable)
        && !reserved
        && !id.starts_with("id-")
        && !id.starts_with('.')
        && !id.ends_with('.')
        && !id.ends_with(".ru");
    if is_name { format!("students/{id}") } else { format!("students/id-{}", hash(id)) }
}

/// Twelve bytes of the SHA-256, in hexadecimal.
fn hash(id: &str) -> String {
    Sha256::digest(id.as_bytes()).iter().take(12).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_id_is_the_name_and_any_other_id_has_a_portable_name() {
        assert_eq!(student_stem("ivanov_i"), "students/ivanov_i");
        assert_eq!(student_stem("ivanov.i-2"), "students/ivanov.i-2");
        let long = "a".repeat(65);
        let others = [
            "", ".", "..", "../x", "a/b", "con", "com1", "nul.x", "a.", "<script>", "a.ru", "Ы", &long,
            "id-1",
        ];
        for id in others {
            let stem = student_stem(id);
            let (folder, name) = stem.split_once('/').expect("a folder");
            assert_eq!((folder, name.len()), ("students", 27), "{id}: {stem}");
            assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'), "{id}: {stem}");
        }
        assert_ne!(student_stem("Ы"), student_stem("Б"));
        assert_eq!(student_stem("7K3Q-M2XD"), "students/7k3q-m2xd");
    }
}
