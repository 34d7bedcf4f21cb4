//! Finds the place of a value that has already been read.
//!
//! Strict types keep values, not places. When two values contradict each other the document is walked once more along
//! the path to the offending one, and the walk *fails* there: the reader's error then carries the place.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Fails at the value that `path` leads to: keys of mappings, and indices (from 0) of sequences.
pub(crate) struct PathLocator<'a> {
    pub(crate) path: &'a [&'a str],
}

impl<'de> DeserializeSeed<'de> for PathLocator<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'a> PathLocator<'a> {
    /// The rest of the path after `step`, if `step` is its beginning.
    fn strip(&self, step: &str) -> Option<PathLocator<'a>> {
        let (first, path) = self.path.split_first()?;
        // The key of earlier courses, as `CourseSettings` reads it.
        let step = if step == "tasks" { "assignments" } else { step };
        (*first == step).then_some(PathLocator { path })
    }

    fn fail_here<E: Error>(&self) -> Result<(), E> {
        match self.path {
            [] => Err(E::custom("here")),
            _ => Ok(()),
        }
    }
}

impl<'de> Visitor<'de> for PathLocator<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.fail_here()?;
        while let Some(key) = map.next_key::<String>()? {
            match self.strip(&key) {
                Some(rest) => map.next_value_seed(rest)?,
                None => map.next_value::<IgnoredAny>().map(drop)?,
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<(), A::Error> {
        self.fail_here()?;
        for index in 0.. {
            let more = match self.strip(&index.to_string()) {
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
        self.fail_here()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.fail_here()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.fail_here()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.fail_here()
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.fail_here()
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.fail_here()
    }
}
