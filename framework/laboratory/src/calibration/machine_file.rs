//! The file of the fitted machine.
use wb_config::{
    CalibrationSettings, CoreSettings, LinkClasses, LinkSettings, MachineSettings, TitleSettings,
};
use wb_record::{Calibration, FittedLink};

use super::link_fit::segment_settings;

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
        median_residual: rounded(wb_statistics::median(&errors).unwrap_or(0.0)),
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
    use wb_record::{HostPlacement, LinkCalibration};

    use super::*;

    fn link(latency_ns: u64) -> FittedLink {
        let pieces = vec![];
        let (overhead_ns, gap_ns, byte_ps, copy_ps, eager_bytes) = (1, 2, 3, 4, 5);
        FittedLink { latency_ns, overhead_ns, gap_ns, byte_ps, copy_ps, eager_bytes, pieces }
    }

    /// The latencies of the classes `core` and `network` of a machine that was fitted on so many hosts.
    fn latencies(hosts: u32, network: Option<u64>) -> (u64, Option<u64>) {
        let host = |rank: u32| HostPlacement {
            host: format!("n{rank}"),
            ranks: vec![rank],
            cpus: vec![],
            sockets: vec![],
            usable_cores: None,
            physical_cores: None,
        };
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
