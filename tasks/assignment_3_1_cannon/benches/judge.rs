//! The judge of this assignment: `cargo wb judge -p TASK`.
use assignment_3_1_cannon::BlockProduct;

workbench::judge!(BlockProduct);
