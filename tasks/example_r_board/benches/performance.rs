//! Performance measurement: `cargo bench -p example_r_board`, or `cargo wb perf -p example_r_board -n 1,2,4`.
use example_r_board::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
