//! The tests that a job need not run, since they have their verdict: a file in the folder of the job.
use std::{collections::BTreeSet, fs, io, path::Path};

/// The file in that folder with the tests that have their verdict already.
const COMPLETED_FILE: &str = "judged";

/// The tests that have their verdict already, at a number of ranks or at all of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompletedTests(pub(crate) BTreeSet<(String, Option<usize>)>);

impl CompletedTests {
    /// The contents of the file that the parent of this job wrote into its folder.
    pub(crate) fn read(folder: &Path) -> io::Result<Self> {
        let line = |line: &str| {
            let (ranks, name) = line.split_once(' ')?;
            Some((name.to_owned(), ranks.parse().ok()))
        };
        Ok(Self(fs::read_to_string(folder.join(COMPLETED_FILE))?.lines().filter_map(line).collect()))
    }

    /// These tests, at every number of ranks.
    pub(crate) fn from_names(names: impl Iterator<Item = String>) -> Self {
        Self(names.map(|name| (name, None)).collect())
    }

    /// For a job that is started in `folder`.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        let line = |(name, ranks): &(String, Option<usize>)| match ranks {
            Some(ranks) => format!("{ranks} {name}\n"),
            None => format!("all {name}\n"),
        };
        fs::write(folder.join(COMPLETED_FILE), self.0.iter().map(line).collect::<String>())
    }

    /// Need the test not be run on `ranks` ranks?
    pub(crate) fn contains(&self, name: &str, ranks: usize) -> bool {
        [Some(ranks), None].into_iter().any(|ranks| self.0.contains(&(name.to_owned(), ranks)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_judged_is_told_to_the_next_job() {
        let folder = tempfile::tempdir().expect("a folder");
        let judged = CompletedTests([("a::b#2".to_owned(), Some(3)), ("c".to_owned(), None)].into());
        judged.write(folder.path()).expect("written");
        let read = CompletedTests::read(folder.path()).expect("read");
        assert!(read.contains("a::b#2", 3) && !read.contains("a::b#2", 4) && !read.contains("a::b", 3));
        assert!(read.contains("c", 1) && read.contains("c", 8));
    }
}
