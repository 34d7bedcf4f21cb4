//! A timed region over all ranks, from the stamps of each.

use wb_clocks::CorrectedStamp;
use wb_record::ElapsedFrom;
use wb_runner::JobClock;
use wb_statistics::median;

/// The share of the median by which an elapsed time may be wrong. Above it, the clock of each rank is better.
const MAX_UNCERTAIN_SHARE: f64 = 0.1;

/// The start and the end of a timed region on each rank, by rank, each on the rank's own clock.
pub(crate) type RegionStamps = Vec<(u64, u64)>;

/// A timed region over all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// From the first start to the last end.
    pub(crate) elapsed_ns: u64,
    /// From the first start to the last start.
    pub(crate) entry_skew_ns: u64,
    /// The last end, on the common clock.
    pub(crate) end: u64,
}

impl Span {
    /// The span of all ranks' `(start, end)`, on one clock. An end can come before a start only where the stamps were corrected.
    pub(crate) fn from_stamps(stamps: impl Iterator<Item = (u64, u64)> + Clone) -> Self {
        let first = stamps.clone().map(|(start, _)| start).min().expect("at least one rank");
        let late = stamps.clone().map(|(start, _)| start).max().expect("at least one rank");
        let end = stamps.map(|(_, end)| end).max().expect("at least one rank");
        Self { elapsed_ns: end.saturating_sub(first), entry_skew_ns: late - first, end }
    }

    /// The same with the longest time of a rank on its own clock as the elapsed time.
    pub(crate) fn with_longest_rank(self, stamps: &[(u64, u64)]) -> Self {
        let longest = stamps.iter().map(|(start, end)| end - start).max().expect("at least one rank");
        Self { elapsed_ns: longest, ..self }
    }
}

/// A region's span until the clocks are compared again: its time is that of the longest rank on its own clock, which needs no
/// common one.
pub(crate) fn interim_span(clock: &JobClock, stamps: &[(u64, u64)]) -> Span {
    match clock.is_shared() {
        true => Span::from_stamps(stamps.iter().copied()),
        false => corrected_span(clock, stamps).0.with_longest_rank(stamps),
    }
}

/// The spans of regions that lie between two comparisons, in groups that are compared with each other, and what their times
/// were computed from.
pub(crate) fn spans(clock: &JobClock, groups: &[Vec<&RegionStamps>]) -> (Vec<Vec<Span>>, ElapsedFrom) {
    if clock.is_shared() {
        let span = |stamps: &&RegionStamps| Span::from_stamps(stamps.iter().copied());
        let spans = groups.iter().map(|regions| regions.iter().map(span).collect());
        return (spans.collect(), ElapsedFrom::CommonClock);
    }
    let corrected: Vec<Vec<(Span, u64)>> = groups
        .iter()
        .map(|regions| regions.iter().map(|stamps| corrected_span(clock, stamps)).collect())
        .collect();
    let is_local = corrected.iter().any(|regions| is_uncertain(regions));
    let span = |(stamps, (span, _)): (&&RegionStamps, &(Span, u64))| {
        if is_local { span.with_longest_rank(stamps) } else { *span }
    };
    let spans =
        groups.iter().zip(&corrected).map(|(regions, found)| regions.iter().zip(found).map(span).collect());
    (spans.collect(), if is_local { ElapsedFrom::LocalClocks } else { ElapsedFrom::CommonClock })
}

/// A region's span on the reference clock, and the bound of the error of its time.
fn corrected_span(clock: &JobClock, stamps: &[(u64, u64)]) -> (Span, u64) {
    let correct = |stamp: fn(&(u64, u64)) -> u64| {
        stamps.iter().enumerate().map(move |(rank, of_rank)| clock.correct(rank, stamp(of_rank)))
    };
    let (starts, ends) = (correct(|(start, _)| *start), correct(|(_, end)| *end));
    let largest = |bound: u64, stamp: CorrectedStamp| bound.max(stamp.uncertainty_ns);
    let uncertainty_ns = starts.clone().fold(0, largest) + ends.clone().fold(0, largest);
    let both = starts.zip(ends).map(|(start, end)| (start.reference_ns, end.reference_ns));
    (Span::from_stamps(both), uncertainty_ns)
}

/// Whether the times of these regions are more uncertain than those of each rank's own clock.
fn is_uncertain(regions: &[(Span, u64)]) -> bool {
    let times: Vec<f64> = regions.iter().map(|(span, _)| span.elapsed_ns as f64).collect();
    let worst = regions.iter().map(|(_, uncertainty_ns)| *uncertainty_ns).max().unwrap_or(0) as f64;
    median(&times).is_some_and(|median| worst > MAX_UNCERTAIN_SHARE * median)
}

#[cfg(test)]
mod tests;
