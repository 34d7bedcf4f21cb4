//! Graded inputs from outside the repository: one JSON file for each input.
//!
//! ```json
//! { "name": "a long row", "ranks": [2, 3], "input": [1, 2, 3] }
//! ```
//! Without `ranks` the input is for every number of ranks.
use std::{fs, path::Path};

use serde::Deserialize;
use wb_messages::{Lang, judge as text};
use wb_task::{Assignment, GradedInput};

/// The content of a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PrivateInput<I> {
    name: String,
    #[serde(default)]
    ranks: Option<Vec<usize>>,
    input: I,
}

/// The graded inputs for `ranks` ranks in the files `*.json` of `folder`, by the names of the files.
///
/// # Errors
/// For the user: there is no such folder, or a file in it is not a graded input of the assignment, with its line.
pub fn private_inputs<A: Assignment>(
    folder: &Path,
    ranks: usize,
) -> Result<Vec<GradedInput<A::Input>>, String> {
    let lang = Lang::from_environment();
    let entries = fs::read_dir(folder).map_err(|_| text::no_private_folder(lang, folder.display()))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let mut inputs = vec![];
    for file in files {
        let content =
            fs::read(&file).map_err(|error| text::unreadable_private_file(lang, file.display(), error))?;
        let PrivateInput { name, ranks: of, input } =
            serde_json::from_slice::<PrivateInput<A::Input>>(&content).map_err(|error| {
                let reason = error.to_string();
                // The place is in front of the reason here.
                let reason = reason.split(" at line ").next().unwrap_or_default().to_owned();
                text::bad_private_file(lang, file.display(), error.line(), error.column(), reason)
            })?;
        if of.is_none_or(|of| of.contains(&ranks)) {
            inputs.push(GradedInput { name, input });
        }
    }
    Ok(inputs)
}
