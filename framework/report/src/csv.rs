//! The result table for other programs: one row a series, times in nanoseconds, a forbidden number left empty.
//!
//! A row with a machine is what the model of that machine says and no measurement; its versions have names of their own, so
//! that nobody takes one for the other.

use wb_escape::csv;
use wb_statistics::{Estimate, Interval};

use crate::analysis::{ModelRow, ResultRow, TaskAnalysis, Unchecked, WorkloadGroup};

const HEADER: &str = "workload,size,unit,mode,version,p,n,launches,median_ns,median_lo_ns,median_hi_ns,min_ns,\
p95_ns,speedup,speedup_lo,speedup_hi,efficiency,efficiency_lo,efficiency_hi,machine,model_error,remarks";

/// The table as CSV, with `\n` line ends.
pub(crate) fn table(analysis: &TaskAnalysis<'_>) -> String {
    let mut text = format!("{HEADER}\n");
    for group in &analysis.groups {
        for row in &group.rows {
            text.push_str(&line(group, row));
            text.push('\n');
        }
        for row in &group.models {
            text.push_str(&model_line(group, row));
            text.push('\n');
        }
    }
    text
}

fn line(group: &WorkloadGroup, row: &ResultRow) -> String {
    let three = |e: Option<Estimate>| {
        let end = |of: fn(Interval) -> f64| number(e.and_then(|e| e.interval).map(of));
        [number(e.map(|e| e.value)), end(|i| i.lo), end(|i| i.hi)].join(",")
    };
    let time = row.time;
    let remarks: Vec<String> = row.flags.iter().map(|flag| format!("{flag:?}")).collect();
    [
        csv(&group.workload.name).into_owned(),
        group.workload.size.to_string(),
        csv(&group.workload.unit).into_owned(),
        group.mode.name().to_owned(),
        row.series.version.name().to_owned(),
        row.series.ranks.to_string(),
        row.sample_count().to_string(),
        row.launches.len().to_string(),
        three(time.map(|t| t.median)),
        number(time.map(|t| t.min)),
        number(time.map(|t| t.p95)),
        three(row.speedup.ok()),
        three(row.efficiency.and_then(Result::ok)),
        String::new(),
        String::new(),
        remarks.join(" "),
    ]
    .join(",")
}

fn model_line(group: &WorkloadGroup, row: &ModelRow) -> String {
    let alone = |x: Option<f64>| format!("{},,", number(x));
    [
        csv(&group.workload.name).into_owned(),
        group.workload.size.to_string(),
        csv(&group.workload.unit).into_owned(),
        group.mode.name().to_owned(),
        format!("model-{}", row.version.name()),
        row.ranks.to_string(),
        String::new(),
        String::new(),
        alone(row.time_ns),
        String::new(),
        String::new(),
        alone(row.speedup),
        alone(row.efficiency),
        csv(&row.machine).into_owned(),
        number(row.error.ok()),
        row.error.err().map(remark).unwrap_or_default(),
    ]
    .join(",")
}

fn remark(unchecked: Unchecked) -> String {
    match unchecked {
        Unchecked::Withheld(reason) => format!("{reason:?}"),
        other => format!("{other:?}"),
    }
}

fn number(x: Option<f64>) -> String {
    x.map(|x| x.to_string()).unwrap_or_default()
}
