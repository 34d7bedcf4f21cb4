//! Answers of git in real repositories, and the errors where it has none.

use std::{fs, process::Command};

use wb_messages::Lang;

use super::{
    test_clone::{TestClone, day},
    *,
};

fn repository(clone: &TestClone) -> Repository {
    Repository::find(clone.path()).unwrap_or_else(|error| panic!("{}", error.render(Lang::En)))
}

#[test]
fn a_folder_without_a_repository_is_told_apart_from_one_that_git_refuses() {
    let folder = tempfile::tempdir().expect("a folder");
    let found = Repository::find(folder.path()).map(|_| ());
    assert!(matches!(found, Err(GitError::NoRepository { .. })), "{found:?}");
    let clone = TestClone::new();
    assert!(Repository::find(&clone.path().join("tasks")).is_ok());
    fs::write(clone.path().join(".git/HEAD"), "nonsense\n").expect("written");
    let refused = Repository::find(clone.path()).map(|_| ());
    assert!(matches!(refused, Err(GitError::Failed { .. })), "{refused:?}");
}

#[test]
fn a_name_that_does_not_exist_is_not_the_main_branch() {
    let clone = TestClone::new();
    let repository = repository(&clone);
    assert!(repository.resolve_branch(None, &["master", "main"]).is_ok());
    let mistyped = repository.resolve_branch(Some("mian"), &["main"]).expect_err("mistyped");
    assert_eq!(mistyped.render(Lang::En), "there is no commit `mian` in this clone");
    let none = repository.resolve_branch(None, &["trunk", "develop"]).expect_err("neither");
    assert!(none.is_missing_history() && none.render(Lang::En).contains("trunk, develop"), "{none:?}");
    assert!(repository.resolve("--help").expect("a name is never an option").is_none());
}

#[test]
fn a_shallow_clone_is_recognised_and_the_fetch_that_it_names_completes_it() {
    let clone = TestClone::new();
    clone.commit("tasks/course.yaml", "title: b\n", &day(2));
    assert!(!repository(&clone).is_shallow().expect("whole"));
    clone.git(&["switch", "-q", "-c", "solution"], &day(3));
    clone.commit("tasks/course.yaml", "title: c\n", &day(3));
    let folder = tempfile::tempdir().expect("a folder");
    let source = format!("file://{}", clone.path().display());
    let cloned = Command::new("git")
        .args(["clone", "-q", "--depth", "1", "--branch", "solution", &source, "copy"])
        .current_dir(folder.path())
        .status();
    assert!(cloned.expect("git runs").success());
    let path = folder.path().join("copy");
    let copy = Repository::find(&path).expect("a clone");
    assert!(copy.is_shallow().expect("shallow"));
    assert!(copy.merge_base(Some("main")).is_err());
    let refused = copy.merge_base(None).expect_err("the clone has no main branch");
    let message = refused.render(Lang::En);
    let fetch = message.rsplit('`').nth(1).expect("a command");
    let fetched = Command::new("sh").args(["-c", fetch]).current_dir(&path).status();
    assert!(refused.is_missing_history() && fetched.expect("a shell").success(), "{message}");
    let base = copy.merge_base(None).expect("it is there now");
    assert_eq!(Some(base), repository(&clone).resolve("main").expect("git answers"));
}

#[test]
fn a_missing_object_is_an_error_and_not_an_empty_list() {
    let clone = TestClone::new();
    let repository = repository(&clone);
    let tip = repository.resolve("main").expect("git answers").expect("a commit");
    assert_eq!(repository.files(&tip, &["tasks"]).expect("files").len(), 1);
    assert!(matches!(repository.files(&"1".repeat(40), &["tasks"]), Err(GitError::Failed { .. })));
    assert!(matches!(repository.log(&["nowhere"]), Err(GitError::Failed { .. })));
    let blob = repository.line(&["rev-parse", "main:tasks/course.yaml"]).expect("a blob");
    fs::remove_file(clone.path().join(".git/objects").join(&blob[..2]).join(&blob[2..])).expect("removed");
    let broken = repository.files(&tip, &["tasks"]);
    assert!(matches!(broken, Err(GitError::Unreadable { .. } | GitError::Failed { .. })), "{broken:?}");
}

#[test]
fn the_work_tree_has_links_as_git_stores_them_and_no_removed_file() {
    let clone = TestClone::new();
    clone.commit("tasks/a.rs", "fn a() {}\n", &day(2));
    std::os::unix::fs::symlink("course.yaml", clone.path().join("tasks/link")).expect("made");
    fs::remove_file(clone.path().join("tasks/a.rs")).expect("removed");
    let mut files = repository(&clone).work_tree(&["tasks"]).expect("files");
    files.sort();
    let expected = [("tasks/course.yaml", "title: a\n"), ("tasks/link", "course.yaml")];
    assert_eq!(files, expected.map(|(path, text)| (path.to_owned(), text.to_owned())));
}

#[test]
fn an_ignored_file_is_one_that_git_would_not_add() {
    let clone = TestClone::new();
    clone.commit(".gitignore", "/grades/*\n!/grades/public.json\n", &day(2));
    let repository = repository(&clone);
    assert!(repository.is_ignored("grades/pseudonyms.secret").expect("git answers"));
    assert!(!repository.is_ignored("grades/public.json").expect("git answers"));
}
