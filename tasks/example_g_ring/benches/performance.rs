//! Performance measurement: `cargo bench -p example_g_ring`, or `cargo wb perf -p example_g_ring -n 1,2,4`.
use example_g_ring::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
