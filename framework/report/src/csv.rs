//! The result table for other programs: one row a series, times in nanoseconds, a forbidden number left empty.

use wb_statistics::{Estimate, Interval};

use crate::analysis::{Analysis, Group, Row};

const HEADER: &str = "workload,size,unit,mode,version,p,n,launches,median_ns,median_lo_ns,median_hi_ns,min_ns,\
p95_ns,speedup,speedup_lo,speedup_hi,efficiency,efficiency_lo,efficiency_hi,remarks";

/// The table as CSV, with `\n` line ends.
pub(crate) fn table(analysis: &Analysis<'_>) -> String {
    let mut text = format!("{HEADER}\n");
    for group in &analysis.groups {
        for row in &group.rows {
            text.push_str(&line(group, row));
            text.push('\n');
        }
    }
    text
}

fn line(group: &Group, row: &Row) -> String {
    let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
    let three = |e: Option<Estimate>| {
        let end = |of: fn(Interval) -> f64| number(e.and_then(|e| e.interval).map(of));
        [number(e.map(|e| e.value)), end(|i| i.lo), end(|i| i.hi)].join(",")
    };
    let time = row.time;
    let remarks: Vec<String> = row.flags.iter().map(|flag| format!("{flag:?}")).collect();
    [
        quoted(&group.workload.name),
        group.workload.size.to_string(),
        quoted(&group.workload.unit),
        group.mode.name().to_owned(),
        row.series.version.name().to_owned(),
        row.series.ranks.to_string(),
        row.n().to_string(),
        row.launches.len().to_string(),
        three(time.map(|t| t.median)),
        number(time.map(|t| t.min)),
        number(time.map(|t| t.p95)),
        three(row.speedup.ok()),
        three(row.efficiency.and_then(Result::ok)),
        remarks.join(" "),
    ]
    .join(",")
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
