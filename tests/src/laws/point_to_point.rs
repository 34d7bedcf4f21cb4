//! Laws of point-to-point messages.
use wb_world::{ANY_SOURCE, ANY_TAG, Error, Wire, World};

use super::{Law, counts, elements};

pub(super) const LAWS: &[Law] = &[
    ("ring: a message reaches the next rank whole", ring),
    ("every type travels as itself", types),
    ("messages with one name do not overtake", order),
    ("tags select", tags),
    ("any source, any tag: each message comes once", wildcards),
    ("probe gives the length before the receive", probe),
    ("started operations complete in any order", requests),
    ("long messages exchanged simultaneously do not block", exchange),
    ("a synchronous send returns once its receiver has begun", synchronous),
    ("a message longer than the buffer is an error", truncation),
];

fn ring(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let (next, last) = ((rank + 1) % size, (rank + size - 1) % size);
    for count in counts(size) {
        let mut received = vec![-1; count + 1];
        let status =
            world.sendrecv(&elements(rank, count), next, 7, &mut received, last, 7).expect("sendrecv");
        assert_eq!((status.source, status.tag, status.count(i64::DATATYPE)), (last, 7, Some(count)));
        assert_eq!(received[..count], elements(last, count));
        assert_eq!(received[count], -1, "the receive wrote past the message");
    }
}

fn types(world: &World) {
    fn one<T: Wire>(world: &World, value: T) {
        let (rank, size) = (world.rank(), world.size());
        let mut received = [T::default()];
        let last = (rank + size - 1) % size;
        world.sendrecv(&[value], (rank + 1) % size, 1, &mut received, last, 1).expect("sendrecv");
        assert_eq!(received, [value], "{}", T::DATATYPE);
    }
    one(world, i8::MIN);
    one(world, i16::MIN);
    one(world, i32::MIN);
    one(world, i64::MIN);
    one(world, i128::MIN + 5);
    one(world, isize::MIN);
    one(world, u8::MAX);
    one(world, u16::MAX);
    one(world, u32::MAX);
    one(world, u64::MAX);
    one(world, u128::MAX - 5);
    one(world, usize::MAX);
    one(world, -1.5e-40f32);
    one(world, f64::MIN_POSITIVE);
}

fn order(world: &World) {
    if world.rank() == 0 {
        for peer in 1..world.size() {
            for number in 0..10i64 {
                world.send(&[number], peer, 3).expect("send");
            }
        }
    } else {
        for number in 0..10i64 {
            let mut received = [-1];
            world.recv(&mut received, 0, 3).expect("recv");
            assert_eq!(received, [number]);
        }
    }
}

fn tags(world: &World) {
    let Some((from, to)) = ends(world) else { return };
    if world.rank() == from {
        world.send(&[1i32], to, 1).expect("send");
        world.send(&[2i32], to, 2).expect("send");
    } else if world.rank() == to {
        let mut received = [0i32];
        world.recv(&mut received, from, 2).expect("recv");
        assert_eq!(received, [2]);
        world.recv(&mut received, from, 1).expect("recv");
        assert_eq!(received, [1]);
    }
}

/// First and last rank, where they differ.
fn ends(world: &World) -> Option<(usize, usize)> {
    (world.size() > 1).then(|| (0, world.size() - 1))
}

fn wildcards(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    if rank != 0 {
        world.send(&[rank], 0, i32::try_from(rank).expect("small")).expect("send");
        return;
    }
    let mut seen = vec![false; size];
    for _ in 1..size {
        let mut received = [0usize];
        let status = world.recv(&mut received, ANY_SOURCE, ANY_TAG).expect("recv");
        assert_eq!(received, [status.source]);
        assert_eq!(usize::try_from(status.tag), Ok(status.source));
        assert!(!std::mem::replace(&mut seen[status.source], true), "twice from {}", status.source);
    }
}

fn probe(world: &World) {
    let Some((from, to)) = ends(world) else { return };
    for count in counts(world.size()) {
        if world.rank() == from {
            world.send(&elements(from, count), to, 5).expect("send");
        } else if world.rank() == to {
            let found = world.probe(from, ANY_TAG).expect("probe");
            assert_eq!((found.source, found.tag, found.count(i64::DATATYPE)), (from, 5, Some(count)));
            assert!(world.iprobe(from, 5).expect("iprobe").is_some());
            assert!(world.iprobe(from, 6).expect("iprobe").is_none());
            let (received, _) = world.recv_vec::<i64>(from, 5).expect("recv_vec");
            assert_eq!(received, elements(from, count));
        }
    }
}

fn requests(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let receives: Vec<_> =
        (0..size).map(|peer| world.irecv::<i64>(size + 1, peer, 9).expect("irecv")).collect();
    let sends: Vec<_> =
        (0..size).rev().map(|peer| world.isend(elements(rank, peer), peer, 9).expect("isend")).collect();
    for (peer, receive) in receives.into_iter().enumerate().rev() {
        let (received, status) = receive.wait().expect("wait");
        assert_eq!(status.source, peer);
        assert_eq!(received, elements(peer, rank));
    }
    for (index, send) in sends.into_iter().enumerate() {
        assert_eq!(send.wait().expect("wait").len(), size - 1 - index);
    }
}

fn exchange(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let long = 40_000; // 320 kB, above every backend's eager limit
    let mut received = vec![0; long];
    let (next, last) = ((rank + 1) % size, (rank + size - 1) % size);
    world.sendrecv(&elements(rank, long), next, 2, &mut received, last, 2).expect("sendrecv");
    assert_eq!(received, elements(last, long));
}

fn synchronous(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let partner = rank ^ 1;
    if partner >= size {
        return;
    }
    let mut received = [0_i64];
    if rank < partner {
        world.ssend(&[rank as i64 + 7], partner, 12).expect("ssend");
        world.recv(&mut received, partner, 13).expect("recv");
        assert_eq!(received, [2 * (rank as i64 + 7)]);
    } else {
        // Nothing else than this receive lets the synchronous send return, so nothing can have come before it.
        assert!(world.iprobe(partner, 13).expect("iprobe").is_none());
        world.recv(&mut received, partner, 12).expect("recv");
        world.ssend(&[2 * received[0]], partner, 13).expect("ssend");
    }
}

fn truncation(world: &World) {
    let Some((from, to)) = ends(world) else { return };
    if world.rank() == from {
        world.send(&[1i32, 2, 3], to, 4).expect("a short message is sent whatever its receiver does");
    } else if world.rank() == to {
        let refused = world.recv(&mut [0i32; 2], from, 4);
        assert!(matches!(refused, Err(Error::Truncated { capacity: 8, .. })), "{refused:?}");
    }
}
