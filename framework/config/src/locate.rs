//! Finds the place of a value that was read already.
//!
//! Strict types keep values, not places. When two values contradict each other the document is walked once more along
//! the path to the offending one, and the walk *fails* there: the reader's error then carries the place.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Fails at the value that `path` leads to: keys of mappings, and indices (from 0) of sequences.
pub(crate) struct Locate<'a> {
    pub(crate) path: &'a [&'a str],
}

impl<'de> DeserializeSeed<'de> for Locate<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'a> Locate<'a> {
    /// What remains of the path behind `step`, if `step` is its beginning.
    fn behind(&self, step: &str) -> Option<Locate<'a>> {
        let (first, path) = self.path.split_first()?;
        (*first == step).then_some(Locate { path })
    }

    fn here<E: Error>(&self) -> Result<(), E> {
        match self.path {
            [] => Err(E::custom("here")),
            _ => Ok(()),
        }
    }
}

impl<'de> Visitor<'de> for Locate<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.here()?;
        while let Some(key) = map.next_key::<String>()? {
            match self.behind(&key) {
                Some(rest) => map.next_value_seed(rest)?,
                None => map.next_value::<IgnoredAny>().map(drop)?,
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<(), A::Error> {
        self.here()?;
        for index in 0.. {
            let more = match self.behind(&index.to_string()) {
                Some(rest) => sequence.next_element_seed(rest)?.is_some(),
                None => sequence.next_element::<IgnoredAny>()?.is_some(),
            };
            if !more {
                break;
            }
        }
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.here()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.here()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.here()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.here()
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.here()
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.here()
    }
}
