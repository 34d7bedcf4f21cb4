//! The algorithms that play: what a page says of them, and their programs, recorded as rounds of operations.
use std::{cell::RefCell, ops::Range};

use wb_algorithms::{
    barriers::{
        BarrierEntry, Family, GroupConfig,
        adapters::MessageBarrier,
        catalogue,
        proof::{self, Counterexample, ProofResult, prove_all_sizes},
    },
    collectives::{
        Broadcast, CollectiveContext, MESSAGE_ALGORITHMS, Member, MessageAlgorithm, SizedCall, broadcast,
        schedule,
    },
};
use wb_comm::{
    Barrier, BorrowedBuffers, CallSite, Op, OpSink, Rank, RecordingTransport, Result, Source, Text,
    Transport, Verb, ViewMut, recording_transport::not_recordable,
};

/// Ranks of a node, for barriers that look at nodes.
pub const RANKS_PER_NODE: usize = 4;

/// The largest number of ranks at which a counterexample of a wrong barrier is looked for.
const MAX_COUNTEREXAMPLE: usize = 9;

/// One operation of a rank.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PlanOp {
    /// `>` a send, `!` a synchronous send, `<` a receive.
    pub(super) kind: char,
    pub(super) peer: Rank,
    pub(super) tag: i32,
    pub(super) elements: Range<usize>,
}

/// The rounds of a rank.
pub(super) type RankPlan = Vec<Vec<PlanOp>>;

/// An algorithm with a page.
#[derive(Clone)]
pub struct PlayedAlgorithm {
    /// The operation: `barrier`, `bcast`, ...
    pub operation: &'static str,
    /// Its name in its catalogue.
    pub name: &'static str,
    /// One line of description.
    pub summary: Text<&'static str>,
    /// Paper, library or document.
    pub source: &'static str,
    /// The folder of its file in `framework/algorithms/src`.
    pub folder: String,
    /// Whether it has a root.
    pub has_root: bool,
    /// Whether it looks at the nodes of ranks.
    pub has_nodes: bool,
    /// Whether it is a barrier that must be refuted.
    pub is_wrong: bool,
    /// Of a wrong barrier.
    pub counterexample: Option<Counterexample>,
    pub(super) program: Program,
}

/// The row of the catalogue that an algorithm is from.
#[derive(Clone, Copy)]
pub(super) enum Program {
    Barrier(&'static BarrierEntry),
    Broadcast(&'static Broadcast),
    Collective(&'static MessageAlgorithm),
}

/// A call: its ranks, root, length and segments.
#[derive(Clone, Copy, Debug)]
pub struct PlayedCall {
    /// Ranks.
    pub size: usize,
    /// The root, where there is one.
    pub root: Rank,
    /// Bytes of the data or of a block; a barrier has none.
    pub bytes: usize,
    /// Bytes of a segment, at least 1.
    pub segment: usize,
}

/// All algorithms with plans, barriers first, then wrong barriers, broadcasts and the other collective operations.
pub fn all() -> Vec<PlayedAlgorithm> {
    let barriers = catalogue::all().into_iter().chain(catalogue::wrong()).filter_map(played_barrier);
    let broadcasts = broadcast::all().into_iter().map(|entry| {
        let program = Program::Broadcast(entry);
        played(program, Verb::Bcast, "broadcast/catalogue", (entry.name, entry.summary, entry.source))
    });
    let others = MESSAGE_ALGORITHMS.iter().filter(|algorithm| algorithm.verb != Verb::Bcast).map(|entry| {
        let texts = (entry.name, entry.summary, entry.source);
        played(Program::Collective(entry), entry.verb, entry.folder(), texts)
    });
    barriers.chain(broadcasts).chain(others).collect()
}

/// The barriers without a plan, wrong ones included.
pub fn without_plan() -> Vec<&'static BarrierEntry> {
    let all = catalogue::all().into_iter().chain(catalogue::wrong());
    all.filter(|entry| entry.plans(&GroupConfig::new(2)).is_none()).collect()
}

type CatalogueRow = (&'static str, Text<&'static str>, &'static str);

fn played(
    program: Program,
    verb: Verb,
    folder: &str,
    (name, summary, source): CatalogueRow,
) -> PlayedAlgorithm {
    PlayedAlgorithm {
        operation: verb.name(),
        name,
        summary,
        source,
        folder: format!("collectives/{folder}"),
        has_root: match program {
            Program::Barrier(_) => false,
            Program::Broadcast(_) => true,
            Program::Collective(entry) => entry.has_root(),
        },
        has_nodes: false,
        is_wrong: false,
        counterexample: None,
        program,
    }
}

/// A barrier; `None` for one without a plan.
fn played_barrier(entry: &'static BarrierEntry) -> Option<PlayedAlgorithm> {
    let proof = prove_all_sizes(entry, MAX_COUNTEREXAMPLE, None)?;
    let row = (entry.name, entry.summary, entry.source);
    Some(PlayedAlgorithm {
        folder: "barriers/catalogue".to_owned(),
        has_nodes: entry.family == Family::Hierarchical,
        is_wrong: entry.family == Family::Wrong,
        counterexample: match proof {
            ProofResult::Refuted(counterexample) => Some(counterexample),
            _ => None,
        },
        ..played(Program::Barrier(entry), Verb::Barrier, "", row)
    })
}

impl PlayedAlgorithm {
    /// The name of its page and of its file of plans.
    pub fn id(&self) -> String {
        format!("{}-{}", self.operation, self.name)
    }

    /// The group of a barrier: nodes of [`RANKS_PER_NODE`] where it looks at them, and those of the counterexample.
    fn group(&self, size: usize) -> GroupConfig {
        match &self.counterexample {
            Some(Counterexample { group, .. }) if group.size == size => group.clone(),
            _ if self.has_nodes => GroupConfig {
                nodes: (0..size).map(|rank| rank / RANKS_PER_NODE).collect(),
                ..GroupConfig::new(size)
            },
            _ => GroupConfig::new(size),
        }
    }

    /// Whether its plans end, and name ranks that exist.
    pub fn can_play(&self, size: usize) -> bool {
        match self.program {
            Program::Barrier(entry) if self.is_wrong => {
                let plans = entry.plans(&self.group(size)).and_then(Result::ok);
                plans.is_some_and(|plans| proof::schedule(&plans).is_ok())
            }
            _ => true,
        }
    }

    /// Runs one rank of a call. `data` is as long as the call says; a broadcast sends and receives it, a barrier ignores it.
    ///
    /// # Errors
    /// Where the algorithm is not defined for the number of ranks; the errors of the transport.
    pub fn run(&self, transport: &dyn Transport, call: PlayedCall, data: &mut [u8]) -> Result<()> {
        match self.program {
            Program::Barrier(entry) => {
                let plan =
                    entry.plan(transport.rank(), &self.group(call.size)).expect("only patterns play")?;
                MessageBarrier::new(&plan, transport, CallSite::caller(Verb::Barrier)).wait()
            }
            Program::Broadcast(entry) => {
                let context = CollectiveContext::new(transport, Verb::Bcast, CallSite::caller(Verb::Bcast));
                entry.run(&context, ViewMut::from_slice(data), call.root, call.segment)
            }
            Program::Collective(entry) => {
                let member = Member::of(transport);
                let sized =
                    SizedCall::with_root(entry.verb, member, call.root).expect("blocks of one length");
                let buffer = |blocks: usize| vec![0_u8; blocks * call.bytes];
                let (send, mut recv) = (buffer(sized.send_blocks), buffer(sized.recv_blocks));
                let rounds = schedule(sized.kind, member, send.len(), recv.len());
                let context = CollectiveContext::new(transport, entry.verb, CallSite::caller(entry.verb));
                context.run(&rounds, BorrowedBuffers::new(&send, &mut recv))
            }
        }
    }

    /// The rounds of every rank, in bytes.
    pub(super) fn plan(&self, call: PlayedCall) -> Result<Vec<RankPlan>> {
        let rank_plan = |rank| {
            let mut data = vec![0; call.bytes];
            let rounds = RefCell::default();
            let place = data.as_ptr() as usize..data.as_ptr() as usize + data.len();
            let recorder = PlanRecorder { rank, size: call.size, data: place, rounds };
            let recorder = RecordingTransport(recorder);
            self.run(&recorder, call, &mut data).map(|()| recorder.0.rounds.into_inner())
        };
        (0..call.size).map(rank_plan).collect()
    }
}

/// Records the rounds of one rank.
struct PlanRecorder {
    rank: Rank,
    size: usize,
    /// The addresses of the data of a broadcast.
    data: Range<usize>,
    rounds: RefCell<RankPlan>,
}

impl PlanRecorder {
    fn op(&self, op: &Op<'_>) -> Result<PlanOp> {
        let (kind, peer, tag, view) = match op {
            Op::Send { to, tag, data, mode } => {
                (if mode.is_synchronous() { '!' } else { '>' }, *to, tag.tag, *data)
            }
            Op::Recv { from: Source::Rank(from), tag, data, .. } => {
                ('<', *from, tag.tag.unwrap_or(0), data.as_view())
            }
            _ => return Err(not_recordable(wb_comm::text::setup::receive_from_any())),
        };
        let address = view.bytes().as_ptr() as usize;
        // Of other operations the buffers do not matter, only the lengths of the messages.
        let start = if self.data.contains(&address) { address - self.data.start } else { 0 };
        Ok(PlanOp { kind, peer, tag, elements: start..start + view.count() })
    }
}

impl OpSink for PlanRecorder {
    fn rank(&self) -> Rank {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn name(&self) -> &'static str {
        "plan"
    }

    fn record(&self, ops: &[Op<'_>]) -> Result<()> {
        let round = ops.iter().map(|op| self.op(op)).collect::<Result<_>>()?;
        self.rounds.borrow_mut().push(round);
        Ok(())
    }
}
