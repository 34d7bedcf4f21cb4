//! Performance measurement: `cargo bench -p example_b_phases`, or `cargo wb perf -p example_b_phases -n 1,2,4`.
use example_b_phases::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
