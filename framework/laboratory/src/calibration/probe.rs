//! The groups of ranks that are measured one after the other, and the timed loops of a rank: all programs in batches, then single calls
//! of send, then many messages in a row.
//!
//! While a group is measured, the other ranks sleep: a rank that waits in the library may use a core that a measured one needs.
use std::{rc::Rc, thread, time::Duration};

use serde::{Deserialize, Serialize};
use wb_algorithms::{barriers::GroupConfig, collectives::Algorithms};
use wb_comm::{
    CallSite, MessageTag, Op, Operation, Rank, Result, SendMode, Source, Transport, Verb, View, ViewMut,
};
use wb_record::statistics::median;
use wb_runner::clock;

use super::program::{self, ProbeEpisode, ProbeProgram};

/// The intended duration of a batch, nanoseconds.
const BATCH: u64 = 2_000_000;

/// The largest number of episodes in a batch.
const MAX_EPISODES: u64 = 4096;

/// The largest factor between the sizes of consecutive trials of a batch.
const GROWTH: u64 = 8;

/// The largest number of single calls of each size.
const MAX_CALLS: u64 = 200;

/// The longest intended duration of the calls of one size, nanoseconds.
const CALLS_DURATION: u64 = 100_000_000;

/// The duration after which no further batch of the programs begins, nanoseconds: on a busy machine a message takes as long as the other
/// processes compute.
const BATCHES_MAX: u64 = 20_000_000_000;

/// Messages in a row; the difference of the two results is used.
const ROWS: [u64; 2] = [32, 96];

/// The results of one rank, nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ProbeResult {
    /// The median batch of each program, for one measured operation.
    pub(super) programs: Vec<(ProbeProgram, f64)>,
    /// The duration of a call of send, by bytes.
    pub(super) calls: Vec<(usize, f64)>,
    /// The time between two consecutive empty messages of many.
    pub(super) spacing: f64,
}

impl ProbeResult {
    /// The result of the ranks of a job: the slowest one's programs, the first one's calls and spacing; `None` if they differ
    /// in what they measured, and without ranks.
    pub(super) fn slowest_rank(ranks: &[&Self]) -> Option<Self> {
        let (first, others) = ranks.split_first()?;
        others.iter().try_fold((*first).clone(), |slowest, other| slowest.slower(other))
    }

    fn slower(self, other: &Self) -> Option<Self> {
        if self.programs.len() != other.programs.len() {
            return None;
        }
        let pairs = self.programs.iter().zip(&other.programs);
        let slower = |((program, time), (same, its)): (&(ProbeProgram, f64), &(ProbeProgram, f64))| {
            (program == same).then(|| (program.clone(), time.max(*its)))
        };
        Some(Self { programs: pairs.map(slower).collect::<Option<_>>()?, ..self })
    }

    /// The median of several jobs for each result; `None` if they differ in what they measured.
    pub(super) fn median_of_jobs(jobs: &[Self]) -> Option<Self> {
        let first = jobs.first()?;
        let of_all =
            |time: &dyn Fn(&Self) -> Option<f64>| median(&jobs.iter().map(time).collect::<Option<Vec<_>>>()?);
        let programs = first.programs.iter().enumerate().map(|(at, (program, _))| {
            let same =
                |job: &Self| job.programs.get(at).filter(|(own, _)| own == program).map(|(_, time)| *time);
            Some((program.clone(), of_all(&same)?))
        });
        let calls = first.calls.iter().enumerate().map(|(at, (bytes, _))| {
            Some((*bytes, of_all(&|job: &Self| job.calls.get(at).map(|(_, time)| *time))?))
        });
        Some(Self {
            programs: programs.collect::<Option<_>>()?,
            calls: calls.collect::<Option<_>>()?,
            spacing: of_all(&|job: &Self| Some(job.spacing))?,
        })
    }
}

/// Collective over the ranks of a group: two, which also measure single calls, or more.
fn probe(transport: &dyn Transport, config: &GroupConfig, batches: usize) -> Result<ProbeResult> {
    let programs = time_programs(ProbeProgram::all(config), transport, (config, batches))?;
    if config.size != 2 {
        return Ok(ProbeResult { programs, calls: vec![], spacing: 0.0 });
    }
    let mut calls = vec![];
    for bytes in program::SIZES {
        calls.push((bytes, call(transport, bytes)?));
    }
    Ok(ProbeResult { programs, calls, spacing: spacing(transport, batches)? })
}

/// Programs alternate, so changes of the machine affect all of them.
fn time_programs(
    programs: Vec<ProbeProgram>,
    transport: &dyn Transport,
    (config, batches): (&GroupConfig, usize),
) -> Result<Vec<(ProbeProgram, f64)>> {
    let dup = |_: &ProbeProgram| transport.dup(CallSite::caller(Verb::Dup));
    let own = programs.iter().map(dup).collect::<Result<Vec<_>>>()?;
    let mut timed = vec![];
    for (program, own) in programs.into_iter().zip(&own) {
        let mut episode = program.episode(&**own, config)?;
        episode()?;
        let slowest = |episodes| allreduce_max(transport, batch(&mut episode, episodes)?);
        let episodes = size_for(BATCH, MAX_EPISODES, slowest)?;
        timed.push((program, episode, episodes, vec![]));
    }
    let start = clock::now();
    for batch_at in 0..batches {
        if batch_at > 0 && allreduce_max(transport, clock::now() - start)? > BATCHES_MAX {
            break;
        }
        for (program, episode, episodes, times) in &mut timed {
            let took = batch(episode, *episodes)?;
            times.push(took as f64 / *episodes as f64 / program.times());
        }
    }
    let typical = |times: &[f64]| median(times).expect("some batches");
    Ok(timed.into_iter().map(|(program, _, _, times)| (program, typical(&times))).collect())
}

/// The number of repetitions that take `wanted` nanoseconds, by trials of growing size. A trial that takes longer may have been interrupted:
/// it is made once again.
fn size_for(wanted: u64, max: u64, mut time: impl FnMut(u64) -> Result<u64>) -> Result<u64> {
    let mut size = 1;
    loop {
        let mut took = time(size)?;
        if took > wanted {
            took = took.min(time(size)?);
        }
        let took = took.max(1);
        let next = (size * wanted / took).clamp(size, size * GROWTH).min(max);
        if next < 2 * size {
            return Ok(next);
        }
        size = next;
    }
}

fn batch(episode: &mut ProbeEpisode<'_>, episodes: u64) -> Result<u64> {
    let start = clock::now();
    (0..episodes).try_for_each(|_| episode())?;
    Ok(clock::now() - start)
}

/// Collective: the longer of the two times.
fn allreduce_max(transport: &dyn Transport, time: u64) -> Result<u64> {
    let (site, mut longest) = (CallSite::caller(Verb::Allreduce), [0]);
    Algorithms(transport).allreduce(&[time], &mut longest, Operation::Max, site)?;
    Ok(longest[0])
}

/// The duration of a call of send while the other rank waits for the message, without the cost of reading the clock.
fn call(transport: &dyn Transport, bytes: usize) -> Result<f64> {
    let mut data = vec![0_u8; bytes];
    let mut times = vec![];
    let mut calls = |count: u64| -> Result<u64> {
        let first = clock::now();
        for _ in 0..count {
            if transport.rank() == 1 {
                program::receive(transport, &mut data)?;
            }
            let start = clock::now();
            program::send(transport, &data)?;
            let end = clock::now();
            times.push((end - start).saturating_sub(clock::now() - end) as f64);
            if transport.rank() == 0 {
                program::receive(transport, &mut data)?;
            }
        }
        Ok(clock::now() - first)
    };
    let count = size_for(CALLS_DURATION, MAX_CALLS, |count| allreduce_max(transport, calls(count)?))?;
    calls(count)?;
    Ok(median(&times).expect("some calls").max(1.0))
}

/// The time between two consecutive empty messages: the additional time of the longer row, up to the reply, for each
/// additional message.
fn spacing(transport: &dyn Transport, batches: usize) -> Result<f64> {
    let row = |messages: u64| -> Result<u64> {
        let start = clock::now();
        for _ in 0..messages {
            match transport.rank() {
                0 => program::send(transport, &[])?,
                _ => program::receive(transport, &mut [])?,
            }
        }
        match transport.rank() {
            0 => program::receive(transport, &mut [])?,
            _ => program::send(transport, &[])?,
        }
        Ok(clock::now() - start)
    };
    let mut spacings = vec![];
    for _ in 0..8 * batches {
        let [few, many] = [row(ROWS[0])?, row(ROWS[1])?];
        spacings.push((many as f64 - few as f64) / (ROWS[1] - ROWS[0]) as f64);
    }
    Ok(median(&spacings).expect("some rows").max(0.0))
}

/// The interval at which a rank that sleeps looks for the end of a measurement.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// The tag of the messages that end it.
const TAG: MessageTag = MessageTag::internal(2000);

/// The measurement of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum ProbeKind {
    /// Messages between two ranks of one host.
    WithinHost,
    /// Messages between two ranks of different hosts.
    BetweenHosts,
    /// Collective operations of all ranks.
    AllRanks,
}

/// Some of the ranks; rank 0 is the first of each group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProbeGroup {
    pub(super) kind: ProbeKind,
    members: Vec<Rank>,
}

/// The groups of ranks on these nodes.
pub(super) fn groups(nodes: &[usize]) -> Vec<ProbeGroup> {
    let pair = |kind, is_wanted: &dyn Fn(usize) -> bool| {
        let other = (1..nodes.len()).find(|&rank| is_wanted(nodes[rank]))?;
        Some(ProbeGroup { kind, members: vec![0, other] })
    };
    let within = pair(ProbeKind::WithinHost, &|node| node == nodes[0]);
    let between = pair(ProbeKind::BetweenHosts, &|node| node != nodes[0]);
    let has_both = within.is_some() && between.is_some();
    let all = has_both.then(|| ProbeGroup { kind: ProbeKind::AllRanks, members: (0..nodes.len()).collect() });
    [within, between, all].into_iter().flatten().collect()
}

impl ProbeGroup {
    /// The members' group as barriers see it: nodes matter only where all ranks take part.
    fn config(&self, nodes: &[usize]) -> GroupConfig {
        match self.kind {
            ProbeKind::AllRanks => GroupConfig { nodes: nodes.to_vec(), ..GroupConfig::new(nodes.len()) },
            ProbeKind::WithinHost | ProbeKind::BetweenHosts => GroupConfig::new(self.members.len()),
        }
    }

    /// Collective over all ranks: measures the group; `None` on ranks that are not in it.
    pub(super) fn probe(
        &self,
        transport: &dyn Transport,
        nodes: &[usize],
        batches: usize,
    ) -> Result<Option<ProbeResult>> {
        let site = CallSite::caller(Verb::Split);
        let is_member = self.members.contains(&transport.rank());
        let own: Option<Rc<dyn Transport>> = transport.split(is_member.then_some(0), 0, site)?;
        let Some(own) = own else {
            sleep_until_notified(transport)?;
            return Ok(None);
        };
        let found = probe(&*own, &self.config(nodes), batches)?;
        if transport.rank() == 0 {
            (0..transport.size())
                .filter(|rank| !self.members.contains(rank))
                .try_for_each(|rank| notify_rank(transport, rank))?;
        }
        Ok(Some(found))
    }
}

fn notify_rank(transport: &dyn Transport, to: Rank) -> Result<()> {
    let send = Op::Send { to, tag: TAG, data: View::from_slice::<u8>(&[]), mode: SendMode::Standard };
    transport.post_and_wait(&mut [send], CallSite::caller(Verb::Send))
}

fn sleep_until_notified(transport: &dyn Transport) -> Result<()> {
    let site = CallSite::caller(Verb::Recv);
    while transport.iprobe(Source::Rank(0), TAG.into(), site)?.is_none() {
        thread::sleep(POLL_INTERVAL);
    }
    let data = ViewMut::from_slice::<u8>(&mut []);
    let receive = Op::Recv { from: Source::Rank(0), tag: TAG.into(), data, status: None };
    transport.post_and_wait(&mut [receive], site)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(time: f64, spacing: f64) -> ProbeResult {
        ProbeResult {
            programs: vec![(ProbeProgram::PingPong { bytes: 1 }, time)],
            calls: vec![(1, time)],
            spacing,
        }
    }

    #[test]
    fn the_slower_rank_counts_and_the_median_job() {
        let job = ProbeResult::slowest_rank(&[&seen(2.0, 5.0), &seen(3.0, 1.0)]).expect("the same programs");
        assert_eq!((job.programs[0].1, job.calls[0].1, job.spacing), (3.0, 2.0, 5.0));
        let merged =
            ProbeResult::median_of_jobs(&[seen(1.0, 7.0), seen(9.0, 8.0), seen(2.0, 9.0)]).expect("the same");
        assert_eq!(merged, seen(2.0, 8.0));
        let other =
            ProbeResult { programs: vec![(ProbeProgram::PingPong { bytes: 2 }, 1.0)], ..seen(1.0, 1.0) };
        assert_eq!(ProbeResult::slowest_rank(&[&seen(1.0, 1.0), &other]), None);
        let more = ProbeResult {
            programs: [seen(1.0, 1.0).programs, other.programs.clone()].concat(),
            ..seen(1.0, 1.0)
        };
        assert_eq!(ProbeResult::slowest_rank(&[&seen(1.0, 1.0), &more]), None);
        assert_eq!(ProbeResult::slowest_rank(&[]), None);
        assert_eq!(ProbeResult::median_of_jobs(&[seen(1.0, 1.0), other]), None);
    }

    #[test]
    fn a_size_is_found_in_few_trials_and_an_interrupted_one_is_repeated() {
        let found = |each: u64, interruption: u64| {
            let mut trials = vec![];
            let size = size_for(2_000_000, 4096, |size| {
                trials.push(size);
                Ok(size * each + if trials.len() == 1 { interruption } else { 0 })
            });
            (size.expect("no error"), trials)
        };
        assert_eq!(found(1000, 0), (2000, vec![1, 8, 64, 512, 2000]));
        assert_eq!(found(1, 0), (4096, vec![1, 8, 64, 512, 4096]));
        assert_eq!(found(700_000, 0), (2, vec![1, 2]));
        assert_eq!(found(4_000_000, 0), (1, vec![1, 1]));
        assert_eq!(found(1000, 5_000_000), (2000, vec![1, 1, 8, 64, 512, 2000]));
    }

    fn found(nodes: &[usize]) -> Vec<(ProbeKind, Vec<Rank>)> {
        groups(nodes).into_iter().map(|group| (group.kind, group.members)).collect()
    }

    #[test]
    fn pairs_are_taken_from_the_nodes_and_all_ranks_where_there_are_both_kinds() {
        use ProbeKind::{AllRanks, BetweenHosts, WithinHost};
        assert_eq!(found(&[0, 0]), [(WithinHost, vec![0, 1])]);
        assert_eq!(found(&[0, 1]), [(BetweenHosts, vec![0, 1])]);
        assert_eq!(
            found(&[0, 0, 0, 1, 1, 1]),
            [(WithinHost, vec![0, 1]), (BetweenHosts, vec![0, 3]), (AllRanks, (0..6).collect())]
        );
    }

    #[test]
    fn only_all_ranks_know_their_nodes() {
        let nodes = [0, 0, 1, 1];
        let configs = groups(&nodes).iter().map(|group| group.config(&nodes).nodes).collect::<Vec<_>>();
        assert_eq!(configs, [vec![0, 0], vec![0, 0], vec![0, 0, 1, 1]]);
    }
}
