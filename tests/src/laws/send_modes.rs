//! Laws of the modes of sends, of the exchange in one buffer, and of matched probes.
use std::time::Duration;

use wb_world::{ANY_SOURCE, ANY_TAG, Error, FrameworkCalls as _, World};

use super::{Law, counts, elements};

pub(super) const LAWS: &[Law] = &[
    ("bsend and ibsend are complete before any rank receives", buffered),
    ("a buffered send that does not fit is refused, and the buffer works on", buffer_overflow),
    ("issend is complete only when its receive has started", issend),
    ("ssend returns only when its receive has started", ssend),
    ("rsend and irsend reach a receive that is posted", ready),
    ("sendrecv_replace: every element comes from the left", sendrecv_replace),
    ("a matched probe takes a message away from all other receives", matched_probe),
];

fn neighbours(world: &World) -> (usize, usize) {
    let (rank, size) = (world.rank(), world.size());
    ((rank + 1) % size, (rank + size - 1) % size)
}

fn buffered(world: &World) {
    let (next, before) = neighbours(world);
    let rank = world.rank();
    let size_of = |count: usize| 8 * count + World::BSEND_OVERHEAD;
    let all = [0, 1, 100, 20_000];
    let buffer: usize = all.iter().map(|count| 2 * size_of(*count)).sum();
    world.buffer_attach(buffer).expect("buffer_attach");
    for (count, tag) in all.into_iter().zip(0..) {
        world.bsend(&elements(rank, count), next, tag).expect("bsend");
        let mut request = world.ibsend(elements(rank, count), next, tag).expect("ibsend");
        assert!(request.test().expect("test"), "a buffered send waits for nothing");
        assert_eq!(request.wait().expect("wait"), elements(rank, count));
    }
    for (count, tag) in all.into_iter().zip(0..) {
        for _ in 0..2 {
            let (data, _) = world.recv_vec::<i64>(before, tag).expect("recv_vec");
            assert_eq!(data, elements(before, count));
        }
    }
    assert_eq!(world.buffer_detach().expect("buffer_detach"), buffer);
}

fn buffer_overflow(world: &World) {
    let (next, _) = neighbours(world);
    let refused = [
        world.bsend(&[1_u8], next, 0),
        world.ibsend(vec![1_u8], next, 0).map(drop),
        world.bsend_init(vec![1_u8], next, 0).and_then(|mut send| send.start()),
    ];
    for refused in refused {
        assert!(matches!(refused, Err(Error::AttachedBuffer { attached: 0, .. })), "{refused:?}");
    }
    assert!(world.buffer_detach().is_err(), "no buffer is attached");
    world.buffer_attach(800 + World::BSEND_OVERHEAD).expect("buffer_attach");
    assert!(world.buffer_attach(1).is_err(), "a buffer is attached");
    let long = elements(0, 10_000);
    for refused in [world.bsend(&long, next, 0), world.ibsend(long, next, 0).map(drop)] {
        assert!(
            matches!(refused, Err(Error::AttachedBuffer { needed, .. }) if needed > 80_000),
            "{refused:?}"
        );
    }
    let own = world.rank();
    world.bsend(&elements(own, 85), own, 0).expect("it fits");
    // Without the overhead of the first message an empty one would fit beside it. A library may have sent the first one already.
    let refused = (world.backend() != "mpi").then(|| world.bsend(&[0_u8; 0], own, 1));
    assert!(!matches!(refused, Some(Ok(()))), "{refused:?}");
    assert_eq!(world.recv_vec::<i64>(own, 0).expect("recv_vec").0, elements(own, 85));
    world.buffer_detach().expect("buffer_detach");
}

fn issend(world: &World) {
    let (next, before) = neighbours(world);
    let mut send = world.issend(vec![world.rank()], next, 0).expect("issend");
    let permission = world.irecv::<u8>(0, before, 1).expect("irecv");
    assert!(!send.test().expect("test"), "the receiver has no permission yet");
    let permit = world.isend(vec![0_u8; 0], next, 1).expect("isend");
    world.wait_all((permission, permit)).expect("wait_all");
    let mut data = [0];
    world.recv(&mut data, before, 0).expect("recv");
    assert_eq!(send.wait().expect("wait"), [world.rank()]);
    assert_eq!(data, [before]);
}

fn ssend(world: &World) {
    let (rank, partner) = (world.rank(), world.rank() ^ 1);
    if partner >= world.size() {
        return;
    }
    if rank < partner {
        world.ssend(&[rank], partner, 0).expect("ssend");
        world.send(&[rank], partner, 1).expect("send");
        return;
    }
    for _ in 0..100 {
        assert!(world.iprobe(partner, 1).expect("iprobe").is_none(), "the first message is not received yet");
        std::thread::sleep(Duration::from_micros(200));
    }
    for tag in 0..2 {
        let mut data = [0];
        world.recv(&mut data, partner, tag).expect("recv");
        assert_eq!(data, [partner]);
    }
}

fn ready(world: &World) {
    let (next, before) = neighbours(world);
    for count in counts(world.size()) {
        let receives = [0, 1].map(|tag| world.irecv::<i64>(count, before, tag).expect("irecv"));
        world.sendrecv(&[0_u8; 0], before, 2, &mut [0_u8; 0], next, 2).expect("sendrecv");
        world.rsend(&elements(world.rank(), count), next, 0).expect("rsend");
        let send = world.irsend(elements(world.rank(), count), next, 1).expect("irsend");
        for (data, _) in world.wait_all(receives).expect("wait_all") {
            assert_eq!(data, elements(before, count));
        }
        send.wait().expect("wait");
    }
}

fn sendrecv_replace(world: &World) {
    let (next, before) = neighbours(world);
    for count in [0, 1, 7, 20_000] {
        let mut data = elements(world.rank(), count);
        let status = world.sendrecv_replace(&mut data, next, 3, before, 3).expect("sendrecv_replace");
        assert_eq!((status.source, status.tag, status.bytes), (before, 3, 8 * count));
        assert_eq!(data, elements(before, count));
    }
}

fn matched_probe(world: &World) {
    let (next, before) = neighbours(world);
    let send = |tag, count| world.isend(elements(world.rank(), count), next, tag).expect("isend");
    let sends = vec![send(0, 2), send(0, 3), send(1, 20_000)];
    let first = world.mprobe(before, 0).expect("mprobe");
    assert_eq!((first.status().source, first.status().bytes), (before, 16));
    let mut second = vec![0; 3];
    let status = world.recv(&mut second, before, 0).expect("recv");
    assert_eq!((second, status.bytes), (elements(before, 3), 24), "the first message is taken");
    let long = world.mprobe(ANY_SOURCE, ANY_TAG).expect("mprobe");
    assert_eq!(long.recv_vec::<i64>().expect("recv_vec"), elements(before, 20_000));
    let mut data = vec![0; 2];
    first.recv(&mut data).expect("recv");
    assert_eq!(data, elements(before, 2));
    world.wait_all(sends).expect("wait_all");
    world.barrier().expect("barrier");
    assert!(world.improbe(before, 0).expect("improbe").is_none());
    let send = send(5, 1);
    let message = loop {
        if let Some(message) = world.improbe(before, ANY_TAG).expect("improbe") {
            break message;
        }
    };
    assert_eq!(message.recv_vec::<i64>().expect("recv_vec"), elements(before, 1));
    send.wait().expect("wait");
}
