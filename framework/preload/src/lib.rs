//! A library to preload (`LD_PRELOAD`) into programs that use MPI and were not written here.
//!
//! It defines functions of MPI's C interface under their own names. The dynamic linker finds these before those of MPI's library, whose
//! functions have a second name (`PMPI_...`) for this purpose. Each function of this library takes a call or passes it on.
//!
//! | module | contents |
//! |---|---|
//! | `interpose` | the macro that defines a function with its twin |
//! | `counts` | the calls that were taken and passed on, and the report at the end |
//! | `functions` | the functions: collective operations and `MPI_Finalize` |
mod collectives;
mod communicator;
mod counts;
mod data;
mod failure;
mod functions;
mod interpose;
mod memory;
