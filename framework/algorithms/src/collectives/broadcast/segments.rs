//! Parts of a buffer: consecutive segments, and two parts that do not overlap.
use std::ops::Range;

use wb_comm::{Rank, Result, View, ViewMut};

use crate::collectives::CollectiveContext;

/// The elements of segment `number` of `count` elements.
pub(crate) fn segment(number: usize, segment: usize, count: usize) -> Range<usize> {
    let start = (number * segment).min(count);
    start..(start + segment).min(count)
}

/// Two parts of `data` that do not overlap, in this order: one may be sent while the other is received.
///
/// # Panics
/// When they overlap, or exceed `data`.
pub(crate) fn split_disjoint(
    data: ViewMut<'_>,
    one: Range<usize>,
    other: Range<usize>,
) -> (ViewMut<'_>, ViewMut<'_>) {
    let swapped = other.end <= one.start;
    assert!(swapped || one.end <= other.start, "{one:?} and {other:?} overlap");
    let (low, high) = if swapped { (other, one) } else { (one, other) };
    let (left, right) = data.split_at(high.start);
    let (low, high) = (left.part(low.start, low.len()), right.part(0, high.len()));
    if swapped { (high, low) } else { (low, high) }
}

/// Sends one part to a rank while it receives another from a rank; where both are empty there is no round.
pub(crate) fn exchange(
    comm: &CollectiveContext<'_>,
    leaves: Option<(Rank, View<'_>)>,
    comes: Option<(Rank, ViewMut<'_>)>,
) -> Result<()> {
    match (leaves, comes) {
        (Some((to, out)), Some((from, into))) => comm.exchange(to, out, from, into),
        (Some((to, out)), None) => comm.send(to, out),
        (None, Some((from, into))) => comm.receive(from, into),
        (None, None) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_segment_is_short_and_what_follows_is_empty() {
        assert_eq!([0, 1, 2, 3].map(|number| segment(number, 4, 10)), [0..4, 4..8, 8..10, 10..10]);
    }

    #[test]
    fn parts_come_in_the_order_that_was_asked_for() {
        let mut data = [0, 1, 2, 3, 4, 5];
        let (one, other) = split_disjoint(ViewMut::from_slice(&mut data), 4..6, 1..3);
        assert_eq!(
            (one.slice::<i32>().expect("i32"), other.slice::<i32>().expect("i32")),
            (&mut [4, 5][..], &mut [1, 2][..])
        );
        let (one, other) = split_disjoint(ViewMut::from_slice(&mut data), 0..0, 0..6);
        assert_eq!((one.count(), other.count()), (0, 6));
    }
}
