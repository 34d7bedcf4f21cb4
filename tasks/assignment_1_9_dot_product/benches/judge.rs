//! The judge of this assignment: `cargo wb judge -p TASK`.
use assignment_1_9_dot_product::DotProduct;

workbench::judge!(DotProduct);
