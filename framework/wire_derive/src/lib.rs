//! `#[derive(Wire)]`: structs of numbers as elements of messages.
//!
//! The macro checks the form of the struct and writes its type map, `StructType`. The compiler checks the types of the fields and that there
//! is no padding, when it evaluates the type map.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod struct_definition;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

use struct_definition::StructDefinition;

/// Makes a struct of numbers an element of messages (`MPI_Type_create_struct`).
///
/// The struct is `#[repr(C)]`; each field is a number, such a struct, or an array of these. It also derives the other traits that an element
/// has: `Clone`, `Copy`, `Debug`, `Default` and `PartialEq`. There may be no padding between the fields or after the last one: order the
/// fields by their size, or declare the padding as a field. So all bytes of an element are initialised, and two types of one type map have
/// the same bytes.
///
/// ```text
/// use workbench::Wire;
///
/// #[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
/// #[repr(C)]
/// struct Particle {
///     position: [f64; 3],
///     mass: f64,
///     id: u64,
/// }
/// ```
#[proc_macro_derive(Wire)]
pub fn derive_wire(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let implementation = StructDefinition::new(&input).map(|definition| definition.implementation());
    implementation.unwrap_or_else(syn::Error::into_compile_error).into()
}
