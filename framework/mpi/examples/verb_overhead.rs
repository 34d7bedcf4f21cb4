//! What short calls cost through `World`, beside the same calls of the library: `ibcast` and its wait, `sendrecv_replace`, a ping-pong of
//! persistent requests, and `neighbor_alltoall` on a ring of two ranks, each with 8 bytes for a rank.
//!
//! Both ways alternate in one run, so they meet the same noise; the medians of batches are printed.
//!
//! ```console
//! $ cargo build --release -p wb-mpi --example verb_overhead
//! $ mpirun -n 2 target/release/examples/verb_overhead
//! ```
use std::{ffi::c_int, mem::MaybeUninit, ptr, time::Instant};

use mpi::ffi::{
    MPI_Cart_create, MPI_Comm, MPI_Ibcast, MPI_Neighbor_alltoall, MPI_Recv_init, MPI_Request, MPI_Send_init,
    MPI_Sendrecv_replace, MPI_Start, MPI_Status, MPI_Wait, RSMPI_COMM_WORLD, RSMPI_DOUBLE,
};
use wb_comm::ProcessRanks as _;
use wb_world::World;

/// The calls of a batch.
const BATCH: usize = 500;
const BATCHES: usize = 201;
const TAG: c_int = 3;

fn main() {
    let job = wb_mpi::MPI.init().expect("two ranks of mpirun");
    let world = World::new(job.open_communicator(2).expect("two ranks").expect("each is a member"));
    compare(&world, "ibcast + wait", &mut raw_ibcast(), &mut ibcast(&world));
    compare(&world, "sendrecv_replace", &mut raw_replace(&world), &mut replace(&world));
    compare(&world, "persistent ping-pong", &mut raw_persistent(&world), &mut persistent(&world));
    compare(&world, "neighbor_alltoall", &mut raw_neighbours(), &mut neighbours(&world));
    drop(world);
    job.free_communicators().expect("no message is left");
}

/// Alternates batches of both, each first as often as the other, and prints the medians of one call.
fn compare(world: &World, name: &str, raw: &mut dyn FnMut(), ours: &mut dyn FnMut()) {
    let mut times = [vec![], vec![]];
    for batch in 0..BATCHES {
        for turn in [batch % 2, 1 - batch % 2] {
            world.barrier().expect("barrier");
            let start = Instant::now();
            for _ in 0..BATCH {
                if turn == 0 { raw() } else { ours() }
            }
            times[turn].push(start.elapsed().as_nanos() as f64 / BATCH as f64);
        }
    }
    if world.rank() == 0 {
        let [raw, ours] = times.map(median);
        println!("{name}: library {raw:.0} ns, World {ours:.0} ns, ratio {:.3}", ours / raw);
    }
}

fn ibcast(world: &World) -> impl FnMut() {
    let mut data = vec![1.5];
    move || {
        let sent = std::mem::take(&mut data);
        data = world.ibcast(sent, 0).expect("ibcast").wait().expect("wait");
    }
}

fn replace(world: &World) -> impl FnMut() {
    let (mut data, peer) = ([1.5], 1 - world.rank());
    move || {
        world.sendrecv_replace(&mut data, peer, TAG, peer, TAG).expect("sendrecv_replace");
    }
}

fn persistent(world: &World) -> impl FnMut() {
    let (rank, peer) = (world.rank(), 1 - world.rank());
    let mut send = world.send_init(vec![1.5], peer, TAG).expect("send_init");
    let mut receive = world.recv_init::<f64>(1, peer, TAG).expect("recv_init");
    move || {
        for turn in [0, 1] {
            if rank == turn {
                send.start().expect("start");
                send.wait().expect("wait");
            } else {
                receive.start().expect("start");
                receive.wait().expect("wait");
            }
        }
    }
}

fn neighbours(world: &World) -> impl FnMut() {
    let ring = world.cart_create(&[2], &[true], false).expect("cart_create").expect("a member");
    let (send, mut recv) = ([1.5, 2.5], [0.0; 2]);
    move || ring.neighbor_alltoall(&send, &mut recv).expect("neighbor_alltoall")
}

fn check(code: c_int) {
    assert_eq!(code, 0, "the library's call failed");
}

fn wait(request: &mut MPI_Request) {
    let mut status = MaybeUninit::<MPI_Status>::uninit();
    // SAFETY: an active request, and room for a status.
    check(unsafe { MPI_Wait(request, status.as_mut_ptr()) });
}

fn raw_ibcast() -> impl FnMut() {
    let mut data = [1.5];
    move || {
        let mut request = MaybeUninit::<MPI_Request>::uninit();
        // SAFETY: one element, which lives until the wait below.
        let mut request = unsafe {
            let start = data.as_mut_ptr().cast();
            check(MPI_Ibcast(start, 1, RSMPI_DOUBLE, 0, RSMPI_COMM_WORLD, request.as_mut_ptr()));
            request.assume_init()
        };
        wait(&mut request);
    }
}

fn raw_replace(world: &World) -> impl FnMut() {
    let (mut data, peer) = ([1.5], 1 - world.rank() as c_int);
    move || {
        let mut status = MaybeUninit::<MPI_Status>::uninit();
        let start = data.as_mut_ptr().cast();
        // SAFETY: one element, and room for a status.
        check(unsafe {
            MPI_Sendrecv_replace(
                start,
                1,
                RSMPI_DOUBLE,
                peer,
                TAG,
                peer,
                TAG,
                RSMPI_COMM_WORLD,
                status.as_mut_ptr(),
            )
        });
    }
}

fn raw_persistent(world: &World) -> impl FnMut() {
    let (rank, peer) = (world.rank() as c_int, 1 - world.rank() as c_int);
    // The requests use the buffers until the program ends.
    let (sent, received) = (Box::leak(Box::new([1.5])), Box::leak(Box::new([0.0])));
    let (mut send, mut receive) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: one element each, which live until the program ends.
    let (mut send, mut receive) = unsafe {
        let (from, into) = (sent.as_mut_ptr().cast(), received.as_mut_ptr().cast());
        check(MPI_Send_init(from, 1, RSMPI_DOUBLE, peer, TAG, RSMPI_COMM_WORLD, send.as_mut_ptr()));
        check(MPI_Recv_init(into, 1, RSMPI_DOUBLE, peer, TAG, RSMPI_COMM_WORLD, receive.as_mut_ptr()));
        (send.assume_init(), receive.assume_init())
    };
    move || {
        for turn in [0, 1] {
            let request = if rank == turn { &mut send } else { &mut receive };
            // SAFETY: an inactive request.
            check(unsafe { MPI_Start(request) });
            wait(request);
        }
    }
}

fn raw_neighbours() -> impl FnMut() {
    let mut ring = MaybeUninit::<MPI_Comm>::uninit();
    let (dims, periods) = ([2], [1]);
    // SAFETY: one dimension, and room for a handle.
    let ring = unsafe {
        let (dims, periods) = (dims.as_ptr(), periods.as_ptr());
        check(MPI_Cart_create(RSMPI_COMM_WORLD, 1, dims, periods, 0, ring.as_mut_ptr()));
        ring.assume_init()
    };
    let (send, mut recv) = ([1.5, 2.5], [0.0; 2]);
    move || {
        let (from, into) = (ptr::from_ref(&send).cast(), ptr::from_mut(&mut recv).cast());
        // SAFETY: a block for each of the two neighbours.
        check(unsafe { MPI_Neighbor_alltoall(from, 1, RSMPI_DOUBLE, into, 1, RSMPI_DOUBLE, ring) });
    }
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}
