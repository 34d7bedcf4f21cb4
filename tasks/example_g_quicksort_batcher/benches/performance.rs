//! Performance measurement: `cargo bench -p example_g_quicksort_batcher`, or
//! `cargo wb perf -p example_g_quicksort_batcher -n 1,2,4`.
use example_g_quicksort_batcher::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
