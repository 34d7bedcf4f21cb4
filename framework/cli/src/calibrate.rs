//! `cargo wb calibrate`: fits the simulator's model to this host, and says how far off it is where it was not fitted.

use std::{collections::BTreeSet, fs, io::IsTerminal, path::Path, process::Stdio, time::Duration};

use comfy_table::{CellAlignment, Table};
use serde_json::json;
use wb_messages::{Lang, number, simulator as text};
use wb_process::{Job, JobExit};
use wb_record::{Calibration, ModelComparison};
use wb_statistics::{kendall_tau, median};

use crate::{
    CommandStatus,
    arguments::BackendArgument,
    backend::SelectedBackend,
    error::{CliError, Result},
    machines, output, step, task_lock, terminal,
    workspace::Workspace,
};

/// The laboratory ends its jobs itself; this ends one that does not.
const LIMIT: Duration = Duration::from_secs(1800);

pub(crate) fn run(lang: Lang, json: bool) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
    let backend = SelectedBackend::select(Some(BackendArgument::Mpi), lang)?;
    let _held = task_lock::lock_task(&workspace, "calibration", lang)?;
    let machine = machines::this_host_file()?;
    let record = machine.with_extension("json");
    // Both are replaced when all is measured: a calibration that fails leaves the last one as it is.
    for file in [&machine, &record] {
        output::check(file)?;
    }
    eprintln!("{}", text::fitting(lang));
    let ended = measure(&workspace, &backend, &record)?;
    if !ended.is_success() {
        eprintln!("{}", text::calibration_failed(lang, step::describe_failure(&ended, LIMIT, lang)));
        return Ok(CommandStatus::Failure);
    }
    let written = fs::read_to_string(&record).map_err(CliError::system("read", &record))?;
    let calibration: Calibration = match Calibration::parse_line(&written) {
        Ok(calibration) => calibration,
        Err(why) => {
            eprintln!("{}", text::calibration_failed(lang, why));
            return Ok(CommandStatus::Failure);
        }
    };
    match json {
        true => println!("{:#}", to_json(&calibration)),
        false => print(&calibration, &machine, lang),
    }
    Ok(CommandStatus::Success)
}

fn measure(workspace: &Workspace, backend: &SelectedBackend, record: &Path) -> Result<JobExit> {
    let mut command = backend.cargo(workspace, &["run", "--release", "--package", "wb-laboratory"]);
    if !std::io::stderr().is_terminal() {
        command.arg("--quiet");
    }
    command.args(["--", "--calibrate"]).arg(record).stdout(Stdio::from(std::io::stderr()));
    Job::spawn(command).and_then(|job| job.wait(LIMIT)).map_err(CliError::system("run", "cargo run"))
}

/// Median and largest of |error|.
fn errors(points: &[ModelComparison]) -> (f64, f64) {
    let errors: Vec<f64> = points.iter().map(|point| point.relative_error().abs()).collect();
    (median(&errors).unwrap_or(0.0), errors.iter().copied().fold(0.0, f64::max))
}

/// How well the order of the predictions is that of the measurements.
fn prediction_rank_correlation(points: &[ModelComparison]) -> Option<f64> {
    let pairs: Vec<_> = points.iter().map(|point| (point.model_ns, point.measured_ns)).collect();
    kendall_tau(&pairs)
}

/// [`prediction_rank_correlation`] among those of each size, where there is one: sizes are easy to order.
fn rank_correlation_by_size(points: &[ModelComparison]) -> Vec<(usize, f64)> {
    let sizes: BTreeSet<usize> = points.iter().map(|point| point.bytes).collect();
    let of_size = |bytes: usize| {
        let alike: Vec<_> = points.iter().filter(|point| point.bytes == bytes).cloned().collect();
        Some((bytes, prediction_rank_correlation(&alike)?))
    };
    sizes.into_iter().filter_map(of_size).collect()
}

fn print(calibration: &Calibration, machine: &Path, lang: Lang) {
    println!("{}", text::fitted_title(lang, &calibration.at, &calibration.library));
    let link = &calibration.link;
    println!(
        "{}",
        text::parameters(
            lang,
            link.latency_ns,
            link.overhead_ns,
            link.gap_ns,
            link.byte_ps,
            link.copy_ps,
            link.eager_bytes
        )
    );
    for piece in &link.pieces {
        println!(
            "{}",
            text::cost_segment(
                lang,
                piece.from_bytes,
                piece.overhead_ns,
                piece.copy_ps,
                piece.serial_ns,
                piece.byte_ps
            )
        );
    }
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
    println!("\n{}\n{}", text::predicted_part(lang), table(&calibration.predicted, lang));
    println!("{}", describe_errors(&calibration.predicted, lang));
    match prediction_rank_correlation(&calibration.predicted) {
        Some(tau) => println!("{}", text::rank_correlation(lang, number::fixed(lang, tau, 2))),
        None => println!("{}", text::no_rank_correlation(lang)),
    }
    for (bytes, tau) in rank_correlation_by_size(&calibration.predicted) {
        println!("{}", text::rank_correlation_of_size(lang, bytes, number::fixed(lang, tau, 2)));
    }
    if calibration.cpus < 2 {
        println!("{}", text::one_core(lang));
    }
    println!("{}", text::machine_written(lang, machine.display()));
}

fn describe_errors(points: &[ModelComparison], lang: Lang) -> String {
    let (median, largest) = errors(points);
    text::errors(lang, number::percent(lang, median, 0), number::percent(lang, largest, 0))
}

fn table(points: &[ModelComparison], lang: Lang) -> Table {
    let mut table = terminal::table();
    table.set_header([
        String::new(),
        text::column_bytes(lang),
        text::column_measured(lang),
        text::column_model(lang),
        text::column_error(lang),
    ]);
    for point in points {
        table.add_row([
            point.name.clone(),
            point.bytes.to_string(),
            number::fixed(lang, point.measured_ns / 1000.0, 3),
            number::fixed(lang, point.model_ns / 1000.0, 3),
            format!("{} %", number::signed(lang, 100.0 * point.relative_error(), 0)),
        ]);
    }
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table
}

fn to_json(calibration: &Calibration) -> serde_json::Value {
    let rows = |points: &[ModelComparison]| {
        let row = |point: &ModelComparison| {
            json!({
                "name": point.name,
                "bytes": point.bytes,
                "measured_ns": point.measured_ns,
                "model_ns": point.model_ns,
                "error": point.relative_error(),
            })
        };
        let (median, largest) = errors(points);
        let rows: Vec<_> = points.iter().map(row).collect();
        json!({ "median_error": median, "largest_error": largest, "rows": rows })
    };
    json!({
        "kind": "calibration",
        "at": calibration.at,
        "library": calibration.library,
        "cpus": calibration.cpus,
        "launches": calibration.launches,
        "link": calibration.link,
        "fitted": rows(&calibration.fitted),
        "held_out_sizes": rows(&calibration.held_out_sizes),
        "held_out_launches": rows(&calibration.held_out_launches),
        "falls": calibration.falls,
        "predicted": rows(&calibration.predicted),
        "kendall_tau": prediction_rank_correlation(&calibration.predicted),
        "kendall_tau_by_bytes": rank_correlation_by_size(&calibration.predicted),
    })
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
        assert!(number::decimal_points(&table(&points, Lang::Ru).to_string()).is_empty());
        assert!(!number::decimal_points(&table(&points, Lang::En).to_string()).is_empty());
        for lang in Lang::ALL {
            let table = table(&points, lang).to_string();
            assert!(
                table.contains("+10 %") && table.contains("\u{2212}25 %") && table.contains("+33 %"),
                "{table}"
            );
        }
    }
}
