//! A field of an element is a number: text, references and options have other sizes and values on each rank.
use workbench::Wire;

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Person {
    age: u64,
    name: &'static str,
    height: Option<f64>,
}

fn main() {}
