//! A real OpenSHMEM library in real jobs: its verbs, its barriers, and our programs on it, beside MPI in one process.
//!
//! This program starts itself under the launcher; each PE leaves a file that lists what it has kept. Where there is no
//! such library, or it cannot run here, every test is *skipped* with the reason, and counted as that.
mod checks;
mod pe;

use std::{
    env, fs,
    process::{Command, ExitCode},
    time::Duration,
};

use wb_comm::ProcessRanks;
use wb_shmem::oshmem::{Algorithm, ShmemLibrary};
use wb_tests::job::{self, JobOutput};

/// Its value makes a process a PE, and names the folder of its file.
const FOLDER: &str = "WBTEST_OSHMEM_FOLDER";
/// What the PE is to do.
const ROLE: &str = "WBTEST_OSHMEM_ROLE";
const LIMIT: Duration = Duration::from_secs(120);

enum TestStatus {
    Passed,
    Skipped(String),
}

type Test = (&'static str, fn() -> Result<TestStatus, String>);

const TESTS: &[Test] = &[
    ("a_process_that_is_no_pe_is_told", a_process_that_is_no_pe_is_told),
    ("randomised_addresses_are_refused", randomised_addresses_are_refused),
    ("one_pe_keeps_everything", || everything(1, Algorithm::Default)),
    ("two_pes_keep_everything", || everything(2, Algorithm::Default)),
    ("three_pes_keep_everything", || everything(3, Algorithm::Default)),
    ("four_pes_keep_everything", || everything(4, Algorithm::Default)),
    ("two_pes_keep_everything_with_the_basic_algorithm", || everything(2, Algorithm::Basic)),
    ("canary_a_check_that_fails_is_reported", canary_a_check_that_fails_is_reported),
];

fn main() -> ExitCode {
    if let Some(folder) = env::var_os(FOLDER) {
        return pe::main(folder.as_ref(), &env::var(ROLE).unwrap_or_default());
    }
    let filter = env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for (name, test) in TESTS.iter().filter(|(name, _)| name.contains(&filter)) {
        let counted = match test() {
            Ok(TestStatus::Passed) => (&mut passed, "ok".to_owned()),
            Ok(TestStatus::Skipped(reason)) => (&mut skipped, format!("ignored, SKIP: {reason}")),
            Err(why) => (&mut failed, format!("FAILED\n{why}")),
        };
        *counted.0 += 1;
        println!("test {name} ... {}", counted.1);
    }
    let filtered = TESTS.len() - passed - failed - skipped;
    let verdict = if failed == 0 { "ok" } else { "FAILED" };
    println!(
        "\ntest result: {verdict}. {passed} passed; {failed} failed; {skipped} ignored; 0 measured; {filtered} filtered out"
    );
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Why jobs cannot be started here, if so.
fn unavailable_reason() -> Option<String> {
    let possible = wb_shmem::oshmem::available()
        .and_then(|()| wb_shmem::oshmem::without_randomisation(&mut Command::new("true")));
    possible.err().map(|reason| reason.to_string())
}

fn job(size: usize, role: &str, algorithm: Algorithm, randomised: bool) -> Result<JobOutput, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut command = job::launcher_command(size, FOLDER, folder.path());
    command.env(ROLE, role).envs(algorithm.environment());
    if !randomised {
        wb_shmem::oshmem::without_randomisation(&mut command).map_err(|error| error.to_string())?;
    }
    job::run_to_end(command, size, folder.path(), LIMIT)
}

/// Every PE kept every check, and the launcher calls the job a success.
fn job_status(left: &JobOutput, size: usize) -> Result<TestStatus, String> {
    for (pe, file) in left.by_rank.iter().enumerate() {
        let expected: Vec<_> = checks::ALL.iter().map(|(name, _)| *name).collect();
        let kept: Vec<_> = file.lines().collect();
        if kept != expected {
            return Err(format!(
                "P = {size}, PE {pe} kept {} of {}\n{}",
                kept.len(),
                expected.len(),
                left.output
            ));
        }
    }
    match left.success {
        true => Ok(TestStatus::Passed),
        false => Err(format!("P = {size}: everything was kept, but the job failed\n{}", left.output)),
    }
}

fn everything(size: usize, algorithm: Algorithm) -> Result<TestStatus, String> {
    match unavailable_reason() {
        Some(reason) => Ok(TestStatus::Skipped(reason)),
        None => job_status(&job(size, pe::CHECK, algorithm, false)?, size),
    }
}

fn canary_a_check_that_fails_is_reported() -> Result<TestStatus, String> {
    if let Some(reason) = unavailable_reason() {
        return Ok(TestStatus::Skipped(reason));
    }
    let left = job(2, pe::BREAK, Algorithm::Default, false)?;
    match job_status(&left, 2) {
        Err(why) if why.contains("left episode 1 before PE 1 entered") => Ok(TestStatus::Passed),
        Err(why) => Err(format!("reported for another reason: {why}")),
        Ok(_) => Err(format!("a barrier that does not wait is not found\n{}", left.output)),
    }
}

fn randomised_addresses_are_refused() -> Result<TestStatus, String> {
    if let Some(reason) = unavailable_reason() {
        return Ok(TestStatus::Skipped(reason));
    }
    if !fs::read_to_string("/proc/sys/kernel/randomize_va_space").is_ok_and(|level| level.trim() != "0") {
        return Ok(TestStatus::Skipped("this system randomises no addresses".into()));
    }
    let left = job(2, pe::START, Algorithm::Default, true)?;
    match left.by_rank.iter().all(|file| file.contains("addresses are randomised") && file.contains("13621"))
    {
        true => Ok(TestStatus::Passed),
        false => Err(format!("the PEs wrote {:?}\n{}", left.by_rank, left.output)),
    }
}

/// A process that no launcher has started, also one that is linked with another MPI.
fn a_process_that_is_no_pe_is_told() -> Result<TestStatus, String> {
    let is_open_mpi = wb_mpi::MPI.library().implementation == "Open MPI";
    let part = match unavailable_reason() {
        _ if !is_open_mpi => "not Open MPI",
        None => "start it with Open MPI's launcher",
        Some(reason) => return Ok(TestStatus::Skipped(reason)),
    };
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut command = job::plain_command(FOLDER, folder.path());
    command.env(ROLE, pe::START);
    let left = job::run_to_end(command, 1, folder.path(), LIMIT)?;
    match left.by_rank[0].contains(part) {
        true => Ok(TestStatus::Passed),
        false => Err(format!("it wrote {:?}, not {part:?}\n{}", left.by_rank[0], left.output)),
    }
}

/// Prints why the library does not start, or that it does.
fn start_message() -> String {
    ShmemLibrary::start().map_or_else(|reason| reason.to_string(), |_| "started".into())
}
