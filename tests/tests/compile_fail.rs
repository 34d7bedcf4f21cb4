//! What types rule out does not compile: a wrong order of stages, misuses that other interfaces to MPI find while the
//! program runs, or never, and a reference that solves another problem. Each file `wrong_*` is one misuse; the compiler's own words beside it are part of the test, so that
//! a case cannot fail for another reason. `WBTEST_BLESS=1` writes them anew.
//!
//! The compiler is called for each file with the libraries that cargo has built for this test: nothing is built twice.
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use wb_tests::{artifacts::artifacts, sources};

/// The library that is misused, with the folder of its cases.
const LIBRARIES: [(&str, &str); 3] =
    [("wb_task", "framework/task"), ("wb_world", "framework/world"), ("workbench", "framework/workbench")];

/// The compiler's output for a file: `Err` if it refuses it.
fn compile(package: &Path, file: &Path) -> Result<(), String> {
    static BUILT: OnceLock<Vec<PathBuf>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let built = artifacts(&["--test", "compiled"]).libraries;
        LIBRARIES.map(|(name, _)| built[name].clone()).into()
    });
    let scratch = tempfile::tempdir().expect("a folder");
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition", "2024", "--emit=metadata", "--out-dir"]).arg(scratch.path());
    for ((name, _), path) in LIBRARIES.iter().zip(built) {
        rustc.arg("--extern").arg(format!("{name}={}", path.display()));
    }
    // As cargo does for the benchmark of a task.
    rustc.env("CARGO_MANIFEST_DIR", ".").env("CARGO_PKG_NAME", "example");
    let dependencies = built[0].parent().expect("a folder");
    rustc.arg("-L").arg(format!("dependency={}", dependencies.display()));
    let output = rustc.arg(file).current_dir(package).output().expect("the compiler starts");
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(without_places(&words)) }
}

/// The words without what changes when our sources or the number of implementations change.
fn without_places(words: &str) -> String {
    let mut kept = String::new();
    // Where the compiler finds no source of a method that a macro makes, it names the macro. In a workspace it shows the line of the method.
    let is_of_macro = |line: &&str| {
        ["::: framework/", "= note: in this macro invocation", "= note: this error originates in the macro"]
            .iter()
            .any(|start| line.trim_start().starts_with(start))
    };
    let lines = words.lines().take_while(|line| !line.starts_with("error: aborting due to"));
    for line in lines.filter(|line| !is_of_macro(line)) {
        let line = match line.split_once("--> framework/") {
            Some((margin, place)) => {
                format!("{margin}--> framework/{}", place.split(':').next().unwrap_or_default())
            }
            None if line.trim_start().starts_with("and ") && line.ends_with(" others") => {
                line.replace(|c: char| c.is_ascii_digit(), "")
            }
            None => line.to_owned(),
        };
        kept += &(line + "\n");
    }
    kept.trim_end().to_owned() + "\n"
}

/// The cases of a package, as paths in its folder.
fn cases(package: &Path) -> Vec<PathBuf> {
    let folder = package.join("tests/compile_fail");
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let names = entries.map(|entry| entry.expect("readable").file_name());
    let names = names.filter(|name| Path::new(name).extension().is_some_and(|ending| ending == "rs"));
    let mut cases: Vec<_> = names.map(|name| Path::new("tests/compile_fail").join(name)).collect();
    cases.sort();
    cases
}

/// What is wrong with a case, if anything is; `is_blessed` stores the compiler's output as the expected one.
fn check_case(package: &Path, case: &Path, is_blessed: bool) -> Option<String> {
    let is_right = case.file_name().is_some_and(|name| name.to_string_lossy().starts_with("right_"));
    let expected = package.join(case).with_extension("stderr");
    match compile(package, case) {
        Ok(()) => (!is_right).then(|| format!("{} compiles", case.display())),
        Err(words) if is_right => Some(format!("{} does not compile:\n{words}", case.display())),
        Err(words) if is_blessed => {
            fs::write(expected, words).expect("written");
            None
        }
        Err(words) => {
            let known = fs::read_to_string(expected).unwrap_or_default();
            (words != known).then(|| format!("{}:\n{words}\nexpected:\n{known}", case.display()))
        }
    }
}

#[test]
fn what_types_rule_out_does_not_compile() {
    let mut seen = (0, 0);
    let mut complaints = vec![];
    let is_blessed = env::var_os("WBTEST_BLESS").is_some();
    for (_, folder) in LIBRARIES {
        let package = sources::root().join(folder);
        for case in cases(&package) {
            let count = if case.to_string_lossy().contains("/right_") { &mut seen.0 } else { &mut seen.1 };
            *count += 1;
            complaints.extend(check_case(&package, &case, is_blessed));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(seen.0 >= 3 && seen.1 >= 16, "{seen:?} right and wrong cases");
}

#[test]
fn canary_a_case_that_compiles_or_fails_for_another_reason_is_a_complaint() {
    let package = tempfile::tempdir().expect("a folder");
    let case = |name: &str, text: &str| {
        fs::write(package.path().join(name), text).expect("written");
        check_case(package.path(), Path::new(name), false)
    };
    assert_eq!(
        case(
            "right_one.rs",
            "use wb_world::World;\nfn main() { let _: fn(&World) -> usize = World::rank; }\n"
        ),
        None
    );
    assert!(case("wrong_one.rs", "fn main() {}\n").is_some_and(|message| message.ends_with("compiles")));
    assert!(case("right_two.rs", "fn main() { 1 }\n").is_some_and(|message| message.contains("E0308")));
    fs::write(package.path().join("wrong_two.stderr"), "error[E0599]: something else\n").expect("written");
    assert!(case("wrong_two.rs", "fn main() { 1 }\n").is_some_and(|message| message.contains("E0308")));
}
