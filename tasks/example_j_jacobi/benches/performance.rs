//! Performance measurement: `cargo bench -p example_j_jacobi`, or `cargo wb perf -p example_j_jacobi -n 1,2,4`.
use example_j_jacobi::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
