//! Performance measurement: `cargo bench -p example_f_sparse_crs`, or `cargo wb perf -p example_f_sparse_crs -n 1,2,4`.
use example_f_sparse_crs::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
