//! The map of one clock to another: linear between comparisons, with a bound of its error.
//!
//! A comparison is a point: the far clock read `remote_ns` when the near clock read `middle_ns`, give or take its bound.
//! Between two points the map is a line. Where both clocks run at constant rates between two comparisons, its error is at most the
//! larger of the two bounds. Rates change slowly (temperature, a daemon that disciplines the clock), so comparisons must be close
//! together; where they are not, the third point shows it:
//!
//! * **A point off the line through its neighbours** by more than the bounds allow: the clock has stepped, or its rate
//!   has changed. Both intervals beside the point get the size of the step that explains it, in addition to the bound.
//! * **A drift that no clock has** ([`MAX_RELATIVE_DRIFT_PPM`]) between two points: the clock has stepped there. The
//!   interval gets the size of the step.
//!
//! What is not found: a step that is smaller than about four bounds (between equal intervals), and two opposite steps within one
//! interval.
use crate::clocks::RoundTrip;

/// The largest difference in rate of two clocks: the kernel limits the correction of a clock's frequency to 500 ppm
/// (`adjtimex`), in either direction.
pub const MAX_RELATIVE_DRIFT_PPM: u64 = 1_000;

/// One comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MapPoint {
    far_ns: u64,
    near_ns: u64,
    bound_ns: u64,
}

/// The map of a far clock to a near one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockMap {
    points: Vec<MapPoint>,
    /// One for each interval between two points: what a step in it adds to the uncertainty.
    steps_ns: Vec<u64>,
    granularity_ns: u64,
}

impl ClockMap {
    /// A map without comparisons, of clocks whose readings differ by at least `granularity_ns`.
    pub fn new(granularity_ns: u64) -> Self {
        Self { points: vec![], steps_ns: vec![], granularity_ns }
    }

    /// Adds the result of a later comparison. One without a later far reading adds nothing.
    pub fn add(&mut self, trip: &RoundTrip) {
        let (far_ns, near_ns) = (trip.remote_ns, trip.middle_ns());
        if self.points.last().is_some_and(|last| last.far_ns >= far_ns) {
            return;
        }
        self.points.push(MapPoint { far_ns, near_ns, bound_ns: trip.bound_ns(self.granularity_ns) });
        self.steps_ns = self.find_steps();
    }

    /// The near clock's reading at the far clock's `far_ns`. Before the first and after the last comparison the map continues
    /// with the mean drift of all comparisons.
    pub fn near_ns(&self, far_ns: u64) -> u64 {
        match self.interval(far_ns) {
            Some(index) => through(&self.points[index], &self.points[index + 1], far_ns),
            None => self.extrapolate(far_ns),
        }
    }

    /// The far clock's reading at the near clock's `near_ns`, which is after the last comparison.
    pub fn far_ns_after(&self, near_ns: u64) -> u64 {
        let inverse = |point: &MapPoint| MapPoint { far_ns: point.near_ns, near_ns: point.far_ns, ..*point };
        let last = inverse(self.last());
        match self.baseline() {
            Some((first, _)) => through(&inverse(first), &last, near_ns),
            None => shift(last.near_ns, i128::from(near_ns) - i128::from(last.far_ns)),
        }
    }

    /// The bound of the error of [`near_ns`](Self::near_ns).
    pub fn bound_ns(&self, far_ns: u64) -> u64 {
        match self.interval(far_ns) {
            Some(index) => self.interval_bound_ns(index),
            None => self.extrapolation_bound_ns(far_ns),
        }
    }

    /// The largest bound between the first and the last comparison.
    pub fn largest_bound_ns(&self) -> u64 {
        let intervals = (0..self.steps_ns.len()).map(|index| self.interval_bound_ns(index));
        intervals.max().unwrap_or_else(|| self.last().bound_ns)
    }

    /// The size of the largest step that the comparisons show; 0 when they are explained by constant rates.
    pub fn largest_step_ns(&self) -> u64 {
        self.steps_ns.iter().copied().max().unwrap_or(0)
    }

    /// The far clock's readings at the first and the last comparison.
    pub fn far_range_ns(&self) -> (u64, u64) {
        (self.first().far_ns, self.last().far_ns)
    }

    fn first(&self) -> &MapPoint {
        self.points.first().expect("clocks are compared before a stamp is corrected")
    }

    fn last(&self) -> &MapPoint {
        self.points.last().expect("clocks are compared before a stamp is corrected")
    }

    /// The interval between two points that contains a reading.
    fn interval(&self, far_ns: u64) -> Option<usize> {
        let after = self.points.partition_point(|point| point.far_ns <= far_ns);
        let is_last =
            after == self.points.len() && self.points.last().is_some_and(|last| last.far_ns == far_ns);
        let begin = after.checked_sub(1 + usize::from(is_last))?;
        (begin + 1 < self.points.len()).then_some(begin)
    }

    fn interval_bound_ns(&self, index: usize) -> u64 {
        let ends = &self.points[index..=index + 1];
        ends.iter().map(|point| point.bound_ns).max().unwrap_or(0) + self.steps_ns[index]
    }

    /// The points that determine the mean drift, if they are so far apart that their bounds do not make it worse than no
    /// correction.
    fn baseline(&self) -> Option<(&MapPoint, &MapPoint)> {
        let (first, last) = (self.first(), self.last());
        let allowed_ns = drift_ns(last.far_ns - first.far_ns);
        (first.bound_ns + last.bound_ns < allowed_ns && self.largest_step_ns() == 0).then_some((first, last))
    }

    fn extrapolate(&self, far_ns: u64) -> u64 {
        match self.baseline() {
            Some((first, last)) => through(first, last, far_ns),
            None => {
                let end = self.nearest_end(far_ns);
                shift(end.near_ns, i128::from(far_ns) - i128::from(end.far_ns))
            }
        }
    }

    fn extrapolation_bound_ns(&self, far_ns: u64) -> u64 {
        let end = self.nearest_end(far_ns);
        let distance_ns = end.far_ns.abs_diff(far_ns);
        // With the drift of the baseline the error of the slope counts, without it the drift itself.
        let slope_ns = self.baseline().map(|(first, last)| {
            let (errors, length) =
                (u128::from(first.bound_ns + last.bound_ns), u128::from(last.far_ns - first.far_ns));
            (errors * u128::from(distance_ns)).div_ceil(length) as u64
        });
        end.bound_ns + slope_ns.unwrap_or_else(|| drift_ns(distance_ns)) + self.largest_step_ns()
    }

    fn nearest_end(&self, far_ns: u64) -> &MapPoint {
        if far_ns < self.first().far_ns { self.first() } else { self.last() }
    }

    fn find_steps(&self) -> Vec<u64> {
        let mut steps_ns: Vec<u64> =
            self.points.windows(2).map(|ends| implausible_drift_ns(&ends[0], &ends[1])).collect();
        for (index, points) in self.points.windows(3).enumerate() {
            let [before, after] = departures_ns(&points[0], &points[1], &points[2]);
            steps_ns[index] = steps_ns[index].max(before);
            steps_ns[index + 1] = steps_ns[index + 1].max(after);
        }
        steps_ns
    }
}

/// The difference that the largest drift makes in this time.
fn drift_ns(time_ns: u64) -> u64 {
    (u128::from(time_ns) * u128::from(MAX_RELATIVE_DRIFT_PPM) / 1_000_000) as u64
}

/// A reading, later or earlier by this time.
fn shift(reading_ns: u64, by_ns: i128) -> u64 {
    (i128::from(reading_ns) + by_ns).clamp(0, i128::from(u64::MAX >> 1)) as u64
}

/// The line through two points at `far_ns`.
fn through(a: &MapPoint, b: &MapPoint, far_ns: u64) -> u64 {
    let (rise, run) =
        (i128::from(b.near_ns) - i128::from(a.near_ns), i128::from(b.far_ns) - i128::from(a.far_ns));
    let distance = i128::from(far_ns) - i128::from(a.far_ns);
    shift(a.near_ns, (distance * rise).div_euclid(run))
}

/// The change of the offset between two points if the largest drift does not explain it, otherwise 0.
fn implausible_drift_ns(a: &MapPoint, b: &MapPoint) -> u64 {
    let run = b.far_ns - a.far_ns;
    let change_ns = (b.near_ns.saturating_sub(a.near_ns)).abs_diff(run);
    if change_ns > drift_ns(run) + a.bound_ns + b.bound_ns { change_ns } else { 0 }
}

/// The sizes of a step before and after the middle point that would explain its distance from the line through the
/// others; 0 where the bounds explain it.
fn departures_ns(a: &MapPoint, middle: &MapPoint, b: &MapPoint) -> [u64; 2] {
    let departure_ns = through(a, b, middle.far_ns).abs_diff(middle.near_ns);
    let explained_ns = middle.bound_ns + a.bound_ns.max(b.bound_ns);
    if departure_ns <= explained_ns {
        return [0; 2];
    }
    let (most_ns, run) = (u128::from(departure_ns + explained_ns), u128::from(b.far_ns - a.far_ns));
    let step_ns = |other_run: u64| (most_ns * run).div_ceil(u128::from(other_run)) as u64;
    // A step after the middle moves only the last point: the line at the middle moves by the share of the run before it.
    [step_ns(b.far_ns - middle.far_ns), step_ns(middle.far_ns - a.far_ns)]
}

#[cfg(test)]
mod tests;
