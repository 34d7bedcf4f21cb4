//! Collective operations in memory that processes share.
use std::{
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use wb_algorithms::collectives::{
    Algorithms,
    shared_memory::{SegmentLayout, SharedAlgorithm, SharedCollectives, all, of_verb},
};
use wb_comm::{
    BorrowedBuffers, CallSite, CollectiveKind, Collectives, MessageTag, Op, Operation, ProcessRanks as _,
    SendMode, Source, SpinPolicy, Transport, Verb, View, ViewMut,
};

#[track_caller]
fn site(verb: Verb) -> CallSite {
    CallSite::caller(verb)
}

fn open(world: &dyn Transport, layout: SegmentLayout) -> (Rc<dyn Transport>, SharedCollectives) {
    let own = world.dup(site(Verb::Dup)).expect("all ranks call it");
    let shared =
        SharedCollectives::new(Rc::clone(&own), layout, SpinPolicy::SHARED_CORE, site(Verb::WindowCreate));
    (own, shared.expect("ranks of one node"))
}

/// The first algorithm of a verb.
fn of(verb: Verb) -> &'static SharedAlgorithm {
    of_verb(verb).next().expect("a verb of the catalogue")
}

/// Every algorithm gives what messages give, in lines, in slots and in several rounds.
pub(crate) fn results(world: &dyn Transport) {
    let size = world.size();
    let (own, shared) = open(world, SegmentLayout::for_ranks(size));
    let operation = Operation::Sum;
    for (turn, count) in [1, 3, 7, 40, 4096, 4097, 20_000].into_iter().enumerate() {
        let root = turn % size;
        for algorithm in all() {
            let verb = algorithm.verbs[0];
            let (kind, sent, got) = match verb {
                Verb::Barrier => (CollectiveKind::Barrier, 0, 0),
                Verb::Bcast => (CollectiveKind::Bcast { root }, 0, 1),
                Verb::Reduce => (CollectiveKind::Reduce { operation, root }, 1, 1),
                Verb::Allreduce => (CollectiveKind::Allreduce { operation }, 1, 1),
                Verb::Allgather => (CollectiveKind::Allgather, 1, size),
                Verb::Gather => (CollectiveKind::Gather { root }, 1, size),
                Verb::Scatter => (CollectiveKind::Scatter { root }, size, 1),
                Verb::Alltoall => (CollectiveKind::Alltoall, size, size),
                Verb::Scan => (CollectiveKind::Scan { operation }, 1, 1),
                _ => (CollectiveKind::ReduceScatterBlock { operation }, size, 1),
            };
            let is_mine = kind.gives_result_to(world.rank());
            let value = |at: usize| (at * 3 + world.rank() * 1000 + turn) as i64;
            let send: Vec<i64> = (0..sent * count).map(value).collect();
            let fresh: Vec<i64> = (0..if is_mine { got * count } else { 0 }).map(value).collect();
            let (mut ours, mut theirs) = (fresh.clone(), fresh);
            shared
                .run(algorithm, kind, BorrowedBuffers::new(&send, &mut ours), site(verb))
                .expect("all ranks call it");
            Algorithms(world)
                .run(kind, BorrowedBuffers::new(&send, &mut theirs), site(verb))
                .expect("all ranks call it");
            assert!(ours == theirs, "{}: {count} elements", algorithm.name);
        }
    }
    shared.free(site(Verb::WindowFree)).expect("all ranks call it");
    drop(own);
}

/// A rank that waits in shared memory lets the library make progress: a long send to it, whose receive it has posted, is completed.
pub(crate) fn progress(world: &dyn Transport) {
    let size = world.size();
    let (own, shared) = open(world, SegmentLayout::for_ranks(size));
    let (rank, count) = (world.rank(), 1 << 20);
    let tag = MessageTag::user(5);
    let receive = (rank == 0 && size > 1).then(|| {
        let block = wb_comm::Block::from_vec(vec![0_u8; count]);
        world.post_recv(Source::Rank(1), tag.into(), block, site(Verb::Irecv)).expect("a message")
    });
    if rank == 1 {
        let data = vec![7_u8; count];
        let mut ops = [Op::Send { to: 0, tag, data: View::from_slice(&data), mode: SendMode::Synchronous }];
        world.post_and_wait(&mut ops, site(Verb::Ssend)).expect("the receive is posted");
    }
    let (mut all, kind) = ([0_u64], CollectiveKind::Allreduce { operation: Operation::Sum });
    let buffers = BorrowedBuffers { send: View::from_slice(&[1_u64]), recv: ViewMut::from_slice(&mut all) };
    shared.run(of(Verb::Allreduce), kind, buffers, site(Verb::Allreduce)).expect("all ranks call it");
    assert_eq!(all, [size as u64]);
    if let Some(receive) = receive {
        let data = receive.wait(site(Verb::Wait)).expect("sent");
        drop(data);
    }
    shared.free(site(Verb::WindowFree)).expect("all ranks call it");
    drop(own);
}

/// Who asks where a rank is sees that it waits in shared memory, for which rank and in which line, and nothing afterwards.
pub(crate) fn wait_is_shown(world: &dyn Transport) {
    let size = world.size();
    let (own, shared) = open(world, SegmentLayout::for_ranks(size));
    let mut data = [0_u64];
    let is_root = world.rank() == size - 1;
    if is_root {
        std::thread::sleep(Duration::from_millis(300));
    }
    let is_done = Arc::new(AtomicBool::new(false));
    let seen = std::thread::spawn({
        let is_done = Arc::clone(&is_done);
        move || {
            let mut seen = None;
            while !is_done.load(Ordering::Acquire) {
                seen = seen.or_else(|| wb_mpi::MPI.blocked_call());
            }
            seen
        }
    });
    let (kind, site) = (CollectiveKind::Bcast { root: size - 1 }, site(Verb::Bcast));
    shared.run(of(Verb::Bcast), kind, BorrowedBuffers::new(&[], &mut data), site).expect("all ranks call it");
    assert_eq!(wb_mpi::MPI.blocked_call(), None);
    is_done.store(true, Ordering::Release);
    let seen = seen.join().expect("it only looks");
    if !is_root {
        let seen = seen.expect("the root comes later");
        assert_eq!(
            (seen.verb, seen.peer, seen.line),
            (Verb::Bcast, Some(Source::Rank(size - 1)), site.location.line())
        );
    }
    shared.free(self::site(Verb::WindowFree)).expect("all ranks call it");
    drop(own);
}
