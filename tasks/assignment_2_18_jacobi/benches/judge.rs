//! The judge of this assignment: `cargo wb judge -p TASK`.
use assignment_2_18_jacobi::Jacobi;

workbench::judge!(Jacobi);
