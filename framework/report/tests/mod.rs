//! The tests of the crate's interface.

mod beside;
mod commas;
mod communication;
mod evidence;
mod grading;
mod honesty;
mod hostile;
#[path = "mutations/main.rs"]
mod mutations;
mod pages;
mod screen;
mod synthetic;
mod tables;
mod traces;
