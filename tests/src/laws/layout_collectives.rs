//! Laws of collectives with layouts.
use wb_world::{Error, Layout, World};

use super::{Law, counts, element, elements};

pub(super) const LAWS: &[Law] = &[
    ("bcast_layout: a column arrives in a row, and nothing beside it changes", bcast),
    ("scatter_layout: columns, tiles and strided blocks reach their ranks", scatter),
    ("gather_layout: blocks arrive in columns, and nothing beside them changes", gather),
    ("what gather_layout collects scatter_layout distributes, for every shape", there_and_back),
    ("blocks of layouts that do not fit or share elements are errors before anything is sent", refused),
];

fn bcast(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    for rows in counts(size) {
        let column = Layout::vector(rows, 1, 3).at(1);
        for root in 0..size {
            let is_root = rank == root;
            let mut data = if is_root { elements(root, 3 * rows) } else { vec![-1; rows + 2] };
            let row = Layout::contiguous(rows).at(2);
            world.bcast_layout(&mut data, if is_root { &column } else { &row }, root).expect("bcast_layout");
            let sent: Vec<_> = (0..rows).map(|row| element(root, 3 * row + 1)).collect();
            match is_root {
                true => assert_eq!(data, elements(root, 3 * rows), "the root's data do not change"),
                false => assert_eq!(data, [vec![-1; 2], sent].concat(), "root {root}, {rows} rows"),
            }
        }
    }
}

/// Layouts of a block of six elements, for any number of ranks, and the length of a buffer for all of them.
fn shapes(size: usize) -> Vec<(Layout, usize)> {
    let width = 2 * size + 1;
    vec![
        (Layout::contiguous(6), 6 * size),
        (Layout::contiguous(6).resized(8).at(3), 8 * size + 3),
        // A column of six rows for each rank.
        (Layout::vector(6, 1, size).resized(1), 6 * size),
        // Tiles of three rows and two columns, beside each other, in a wider matrix.
        (Layout::vector(3, 2, width).resized(2).at(1), 3 * width + 1),
        (Layout::subarray(&[4, width], &[3, 2], &[1, 1]).expect("inside").resized(2), 4 * width + 1),
        // The first and the last elements of blocks of ten.
        (Layout::indexed(&[4, 0, 2], &[0, 7, 8]).expect("as many").resized(10), 10 * size),
        // In the opposite order.
        (Layout::indexed(&[2, 4], &[7, 1]).expect("as many").resized(9), 9 * size),
    ]
}

fn scatter(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    for (layout, length) in shapes(size) {
        for root in 0..size {
            let all = elements(root, length);
            let mut mine = [-1; 6];
            let send = (rank == root).then_some((&all[..], &layout));
            world.scatter_layout(send, &mut mine, root).expect("scatter_layout");
            let block = layout.at(rank * layout.extent()).pack(&all).expect("inside");
            assert_eq!(mine[..], block, "{layout:?}, root {root}");
        }
    }
}

fn gather(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    for (layout, length) in shapes(size) {
        let mut expected = vec![-1; length];
        for from in 0..size {
            let place = layout.at(from * layout.extent());
            place.unpack(&elements(from, 6), &mut expected).expect("inside");
        }
        for root in 0..size {
            let mut all = vec![-1; length];
            let recv = (rank == root).then_some((&mut all[..], &layout));
            world.gather_layout(&elements(rank, 6), recv, root).expect("gather_layout");
            let untouched = vec![-1; length];
            assert_eq!(all, if rank == root { &expected[..] } else { &untouched }, "{layout:?}, root {root}");
        }
    }
}

fn there_and_back(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    for (layout, length) in shapes(size) {
        let mut all = vec![0.0; length];
        let own: Vec<f64> = elements(rank, 6).iter().map(|value| *value as f64 + 0.5).collect();
        world.gather_layout(&own, (rank == 0).then_some((&mut all[..], &layout)), 0).expect("gather_layout");
        let mut mine = [0.0; 6];
        world
            .scatter_layout((rank == 0).then_some((&all[..], &layout)), &mut mine, 0)
            .expect("scatter_layout");
        assert_eq!(mine[..], own, "{layout:?}");
    }
}

fn refused(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let column = Layout::vector(2, 1, size).resized(1);
    let mut short = vec![0; 2 * size - 1];
    let refused = world.scatter_layout(Some((&short[..], &column)), &mut [0, 0], rank);
    assert!(matches!(refused, Err(Error::Layout(_))), "{refused:?}");
    let refused = world.gather_layout(&[0, 0], Some((&mut short[..], &column)), rank);
    assert!(matches!(refused, Err(Error::Layout(_))), "{refused:?}");
    let refused = world.bcast_layout(&mut [0; 2], &Layout::contiguous(3), rank);
    assert!(matches!(refused, Err(Error::Layout(_))), "{refused:?}");
    let mut all = vec![0; 2 * size];
    let refused = world.scatter_layout(Some((&all[..], &column)), &mut [0], rank);
    assert!(matches!(refused, Err(Error::Blocks { buffer: "send", .. })), "{refused:?}");
    let without = world.scatter_layout::<u8>(None, &mut [0], rank);
    assert!(matches!(without, Err(Error::RootBuffer { .. })), "{without:?}");
    if size > 1 {
        let overlapping = Layout::contiguous(2).resized(1);
        let refused = world.gather_layout(&[0, 0], Some((&mut all[..], &overlapping)), rank);
        let text = refused.expect_err("element 1 is in two blocks").to_string();
        assert!(text.contains("element 1 twice"), "{text}");
    }
}
