//! The libraries that are built already: one copy for the sandboxes of all tasks, so that no sandbox builds the framework again.
//!
//! Every *state* of the libraries has a folder of its own, which is named by the names, sizes and times of its files. So a sandbox
//! never sees libraries of two states, and a change of the framework makes a new one. Files are hard links where the file system
//! has them: they take no space while the originals exist. Inside, the folder is read-only. A state that has not been used for
//! longer than any command takes is removed.
//!
//! The libraries of the course's packages and all programs stay outside: they are the work of other students.
use std::{
    collections::BTreeSet,
    fs::{self, File, FileTimes},
    hash::{DefaultHasher, Hash, Hasher},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use crate::system_probe::Flavour;

/// The profiles of tests and of benchmarks.
const PROFILES: [&str; 2] = ["debug", "release"];

/// The folders of all profiles in a target folder: a library of MPI that is not the default has a target folder of its own.
pub(super) fn profile_folders() -> impl Iterator<Item = PathBuf> {
    let roots = [""].into_iter().chain(Flavour::ALL.map(Flavour::id));
    roots.flat_map(|root| PROFILES.map(|profile| Path::new(root).join(profile)))
}

/// Whether an entry of a build belongs to a package of the course: it is named by the package and a hash.
pub(super) fn is_of_course(entry: &str, of_course: &BTreeSet<String>) -> bool {
    entry.rsplit_once('-').is_none_or(|(package, _hash)| of_course.contains(&package.replace('-', "_")))
}

/// Longer than a judge and the builds before it may take.
const LONGEST_USE: Duration = Duration::from_secs(6 * 3600);

/// One state of the libraries.
pub(super) struct SharedLibraries {
    /// The folder of the libraries; its name identifies their state.
    pub(super) folder: PathBuf,
    pub(super) files: Vec<PathBuf>,
}

/// A built file, relative to the folder of all builds.
#[derive(Hash, PartialEq, Eq, PartialOrd, Ord)]
struct BuiltFile {
    path: PathBuf,
    length: u64,
    modified: SystemTime,
}

impl SharedLibraries {
    /// The state of the libraries in the folder of all builds, without those `of_course`; it is made in `states` if it is new.
    pub(super) fn find(built: &Path, states: &Path, of_course: &BTreeSet<String>) -> io::Result<Self> {
        let found = built_files(built, of_course)?;
        let mut hasher = DefaultHasher::new();
        found.hash(&mut hasher);
        let folder = states.join(format!("{:016x}", hasher.finish()));
        let files: Vec<PathBuf> = found.into_iter().map(|file| file.path).collect();
        fs::create_dir_all(states)?;
        if !folder.exists() {
            let partial = tempfile::Builder::new().prefix("partial-").tempdir_in(states)?;
            files.iter().try_for_each(|file| link(&built.join(file), &partial.path().join(file)))?;
            open_to_all(partial.path())?;
            match fs::rename(partial.path(), &folder) {
                // Another command has made the same one.
                Err(_) if folder.exists() => {}
                renamed => renamed?,
            }
        }
        File::open(&folder)?.set_times(FileTimes::new().set_modified(SystemTime::now()))?;
        remove_unused(states)?;
        Ok(Self { folder, files })
    }

    /// The name of the state.
    pub(super) fn name(&self) -> String {
        self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// The libraries and build scripts that sandboxes may see.
fn built_files(built: &Path, of_course: &BTreeSet<String>) -> io::Result<Vec<BuiltFile>> {
    let mut found = vec![];
    for profile in profile_folders() {
        for name in names(&built.join(&profile).join("deps"))? {
            if is_shared_library(&name, of_course) {
                found.push(profile.join("deps").join(name));
            }
        }
        for package in names(&built.join(&profile).join("build"))? {
            let folder = profile.join("build").join(&package);
            let scripts = match is_of_course(&package, of_course) {
                true => vec![],
                false => names(&built.join(&folder))?,
            };
            let is_script = |name: &String| {
                ["build-script-", "build_script_"].iter().any(|prefix| name.starts_with(prefix))
                    && !name.ends_with(".d")
            };
            found.extend(scripts.into_iter().filter(is_script).map(|name| folder.join(name)));
        }
    }
    let mut files = vec![];
    for path in found {
        let about = fs::symlink_metadata(built.join(&path))?;
        if about.is_file() {
            files.push(BuiltFile { path, length: about.len(), modified: about.modified()? });
        }
    }
    files.sort();
    Ok(files)
}

/// Whether it is a library, and of no package of the course. The name ends with a hash.
fn is_shared_library(name: &str, of_course: &BTreeSet<String>) -> bool {
    let is_library = [".rlib", ".rmeta", ".so"].iter().any(|kind| name.ends_with(kind));
    is_library && name.strip_prefix("lib").is_some_and(|library| !is_of_course(library, of_course))
}

/// The names in a folder; none where it does not exist.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    match fs::read_dir(folder) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(vec![])
        }
        entries => entries?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect(),
    }
}

/// Makes a hard link, or a copy with the same time, by which cargo sees what is fresh. The user of the sandbox must be able to read it.
fn link(from: &Path, to: &Path) -> io::Result<()> {
    to.parent().map_or(Ok(()), fs::create_dir_all)?;
    let about = fs::metadata(from)?;
    if about.permissions().mode() & 0o004 != 0 && fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    fs::copy(from, to)?;
    File::options().write(true).open(to)?.set_times(FileTimes::new().set_modified(about.modified()?))?;
    fs::set_permissions(to, fs::Permissions::from_mode(about.permissions().mode() | 0o444))
}

/// Lets every user enter a folder and those in it.
fn open_to_all(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            open_to_all(&entry.path())?;
        }
    }
    Ok(())
}

/// Removes the states that no command can use any more, and what a command that was ended has left.
fn remove_unused(states: &Path) -> io::Result<()> {
    for name in names(states)? {
        let folder = states.join(name);
        let Ok(used) = fs::metadata(&folder).and_then(|about| about.modified()) else { continue };
        if used.elapsed().is_ok_and(|unused| unused > LONGEST_USE) {
            // Another command may remove it, too.
            let _removed = fs::remove_dir_all(folder);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    fn write(file: &Path, text: &str) {
        fs::create_dir_all(file.parent().expect("a folder")).expect("ours");
        fs::remove_file(file).ok();
        fs::write(file, text).expect("ours");
    }

    #[test]
    fn libraries_that_do_not_belong_to_the_course_are_linked() {
        let root = tempfile::tempdir().expect("a folder");
        let (built, states) = (root.path().join("built"), root.path().join("states"));
        let files = [
            ("debug/deps/libwb_comm-1.rlib", true),
            ("release/deps/libserde_derive-1.so", true),
            ("mpich/debug/deps/libwb_comm-1.rmeta", true),
            ("debug/build/mpi-sys-5/build-script-build", true),
            ("debug/build/mpi-sys-5/out/functions.rs", false),
            ("debug/build/other-student-6/build-script-build", false),
            ("debug/deps/libother_student-2.rmeta", false),
            ("debug/deps/functional-3", false),
            ("debug/deps/performance-4", false),
            ("debug/wb", false),
        ];
        files.iter().for_each(|(file, _)| write(&built.join(file), "built"));
        let of_course = BTreeSet::from(["other_student".to_owned()]);
        let shared = SharedLibraries::find(&built, &states, &of_course).expect("made");
        for (file, is_shared) in files {
            assert_eq!(shared.folder.join(file).exists(), is_shared, "{file}");
            assert_eq!(shared.files.contains(&file.into()), is_shared, "{file}");
            let number = |folder: &Path| fs::metadata(folder.join(file)).map(|about| about.ino()).ok();
            assert!(!is_shared || number(&built) == number(&shared.folder), "{file} takes no space");
        }
    }

    #[test]
    fn a_changed_library_makes_a_new_state_and_an_unused_one_is_removed() {
        let root = tempfile::tempdir().expect("a folder");
        let (built, states) = (root.path().join("built"), root.path().join("states"));
        let library = built.join("debug/deps/libwb_comm-1.rlib");
        let find = || SharedLibraries::find(&built, &states, &BTreeSet::new()).expect("made").folder;
        write(&library, "one");
        let first = find();
        assert_eq!(find(), first, "nothing has changed");
        write(&library, "another");
        let second = find();
        assert_ne!(first, second);
        let read = |folder: &Path| fs::read_to_string(folder.join("debug/deps/libwb_comm-1.rlib")).ok();
        assert_eq!([&first, &second].map(|state| read(state)), [Some("one".into()), Some("another".into())]);
        let long_ago = SystemTime::now() - LONGEST_USE - Duration::from_secs(60);
        let unused = FileTimes::new().set_modified(long_ago);
        File::open(&first).and_then(|folder| folder.set_times(unused)).expect("ours");
        assert_eq!(find(), second);
        assert!(!first.exists() && second.exists());
    }
}
