//! Concurrent work of many students: branches with a new task each merge one after another without a conflict, and so does the
//! crate of an assignment that the instructor adds between them.
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// How many students hand in.
const STUDENTS: usize = 12;

const GROUP: &str = "3823B1PR1";

/// An assignment of the course, which every second task solves.
const ASSIGNMENT: &str = "assignment_1_20_integral";

/// An assignment that a branch of the instructor adds.
const NEW_ASSIGNMENT: &str = "assignment_3_2_fox";

/// The files of a report.
const REPORT: [&str; 6] =
    ["records.jsonl", "report.csv", "report.html", "report.ru.html", "report.md", "report.ru.md"];

/// The files of this repository without its reports, as the first commit of another one.
fn repository() -> tempfile::TempDir {
    let (copy, root) = (tempfile::tempdir().expect("a folder"), root());
    let listed = git(&root, &["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let listed = String::from_utf8(listed.stdout).expect("names of files");
    for path in listed.split_terminator('\0').filter(|path| is_wanted(path) && root.join(path).is_file()) {
        let target = copy.path().join(path);
        fs::create_dir_all(target.parent().expect("a folder")).expect("making a folder");
        fs::copy(root.join(path), target).expect("copying a file");
    }
    for student in 0..STUDENTS {
        add_row(copy.path(), "roster.csv", &format!("ivanov_{student},{},{GROUP}", full_name(student)));
        add_row(copy.path(), "variants.csv", &format!("ivanov_{student},2,{}", variant(student)));
    }
    git(copy.path(), &["init", "--quiet", "--initial-branch", "main"]);
    wb(copy.path(), &["list"]);
    commit(copy.path(), "The course");
    copy
}

/// Adds a row to a table of the course.
fn add_row(folder: &Path, table: &str, row: &str) {
    let path = folder.join("tasks").join(table);
    let rows = fs::read_to_string(&path).expect("a table");
    fs::write(path, format!("{rows}{row}\n")).expect("written");
}

fn full_name(student: usize) -> String {
    format!("Ivanov {student}")
}

fn variant(student: usize) -> usize {
    student % 23 + 1
}

/// What cargo and `cargo wb` look at.
fn is_wanted(path: &str) -> bool {
    !path.starts_with("reports/") && !path.starts_with("docs/")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// git without settings of a user, for an anonymous author.
fn try_git(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=Student", "-c", "user.email=student@example.org"]).args(arguments);
    command.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
        command.env_remove(name);
    }
    command.output().expect("starting git")
}

#[track_caller]
fn git(folder: &Path, arguments: &[&str]) -> Output {
    let output = try_git(folder, arguments);
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
    output
}

#[track_caller]
fn wb(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
    let output = command.args(arguments).current_dir(folder).output().expect("starting wb");
    assert!(output.status.success(), "wb {arguments:?}: {output:?}");
}

/// What cargo finds without the network, of this platform (others need packages that are not here); it completes the lock.
fn cargo_metadata(folder: &Path) -> String {
    let version = Command::new("rustc").arg("-vV").output().expect("starting rustc").stdout;
    let version = String::from_utf8(version).expect("text");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc says its host");
    let mut command = Command::new("cargo");
    command.args(["metadata", "--offline", "--format-version", "1", "--filter-platform", host]);
    command.current_dir(folder);
    let output = command.env_remove("CARGO_TARGET_DIR").output().expect("starting cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("JSON")
}

#[track_caller]
fn commit(folder: &Path, message: &str) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "--quiet", "-m", message]);
}

fn name(student: usize) -> String {
    format!("ivanov_i_task_{student:02}")
}

/// A student's work on a branch of its own: a new task, a lock that lists it, a report and the pages of all tasks.
fn hand_in(folder: &Path, student: usize, complete_lock: impl Fn(&Path, &str)) {
    let name = name(student);
    git(folder, &["switch", "--quiet", "-c", &name, "main"]);
    let (who, variant) = (full_name(student), variant(student).to_string());
    wb(folder, &["new", &name, "--student", &who, "--group", GROUP, "--task", "2", "--variant", &variant]);
    if student % 2 == 1 {
        let path = folder.join("tasks").join(&name).join("Cargo.toml");
        let manifest = fs::read_to_string(&path).expect("a manifest");
        let dependency = format!("[dependencies]\n{ASSIGNMENT} = {{ path = \"../{ASSIGNMENT}\" }}\n");
        fs::write(path, manifest.replace("[dependencies]\n", &dependency)).expect("written");
    }
    complete_lock(folder, &name);
    let lock = fs::read_to_string(folder.join("Cargo.lock")).expect("a lock");
    assert!(lock.contains(&format!("name = \"{name}\"")), "the lock lists the task");
    fs::create_dir_all(folder.join("reports").join(&name)).expect("a folder");
    for page in REPORT {
        fs::write(folder.join("reports").join(&name).join(page), &name).expect("writing a page");
    }
    for page in ["index.html", "index.ru.html"] {
        fs::write(folder.join("reports").join(page), &name).expect("writing a page");
    }
    commit(folder, &name);
}

/// The instructor's work on a branch of its own: the crate of an assignment, and a student who comes later.
fn add_assignment(folder: &Path) {
    git(folder, &["switch", "--quiet", "-c", NEW_ASSIGNMENT, "main"]);
    let (from, to) = (folder.join("tasks").join(ASSIGNMENT), folder.join("tasks").join(NEW_ASSIGNMENT));
    fs::create_dir_all(to.join("src")).expect("a folder");
    let manifest =
        fs::read_to_string(from.join("Cargo.toml")).expect("a manifest").replace(ASSIGNMENT, NEW_ASSIGNMENT);
    let manifest = manifest.replace("number = 1", "number = 3").replace("variant = 20", "variant = 2");
    fs::write(to.join("Cargo.toml"), manifest.replace("[[test]]\nname = \"functional\"\n", ""))
        .expect("written");
    fs::write(to.join("src/lib.rs"), "//! Nothing.\n").expect("written");
    // Its entry stays in the lock, so it is cargo's own.
    cargo_metadata(folder);
    add_row(folder, "roster.csv", &format!("late_l,Late L.,{GROUP}"));
    commit(folder, NEW_ASSIGNMENT);
}

/// What cargo does to the lock, without starting it: an entry in its place.
fn insert_into_lock(folder: &Path, name: &str) {
    let path = folder.join("Cargo.lock");
    let lock = fs::read_to_string(&path).expect("a lock");
    let entry = format!(
        "[[package]]\nname = \"{name}\"\nversion = \"0.1.0\"\ndependencies = [\n \"approx\",\n \"rstest\",\n \"workbench\",\n]\n\n"
    );
    let behind = "[[package]]\nname = \"jiff\"\n";
    assert!(lock.contains(behind), "{behind} is the next entry");
    fs::write(path, lock.replacen(behind, &(entry + behind), 1)).expect("writing the lock");
}

#[test]
fn twelve_branches_with_a_new_task_each_merge_one_after_another() {
    let repository = repository();
    let folder = repository.path();
    for student in 0..STUDENTS {
        // cargo itself for two: it takes longer than all the rest. The others leave the tasks of earlier branches in the lock.
        match student % 6 {
            0 => hand_in(folder, student, |folder, _| drop(cargo_metadata(folder))),
            _ => hand_in(folder, student, insert_into_lock),
        }
    }
    add_assignment(folder);
    let lock = git(folder, &["show", &format!("{NEW_ASSIGNMENT}:Cargo.lock")]).stdout;
    git(folder, &["switch", "--quiet", "main"]);
    for student in 0..STUDENTS {
        git(folder, &["merge", "--quiet", "--no-edit", &name(student)]);
        if student == STUDENTS / 2 {
            git(folder, &["merge", "--quiet", "--no-edit", NEW_ASSIGNMENT]);
        }
    }
    assert_eq!(git(folder, &["show", "HEAD:Cargo.lock"]).stdout, lock, "only the assignment is in the lock");
    let members = cargo_metadata(folder);
    for student in 0..STUDENTS {
        assert!(members.contains(&format!("tasks/{}/Cargo.toml", name(student))), "{}", name(student));
        for page in REPORT {
            assert!(folder.join("reports").join(name(student)).join(page).is_file(), "{page}");
        }
    }
    assert!(members.contains(&format!("tasks/{NEW_ASSIGNMENT}/Cargo.toml")));
    // Git compares sizes before it asks the filter, so `status` is right only once the file was added.
    git(folder, &["add", "-A"]);
    let status = git(folder, &["status", "--porcelain"]);
    assert_eq!(String::from_utf8_lossy(&status.stdout), "", "nothing is left to commit");
    assert!(Command::new(folder.join(".ci/check-lock")).status().expect("sh").success());
    a_new_pin_reaches_a_student(folder);
}

/// The main branch changes the lock; a student whose own file lists a task takes the change over.
fn a_new_pin_reaches_a_student(folder: &Path) {
    let path = folder.join("Cargo.lock");
    let lock = fs::read_to_string(&path).expect("a lock");
    fs::write(&path, format!("# A new pin.\n{lock}")).expect("writing the lock");
    commit(folder, "A new pin");
    git(folder, &["switch", "--quiet", &name(3)]);
    insert_into_lock(folder, &name(3));
    commit_nothing(folder);
    git(folder, &["merge", "--quiet", "--no-edit", "main"]);
    assert!(fs::read_to_string(&path).expect("a lock").starts_with("# A new pin.\n"));
}

fn commit_nothing(folder: &Path) {
    git(folder, &["add", "-A"]);
    git(folder, &["diff", "--cached", "--quiet"]);
}

/// Without the filter the second branch conflicts, and the check of a pull request says what to do.
#[test]
fn canary_without_the_filter_the_second_branch_conflicts() {
    let repository = repository();
    let folder = repository.path();
    fs::remove_file(folder.join(".gitattributes")).expect("the attributes");
    commit(folder, "Without the filter");
    (0..2).for_each(|student| hand_in(folder, student, insert_into_lock));
    let answer = Command::new(folder.join(".ci/check-lock")).output().expect("starting sh");
    let answer = String::from_utf8_lossy(&answer.stderr).into_owned();
    assert!(answer.contains("git checkout origin/main -- Cargo.lock"), "{answer}");
    git(folder, &["switch", "--quiet", "main"]);
    git(folder, &["merge", "--quiet", "--no-edit", &name(0)]);
    let second = try_git(folder, &["merge", "--quiet", "--no-edit", &name(1)]);
    assert!(String::from_utf8_lossy(&second.stdout).contains("conflict in Cargo.lock"), "{second:?}");
}
