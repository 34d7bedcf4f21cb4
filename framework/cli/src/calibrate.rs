//! `cargo wb calibrate`: fits the simulator's model to this host, and reports its error on other measurements; then measures the table of collective
//! algorithms.

use std::{collections::BTreeSet, fs, path::Path, time::Duration};

use serde::Serialize;
use wb_messages::{Lang, collectives as collective_text, number, simulator as text};
use wb_process::JobExit;
use wb_record::{
    Calibration, FittedCostSegment, FittedLink, HostPlacement, LinkCalibration, ModelComparison,
    statistics::{kendall_tau, median},
};
use wb_report::document::{Table, left, right};

use crate::{
    CommandStatus,
    arguments::{self, BackendArgument},
    backend::SelectedBackend,
    collectives,
    error::{CliError, Result},
    laboratory, machines, output,
    placement::Placement,
    slurm::{self, SlurmJob},
    step, task_lock, terminal,
    workspace::Workspace,
};

/// The time limit of the barrier benchmark, which has limits for its own jobs.
const LIMIT: Duration = Duration::from_secs(1800);

pub(crate) fn run(wanted: &arguments::CalibrateArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let mut workspace = Workspace::find()?;
    let backend = SelectedBackend::select(Some(BackendArgument::Mpi), lang)?;
    let placement = Placement::new(workspace.root(), &wanted.placement, true, lang)?;
    let name = if placement.is_on_hosts() { machines::THESE_HOSTS } else { machines::THIS_HOST };
    workspace.place(placement);
    if wanted.slurm.is_wanted() {
        let job =
            SlurmJob { name: "calibration", flavour: backend.flavour(), wanted: &wanted.slurm, parts: None };
        return Ok(slurm::run(&workspace, &job, laboratory::build(&workspace, &backend), lang)?.status());
    }
    let _lock = task_lock::lock_task(&workspace, "calibration", lang)?;
    let machine = machines::fitted_file(name)?;
    let record = machine.with_extension("json");
    // A calibration that fails leaves the former files unchanged.
    for file in [&machine, &record] {
        output::check(file)?;
    }
    eprintln!("{}", text::fitting(lang));
    let ended = measure(&workspace, &backend, &record)?;
    if !ended.is_success() {
        eprintln!("{}", text::calibration_failed(lang, step::describe_failure(&ended, LIMIT, lang)));
        return Ok(CommandStatus::Failure);
    }
    let line = fs::read_to_string(&record).map_err(CliError::system("read", &record))?;
    let calibration = match Calibration::parse_line(&line) {
        Ok(calibration) => calibration,
        Err(error) => {
            eprintln!("{}", text::calibration_failed(lang, error));
            return Ok(CommandStatus::Failure);
        }
    };
    match json {
        true => output::print_json(&CalibrationReport::from(&calibration)),
        false => print(&calibration, &machine, lang),
    }
    if name != machines::THIS_HOST {
        return Ok(CommandStatus::Success);
    }
    let table = collectives::calibrate(&workspace, &backend, lang)?;
    if let Some(table) = &table {
        eprintln!("{}", collective_text::table_written(lang, table.display()));
    }
    Ok(CommandStatus::from_success(table.is_some()))
}

fn measure(workspace: &Workspace, backend: &SelectedBackend, record: &Path) -> Result<JobExit> {
    let mut command = laboratory::program(workspace, backend);
    command.arg("--calibrate").arg(record);
    laboratory::run(command, LIMIT)
}

/// Median and largest of |error|.
fn errors(points: &[ModelComparison]) -> (f64, f64) {
    let errors: Vec<f64> = points.iter().map(|point| point.relative_error().abs()).collect();
    (median(&errors).unwrap_or(0.0), errors.iter().copied().fold(0.0, f64::max))
}

/// Kendall's tau of the predictions and the measurements.
fn prediction_rank_correlation(points: &[ModelComparison]) -> Option<f64> {
    let pairs: Vec<_> = points.iter().map(|point| (point.model_ns, point.measured_ns)).collect();
    kendall_tau(&pairs)
}

/// [`prediction_rank_correlation`] for each size that has one: across sizes the order is easy to predict.
fn rank_correlation_by_size(points: &[ModelComparison]) -> Vec<(usize, f64)> {
    let sizes: BTreeSet<usize> = points.iter().map(|point| point.bytes).collect();
    let of_size = |bytes: usize| {
        let same_size: Vec<_> = points.iter().filter(|point| point.bytes == bytes).cloned().collect();
        Some((bytes, prediction_rank_correlation(&same_size)?))
    };
    sizes.into_iter().filter_map(of_size).collect()
}

fn print(calibration: &Calibration, machine: &Path, lang: Lang) {
    println!("{}", text::fitted_title(lang, &calibration.at, &calibration.library));
    let links = links(calibration);
    for (place, link) in [(text::within_host(lang), links.within), (text::between_hosts(lang), links.between)]
    {
        let Some(link) = link else { continue };
        if !calibration.placement.is_empty() {
            println!("\n{place}");
        }
        print_link_calibration(&link, lang);
    }
    if !calibration.all_ranks.is_empty() {
        let ranks: usize = calibration.placement.iter().map(|host| host.ranks.len()).sum();
        let title = text::all_ranks_part(lang, ranks, calibration.placement.len());
        print_predictions(&title, &calibration.all_ranks, lang);
    }
    if calibration.cpus < 2 {
        println!("{}", text::one_core(lang));
    }
    let name = machine.file_stem().unwrap_or_default().to_string_lossy();
    println!("{}", text::machine_written(lang, name, machine.display()));
}

/// The calibrated links by the places of their two processes.
struct CalibratedLinks {
    within: Option<LinkCalibration>,
    between: Option<LinkCalibration>,
}

/// The first link of a record is that within a host, unless every host has one rank.
fn links(calibration: &Calibration) -> CalibratedLinks {
    let first = LinkCalibration {
        link: calibration.link.clone(),
        fitted: calibration.fitted.clone(),
        held_out_sizes: calibration.held_out_sizes.clone(),
        held_out_launches: calibration.held_out_launches.clone(),
        falls: calibration.falls.clone(),
        predicted: calibration.predicted.clone(),
    };
    match (calibration.placement.len() > 1, &calibration.network) {
        (true, None) => CalibratedLinks { within: None, between: Some(first) },
        (_, network) => CalibratedLinks { within: Some(first), between: network.clone() },
    }
}

fn print_link_calibration(calibration: &LinkCalibration, lang: Lang) {
    print_link(&calibration.link, lang);
    for from in &calibration.falls {
        println!("{}", text::falls(lang, from));
    }
    println!("\n{}\n{}", text::fitted_part(lang), table(&calibration.fitted, lang));
    println!("{}", describe_errors(&calibration.fitted, lang));
    for (title, points) in [
        (text::held_out_sizes(lang), &calibration.held_out_sizes),
        (text::held_out_launches(lang), &calibration.held_out_launches),
    ] {
        println!("{title} {}", describe_errors(points, lang));
    }
    print_predictions(&text::predicted_part(lang), &calibration.predicted, lang);
}

fn print_link(link: &FittedLink, lang: Lang) {
    let FittedLink { latency_ns, overhead_ns, gap_ns, byte_ps, copy_ps, eager_bytes, pieces } = link;
    println!("{}", text::parameters(lang, latency_ns, overhead_ns, gap_ns, byte_ps, copy_ps, eager_bytes));
    for FittedCostSegment { from_bytes, overhead_ns, copy_ps, serial_ns, byte_ps } in pieces {
        println!("{}", text::cost_segment(lang, from_bytes, overhead_ns, copy_ps, serial_ns, byte_ps));
    }
}

fn print_predictions(title: &str, predicted: &[ModelComparison], lang: Lang) {
    println!("\n{title}\n{}", table(predicted, lang));
    println!("{}", describe_errors(predicted, lang));
    match prediction_rank_correlation(predicted) {
        Some(tau) => println!("{}", text::rank_correlation(lang, number::fixed(lang, tau, 2))),
        None => println!("{}", text::no_rank_correlation(lang)),
    }
    for (bytes, tau) in rank_correlation_by_size(predicted) {
        println!("{}", text::rank_correlation_of_size(lang, bytes, number::fixed(lang, tau, 2)));
    }
}

fn describe_errors(points: &[ModelComparison], lang: Lang) -> String {
    let (median, largest) = errors(points);
    text::errors(lang, number::percent(lang, median, 0), number::percent(lang, largest, 0))
}

fn table(points: &[ModelComparison], lang: Lang) -> String {
    let numbers = [text::column_bytes, text::column_measured, text::column_model, text::column_error];
    let numbers = numbers.map(|column| right(column(lang)));
    let mut table = Table::new([left("")].into_iter().chain(numbers));
    for point in points {
        table.row([
            point.name.clone(),
            point.bytes.to_string(),
            number::fixed(lang, point.measured_ns / 1000.0, 3),
            number::fixed(lang, point.model_ns / 1000.0, 3),
            format!("{} %", number::signed(lang, 100.0 * point.relative_error(), 0)),
        ]);
    }
    terminal::text(&table)
}

/// The answer with `--json`.
#[derive(Serialize)]
struct CalibrationReport<'a> {
    kind: &'static str,
    at: &'a str,
    library: &'a str,
    cpus: usize,
    launches: usize,
    link: &'a FittedLink,
    fitted: ComparisonReport<'a>,
    held_out_sizes: ComparisonReport<'a>,
    held_out_launches: ComparisonReport<'a>,
    falls: &'a [usize],
    predicted: ComparisonReport<'a>,
    kendall_tau: Option<f64>,
    kendall_tau_by_bytes: Vec<(usize, f64)>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    placement: &'a [HostPlacement],
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<LinkReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all_ranks: Option<PredictionReport<'a>>,
}

/// The fit of the link between hosts.
#[derive(Serialize)]
struct LinkReport<'a> {
    link: &'a FittedLink,
    fitted: ComparisonReport<'a>,
    held_out_sizes: ComparisonReport<'a>,
    held_out_launches: ComparisonReport<'a>,
    falls: &'a [usize],
    #[serde(flatten)]
    prediction: PredictionReport<'a>,
}

#[derive(Serialize)]
struct PredictionReport<'a> {
    predicted: ComparisonReport<'a>,
    kendall_tau: Option<f64>,
    kendall_tau_by_bytes: Vec<(usize, f64)>,
}

#[derive(Serialize)]
struct ComparisonReport<'a> {
    median_error: f64,
    largest_error: f64,
    rows: Vec<ComparisonRow<'a>>,
}

#[derive(Serialize)]
struct ComparisonRow<'a> {
    name: &'a str,
    bytes: usize,
    measured_ns: f64,
    model_ns: f64,
    error: f64,
}

impl<'a> From<&'a [ModelComparison]> for ComparisonReport<'a> {
    fn from(points: &'a [ModelComparison]) -> Self {
        let row = |point: &'a ModelComparison| ComparisonRow {
            name: &point.name,
            bytes: point.bytes,
            measured_ns: point.measured_ns,
            model_ns: point.model_ns,
            error: point.relative_error(),
        };
        let (median_error, largest_error) = errors(points);
        Self { median_error, largest_error, rows: points.iter().map(row).collect() }
    }
}

impl<'a> From<&'a [ModelComparison]> for PredictionReport<'a> {
    fn from(points: &'a [ModelComparison]) -> Self {
        Self {
            predicted: points.into(),
            kendall_tau: prediction_rank_correlation(points),
            kendall_tau_by_bytes: rank_correlation_by_size(points),
        }
    }
}

impl<'a> From<&'a LinkCalibration> for LinkReport<'a> {
    fn from(calibration: &'a LinkCalibration) -> Self {
        Self {
            link: &calibration.link,
            fitted: calibration.fitted.as_slice().into(),
            held_out_sizes: calibration.held_out_sizes.as_slice().into(),
            held_out_launches: calibration.held_out_launches.as_slice().into(),
            falls: &calibration.falls,
            prediction: calibration.predicted.as_slice().into(),
        }
    }
}

impl<'a> From<&'a Calibration> for CalibrationReport<'a> {
    fn from(calibration: &'a Calibration) -> Self {
        Self {
            kind: "calibration",
            at: &calibration.at,
            library: &calibration.library,
            cpus: calibration.cpus,
            launches: calibration.launches,
            link: &calibration.link,
            fitted: calibration.fitted.as_slice().into(),
            held_out_sizes: calibration.held_out_sizes.as_slice().into(),
            held_out_launches: calibration.held_out_launches.as_slice().into(),
            falls: &calibration.falls,
            predicted: calibration.predicted.as_slice().into(),
            kendall_tau: prediction_rank_correlation(&calibration.predicted),
            kendall_tau_by_bytes: rank_correlation_by_size(&calibration.predicted),
            placement: &calibration.placement,
            network: calibration.network.as_ref().map(LinkReport::from),
            all_ranks: (!calibration.all_ranks.is_empty()).then(|| calibration.all_ranks.as_slice().into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(measured_ns: f64, model_ns: f64) -> ModelComparison {
        ModelComparison { name: "tree".into(), bytes: 0, measured_ns, model_ns }
    }

    #[test]
    fn no_number_is_called_a_prediction_without_its_error() {
        let points = [point(100.0, 110.0), point(200.0, 150.0), point(300.0, 400.0)];
        let (median, largest) = errors(&points);
        assert!((median - 0.25).abs() < 1e-9 && (largest - 1.0 / 3.0).abs() < 1e-9, "{median} {largest}");
        assert_eq!(prediction_rank_correlation(&points), Some(1.0));
        let longer = ModelComparison { bytes: 8, ..point(50.0, 90.0) };
        let swapped = ModelComparison { bytes: 8, ..point(60.0, 80.0) };
        let of_sizes = [points.to_vec(), vec![longer, swapped]].concat();
        assert_eq!(rank_correlation_by_size(&of_sizes), [(0, 1.0), (8, -1.0)]);
        assert!(number::decimal_points(&table(&points, Lang::Ru)).is_empty());
        assert!(!number::decimal_points(&table(&points, Lang::En)).is_empty());
        for lang in Lang::ALL {
            let table = table(&points, lang);
            assert!(
                table.contains("+10 %") && table.contains("\u{2212}25 %") && table.contains("+33 %"),
                "{table}"
            );
        }
    }
}
