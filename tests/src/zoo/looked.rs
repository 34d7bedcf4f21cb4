//! What a backend whose ranks are threads finds in one program.
use std::{any::Any, sync::Arc, time::Duration};

use wb_comm::{
    Finding, Threads, ThreadsJob,
    job::{Ended, Outcome},
};
use wb_world::World;

use super::Animal;

/// The longest that a program may take; a hang must be named long before.
const LIMIT: Duration = Duration::from_secs(20);

/// Runs the program once and gives what was found, or why that cannot be said.
///
/// An error that a call returns is a finding; then what others found waiting for that rank is its consequence and is left
/// out.
///
/// # Errors
/// A rank panicked or was lost, the limit struck, or an error was returned that is no finding.
pub fn once(animal: &Animal, threads: &dyn Threads) -> Result<Vec<Finding>, String> {
    judged(animal, threads.run(animal.ranks, Some(LIMIT), job(animal)))
}

/// What all ranks of a run do: the program, and then each tells what came out, or its error.
pub fn job(animal: &Animal) -> ThreadsJob {
    let program = animal.result;
    Arc::new(move |transport| {
        let world = World::new(transport);
        let rank = world.rank();
        let told: Told = program(&world).map_err(|error| {
            Finding::of_error(rank, world.refused(), &error).ok_or_else(|| error.to_string())
        });
        Box::new(told)
    })
}

/// What was found in a run that left this.
///
/// # Errors
/// As [`once`].
pub fn judged(animal: &Animal, outcome: Outcome) -> Result<Vec<Finding>, String> {
    with_result(animal, outcome).map(|(findings, _)| findings)
}

/// The same, and what came out: a line for each rank.
///
/// # Errors
/// As [`once`].
pub fn with_result(animal: &Animal, outcome: Outcome) -> Result<(Vec<Finding>, String), String> {
    if outcome.timed_out {
        return Err(format!("{}: not over in {LIMIT:?}", animal.file()));
    }
    let (mut told, mut strange, mut result) = (vec![], vec![], String::new());
    for (rank, ended) in outcome.ranks.into_iter().enumerate() {
        match told_by(ended).map_err(|why| format!("{}, rank {rank}: {why}", animal.file()))? {
            Ok(here) => result += &format!("rank {rank}: {here}\n"),
            Err(Ok(finding)) if !told.contains(&finding) => told.push(finding),
            Err(Ok(_)) => {}
            Err(Err(why)) => strange.push(format!("{}, rank {rank}: {why}", animal.file())),
        }
    }
    match (told.is_empty(), outcome.findings.is_empty(), strange.pop()) {
        (false, ..) => Ok((told, result)),
        (_, true, Some(why)) => Err(why),
        _ => Ok((outcome.findings, result)),
    }
}

/// As a run may: once with the backend as it is, and where nothing was found, once without any buffering. What is found
/// only then is there only because a send or a collective waits.
///
/// # Errors
/// As [`once`].
pub fn both_ways(
    animal: &Animal,
    as_it_is: &dyn Threads,
    unbuffered: &dyn Threads,
) -> Result<Vec<Finding>, String> {
    let found = once(animal, as_it_is)?;
    if !found.is_empty() {
        return Ok(found);
    }
    once(animal, unbuffered).map(wb_comm::diagnosis::of_buffers_only)
}

/// What came out of a rank's program; or its error, as a finding or as its text.
type Told = Result<String, Result<Finding, String>>;

fn told_by(ended: Ended) -> Result<Told, String> {
    match ended {
        Ended::Returned(value) => {
            Ok(*<Box<dyn Any + Send>>::downcast::<Told>(value).expect("the job returns this"))
        }
        Ended::Panicked(text) => Err(format!("panicked: {text}")),
        Ended::Lost | Ended::Waited(_) => Err("lost".to_owned()),
    }
}
