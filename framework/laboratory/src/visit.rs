//! The timed loops of a visit.
//!
//! A batch of episodes is timed as a whole, which reduces the error of the clock's resolution. Single episodes are
//! stamped at entry and exit, which shows their latency, their skew, and whether a rank left early. The loops are
//! compiled for each kind of barrier, so an episode has no dynamic call beyond the barrier's own, and nothing is
//! allocated between two stamps.
use wb_comm::{Barrier, Result};

use wb_runner::clock;

use crate::job::Visit;

/// Episodes before the timed ones, which synchronise the ranks and warm the caches.
const WARM_UP_EPISODES: u64 = 4;

/// A barrier under test, with its type erased outside of the loops.
pub(crate) trait ErasedBarrier {
    /// Runs `episodes` without a pause; returns their start and their duration on this rank.
    fn batch(&mut self, episodes: u64) -> Result<(u64, u64)>;

    /// Runs single episodes and stamps entry and exit, until `stamps` is full.
    fn record_episodes(&mut self, stamps: &mut Vec<(u64, u64)>) -> Result<()>;

    /// One visit: a batch, then traces.
    fn visit(&mut self, episodes: u64, traces: usize) -> Result<Visit> {
        let mut stamps = Vec::with_capacity(traces);
        let (start_ns, batch_ns) = self.batch(episodes)?;
        self.record_episodes(&mut stamps)?;
        Ok(Visit { start_ns, batch_ns, stamps, result: 0 })
    }
}

impl<B: Barrier> ErasedBarrier for B {
    fn batch(&mut self, episodes: u64) -> Result<(u64, u64)> {
        for _ in 0..WARM_UP_EPISODES.min(episodes) {
            self.wait()?;
        }
        let start = clock::now();
        for _ in 0..episodes {
            self.wait()?;
        }
        Ok((start, clock::now() - start))
    }

    fn record_episodes(&mut self, stamps: &mut Vec<(u64, u64)>) -> Result<()> {
        while stamps.len() < stamps.capacity() {
            let entry = clock::now();
            self.wait()?;
            stamps.push((entry, clock::now()));
        }
        Ok(())
    }
}

/// A barrier whose type is erased.
pub(crate) struct DynBarrier<'g>(pub(crate) Box<dyn Barrier + 'g>);

impl Barrier for DynBarrier<'_> {
    #[inline]
    fn wait(&mut self) -> Result<()> {
        self.0.wait()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts its episodes, and fails in one.
    struct CountingBarrier {
        episodes: u64,
        errs_in: u64,
    }

    impl Barrier for CountingBarrier {
        fn wait(&mut self) -> Result<()> {
            self.episodes += 1;
            match self.episodes == self.errs_in {
                true => Err(wb_comm::Error::Setup(wb_comm::Text::verbatim("enough"))),
                false => Ok(()),
            }
        }
    }

    #[test]
    fn a_visit_is_warm_episodes_a_batch_and_traces() {
        let mut counter = CountingBarrier { episodes: 0, errs_in: 0 };
        let visit = counter.visit(10, 3).expect("no error");
        assert_eq!(counter.episodes, WARM_UP_EPISODES + 10 + 3);
        assert!(visit.stamps.len() >= 3 && visit.stamps.iter().all(|(entry, exit)| entry <= exit));
    }

    #[test]
    fn an_error_ends_the_visit() {
        assert!(CountingBarrier { episodes: 0, errs_in: 6 }.visit(10, 3).is_err());
    }
}
