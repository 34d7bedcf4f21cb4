//! The judge of an assignment from its command line to its records: this program is the judge, and a copy of it is the
//! program of a student, whose ranks are started by MPI's launcher where there is one.
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Output},
};

use assignment_2_7_ring::{Delivery, Letter, Reference, Ring};
use libtest_mimic::{Arguments, Failed, Trial};
use wb_performance::{BenchmarkProgram, Package};
use wb_record::{Measurement, Provenance, Record, SeriesFailure, Sweep, TestOutcome, Version, read_all};
use workbench::{Invalid, Place, Rooted, Task, World};

#[path = "../../tasks/assignment_2_1_broadcast/benches/judge.rs"]
mod broadcast_judge;
#[path = "../../tasks/assignment_2_7_ring/tests/solution/mod.rs"]
mod ring;
#[path = "../../tasks/assignment_2_7_ring/benches/judge.rs"]
mod ring_judge;
#[path = "../../tasks/assignment_2_4_scatter/tests/solution/mod.rs"]
mod scatter;
#[path = "../../tasks/assignment_2_4_scatter/benches/judge.rs"]
mod scatter_judge;
#[path = "judge/verbs.rs"]
mod verbs;

use verbs::OneElementOnly;

/// Names the assignment that is judged, for the judge and for the ranks.
const ASSIGNMENT: &str = "WBTEST_ASSIGNMENT";

/// The name of the student's program: the judge's ranks are started by its own name.
const STUDENT: &str = "student";

fn main() -> ExitCode {
    let Ok(assignment) = std::env::var(ASSIGNMENT) else {
        return libtest_mimic::run(&Arguments::from_args(), tests()).exit_code();
    };
    let own_name = std::env::args().next().unwrap_or_default();
    let is_student = Path::new(&own_name).file_name().is_some_and(|name| name == STUDENT);
    if is_student {
        let package = Package { folder: env!("CARGO_MANIFEST_DIR"), name: "judged" };
        return wb_performance::main(package, workbench::backends(), &students_program(&assignment));
    }
    match assignment.as_str() {
        "scatter" => scatter_judge::main(),
        "ring" | "ring: a shortcut" => ring_judge::main(),
        _ => broadcast_judge::main(),
    }
}

/// The program of a student who solves the assignment.
fn students_program(assignment: &str) -> BenchmarkProgram {
    let broadcast = || BenchmarkProgram::for_assignment(nalitov_d_broadcast::Seq, nalitov_d_broadcast::Mpi);
    match assignment {
        "broadcast" => broadcast().with_communication(nalitov_d_broadcast::Mpi),
        "broadcast of one element" => broadcast().with_communication(OneElementOnly),
        "scatter" => {
            let scatter = BenchmarkProgram::for_assignment(scatter::Star, scatter::Star);
            scatter.with_communication(scatter_judge::LibraryScatter)
        }
        "ring" => BenchmarkProgram::for_assignment(ring::Passing, ring::Passing),
        "ring: a shortcut" => BenchmarkProgram::for_assignment(ring::Passing, Shortcut),
        unknown => panic!("no solution of {unknown}"),
    }
}

fn tests() -> Vec<Trial> {
    vec![
        Trial::test("an_honest_scatter_is_right_and_a_verb_of_the_library_is_refused", || {
            measured_series_are_right("scatter", 4, "only point-to-point messages are allowed here")
        }),
        Trial::test("an_honest_ring_is_right_and_a_missing_verb_is_named", || {
            measured_series_are_right("ring", 7, "the task has no verb")
        }),
        Trial::test("data_that_do_not_take_the_required_way_are_found", data_beside_the_ring),
        Trial::test("a_verb_is_measured_beside_the_librarys", verb_is_measured),
        Trial::test("a_verb_that_leaves_other_elements_is_wrong", wrong_verb),
    ]
}

/// What a judge printed and recorded.
struct Judged {
    output: Output,
    records: Vec<Record>,
}

impl Judged {
    fn text(&self) -> String {
        let Output { stdout, stderr, .. } = &self.output;
        format!("{}\n{}", String::from_utf8_lossy(stdout), String::from_utf8_lossy(stderr))
    }

    fn measurements(&self) -> impl Iterator<Item = &Measurement> {
        self.records.iter().map(|record| &record.measurement)
    }

    fn sweeps(&self) -> impl Iterator<Item = &Sweep> {
        self.measurements().filter_map(|measurement| match measurement {
            Measurement::Sweep(sweep) => Some(sweep),
            _ => None,
        })
    }
}

/// Judges the student's solution of a variant of assignment 2 on `ranks`, in a workspace of its own.
fn judge(assignment: &str, variant: u8, ranks: &str) -> Judged {
    let root = tempfile::tempdir().expect("a folder");
    let (task, program) = workspace(root.path(), variant);
    let records = root.path().join("records.jsonl");
    let mut command = Command::new(std::env::current_exe().expect("this program has a name"));
    command.args(["--bench", "--wb-quick", "--wb-lang", "en", "--wb-ranks", ranks]);
    command.arg("--wb-task").arg(task).arg("--wb-program").arg(program).arg("--wb-records").arg(&records);
    command.env(ASSIGNMENT, assignment).env_remove("WB_PERF_MAX_TIME");
    let output = command.output().expect("this program starts");
    let text = fs::read_to_string(&records).unwrap_or_default();
    Judged { output, records: read_all(&text).expect("records are readable") }
}

/// The folder of the task, and the program of the student.
fn workspace(root: &Path, variant: u8) -> (PathBuf, PathBuf) {
    let course = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tasks/course.yaml");
    let (task, program) = (root.join("tasks/ivanov_i_task"), root.join(STUDENT));
    fs::create_dir_all(&task).expect("a folder");
    fs::copy(course, root.join("tasks/course.yaml")).expect("the course's settings");
    fs::write(root.join("Cargo.toml"), "[workspace]\n").expect("written");
    let workload = if variant == 7 { "around" } else { "double" };
    let settings = format!(
        "student: A B\ngroup: G\ntask_number: 2\nvariant: {variant}\nkind: communication\n\
         status: {{seq: disabled, mpi: enabled}}\n\
         performance: {{workloads: [{{name: {workload}, size: 1003}}], ranks: [1, 2]}}\n"
    );
    fs::write(task.join("task.yaml"), settings).expect("written");
    std::os::unix::fs::symlink(std::env::current_exe().expect("it has a name"), &program).expect("a link");
    (task, program)
}

/// Every verdict and every measured output on 2 and on 4 ranks is right; the sweep fails for `reason`.
fn measured_series_are_right(assignment: &str, variant: u8, reason: &str) -> Result<(), Failed> {
    let judged = judge(assignment, variant, "2,4");
    let text = judged.text();
    for ranks in [2, 4] {
        let verdicts: Vec<_> = judged
            .measurements()
            .filter_map(|measurement| match measurement {
                Measurement::Functional(verdict) if verdict.ranks == ranks => Some(verdict.verdict),
                _ => None,
            })
            .collect();
        assert!(verdicts.len() > 5 && verdicts.iter().all(|one| *one == TestOutcome::Pass), "{text}");
        let repetitions: Vec<_> = judged
            .measurements()
            .filter_map(|measurement| match measurement {
                Measurement::Timing(timing) if timing.series.ranks == ranks => Some(&timing.repetitions),
                _ => None,
            })
            .flatten()
            .collect();
        let is_right = repetitions.iter().all(|repetition| repetition.correct == Some(true));
        assert!(!repetitions.is_empty() && is_right, "P = {ranks}: {text}");
    }
    let failures = judged.measurements().filter_map(|measurement| match measurement {
        Measurement::Outcome(outcome) if outcome.series.version == Version::Mpi => outcome.failure.as_ref(),
        _ => None,
    });
    for failure in failures {
        assert!(matches!(failure, SeriesFailure::TooShort { .. }), "{failure:?}: {text}");
    }
    assert!(!judged.output.status.success() && text.contains(reason), "{text}");
    assert_eq!(judged.sweeps().count(), 0, "{text}");
    Ok(())
}

/// The sender computes the delivery and sends one number to each other rank.
struct Shortcut;

impl Task for Shortcut {
    type Problem = Ring;
    type Prepared = Rooted<Letter>;
    type Raw = Rooted<Delivery>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Letter, ranks: usize) -> std::result::Result<(), Invalid> {
        ring::Passing.validation(input, ranks)
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Letter>) -> workbench::Result<Rooted<Letter>> {
        Ok(input)
    }

    fn run(&self, world: &World, letter: &Rooted<Letter>) -> workbench::Result<Rooted<Delivery>> {
        if let Some(letter) = letter.as_ref().here() {
            for rank in (0..world.size()).filter(|rank| *rank != world.rank()) {
                world.send(&[0], rank, 1)?;
            }
            return Reference.run(world, letter).map(Rooted::Here);
        }
        world.recv_vec::<i32>(workbench::Source::Any, 1)?;
        Ok(Rooted::Elsewhere)
    }

    fn postprocessing(&self, _: &World, delivery: Rooted<Delivery>) -> workbench::Result<Rooted<Delivery>> {
        Ok(delivery)
    }
}

fn data_beside_the_ring() -> Result<(), Failed> {
    let judged = judge("ring: a shortcut", 7, "2,4");
    for ranks in [2, 4] {
        let verdict = judged.measurements().find_map(|measurement| match measurement {
            Measurement::Functional(verdict) if verdict.ranks == ranks => Some(verdict),
            _ => None,
        });
        let verdict = verdict.expect("the first graded input");
        let reason = verdict.reason.as_deref().unwrap_or_default();
        assert_eq!(verdict.verdict, TestOutcome::Fail, "{}", judged.text());
        assert!(reason.ends_with("byte(s), and 24 have to pass it"), "{reason}");
    }
    Ok(())
}

fn verb_is_measured() -> Result<(), Failed> {
    let judged = judge("broadcast", 1, "4");
    let text = judged.text();
    assert!(judged.output.status.success(), "{text}");
    assert!(judged.records.iter().all(|record| record.provenance == Some(Provenance::Judge)), "{text}");
    assert!(judged.sweeps().count() >= 2, "{text}");
    for sweep in judged.sweeps() {
        let of_library = if workbench::backends().processes.is_some() { "MPI_Bcast" } else { "World::bcast" };
        assert_eq!((&*sweep.library_call, sweep.ranks, sweep.correct), (of_library, 4, true), "{text}");
        assert_eq!(sweep.student_ns.len(), sweep.library_ns.len());
        assert!(sweep.student_ns.iter().chain(&sweep.library_ns).all(|&ns| ns > 0), "{sweep:?}");
        assert_eq!((sweep.messages, sweep.rounds), (3, Some(2)), "{sweep:?}");
        let formula = sweep.formula.as_ref().expect("the assignment's formula");
        assert_eq!((formula.messages, formula.rounds), (3, 2), "{sweep:?}");
    }
    Ok(())
}

fn wrong_verb() -> Result<(), Failed> {
    let judged = judge("broadcast of one element", 1, "4");
    let text = judged.text();
    assert!(!judged.output.status.success(), "{text}");
    let right_at: Vec<_> = judged.sweeps().map(|sweep| (sweep.count, sweep.correct)).collect();
    assert!(
        !right_at.is_empty() && right_at.iter().all(|(count, correct)| *correct == (*count == 1)),
        "{text}"
    );
    Ok(())
}
