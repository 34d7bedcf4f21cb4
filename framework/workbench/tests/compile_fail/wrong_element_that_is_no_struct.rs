//! An element is a struct with fields, for one type.
use workbench::Wire;

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(u8)]
enum Colour {
    #[default]
    Red,
    Green,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Pair<T> {
    first: T,
    second: T,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Nothing;

fn main() {}
