//! Rank 0 sends two elements to its neighbour, which has room for one.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let row = world.cart_create(&[2], &[false], false)?.expect("a place for every rank");
    let send_counts = if row.rank() == 0 { [0, 2] } else { [1, 0] };
    let recv_counts = if row.rank() == 0 { [0, 1] } else { [1, 0] };
    let (send, mut recv) = (vec![1; send_counts[0] + send_counts[1]], [0]);
    row.neighbor_alltoallv(&send, &send_counts, &mut recv, &recv_counts) // WB0032 (0, 1)
}
