//! Every command of a `console` block of the documents is run here, or a row says why not and which test covers it.
//!
//! Of a command that is not run, the arguments are still read by the command line, so a renamed option is found. Both
//! languages have the same commands: `framework/book/tests/documents.rs`.
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A comment on the line before a block that is not run: `<!-- not run: it needs a cluster -->`.
const MARK: &str = "<!-- not run: ";

/// Where a command runs.
enum Place {
    /// In this workspace: it only reads.
    Workspace,
    /// In an empty folder: it writes a file, or needs none.
    Scratch,
    /// Nowhere: the reason, and the file or folder of tests that covers it.
    Nowhere(&'static str, &'static str),
}

/// The commands by their beginning; the first row that fits counts.
const ROWS: &[(&str, Place)] = &[
    ("cargo wb barriers list", Place::Scratch),
    ("cargo wb barriers plan", Place::Scratch),
    ("cargo wb barriers prove all_to_all", Place::Scratch),
    (
        "cargo wb barriers prove --max-ranks 257",
        Place::Nowhere(
            "it takes minutes without optimisation",
            "framework/algorithms/tests/barriers/proofs.rs",
        ),
    ),
    (
        "cargo wb barriers simulate dissemination --ranks 1048576",
        Place::Nowhere("it takes gigabytes of memory", "framework/local/tests/sim/max_plus.rs"),
    ),
    ("cargo wb barriers simulate", Place::Workspace),
    ("cargo wb barriers bench", Place::Nowhere("it measures for minutes", "framework/laboratory/tests")),
    ("cargo wb broadcasts list", Place::Scratch),
    ("cargo wb broadcasts prove", Place::Scratch),
    ("cargo wb broadcasts simulate", Place::Workspace),
    ("cargo wb collectives bench", Place::Nowhere("it measures for minutes", "framework/laboratory/tests")),
    ("cargo wb collectives simulate", Place::Workspace),
    ("cargo wb collectives", Place::Scratch),
    ("cargo wb machines", Place::Workspace),
    ("cargo wb list", Place::Workspace),
    ("cargo wb course check", Place::Workspace),
    (
        "cargo wb course assign",
        Place::Nowhere("it writes into the workspace", "framework/cli/tests/enrolment.rs"),
    ),
    (
        "cargo wb book",
        Place::Nowhere("it builds the package of the book", "framework/book/tests/documents.rs"),
    ),
    (
        "cargo wb rules",
        Place::Nowhere("it needs the reader's task", "framework/course/tests/source/rules.rs"),
    ),
    (
        "cargo wb similar",
        Place::Nowhere("it needs the tasks of students", "framework/course/tests/source/similarity.rs"),
    ),
    (
        "cargo wb calibrate",
        Place::Nowhere("it measures this host with MPI", "framework/local/src/sim/fit.rs"),
    ),
    ("cargo wb course", Place::Nowhere("it needs students and grades", "framework/cli/tests/course.rs")),
    (
        "cd ../demo",
        Place::Nowhere("it changes the folder of the reader's shell", "framework/cli/tests/course.rs"),
    ),
    ("cargo wb doctor", Place::Nowhere("its result depends on the machine", "framework/cli/src/doctor.rs")),
    ("cargo wb new", Place::Nowhere("it writes into the workspace", "tests/tests/new_tasks.rs")),
    ("cargo wb grade", Place::Nowhere("it writes grades", "framework/cli/tests/grade.rs")),
    ("cargo wb test", Place::Nowhere("it builds and tests everything", ".github/workflows/test.yml")),
    ("cargo wb top", Place::Workspace),
    ("cargo wb watch", Place::Nowhere("it needs a terminal", "framework/cli/tests/watch.rs")),
    ("cargo wb perf", Place::Nowhere("it builds and measures a task", "framework/cli/tests/reports.rs")),
    ("cargo wb report", Place::Nowhere("it measures for minutes", "framework/cli/tests/reports.rs")),
    ("cargo wb simulate", Place::Nowhere("it builds a task", "tests/tests/tasks.rs")),
    ("cargo wb check", Place::Nowhere("it builds a task", "tests/tests/orders.rs")),
    ("cargo wb preload", Place::Nowhere("it needs a program", "framework/preload/tests/programs.rs")),
    (
        "cargo wb trace -- mpirun",
        Place::Nowhere("it needs an MPI program", "framework/cli/tests/traced_programs/programs.rs"),
    ),
    ("cargo wb trace", Place::Nowhere("it builds a task", "tests/tests/traces.rs")),
    ("cargo test -p ivanov_i_scatter", Place::Nowhere("it builds a new task", "tests/tests/new_tasks.rs")),
    (
        "mpirun -n 4 cargo test -p ivanov_i_scatter",
        Place::Nowhere("it builds a new task", "tests/tests/canaries.rs"),
    ),
    (
        "WB_TEST_BACKENDS=",
        Place::Nowhere("it builds a new task", "framework/functional/src/test/settings.rs"),
    ),
    ("cargo wb setup", Place::Nowhere("it installs programs", "framework/cli/src/setup.rs")),
    ("cargo wb summary", Place::Nowhere("it builds what a branch changes", "framework/cli/tests/changed.rs")),
    (
        "cd course",
        Place::Nowhere("it changes the folder of the reader's shell", "framework/cli/tests/merging.rs"),
    ),
    ("echo ", Place::Nowhere("it adds a student to the course", "framework/cli/tests/enrolment.rs")),
    ("git ", Place::Nowhere("it changes the reader's repository", "framework/cli/tests/merging.rs")),
    (
        "cargo test -p wb-algorithms",
        Place::Nowhere("it is itself a test", "framework/algorithms/tests/barriers"),
    ),
    ("WBTEST_BLESS=1 cargo test", Place::Nowhere("it is itself a test", "tests/tests/documents.rs")),
    (
        "rustfmt --edition 2024 framework/",
        Place::Nowhere("it writes into the sources", "tests/tests/tidy.rs"),
    ),
    (
        "cargo run --release -p wb-local",
        Place::Nowhere("it needs SimGrid", "framework/local/tests/sim/simgrid.rs"),
    ),
    ("export OMPI_", Place::Nowhere("it sets variables of the reader's shell", "tests/src/job.rs")),
];

/// A command of a document.
struct BookCommand {
    document: String,
    line: usize,
    text: String,
    is_marked: bool,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("framework/cli lies in the workspace")
}

/// The commands of a document's console blocks, without their comments.
fn commands(document: &str, text: &str) -> Vec<BookCommand> {
    let (mut found, mut before, mut open) = (vec![], "", None);
    for (number, line) in text.lines().enumerate() {
        match open {
            None if line == "```console" => open = Some(before.starts_with(MARK)),
            Some(_) if line == "```" => open = None,
            Some(is_marked) => {
                let command =
                    line.strip_prefix("$ ").map(|command| command.split("  #").next().unwrap_or(command));
                found.extend(command.map(|command| BookCommand {
                    document: document.to_owned(),
                    line: number + 1,
                    text: command.split(" # ").next().unwrap_or(command).trim_end().to_owned(),
                    is_marked,
                }));
            }
            None => {}
        }
        before = line;
    }
    found
}

/// The commands of the English documents.
fn all() -> Vec<BookCommand> {
    let documents = fs::read_dir(root().join("docs")).expect("the documents are there");
    let mut documents: Vec<PathBuf> =
        documents.map(|entry| entry.expect("the documents can be read").path()).collect();
    documents.push(root().join("README.md"));
    documents.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    documents.sort();
    let read = |path: &PathBuf| {
        let name = path.strip_prefix(root()).expect("below the root").display().to_string();
        commands(&name, &fs::read_to_string(path).expect("the documents can be read"))
    };
    documents.iter().flat_map(read).collect()
}

fn place(command: &BookCommand) -> Option<&'static Place> {
    ROWS.iter().find(|(beginning, _)| command.text.starts_with(beginning)).map(|(_, place)| place)
}

/// Runs a command line of the shell in which `cargo wb` is this build's program.
fn shell(line: &str, folder: &Path) -> Output {
    let line = line.replace("cargo wb", &format!("'{}'", env!("CARGO_BIN_EXE_wb")));
    let mut command = Command::new("sh");
    command.args(["-c", &line]).current_dir(folder).env("WB_LANG", "en");
    command.output().expect("a shell")
}

/// Why the command is wrong; `None` where it ends well and prints something.
fn failure(command: &BookCommand, line: &str, folder: &Path) -> Option<String> {
    let output = shell(line, folder);
    let failed = !output.status.success() || output.stdout.is_empty();
    failed.then(|| {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        format!("{}:{}: `{line}`: {}\n{text}", command.document, command.line, output.status)
    })
}

#[test]
fn every_command_of_the_documents_is_run_or_a_row_says_why_not() {
    let commands = all();
    assert!(commands.len() > 30, "the search is broken: {} commands", commands.len());
    let without: Vec<_> = commands
        .iter()
        .filter(|command| !command.is_marked && place(command).is_none())
        .map(|command| format!("{}:{}: {}", command.document, command.line, command.text))
        .collect();
    assert!(
        without.is_empty(),
        "write a row in {}, or `{MARK}reason -->` before the block in both languages:\n  {}",
        file!(),
        without.join("\n  ")
    );
}

#[test]
fn every_row_fits_a_command_and_names_a_test_that_exists() {
    let commands = all();
    for (beginning, place) in ROWS {
        let fits = commands.iter().any(|command| command.text.starts_with(beginning));
        assert!(fits, "no document has a command `{beginning}`");
        if let Place::Nowhere(reason, test) = place {
            assert!(!reason.is_empty() && root().join(test).exists(), "`{beginning}`: {test} is not there");
        }
    }
}

#[test]
fn the_commands_run() {
    let scratch = tempfile::tempdir().expect("a folder");
    let mut count = 0;
    for command in all() {
        let folder = match place(&command) {
            Some(Place::Workspace) => root(),
            Some(Place::Scratch) => scratch.path(),
            _ => continue,
        };
        count += 1;
        let wrong = failure(&command, &command.text, folder);
        assert_eq!(wrong, None);
    }
    assert!(count >= 12, "only {count} commands were run");
}

/// A command that is not run is read as far as its `--help`: an unknown option or value comes first.
#[test]
fn the_arguments_of_every_command_are_understood() {
    let scratch = tempfile::tempdir().expect("a folder");
    let ours =
        |command: &BookCommand| command.text.starts_with("cargo wb ") && !command.text.contains(" -- ");
    for command in all().iter().filter(|command| ours(command)) {
        let wrong = failure(command, &format!("{} --help", command.text), scratch.path());
        assert_eq!(wrong, None);
    }
}

#[test]
fn canary_a_wrong_command_an_unknown_one_and_a_wrong_option_are_found() {
    let text = "```console\n$ cargo wb barriers list --ranks x  # costs\n$ ls # all\n```\n\n<!-- not run: no -->\n```console\n$ rm\n```\n```text\n$ not a command\n```\n";
    let commands = commands("a.md", text);
    let texts: Vec<_> = commands.iter().map(|command| command.text.as_str()).collect();
    assert_eq!(texts, ["cargo wb barriers list --ranks x", "ls", "rm"]);
    let marks: Vec<_> = commands.iter().map(|command| (command.is_marked, command.line)).collect();
    assert_eq!(marks, [(false, 2), (false, 3), (true, 8)]);
    assert!(place(&commands[1]).is_none());
    let scratch = tempfile::tempdir().expect("a folder");
    let wrong = failure(&commands[0], &commands[0].text, scratch.path()).expect("x is no number");
    assert!(wrong.starts_with("a.md:2: "), "{wrong}");
    let wrong = failure(&commands[0], "cargo wb report --nonsense --help", scratch.path());
    assert!(wrong.is_some(), "an unknown option before --help");
}
