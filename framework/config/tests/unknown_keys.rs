//! An unknown key is refused in every mapping of every kind of file, in front and at the end.

use std::{collections::BTreeSet, fs, path::Path};

use serde_yaml::{Mapping, Value};
use wb_config::{ConfirmedSimilarities, CourseSettings, MachineSettings, Overrides, TaskSettings};

/// A machine with everything that a machine can have.
const MACHINE: &str = "
about: { en: Everything, ru: Всё }
cores_per_group: 2
groups_per_node: 2
links:
  core: { latency_ns: 1, overhead_ns: 1, gap_ns: 1, byte_ps: 1, copy_ps: 1, eager_bytes: 1, pieces: [
    { from_bytes: 1, overhead_ns: 1, copy_ps: 1, serial_ns: 1, byte_ps: 1 } ] }
  node: { latency_ns: 1, overhead_ns: 1, gap_ns: 1, byte_ps: 1, copy_ps: 1, eager_bytes: 1 }
  network: { latency_ns: 1, overhead_ns: 1, gap_ns: 1, byte_ps: 1, copy_ps: 1, eager_bytes: 1 }
cards: { per_node: 1, gap_ns: 1 }
core: { flops_per_second: 1, memory_bytes_per_second: 1, poll_ns: 1 }
storage: { latency_ns: 1, bytes_per_second: 1 }
noise: { every_ns: 1, detour_ns: 1 }
calibration: { date: 2027-03-14, library: MPI, points: 1, median_residual: 0, largest_residual: 0 }
";

const TASK: &str = "
student: A B
group: G
task_number: 1
variant: 1
title: { en: Sum }
kind: computation
status: { seq: enabled, mpi: enabled }
performance: { workloads: [{ name: small, size: 3 }], ranks: [1, 2] }
";

/// A course with everything that a course can have.
const COURSE: &str = "
title: { en: Course }
synthetic: false
time_zone: Europe/Moscow
limits: { functional_seconds: 1, performance_seconds: 1, program_seconds: 600 }
efficiency_bands: [{ from_percent: 50, points_percent: 100 }]
pipeline_decides_below_percent: 50
total_points: 3
marks: [{ from_percent: 50, mark: passed }]
streams: [{ name: Stream, groups: [G] }]
assignments:
  - { number: 1, title: { en: A }, points: { mpi: 1, seq: 0, performance: 0, report: 0 }, deadline: 2027-03-07,
      deadlines: { G: 2027-03-08T18:00 }, rules: [tree], variants: [
      { number: 1, short: sum, title: { en: Sum }, kind: communication, rules: [any-root] } ] }
  - { number: 2, title: { en: B }, points: { mpi: 1, seq: 0, performance: 0, report: 0 }, deadline: 2027-04-07 }
  - { number: 3, title: { en: C }, points: { mpi: 1, seq: 0, performance: 0, report: 0 }, deadline: 2027-05-07 }
penalties: { late_points_per_day: 1, copied_share_of_solution: 0.5 }
communication: { counts_percent: 50, library_factor: 3 }
extensions: [{ login: ivanov_i, assignment: 1, until: 2027-03-20, reason: ill, by: Petrov }]
cluster: { partition: p, account: a, minutes: 1, nodes: 1, ranks_per_node: 1, sbatch: [--exclusive], hosts: h, map: core }
variant_seed: 1
";

const OVERRIDES: &str = "
- { login: ivanov_i, assignment: 1, letter: S, points: 2.5, by: Petrov, at: 2027-03-20, reason: seen in class }
";

const SIMILARITY: &str = "
- { assignment: 1, variant: 2, logins: [ivanov_i, petrov_p], archive: 2026/petrov_p_dot, part: seq, by: Petrov, at: 2027-03-20, reason: talk }
";

const KEY: &str = "no_such_key";

type Reader = fn(&str) -> Result<(), String>;

fn files() -> [(&'static str, &'static str, Reader); 5] {
    [
        ("task", TASK, |text| read(TaskSettings::parse("x.yaml".as_ref(), text))),
        ("course", COURSE, |text| read(CourseSettings::parse("x.yaml".as_ref(), text))),
        ("overrides", OVERRIDES, |text| read(Overrides::parse("x.yaml".as_ref(), text))),
        ("similarity", SIMILARITY, |text| read(ConfirmedSimilarities::parse("x.yaml".as_ref(), text))),
        ("machine", MACHINE, |text| read(MachineSettings::parse("x.yaml".as_ref(), text))),
    ]
}

fn read<T>(settings: wb_config::Result<T>) -> Result<(), String> {
    settings.map(drop).map_err(|error| error.to_string())
}

/// One step down into a document.
enum DocumentStep {
    Key(Value),
    Item(usize),
}

impl DocumentStep {
    fn get<'v>(&self, value: &'v Value) -> &'v Value {
        match self {
            Self::Key(key) => &value[key],
            Self::Item(at) => &value[at],
        }
    }

    fn get_mut<'v>(&self, value: &'v mut Value) -> &'v mut Value {
        match self {
            Self::Key(key) => &mut value[key],
            Self::Item(at) => &mut value[at],
        }
    }
}

/// Calls `visit` with the document in which the key is in one more mapping, for every mapping.
fn insert_key_everywhere(root: &Value, path: &mut Vec<DocumentStep>, visit: &mut dyn FnMut(String)) {
    let here = path.iter().fold(root, |value, step| step.get(value));
    match here.clone() {
        // The keys of this mapping are names of groups.
        Value::Mapping(_) if matches!(path.last(), Some(DocumentStep::Key(key)) if key == "deadlines") => {}
        Value::Mapping(mapping) => {
            for at_end in [false, true] {
                let mut planted = root.clone();
                let target = path.iter().fold(&mut planted, |value, step| step.get_mut(value));
                *target = Value::Mapping(with_key(&mapping, at_end));
                visit(serde_yaml::to_string(&planted).expect("YAML"));
            }
            for key in mapping.keys() {
                path.push(DocumentStep::Key(key.clone()));
                insert_key_everywhere(root, path, visit);
                path.pop();
            }
        }
        Value::Sequence(items) => {
            for at in 0..items.len() {
                path.push(DocumentStep::Item(at));
                insert_key_everywhere(root, path, visit);
                path.pop();
            }
        }
        _ => {}
    }
}

fn with_key(mapping: &Mapping, at_end: bool) -> Mapping {
    let mut planted = Mapping::new();
    let key = || (Value::from(KEY), Value::from(1));
    planted.extend((!at_end).then(key));
    planted.extend(mapping.clone());
    planted.extend(at_end.then(key));
    planted
}

/// The structs of this crate's sources that are read with named fields.
fn structs() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    structs_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    found
}

fn structs_in(folder: &Path, found: &mut BTreeSet<String>) {
    for file in fs::read_dir(folder).expect("the sources") {
        let path = file.expect("an entry").path();
        if path.is_dir() {
            structs_in(&path, found);
            continue;
        }
        let text = fs::read_to_string(path).expect("a source");
        for (derived, rest) in
            text.match_indices("#[derive(").map(|(at, _)| text[at..].split_once(")]").expect("it ends"))
        {
            let item = rest.lines().find(|line| line.starts_with("pub "));
            let name = item.and_then(|item| item.strip_prefix("pub struct ")?.strip_suffix(" {"));
            if derived.contains("Deserialize") {
                found.extend(name.map(str::to_owned));
            }
        }
    }
}

#[test]
fn every_struct_refuses_a_key_that_it_does_not_know() {
    let mut refusals = BTreeSet::new();
    for (file, text, reader) in files() {
        assert_eq!(reader(text), Ok(()), "{file}");
        let root: Value = serde_yaml::from_str(text).expect("YAML");
        insert_key_everywhere(&root, &mut Vec::new(), &mut |planted| {
            let message = reader(&planted).expect_err(&format!("{file} accepts\n{planted}"));
            let (_, message) = message.split_once(&format!("unknown field `{KEY}`, ")).expect(&message);
            refusals.insert(message.lines().next().unwrap_or_default().to_owned());
        });
    }
    // Each struct lists other keys, so as many structs were reached as there are.
    let structs = structs();
    assert_eq!(refusals.len(), structs.len(), "{structs:?}\n{refusals:#?}");
    assert!(structs.len() >= 24);
}
