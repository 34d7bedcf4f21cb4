//! When a change was submitted, although each commit bears the date that its author's clock, or the author, gave it.
//!
//! On the first-parent line of the main branch commits follow each other, so their dates rise. A clock that is wrong, or a forged date,
//! breaks that order. The longest rising subsequence (Schensted 1961) of the dates is trusted; each other commit was made between its
//! trusted neighbours. A student's commit is not younger than the commit that merged it, and not older than the commit of the main branch
//! that it builds on.

use jiff::Timestamp;

/// The dates of the commits of the main branch, oldest first, each untrusted one moved to its trusted neighbours.
///
/// ```
/// use wb_course::trusted_dates;
/// let seconds = |dates: &[i64]| dates.iter().map(|at| jiff::Timestamp::from_second(*at).unwrap()).collect::<Vec<_>>();
/// assert_eq!(trusted_dates(&seconds(&[10, 20, 99, 30, 5, 40])), seconds(&[10, 20, 30, 30, 30, 40]));
/// ```
pub fn trusted_dates(dates: &[Timestamp]) -> Vec<Timestamp> {
    let trusted = longest_rising(dates);
    let mut counted = dates.to_vec();
    for at in 0..dates.len() {
        if trusted[at] {
            continue;
        }
        let before = at.checked_sub(1).map(|before| counted[before]);
        let after = (at + 1..dates.len()).find(|later| trusted[*later]).map(|later| dates[later]);
        counted[at] = within(dates[at], before, after);
    }
    counted
}

/// The date that counts for a student's commit: the one that it bears, but not before the commit of the main branch that it builds on and
/// not after the one that merged it.
pub fn counted_date(claimed: Timestamp, base: Option<Timestamp>, merged: Timestamp) -> Timestamp {
    within(claimed, base, Some(merged))
}

fn within(date: Timestamp, least: Option<Timestamp>, most: Option<Timestamp>) -> Timestamp {
    let date = least.map_or(date, |least| date.max(least));
    most.map_or(date, |most| date.min(most))
}

/// For each date, whether it belongs to a longest subsequence that never falls.
fn longest_rising(dates: &[Timestamp]) -> Vec<bool> {
    // Of each length the position of the smallest last date, and before each position the one that it follows.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = vec![None; dates.len()];
    for (at, date) in dates.iter().enumerate() {
        let length = ends.partition_point(|end| dates[*end] <= *date);
        previous[at] = length.checked_sub(1).map(|before| ends[before]);
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut chosen = vec![false; dates.len()];
    let mut next = ends.last().copied();
    while let Some(at) = next {
        chosen[at] = true;
        next = previous[at];
    }
    chosen
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn moments(seconds: &[i64]) -> Vec<Timestamp> {
        seconds.iter().map(|second| Timestamp::from_second(*second).expect("in range")).collect()
    }

    #[test]
    fn one_forged_date_moves_no_other() {
        for forged in [1, 1_000_000] {
            let dates = moments(&[100, 200, forged, 300, 400]);
            let counted = trusted_dates(&dates);
            assert_eq!(
                (counted[0], counted[1], counted[3], counted[4]),
                (dates[0], dates[1], dates[3], dates[4])
            );
            assert!(counted[1] <= counted[2] && counted[2] <= counted[3], "{counted:?}");
        }
    }

    #[test]
    fn equal_dates_are_trusted_beside_forged_ones() {
        let counted = trusted_dates(&moments(&[10, 10, 10, 5, 6]));
        assert_eq!(counted, moments(&[10; 5]), "three equal dates, then two earlier ones");
    }

    #[test]
    fn a_date_is_not_before_its_base_nor_after_its_merge() {
        let [early, base, claimed, merged, late] = moments(&[1, 2, 3, 4, 5])[..] else { panic!("five") };
        assert_eq!(counted_date(claimed, Some(base), merged), claimed);
        assert_eq!(counted_date(early, Some(base), merged), base);
        assert_eq!(counted_date(late, Some(base), merged), merged);
        assert_eq!(counted_date(early, None, merged), early);
    }

    proptest! {
        #[test]
        fn counted_dates_rise_and_rising_dates_stay(seconds in proptest::collection::vec(0_i64..50, 0..30)) {
            let dates = moments(&seconds);
            prop_assert!(trusted_dates(&dates).is_sorted());
            let mut sorted = dates;
            sorted.sort();
            prop_assert_eq!(trusted_dates(&sorted), sorted);
        }
    }
}
