//! The workspace's own sources, as the laws see them.
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The folder of the workspace.
///
/// # Panics
/// Never: this package lies one level below it.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the workspace")
}

/// All files below the root whose name ends in one of `endings`, with paths relative to the root, sorted; what builds,
/// version control and hidden folders hold is left out, `.github`, `.ci` and `.cargo` are not.
///
/// # Panics
/// When a folder cannot be read.
pub fn files(endings: &[&str]) -> Vec<PathBuf> {
    let mut found = vec![];
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the workspace can be read") {
            let path = entry.expect("the workspace can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let ours = !name.starts_with('.') || [".github", ".ci", ".cargo"].contains(&name.as_str());
            if path.is_dir() && ours && name != "target" {
                folders.push(path);
            } else if path.is_file() && endings.iter().any(|ending| name.ends_with(ending)) {
                found.push(path.strip_prefix(root()).expect("found below the root").to_owned());
            }
        }
    }
    found.sort();
    found
}

/// Every Rust source with its text.
///
/// # Panics
/// When a file cannot be read.
pub fn rust_sources() -> Vec<(PathBuf, String)> {
    texts(&[".rs"])
}

/// Every file with one of these endings, with its text.
///
/// # Panics
/// When a file cannot be read.
pub fn texts(endings: &[&str]) -> Vec<(PathBuf, String)> {
    let read = |path: PathBuf| {
        let text =
            fs::read_to_string(root().join(&path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        (path, text)
    };
    files(endings).into_iter().map(read).collect()
}
