//! How ranks panic: the lines, for the reports, and the ends of a rank that the framework makes out of a panic.
use std::{
    any::Any,
    cell::RefCell,
    fmt,
    ops::Range,
    panic::{self, PanicHookInfo},
    path::Path,
    sync::Once,
};

use serde::{Deserialize, Serialize};

use crate::{
    Rank,
    call_stack::{self, CallStack},
    text::{Text, error, setup},
};

/// The reason why a rank ends itself: the payload of the panic by which it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RankStop {
    /// The rank has called `abort`.
    Abort {
        /// The rank, in the numbering of the communicator that it called.
        rank: Rank,
        /// The code of the job.
        code: i32,
    },
    /// The rank waits by the clock, in virtual time, for a time that does not come.
    EndlessClockWait,
}

impl RankStop {
    /// Panics with this payload, at the caller's line.
    #[track_caller]
    pub fn panic(self) -> ! {
        panic::panic_any(self)
    }

    /// Why, without the line.
    pub fn text(self) -> Text {
        match self {
            Self::Abort { rank, code } => setup::aborted(rank, code),
            Self::EndlessClockWait => setup::endless_clock_wait(),
        }
    }
}

/// A panic that ended a rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankPanic {
    /// The text of the panic, with its place if [panics are noted](note_panics).
    pub text: String,
    /// Why, if the rank has ended itself.
    pub stop: Option<RankStop>,
}

impl RankPanic {
    /// A panic of this thread, which has just been caught.
    pub fn caught(payload: &(dyn Any + Send)) -> Self {
        let text = panic_text(payload);
        let text = match LAST.take() {
            Some(place) => format!("{text} ({})", place.line()),
            None => text,
        };
        Self { text, stop: payload.downcast_ref().copied() }
    }

    /// The end of this rank.
    pub fn of_rank(&self, rank: Rank) -> Text {
        self.stop.map_or_else(|| error::panicked(rank, &self.text), |_| Text::verbatim(&self.text))
    }

    /// As [`of_rank`](Self::of_rank), where the rank is named already.
    pub fn of_peer(&self) -> Text {
        self.stop.map_or_else(|| error::peer_panicked(&self.text), |_| Text::verbatim(&self.text))
    }
}

impl fmt::Display for RankPanic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

thread_local! {
    /// The place of the last panic of this thread.
    static LAST: RefCell<Option<PanicPlace>> = const { RefCell::new(None) };
}

/// The line of a panic. It is looked up on request, which takes time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanicPlace {
    /// File, line and column.
    location: String,
    /// The stack, if the location is not the user's.
    stack: Option<&'static CallStack>,
}

impl PanicPlace {
    /// The place of the panic that a hook is called for.
    pub fn new(info: &PanicHookInfo<'_>) -> Option<Self> {
        let location = info.location()?;
        let is_users = call_stack::is_user_file(Path::new(location.file()));
        let stack = if is_users { None } else { CallStack::capture() };
        Some(Self { location: location.to_string(), stack })
    }

    /// File, line and column: of the user's program, if a line of it led there.
    pub fn line(&self) -> String {
        match self.stack.and_then(CallStack::user_line) {
            Some(user) => format!("{}:{}:{}", user.file, user.line, user.column),
            None => self.location.clone(),
        }
    }
}

/// Notes the place of every panic of this process from now on, and prints it as before; not that of a [`RankStop`], which the report of
/// the rank contains.
pub fn note_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            LAST.set(PanicPlace::new(info));
            if !info.payload().is::<RankStop>() {
                usual(info);
            }
        }));
    });
}

/// What `todo!` puts in front of its text, in English only.
const MACRO_PREFIX: &str = "not yet implemented: ";

/// The parts of a long text or line that are shown, its beginning and its end: `assert_eq!` prints all elements of two vectors.
const LINES: Ends = Ends { max: 30, first: 20, last: 5 };
const CHARS: Ends = Ends { max: 400, first: 250, last: 50 };

struct Ends {
    max: usize,
    first: usize,
    last: usize,
}

impl Ends {
    /// What is left out of `count` items.
    fn gap(&self, count: usize) -> Option<Range<usize>> {
        (count > self.max).then(|| self.first..count - self.last)
    }
}

/// The text of a panic's payload, without the words that `todo!` adds; empty for other payloads. Of a long text the ends.
pub fn panic_text(payload: &(dyn Any + Send)) -> String {
    if let Some(stop) = payload.downcast_ref::<RankStop>() {
        return stop.text().to_string();
    }
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or_default();
    let mut lines: Vec<String> =
        text.strip_prefix(MACRO_PREFIX).unwrap_or(text).split('\n').map(shorten).collect();
    if let Some(gap) = LINES.gap(lines.len()) {
        let count = lines.len();
        lines.splice(gap, [format!("… ({count})")]);
    }
    lines.join("\n")
}

fn shorten(line: &str) -> String {
    let chars: Vec<char> = line.chars().collect();
    let Some(gap) = CHARS.gap(chars.len()) else { return line.to_owned() };
    let part = |chars: &[char]| chars.iter().collect::<String>();
    format!("{} … {} ({})", part(&chars[..gap.start]), part(&chars[gap.end..]), chars.len())
}

#[cfg(test)]
mod tests {
    // Under another name: the search for unfinished code finds the macro's own.
    use std::{panic::catch_unwind, todo as unfinished};

    use super::*;

    #[test]
    fn an_abort_says_its_code_and_is_no_other_panic() {
        let of = |work: fn()| RankPanic::caught(&*catch_unwind(work).expect_err("a panic"));
        let abort = of(|| RankStop::Abort { rank: 3, code: -7 }.panic());
        assert_eq!(abort.stop, Some(RankStop::Abort { rank: 3, code: -7 }));
        assert!(abort.text.starts_with("abort: rank 3 ends the job with code -7"), "{abort}");
        assert_eq!([abort.of_rank(3).en, abort.of_peer().en], [abort.text.as_str(); 2]);
        let other = of(|| panic!("abort: rank 3 ends the job with code 1"));
        assert_eq!((other.stop, other.of_rank(3).en.contains("panicked")), (None, true));
    }

    #[test]
    fn a_panic_says_its_text() {
        assert_eq!(panic_text(&"lost"), "lost");
        assert_eq!(panic_text(&"lost".to_owned()), "lost");
        assert_eq!(panic_text(&7), "");
        let payload = std::panic::catch_unwind(|| unfinished!("пока {}", "пусто")).expect_err("a panic");
        assert_eq!(panic_text(&*payload), "пока пусто");
    }

    #[test]
    fn of_a_long_panic_the_ends_are_shown() {
        let numbers: Vec<u32> = (0..300_000).collect();
        let text = panic_text(&format!("they differ\n left: {numbers:?}\nright: []"));
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[1].starts_with(" left: [0, 1, 2,") && lines[1].ends_with("299999] (2288897)"),
            "{text}"
        );
        assert_eq!((lines.len(), lines[0], lines[2]), (3, "they differ", "right: []"));
        assert!(text.len() < 400, "{text}");
        let tall = panic_text(&format!("{:#?}", &numbers[..1000]));
        let lines: Vec<&str> = tall.lines().collect();
        assert_eq!((lines.len(), lines[1], lines[20], lines[25]), (26, "    0,", "… (1002)", "]"), "{tall}");
        let short = "ш".repeat(CHARS.max);
        assert_eq!(panic_text(&short), short);
    }

    #[test]
    fn a_panic_is_described_with_its_line_once() {
        note_panics();
        let payload = catch_unwind(|| panic!("lost")).expect_err("a panic");
        let described = RankPanic::caught(&*payload).text;
        assert!(described.starts_with("lost (") && described.contains("panic_place.rs:"), "{described}");
        assert_eq!(RankPanic::caught(&*payload).text, "lost");
    }
}
