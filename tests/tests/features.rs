//! Each published crate is built once, whichever packages are selected: `wb-features` asks for the same features everywhere.
use std::{collections::BTreeSet, process::Command};

use wb_tests::sources;

/// The tool, a task, an assignment and an example, each as it is built alone.
const SELECTIONS: [[&str; 2]; 4] = [
    ["wb-cli", "normal,build"],
    ["nalitov_d_broadcast", "normal,build,dev"],
    ["assignment_2_4_scatter", "normal,build,dev"],
    ["example_p_integral", "normal,build,dev"],
];

/// Published crates, each with its version and its features: `libc v0.2.191 [default,std]`.
type Built = BTreeSet<String>;

/// What cargo builds for this selection.
fn built(selection: &[&str], edges: &str) -> Built {
    let output = Command::new(env!("CARGO"))
        .current_dir(sources::root())
        .args(["tree", "--locked", "--prefix", "none", "--format", "{p} [{f}]"])
        .args(["--edges", edges])
        .args(selection)
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    published(&String::from_utf8_lossy(&output.stdout))
}

/// A crate of the workspace has its path in its line; cargo marks a crate whose dependencies are listed above.
fn published(tree: &str) -> Built {
    let lines = tree.lines().filter(|line| !line.is_empty() && !line.contains(" (/"));
    lines.map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

#[test]
fn each_selection_has_the_features_of_the_workspace() {
    let workspace = built(&["--workspace"], "normal,build,dev");
    for [package, edges] in SELECTIONS {
        let alone = built(&["--package", package], edges);
        let twice: Vec<&String> = alone.difference(&workspace).collect();
        assert!(alone.len() > 20, "{package} has few dependencies: {alone:#?}");
        assert!(
            twice.is_empty(),
            "built once more for `{package}`: add the features of the workspace to framework/features/Cargo.toml: {twice:#?}"
        );
    }
}

#[test]
fn canary_a_crate_with_other_features_is_found() {
    let alone = published("wb-cli v0.1.0 (/here/framework/cli) []\nlibc v0.2.191 []\nmemchr v2.8.3 [std]\n");
    let workspace = published("libc v0.2.191 [default,std]\nmemchr v2.8.3 [std]\n");
    assert_eq!(alone.difference(&workspace).collect::<Vec<_>>(), ["libc v0.2.191 []"]);
}
