//! All forms for other programs: one row a form and size, times in nanoseconds.
use wb_escape::csv;
use wb_statistics::Estimate;

use super::analysis::{BarrierAnalysis, BarrierRow, RowOutcome};

const HEADER: &str = "ranks,oversubscribed,barrier,family,substrate,style,spacing,ranks_are,forced,outcome,\
episode_median_ns,episode_lo_ns,episode_hi_ns,episode_min_ns,episode_p95_ns,latency_min_ns,latency_median_ns,\
latency_p95_ns,skew_median_ns,ratio,ratio_lo,ratio_hi,reason";

/// The table, with `\n` line ends.
pub(super) fn table(analysis: &BarrierAnalysis<'_>) -> String {
    let rows = analysis.rows.iter().map(|row| line(analysis, row) + "\n");
    std::iter::once(format!("{HEADER}\n")).chain(rows).collect()
}

fn line(analysis: &BarrierAnalysis<'_>, row: &BarrierRow<'_>) -> String {
    let form = row.form;
    let (outcome, reason) = match &row.outcome {
        RowOutcome::Measured(_) => ("measured", ""),
        RowOutcome::Refused(reason) => ("refused", *reason),
        RowOutcome::Failed(reason) => ("failed", *reason),
    };
    let text = |field: &Option<String>| csv(field.as_deref().unwrap_or_default()).into_owned();
    let mut fields = vec![
        row.ranks.to_string(),
        analysis.is_oversubscribed(row.ranks).to_string(),
        csv(&form.variant).into_owned(),
        csv(&form.family).into_owned(),
        csv(&form.substrate).into_owned(),
        text(&form.style),
        text(&form.spacing),
        form.ranks_are.name().to_owned(),
        text(&form.forced),
        outcome.to_owned(),
    ];
    fields.extend(numbers(row));
    let reason = csv(reason);
    fields.push(if reason.starts_with('"') { reason.into_owned() } else { format!("\"{reason}\"") });
    fields.join(",")
}

fn numbers(row: &BarrierRow<'_>) -> [String; 12] {
    let Some(figures) = row.figures() else { return Default::default() };
    let number = |x: Option<f64>| x.map(|x| format!("{x:.3}")).unwrap_or_default();
    let ends = |estimate: Option<Estimate>| {
        let interval = estimate.and_then(|estimate| estimate.interval);
        [number(estimate.map(|e| e.value)), number(interval.map(|i| i.lo)), number(interval.map(|i| i.hi))]
    };
    let (episode, latency) = (&figures.episode, figures.latency);
    let [median, lo, hi] = ends(Some(episode.median));
    let [ratio, ratio_lo, ratio_hi] = ends(figures.ratio);
    [
        median,
        lo,
        hi,
        number(Some(episode.min)),
        number(Some(episode.p95)),
        number(latency.map(|latency| latency.min)),
        number(latency.map(|latency| latency.median.value)),
        number(latency.map(|latency| latency.p95)),
        number(figures.skew),
        ratio,
        ratio_lo,
        ratio_hi,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_every_field() {
        let lines = wb_record::example_barriers();
        let table = table(&BarrierAnalysis::from_lines(&lines).expect("a run"));
        let fields = |line: &str| line.split(',').count();
        let wanted = fields(HEADER);
        assert_eq!(table.lines().count(), lines.len());
        assert!(table.lines().all(|line| fields(line) == wanted), "{table}");
        assert!(table.contains("2,false,tree,two-sided,messages,,,mpi,,failed,,,,,,,,,,,,,\"hung\""));
    }
}
