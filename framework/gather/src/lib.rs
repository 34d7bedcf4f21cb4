//! What lies in a folder, gathered into source while a crate is built: barriers, machines, programs of the zoo.
//!
//! So another one is another file, and no list has to be edited. Everything comes in the order of names, so that a build is the
//! same everywhere, and cargo builds again when a gathered folder changes.
//!
//! ```
//! # let place = tempfile::tempdir()?;
//! # let folder = place.path().join("barrier");
//! # std::fs::create_dir_all(folder.join("pattern/folder.rs"))?;
//! # for file in ["ring.rs", "all.rs", "README.md", "ring.rs.orig"] {
//! #     std::fs::write(folder.join("pattern").join(file), "")?;
//! # }
//! let [pattern] = &wb_gather::folders(&folder)?[..] else { panic!("one folder") };
//! // Neither `README.md` nor `ring.rs.orig`, nor the folder `folder.rs`.
//! let files = wb_gather::files(&pattern.path, "rs")?;
//! assert_eq!(files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["all", "ring"]);
//! assert!(wb_gather::module_source(pattern, &files).starts_with("pub mod pattern {\n"));
//! assert!(wb_gather::files(&folder.join("nowhere"), "rs").is_err());
//! # Ok::<(), std::io::Error>(())
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]
use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

/// Something in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderEntry {
    /// Its name, of a file without its ending.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
}

/// The folders in a folder, by name.
///
/// # Errors
/// When it cannot be read.
pub fn folders(folder: &Path) -> io::Result<Vec<FolderEntry>> {
    Ok(read_entries(folder)?.into_iter().filter(|found| found.path.is_dir()).collect())
}

/// The files with this ending in a folder, by name.
///
/// # Errors
/// When it cannot be read.
pub fn files(folder: &Path, ending: &str) -> io::Result<Vec<FolderEntry>> {
    let is_one =
        |found: &FolderEntry| found.path.is_file() && found.path.extension().is_some_and(|its| its == ending);
    Ok(read_entries(folder)?.into_iter().filter(is_one).collect())
}

/// Source: a public module of that folder's name with a public module of each file.
pub fn module_source(folder: &FolderEntry, files: &[FolderEntry]) -> String {
    let module =
        |FolderEntry { name, path }: &FolderEntry| format!("    #[path = {path:?}]\n    pub mod {name};\n");
    format!("pub mod {} {{\n{}}}\n", folder.name, files.iter().map(module).collect::<String>())
}

/// The folder of this name beside the manifest of the crate that is built. Links are resolved: the source that is made of it is the same in
/// each workspace that has a link to the crate, so cargo does not build it again in each.
///
/// # Errors
/// When no crate is built, or the folder does not exist.
pub fn in_manifest_dir(name: &str) -> io::Result<PathBuf> {
    required_var("CARGO_MANIFEST_DIR")?.join(name).canonicalize()
}

/// Leaves source for `include!(concat!(env!("OUT_DIR"), "/name"))`.
///
/// # Errors
/// When no crate is built, or nothing can be written.
pub fn write_out(name: &str, source: &str) -> io::Result<()> {
    fs::write(required_var("OUT_DIR")?.join(name), source)
}

/// What cargo promises to every build script.
fn required_var(variable: &str) -> io::Result<PathBuf> {
    env::var_os(variable)
        .map(PathBuf::from)
        .ok_or_else(|| io::Error::other(format!("{variable} is not set: this is not a build script")))
}

fn read_entries(folder: &Path) -> io::Result<Vec<FolderEntry>> {
    // Relative, for the same reason.
    let manifest =
        env::var_os("CARGO_MANIFEST_DIR").and_then(|folder| Path::new(&folder).canonicalize().ok());
    let relative = manifest.and_then(|manifest| folder.strip_prefix(manifest).ok());
    println!("cargo:rerun-if-changed={}", relative.unwrap_or(folder).display());
    let mut found = vec![];
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
        found.push(FolderEntry { name: name.unwrap_or_default().to_string_lossy().into_owned(), path });
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}
