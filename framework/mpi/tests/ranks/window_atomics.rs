//! Atomic operations of windows: on elements, and on single words.
use wb_comm::{
    Accumulation, Block, Datatype, ErasedWindow, MessageTag, Operation, SendMode, Source, Transport, Until,
    Verb, View, WordUpdate,
};

use super::{KINDS, accumulate, barrier, free, get, inside_lock_all, open, site, take};

/// Every ticket is drawn exactly once; compare-and-swap has one winner.
pub(crate) fn atomics(world: &dyn Transport) {
    const EACH: usize = 20;
    let (rank, size) = (world.rank(), world.size());
    for kind in KINDS {
        let window = open(world, kind, Datatype::I64, size * EACH + 3);
        let (counter, winner) = (size * EACH, size * EACH + 1);
        let sum = Accumulation::With(Operation::Sum);
        inside_lock_all(&*window, || {
            for _ in 0..EACH {
                let drawn = window
                    .fetch_and_op(0, counter, View::from_slice(&[1i64]), sum, site(Verb::FetchAndOp))
                    .expect("it");
                window.flush(Some(0), site(Verb::Flush)).expect("inside");
                let ticket = take::<i64>(drawn)[0] as usize;
                accumulate(&*window, 0, ticket, &[1i64], sum);
            }
            let swapped = window.compare_and_swap(
                0,
                winner,
                View::from_slice(&[0i64]),
                View::from_slice(&[rank as i64 + 1]),
                site(Verb::CompareAndSwap),
            );
            window.flush(None, site(Verb::Flush)).expect("inside");
            let won = take::<i64>(swapped.expect("in range"))[0] == 0;
            accumulate(&*window, 0, winner + 1, &[i64::from(won)], sum);
        });
        barrier(world);
        inside_lock_all(&*window, || {
            let all = get(&*window, 0, 0, size * EACH + 3);
            window.flush_local(None, site(Verb::FlushLocal)).expect("inside");
            let all = take::<i64>(all);
            assert_eq!(all[..size * EACH], vec![1; size * EACH], "{kind:?}");
            assert_eq!((all[counter], all[winner + 1]), ((size * EACH) as i64, 1), "{kind:?}");
            assert!((1..=size as i64).contains(&all[winner]));
        });
        free(window);
    }
}

/// A token is passed around the ring with word operations and waits.
pub(crate) fn words(world: &dyn Transport) {
    let (rank, size) = (world.rank(), world.size());
    let next = (rank + 1) % size;
    for kind in KINDS {
        let window = open(world, kind, Datatype::I64, 2);
        let word = |target, at, becomes| {
            window.fetch_and_update_word(target, at, becomes, site(Verb::FetchAndOp)).expect("in range")
        };
        inside_lock_all(&*window, || {
            for round in 1..=10 {
                if rank != 0 {
                    window.wait_until(rank, 0, Until::AtLeast(round), site(Verb::WaitUntil)).expect("comes");
                }
                assert_eq!(word(next, 0, WordUpdate::Add(1)), round - 1, "{kind:?}");
                if rank == 0 {
                    window.wait_until(0, 0, Until::Equal(round), site(Verb::WaitUntil)).expect("comes");
                }
            }
            barrier(world);
            unread_messages_do_not_matter(world, &*window);
            // Repeated polls without a wait also let the library make progress.
            window.update_word(next, 1, WordUpdate::Add(1), site(Verb::FetchAndOp)).expect("in range");
            while word(rank, 1, WordUpdate::Keep) != 1 {}
            barrier(world);
            window.update_word(rank, 1, WordUpdate::Replace(0), site(Verb::FetchAndOp)).expect("own");
            barrier(world);
            window.wait_until(next, 0, Until::Equal(10), site(Verb::WaitUntil)).expect("is there");
            assert_eq!(word(next, 1, WordUpdate::Replace(5)), 0);
            let update =
                |becomes| window.update_word(next, 1, becomes, site(Verb::FetchAndOp)).expect("in range");
            update(WordUpdate::Add(-2));
            update(WordUpdate::Keep);
            update(WordUpdate::Swap { expected: 3, value: 4 });
            update(WordUpdate::Replace(word(next, 1, WordUpdate::Keep) + 1));
            assert_eq!(word(next, 1, WordUpdate::Swap { expected: 4, value: 9 }), 5);
            assert_eq!(word(next, 1, WordUpdate::Swap { expected: 5, value: 9 }), 5);
            assert_eq!(word(next, 1, WordUpdate::Keep), 9);
        });
        barrier(world);
        free(window);
    }
}

/// A message of ours that has arrived and is not received yet: the library still makes progress.
fn unread_messages_do_not_matter(world: &dyn Transport, window: &dyn ErasedWindow) {
    let (rank, size, tag) = (world.rank(), world.size(), MessageTag::internal(98));
    let (next, previous) = ((rank + 1) % size, Source::Rank((rank + size - 1) % size));
    let sent = world
        .post_send(next, tag, Block::from_vec(vec![1u8]), SendMode::Standard, site(Verb::Isend))
        .expect("posted");
    window.update_word(next, 1, WordUpdate::Add(1), site(Verb::FetchAndOp)).expect("in range");
    window.wait_until(rank, 1, Until::Equal(1), site(Verb::WaitUntil)).expect("comes");
    let buffer = Block::zeroed(Datatype::U8, 1);
    let received = world.post_recv(previous, tag.into(), buffer, site(Verb::Irecv)).expect("posted");
    [received, sent].into_iter().for_each(|pending| drop(pending.wait(site(Verb::Wait)).expect("is there")));
    window.update_word(rank, 1, WordUpdate::Replace(0), site(Verb::FetchAndOp)).expect("own");
    barrier(world);
}
