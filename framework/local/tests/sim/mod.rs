//! The tests of the crate's interface.

mod barriers;
mod cards;
mod faults;
mod files;
mod max_plus;
mod measured;
#[path = "orders/main.rs"]
mod orders;
mod topologies;
mod virtual_time;
mod windows;
