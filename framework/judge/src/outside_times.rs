//! The times of ranks as their judge sees them, and whether the times that the ranks state can be.
use crate::message::RankStatement;

/// The timed region of each rank as the judge sees it: from its start signal to its answer.
pub(crate) struct OutsideTimes(pub(crate) Vec<(u64, u64)>);

impl OutsideTimes {
    /// The first rank that states times which are not within those of the judge: both read the same clock.
    pub(crate) fn find_impossible(&self, statements: &[RankStatement]) -> Option<usize> {
        let is_possible = |(statement, &(start, end)): (&RankStatement, &(u64, u64))| {
            start <= statement.start_ns && statement.start_ns <= statement.end_ns && statement.end_ns <= end
        };
        statements.iter().zip(&self.0).position(|pair| !is_possible(pair))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stated_times_are_between_the_signal_and_the_answer() {
        let outside = OutsideTimes(vec![(10, 90), (20, 80)]);
        let find = |start_ns, end_ns| {
            let honest = RankStatement { start_ns: 10, end_ns: 90, ..RankStatement::default() };
            outside.find_impossible(&[honest, RankStatement { start_ns, end_ns, ..RankStatement::default() }])
        };
        assert_eq!(find(20, 80), None);
        assert_eq!(find(50, 50), None);
        for (start_ns, end_ns) in [(19, 80), (20, 81), (51, 50), (0, 0)] {
            assert_eq!(find(start_ns, end_ns), Some(1), "{start_ns} {end_ns}");
        }
    }
}
