//! The judge of this assignment: `cargo wb judge -p TASK`.
use assignment_2_4_scatter::Scattering;

workbench::judge!(Scattering);
