//! The operations of every rank of a job, recorded once: eight bytes for each, stored once for all ranks that do the
//! same.
use rustc_hash::FxHashMap;
use wb_comm::{MessageTag, Rank};

use super::program_store::{self, ProgramStore, StoredOp, StoredProgram};

/// A recording of all ranks; see the module.
///
/// ```
/// use wb_comm::{MessageTag, Op, CallSite, SendMode, Source, Verb, View, ViewMut};
/// use wb_local::sim::max_plus::Recording;
///
/// // Every rank sends to its right neighbour.
/// let ring = Recording::from_program(4, |transport| {
///     let (rank, size) = (transport.rank(), transport.size());
///     let (left, right) = ((rank + size - 1) % size, (rank + 1) % size);
///     let tag = MessageTag::internal(0);
///     let send = Op::Send { to: right, tag, data: View::from_slice::<u8>(&[]), mode: SendMode::Standard };
///     let data = ViewMut::from_slice::<u8>(&mut []);
///     let recv = Op::Recv { from: Source::Rank(left), tag: tag.into(), data, status: None };
///     transport.post_and_wait(&mut [send, recv], CallSite::caller(Verb::Sendrecv))
/// })?;
/// assert_eq!((ring.size(), ring.messages()), (4, 4));
/// # Ok::<(), wb_comm::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recording {
    programs: ProgramStore,
    classes: Vec<OpClass>,
    messages: usize,
    bytes: usize,
    /// How often each rank repeats its program.
    repetitions: usize,
}

/// The properties of operations that differ only in the peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct OpClass {
    pub(super) kind: RecordedOpKind,
    pub(super) tag: MessageTag,
    /// Whether it is the first of its round.
    pub(super) starts_round: bool,
}

/// The kind of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordedOpKind {
    /// A message is sent.
    Send {
        /// The size of the message in bytes.
        bytes: usize,
        /// Whether it completes only when it is received (`MPI_Ssend`).
        synchronous: bool,
    },
    /// A message is received.
    Recv {
        /// The size of the buffer in bytes.
        capacity: usize,
    },
}

/// One operation, decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedOperation {
    /// The other rank.
    pub peer: Rank,
    /// The kind of the operation.
    pub kind: RecordedOpKind,
    /// The tag of the operation.
    pub tag: MessageTag,
}

impl Recording {
    /// The number of ranks.
    pub fn size(&self) -> usize {
        self.programs.ranks()
    }

    /// The number of messages of all ranks.
    pub fn messages(&self) -> usize {
        self.messages
    }

    /// The number of bytes that all ranks send.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The recording with every program repeated, each repetition directly after the one before.
    #[must_use]
    pub fn repeated(&self, times: usize) -> Self {
        Self {
            programs: self.programs.repeated(times),
            classes: self.classes.clone(),
            messages: times * self.messages,
            bytes: times * self.bytes,
            repetitions: times * self.repetitions,
        }
    }

    /// Whether `op` is the first operation of the program's last repetition.
    pub(super) fn starts_last_repetition(&self, program: &StoredProgram<'_>, op: usize) -> bool {
        self.repetitions > 1 && op == program.len() - program.len() / self.repetitions
    }

    /// The rounds of one rank.
    pub fn rounds(&self, rank: Rank) -> Vec<Vec<RecordedOperation>> {
        let mut rounds: Vec<Vec<RecordedOperation>> = vec![];
        let program = self.program(rank);
        for op in 0..program.len() {
            let OpClass { kind, tag, starts_round: opens } = *self.class(&program, op);
            let operation = RecordedOperation { peer: program.peer(op), kind, tag };
            match rounds.last_mut().filter(|_| !opens) {
                Some(round) => round.push(operation),
                None => rounds.push(vec![operation]),
            }
        }
        rounds
    }

    /// The number of slots of the first `ranks` ranks.
    pub(super) fn slots(&self, ranks: usize) -> usize {
        self.programs.slots(ranks)
    }

    /// Whether the program of `rank` is known to be that of `other` moved by the shift from one to the other.
    pub(super) fn is_shared(&self, rank: Rank, other: Rank, by_xor: bool) -> bool {
        self.programs.is_shared(rank, other, by_xor)
    }

    pub(super) fn program(&self, rank: Rank) -> StoredProgram<'_> {
        self.programs.program(rank)
    }

    /// The class of an operation.
    pub(super) fn class(&self, program: &StoredProgram<'_>, op: usize) -> &OpClass {
        &self.classes[program.class(op)]
    }

    pub(super) fn class_of(&self, number: usize) -> &OpClass {
        &self.classes[number]
    }

    /// The end of the round of a program that begins at `start`.
    pub(super) fn round_end(&self, program: &StoredProgram<'_>, start: usize) -> usize {
        let end = program.len();
        (start + 1..end).find(|op| self.class(program, *op).starts_round).unwrap_or(end)
    }
}

/// A builder of a recording.
#[derive(Debug)]
pub(super) struct RecordingBuilder {
    programs: program_store::ProgramStoreBuilder,
    classes: Vec<OpClass>,
    numbers: FxHashMap<OpClass, u32>,
    messages: usize,
    bytes: usize,
}

impl RecordingBuilder {
    pub(super) fn new(size: usize) -> Self {
        let texts = program_store::ProgramStoreBuilder::new(size);
        Self { programs: texts, classes: vec![], numbers: FxHashMap::default(), messages: 0, bytes: 0 }
    }

    /// Ends the operations of the next rank.
    pub(super) fn end_rank(&mut self) {
        self.programs.end_rank();
    }

    pub(super) fn push(&mut self, RecordedOperation { peer, kind, tag }: RecordedOperation, opens: bool) {
        if let RecordedOpKind::Send { bytes, .. } = kind {
            self.messages += 1;
            self.bytes += bytes;
        }
        let class = self.number(OpClass { kind, tag, starts_round: opens });
        self.programs.push(StoredOp { peer: peer as u32, class });
    }

    /// The number of a class; mostly the one that another rank had at the same position.
    fn number(&mut self, class: OpClass) -> u32 {
        if let Some(number) =
            self.programs.expected_class().filter(|number| self.classes[*number as usize] == class)
        {
            return number;
        }
        *self.numbers.entry(class).or_insert_with(|| {
            self.classes.push(class);
            u32::try_from(self.classes.len() - 1).expect("fewer classes than operations of a rank")
        })
    }

    pub(super) fn finish(self) -> Recording {
        let Self { programs: texts, classes, messages, bytes, .. } = self;
        Recording { programs: texts.finish(), classes, messages, bytes, repetitions: 1 }
    }
}
