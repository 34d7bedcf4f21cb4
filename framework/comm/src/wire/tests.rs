//! Tests of element types and views.
use std::panic::{self, AssertUnwindSafe};

use super::*;
use crate::{Block, Operation};

#[test]
fn a_view_keeps_its_type() {
    let data = [1i32, 2, 3];
    let view = View::from_slice(&data);
    assert_eq!(view.slice::<i32>(), Some(&data[..]));
    assert_eq!(view.slice::<u32>(), None);
    assert_eq!(view.part(1, 2).slice::<i32>(), Some(&data[1..]));
    assert_eq!(view.bytes().len(), 12);
}

#[test]
fn an_empty_view_is_an_aligned_slice_of_its_type() {
    assert_eq!(View::empty(Datatype::I128).slice::<i128>(), Some(&[][..]));
    assert_eq!(ViewMut::empty(Datatype::U8).slice::<u8>(), Some(&mut [][..]));
    assert!(NO_ELEMENTS.cast::<u128>().is_aligned());
}

#[test]
fn the_two_sides_of_a_split_are_apart() {
    let mut data = [1_u16, 2, 3];
    let (left, right) = ViewMut::from_slice(&mut data).split_at(1);
    let (left, right) = (left.slice::<u16>().expect("u16"), right.slice::<u16>().expect("u16"));
    std::mem::swap(&mut left[0], &mut right[1]);
    assert_eq!(data, [3, 2, 1]);
}

#[test]
#[should_panic(expected = "split at 4 of a view of 3")]
fn a_split_stays_inside() {
    ViewMut::from_slice(&mut [1u8, 2, 3]).split_at(4);
}

/// Sums and products that wrap around. A panic of the overflow check is a failure: a release build does not have it.
#[test]
fn parts_and_splits_stay_inside_also_where_sums_wrap_around() {
    let mut data = [1i64, 2, 3];
    let wrapping = [usize::MAX, usize::MAX - 1, usize::MAX / 2 + 1, usize::MAX / 8 + 1, isize::MAX as usize];
    let ends = (0..=4).chain(wrapping);
    for (start, count) in ends.clone().flat_map(|start| ends.clone().map(move |count| (start, count))) {
        let inside = start <= 3 && count <= 3 && start + count <= 3;
        let refusal = format!("part {start}+{count} of a view of 3");
        let expected = if inside { Ok(count) } else { Err(refusal) };
        let part =
            catch_panic(|| View::from_slice(&data).part(start, count).slice::<i64>().map_or(0, <[i64]>::len));
        assert_eq!(part, expected);
        assert_eq!(catch_panic(|| ViewMut::from_slice(&mut data).part(start, count).count()), expected);
    }
    for middle in ends {
        let split = catch_panic(|| {
            let (left, right) = ViewMut::from_slice(&mut data).split_at(middle);
            (left.count(), right.count())
        });
        let refusal = format!("split at {middle} of a view of 3");
        assert_eq!(split, if middle <= 3 { Ok((middle, 3 - middle)) } else { Err(refusal) });
    }
}

/// The value, or the text of a panic.
fn catch_panic<R>(part: impl FnOnce() -> R) -> std::result::Result<R, String> {
    let payload = panic::catch_unwind(AssertUnwindSafe(part));
    payload.map_err(|payload| *payload.downcast::<String>().expect("a text"))
}

#[test]
#[should_panic(expected = "part 2+2 of a view of 3")]
fn a_part_stays_inside() {
    View::from_slice(&[1u8, 2, 3]).part(2, 2);
}

#[test]
fn zeroed_room_has_the_type_it_was_asked_for() {
    for &datatype in Datatype::ALL {
        let mut block = Block::zeroed(datatype, 3);
        assert_eq!((block.view().datatype(), block.view().count()), (datatype, 3));
        assert!(block.view_mut().bytes().iter().all(|byte| *byte == 0));
    }
    assert_eq!(Block::zeroed(Datatype::F64, 2).into_vec::<f64>(), Some(vec![0.0; 2]));
}

#[test]
fn folds_keep_the_lower_ranks_on_the_left() {
    let mut into = [10i32, 3];
    Operation::Sum.fold(View::from_slice(&[1, 2]), ViewMut::from_slice(&mut into)).expect("a predefined one");
    assert_eq!(into, [11, 5]);
    let mut into = [2.0f64];
    Operation::Min
        .fold(View::from_slice(&[1.0f64]), ViewMut::from_slice(&mut into))
        .expect("a predefined one");
    assert_eq!(into, [1.0]);
}

#[test]
fn what_mpi_cannot_reduce_is_refused() {
    assert!(!Operation::BitAnd.is_defined_for(Datatype::F64));
    assert!(!Operation::Sum.is_defined_for(Datatype::I128));
    assert!(Datatype::ALL.iter().all(|l| l.size() > 0));
}
