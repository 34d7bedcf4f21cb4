//! A library to preload (`LD_PRELOAD`) into programs that use MPI and were not written here: it records their calls.
//!
//! It defines MPI's functions under both of their names, `MPI_Send` and `PMPI_Send`: a C program calls the first one, the Fortran interface of
//! Open MPI the second one. Each definition is a trampoline that passes the call on to the next library with this function, MPI's own or
//! another one that is preloaded. The thread that initialises MPI has a recorder; while a call of it is executed, calls that the library makes
//! itself are only passed on, as are those of other threads.
//!
//! `MPI_Init` makes a recorder if `WB_TRACE_FOLDER` names a folder. The recorder writes the log `rank-N` in it.
//!
//! | module | contents |
//! |---|---|
//! | `trampoline` | definitions that hand on any arguments, and the address of the caller |
//! | `functions` | the table of the functions and what each records |
//! | `recorder` | the state of a rank; a call from its entry to its return |
//! | `communicators` | the names of communicators |
//! | `completion` | requests, and the calls that complete them |
//! | `call_site` | the places of calls: addresses, and lines of Python programs |
//! | `log_file` | the mapped file |
mod call_site;
mod communicators;
mod completion;
mod functions;
mod log_file;
mod recorder;
mod trampoline;
