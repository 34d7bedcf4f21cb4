//! Every barrier of the catalogue keeps the laws I1 to I9 on every substrate that can carry it, at many numbers of ranks;
//! and each law finds the fault that it is there for.
mod canaries;
mod completion;
#[cfg(feature = "mpi")]
mod mpi;
mod setups;
mod threads;
