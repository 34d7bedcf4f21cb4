//! Laws of the calls that complete several requests.
use wb_world::{ANY_SOURCE, CompletedRequest, MixedRequest, RecvRequest, World};

use super::{Law, elements};

pub(super) const LAWS: &[Law] = &[
    ("wait_all returns every result in the order of the list", wait_all),
    ("wait_any returns each request once, and only one that is complete", wait_any),
    ("wait_some returns complete requests, at least one, and each once", wait_some),
    ("test_all completes all requests or none", test_all),
    ("test_any and test_some return only what is complete, and each request once", tests_of_some),
    ("a list without requests is complete", empty_lists),
    ("a cancelled receive takes no message, and one that has a message is completed", cancel),
];

/// The messages that rank 0 awaits; every other rank sends one when it is released; a rank that is alone sends it to itself.
fn receives(world: &World) -> Vec<RecvRequest<i64>> {
    senders(world).map(|rank| world.irecv::<i64>(8, rank, 1).expect("irecv")).collect()
}

/// The ranks that send to rank 0.
fn senders(world: &World) -> std::ops::Range<usize> {
    if world.size() == 1 { 0..1 } else { 1..world.size() }
}

/// Rank 0 lets `rank` send.
fn release(world: &World, rank: usize) -> Option<wb_world::SendRequest<i64>> {
    if rank == 0 {
        return Some(world.isend(message(0), 0, 1).expect("isend"));
    }
    world.send(&[0_i64], rank, 2).expect("send");
    None
}

fn message(rank: usize) -> Vec<i64> {
    elements(rank, 1 + rank % 5)
}

/// A rank other than 0 sends when it is released.
fn send_when_released(world: &World) {
    if world.rank() > 0 {
        world.recv(&mut [0_i64], 0, 2).expect("recv");
        world.send(&message(world.rank()), 0, 1).expect("send");
    }
}

fn wait_all(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
    for length in [0, 3, 20_000] {
        let receives: Vec<_> =
            [1, 0].map(|tag| world.irecv::<i64>(length, before, tag).expect("irecv")).into();
        let sends = [0, 1].map(|tag| world.isend(elements(rank + size * tag, length), next, tag as i32));
        let sends = sends.map(|send| send.expect("isend"));
        let received = world.wait_all(receives).expect("wait_all");
        let values: Vec<_> = received.iter().map(|(data, status)| (data.clone(), status.tag)).collect();
        assert_eq!(values, [1, 0].map(|tag| (elements(before + size * tag, length), tag as i32)));
        let sent = world.wait_all(sends).expect("wait_all");
        assert_eq!(sent, [0, 1].map(|tag| elements(rank + size * tag, length)));
    }
    // No send relies on a buffer: each receive is posted before the wait for its send.
    let receive = world.irecv::<f32>(1, before, 8).expect("irecv");
    let mixed = (
        world.irecv::<u8>(1, before, 7).expect("irecv"),
        world.isend(vec![0.5_f32], next, 8).expect("isend"),
    );
    let other = [
        MixedRequest::from(world.isend(vec![9_u8], next, 7).expect("isend")),
        MixedRequest::from(world.irecv::<u8>(1, before, 9).expect("irecv")),
    ];
    let ((data, _), sent) = world.wait_all(mixed).expect("wait_all");
    assert_eq!((data, sent), (vec![9], vec![0.5]));
    assert_eq!(receive.wait().expect("wait").0, [0.5]);
    world.send(&[5_u8], next, 9).expect("send");
    let done = world.wait_all(other).expect("wait_all");
    assert_eq!(done[0], CompletedRequest::Sent(vec![9]));
    assert!(matches!(&done[1], CompletedRequest::Received(data, status) if data == &[5] && status.tag == 9));
}

fn cancel(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
    for length in [1, 20_000] {
        let nothing = world.irecv::<i64>(length, before, 1).expect("irecv");
        assert!(nothing.cancel().expect("cancel").is_none(), "no message was sent");
        world.barrier().expect("barrier");
        let matched = world.irecv::<i64>(length, before, 2).expect("irecv");
        let sends = [1, 2].map(|tag| world.issend(elements(rank, length), next, tag).expect("issend"));
        let mut data = vec![0; length];
        world.recv(&mut data, before, 1).expect("the receive after the cancelled one");
        assert_eq!(data, elements(before, length));
        // A synchronous send is complete when its receive has started.
        world.wait_all(sends).expect("wait_all");
        world.barrier().expect("barrier");
        let (data, status) = matched.cancel().expect("cancel").expect("its message was sent");
        assert_eq!((data, status.source, status.tag), (elements(before, length), before, 2));
    }
}

fn wait_any(world: &World) {
    send_when_released(world);
    if world.rank() == 0 {
        let mut requests: Vec<_> = receives(world).into_iter().map(Some).collect();
        // The ranks send one after the other, from the last one on: only one request can be complete.
        for rank in senders(world).rev() {
            let own = release(world, rank);
            let (index, (data, status)) =
                world.wait_any(&mut requests).expect("wait_any").expect("one is left");
            assert_eq!((index, status.source, data), (rank - senders(world).start, rank, message(rank)));
            assert!(requests[index].is_none(), "its place is empty");
            own.into_iter().for_each(|send| drop(send.wait().expect("wait")));
        }
        assert!(world.wait_any(&mut requests).expect("wait_any").is_none());
    }
}

fn wait_some(world: &World) {
    send_when_released(world);
    if world.rank() == 0 {
        let mut requests: Vec<_> = receives(world).into_iter().map(Some).collect();
        let sends: Vec<_> = senders(world).filter_map(|rank| release(world, rank)).collect();
        let mut left = requests.len();
        while left > 0 {
            let done = world.wait_some(&mut requests).expect("wait_some");
            assert!(!done.is_empty() && done.len() <= left, "{} of {left}", done.len());
            left -= done.len();
            for (index, (data, status)) in done {
                assert_eq!((data, status.source), (message(status.source), index + senders(world).start));
                assert!(requests[index].is_none(), "its place is empty");
            }
        }
        assert!(world.wait_some(&mut requests).expect("wait_some").is_empty());
        world.wait_all(sends).expect("wait_all");
    }
}

fn test_all(world: &World) {
    send_when_released(world);
    if world.rank() == 0 {
        let mut requests = receives(world);
        let (count, mut sends) = (requests.len(), vec![]);
        assert!(world.test_all(&mut requests).expect("test_all").is_none(), "no message was sent");
        assert_eq!(requests.len(), count, "all are still there");
        for rank in senders(world) {
            sends.extend(release(world, rank));
        }
        let done = loop {
            if let Some(done) = world.test_all(&mut requests).expect("test_all") {
                break done;
            }
        };
        let sources: Vec<usize> = done.iter().map(|(_, status)| status.source).collect();
        assert_eq!((sources, requests.len()), (senders(world).collect(), 0));
        world.wait_all(sends).expect("wait_all");
    }
}

fn tests_of_some(world: &World) {
    for one in [true, false] {
        send_when_released(world);
        if world.rank() == 0 {
            let mut requests: Vec<_> = receives(world).into_iter().map(Some).collect();
            let test = |requests: &mut Vec<_>| match one {
                true => world.test_any(requests).expect("test_any").into_iter().collect(),
                false => world.test_some(requests).expect("test_some"),
            };
            assert!(test(&mut requests).is_empty(), "no message was sent");
            let sends: Vec<_> = senders(world).filter_map(|rank| release(world, rank)).collect();
            let mut seen = vec![];
            while seen.len() < requests.len() {
                let done = test(&mut requests);
                assert!(!one || done.len() <= 1, "test_any returned {}", done.len());
                seen.extend(done.into_iter().map(|(index, (data, status))| {
                    assert_eq!(data, message(status.source));
                    index
                }));
            }
            seen.sort_unstable();
            assert_eq!(seen, (0..requests.len()).collect::<Vec<_>>(), "each once");
            world.wait_all(sends).expect("wait_all");
        }
    }
}

fn empty_lists(world: &World) {
    assert!(world.wait_all(Vec::<RecvRequest<u8>>::new()).expect("wait_all").is_empty());
    assert!(world.wait_any::<RecvRequest<u8>>(&mut [None, None]).expect("wait_any").is_none());
    assert!(world.test_some::<RecvRequest<u8>>(&mut []).expect("test_some").is_empty());
    assert_eq!(
        world.test_all(&mut Vec::<RecvRequest<u8>>::new()).expect("test_all").map(|done| done.len()),
        Some(0)
    );
    assert!(world.iprobe(ANY_SOURCE, 77).expect("iprobe").is_none());
}
