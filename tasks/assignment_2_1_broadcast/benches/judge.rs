//! The judge of this assignment: `cargo wb judge -p TASK`.
use assignment_2_1_broadcast::Broadcasting;

workbench::judge!(Broadcasting);
