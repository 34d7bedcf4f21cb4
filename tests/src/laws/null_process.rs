//! Laws of the null process: what is sent to it is not transmitted, and a receive from it returns with no elements.
use wb_world::{ANY_TAG, Layout, PROC_NULL, Status, World};

use super::Law;

pub(super) const LAWS: &[Law] = &[
    ("sendrecv_replace, matched probes and persistent requests know the null process", of_all_kinds),
    ("a send to the null process returns, and nothing is counted", sends),
    ("a receive from the null process returns with no elements", receives),
    ("sendrecv with the null process on one side is the other half", half_exchanges),
    ("a request to or from the null process is complete", requests),
    ("a call for several requests completes those of the null process, too", completions),
    ("the null process is no root", refusals),
];

fn sends(world: &World) {
    let before = world.counts();
    world.send(&[1u8; 100_000], PROC_NULL, 3).expect("send");
    world.ssend(&[1u8], PROC_NULL, 3).expect("ssend");
    world.isend(vec![1u8], PROC_NULL, 3).expect("isend").wait().expect("wait");
    world.send_layout(&[1u8], &Layout::contiguous(1), PROC_NULL, 3).expect("send_layout");
    assert_eq!(world.counts(), before);
}

fn receives(world: &World) {
    let (before, mut data) = (world.counts(), [5i32; 3]);
    assert_eq!(world.recv(&mut data, PROC_NULL, 3), Ok(Status::PROC_NULL));
    assert_eq!(world.recv(&mut data, PROC_NULL, ANY_TAG), Ok(Status::PROC_NULL));
    assert_eq!(data, [5; 3], "the buffer is unchanged");
    assert_eq!(world.recv_vec::<i64>(PROC_NULL, 3), Ok((vec![], Status::PROC_NULL)));
    assert_eq!(world.irecv::<i64>(4, PROC_NULL, 3).expect("irecv").wait(), Ok((vec![], Status::PROC_NULL)));
    assert_eq!(world.probe(PROC_NULL, 3), Ok(Status::PROC_NULL));
    assert_eq!(world.iprobe(PROC_NULL, ANY_TAG), Ok(Some(Status::PROC_NULL)));
    assert_eq!(world.counts(), before);
    let Status { source, tag, bytes, .. } = Status::PROC_NULL;
    assert_eq!((source, tag, bytes), (PROC_NULL, -1, 0));
}

/// A shift along a row that does not close: both ends have a null neighbour.
fn half_exchanges(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let before = world.counts();
    let left = if rank > 0 { rank - 1 } else { PROC_NULL };
    let right = if rank + 1 < size { rank + 1 } else { PROC_NULL };
    let mut halo = [-1];
    let status = world.sendrecv(&[rank as i64], right, 4, &mut halo, left, 4).expect("sendrecv");
    assert_eq!((status.source, halo[0]), (left, rank as i64 - 1));
    let counts = world.counts() - before;
    let expected = (u64::from(right != PROC_NULL), u64::from(left != PROC_NULL));
    assert_eq!((counts.sends, counts.receives), expected);
}

fn requests(world: &World) {
    let mut send = world.isend(vec![7u8], PROC_NULL, 3).expect("isend");
    let mut receive = world.irecv::<u8>(1, PROC_NULL, 3).expect("irecv");
    assert_eq!((send.test(), receive.test()), (Ok(true), Ok(true)));
    assert_eq!((send.wait(), receive.wait()), (Ok(vec![7]), Ok((vec![], Status::PROC_NULL))));
}

fn completions(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
    let null = || world.irecv::<usize>(1, PROC_NULL, 5).expect("irecv");
    let real = || world.irecv::<usize>(1, before, 5).expect("irecv");
    let sends: Vec<_> = (0..2).map(|_| world.isend(vec![rank], next, 5).expect("isend")).collect();
    let received = world.wait_all(vec![null(), real(), null()]).expect("wait_all");
    let elements: Vec<_> = received.into_iter().map(|(data, _)| data).collect();
    assert_eq!(elements, [vec![], vec![before], vec![]]);
    let mut requests = [Some(real()), Some(null())];
    let first = world.wait_any(&mut requests).expect("wait_any").expect("one is complete");
    assert_eq!(first, (1, (vec![], Status::PROC_NULL)), "that of the null process is complete already");
    let (mut rest, mut received) = (requests[0].take(), vec![]);
    while rest.is_some() {
        let mut requests = [Some(null()), rest];
        let some = world.wait_some(&mut requests).expect("wait_some");
        assert_eq!(some.first().map(|(at, _)| *at), Some(0), "that of the null process is complete already");
        received.extend(some.into_iter().filter(|(at, _)| *at == 1).map(|(_, (data, _))| data));
        rest = requests[1].take();
        std::thread::yield_now();
    }
    assert_eq!(received, [vec![before]]);
    assert!(world.test_all(&mut vec![null(), null()]).expect("test_all").is_some());
    world.wait_all(sends).expect("wait_all");
}

fn refusals(world: &World) {
    let root = world.bcast(&mut [0u8], PROC_NULL).expect_err("it is not a rank");
    assert!(root.to_string().starts_with("root PROC_NULL does not exist"), "{root}");
}

fn of_all_kinds(world: &World) {
    let mut data = [world.rank()];
    let status = world.sendrecv_replace(&mut data, PROC_NULL, 0, PROC_NULL, 0).expect("sendrecv_replace");
    assert_eq!((data, status.source, status.bytes), ([world.rank()], PROC_NULL, 0));
    let message = world.mprobe(PROC_NULL, 0).expect("mprobe");
    assert_eq!(message.status().source, PROC_NULL);
    assert!(message.recv_vec::<i64>().expect("recv_vec").is_empty());
    let mut send = world.send_init(vec![1], PROC_NULL, 0).expect("send_init");
    let mut receive = world.recv_init::<i32>(1, PROC_NULL, 0).expect("recv_init");
    for _ in 0..2 {
        send.start().expect("start");
        receive.start().expect("start");
        send.wait().expect("wait");
        assert_eq!(receive.wait().expect("wait").source, PROC_NULL);
        assert!(receive.data().expect("inactive").is_empty());
    }
}
