//! The judge of this assignment: `cargo wb judge -p TASK`.
use assignment_2_1_broadcast::{Broadcasting, LibraryBroadcast};

workbench::judge!(Broadcasting, communication = LibraryBroadcast);
