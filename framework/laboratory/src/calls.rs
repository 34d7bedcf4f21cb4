//! Collective operations on data: their forms, and calls that all ranks start at one time.
//!
//! All forms of an operation and a length are visited next to each other. A visit is one call: every rank writes its data anew, all ranks agree on a
//! time of the common clock and wait for it, and the time from the last entry to the last exit counts. The data of the visit of a number are the
//! same for all forms, so their results must be equal on each rank; ranks report a hash of them.
use std::{
    cell::{Cell, RefCell},
    hint,
    rc::Rc,
    sync::atomic::{
        AtomicI64,
        Ordering::{Acquire, Relaxed, Release},
    },
    thread,
};

use wb_algorithms::{
    barriers::Substrate,
    collectives::{
        Algorithms, Broadcast, CollectiveContext, MESSAGE_ALGORITHMS, Member, MessageAlgorithm, SizedCall,
        broadcast,
        shared_memory::{self, SegmentLayout, SharedAlgorithm, SharedCollectives},
    },
};
use wb_comm::{
    Barrier, BorrowedBuffers, CollectiveKind, Collectives, Error, Result, SpinPolicy, Transport, Verb,
    ViewMut, Wire, text,
};
use wb_record::{BASELINE_FAMILY, Backend, BarrierForm, REFERENCE, REFERENCE_VERB};
use wb_runner::clock;

use crate::{
    bench::{BarrierBench, site},
    injected_faults,
    job::Visit,
    substrate::{BareHandshake, BuiltForm, no_form, one_host, plain_form},
    visit::ErasedBarrier,
};

/// The form that performs nothing: what a visit takes without an operation.
const START_AND_RETURN: &str = "start_and_return";

/// From the announcement of a start to the start.
const LEAD_NS: u64 = 4_000;

/// Polls of a wait for the announcement between two calls of the library, which lets it make progress for ranks that need that.
const POLLS: u32 = 1_000;

/// The distance of words that two ranks write: two cache lines.
const UNIT: usize = 16;

/// The most bytes of a rank's send buffer, and of its receive buffer.
const MAX_BUFFER: usize = 64 << 20;

/// The operations that can be measured.
pub(crate) fn verbs() -> Vec<&'static str> {
    MESSAGE_ALGORITHMS.iter().map(|algorithm| algorithm.verb.name()).collect()
}

/// The forms of these operations, all if there are none, with the references; of a named broadcast also all of the catalogue over messages.
pub(crate) fn forms(backend: Backend, ranks: usize, wanted: &[String], bytes: &[u64]) -> Vec<BarrierForm> {
    let call = |variant: &str, family: &str, substrate: Substrate, verb: &str, bytes: u64| BarrierForm {
        verb: Some(verb.into()),
        bytes: Some(bytes),
        ..plain_form(variant, family, substrate, backend)
    };
    let layout = if ranks == 2 { "packed" } else { "padded" };
    let references = [START_AND_RETURN, REFERENCE]
        .map(|name| call(name, "reference", Substrate::Cells, REFERENCE_VERB, 0));
    let mut forms: Vec<BarrierForm> =
        references.into_iter().filter(|form| ranks == 2 || form.variant != REFERENCE).collect();
    for algorithm in MESSAGE_ALGORITHMS {
        let name = algorithm.verb.name();
        let is_named = wanted.iter().any(|wanted| wanted == name);
        if !is_named && !wanted.is_empty() {
            continue;
        }
        let in_memory: Vec<_> = shared_memory::of_verb(algorithm.verb).collect();
        for &bytes in bytes {
            let of = |variant: &str, family, substrate| call(variant, family, substrate, name, bytes);
            let messages = |variant: &str| of(variant, "messages", Substrate::Messages);
            match backend {
                Backend::Threads => forms.push(of(algorithm.name, BASELINE_FAMILY, Substrate::Messages)),
                _ => {
                    forms.push(of(&format!("mpi_{name}"), BASELINE_FAMILY, Substrate::Mpi));
                    forms.push(messages(algorithm.name));
                }
            }
            forms.extend(in_memory.iter().map(|entry| BarrierForm {
                spacing: Some(layout.into()),
                ..of(entry.name, "shared_memory", Substrate::Cells)
            }));
            if algorithm.verb == Verb::Bcast {
                forms.extend(injected_faults::broadcasts().map(|fault| messages(fault.0)));
                let others =
                    broadcast::all().into_iter().filter(|entry| is_named && entry.name != algorithm.name);
                forms.extend(others.map(|entry| messages(entry.name)));
            }
        }
    }
    if wanted.is_empty() && backend == Backend::Mpi {
        let barrier = |variant, family, substrate| call(variant, family, substrate, Verb::Barrier.name(), 0);
        forms.push(barrier("mpi_barrier", BASELINE_FAMILY, Substrate::Mpi));
        forms.push(BarrierForm {
            spacing: Some(layout.into()),
            ..barrier("barrier_one_hop", "shared_memory", Substrate::Cells)
        });
    }
    forms
}

/// What all calls of a rank share: the memory of the algorithms, and the buffers, so that no form has better places than another.
pub(crate) struct CallBench<'g> {
    member: Member,
    channel: &'g dyn Transport,
    algorithms: Algorithms<'g>,
    library: Option<&'g dyn Collectives>,
    segment: &'g SharedCollectives,
    /// A word of each rank, and two for the start: memory of its own, so that a start prepares the code and the lines of no form.
    words: &'g [AtomicI64],
    starts: Cell<i64>,
    has_own_core: bool,
    doubles: Rc<RefCell<Buffers<f64>>>,
    floats: Rc<RefCell<Buffers<f32>>>,
}

/// The send buffer and the receive buffer.
type Buffers<T> = [Vec<T>; 2];

impl<'g> CallBench<'g> {
    /// Collective.
    fn of(bench: &BarrierBench<'g>) -> Result<Rc<Self>> {
        if let Some(calls) = bench.calls.get() {
            return Ok(Rc::clone(calls));
        }
        one_host(bench)?;
        let (channel, size) = (bench.duplicate()?, bench.group.size);
        let transport = bench.transport.dup(site())?;
        let segment =
            SharedCollectives::new(transport, SegmentLayout::for_ranks(size), bench.spin_policy, site())?;
        let calls = Rc::new(Self {
            member: Member { rank: bench.rank(), size },
            channel,
            algorithms: Algorithms(channel),
            library: channel.native_collectives(),
            segment: bench.arena.segments.alloc(segment),
            words: bench.cells((size + 1) * UNIT, 0)?,
            starts: Cell::new(0),
            has_own_core: bench.spin_policy == SpinPolicy::DEDICATED_CORE,
            doubles: Rc::default(),
            floats: Rc::default(),
        });
        Ok(Rc::clone(bench.calls.get_or_init(|| calls)))
    }

    /// All ranks are here, and start at this time.
    fn announce_start(&self) -> Result<u64> {
        let (number, Member { rank, size }) = (self.starts.get() + 1, self.member);
        self.starts.set(number);
        let (announced, start) = (&self.words[size * UNIT], &self.words[size * UNIT + 1]);
        if rank == 0 {
            (1..size).try_for_each(|other| self.wait_for(&self.words[other * UNIT], number))?;
            start.store((clock::now() + LEAD_NS) as i64, Relaxed);
            announced.store(number, Release);
        } else {
            self.words[rank * UNIT].store(number, Release);
            self.wait_for(announced, number)?;
        }
        Ok(start.load(Relaxed) as u64)
    }

    /// Waits until a word has this value.
    fn wait_for(&self, word: &AtomicI64, value: i64) -> Result<()> {
        let mut polls = 0;
        while word.load(Acquire) != value {
            polls += 1;
            if polls % POLLS == 0 {
                self.channel.make_progress(site())?;
            }
            self.pause();
        }
        Ok(())
    }

    fn wait_until(&self, start: u64) {
        while clock::now() < start {
            self.pause();
        }
    }

    fn pause(&self) {
        if self.has_own_core { hint::spin_loop() } else { thread::yield_now() }
    }
}

/// How a call is performed.
enum Way<'g> {
    Nothing,
    Handshake(BareHandshake<'g>),
    Library(&'g dyn Collectives),
    Messages,
    Broadcast(&'static Broadcast),
    SharedMemory(&'static SharedAlgorithm),
    Injected(fn(&dyn Transport, ViewMut<'_>) -> Result<()>),
}

impl Way<'_> {
    fn run(
        &mut self,
        bench: &CallBench<'_>,
        kind: CollectiveKind<'_>,
        buffers: BorrowedBuffers<'_>,
    ) -> Result<()> {
        match self {
            Self::Nothing => Ok(()),
            Self::Handshake(handshake) => handshake.wait(),
            Self::Library(library) => library.run(kind, buffers, site()),
            Self::Messages => bench.algorithms.run(kind, buffers, site()),
            Self::Broadcast(broadcast) => {
                let context = CollectiveContext::new(bench.channel, Verb::Bcast, site());
                let segment = broadcast::default_segment(buffers.recv.datatype().size());
                broadcast.run(&context, buffers.recv, 0, segment)
            }
            Self::SharedMemory(algorithm) => bench.segment.run(algorithm, kind, buffers, site()),
            Self::Injected(fault) => fault(bench.channel, buffers.recv),
        }
    }
}

/// An element of data: small whole numbers are exact, in any order of sums.
trait Element: Wire {
    fn from_number(number: u16) -> Self;
    fn bits(self) -> u64;
}

impl Element for f64 {
    fn from_number(number: u16) -> Self {
        number.into()
    }
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

impl Element for f32 {
    fn from_number(number: u16) -> Self {
        number.into()
    }
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

/// An operation of one length, performed in one way.
struct Call<'g, T> {
    way: Way<'g>,
    bench: Rc<CallBench<'g>>,
    kind: CollectiveKind<'static>,
    buffers: Rc<RefCell<Buffers<T>>>,
    /// The elements of the send buffer and of the receive buffer.
    counts: [usize; 2],
    /// Visits until now.
    visits: usize,
}

impl<T: Element> ErasedBarrier for Call<'_, T> {
    fn batch(&mut self, episodes: u64) -> Result<(u64, u64)> {
        let start = clock::now();
        (0..episodes).try_for_each(|_| self.visit(1, 0).map(drop))?;
        self.visits = 0;
        Ok((start, clock::now() - start))
    }

    fn record_episodes(&mut self, _: &mut Vec<(u64, u64)>) -> Result<()> {
        Ok(())
    }

    fn visit(&mut self, _: u64, _: usize) -> Result<Visit> {
        let mut buffers = self.buffers.borrow_mut();
        let [send, recv] = &mut *buffers;
        let (send, recv) = (&mut send[..self.counts[0]], &mut recv[..self.counts[1]]);
        let first = self.visits % 1000 + self.bench.member.rank;
        for buffer in [&mut *send, &mut *recv] {
            buffer
                .iter_mut()
                .zip((0..100).cycle())
                .for_each(|(element, at)| *element = T::from_number((first + at) as u16));
        }
        self.visits += 1;
        let mut stamps = Vec::with_capacity(1);
        let start_ns = self.bench.announce_start()?;
        self.bench.wait_until(start_ns);
        let entry = clock::now();
        let done = self.way.run(&self.bench, self.kind, BorrowedBuffers::new(send, recv));
        let exit = clock::now();
        done?;
        stamps.push((entry, exit));
        let result = recv.iter().fold(0, |hash, element| mix(hash, element.bits()));
        Ok(Visit { start_ns, batch_ns: exit - entry, stamps, result })
    }
}

/// A step of the hash of a result: a rotation and a multiplication by an odd number, each a bijection of the state.
fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(25) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Collective: builds one form.
pub(crate) fn build<'g>(form: &BarrierForm, bench: &BarrierBench<'g>) -> BuiltForm<'g> {
    let calls = CallBench::of(bench)?;
    let (name, bytes) = (form.verb.as_deref().unwrap_or_default(), form.bytes.unwrap_or_default() as usize);
    let (kind, blocks) = match Verb::from_name(name).and_then(|verb| SizedCall::new(verb, calls.member)) {
        Some(SizedCall { kind, send_blocks, recv_blocks }) => (kind, [send_blocks, recv_blocks]),
        None => (CollectiveKind::Barrier, [0, 0]),
    };
    // All ranks decide the same: the most blocks that a rank of any operation has.
    if bytes * calls.member.size > MAX_BUFFER
        && largest_blocks(kind.verb(), calls.member.size) * bytes > MAX_BUFFER
    {
        return Err(Error::Setup(text::collective::too_large_to_measure(bytes, MAX_BUFFER)));
    }
    let way = way(form, kind, &calls, bench)?;
    let (bench, visits) = (calls, 0);
    Ok(match bytes % size_of::<f64>() {
        0 => {
            let buffers = allocated(&bench.doubles, blocks.map(|blocks| blocks * bytes));
            Box::new(Call { way, kind, counts: buffers.1, buffers: buffers.0, bench, visits })
        }
        _ => {
            let buffers = allocated(&bench.floats, blocks.map(|blocks| blocks * bytes));
            Box::new(Call { way, kind, counts: buffers.1, buffers: buffers.0, bench, visits })
        }
    })
}

/// The most blocks of a buffer of any rank.
fn largest_blocks(verb: Verb, size: usize) -> usize {
    let of = |rank| {
        SizedCall::new(verb, Member { rank, size }).map_or(0, |call| call.send_blocks.max(call.recv_blocks))
    };
    (0..size).map(of).max().unwrap_or(0)
}

/// The shared buffers with room for this many bytes, and the counts of elements.
fn allocated<T: Element>(
    buffers: &Rc<RefCell<Buffers<T>>>,
    bytes: [usize; 2],
) -> (Rc<RefCell<Buffers<T>>>, [usize; 2]) {
    let counts = bytes.map(|bytes| bytes / size_of::<T>());
    for (buffer, count) in buffers.borrow_mut().iter_mut().zip(counts) {
        buffer.resize(buffer.len().max(count), T::from_number(0));
    }
    (Rc::clone(buffers), counts)
}

fn way<'g>(
    form: &BarrierForm,
    kind: CollectiveKind<'_>,
    calls: &CallBench<'g>,
    bench: &BarrierBench<'g>,
) -> Result<Way<'g>> {
    let variant = form.variant.as_str();
    if variant == START_AND_RETURN {
        return Ok(Way::Nothing);
    }
    if variant == REFERENCE {
        return BareHandshake::new(bench).map(Way::Handshake);
    }
    if form.substrate == Substrate::Mpi.name() {
        return calls.library.map(Way::Library).ok_or_else(|| no_form(form));
    }
    if form.substrate == Substrate::Cells.name() {
        return shared_memory::find(variant).map(Way::SharedMemory);
    }
    if let Some((_, fault)) = injected_faults::broadcasts().find(|(name, _)| *name == variant) {
        return Ok(Way::Injected(fault));
    }
    match MessageAlgorithm::of(kind.verb()).filter(|algorithm| algorithm.name == variant) {
        Some(_) => Ok(Way::Messages),
        None => broadcast::find(variant).map(Way::Broadcast),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_a_baseline_in_each_job_and_a_way_in_shared_memory() {
        for backend in [Backend::Mpi, Backend::Threads] {
            let forms = forms(backend, 2, &[], &[8, 64]);
            for verb in verbs() {
                let of_verb: Vec<_> =
                    forms.iter().filter(|form| form.verb.as_deref() == Some(verb)).collect();
                assert_eq!(of_verb.iter().filter(|form| form.is_baseline()).count(), 2, "{verb}");
                assert!(of_verb.iter().any(|form| form.family == "shared_memory"), "{verb}");
            }
        }
        let count = |wanted: &[String]| forms(Backend::Mpi, 2, wanted, &[8]).len();
        assert!(count(&["bcast".to_owned()]) > 15, "all broadcasts over messages");
        assert_eq!(forms(Backend::Mpi, 3, &["scan".to_owned()], &[8]).len(), 4, "no handshake of three");
    }

    #[test]
    fn an_element_in_another_place_is_another_result() {
        let hash = |words: &[u64]| words.iter().fold(0, |hash, word| mix(hash, *word));
        assert_ne!(hash(&[1, 2, 3]), hash(&[2, 1, 3]));
        assert_ne!(hash(&[1, 2]), hash(&[1, 2, 0]));
    }
}
