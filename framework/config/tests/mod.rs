//! The tests of the crate's interface.

mod assignment_crate;
mod broken_courses;
mod course;
mod enrolment;
mod hostile;
mod machine;
mod refusals;
mod unknown_keys;
