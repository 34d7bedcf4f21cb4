//! A timed region over all ranks, from the stamps of each.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_reaches_from_the_first_start_to_the_last_end() {
        let stamps = [(100, 250), (130, 220)];
        let span = Span::from_stamps(stamps.into_iter());
        assert_eq!(span, Span { elapsed_ns: 150, entry_skew_ns: 30, end: 250 });
        let stamps = [(100, 240), (150, 250)];
        let span = Span::from_stamps(stamps.into_iter()).with_longest_rank(&stamps);
        assert_eq!(span, Span { elapsed_ns: 140, entry_skew_ns: 50, end: 250 });
    }
}
