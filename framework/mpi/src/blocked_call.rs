//! The blocking call that this process's rank is in: one slot that the rank writes around each call and a watchdog
//! reads.
//!
//! A call costs the rank a few plain stores: no lock, no allocation, no library call. A sequence number (a seqlock with
//! one writer: the thread that holds the job handle) lets a reader on another thread reject a half-written entry. The
//! watchdog's reader repeats, never the rank.
use std::{
    ptr,
    sync::atomic::{
        AtomicI32, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize,
        Ordering::{Acquire, Relaxed, Release},
        fence,
    },
};

use wb_comm::{BlockedCall, CallLocation, CallSite, Rank, Source, SourceLocation, Verb};

/// The condition that a blocking call waits for, as the slot stores it.
#[derive(Clone, Copy)]
pub(crate) struct WaitTarget {
    peer: i32,
    tag: i32,
    bytes: usize,
    /// The peer's number in the job, where that is known.
    job_rank: i32,
}

const ANY: i32 = -1;
const NONE: i32 = -2;
const NO_BYTES: usize = usize::MAX;

impl WaitTarget {
    /// A verb without a single peer.
    pub(crate) const COLLECTIVE: Self = Self { peer: NONE, tag: ANY, bytes: NO_BYTES, job_rank: NONE };

    /// A verb for which a message of any peer is enough.
    pub(crate) const ANY: Self = Self { peer: ANY, ..Self::COLLECTIVE };

    /// A verb without a single peer that moves this many bytes; 0 if it moves none.
    pub(crate) fn collective(bytes: usize) -> Self {
        if bytes == 0 { Self::COLLECTIVE } else { Self { bytes, ..Self::COLLECTIVE } }
    }

    /// A message to `peer`.
    #[inline]
    pub(crate) fn to(peer: Rank, tag: i32, bytes: usize) -> Self {
        Self { peer: peer as i32, tag, bytes, ..Self::COLLECTIVE }
    }

    /// A message from `source` under `tag` (`None`: any).
    #[inline]
    pub(crate) fn from(source: Source, tag: Option<i32>, capacity: usize) -> Self {
        let peer = match source {
            Source::Rank(rank) => rank as i32,
            Source::Any => ANY,
        };
        Self { peer, tag: tag.unwrap_or(ANY), bytes: capacity, ..Self::COLLECTIVE }
    }

    /// A verb that involves `peer` or its part of a window.
    #[inline]
    pub(crate) fn for_peer(peer: Rank) -> Self {
        Self { peer: peer as i32, ..Self::COLLECTIVE }
    }

    /// This target with the peer's rank in the job, where the ranks of the communicator are those of the job.
    #[inline]
    pub(crate) fn with_job_rank(self, has_job_ranks: bool) -> Self {
        if has_job_ranks && self.peer >= 0 { Self { job_rank: self.peer, ..self } } else { self }
    }

    /// The size of the message, or of the room for it.
    #[inline]
    pub(crate) fn bytes(self) -> usize {
        self.bytes
    }

    /// A message whose size is irrelevant.
    pub(crate) fn without_size(self) -> Self {
        Self { bytes: NO_BYTES, ..self }
    }
}

#[repr(align(64))]
struct Slot {
    sequence: AtomicU32,
    /// `Verb as u8 + 1`; 0 outside of any call.
    verb: AtomicU8,
    peer: AtomicI32,
    tag: AtomicI32,
    bytes: AtomicUsize,
    job_rank: AtomicI32,
    /// As `verb`, for the call that started the operation.
    started_verb: AtomicU8,
    /// As [`SourceLocation::into_raw`].
    started_location: AtomicPtr<()>,
    location: AtomicPtr<()>,
}

static SLOT: Slot = Slot::empty();

/// A guard: the rank is in the call until its drop.
pub(crate) struct CallGuard(&'static Slot);

/// Records that this rank enters a blocking call.
#[inline]
pub(crate) fn enter(site: CallSite, wait: WaitTarget) -> CallGuard {
    SLOT.store(site, wait, None);
    CallGuard(&SLOT)
}

/// The same of a call that waits for an operation, which the call at `started_at` has started.
#[inline]
pub(crate) fn enter_wait(site: CallSite, wait: WaitTarget, started_at: CallSite) -> CallGuard {
    SLOT.store(site, wait, Some(started_at));
    CallGuard(&SLOT)
}

/// Shows that this rank waits outside of the library, until the next [`enter`] or [`leave`].
pub(crate) fn show(site: CallSite, wait: WaitTarget) {
    SLOT.store(site, wait, None);
}

/// Ends what [`show`] has begun.
pub(crate) fn leave() {
    SLOT.verb.store(0, Release);
}

impl Drop for CallGuard {
    #[inline]
    fn drop(&mut self) {
        self.0.verb.store(0, Release);
    }
}

/// The blocking call that the rank is in, with its number `rank` in the job; `None` outside of any blocking call.
pub(crate) fn current(rank: Rank) -> Option<BlockedCall> {
    SLOT.load(rank)
}

/// Whether a thread is in a blocking call.
pub(crate) fn is_inside() -> bool {
    SLOT.verb.load(Acquire) != 0
}

impl Slot {
    /// The number of attempts of a reader. A rank that writes faster than that is not blocked in any call.
    const MAX_ATTEMPTS: usize = 1000;

    const fn empty() -> Self {
        Self {
            sequence: AtomicU32::new(0),
            verb: AtomicU8::new(0),
            peer: AtomicI32::new(NONE),
            tag: AtomicI32::new(ANY),
            bytes: AtomicUsize::new(NO_BYTES),
            job_rank: AtomicI32::new(NONE),
            started_verb: AtomicU8::new(0),
            started_location: AtomicPtr::new(ptr::null_mut()),
            location: AtomicPtr::new(ptr::null_mut()),
        }
    }

    #[inline]
    fn store(&self, site: CallSite, wait: WaitTarget, started_at: Option<CallSite>) {
        let sequence = self.sequence.load(Relaxed);
        self.sequence.store(sequence.wrapping_add(1), Relaxed);
        fence(Release);
        self.verb.store(site.verb as u8 + 1, Relaxed);
        self.peer.store(wait.peer, Relaxed);
        self.tag.store(wait.tag, Relaxed);
        self.bytes.store(wait.bytes, Relaxed);
        self.job_rank.store(wait.job_rank, Relaxed);
        self.started_verb.store(started_at.map_or(0, |site| site.verb as u8 + 1), Relaxed);
        if let Some(site) = started_at {
            self.started_location.store(site.location.into_raw(), Relaxed);
        }
        self.location.store(site.location.into_raw(), Relaxed);
        self.sequence.store(sequence.wrapping_add(2), Release);
    }

    fn load(&self, rank: Rank) -> Option<BlockedCall> {
        (0..Self::MAX_ATTEMPTS).find_map(|_| self.try_read(rank)).flatten()
    }

    /// `None` when the entry changed during the read, `Some(None)` when there is none.
    fn try_read(&self, rank: Rank) -> Option<Option<BlockedCall>> {
        let before = self.sequence.load(Acquire);
        let verb = self.verb.load(Relaxed);
        let wait = WaitTarget {
            peer: self.peer.load(Relaxed),
            tag: self.tag.load(Relaxed),
            bytes: self.bytes.load(Relaxed),
            job_rank: self.job_rank.load(Relaxed),
        };
        let (started, started_at) = (self.started_verb.load(Relaxed), location_from(&self.started_location));
        let at = location_from(&self.location);
        fence(Acquire);
        let after = self.sequence.load(Relaxed);
        if before != after || !before.is_multiple_of(2) {
            return None;
        }
        let started_at = call_site(started, started_at).map(|site| CallLocation::new(rank, site));
        Some(call_site(verb, at).map(|site| BlockedCall { started_at, ..blocked_at(rank, site, wait) }))
    }
}

/// The call whose verb has this number minus one, at this line; `None` where there is none.
fn call_site(verb: u8, at: Option<SourceLocation>) -> Option<CallSite> {
    let verb = Verb::ALL[usize::from(verb.checked_sub(1)?)];
    at.map(|at| CallSite { verb, location: at })
}

/// The line that [`Slot::store`] has written; `None` before.
fn location_from(word: &AtomicPtr<()>) -> Option<SourceLocation> {
    // SAFETY: null, or the word of a location.
    unsafe { SourceLocation::from_raw(word.load(Relaxed)) }
}

/// A call of `rank` with its wait condition.
fn blocked_at(rank: Rank, site: CallSite, wait: WaitTarget) -> BlockedCall {
    let peer = match wait.peer {
        NONE => None,
        ANY => Some(Source::Any),
        rank => Some(Source::Rank(rank as Rank)),
    };
    let tag = (wait.tag != ANY).then_some(wait.tag);
    let bytes = (wait.bytes != NO_BYTES).then_some(wait.bytes);
    let awaits = (wait.job_rank >= 0).then_some(wait.job_rank as Rank).into_iter().collect();
    BlockedCall { peer, tag, bytes, waits_for: awaits, ..BlockedCall::new(rank, site) }
}

/// The call with its peer, tag and size, without rank and line.
pub(crate) fn describe(site: CallSite, wait: WaitTarget) -> wb_comm::Text {
    blocked_at(0, site, wait).call()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_tells_what_was_written_until_it_is_left() {
        let slot = Slot::empty();
        assert_eq!(slot.load(3), None);
        let site = CallSite::caller(Verb::Recv);
        slot.store(site, WaitTarget::from(Source::Rank(1), Some(7), 80), None);
        let blocked = slot.load(3).expect("inside");
        assert_eq!((blocked.rank, blocked.verb, blocked.line), (3, Verb::Recv, site.location.line()));
        assert_eq!((blocked.peer, blocked.tag, blocked.bytes), (Some(Source::Rank(1)), Some(7), Some(80)));
        slot.verb.store(0, Relaxed);
        assert_eq!(slot.load(3), None);
    }

    #[test]
    fn a_wait_tells_which_call_started_its_operation_and_the_next_call_does_not() {
        let slot = Slot::empty();
        let (started, site) = (CallSite::caller(Verb::Irecv), CallSite::caller(Verb::Wait));
        slot.store(site, WaitTarget::from(Source::Rank(1), Some(7), 80), Some(started));
        let blocked = slot.load(3).expect("inside");
        assert_eq!(blocked.started_at, Some(CallLocation::new(3, started)));
        let line = started.location.line();
        let expected = format!("wait for irecv from 1, tag 7, 80 bytes, started at {}:{line}", file!());
        assert_eq!(blocked.call().to_string(), expected);
        slot.store(site, WaitTarget::to(1, 7, 80), None);
        assert_eq!(slot.load(3).expect("inside").started_at, None);
    }

    #[test]
    fn wildcards_and_collectives_have_no_peer_to_name() {
        let slot = Slot::empty();
        let site = CallSite::caller(Verb::Probe);
        slot.store(site, WaitTarget::from(Source::Any, None, 0).without_size(), None);
        let blocked = slot.load(0).expect("inside");
        assert_eq!((blocked.peer, blocked.tag, blocked.bytes), (Some(Source::Any), None, None));
        slot.store(CallSite::caller(Verb::Bcast), WaitTarget::collective(8), None);
        let blocked = slot.load(0).expect("inside");
        assert_eq!((blocked.peer, blocked.tag, blocked.bytes), (None, None, Some(8)));
    }

    #[test]
    fn a_reader_on_another_thread_never_sees_a_mixture() {
        static RACED: Slot = Slot::empty();
        let writer = std::thread::spawn(|| {
            let site = CallSite::caller(Verb::Send);
            for n in 0..200_000 {
                RACED.store(site, WaitTarget::to(n, n as i32, n), None);
            }
        });
        while !writer.is_finished() {
            if let Some(BlockedCall { peer: Some(Source::Rank(peer)), tag, bytes, .. }) = RACED.load(0) {
                assert_eq!((tag, bytes), (Some(peer as i32), Some(peer)));
            }
        }
        writer.join().expect("the writer only writes");
    }
}
