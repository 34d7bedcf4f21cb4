//! Graded inputs from a folder outside of the repository: `DIR/<assignment's package>/*.json`.
//!
//! Each file is one [`PrivateInput`]: `{"name": "a long interval", "ranks": [1, 4], "input": {...}}`. The input is the text
//! that `serde_json` makes of the assignment's input. A mistake in a file is an error with file, line and problem; nothing is
//! skipped, because a graded input that is not used gives points for nothing.
use std::{
    collections::BTreeMap,
    error, fmt, fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, de::DeserializeOwned};
use wb_comm::{
    Text,
    text::{settings, yaml},
};

use crate::{Assignment, GradedInput};

/// The largest file that is read.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// A graded input of a private folder.
#[derive(Clone, Debug, PartialEq)]
pub struct PrivateInput<I> {
    /// The numbers of ranks at which it is graded, increasing; `None` for every number.
    pub ranks: Option<Vec<usize>>,
    /// The input and its name.
    pub graded: GradedInput<I>,
}

impl<I> PrivateInput<I> {
    /// Whether it is graded on `ranks` ranks.
    pub fn is_for(&self, ranks: usize) -> bool {
        self.ranks.as_ref().is_none_or(|its| its.contains(&ranks))
    }
}

/// Why the inputs of a private folder cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateInputError(Text);

impl PrivateInputError {
    /// The error as a text that is rendered where it is displayed.
    pub fn text(&self) -> &Text {
        &self.0
    }
}

impl fmt::Display for PrivateInputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl error::Error for PrivateInputError {}

/// The content of a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PrivateFile<I> {
    name: String,
    ranks: Option<Vec<usize>>,
    input: I,
}

/// Reads the inputs of an assignment in the private folder `private`, by the names of their files.
///
/// # Errors
/// When the assignment has no folder there, the folder has no `*.json`, or a file is not a graded input of numbers of ranks
/// at which the assignment is graded.
pub fn read<A: Assignment>(private: &Path) -> Result<Vec<PrivateInput<A::Input>>, PrivateInputError> {
    read_folder(&private.join(A::ID.package), A::GRADED_RANKS)
}

/// Reads the inputs in `folder` of an assignment that is graded at the numbers of ranks `graded`.
///
/// # Errors
/// As [`read`].
pub fn read_folder<I: DeserializeOwned>(
    folder: &Path,
    graded: &[usize],
) -> Result<Vec<PrivateInput<I>>, PrivateInputError> {
    let unreadable = |error: &io::Error| unreadable(folder, error);
    let entries = fs::read_dir(folder).map_err(|error| unreadable(&error))?;
    let paths: Result<Vec<PathBuf>, io::Error> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut files = paths.map_err(|error| unreadable(&error))?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    if files.is_empty() {
        return Err(PrivateInputError(settings::no_private_inputs(folder.display().to_string())));
    }
    let (mut inputs, mut names) = (vec![], BTreeMap::new());
    for file in &files {
        let input = read_file(file, graded, &names)?;
        names.insert(input.graded.name.clone(), file.as_path());
        inputs.push(input);
    }
    Ok(inputs)
}

/// `names` are those of the inputs that have been read, with their files: a verdict bears the name of its input only.
fn read_file<I: DeserializeOwned>(
    file: &Path,
    graded: &[usize],
    names: &BTreeMap<String, &Path>,
) -> Result<PrivateInput<I>, PrivateInputError> {
    let size = fs::metadata(file).map_err(|error| unreadable(file, &error))?.len();
    if size > FILE_BYTES_MAX {
        let shown = file.display().to_string();
        return Err(PrivateInputError(settings::too_large(shown, FILE_BYTES_MAX)));
    }
    let text = fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
    let PrivateFile { name, ranks, input } =
        serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| misprint(file, &error))?;
    let taken = || Some(("name", settings::name_taken(names.get(&name)?.display().to_string())));
    let of_ranks = ranks.as_deref().and_then(|ranks| mistake_in_ranks(ranks, graded));
    match of_ranks.map(|problem| ("ranks", problem)).or_else(taken) {
        Some((key, problem)) => Err(at_key(file, &text, (key, problem))),
        None => Ok(PrivateInput { ranks, graded: GradedInput { name, input } }),
    }
}

/// What is wrong with the numbers of ranks of a file: they increase, and the assignment is graded at each of them.
fn mistake_in_ranks(ranks: &[usize], graded: &[usize]) -> Option<Text> {
    if ranks.is_empty() {
        return Some(settings::no_ranks());
    }
    if let Some(pair) = ranks.windows(2).find(|pair| pair[1] <= pair[0]) {
        return Some(settings::ranks_fall(pair[1], pair[0]));
    }
    let other = *ranks.iter().find(|ranks| !graded.contains(ranks))?;
    let allowed: Vec<String> = graded.iter().map(ToString::to_string).collect();
    Some(settings::not_graded_ranks(other, allowed.join(", ")))
}

/// The system's reason, with the path.
fn unreadable(path: &Path, error: &io::Error) -> PrivateInputError {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => settings::missing(),
        io::ErrorKind::PermissionDenied => settings::not_permitted(),
        _ => Text::verbatim(error.to_string()),
    };
    PrivateInputError(settings::unreadable(path.display().to_string(), reason))
}

/// A mistake in the text, with its place.
fn misprint(file: &Path, error: &serde_json::Error) -> PrivateInputError {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let suffix = format!(" at line {line} column {column}");
    let message = message.strip_suffix(&suffix).unwrap_or(&message);
    let shown = |value: &str| value.escape_debug().to_string();
    let problem = yaml::recognise(message, &shown).unwrap_or_else(|| Text::verbatim(shown(message)));
    PrivateInputError(settings::place(file.display().to_string(), line, column, problem))
}

/// A mistake in the value of a key, at the line of the key.
fn at_key(file: &Path, text: &str, (key, problem): (&str, Text)) -> PrivateInputError {
    let at = text.find(&format!("\"{key}\"")).unwrap_or_default();
    let line = text[..at].matches('\n').count() + 1;
    let column = text[..at].chars().rev().take_while(|c| *c != '\n').count() + 1;
    let problem = settings::at(key, problem);
    PrivateInputError(settings::place(file.display().to_string(), line, column, problem))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).expect("written"));
        folder
    }

    fn error(text: &str) -> String {
        let folder = folder(&[("a.json", text)]);
        let error = read_folder::<Vec<i32>>(folder.path(), &[1, 2]).expect_err("a mistake").to_string();
        error.replace(&folder.path().display().to_string(), "DIR")
    }

    #[test]
    fn inputs_are_read_in_the_order_of_their_names() {
        let folder = folder(&[
            ("b.json", r#"{"name": "second", "ranks": [1, 4], "input": [1]}"#),
            ("a.json", "\u{feff}{\"name\": \"first\", \"input\": []}"),
            ("notes.txt", "not an input"),
        ]);
        let read = read_folder::<Vec<i32>>(folder.path(), &[1, 4]).expect("both are right");
        let first = PrivateInput { ranks: None, graded: GradedInput::new("first", vec![]) };
        let second = PrivateInput { ranks: Some(vec![1, 4]), graded: GradedInput::new("second", vec![1]) };
        assert_eq!([1, 2, 4].map(|ranks| second.is_for(ranks)), [true, false, true]);
        assert!(first.is_for(2));
        assert_eq!(read, [first, second]);
    }

    #[test]
    fn two_inputs_of_one_name_are_refused() {
        let input = "{\"input\": [],\n \"name\": \"same\"}";
        let folder = folder(&[("a.json", input), ("b.json", input)]);
        let error = read_folder::<Vec<i32>>(folder.path(), &[1]).expect_err("the second one").to_string();
        let shown = folder.path().display();
        assert_eq!(error, format!("{shown}/b.json:2:2: name: {shown}/a.json has this name, too"));
    }

    #[test]
    fn a_mistake_has_its_file_line_and_problem() {
        let cases = [
            (
                "{\"name\": \"a\",\n\"input\": [\"x\"]}",
                "DIR/a.json:2:13: invalid type: string \"x\", expected i32",
            ),
            ("{\"name\": \"a\", \"input\": [], \"rank\": 3}", "unknown field `rank`"),
            ("{\"input\": []}", "missing field `name`"),
            ("{\"name\": \"a\",\n \"ranks\": [], \"input\": []}", "DIR/a.json:2:2: ranks: the list is empty"),
            ("{\"name\": \"a\", \"ranks\": [2, 2], \"input\": []}", "2 after 2"),
            (
                "{\"name\": \"a\", \"ranks\": [0], \"input\": []}",
                "DIR/a.json:1:15: ranks: the assignment is not graded on 0 ranks, expected some of 1, 2",
            ),
            (
                "{\"name\": \"a\", \"ranks\": [2, 7], \"input\": []}",
                "ranks: the assignment is not graded on 7 ranks, expected some of 1, 2",
            ),
            ("", "DIR/a.json:1:0"),
        ];
        for (text, expected) in cases {
            assert!(error(text).contains(expected), "{}", error(text));
        }
    }

    #[test]
    fn a_file_that_is_too_large_is_not_read() {
        let folder = folder(&[("a.json", "")]);
        let file = fs::File::create(folder.path().join("a.json")).expect("a file");
        // The file has no content, so it takes no space on the disk.
        file.set_len(FILE_BYTES_MAX + 1).expect("a length");
        let error = read_folder::<i32>(folder.path(), &[1]).expect_err("it is too large").to_string();
        assert!(error.contains("a.json has more than 67108864 bytes"), "{error}");
    }

    #[test]
    fn a_folder_without_inputs_is_an_error() {
        let empty = folder(&[("a.txt", "")]);
        let error = read_folder::<i32>(empty.path(), &[1]).expect_err("there is nothing");
        assert!(error.to_string().contains("no *.json"), "{error}");
        let missing = read_folder::<i32>(&empty.path().join("x"), &[1]).expect_err("there is no folder");
        assert!(missing.to_string().contains("there is no such file"), "{missing}");
    }
}
