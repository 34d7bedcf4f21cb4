//! On how many processors a rank computed, and whether one thread can.

/// The processors on which a rank with one thread may seem to compute. It computes on at most one; the judge reads the rank's processor
/// time and its own clock one after the other, so the quotient of the two can be a little more.
const MAX_PROCESSORS: f64 = 1.3;

/// The shortest repetition that shows on how many processors a rank computes. In a shorter one the moment between the two readings
/// counts too much.
pub(crate) const SHORTEST_FOR_PROCESSORS_NS: u64 = 10_000_000;

/// The median of the processors on which the ranks computed in the long repetitions, if it is more than one thread can use. Each number
/// is beside the length of its repetition in nanoseconds.
pub(crate) fn excess_processors(processors: &[(u64, f64)]) -> Option<f64> {
    let of_long = processors.iter().filter(|(elapsed_ns, _)| *elapsed_ns >= SHORTEST_FOR_PROCESSORS_NS);
    let of_long: Vec<f64> = of_long.map(|(_, processors)| *processors).collect();
    wb_statistics::median(&of_long).filter(|&median| median > MAX_PROCESSORS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Such numbers of processors in repetitions of this length.
    fn found(elapsed_ns: u64, processors: &[f64]) -> Vec<(u64, f64)> {
        processors.iter().map(|&processors| (elapsed_ns, processors)).collect()
    }

    #[test]
    fn half_of_the_long_repetitions_decide_on_how_many_processors_a_rank_computes() {
        let excess = |processors: &[f64]| excess_processors(&found(SHORTEST_FOR_PROCESSORS_NS, processors));
        assert_eq!(excess(&[]), None);
        assert_eq!(excess(&[0.9, 1.0, 1.1, 1.9, 2.0]), None, "a few readings that were interrupted");
        assert_eq!(excess(&[1.0, 1.9, 2.0]), Some(1.9));
        assert_eq!(excess_processors(&found(SHORTEST_FOR_PROCESSORS_NS - 1, &[1.9, 2.0, 2.0])), None);
    }
}
