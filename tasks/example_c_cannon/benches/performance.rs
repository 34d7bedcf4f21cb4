//! Performance measurement: `cargo bench -p example_c_cannon`, or `cargo wb perf -p example_c_cannon -n 1,4`.
use example_c_cannon::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
