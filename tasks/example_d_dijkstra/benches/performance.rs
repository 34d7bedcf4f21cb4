//! Performance measurement: `cargo bench -p example_d_dijkstra`, or `cargo wb perf -p example_d_dijkstra -n 1,2,4`.
use example_d_dijkstra::{Mpi, Seq};

workbench::performance!(Seq, Mpi);
