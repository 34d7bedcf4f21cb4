//! Structs of numbers as elements (MPI's struct datatypes, as values).
//!
//! A struct that derives `Wire` has C's layout and no padding. So the bytes of an element are those of its numbers, one after the other,
//! and two structs of the same numbers have the same bytes: a message from one to the other needs no conversion.
use std::{
    fmt,
    hash::{Hash, Hasher},
    ptr,
    sync::{Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};

pub use crate::Datatype;
use crate::{Rank, Text, Wire, text::error as text};

/// The type map of a struct: its fields in their order, without gaps.
#[derive(Debug, Eq, PartialOrd, Ord)]
pub struct StructType {
    name: &'static str,
    size: usize,
    align: usize,
    fields: &'static [StructField],
}

/// A field of a struct: some elements of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructField {
    name: &'static str,
    offset: usize,
    count: usize,
    datatype: Datatype,
}

/// What a field of an element may be: an element, or an array.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the type of a field of an element: a number, a struct that derives `Wire`, or an array of these",
    label = "not a type of numbers"
)]
pub trait FieldType: sealed::NumericField {
    /// The type of its elements.
    const DATATYPE: Datatype;
    /// The number of its elements.
    const COUNT: usize;
}

/// The promise of [`Wire`] covers the fields, so no other type may claim to be one.
mod sealed {
    use crate::Wire;

    pub trait NumericField {}
    impl<T: Wire> NumericField for T {}
    impl<T: super::FieldType, const N: usize> NumericField for [T; N] {}
}

impl<T: Wire> FieldType for T {
    const DATATYPE: Datatype = T::DATATYPE;
    const COUNT: usize = 1;
}

impl<T: FieldType, const N: usize> FieldType for [T; N] {
    const DATATYPE: Datatype = T::DATATYPE;
    const COUNT: usize = N * T::COUNT;
}

impl StructField {
    /// The field of this name and type, `offset` bytes after the start of the struct.
    ///
    /// # Panics
    /// If it has [`Located`](crate::Located) values: MPI's types of them have padding.
    pub const fn new<T: FieldType>(name: &'static str, offset: usize) -> Self {
        assert!(
            !T::DATATYPE.is_located(),
            "a field of an element is not a `Located`: declare value and index"
        );
        Self { name, offset, count: T::COUNT, datatype: T::DATATYPE }
    }

    /// The bytes of the struct up to the end of the field.
    pub const fn end(&self) -> usize {
        self.offset + self.count * self.datatype.size()
    }

    /// The offset of the field in the struct, in bytes.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The type of the elements.
    pub fn datatype(&self) -> Datatype {
        self.datatype
    }
}

impl StructType {
    /// The type map of a struct of this size and alignment.
    ///
    /// # Panics
    /// If the fields have gaps, or no bytes.
    pub const fn new(
        name: &'static str,
        (size, align): (usize, usize),
        fields: &'static [StructField],
    ) -> Self {
        assert!(size > 0, "an element has at least one byte");
        let (mut end, mut at) = (0, 0);
        while at < fields.len() {
            assert!(fields[at].offset == end, "an element has no padding between its fields");
            end = fields[at].end();
            at += 1;
        }
        assert!(end == size, "an element has no padding after its last field");
        Self { name, size, align, fields }
    }

    /// The name of the struct.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Bytes of one element.
    pub const fn size(&self) -> usize {
        self.size
    }

    /// The alignment of an element.
    pub const fn align(&self) -> usize {
        self.align
    }

    /// The fields, in their order.
    pub fn fields(&self) -> &'static [StructField] {
        self.fields
    }
}

impl PartialEq for StructType {
    fn eq(&self, other: &Self) -> bool {
        let values = |it: &Self| (it.name, it.size, it.align, it.fields);
        ptr::eq(self, other) || values(self) == values(other)
    }
}

impl Hash for StructType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.name, self.size).hash(state);
    }
}

/// The first number in which the type map of a send differs from that of a receive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeDifference {
    /// The numbers before it in the message.
    pub position: usize,
    /// The number that is sent.
    pub sent: TypedNumber,
    /// The number that the receive expects.
    pub expected: TypedNumber,
}

/// A number of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedNumber {
    /// The field that it is, such as `position[1]`; empty for an element that is a number.
    pub field: String,
    /// The type of the number.
    pub datatype: Datatype,
}

impl fmt::Display for TypedNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field.as_str() {
            "" => self.datatype.fmt(f),
            field => write!(f, "{field}: {}", self.datatype),
        }
    }
}

impl Datatype {
    /// The numbers of an element.
    fn number_count(self) -> usize {
        match self {
            Self::Struct(made) => {
                made.fields.iter().map(|field| field.count * field.datatype.number_count()).sum()
            }
            _ => 1,
        }
    }

    /// The type of a number of an element; its name is appended to `field`.
    fn number_at(self, mut position: usize, mut field: Option<&mut String>) -> Self {
        let Self::Struct(made) = self else { return self };
        for one in made.fields {
            let (count, each) = (one.count, one.datatype.number_count());
            if position >= count * each {
                position -= count * each;
                continue;
            }
            if let Some(field) = &mut field {
                let dot = if field.is_empty() { "" } else { "." };
                let index = if count == 1 { String::new() } else { format!("[{}]", position / each) };
                **field += &format!("{dot}{}{index}", one.name);
            }
            return one.datatype.number_at(position % each, field);
        }
        unreachable!("{position} numbers after the last one of {self}")
    }

    fn typed_number(self, position: usize) -> TypedNumber {
        let mut field = String::new();
        let datatype = self.number_at(position, Some(&mut field));
        TypedNumber { field, datatype }
    }

    /// The first number in which a message of `bytes` of this type differs from the elements that a receive expects. As in MPI, only the
    /// numbers are compared: structs of the same numbers match, and a struct matches a slice of its numbers.
    pub fn find_difference(self, expected: Self, bytes: usize) -> Option<TypeDifference> {
        if self == expected || bytes == 0 {
            return None;
        }
        let (own, theirs) = (self.number_count(), expected.number_count());
        let (period, sent) = (own.saturating_mul(theirs), bytes.div_ceil(self.size()).saturating_mul(own));
        let differs = |at: &usize| self.number_at(at % own, None) != expected.number_at(at % theirs, None);
        let position = (0..period.min(sent)).find(differs)?;
        let (sent, expected) = (self.typed_number(position % own), expected.typed_number(position % theirs));
        Some(TypeDifference { position, sent, expected })
    }

    /// That a message of this type from `source` does not have the elements that a receive expects; of structs with the first number that
    /// differs.
    pub(crate) fn mismatch_text(self, expected: Self, (source, tag): (Rank, i32)) -> Text {
        let (sent_name, expected_name) = (self.to_string(), expected.to_string());
        let has_fields = [self, expected].iter().any(|datatype| matches!(datatype, Self::Struct(_)));
        match self.find_difference(expected, usize::MAX).filter(|_| has_fields) {
            Some(TypeDifference { position, sent, expected }) => {
                let (sent, expected) = (sent.to_string(), expected.to_string());
                text::other_field(source, tag, sent_name, expected_name, position, sent, expected)
            }
            None => text::other_type(source, tag, sent_name, expected_name),
        }
    }

    /// Whether elements of both types are the same numbers.
    pub fn has_numbers_of(self, other: Self) -> bool {
        self == other || self.size() == other.size() && self.find_difference(other, self.size()).is_none()
    }
}

/// A type as it is recorded: the number of a number's type, or the type map.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum RecordedType {
    Number(usize),
    Struct { name: String, size: usize, align: usize, fields: Vec<(String, usize, usize, Datatype)> },
}

impl Serialize for Datatype {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let recorded = match self {
            Self::Struct(made) => RecordedType::Struct {
                name: made.name.to_owned(),
                size: made.size,
                align: made.align,
                fields: (made.fields.iter())
                    .map(|field| (field.name.to_owned(), field.offset, field.count, field.datatype))
                    .collect(),
            },
            number => RecordedType::Number(number.number().unwrap_or_default()),
        };
        recorded.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Datatype {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        match RecordedType::deserialize(deserializer)? {
            RecordedType::Number(number) => {
                Self::ALL.get(number).copied().ok_or_else(|| D::Error::custom("no type has this number"))
            }
            RecordedType::Struct { name, size, align, fields } => {
                let mut end = 0;
                for (_, offset, count, datatype) in &fields {
                    let bytes = count.checked_mul(datatype.size()).and_then(|bytes| bytes.checked_add(end));
                    match bytes {
                        Some(bytes) if *offset == end => end = bytes,
                        _ => return Err(D::Error::custom("the fields of a struct have gaps")),
                    }
                }
                if end != size || size == 0 || !align.is_power_of_two() {
                    return Err(D::Error::custom("a struct has another size than its fields"));
                }
                Ok(Self::Struct(recorded(name, (size, align), fields)))
            }
        }
    }
}

/// The type map that another process has recorded. Each is kept once, for ever.
fn recorded(
    name: String,
    (size, align): (usize, usize),
    fields: Vec<(String, usize, usize, Datatype)>,
) -> &'static StructType {
    static KNOWN: Mutex<Vec<&StructType>> = Mutex::new(vec![]);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let is_same = |one: &&&StructType| {
        let same =
            |(own, (name, offset, count, datatype)): (&StructField, &(String, usize, usize, Datatype))| {
                (own.name, own.offset, own.count, own.datatype) == (name, *offset, *count, *datatype)
            };
        (one.name, one.size, one.align, one.fields.len()) == (&*name, size, align, fields.len())
            && one.fields.iter().zip(&fields).all(same)
    };
    if let Some(one) = known.iter().find(is_same) {
        return one;
    }
    let field = |(name, offset, count, datatype): (String, usize, usize, Datatype)| StructField {
        name: name.leak(),
        offset,
        count,
        datatype,
    };
    let fields = fields.into_iter().map(field).collect::<Vec<_>>().leak();
    let made: &'static StructType =
        Box::leak(Box::new(StructType { name: name.leak(), size, align, fields }));
    known.push(made);
    made
}

#[cfg(test)]
mod tests;
