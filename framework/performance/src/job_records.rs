//! The results of one job as records.
use wb_record::{Backend, Formula, Sentinel, Series, Sweep, Timing};

use crate::{
    forced::ForcedAlgorithm,
    job_spec::{Findings, MeasuredSeries, SweepPoint},
    schedule::ScheduledJob,
    sweep::{CostFormula, ROOT},
};

/// Bytes of a sweep's element.
const ELEMENT_BYTES: u64 = size_of::<f64>() as u64;

/// The result of one launch of a sweep at one size. `rounds` are those of a call at that size, where they are known.
pub(crate) fn sweep(
    swept: &SweepPoint,
    step: ScheduledJob,
    theory: &CostFormula,
    (backend, forced): (Backend, Option<ForcedAlgorithm>),
    rounds: Option<u64>,
) -> Sweep {
    Sweep {
        operation: theory.operation.to_owned(),
        ranks: step.ranks as u32,
        root: ROOT as u32,
        element: "f64".to_owned(),
        count: swept.count as u64,
        bytes: swept.count as u64 * ELEMENT_BYTES,
        launch: step.launch,
        inner_iterations: swept.inner as u64,
        elapsed_from: swept.elapsed_from,
        student_ns: swept.own.clone(),
        library_ns: swept.library.clone(),
        library_call: library_call(backend, theory.operation),
        library_algorithm: forced.map(|forced| forced.algorithm.to_owned()),
        messages: swept.messages,
        rounds,
        formula: Some(Formula {
            algorithm: theory.algorithm.to_owned(),
            messages: theory.messages.1,
            messages_formula: theory.messages.0.to_owned(),
            rounds: theory.rounds.1,
            rounds_formula: theory.rounds.0.to_owned(),
        }),
        correct: swept.correct,
        moves_nothing: swept.moves_nothing,
    }
}

/// The result of one launch of a series, as recorded.
pub(crate) fn timing(series: Series, launch: u32, measured: &MeasuredSeries, findings: &Findings) -> Timing {
    Timing {
        series,
        launch,
        fresh_inputs: Some(measured.fresh_inputs),
        warmup_dropped: measured.warmup_dropped as u32,
        inner_iterations: 1,
        elapsed_from: measured.elapsed_from,
        repetitions: measured.repetitions.clone(),
        stages: measured.stages.clone(),
        traffic: Some(measured.traffic),
        sentinel: sentinel(findings),
    }
}

/// The kernel before and after a job, if it ran.
pub(crate) fn sentinel(findings: &Findings) -> Option<Sentinel> {
    let (before_ns, after_ns) = (findings.sentinel_before.clone(), findings.sentinel_after.clone());
    (!before_ns.is_empty()).then_some(Sentinel { before_ns, after_ns })
}

/// The name of the library's verb that the own verb is compared with.
fn library_call(backend: Backend, operation: &str) -> String {
    match (backend, operation.split_at_checked(1)) {
        (Backend::Mpi, Some((first, rest))) => format!("MPI_{}{rest}", first.to_uppercase()),
        _ => format!("World::{operation}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_librarys_call_has_the_librarys_name() {
        assert_eq!(library_call(Backend::Mpi, "bcast"), "MPI_Bcast");
        assert_eq!(library_call(Backend::Threads, "bcast"), "World::bcast");
    }
}
