//! An unknown key is refused in every mapping of every kind of file, in front and at the end.

use std::{collections::BTreeSet, fs, path::Path};

use serde_yaml::{Mapping, Value};
use wb_config::{CourseSettings, MachineSettings, TaskSettings};

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

const KEY: &str = "no_such_key";

type Reader = fn(&str) -> Result<(), String>;

fn files() -> [(&'static str, String, Reader); 3] {
    let course = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasks/course.yaml");
    let course = fs::read_to_string(course).expect("the course of this workspace");
    [
        ("task", TASK.to_owned(), |text| read(TaskSettings::parse("x.yaml".as_ref(), text))),
        ("course", course, |text| read(CourseSettings::parse("x.yaml".as_ref(), text))),
        ("machine", MACHINE.to_owned(), |text| read(MachineSettings::parse("x.yaml".as_ref(), text))),
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
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeSet::new();
    for file in fs::read_dir(sources).expect("the sources") {
        let text = fs::read_to_string(file.expect("an entry").path()).expect("a source");
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
    found
}

#[test]
fn every_struct_refuses_a_key_that_it_does_not_know() {
    let mut refusals = BTreeSet::new();
    for (file, text, reader) in files() {
        assert_eq!(reader(&text), Ok(()), "{file}");
        let root: Value = serde_yaml::from_str(&text).expect("YAML");
        insert_key_everywhere(&root, &mut Vec::new(), &mut |planted| {
            let message = reader(&planted).expect_err(&format!("{file} accepts\n{planted}"));
            let (_, message) = message.split_once(&format!("unknown field `{KEY}`, ")).expect(&message);
            refusals.insert(message.lines().next().unwrap_or_default().to_owned());
        });
    }
    // Each struct lists other keys, so as many structs were reached as there are.
    let structs = structs();
    assert_eq!(refusals.len(), structs.len(), "{structs:?}\n{refusals:#?}");
    assert!(structs.len() >= 19);
}
