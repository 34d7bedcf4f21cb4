//! The judge of this assignment: `cargo wb judge -p TASK`.
use assignment_3_14_quicksort_merge::Sort;

workbench::judge!(Sort);
