//! The measured forms of all barriers for other programs: one row for each form and size, times in nanoseconds.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use wb_escape::csv_text;

use super::analysis::{BarrierAnalysis, BarrierRow, RowOutcome};
use crate::csv::{self, with_ends};

/// A row of the table; the names of the fields are its header.
#[derive(Default, Serialize)]
struct BarrierCsvRow<'a> {
    ranks: usize,
    oversubscribed: bool,
    barrier: Cow<'a, str>,
    family: Cow<'a, str>,
    substrate: Cow<'a, str>,
    style: Cow<'a, str>,
    spacing: Cow<'a, str>,
    ranks_are: &'static str,
    forced: Cow<'a, str>,
    outcome: &'static str,
    episode_median_ns: Rounded,
    episode_lo_ns: Rounded,
    episode_hi_ns: Rounded,
    episode_min_ns: Rounded,
    episode_p95_ns: Rounded,
    latency_min_ns: Rounded,
    latency_median_ns: Rounded,
    latency_p95_ns: Rounded,
    skew_median_ns: Rounded,
    ratio: Rounded,
    ratio_lo: Rounded,
    ratio_hi: Rounded,
    messages_within_node: Option<u64>,
    messages_between_nodes: Option<u64>,
    hosts: String,
    clock_uncertainty_ns: Rounded,
    reason: Cow<'a, str>,
}

/// A number with three decimals; empty where there is none.
#[derive(Clone, Copy, Default)]
struct Rounded(Option<f64>);

impl Serialize for Rounded {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(number) => serializer.collect_str(&format_args!("{number:.3}")),
            None => serializer.serialize_none(),
        }
    }
}

pub(super) fn table(analysis: &BarrierAnalysis<'_>) -> String {
    csv::write(analysis.rows.iter().map(|row| BarrierCsvRow::new(analysis, row)))
}

impl<'a> BarrierCsvRow<'a> {
    fn new(analysis: &BarrierAnalysis<'_>, row: &'a BarrierRow<'_>) -> Self {
        let form = row.form;
        let (outcome, reason) = match &row.outcome {
            RowOutcome::Measured(_) => ("measured", ""),
            RowOutcome::Refused(reason) => ("refused", *reason),
            RowOutcome::Failed(reason) => ("failed", *reason),
        };
        let hosts: Vec<&str> = row.series.placement.iter().map(|host| &*host.host).collect();
        let text = |field: &'a Option<String>| csv_text(field.as_deref().unwrap_or_default());
        Self {
            ranks: row.ranks,
            oversubscribed: analysis.is_oversubscribed(row.ranks),
            barrier: csv_text(&form.variant),
            family: csv_text(&form.family),
            substrate: csv_text(&form.substrate),
            style: text(&form.style),
            spacing: text(&form.spacing),
            ranks_are: form.ranks_are.name(),
            forced: text(&form.forced),
            outcome,
            messages_within_node: row.series.messages.map(|sent| sent.within_node),
            messages_between_nodes: row.series.messages.map(|sent| sent.between_nodes),
            hosts: csv_text(&hosts.join(" ")).into_owned(),
            reason: csv_text(reason),
            ..Self::from_figures(row)
        }
    }

    /// The numbers of a measured row.
    fn from_figures(row: &BarrierRow<'_>) -> Self {
        let Some(figures) = row.figures() else { return Self::default() };
        let (episode, latency) = (&figures.episode, figures.latency);
        let [episode_median_ns, episode_lo_ns, episode_hi_ns] = with_ends(Some(episode.median)).map(Rounded);
        let [ratio, ratio_lo, ratio_hi] = with_ends(figures.ratio).map(Rounded);
        Self {
            episode_median_ns,
            episode_lo_ns,
            episode_hi_ns,
            episode_min_ns: Rounded(Some(episode.min)),
            episode_p95_ns: Rounded(Some(episode.p95)),
            latency_min_ns: Rounded(latency.map(|latency| latency.min)),
            latency_median_ns: Rounded(latency.map(|latency| latency.median.value)),
            latency_p95_ns: Rounded(latency.map(|latency| latency.p95)),
            skew_median_ns: Rounded(figures.skew),
            clock_uncertainty_ns: Rounded(figures.uncertainty_ns.map(|ns| ns as f64)),
            ratio,
            ratio_lo,
            ratio_hi,
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "ranks,oversubscribed,barrier,family,substrate,style,spacing,ranks_are,forced,outcome,\
episode_median_ns,episode_lo_ns,episode_hi_ns,episode_min_ns,episode_p95_ns,latency_min_ns,latency_median_ns,\
latency_p95_ns,skew_median_ns,ratio,ratio_lo,ratio_hi,messages_within_node,messages_between_nodes,hosts,\
clock_uncertainty_ns,reason\n";

    #[test]
    fn every_row_has_every_field() {
        let lines = wb_record::example_barriers();
        let table = table(&BarrierAnalysis::from_lines(&lines).expect("a run"));
        assert!(table.starts_with(HEADER), "{table}");
        let fields = |line: &str| line.split(',').count();
        assert_eq!(table.lines().count(), lines.len());
        assert!(table.lines().all(|line| fields(line) == fields(HEADER)), "{table}");
        assert!(
            table.contains("2,false,tree,two-sided,messages,,,mpi,,failed,,,,,,,,,,,,,,,,,hung\n"),
            "{table}"
        );
    }
}
