//! The judge of this assignment: `cargo wb judge -p TASK`.
use assignment_2_7_ring::{LibraryRing, Ring};

workbench::judge!(Ring, communication = LibraryRing);
