//! The judge of this assignment: `cargo wb judge -p TASK`.
use assignment_1_20_integral::Integral;

workbench::judge!(Integral);
