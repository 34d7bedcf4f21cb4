//! The target folder of a sandbox: links to the shared libraries, and copies of what cargo changes beside them.
use std::{
    collections::BTreeSet,
    fs::{self, File, FileTimes},
    io,
    os::unix::fs::symlink,
    path::Path,
};

use super::shared_libraries::{SharedLibraries, is_of_course, profile_folders};

/// Makes the folder `own` anew for this state of the libraries, which is at `inside` in the sandbox; nothing if it has it already.
pub(super) fn prepare(
    own: &Path,
    (built, of_course): (&Path, &BTreeSet<String>),
    (libraries, inside): (&SharedLibraries, &Path),
) -> io::Result<()> {
    let state = own.with_extension("libraries");
    if own.exists() && fs::read_to_string(&state).is_ok_and(|name| name == libraries.name()) {
        return Ok(());
    }
    let partial = own.with_extension("partial");
    for former in [own, &partial].into_iter().filter(|former| former.exists()) {
        fs::remove_dir_all(former)?;
    }
    fs::create_dir_all(&partial)?;
    for file in &libraries.files {
        let link = partial.join(file);
        link.parent().map_or(Ok(()), fs::create_dir_all)?;
        symlink(inside.join(file), link)?;
    }
    for profile in profile_folders() {
        for part in [".fingerprint", "build"].map(|part| profile.join(part)) {
            if built.join(&part).is_dir() {
                copy_missing(&built.join(&part), &partial.join(part), &|name| {
                    !is_of_course(name, of_course)
                })?;
            }
        }
    }
    fs::rename(partial, own)?;
    fs::write(state, libraries.name())
}

/// Copies the wanted entries of a folder that are not there yet, with their times, by which cargo sees what is fresh.
fn copy_missing(from: &Path, to: &Path, is_wanted: &dyn Fn(&str) -> bool) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, copy) = (entry.file_type()?, to.join(entry.file_name()));
        if !is_wanted(&entry.file_name().to_string_lossy()) || copy.is_symlink() {
            continue;
        }
        if kind.is_dir() {
            copy_missing(&entry.path(), &copy, &|_| true)?;
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
    fn a_target_folder_has_links_to_libraries_and_is_made_anew_for_another_state() {
        let root = tempfile::tempdir().expect("a folder");
        let [built, states, own] = ["built", "states", "own"].map(|name| root.path().join(name));
        let write = |file: &str| {
            let path = built.join("debug").join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("ours");
            fs::write(path, "built").expect("ours");
        };
        let (copied, hidden) = (
            [".fingerprint/wb-comm-1/lib-wb_comm", "build/mpi-sys-5/out/functions.rs"],
            [".fingerprint/other-student-2/lib-other_student", "build/other-student-6/out/solution.rs"],
        );
        let linked = ["deps/libwb_comm-1.rlib", "build/mpi-sys-5/build-script-build"];
        copied.iter().chain(&hidden).chain(&linked).for_each(|file| write(file));
        let of_course = BTreeSet::from(["other_student".to_owned()]);
        let make = || {
            let shared = SharedLibraries::find(&built, &states, &of_course).expect("made");
            prepare(&own, (&built, &of_course), (&shared, &shared.folder)).expect("made");
            shared.name()
        };
        let first = make();
        let at = |file: &str| own.join("debug").join(file);
        for file in copied.iter().chain(&linked) {
            assert_eq!(at(file).is_symlink(), linked.contains(file), "{file}");
            assert_eq!(fs::read_to_string(at(file)).expect("it is there"), "built", "{file}");
            let time = |path: &Path| fs::metadata(path).and_then(|about| about.modified()).expect("a time");
            assert_eq!(time(&at(file)), time(&built.join("debug").join(file)), "{file}");
        }
        assert!(hidden.iter().all(|file| !at(file).exists()));
        fs::write(own.join("mine"), "").expect("ours");
        assert!(make() == first && own.join("mine").exists(), "the state is the same");
        fs::remove_file(built.join("debug/deps/libwb_comm-1.rlib")).expect("ours");
        write("deps/libwb_comm-7.rlib");
        assert!(make() != first && !own.join("mine").exists() && at("deps/libwb_comm-7.rlib").exists());
    }
}
