//! Performance measurement: `cargo bench -p example_p_matmul_strips`, or
//! `cargo wb perf -p example_p_matmul_strips -n 1,2,4`.
use example_p_matmul_strips::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
