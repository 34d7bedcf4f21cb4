//! A part of a run that several jobs measure, and the files of its records.

use std::path::Path;

use wb_record::LaunchPart;

/// The folder of all parts, in our folder of cargo's target folder.
const FOLDER: &str = "parts";

/// Some launches of a run, and the name of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunPart {
    pub(crate) launches: LaunchPart,
    pub(crate) run: String,
}

impl RunPart {
    pub(crate) fn folder_of_runs(task: &str) -> String {
        format!("{FOLDER}/{task}")
    }

    /// The folder of the run: one of our own.
    pub(crate) fn folder(&self, task: &str) -> String {
        format!("{}/{}", Self::folder_of_runs(task), self.run)
    }

    /// The name of its file with the ending of the kind of its records.
    pub(crate) fn file(&self, ending: &str) -> String {
        format!("{}-of-{}.{ending}", self.launches.index(), self.launches.of())
    }

    /// The part to which a file belongs, if its records have this kind's ending.
    pub(crate) fn of_file(path: &Path, ending: &str) -> Option<LaunchPart> {
        let stem = path.file_name()?.to_str()?.strip_suffix(ending)?.strip_suffix('.')?;
        let (index, of) = stem.split_once("-of-")?;
        LaunchPart::new(index.parse().ok()?, of.parse().ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_found_by_the_name_of_its_file() {
        let launches = LaunchPart::new(2, 5).expect("a part");
        let part = RunPart { launches, run: "7".into() };
        assert_eq!(part.folder("t"), "parts/t/7");
        let file = Path::new("x").join(part.file("jsonl"));
        assert_eq!(RunPart::of_file(&file, "jsonl"), Some(launches));
        for other in ["2-of-5.verdicts.jsonl", "2-of-5.lock", "5-of-5.jsonl", "jsonl"] {
            assert_eq!(RunPart::of_file(Path::new(other), "jsonl"), None, "{other}");
        }
    }
}
