//! Performance measurement: `cargo bench -p example_p_integral`, or `cargo wb perf -p example_p_integral -n 1,2,4`.
use example_p_integral::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
