//! Failures: ranks that make different calls get an error with both, and a rank that ends, or panics, ends the waits of the others.
use std::sync::atomic::Ordering;

use crate::collectives::shared_memory::{AtomicWords, Segment, SegmentWords, SharedCollectives, find};
use wb_comm::{
    Block, BorrowedBuffers, Code, CollectiveKind, Datatype, Error, Operation, Rank, Result, SpinPolicy,
    StructField, StructType, Text, Verb, ViewMut, job::RankTermination,
};

use super::{algorithm, both, memory, results::ranks, site, small, states};

fn sum(shared: &SharedCollectives) -> Result<u64> {
    let mut recv = [0];
    let kind = CollectiveKind::Allreduce { operation: Operation::Sum };
    shared.run(algorithm(Verb::Allreduce), kind, both(&[1_u64], &mut recv), site(Verb::Allreduce))?;
    Ok(recv[0])
}

/// Two calls that agree, one that does not, and one more.
fn disagree(
    size: usize,
    call: impl Fn(&SharedCollectives, Rank) -> Result<()> + Send + Sync + 'static,
) -> Vec<Error> {
    let ended = ranks(size, small(size), move |shared, rank| {
        assert_eq!([sum(shared), sum(shared)], [Ok(size as u64), Ok(size as u64)]);
        call(shared, rank).and_then(|()| sum(shared)).map(drop)
    });
    let error = |ended: RankTermination| match ended {
        RankTermination::Returned(value) => {
            let result = *value.downcast::<Result<()>>().expect("a result");
            result.expect_err("no rank may continue")
        }
        other => panic!("{other:?}"),
    };
    ended.into_iter().map(error).collect()
}

/// All ranks get an error; some of them one with this code that names both calls, and the others one that names a rank which has stopped.
fn check(errors: &[Error], code: Code, words: [&str; 2]) {
    let mismatches: Vec<_> = errors.iter().filter(|error| error.code() == Some(code)).collect();
    assert!(!mismatches.is_empty(), "{errors:?}");
    for error in errors {
        let is_peer = matches!(error, Error::Peer { .. });
        assert!(is_peer || error.code() == Some(code), "{error}");
    }
    for mismatch in mismatches {
        let text = mismatch.to_string();
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
        assert_eq!(text.matches("failures.rs:").count(), 2, "{text}");
    }
}

fn bcast(shared: &SharedCollectives, root: Rank, count: usize) -> Result<()> {
    let kind = CollectiveKind::Bcast { root };
    shared.run(algorithm(Verb::Bcast), kind, both(&[], &mut vec![7_u64; count]), site(Verb::Bcast))
}

fn reduce(shared: &SharedCollectives, root: Rank, operation: Operation) -> Result<()> {
    let kind = CollectiveKind::Reduce { operation, root };
    shared.run(algorithm(Verb::Reduce), kind, both(&[1_i64], &mut [0]), site(Verb::Reduce))
}

#[test]
fn ranks_that_disagree_on_the_root_get_both() {
    for size in [2, 3, 5] {
        let errors = disagree(size, move |shared, rank| bcast(shared, usize::from(rank == size - 1), 2));
        check(&errors, Code::CollectiveRoot, ["root 0", "root 1"]);
        // No rank publishes for a root that takes another one for the root.
        let errors = disagree(size, |shared, rank| reduce(shared, usize::from(rank == 0), Operation::Sum));
        check(&errors, Code::CollectiveRoot, ["root 0", "root 1"]);
    }
}

#[test]
fn ranks_that_disagree_on_the_count_get_both() {
    for size in [2, 4] {
        // In one line, in a line and in a slot, in one and in several rounds, and no round at all.
        for [one, other] in [[1, 2], [2, 100], [128, 129], [1000, 4000], [0, 1]] {
            let errors = disagree(size, move |shared, rank| {
                bcast(shared, 0, if rank == size - 1 { other } else { one })
            });
            let words = [format!("{one} element(s)"), format!("{other} element(s)")];
            check(&errors, Code::CollectiveCount, [&words[0], &words[1]]);
        }
    }
}

/// A rank makes the call by messages, as with a length for which another algorithm is chosen.
#[test]
fn a_rank_that_makes_another_call_elsewhere_is_found() {
    let errors = disagree(2, |shared, rank| match rank {
        0 => {
            shared.record_other(&CollectiveKind::Bcast { root: 1 }, (Datatype::U64, 5000), site(Verb::Bcast))
        }
        _ => bcast(shared, 0, 1),
    });
    check(&errors, Code::CollectiveRoot, ["root 1", "root 0"]);
}

#[test]
fn ranks_that_disagree_on_verb_type_or_operation_get_both() {
    let errors = disagree(
        3,
        |shared, rank| {
            if rank == 1 { bcast(shared, 0, 1) } else { reduce(shared, 0, Operation::Sum) }
        },
    );
    check(&errors, Code::CollectiveOrder, ["bcast", "reduce"]);
    let errors = disagree(2, |shared, rank| {
        let site = site(Verb::Bcast);
        let kind = CollectiveKind::Bcast { root: 0 };
        match rank {
            0 => shared.run(algorithm(Verb::Bcast), kind, both(&[], &mut [1_u64]), site),
            _ => shared.run(algorithm(Verb::Bcast), kind, both(&[], &mut [1_f64]), site),
        }
    });
    check(&errors[1..], Code::CollectiveType, ["u64", "f64"]);
    let errors = disagree(3, |shared, rank| {
        reduce(shared, 0, if rank == 0 { Operation::Max } else { Operation::Sum })
    });
    check(&errors, Code::CollectiveOperation, ["max", "sum"]);
    let errors = disagree(2, |shared, rank| {
        let user = [
            Operation::user(true, |a: i64, b: i64| a.max(b)),
            Operation::user(true, |a: i64, b: i64| a.min(b)),
        ];
        reduce(shared, 0, Operation::User(user[rank]))
    });
    assert!(errors.iter().any(|error| error.to_string().matches("failures.rs:").count() == 4), "{errors:?}");
}

/// A call that only one rank makes.
#[test]
fn a_rank_that_makes_a_call_more_is_named() {
    let errors = disagree(3, |shared, rank| if rank == 2 { bcast(shared, 2, 1) } else { Ok(()) });
    check(&errors, Code::CollectiveOrder, ["allreduce", "bcast"]);
}

/// A memory in which another rank does something when this one looks whether it has left.
struct Meanwhile<'a, F> {
    words: AtomicWords<'a>,
    place: usize,
    other: Option<F>,
}

impl<F: FnOnce()> SegmentWords for Meanwhile<'_, F> {
    fn write(&mut self, at: usize, bytes: &[u8]) -> Result<()> {
        self.words.write(at, bytes)
    }
    fn publish(&mut self, at: usize, value: i64) -> Result<()> {
        self.words.publish(at, value)
    }
    fn read(&mut self, rank: Rank, at: usize, into: &mut [u8]) -> Result<()> {
        self.words.read(rank, at, into)
    }
    fn load(&mut self, rank: Rank, at: usize) -> Result<i64> {
        if at == self.place
            && let Some(other) = self.other.take()
        {
            other();
        }
        self.words.load(rank, at)
    }
    fn spin(&mut self, rank: Rank, at: usize, least: i64) -> Result<Option<i64>> {
        self.words.spin(rank, at, least)
    }
    fn yield_core(&mut self) {}
}

/// An element that no slot has room for.
const LARGE: &StructType =
    &StructType::new("Large", (1 << 15, 8), &[StructField::new::<[f64; 1 << 12]>("all", 0)]);

/// Rank 0 waits for a broadcast of rank 1, which broadcasts or does not, and leaves. Rank 0 learns it from the segment only.
fn wait_for_a_rank_that_leaves(publishes: bool) -> Result<()> {
    let (layout, size) = (small(2), 2);
    let (memory, mut states) = (memory(&layout, size), states(size));
    let words = || AtomicWords::new(&memory, SpinPolicy::SHARED_CORE);
    let (first, second) = states.split_at_mut(1);
    let flat = find("bcast_flat").expect("in the catalogue");
    let (kind, site) = (CollectiveKind::Bcast { root: 1 }, site(Verb::Bcast));
    let other = || {
        let mut segment = Segment::new(words(), &layout, 1, &mut second[0], &|_| Ok(()));
        if publishes {
            flat.run(&mut segment, kind, both(&[], &mut [7_u64]), site).expect("a root waits for no rank");
        }
        segment.leave().expect("a processor");
    };
    let mut meanwhile = Meanwhile { words: words(), place: layout.has_left(1), other: Some(other) };
    let lasts = |_| Err(Error::Setup(Text::verbatim("it waits on".to_owned())));
    let mut segment =
        Segment::new(&mut meanwhile as &mut dyn SegmentWords, &layout, 0, &mut first[0], &lasts);
    let mut data = [0_u64];
    flat.run_on_any(&mut segment, kind, both(&[], &mut data), site)?;
    assert_eq!(data, [7]);
    Ok(())
}

#[test]
fn a_wait_ends_when_the_awaited_rank_leaves_but_not_if_it_has_published() {
    assert_eq!(wait_for_a_rank_that_leaves(true), Ok(()));
    let error = wait_for_a_rank_that_leaves(false).expect_err("rank 1 never publishes").to_string();
    assert!(error.contains("rank 1 takes part in no further collective operation"), "{error}");
}

#[test]
fn a_rank_whose_call_fails_leaves() {
    let layout = small(2);
    let (memory, mut states) = (memory(&layout, 2), states(2));
    let words = AtomicWords::new(&memory, SpinPolicy::SHARED_CORE);
    let mut segment = Segment::new(words, &layout, 1, &mut states[1], &|_| Ok(()));
    let reduce = find("reduce_flat").expect("in the catalogue");
    let kind = CollectiveKind::Reduce { operation: Operation::Sum, root: 0 };
    let one = Block::zeroed(Datatype::Struct(LARGE), 1);
    let large = BorrowedBuffers { send: one.view(), recv: ViewMut::empty(Datatype::U8) };
    let error = reduce.run(&mut segment, kind, large, site(Verb::Reduce)).expect_err("too large").to_string();
    assert!(error.contains("an element of 32768 bytes does not fit"), "{error}");
    let left = [0, 1].map(|rank| memory[layout.has_left(rank)].load(Ordering::Relaxed));
    assert_eq!(left, [0, 1]);
}

#[test]
fn a_rank_that_ends_or_panics_ends_the_waits_of_the_others() {
    for panics in [false, true] {
        let ended = ranks(4, small(4), move |shared, rank| {
            sum(shared).expect("all call it");
            if rank == 1 {
                assert!(!panics, "as intended");
                return None;
            }
            sum(shared).err()
        });
        for (rank, ended) in ended.into_iter().enumerate().filter(|(rank, _)| *rank != 1 || !panics) {
            let RankTermination::Returned(value) = ended else { panic!("rank {rank}: {ended:?}") };
            let error = value.downcast_ref::<Option<Error>>().expect("an option");
            let is_right = match error {
                Some(Error::Peer { .. }) => rank != 1,
                other => rank == 1 && other.is_none(),
            };
            assert!(is_right, "rank {rank}: {error:?}");
        }
    }
}
