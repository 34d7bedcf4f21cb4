//! Laws of the verbs with a root: every root, every critical count.
use wb_world::{Error, Operation, World};

use super::{Law, counts, element, elements, ragged};

pub(super) const LAWS: &[Law] = &[
    ("bcast: every rank has the data of the root", bcast),
    ("broadcast_by: with every algorithm each rank has the data of the root", broadcast_by),
    ("broadcast_by: long data, in segments, of any type", long_broadcast),
    ("scatter: block r reaches rank r", scatter),
    ("scatterv: blocks of different lengths", scatterv),
    ("gather: blocks meet in rank order", gather),
    ("gatherv: blocks of different lengths", gatherv),
    ("a buffer of the wrong length is an error before anything is sent", wrong_length),
];

fn each(world: &World, law: impl Fn(usize, usize)) {
    for count in counts(world.size()) {
        for root in 0..world.size() {
            law(root, count);
        }
    }
}

fn bcast(world: &World) {
    each(world, |root, count| {
        let mut data = elements(world.rank(), count);
        world.bcast(&mut data, root).expect("bcast");
        assert_eq!(data, elements(root, count), "root {root}, count {count}");
    });
}

fn broadcast_by(world: &World) {
    for name in World::broadcasts().into_iter().chain(["auto"]) {
        each(world, |root, count| {
            let mut data = elements(world.rank(), count);
            world.broadcast_by(name, &mut data, root).expect(name);
            assert_eq!(data, elements(root, count), "{name}, root {root}, count {count}");
        });
    }
    let message =
        world.broadcast_by("tree of trees", &mut [0_u8; 4], 0).expect_err("no broadcast").to_string();
    assert!(
        message.contains("there is no broadcast \"tree of trees\"; there are ")
            && message.contains("split_binary"),
        "{message}"
    );
}

fn long_broadcast(world: &World) {
    // Two segments and a bit, of eight bytes an element and of one.
    const LONG: usize = 2 * 1024 + 3;
    let root = world.size() - 1;
    for name in World::broadcasts() {
        let mut numbers = elements(world.rank(), LONG);
        world.broadcast_by(name, &mut numbers, root).expect(name);
        assert_eq!(numbers, elements(root, LONG), "{name}");
        let byte = |position: usize| (position % 251) as u8;
        let bytes: Vec<u8> = (0..9 * LONG).map(byte).collect();
        let mut data = if world.rank() == root { bytes.clone() } else { vec![0; bytes.len()] };
        world.broadcast_by(name, &mut data, root).expect(name);
        assert_eq!(data, bytes, "{name}");
    }
}

fn scatter(world: &World) {
    each(world, |root, count| {
        let all = (world.rank() == root).then(|| elements(root, count * world.size()));
        let mut mine = vec![-1; count];
        world.scatter(all.as_deref(), &mut mine, root).expect("scatter");
        let first = world.rank() * count;
        let expected: Vec<_> = (first..first + count).map(|position| element(root, position)).collect();
        assert_eq!(mine, expected, "root {root}, count {count}");
    });
}

fn scatterv(world: &World) {
    let lengths: Vec<_> = (0..world.size()).map(ragged).collect();
    let first: usize = lengths[..world.rank()].iter().sum();
    for root in 0..world.size() {
        let all = elements(root, lengths.iter().sum());
        let mut mine = vec![-1; ragged(world.rank())];
        let send = (world.rank() == root).then_some((&all[..], &lengths[..]));
        world.scatterv(send, &mut mine, root).expect("scatterv");
        assert_eq!(mine, all[first..first + mine.len()], "root {root}");
    }
}

fn gather(world: &World) {
    each(world, |root, count| {
        let mut all = (world.rank() == root).then(|| vec![-1; count * world.size()]);
        world.gather(&elements(world.rank(), count), all.as_deref_mut(), root).expect("gather");
        if let Some(all) = all {
            let expected: Vec<_> = (0..world.size()).flat_map(|rank| elements(rank, count)).collect();
            assert_eq!(all, expected, "root {root}, count {count}");
        }
    });
}

fn gatherv(world: &World) {
    let lengths: Vec<_> = (0..world.size()).map(ragged).collect();
    let expected: Vec<_> = (0..world.size()).flat_map(|rank| elements(rank, ragged(rank))).collect();
    for root in 0..world.size() {
        let mut all = vec![-1; expected.len()];
        let recv = (world.rank() == root).then_some((&mut all[..], &lengths[..]));
        world.gatherv(&elements(world.rank(), ragged(world.rank())), recv, root).expect("gatherv");
        if world.rank() == root {
            assert_eq!(all, expected, "root {root}");
        }
    }
}

fn wrong_length(world: &World) {
    let long = vec![0u8; world.size() + 1];
    let refused = world
        .reduce_scatter_block(&long, &mut [0u8], Operation::Sum)
        .expect_err("a number too many")
        .to_string();
    let remedy = if world.size() == 1 { "2 x 1 would fit" } else { "leave 1 over: reduce_scatter takes" };
    assert!(refused.contains(remedy), "{refused}");
    if world.rank() == 0 {
        let refused = world.scatter(Some(&long), &mut [0u8], 0);
        assert!(matches!(refused, Err(Error::Blocks { verb: "scatter", buffer: "send", .. })), "{refused:?}");
        let refused = world.gather(&[0u8, 1], Some(&mut [0u8]), 0);
        assert!(matches!(refused, Err(Error::Blocks { verb: "gather", buffer: "recv", .. })), "{refused:?}");
        assert!(world.scatter::<u8>(None, &mut [0u8], 0).is_err(), "the root gave no buffer");
    }
}
