//! Laws of structs of numbers as elements.
use wb_world::{Error, Layout, Operation, World};
use workbench::Wire;

use super::{Law, ragged};

pub(super) const LAWS: &[Law] = &[
    ("structs arrive in every mode of a send", modes),
    ("structs arrive by sendrecv, by a matched probe and by persistent requests", requests),
    ("structs in a layout arrive in a layout", layouts),
    ("a struct is received as its numbers, and numbers as structs", numbers),
    ("a message that is no whole number of structs is an error", partial),
];

pub(super) const COLLECTIVE_LAWS: &[Law] = &[
    ("structs arrive in rooted collectives", rooted),
    ("structs arrive in exchanges of all ranks", exchanges),
    ("a user's operation reduces structs in rank order", reductions),
];

pub(super) const NONBLOCKING_LAWS: &[Law] =
    &[("nonblocking collectives give structs as their blocking forms do", nonblocking)];

const TAG: i32 = 6;

/// A struct in a struct, and a struct without names of fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Vector(f64, f64);

/// Fields of every size, in arrays and nested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Particle {
    key: i128,
    path: [Vector; 2],
    id: [i64; 2],
    marks: [[u16; 2]; 2],
    weight: f32,
    kind: [u8; 4],
}

/// The map x -> slope x + offset: composing two is not commutative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Affine {
    slope: u64,
    offset: u64,
}

impl Affine {
    fn then(self, next: Self) -> Self {
        let slope = self.slope.wrapping_mul(next.slope);
        Self { slope, offset: next.slope.wrapping_mul(self.offset).wrapping_add(next.offset) }
    }

    fn of(rank: usize, position: usize) -> Self {
        Self { slope: 2 * rank as u64 + 3, offset: 7 * rank as u64 + position as u64 }
    }
}

fn particle(rank: usize, position: usize) -> Particle {
    let number = (1000 * rank + position) as u16;
    Particle {
        key: i128::MIN + i128::from(number),
        path: [Vector(f64::from(number), -0.5), Vector(0.25, f64::from(number) + 0.5)],
        id: [-i64::from(number), i64::MAX],
        marks: [[number, 1], [2, !number]],
        weight: f32::from(number) / 4.0,
        kind: [b'a', number as u8, 0, 255],
    }
}

fn particles(rank: usize, count: usize) -> Vec<Particle> {
    (0..count).map(|position| particle(rank, position)).collect()
}

fn buffer(count: usize) -> Vec<Particle> {
    vec![Particle::default(); count]
}

fn neighbours(world: &World) -> (usize, usize) {
    let (rank, size) = (world.rank(), world.size());
    ((rank + 1) % size, (rank + size - 1) % size)
}

fn modes(world: &World) {
    let (next, before) = neighbours(world);
    for count in [0, 1, 5, 3000] {
        let own = || particles(world.rank(), count);
        world.buffer_attach(count * size_of::<Particle>() + World::BSEND_OVERHEAD).expect("buffer_attach");
        let received: Vec<_> =
            (0..7).map(|tag| world.irecv::<Particle>(count, before, tag).expect("irecv")).collect();
        world.barrier().expect("barrier");
        let sends = [
            world.isend(own(), next, 0).expect("isend"),
            world.issend(own(), next, 1).expect("issend"),
            world.irsend(own(), next, 2).expect("irsend"),
        ];
        world.send(&own(), next, 3).expect("send");
        world.bsend(&own(), next, 4).expect("bsend");
        world.rsend(&own(), next, 5).expect("rsend");
        world.ssend(&own(), next, 6).expect("ssend");
        for receive in received {
            let (data, status) = receive.wait().expect("wait");
            assert_eq!(data, particles(before, count));
            assert_eq!(status.count(Particle::DATATYPE), Some(count));
        }
        for send in sends {
            assert_eq!(send.wait().expect("wait"), own());
        }
        world.buffer_detach().expect("buffer_detach");
    }
}

fn requests(world: &World) {
    let (next, before) = neighbours(world);
    let mut received = buffer(4);
    let status =
        world.sendrecv(&particles(world.rank(), 3), next, TAG, &mut received, before, TAG).expect("sendrecv");
    assert_eq!((status.count(Particle::DATATYPE), &received[..3]), (Some(3), &particles(before, 3)[..]));
    assert_eq!(received[3], Particle::default());
    let mut data = particles(world.rank(), 2);
    world.sendrecv_replace(&mut data, next, TAG, before, TAG).expect("sendrecv_replace");
    assert_eq!(data, particles(before, 2));

    let send = world.isend(particles(world.rank(), 2), next, TAG).expect("isend");
    let data = world.mprobe(before, TAG).expect("mprobe").recv_vec::<Particle>().expect("recv_vec");
    assert_eq!(data, particles(before, 2));
    send.wait().expect("wait");

    let mut send = world.send_init(buffer(2), next, TAG).expect("send_init");
    let mut receive = world.recv_init::<Particle>(2, before, TAG).expect("recv_init");
    for turn in 0..2 {
        let value = |rank| particles(rank + 20 * turn, 2);
        send.data_mut().expect("inactive").copy_from_slice(&value(world.rank()));
        receive.start().expect("start");
        send.start().expect("start");
        receive.wait().expect("wait");
        send.wait().expect("wait");
        assert_eq!(receive.data().expect("inactive"), value(before));
    }
}

/// The blocks of all ranks: block r has `ragged(r)` elements of rank r.
fn blocks(world: &World) -> (Vec<usize>, Vec<Particle>) {
    let all = (0..world.size()).flat_map(|rank| particles(rank, ragged(rank))).collect();
    ((0..world.size()).map(ragged).collect(), all)
}

fn rooted(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let (counts, all) = blocks(world);
    let equal: Vec<_> = (0..size).flat_map(|rank| particles(rank, 2)).collect();
    for root in 0..size {
        let is_root = rank == root;
        let mut data = if is_root { particles(root, 3) } else { buffer(3) };
        world.bcast(&mut data, root).expect("bcast");
        assert_eq!(data, particles(root, 3));
        let mut data = buffer(2);
        world.scatter(is_root.then_some(&equal), &mut data, root).expect("scatter");
        assert_eq!(data, particles(rank, 2));
        let mut data = buffer(counts[rank]);
        world.scatterv(is_root.then_some((&all, &counts)), &mut data, root).expect("scatterv");
        assert_eq!(data, particles(rank, counts[rank]));
        let mut data = buffer(if is_root { 2 * size } else { 0 });
        world.gather(&particles(rank, 2), is_root.then_some(&mut data), root).expect("gather");
        assert_eq!(data, if is_root { &equal[..] } else { &[] });
        let mut data = buffer(if is_root { all.len() } else { 0 });
        let recv = is_root.then_some((&mut data[..], &counts[..]));
        world.gatherv(&particles(rank, counts[rank]), recv, root).expect("gatherv");
        assert_eq!(data, if is_root { &all[..] } else { &[] });
    }
}

fn exchanges(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let (counts, all) = blocks(world);
    let mut data = buffer(size);
    world.allgather(&[particle(rank, 0)], &mut data).expect("allgather");
    assert_eq!(data, (0..size).map(|rank| particle(rank, 0)).collect::<Vec<_>>());
    let mut data = buffer(all.len());
    world.allgatherv(&particles(rank, counts[rank]), &mut data, &counts).expect("allgatherv");
    assert_eq!(data, all);
    let from_all: Vec<_> = (0..size).map(|from| particle(from, rank)).collect();
    let mut data = buffer(size);
    world.alltoall(&particles(rank, size), &mut data).expect("alltoall");
    assert_eq!(data, from_all);
    let ones = vec![1; size];
    let mut data = buffer(size);
    world.alltoallv(&particles(rank, size), &ones, &mut data, &ones).expect("alltoallv");
    assert_eq!(data, from_all);
}

fn nonblocking(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let (counts, all) = blocks(world);
    let root = size - 1;
    let is_root = rank == root;
    let copy = world.ibcast(particles(rank, 3), root).expect("ibcast");
    let block =
        world.iscatterv(is_root.then(|| (all.clone(), &counts[..])), counts[rank], root).expect("iscatterv");
    let gathered =
        world.igatherv(particles(rank, counts[rank]), is_root.then_some(&counts), root).expect("igatherv");
    let everywhere = world.iallgatherv(particles(rank, counts[rank]), &counts).expect("iallgatherv");
    let from_all = world.ialltoall(particles(rank, size)).expect("ialltoall");
    let total = world
        .iallreduce(vec![Affine::of(rank, 0)], Operation::user(false, Affine::then))
        .expect("iallreduce");
    assert_eq!(copy.wait().expect("wait"), particles(root, 3));
    assert_eq!(block.wait().expect("wait"), particles(rank, counts[rank]));
    assert_eq!(gathered.wait().expect("wait"), is_root.then_some(all.clone()));
    assert_eq!(everywhere.wait().expect("wait"), all);
    assert_eq!(
        from_all.wait().expect("wait"),
        (0..size).map(|from| particle(from, rank)).collect::<Vec<_>>()
    );
    assert_eq!(total.wait().expect("wait"), [composed(0..size, 0)]);
}

fn layouts(world: &World) {
    let (next, before) = neighbours(world);
    let column = Layout::vector(3, 1, 4);
    let receive = world.irecv_layout(buffer(12), &column.at(2), before, TAG).expect("irecv_layout");
    world.send_layout(&particles(world.rank(), 12), &column.at(1), next, TAG).expect("send_layout");
    let (data, _) = receive.wait().expect("wait");
    for (place, value) in data.into_iter().enumerate() {
        let expected = if place % 4 == 2 { particle(before, place - 1) } else { Particle::default() };
        assert_eq!(value, expected, "place {place}");
    }
}

fn numbers(world: &World) {
    let (next, before) = neighbours(world);
    let vectors = [Vector(world.rank() as f64, 1.0), Vector(2.0, 3.0)];
    let mut numbers = [0.0; 4];
    world.sendrecv(&vectors, next, TAG, &mut numbers, before, TAG).expect("sendrecv");
    assert_eq!(numbers, [before as f64, 1.0, 2.0, 3.0]);
    let mut back = [Vector::default(); 2];
    world.sendrecv(&numbers, before, TAG, &mut back, next, TAG).expect("sendrecv");
    assert_eq!(back, vectors, "there and back");
}

/// The maps of these ranks, one after the other.
fn composed(ranks: std::ops::Range<usize>, position: usize) -> Affine {
    let maps = ranks.map(|rank| Affine::of(rank, position));
    maps.reduce(Affine::then).unwrap_or_default()
}

fn reductions(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let compose = Operation::user(false, Affine::then);
    let own = [Affine::of(rank, 0), Affine::of(rank, 1)];
    let expected = |ranks: std::ops::Range<usize>| [composed(ranks.clone(), 0), composed(ranks, 1)];
    let mut result = [Affine::default(); 2];
    world.allreduce(&own, &mut result, compose).expect("allreduce");
    assert_eq!(result, expected(0..size));
    for root in 0..size {
        let mut result = [Affine::default(); 2];
        world.reduce(&own, (rank == root).then_some(&mut result), compose, root).expect("reduce");
        assert_eq!(result, if rank == root { expected(0..size) } else { Default::default() });
    }
    world.scan(&own, &mut result, compose).expect("scan");
    assert_eq!(result, expected(0..rank + 1));
    let mut result = [Affine::default(); 2];
    world.exscan(&own, &mut result, compose).expect("exscan");
    assert_eq!(result, expected(0..rank));
    let mut block = [Affine::default()];
    world.reduce_scatter_block(&vec![own[0]; size], &mut block, compose).expect("reduce_scatter_block");
    assert_eq!(block, [composed(0..size, 0)]);
    let mut local = [own[1]];
    world.reduce_local(&own[..1], &mut local, compose).expect("reduce_local");
    assert_eq!(local, [own[0].then(own[1])]);
}

fn partial(world: &World) {
    let (next, before) = neighbours(world);
    let send = world.isend(vec![0.5, 1.5, 2.5], next, TAG).expect("isend");
    let refused = world.recv(&mut [Vector::default(); 2], before, TAG);
    assert!(matches!(refused, Err(Error::PartialElement { bytes: 24, .. })), "{refused:?}");
    send.wait().expect("wait");
}
