//! A communication assignment's own verb beside the library's: time against size, messages and rounds.
//!
//! Both verbs are taken alternately, in random order, on the same communicator with the same data, so that whatever
//! disturbs the machine disturbs both. A sample holds several calls: one call of a small message is shorter than the
//! clock can tell.
//!
//! The calls of a sample must not overlap. From one and the same root they would: it could start the next call while the
//! last one is still on its way, and the sample would tell the rate of messages instead of their latency. So the root
//! moves down by one from call to call. In a binomial tree that next root is the leaf farthest from this one, and it
//! cannot start before it has got the data; at two ranks the sample is a ping-pong.
use std::{hint::black_box, rc::Rc, time::Duration};

use wb_comm::{Rank, Result, Transport};
use wb_task::Communication;
use wb_world::World;

use super::{
    bench::{Bench, Span},
    clock,
    order::{Order, Sampling, Swept},
};

/// The root of the first call of every sample, and of the calls that are counted.
pub(crate) const ROOT: Rank = 0;

/// What one sample should last.
const SAMPLE_NS: u64 = 200_000;

/// The most calls in one sample.
const MOST_CALLS: usize = 1_000;

/// Calls that tell how many make a sample.
const TRIAL_CALLS: usize = 5;

/// What an assignment says of its own verb at some number of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Theory {
    /// MPI's name of the verb.
    pub(crate) operation: &'static str,
    /// The algorithm's name.
    pub(crate) algorithm: &'static str,
    /// The formula of the messages and its value.
    pub(crate) messages: (&'static str, u64),
    /// The formula of the rounds and its value.
    pub(crate) rounds: (&'static str, u64),
}

/// A communication assignment with its type erased: one virtual call a size.
pub(crate) trait Verbs: Send + Sync {
    /// What its author says of it.
    fn theory(&self, ranks: usize) -> Theory;

    /// Collective: one size, both verbs.
    fn sweep(&self, bench: &Bench, order: &Order, count: usize) -> Result<Swept>;

    /// Collective, on a transport without a past: messages and rounds of one call, as this rank saw them.
    fn count(&self, transport: Rc<dyn Transport>, count: usize) -> Result<(u64, Option<u64>)>;
}

impl<C: Communication> Verbs for C {
    fn theory(&self, ranks: usize) -> Theory {
        Theory {
            operation: C::OPERATION,
            algorithm: C::ALGORITHM,
            messages: (C::MESSAGES, self.messages(ranks)),
            rounds: (C::ROUNDS, self.rounds(ranks)),
        }
    }

    fn sweep(&self, bench: &Bench, order: &Order, count: usize) -> Result<Swept> {
        bench.watch.enter(&format!("{} {count}", C::OPERATION));
        let mut rank = Caller { bench, data: vec![0.0; count], samples_taken: 0 };
        let own = |world: &World, data: &mut [f64], root| self.own(world, data, root);
        let library = |world: &World, data: &mut [f64], root| self.library(world, data, root);
        let inner = calls_per_sample(rank.sample(TRIAL_CALLS, own)?, rank.sample(TRIAL_CALLS, library)?);
        let mut random = oorandom::Rand32::new(order.seed ^ count as u64);
        let mut swept = Swept { count, inner, own: vec![], library: vec![], messages: 0, correct: true };
        let begin = bench.latest(clock::now())?;
        loop {
            // The same seed on every rank: all of them take the same turn.
            let first = random.rand_u32() & 1;
            for turn in [first, 1 - first] {
                let sample = if turn == 0 { rank.sample(inner, own)? } else { rank.sample(inner, library)? };
                swept.correct &= sample.correct;
                if turn == 0 {
                    swept.own.push(sample.elapsed_ns);
                    swept.messages = sample.messages / inner as u64;
                } else {
                    swept.library.push(sample.elapsed_ns);
                }
                if enough(&order.sampling, &swept, Duration::from_nanos(sample.end.saturating_sub(begin))) {
                    return Ok(swept);
                }
            }
        }
    }

    fn count(&self, transport: Rc<dyn Transport>, count: usize) -> Result<(u64, Option<u64>)> {
        let world = World::new(transport);
        self.own(&world, &mut vec![0.0; count], ROOT)?;
        Ok((world.counts().sends, world.rounds()))
    }
}

/// One rank of a sweep.
struct Caller<'a> {
    bench: &'a Bench,
    data: Vec<f64>,
    samples_taken: u32,
}

/// One sample over all ranks.
#[derive(Clone, Copy)]
struct Sample {
    elapsed_ns: u64,
    end: u64,
    messages: u64,
    correct: bool,
}

impl Caller<'_> {
    /// Collective: `calls` calls between two readings of the clock. What they must bring is new in every call, and
    /// elsewhere than on the root nothing like it is there before.
    fn sample(
        &mut self,
        calls: usize,
        verb: impl Fn(&World, &mut [f64], Rank) -> Result<()>,
    ) -> Result<Sample> {
        let (bench, world) = (self.bench, &self.bench.world);
        let (rank, size) = (bench.rank(), bench.size());
        self.samples_taken += 1;
        let payload = f64::from(self.samples_taken);
        self.data.fill(if rank == ROOT { payload } else { f64::NAN });
        let sent_before = world.counts().sends;
        let line = bench.line_up()?;
        bench.watch.arm(bench.slot);
        line.go();

        let start = clock::now();
        let mut root = ROOT;
        for call in 0..calls {
            if rank == root {
                self.data[0] = stamp(payload, call);
            }
            verb(world, black_box(&mut self.data), root)?;
            root = root.checked_sub(1).unwrap_or(size - 1);
        }
        let end = clock::now();

        bench.watch.disarm(bench.slot);
        let sent = world.counts().sends - sent_before;
        let right = self.data[0] == stamp(payload, calls - 1) && self.data[1..].iter().all(|&x| x == payload);
        let all = bench.together(&[start, end, sent, u64::from(right)])?;
        let span = Span::of(all.chunks_exact(4).map(|rank| (rank[0], rank[1])));
        Ok(Sample {
            elapsed_ns: span.elapsed_ns,
            end: span.end,
            messages: all.chunks_exact(4).map(|rank| rank[2]).sum(),
            correct: all.chunks_exact(4).all(|rank| rank[3] == 1),
        })
    }
}

/// The first element that the root sends in a call: no other call of the sweep has it.
fn stamp(payload: f64, call: usize) -> f64 {
    -(payload * 2.0 * MOST_CALLS as f64 + call as f64)
}

/// Calls of one sample, so that the faster verb fills it.
fn calls_per_sample(own: Sample, library: Sample) -> usize {
    let call_ns = (own.elapsed_ns.min(library.elapsed_ns) / TRIAL_CALLS as u64).max(1);
    usize::try_from(SAMPLE_NS / call_ns).unwrap_or(MOST_CALLS).clamp(1, MOST_CALLS)
}

/// Are both verbs sampled enough? An equal number of each, in the given time.
fn enough(sampling: &Sampling, swept: &Swept, spent: Duration) -> bool {
    let taken = swept.own.len().min(swept.library.len());
    let even = swept.own.len() == swept.library.len();
    even && (!swept.correct || taken >= sampling.most || taken >= sampling.least && spent >= sampling.budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_holds_so_many_calls_that_the_clock_can_tell_it() {
        let taking = |elapsed_ns| Sample { elapsed_ns, end: 0, messages: 0, correct: true };
        assert_eq!(calls_per_sample(taking(5_000), taking(9_000)), 200);
        assert_eq!(calls_per_sample(taking(0), taking(0)), MOST_CALLS);
        assert_eq!(calls_per_sample(taking(5_000_000_000), taking(5_000_000_000)), 1);
    }

    #[test]
    fn no_two_calls_send_the_same_first_element() {
        let mut stamps: Vec<_> = (1..4)
            .flat_map(|sample| (0..MOST_CALLS).map(move |call| stamp(f64::from(sample), call).to_bits()))
            .collect();
        stamps.sort_unstable();
        stamps.dedup();
        assert_eq!(stamps.len(), 3 * MOST_CALLS);
    }
}
