//! Keys and what they hold: counters and texts, within limits.
use std::collections::HashMap;

use crate::StoreLimits;

/// The value of a key.
#[derive(Clone, Debug)]
enum StoredValue {
    Count(i64),
    Text(String),
}

/// All keys of a store. A refused operation returns a sentence and changes nothing.
#[derive(Debug)]
pub(crate) struct KeyTable {
    limits: StoreLimits,
    entries: HashMap<String, StoredValue>,
}

impl KeyTable {
    pub(crate) fn new(limits: StoreLimits) -> Self {
        Self { limits, entries: HashMap::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Adds to a counter, created at 0; gives the new value.
    pub(crate) fn add(&mut self, key: &str, delta: i64) -> Result<i64, String> {
        self.check_capacity(key)?;
        let before = match self.entries.get(key) {
            None => 0,
            Some(StoredValue::Count(count)) => *count,
            Some(StoredValue::Text(_)) => {
                return Err(format!("{key:?} was set to a text, it does not count"));
            }
        };
        let sum = before.checked_add(delta);
        let sum = sum.ok_or_else(|| format!("{key:?} is {before}; with {delta} it leaves 64 bits"))?;
        self.entries.insert(key.to_owned(), StoredValue::Count(sum));
        Ok(sum)
    }

    pub(crate) fn set(&mut self, key: &str, value: String) -> Result<(), String> {
        self.check_capacity(key)?;
        if value.len() > self.limits.max_value_bytes {
            let (bytes, most) = (value.len(), self.limits.max_value_bytes);
            return Err(format!("a value of {bytes} bytes; {most} are allowed"));
        }
        self.entries.insert(key.to_owned(), StoredValue::Text(value));
        Ok(())
    }

    /// The value of the key; a counter as decimal digits.
    pub(crate) fn get(&self, key: &str) -> Result<Option<String>, String> {
        self.check_key(key)?;
        Ok(self.entries.get(key).map(|value| match value {
            StoredValue::Count(count) => count.to_string(),
            StoredValue::Text(text) => text.clone(),
        }))
    }

    pub(crate) fn remove(&mut self, key: &str) {
        self.entries.remove(key);
    }

    fn check_key(&self, key: &str) -> Result<(), String> {
        match key.len() {
            0 => Err("a key without a letter".into()),
            bytes if bytes > self.limits.max_key_bytes => {
                Err(format!("a key of {bytes} bytes; {} are allowed", self.limits.max_key_bytes))
            }
            _ => Ok(()),
        }
    }

    fn check_capacity(&self, key: &str) -> Result<(), String> {
        self.check_key(key)?;
        if self.entries.len() >= self.limits.max_keys && !self.entries.contains_key(key) {
            return Err(format!("there are {} keys, more are not allowed", self.limits.max_keys));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(keys: usize) -> KeyTable {
        KeyTable::new(StoreLimits {
            max_key_bytes: 3,
            max_value_bytes: 4,
            max_keys: keys,
            ..StoreLimits::default()
        })
    }

    #[test]
    fn counters_count_and_texts_are_kept() {
        let mut keys = keys(9);
        assert_eq!(
            (keys.add("a", 2), keys.add("a", -3), keys.get("a")),
            (Ok(2), Ok(-1), Ok(Some("-1".into())))
        );
        assert_eq!((keys.set("b", "ok".into()), keys.get("b")), (Ok(()), Ok(Some("ok".into()))));
        keys.remove("a");
        assert_eq!((keys.get("a"), keys.len()), (Ok(None), 1));
    }

    #[test]
    fn refusals_say_the_limit_and_change_nothing() {
        let mut keys = keys(2);
        keys.add("a", i64::MAX).expect("room");
        keys.set("b", "text".into()).expect("room");
        for (refused, part) in [
            (keys.add("a", 1).map(drop), "64 bits"),
            (keys.add("b", 1).map(drop), "text"),
            (keys.add("c", 1).map(drop), "2 keys"),
            (keys.set("c", "x".into()), "2 keys"),
            (keys.set("b", "xxxxx".into()), "5 bytes"),
            (keys.set("bbbb", "x".into()), "4 bytes"),
            (keys.get("bbbb").map(drop), "4 bytes"),
            (keys.get("").map(drop), "without"),
        ] {
            assert!(refused.expect_err("a limit").contains(part), "{part}");
        }
        assert_eq!(keys.get("a"), Ok(Some(i64::MAX.to_string())));
        assert_eq!((keys.get("b"), keys.len()), (Ok(Some("text".into())), 2));
        keys.set("b", "y".into()).expect("a key that is there can be set when there is no room for another");
    }
}
