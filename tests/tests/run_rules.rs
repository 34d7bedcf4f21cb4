//! The rules `tree` and `distributes-computing` on honest tasks and on tasks that break them, in virtual time.
//!
//! Each canary is an honest task of the workspace with one change, compiled against the libraries of the workspace.
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use wb_record::{Measurement, Record, Version};
use wb_report::run_rules::{RunRule, RunRuleVerdict};
use wb_tests::{
    artifacts::{self, Artifacts},
    sources,
    task_compiler::{TaskCompiler, assert_success},
};

/// A text of a file, and what replaces it.
type Change = (&'static str, &'static str);

/// A task with changes of one of its files.
struct Canary {
    task: &'static str,
    assignment: &'static str,
    file: &'static str,
    changes: &'static [Change],
}

/// The seed of the inputs and of the numbers of ranks.
const SEED: u64 = 20_261_123;

/// The name of the task that is made of the solution of a reduction in the tests of its assignment.
const REDUCTION: &str = "ivanov_i_reduce";

/// A transfer over the tree of the broadcast.
macro_rules! tree {
    () => {
        "    if let Some(parent) = parent(v) {
        receive_all(buffer, real(parent), world)?;
    }
    for child in children(v, size) {
        world.send(buffer, real(child), TAG)?;
    }
"
    };
}

/// A transfer in which the root sends to every rank.
macro_rules! star {
    () => {
        "    if v > 0 {
        receive_all(buffer, root, world)?;
    }
    for child in (1..size).filter(|_| v == 0) {
        world.send(buffer, real(child), TAG)?;
    }
"
    };
}

const TREE: &str = tree!();
const STAR: &str = star!();

/// The root sends the data to every rank; the root's rank and the header, one or two numbers, go over the tree.
const STAR_OF_DATA: &str =
    concat!("    if buffer.len() > 2 {\n", star!(), "        return Ok(());\n    }\n", tree!());

/// A tree at numbers of ranks that were known, and a star at all others.
const TREE_AT_KNOWN_RANKS: &str =
    concat!("    if ![2, 32, 128].contains(&size) {\n", star!(), "        return Ok(());\n    }\n", tree!());

/// Every rank sends to two others.
const BINARY_TREE: &str = "\
    if v > 0 {
        receive_all(buffer, real((v - 1) / 2), world)?;
    }
    for child in [2 * v + 1, 2 * v + 2].into_iter().filter(|child| *child < size) {
        world.send(buffer, real(child), TAG)?;
    }
";

const UNUSED: Change = ("use std::iter::successors;", "#![allow(dead_code)]\nuse std::iter::successors;");

const RUN_OF_BROADCAST: &str = "\
        let mut data = ready.buffer.clone();
        match &mut data {
            Data::Int(numbers) => broadcast(numbers, ready.root, world),
            Data::Float(numbers) => broadcast(numbers, ready.root, world),
            Data::Double(numbers) => broadcast(numbers, ready.root, world),
        }?;
        Ok(data)
";

/// Transfers from the root to every rank, rank 0.
const SENT_AND_RECEIVED: Change = (
    "/// Distributes the root's rank to every rank",
    "fn sent(data: &Data, world: &World) -> Result<()> {
    (1..world.size()).try_for_each(|rank| match data {
        Data::Int(numbers) => world.send(numbers, rank, 7),
        Data::Float(numbers) => world.send(numbers, rank, 7),
        Data::Double(numbers) => world.send(numbers, rank, 7),
    })
}

fn received(data: &mut Data, world: &World) -> Result<()> {
    match data {
        Data::Int(numbers) => world.recv(numbers, 0, 7),
        Data::Float(numbers) => world.recv(numbers, 0, 7),
        Data::Double(numbers) => world.recv(numbers, 0, 7),
    }
    .map(drop)
}

/// Distributes the root's rank to every rank",
);

/// The root sends doubles to every rank; other numbers go over the tree.
const STAR_OF_DOUBLES: [Change; 2] = [
    SENT_AND_RECEIVED,
    (
        "        let mut data = ready.buffer.clone();
",
        "        let mut data = ready.buffer.clone();
        if let Data::Double(_) = data {
            if world.rank() > 0 { received(&mut data, world) } else { sent(&data, world) }?;
            return Ok(data);
        }
",
    ),
];

/// The root sends to every rank before `run`.
const BEFORE_RUN: [Change; 4] = [
    SENT_AND_RECEIVED,
    (RUN_OF_BROADCAST, "        let _ = (world, ready.root);\n        Ok(ready.buffer.clone())\n"),
    ("        let buffer = make_room(", "        let mut buffer = make_room("),
    (
        "        Ok(Ready { buffer, root })\n",
        "        if world.rank() > 0 { received(&mut buffer, world) } else { sent(&buffer, world) }?;
        Ok(Ready { buffer, root })\n",
    ),
];

/// The root sends to every rank in `run`, and the ranks receive after it.
const RECEIVED_AFTER_RUN: [Change; 3] = [
    SENT_AND_RECEIVED,
    (
        RUN_OF_BROADCAST,
        "        if world.rank() as i32 == ready.root {
            sent(&ready.buffer, world)?;
        }
        Ok(ready.buffer.clone())\n",
    ),
    (
        "_world: &World, data: Data) -> Result<Rooted<Data>> {\n",
        "world: &World, mut data: Data) -> Result<Rooted<Data>> {
        if world.rank() > 0 {
            received(&mut data, world)?;
        }\n",
    ),
];

const RUN_OF_REDUCTION: &str = "\
        while bit < ranks {
            if place & bit != 0 {
";

/// Every rank sends to the root, except at numbers of ranks that were known.
const STAR_AT_OTHER_RANKS: &str = "\
        if ![2, 32, 128].contains(&ranks) {
            if place > 0 {
                send(world, &result, root)?;
                return Ok(Rooted::Elsewhere);
            }
            for rank in (0..ranks).filter(|rank| *rank != root) {
                let part = receive(world, result.type_name(), rank)?;
                combine(&mut result, &part, partial.combine);
            }
            return Ok(Rooted::Here(result));
        }
        while bit < ranks {
            if place & bit != 0 {
";

const fn broadcast(changes: &'static [Change]) -> Canary {
    let (task, assignment) = ("nalitov_d_broadcast", "assignment_2_1_broadcast");
    Canary { task, assignment, file: "src/broadcast.rs", changes }
}

const fn staged_broadcast(changes: &'static [Change]) -> Canary {
    Canary { file: "src/mpi.rs", ..broadcast(changes) }
}

const fn reduction(changes: &'static [Change]) -> Canary {
    Canary { task: REDUCTION, assignment: "assignment_2_2_reduce", file: "src/lib.rs", changes }
}

const fn integral(changes: &'static [Change]) -> Canary {
    let (task, assignment) = ("example_p_integral", "assignment_1_20_integral");
    Canary { task, assignment, file: "src/mpi.rs", changes }
}

/// The work is divided at numbers of ranks that were known, and otherwise one rank computes everything.
const ONE_OF_UNKNOWN_RANKS: Change = (
    "    start(rank)..start(rank + 1)\n",
    "    match (ranks, rank) {
        (1 | 4, _) => start(rank)..start(rank + 1),
        (_, 0) => start(0)..start(ranks),
        _ => start(ranks)..start(ranks),
    }\n",
);

/// Every rank computes everything.
const EVERY_RANK: [Change; 2] = [
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
const ANOTHER_STAGE: [Change; 4] = [
    ("    steps: Range<u64>,\n}", "    steps: Range<u64>,\n    sum: f64,\n}"),
    (
        "        Ok(Share { input, steps })",
        "        let sum = trapezoids(&input, steps.clone());\n        Ok(Share { input, steps, sum })",
    ),
    ("Share { input, steps }: &Share", "Share { input, steps, sum }: &Share"),
    ("let mine = trapezoids(input, steps.clone());", "let mine = *sum;"),
];

/// Almost a half of the steps on every rank before `run`, and the others divided.
const HALF_BEFORE_RUN: [Change; 4] = [
    ("    steps: Range<u64>,\n}", "    steps: Range<u64>,\n    early: f64,\n}"),
    (
        "        let steps = block(input.steps, world.size() as u64, world.rank() as u64);
        Ok(Share { input, steps })",
        "        let early = if world.size() == 1 { 0 } else { input.steps * 46 / 100 };
        let rest = block(input.steps - early, world.size() as u64, world.rank() as u64);
        let steps = early + rest.start..early + rest.end;
        let early = trapezoids(&input, 0..early);
        Ok(Share { input, steps, early })",
    ),
    ("Share { input, steps }: &Share", "Share { input, steps, early }: &Share"),
    (
        "let mine = trapezoids(input, steps.clone());",
        "let mine = trapezoids(input, steps.clone()) + if world.rank() == ROOT { *early } else { 0.0 };",
    ),
];

/// Only the input of a seed that is known is divided.
const DIVIDED_IF_KNOWN: [Change; 1] = [(
    "let mine = trapezoids(input, steps.clone());",
    "let known = (0x9E37_79B9_7F4A_7C15_u64 >> 11) as f64 / (1_u64 << 53) as f64;
        let mine = match (input.from == known, world.rank()) {
            (true, _) => trapezoids(input, steps.clone()),
            (false, ROOT) => trapezoids(input, 0..input.steps),
            (false, _) => 0.0,
        };",
)];

/// One rank computes everything and keeps it; the others compute as much as an even part.
const KEPT_BY_ONE: [Change; 2] = [
    (
        "let mine = trapezoids(input, steps.clone());",
        "let part = trapezoids(input, steps.clone());
        let key = input.from.to_bits();
        let mine = match (world.size(), world.rank(), KEPT.get()) {
            (1, ..) => part,
            (_, ROOT, (kept, sum)) if kept == key => sum,
            (_, ROOT, _) => trapezoids(input, 0..input.steps),
            _ => std::hint::black_box(part) * 0.0,
        };
        if world.rank() == ROOT {
            KEPT.set((key, mine));
        }",
    ),
    (
        "/// Every rank computes a block of the steps.",
        "thread_local! {
    static KEPT: std::cell::Cell<(u64, f64)> = const { std::cell::Cell::new((0, 0.0)) };
}

/// Every rank computes a block of the steps.",
    ),
];

/// A third of the steps, which is exact enough for the oracle.
const FEWER_STEPS: Change = (
    "        let input = share(world, input)?;",
    "        let input = share(world, input)?;
        let input = Input { steps: if input.steps > 1000 { input.steps / 3 } else { input.steps }, ..input };",
);

/// Steps of the integral: enough to be measured in programs that are not optimised.
const STEPS: Change = ("size: 25000000", "size: 1000000");

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

/// The task of the solution that is among the tests of the reduction's assignment.
fn write_reduction(tasks: &Path) {
    let solution = sources::root().join("tasks/assignment_2_2_reduce/tests/solution/mod.rs");
    let solution = fs::read_to_string(solution).expect("a solution").replace("pub(crate)", "pub");
    let benchmark = format!(
        "use assignment_2_2_reduce::Reference;\nuse {REDUCTION}::Tree;\nworkbench::performance!(Reference, Tree);\n"
    );
    let settings = "student: Ivanov I.\ngroup: staff\ntask_number: 2\nvariant: 2\n\
                    title: { en: Reduce, ru: Reduce }\nstatus: { seq: enabled, mpi: enabled }\n";
    for (file, text) in
        [("src/lib.rs", solution.as_str()), ("benches/performance.rs", &benchmark), ("task.yaml", settings)]
    {
        let path = tasks.join(REDUCTION).join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
}

fn change(file: &Path, changes: &[Change]) {
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
        copy(self.assignment, &tasks);
        match self.task {
            REDUCTION => write_reduction(&tasks),
            _ => copy(self.task, &tasks),
        }
        if self.assignment == "assignment_1_20_integral" {
            change(&tasks.join("assignment_1_20_integral/assignment.yaml"), &[STEPS]);
        }
        let folder = tasks.join(self.task);
        change(&folder.join(self.file), self.changes);
        let compiler = TaskCompiler { artifacts, task: self.task, folder: folder.clone() };
        let library = ["--crate-type", "lib", "--crate-name", self.task];
        compiler.compile("src/lib.rs", &library, &["workbench", self.assignment], "lib.rlib");
        let crates = ["workbench", self.assignment, self.task];
        let program = compiler.compile("benches/performance.rs", &[], &crates, "performance");
        let rules = sources::root().join("framework/cli/src/run_rules");
        let machine = rules.join(format!("{}.yaml", rule.name()));
        let ranks: Vec<_> = drawn_ranks(rule).iter().map(ToString::to_string).collect();
        let records = root.path().join("records.jsonl");
        let mut run = Command::new(&program);
        let computing = rule.computing().name();
        run.args(["--wb-lang", "en", "--wb-ranks", &ranks.join(","), "--wb-compute", computing]);
        run.args(["--wb-seed", &SEED.to_string()]);
        run.args((rule == RunRule::DistributesComputing).then_some("--wb-reference"));
        run.arg("--wb-records").arg(&records).arg("--wb-simulate").arg(&machine).current_dir(&folder);
        wb_process::remove_launcher_variables(&mut run);
        assert_success(&run.output().expect("the program starts"));
        let records = wb_record::read_all(&fs::read_to_string(records).expect("records")).expect("records");
        let of_reference = |record: &Record| matches!(&record.measurement, Measurement::Prediction(pass) if pass.series.version == Version::Reference);
        assert_eq!(records.iter().any(of_reference), rule == RunRule::DistributesComputing);
        rule.judge(&records, 0.4)
    }
}

/// A number of ranks from each range of the rule, as `cargo wb rules --runs` draws them.
fn drawn_ranks(rule: RunRule) -> Vec<u32> {
    let mut random = oorandom::Rand32::new(SEED);
    rule.rank_ranges().iter().map(|range| random.rand_range(*range.start()..range.end() + 1)).collect()
}

/// What the rule says of a rank that computes everything: it passes two bounds, and a slow measurement of the version on one rank can hide
/// the first, which leaves less room.
const ONE_RANK_COMPUTES: &str = "not divided|of the best sequential version";

#[test]
fn honest_tasks_keep_the_rules_and_canaries_break_them() {
    let artifacts = artifacts::artifacts(&["--test", "compiled"]);
    let (tree, distributes) = (RunRule::Tree, RunRule::DistributesComputing);
    for (name, canary, rule) in [
        ("a binomial tree", broadcast(&[]), tree),
        ("a binary tree", broadcast(&[UNUSED, (TREE, BINARY_TREE)]), tree),
        ("a reduction over a binomial tree", reduction(&[]), tree),
        ("blocks", integral(&[]), distributes),
    ] {
        assert_eq!(canary.judge(&artifacts, rule), RunRuleVerdict::Kept, "{name}");
    }
    for (name, canary, rule, reason) in [
        ("a star", broadcast(&[UNUSED, (TREE, STAR)]), tree, "rounds at P = "),
        ("a star of the data", broadcast(&[(TREE, STAR_OF_DATA)]), tree, "rounds at P = "),
        ("a star of real numbers", staged_broadcast(&STAR_OF_DOUBLES), tree, "rounds at P = "),
        ("a tree at known ranks", broadcast(&[(TREE, TREE_AT_KNOWN_RANKS)]), tree, "rounds at P = "),
        ("a star before `run`", staged_broadcast(&BEFORE_RUN), tree, "not in `run`"),
        ("a star received after `run`", staged_broadcast(&RECEIVED_AFTER_RUN), tree, "not in `run`"),
        (
            "a reduction over a tree at known ranks",
            reduction(&[(RUN_OF_REDUCTION, STAR_AT_OTHER_RANKS)]),
            tree,
            "rounds at P = ",
        ),
        ("divided if the input is known", integral(&DIVIDED_IF_KNOWN), distributes, ONE_RANK_COMPUTES),
        ("kept by one rank", integral(&KEPT_BY_ONE), distributes, ONE_RANK_COMPUTES),
        ("one of unknown ranks", integral(&[ONE_OF_UNKNOWN_RANKS]), distributes, ONE_RANK_COMPUTES),
        ("every rank", integral(&EVERY_RANK), distributes, ONE_RANK_COMPUTES),
        ("another stage", integral(&ANOTHER_STAGE), distributes, "too short to measure"),
        (
            "a half on every rank before `run`",
            integral(&HALF_BEFORE_RUN),
            distributes,
            "of the best sequential version",
        ),
        ("a third of the steps", integral(&[FEWER_STEPS]), distributes, "less than half of"),
    ] {
        match canary.judge(&artifacts, rule) {
            RunRuleVerdict::Broken { reason: text, .. } | RunRuleVerdict::Undecided(text) => {
                println!("{name}: {text}");
                let text = text.to_string();
                assert!(reason.split('|').any(|reason| text.contains(reason)), "{name}: {text}");
            }
            RunRuleVerdict::Kept => panic!("{name}"),
        }
    }
}
