//! Fits the simulator's model to this host: measures messages of two processes, and predicts collectives from them.
//!
//! The invariant: *predicted values are not fitted values.* Parameters are fitted only to messages between two
//! processes. Barriers and broadcasts of the two are measured in the same jobs and only compared. One program text is
//! measured and simulated.
//!
//! | module | contents |
//! |---|---|
//! | `probe` | the timed loops of a rank |
//! | `program` | the programs that are timed and simulated |
mod probe;
mod program;

use std::{fs, io, path::Path, process::ExitCode, time::Duration};

use wb_config::{
    CoreSettings, CostSegmentSettings, LinkClasses, LinkSettings, MachineSettings, TitleSettings,
};
use wb_record::{Backend, Calibration, FittedCostSegment, FittedLink, ModelComparison, SCHEMA_VERSION};
use wb_sim::{
    CostSegment, Link,
    fit::{self, LinkMeasurements, fit},
    machine_library::MachineDescription,
};
use wb_worker::{
    Backends,
    job::{FinishedJob, JobRequest, run_job},
    protocol,
};

use crate::{
    cores,
    order::{CalibrationSpec, LaboratoryOrder},
};
use probe::ProbeResult;
use program::ProbeProgram;

/// The number of jobs: launches differ more than batches do.
const LAUNCHES: usize = 3;

/// The longest duration of a job.
const LIMIT: Duration = Duration::from_secs(120);

/// The planning part: measures, fits, predicts, and writes the record to `file` and the machine to `this-host.yaml` in
/// the same folder.
pub(crate) fn main(file: &Path, backends: Backends) -> ExitCode {
    let done = backends
        .processes
        .ok_or_else(not_linked)
        .and_then(|processes| calibrate(file, backends, &processes.library().version));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// One of the two processes.
pub(crate) fn run_rank(spec: &CalibrationSpec, backends: Backends) -> io::Result<bool> {
    wb_process::die_with_parent()?;
    let processes = backends.processes.ok_or_else(not_linked)?;
    let handle = processes.init().map_err(io::Error::other)?;
    let (rank, size) = (handle.rank(), handle.size());
    cores::bind(cores::cpus_of_rank(rank, size, &spec.cpus))?;
    let transport = handle.open_communicator(size).map_err(io::Error::other)?;
    let transport = transport.expect("a job's communicator of all ranks has every rank");
    let measured = probe::probe(&*transport).map_err(io::Error::other)?;
    protocol::write_answer(&spec.folder, rank, &measured)?;
    drop(transport);
    handle.free_communicators().map_err(io::Error::other)?;
    Ok(true)
}

fn not_linked() -> io::Error {
    io::Error::other("this program is not linked with MPI")
}

fn calibrate(file: &Path, backends: Backends, version: &str) -> io::Result<()> {
    let cpus = cores::allowed()?;
    let mut launches: Vec<ProbeResult> = vec![];
    for _ in 0..LAUNCHES {
        launches.push(one_job(&cpus, backends)?);
    }
    let seen = ProbeResult::median_of_jobs(&launches)
        .ok_or_else(|| io::Error::other("jobs have seen different things"))?;
    let observed = observed(&seen);
    let link = fit(&observed).ok_or_else(|| io::Error::other("too few sizes to fit anything"))?;
    // Further parts of an MPI's version text describe its build.
    let library = version.split(',').next().unwrap_or_default().to_owned();
    let mut calibration = Calibration {
        schema: SCHEMA_VERSION,
        at: jiff::Timestamp::now().to_string(),
        library,
        cpus: cpus.len(),
        launches: LAUNCHES,
        link: fitted(&link),
        fitted: vec![],
        held_out_sizes: held_out_sizes(&observed),
        held_out_launches: held_out_launches(&launches),
        falls: fit::decreasing_sizes(&link),
        predicted: vec![],
    };
    let machine = MachineDescription::from(machine(&calibration, cpus.len())).machine("this-host", 2);
    let machine = machine.map_err(io::Error::other)?;
    for (program, measured_ns) in seen.programs {
        let model_ns = program.predicted(&machine).map_err(io::Error::other)?;
        let (name, bytes) = (program.name(), program.bytes());
        let comparison = ModelComparison { name, bytes, measured_ns, model_ns };
        match program {
            ProbeProgram::PingPong { .. } => calibration.fitted.push(comparison),
            ProbeProgram::Barrier { .. } | ProbeProgram::Broadcast { .. } => {
                calibration.predicted.push(comparison);
            }
        }
    }
    let yaml = machine_file(&calibration, cpus.len());
    wb_process::write_atomically(&file.with_file_name("this-host.yaml"), yaml)?;
    wb_process::write_atomically(file, serde_json::to_string(&calibration)?)
}

fn one_job(cpus: &[usize], backends: Backends) -> io::Result<ProbeResult> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let spec = CalibrationSpec { folder: folder.to_owned(), cpus: cpus.to_vec() };
    let request = JobRequest { backends, backend: Backend::Mpi, ranks: 2, folder, deadline: LIMIT };
    let job: FinishedJob<ProbeResult> = run_job(request, &LaboratoryOrder::Calibrate(spec), |_| {})?;
    match &job.answers[..] {
        [Some(one), Some(other)] if job.exit.is_success() => ProbeResult::slower_rank(one, other)
            .ok_or_else(|| io::Error::other("the two processes have measured different things")),
        _ => {
            let output = fs::read_to_string(&job.output).unwrap_or_default();
            let status = job.exit.status;
            Err(io::Error::other(format!("a job of two processes has failed ({status}): {output}")))
        }
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

/// One node whose cores all have the distance of the two that were measured. The cost of computing is not measured
/// here; an order of magnitude is used.
fn machine(calibration: &Calibration, cores: usize) -> MachineSettings {
    let link = &calibration.link;
    MachineSettings {
        about: TitleSettings {
            en: Some("This host, fitted to messages between two processes".to_owned()),
            ru: Some("Эта машина, по обменам двух процессов".to_owned()),
        },
        cores_per_group: cores.max(2),
        groups_per_node: 1,
        links: LinkClasses {
            core: LinkSettings {
                latency_ns: link.latency_ns,
                overhead_ns: link.overhead_ns,
                gap_ns: link.gap_ns,
                byte_ps: link.byte_ps,
                copy_ps: link.copy_ps,
                eager_bytes: link.eager_bytes,
                pieces: link.pieces.iter().map(segment_settings).collect(),
            },
            node: None,
            network: None,
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

fn machine_file(calibration: &Calibration, cores: usize) -> String {
    let mut errors: Vec<f64> = calibration.fitted.iter().map(|point| point.relative_error().abs()).collect();
    errors.sort_by(f64::total_cmp);
    let rounded = |share: f64| (share * 1e4).round() / 1e4;
    let date = calibration.at.get(..10).and_then(|day| day.parse().ok());
    let fit = date.map(|date| wb_config::CalibrationSettings {
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
