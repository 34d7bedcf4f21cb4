//! Rust orders the fields of a struct as it likes.
use workbench::Wire;

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C, packed)]
struct Packed {
    kind: u8,
    value: f64,
}

fn main() {}
