//! A library to preload (`LD_PRELOAD`) into programs that use MPI and were not written here.
//!
//! It defines collective functions of MPI's C interface under their own names. The dynamic linker finds these before those of MPI's library,
//! whose functions have a second name (`PMPI_...`) for this purpose. Each function of this library takes a call or passes it on: see
//! `docs/preload.md`.
//!
//! | module | contents |
//! |---|---|
//! | `functions` | the functions, and the report at the end |
//! | `interpose` | the macro that defines a function with its twin |
//! | `collectives` | whether a call is taken, and how |
//! | `communicator` | what is known of a communicator: its calls, its memory |
//! | `memory` | memory that processes map together |
//! | `data` | the buffers of a program and their types |
//! | `counts` | the calls that were taken and passed on |
//! | `failure` | the end of a job that cannot continue |
mod collectives;
mod communicator;
mod counts;
mod data;
mod failure;
mod functions;
mod interpose;
mod memory;
