//! One pass of a job: its orders, its times by the judge's clock, its outputs.
use std::{
    io,
    time::{Duration, Instant},
};

use wb_messages::{Lang, judge as text, number};
use wb_record::Version;
use wb_runner::{channel::ChannelEvent, clock};

use crate::{
    message::{self, FromRank, PassOrder, PassRegion, RankStatement, ToRank},
    outside_times::OutsideTimes,
    pass_deadline::{PassDeadline, SLACK},
    rank_job::{RankEvent, RankJob},
};

/// The time for the messages of other ranks when one is lost: a rank that reports why is the better explanation.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// The time for the search for leaks.
const LEAK_SEARCH: Duration = Duration::from_secs(10);

/// What a pass executes.
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
    /// From the start signal of the last rank to the answer of the last rank.
    pub elapsed_ns: u64,
    /// From the first start signal to the last one.
    pub start_spread_ns: u64,
    /// The processor time of the rank that computed least, as a share of the elapsed time.
    pub least_cpu_share: Option<f64>,
    /// On how many processors a rank computed: above one if it has several threads.
    pub processors: Option<f64>,
    /// How long all ranks together were ready to run and another program had the processor.
    pub queued_ns: Option<u64>,
    /// All stages together, with the exchange of inputs and outputs.
    pub total: Duration,
}

/// How a pass ended.
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
}

/// A payload, where a message has one.
type Payload = Option<Vec<u8>>;

type RankMessage = (FromRank, Payload);

/// One answer of each rank, and when it arrived.
pub(crate) struct Answers {
    messages: Vec<RankMessage>,
    arrivals_ns: Vec<u64>,
}

/// An early end of a pass, or the loss of the job's connections.
pub(crate) type Step<T> = Result<T, PassEnd>;

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
                PassEnd::Refused { reason }
                | PassEnd::Failed { reason }
                | PassEnd::Late { reason }
                | PassEnd::Lost { reason } => return Err(reason),
            }
        }
        costs.sort_unstable();
        Ok(costs[costs.len() / 2])
    }

    fn try_pass(&mut self, pass: &PassInput<'_>) -> Step<PassEnd> {
        let deadline = PassDeadline::new(pass.limit);
        self.limit_outputs(pass.input.len());
        let (first, later) = inputs_of(pass);
        let order = ToRank::Prepare(PassOrder {
            version: pass.version,
            region: pass.region,
            home: pass.home,
            limit_ns: pass.limit.map(|limit| limit.as_nanos() as u64),
            is_isolated: pass.is_isolated,
        });
        for rank in 0..self.size() {
            self.deliver(rank, &order, first.filter(|_| rank == pass.home), deadline)?;
        }
        let (times, outside, answers) = self.time(pass.region, (pass.home, later), deadline)?;
        self.finish(pass, (times, &outside), answers)
    }

    /// Starts all prepared ranks, and takes the time until the last one has answered; the last answers of the pass.
    pub(crate) fn time(
        &mut self,
        region: PassRegion,
        (home, input): (usize, Option<&[u8]>),
        deadline: PassDeadline,
    ) -> Step<(PassTimes, OutsideTimes, Answers)> {
        let ready = self.gather(deadline)?;
        self.expect(&ready, |message| matches!(message, FromRank::Ready))?;

        let before = self.processes.times();
        let first_start = clock::now();
        let starts = self.start_all(home, input, deadline)?;
        let mut answers = self.gather(deadline)?;
        let start = starts.iter().copied().max().unwrap_or(first_start);
        let end = answers.arrivals_ns.iter().copied().max().unwrap_or(start);
        let early = answers.arrivals_ns.iter().position(|&arrival| arrival < first_start);
        let outside = OutsideTimes(starts.into_iter().zip(answers.arrivals_ns.iter().copied()).collect());
        let wall_ns = end.saturating_sub(first_start);
        let shares = self.processes.shares(before, self.processes.times(), wall_ns);
        if region != PassRegion::Pipeline {
            self.expect(&answers, |message| matches!(message, FromRank::Done))?;
        }
        if region == PassRegion::Run {
            self.deliver_all(&ToRank::Collect, deadline)?;
            answers = self.gather(deadline)?;
        }
        // Before the first signal no rank can have known that it may begin.
        if let Some(rank) = early {
            return Err(PassEnd::Failed { reason: text::early(self.lang(), rank) });
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

    /// The end of a pass whose last answers are `answers`.
    fn finish(
        &mut self,
        pass: &PassInput<'_>,
        (times, outside): (PassTimes, &OutsideTimes),
        answers: Answers,
    ) -> Step<PassEnd> {
        if pass.region == PassRegion::Nothing {
            let outputs = vec![None; self.size()];
            let times = Box::new(times);
            return Ok(PassEnd::Finished { times, outputs, statements: vec![], leaks: vec![] });
        }
        let (outputs, statements) = self.outputs(answers, outside)?;
        let leaks = if pass.is_isolated { self.find_leaks(&statements)? } else { vec![] };
        if let Some(limit) = pass.limit.filter(|&limit| times.total > limit) {
            let seconds = |duration: Duration| number::fixed(self.lang(), duration.as_secs_f64(), 2);
            let reason = text::too_slow(self.lang(), seconds(times.total), seconds(limit));
            return Err(PassEnd::Late { reason });
        }
        Ok(PassEnd::Finished { times: Box::new(times), outputs, statements, leaks })
    }

    /// The output and the statement of each rank, which must be possible.
    pub(crate) fn outputs(
        &self,
        answers: Answers,
        outside: &OutsideTimes,
    ) -> Step<(Vec<Payload>, Vec<RankStatement>)> {
        self.expect(&answers, |message| matches!(message, FromRank::Output(_)))?;
        let of_rank = |(message, output)| match message {
            FromRank::Output(statement) => Some((output, statement)),
            _ => None,
        };
        let (outputs, statements): (_, Vec<_>) = answers.messages.into_iter().filter_map(of_rank).unzip();
        match outside.find_impossible(&statements) {
            Some(rank) => Err(PassEnd::Failed { reason: text::impossible_times(self.lang(), rank) }),
            None => Ok((outputs, statements)),
        }
    }

    fn find_leaks(&mut self, statements: &[RankStatement]) -> Step<Vec<String>> {
        let is_patient = message::may_be_on_its_way(statements);
        let deadline = PassDeadline::after(LEAK_SEARCH);
        self.deliver_all(&ToRank::FindLeaks { is_patient }, deadline)?;
        let answers = self.gather(deadline)?;
        self.expect(&answers, |message| matches!(message, FromRank::Leaks(_)))?;
        let leaks = answers.messages.into_iter().filter_map(|(message, _)| match message {
            FromRank::Leaks(leaks) => Some(leaks),
            _ => None,
        });
        Ok(leaks.flatten().collect())
    }

    /// Every rank's next message. Ends early when a rank failed, refused the input or is lost.
    fn gather(&mut self, deadline: PassDeadline) -> Step<Answers> {
        let mut given: Vec<Option<RankMessage>> = vec![None; self.size()];
        let mut arrivals_ns = vec![0; self.size()];
        while given.iter().any(Option::is_none) {
            match self.next_event(deadline.instant()) {
                Some(RankEvent::Member(ChannelEvent::Message {
                    member: rank,
                    message: FromRank::Failed { stage, is_late, reason },
                    ..
                })) => {
                    let reason = self.describe_failure(rank, stage, &reason);
                    return Err(if is_late { PassEnd::Late { reason } } else { PassEnd::Failed { reason } });
                }
                Some(RankEvent::Member(ChannelEvent::Message { member: rank, at_ns, message, payload })) => {
                    if given[rank].is_some() {
                        return Err(self.out_of_turn(rank, &message));
                    }
                    arrivals_ns[rank] = at_ns;
                    given[rank] = Some((message, payload));
                }
                Some(RankEvent::Member(ChannelEvent::Unreadable { member: rank, error })) => {
                    return Err(PassEnd::Failed { reason: text::not_a_message(self.lang(), rank, error) });
                }
                Some(RankEvent::Member(ChannelEvent::Closed { .. }) | RankEvent::Ended(_)) => {
                    return Err(self.lost(&given));
                }
                // A rank on this host gives no signs: they could fill the queue, and hide an answer before the start.
                Some(RankEvent::Member(ChannelEvent::Alive { member: rank, .. })) => {
                    return Err(PassEnd::Failed { reason: text::out_of_turn(self.lang(), rank, "Alive") });
                }
                // Every rank is connected.
                Some(RankEvent::Member(ChannelEvent::Joined { .. } | ChannelEvent::Refused(_))) => {}
                None => {
                    let late = text::late(self.lang(), missing(&given), deadline.seconds(self.lang()));
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
            _ if refused > 0 => Err(PassEnd::Failed { reason: text::mixed(self.lang()) }),
            _ => Ok(Answers { messages, arrivals_ns }),
        }
    }

    fn describe_failure(&self, rank: usize, stage: Option<wb_task::Stage>, reason: &str) -> String {
        match stage {
            Some(stage) if !reason.contains(stage.name()) => {
                text::rank_failed_in(self.lang(), rank, stage, reason)
            }
            _ => text::rank_failed(self.lang(), rank, reason),
        }
    }

    fn out_of_turn(&self, rank: usize, message: &FromRank) -> PassEnd {
        PassEnd::Failed { reason: describe_out_of_turn(self.lang(), rank, message) }
    }

    fn expect(&self, answers: &Answers, is_expected: impl Fn(&FromRank) -> bool) -> Step<()> {
        match answers.messages.iter().position(|(message, _)| !is_expected(message)) {
            None => Ok(()),
            Some(rank) => Err(self.out_of_turn(rank, &answers.messages[rank].0)),
        }
    }

    /// The end of a pass in which a rank is lost: the reason of another rank, if one reports it.
    fn lost(&mut self, given: &[Option<RankMessage>]) -> PassEnd {
        let deadline = Some(Instant::now() + LAST_WORDS);
        while let Some(event) = self.next_event(deadline) {
            if let RankEvent::Member(ChannelEvent::Message {
                member: rank,
                message: FromRank::Failed { stage, reason, .. },
                ..
            }) = event
            {
                if self.end_cause().is_some() {
                    break;
                }
                return PassEnd::Failed { reason: self.describe_failure(rank, stage, &reason) };
            }
        }
        if let Some(reason) = self.end_cause() {
            return PassEnd::Lost { reason };
        }
        let reason = text::rank_lost(self.lang(), missing(given), self.output_tail());
        PassEnd::Lost { reason: reason.trim_end().to_owned() }
    }

    /// Sends a message that every rank must read before the deadline.
    fn deliver_all(&mut self, message: &ToRank, deadline: PassDeadline) -> Step<()> {
        (0..self.size()).try_for_each(|rank| self.deliver(rank, message, None, deadline))
    }

    /// Sends a message that the rank must read before the deadline.
    pub(crate) fn deliver(
        &mut self,
        rank: usize,
        message: &ToRank,
        payload: Option<&[u8]>,
        deadline: PassDeadline,
    ) -> Step<()> {
        match self.send(rank, message, payload, deadline.instant()) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                let reason = text::does_not_read(self.lang(), rank, deadline.begin.elapsed().as_secs());
                Err(PassEnd::Late { reason })
            }
            Err(_) => Err(self.lost(&vec![None; self.size()])),
        }
    }
}

/// The input that goes out before the timed region, and the one inside it. A version that gets the input early could
/// execute all stages before they are timed.
fn inputs_of<'a>(pass: &PassInput<'a>) -> (Option<&'a [u8]>, Option<&'a [u8]>) {
    match pass.region {
        PassRegion::Run => (Some(pass.input), None),
        PassRegion::Pipeline => (None, Some(pass.input)),
        PassRegion::Nothing => (None, None),
    }
}

/// A message that the judge does not await.
pub(crate) fn describe_out_of_turn(lang: Lang, rank: usize, message: &FromRank) -> String {
    let shown = format!("{message:?}");
    let name: String = shown.chars().take_while(|c| c.is_alphanumeric()).collect();
    text::out_of_turn(lang, rank, name)
}

fn missing<T>(given: &[Option<T>]) -> String {
    let missing = given.iter().enumerate().filter(|(_, answer)| answer.is_none());
    number::ranges(missing.map(|(rank, _)| rank), "-")
}
