//! One exchange of messages between two clocks, and what it says about their difference.

/// The readings of an exchange: the near side sends a message and waits for the answer, the far side reads its clock in
/// between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundTrip {
    /// The near clock before the message was sent.
    pub sent_ns: u64,
    /// The far clock between the receipt of the message and the answer.
    pub remote_ns: u64,
    /// The near clock after the answer was received.
    pub received_ns: u64,
}

impl RoundTrip {
    /// The time from the first reading of the near clock to the second.
    pub fn duration_ns(&self) -> u64 {
        self.received_ns.saturating_sub(self.sent_ns)
    }

    /// The near clock in the middle of the exchange: the estimate of its reading when the far clock was read.
    pub fn middle_ns(&self) -> u64 {
        self.sent_ns + self.duration_ns() / 2
    }

    /// The offset of the far clock from the near one, according to this exchange, nanoseconds.
    pub fn offset_ns(&self) -> i64 {
        self.remote_ns as i64 - self.middle_ns() as i64
    }

    /// The bound of the error of [`offset_ns`](Self::offset_ns). The far clock was read at some time between the two near readings, so the
    /// middle is at most half of the round trip away from it, whichever of the two messages was slower. Each of the
    /// clocks may be behind by `granularity_ns`, the smallest step of their readings.
    pub fn bound_ns(&self, granularity_ns: u64) -> u64 {
        self.duration_ns().div_ceil(2) + 2 * granularity_ns
    }

    /// The exchange with the smallest bound. A message that was delayed makes its round trip longer, so it is left out.
    pub fn shortest(exchanges: impl IntoIterator<Item = Self>) -> Option<Self> {
        exchanges.into_iter().min_by_key(Self::duration_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An exchange with a far clock that is `offset` ahead, with these ways there and back.
    fn exchange(sent_ns: u64, there: u64, back: u64, offset: i64) -> RoundTrip {
        let remote_ns = (sent_ns + there).checked_add_signed(offset).expect("a reading");
        RoundTrip { sent_ns, remote_ns, received_ns: sent_ns + there + back }
    }

    #[test]
    fn half_of_the_round_trip_bounds_the_error_however_asymmetric_the_ways_are() {
        for offset in [0, 5_000_000_000, -5_000_000_000] {
            for (there, back) in [(0, 1_001), (1_001, 0), (500, 501), (1, 9_000_000), (9_000_000, 1)] {
                let trip = exchange(6_000_000_000, there, back, offset);
                let error = trip.offset_ns().abs_diff(offset);
                assert!(error <= trip.bound_ns(0), "{there} ns there, {back} ns back: {error} ns");
            }
        }
    }

    #[test]
    fn the_bound_is_reached_when_one_way_takes_all_the_time() {
        let trip = exchange(1_000, 800, 0, 70);
        assert_eq!((trip.offset_ns() - 70, trip.bound_ns(0)), (400, 400));
    }

    #[test]
    fn a_delayed_exchange_does_not_spoil_the_estimate() {
        let quick = exchange(1_000, 10, 12, 70);
        let delayed = exchange(2_000, 10, 8_000_000, 70);
        assert_eq!(RoundTrip::shortest([delayed, quick, delayed]), Some(quick));
        // The mean of all exchanges would be wrong by more than the bound of the shortest one.
        let mean = (delayed.offset_ns() + quick.offset_ns()) / 2;
        assert!(mean.abs_diff(70) > 1_000 * quick.bound_ns(0));
        assert_eq!(RoundTrip::shortest([]), None);
    }
}
