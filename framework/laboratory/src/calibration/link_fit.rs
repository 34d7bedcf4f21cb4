//! One link, fitted to messages of two ranks, and its errors on what it was not fitted to.
use std::io;

use wb_barriers::GroupConfig;
use wb_config::CostSegmentSettings;
use wb_record::{FittedCostSegment, FittedLink, LinkCalibration, ModelComparison};
use wb_sim::{
    CostSegment, Link, Machine,
    fit::{self, LinkMeasurements, fit},
};

use super::{probe::ProbeResult, program::ProbeProgram};

/// The fit to the results of several launches, and its predictions on a machine that has this link only.
pub(super) fn calibrate_link(launches: &[ProbeResult]) -> io::Result<LinkCalibration> {
    let seen = median_of_jobs(launches)?;
    let observed = observed(&seen);
    let link = fit(&observed).ok_or_else(|| io::Error::other("too few sizes to fit anything"))?;
    let machine = Machine::flat("pair", link.clone());
    let compared = compare(&seen, &machine, &GroupConfig::new(2))?;
    let (fitted_to, predicted) = compared.into_iter().partition(|(program, _)| is_fitted(program));
    let comparisons =
        |all: Vec<(ProbeProgram, ModelComparison)>| all.into_iter().map(|(_, one)| one).collect();
    Ok(LinkCalibration {
        link: fitted(&link),
        fitted: comparisons(fitted_to),
        held_out_sizes: held_out_sizes(&observed),
        held_out_launches: held_out_launches(launches),
        falls: fit::decreasing_sizes(&link),
        predicted: comparisons(predicted),
    })
}

/// The measurements of a group beside the predictions for `machine`.
pub(super) fn compare(
    seen: &ProbeResult,
    machine: &Machine,
    config: &GroupConfig,
) -> io::Result<Vec<(ProbeProgram, ModelComparison)>> {
    let comparison = |(program, measured_ns): &(ProbeProgram, f64)| {
        let model_ns = program.predicted(machine, config).map_err(io::Error::other)?;
        let (name, bytes, measured_ns) = (program.name(), program.bytes(), *measured_ns);
        Ok((program.clone(), ModelComparison { name, bytes, measured_ns, model_ns }))
    };
    seen.programs.iter().map(comparison).collect()
}

pub(super) fn median_of_jobs(launches: &[ProbeResult]) -> io::Result<ProbeResult> {
    ProbeResult::median_of_jobs(launches).ok_or_else(|| io::Error::other("jobs have seen different things"))
}

/// Whether the link is fitted to the program.
fn is_fitted(program: &ProbeProgram) -> bool {
    match program {
        ProbeProgram::PingPong { .. } => true,
        ProbeProgram::Barrier { .. } | ProbeProgram::Broadcast { .. } => false,
    }
}

fn observed(seen: &ProbeResult) -> LinkMeasurements {
    let half = |(program, time): &(ProbeProgram, f64)| match program {
        ProbeProgram::PingPong { bytes } => Some((*bytes, *time)),
        ProbeProgram::Barrier { .. } | ProbeProgram::Broadcast { .. } => None,
    };
    let half_round_trips = seen.programs.iter().filter_map(half).collect();
    LinkMeasurements { half_round_trips, send_calls: seen.calls.clone(), message_gap: seen.spacing }
}

/// Half round trips of the sizes that were excluded from the fit.
fn held_out_sizes(observed: &LinkMeasurements) -> Vec<ModelComparison> {
    let held = fit::held_out(observed).into_iter();
    held.map(|held| half_round_trip(held.bytes, held.measured, held.predicted)).collect()
}

/// Half round trips of each job, by a fit to the other jobs.
fn held_out_launches(launches: &[ProbeResult]) -> Vec<ModelComparison> {
    let of_one = |number: usize| {
        let mut others = launches.to_vec();
        let own = observed(&others.remove(number)).half_round_trips;
        let link = ProbeResult::median_of_jobs(&others).and_then(|others| fit(&observed(&others)));
        let compared = link.map(|link| {
            let compare =
                |(bytes, measured)| half_round_trip(bytes, measured, fit::half_round_trip(&link, bytes));
            own.into_iter().map(compare).collect::<Vec<_>>()
        });
        compared.unwrap_or_default()
    };
    (0..launches.len()).flat_map(of_one).collect()
}

fn half_round_trip(bytes: usize, measured_ns: f64, model: u64) -> ModelComparison {
    let name = ProbeProgram::PingPong { bytes }.name();
    ModelComparison { name, bytes, measured_ns, model_ns: model as f64 }
}

fn fitted(link: &Link) -> FittedLink {
    FittedLink {
        latency_ns: link.latency,
        overhead_ns: link.overhead,
        gap_ns: link.gap,
        byte_ps: link.per_byte,
        copy_ps: link.processor_per_byte,
        eager_bytes: link.eager_limit,
        pieces: link.segments.iter().map(fitted_segment).collect(),
    }
}

fn fitted_segment(piece: &CostSegment) -> FittedCostSegment {
    FittedCostSegment {
        from_bytes: piece.min_bytes,
        overhead_ns: piece.overhead,
        copy_ps: piece.processor_per_byte,
        serial_ns: piece.serial,
        byte_ps: piece.per_byte,
    }
}

pub(super) fn segment_settings(piece: &FittedCostSegment) -> CostSegmentSettings {
    CostSegmentSettings {
        from_bytes: piece.from_bytes,
        overhead_ns: piece.overhead_ns,
        copy_ps: piece.copy_ps,
        serial_ns: piece.serial_ns,
        byte_ps: piece.byte_ps,
    }
}
