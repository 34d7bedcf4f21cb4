//! What every rank of a job does, written down once: eight bytes an operation.
use rustc_hash::FxHashMap;
use wb_comm::{Dictation, Label, Rank, Result, Transport};

use super::recorder::Recorder;

/// See the module.
///
/// ```
/// use wb_comm::{Label, Op, Site, Source, Verb, View, ViewMut};
/// use wb_sim::plan::Recording;
///
/// // Everybody tells its right neighbour.
/// let ring = Recording::of(4, |transport| {
///     let (rank, size) = (transport.rank(), transport.size());
///     let (left, right) = ((rank + size - 1) % size, (rank + 1) % size);
///     let label = Label::internal(0);
///     let send = Op::Send { to: right, label, data: View::of::<u8>(&[]), synchronous: false };
///     let data = ViewMut::of::<u8>(&mut []);
///     let recv = Op::Recv { from: Source::Rank(left), label: label.into(), data, status: None };
///     transport.round(&mut [send, recv], Site::here(Verb::Sendrecv))
/// })?;
/// assert_eq!((ring.size(), ring.messages()), (4, 4));
/// # Ok::<(), wb_comm::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recording {
    pub(super) ops: Vec<Op>,
    /// Rank r's operations are `ops[starts[r]..starts[r + 1]]`.
    pub(super) starts: Vec<usize>,
    pub(super) classes: Vec<Class>,
    messages: usize,
    bytes: usize,
    /// How often each rank does the same, one after the other.
    times: usize,
}

/// One operation: with whom, and what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Op {
    pub(super) peer: u32,
    /// Its number among the classes.
    pub(super) class: u32,
}

/// All that operations have in common that differ in the peer only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Class {
    pub(super) kind: Kind,
    pub(super) label: Label,
    /// Is it the first of its round?
    pub(super) opens: bool,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A message of so many bytes goes out.
    Send {
        /// Its size.
        bytes: usize,
        /// Is it over only when it is received (`MPI_Ssend`)?
        synchronous: bool,
    },
    /// A message comes in.
    Recv {
        /// The most bytes that it may have.
        room: usize,
    },
}

/// One operation, spelt out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The other rank.
    pub peer: Rank,
    /// What is done.
    pub kind: Kind,
    /// Under which name.
    pub label: Label,
}

impl Recording {
    /// Of what `program` does as each of `size` ranks, on a transport that answers at once and brings no data.
    ///
    /// # Errors
    /// What the program returns; [`wb_comm::Error::Setup`] where it does what depends on more than the rank and the size:
    /// receives from anybody, probes, tests.
    ///
    /// # Panics
    /// For 2^32 ranks and more.
    pub fn of(size: usize, mut program: impl FnMut(&dyn Transport) -> Result<()>) -> Result<Self> {
        assert!(u32::try_from(size).is_ok(), "{size} ranks");
        let recorder = Dictation(Recorder::new(size));
        for rank in 0..size {
            recorder.0.enter(rank);
            program(&recorder)?;
        }
        Ok(recorder.0.finish())
    }

    /// How many ranks take part.
    pub fn size(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many messages all ranks send.
    pub fn messages(&self) -> usize {
        self.messages
    }

    /// How many bytes all ranks send.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The same, done so often by every rank, each time as soon as it is through with the time before.
    #[must_use]
    pub fn repeated(&self, times: usize) -> Self {
        let mut repeated = Self {
            ops: Vec::with_capacity(times * self.ops.len()),
            starts: Vec::with_capacity(self.starts.len()),
            classes: self.classes.clone(),
            messages: times * self.messages,
            bytes: times * self.bytes,
            times: times * self.times,
        };
        for rank in self.starts.windows(2) {
            repeated.starts.push(repeated.ops.len());
            (0..times).for_each(|_| repeated.ops.extend_from_slice(&self.ops[rank[0]..rank[1]]));
        }
        repeated.starts.push(repeated.ops.len());
        repeated
    }

    /// Is `op` where `rank` begins with its last repetition?
    pub(super) fn begins_last(&self, rank: Rank, op: usize) -> bool {
        let (start, end) = (self.starts[rank], self.starts[rank + 1]);
        self.times > 1 && op == end - (end - start) / self.times
    }

    /// The rounds of one rank.
    pub fn rounds(&self, rank: Rank) -> Vec<Vec<Operation>> {
        let mut rounds: Vec<Vec<Operation>> = vec![];
        for op in &self.ops[self.starts[rank]..self.starts[rank + 1]] {
            let Class { kind, label, opens } = self.classes[op.class as usize];
            let operation = Operation { peer: op.peer as usize, kind, label };
            match rounds.last_mut().filter(|_| !opens) {
                Some(round) => round.push(operation),
                None => rounds.push(vec![operation]),
            }
        }
        rounds
    }

    pub(super) fn class(&self, op: usize) -> &Class {
        &self.classes[self.ops[op].class as usize]
    }

    pub(super) fn peer(&self, op: usize) -> Rank {
        self.ops[op].peer as usize
    }

    /// The end of the round that begins at `start`, for a rank whose operations end at `end`.
    pub(super) fn round_end(&self, start: usize, end: usize) -> usize {
        (start + 1..end).find(|op| self.class(*op).opens).unwrap_or(end)
    }
}

/// A recording that grows.
#[derive(Debug)]
pub(super) struct Growing {
    recording: Recording,
    numbers: FxHashMap<Class, u32>,
}

impl Growing {
    pub(super) fn new() -> Self {
        let recording =
            Recording { ops: vec![], starts: vec![], classes: vec![], messages: 0, bytes: 0, times: 1 };
        Self { recording, numbers: FxHashMap::default() }
    }

    /// The next rank's operations begin here.
    pub(super) fn next_rank(&mut self) {
        self.recording.starts.push(self.recording.ops.len());
    }

    pub(super) fn push(&mut self, Operation { peer, kind, label }: Operation, opens: bool) {
        if let Kind::Send { bytes, .. } = kind {
            self.recording.messages += 1;
            self.recording.bytes += bytes;
        }
        let classes = &mut self.recording.classes;
        let class = Class { kind, label, opens };
        let number = *self.numbers.entry(class).or_insert_with(|| {
            classes.push(class);
            u32::try_from(classes.len() - 1).expect("fewer classes than operations of a rank")
        });
        self.recording.ops.push(Op { peer: peer as u32, class: number });
    }

    pub(super) fn finish(mut self) -> Recording {
        self.next_rank();
        self.recording.ops.shrink_to_fit();
        self.recording
    }
}
