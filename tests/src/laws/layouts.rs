//! Laws of messages whose elements a layout names.
use wb_world::{Error, Layout, Wire, World};

use super::{Law, counts, element, elements};

pub(super) const LAWS: &[Law] = &[
    ("a column arrives in a column, and nothing beside it changes", columns),
    ("a layout arrives as neighbouring elements, and these in a layout", packed),
    ("every layout travels as itself", shapes),
    ("every type travels in a layout", types),
    ("halos of one matrix are exchanged", halos),
    ("started layouts complete in any order", requests),
    ("a short message fills the first elements of a layout", short),
    ("a message longer than the layout is an error", truncation),
    ("a layout that does not fit is an error and sends nothing", refused),
    ("more layouts than the library keeps types", many),
];

const TAG: i32 = 4;

/// The ranks to send to and to receive from.
fn neighbours(world: &World) -> (usize, usize) {
    let (rank, size) = (world.rank(), world.size());
    ((rank + 1) % size, (rank + size - 1) % size)
}

/// Sends `send` of this rank's elements, receives `recv`; the result, where elements without a message are -1.
fn exchange(world: &World, length: usize, send: &Layout, recv: &Layout) -> Vec<i64> {
    let (next, last) = neighbours(world);
    let buffer = world.irecv_layout(vec![-1; length], recv, last, TAG).expect("irecv_layout");
    world.send_layout(&elements(world.rank(), length), send, next, TAG).expect("send_layout");
    let (data, status) = buffer.wait().expect("wait");
    assert_eq!((status.source, status.count(i64::DATATYPE)), (last, Some(send.count())));
    data
}

/// What `exchange` returns according to MPI.
fn expected(world: &World, length: usize, send: &Layout, recv: &Layout) -> Vec<i64> {
    let packed = send.pack(&elements(neighbours(world).1, length)).expect("inside");
    let mut data = vec![-1; length];
    let mut to = vec![];
    recv.for_each_block(&mut |block| to.extend(block));
    to.into_iter().zip(packed).for_each(|(place, value)| data[place] = value);
    data
}

fn columns(world: &World) {
    for rows in counts(world.size()) {
        let column = Layout::vector(rows, 1, 5);
        let data = exchange(world, rows * 5, &column.at(3), &column.at(1));
        for (place, value) in data.into_iter().enumerate() {
            let sent = element(neighbours(world).1, place + 2);
            assert_eq!(value, if place % 5 == 1 { sent } else { -1 }, "row {}", place / 5);
        }
    }
}

fn packed(world: &World) {
    let (next, last) = neighbours(world);
    let (length, column) = (3 * world.size(), Layout::vector(world.size(), 1, 3).at(1));
    let own = elements(world.rank(), length);
    let buffer = world.irecv::<i64>(world.size(), last, TAG).expect("irecv");
    world.send_layout(&own, &column, next, TAG).expect("send_layout");
    let (received, _) = buffer.wait().expect("wait");
    assert_eq!(received, column.pack(&elements(last, length)).expect("inside"));
    let send = world.isend(received, last, TAG).expect("isend");
    let mut data = vec![-1; length];
    world.recv_layout(&mut data, &column, next, TAG).expect("recv_layout");
    send.wait().expect("wait");
    assert_eq!(column.pack(&data), column.pack(&own), "there and back");
    assert_eq!(data.iter().filter(|value| **value == -1).count(), length - world.size());
}

fn shapes(world: &World) {
    let part = |sizes: &[usize], subsizes: &[usize], starts: &[usize]| {
        Layout::subarray(sizes, subsizes, starts).expect("inside")
    };
    let layouts = [
        Layout::contiguous(12).at(7),
        Layout::vector(4, 3, 6).at(2),
        Layout::indexed(&[5, 0, 1, 6], &[20, 3, 0, 8]).expect("as many lengths as displacements"),
        part(&[40], &[12], &[9]),
        part(&[5, 8], &[3, 4], &[1, 2]),
        part(&[2, 5, 4], &[2, 2, 3], &[0, 1, 1]),
        part(&[2, 2, 2, 5], &[2, 1, 2, 3], &[0, 1, 0, 2]),
    ];
    for send in &layouts {
        for recv in &layouts {
            assert_eq!(exchange(world, 40, send, recv), expected(world, 40, send, recv), "{send:?} {recv:?}");
        }
    }
    let twice = Layout::indexed(&[2, 2], &[3, 3]).expect("a send may repeat elements");
    let four = Layout::vector(4, 1, 2);
    assert_eq!(exchange(world, 9, &twice, &four), expected(world, 9, &twice, &four));
    let nothing = Layout::vector(0, 1, 5).at(99);
    assert_eq!(exchange(world, 2, &nothing, &nothing), [-1, -1]);
}

fn types(world: &World) {
    fn one<T: Wire>(world: &World, value: T) {
        let (next, last) = neighbours(world);
        let mut data = vec![T::default(); 6];
        (data[1], data[4]) = (value, value);
        let column = Layout::vector(2, 1, 3);
        world
            .sendrecv_layout(&mut data, &column.at(1), next, TAG, &column, last, TAG)
            .expect("sendrecv_layout");
        let zero = T::default();
        assert_eq!(data, [value, value, zero, value, value, zero], "{}", T::DATATYPE);
    }
    one(world, i8::MIN);
    one(world, i16::MIN);
    one(world, i32::MIN);
    one(world, i64::MIN);
    one(world, i128::MIN + 5);
    one(world, u8::MAX);
    one(world, usize::MAX);
    one(world, u128::MAX - 5);
    one(world, -1.5e-40f32);
    one(world, f64::MIN_POSITIVE);
}

/// Each rank has three columns and a halo on either side. The halos are filled by the columns of the neighbours.
fn halos(world: &World) {
    let (rank, (next, last)) = (world.rank(), neighbours(world));
    for rows in [1, 3, 20_000] {
        let column = Layout::vector(rows, 1, 5);
        let mut data = elements(rank, rows * 5);
        world
            .sendrecv_layout(&mut data, &column.at(3), next, TAG, &column, last, TAG)
            .expect("sendrecv_layout");
        world
            .sendrecv_layout(&mut data, &column.at(1), last, TAG, &column.at(4), next, TAG)
            .expect("sendrecv_layout");
        for (place, value) in data.into_iter().enumerate() {
            let wanted = match place % 5 {
                0 => element(last, place + 3),
                4 => element(next, place - 3),
                _ => element(rank, place),
            };
            assert_eq!(value, wanted, "element {place} of {rows} rows");
        }
    }
}

fn requests(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let column = Layout::vector(3, 1, size);
    let receives: Vec<_> = (0..size)
        .map(|peer| {
            world.irecv_layout(vec![-1; 3 * size], &column.at(peer), peer, TAG).expect("irecv_layout")
        })
        .collect();
    let sends: Vec<_> = (0..size)
        .rev()
        .map(|peer| {
            world.isend_layout(elements(rank, 3 * size), &column.at(peer), peer, TAG).expect("isend_layout")
        })
        .collect();
    for (peer, receive) in receives.into_iter().enumerate().rev() {
        let (data, status) = receive.wait().expect("wait");
        assert_eq!((status.source, status.count(i64::DATATYPE)), (peer, Some(3)));
        for (place, value) in data.into_iter().enumerate() {
            let sent = element(peer, place / size * size + rank);
            assert_eq!(value, if place % size == peer { sent } else { -1 });
        }
    }
    for send in sends {
        assert_eq!(send.wait().expect("wait"), elements(rank, 3 * size), "the whole buffer");
    }
}

fn short(world: &World) {
    let column = Layout::vector(4, 1, 3);
    let data = exchange(world, 12, &Layout::contiguous(2), &column.at(2));
    let last = neighbours(world).1;
    assert_eq!([data[2], data[5]], [element(last, 0), element(last, 1)]);
    assert_eq!(data.iter().filter(|value| **value == -1).count(), 10);
}

fn truncation(world: &World) {
    // 2000 elements, since Open MPI does not report a short one to oneself.
    if world.size() < 2 || world.rank() > 1 {
        return;
    }
    let column = Layout::vector(2000, 1, 2);
    if world.rank() == 0 {
        world.send_layout(&elements(0, 4000), &column, 1, TAG).expect("send_layout");
    } else {
        let mut data = vec![-1i64; 4000];
        let error = world.recv_layout(&mut data, &Layout::vector(1999, 1, 2), 0, TAG).expect_err("too long");
        assert!(matches!(error, Error::Truncated { sent, capacity: 15_992, .. } if sent > 15_992), "{error}");
        let beside = data.iter().skip(1).step_by(2);
        assert!(beside.chain(&data[3998..]).all(|value| *value == -1), "written beside the layout");
    }
}

fn refused(world: &World) {
    let (next, last) = neighbours(world);
    let (column, mut data) = (Layout::vector(2, 1, 3), vec![0i64; 6]);
    let outside = column.at(3);
    let is_refused =
        |result: wb_world::Result<()>| assert!(matches!(result, Err(Error::Layout(_))), "{result:?}");
    is_refused(world.send_layout(&data, &outside, next, TAG));
    is_refused(world.recv_layout(&mut data, &outside, last, TAG).map(drop));
    is_refused(world.recv_layout(&mut data, &Layout::vector(2, 2, 1), last, TAG).map(drop));
    is_refused(world.sendrecv_layout(&mut data, &column, next, TAG, &column.at(3), last, TAG).map(drop));
    is_refused(
        world.sendrecv_layout(&mut data, &column, next, TAG, &Layout::contiguous(2), last, TAG).map(drop),
    );
    is_refused(world.isend_layout(data.clone(), &outside, next, TAG).map(drop));
    is_refused(world.irecv_layout(data.clone(), &outside, last, TAG).map(drop));
    let text = world.send_layout(&data, &outside, next, TAG).expect_err("outside").to_string();
    assert_eq!(
        text,
        "the layout contains element 6, but the slice has 6 element(s): positions 0..=5 are allowed"
    );
}

fn many(world: &World) {
    let (next, last) = neighbours(world);
    let pass = |length: usize, stride: usize, recv_stride: usize| {
        let send = Layout::vector(2, length, stride);
        let recv = Layout::vector(2, length, recv_stride).at(600);
        let mut data = elements(world.rank(), 1300);
        world.sendrecv_layout(&mut data, &send, next, TAG, &recv, last, TAG).expect("sendrecv_layout");
        assert_eq!([data[600], data[600 + recv_stride]], [element(last, 0), element(last, stride)]);
    };
    (2..300).for_each(|stride| pass(1, stride, 300 + stride));
    // One type in between: from here on types are dropped before a call's second type is made, and not before its first one.
    pass(3, 3, 3);
    (2..300).for_each(|stride| pass(2, stride, 300 + stride));
}
