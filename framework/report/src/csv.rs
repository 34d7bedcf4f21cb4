//! The result table for other programs: one row for each series, times in nanoseconds, a withheld number left empty.
//!
//! A row with a machine is a prediction of its model and not a measurement; its version has a name of its own, so that the two
//! are not confused.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use wb_escape::csv_text;
use wb_statistics::Estimate;

use crate::analysis::{ModelRow, ResultRow, TaskAnalysis, Unchecked, WorkloadGroup};

/// A row of the table; the names of the fields are its header.
#[derive(Default, Serialize)]
struct CsvRow<'a> {
    workload: Cow<'a, str>,
    size: u64,
    unit: Cow<'a, str>,
    mode: &'static str,
    version: String,
    p: u32,
    n: Option<usize>,
    launches: Option<usize>,
    median_ns: CsvNumber,
    median_lo_ns: CsvNumber,
    median_hi_ns: CsvNumber,
    min_ns: CsvNumber,
    p95_ns: CsvNumber,
    speedup: CsvNumber,
    speedup_lo: CsvNumber,
    speedup_hi: CsvNumber,
    efficiency: CsvNumber,
    efficiency_lo: CsvNumber,
    efficiency_hi: CsvNumber,
    machine: Cow<'a, str>,
    model_error: CsvNumber,
    remarks: String,
}

/// A number in its shortest form; empty where there is none.
#[derive(Clone, Copy, Default)]
struct CsvNumber(Option<f64>);

impl Serialize for CsvNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(number) => serializer.collect_str(&number),
            None => serializer.serialize_none(),
        }
    }
}

/// The table as CSV.
pub(crate) fn table(analysis: &TaskAnalysis<'_>) -> String {
    let rows = analysis.groups.iter().flat_map(|group| {
        let measured = group.rows.iter().map(|row| CsvRow::from_result(group, row));
        measured.chain(group.models.iter().map(|row| CsvRow::from_model(group, row)))
    });
    write(rows)
}

/// These rows as CSV with a header and `\n` line ends. A table without rows has its header, too.
pub(crate) fn write<R: Serialize + Default>(rows: impl Iterator<Item = R>) -> String {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    // The header is written with the first row: an empty one, which is removed again.
    for row in std::iter::once(R::default()).chain(rows) {
        writer.serialize(row).expect("a row of numbers and texts is a row of CSV");
    }
    let bytes = writer.into_inner().expect("memory does not refuse bytes");
    let text = String::from_utf8(bytes).expect("the fields are UTF-8");
    let mut lines = text.split_inclusive('\n');
    lines.next().into_iter().chain(lines.skip(1)).collect()
}

/// An estimate and the ends of its interval.
pub(crate) fn with_ends(estimate: Option<Estimate>) -> [Option<f64>; 3] {
    let interval = estimate.and_then(|estimate| estimate.interval);
    [estimate.map(|estimate| estimate.value), interval.map(|i| i.lo), interval.map(|i| i.hi)]
}

impl<'a> CsvRow<'a> {
    fn from_result(group: &'a WorkloadGroup, row: &ResultRow) -> Self {
        let remarks: Vec<String> = row.flags.iter().map(|flag| format!("{flag:?}")).collect();
        let [median_ns, median_lo_ns, median_hi_ns] = with_ends(row.time.map(|t| t.median)).map(CsvNumber);
        let [speedup, speedup_lo, speedup_hi] = with_ends(row.speedup.ok()).map(CsvNumber);
        let efficiency = with_ends(row.efficiency.and_then(Result::ok)).map(CsvNumber);
        let [efficiency, efficiency_lo, efficiency_hi] = efficiency;
        Self {
            version: row.series.version.name().to_owned(),
            p: row.series.ranks,
            n: Some(row.sample_count()),
            launches: Some(row.launches.len()),
            median_ns,
            median_lo_ns,
            median_hi_ns,
            min_ns: CsvNumber(row.time.map(|t| t.min)),
            p95_ns: CsvNumber(row.time.map(|t| t.p95)),
            speedup,
            speedup_lo,
            speedup_hi,
            efficiency,
            efficiency_lo,
            efficiency_hi,
            remarks: remarks.join(" "),
            ..Self::from_group(group)
        }
    }

    fn from_model(group: &'a WorkloadGroup, row: &'a ModelRow) -> Self {
        Self {
            version: format!("model-{}", row.version.name()),
            p: row.ranks,
            median_ns: CsvNumber(row.time_ns),
            speedup: CsvNumber(row.speedup),
            efficiency: CsvNumber(row.efficiency),
            machine: csv_text(&row.machine),
            model_error: CsvNumber(row.error.ok()),
            remarks: row.error.err().map(remark).unwrap_or_default(),
            ..Self::from_group(group)
        }
    }

    fn from_group(group: &'a WorkloadGroup) -> Self {
        Self {
            workload: csv_text(&group.workload.name),
            size: group.workload.size,
            unit: csv_text(&group.workload.unit),
            mode: group.mode.name(),
            ..Self::default()
        }
    }
}

fn remark(unchecked: Unchecked) -> String {
    match unchecked {
        Unchecked::Withheld(reason) => format!("{reason:?}"),
        other => format!("{other:?}"),
    }
}
