//! The restriction of a task to the files of its assignment.
use std::path::Path;

use wb_comm::{InputFiles, input_files};
use wb_config::{AssignmentCrate, AssignmentFiles, TaskSettings};

/// Restricts the code of the package in `folder`, a task or the crate of an assignment, to the files of the assignment. A package
/// that is neither is not restricted, nor is a task without an assignment's crate: no judge grades it. Where the settings cannot be read
/// no file can be opened; who reads them next reports why.
pub fn restrict_files(folder: &Path) {
    let files = match assignment_files(folder) {
        Ok(Some(files)) => to_input_files(files),
        Ok(None) => return,
        Err(_) => InputFiles::default(),
    };
    input_files::restrict(files);
}

/// The files as the verbs of a task see them.
pub fn to_input_files(AssignmentFiles { folder, names }: AssignmentFiles) -> InputFiles {
    InputFiles::new(folder, names)
}

fn assignment_files(folder: &Path) -> wb_config::Result<Option<AssignmentFiles>> {
    let has = |file: &str| folder.join(file).is_file();
    match (has("task.yaml"), has("assignment.yaml")) {
        (true, _) => Ok(TaskSettings::load(folder)?.files),
        (false, true) => Ok(Some(AssignmentCrate::load(folder)?.files_in(folder))),
        (false, false) => Ok(None),
    }
}
