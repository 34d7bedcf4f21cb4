//! Paths of files that a source names: where they lead.

use wb_text::{Text, source as text};

use crate::source::source_file::SourceFile;

/// `path`, read from the folder of `file`, below the task's folder; `None` if it leads out of that.
pub(super) fn resolve(file: &str, path: &str) -> Option<String> {
    if path.starts_with('/') || path.contains(['\\', ':']) {
        return None;
    }
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()?),
            "." | "" => {}
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Why code must not be read from `path`, if it must not: code of the library is below `src`, where every rule applies.
pub(super) fn code_offence(file: &SourceFile, path: &str) -> Option<Text> {
    match resolve(&file.path, path) {
        None => Some(text::path_outside(path)),
        // Code in a file of another kind would not be checked.
        Some(_) if !path.ends_with(".rs") => Some(text::path_not_source(path)),
        Some(found) if file.is_library() && !found.starts_with("src/") => {
            Some(text::path_not_below(path, "src"))
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_from_the_folder_of_its_file() {
        assert_eq!(resolve("src/a/b.rs", "../c/./d.rs").as_deref(), Some("src/c/d.rs"));
        assert_eq!(resolve("Cargo.toml", "src//lib.rs").as_deref(), Some("src/lib.rs"));
        for outside in ["../../x.rs", "/x.rs", "c:x.rs", "a/../../../x.rs"] {
            assert_eq!(resolve("src/a.rs", outside), None, "{outside}");
        }
    }
}
