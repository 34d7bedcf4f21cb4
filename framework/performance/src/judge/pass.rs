//! One pass of a job, over an input or over calls of a communication assignment's verb: its orders, its times by the judge's clock, its
//! outputs.
use std::{
    io,
    time::{Duration, Instant},
};

use wb_messages::{judge as text, number};
use wb_record::Version;
use wb_runner::{JobEvent, channel::ChannelEvent, clock};
use wb_task::Stage;

use crate::judge::{
    message::{
        FromRank, PassOrder, PassRegion, RankStatement, ToRank, decode_numbers, describe_out_of_turn,
        encode_numbers, may_be_on_its_way,
    },
    rank_job::RankJob,
};

/// The time beyond the limit that the exchange of messages may take.
const SLACK: Duration = Duration::from_millis(500);

/// The longest pass, where it has no limit.
const MAX_PASS: Duration = Duration::from_secs(24 * 3600);

/// The time for the messages of other ranks when one is lost: a rank that reports why is the better explanation.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// The time for the search for leaks.
const LEAK_SEARCH: Duration = Duration::from_secs(10);

/// The input of a pass.
#[derive(Clone, Copy, Debug)]
pub struct PassInput<'a> {
    /// The version.
    pub version: Version,
    /// The timed region.
    pub region: PassRegion,
    /// The rank that has the input.
    pub home: usize,
    /// The encoded input.
    pub input: &'a [u8],
    /// The limit of all stages.
    pub limit: Option<Duration>,
    /// Whether the pass has a communicator of its own, which is searched for leaks.
    pub is_isolated: bool,
}

/// The times of a pass, all by the judge's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassTimes {
    /// The time from the start signal of the last rank to the answer of the last rank.
    pub elapsed_ns: u64,
    /// The time from the first start signal to the last one.
    pub start_spread_ns: u64,
    /// The processor time of the rank that computed least, as a share of the elapsed time.
    pub least_cpu_share: Option<f64>,
    /// The number of processors on which a rank computed: above one if it has several threads.
    pub processors: Option<f64>,
    /// The time in which all ranks together were ready to run and another program had the processor.
    pub queued_ns: Option<u64>,
    /// All stages together, with the exchange of inputs and outputs.
    pub total: Duration,
}

/// The end of a pass.
#[derive(Clone, Debug, PartialEq)]
pub enum PassEnd {
    /// Every rank completed it.
    Finished {
        /// The times.
        times: Box<PassTimes>,
        /// The encoded output of each rank that has one.
        outputs: Vec<Option<Vec<u8>>>,
        /// The statements of the ranks.
        statements: Vec<RankStatement>,
        /// The leaks that the ranks found.
        leaks: Vec<String>,
    },
    /// Every rank refused the input.
    Refused {
        /// The reason that rank 0 has.
        reason: String,
    },
    /// A stage failed on a rank.
    Failed {
        /// The reason, for the user.
        reason: String,
    },
    /// A rank did not answer within the limit, or all together took longer.
    Late {
        /// The reason, for the user.
        reason: String,
    },
    /// A rank ended without an answer.
    Lost {
        /// The reason, for the user.
        reason: String,
    },
}

impl PassEnd {
    /// Whether the job can execute another pass.
    pub fn leaves_job_usable(&self) -> bool {
        matches!(self, Self::Finished { .. } | Self::Refused { .. })
    }

    /// The reason, for the user; empty where every rank completed the pass.
    pub fn into_reason(self) -> String {
        match self {
            Self::Finished { .. } => String::new(),
            Self::Refused { reason }
            | Self::Failed { reason }
            | Self::Late { reason }
            | Self::Lost { reason } => reason,
        }
    }
}

/// Calls of the program's verb with roots 0, P - 1, P - 2, ... Each rank gets elements of its own and returns what the calls left of them.
#[derive(Clone, Copy, Debug)]
pub struct CallInput<'a> {
    /// The elements of one call.
    pub count: usize,
    /// The elements of all calls of each rank, one call after the other.
    pub elements: &'a [Vec<f64>],
    /// The limit of all calls together.
    pub limit: Option<Duration>,
}

/// Calls that all ranks have completed.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedCalls {
    /// The time from the start signal of the last rank to the answer of the last rank, by the judge's clock.
    pub elapsed_ns: u64,
    /// The elements of each rank after the calls.
    pub elements: Vec<Vec<f64>>,
    /// The statements of the ranks.
    pub statements: Vec<RankStatement>,
}

/// The time in which a pass must end.
#[derive(Clone, Copy)]
struct PassDeadline {
    begin: Instant,
    limit: Option<Duration>,
}

impl PassDeadline {
    /// A pass of `limit` begins now.
    fn new(limit: Option<Duration>) -> Self {
        Self { begin: Instant::now(), limit }
    }

    /// When the pass is late. A message to a rank has a deadline of its own where the pass has no limit.
    fn instant(self) -> Option<Instant> {
        self.limit.map(|limit| self.begin + limit + SLACK)
    }
}

/// A payload, where a message has one.
type Payload = Option<Vec<u8>>;

type RankMessage = (FromRank, Payload);

/// One answer of each rank, and when it arrived.
struct Answers {
    messages: Vec<RankMessage>,
    arrivals_ns: Vec<u64>,
}

/// The timed region of each rank as the judge sees it: from its start signal to its answer.
struct OutsideTimes(Vec<(u64, u64)>);

impl OutsideTimes {
    /// The first rank that states times which are not within those of the judge: both read the same clock.
    fn find_impossible(&self, statements: &[RankStatement]) -> Option<usize> {
        let is_possible = |(statement, &(start, end)): (&RankStatement, &(u64, u64))| {
            start <= statement.start_ns && statement.start_ns <= statement.end_ns && statement.end_ns <= end
        };
        statements.iter().zip(&self.0).position(|pair| !is_possible(pair))
    }
}

/// An early end of a pass, or the loss of the job's connections.
type Step<T> = Result<T, PassEnd>;

impl RankJob {
    /// Executes one pass on all ranks.
    pub fn run_pass(&mut self, pass: &PassInput<'_>) -> PassEnd {
        self.try_pass(pass).unwrap_or_else(|end| end)
    }

    /// The median time of `samples` passes in which the ranks do nothing: what the signals themselves take.
    ///
    /// # Errors
    /// The reason, for the user.
    pub fn signal_cost_ns(&mut self, samples: usize) -> Result<u64, String> {
        let pass = PassInput {
            version: Version::Mpi,
            region: PassRegion::Nothing,
            home: 0,
            input: &[],
            limit: Some(SLACK),
            is_isolated: false,
        };
        let mut costs = Vec::with_capacity(samples);
        for _ in 0..samples.max(1) {
            match self.run_pass(&pass) {
                PassEnd::Finished { times, .. } => costs.push(times.elapsed_ns),
                end => return Err(end.into_reason()),
            }
        }
        costs.sort_unstable();
        Ok(costs[costs.len() / 2])
    }

    /// Executes calls of a verb on all ranks.
    ///
    /// # Errors
    /// Every other end of a pass.
    ///
    /// # Panics
    /// When there are not the elements of every rank.
    pub fn run_calls(&mut self, input: &CallInput<'_>) -> Result<FinishedCalls, PassEnd> {
        assert_eq!(input.elements.len(), self.size(), "each rank has its elements");
        let deadline = PassDeadline::new(input.limit);
        let order = ToRank::PrepareCalls { count: input.count };
        let largest = input.elements.iter().map(|elements| size_of_val(&elements[..])).max();
        self.limit_outputs(largest.unwrap_or(0));
        for (rank, elements) in input.elements.iter().enumerate() {
            self.deliver(rank, &order, Some(&encode_numbers(elements)), deadline)?;
        }
        let (times, outside, answers) = self.time(PassRegion::Run, (0, None), deadline)?;
        let (outputs, statements) = self.outputs(answers, &outside)?;
        let mut elements = Vec::with_capacity(outputs.len());
        for (rank, (output, given)) in outputs.into_iter().zip(input.elements).enumerate() {
            let left = decode_numbers(&output.unwrap_or_default()).ok();
            let left = left.filter(|left| left.len() == given.len());
            let unreadable = || PassEnd::Failed { reason: text::other_length(self.lang, rank, given.len()) };
            elements.push(left.ok_or_else(unreadable)?);
        }
        Ok(FinishedCalls { elapsed_ns: times.elapsed_ns, elements, statements })
    }

    fn try_pass(&mut self, pass: &PassInput<'_>) -> Step<PassEnd> {
        let deadline = PassDeadline::new(pass.limit);
        self.limit_outputs(pass.input.len());
        // A version that gets the input early could execute all stages before they are timed.
        let (first, later) = match pass.region {
            PassRegion::Run => (Some(pass.input), None),
            PassRegion::Pipeline => (None, Some(pass.input)),
            PassRegion::Nothing => (None, None),
        };
        let order = ToRank::Prepare(PassOrder {
            version: pass.version,
            region: pass.region,
            home: pass.home,
            limit: pass.limit,
            is_isolated: pass.is_isolated,
        });
        for rank in 0..self.size() {
            self.deliver(rank, &order, first.filter(|_| rank == pass.home), deadline)?;
        }
        let (times, outside, answers) = self.time(pass.region, (pass.home, later), deadline)?;
        let times = Box::new(times);
        if pass.region == PassRegion::Nothing {
            self.expect(answers, &FromRank::Done)?;
            let outputs = vec![None; self.size()];
            return Ok(PassEnd::Finished { times, outputs, statements: vec![], leaks: vec![] });
        }
        let (outputs, statements) = self.outputs(answers, &outside)?;
        let leaks = if pass.is_isolated { self.find_leaks(&statements)? } else { vec![] };
        if let Some(limit) = pass.limit.filter(|&limit| times.total > limit) {
            let seconds = |duration: Duration| number::fixed(self.lang, duration.as_secs_f64(), 2);
            let reason = text::too_slow(self.lang, seconds(times.total), seconds(limit));
            return Err(PassEnd::Late { reason });
        }
        Ok(PassEnd::Finished { times, outputs, statements, leaks })
    }

    /// Starts all prepared ranks, and takes the time until the last one has answered; the last answers of the pass.
    fn time(
        &mut self,
        region: PassRegion,
        (home, input): (usize, Option<&[u8]>),
        deadline: PassDeadline,
    ) -> Step<(PassTimes, OutsideTimes, Answers)> {
        let ready = self.gather(deadline)?;
        self.expect(ready, &FromRank::Ready)?;

        let before = self.processes.times();
        let first_start = clock::now();
        let starts = self.start_all(home, input, deadline)?;
        let mut answers = self.gather(deadline)?;
        let arrivals = answers.arrivals_ns.clone();
        let start = starts.iter().copied().max().unwrap_or(first_start);
        let end = arrivals.iter().copied().max().unwrap_or(start);
        let early = arrivals.iter().position(|&arrival| arrival < first_start);
        let outside = OutsideTimes(starts.into_iter().zip(arrivals).collect());
        let wall_ns = end.saturating_sub(first_start);
        let shares = self.processes.shares(before, self.processes.times(), wall_ns);
        if region == PassRegion::Run {
            self.expect(answers, &FromRank::Done)?;
            self.deliver_all(&ToRank::Collect, deadline)?;
            answers = self.gather(deadline)?;
        }
        // Before the first signal no rank can have known that it may begin.
        if let Some(rank) = early {
            return Err(PassEnd::Failed { reason: text::early(self.lang, rank) });
        }
        let times = PassTimes {
            elapsed_ns: end.saturating_sub(start),
            start_spread_ns: start - first_start,
            least_cpu_share: shares.map(|shares| shares.least),
            processors: shares.map(|shares| shares.processors),
            queued_ns: shares.map(|shares| shares.queued_ns),
            total: deadline.begin.elapsed(),
        };
        Ok((times, outside, answers))
    }

    /// Sends the start signals; returns the time just before that of each rank.
    fn start_all(&mut self, home: usize, input: Option<&[u8]>, deadline: PassDeadline) -> Step<Vec<u64>> {
        // The rank with the input is the last one: the transfer of the input is in the timed region.
        let order = (0..self.size()).filter(|&rank| rank != home).chain([home]);
        let mut starts = vec![0; self.size()];
        for rank in order {
            starts[rank] = clock::now();
            self.deliver(rank, &ToRank::Start, input.filter(|_| rank == home), deadline)?;
        }
        Ok(starts)
    }

    /// The output and the statement of each rank, which must be possible.
    fn outputs(&self, answers: Answers, outside: &OutsideTimes) -> Step<(Vec<Payload>, Vec<RankStatement>)> {
        let outputs = self.each(answers, |message, output| match message {
            FromRank::Output(statement) => Ok((output, *statement)),
            other => Err(other),
        })?;
        let (outputs, statements): (_, Vec<_>) = outputs.into_iter().unzip();
        match outside.find_impossible(&statements) {
            Some(rank) => Err(PassEnd::Failed { reason: text::impossible_times(self.lang, rank) }),
            None => Ok((outputs, statements)),
        }
    }

    fn find_leaks(&mut self, statements: &[RankStatement]) -> Step<Vec<String>> {
        let is_patient = may_be_on_its_way(statements);
        let deadline = PassDeadline::new(Some(LEAK_SEARCH));
        self.deliver_all(&ToRank::FindLeaks { is_patient }, deadline)?;
        let answers = self.gather(deadline)?;
        let leaks = self.each(answers, |message, _| match message {
            FromRank::Leaks(leaks) => Ok(leaks),
            other => Err(other),
        })?;
        Ok(leaks.concat())
    }

    /// Every rank's next message. Ends early when a rank failed, refused the input or is lost.
    fn gather(&mut self, deadline: PassDeadline) -> Step<Answers> {
        let lang = self.lang;
        let mut given: Vec<Option<RankMessage>> = vec![None; self.size()];
        let mut arrivals_ns = vec![0; self.size()];
        while given.iter().any(Option::is_none) {
            let until = deadline.instant().unwrap_or(deadline.begin + MAX_PASS);
            match self.next_event(until) {
                JobEvent::Member(ChannelEvent::Message { member: rank, at_ns, message, payload }) => {
                    if let FromRank::Failed { stage, is_late, reason } = message {
                        let reason = self.describe_failure(rank, stage, &reason);
                        return Err(if is_late {
                            PassEnd::Late { reason }
                        } else {
                            PassEnd::Failed { reason }
                        });
                    }
                    if given[rank].is_some() {
                        return Err(self.out_of_turn(rank, &message));
                    }
                    arrivals_ns[rank] = at_ns;
                    given[rank] = Some((message, payload));
                }
                JobEvent::Member(ChannelEvent::Unreadable { member, error }) => {
                    return Err(PassEnd::Failed { reason: text::not_a_message(lang, member, error) });
                }
                JobEvent::Member(ChannelEvent::Closed { .. }) | JobEvent::Ended(_) => {
                    return Err(self.lost(&given));
                }
                // A rank on this host gives no signs: they could fill the queue, and hide an answer before the start.
                JobEvent::Member(ChannelEvent::Alive { member, .. }) => {
                    return Err(PassEnd::Failed { reason: text::out_of_turn(lang, member, "Alive") });
                }
                // Every rank is connected.
                JobEvent::Member(ChannelEvent::Joined { .. } | ChannelEvent::Refused(_)) => {}
                JobEvent::Idle => {
                    let seconds = deadline.limit.unwrap_or(MAX_PASS).as_secs_f64();
                    let late = text::late(lang, missing(&given), number::shortest(lang, seconds));
                    let reasons: Vec<_> = [late].into_iter().chain(self.describe_stopped()).collect();
                    return Err(PassEnd::Late { reason: reasons.join("; ") });
                }
            }
        }
        let messages: Vec<_> = given.into_iter().flatten().collect();
        let refused =
            messages.iter().filter(|(message, _)| matches!(message, FromRank::Refused { .. })).count();
        match &messages[0].0 {
            FromRank::Refused { reason } if refused == messages.len() => {
                Err(PassEnd::Refused { reason: reason.clone() })
            }
            _ if refused > 0 => Err(PassEnd::Failed { reason: text::mixed(self.lang) }),
            _ => Ok(Answers { messages, arrivals_ns }),
        }
    }

    fn describe_failure(&self, rank: usize, stage: Option<Stage>, reason: &str) -> String {
        match stage {
            Some(stage) if !reason.contains(stage.name()) => {
                text::rank_failed_in(self.lang, rank, stage, reason)
            }
            _ => text::rank_failed(self.lang, rank, reason),
        }
    }

    fn out_of_turn(&self, rank: usize, message: &FromRank) -> PassEnd {
        PassEnd::Failed { reason: describe_out_of_turn(self.lang, rank, message) }
    }

    /// What `take` makes of the message of each rank; it returns a message that the judge does not await.
    fn each<T>(
        &self,
        answers: Answers,
        take: impl Fn(FromRank, Payload) -> Result<T, FromRank>,
    ) -> Step<Vec<T>> {
        let of_rank = |(rank, (message, payload))| {
            take(message, payload).map_err(|other| self.out_of_turn(rank, &other))
        };
        answers.messages.into_iter().enumerate().map(of_rank).collect()
    }

    fn expect(&self, answers: Answers, expected: &FromRank) -> Step<()> {
        let is_expected = |message, _| if message == *expected { Ok(()) } else { Err(message) };
        self.each(answers, is_expected).map(drop)
    }

    /// The end of a pass in which a rank is lost: the reason of another rank, if one reports it.
    fn lost(&mut self, given: &[Option<RankMessage>]) -> PassEnd {
        let deadline = Instant::now() + LAST_WORDS;
        while let JobEvent::Member(event) = self.next_event(deadline) {
            if let ChannelEvent::Message { member, message: FromRank::Failed { stage, reason, .. }, .. } =
                event
            {
                if self.end_cause().is_some() {
                    break;
                }
                return PassEnd::Failed { reason: self.describe_failure(member, stage, &reason) };
            }
        }
        if let Some(reason) = self.end_cause() {
            return PassEnd::Lost { reason };
        }
        let reason = text::rank_lost(self.lang, missing(given), self.output_tail());
        PassEnd::Lost { reason: reason.trim_end().to_owned() }
    }

    /// Sends a message that every rank must read before the deadline.
    fn deliver_all(&mut self, message: &ToRank, deadline: PassDeadline) -> Step<()> {
        (0..self.size()).try_for_each(|rank| self.deliver(rank, message, None, deadline))
    }

    /// Sends a message that the rank must read before the deadline.
    fn deliver(
        &mut self,
        rank: usize,
        message: &ToRank,
        payload: Option<&[u8]>,
        deadline: PassDeadline,
    ) -> Step<()> {
        match self.job.send_before(rank, message, payload, deadline.instant()) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                let reason = text::does_not_read(self.lang, rank, deadline.begin.elapsed().as_secs());
                Err(PassEnd::Late { reason })
            }
            Err(_) => Err(self.lost(&vec![None; self.size()])),
        }
    }
}

fn missing<T>(given: &[Option<T>]) -> String {
    let missing = given.iter().enumerate().filter(|(_, answer)| answer.is_none());
    number::ranges(missing.map(|(rank, _)| rank), "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stated_times_are_between_the_signal_and_the_answer() {
        let outside = OutsideTimes(vec![(10, 90), (20, 80)]);
        let find = |start_ns, end_ns| {
            let honest = RankStatement { start_ns: 10, end_ns: 90, ..RankStatement::default() };
            outside.find_impossible(&[honest, RankStatement { start_ns, end_ns, ..RankStatement::default() }])
        };
        assert_eq!(find(20, 80), None);
        assert_eq!(find(50, 50), None);
        for (start_ns, end_ns) in [(19, 80), (20, 81), (51, 50), (0, 0)] {
            assert_eq!(find(start_ns, end_ns), Some(1), "{start_ns} {end_ns}");
        }
    }
}
