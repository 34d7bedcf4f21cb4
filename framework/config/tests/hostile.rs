//! Files that are made to hurt: no kind of file, no size, no depth and no byte makes a reader hang, grow or crash.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use wb_config::{ConfigError, CourseSettings, FILE_BYTES_MAX, MachineSettings, TaskSettings};

const TASK: &str = "student: A B\ngroup: G\ntask_number: 1\nvariant: 1\nkind: computation\n\
                    status: { seq: enabled, mpi: enabled }\n\
                    performance: { workloads: [{ name: small, size: 3 }], ranks: [1, 2] }\n";

/// The error of each reader of settings for a file with this content.
fn reader_errors(content: &[u8]) -> Vec<(&'static str, String)> {
    let root = workspace();
    let task = root.path().join("tasks/x");
    let (yaml, course) = (task.join("task.yaml"), root.path().join("tasks/course.yaml"));
    [&yaml, &course].into_iter().for_each(|file| fs::write(file, content).expect("written"));
    let text = |error: ConfigError| error.to_string().replace(root.path().to_str().expect("a path"), "");
    vec![
        ("task", TaskSettings::load(&task).map(drop).map_err(text).err()),
        ("course", CourseSettings::find(&task).map(drop).map_err(text).err()),
        ("machine", MachineSettings::load(&yaml).map(drop).map_err(text).err()),
    ]
    .into_iter()
    .map(|(reader, error)| (reader, error.unwrap_or_default()))
    .collect()
}

/// A workspace with one folder for a task.
fn workspace() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    fs::write(root.path().join("Cargo.toml"), "[workspace]\nmembers = []\n").expect("written");
    fs::create_dir_all(root.path().join("tasks/x")).expect("created");
    root
}

#[test]
fn no_file_takes_longer_than_two_seconds() {
    // A quarter of what is allowed: what grows with the square takes seconds at this size too.
    let most = FILE_BYTES_MAX as usize / 4;
    let many = |unit: &str| unit.repeat(most / unit.len());
    let bomb: String = (1..40)
        .map(|level| format!("a{level}: &a{level} [{}]\n", format!("*a{}, ", level - 1).repeat(10)))
        .collect();
    let stairs: String = (0..700).map(|depth| " ".repeat(depth) + "a:\n").collect();
    let units = [
        "[", "{", "{a: ", "{? ", "[a, ", "- ", "? ", "&a [", "*a, ", "!t ", "'", "\"", "# ]\n[", "[ ']'\n",
        "a", "|\n",
    ];
    let documents = units.map(many).into_iter().chain([format!("a0: &a0 [1]\n{bomb}"), stairs, many("k: [")]);
    for text in documents {
        let start = Instant::now();
        for (reader, message) in reader_errors(text.as_bytes()) {
            assert!(!message.is_empty() && message.len() < 8_000, "{reader} accepts {text:.20}");
        }
        // Three readers, unoptimised and on a machine that does other things too.
        assert!(start.elapsed() < 3 * Duration::from_secs(2), "{:?} for {text:.20}", start.elapsed());
    }
}

#[test]
fn depth_is_refused_with_its_place_before_parsing() {
    let deep = "a: [".to_owned() + &"\n[".repeat(1024);
    for (reader, message) in reader_errors(deep.as_bytes()) {
        assert!(message.contains(":1025:1: more than 1024 opening brackets"), "{reader}: {message}");
    }
    for mark in ["- ", "? "] {
        let steps = format!("a:\n{}1\n", mark.repeat(65));
        for (reader, message) in reader_errors(steps.as_bytes()) {
            assert!(
                message.contains(":2:1: more than 64 steps of a list in one line"),
                "{reader}: {message}"
            );
        }
    }
}

#[test]
fn a_file_of_more_than_a_mebibyte_is_refused_unread() {
    let large = TASK.to_owned() + &"#".repeat(FILE_BYTES_MAX as usize);
    for (reader, message) in reader_errors(large.as_bytes()) {
        assert!(message.ends_with("has more than 1048576 bytes"), "{reader}: {message}");
    }
}

#[test]
fn an_empty_file_and_one_that_is_not_utf_8_are_named_with_their_place() {
    for content in ["", "\u{feff}", " \n\n"] {
        for (reader, message) in reader_errors(content.as_bytes()) {
            assert!(message.contains(":1:1: the file is empty, expected settings"), "{reader}: {message}");
        }
    }
    for (reader, message) in reader_errors(
        "# Привет\nstudent: A\u{0}"
            .as_bytes()
            .iter()
            .map(|b| if *b == 0 { 0xff } else { *b })
            .collect::<Vec<_>>()
            .as_slice(),
    ) {
        assert!(message.contains(":2:11: byte 0xff is not UTF-8"), "{reader}: {message}");
    }
}

#[test]
fn a_control_is_named_with_its_place() {
    for c in ['\0', '\u{1b}', '\u{9b}', '\u{7f}', '\u{8}'] {
        let expected = format!(":2:3: character U+{:04X} is a control", u32::from(c));
        for (reader, message) in reader_errors(format!("\u{feff}# x\n# {c}").as_bytes()) {
            assert!(message.contains(&expected) && !message.contains(c), "{reader}: {message:?}");
        }
    }
}

#[test]
fn a_byte_order_mark_is_accepted_in_front() {
    let message = reader_errors(format!("\u{feff}{TASK}").as_bytes());
    assert_eq!(message[0], ("task", String::new()));
    // The columns are those of the text without it.
    assert!(message[1].1.contains("course.yaml:1:1: unknown field `student`"), "{}", message[1].1);
    let parsed = TaskSettings::parse(Path::new("task.yaml"), &format!("\u{feff}{TASK}"));
    assert!(parsed.is_ok(), "{parsed:?}");
}

/// The error of a reader for a file that may have no end; a reader that opens a pipe waits for its writer for ever.
fn read_with_timeout<T: Send + 'static>(
    file: &Path,
    read: fn(&Path) -> wb_config::Result<T>,
) -> wb_config::Result<T> {
    let (answer, answered) = mpsc::channel();
    let path = file.to_owned();
    thread::spawn(move || answer.send(read(&path)));
    answered.recv_timeout(Duration::from_secs(20)).unwrap_or_else(|_| panic!("{} was opened", file.display()))
}

#[test]
fn what_is_not_a_file_is_not_opened() {
    let root = workspace();
    let folder = root.path().join("tasks/x");
    let status = std::process::Command::new("mkfifo").arg(folder.join("task.yaml")).status();
    assert!(status.expect("mkfifo of coreutils").success());
    let refused = |file: &Path| match read_with_timeout(file, MachineSettings::load) {
        Err(ConfigError::NotAFile { file: named }) => assert_eq!(named, file),
        other => panic!("{}: {other:?}", file.display()),
    };
    assert!(matches!(read_with_timeout(&folder, TaskSettings::load), Err(ConfigError::NotAFile { .. })));
    refused(&folder.join("task.yaml"));
    refused(Path::new("/dev/zero"));
    refused(&folder);
    std::os::unix::fs::symlink("loop", folder.join("loop")).expect("a link");
    assert!(matches!(MachineSettings::load(&folder.join("loop")), Err(ConfigError::Unreadable { .. })));
}

#[test]
fn a_long_line_is_shown_around_the_place() {
    let text = TASK.replace("group: G", &format!("group: G{}\u{1b}[31m", " ".repeat(70_000)));
    let message = TaskSettings::parse(Path::new("task.yaml"), &text).expect_err("a control").to_string();
    assert!(message.len() < 1_000 && !message.contains('\u{1b}'), "{message}");
    let long = TASK.replace("[1, 2]", &format!("[{}0]", "1, ".repeat(30_000)));
    let message =
        TaskSettings::parse(Path::new("task.yaml"), &long).expect_err("ranks do not increase").to_string();
    let lines: Vec<&str> = message.lines().collect();
    assert!(lines[1].chars().count() < 200 && lines[1].contains('…'), "{message}");
    let key = format!("x{}: 1\n{TASK}", "y".repeat(100_000));
    let message = TaskSettings::parse(Path::new("task.yaml"), &key).expect_err("an unknown key").to_string();
    assert!(message.len() < 3_000, "{}", message.len());
}

#[test]
fn names_are_visible_and_of_one_line() {
    let fields = ["student: A B", "group: G", "name: small"];
    let wrong =
        ["a\\e[2J", "a\\0b", "a\\nb", "a\\u202Eb", "\\u3164", "\\u200B", "--", "\\t\\u2066x", "a\\x9Bb"];
    for field in fields {
        let key = field.split_once(": ").expect("a key").0;
        for value in wrong.map(str::to_owned).into_iter().chain(["x".repeat(201)]) {
            let text = TASK.replace(field, &format!("{key}: \"{value}\""));
            let error =
                TaskSettings::parse(Path::new("task.yaml"), &text).expect_err("no such name").to_string();
            assert!(error.contains("expected 1 to 200 visible characters in one line"), "{error}");
            assert!(!error.contains(['\u{1b}', '\0', '\u{202e}', '\u{9b}']), "{error:?}");
        }
    }
}

#[test]
fn a_course_beside_a_task_sets_nothing_and_is_named() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasks/course.yaml");
    let own = fs::read_to_string(own).expect("the course of this workspace");
    let root = workspace();
    let (tasks, task) = (root.path().join("tasks"), root.path().join("tasks/x"));
    fs::write(tasks.join("course.yaml"), &own).expect("written");
    fs::write(task.join("task.yaml"), TASK).expect("written");
    assert!(TaskSettings::load(&task).is_ok());
    let lenient = own.replacen("from_percent: 50", "from_percent: 51", 1);
    assert_ne!(lenient, own);
    for elsewhere in ["x/course.yaml", "x/tasks/course.yaml", "tasks/course.yaml", "../course.yaml"] {
        let file: PathBuf = tasks.join(elsewhere);
        fs::create_dir_all(file.parent().expect("a folder")).expect("created");
        fs::write(&file, &lenient).expect("written");
        let found = CourseSettings::find(&task).expect("the course");
        assert_eq!(found.efficiency_bands[0].from_percent, 50, "{elsewhere}");
        match TaskSettings::load(&task) {
            Err(ConfigError::CourseElsewhere { file: named }) => {
                assert_eq!(named.file_name(), file.file_name());
                assert_eq!(fs::canonicalize(&named).ok(), fs::canonicalize(&file).ok());
            }
            other => panic!("{elsewhere}: {other:?}"),
        }
        fs::remove_file(&file).expect("removed");
    }
}
