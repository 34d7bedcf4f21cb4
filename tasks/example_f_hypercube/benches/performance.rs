//! Performance measurement: `cargo bench -p example_f_hypercube`, or `cargo wb perf -p example_f_hypercube -n 1,2,4`.
use example_f_hypercube::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
