//! Laws of the reductions: every operation, every type that MPI can reduce.
use wb_world::{Error, Located, LocatedValue, Number, Operation, Wire, World};

use super::{Law, counts};

pub(super) const LAWS: &[Law] = &[
    ("reduce: the root has the fold of all ranks", reduce),
    ("allreduce: every rank has the fold of all ranks", allreduce),
    ("allreduce: every type, every operation", types),
    ("scan: rank r has the fold of ranks 0..=r", scan),
    ("exscan: rank r has the fold of ranks 0..r, rank 0 keeps its own", exscan),
    ("minloc and maxloc find the extremum and the smallest index that has it", located),
    ("a user's operation combines the ranks in their order", users_in_order),
    ("a user's commutative operation is a fold of all ranks", users_commutative),
    ("reduce_local combines as a reduction of two ranks does", reduce_local),
    ("an operation that is not defined for the type is an error", undefined),
];

pub(super) fn of_integers() -> Vec<Operation> {
    Operation::ALL.into_iter().filter(|operation| operation.is_defined_for(i64::DATATYPE)).collect()
}

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
        Operation::LogicalAnd => i64::from(a != 0 && b != 0),
        Operation::LogicalOr => i64::from(a != 0 || b != 0),
        Operation::LogicalXor => i64::from((a != 0) != (b != 0)),
        other => panic!("{other} of integers"),
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
    for operation in of_integers() {
        for count in counts(world.size()) {
            law(operation, count);
        }
    }
}

fn reduce(world: &World) {
    for root in 0..world.size() {
        let count = world.size();
        let operation = of_integers()[root % of_integers().len()];
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

fn located(world: &World) {
    fn one<T: LocatedValue>(world: &World, of: impl Fn(i16) -> T)
    where
        Located<T>: Number,
    {
        let (rank, size) = (world.rank(), world.size());
        // Several ranks have each value: -1, 0, 1, -1, ...
        let value = |rank: usize| of((rank % 3) as i16 - 1);
        let mine =
            |rank: usize| [Located::new(value(rank), rank as i32), Located::new(of(5), 7 - rank as i32)];
        for operation in [Operation::MinLoc, Operation::MaxLoc] {
            let mut found = [Located::default(); 2];
            world.allreduce(&mine(rank), &mut found, operation).expect("allreduce");
            let wins = |a: T, b: T| if operation == Operation::MinLoc { a < b } else { a > b };
            let first =
                (1..size).fold(0, |best, rank| if wins(value(rank), value(best)) { rank } else { best });
            let expected = [Located::new(value(first), first as i32), Located::new(of(5), 8 - size as i32)];
            assert_eq!(found, expected, "{operation}");
        }
    }
    one::<i32>(world, i32::from);
    one::<i64>(world, i64::from);
    one::<f32>(world, f32::from);
    one::<f64>(world, f64::from);
}

/// Composes x -> a x + b and x -> c x + d, written as a << 32 | b: associative and not commutative.
fn compose(f: u64, g: u64) -> u64 {
    let parts = |f: u64| [f >> 32, f & 0xffff_ffff].map(|part| u32::try_from(part).expect("half"));
    let ([a, b], [c, d]) = (parts(f), parts(g));
    u64::from(a.wrapping_mul(c)) << 32 | u64::from(c.wrapping_mul(b).wrapping_add(d))
}

fn users_in_order(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let operation = Operation::user(false, compose);
    let mine = |rank: usize, count: usize| -> Vec<u64> {
        (0..count).map(|at| ((3 + rank as u64) << 32) | (7 * rank + at + 1) as u64).collect()
    };
    let expected = |ranks: std::ops::Range<usize>, count: usize| {
        let add = |so_far: Vec<u64>, next| so_far.iter().zip(next).map(|(f, g)| compose(*f, g)).collect();
        ranks.map(|rank| mine(rank, count)).reduce(add).expect("one rank at least")
    };
    for count in counts(size) {
        let send = mine(rank, count);
        let mut result = vec![0; count];
        world.allreduce(&send, &mut result, operation).expect("allreduce");
        assert_eq!(result, expected(0..size, count), "allreduce");
        world.scan(&send, &mut result, operation).expect("scan");
        assert_eq!(result, expected(0..rank + 1, count), "scan");
        world.exscan(&send, &mut result, operation).expect("exscan");
        assert!(rank == 0 || result == expected(0..rank, count), "exscan");
        for root in [0, size - 1] {
            let buffer = (rank == root).then_some(&mut result[..]);
            world.reduce(&send, buffer, operation, root).expect("reduce");
            assert!(rank != root || result == expected(0..size, count), "reduce to {root}");
        }
        let mut block = vec![0; count];
        world
            .reduce_scatter_block(&mine(rank, count * size), &mut block, operation)
            .expect("reduce_scatter_block");
        assert_eq!(block, expected(0..size, count * size)[rank * count..][..count], "reduce_scatter_block");
    }
}

fn users_commutative(world: &World) {
    let gcd = Operation::user(true, |a: u32, b: u32| {
        let (mut a, mut b) = (a, b);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    });
    let mut result = [0];
    world.allreduce(&[60 * (world.rank() as u32 + 1)], &mut result, gcd).expect("allreduce");
    assert_eq!(result, [60]);
    let refused = world.allreduce(&[1_i64], &mut [0], gcd);
    assert!(matches!(refused, Err(Error::Operation { .. })), "{refused:?}");
}

fn reduce_local(world: &World) {
    for operation in of_integers() {
        let mut into = [2, 0, 7];
        world.reduce_local(&[3, 5, 7], &mut into, operation).expect("reduce_local");
        assert_eq!(into, [combine(operation, 3, 2), combine(operation, 5, 0), combine(operation, 7, 7)]);
    }
    let mut into = [compose(1, 2)];
    world.reduce_local(&[5 << 32 | 1], &mut into, Operation::user(false, compose)).expect("reduce_local");
    assert_eq!(into, [compose(5 << 32 | 1, compose(1, 2))]);
}
