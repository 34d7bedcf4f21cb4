//! Each ordering of the operations of [`Cells`] is needed: with the real ones no execution loses a published value, and
//! each weakened one loses it in exactly the pairs of operations that use it.
use std::{
    any::TypeId,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic},
};

use loom::{
    model,
    sync::atomic::{AtomicI64, Ordering},
    thread,
};
use wb_comm::{
    Cells, Memory, Rank, Result, Spacing, SpinPolicy, Until,
    cells::{AtomicWord, Orderings, ReleaseAcquire},
};

use super::atomic::Atomic;

/// Orderings that differ from the real ones in what is written.
macro_rules! weakened {
    ($($(#[$doc:meta])* $name:ident { $($which:ident: $ordering:ident),+ })*) => { $(
        $(#[$doc])*
        pub(crate) struct $name;

        impl Orderings for $name {
            weakened!(@ LOAD $name [$($which $ordering)+]);
            weakened!(@ STORE $name [$($which $ordering)+]);
            weakened!(@ READ_MODIFY_WRITE $name [$($which $ordering)+]);
            weakened!(@ COMPARE_FAILURE $name [$($which $ordering)+]);
            weakened!(@ FENCE $name [$($which $ordering)+]);
        }
    )* };
    (@ LOAD $n:ident [LOAD $o:ident $($r:tt)*]) => { const LOAD: Ordering = Ordering::$o; };
    (@ STORE $n:ident [STORE $o:ident $($r:tt)*]) => { const STORE: Ordering = Ordering::$o; };
    (@ READ_MODIFY_WRITE $n:ident [READ_MODIFY_WRITE $o:ident $($r:tt)*]) => { const READ_MODIFY_WRITE: Ordering = Ordering::$o; };
    (@ COMPARE_FAILURE $n:ident [COMPARE_FAILURE $o:ident $($r:tt)*]) => { const COMPARE_FAILURE: Ordering = Ordering::$o; };
    (@ FENCE $n:ident [FENCE $o:ident $($r:tt)*]) => { const FENCE: Ordering = Ordering::$o; };
    (@ $which:ident $n:ident [$a:ident $o:ident $($r:tt)*]) => { weakened!(@ $which $n [$($r)*]); };
    (@ $which:ident $n:ident []) => { const $which: Ordering = ReleaseAcquire::$which; };
}

weakened! {
    /// All that may be relaxed is: the canary of the barriers.
    Relaxed { LOAD: Relaxed, STORE: Relaxed, READ_MODIFY_WRITE: Relaxed, COMPARE_FAILURE: Relaxed }
    RelaxedLoad { LOAD: Relaxed }
    RelaxedStore { STORE: Relaxed }
    ChangeWithoutRelease { READ_MODIFY_WRITE: Acquire }
    ChangeWithoutAcquire { READ_MODIFY_WRITE: Release }
    RelaxedChange { READ_MODIFY_WRITE: Relaxed }
    RelaxedFailure { COMPARE_FAILURE: Relaxed }
    WeakFence { FENCE: AcqRel }
}

/// The real cells on loom's atomics.
type On<'a, O> = Cells<'a, Atomic<O>>;

/// An operation that sets cell 0 of a PE from 0 to 1.
type Writer<O> = (&'static str, fn(&mut On<'_, O>, Rank) -> Result<()>);
/// An operation that reads cell 0 of a PE: is it 1?
type Reader<O> = (&'static str, fn(&mut On<'_, O>, Rank) -> Result<bool>);

/// Rank 0 writes; `true`: to its own cell only.
fn writers<O: Orderings>() -> Vec<(Writer<O>, bool)> {
    vec![
        (("store", |m, _| m.store(0, 1)), true),
        (("put", |m, pe| m.put(pe, 0, 1)), false),
        (("add", |m, pe| m.add(pe, 0, 1)), false),
        (("fetch_add", |m, pe| m.fetch_add(pe, 0, 1).map(drop)), false),
        (("swap", |m, pe| m.swap(pe, 0, 1).map(drop)), false),
        (("compare_swap", |m, pe| m.compare_swap(pe, 0, 0, 1).map(drop)), false),
    ]
}

/// Rank 1 reads; `true`: from its own cell only.
fn readers<O: Orderings>() -> Vec<(Reader<O>, bool)> {
    vec![
        (("load", |m, _| Ok(m.load(0)? == 1)), true),
        (("wait", |m, _| m.wait(0, Until::Equal(1)).map(|()| true)), true),
        (("test", |m, _| m.test(0, Until::Equal(1))), true),
        (("get", |m, pe| Ok(m.get(pe, 0)? == 1)), false),
        (("poll", |m, pe| m.poll(pe, 0, Until::Equal(1)).map(|()| true)), false),
        (("fetch_add", |m, pe| Ok(m.fetch_add(pe, 0, 0)? == 1)), false),
        (("swap", |m, pe| Ok(m.swap(pe, 0, 9)? == 1)), false),
        (("compare_swap", |m, pe| Ok(m.compare_swap(pe, 0, 1, 9)? == 1)), false),
        (("failing compare_swap", |m, pe| Ok(m.compare_swap(pe, 0, 5, 9)? == 1)), false),
    ]
}

fn cells<O: Orderings>(atoms: &[Atomic<O>], rank: Rank) -> On<'_, O> {
    Cells::new(atoms, rank, 2, 1, Spacing::Packed, SpinPolicy { spins_before_yield: 0 })
}

fn atoms<O>() -> Arc<Vec<Atomic<O>>> {
    Arc::new((0..2).map(|_| Atomic::new(0)).collect())
}

/// The pairs of a writer and a reader across which an earlier write is not visible.
fn unpublished<O: Orderings>() -> Vec<(&'static str, &'static str)> {
    let mut found = vec![];
    for ((writer, write), at_writer) in writers::<O>() {
        for ((reader, read), at_reader) in readers::<O>() {
            let pe = match (at_writer, at_reader) {
                (true, true) => continue,
                (true, false) => 0,
                (false, _) => 1,
            };
            let exploration = move || {
                model(move || {
                    let (atoms, data) = (atoms::<O>(), Arc::new(AtomicI64::new(0)));
                    let (others, before) = (Arc::clone(&atoms), Arc::clone(&data));
                    let writing = thread::spawn(move || {
                        before.store(7, Ordering::Relaxed);
                        write(&mut cells(&others, 0), pe).expect("a cell that is there");
                    });
                    if read(&mut cells(&atoms, 1), pe).expect("a cell that is there") {
                        assert_eq!(data.load(Ordering::Relaxed), 7, "what was written before");
                    }
                    writing.join().expect("loom tells of panics itself");
                });
            };
            if catch_unwind(AssertUnwindSafe(exploration)).is_err() {
                found.push((writer, reader));
            }
        }
    }
    found
}

/// All pairs that the tables allow, filtered.
fn pairs(of: impl Fn(&str, &str) -> bool) -> Vec<(&'static str, &'static str)> {
    let pair = |((writer, at_writer), (reader, at_reader)): (_, _)| {
        (!(at_writer && at_reader) && of(writer, reader)).then_some((writer, reader))
    };
    let writers = writers::<ReleaseAcquire>().into_iter().map(|((name, _), at)| (name, at));
    let readers: Vec<_> = readers::<ReleaseAcquire>().into_iter().map(|((name, _), at)| (name, at)).collect();
    writers.flat_map(|w| readers.iter().map(move |r| (w, *r))).filter_map(pair).collect()
}

const STORES: [&str; 2] = ["store", "put"];
const LOADS: [&str; 5] = ["load", "wait", "test", "get", "poll"];
const FAILING: &str = "failing compare_swap";

#[test]
fn every_verb_publishes_to_every_other() {
    assert_eq!(unpublished::<ReleaseAcquire>(), []);
    assert_eq!(pairs(|_, _| true).len(), 6 * 9 - 3);
}

#[test]
fn canary_an_ordering_that_is_weakened_is_found_in_every_pair_that_uses_it() {
    let (stores, loads) = (|w: &str| STORES.contains(&w), |r: &str| LOADS.contains(&r));
    assert_eq!(unpublished::<RelaxedLoad>(), pairs(|_, r| loads(r)));
    assert_eq!(unpublished::<RelaxedStore>(), pairs(|w, _| stores(w)));
    assert_eq!(unpublished::<ChangeWithoutRelease>(), pairs(|w, _| !stores(w)));
    assert_eq!(unpublished::<ChangeWithoutAcquire>(), pairs(|_, r| !loads(r) && r != FAILING));
    assert_eq!(unpublished::<RelaxedChange>(), pairs(|w, r| !stores(w) || (!loads(r) && r != FAILING)));
    assert_eq!(unpublished::<RelaxedFailure>(), pairs(|_, r| r == FAILING));
}

/// Each PE puts into its own cell, is quiet, and gets that of the other: can both miss what the other has put?
fn both_can_miss<O: Orderings>() -> bool {
    let missed = Arc::new(atomic::AtomicBool::new(false));
    let noted = Arc::clone(&missed);
    model(move || {
        let all = atoms::<O>();
        let part = |rank: Rank| {
            let all = Arc::clone(&all);
            move || {
                let mut memory = cells(&all, rank);
                memory.put(rank, 0, 1).and_then(|()| memory.quiet()).expect("a cell that is there");
                memory.get(1 - rank, 0).expect("a cell that is there")
            }
        };
        let other = thread::spawn(part(1));
        let (mine, theirs) = (part(0)(), other.join().expect("loom tells of panics itself"));
        noted.fetch_or(mine == 0 && theirs == 0, atomic::Ordering::SeqCst);
    });
    missed.load(atomic::Ordering::SeqCst)
}

#[test]
fn quiet_puts_what_was_put_before_everything_that_follows() {
    assert!(!both_can_miss::<ReleaseAcquire>());
    assert!(both_can_miss::<WeakFence>(), "the canary");
}

#[test]
fn the_processor_s_atomics_get_the_orderings_that_are_checked_here() {
    let of_processor = TypeId::of::<<atomic::AtomicI64 as AtomicWord>::Orderings>();
    assert_eq!(of_processor, TypeId::of::<ReleaseAcquire>());
}
