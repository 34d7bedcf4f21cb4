//! What a column of 1 MB costs through `World`, beside the same calls of the library with an `MPI_Type_vector` of its own.
//!
//! Two ranks send the column to and fro. Both ways alternate in one run, so they meet the same noise; the medians are printed.
//!
//! ```console
//! $ cargo build --release -p wb-mpi --example layout_overhead
//! $ mpirun -n 2 target/release/examples/layout_overhead
//! ```
use std::{ffi::c_int, mem::MaybeUninit, time::Instant};

use mpi::ffi::{
    MPI_Datatype, MPI_Recv, MPI_Send, MPI_Status, MPI_Type_commit, MPI_Type_free, MPI_Type_vector,
    RSMPI_COMM_WORLD, RSMPI_DOUBLE,
};
use wb_comm::{Layout, ProcessRanks as _};
use wb_world::World;

/// 1 MB of `f64`.
const ROWS: usize = 1 << 17;
/// Two cache lines: each element is in a line of its own.
const COLUMNS: usize = 16;
const REPETITIONS: usize = 201;
const TAG: c_int = 3;

fn main() {
    let job = wb_mpi::MPI.init().expect("two ranks of mpirun");
    let world = World::new(job.open_communicator(2).expect("two ranks").expect("each is a member"));
    let mut matrix = vec![world.rank() as f64; ROWS * COLUMNS];
    let column = Layout::vector(ROWS, 1, COLUMNS).at(3);
    let datatype = committed_vector();
    let (mut raw, mut ours) = (vec![], vec![]);
    for repetition in 0..REPETITIONS {
        // Each goes first as often as the other.
        for turn in [repetition % 2, 1 - repetition % 2] {
            world.barrier().expect("barrier");
            let start = Instant::now();
            if turn == 0 {
                pass_raw(&mut matrix, datatype, world.rank());
            } else {
                pass(&world, &mut matrix, &column);
            }
            [&mut raw, &mut ours][turn].push(start.elapsed().as_nanos() as f64 / 2e3);
        }
    }
    if world.rank() == 0 {
        let (raw, ours) = (median(raw), median(ours));
        println!(
            "one way, medians of {REPETITIONS}: library {raw:.1} us, World {ours:.1} us, ratio {:.3}",
            ours / raw
        );
    }
    let mut datatype = datatype;
    // SAFETY: committed by this program, freed once.
    unsafe { MPI_Type_free(&mut datatype) };
    drop(world);
    job.free_communicators().expect("no message is left");
}

/// To rank 1 and back.
fn pass(world: &World, matrix: &mut [f64], column: &Layout) {
    if world.rank() == 0 {
        world.send_layout(matrix, column, 1, TAG).expect("send_layout");
        world.recv_layout(matrix, column, 1, TAG).expect("recv_layout");
    } else {
        world.recv_layout(matrix, column, 0, TAG).expect("recv_layout");
        world.send_layout(matrix, column, 0, TAG).expect("send_layout");
    }
}

fn committed_vector() -> MPI_Datatype {
    // SAFETY: a predefined type in, one handle for the answer, which is committed.
    unsafe {
        let mut made = RSMPI_DOUBLE;
        assert_eq!(MPI_Type_vector(ROWS as c_int, 1, COLUMNS as c_int, RSMPI_DOUBLE, &mut made), 0);
        assert_eq!(MPI_Type_commit(&mut made), 0);
        made
    }
}

fn pass_raw(matrix: &mut [f64], datatype: MPI_Datatype, rank: usize) {
    let start = matrix[3..].as_mut_ptr().cast();
    let peer = 1 - rank as c_int;
    // SAFETY: the type names elements inside the matrix, which is borrowed for the calls.
    let send = || assert_eq!(unsafe { MPI_Send(start, 1, datatype, peer, TAG, RSMPI_COMM_WORLD) }, 0);
    let receive = || {
        let mut status = MaybeUninit::<MPI_Status>::uninit();
        // SAFETY: as above, with room for one status.
        let code = unsafe { MPI_Recv(start, 1, datatype, peer, TAG, RSMPI_COMM_WORLD, status.as_mut_ptr()) };
        assert_eq!(code, 0);
    };
    if rank == 0 {
        send();
        receive();
    } else {
        receive();
        send();
    }
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}
