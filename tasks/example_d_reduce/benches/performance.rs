//! Performance measurement: `cargo bench -p example_d_reduce`, or `cargo wb perf -p example_d_reduce -n 1,2,4`.
use example_d_reduce::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
