//! Performance measurement: `cargo bench -p example_e_conjugate_gradients`, or
//! `cargo wb perf -p example_e_conjugate_gradients -n 1,2,4`.
use example_e_conjugate_gradients::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
