//! Performance measurement: `cargo bench -p example_h_gauss_rows`, or `cargo wb perf -p example_h_gauss_rows -n 1,2,4`.
use example_h_gauss_rows::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
