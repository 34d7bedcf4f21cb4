//! Performance measurement: `cargo bench -p example_e_torus`, or `cargo wb perf -p example_e_torus -n 1,2,4`.
use example_e_torus::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
