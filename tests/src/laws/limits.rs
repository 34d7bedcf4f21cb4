//! Laws of the limits of arguments: what one library happens to allow is refused on every backend.
use wb_comm::limits::COUNT_MAX;
use wb_world::{Error, Layout, Operation, PROC_NULL, World};

use super::{Law, files::new_file};

pub(super) const LAWS: &[Law] = &[
    ("a tag that MPI does not promise is refused by every call, and the largest one travels", tags),
    ("more elements than MPI counts are refused by every call before anything is sent", counts),
];

fn tags(world: &World) {
    let (max, above) = (32_767, 32_768);
    world.sendrecv(&[7], world.rank(), max, &mut [0], world.rank(), max).expect("every library has this tag");
    let (all, row) = (world.group().expect("group"), Layout::contiguous(1));
    for (tag, peer) in [(above, 0), (above, PROC_NULL), (-1, 0)] {
        let refused = [
            world.send(&[7], peer, tag),
            world.isend(vec![7], peer, tag).map(drop),
            world.recv(&mut [7], peer, tag).map(drop),
            world.irecv::<i32>(1, peer, tag).map(drop),
            world.sendrecv_replace(&mut [7], peer, tag, peer, 0).map(drop),
            world.probe(peer, tag).map(drop),
            world.iprobe(peer, tag).map(drop),
            world.improbe(peer, tag).map(drop),
            world.send_init(vec![7], peer, tag).map(drop),
            world.recv_init::<i32>(1, peer, tag).map(drop),
            world.send_layout(&[7], &row, peer, tag),
            world.isend_layout(vec![7], &row, peer, tag).map(drop),
            world.irecv_layout(vec![7], &row, peer, tag).map(drop),
            world.comm_create_group(&all, tag).map(drop),
            world.intercomm_create(0, world, 0, tag).map(drop),
        ];
        for (at, refused) in refused.into_iter().enumerate() {
            assert_eq!(refused, Err(Error::Tag { tag, max }), "call {at} to {peer}");
        }
    }
}

/// The buffers are zeroes that no call reads, so the system gives them no memory.
fn counts(world: &World) {
    let count = COUNT_MAX + 1;
    let (long, mut buffer, root) = (vec![0_u8; count], vec![0_u8; count], world.rank());
    let (window, file) = (world.window::<u8>(1).expect("window"), new_file(world));
    let epoch = window.fence().expect("fence");
    let refused = [
        epoch.put(&long, root, 0),
        epoch.get(count, root, 0).map(drop),
        file.read_at(0, &mut buffer).map(drop),
        file.write_at(0, &long),
        file.set_view::<u8>(0, &Layout::vector(1, 1, count)),
        world.send(&long, root, 0),
        world.recv(&mut buffer, root, 0).map(drop),
        world.irecv::<u8>(count, root, 0).map(drop),
        world.recv_init::<u8>(count, root, 0).map(drop),
        world.send_layout(&long, &Layout::vector(1, 1, count), root, 0),
        world.broadcast_by("binomial", &mut buffer, root),
        world.allreduce(&long, &mut buffer, Operation::Max),
        world.buffer_attach(count),
    ];
    for (at, refused) in refused.into_iter().enumerate() {
        assert_eq!(refused, Err(Error::TooLong { count, size: 1, max: COUNT_MAX }), "call {at}");
    }
    epoch.end().expect("end");
    window.free().expect("free");
    file.close().expect("close");
    let refused = world.irecv::<f64>(count, root, 0).map(drop).expect_err("too long").to_string();
    let expected = "2147483648 elements of 8 byte(s), 17179869184 bytes in all, are too many for one call";
    assert!(refused.starts_with(expected) && refused.contains("at most 2147483647;"), "{refused}");
}
