//! The result table for other programs: one row for each series, times in nanoseconds, a withheld number left empty.
//!
//! A row with a machine is a prediction of its model and not a measurement; its version has a name of its own, so that the two
//! are not confused.

use wb_record::statistics::Estimate;
use wb_text::escape::csv_text;

use crate::{
    analysis::{ModelRow, ResultRow, TaskAnalysis, Unchecked, WorkloadGroup},
    document::{Table, left},
};

const COLUMNS: &str = "workload size unit mode version p n launches median_ns median_lo_ns median_hi_ns \
    min_ns p95_ns speedup speedup_lo speedup_hi efficiency efficiency_lo efficiency_hi \
    machine model_error remarks";

/// The table as CSV.
pub(crate) fn table(analysis: &TaskAnalysis<'_>) -> String {
    let mut table = Table::new(COLUMNS.split_whitespace().map(left));
    for group in &analysis.groups {
        group.rows.iter().for_each(|row| table.row(measured(group, row)));
        group.models.iter().for_each(|row| table.row(predicted(group, row)));
    }
    table.to_csv()
}

/// A number in its shortest form; empty where there is none.
fn number(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

/// An estimate and the ends of its interval.
pub(crate) fn with_ends(estimate: Option<Estimate>, cell: fn(Option<f64>) -> String) -> [String; 3] {
    let interval = estimate.and_then(|estimate| estimate.interval);
    [estimate.map(|estimate| estimate.value), interval.map(|i| i.lo), interval.map(|i| i.hi)].map(cell)
}

fn of_group(group: &WorkloadGroup) -> Vec<String> {
    let workload = &group.workload;
    let (name, unit) = (csv_text(&workload.name).into_owned(), csv_text(&workload.unit).into_owned());
    vec![name, workload.size.to_string(), unit, group.mode.name().to_owned()]
}

fn measured(group: &WorkloadGroup, row: &ResultRow) -> Vec<String> {
    let (samples, launches) = (row.sample_count().to_string(), row.launches.len().to_string());
    let remarks: Vec<String> = row.flags.iter().map(|flag| format!("{flag:?}")).collect();
    [
        of_group(group),
        vec![row.series.version.name().to_owned(), row.series.ranks.to_string(), samples, launches],
        with_ends(row.time.map(|t| t.median), number).to_vec(),
        vec![number(row.time.map(|t| t.min)), number(row.time.map(|t| t.p95))],
        with_ends(row.speedup.ok(), number).to_vec(),
        with_ends(row.efficiency.and_then(Result::ok), number).to_vec(),
        vec![String::new(), String::new(), remarks.join(" ")],
    ]
    .concat()
}

fn predicted(group: &WorkloadGroup, row: &ModelRow) -> Vec<String> {
    let none = |count: usize| vec![String::new(); count];
    let remark = row.error.err().map(|unchecked| match unchecked {
        Unchecked::Withheld(reason) => format!("{reason:?}"),
        other => format!("{other:?}"),
    });
    let machine = csv_text(&row.machine).into_owned();
    [
        of_group(group),
        vec![format!("model-{}", row.version.name()), row.ranks.to_string()],
        none(2),
        vec![number(row.time_ns)],
        none(4),
        vec![number(row.speedup)],
        none(2),
        vec![number(row.efficiency)],
        none(2),
        vec![machine, number(row.error.ok()), remark.unwrap_or_default()],
    ]
    .concat()
}
