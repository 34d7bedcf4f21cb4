//! The fields of types of the standard library.

use std::collections::BTreeMap;

use super::{AllowedValues, CheckedNumber, FieldVisitor, VisitFields, plain};

plain! { bool }

impl VisitFields for String {
    fn visit_fields(&mut self, visitor: &mut FieldVisitor<'_>) {
        (visitor.text)(self);
    }
}

impl<T: VisitFields> VisitFields for Box<T> {
    fn visit_fields(&mut self, visitor: &mut FieldVisitor<'_>) {
        (**self).visit_fields(visitor);
    }
}

impl<T: VisitFields> VisitFields for Option<T> {
    fn visit_fields(&mut self, visitor: &mut FieldVisitor<'_>) {
        self.iter_mut().for_each(|part| part.visit_fields(visitor));
    }
}

impl<T: VisitFields> VisitFields for Vec<T> {
    fn visit_fields(&mut self, visitor: &mut FieldVisitor<'_>) {
        self.iter_mut()
            .enumerate()
            .for_each(|(at, part)| visitor.item(at, |visitor| part.visit_fields(visitor)));
    }
}

impl VisitFields for BTreeMap<String, String> {
    fn visit_fields(&mut self, visitor: &mut FieldVisitor<'_>) {
        let taken = std::mem::take(self);
        self.extend(taken.into_iter().map(|(mut key, mut value)| {
            key.visit_fields(visitor);
            value.visit_fields(visitor);
            (key, value)
        }));
    }
}

macro_rules! whole {
    ($($type:ty)*) => {$(
        impl CheckedNumber for $type {
            fn check(&mut self, allowed: AllowedValues, visitor: &mut FieldVisitor<'_>) {
                let AllowedValues::Whole(least, most) = allowed else { unreachable!("a whole number has a whole range") };
                visitor.check_value(u64::try_from(*self).is_ok_and(|n| (least..=most).contains(&n)), *self, allowed);
            }
        }
    )*};
}
whole! { u32 u64 usize }

impl CheckedNumber for f64 {
    fn check(&mut self, allowed: AllowedValues, visitor: &mut FieldVisitor<'_>) {
        let AllowedValues::Real(least, most) = allowed else {
            unreachable!("a number has a range of numbers")
        };
        visitor.check_value((least..=most).contains(self), *self, allowed);
    }
}

impl<T: CheckedNumber> CheckedNumber for Option<T> {
    fn check(&mut self, allowed: AllowedValues, visitor: &mut FieldVisitor<'_>) {
        self.iter_mut().for_each(|number| number.check(allowed, visitor));
    }
}

impl<T: CheckedNumber> CheckedNumber for Vec<T> {
    fn check(&mut self, allowed: AllowedValues, visitor: &mut FieldVisitor<'_>) {
        self.iter_mut().enumerate().for_each(|(at, n)| visitor.item(at, |visitor| n.check(allowed, visitor)));
    }
}
