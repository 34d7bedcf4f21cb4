//! The judge of this assignment: `cargo wb judge -p TASK`.
use assignment_2_4_scatter::{LibraryScatter, Scattering};

workbench::judge!(Scattering, communication = LibraryScatter);
