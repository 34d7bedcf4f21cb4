//! What a set of hosts could leave: processes in its namespaces, and names on this machine.
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use wb_tests::hosts::Namespaces;

/// Folders in which a set could leave a file, each with what to look for: any new name, or those of a set.
const FOLDERS: [(&str, Option<&str>); 8] = [
    ("/etc", None),
    ("/etc/ssh", None),
    ("/etc/slurm", None),
    ("/root", None),
    ("/run", Some("test-hosts")),
    ("/run", Some("netns")),
    ("/tmp", Some("test-hosts")),
    ("/dev/shm", Some("test-hosts")),
];

/// Files that hosts replace by their own.
const FILES: [&str; 3] = ["/etc/hosts", "/etc/ssh/ssh_config", "/proc/sys/kernel/hostname"];

/// The names on this machine that a set could change.
#[derive(Debug, PartialEq)]
pub(crate) struct MachineNames {
    mounts: Vec<String>,
    devices: BTreeSet<String>,
    entries: BTreeMap<String, BTreeSet<String>>,
    texts: Vec<String>,
}

impl MachineNames {
    pub(crate) fn now() -> Self {
        let text = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let entries = FOLDERS.iter().map(|(folder, mark)| {
            let key = format!("{folder} {}", mark.unwrap_or("*"));
            (key, names_in(Path::new(folder), *mark))
        });
        Self {
            mounts: text("/proc/self/mountinfo").lines().map(str::to_owned).collect(),
            devices: names_in(Path::new("/sys/class/net"), None),
            entries: entries.collect(),
            texts: FILES.map(text).to_vec(),
        }
    }

    /// What differs from an earlier state.
    pub(crate) fn changes_since(&self, earlier: &Self) -> Vec<String> {
        let mut found = vec![];
        if self.mounts != earlier.mounts {
            found.push("mounts".to_owned());
        }
        if self.devices != earlier.devices {
            found.push("network devices".to_owned());
        }
        let changed = self.entries.iter().filter(|(folder, names)| earlier.entries[*folder] != **names);
        found.extend(changed.map(|(folder, _)| folder.clone()));
        let files = FILES.iter().zip(self.texts.iter().zip(&earlier.texts));
        found.extend(files.filter(|(_, (now, before))| now != before).map(|(file, _)| (*file).to_owned()));
        found
    }
}

fn names_in(folder: &Path, mark: Option<&str>) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| mark.is_none_or(|mark| name.contains(mark))).collect()
}

/// All that is left of a set with these namespaces, since this state of the machine.
pub(crate) fn leftovers(namespaces: &Namespaces, before: &MachineNames) -> Vec<String> {
    let mut found = MachineNames::now().changes_since(before);
    found.extend(namespaces.processes().iter().map(|process| format!("{process:?}")));
    found
}
