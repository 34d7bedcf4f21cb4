//! Tests of layouts.
use super::*;
use crate::Error;

/// The positions in order.
fn positions(layout: &Layout) -> Vec<usize> {
    let mut found = vec![];
    layout.for_each_block(&mut |block| found.extend(block));
    found
}

fn layout_error(result: Result<impl std::fmt::Debug>) -> LayoutError {
    match result.expect_err("refused") {
        Error::Layout(error) => *error,
        other => panic!("{other}"),
    }
}

#[test]
fn every_constructor_has_the_positions_that_mpi_gives_it() {
    assert_eq!(positions(&Layout::contiguous(3).at(2)), [2, 3, 4]);
    assert_eq!(positions(&Layout::vector(3, 2, 4)), [0, 1, 4, 5, 8, 9]);
    assert_eq!(positions(&Layout::indexed(&[2, 0, 1], &[5, 90, 1]).expect("indexed")), [5, 6, 1]);
    let part = Layout::subarray(&[2, 3, 4], &[2, 2, 2], &[0, 1, 1]).expect("inside");
    assert_eq!(positions(&part), [5, 6, 9, 10, 17, 18, 21, 22]);
}

#[test]
fn count_and_end_are_those_of_the_positions() {
    for count in 0..4 {
        for length in 0..4 {
            for stride in 0..5 {
                let layout = Layout::vector(count, length, stride).at(3);
                let places = positions(&layout);
                assert_eq!(layout.count(), places.len());
                assert_eq!(layout.end(), places.iter().max().map_or(0, |last| last + 1));
                let mut distinct = places.clone();
                distinct.sort_unstable();
                distinct.dedup();
                assert_eq!(layout.check_distinct().is_ok(), distinct.len() == places.len(), "{layout:?}");
            }
        }
    }
}

#[test]
fn an_element_outside_of_the_slice_is_named() {
    let column = Layout::vector(4, 1, 5);
    assert!(column.at(4).check_slice(20, 8).is_ok());
    let outside = layout_error(column.at(5).check_slice(20, 8));
    assert_eq!(outside, LayoutError::Outside { position: 20, length: 20 });
    assert!(column.check_slice(15, 8).is_err());
    assert!(Layout::vector(0, 1, 5).at(900).check_slice(0, 8).is_ok());
    assert!(Layout::vector(usize::MAX, 2, usize::MAX).check_slice(20, 8).is_err());
    assert!(Layout::contiguous(1).at(usize::MAX).check_slice(usize::MAX - 1, 1).is_err());
    assert!(matches!(Layout::vector(usize::MAX, 1, 0).check_slice(1, 8), Err(Error::TooLong { .. })));
}

#[test]
fn arguments_that_do_not_match_are_refused() {
    assert_eq!(
        layout_error(Layout::indexed(&[1, 1], &[0])),
        LayoutError::Lengths { what: "displacements", got: 1, expected: 2 }
    );
    assert_eq!(layout_error(Layout::subarray(&[], &[], &[])), LayoutError::NoDimension);
    assert_eq!(
        layout_error(Layout::subarray(&[4, 4], &[2, 2], &[0, 3])),
        LayoutError::Part { dimension: 1, start: 3, end: 5, size: 4 }
    );
    assert!(Layout::subarray(&[4], &[usize::MAX], &[1]).is_err());
}

#[test]
fn repeated_and_shared_elements_are_found() {
    assert_eq!(
        layout_error(Layout::vector(2, 3, 2).at(7).check_distinct()),
        LayoutError::Repeated { position: 9 }
    );
    let indexed = Layout::indexed(&[2, 3], &[4, 2]).expect("two blocks");
    assert_eq!(layout_error(indexed.check_distinct()), LayoutError::Repeated { position: 4 });
    let column = Layout::vector(3, 1, 4);
    assert!(column.check_disjoint(&column.at(1)).is_ok());
    assert_eq!(layout_error(column.at(4).check_disjoint(&column)), LayoutError::Shared { position: 4 });
    let row = Layout::contiguous(4).at(4);
    assert_eq!(layout_error(column.at(2).check_disjoint(&row)), LayoutError::Shared { position: 6 });
}

#[test]
fn disjointness_is_that_of_the_positions() {
    let shapes: Vec<_> = (1..4)
        .flat_map(|count| {
            (1..4).flat_map(move |length| (0..4).map(move |stride| Layout::vector(count, length, stride)))
        })
        .flat_map(|layout| (0..3).map(move |offset| layout.at(offset)))
        .collect();
    for one in &shapes {
        for other in &shapes {
            let shared = positions(one).iter().any(|place| positions(other).contains(place));
            assert_eq!(one.check_disjoint(other).is_err(), shared, "{one:?} and {other:?}");
        }
    }
}

#[test]
fn unpacked_is_what_was_packed_and_nothing_else_changes() {
    let data: Vec<i64> = (0..24).collect();
    let part = Layout::subarray(&[4, 6], &[2, 3], &[1, 2]).expect("inside");
    let packed = part.pack(&data).expect("inside");
    assert_eq!(packed, [8, 9, 10, 14, 15, 16]);
    let mut into = vec![-1; 24];
    part.unpack(&packed, &mut into).expect("inside");
    for (place, value) in into.iter().enumerate() {
        assert_eq!(*value, if positions(&part).contains(&place) { place as i64 } else { -1 });
    }
    let short = layout_error(part.unpack(&packed[1..], &mut into));
    assert_eq!(short, LayoutError::Lengths { what: "packed", got: 5, expected: 6 });
    assert!(Layout::vector(2, 2, 1).unpack(&[0i64; 4], &mut into).is_err());
}

#[test]
fn layouts_of_one_shape_have_equal_keys_and_others_have_not() {
    let key = |layout: Layout| Arc::clone(layout.shape());
    assert_eq!(key(Layout::vector(3, 1, 4)), key(Layout::vector(3, 1, 4).at(2)));
    assert_ne!(key(Layout::vector(3, 1, 4)), key(Layout::vector(3, 1, 5)));
}

#[test]
fn blocks_of_ranks_may_lie_between_each_other_and_share_nothing() {
    let distinct = |layout: Layout, ranks| layout.of_ranks(ranks).check_distinct().is_ok();
    let column = Layout::vector(3, 2, 6);
    assert!(distinct(column.resized(2), 3), "columns side by side");
    assert!(!distinct(column.resized(2), 4), "the fourth one starts in the second row");
    assert!(!distinct(column.resized(1), 2) && distinct(column.resized(1), 1));
    assert!(distinct(column.clone(), 9), "one after the other");
    let ends = Layout::indexed(&[1, 1], &[0, 5]).expect("as many");
    assert!(distinct(ends.resized(1), 5) && !distinct(ends.resized(1), 6));
    assert!(!distinct(Layout::contiguous(2).resized(0), 2) && distinct(Layout::contiguous(0).resized(0), 2));
}

#[test]
fn blocks_of_ranks_end_with_the_last_one() {
    let column = Layout::vector(3, 1, 4).resized(1).at(5);
    let all = column.of_ranks(4);
    assert_eq!((all.count(), all.end(), all.offset(), column.extent()), (12, 17, 5, 1));
    assert_eq!(all.check_slice(17, 8), Ok(()));
    assert!(all.check_slice(16, 8).is_err());
    let far = Layout::contiguous(3).resized(usize::MAX).of_ranks(3);
    assert!(far.check_slice(usize::MAX - 1, 1).is_err() && far.check_distinct().is_ok());
    assert!(Layout::contiguous(3).resized(1).of_ranks(usize::MAX).check_slice(99, 1).is_err());
}
