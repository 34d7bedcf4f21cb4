//! What a rank sends to its neighbour has room there.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let row = world.cart_create(&[2], &[false], false)?.expect("a place for every rank");
    let send_counts = if row.rank() == 0 { [0, 2] } else { [1, 0] };
    let recv_counts = if row.rank() == 0 { [0, 1] } else { [2, 0] };
    let send = vec![1; send_counts[0] + send_counts[1]];
    let mut recv = vec![0; recv_counts[0] + recv_counts[1]];
    row.neighbor_alltoallv(&send, &send_counts, &mut recv, &recv_counts)
}
