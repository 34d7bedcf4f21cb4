//! The summary that every rank gives when a window is freed, and the violations that only all summaries together show.

use wb_comm::{Text, text::epoch};

/// The summary of one rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EpochSummary {
    /// Whether the rank is outside of all epochs.
    pub(crate) is_outside: bool,
    /// The hash of the assertions of its fences, in order.
    pub(crate) fence_hash: u64,
    /// The number of its starts to each rank.
    pub(crate) starts: Vec<u64>,
    /// The number of its posts to each rank.
    pub(crate) posts: Vec<u64>,
}

impl EpochSummary {
    /// The summary as numbers for a message.
    pub(crate) fn to_numbers(&self) -> Vec<u64> {
        let pairs = self.starts.iter().chain(&self.posts).copied();
        [u64::from(self.is_outside), self.fence_hash].into_iter().chain(pairs).collect()
    }

    /// The summary from the numbers of a message.
    pub(crate) fn from_numbers(numbers: &[u64]) -> Self {
        let (starts, posts) = numbers[2..].split_at((numbers.len() - 2) / 2);
        let (starts, posts) = (starts.to_vec(), posts.to_vec());
        Self { is_outside: numbers[0] == 1, fence_hash: numbers[1], starts, posts }
    }
}

/// Describes a rank whose number of starts to another differs from that rank's number of posts to it (rule 11).
pub(crate) fn unmatched_starts(all: &[EpochSummary]) -> Option<Text> {
    let pairs = (0..all.len()).flat_map(|origin| (0..all.len()).map(move |target| (origin, target)));
    let mut counts =
        pairs.map(|(origin, target)| (origin, target, all[origin].starts[target], all[target].posts[origin]));
    let (origin, target, starts, posts) = counts.find(|(_, _, starts, posts)| starts != posts)?;
    Some(epoch::starts_and_posts(origin, starts, target, posts))
}

/// Describes a rank whose fences have other assertions than those of the first rank (rule 12).
pub(crate) fn differing_fences(all: &[EpochSummary]) -> Option<Text> {
    let rank = all.iter().position(|summary| summary.fence_hash != all[0].fence_hash)?;
    Some(epoch::other_assertions_to_a_fence(rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(starts: [u64; 2], posts: [u64; 2]) -> EpochSummary {
        EpochSummary { is_outside: true, fence_hash: 7, starts: starts.to_vec(), posts: posts.to_vec() }
    }

    #[test]
    fn accounts_travel() {
        let account = summary([1, 2], [3, 4]);
        assert_eq!(EpochSummary::from_numbers(&account.to_numbers()), account);
    }

    #[test]
    fn starts_and_posts_are_held_against_each_other_pair_by_pair() {
        let (zero, one) = (summary([0, 3], [2, 0]), summary([0, 0], [3, 0]));
        assert_eq!(unmatched_starts(&[summary([0, 3], [0, 0]), one.clone()]), None);
        let error = unmatched_starts(&[zero, one]).expect("rank 0 has posted to itself and not started");
        assert_eq!(
            error.to_string(),
            "rank 0 has started 0 time(s) to rank 0, which has posted to it 2 time(s)"
        );
        let error =
            unmatched_starts(&[summary([0, 3], [0, 0]), summary([0, 0], [2, 0])]).expect("one post too few");
        assert_eq!(
            error.to_string(),
            "rank 0 has started 3 time(s) to rank 1, which has posted to it 2 time(s)"
        );
    }

    #[test]
    fn fences_of_all_ranks_promise_the_same() {
        let (one, other) =
            (summary([0, 0], [0, 0]), EpochSummary { fence_hash: 8, ..summary([0, 0], [0, 0]) });
        assert_eq!(differing_fences(&[one.clone(), one.clone()]), None);
        assert!(differing_fences(&[one, other]).is_some_and(|error| error.to_string().contains("rank 1")));
    }
}
