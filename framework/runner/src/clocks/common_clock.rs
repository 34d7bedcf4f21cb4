//! One clock for all ranks of a job: stamps of every host, corrected to the reference clock.
use wb_comm::Rank;

use crate::clocks::{ClockMap, HostClocks, RoundTrip};

/// The reference clock of a job, as the comparisons so far determine it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommonClock {
    clocks: HostClocks,
    /// One for each pair of clocks: the far clock to the near one.
    maps: Vec<ClockMap>,
    /// For each clock, the index of the pair by which it is corrected; none for the reference.
    routes: Vec<Option<usize>>,
    granularity_ns: u64,
}

/// A stamp on the reference clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorrectedStamp {
    /// The reference clock's reading.
    pub reference_ns: u64,
    /// The bound of its error.
    pub uncertainty_ns: u64,
}

/// The result of the comparisons for one clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockEstimate {
    /// The offset of the clock from the reference at the first comparison, nanoseconds.
    pub offset_ns: i64,
    /// The drift against the reference, in millionths, between the first and the last comparison.
    pub drift_ppm: f64,
    /// The largest uncertainty of a corrected stamp of this clock.
    pub uncertainty_ns: u64,
    /// The size of the largest step of the clock that explains the comparisons; 0 where constant rates explain them.
    pub step_ns: u64,
}

impl CommonClock {
    /// A common clock without comparisons. `granularity_ns` is the smallest difference between two readings of any of the clocks.
    pub fn new(clocks: HostClocks, granularity_ns: u64) -> Self {
        let maps = vec![ClockMap::new(granularity_ns); clocks.pairs().len()];
        let routes = vec![None; clocks.count()];
        Self { clocks, maps, routes, granularity_ns }
    }

    /// The clocks of the job.
    pub fn clocks(&self) -> &HostClocks {
        &self.clocks
    }

    /// Adds a comparison: a round trip of each pair, as [`compare_clocks`](crate::clocks::compare_clocks) returns them.
    ///
    /// # Panics
    /// If there is not exactly one for each pair.
    pub fn add(&mut self, trips: &[RoundTrip]) {
        assert_eq!(trips.len(), self.maps.len(), "one round trip for each pair of clocks");
        self.maps.iter_mut().zip(trips).for_each(|(map, trip)| map.add(trip));
        self.routes = self.find_routes();
    }

    /// A rank's stamp on the reference clock.
    ///
    /// # Panics
    /// For a rank of another clock than the reference before the first comparison.
    pub fn correct(&self, rank: Rank, stamp_ns: u64) -> CorrectedStamp {
        self.correct_clock(self.clocks.clock_of(rank), stamp_ns)
    }

    /// A rank's clock at a reading of the reference clock after the last comparison.
    ///
    /// # Panics
    /// As [`correct`](Self::correct).
    pub fn local_ns_after(&self, rank: Rank, reference_ns: u64) -> u64 {
        let mut chain: Vec<usize> = self.chain(self.clocks.clock_of(rank)).collect();
        chain.reverse();
        chain.into_iter().fold(reference_ns, |near_ns, pair| self.maps[pair].far_ns_after(near_ns))
    }

    /// The largest uncertainty of a corrected stamp between the first and the last comparison, over all clocks.
    pub fn largest_uncertainty_ns(&self) -> u64 {
        (0..self.clocks.count()).map(|clock| self.uncertainty_ns(clock)).max().unwrap_or(0)
    }

    /// The result of the comparisons for a clock.
    pub fn estimate(&self, clock: usize) -> ClockEstimate {
        let Some(pair) = self.routes[clock] else {
            let uncertainty_ns = self.granularity_ns;
            return ClockEstimate { offset_ns: 0, drift_ppm: 0.0, uncertainty_ns, step_ns: 0 };
        };
        let (first, last) = self.maps[pair].far_range_ns();
        let at = |far_ns| self.correct_clock(clock, far_ns).reference_ns;
        let (begin, end) = (at(first), at(last));
        let (run, far_run) = (end.saturating_sub(begin), last - first);
        let gained_ns = far_run as f64 - run as f64;
        ClockEstimate {
            offset_ns: first as i64 - begin as i64,
            drift_ppm: if run == 0 { 0.0 } else { gained_ns / run as f64 * 1e6 },
            uncertainty_ns: self.uncertainty_ns(clock),
            step_ns: self.chain(clock).map(|pair| self.maps[pair].largest_step_ns()).max().unwrap_or(0),
        }
    }

    fn correct_clock(&self, clock: usize, stamp_ns: u64) -> CorrectedStamp {
        let start = CorrectedStamp { reference_ns: stamp_ns, uncertainty_ns: self.granularity_ns };
        self.chain(clock).fold(start, |stamp, pair| {
            let (map, reading_ns) = (&self.maps[pair], stamp.reference_ns);
            let uncertainty_ns = add_bounds(stamp.uncertainty_ns, map.bound_ns(reading_ns));
            CorrectedStamp { reference_ns: map.near_ns(reading_ns), uncertainty_ns }
        })
    }

    fn uncertainty_ns(&self, clock: usize) -> u64 {
        self.chain(clock)
            .fold(self.granularity_ns, |sum, pair| add_bounds(sum, self.maps[pair].largest_bound_ns()))
    }

    /// The pairs from a clock to the reference.
    fn chain(&self, clock: usize) -> impl Iterator<Item = usize> {
        let route = move |clock: usize| self.routes[clock];
        std::iter::successors(route(clock), move |&pair| route(self.clocks.pairs()[pair].near))
    }

    /// The chain with the least sum of bounds for each clock.
    fn find_routes(&self) -> Vec<Option<usize>> {
        let mut least: Vec<u64> = vec![u64::MAX; self.clocks.count()];
        let mut routes = vec![None; self.clocks.count()];
        least[0] = 0;
        // A near clock has a smaller number than the far one, so each is final before it is used.
        for far in 1..self.clocks.count() {
            for (index, pair) in self.clocks.pairs().iter().enumerate().filter(|(_, pair)| pair.far == far) {
                let sum = add_bounds(least[pair.near], self.maps[index].largest_bound_ns());
                if sum < least[far] {
                    (least[far], routes[far]) = (sum, Some(index));
                }
            }
        }
        routes
    }
}

/// The bound of two errors one after the other. The second map stretches the first error by the relative drift of its clocks, which is below
/// a thousandth.
fn add_bounds(error_ns: u64, bound_ns: u64) -> u64 {
    error_ns + error_ns.div_ceil(1_000) + bound_ns
}

#[cfg(test)]
mod tests;
