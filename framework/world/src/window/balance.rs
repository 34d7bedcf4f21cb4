//! What every rank tells when a window is given up, and what only all of it together shows.

use wb_comm::{Text, text::epoch};

/// One rank's account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Balance {
    /// Is it outside all epochs?
    pub(crate) outside: bool,
    /// Of what its fences have promised, one after the other.
    pub(crate) fence_hash: u64,
    /// How many starts to each rank.
    pub(crate) starts: Vec<u64>,
    /// How many posts to each rank.
    pub(crate) posts: Vec<u64>,
}

impl Balance {
    /// As it travels.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        let pairs = self.starts.iter().chain(&self.posts).copied();
        [u64::from(self.outside), self.fence_hash].into_iter().chain(pairs).collect()
    }

    /// As it has travelled.
    pub(crate) fn of(numbers: &[u64]) -> Self {
        let (starts, posts) = numbers[2..].split_at((numbers.len() - 2) / 2);
        let (starts, posts) = (starts.to_vec(), posts.to_vec());
        Self { outside: numbers[0] == 1, fence_hash: numbers[1], starts, posts }
    }
}

/// A rank that has started to another more or less often than that has posted to it (rule 11), for people.
pub(crate) fn unmatched(all: &[Balance]) -> Option<Text> {
    let pairs = (0..all.len()).flat_map(|origin| (0..all.len()).map(move |target| (origin, target)));
    let mut counts =
        pairs.map(|(origin, target)| (origin, target, all[origin].starts[target], all[target].posts[origin]));
    let (origin, target, starts, posts) = counts.find(|(_, _, starts, posts)| starts != posts)?;
    Some(epoch::starts_and_posts(origin, starts, target, posts))
}

/// A rank whose fences have promised something else than the first one's (rule 12), for people.
pub(crate) fn fences_differ(all: &[Balance]) -> Option<Text> {
    let rank = all.iter().position(|balance| balance.fence_hash != all[0].fence_hash)?;
    Some(epoch::other_assertions_to_a_fence(rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn balance(starts: [u64; 2], posts: [u64; 2]) -> Balance {
        Balance { outside: true, fence_hash: 7, starts: starts.to_vec(), posts: posts.to_vec() }
    }

    #[test]
    fn accounts_travel() {
        let account = balance([1, 2], [3, 4]);
        assert_eq!(Balance::of(&account.numbers()), account);
    }

    #[test]
    fn starts_and_posts_are_held_against_each_other_pair_by_pair() {
        let (zero, one) = (balance([0, 3], [2, 0]), balance([0, 0], [3, 0]));
        assert_eq!(unmatched(&[balance([0, 3], [0, 0]), one.clone()]), None);
        let told = unmatched(&[zero, one]).expect("rank 0 has posted to itself and not started");
        assert_eq!(
            told.to_string(),
            "rank 0 has started 0 time(s) to rank 0, which has posted to it 2 time(s)"
        );
        let told = unmatched(&[balance([0, 3], [0, 0]), balance([0, 0], [2, 0])]).expect("one post too few");
        assert_eq!(
            told.to_string(),
            "rank 0 has started 3 time(s) to rank 1, which has posted to it 2 time(s)"
        );
    }

    #[test]
    fn fences_of_all_ranks_promise_the_same() {
        let (one, other) = (balance([0, 0], [0, 0]), Balance { fence_hash: 8, ..balance([0, 0], [0, 0]) });
        assert_eq!(fences_differ(&[one.clone(), one.clone()]), None);
        assert!(fences_differ(&[one, other]).is_some_and(|told| told.to_string().contains("rank 1")));
    }
}
