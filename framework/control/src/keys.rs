//! Keys and what they hold: counters and texts, within limits.
use std::collections::HashMap;

use crate::Limits;

/// What a key holds.
#[derive(Clone, Debug)]
enum Value {
    Count(i64),
    Text(String),
}

/// All keys of a store. Every refusal is a sentence, and has changed nothing.
#[derive(Debug)]
pub(crate) struct Keys {
    limits: Limits,
    held: HashMap<String, Value>,
}

impl Keys {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, held: HashMap::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.held.len()
    }

    /// Adds to a counter, created at 0; gives the new value.
    pub(crate) fn add(&mut self, key: &str, delta: i64) -> Result<i64, String> {
        self.room_for(key)?;
        let before = match self.held.get(key) {
            None => 0,
            Some(Value::Count(count)) => *count,
            Some(Value::Text(_)) => return Err(format!("{key:?} was set to a text, it does not count")),
        };
        let sum = before.checked_add(delta);
        let sum = sum.ok_or_else(|| format!("{key:?} is {before}; with {delta} it leaves 64 bits"))?;
        self.held.insert(key.to_owned(), Value::Count(sum));
        Ok(sum)
    }

    pub(crate) fn set(&mut self, key: &str, value: String) -> Result<(), String> {
        self.room_for(key)?;
        if value.len() > self.limits.value {
            let (bytes, most) = (value.len(), self.limits.value);
            return Err(format!("a value of {bytes} bytes; {most} are allowed"));
        }
        self.held.insert(key.to_owned(), Value::Text(value));
        Ok(())
    }

    /// What the key holds; a counter as decimal digits.
    pub(crate) fn get(&self, key: &str) -> Result<Option<String>, String> {
        self.checked(key)?;
        Ok(self.held.get(key).map(|value| match value {
            Value::Count(count) => count.to_string(),
            Value::Text(text) => text.clone(),
        }))
    }

    pub(crate) fn remove(&mut self, key: &str) {
        self.held.remove(key);
    }

    fn checked(&self, key: &str) -> Result<(), String> {
        match key.len() {
            0 => Err("a key without a letter".into()),
            bytes if bytes > self.limits.key => {
                Err(format!("a key of {bytes} bytes; {} are allowed", self.limits.key))
            }
            _ => Ok(()),
        }
    }

    fn room_for(&self, key: &str) -> Result<(), String> {
        self.checked(key)?;
        if self.held.len() >= self.limits.keys && !self.held.contains_key(key) {
            return Err(format!("there are {} keys, more are not allowed", self.limits.keys));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(keys: usize) -> Keys {
        Keys::new(Limits { key: 3, value: 4, keys, ..Limits::default() })
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
