//! The functions that this library defines.
use std::{
    env,
    ffi::{c_int, c_void},
    fs,
};

use wb_comm::text::Lang;
use wb_mpi::{
    ffi::{self, MPI_Comm, MPI_Datatype, MPI_Op},
    handles,
};

use crate::{
    collectives::{self, Buffer},
    counts,
    interpose::interpose,
};

interpose! {
    fn MPI_Barrier = PMPI_Barrier (comm: MPI_Comm)
        does |pass_on| collectives::barrier(comm, pass_on);

    fn MPI_Bcast = PMPI_Bcast (
        address: *mut c_void, count: c_int, datatype: MPI_Datatype, root: c_int, comm: MPI_Comm,
    )
        does |pass_on| collectives::bcast(Buffer { address, count, datatype }, root, comm, pass_on);

    fn MPI_Reduce = PMPI_Reduce (
        send: *const c_void, recv: *mut c_void,
        count: c_int, datatype: MPI_Datatype, op: MPI_Op, root: c_int, comm: MPI_Comm,
    )
        does |pass_on| collectives::reduce((send, recv), (count, datatype, op), Some(root), comm, pass_on);

    fn MPI_Allreduce = PMPI_Allreduce (
        send: *const c_void, recv: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm,
    )
        does |pass_on| collectives::reduce((send, recv), (count, datatype, op), None, comm, pass_on);

    fn MPI_Allgather = PMPI_Allgather (
        send: *const c_void, send_count: c_int, send_type: MPI_Datatype,
        recv: *mut c_void, recv_count: c_int, recv_type: MPI_Datatype, comm: MPI_Comm,
    )
        does |pass_on| collectives::gather(
            buffers((send, send_count, send_type), (recv, recv_count, recv_type)), None, comm, pass_on,
        );

    fn MPI_Gather = PMPI_Gather (
        send: *const c_void, send_count: c_int, send_type: MPI_Datatype,
        recv: *mut c_void, recv_count: c_int, recv_type: MPI_Datatype, root: c_int, comm: MPI_Comm,
    )
        does |pass_on| collectives::gather(
            buffers((send, send_count, send_type), (recv, recv_count, recv_type)), Some(root), comm, pass_on,
        );

    fn MPI_Scatter = PMPI_Scatter (
        send: *const c_void, send_count: c_int, send_type: MPI_Datatype,
        recv: *mut c_void, recv_count: c_int, recv_type: MPI_Datatype, root: c_int, comm: MPI_Comm,
    )
        does |pass_on| collectives::scatter(
            buffers((send, send_count, send_type), (recv, recv_count, recv_type)), root, comm, pass_on,
        );

    fn MPI_Alltoall = PMPI_Alltoall (
        send: *const c_void, send_count: c_int, send_type: MPI_Datatype,
        recv: *mut c_void, recv_count: c_int, recv_type: MPI_Datatype, comm: MPI_Comm,
    )
        does |pass_on| collectives::alltoall(
            buffers((send, send_count, send_type), (recv, recv_count, recv_type)), comm, pass_on,
        );

    fn MPI_Finalize = PMPI_Finalize ()
        does |pass_on| {
            report();
            pass_on()
        };
}

type Argument<P> = (P, c_int, MPI_Datatype);

fn buffers(send: Argument<*const c_void>, recv: Argument<*mut c_void>) -> (Buffer, Buffer) {
    let buffer = |(address, count, datatype)| Buffer { address, count, datatype };
    (buffer(send), buffer((recv.0.cast_const(), recv.1, recv.2)))
}

/// Rank 0 writes which of its calls were taken: to the file that `WB_PRELOAD_REPORT` names, or else to standard error.
fn report() {
    let mut rank = 0;
    // SAFETY: a place for the answer; the program has not finalised MPI yet.
    unsafe { ffi::PMPI_Comm_rank(handles::COMM_WORLD, &mut rank) };
    if rank != 0 {
        return;
    }
    let report = counts::report(Lang::from_environment());
    match env::var_os("WB_PRELOAD_REPORT") {
        None => eprintln!("{report}"),
        Some(file) => {
            if let Err(error) = fs::write(&file, report + "\n") {
                eprintln!("{}: {error}", file.display());
            }
        }
    }
}
