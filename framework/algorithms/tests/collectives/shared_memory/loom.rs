//! The protocol on the atomics of loom: every order of execution, and every value that the memory model lets a load return.
//!
//! The code is the one that runs on the processor: [`AtomicWords`] is generic over its atomic.
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::Ordering},
};

use loom::{model::Builder, thread};
use wb_comm::{
    Operation, Rank, Result, SpinPolicy, Verb,
    cells::{Orderings, ReleaseAcquire},
};

use crate::{
    barriers::interface::loom::atomic::{Atomic, FRUITLESS_POLLS},
    collectives::shared_memory::{AtomicWords, Segment, SegmentLayout, SegmentState, SegmentWords},
};

use super::{TestCall, algorithm, both, buffers, compact, compact_words, kind, site};

/// K.
const SLOTS: usize = 2;

/// Loom's words of all ranks, without those that only explain errors.
struct Compact<'a, O> {
    words: AtomicWords<'a, Atomic<O>>,
    layout: SegmentLayout,
    rank: Rank,
}

impl<O> Compact<'_, O> {
    fn at(&self, rank: Rank, at: usize) -> Option<usize> {
        compact(&self.layout, at, false).map(|place| rank * compact_words(&self.layout) + place)
    }
}

impl<O: Orderings> SegmentWords for Compact<'_, O> {
    fn write(&mut self, at: usize, bytes: &[u8]) -> Result<()> {
        self.at(self.rank, at).map_or(Ok(()), |at| self.words.write(at, bytes))
    }
    fn publish(&mut self, at: usize, value: i64) -> Result<()> {
        self.at(self.rank, at).map_or(Ok(()), |at| self.words.publish(at, value))
    }
    fn read(&mut self, rank: Rank, at: usize, into: &mut [u8]) -> Result<()> {
        self.at(rank, at).map_or(Ok(()), |at| self.words.read(rank, at, into))
    }
    fn load(&mut self, rank: Rank, at: usize) -> Result<i64> {
        self.at(rank, at).map_or(Ok(0), |at| self.words.load(rank, at))
    }
    fn spin(&mut self, rank: Rank, at: usize, least: i64) -> Result<Option<i64>> {
        self.at(rank, at).map_or(Ok(None), |at| self.words.spin(rank, at, least))
    }
    fn yield_core(&mut self) {
        self.words.yield_core();
    }
}

/// The part of a rank: it makes the calls and compares each result.
fn part<O: Orderings>(
    words: &[Atomic<O>],
    layout: SegmentLayout,
    rank: Rank,
    size: usize,
    calls: &[TestCall],
) {
    let mut state = SegmentState::new(size);
    for call in calls {
        let words = AtomicWords::new(words, SpinPolicy::SHARED_CORE);
        let mut words = Compact { words, layout, rank };
        let mut segment =
            Segment::new(&mut words as &mut dyn SegmentWords, &layout, rank, &mut state, &|_| Ok(()));
        let operation = Operation::Sum;
        let (send, mut recv, result) = buffers(*call, operation, rank, size);
        let both = both(&send, &mut recv);
        let done =
            algorithm(call.verb).run_on_any(&mut segment, kind(*call, operation), both, site(call.verb));
        assert_eq!(done, Ok(()));
        assert!(result.is_none_or(|result| result == recv), "rank {rank} gets a wrong payload");
    }
}

/// All executions, each varied up to this number of polls without success.
fn explore<O: Orderings>(size: usize, calls: &[(Verb, Rank, usize)], fruitless_polls: usize) {
    let call = |(number, &(verb, root, count)): (usize, &_)| TestCall { verb, root, count, number };
    let calls: Arc<Vec<_>> = Arc::new(calls.iter().enumerate().map(call).collect());
    let mut builder = Builder::new();
    builder.max_branches = 20_000;
    builder.check(move || {
        FRUITLESS_POLLS.set(fruitless_polls);
        let layout = SegmentLayout::of_one_rank(SLOTS, 1, 16);
        let words: Arc<Vec<_>> =
            Arc::new((0..size * compact_words(&layout)).map(|_| Atomic::<O>::new(0)).collect());
        let start = |rank| {
            let (words, calls) = (Arc::clone(&words), Arc::clone(&calls));
            thread::spawn(move || part(&words, layout, rank, size, &calls))
        };
        let others: Vec<_> = (1..size).map(start).collect();
        part(&words, layout, 0, size, &calls);
        others.into_iter().for_each(|other| other.join().expect("loom tells of panics itself"));
    });
}

use Verb::{Allreduce, Bcast, Reduce};

#[test]
fn two_ranks_read_what_was_published() {
    for calls in [
        &[(Bcast, 0, 1), (Bcast, 0, 1), (Bcast, 0, 1)][..],
        &[(Bcast, 0, 2), (Bcast, 1, 1), (Bcast, 0, 2)],
        &[(Allreduce, 0, 1), (Allreduce, 0, 1), (Allreduce, 0, 1)],
        &[(Reduce, 0, 1), (Allreduce, 0, 2), (Reduce, 0, 1)],
        &[(Reduce, 0, 1), (Reduce, 0, 2), (Reduce, 0, 1)],
    ] {
        explore::<ReleaseAcquire>(2, calls, usize::MAX);
    }
}

/// With three ranks the orders of polls without success alone would take hours.
#[test]
fn three_ranks_read_what_was_published() {
    for calls in [&[(Bcast, 0, 1), (Reduce, 1, 1)][..], &[(Allreduce, 0, 1)]] {
        explore::<ReleaseAcquire>(3, calls, 1);
    }
}

macro_rules! weakened {
    ($name:ident $load:ident $store:ident) => {
        struct $name;
        impl Orderings for $name {
            const LOAD: Ordering = Ordering::$load;
            const STORE: Ordering = Ordering::$store;
            const READ_MODIFY_WRITE: Ordering = ReleaseAcquire::READ_MODIFY_WRITE;
            const COMPARE_FAILURE: Ordering = ReleaseAcquire::COMPARE_FAILURE;
            const FENCE: Ordering = ReleaseAcquire::FENCE;
        }
    };
}
weakened!(RelaxedStore Acquire Relaxed);
weakened!(RelaxedLoad Relaxed Release);

fn refused(explore: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(explore)).expect_err("loom must find the fault");
    payload
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_default()
}

#[test]
fn canary_flags_that_do_not_release_or_acquire_let_old_payloads_through() {
    for calls in [[(Bcast, 0, 1)], [(Allreduce, 0, 1)]] {
        for message in [
            refused(|| explore::<RelaxedStore>(2, &calls, usize::MAX)),
            refused(|| explore::<RelaxedLoad>(2, &calls, usize::MAX)),
        ] {
            assert!(message.contains("gets a wrong payload"), "{message}");
        }
    }
}
