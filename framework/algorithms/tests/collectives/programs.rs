//! The programs on threads: their results at every P, their numbers of rounds, and the line at which a hang is
//! reported.
//!
//! Sends are synchronous here for all sizes, so a program that relies on buffering deadlocks and fails. The workspace's
//! conformance tests compare all verbs with a library's own, where there is one.
use std::{any::Any, rc::Rc, sync::Arc, time::Duration};

use wb_comm::{
    BorrowedBuffers, CallSite, Code, CollectiveKind, Collectives, Datatype, Finding, Operation, Rank,
    RankFunction, Result, ThreadRanks, Transport, Verb, ViewMut, Wire, job::RankTermination,
};
use wb_local::threads::LocalThreads;

use crate::collectives::{Algorithms, CollectiveContext, allreduce};

const MAX_RANKS: usize = 17;

/// Runs `body` on `p` ranks without any buffering and returns the results.
fn ranks<R: Send + 'static>(
    p: usize,
    body: impl Fn(Rc<dyn Transport>) -> R + Send + Sync + 'static,
) -> Vec<R> {
    let (values, findings) = ranks_and_findings(p, body);
    assert!(findings.is_empty(), "{findings:?}");
    values
}

/// The same for a job in which something is found.
fn ranks_and_findings<R: Send + 'static>(
    p: usize,
    body: impl Fn(Rc<dyn Transport>) -> R + Send + Sync + 'static,
) -> (Vec<R>, Vec<Finding>) {
    let job: RankFunction = Arc::new(move |transport| Box::new(body(transport)));
    let outcome =
        LocalThreads { eager_limit: 0, ..LocalThreads::DEFAULT }.run(p, Some(Duration::from_secs(60)), job);
    let value = |ended| match ended {
        RankTermination::Returned(value) => *<Box<dyn Any + Send>>::downcast::<R>(value).expect("this type"),
        other => panic!("P = {p}: {other:?}"),
    };
    (outcome.ranks.into_iter().map(value).collect(), outcome.findings)
}

fn counts(p: usize) -> [usize; 5] {
    [0, 1, p - 1, p, p + 1]
}

/// Element `i` of `rank`'s data; does not wrap for any P here.
fn element(rank: Rank, i: usize) -> u64 {
    (1000 * rank + i) as u64
}

fn data(rank: Rank, count: usize) -> Vec<u64> {
    (0..count).map(|i| element(rank, i)).collect()
}

#[test]
fn data_goes_where_it_belongs_for_every_root_and_count() {
    for p in 1..=MAX_RANKS {
        ranks(p, move |t| {
            for count in counts(p) {
                for root in 0..p {
                    rooted(&*t, count, root).expect("everybody takes part");
                }
                exchanged(&*t, count).expect("everybody takes part");
            }
        });
    }
}

/// Runs our algorithm of `kind`.
#[track_caller]
fn run<T: Wire>(t: &dyn Transport, kind: CollectiveKind<'_>, send: &[T], recv: &mut [T]) -> Result<()> {
    let site = CallSite::caller(kind.verb());
    Algorithms(t).run(kind, BorrowedBuffers::new(send, recv), site)
}

fn rooted(t: &dyn Transport, count: usize, root: Rank) -> Result<()> {
    let (r, p) = (t.rank(), t.size());
    let on_root = |count| if r == root { count } else { 0 };
    let whole: Vec<u64> = (0..p).flat_map(|rank| data(rank, count)).collect();
    let mut word = if r == root { data(root, count) } else { vec![0; count] };
    run(t, CollectiveKind::Bcast { root }, &[], &mut word)?;
    assert_eq!(word, data(root, count), "bcast");
    let mut block = vec![0; count];
    run(t, CollectiveKind::Scatter { root }, &whole[..on_root(p * count)], &mut block)?;
    assert_eq!(block, data(r, count), "scatter");
    let mut all = vec![0; on_root(p * count)];
    run(t, CollectiveKind::Gather { root }, &block, &mut all)?;
    assert!(r != root || all == whole, "gather");
    let mut sum = vec![0; on_root(count)];
    run(t, CollectiveKind::Reduce { operation: Operation::Sum, root }, &block, &mut sum)?;
    assert!(r != root || sum == fold(0..p, count), "reduce");
    Ok(())
}

fn exchanged(t: &dyn Transport, count: usize) -> Result<()> {
    let (r, p, operation) = (t.rank(), t.size(), Operation::Sum);
    let mine = data(r, count);
    // Rank i has i mod 3 elements more than `count`.
    let lengths: Vec<_> = (0..p).map(|rank| count + rank % 3).collect();
    let mut all = vec![0; lengths.iter().sum()];
    run(t, CollectiveKind::Allgatherv { blocks: lengths[..].into() }, &data(r, lengths[r]), &mut all)?;
    assert_eq!(all, (0..p).flat_map(|rank| data(rank, lengths[rank])).collect::<Vec<_>>(), "allgatherv");
    let mut sum = vec![0; count];
    run(t, CollectiveKind::Allreduce { operation }, &mine, &mut sum)?;
    assert_eq!(sum, fold(0..p, count), "allreduce");
    run(t, CollectiveKind::Scan { operation }, &mine, &mut sum)?;
    assert_eq!(sum, fold(0..r + 1, count), "scan");
    let mut before = vec![7; count];
    run(t, CollectiveKind::Exscan { operation }, &mine, &mut before)?;
    assert_eq!(before, if r == 0 { vec![7; count] } else { fold(0..r, count) }, "exscan");
    let out: Vec<u64> = (0..p).flat_map(|to| data(100 * r + to, count)).collect();
    let mut into = vec![0; p * count];
    run(t, CollectiveKind::Alltoall, &out, &mut into)?;
    assert_eq!(into, (0..p).flat_map(|from| data(100 * from + r, count)).collect::<Vec<_>>(), "alltoall");
    Ok(())
}

fn fold(ranks: std::ops::Range<Rank>, count: usize) -> Vec<u64> {
    (0..count).map(|i| ranks.clone().map(|rank| element(rank, i)).sum()).collect()
}

#[test]
fn floats_fold_to_the_same_bits_on_every_rank_and_for_every_root() {
    // 1e16 absorbs small terms, so any other order or grouping changes the bits.
    let term = |rank: Rank| [if rank.is_multiple_of(2) { 1e16 } else { -1e16 + 3.7 }, 0.1 * rank as f64];
    for p in 1..=MAX_RANKS {
        let sums = ranks(p, move |t| {
            let (mut all, mut rooted) = ([0.0f64; 2], [0.0f64; 2]);
            let (mine, operation) = (term(t.rank()), Operation::Sum);
            run(&*t, CollectiveKind::Allreduce { operation }, &mine, &mut all).expect("all");
            for root in 0..p {
                let recv = if t.rank() == root { &mut rooted[..] } else { &mut [] };
                run(&*t, CollectiveKind::Reduce { operation, root }, &mine, recv).expect("all");
            }
            (all.map(f64::to_bits), rooted.map(f64::to_bits))
        });
        assert!(sums.iter().all(|sum| *sum == sums[0]), "P = {p}: {sums:x?}");
    }
}

#[test]
fn both_allreduce_programs_agree_on_every_type_and_operation() {
    for p in [1, 2, 3, 6, 7, 8] {
        ranks(p, move |t| {
            let site = CallSite::caller(Verb::Allreduce);
            let comm = CollectiveContext::new(&*t, Verb::Allreduce, site);
            for &datatype in Datatype::ALL {
                for operation in
                    Operation::ALL.into_iter().filter(|operation| operation.is_defined_for(datatype))
                {
                    let mut mine = wb_comm::Block::zeroed(datatype, 3);
                    set_small(mine.view_mut(), u8::try_from(t.rank() + 1).expect("few ranks"));
                    let [mut one, mut two] = [(); 2].map(|()| wb_comm::Block::zeroed(datatype, 3));
                    let run = |schedule, into: ViewMut<'_>| {
                        let buffers = BorrowedBuffers { send: mine.view(), recv: into };
                        comm.run(&schedule, buffers).expect("all");
                    };
                    run(allreduce::recursive_doubling(comm.member(), 3, operation), one.view_mut());
                    run(allreduce::reduce_bcast(comm.member(), 3, operation), two.view_mut());
                    assert_eq!(
                        one.view().bytes(),
                        two.view().bytes(),
                        "{operation} of {datatype} at P = {p}"
                    );
                }
            }
        });
    }
}

/// Sets every element to `value`, whatever the type.
fn set_small(into: ViewMut<'_>, value: u8) {
    match into.datatype() {
        Datatype::F32 => into.slice::<f32>().expect("this type").fill(f32::from(value)),
        Datatype::F64 => into.slice::<f64>().expect("this type").fill(f64::from(value)),
        datatype => {
            let mut into = into;
            for element in into.bytes().chunks_exact_mut(datatype.size()) {
                let low = if cfg!(target_endian = "little") { 0 } else { datatype.size() - 1 };
                element[low] = value;
            }
        }
    }
}

#[test]
fn nobody_leaves_the_barrier_before_the_last_has_entered() {
    for p in 1..=MAX_RANKS {
        let stamps = ranks(p, move |t| {
            (0..20)
                .map(|turn| {
                    if turn % p == t.rank() {
                        std::thread::sleep(Duration::from_micros(200));
                    }
                    let entered = t.now();
                    Algorithms(&*t).barrier(CallSite::caller(Verb::Barrier)).expect("everybody comes");
                    (entered, t.now())
                })
                .collect::<Vec<_>>()
        });
        for turn in 0..20 {
            let last_in = stamps.iter().map(|stamps| stamps[turn].0).max();
            let first_out = stamps.iter().map(|stamps| stamps[turn].1).min();
            assert!(first_out >= last_in, "P = {p}, turn {turn}");
        }
    }
}

#[test]
fn a_hang_inside_a_program_is_told_at_the_users_call() {
    let line = line!() + 4;
    let (texts, findings) = ranks_and_findings(3, |t| match t.rank() {
        2 => String::new(),
        _ => {
            let hang = Algorithms(&*t).barrier(CallSite::caller(Verb::Barrier));
            hang.expect_err("rank 2 does not come").to_string()
        }
    });
    let call = |rank| format!("rank {rank} in barrier waiting for 2, 0 bytes  at {}:{line}", file!());
    assert_eq!(texts[0], format!("deadlock: every rank waits\n  {}\n  {}", call(0), call(1)));
    assert_eq!(texts[0], texts[1]);
    let [Finding { code, locations: places, .. }] = &findings[..] else { panic!("one: {findings:?}") };
    assert_eq!(*code, Code::CollectiveIncomplete);
    assert!(places.iter().all(|place| place.line == line), "{places:?}");
}
