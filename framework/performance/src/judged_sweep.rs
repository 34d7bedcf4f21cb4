//! The sweep of a judge: a student's verb beside the library's, each called by ranks of its own program.
//!
//! The library's verb is called by the judge's program, so a student cannot slow it down. Both get the same elements, which
//! the judge draws for every pair of samples, and must return the same. The order of both is random. The times are the
//! judge's, so they contain the signals: a sample has as many calls as fit into its duration or its elements.
use std::time::Instant;

use wb_messages::{Lang, judge as text};
use wb_record::Sweep;

use crate::{
    job::{CountedRounds, JobFailure, JobSpec},
    judge::{CallInput, FinishedCalls, PassEnd, RankJob, RankStatement, random_seed},
    sweep,
};

/// The intended duration of one sample: about a hundred times that of the signals.
const SAMPLE_NS: u64 = 4_000_000;

/// The most elements of a rank in one sample, where one call has fewer.
const MAX_ELEMENTS: usize = 1 << 18;

/// The most calls in one sample.
const MAX_CALLS: usize = 1 << 12;

/// The share of the calls of a sample that a trial makes.
const TRIAL_SHARE: usize = 32;

/// The ranks of both programs.
pub(crate) struct JudgedSweep<'a> {
    pub(crate) order: &'a JobSpec,
    /// The ranks of the student, which were started last.
    pub(crate) own: RankJob,
    /// The ranks of the judge.
    pub(crate) library: RankJob,
    /// The time of the signals alone.
    pub(crate) signals_ns: u64,
    pub(crate) lang: Lang,
}

impl JudgedSweep<'_> {
    /// Measures one size with both verbs.
    pub(crate) fn sample(&mut self, count: usize) -> Result<Sweep, JobFailure> {
        let inner = self.calls_per_sample(count)?;
        let mut sweep = sweep::without_samples(self.order, count, inner);
        let begin = Instant::now();
        loop {
            let (own, library) = self.pair(count, inner)?;
            let collectives = total(&own, |rank| rank.counts.collectives);
            if collectives > 0 {
                return Err(own_failure(self.lang, count, text::collectives_called(self.lang, collectives)));
            }
            sweep.student_ns.push(own.elapsed_ns);
            sweep.library_ns.push(library.elapsed_ns);
            sweep.messages = total(&own, |rank| rank.counts.sends) / inner as u64;
            let is_silent =
                total(&library, |rank| rank.counts.sends.saturating_add(rank.counts.collectives)) == 0;
            sweep.correct &= is_same(&own, &library) && (self.order.ranks == 1 || !is_silent);
            sweep.moves_nothing = sweep.correct && total(&own, |rank| rank.counts.sent_bytes) == 0;
            if sweep::is_sampled_enough(&self.order.sampling, &sweep, begin.elapsed()) {
                return Ok(sweep);
            }
        }
    }

    /// Ends both jobs.
    pub(crate) fn end(self) -> Result<(), JobFailure> {
        self.own.end().and_then(|()| self.library.end()).map_err(JobFailure::new)
    }

    fn calls_per_sample(&mut self, count: usize) -> Result<usize, JobFailure> {
        let most = (MAX_ELEMENTS / count).clamp(1, MAX_CALLS);
        let trial = most.div_ceil(TRIAL_SHARE);
        let (own, library) = self.pair(count, trial)?;
        let trial_ns = own.elapsed_ns.min(library.elapsed_ns).saturating_sub(self.signals_ns);
        let call_ns = (trial_ns / trial as u64).max(1);
        Ok(usize::try_from(SAMPLE_NS / call_ns).unwrap_or(most).clamp(1, most))
    }

    /// One sample of each verb, in random order, over the same elements.
    fn pair(&mut self, count: usize, calls: usize) -> Result<(FinishedCalls, FinishedCalls), JobFailure> {
        let seed = random_seed().map_err(|error| JobFailure::new(error.to_string()))?;
        let elements = draw(seed, self.order.ranks, count * calls);
        let input = CallInput { count, elements: &elements, limit: self.order.limit };
        let lang = self.lang;
        let own = |job: &mut RankJob| {
            job.run_calls(&input).map_err(|end| own_failure(lang, count, end.into_reason()))
        };
        let library = |job: &mut RankJob| {
            let failure =
                |end: PassEnd| JobFailure::new(text::library_verb_failed(lang, count, end.into_reason()));
            job.run_calls(&input).map_err(failure)
        };
        if seed & 1 == 0 {
            return Ok((own(&mut self.own)?, library(&mut self.library)?));
        }
        let library = library(&mut self.library)?;
        Ok((own(&mut self.own)?, library))
    }
}

/// Counts the rounds of one call of a student's verb, by ranks whose messages carry the number of the round.
pub(crate) fn count_one(
    mut ranks: RankJob,
    order: &JobSpec,
    count: usize,
    lang: Lang,
) -> Result<CountedRounds, JobFailure> {
    let elements = draw(order.seed, order.ranks, count);
    let input = CallInput { count, elements: &elements, limit: order.limit };
    let called = ranks.run_calls(&input).map_err(|end| own_failure(lang, count, end.into_reason()))?;
    ranks.end().map_err(JobFailure::new)?;
    let rounds = called.statements.iter().filter_map(|rank| rank.rounds).max();
    let rounds = rounds.ok_or_else(|| JobFailure::new("this backend's messages do not carry rounds"))?;
    Ok(CountedRounds { count, rounds })
}

fn own_failure(lang: Lang, count: usize, reason: String) -> JobFailure {
    JobFailure::new(text::own_verb_failed(lang, count, reason))
}

/// The sum over the ranks. A rank may state any number, so the sum may not fit.
fn total(calls: &FinishedCalls, of: fn(&RankStatement) -> u64) -> u64 {
    calls.statements.iter().map(of).fold(0, u64::saturating_add)
}

/// Whether both left the same elements on every rank, up to rounding.
fn is_same(own: &FinishedCalls, library: &FinishedCalls) -> bool {
    let pairs = own.elements.iter().flatten().zip(library.elements.iter().flatten());
    pairs.into_iter().all(|(&own, &library)| sweep::is_close(own, library))
}

/// Whole numbers from 1 to 4096 for each rank.
fn draw(seed: u64, ranks: usize, count: usize) -> Vec<Vec<f64>> {
    let mut random = oorandom::Rand64::new(u128::from(seed));
    let mut number = || f64::from((random.rand_u64() >> 52) as u32 + 1);
    (0..ranks).map(|_| (0..count).map(|_| number()).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_and_every_seed_has_elements_of_its_own() {
        let drawn = draw(7, 3, 100);
        assert_eq!(drawn, draw(7, 3, 100));
        let all = [drawn, draw(8, 3, 100)].concat();
        for (at, one) in all.iter().enumerate() {
            assert!(one.len() == 100 && one.iter().all(|element| (1.0..=4096.0).contains(element)));
            assert!(!all[..at].contains(one), "list {at} is another one, too");
        }
    }

    #[test]
    fn one_other_element_on_one_rank_is_a_difference() {
        let calls = |elements| FinishedCalls { elapsed_ns: 1, elements, statements: vec![] };
        let library = calls(vec![vec![1.0, 2.0], vec![3.0, 4.0]]);
        assert!(is_same(&calls(vec![vec![1.0, 2.0], vec![3.0, 4.0 + 1e-13]]), &library));
        assert!(!is_same(&calls(vec![vec![1.0, 2.0], vec![3.0, 5.0]]), &library));
        assert!(!is_same(&calls(vec![vec![1.0, 2.0], vec![f64::NAN, 4.0]]), &library));
    }
}
