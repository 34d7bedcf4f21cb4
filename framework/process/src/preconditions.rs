//! What a job of MPI ranks needs of this host: space in folders, a network interface, and limits of a process.
//!
//! A library that lacks one of them says something else, dies by a signal, or does not end. So a job is not started then.

use std::path::Path;

use wb_messages::{doctor as text, number::fixed};

use crate::output::language;

/// A need of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precondition {
    /// The resource, as a word for programs.
    pub id: &'static str,
    /// Whether there is enough.
    pub is_met: bool,
    /// The available amount; where it is too little, also the needed amount and the remedy.
    pub text: String,
}

/// Open MPI 4.1 makes two files of 4 MiB among the temporary ones at any number of ranks, and its launcher does not end without them;
/// in the shared memory two ranks of MPICH 4.0 need as much.
const FOLDER_BYTES: u64 = 9 << 20;

/// The largest of these files.
const FILE_BYTES: u64 = 5 << 20;

/// The folder of shared memory on Linux.
const SHARED_MEMORY: &str = "/dev/shm";

/// What a job of `ranks` ranks on this host needs, compared with what there is now; `temporary` is its folder for temporary files.
pub fn preconditions(temporary: &Path, ranks: usize, is_open_mpi: bool) -> Vec<Precondition> {
    use rustix::process::{Resource, getrlimit};
    let lang = language();
    let limit = |resource| getrlimit(resource).current.unwrap_or(u64::MAX);
    let (open, written, addresses) = (limit(Resource::Nofile), limit(Resource::Fsize), interface_addresses());
    let of_open_mpi = |needed| if is_open_mpi { needed } else { 0 };
    // A launcher has some 30 files of its own, and pipes to each rank. Where it gets none it may not end.
    let files = 32 + 4 * ranks as u64;
    let unless_unlimited = |limit, shown| if limit == u64::MAX { "∞".to_owned() } else { shown };
    let open_text = text::open_files(lang, unless_unlimited(open, open.to_string()));
    let written_text = text::file_size(lang, unless_unlimited(written, mebibytes(written)));
    let shared = Some(Path::new(SHARED_MEMORY)).filter(|folder| folder.is_dir());
    let shared = shared.map(|folder| folder_condition(folder, space(folder), FOLDER_BYTES));
    let others = [
        folder_condition(temporary, space(temporary), of_open_mpi(FOLDER_BYTES)),
        condition(
            ("interfaces", text::interfaces(lang, addresses), text::interface_missing(lang)),
            (addresses, of_open_mpi(1)),
        ),
        condition(("limits", open_text, text::open_files_missing(lang, files)), (open, files)),
        condition(
            ("limits", written_text, text::file_size_missing(lang, mebibytes(FILE_BYTES))),
            (written, FILE_BYTES),
        ),
    ];
    shared.into_iter().chain(others).collect()
}

/// What a job lacks and what to do; `None` where it lacks nothing.
pub fn missing_for_job(ranks: usize, is_open_mpi: bool) -> Option<String> {
    let all = preconditions(&std::env::temp_dir(), ranks, is_open_mpi);
    let texts: Vec<String> = all.into_iter().filter(|one| !one.is_met).map(|one| one.text).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

fn folder_condition(folder: &Path, (free, size): (u64, u64), needed: u64) -> Precondition {
    let lang = language();
    let is_shared = folder == Path::new(SHARED_MEMORY);
    let missing = if is_shared { text::shared_memory_missing } else { text::space_missing };
    let there = text::space(lang, folder.display(), mebibytes(free), mebibytes(size));
    condition(("space", there, missing(lang, mebibytes(needed))), (free, needed))
}

fn condition(
    (id, there, missing): (&'static str, String, String),
    (available, needed): (u64, u64),
) -> Precondition {
    let is_met = available >= needed;
    Precondition { id, is_met, text: if is_met { there } else { format!("{there}, {missing}") } }
}

fn mebibytes(bytes: u64) -> String {
    fixed(language(), bytes as f64 / f64::from(1 << 20), 1)
}

/// The free bytes of a folder's file system for this user, and its size: nothing where the folder does not exist or takes no more files.
fn space(folder: &Path) -> (u64, u64) {
    rustix::fs::statvfs(folder).map_or((0, 0), |about| free_and_size(&about))
}

fn free_and_size(about: &rustix::fs::StatVfs) -> (u64, u64) {
    let takes_files = about.f_files == 0 || about.f_favail > 0;
    (if takes_files { about.f_bavail * about.f_frsize } else { 0 }, about.f_blocks * about.f_frsize)
}

/// The number of local addresses, of interfaces that are up. Other systems than Linux are taken to have one.
fn interface_addresses() -> u64 {
    let table = |name| std::fs::read_to_string(format!("/proc/net/{name}")).ok();
    let Some(version_4) = table("fib_trie") else { return 1 };
    address_count(&version_4, &table("if_inet6").unwrap_or_default())
}

fn address_count(version_4: &str, version_6: &str) -> u64 {
    (version_4.matches("/32 host LOCAL").count() + version_6.lines().count()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_too_little_space_is_named_with_its_size_and_what_to_do() {
        for (folder, words) in [("/t", "TMPDIR"), (SHARED_MEMORY, "size=1g /dev/shm")] {
            let found = folder_condition(Path::new(folder), (8 << 20, 64 << 20), 9 << 20);
            let known = [&format!("{folder} has 8.0 MiB free of 64.0 MiB"), "needs 9.0 MiB", words];
            assert!(!found.is_met && known.iter().all(|words| found.text.contains(words)), "{found:?}");
            let enough = folder_condition(Path::new(folder), (9 << 20, 64 << 20), 9 << 20);
            assert!(enough.is_met && !enough.text.contains("needs"), "{enough:?}");
        }
    }

    #[test]
    fn this_host_can_run_two_ranks_and_a_folder_that_does_not_exist_has_no_space() {
        assert_eq!(missing_for_job(2, true), None);
        let missing =
            |library| preconditions(Path::new("/-"), 2, library).iter().filter(|one| !one.is_met).count();
        assert_eq!([missing(true), missing(false)], [1, 0], "only Open MPI needs the folder");
        assert!(missing_for_job(usize::MAX / 8, false).is_some_and(|text| text.contains("ulimit -n")));
        assert_eq!(space(Path::new("/no/such/folder")), (0, 0));
        let about = rustix::fs::statvfs("/").expect("it is there");
        let about = rustix::fs::StatVfs { f_frsize: 2, f_blocks: 9, f_bfree: 5, f_bavail: 3, ..about };
        let free = |f_files, f_favail| free_and_size(&rustix::fs::StatVfs { f_files, f_favail, ..about });
        assert_eq!([free(7, 1), free(0, 0), free(7, 0)], [(6, 18), (6, 18), (0, 18)]);
        assert_eq!(address_count("/32 host LOCAL\n/24\n/32 host LOCAL", "::1\nfe80::1"), 4);
    }
}
