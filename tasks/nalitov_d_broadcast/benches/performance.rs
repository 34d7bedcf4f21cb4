//! Performance measurement: `cargo bench -p nalitov_d_broadcast`, or `cargo wb perf -p nalitov_d_broadcast -n 1,2,4`.
use nalitov_d_broadcast::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
