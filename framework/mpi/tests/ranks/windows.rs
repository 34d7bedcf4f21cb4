//! Windows: every operation, kind and synchronisation. The same checks run on ranks that are threads.
use wb_comm::{
    Accumulation, Assertion, CallSite, Datatype, ErasedWindow, Error, LockKind, MessageTag, Op, Operation,
    PendingFetch, Rank, Result, SendMode, Source, Transport, Until, Verb, View, ViewMut, WindowKind, Wire,
    WordUpdate,
};

use crate::sample::{ReducibleValue, TestValue, for_every_layout, for_every_number, values};

#[path = "window_atomics.rs"]
mod window_atomics;
#[path = "window_errors.rs"]
mod window_errors;
pub(crate) use window_atomics::{atomics, words};
pub(crate) use window_errors::bad_arguments;

const KINDS: [WindowKind; 3] = [WindowKind::Create, WindowKind::Allocate, WindowKind::Shared];
const NONE: Assertion =
    Assertion { no_check: false, no_store: false, no_put: false, no_precede: false, no_succeed: false };

fn site(verb: Verb) -> CallSite {
    CallSite::caller(verb)
}

pub(crate) fn open(
    world: &dyn Transport,
    kind: WindowKind,
    datatype: Datatype,
    count: usize,
) -> Box<dyn ErasedWindow> {
    let window = world.window(kind, datatype, count, site(Verb::WindowCreate)).expect("a window");
    assert_eq!((window.rank(), window.size()), (world.rank(), world.size()));
    assert_eq!((window.datatype(), window.count(world.rank())), (datatype, count));
    assert!(window.kind() == kind || kind == WindowKind::Create, "{:?} for {kind:?}", window.kind());
    window
}

fn free(window: Box<dyn ErasedWindow>) {
    window.free(site(Verb::WindowFree)).expect("freed");
}

fn fence(window: &dyn ErasedWindow) {
    window.fence(NONE, site(Verb::Fence)).expect("everybody");
}

fn take<T: Wire>(fetched: Box<dyn PendingFetch>) -> Vec<T> {
    fetched.take().expect("complete").into_vec().expect("the window's type")
}

fn own<T: Wire>(window: &dyn ErasedWindow) -> Vec<T> {
    let mut own = vec![T::default(); window.count(window.rank())];
    window.read(0, ViewMut::from_slice(&mut own)).expect("own elements");
    own
}

fn get(window: &dyn ErasedWindow, target: Rank, at: usize, count: usize) -> Box<dyn PendingFetch> {
    window.get(target, at, count, site(Verb::Get)).expect("in range")
}

fn put<T: Wire>(window: &dyn ErasedWindow, target: Rank, at: usize, data: &[T]) -> Result<()> {
    window.put(target, at, View::from_slice(data), site(Verb::Put))
}

fn accumulate<T: Wire>(window: &dyn ErasedWindow, target: Rank, at: usize, data: &[T], op: Accumulation) {
    window.accumulate(target, at, View::from_slice(data), op, site(Verb::Accumulate)).expect("in range");
}

fn inside_lock_all(window: &dyn ErasedWindow, body: impl FnOnce()) {
    window.lock_all(NONE, site(Verb::LockAll)).expect("shared");
    body();
    window.unlock_all(site(Verb::UnlockAll)).expect("locked");
}

/// Every rank arrives before any rank leaves.
pub(crate) fn barrier(world: &dyn Transport) {
    let tag = MessageTag::internal(99);
    let send = |to| Op::Send { to, tag, data: View::from_slice::<u8>(&[]), mode: SendMode::Standard };
    let recv = |from| Op::Recv {
        from: Source::Rank(from),
        tag: tag.into(),
        data: ViewMut::from_slice::<u8>(&mut []),
        status: None,
    };
    let mut rounds: Vec<Vec<Op<'_>>> = if world.rank() == 0 {
        vec![(1..world.size()).map(recv).collect(), (1..world.size()).map(send).collect()]
    } else {
        vec![vec![send(0)], vec![recv(0)]]
    };
    rounds.iter_mut().for_each(|round| world.post_and_wait(round, site(Verb::Barrier)).expect("everybody"));
}

pub(crate) fn fences(world: &dyn Transport) {
    let (rank, size) = (world.rank(), world.size());
    for kind in KINDS {
        let window = open(world, kind, Datatype::I64, size + 1);
        assert_eq!(own::<i64>(&*window), vec![0; size + 1], "windows begin with zeros");
        for round in 0..5i64 {
            fence(&*window);
            for target in 0..size {
                put(&*window, target, rank, &[round * 100 + rank as i64]).expect("in range");
            }
            fence(&*window);
            let expected: Vec<_> = (0..size as i64).map(|rank| round * 100 + rank).collect();
            assert_eq!(own::<i64>(&*window)[..size], expected, "{kind:?}");
            let all: Vec<_> = (0..size).map(|target| get(&*window, target, 0, size)).collect();
            fence(&*window);
            all.into_iter().for_each(|fetched| assert_eq!(take::<i64>(fetched), expected, "{kind:?}"));
        }
        window.write(size, View::from_slice(&[7i64 + rank as i64])).expect("own element");
        fence(&*window);
        let last = get(&*window, (rank + 1) % size, size, 1);
        window.fence(Assertion { no_succeed: true, ..NONE }, site(Verb::Fence)).expect("everybody");
        assert_eq!(take::<i64>(last), [7 + ((rank + 1) % size) as i64]);
        free(window);
    }
}

fn one_layout<T: TestValue>(world: &dyn Transport) {
    let (rank, size) = (world.rank(), world.size());
    let (next, previous) = ((rank + 1) % size, (rank + size - 1) % size);
    let kind = KINDS[T::DATATYPE.number().expect("a number") % KINDS.len()];
    let window = open(world, kind, T::DATATYPE, 8);
    fence(&*window);
    put(&*window, next, 0, &values::<T>(rank, 4)).expect("in range");
    accumulate(&*window, next, 4, &values::<T>(rank + 3, 4), Accumulation::Replace);
    fence(&*window);
    let expected = [values::<T>(previous, 4), values::<T>(previous + 3, 4)].concat();
    assert_eq!(own::<T>(&*window), expected, "{kind:?} of {}", T::DATATYPE);
    fence(&*window);
    inside_lock_all(&*window, || {
        let before = window
            .fetch_and_op(
                next,
                1,
                View::from_slice(&[T::from_number(9)]),
                Accumulation::Replace,
                site(Verb::FetchAndOp),
            )
            .expect("in range");
        let kept = window
            .get_accumulate(
                next,
                2,
                View::from_slice(&[T::from_number(9), T::from_number(9)]),
                Accumulation::Keep,
                site(Verb::GetAccumulate),
            )
            .expect("in range");
        window.flush(Some(next), site(Verb::Flush)).expect("inside");
        assert_eq!(take::<T>(before), values::<T>(rank, 4)[1..2]);
        assert_eq!(take::<T>(kept), values::<T>(rank, 4)[2..]);
    });
    barrier(world);
    free(window);
}

pub(crate) fn every_layout(world: &dyn Transport) {
    for_every_layout!(one_layout(world));
}

fn one_number<T: ReducibleValue>(world: &dyn Transport) {
    let (rank, size) = (world.rank(), world.size());
    let operations = || {
        Operation::ALL.iter().copied().filter(|operation| operation.is_defined_for(T::DATATYPE)).enumerate()
    };
    let mut expected = vec![T::from_number(5); operations().count() + 1];
    let window = open(world, WindowKind::Allocate, T::DATATYPE, expected.len());
    window.write(0, View::from_slice(&expected)).expect("own");
    fence(&*window);
    for (at, operation) in operations() {
        accumulate(&*window, 0, at, &[T::from_number(2 + rank)], Accumulation::With(operation));
        for other in 0..size {
            operation
                .fold(
                    View::from_slice(&[T::from_number(2 + other)]),
                    ViewMut::from_slice(&mut expected[at..=at]),
                )
                .expect("a predefined one");
        }
    }
    fence(&*window);
    if rank == 0 {
        assert_eq!(own::<T>(&*window), expected, "{}", T::DATATYPE);
    }
    free(window);
}

pub(crate) fn reductions(world: &dyn Transport) {
    for_every_number!(one_number(world));
}

/// Posts to the previous rank, accesses the next one.
pub(crate) fn general_active_target(world: &dyn Transport) {
    let (rank, size) = (world.rank(), world.size());
    let (next, previous) = ((rank + 1) % size, (rank + size - 1) % size);
    for kind in KINDS {
        let window = open(world, kind, Datatype::F64, 2);
        for round in 0..6u32 {
            let no_check = round % 3 == 1;
            if no_check {
                // The assertion that the post has happened.
                window.post(&[previous], Assertion { no_check, ..NONE }, site(Verb::Post)).expect("closed");
                barrier(world);
            } else {
                window.post(&[previous], NONE, site(Verb::Post)).expect("closed");
            }
            window.start(&[next], Assertion { no_check, ..NONE }, site(Verb::Start)).expect("closed");
            put(&*window, next, 0, &[f64::from(round), rank as f64]).expect("in range");
            window.complete(site(Verb::Complete)).expect("started");
            if round % 2 == 0 {
                window.wait(site(Verb::WindowWait)).expect("posted");
            } else {
                while !window.test(site(Verb::WindowTest)).expect("posted") {}
            }
            assert_eq!(own::<f64>(&*window), [f64::from(round), previous as f64], "{kind:?}, round {round}");
        }
        window.post(&[], NONE, site(Verb::Post)).expect("nobody");
        window.wait(site(Verb::WindowWait)).expect("for nobody");
        free(window);
    }
}

/// Read, change, write under an exclusive lock: no update is lost.
pub(crate) fn exclusive_locks(world: &dyn Transport) {
    const TIMES: usize = 13;
    for kind in KINDS {
        let window = open(world, kind, Datatype::U32, 1);
        for time in 0..TIMES {
            let target = time % world.size();
            window.lock(LockKind::Exclusive, target, NONE, site(Verb::Lock)).expect("nothing held");
            let value = get(&*window, target, 0, 1);
            window.flush(Some(target), site(Verb::Flush)).expect("inside");
            put(&*window, target, 0, &[take::<u32>(value)[0] + 1]).expect("in range");
            window.unlock(target, site(Verb::Unlock)).expect("held");
        }
        barrier(world);
        window.lock(LockKind::Shared, world.rank(), NONE, site(Verb::Lock)).expect("nothing held");
        window.sync(site(Verb::WindowSync)).expect("inside");
        let visits = (0..TIMES).filter(|time| time % world.size() == world.rank()).count();
        assert_eq!(own::<u32>(&*window), [(visits * world.size()) as u32], "{kind:?}");
        window.unlock(world.rank(), site(Verb::Unlock)).expect("held");
        free(window);
    }
}

pub(crate) fn shared_memory(world: &dyn Transport) {
    use std::sync::atomic::Ordering::SeqCst;
    let (rank, size) = (world.rank(), world.size());
    for (kind, datatype) in [(WindowKind::Allocate, Datatype::I64), (WindowKind::Shared, Datatype::F64)] {
        let window = open(world, kind, datatype, 1);
        assert!(window.shared_words().is_none(), "{kind:?} of {datatype}");
        free(window);
    }
    // Rank r has r + 1 elements.
    let window = open(world, WindowKind::Shared, Datatype::I64, rank + 1);
    let first = |rank: usize| rank * (rank + 1) / 2;
    let all = window.shared_words().expect("atomics of all");
    assert_eq!(all.len(), first(size));
    all[first(rank)].store(rank as i64 + 1, SeqCst);
    barrier(world);
    (0..size).for_each(|other| assert_eq!(all[first(other)].load(SeqCst), other as i64 + 1));
    assert_eq!(own::<i64>(&*window)[0], rank as i64 + 1);
    barrier(world);
    inside_lock_all(&*window, || {
        let target = (rank + 1) % size;
        window
            .fetch_and_update_word(target, target, WordUpdate::Add(40), site(Verb::FetchAndOp))
            .expect("in range");
    });
    barrier(world);
    assert_eq!(all[first(rank) + rank].load(SeqCst), if rank == 0 { 41 } else { 40 });
    barrier(world);
    free(window);
}

/// More operations than a staging area holds, and fetches whose results are not read.
pub(crate) fn many_operations(world: &dyn Transport) {
    const MANY: usize = 1100;
    let (rank, size) = (world.rank(), world.size());
    let next = (rank + 1) % size;
    let sum = Accumulation::With(Operation::Sum);
    for kind in KINDS {
        let window = open(world, kind, Datatype::I64, 1 << 16);
        fence(&*window);
        (0..MANY).for_each(|_| accumulate(&*window, next, 0, &[1i64], sum));
        put(&*window, next, 1, &values::<i64>(rank, (1 << 16) - 1)).expect("in range");
        drop(get(&*window, next, 0, 10));
        window.fence(Assertion { no_succeed: true, ..NONE }, site(Verb::Fence)).expect("everybody");
        let previous = (rank + size - 1) % size;
        assert_eq!(own::<i64>(&*window)[0], MANY as i64);
        assert_eq!(own::<i64>(&*window)[1..], values::<i64>(previous, (1 << 16) - 1));
        barrier(world);
        inside_lock_all(&*window, || {
            (0..MANY).for_each(|_| accumulate(&*window, next, 0, &[1i64], sum));
            drop(get(&*window, next, 0, 10));
            window.flush_local(Some(next), site(Verb::FlushLocal)).expect("inside");
        });
        barrier(world);
        assert_eq!(own::<i64>(&*window)[0], 2 * MANY as i64);
        free(window);
    }
}

/// Windows of a split, and windows with overlapping lifetimes, are independent.
pub(crate) fn several(world: &dyn Transport) {
    let rank = world.rank();
    let part = world.split(Some(rank as u32 % 2), 0, site(Verb::Split)).expect("split").expect("a color");
    let (one, two) = (
        open(world, WindowKind::Allocate, Datatype::I64, 1),
        open(&*part, WindowKind::Allocate, Datatype::I64, 1),
    );
    fence(&*one);
    fence(&*two);
    let sum = Accumulation::With(Operation::Sum);
    accumulate(&*one, 0, 0, &[1i64], sum);
    accumulate(&*two, 0, 0, &[1i64], sum);
    fence(&*two);
    fence(&*one);
    if rank == 0 {
        assert_eq!((own::<i64>(&*one)[0], own::<i64>(&*two)[0]), (world.size() as i64, part.size() as i64));
    }
    free(one);
    free(two);
}
