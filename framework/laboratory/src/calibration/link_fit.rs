//! One link, fitted to messages of two ranks, and its errors on what it was not fitted to; and the file of the machine of the fitted links.
use std::io;

use wb_algorithms::barriers::GroupConfig;
use wb_config::{
    CalibrationSettings, CoreSettings, CostSegmentSettings, LinkClasses, LinkSettings, MachineSettings,
    TitleSettings,
};
use wb_local::sim::{
    CostSegment, Link, Machine,
    fit::{self, LinkMeasurements, fit},
};
use wb_record::{Calibration, FittedCostSegment, FittedLink, LinkCalibration, ModelComparison};

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

fn segment_settings(piece: &FittedCostSegment) -> CostSegmentSettings {
    CostSegmentSettings {
        from_bytes: piece.from_bytes,
        overhead_ns: piece.overhead_ns,
        copy_ps: piece.copy_ps,
        serial_ns: piece.serial_ns,
        byte_ps: piece.byte_ps,
    }
}

/// The machine of these links, with this number of cores on a node. The cost of computing is not measured; an order of magnitude is used.
pub(super) fn machine(calibration: &Calibration, cores: usize) -> MachineSettings {
    let is_one_host = calibration.placement.len() < 2;
    let (en, ru) = match is_one_host {
        true => {
            ("This host, fitted to messages between two processes", "Эта машина, по обменам двух процессов")
        }
        false => (
            "Hosts, fitted to messages between two processes on one host and on two",
            "Узлы, по обменам двух процессов на одном узле и на двух",
        ),
    };
    // Where every host has one rank, the only link is that between hosts; none is used within one.
    let between = calibration.network.as_ref().map_or(&calibration.link, |network| &network.link);
    MachineSettings {
        about: TitleSettings { en: Some(en.to_owned()), ru: Some(ru.to_owned()) },
        cores_per_group: cores,
        groups_per_node: 1,
        links: LinkClasses {
            core: link_settings(&calibration.link),
            node: None,
            network: (!is_one_host).then(|| link_settings(between)),
        },
        cards: None,
        core: CoreSettings {
            flops_per_second: 1_000_000_000,
            memory_bytes_per_second: 10_000_000_000,
            poll_ns: 10,
        },
        storage: None,
        noise: None,
        calibration: None,
    }
}

/// The text of the file.
pub(super) fn machine_file(calibration: &Calibration, cores: usize) -> String {
    let network = calibration.network.iter().flat_map(|network| &network.fitted);
    let points = calibration.fitted.iter().chain(network);
    let mut errors: Vec<f64> = points.map(|point| point.relative_error().abs()).collect();
    errors.sort_by(f64::total_cmp);
    let rounded = |share: f64| (share * 1e4).round() / 1e4;
    let date = calibration.at.get(..10).and_then(|day| day.parse().ok());
    let fit = date.map(|date| CalibrationSettings {
        date,
        library: calibration.library.clone(),
        points: errors.len(),
        median_residual: rounded(wb_record::statistics::median(&errors).unwrap_or(0.0)),
        largest_residual: rounded(errors.last().copied().unwrap_or(0.0)),
    });
    let settings = MachineSettings { calibration: fit, ..machine(calibration, cores) };
    format!(
        "# Made by `cargo wb calibrate`; `core` (computing) is assumed, not measured.\n{}",
        settings.to_yaml()
    )
}

fn link_settings(link: &FittedLink) -> LinkSettings {
    LinkSettings {
        latency_ns: link.latency_ns,
        overhead_ns: link.overhead_ns,
        gap_ns: link.gap_ns,
        byte_ps: link.byte_ps,
        copy_ps: link.copy_ps,
        eager_bytes: link.eager_bytes,
        pieces: link.pieces.iter().map(segment_settings).collect(),
    }
}

#[cfg(test)]
mod tests {
    use wb_record::HostPlacement;

    use super::*;

    fn link(latency_ns: u64) -> FittedLink {
        let pieces = vec![];
        let (overhead_ns, gap_ns, byte_ps, copy_ps, eager_bytes) = (1, 2, 3, 4, 5);
        FittedLink { latency_ns, overhead_ns, gap_ns, byte_ps, copy_ps, eager_bytes, pieces }
    }

    /// The latencies of the classes `core` and `network` of a machine that was fitted on `hosts` hosts.
    fn latencies(hosts: u32, network: Option<u64>) -> (u64, Option<u64>) {
        let host = |rank: u32| HostPlacement { host: format!("n{rank}"), ..HostPlacement::default() };
        let of_network = |latency_ns| LinkCalibration {
            link: link(latency_ns),
            fitted: vec![],
            held_out_sizes: vec![],
            held_out_launches: vec![],
            falls: vec![],
            predicted: vec![],
        };
        let calibration = Calibration {
            schema: wb_record::SCHEMA_VERSION,
            at: "2026-03-01T10:15:00Z".into(),
            library: "Open MPI".into(),
            cpus: 2,
            launches: 1,
            link: link(7),
            fitted: vec![],
            held_out_sizes: vec![],
            held_out_launches: vec![],
            falls: vec![],
            predicted: vec![],
            placement: (0..hosts).map(host).collect(),
            network: network.map(of_network),
            all_ranks: vec![],
        };
        let links = machine(&calibration, 2).links;
        (links.core.latency_ns, links.network.map(|network| network.latency_ns))
    }

    #[test]
    fn the_class_network_is_the_link_between_hosts() {
        assert_eq!(latencies(0, None), (7, None), "this host");
        assert_eq!(latencies(1, None), (7, None), "another host");
        assert_eq!(latencies(2, Some(90)), (7, Some(90)));
        assert_eq!(latencies(2, None), (7, Some(7)), "one rank on each host");
    }
}
