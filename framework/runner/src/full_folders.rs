//! Folders of hosts that are full: MPI libraries need them, and do not say so.
use std::{process::Command, thread, time::Duration};

use wb_config::HostFile;
use wb_process::output_of;

/// The time for the question.
const LIMIT: Duration = Duration::from_secs(5);

/// Writes 64 KiB into each folder and prints the name of one that does not take them.
const SCRIPT: &str = "for folder in \"${TMPDIR:-/tmp}\" /dev/shm; do
[ -d \"$folder\" ] || continue
file=\"$folder/.wb-space-$$\"
head -c 65536 /dev/zero 2> /dev/null > \"$file\" || echo \"$folder\"
rm -f \"$file\"
done 2> /dev/null";

/// The full folders among those that each host has for itself, as host and folder. All hosts are asked over `ssh` at a time; one that
/// does not answer has none.
pub(crate) fn full_folders(hosts: &HostFile) -> Vec<(String, String)> {
    let asked: Vec<_> = hosts
        .hosts
        .iter()
        .map(|host| {
            let mut command = Command::new("ssh");
            command.args(["-o", "BatchMode=yes", "-o", "ConnectTimeout=3", "--", &host.name, SCRIPT]);
            (host.name.clone(), thread::spawn(move || output_of(command, LIMIT).unwrap_or_default()))
        })
        .collect();
    let answers = asked.into_iter().map(|(name, asked)| (name, asked.join().unwrap_or_default()));
    let folders = |(name, answer): (String, String)| {
        answer.lines().map(|folder| (name.clone(), folder.to_owned())).collect::<Vec<_>>()
    };
    answers.flat_map(folders).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_takes_what_is_written_is_not_full() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT]).env("TMPDIR", folder.path());
        let output = output_of(command, LIMIT).expect("it ends");
        assert!(!output.contains(&folder.path().display().to_string()), "{output}");
        assert_eq!(folder.path().read_dir().expect("a folder").count(), 0, "its file is removed");
    }
}
