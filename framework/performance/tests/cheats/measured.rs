//! Cheats whose answers are right and whose times would look good: the judge measures them in the sandbox.
use std::{env, fs, process::ExitCode};

use wb_course::{PerformanceDoubt, PerformanceEvidence, ScalingEvidence};
use wb_performance::{BenchmarkProgram, Package};
use wb_record::read_all;
use workbench::{Assignment, AssignmentId, GradedInput, Verdict};

use super::{
    RECORDS, folder_of_task, judge_command,
    timed_cheat::{SquaresOfRange, TimedCheat},
};

/// The names of programs begin with this; then come the sequential and the parallel version.
const PREFIX: &str = "timed-";

/// Set for the judge of these programs.
pub(crate) const IS_JUDGED: &str = "WBTEST_MEASURED_CHEATS";

const SETTINGS: &str = "student: Ivan Ivanov\ngroup: 3823B1PR1\ntask_number: 3\nvariant: 1\nkind: computation\n\
    status: { seq: enabled, mpi: enabled }\nperformance:\n  workloads:\n    - { name: numbers, size: 100000000 }\n  \
    ranks: [1, 2]\n";

const HONEST: TimedCheat = TimedCheat::Shared(50);

/// The instructor's sequential version.
impl Default for TimedCheat {
    fn default() -> Self {
        HONEST
    }
}

impl Assignment for SquaresOfRange {
    const ID: AssignmentId = AssignmentId::from_package("assignment_3_1_squares", "");
    const GRADED_RANKS: &'static [usize] = &[2];
    type Reference = TimedCheat;

    fn graded_inputs(_ranks: usize, seed: u64) -> Vec<GradedInput<[u64; 2]>> {
        vec![GradedInput::new("a few numbers", [1 + seed % 1000, 100])]
    }

    fn refused_inputs(_ranks: usize) -> Vec<GradedInput<[u64; 2]>> {
        vec![]
    }

    fn compare(output: &u64, expected: &u64) -> Verdict {
        Verdict::equal(output, expected)
    }
}

/// The versions that this program is, by its name.
pub(crate) fn of_this_program() -> Option<BenchmarkProgram> {
    let program = env::current_exe().ok()?;
    let (seq, mpi) = program.file_name()?.to_str()?.strip_prefix(PREFIX)?.split_once('-')?;
    Some(BenchmarkProgram::for_assignment(version(seq)?, version(mpi)?))
}

fn version(name: &str) -> Option<TimedCheat> {
    Some(match name {
        "honest" => HONEST,
        "one rank only" => TimedCheat::OneRankOnly,
        "cached" => TimedCheat::Cached,
        "formula and sleep" => TimedCheat::FormulaAndSleep,
        "formula on many ranks" => TimedCheat::FormulaOnManyRanks,
        "work in preprocessing" => TimedCheat::WorkInPreprocessing,
        "slowed by sleep" => TimedCheat::SlowedBySleep,
        "slowed by spin" => TimedCheat::SlowedBySpin,
        _ => return None,
    })
}

/// `main` of the judge of these programs.
pub(crate) fn judge_main(package: Package) -> ExitCode {
    let program = BenchmarkProgram::of_judge::<SquaresOfRange>();
    wb_performance::judge_main::<SquaresOfRange>(package, workbench::backends(), &program)
}

/// What a grade gets of the measurements of these two versions.
fn measure(seq: &str, mpi: &str) -> ScalingEvidence {
    let root = tempfile::tempdir().expect("a folder");
    let folder = folder_of_task(root.path(), "timed", SETTINGS);
    let mut judge = judge_command(&folder, &format!("{PREFIX}{seq}-{mpi}"));
    let output = judge.args(["--wb-quick", "--wb-sandbox"]).env(IS_JUDGED, "1").output().expect("it starts");
    let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let records = fs::read_to_string(folder.join(RECORDS)).unwrap_or_default();
    let records = read_all(&records).unwrap_or_else(|error| panic!("{error}: {printed}"));
    match wb_report::performance_evidence(&records) {
        PerformanceEvidence::Scaling(scaling) => scaling,
        other => panic!("{other:?}: {printed}"),
    }
}

pub(crate) fn a_slow_base_and_work_before_the_run_earn_nothing() {
    let measured = measure("slowed by spin", "work in preprocessing");
    assert_ne!(measured.base, "seq", "{measured:?}");
    assert_eq!(measured.region, "pipeline", "{measured:?}");
    assert!(measured.speedup.high < 1.5, "{measured:?}");
    assert!(!measured.doubts.contains(&PerformanceDoubt::Waits), "{measured:?}");
}

pub(crate) fn a_formula_that_sleeps_is_seen_to_wait() {
    let measured = measure("formula and sleep", "formula and sleep");
    assert!(measured.doubts.contains(&PerformanceDoubt::Waits), "{measured:?}");
}
