//! The file of the fitted machine.
use wb_config::{
    CalibrationSettings, CoreSettings, LinkClasses, LinkSettings, MachineSettings, TitleSettings,
};
use wb_record::{Calibration, FittedLink};

use super::link_fit::segment_settings;

/// The machine of these links, with this number of cores on a node. The cost of computing is not measured; an order of magnitude is used.
pub(super) fn machine(calibration: &Calibration, cores: usize) -> MachineSettings {
    let is_one_host = calibration.placement.is_empty();
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
