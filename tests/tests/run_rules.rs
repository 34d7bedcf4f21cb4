//! The rules `tree` and `distributes-computing` on honest tasks and on tasks that break them, in virtual time.
//!
//! Each canary is an honest task of the workspace with one change, compiled against the libraries of the workspace.
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use wb_report::run_rules::{RunRule, RunRuleVerdict};
use wb_tests::{
    artifacts::{self, Artifacts},
    sources,
    task_compiler::{TaskCompiler, assert_success},
};

/// A task with changes: texts of one of its files and what replaces them.
struct Canary {
    task: &'static str,
    file: &'static str,
    changes: &'static [(&'static str, &'static str)],
}

const TREE: &str = "\
    if let Some(parent) = parent(v) {
        receive_all(buffer, real(parent), world)?;
    }
    for child in children(v, size) {
        world.send(buffer, real(child), TAG)?;
    }
";

/// The root sends to every rank.
const STAR: &str = "\
    if v > 0 {
        receive_all(buffer, root, world)?;
    }
    for child in (1..size).filter(|_| v == 0) {
        world.send(buffer, real(child), TAG)?;
    }
";

/// The root sends the data to every rank; the root's rank and the header, one or two numbers, go over the tree.
const STAR_OF_DATA: &str = "\
    if buffer.len() > 2 {
        if v > 0 {
            receive_all(buffer, root, world)?;
        }
        for child in (1..size).filter(|_| v == 0) {
            world.send(buffer, real(child), TAG)?;
        }
        return Ok(());
    }
    if let Some(parent) = parent(v) {
        receive_all(buffer, real(parent), world)?;
    }
    for child in children(v, size) {
        world.send(buffer, real(child), TAG)?;
    }
";

/// Every rank sends to the next one.
const CHAIN: &str = "\
    if v > 0 {
        receive_all(buffer, real(v - 1), world)?;
    }
    if v + 1 < size {
        world.send(buffer, real(v + 1), TAG)?;
    }
";

/// Every rank sends to two others.
const BINARY_TREE: &str = "\
    if v > 0 {
        receive_all(buffer, real((v - 1) / 2), world)?;
    }
    for child in [2 * v + 1, 2 * v + 2].into_iter().filter(|child| *child < size) {
        world.send(buffer, real(child), TAG)?;
    }
";

const UNUSED: (&str, &str) =
    ("use std::iter::successors;", "#![allow(dead_code)]\nuse std::iter::successors;");

const fn broadcast(changes: &'static [(&'static str, &'static str)]) -> Canary {
    Canary { task: "nalitov_d_broadcast", file: "src/broadcast.rs", changes }
}

const fn integral(changes: &'static [(&'static str, &'static str)]) -> Canary {
    Canary { task: "example_p_integral", file: "src/mpi.rs", changes }
}

/// The rank that has the input computes everything.
const ONE_RANK: (&str, &str) = (
    "    start(rank)..start(rank + 1)\n",
    "    if rank == 0 { start(0)..start(ranks) } else { start(ranks)..start(ranks) }\n",
);

/// Every rank computes everything.
const EVERY_RANK: [(&str, &str); 2] = [
    (
        "let steps = block(input.steps, world.size() as u64, world.rank() as u64);",
        "let steps = block(input.steps, 1, 0);",
    ),
    (
        "let mine = trapezoids(input, steps.clone());",
        "let mine = trapezoids(input, steps.clone()) / world.size() as f64;",
    ),
];

/// The computing is in another stage.
const ANOTHER_STAGE: [(&str, &str); 4] = [
    ("    steps: Range<u64>,\n}", "    steps: Range<u64>,\n    sum: f64,\n}"),
    (
        "        Ok(Share { input, steps })",
        "        let sum = trapezoids(&input, steps.clone());\n        Ok(Share { input, steps, sum })",
    ),
    ("Share { input, steps }: &Share", "Share { input, steps, sum }: &Share"),
    ("let mine = trapezoids(input, steps.clone());", "let mine = *sum;"),
];

/// Steps of the integral: enough to be measured in programs that are not optimised.
const STEPS: (&str, &str) = ("size: 25000000", "size: 1000000");

/// Copies the files of a package that is in `tasks`.
fn copy(package: &str, to: &Path) {
    let from = sources::root().join("tasks").join(package);
    let mut open = vec![PathBuf::new()];
    while let Some(below) = open.pop() {
        fs::create_dir_all(to.join(package).join(&below)).expect("a folder");
        for entry in fs::read_dir(from.join(&below)).expect("a folder") {
            let path = below.join(entry.expect("an entry").file_name());
            match from.join(&path).is_dir() {
                true => open.push(path),
                false => drop(fs::copy(from.join(&path), to.join(package).join(&path)).expect("copied")),
            }
        }
    }
}

fn change(file: &Path, changes: &[(&str, &str)]) {
    let mut text = fs::read_to_string(file).expect("a text");
    for (old, new) in changes {
        assert_eq!(text.matches(old).count(), 1, "{old} in {}", file.display());
        text = text.replace(old, new);
    }
    fs::write(file, text).expect("written");
}

impl Canary {
    /// What the runs of the changed task say of the rule.
    fn judge(&self, artifacts: &Artifacts, rule: RunRule) -> RunRuleVerdict {
        let root = tempfile::tempdir().expect("a folder");
        let tasks = root.path().join("tasks");
        fs::create_dir(&tasks).expect("a folder");
        fs::write(root.path().join("Cargo.toml"), "[workspace]\n").expect("written");
        fs::copy(sources::root().join("tasks/course.yaml"), tasks.join("course.yaml")).expect("copied");
        copy("assignment_1_20_integral", &tasks);
        copy("assignment_2_1_broadcast", &tasks);
        change(&tasks.join("assignment_1_20_integral/assignment.yaml"), &[STEPS]);
        copy(self.task, &tasks);
        let folder = tasks.join(self.task);
        change(&folder.join(self.file), self.changes);
        let compiler = TaskCompiler { artifacts, task: self.task, folder: folder.clone() };
        let assignment = match self.task {
            "nalitov_d_broadcast" => "assignment_2_1_broadcast",
            _ => "assignment_1_20_integral",
        };
        let library = ["--crate-type", "lib", "--crate-name", self.task];
        compiler.compile("src/lib.rs", &library, &["workbench", assignment], "lib.rlib");
        let program =
            compiler.compile("benches/performance.rs", &[], &["workbench", self.task], "performance");
        let records = root.path().join("records.jsonl");
        let rules = sources::root().join("framework/cli/src/run_rules");
        let machine = rules.join(format!("{}.yaml", rule.name()));
        let ranks: Vec<_> = rule.ranks().iter().map(ToString::to_string).collect();
        let mut run = Command::new(program);
        run.args([
            "--wb-lang",
            "en",
            "--wb-ranks",
            &ranks.join(","),
            "--wb-compute",
            rule.computing().name(),
        ]);
        run.arg("--wb-records").arg(&records).arg("--wb-simulate").arg(machine).current_dir(&folder);
        wb_process::remove_launcher_variables(&mut run);
        assert_success(&run.output().expect("the program starts"));
        let records = fs::read_to_string(records).expect("records");
        rule.judge(&wb_record::read_all(&records).expect("records"))
    }
}

#[test]
fn honest_tasks_keep_the_rules_and_canaries_break_them() {
    let artifacts = artifacts::artifacts(&["--test", "run_rules"]);
    let (tree, distributes) = (RunRule::Tree, RunRule::DistributesComputing);
    for (name, canary, rule) in [
        ("a binomial tree", broadcast(&[]), tree),
        ("a binary tree", broadcast(&[UNUSED, (TREE, BINARY_TREE)]), tree),
        ("blocks", integral(&[]), distributes),
    ] {
        assert_eq!(canary.judge(&artifacts, rule), RunRuleVerdict::Kept, "{name}");
    }
    for (name, canary, rule, reason) in [
        ("a star", broadcast(&[UNUSED, (TREE, STAR)]), tree, "rounds at P = 32"),
        ("a star of the data", broadcast(&[(TREE, STAR_OF_DATA)]), tree, "rounds at P = "),
        ("a chain", broadcast(&[UNUSED, (TREE, CHAIN)]), tree, "rounds at P = 32"),
        ("one rank", integral(&[ONE_RANK]), distributes, "not divided"),
        ("every rank", integral(&EVERY_RANK), distributes, "not divided"),
        ("another stage", integral(&ANOTHER_STAGE), distributes, "not in `run`"),
    ] {
        match canary.judge(&artifacts, rule) {
            RunRuleVerdict::Broken(text) => {
                println!("{name}: {text}");
                assert!(text.to_string().contains(reason), "{name}: {text}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}
