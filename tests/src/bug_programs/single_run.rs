//! What a backend whose ranks are threads finds in one program.
use std::{any::Any, sync::Arc, time::Duration};

use wb_comm::{
    Finding, RankFunction, ThreadRanks,
    job::{JobOutcome, RankTermination},
};
use wb_world::World;

use super::BugProgram;

/// The longest that a program may take; a hang must be named long before.
const LIMIT: Duration = Duration::from_secs(20);

/// Runs the program once and returns the findings, or the reason why there is no result.
///
/// An error that a call returns is a finding; then what others found waiting for that rank is its consequence and is left
/// out.
///
/// # Errors
/// A rank panicked or was lost, the limit struck, or an error was returned that is not a finding.
pub fn run_once(bug_program: &BugProgram, threads: &dyn ThreadRanks) -> Result<Vec<Finding>, String> {
    findings_of(bug_program, threads.run(bug_program.ranks, Some(LIMIT), job(bug_program)))
}

/// What all ranks of a run do: the program, and then each returns its output or its error.
pub fn job(bug_program: &BugProgram) -> RankFunction {
    let program = bug_program.result;
    Arc::new(move |transport| {
        let world = World::new(transport);
        let rank = world.rank();
        let message: RankOutput = program(&world).map_err(|error| {
            Finding::from_error(rank, world.last_error_site(), &error).ok_or_else(|| error.to_string())
        });
        Box::new(message)
    })
}

/// What was found in a run that left this.
///
/// # Errors
/// As [`run_once`].
pub fn findings_of(bug_program: &BugProgram, outcome: JobOutcome) -> Result<Vec<Finding>, String> {
    with_result(bug_program, outcome).map(|(findings, _)| findings)
}

/// The same, and what came out: a line for each rank.
///
/// # Errors
/// As [`run_once`].
pub fn with_result(bug_program: &BugProgram, outcome: JobOutcome) -> Result<(Vec<Finding>, String), String> {
    if outcome.timed_out {
        return Err(format!("{}: not over in {LIMIT:?}", bug_program.file()));
    }
    let (mut message, mut unexpected, mut result) = (vec![], vec![], String::new());
    for (rank, ended) in outcome.ranks.into_iter().enumerate() {
        match rank_output(ended).map_err(|why| format!("{}, rank {rank}: {why}", bug_program.file()))? {
            Ok(here) => result += &format!("rank {rank}: {here}\n"),
            Err(Ok(finding)) if !message.contains(&finding) => message.push(finding),
            Err(Ok(_)) => {}
            Err(Err(why)) => unexpected.push(format!("{}, rank {rank}: {why}", bug_program.file())),
        }
    }
    match (message.is_empty(), outcome.findings.is_empty(), unexpected.pop()) {
        (false, ..) => Ok((message, result)),
        (_, true, Some(why)) => Err(why),
        _ => Ok((outcome.findings, result)),
    }
}

/// As a run may: once with the backend as it is, and where nothing was found, once without any buffering. What is found
/// only then is there only because a send or a collective waits.
///
/// # Errors
/// As [`run_once`].
pub fn run_buffered_and_not(
    bug_program: &BugProgram,
    as_it_is: &dyn ThreadRanks,
    unbuffered: &dyn ThreadRanks,
) -> Result<Vec<Finding>, String> {
    let found = run_once(bug_program, as_it_is)?;
    if !found.is_empty() {
        return Ok(found);
    }
    run_once(bug_program, unbuffered).map(wb_comm::diagnosis::drop_near_misses_if_buffering)
}

/// What came out of a rank's program; or its error, as a finding or as its text.
type RankOutput = Result<String, Result<Finding, String>>;

fn rank_output(ended: RankTermination) -> Result<RankOutput, String> {
    match ended {
        RankTermination::Returned(value) => {
            Ok(*<Box<dyn Any + Send>>::downcast::<RankOutput>(value).expect("the job returns this"))
        }
        RankTermination::Panicked(text) => Err(format!("panicked: {text}")),
        RankTermination::Unfinished | RankTermination::Starved(_) => Err("lost".to_owned()),
    }
}
