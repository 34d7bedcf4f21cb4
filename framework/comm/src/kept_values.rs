//! Values that are kept once for the life of the process, so that a reference to one can be copied.
use std::{
    collections::HashSet,
    hash::Hash,
    sync::{LazyLock, Mutex, PoisonError},
};

pub(crate) type KeptValues<T> = LazyLock<Mutex<HashSet<&'static T>>>;

/// The kept value that equals this one, which is kept if there is none.
pub(crate) fn keep_once<T: Eq + Hash>(kept: &Mutex<HashSet<&'static T>>, value: T) -> &'static T {
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    kept.get(&value).copied().unwrap_or_else(|| {
        let value: &'static T = Box::leak(Box::new(value));
        kept.insert(value);
        value
    })
}
