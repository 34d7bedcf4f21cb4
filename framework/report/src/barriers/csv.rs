//! The measured forms of all barriers for other programs: one row for each form and size, times in nanoseconds.

use wb_text::escape::csv_text;

use super::analysis::{BarrierAnalysis, BarrierFigures, BarrierRow, RowOutcome};
use crate::{
    csv::with_ends,
    document::{Table, left},
};

const COLUMNS: &str = "ranks oversubscribed barrier family substrate style spacing ranks_are forced outcome \
    episode_median_ns episode_lo_ns episode_hi_ns episode_min_ns episode_p95_ns \
    latency_min_ns latency_median_ns latency_p95_ns skew_median_ns ratio ratio_lo ratio_hi \
    messages_within_node messages_between_nodes hosts clock_uncertainty_ns reason";

pub(super) fn table(analysis: &BarrierAnalysis<'_>) -> String {
    let mut table = Table::new(COLUMNS.split_whitespace().map(left));
    analysis.rows.iter().for_each(|row| table.row(cells(analysis, row)));
    table.to_csv()
}

/// A number with three decimals; empty where there is none.
fn number(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| format!("{number:.3}"))
}

fn cells(analysis: &BarrierAnalysis<'_>, row: &BarrierRow<'_>) -> Vec<String> {
    let form = row.form;
    let (outcome, reason) = match &row.outcome {
        RowOutcome::Measured(_) => ("measured", ""),
        RowOutcome::Refused(reason) => ("refused", *reason),
        RowOutcome::Failed(reason) => ("failed", *reason),
    };
    let hosts: Vec<&str> = row.series.placement.iter().map(|host| &*host.host).collect();
    let text = |text: &str| csv_text(text).into_owned();
    let field = |field: &Option<String>| text(field.as_deref().unwrap_or_default());
    let messages = row.series.messages.map(|sent| [sent.within_node, sent.between_nodes]);
    [
        vec![row.ranks.to_string(), analysis.is_oversubscribed(row.ranks).to_string()],
        [&form.variant, &form.family, &form.substrate].map(|name| text(name)).to_vec(),
        vec![field(&form.style), field(&form.spacing), form.ranks_are.name().to_owned(), field(&form.forced)],
        vec![outcome.to_owned()],
        row.figures().map_or_else(|| vec![String::new(); 12], numbers),
        messages.map_or_else(|| vec![String::new(); 2], |sent| sent.map(|count| count.to_string()).to_vec()),
        vec![text(&hosts.join(" "))],
        vec![number(row.figures().and_then(|figures| figures.uncertainty_ns).map(|ns| ns as f64))],
        vec![text(reason)],
    ]
    .concat()
}

/// The numbers of a measured row, from the median of an episode to the ratio.
fn numbers(figures: &BarrierFigures<'_>) -> Vec<String> {
    let (episode, latency) = (&figures.episode, figures.latency);
    [
        with_ends(Some(episode.median), number).to_vec(),
        vec![number(Some(episode.min)), number(Some(episode.p95))],
        vec![
            number(latency.map(|latency| latency.min)),
            number(latency.map(|latency| latency.median.value)),
            number(latency.map(|latency| latency.p95)),
        ],
        vec![number(figures.skew)],
        with_ends(figures.ratio, number).to_vec(),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_every_field() {
        let lines = wb_record::example_barriers();
        let table = table(&BarrierAnalysis::from_lines(&lines).expect("a run"));
        assert!(
            table.starts_with(&(COLUMNS.split_whitespace().collect::<Vec<_>>().join(",") + "\n")),
            "{table}"
        );
        let fields = |line: &str| line.split(',').count();
        assert_eq!(table.lines().count(), lines.len());
        assert!(table.lines().all(|line| fields(line) == COLUMNS.split_whitespace().count()), "{table}");
        assert!(
            table.contains("2,false,tree,two-sided,messages,,,mpi,,failed,,,,,,,,,,,,,,,,,hung\n"),
            "{table}"
        );
    }
}
