//! Where this process's rank stands: one slot that the rank writes around each blocking call and a watchdog reads.
//!
//! The rank pays a handful of plain stores a call: no lock, no allocation, no call into the library. A sequence number
//! (a seqlock with one writer: whoever holds the seat) lets a reader on another thread reject a half-written entry; the
//! watchdog's reader is the one that repeats, never the rank.
use std::{
    panic::Location,
    ptr,
    sync::atomic::{
        AtomicI32, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize,
        Ordering::{Acquire, Relaxed, Release},
        fence,
    },
};

use crate::communicator::Communicator;
use wb_comm::{Blocked, Place, Rank, Site, Source, Spot, Verb, caller::Stack};

/// What a blocking call waits for, as the slot stores it.
#[derive(Clone, Copy)]
pub(crate) struct Wait {
    peer: i32,
    tag: i32,
    bytes: usize,
    /// The peer's number in the job, where that is known.
    partner: i32,
    /// Of a wait: the call that started the operation.
    started: Option<Site>,
}

const ANY: i32 = -1;
const NONE: i32 = -2;
const NO_BYTES: usize = usize::MAX;

impl Wait {
    /// A verb without a single peer.
    pub(crate) const ALL: Self = Self { peer: NONE, tag: ANY, bytes: NO_BYTES, partner: NONE, started: None };

    /// A verb without a single peer that moves this many bytes.
    pub(crate) fn all(bytes: usize) -> Self {
        Self { bytes, ..Self::ALL }
    }

    /// A message to `peer`.
    #[inline]
    pub(crate) fn to(peer: Rank, tag: i32, bytes: usize) -> Self {
        Self { peer: peer as i32, tag, bytes, ..Self::ALL }
    }

    /// A message from `source` under `tag` (`None`: any).
    #[inline]
    pub(crate) fn from(source: Source, tag: Option<i32>, room: usize) -> Self {
        let peer = match source {
            Source::Rank(rank) => rank as i32,
            Source::Any => ANY,
        };
        Self { peer, tag: tag.unwrap_or(ANY), bytes: room, ..Self::ALL }
    }

    /// Something that `peer` or its window part has to do with.
    #[inline]
    pub(crate) fn on(peer: Rank) -> Self {
        Self { peer: peer as i32, ..Self::ALL }
    }

    /// The same with the peer's number in the job, as far as `communicator` knows it.
    #[inline]
    pub(crate) fn among(self, communicator: &Communicator) -> Self {
        if communicator.as_in_job && self.peer >= 0 { Self { partner: self.peer, ..self } } else { self }
    }

    /// The same, for the operation that the call at `site` has started.
    #[inline]
    pub(crate) fn started_by(self, site: Site) -> Self {
        Self { started: Some(site), ..self }
    }

    /// A message whose size does not matter.
    pub(crate) fn sizeless(self) -> Self {
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
    partner: AtomicI32,
    /// As `verb`, of the call that started what is waited for.
    started: AtomicU8,
    started_at: Line,
    at: Line,
}

static SLOT: Slot = Slot::empty();

/// The proof of having entered; leaving is its drop.
pub(crate) struct Inside(&'static Slot);

/// Notes that this rank enters a blocking call.
#[inline]
pub(crate) fn enter(site: Site, wait: Wait) -> Inside {
    SLOT.write(site, wait);
    Inside(&SLOT)
}

impl Drop for Inside {
    #[inline]
    fn drop(&mut self) {
        self.0.verb.store(0, Release);
    }
}

/// Where the rank stands, under its number `rank` in the job; `None` outside of any blocking call.
pub(crate) fn current(rank: Rank) -> Option<Blocked> {
    SLOT.read(rank)
}

/// Does some thread stand in a blocking call?
pub(crate) fn is_inside() -> bool {
    SLOT.verb.load(Acquire) != 0
}

impl Slot {
    /// So many times a reader tries anew; a rank that writes faster than that is not standing anywhere.
    const ATTEMPTS: usize = 1000;

    const fn empty() -> Self {
        Self {
            sequence: AtomicU32::new(0),
            verb: AtomicU8::new(0),
            peer: AtomicI32::new(NONE),
            tag: AtomicI32::new(ANY),
            bytes: AtomicUsize::new(NO_BYTES),
            partner: AtomicI32::new(NONE),
            started: AtomicU8::new(0),
            started_at: Line::empty(),
            at: Line::empty(),
        }
    }

    #[inline]
    fn write(&self, site: Site, wait: Wait) {
        let sequence = self.sequence.load(Relaxed);
        self.sequence.store(sequence.wrapping_add(1), Relaxed);
        fence(Release);
        self.verb.store(site.verb as u8 + 1, Relaxed);
        self.peer.store(wait.peer, Relaxed);
        self.tag.store(wait.tag, Relaxed);
        self.bytes.store(wait.bytes, Relaxed);
        self.partner.store(wait.partner, Relaxed);
        self.started.store(wait.started.map_or(0, |site| site.verb as u8 + 1), Relaxed);
        if let Some(site) = wait.started {
            self.started_at.write(site.at);
        }
        self.at.write(site.at);
        self.sequence.store(sequence.wrapping_add(2), Release);
    }

    fn read(&self, rank: Rank) -> Option<Blocked> {
        (0..Self::ATTEMPTS).find_map(|_| self.attempt(rank)).flatten()
    }

    /// `None` when the entry changed under our eyes, `Some(None)` when there is none.
    fn attempt(&self, rank: Rank) -> Option<Option<Blocked>> {
        let before = self.sequence.load(Acquire);
        let verb = self.verb.load(Relaxed);
        let wait = Wait {
            peer: self.peer.load(Relaxed),
            tag: self.tag.load(Relaxed),
            bytes: self.bytes.load(Relaxed),
            partner: self.partner.load(Relaxed),
            started: None,
        };
        let (started, started_at) = (self.started.load(Relaxed), self.started_at.addresses());
        let at = self.at.addresses();
        fence(Acquire);
        let after = self.sequence.load(Relaxed);
        if before != after || !before.is_multiple_of(2) {
            return None;
        }
        let [at, started_at] = [at, started_at].map(spot);
        let wait = Wait { started: site(started, started_at), ..wait };
        Some(site(verb, at).map(|site| described_at(rank, site, wait)))
    }
}

/// The call of the verb of this number, less one, at this line; nothing where there is none.
fn site(verb: u8, at: Option<Spot>) -> Option<Site> {
    let verb = Verb::ALL[usize::from(verb.checked_sub(1)?)];
    at.map(|at| Site { verb, at })
}

/// A line of this program, and the stack behind it where the line is not the user's.
struct Line {
    at: AtomicPtr<Location<'static>>,
    behind: AtomicPtr<Stack>,
}

/// What a [`Line`] holds.
type Addresses = (*const Location<'static>, *const Stack);

impl Line {
    const fn empty() -> Self {
        Self { at: AtomicPtr::new(ptr::null_mut()), behind: AtomicPtr::new(ptr::null_mut()) }
    }

    #[inline]
    fn write(&self, spot: Spot) {
        let (at, behind) = addresses(spot);
        self.at.store(at.cast_mut(), Relaxed);
        self.behind.store(behind.cast_mut(), Relaxed);
    }

    fn addresses(&self) -> Addresses {
        (self.at.load(Relaxed), self.behind.load(Relaxed))
    }
}

/// The line of these addresses, which one write has made.
fn spot((at, behind): Addresses) -> Option<Spot> {
    // SAFETY: null, or made from a `&'static Location` in `Line::write`.
    let at = unsafe { at.as_ref() }?;
    // SAFETY: null, or made from a `&'static Stack` in `Line::write`.
    let behind = unsafe { behind.as_ref() };
    Some(behind.map_or(Spot::Here(at), |stack| Spot::Behind(at, stack)))
}

/// Where a line of this program lies, and the stack behind it. Lines that others have told are called on ranks of other
/// backends only.
#[inline]
fn addresses(spot: Spot) -> Addresses {
    match spot {
        Spot::Here(location) => (location, ptr::null()),
        Spot::Behind(location, stack) => (location, stack),
        Spot::Told(_) => (ptr::null(), ptr::null()),
    }
}

/// A call of `rank` with what it waits for.
fn described_at(rank: Rank, site: Site, wait: Wait) -> Blocked {
    let peer = match wait.peer {
        NONE => None,
        ANY => Some(Source::Any),
        rank => Some(Source::Rank(rank as Rank)),
    };
    let tag = (wait.tag != ANY).then_some(wait.tag);
    let bytes = (wait.bytes != NO_BYTES).then_some(wait.bytes);
    let awaits = (wait.partner >= 0).then_some(wait.partner as Rank).into_iter().collect();
    let started = wait.started.map(|site| Place::of(rank, site));
    Blocked { peer, tag, bytes, awaits, started, ..Blocked::at(rank, site) }
}

/// The call with its peer, tag and size, without rank and line.
pub(crate) fn described(site: Site, wait: Wait) -> wb_comm::Text {
    described_at(0, site, wait).call()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_tells_what_was_written_until_it_is_left() {
        let slot = Slot::empty();
        assert_eq!(slot.read(3), None);
        let site = Site::here(Verb::Recv);
        slot.write(site, Wait::from(Source::Rank(1), Some(7), 80));
        let blocked = slot.read(3).expect("inside");
        assert_eq!((blocked.rank, blocked.verb, blocked.line), (3, Verb::Recv, site.at.line()));
        assert_eq!((blocked.peer, blocked.tag, blocked.bytes), (Some(Source::Rank(1)), Some(7), Some(80)));
        slot.verb.store(0, Relaxed);
        assert_eq!(slot.read(3), None);
    }

    #[test]
    fn a_wait_tells_which_call_started_its_operation_and_the_next_call_does_not() {
        let slot = Slot::empty();
        let (started, site) = (Site::here(Verb::Irecv), Site::here(Verb::Wait));
        slot.write(site, Wait::from(Source::Rank(1), Some(7), 80).started_by(started));
        let blocked = slot.read(3).expect("inside");
        assert_eq!(blocked.started, Some(Place::of(3, started)));
        let line = started.at.line();
        let told = format!("wait for irecv from 1, tag 7, 80 bytes, started at {}:{line}", file!());
        assert_eq!(blocked.call().to_string(), told);
        slot.write(site, Wait::to(1, 7, 80));
        assert_eq!(slot.read(3).expect("inside").started, None);
    }

    #[test]
    fn wildcards_and_collectives_have_no_peer_to_name() {
        let slot = Slot::empty();
        slot.write(Site::here(Verb::Probe), Wait::from(Source::Any, None, 0).sizeless());
        let blocked = slot.read(0).expect("inside");
        assert_eq!((blocked.peer, blocked.tag, blocked.bytes), (Some(Source::Any), None, None));
        slot.write(Site::here(Verb::Bcast), Wait::all(8));
        let blocked = slot.read(0).expect("inside");
        assert_eq!((blocked.peer, blocked.tag, blocked.bytes), (None, None, Some(8)));
    }

    #[test]
    fn a_reader_on_another_thread_never_sees_a_mixture() {
        static RACED: Slot = Slot::empty();
        let writer = std::thread::spawn(|| {
            let site = Site::here(Verb::Send);
            for n in 0..200_000 {
                RACED.write(site, Wait::to(n, n as i32, n));
            }
        });
        while !writer.is_finished() {
            if let Some(Blocked { peer: Some(Source::Rank(peer)), tag, bytes, .. }) = RACED.read(0) {
                assert_eq!((tag, bytes), (Some(peer as i32), Some(peer)));
            }
        }
        writer.join().expect("the writer only writes");
    }
}
