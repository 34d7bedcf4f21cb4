//! A filter that selects no test is an error.
//!
//! libtest prints `0 passed; 5 filtered out` and ends with 0: a typo in a filter looks like success. Before `main`, the
//! binary asks itself with `--list` what its filter selects. `cargo test` gives one filter to all test programs of a package, and stops at
//! the first that fails; so a filter that selects nothing here is accepted if it selects a test of another program of the package.

use std::{
    ffi::OsString,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
    time::SystemTime,
};

use wb_messages::{Lang, program as text};

use crate::rank_output::target_name;

/// The exit code of a test binary whose filter selects no test.
pub const EMPTY_FILTER_EXIT_CODE: i32 = 4;

/// The arguments of a libtest binary that decide which tests run.
#[derive(Debug, Default, PartialEq, Eq)]
struct Selection {
    /// Positional filters.
    filters: Vec<String>,
    /// `--skip` and the flags, as they are passed on.
    options: Vec<String>,
    /// Whether anything narrows the selection down by name.
    has_name_filter: bool,
    /// Whether the arguments ask for a list or for help rather than for a run.
    is_listing: bool,
}

/// The arguments by which this test binary's run was narrowed down, for another run of the same tests.
pub fn test_selection() -> Vec<String> {
    let Selection { filters, mut options, .. } = Selection::parse(std::env::args_os().skip(1));
    options.push("--".to_owned());
    options.extend(filters);
    options
}

/// Ends this process with [`EMPTY_FILTER_EXIT_CODE`] and a message when its arguments select tests by name and select none.
pub(crate) fn refuse_empty() {
    let selection = Selection::parse(std::env::args_os().skip(1));
    // If the binary cannot be asked, the run itself will show.
    let Ok(binary) = std::env::current_exe() else { return };
    if !selection.has_name_filter || selection.is_listing || selection.has_selected_test(&binary, true) {
        return;
    }
    let (wanted, lang) = (selection.selecting_arguments().join(" "), Lang::from_environment());
    let other =
        other_programs(&binary).into_iter().find(|(_, path)| selection.has_selected_test(path, false));
    let line = match &other {
        Some((name, _)) => text::filter_selects_elsewhere(lang, wanted, name),
        None => text::filter_selects_nothing(lang, wanted),
    };
    let _nowhere_to_say = writeln!(crate::rank_output::real_stderr(), "{line}");
    if other.is_none() {
        std::process::exit(EMPTY_FILTER_EXIT_CODE);
    }
}

/// The other test programs of the package that cargo runs `binary` for, by name: what was built last of its library and of each file in
/// its folder `tests`. None in a package that is neither a task nor an assignment: there not every program has libtest's command line.
fn other_programs(binary: &Path) -> Vec<(String, PathBuf)> {
    let (Some(folder), Some(built)) = (std::env::var_os("CARGO_MANIFEST_DIR"), binary.parent()) else {
        return vec![];
    };
    let folder = Path::new(&folder);
    if !["task.yaml", "assignment.yaml"].iter().any(|settings| folder.join(settings).is_file()) {
        return vec![];
    }
    let files = fs::read_dir(folder.join("tests")).into_iter().flatten().flatten();
    let rust_file = |path: PathBuf| {
        let is_program =
            path.extension().is_some_and(|extension| extension == "rs") || path.join("main.rs").is_file();
        is_program.then(|| path.file_stem()?.to_str().map(str::to_owned)).flatten()
    };
    let library = std::env::var("CARGO_PKG_NAME").ok().map(|package| package.replace('-', "_"));
    let mut names: Vec<String> = files.filter_map(|file| rust_file(file.path())).chain(library).collect();
    names.sort();
    names.retain(|name| target_name(binary) != Some(name));
    names.into_iter().filter_map(|name| Some((name.clone(), last_built(built, &name)?))).collect()
}

/// The program of this name that cargo has built last in the folder.
fn last_built(folder: &Path, name: &str) -> Option<PathBuf> {
    let files = fs::read_dir(folder).ok()?.flatten().map(|file| file.path());
    let programs = files.filter(|path| path.extension().is_none() && target_name(path) == Some(name));
    let built_at =
        |path: &PathBuf| path.metadata().and_then(|file| file.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    programs.max_by_key(built_at)
}

impl Selection {
    /// Reads a libtest command line. An argument that libtest does not know is left to libtest to refuse.
    fn parse(arguments: impl Iterator<Item = OsString>) -> Self {
        let mut selection = Self::default();
        let mut arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--skip" => {
                    selection.has_name_filter = true;
                    selection.options.push(argument);
                    selection.options.extend(arguments.next());
                }
                "--exact" | "--ignored" | "--include-ignored" | "--exclude-should-panic" => {
                    selection.options.push(argument);
                }
                "--list" | "--help" | "-h" => selection.is_listing = true,
                "--test-threads" | "--logfile" | "--color" | "--format" | "--shuffle-seed" | "-Z" => {
                    arguments.next();
                }
                "--" => selection.filters.extend(arguments.by_ref()),
                other if other.starts_with("--skip=") => {
                    selection.has_name_filter = true;
                    selection.options.push(argument);
                }
                other if other.starts_with('-') => {}
                _ => selection.filters.push(argument),
            }
        }
        selection.has_name_filter |= !selection.filters.is_empty();
        selection
    }

    /// What selects, as the user may write it.
    fn selecting_arguments(&self) -> Vec<&str> {
        self.options.iter().chain(&self.filters).map(String::as_str).collect()
    }

    /// Whether the test program `binary` has a test that is selected: in its terse form libtest's list is empty exactly when none is.
    /// `unknown` if it cannot be asked.
    fn has_selected_test(&self, binary: &Path, unknown: bool) -> bool {
        let mut list = Command::new(binary);
        // A rank above 0 would list into the file of its output.
        crate::remove_launcher_variables(&mut list);
        list.args(["--list", "--format", "terse"]);
        list.args(&self.options).arg("--").args(&self.filters);
        match list.output() {
            Ok(listed) if listed.status.success() => !listed.stdout.is_empty(),
            _ => unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(line: &str) -> Selection {
        Selection::parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn no_argument_selects_everything() {
        assert!(!selection("").has_name_filter);
        assert!(!selection("--nocapture --test-threads 1 --format pretty --ignored").has_name_filter);
    }

    #[test]
    fn filters_and_skips_select_by_name() {
        assert_eq!(selection("--test-threads 1 one two").filters, ["one", "two"]);
        assert!(selection("--skip slow").has_name_filter);
        assert_eq!(
            selection("a --skip slow --exact").selecting_arguments(),
            ["--skip", "slow", "--exact", "a"]
        );
    }

    #[test]
    fn a_list_runs_nothing() {
        assert!(selection("--list nothing").is_listing);
    }
}
