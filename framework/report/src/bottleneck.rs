//! "Why is it not faster?" in the report of a task: the summary of its traced run, or the reason why there is none.

use wb_messages::Lang;
use wb_messages::report::trace as text;

use crate::analysis::{Bottleneck, TaskAnalysis};
use crate::trace::TraceSummary;
use crate::{format, model};

/// The share of additional computing, compared with the sequential version, above which a sentence reports it.
const MIN_EXTRA_COMPUTING: f64 = 0.05;

/// Below this efficiency of `run` a sentence splits what is missing.
const LOW_EFFICIENCY: f64 = 0.8;

/// A traced run that differs from the median of the timed ones by more than this share is not comparable with them.
const MAX_TRACED_DEVIATION: f64 = 0.25;

/// The findings of the trace, and the sentences that compare it with the timed runs; otherwise the sentence that says
/// why there are none.
pub(crate) fn bottleneck_summary(
    lang: Lang,
    analysis: &TaskAnalysis<'_>,
) -> Result<(TraceSummary, Vec<String>), String> {
    let (trace, timed) = match &analysis.bottleneck {
        Bottleneck::Untraced => return Err(text::untraced(lang)),
        Bottleneck::Foreign(trace) => return Err(text::foreign(lang, &trace.subject.task)),
        Bottleneck::Traced(trace, timed) => (trace, timed),
    };
    let summary =
        TraceSummary::from_trace(trace, lang).map_err(|broken| text::contradictory(lang, broken))?;
    let time = format::time(lang, summary.total_ns);
    let mut comparisons = vec![match timed.median {
        Some(median) => {
            let change = model::signed(lang, summary.total_ns / median - 1.0);
            text::timed_difference(lang, time, format::time(lang, median), change)
        }
        None => text::traced_time(lang, time),
    }];
    comparisons.extend(analysis.shares.as_ref().map(|shares| {
        let share = |(rank, share): (usize, &f64)| format!("{rank}: {}", format::percent(lang, *share));
        let all: Vec<String> = shares.by_rank.iter().enumerate().map(share).collect();
        text::shares_of_ranks(lang, all.join(", "))
    }));
    let far = |median: &f64| (summary.total_ns / median - 1.0).abs() > MAX_TRACED_DEVIATION;
    comparisons.extend(timed.median.filter(far).map(|_| text::far_from_timed(lang)));
    comparisons.extend(
        timed.base.filter(|base| summary.computed_ns > (1.0 + MIN_EXTRA_COMPUTING) * base).map(|base| {
            let factor = format::ratio(lang, summary.computed_ns / base);
            text::more_computing(
                lang,
                format::time(lang, summary.computed_ns),
                factor,
                format::time(lang, base),
            )
        }),
    );
    comparisons.extend(timed.run_base.and_then(|base| low_efficiency(&summary, base, lang)));
    Ok((summary, comparisons))
}

/// The parts that the efficiency of `run` lacks, where it is low.
fn low_efficiency(summary: &TraceSummary, base: f64, lang: Lang) -> Option<String> {
    let run = summary.run.filter(|run| run.ranks > 1)?;
    let (efficiency, extra) = run.efficiency(base);
    let lost = 1.0 - run.computed_share();
    let percent = |share: f64| format::percent(lang, share.max(0.0));
    (efficiency < LOW_EFFICIENCY).then(|| {
        text::low_efficiency(
            lang,
            percent(efficiency),
            format::time(lang, base),
            percent(extra),
            percent(lost),
        )
    })
}
