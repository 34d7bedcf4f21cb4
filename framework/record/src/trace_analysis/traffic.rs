//! Who sends how much to whom: the messages between ranks as a matrix.
use crate::trace_analysis::{Matching, Timeline};

/// The messages of one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrafficCell {
    /// The number of messages.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl TrafficCell {
    fn add(&mut self, other: Self) {
        self.messages += other.messages;
        self.bytes = self.bytes.saturating_add(other.bytes);
    }
}

impl std::iter::Sum for TrafficCell {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, one| {
            sum.add(one);
            sum
        })
    }
}

/// A row for each sender and a column for each receiver; where there are many ranks, for groups of consecutive ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrafficMatrix {
    /// The number of ranks.
    pub ranks: usize,
    /// The ranks of one group; the last group may have fewer.
    pub group: usize,
    /// By group of the sender and group of the receiver.
    pub cells: Vec<Vec<TrafficCell>>,
}

impl TrafficMatrix {
    /// The matrix of all matched messages with at most `most` rows. The size of a group is a power of two. Signals between windows are no
    /// messages.
    ///
    /// # Panics
    /// If `most` is 0.
    pub fn from_matching(timeline: &Timeline<'_>, matching: &Matching, most: usize) -> Self {
        let ranks = timeline.ranks.len();
        let group = ranks.div_ceil(most).next_power_of_two();
        let groups = ranks.div_ceil(group);
        let mut cells = vec![vec![TrafficCell::default(); groups]; groups];
        for message in matching.messages.iter().filter(|message| message.tag.is_some()) {
            let cell = &mut cells[message.send.rank / group][message.received.rank / group];
            cell.add(TrafficCell { messages: 1, bytes: message.bytes });
        }
        Self { ranks, group, cells }
    }

    /// The ranks of a group, as the first and the last.
    pub fn ranks_of(&self, group: usize) -> (usize, usize) {
        (group * self.group, ((group + 1) * self.group).min(self.ranks) - 1)
    }

    /// All that a group sends.
    pub fn sent(&self, group: usize) -> TrafficCell {
        self.cells[group].iter().copied().sum()
    }

    /// All that a group receives.
    pub fn received(&self, group: usize) -> TrafficCell {
        self.cells.iter().map(|row| row[group]).sum()
    }

    /// All messages.
    pub fn total(&self) -> TrafficCell {
        self.cells.iter().flatten().copied().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{example_trace, trace_analysis::analyse};

    fn matrix(most: usize) -> TrafficMatrix {
        let trace = example_trace();
        let timeline = Timeline::new(&trace.ranks).expect("a sound trace");
        let analysis = analyse(&trace.ranks).expect("a sound trace");
        TrafficMatrix::from_matching(&timeline, &analysis.matching, most)
    }

    #[test]
    fn a_row_is_what_a_rank_sends_and_a_column_what_it_receives() {
        let matrix = matrix(16);
        let one = TrafficCell { messages: 1, bytes: 1 << 20 };
        let none = TrafficCell::default();
        assert_eq!(matrix.cells, [[none, one, one], [none; 3], [none; 3]]);
        assert_eq!((matrix.sent(0), matrix.received(0)), (TrafficCell { messages: 2, bytes: 2 << 20 }, none));
        assert_eq!((matrix.received(2), matrix.total()), (one, matrix.sent(0)));
    }

    #[test]
    fn ranks_fold_into_groups_of_a_power_of_two() {
        let matrix = matrix(2);
        assert_eq!((matrix.group, matrix.cells.len()), (2, 2));
        assert_eq!((matrix.ranks_of(0), matrix.ranks_of(1)), ((0, 1), (2, 2)));
        assert_eq!(matrix.cells[0][0].messages + matrix.cells[0][1].messages, 2);
        assert_eq!(matrix.total().bytes, 2 << 20);
    }
}
