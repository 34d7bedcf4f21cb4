//! The line of a call, as one word: every verb passes its call through all layers, and two words are passed in registers.
#![allow(unsafe_code)]
use std::{
    fmt,
    hash::{Hash, Hasher},
    panic::Location,
    ptr::NonNull,
    sync::{LazyLock, Mutex},
};

use crate::{
    call_stack::CallStack,
    kept_values::{KeptValues, keep_once},
};

/// A line of the user's source, from the compiler or from the record of another process.
///
/// It is an address. Its lowest bits say what lies there: alignment leaves them free.
#[derive(Clone, Copy)]
pub struct SourceLocation(NonNull<()>);

// SAFETY: the address of a value that lives as long as the process, and that is `Sync`.
unsafe impl Send for SourceLocation {}
// SAFETY: as above.
unsafe impl Sync for SourceLocation {}

/// The bits of the number.
const KIND: usize = 0b11;
const NATIVE: usize = 0;
const IN_LIBRARY: usize = 1;
const RECORDED: usize = 2;

const _: () = assert!(
    align_of::<Location<'static>>() > KIND
        && align_of::<LibraryCall>() > KIND
        && align_of::<RecordedLine>() > KIND
);

/// What an address stands for.
#[derive(PartialEq, Eq)]
enum Place {
    /// A line of this program, from `#[track_caller]`.
    Native(&'static Location<'static>),
    /// A line of this program where the verb was passed as a value.
    InLibrary(&'static LibraryCall),
    /// A line of a program whose calls were recorded, or the start of a persistent request.
    Recorded(&'static RecordedLine),
}

/// A call of a verb by the standard library: the user's line of the stack, or else the given one.
#[derive(PartialEq, Eq, Hash)]
struct LibraryCall {
    location: &'static Location<'static>,
    stack: &'static CallStack,
}

#[derive(PartialEq, Eq, Hash)]
struct RecordedLine {
    file: String,
    line: u32,
    /// For the start of a persistent request, the verb and the line that made the request.
    made: Option<(&'static str, SourceLocation)>,
}

impl SourceLocation {
    /// A line of this program.
    #[inline]
    pub fn native(location: &'static Location<'static>) -> Self {
        Self(NonNull::from(location).cast())
    }

    /// A line outside the user's code, from which a verb was called, and the stack with the user's line.
    pub(crate) fn in_library(location: &'static Location<'static>, stack: &'static CallStack) -> Self {
        static KEPT: KeptValues<LibraryCall> = LazyLock::new(Mutex::default);
        Self::of_kind(IN_LIBRARY, keep_once(&KEPT, LibraryCall { location, stack }))
    }

    /// A recorded line.
    pub fn from_record(file: &str, line: u32) -> Self {
        Self::recorded(RecordedLine { file: file.to_owned(), line, made: None })
    }

    /// This line as the start of the persistent request that a call has made: its verb and its line.
    #[must_use]
    pub fn of_request(self, verb: &'static str, made: Self) -> Self {
        let (file, line) = (self.file().to_owned(), self.line());
        Self::recorded(RecordedLine { file, line, made: Some((verb, made)) })
    }

    /// The call that made the persistent request which is started here: its verb and its line.
    pub fn made(self) -> Option<(&'static str, Self)> {
        if let Place::Recorded(recorded) = self.place() { recorded.made } else { None }
    }

    fn recorded(line: RecordedLine) -> Self {
        static KEPT: KeptValues<RecordedLine> = LazyLock::new(Mutex::default);
        Self::of_kind(RECORDED, keep_once(&KEPT, line))
    }

    fn of_kind<T>(kind: usize, place: &'static T) -> Self {
        Self(NonNull::from(place).cast().map_addr(|address| address | kind))
    }

    fn place(self) -> Place {
        let kind = self.0.addr().get() & KIND;
        let start = self.0.as_ptr().map_addr(|address| address & !KIND);
        // SAFETY: made of a `&'static` of the type that belongs to the kind.
        unsafe {
            match kind {
                NATIVE => Place::Native(&*start.cast()),
                IN_LIBRARY => Place::InLibrary(&*start.cast()),
                _ => Place::Recorded(&*start.cast()),
            }
        }
    }

    /// The word, for an atomic variable.
    #[inline]
    pub fn into_raw(self) -> *mut () {
        self.0.as_ptr()
    }

    /// The location of the word; `None` of null.
    ///
    /// # Safety
    /// The word is null, or was made by [`into_raw`](Self::into_raw) in this process.
    #[inline]
    pub unsafe fn from_raw(word: *mut ()) -> Option<Self> {
        NonNull::new(word).map(Self)
    }

    /// The file.
    pub fn file(self) -> &'static str {
        match self.place() {
            Place::Native(location) => location.file(),
            Place::InLibrary(LibraryCall { location, stack }) => {
                stack.user_line().map_or(location.file(), |user| &user.file)
            }
            Place::Recorded(recorded) => &recorded.file,
        }
    }

    /// The line, from 1.
    pub fn line(self) -> u32 {
        match self.place() {
            Place::Native(location) => location.line(),
            Place::InLibrary(LibraryCall { location, stack }) => {
                stack.user_line().map_or(location.line(), |user| user.line)
            }
            Place::Recorded(recorded) => recorded.line,
        }
    }
}

impl PartialEq for SourceLocation {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.place() == other.place()
    }
}

impl Eq for SourceLocation {}

impl Hash for SourceLocation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.file(), self.line()).hash(state);
    }
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file(), self.line())
    }
}

impl fmt::Debug for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CallSite, Verb};

    #[test]
    fn a_recorded_line_is_kept_once() {
        let [one, other] = [3, 3].map(|line| SourceLocation::from_record("a.rs", line));
        assert_eq!(one.into_raw(), other.into_raw());
        let site = CallSite { verb: Verb::Recv, location: SourceLocation::from_record("a.rs", 4) };
        assert_eq!(site.to_string(), "recv at a.rs:4");
        assert_ne!(site.location, one);
    }

    /// An option of one needs no more: a call is passed in registers.
    #[test]
    fn a_call_is_two_words() {
        let word = size_of::<usize>();
        assert_eq!([size_of::<Option<SourceLocation>>(), size_of::<CallSite>()], [word, 2 * word]);
    }

    #[test]
    fn a_line_of_each_kind_is_the_same_after_its_way_through_a_word() {
        let here = Location::caller();
        let stack = CallStack::capture().expect("not disabled");
        let locations = [
            (SourceLocation::native(here), here.line()),
            (
                SourceLocation::in_library(here, stack),
                stack.user_line().map_or(here.line(), |user| user.line),
            ),
            (SourceLocation::from_record("other.rs", 7), 7),
            (
                SourceLocation::from_record("other.rs", 7)
                    .of_request("recv_init", SourceLocation::native(here)),
                7,
            ),
        ];
        for (at, (location, line)) in locations.into_iter().enumerate() {
            // SAFETY: the word of a location.
            let read = unsafe { SourceLocation::from_raw(location.into_raw()) }.expect("not null");
            assert_eq!((read.line(), read), (line, location));
            assert_eq!(locations.iter().position(|(other, _)| *other == location), Some(at));
        }
        // SAFETY: null.
        assert_eq!(unsafe { SourceLocation::from_raw(std::ptr::null_mut()) }, None);
    }
}
