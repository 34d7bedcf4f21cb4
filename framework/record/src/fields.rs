//! A visitor of every field that is read from a file: it checks the range of every number and hands out every text.
//!
//! A person can edit a file of records, so a number in it can have any value. The visitor is the only place that knows the
//! ranges. It runs when a line is read; after it no reader divides by 0, exceeds a `u64` or prints a time that is not a number.
//! A field of a record that is not visited does not compile, and neither does a number without its range.

#[cfg(test)]
mod tests;
mod values;

use std::fmt;

/// The allowed values of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AllowedValues {
    /// Whole numbers, both ends included.
    Whole(u64, u64),
    /// Numbers, both ends included.
    Real(f64, f64),
    /// Texts that can name a package: a page makes the address of a link from it.
    PackageName,
}

impl fmt::Display for AllowedValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(least, most) => write!(f, "a whole number from {least} to {most}"),
            Self::Real(least, most) => write!(f, "a number from {least} to {most}"),
            Self::PackageName => f.write_str("the name of a package: 1 to 64 letters, digits, `-` and `_`"),
        }
    }
}

/// A field with a value that is not allowed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WrongField {
    /// The path of the field, for example `measurement.series.ranks`.
    pub(crate) field: String,
    pub(crate) value: String,
    pub(crate) allowed: AllowedValues,
}

/// Any number of the type.
pub(crate) const ANY: AllowedValues = AllowedValues::Whole(0, u64::MAX);
/// Nanoseconds of a clock or of a duration: up to 146 years, so that two of them add up.
pub(crate) const NS: AllowedValues = AllowedValues::Whole(0, 1 << 62);
/// A count: at most the largest that an `f64` represents exactly.
pub(crate) const COUNT: AllowedValues = AllowedValues::Whole(0, 1 << 53);
/// A count of at least 1.
pub(crate) const POSITIVE: AllowedValues = AllowedValues::Whole(1, 1 << 53);
/// Ranks of a job, and cores of a machine.
pub(crate) const RANKS: AllowedValues = AllowedValues::Whole(1, 1 << 20);
pub(crate) const RANK: AllowedValues = AllowedValues::Whole(0, (1 << 20) - 1);
/// Bytes: up to 256 TiB.
pub(crate) const BYTES: AllowedValues = AllowedValues::Whole(0, 1 << 48);
/// A computed time in nanoseconds.
pub(crate) const REAL_NS: AllowedValues = AllowedValues::Real(0.0, 1e18);
/// Seconds: up to 30 years.
pub(crate) const SECONDS: AllowedValues = AllowedValues::Real(0.0, 1e9);
/// A fraction of a whole; a computed one can exceed 1.
pub(crate) const SHARE: AllowedValues = AllowedValues::Real(0.0, 1e6);

/// The state of the visit: the path of the current field, and the first value that is not allowed.
pub(crate) struct FieldVisitor<'w> {
    path: Vec<FieldPathStep>,
    wrong: Option<WrongField>,
    text: &'w mut dyn FnMut(&mut String),
}

enum FieldPathStep {
    Field(&'static str),
    Item(usize),
}

impl<'w> FieldVisitor<'w> {
    /// Visits `value`, hands every text of it to `text`, and returns the first number that is out of range.
    pub(crate) fn visit(
        value: &mut impl VisitFields,
        text: &'w mut dyn FnMut(&mut String),
    ) -> Result<(), WrongField> {
        let mut visitor = Self { path: Vec::new(), wrong: None, text };
        value.visit_fields(&mut visitor);
        visitor.wrong.map_or(Ok(()), Err)
    }

    /// Visits a part under its name.
    pub(crate) fn field(&mut self, name: &'static str, part: impl FnOnce(&mut Self)) {
        self.path.push(FieldPathStep::Field(name));
        part(self);
        self.path.pop();
    }

    /// Checks that the text is the name of a package.
    pub(crate) fn package(&mut self, name: &str) {
        let is_name = (1..=64).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
        let shown: String = wb_text::escape::line(name).chars().take(80).collect();
        self.check_value(is_name, format_args!("`{shown}`"), AllowedValues::PackageName);
    }

    fn item(&mut self, at: usize, part: impl FnOnce(&mut Self)) {
        self.path.push(FieldPathStep::Item(at));
        part(self);
        self.path.pop();
    }

    fn check_value(&mut self, is_allowed: bool, value: impl fmt::Display, allowed: AllowedValues) {
        if !is_allowed && self.wrong.is_none() {
            let mut field = String::new();
            for step in &self.path {
                match step {
                    FieldPathStep::Field(name) if field.is_empty() => field.push_str(name),
                    FieldPathStep::Field(name) => field.extend([".", name]),
                    FieldPathStep::Item(at) => field.push_str(&format!("[{at}]")),
                }
            }
            self.wrong = Some(WrongField { field, value: value.to_string(), allowed });
        }
    }
}

/// A value with fields, or a text.
pub(crate) trait VisitFields {
    fn visit_fields(&mut self, visitor: &mut FieldVisitor<'_>);
}

/// A number, or several.
pub(crate) trait CheckedNumber {
    /// Checks the range.
    fn check(&mut self, allowed: AllowedValues, visitor: &mut FieldVisitor<'_>);
}

/// Implements [`VisitFields`] for a struct from the list of its fields, each number with its range; `= "key"` is a name in JSON that differs.
macro_rules! fields {
    ($($type:ident { $($field:ident $(= $key:literal)? $(: $allowed:expr)?),* $(,)? })*) => {$(
        impl $crate::fields::VisitFields for $type {
            fn visit_fields(&mut self, visitor: &mut $crate::fields::FieldVisitor<'_>) {
                let Self { $($field),* } = self;
                $(visitor.field($crate::fields::fields!(# $field $($key)?), |visitor| $crate::fields::fields!(@ $field visitor $($allowed)?));)*
            }
        }
    )*};
    (# $field:ident) => { stringify!($field) };
    (# $field:ident $key:literal) => { $key };
    (@ $field:ident $visitor:ident) => { $crate::fields::VisitFields::visit_fields($field, $visitor) };
    (@ $field:ident $visitor:ident $allowed:expr) => { $crate::fields::CheckedNumber::check($field, $allowed, $visitor) };
}
pub(crate) use fields;

/// Implements [`VisitFields`] for types without numbers and texts.
macro_rules! plain {
    ($($type:ty)*) => {$(
        impl $crate::fields::VisitFields for $type {
            fn visit_fields(&mut self, _: &mut $crate::fields::FieldVisitor<'_>) {}
        }
    )*};
}
pub(crate) use plain;
