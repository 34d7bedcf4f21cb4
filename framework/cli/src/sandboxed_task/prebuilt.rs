//! Libraries that are built already, copied once, so that a sandbox need not build the framework again.
//!
//! The libraries of hidden packages and all programs stay outside: they are the work of other students.
use std::{
    collections::BTreeSet,
    fs::{self, File, FileTimes},
    io,
    path::Path,
};

/// The profiles of tests and of benchmarks.
const PROFILES: [&str; 2] = ["debug", "release"];

/// Copies libraries from the folder of all builds into a new folder; nothing if that is there.
pub(super) fn copy(built: &Path, own: &Path, hidden: &BTreeSet<String>) -> io::Result<()> {
    if own.exists() {
        return Ok(());
    }
    let partial = own.with_extension("partial");
    if partial.exists() {
        fs::remove_dir_all(&partial)?;
    }
    fs::create_dir_all(&partial)?;
    for profile in PROFILES {
        for part in ["deps", ".fingerprint", "build"] {
            let (from, to) = (built.join(profile).join(part), partial.join(profile).join(part));
            if from.is_dir() {
                copy_folder(&from, &to, &|name| is_wanted(part, name, hidden))?;
            }
        }
    }
    fs::rename(partial, own)
}

/// Whether a sandbox may see this entry of a part of the build: the name of its package or library ends with a hash.
fn is_wanted(part: &str, name: &str, hidden: &BTreeSet<String>) -> bool {
    let Some((package, _hash)) = name.rsplit_once('-') else { return false };
    let library = package.strip_prefix("lib").filter(|_| part == "deps");
    let is_library = [".rlib", ".rmeta", ".so"].iter().any(|kind| name.ends_with(kind));
    match (part, library) {
        ("deps", Some(library)) => is_library && !hidden.contains(library),
        ("deps", None) => false,
        _ => !hidden.contains(&package.replace('-', "_")),
    }
}

/// Copies the wanted entries of a folder with their times, by which cargo sees what is fresh.
fn copy_folder(from: &Path, to: &Path, is_wanted: &dyn Fn(&str) -> bool) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, copy) = (entry.file_type()?, to.join(entry.file_name()));
        if !is_wanted(&entry.file_name().to_string_lossy()) {
            continue;
        }
        if kind.is_dir() {
            copy_folder(&entry.path(), &copy, &|_| true)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &copy)?;
            let times = FileTimes::new().set_modified(entry.metadata()?.modified()?);
            File::options().write(true).open(&copy)?.set_times(times)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_libraries_of_visible_packages_are_copied() {
        let root = tempfile::tempdir().expect("a folder");
        let (built, own) = (root.path().join("built"), root.path().join("own"));
        let files = [
            ("deps/libwb_comm-1.rlib", true),
            ("deps/libserde_derive-1.so", true),
            ("deps/libother_student-2.rmeta", false),
            ("deps/functional-3", false),
            ("deps/performance-4", false),
            (".fingerprint/wb-comm-1/lib-wb_comm", true),
            (".fingerprint/other-student-2/lib-other_student", false),
            ("build/mpi-sys-5/out/functions.rs", true),
            ("build/other-student-6/out/solution.rs", false),
            ("wb", false),
        ];
        for (file, _) in files {
            let path = built.join("debug").join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("ours");
            fs::write(path, "built").expect("ours");
        }
        let hidden = BTreeSet::from(["other_student".to_owned()]);
        copy(&built, &own, &hidden).expect("copied");
        for (file, is_copied) in files {
            let (from, to) = (built.join("debug").join(file), own.join("debug").join(file));
            assert_eq!(to.exists(), is_copied, "{file}");
            let time = |path: &Path| fs::metadata(path).and_then(|about| about.modified()).ok();
            assert!(!is_copied || time(&from) == time(&to), "{file}");
        }
        fs::write(own.join("mine"), "").expect("ours");
        copy(&built, &own, &hidden).expect("nothing to do");
        assert!(own.join("mine").exists());
    }
}
