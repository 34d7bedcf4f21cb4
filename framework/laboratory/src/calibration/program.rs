//! The programs that are both timed and simulated, from one text.
use serde::{Deserialize, Serialize};
use wb_algorithms::{
    barriers::{Family, GroupConfig, Implementation, adapters::MessageBarrier, catalogue},
    collectives::{Broadcast, CollectiveContext, broadcast},
};
use wb_comm::{
    Barrier, CallSite, Error, MessageTag, Op, Result, SendMode, Source, Transport, Verb, View, ViewMut,
};
use wb_local::sim::{
    Machine,
    max_plus::{ArrivalPattern, MaxPlusRun, Noise, Recording},
};

/// The number of simulated episodes, and how many of them precede the counted ones.
const EPISODES: (u32, usize) = (16, 4);

/// Sizes of messages between the two ranks, bytes: dense enough that each change of a library's copying method is
/// visible in two sizes.
pub(super) const SIZES: [usize; 28] = [
    0, 1, 8, 64, 128, 256, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12_288, 16_384, 24_576,
    32_768, 49_152, 65_536, 98_304, 131_072, 196_608, 262_144, 524_288, 1_048_576, 2_097_152,
];

/// Sizes of broadcasts, bytes: a short one, one below the eager limit of libraries, one of two segments, one of many.
const BROADCAST_SIZES: [usize; 4] = [8, 1024, 16_384, 262_144];

/// A program of the ranks of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ProbeProgram {
    /// A message in each direction between two ranks; the result is the time of one message.
    PingPong {
        /// The size of each message.
        bytes: usize,
    },
    /// A barrier over messages.
    Barrier {
        /// The name in the catalogue.
        name: String,
    },
    /// A broadcast from the first rank, then one from the last; the result is the time of one broadcast.
    Broadcast {
        /// The name in the catalogue.
        name: String,
        /// The size of each broadcast.
        bytes: usize,
    },
}

/// An episode of a program, which can be called repeatedly.
pub(super) type ProbeEpisode<'t> = Box<dyn FnMut() -> Result<()> + 't>;

impl ProbeProgram {
    /// All programs of a group: half round trips of many sizes between two ranks, every two-sided or hierarchical barrier that supports
    /// the group (hierarchical ones on several nodes only), every broadcast at a few sizes.
    pub(super) fn all(config: &GroupConfig) -> Vec<Self> {
        let is_wanted =
            |family: Family| family == Family::TwoSided || family == Family::Hierarchical && config.size > 2;
        let entries = catalogue::all().into_iter().filter(|entry| is_wanted(entry.family));
        let defined = entries.filter(|entry| matches!(entry.plans(config), Some(Ok(_))));
        let barriers = defined.map(|entry| Self::Barrier { name: entry.name.to_owned() });
        let of_all_sizes = |broadcast: &'static Broadcast| {
            BROADCAST_SIZES.map(|bytes| Self::Broadcast { name: broadcast.name.to_owned(), bytes })
        };
        let broadcasts = broadcast::all().into_iter().flat_map(of_all_sizes);
        let sizes = if config.size == 2 { &SIZES[..] } else { &[] };
        let ping_pongs = sizes.iter().map(|&bytes| Self::PingPong { bytes });
        ping_pongs.chain(barriers).chain(broadcasts).collect()
    }

    /// The name for users and records.
    pub(super) fn name(&self) -> String {
        match self {
            Self::PingPong { .. } => "ping_pong".to_owned(),
            Self::Barrier { name } => name.clone(),
            Self::Broadcast { name, .. } => format!("bcast_{name}"),
        }
    }

    /// The size of each message.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::PingPong { bytes } | Self::Broadcast { bytes, .. } => *bytes,
            Self::Barrier { .. } => 0,
        }
    }

    /// The number of measured operations in an episode.
    pub(super) fn times(&self) -> f64 {
        match self {
            Self::PingPong { .. } | Self::Broadcast { .. } => 2.0,
            Self::Barrier { .. } => 1.0,
        }
    }

    /// An episode of the program on `transport`.
    ///
    /// # Errors
    /// For an unknown barrier.
    pub(super) fn episode<'t>(
        &self,
        transport: &'t dyn Transport,
        config: &GroupConfig,
    ) -> Result<ProbeEpisode<'t>> {
        let mut data = vec![0_u8; self.bytes()];
        Ok(match self {
            Self::PingPong { .. } => Box::new(move || ping_pong(transport, &mut data)),
            Self::Broadcast { name, .. } => {
                let (broadcast, segment) = (broadcast::find(name)?, broadcast::default_segment(1));
                let comm = CollectiveContext::new(transport, Verb::Bcast, CallSite::caller(Verb::Bcast));
                let last = transport.size() - 1;
                Box::new(move || {
                    [0, last].into_iter().try_for_each(|root| {
                        broadcast.run(&comm, ViewMut::from_slice(&mut data), root, segment)
                    })
                })
            }
            Self::Barrier { name } => {
                let Implementation::Pattern(make) = catalogue::find(name)?.implementation else {
                    return Err(Error::Setup(wb_comm::text::barrier::no_form(name, "messages")));
                };
                let plan = make(config)?.plan(transport.rank(), transport.size())?;
                let mut barrier = MessageBarrier::new(&plan, transport, CallSite::caller(Verb::Barrier));
                Box::new(move || barrier.wait())
            }
        })
    }

    /// The model's prediction, nanoseconds: the mean time of an episode in a sequence of many.
    ///
    /// # Errors
    /// For an unknown program.
    pub(super) fn predicted(&self, machine: &Machine, config: &GroupConfig) -> Result<f64> {
        let recording = Recording::from_program(config.size, |transport| self.episode(transport, config)?())?;
        let mut run = MaxPlusRun::new(&recording, machine, &ArrivalPattern::Simultaneous, Noise::none());
        let mut exits = vec![];
        for _ in 0..EPISODES.0 {
            let outcome = run.episode().map_err(|fault| Error::Setup(fault.text()))?;
            exits.push(outcome.last_exit());
        }
        let (first, last) = (exits[EPISODES.1 - 1], exits[exits.len() - 1]);
        Ok((last - first) as f64 / (exits.len() - EPISODES.1) as f64 / self.times())
    }
}

fn ping_pong(transport: &dyn Transport, data: &mut [u8]) -> Result<()> {
    match transport.rank() {
        0 => send(transport, data).and_then(|()| receive(transport, data)),
        _ => receive(transport, data).and_then(|()| send(transport, data)),
    }
}

/// Sends to the other rank.
pub(super) fn send(transport: &dyn Transport, data: &[u8]) -> Result<()> {
    let (to, data) = (1 - transport.rank(), View::from_slice(data));
    let send = Op::Send { to, tag: MessageTag::internal(0), data, mode: SendMode::Standard };
    transport.post_and_wait(&mut [send], CallSite::caller(Verb::Send))
}

/// Receives from the other rank.
pub(super) fn receive(transport: &dyn Transport, data: &mut [u8]) -> Result<()> {
    let (from, data) = (Source::Rank(1 - transport.rank()), ViewMut::from_slice(data));
    let receive = Op::Recv { from, tag: MessageTag::internal(0).into(), data, status: None };
    transport.post_and_wait(&mut [receive], CallSite::caller(Verb::Recv))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_timed_can_be_predicted() {
        let machine = wb_local::sim::machine_library::find("laptop-2").expect("it comes along");
        let machine = machine.machine("laptop-2", 2).expect("two cores");
        let pair = GroupConfig::new(2);
        let all = ProbeProgram::all(&pair);
        assert!(all.iter().filter(|program| matches!(program, ProbeProgram::Barrier { .. })).count() >= 8);
        let broadcasts =
            all.iter().filter(|program| matches!(program, ProbeProgram::Broadcast { .. })).count();
        assert_eq!(broadcasts, BROADCAST_SIZES.len() * broadcast::all().len());
        for program in &all {
            let predicted = program.predicted(&machine, &pair).expect("a program");
            assert!(predicted > 0.0, "{program:?}");
            if let ProbeProgram::PingPong { bytes } = program {
                let formula = wb_local::sim::fit::half_round_trip(&machine.core, *bytes);
                assert!((predicted - formula as f64).abs() <= 1.0, "{bytes}: {predicted} {formula}");
            }
        }
    }
}
