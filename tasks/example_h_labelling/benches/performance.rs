//! Performance measurement: `cargo bench -p example_h_labelling`, or `cargo wb perf -p example_h_labelling -n 1,2,4`.
use example_h_labelling::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
