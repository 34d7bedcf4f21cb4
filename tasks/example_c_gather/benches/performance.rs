//! Performance measurement: `cargo bench -p example_c_gather`, or `cargo wb perf -p example_c_gather -n 1,2,4`.
use example_c_gather::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
