//! Padding has no value that could be sent.
use workbench::Wire;

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Particle {
    id: u32,
    mass: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Entry {
    value: f64,
    column: u32,
}

fn main() {}
