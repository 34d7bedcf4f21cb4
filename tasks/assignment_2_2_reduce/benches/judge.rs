//! The judge of this assignment: `cargo wb judge -p TASK`.
use assignment_2_2_reduce::{LibraryReduce, Reducing};

workbench::judge!(Reducing, communication = LibraryReduce);
