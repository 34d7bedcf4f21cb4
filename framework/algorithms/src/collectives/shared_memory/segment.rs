//! The protocol of a segment: rounds in which ranks publish payloads and read those of others.
//!
//! Every collective operation is a number of *rounds*. All ranks make the same rounds, since these follow from the arguments of the call, and
//! number them 1, 2, 3, ... without communication. In a round a rank may publish one payload, read those of others, and
//! then completes it. Round e uses line and slot e mod K.
//!
//! **Writing.** First the payload, then the flag, which releases it; a reader acquires the flag and then reads. The flag is the number of the
//! round and a digest of all calls so far (`calls.rs`), so a reader takes the payload of no other call.
//!
//! **The rule of reuse.** *A slot is written in round e only when all ranks have completed round e - K.* A rank that has completed a round
//! reads nothing of it any more. Two facts show it:
//! 1. the rank's acknowledgement is its last completed round, which it releases after its last read;
//! 2. its flag of round d shows that it has completed all rounds before d.
//!
//! So a rank that takes part in an operation in which every rank publishes reads no acknowledgement, and one that publishes to ranks that
//! publish nothing reads them once in K rounds, or less often if they are further than it needs. No rank waits longer than needed: round
//! e - K is completed without the writer of round e, so the rank with the smallest round can always go on.
//!
//! The rule is in `Segment::output` and nowhere else. The tests explore it for 2 to 4 ranks under every order in which stores may become
//! visible, and with loom's model of memory; each of the wrong forms (no acknowledgement, one slot, numbers that wrap, the flag before the
//! payload, a flag that does not release) is refused.
//!
//! **Waiting.** A wait polls as its spin policy says, then yields its core at every poll, and now and then looks whether it can end at all: the
//! awaited rank may make another call or have left, the job may have failed. The same function of the caller lets the library make
//! progress, without which a peer may be blocked in a rendezvous with this rank.
use wb_comm::{
    Block, BorrowedBuffers, CallSite, Code, CollectiveKind, CollectiveMismatch, Datatype, Error, Operation,
    Rank, RankCall, Result, ViewMut, text::collective,
};

use super::{
    SegmentLayout,
    calls::{Call, KEPT_CALLS, TEXT_WORD, flag},
    layout::RECORD_WORDS,
    words::{SegmentWords, WORD_BYTES, is_reached},
};

/// Yields of a wait between two looks whether it can end.
const YIELDS_PER_LOOK: u32 = 16;

/// What a rank remembers of a segment between calls.
#[derive(Debug)]
pub struct SegmentState {
    /// The last round that this rank has begun.
    round: u64,
    /// By rank: a round that it is known to have completed.
    completed: Vec<u64>,
    /// A round that all ranks are known to have completed.
    completed_by_all: u64,
    /// The number of calls so far.
    calls: u64,
    /// The digest of these calls.
    digest: u64,
    /// The addresses of the lines in the records of the last calls.
    recorded_lines: [usize; KEPT_CALLS],
    /// Elements of another rank, if there were some.
    staging: Option<Block>,
    has_failed: bool,
}

impl SegmentState {
    /// Before the first call of a segment of `size` ranks.
    pub fn new(size: usize) -> Self {
        Self {
            round: 0,
            completed: vec![0; size],
            completed_by_all: 0,
            calls: 0,
            digest: 0,
            recorded_lines: [0; KEPT_CALLS],
            staging: None,
            has_failed: false,
        }
    }

    /// The number of ranks.
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.completed.len()
    }
}

/// A segment as one rank uses it during a call.
pub struct Segment<'a, W> {
    words: W,
    layout: &'a SegmentLayout,
    state: &'a mut SegmentState,
    rank: Rank,
    /// Called while this rank waits for another one: lets the library make progress, and returns an error if the wait cannot end.
    on_wait: &'a dyn Fn(Rank) -> Result<()>,
}

/// A round that this rank has begun.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    number: u64,
    slot: usize,
}

impl<'a, W: SegmentWords> Segment<'a, W> {
    /// The segment in `words` as `rank` sees it.
    pub fn new(
        words: W,
        layout: &'a SegmentLayout,
        rank: Rank,
        state: &'a mut SegmentState,
        on_wait: &'a dyn Fn(Rank) -> Result<()>,
    ) -> Self {
        Self { words, layout, state, rank, on_wait }
    }

    /// This rank.
    #[inline]
    pub(crate) fn rank(&self) -> Rank {
        self.rank
    }

    /// The number of ranks.
    #[inline]
    pub(crate) fn size(&self) -> usize {
        self.state.size()
    }

    /// The places of the words.
    #[inline]
    pub(crate) fn layout(&self) -> &SegmentLayout {
        self.layout
    }

    /// Runs a call: `body` is its rounds. After an error this rank takes part in no further call.
    pub(crate) fn call(
        &mut self,
        kind: &CollectiveKind<'_>,
        buffers: BorrowedBuffers<'_>,
        site: CallSite,
        body: impl FnOnce(&mut Self, &CollectiveKind<'_>, BorrowedBuffers<'_>) -> Result<()>,
    ) -> Result<()> {
        if self.state.has_failed {
            return Err(Error::Setup(collective::segment_failed()));
        }
        let result = match self.record(Call::new(kind, &buffers, site)) {
            Ok(()) => body(self, kind, buffers),
            error => error,
        };
        if result.is_err() {
            self.fail();
        }
        result
    }

    #[cold]
    fn fail(&mut self) {
        self.state.has_failed = true;
        // The error of the call is the one to report.
        let _left = self.leave();
    }

    /// Records a call that this rank makes without the segment, with blocks of this number of elements: ranks that make it here are found to differ from
    /// this one, and so are those that do not make it.
    ///
    /// # Errors
    /// The errors of the memory.
    pub fn record_other(
        &mut self,
        kind: &CollectiveKind<'_>,
        elements: (Datatype, usize),
        site: CallSite,
    ) -> Result<()> {
        self.record(Call::of_elements(kind, elements, site))
    }

    /// Shows all ranks that this one takes part in no further call.
    ///
    /// # Errors
    /// The errors of the memory.
    pub fn leave(&mut self) -> Result<()> {
        self.words.publish(self.layout.has_left(self.rank), 1)
    }

    #[inline]
    fn record(&mut self, call: Call) -> Result<()> {
        let state = &mut *self.state;
        state.calls += 1;
        state.digest = call.digest(state.digest);
        let place = state.calls as usize % KEPT_CALLS;
        let start = self.layout.record(self.rank, place);
        let lines = &mut state.recorded_lines[place];
        let line = call.site.location.into_raw().addr();
        let is_new = *lines != line || matches!(call.operation, Some(Operation::User(_)));
        *lines = line;
        for (at, number) in call.numbers.into_iter().enumerate() {
            self.words.set(start + 1 + at, number as i64)?;
        }
        if is_new {
            self.words.write(start + TEXT_WORD, &call.lines())?;
        }
        self.words.publish(start, flag(state.calls, state.digest))
    }

    /// Begins the next round.
    #[inline]
    pub(crate) fn begin(&mut self) -> Round {
        self.state.round += 1;
        let number = self.state.round;
        Round { number, slot: number as usize & (self.layout.slots() - 1) }
    }

    /// The payload of this rank in a round, of `bytes` in all: waits until its slot may be written. See the rule of reuse.
    #[inline]
    pub(crate) fn output(&mut self, round: Round, bytes: usize) -> Result<Output<'_, 'a, W>> {
        if self.state.completed_by_all + (self.layout.slots() as u64) < round.number {
            self.wait_for_readers(round.number - self.layout.slots() as u64)?;
        }
        let start = self.layout.payload(self.rank, round.slot, bytes);
        Ok(Output { segment: self, round, start })
    }

    /// Waits until all ranks have completed a round.
    fn wait_for_readers(&mut self, round: u64) -> Result<()> {
        for rank in 0..self.size() {
            if rank != self.rank && self.state.completed[rank] < round {
                let place = self.layout.acknowledgement(rank);
                self.state.completed[rank] = self.wait(rank, place, round as i64)? as u64;
            }
        }
        let others = self.state.completed.iter().enumerate().filter(|&(rank, _)| rank != self.rank);
        self.state.completed_by_all = others.map(|(_, completed)| *completed).min().unwrap_or(round);
        Ok(())
    }

    /// Waits until `rank` has published its payload of a round.
    #[inline]
    fn wait_for_payload(&mut self, rank: Rank, round: Round) -> Result<()> {
        let place = self.layout.flag(rank, round.slot);
        let found = self.wait(rank, place, flag(round.number, 0))?;
        if found != flag(round.number, self.state.digest) {
            return Err(self.mismatch_or_garbage(rank));
        }
        self.state.completed[rank] = round.number - 1;
        Ok(())
    }

    /// Reads bytes of the payload of `rank`, which has `payload_bytes` in all, from `at` on, a multiple of 8.
    #[inline]
    pub(crate) fn read(
        &mut self,
        (rank, round): (Rank, Round),
        (payload_bytes, at): (usize, usize),
        into: &mut [u8],
    ) -> Result<()> {
        self.wait_for_payload(rank, round)?;
        let start = self.layout.payload(rank, round.slot, payload_bytes) + at / WORD_BYTES;
        self.words.read(rank, start, into)
    }

    /// Combines elements of the payload of `rank`, a lower rank, with `into`: `into = payload (op) into`. The place is that of
    /// [`read`](Self::read).
    #[inline]
    pub(crate) fn fold(
        &mut self,
        from: (Rank, Round),
        place: (usize, usize),
        operation: Operation,
        into: ViewMut<'_>,
    ) -> Result<()> {
        let (datatype, count) = (into.datatype(), into.count());
        let fits = |staging: &Block| staging.view().datatype() == datatype && staging.view().count() >= count;
        let staging = self.state.staging.take().filter(fits);
        let mut staging = staging.unwrap_or_else(|| Block::zeroed(datatype, count));
        let read = self.read(from, place, staging.view_mut().part(0, count).bytes());
        let folded = read.and_then(|()| operation.fold(staging.view().part(0, count), into));
        self.state.staging = Some(staging);
        folded
    }

    /// Ends a round: this rank reads nothing of it any more.
    #[inline]
    pub(crate) fn complete(&mut self, round: Round) -> Result<()> {
        self.words.publish(self.layout.acknowledgement(self.rank), round.number as i64)
    }

    #[inline]
    fn wait(&mut self, rank: Rank, place: usize, least: i64) -> Result<i64> {
        match self.words.spin(rank, place, least)? {
            Some(value) => Ok(value),
            None => self.wait_long(rank, place, least),
        }
    }

    #[cold]
    #[inline(never)]
    fn wait_long(&mut self, rank: Rank, place: usize, least: i64) -> Result<i64> {
        loop {
            for _ in 0..YIELDS_PER_LOOK {
                self.words.yield_core();
                let value = self.words.load(rank, place)?;
                if is_reached(value, least) {
                    return Ok(value);
                }
            }
            let has_left = self.words.load(rank, self.layout.has_left(rank))? != 0;
            if let Some(mismatch) = self.find_mismatch(rank)? {
                return Err(mismatch);
            }
            // It may have left after it has done what is awaited.
            let value = self.words.load(rank, place)?;
            if is_reached(value, least) {
                return Ok(value);
            }
            if has_left {
                return Err(Error::Peer { rank, what: collective::left_segment() });
            }
            (self.on_wait)(rank)?;
        }
    }

    /// The first of the last calls in which `rank` differs from this rank.
    fn find_mismatch(&mut self, rank: Rank) -> Result<Option<Error>> {
        let last = self.state.calls;
        for call in last.saturating_sub(KEPT_CALLS as u64 - 1).max(1)..=last {
            let places = [self.rank, rank].map(|rank| self.layout.record(rank, call as usize % KEPT_CALLS));
            let [own, other] = [self.words.load(self.rank, places[0])?, self.words.load(rank, places[1])?];
            if is_reached(other, flag(call, 0)) && !is_reached(other, flag(call + 1, 0)) && own != other {
                return self.describe_mismatch(rank, places).map(Some);
            }
        }
        Ok(None)
    }

    /// The error for a payload of another call.
    #[cold]
    fn mismatch_or_garbage(&mut self, rank: Rank) -> Error {
        match self.find_mismatch(rank) {
            Ok(Some(mismatch)) | Err(mismatch) => mismatch,
            Ok(None) => Error::Peer { rank, what: collective::other_calls() },
        }
    }

    fn describe_mismatch(&mut self, rank: Rank, places: [usize; 2]) -> Result<Error> {
        let mut calls = [None, None];
        for (call, (owner, place)) in calls.iter_mut().zip([(self.rank, places[0]), (rank, places[1])]) {
            let mut words = [0; RECORD_WORDS * WORD_BYTES];
            self.words.read(owner, place, &mut words)?;
            *call = Call::from_record(&words);
        }
        let [Some(own), Some(other)] = calls else {
            return Ok(Error::Peer { rank, what: collective::other_calls() });
        };
        let mismatch = own.find_mismatch(self.rank, &other, rank).unwrap_or_else(|| CollectiveMismatch {
            // Structs are not described in records, nor tables of counts.
            code: Code::CollectiveType,
            call: RankCall { rank: self.rank, site: own.site },
            description: collective::another_type(),
            earlier: RankCall { rank, site: other.site },
            earlier_description: collective::another_type(),
        });
        Ok(Error::Collective(Box::new(mismatch)))
    }
}

/// The payload of this rank in a round, while it is written.
pub(crate) struct Output<'s, 'a, W> {
    segment: &'s mut Segment<'a, W>,
    round: Round,
    start: usize,
}

impl<W: SegmentWords> Output<'_, '_, W> {
    /// Writes bytes of it from `at` on, a multiple of 8.
    #[inline]
    pub(crate) fn write(&mut self, at: usize, bytes: &[u8]) -> Result<()> {
        self.segment.words.write(self.start + at / WORD_BYTES, bytes)
    }

    /// Shows it to all ranks.
    #[inline]
    pub(crate) fn publish(self) -> Result<()> {
        let Self { segment, round, .. } = self;
        let place = segment.layout.flag(segment.rank, round.slot);
        segment.words.publish(place, flag(round.number, segment.state.digest))
    }
}
