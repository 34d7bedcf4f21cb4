//! What every rank of a job does, recorded once: eight bytes an operation, and once for all ranks that do the same.
use rustc_hash::FxHashMap;
use wb_comm::{Dictation, Label, Rank, Result, Transport};

use super::{
    recorder::Recorder,
    text::{self, Op, Program, Texts},
};

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
    texts: Texts,
    classes: Vec<Class>,
    messages: usize,
    bytes: usize,
    /// How often each rank does the same, one after the other.
    times: usize,
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
            recorder.0.leave();
        }
        Ok(recorder.0.finish())
    }

    /// How many ranks take part.
    pub fn size(&self) -> usize {
        self.texts.ranks()
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
        Self {
            texts: self.texts.repeated(times),
            classes: self.classes.clone(),
            messages: times * self.messages,
            bytes: times * self.bytes,
            times: times * self.times,
        }
    }

    /// Is `op` where a program begins with its last repetition?
    pub(super) fn begins_last(&self, program: &Program<'_>, op: usize) -> bool {
        self.times > 1 && op == program.len() - program.len() / self.times
    }

    /// The rounds of one rank.
    pub fn rounds(&self, rank: Rank) -> Vec<Vec<Operation>> {
        let mut rounds: Vec<Vec<Operation>> = vec![];
        let program = self.program(rank);
        for op in 0..program.len() {
            let Class { kind, label, opens } = *self.class(&program, op);
            let operation = Operation { peer: program.peer(op), kind, label };
            match rounds.last_mut().filter(|_| !opens) {
                Some(round) => round.push(operation),
                None => rounds.push(vec![operation]),
            }
        }
        rounds
    }

    /// How many slots the operations of the first so many ranks take.
    pub(super) fn slots(&self, ranks: usize) -> usize {
        self.texts.slots(ranks)
    }

    /// Is the program of `rank` known to be that of `other` moved by the shift from one to the other?
    pub(super) fn is_shared(&self, rank: Rank, other: Rank, by_xor: bool) -> bool {
        self.texts.is_shared(rank, other, by_xor)
    }

    pub(super) fn program(&self, rank: Rank) -> Program<'_> {
        self.texts.program(rank)
    }

    /// What an operation has in common with others of its class.
    pub(super) fn class(&self, program: &Program<'_>, op: usize) -> &Class {
        &self.classes[program.class(op)]
    }

    pub(super) fn class_of(&self, number: usize) -> &Class {
        &self.classes[number]
    }

    /// The end of the round of a program that begins at `start`.
    pub(super) fn round_end(&self, program: &Program<'_>, start: usize) -> usize {
        let end = program.len();
        (start + 1..end).find(|op| self.class(program, *op).opens).unwrap_or(end)
    }
}

/// A recording that grows.
#[derive(Debug)]
pub(super) struct Growing {
    texts: text::Growing,
    classes: Vec<Class>,
    numbers: FxHashMap<Class, u32>,
    messages: usize,
    bytes: usize,
}

impl Growing {
    pub(super) fn new(size: usize) -> Self {
        let texts = text::Growing::new(size);
        Self { texts, classes: vec![], numbers: FxHashMap::default(), messages: 0, bytes: 0 }
    }

    /// The operations of the next rank are at their end.
    pub(super) fn end_rank(&mut self) {
        self.texts.end_rank();
    }

    pub(super) fn push(&mut self, Operation { peer, kind, label }: Operation, opens: bool) {
        if let Kind::Send { bytes, .. } = kind {
            self.messages += 1;
            self.bytes += bytes;
        }
        let class = self.number(Class { kind, label, opens });
        self.texts.push(Op { peer: peer as u32, class });
    }

    /// The number of a class; mostly the one that another rank had in the same place.
    fn number(&mut self, class: Class) -> u32 {
        if let Some(number) = self.texts.expected().filter(|number| self.classes[*number as usize] == class) {
            return number;
        }
        *self.numbers.entry(class).or_insert_with(|| {
            self.classes.push(class);
            u32::try_from(self.classes.len() - 1).expect("fewer classes than operations of a rank")
        })
    }

    pub(super) fn finish(self) -> Recording {
        let Self { texts, classes, messages, bytes, .. } = self;
        Recording { texts: texts.finish(), classes, messages, bytes, times: 1 }
    }
}
