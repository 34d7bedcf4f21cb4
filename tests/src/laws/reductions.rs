//! Laws of the reductions: every operation, every type that MPI can reduce.
use wb_world::{Error, Number, Operation, World};

use super::{Law, counts};

pub(super) const LAWS: &[Law] = &[
    ("reduce: the root has the fold of all ranks", reduce),
    ("allreduce: every rank has the fold of all ranks", allreduce),
    ("allreduce: every type, every operation", types),
    ("scan: rank r has the fold of ranks 0..=r", scan),
    ("exscan: rank r has the fold of ranks 0..r, rank 0 keeps its own", exscan),
    ("an operation that is not defined for the type is an error", undefined),
];

/// Small enough that products of 17 ranks stay exact: 1, 2, 3, 1, ...
fn value(rank: usize, position: usize) -> i64 {
    i64::try_from((rank + position) % 3 + 1).expect("small")
}

fn contribution(rank: usize, count: usize) -> Vec<i64> {
    (0..count).map(|position| value(rank, position)).collect()
}

fn combine(operation: Operation, a: i64, b: i64) -> i64 {
    match operation {
        Operation::Sum => a + b,
        Operation::Prod => a * b,
        Operation::Min => a.min(b),
        Operation::Max => a.max(b),
        Operation::BitAnd => a & b,
        Operation::BitOr => a | b,
        Operation::BitXor => a ^ b,
    }
}

/// The fold of the contributions of `0..ranks`, element by element; `ranks` is at least 1.
fn folded(operation: Operation, ranks: usize, count: usize) -> Vec<i64> {
    let element = |position| {
        let values = (0..ranks).map(|rank| value(rank, position));
        values.reduce(|a, b| combine(operation, a, b)).expect("at least one rank")
    };
    (0..count).map(element).collect()
}

fn each(world: &World, law: impl Fn(Operation, usize)) {
    for operation in Operation::ALL {
        for count in counts(world.size()) {
            law(operation, count);
        }
    }
}

fn reduce(world: &World) {
    for root in 0..world.size() {
        let count = world.size();
        let operation = Operation::ALL[root % Operation::ALL.len()];
        let mut all = (world.rank() == root).then(|| vec![-1; count]);
        let mine = contribution(world.rank(), count);
        world.reduce(&mine, all.as_deref_mut(), operation, root).expect("reduce");
        if let Some(all) = all {
            assert_eq!(all, folded(operation, world.size(), count), "{operation}, root {root}");
        }
    }
}

fn allreduce(world: &World) {
    each(world, |operation, count| {
        let mut all = vec![-1; count];
        world.allreduce(&contribution(world.rank(), count), &mut all, operation).expect("allreduce");
        assert_eq!(all, folded(operation, world.size(), count), "{operation}, count {count}");
    });
}

fn scan(world: &World) {
    each(world, |operation, count| {
        let mut sofar = vec![-1; count];
        world.scan(&contribution(world.rank(), count), &mut sofar, operation).expect("scan");
        assert_eq!(sofar, folded(operation, world.rank() + 1, count), "{operation}, count {count}");
    });
}

fn exscan(world: &World) {
    each(world, |operation, count| {
        let mut before = vec![-1; count];
        world.exscan(&contribution(world.rank(), count), &mut before, operation).expect("exscan");
        let expected = match world.rank() {
            0 => vec![-1; count],
            rank => folded(operation, rank, count),
        };
        assert_eq!(before, expected, "{operation}, count {count}");
    });
}

fn types(world: &World) {
    fn one<T: Number>(world: &World, of: impl Fn(i64) -> T) {
        for operation in Operation::ALL.into_iter().filter(|operation| operation.is_defined_for(T::DATATYPE))
        {
            // A product of 17 ranks would overflow a byte, and sums of floats this small are exact.
            let value = |rank: usize| if operation == Operation::Prod { 1 } else { value(rank, 0) };
            let mut all = [T::default()];
            world.allreduce(&[of(value(world.rank()))], &mut all, operation).expect("allreduce");
            let values = (0..world.size()).map(value);
            let expected = values.reduce(|a, b| combine(operation, a, b)).expect("at least one rank");
            assert_eq!(all, [of(expected)], "{operation} of {}", T::DATATYPE);
        }
    }
    one(world, |v| i8::try_from(v).expect("small"));
    one(world, |v| i16::try_from(v).expect("small"));
    one(world, |v| i32::try_from(v).expect("small"));
    one(world, |v| v);
    one(world, |v| isize::try_from(v).expect("small"));
    one(world, |v| u8::try_from(v).expect("small"));
    one(world, |v| u16::try_from(v).expect("small"));
    one(world, |v| u32::try_from(v).expect("small"));
    one(world, |v| u64::try_from(v).expect("small"));
    one(world, |v| usize::try_from(v).expect("small"));
    one(world, |v| f32::from(i16::try_from(v).expect("small")));
    one(world, |v| f64::from(i32::try_from(v).expect("small")));
}

fn undefined(world: &World) {
    let refused = world.allreduce(&[1.0f64], &mut [0.0], Operation::BitXor);
    assert!(matches!(refused, Err(Error::Operation { .. })), "{refused:?}");
}
