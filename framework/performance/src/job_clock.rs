//! The clocks that the ranks of a job read: one, or several that are compared with messages.
//!
//! Where all ranks read one clock, nothing here sends a message or changes a number. Otherwise clocks are compared before
//! the first repetition, after the last one of every workload, and about once a second between repetitions, never in one. Until
//! the comparison after a repetition its time is only needed to decide whether sampling is complete; that of the slowest
//! rank on its own clock serves for that, because it needs no common clock.
use std::{
    cell::RefCell,
    hash::{DefaultHasher, Hash, Hasher},
};

use wb_clocks::{CommonClock, HostClocks, compare_clocks};
use wb_comm::{Rank, Result};
use wb_record::{ComparedClock, ElapsedFrom};
use wb_statistics::median;
use wb_worker::clock;
use wb_world::World;

use crate::span::{RegionStamps, Span};

/// The time between two comparisons of one series. The drift of a clock changes within minutes; a change of 1 ppm within a
/// second makes an error of up to 0.25 µs.
const INTERVAL_NS: u64 = 1_000_000_000;

/// The share of the median by which an elapsed time may be wrong. Above it, the clock of each rank is better.
const MAX_UNCERTAIN_SHARE: f64 = 0.1;

/// The clock of a job.
pub(crate) struct JobClock(Option<RefCell<SeveralClocks>>);

struct SeveralClocks {
    common: CommonClock,
    compared_at_ns: u64,
}

/// The number by which ranks find out whether they read one clock.
pub(crate) fn clock_key() -> u64 {
    let mut hasher = DefaultHasher::new();
    clock::clock_identity().hash(&mut hasher);
    hasher.finish()
}

impl JobClock {
    /// All ranks read one clock.
    pub(crate) const SHARED: Self = Self(None);

    /// The clocks of the ranks with these keys, by rank.
    pub(crate) fn from_keys(keys: &[u64], resolution_ns: u64) -> Self {
        let clocks = HostClocks::from_identities(keys);
        if clocks.count() == 1 {
            return Self::SHARED;
        }
        let common = CommonClock::new(clocks, resolution_ns);
        Self(Some(RefCell::new(SeveralClocks { common, compared_at_ns: 0 })))
    }

    /// Whether all ranks read one clock.
    pub(crate) fn is_shared(&self) -> bool {
        self.0.is_none()
    }

    /// Collective: compares the clocks, if there are several.
    pub(crate) fn compare(&self, world: &World) -> Result<()> {
        let Some(several) = &self.0 else { return Ok(()) };
        let clocks = several.borrow().common.clocks().clone();
        let trips = compare_clocks(world, &clocks, &clock::now)?;
        let mut several = several.borrow_mut();
        several.common.add(&trips);
        // The near clock of the first pair is the reference. All ranks have the same round trips.
        several.compared_at_ns = trips[0].received_ns;
        Ok(())
    }

    /// Collective: compares the clocks if the last comparison is too long ago at `now_ns`, a time of the reference that
    /// all ranks know.
    pub(crate) fn compare_if_due(&self, world: &World, now_ns: u64) -> Result<()> {
        let is_due = |several: &RefCell<SeveralClocks>| {
            now_ns.saturating_sub(several.borrow().compared_at_ns) >= INTERVAL_NS
        };
        if self.0.as_ref().is_some_and(is_due) { self.compare(world) } else { Ok(()) }
    }

    /// The time of the reference at this reading of a rank's clock.
    pub(crate) fn reference_ns(&self, rank: Rank, stamp_ns: u64) -> u64 {
        let correct =
            |several: &RefCell<SeveralClocks>| several.borrow().common.correct(rank, stamp_ns).reference_ns;
        self.0.as_ref().map_or(stamp_ns, correct)
    }

    /// The reading of a rank's clock at this time of the reference, which is after the last comparison.
    pub(crate) fn local_ns(&self, rank: Rank, reference_ns: u64) -> u64 {
        let local =
            |several: &RefCell<SeveralClocks>| several.borrow().common.local_ns_after(rank, reference_ns);
        self.0.as_ref().map_or(reference_ns, local)
    }

    /// The bound of the error of the difference of two corrected stamps; 0 where all ranks read one clock.
    pub(crate) fn uncertainty_ns(&self) -> u64 {
        let uncertainty =
            |several: &RefCell<SeveralClocks>| 2 * several.borrow().common.largest_uncertainty_ns();
        self.0.as_ref().map_or(0, uncertainty)
    }

    /// A region's span until the clocks are compared again: its time is that of the longest rank.
    pub(crate) fn interim_span(&self, stamps: &[(u64, u64)]) -> Span {
        match &self.0 {
            None => Span::from_stamps(stamps.iter().copied()),
            Some(several) => several.borrow().span(stamps).0.with_longest_rank(stamps),
        }
    }

    /// The spans of regions that lie between two comparisons, in groups that are compared with each other, and what
    /// their times were computed from.
    pub(crate) fn spans(&self, groups: &[Vec<&RegionStamps>]) -> (Vec<Vec<Span>>, ElapsedFrom) {
        let Some(several) = &self.0 else {
            let span = |stamps: &&RegionStamps| Span::from_stamps(stamps.iter().copied());
            let spans = groups.iter().map(|regions| regions.iter().map(span).collect());
            return (spans.collect(), ElapsedFrom::CommonClock);
        };
        let several = several.borrow();
        let corrected: Vec<Vec<(Span, u64)>> = groups
            .iter()
            .map(|regions| regions.iter().map(|stamps| several.span(stamps)).collect())
            .collect();
        let is_local = corrected.iter().any(|regions| is_uncertain(regions));
        let span = |(stamps, (span, _)): (&&RegionStamps, &(Span, u64))| {
            if is_local { span.with_longest_rank(stamps) } else { *span }
        };
        let spans = groups
            .iter()
            .zip(&corrected)
            .map(|(regions, found)| regions.iter().zip(found).map(span).collect());
        (spans.collect(), if is_local { ElapsedFrom::LocalClocks } else { ElapsedFrom::CommonClock })
    }

    /// What the comparisons found about each clock; nothing where all ranks read one. The names of the hosts are added from the
    /// answers of the ranks.
    pub(crate) fn compared(&self) -> Vec<ComparedClock> {
        let Some(several) = &self.0 else { return vec![] };
        let common = &several.borrow().common;
        let clocks = common.clocks();
        let of_clock = |number: usize| {
            let estimate = common.estimate(number);
            ComparedClock {
                host: String::new(),
                first_rank: clocks.first_rank(number) as u32,
                ranks: clocks.ranks_of(number).len() as u32,
                offset_ns: estimate.offset_ns as f64,
                drift_ppm: estimate.drift_ppm,
                uncertainty_ns: estimate.uncertainty_ns as f64,
                step_ns: estimate.step_ns as f64,
            }
        };
        (0..clocks.count()).map(of_clock).collect()
    }
}

impl SeveralClocks {
    /// A region's span on the reference clock, and the bound of the error of its time.
    fn span(&self, stamps: &[(u64, u64)]) -> (Span, u64) {
        let correct = |stamp: fn(&(u64, u64)) -> u64| {
            stamps.iter().enumerate().map(move |(rank, of_rank)| self.common.correct(rank, stamp(of_rank)))
        };
        let (starts, ends) = (correct(|(start, _)| *start), correct(|(_, end)| *end));
        let largest = |bound: u64, stamp: wb_clocks::CorrectedStamp| bound.max(stamp.uncertainty_ns);
        let uncertainty_ns = starts.clone().fold(0, largest) + ends.clone().fold(0, largest);
        let both = starts.zip(ends).map(|(start, end)| (start.reference_ns, end.reference_ns));
        (Span::from_stamps(both), uncertainty_ns)
    }
}

/// Whether the times of these regions are more uncertain than those of each rank's own clock.
fn is_uncertain(regions: &[(Span, u64)]) -> bool {
    let times: Vec<f64> = regions.iter().map(|(span, _)| span.elapsed_ns as f64).collect();
    let worst = regions.iter().map(|(_, uncertainty_ns)| *uncertainty_ns).max().unwrap_or(0) as f64;
    median(&times).is_some_and(|median| worst > MAX_UNCERTAIN_SHARE * median)
}

#[cfg(test)]
mod tests;
