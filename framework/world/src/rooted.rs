//! A value that exists on one rank only.
use std::{cell::Cell, panic::Location};

thread_local! {
    static LAST_ACCESS_ELSEWHERE: Cell<Option<&'static Location<'static>>> = const { Cell::new(None) };
}

/// The last call on this thread that asked for a value on another rank and got `None`. It explains a panic that follows
/// immediately.
pub fn last_access_elsewhere() -> Option<&'static Location<'static>> {
    LAST_ACCESS_ELSEWHERE.get()
}

/// A value that is on this rank or on another one.
///
/// ```
/// use wb_world::Rooted;
/// let rooted = Rooted::Here(vec![1, 2, 3]);
/// assert_eq!(rooted.as_deref(), Some(&[1, 2, 3][..]));
/// assert_eq!(Rooted::<Vec<i32>>::Elsewhere.as_deref(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rooted<T> {
    /// The value is on this rank.
    Here(T),
    /// The value is on another rank.
    Elsewhere,
}

impl<T> Rooted<T> {
    /// Whether this rank has it.
    pub fn is_here(&self) -> bool {
        matches!(self, Self::Here(_))
    }

    /// The value if this rank has it.
    #[track_caller]
    pub fn here(self) -> Option<T> {
        match self {
            Self::Here(value) => Some(value),
            Self::Elsewhere => note_access_elsewhere(),
        }
    }

    /// The same location with a borrowed value.
    pub fn as_ref(&self) -> Rooted<&T> {
        match self {
            Self::Here(value) => Rooted::Here(value),
            Self::Elsewhere => Rooted::Elsewhere,
        }
    }

    /// The value's target if this rank has it: `Rooted<Vec<T>>` as `Option<&[T]>`, which the collective verbs take.
    #[track_caller]
    pub fn as_deref(&self) -> Option<&T::Target>
    where
        T: std::ops::Deref,
    {
        match self {
            Self::Here(value) => Some(value),
            Self::Elsewhere => note_access_elsewhere(),
        }
    }

    /// The same location with a new value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Rooted<U> {
        match self {
            Self::Here(value) => Rooted::Here(change(value)),
            Self::Elsewhere => Rooted::Elsewhere,
        }
    }

    /// Makes the value only where `here` is true.
    pub fn on(here: bool, make: impl FnOnce() -> T) -> Self {
        if here { Self::Here(make()) } else { Self::Elsewhere }
    }
}

/// Records the caller.
#[track_caller]
fn note_access_elsewhere<T>() -> Option<T> {
    LAST_ACCESS_ELSEWHERE.set(Some(Location::caller()));
    None
}

impl<T> From<Option<T>> for Rooted<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Elsewhere, Self::Here)
    }
}
