//! What the watchdog of functional tests finds in the programs when their ranks are processes.
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs, io,
    time::Duration,
};

use wb_comm::Code;
use wb_functional::programs::{self, BareProgram, ProgramFindings};
use wb_runner::Backends;

use super::{BugProgram, DetectedBy};

/// The programs that run as processes: the right ones, which share a job for each number of ranks, and of the wrong ones, most of
/// which end their job, the first of each class and code. Threads, virtual time and the model checker run all programs; what
/// processes add is the library's calls, their traces and the replay, which are the same for all programs of a class and code.
pub fn representatives() -> Vec<&'static BugProgram> {
    let (mut classes, mut codes) = (BTreeSet::new(), BTreeSet::new());
    let by_run = super::all().iter().filter(|program| program.detected_by == DetectedBy::Run);
    let mut is_first = |program: &&BugProgram| {
        let has_new_code = program.expected.iter().filter(|mark| codes.insert(mark.code)).count() > 0;
        classes.insert(program.class) || has_new_code
    };
    by_run.filter(|program| !program.is_wrong() || is_first(program)).collect()
}

/// The classes whose mistakes real ranks do not find, and why; threads and virtual time find them in every run.
pub const UNDETECTED_CLASSES: [(&str, &str); 1] = [(
    "global_concurrency",
    "what orders accesses is who had a lock or changed a word before whom, and no rank writes that down",
)];

/// The codes that real ranks do not find, and why; threads and virtual time do.
pub const UNDETECTED_CODES: [(Code, &str); 2] = [
    (Code::NotAssociative, "the library combines the ranks itself, and no rank sees two ways to do it"),
    (Code::FileRace, "no rank sees which bytes the others access"),
];

/// The program with those marks that real ranks can find.
pub fn detectable(bug_program: &BugProgram) -> BugProgram {
    let unseen = UNDETECTED_CLASSES.iter().any(|(class, _)| *class == bug_program.class);
    let is_seen = |code: Code| !unseen && UNDETECTED_CODES.iter().all(|(unseen, _)| *unseen != code);
    let marks = bug_program.expected.iter().filter(|mark| is_seen(mark.code)).cloned().collect();
    BugProgram { expected: marks, ..bug_program.clone() }
}

/// What a program may take; short, since each that hangs takes all of it.
pub const LIMIT: Duration = Duration::from_millis(300);

/// Runs these programs, by the launcher of the library that is linked; `None` in a process that is one of their ranks.
///
/// # Errors
/// As [`programs::run_programs`].
pub fn run_as_processes(
    backends: Backends,
    bug_programs: &[&BugProgram],
) -> io::Result<Option<BTreeMap<String, ProgramFindings>>> {
    // Their files are in a folder apart from the sources: parent and ranks work there.
    let folder = env::temp_dir().join("wb-zoo-files");
    fs::create_dir_all(&folder)?;
    env::set_current_dir(&folder)?;
    let program = |bug_program: &&BugProgram| BareProgram {
        name: bug_program.file(),
        ranks: bug_program.ranks,
        body: bug_program.program,
    };
    programs::run_programs(backends, &bug_programs.iter().map(program).collect::<Vec<_>>(), LIMIT)
}
