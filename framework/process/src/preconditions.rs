//! What a job of MPI ranks needs of this host: space in folders, a network interface, and limits of a process.
//!
//! A library that lacks one of them says something else, dies by a signal, or does not end. So a job is not started then.

use std::path::{Path, PathBuf};

use wb_messages::{Lang, doctor as text, number::fixed};

/// A resource of this host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostResource {
    /// Free bytes of a folder, whose file system has this size.
    Space(PathBuf, u64),
    /// Addresses of network interfaces that are up.
    Interfaces,
    /// Files that a process may have open.
    OpenFiles,
    /// The bytes of the largest file that a process may write.
    FileSize,
}

/// A resource, how much of it there is (the largest number: no limit), and how much a job needs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the line above")]
pub struct Precondition {
    pub resource: HostResource,
    pub available: u64,
    pub needed: u64,
}

/// Open MPI 4.1 makes two files of 4 MiB among the temporary ones at any number of ranks, and its launcher does not end without them;
/// in the shared memory two ranks of MPICH 4.0 need as much.
const FOLDER_BYTES: u64 = 9 << 20;

/// The largest of these files.
const FILE_BYTES: u64 = 5 << 20;

/// The folder of shared memory on Linux.
const SHARED_MEMORY: &str = "/dev/shm";

/// What a job of `ranks` ranks on this host needs and what there is, measured now.
pub fn preconditions(ranks: usize, is_open_mpi: bool) -> Vec<Precondition> {
    use rustix::process::{Resource, getrlimit};
    let limit = |resource| getrlimit(resource).current.unwrap_or(u64::MAX);
    let of_open_mpi = |needed| if is_open_mpi { needed } else { 0 };
    let folder = |path: &Path, needed| {
        let (available, size) = space(path);
        (HostResource::Space(path.to_owned(), size), available, needed)
    };
    let shared = Some(Path::new(SHARED_MEMORY)).filter(|folder| folder.is_dir());
    let folders = shared.map(|shared| folder(shared, FOLDER_BYTES)).into_iter();
    let others = [
        folder(&std::env::temp_dir(), of_open_mpi(FOLDER_BYTES)),
        (HostResource::Interfaces, interface_addresses(), of_open_mpi(1)),
        // A launcher has some 30 files of its own, and pipes to each rank. Where it gets none it may not end.
        (HostResource::OpenFiles, limit(Resource::Nofile), 32 + 4 * ranks as u64),
        (HostResource::FileSize, limit(Resource::Fsize), FILE_BYTES),
    ];
    let of = |(resource, available, needed)| Precondition { resource, available, needed };
    folders.chain(others).map(of).collect()
}

/// What is missing for a job and what to do; `None` where nothing is.
pub fn describe_missing(preconditions: &[Precondition], lang: Lang) -> Option<String> {
    let missing = preconditions.iter().filter(|condition| !condition.is_met());
    let sentences: Vec<String> = missing.map(|condition| condition.describe(lang)).collect();
    (!sentences.is_empty()).then(|| sentences.join("; "))
}

impl Precondition {
    /// Whether there is as much as is needed.
    pub fn is_met(&self) -> bool {
        self.available >= self.needed
    }

    /// What there is; where it is too little, also what is needed and what to do.
    pub fn describe(&self, lang: Lang) -> String {
        let mebibytes = |bytes: u64| fixed(lang, bytes as f64 / f64::from(1 << 20), 1);
        let limit = |shown: String| if self.available == u64::MAX { "∞".to_owned() } else { shown };
        let (available, needed) = (self.available, self.needed);
        let (there, lack) = match &self.resource {
            HostResource::Space(folder, size) => {
                let is_shared = folder == Path::new(SHARED_MEMORY);
                let lack = if is_shared { text::shared_memory_missing } else { text::space_missing };
                let there = text::space(lang, folder.display(), mebibytes(available), mebibytes(*size));
                (there, lack(lang, mebibytes(needed)))
            }
            HostResource::Interfaces => (text::interfaces(lang, available), text::interface_missing(lang)),
            HostResource::OpenFiles => {
                (text::open_files(lang, limit(available.to_string())), text::open_files_missing(lang, needed))
            }
            HostResource::FileSize => {
                let lack = text::file_size_missing(lang, mebibytes(needed));
                (text::file_size(lang, limit(mebibytes(available))), lack)
            }
        };
        if self.is_met() { there } else { format!("{there}, {lack}") }
    }
}

/// The free bytes of a folder's file system for this user, and its size: nothing where the folder does not exist or takes no more files.
fn space(folder: &Path) -> (u64, u64) {
    let Ok(about) = rustix::fs::statvfs(folder) else { return (0, 0) };
    let takes_files = about.f_files == 0 || about.f_favail > 0;
    (if takes_files { about.f_bavail * about.f_frsize } else { 0 }, about.f_blocks * about.f_frsize)
}

/// The number of local addresses, of interfaces that are up. Other systems than Linux are taken to have one.
fn interface_addresses() -> u64 {
    let addresses =
        ["fib_trie", "if_inet6"].map(|table| std::fs::read_to_string(format!("/proc/net/{table}")).ok());
    let [Some(version_4), version_6] = addresses else { return 1 };
    let version_6 = version_6.map_or(0, |table| table.lines().count());
    (version_4.matches("/32 host LOCAL").count() + version_6) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_what_there_is_what_is_needed_and_what_to_do() {
        let space = |folder: &str| HostResource::Space(folder.into(), 64 << 20);
        for (resource, needed, words) in [
            (space("/t"), 9 << 20, &["/t has 8.0 MiB free of 64.0", "needs 9.0 MiB", "TMPDIR"][..]),
            (space(SHARED_MEMORY), 9 << 20, &["8.0 MiB free", "remount,size=1g /dev/shm"]),
            (HostResource::Interfaces, 8 << 21, &["ip link set lo up"]),
            (HostResource::OpenFiles, 9 << 20, &["8388608", "9437184", "ulimit -n"]),
            (HostResource::FileSize, 9 << 20, &["files of 8.0 MiB", "9.0 MiB", "ulimit -f"]),
        ] {
            let condition = |available| Precondition { resource: resource.clone(), available, needed };
            let said = describe_missing(&[condition(8 << 20)], Lang::En).expect("it is missing");
            words.iter().for_each(|word| assert!(said.contains(word), "{word}: {said}"));
            assert_eq!(describe_missing(&[condition(needed)], Lang::En), None);
        }
    }

    #[test]
    fn this_host_is_measured_and_more_ranks_need_more_and_mpich_less() {
        let found = preconditions(2, true);
        assert!(found.iter().all(|one| one.available > 0 && one.needed > 0), "{found:?}");
        let needs = |ranks, is_open_mpi| preconditions(ranks, is_open_mpi).into_iter().map(|one| one.needed);
        let sums = [needs(2, false).sum::<u64>(), needs(2, true).sum(), needs(8, true).sum()];
        assert!(sums.is_sorted() && sums[0] < sums[1] && sums[1] < sums[2], "{sums:?}");
        assert_eq!(space(Path::new("/no/such/folder")), (0, 0));
    }
}
