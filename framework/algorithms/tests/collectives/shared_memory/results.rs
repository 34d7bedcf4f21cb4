//! Results: every algorithm, at P = 1 to 17, with lengths around every threshold, in mixed sequences with ranks that are late.
use std::{
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

use crate::collectives::shared_memory::{
    AtomicWords, Segment, SegmentLayout, SharedAlgorithm, SharedCollectives, all,
};
use wb_comm::{
    Block, CollectiveKind, Datatype, Operation, Rank, RankFunction, Result, SpinPolicy, ThreadRanks,
    Transport, Verb, job::RankTermination,
};
use wb_local::threads::LocalThreads;

use super::{TestCall, VERBS, algorithm, both, buffers, compose, kind, memory, site, small, states};

const MAX_RANKS: usize = 17;

/// Runs `body` on the ranks of a job with a segment of this layout.
pub(super) fn ranks<R: Send + 'static>(
    size: usize,
    layout: SegmentLayout,
    body: impl Fn(&SharedCollectives, Rank) -> R + Send + Sync + 'static,
) -> Vec<RankTermination> {
    let job: RankFunction = Arc::new(move |transport: Rc<dyn Transport>| {
        let rank = transport.rank();
        let shared =
            SharedCollectives::new(transport, layout, SpinPolicy::SHARED_CORE, site(Verb::WindowCreate));
        Box::new(body(&shared.expect("threads share memory"), rank))
    });
    LocalThreads::DEFAULT.run(size, Some(Duration::from_secs(100)), job).ranks
}

fn all_return(ended: &[RankTermination]) {
    assert!(ended.iter().all(|ended| matches!(ended, RankTermination::Returned(_))), "{ended:?}");
}

/// Around the thresholds of a small segment, in elements of 8 bytes: packed line, padded line, piece, slot, K slots.
const COUNTS: [usize; 16] = [0, 1, 2, 3, 4, 7, 8, 9, 63, 64, 65, 127, 128, 129, 513, 1100];

fn check(
    shared: &SharedCollectives,
    algorithm: Option<&SharedAlgorithm>,
    call: TestCall,
    rank: Rank,
    size: usize,
) {
    let (send, mut recv, result) = buffers(call, compose(), rank, size);
    let (kind, site) = (kind(call, compose()), site(call.verb));
    let done = match algorithm {
        Some(algorithm) if size > 1 || algorithm.verbs.contains(&call.verb) => {
            shared.run(algorithm, kind, both(&send, &mut recv), site)
        }
        _ => shared.run(super::algorithm(call.verb), kind, both(&send, &mut recv), site),
    };
    assert_eq!(done, Ok(()), "{call:?}, P = {size}");
    if let Some(result) = result {
        assert!(recv == result, "{call:?}, rank {rank} of {size}: {recv:?} instead of {result:?}");
    } else {
        assert!(recv.iter().all(|element| *element == u64::MAX), "{call:?}: rank {rank} gets a result");
    }
}

#[test]
fn every_algorithm_gives_the_result_of_its_verb_for_every_length_and_root() {
    for size in 1..=MAX_RANKS {
        let ended = ranks(size, small(size), move |shared, rank| {
            let mut number = 0;
            for algorithm in all() {
                for &verb in algorithm.verbs.iter().filter(|verb| VERBS.contains(verb)) {
                    for count in COUNTS {
                        let root = number % size;
                        check(shared, Some(algorithm), TestCall { verb, root, count, number }, rank, size);
                        number += 1;
                    }
                }
            }
        });
        all_return(&ended);
    }
}

#[test]
fn no_rank_leaves_a_barrier_before_all_have_entered_it() {
    for size in 2..=5 {
        let entered = AtomicUsize::new(0);
        let ended = ranks(size, small(size), move |shared, rank| {
            for episode in 1..=200 {
                if (episode + rank) % 7 == 0 {
                    thread::sleep(Duration::from_micros(100));
                }
                entered.fetch_add(1, SeqCst);
                let call = TestCall { verb: Verb::Barrier, root: 0, count: 0, number: episode };
                check(shared, None, call, rank, size);
                assert!(entered.load(SeqCst) >= episode * size, "rank {rank} of {size}, episode {episode}");
            }
        });
        all_return(&ended);
    }
}

/// The default layout, with elements that its thresholds need.
#[test]
fn long_vectors_go_through_the_slots_of_the_default_layout() {
    for size in [2, 3] {
        let ended = ranks(size, SegmentLayout::for_ranks(size), move |shared, rank| {
            for (number, count) in [2047, 4095, 4096, 4097, 16_385, 50_000].into_iter().enumerate() {
                for verb in VERBS {
                    check(shared, None, TestCall { verb, root: number % size, count, number }, rank, size);
                }
            }
        });
        all_return(&ended);
    }
}

/// Numbers that are the same on all ranks.
fn generator(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    }
}

#[test]
fn any_sequence_of_verbs_and_roots_with_ranks_that_are_late_is_right() {
    for size in 2..=9 {
        let ended = ranks(size, small(size), move |shared, rank| {
            let (mut next, mut delay) = (generator(size as u64), generator((100 * size + rank) as u64));
            for number in 0..400 {
                let (verb, root) = (VERBS[next(VERBS.len())], next(size));
                let count = if next(3) == 0 { COUNTS[next(COUNTS.len())] } else { next(10) };
                match delay(40) {
                    0 => thread::sleep(Duration::from_micros(300)),
                    turns if turns > 20 => (20..turns).for_each(|_| thread::yield_now()),
                    _ => {}
                }
                check(shared, None, TestCall { verb, root, count, number }, rank, size);
            }
        });
        all_return(&ended);
    }
}

#[test]
fn elements_of_every_type_and_blocks_of_any_bytes_are_moved() {
    let ended = ranks(3, small(3), |shared, rank| {
        for &datatype in Datatype::ALL {
            for count in [1, 5, 57, 1025] {
                let filled = |salt: usize, elements: usize| {
                    let mut block = Block::zeroed(datatype, elements);
                    let bytes = block.view_mut();
                    let mut bytes = bytes;
                    bytes.bytes().iter_mut().enumerate().for_each(|(at, byte)| *byte = (at * 7 + salt) as u8);
                    block
                };
                let (send, mut recv) = (filled(rank, count), Block::zeroed(datatype, 3 * count));
                let buffers = wb_comm::BorrowedBuffers { send: send.view(), recv: recv.view_mut() };
                shared
                    .run(
                        algorithm(Verb::Allgather),
                        CollectiveKind::Allgather,
                        buffers,
                        site(Verb::Allgather),
                    )
                    .expect("all call it");
                let all: Vec<u8> =
                    (0..3).flat_map(|rank| filled(rank, count).view().bytes().to_vec()).collect();
                assert!(recv.view().bytes() == all, "{count} of {datatype}");
            }
        }
    });
    all_return(&ended);
}

#[test]
fn blocks_of_different_lengths_are_reduced_and_scattered() {
    let ended = ranks(4, small(4), |shared, rank| {
        for counts in [[1, 0, 300, 7], [0, 0, 0, 0], [64, 64, 64, 64], [0, 0, 0, 65]] {
            let all: usize = counts.iter().sum();
            let send: Vec<u64> = (0..all as u64).map(|at| at * 10 + rank as u64).collect();
            let mut recv = vec![0; counts[rank]];
            let kind = CollectiveKind::ReduceScatter { counts: &counts, operation: Operation::Sum };
            shared
                .run(algorithm(Verb::ReduceScatter), kind, both(&send, &mut recv), site(Verb::ReduceScatter))
                .expect("all call it");
            let start: usize = counts[..rank].iter().sum();
            let sums: Vec<u64> = (start..start + counts[rank]).map(|at| at as u64 * 40 + 6).collect();
            assert_eq!(recv, sums);
        }
    });
    all_return(&ended);
}

/// Sums of floating-point numbers depend on the order of the operations.
#[test]
fn all_ranks_get_the_same_bits() {
    for name in ["allreduce_one_hop", "allreduce_two_hops"] {
        let ended = ranks(5, small(5), move |shared, rank| {
            let send: Vec<f64> = (0..200).map(|at| 10_f64.powi((rank as i32 * 7 + at) % 30) / 3.0).collect();
            let mut recv = vec![0.0; 200];
            let algorithm = crate::collectives::shared_memory::find(name).expect("in the catalogue");
            let kind = CollectiveKind::Allreduce { operation: Operation::Sum };
            shared.run(algorithm, kind, both(&send, &mut recv), site(Verb::Allreduce)).expect("all call it");
            recv.iter().map(|sum| sum.to_bits()).collect::<Vec<_>>()
        });
        let bits = |ended: &RankTermination| match ended {
            RankTermination::Returned(value) => value.downcast_ref::<Vec<u64>>().expect("bits").clone(),
            other => panic!("{other:?}"),
        };
        let all: Vec<_> = ended.iter().map(bits).collect();
        assert!(all.iter().all(|one| *one == all[0]), "{name}");
    }
}

/// A root does not wait for its readers before its slots are used up.
#[test]
fn a_root_is_k_rounds_ahead_of_its_readers_and_no_more() {
    let (layout, size) = (small(3), 3);
    let (words, mut states) = (memory(&layout, size), states(size));
    let stop =
        |_| -> Result<()> { Err(wb_comm::Error::Setup(wb_comm::Text::verbatim("it waits".to_owned()))) };
    let mut segment =
        Segment::new(AtomicWords::new(&words, SpinPolicy::SHARED_CORE), &layout, 0, &mut states[0], &stop);
    let flat = crate::collectives::shared_memory::find("bcast_flat").expect("in the catalogue");
    let mut bcast = || {
        let kind = CollectiveKind::Bcast { root: 0 };
        flat.run(&mut segment, kind, both::<u64>(&[], &mut [1]), site(Verb::Bcast))
    };
    assert_eq!([bcast(), bcast(), bcast(), bcast()], [Ok(()), Ok(()), Ok(()), Ok(())]);
    assert_eq!(bcast().expect_err("no rank has read the first one").to_string(), "it waits");
    let after = bcast().expect_err("an error is final").to_string();
    assert!(after.contains("an earlier collective operation in shared memory has failed"), "{after}");
}
