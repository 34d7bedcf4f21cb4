//! The functions that this library defines.
use std::ffi::{c_int, c_void};

use wb_mpi::ffi::{MPI_Comm, MPI_Datatype, MPI_Op};

use crate::{counts, interpose::interpose, recorder::Call};

interpose! {
    fn MPI_Barrier = PMPI_Barrier (comm: MPI_Comm)
        records Call::new("MPI_Barrier", Some(comm)),
        does |pass_on| { counts::passed_on(0); pass_on() };

    fn MPI_Bcast = PMPI_Bcast (data: *mut c_void, count: c_int, datatype: MPI_Datatype, root: c_int, comm: MPI_Comm)
        records Call::new("MPI_Bcast", Some(comm)).data(count, datatype).peer(root),
        does |pass_on| { counts::passed_on(1); pass_on() };

    fn MPI_Reduce = PMPI_Reduce (
        send: *const c_void, recv: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, root: c_int, comm: MPI_Comm,
    )
        records Call::new("MPI_Reduce", Some(comm)).data(count, datatype).peer(root),
        does |pass_on| { counts::passed_on(2); pass_on() };

    fn MPI_Allreduce = PMPI_Allreduce (
        send: *const c_void, recv: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm,
    )
        records Call::new("MPI_Allreduce", Some(comm)).data(count, datatype),
        does |pass_on| { counts::passed_on(3); pass_on() };

    fn MPI_Finalize = PMPI_Finalize ()
        records Call::new("MPI_Finalize", None),
        does |pass_on| { counts::report(); pass_on() };
}
