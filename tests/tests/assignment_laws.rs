//! The laws of assignments hold for a right assignment, and each finds the fault that breaks it.
use std::{
    any::Any,
    panic::catch_unwind,
    sync::atomic::{AtomicU64, Ordering},
};

use serde::{Deserialize, Serialize};
use workbench::{
    Assignment, AssignmentId, GradedInput, Invalid, Place, Problem, Rank, Result, Rooted, Task, Verdict,
    Workload, World,
    assignment_laws::{WrongOutput, check_assignment},
};

/// A fault of an assignment, which is a type's parameter.
type Fault = u8;

const NONE: Fault = 0;
const OUTPUT_ELSEWHERE: Fault = 1;
const CONSTANT_WORKLOAD: Fault = 2;
const SAME_NAMES: Fault = 3;
const OTHER_INPUTS_EACH_CALL: Fault = 4;
const CONSTANT_INPUTS: Fault = 5;
const LOST_IN_JSON: Fault = 6;
const NO_HOME: Fault = 7;
const WRONG_REFERENCE: Fault = 8;
const REFERENCE_REFUSES_GRADED: Fault = 9;
const REFERENCE_ACCEPTS_LENGTHS: Fault = 10;
const REFERENCE_ACCEPTS_LENGTHS_ON_ONE_RANK: Fault = 11;
const REFERENCE_ACCEPTS_ROOTS: Fault = 12;
const BLIND_ORACLE: Fault = 13;
const BLIND_COMPARISON: Fault = 14;
const COMPARISON_REFUSES_ALL: Fault = 15;

/// The problem of `tasks/assignment_1_9_dot_product`, with a root, and with a fault.
struct DotProduct<const FAULT: Fault>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Vectors {
    x: Vec<f64>,
    y: Vec<f64>,
    root: usize,
    #[serde(skip)]
    lost: u8,
}

impl Vectors {
    fn new(x: &[f64], y: &[f64], root: usize) -> Self {
        Self { x: x.to_vec(), y: y.to_vec(), root, lost: 0 }
    }

    fn dot(&self) -> f64 {
        self.x.iter().zip(&self.y).map(|(x, y)| x * y).sum()
    }
}

impl<const FAULT: Fault> Problem for DotProduct<FAULT> {
    type Input = Vectors;
    type Output = f64;

    fn home(input: &Vectors, ranks: usize) -> Rank {
        if FAULT == NO_HOME { ranks } else { input.root.min(ranks - 1) }
    }

    fn workload(request: &Workload) -> Option<Vectors> {
        let seed = if FAULT == CONSTANT_WORKLOAD { 1.0 } else { request.seed as f64 };
        Some(Vectors::new(&vec![seed; request.size], &vec![1.0; request.size], 0))
    }

    fn check(input: &Vectors, output: &f64) -> Verdict {
        Verdict::of(FAULT == BLIND_ORACLE || *output == input.dot(), || "another number".to_owned())
    }
}

#[derive(Default)]
struct Reference<const FAULT: Fault>;

impl<const FAULT: Fault> Task for Reference<FAULT> {
    type Problem = DotProduct<FAULT>;
    type Prepared = Vectors;
    type Raw = f64;

    const OUTPUT: Place = if FAULT == OUTPUT_ELSEWHERE { Place::Everywhere } else { Place::Home };

    fn validation(&self, input: &Vectors, ranks: usize) -> std::result::Result<(), Invalid> {
        let accepts_lengths = FAULT == REFERENCE_ACCEPTS_LENGTHS
            || FAULT == REFERENCE_ACCEPTS_LENGTHS_ON_ONE_RANK && ranks == 1;
        Invalid::unless(accepts_lengths || input.x.len() == input.y.len(), "the lengths differ")?;
        let accepts_root = FAULT == REFERENCE_ACCEPTS_ROOTS || ranks == 1 || input.root < ranks;
        Invalid::unless(accepts_root, "there is no such root")?;
        Invalid::unless(FAULT != REFERENCE_REFUSES_GRADED || input.root == 0, "the root is not 0")
    }

    fn preprocessing(&self, _: &World, input: Rooted<Vectors>) -> Result<Vectors> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, _: &World, input: &Vectors) -> Result<f64> {
        Ok(if FAULT == WRONG_REFERENCE { input.dot() + 1.0 } else { input.dot() })
    }

    fn postprocessing(&self, _: &World, sum: f64) -> Result<Rooted<f64>> {
        Ok(Rooted::Here(sum))
    }
}

impl<const FAULT: Fault> Assignment for DotProduct<FAULT> {
    const ID: AssignmentId = AssignmentId::from_package(
        "assignment_1_9_dot_product",
        concat!(env!("CARGO_MANIFEST_DIR"), "/../tasks/assignment_1_9_dot_product"),
    );

    const GRADED_RANKS: &'static [usize] = &[1, 2, 3];

    type Reference = Reference<FAULT>;

    fn graded_inputs(ranks: usize, seed: u64) -> Vec<GradedInput<Vectors>> {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        let seed = match FAULT {
            CONSTANT_INPUTS => 1,
            OTHER_INPUTS_EACH_CALL => CALLS.fetch_add(1, Ordering::Relaxed),
            _ => seed,
        };
        let mut drawn = Vectors::new(&[seed as f64, 1.0], &[3.0, 4.0], 0);
        drawn.lost = (FAULT == LOST_IN_JSON).into();
        let last = if FAULT == SAME_NAMES { "drawn" } else { "the last root" };
        vec![
            GradedInput::new("drawn", drawn),
            GradedInput::new(last, Vectors::new(&[2.0], &[5.0], ranks - 1)),
        ]
    }

    fn refused_inputs(ranks: usize) -> Vec<GradedInput<Vectors>> {
        vec![
            GradedInput::new("other lengths", Vectors::new(&[1.0], &[], 0)),
            GradedInput::new("a root above the last rank", Vectors::new(&[1.0], &[1.0], ranks)),
        ]
    }

    fn compare(output: &f64, expected: &f64) -> Verdict {
        let is_right = match FAULT {
            BLIND_COMPARISON => true,
            COMPARISON_REFUSES_ALL => false,
            _ => output == expected,
        };
        Verdict::of(is_right, || "another number".to_owned())
    }
}

/// What the laws say of an assignment.
type BrokenLaw = fn() -> Option<String>;

/// What the laws say of the assignment with this fault; `None` where all hold.
fn broken_law<const FAULT: Fault>() -> Option<String> {
    broken_law_with::<FAULT>(&[("zero", |_, _| 0.0)])
}

fn broken_law_with<const FAULT: Fault>(
    mistakes: &'static [WrongOutput<DotProduct<FAULT>>],
) -> Option<String> {
    let panicked = catch_unwind(|| check_assignment::<DotProduct<FAULT>>(mistakes)).err()?;
    Some(message(&*panicked))
}

fn message(panicked: &(dyn Any + Send)) -> String {
    let text = panicked.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panicked.downcast_ref::<String>().cloned()).expect("a panic has a text")
}

#[test]
fn a_right_assignment_keeps_the_laws() {
    assert_eq!(broken_law::<NONE>(), None);
}

#[test]
fn each_law_finds_the_fault_that_breaks_it() {
    let faults: &[(&str, BrokenLaw)] = &[
        ("output = \"Everywhere\"", broken_law::<OUTPUT_ELSEWHERE>),
        ("a workload draws its input from the seed", broken_law::<CONSTANT_WORKLOAD>),
        ("each input has a name of its own", broken_law::<SAME_NAMES>),
        ("the same seed gives the same inputs", broken_law::<OTHER_INPUTS_EACH_CALL>),
        ("another seed gives other inputs", broken_law::<CONSTANT_INPUTS>),
        ("drawn survives as JSON", broken_law::<LOST_IN_JSON>),
        ("drawn: the input is on a rank", broken_law::<NO_HOME>),
        ("workload random on 1 rank(s)", broken_law::<WRONG_REFERENCE>),
        (
            "the last root: the reference accepts the input on 2 rank(s)",
            broken_law::<REFERENCE_REFUSES_GRADED>,
        ),
        (
            "other lengths: the reference refuses the input on 1 rank(s)",
            broken_law::<REFERENCE_ACCEPTS_LENGTHS_ON_ONE_RANK>,
        ),
        (
            "a root above the last rank: the reference refuses the input on 2 rank(s)",
            broken_law::<REFERENCE_ACCEPTS_ROOTS>,
        ),
        ("zero: the oracle does not find it on 1 rank(s)", broken_law::<BLIND_ORACLE>),
        (
            "zero: the comparison with the reference does not find it on 1 rank(s)",
            broken_law::<BLIND_COMPARISON>,
        ),
        ("drawn on 1 rank(s)", broken_law::<COMPARISON_REFUSES_ALL>),
    ];
    for (law, found) in faults {
        let found = found().unwrap_or_else(|| panic!("no law finds: {law}"));
        assert!(found.contains(law), "{law}: {found}");
    }
}

/// On one rank the reference accepts everything that some number of ranks accepts: here everything.
#[test]
fn an_input_that_is_refused_nowhere_is_found_on_more_ranks() {
    let found = broken_law::<REFERENCE_ACCEPTS_LENGTHS>().expect("it is found");
    assert!(found.contains("other lengths: the reference refuses the input on 2 rank(s)"), "{found}");
}

#[test]
fn an_assignment_without_mistakes_that_must_be_found_is_refused() {
    let found = broken_law_with::<NONE>(&[]).expect("it is found");
    assert!(found.contains("an oracle that refuses nothing proves nothing"), "{found}");
    let found = broken_law_with::<NONE>(&[("ranks: none", |_, right| right)]).expect("it is found");
    assert!(found.contains("ranks: none: the oracle does not find it on 2 rank(s)"), "{found}");
}
