//! A struct that may be an element, and the implementation of `Wire` for it.
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Data, DeriveInput, Error, Fields, Ident, Member, Meta, Result, Type, spanned::Spanned};

/// The definition of a struct whose form is right.
pub(crate) struct StructDefinition<'a> {
    name: &'a Ident,
    fields: Vec<(Member, &'a Type)>,
}

impl<'a> StructDefinition<'a> {
    /// Checks the form: a struct with fields, with `repr(C)` alone, without type parameters.
    ///
    /// # Errors
    /// The first fault, at its place.
    pub(crate) fn new(input: &'a DeriveInput) -> Result<Self> {
        let Data::Struct(data) = &input.data else {
            return Err(Error::new(input.ident.span(), "an element is a struct: an enum or a union is none"));
        };
        if !input.generics.params.is_empty() {
            let text = "an element has no type parameters: MPI makes one datatype for one type";
            return Err(Error::new(input.generics.span(), text));
        }
        check_representation(&input.ident, &input.attrs)?;
        let fields = members(&data.fields);
        if fields.is_empty() {
            return Err(Error::new(input.ident.span(), "an element has at least one field"));
        }
        Ok(Self { name: &input.ident, fields })
    }

    /// The type map, the checks that the compiler makes, and `impl Wire`.
    pub(crate) fn implementation(&self) -> TokenStream {
        let Self { name, .. } = self;
        let text = name.to_string();
        let fields = self.fields.iter().map(|(member, ty)| {
            let field = member_text(member);
            quote_spanned!(ty.span()=> StructField::new::<#ty>(#field, ::core::mem::offset_of!(#name, #member)))
        });
        let checks = self.padding_checks();
        quote! {
            const _: () = {
                use ::workbench::struct_type::{StructField, StructType};
                const FIELDS: &[StructField] = &[#(#fields),*];
                const TYPE: &StructType = {
                    #(#checks)*
                    &StructType::new(#text, (::core::mem::size_of::<#name>(), ::core::mem::align_of::<#name>()), FIELDS)
                };
                // SAFETY: `repr(C)`; every field is a number, an element or an array of these; the checks above exclude padding; the
                // type map has every field.
                unsafe impl ::workbench::Wire for #name {
                    const DATATYPE: ::workbench::struct_type::Datatype =
                        ::workbench::struct_type::Datatype::Struct(TYPE);
                }
            };
        }
    }

    /// One check for each place where padding may be: before a field, and after the last one.
    fn padding_checks(&self) -> impl Iterator<Item = TokenStream> {
        let Self { name, fields } = self;
        let before = (1..fields.len()).map(move |at| {
            let text = format!(
                "`{name}` has padding before its field `{}`: order the fields by size, the largest first, or declare a field there",
                member_text(&fields[at].0)
            );
            (at, fields[at].1.span(), text)
        });
        let text = format!(
            "`{name}` has padding after its last field: declare a field there, such as `unused: u32`"
        );
        before.chain([(fields.len(), name.span(), text)]).map(move |(at, span, text)| {
            let end = match fields.get(at) {
                Some((member, _)) => quote!(::core::mem::offset_of!(#name, #member)),
                None => quote!(::core::mem::size_of::<#name>()),
            };
            quote_spanned!(span=> ::core::assert!(FIELDS[#at - 1].end() == #end, #text);)
        })
    }
}

/// Checks that the attributes ask for C's layout and for nothing else.
fn check_representation(name: &Ident, attributes: &[Attribute]) -> Result<()> {
    let mut is_c = false;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        let Meta::List(list) = &attribute.meta else { continue };
        list.parse_nested_meta(|representation| {
            if representation.path.is_ident("C") {
                is_c = true;
                return Ok(());
            }
            let text = "an element is `#[repr(C)]` alone: `packed`, `align` and `transparent` give its fields other places";
            Err(representation.error(text))
        })?;
    }
    let missing = || {
        Error::new(
            name.span(),
            "write `#[repr(C)]` before the struct: Rust orders the fields of others as it likes",
        )
    };
    is_c.then_some(()).ok_or_else(missing)
}

/// The fields of all kinds of structs.
fn members(fields: &Fields) -> Vec<(Member, &Type)> {
    fields.members().zip(fields.iter().map(|field| &field.ty)).collect()
}

fn member_text(member: &Member) -> String {
    member.to_token_stream().to_string()
}
