//! The verdict on one run, a pure function of what the ranks wrote down.
//!
//! The first thing that went wrong is reported: a rank that was lost or failed before those that waited for
//! it, a missing output before a wrong one, and the rules last. A wrong output is reported with its cause first, where
//! the run has shown one: a message that no rank received, a request that no rank waited for, a race. What the backend has found in a run
//! whose ranks all returned is [never lost](diagnosis::backend_texts).
use std::collections::BTreeSet;

use wb_comm::{BlockedCall, Code, Verb, panic_place::RankStop, text::error};
use wb_messages::{Lang, functional as text};
use wb_process::stack::Activity;
use wb_record::RankWait;
use wb_runner::format::{format_duration, format_ranks};

use crate::{
    evaluation::{
        FailureKind, FailureReport, diagnosis,
        failure_report::{InputRef, source_line},
        lost_ranks, outputs,
    },
    evidence::{RankOutcome, RankReport, RunEvidence},
    test::TestCase,
};

/// What a panic says of a container whose size is more than an address can name.
const CAPACITY_OVERFLOW: &str = "capacity overflow";

/// The failure of a run; `None` when it passed.
pub(crate) fn judge(test_case: &TestCase, evidence: &RunEvidence) -> Option<FailureReport> {
    let ranks = RunEvaluation { test_case, evidence, lang: Lang::from_environment() };
    let finding = ranks.lost_rank().or_else(|| ranks.check_validation()).or_else(|| ranks.check_outputs())?;
    // Several ranks may have met the same.
    let unreported: BTreeSet<_> = ranks.reported().flat_map(|entry| &entry.unreported).cloned().collect();
    let details = finding.details.iter().cloned().chain(unreported).collect();
    Some(FailureReport { input: Some(ranks.input()), ..finding.with_details(details) })
}

/// The entries of the ranks that take part.
struct RunEvaluation<'a> {
    test_case: &'a TestCase,
    evidence: &'a RunEvidence,
    lang: Lang,
}

impl<'a> RunEvaluation<'a> {
    fn all(&self) -> impl Iterator<Item = (usize, Option<&'a RankReport>)> {
        let entries = &self.evidence.reports;
        (0..self.test_case.id.ranks).map(|rank| (rank, entries.get(&rank)))
    }

    fn reported(&self) -> impl Iterator<Item = &'a RankReport> {
        self.all().filter_map(|(_, entry)| entry)
    }

    fn with_outcome(&self, outcome: RankOutcome) -> impl Iterator<Item = &'a RankReport> {
        self.reported().filter(move |entry| entry.outcome == outcome)
    }

    fn input(&self) -> InputRef {
        let TestCase { id, inputs, excerpt, .. } = self.test_case;
        InputRef { number: id.input + 1, total: *inputs, text: excerpt.clone() }
    }

    fn limit(&self) -> String {
        self.test_case.limit.map_or_else(String::new, |limit| format_duration(self.lang, limit))
    }

    /// A rank that did not come back, or came back with a failure.
    fn lost_rank(&self) -> Option<FailureReport> {
        let ended = self.exhausted().or_else(|| self.exited()).or_else(|| self.mismatch());
        let unterminated: Vec<_> = self.with_outcome(RankOutcome::Unterminated).collect();
        let finding = ended
            .or_else(|| self.first_failure())
            .or_else(|| self.unrecorded())
            .or_else(|| lost_ranks::unterminated(&unterminated, self.lang))
            .or_else(|| self.timed_out())?;
        Some(FailureReport { ranks: self.rank_table(&finding), busy_ranks: self.busy_ranks(), ..finding })
    }

    /// The number of ranks that needed a processor when the limit was over.
    fn busy_ranks(&self) -> usize {
        let is_late =
            |entry: &&RankReport| matches!(entry.outcome, RankOutcome::TimedOut | RankOutcome::Unresponsive);
        let activity = |entry: &RankReport| entry.activity.as_ref().map(|doing| doing.activity);
        self.reported().filter(is_late).filter(|entry| activity(entry) != Some(Activity::Waiting)).count()
    }

    fn exhausted(&self) -> Option<FailureReport> {
        let entry = self.with_outcome(RankOutcome::OutOfMemory).next()?;
        Some(lost_ranks::out_of_memory(entry, self.stage(entry), self.lang))
    }

    fn exited(&self) -> Option<FailureReport> {
        let entry = self.with_outcome(RankOutcome::Exited).next()?;
        let headline = text::exited(self.lang, entry.rank, self.stage(entry));
        let hint = text::hint_exited(self.lang);
        let failure = FailureReport::new(FailureKind::Exited(entry.stage), headline, hint);
        Some(self.with_rank_details(entry, failure))
    }

    /// Calls of different ranks that do not go together: whatever else went wrong may have come of it.
    fn mismatch(&self) -> Option<FailureReport> {
        let found = diagnosis::mismatch_causes(self.evidence);
        let details = found.iter().flat_map(|found| diagnosis::details_once(found, self.lang)).collect();
        let failure = || {
            let is_order = found[0].code == Code::CollectiveOrder;
            let hint = if is_order { text::hint_order } else { text::hint_mismatched };
            let (headline, hint) = (text::mismatched(self.lang), hint(self.lang));
            FailureReport::from_findings(FailureKind::Mismatched, &found, headline, hint)
                .with_details(details)
        };
        (!found.is_empty()).then(failure)
    }

    /// The rank that panicked, met an error or hit the limit first.
    fn first_failure(&self) -> Option<FailureReport> {
        let failed = |entry: &&RankReport| {
            matches!(entry.outcome, RankOutcome::Panicked | RankOutcome::Failed | RankOutcome::TimedOut)
        };
        let first = self.reported().filter(failed).min_by_key(|entry| entry.elapsed)?;
        // The same mistake of several ranks is reported of the lowest, whichever met it first.
        let key = |entry: &RankReport| {
            (entry.outcome, entry.panic_location.clone(), entry.finding.as_ref().map(|found| found.code))
        };
        let first = self.reported().filter(failed).find(|entry| key(entry) == key(first)).unwrap_or(first);
        let (lang, stage) = (self.lang, self.stage(first));
        let finding = match first.outcome {
            RankOutcome::Panicked => {
                let place = first.panic_location.clone().unwrap_or_default();
                let hint = text::hint_panic(lang, &place);
                // Without the column.
                let lines = place.rsplit_once(':').map(|(line, _)| line.to_owned()).into_iter().collect();
                let finding = match first.stop {
                    Some(RankStop::Abort { code, .. }) => {
                        let headline = text::aborted(lang, first.rank, stage, code);
                        FailureReport::new(FailureKind::Aborted(first.stage), headline, hint)
                    }
                    Some(stop @ RankStop::EndlessClockWait) => {
                        let headline = error::of_rank(first.rank, stop.text()).render(lang);
                        FailureReport::new(FailureKind::OverLimit, headline, hint)
                    }
                    None => {
                        let headline = text::panicked(lang, first.rank, stage);
                        let memory = (first.text == CAPACITY_OVERFLOW).then(|| text::capacity_overflow(lang));
                        FailureReport::new(FailureKind::Panicked(first.stage), headline, hint)
                            .with_details([first.text.clone()].into_iter().chain(memory).collect())
                    }
                };
                FailureReport { lines, ..finding }
            }
            RankOutcome::TimedOut => {
                let headline = text::over_limit(lang, first.rank, &first.text, self.limit());
                FailureReport::new(FailureKind::OverLimit, headline, text::hint_limit(lang))
            }
            _ => {
                let headline = text::failed(lang, first.rank, stage);
                let hint = first
                    .panic_location
                    .as_ref()
                    .map_or_else(|| text::hint_error(lang), |at| text::hint_panic(lang, at));
                let finding = FailureReport::new(FailureKind::Failed(first.stage), headline, hint);
                let code = first.finding.as_ref().map(|finding| finding.code);
                let lines =
                    first.finding.iter().flat_map(|found| &found.locations).map(source_line).collect();
                FailureReport { code, lines, ..finding }.with_details(vec![first.text.clone()])
            }
        };
        Some(self.with_rank_details(first, finding))
    }

    fn unrecorded(&self) -> Option<FailureReport> {
        let missing = format_ranks(self.all().filter(|(_, entry)| entry.is_none()).map(|(rank, _)| rank))?;
        let headline = text::no_record(self.lang, missing);
        Some(FailureReport::new(FailureKind::NoRecord, headline, text::hint_no_record(self.lang)))
    }

    /// Ranks that had not come back: still computing, or all of them waiting.
    fn timed_out(&self) -> Option<FailureReport> {
        let waits = |entry: &RankReport| {
            entry.blocked_in.is_some() || entry.ongoing_calls.is_some() || !entry.text.is_empty()
        };
        let computing: Vec<_> =
            self.with_outcome(RankOutcome::Unresponsive).filter(|entry| !waits(entry)).collect();
        if let Some(first) = computing.first() {
            let finding = lost_ranks::late(&computing, self.stage(first), self.limit(), self.lang)?;
            return Some(self.with_rank_details(first, finding));
        }
        let first = self.with_outcome(RankOutcome::Unresponsive).next()?;
        let finding = self.slow_calls().unwrap_or_else(|| self.explain_hang());
        Some(self.with_rank_details(first, finding))
    }

    /// Calls completed until the limit: the program is slow, and nothing is known about its waits.
    fn slow_calls(&self) -> Option<FailureReport> {
        let calls = self.evidence.ongoing_calls()?;
        let took = self.evidence.duration().max(self.test_case.limit.unwrap_or_default());
        let rate = (calls as f64 / took.as_secs_f64()).round();
        let headline = text::still_calling(self.lang, self.limit(), calls, rate);
        let lines = self.reported().filter_map(|entry| entry.blocked_in.as_ref());
        let lines = lines.map(|call| source_line(&call.location())).collect();
        let failure = FailureReport::new(FailureKind::Calling, headline, text::hint_calls(self.lang));
        Some(FailureReport { lines, ..failure })
    }

    /// The causes for which ranks wait, where they are known. Without one it is not known that the ranks wait for each other.
    fn explain_hang(&self) -> FailureReport {
        let mut causes = diagnosis::waiting_causes(self.evidence);
        let is_known = !causes.is_empty();
        let kind = if is_known { FailureKind::Deadlock } else { FailureKind::Blocked };
        let (headline, hint) = match is_known {
            true => (text::deadlock(self.lang, self.limit()), text::hint_hang(self.lang)),
            false => (text::still_blocked(self.lang, self.limit()), text::hint_blocked(self.lang)),
        };
        let of_user = |call: &&BlockedCall| call.verb != Verb::Agreement;
        let blocked = || self.reported().filter_map(|entry| entry.blocked_in.as_ref()).filter(of_user);
        // Where the ranks stand, their table says.
        let places: Vec<_> = blocked().map(BlockedCall::location).collect();
        let named: Vec<_> = causes.iter().flat_map(|cause| &cause.locations).collect();
        let lines = if named.is_empty() { places.iter().collect() } else { named };
        let lines = lines.into_iter().map(source_line).collect();
        causes.iter_mut().for_each(|cause| cause.locations.retain(|place| !places.contains(place)));
        let cycle = if is_known { diagnosis::cycle_of_waits(blocked()) } else { vec![] };
        let number = |rank: usize| u32::try_from(rank).unwrap_or(u32::MAX);
        let wait = |call: &BlockedCall, waits_for| RankWait {
            rank: number(call.rank),
            waits_for: number(waits_for),
            call: call.verb.name().to_owned(),
            tag: call.tag.and_then(|tag| tag.try_into().ok()),
            line: source_line(&call.location()),
        };
        let waits = blocked().flat_map(|call| call.waits_for.iter().map(move |to| wait(call, *to))).collect();
        FailureReport { lines, cycle, waits, ..FailureReport::from_findings(kind, &causes, headline, hint) }
    }

    fn with_rank_details(&self, entry: &RankReport, finding: FailureReport) -> FailureReport {
        let printed = (!entry.output_tail.is_empty())
            .then(|| (text::last_output(self.lang, entry.rank), entry.output_tail.clone()));
        FailureReport { printed, ..finding }
    }

    fn stage(&self, entry: &RankReport) -> String {
        let elsewhere = || match entry.outcome {
            RankOutcome::Panicked => text::checking(self.lang),
            RankOutcome::Failed => text::setting_up(self.lang),
            _ => text::between_stages(self.lang),
        };
        entry.stage.map_or_else(elsewhere, |stage| stage.name().to_owned())
    }

    /// The position of every rank; what is reported already is not repeated for each.
    fn rank_table(&self, failure: &FailureReport) -> Vec<String> {
        let is_reported = |error: &str| failure.details.iter().any(|detail| error.ends_with(detail.as_str()));
        let row = |(_, entry): (usize, Option<&RankReport>)| match entry {
            None => text::rank_without_record(self.lang),
            Some(entry) if entry.outcome == RankOutcome::Failed && is_reported(&entry.text) => {
                text::rank_failed_so(self.lang, self.stage(entry))
            }
            Some(entry) => self.describe_position(entry),
        };
        self.all().map(row).collect()
    }

    fn describe_position(&self, entry: &RankReport) -> String {
        let lang = self.lang;
        let stage = self.stage(entry);
        match (entry.outcome, &entry.blocked_in) {
            (RankOutcome::Unresponsive, Some(call)) if call.verb == Verb::Agreement => {
                text::rank_agrees(lang, stage)
            }
            (RankOutcome::Unresponsive, Some(call)) => text::rank_in_call(
                lang,
                stage,
                call.call().render(lang),
                format!("{}:{}", call.file, call.line),
            ),
            (RankOutcome::Unresponsive, None) if entry.text.is_empty() => {
                lost_ranks::position(entry, stage, lang)
            }
            (RankOutcome::Unresponsive, None) => text::rank_failed_waiting(lang, stage, &entry.text),
            (RankOutcome::Panicked, _) => {
                let row = match entry.stop {
                    None => text::rank_panicked,
                    Some(RankStop::Abort { .. }) => text::rank_aborted,
                    Some(RankStop::EndlessClockWait) => text::rank_awaits_time,
                };
                row(lang, stage, entry.panic_location.as_deref().unwrap_or("?"))
            }
            (RankOutcome::Failed, _) => text::rank_failed(lang, stage, &entry.text),
            (RankOutcome::OutOfMemory, _) => text::rank_out_of_memory(lang, stage, &entry.text),
            (RankOutcome::Unterminated, _) => text::rank_unterminated(lang),
            (RankOutcome::Exited, _) => text::rank_exited(lang, stage),
            (RankOutcome::Rejected, _) => text::rank_refused(lang),
            (RankOutcome::TimedOut, _) => text::rank_over_limit(lang),
            (RankOutcome::Returned | RankOutcome::NotParticipating, _) => text::rank_returned(lang),
        }
    }

    /// Validation, and whether it was right.
    fn check_validation(&self) -> Option<FailureReport> {
        let refused = self.with_outcome(RankOutcome::Rejected).next();
        let lang = self.lang;
        match (&self.test_case.expected.refusal, refused) {
            (None, None) => None,
            (None, Some(entry)) => {
                let headline = text::refused(lang, &entry.text);
                Some(FailureReport::new(FailureKind::Refused, headline, text::hint_refused(lang)))
            }
            (Some(wanted), _) => {
                let right = |entry: &RankReport| {
                    entry.outcome == RankOutcome::Rejected && entry.text.contains(wanted.as_str())
                };
                let reasons = refused.map(|entry| text::refused(lang, &entry.text));
                let headline = match wanted.as_str() {
                    "" => text::accepted(lang),
                    part => text::not_refused(lang, part),
                };
                let finding = FailureReport::new(FailureKind::NotRefused, headline, text::hint_refused(lang));
                (!self.reported().all(right)).then(|| finding.with_details(reasons.into_iter().collect()))
            }
        }
    }

    /// The failure of a run from which all ranks returned.
    fn check_outputs(&self) -> Option<FailureReport> {
        let present: Vec<_> = self.reported().collect();
        let incorrect = outputs::incorrect(&present, self.lang);
        let first = self.first_found(&[Code::CollectiveIncomplete, Code::WindowRace, Code::FileRace]);
        let misplaced =
            if first.is_none() { outputs::misplaced(self.test_case, &present, self.lang) } else { None };
        if misplaced.is_some() {
            return misplaced;
        }
        let Some(incorrect) = incorrect else {
            return first.or_else(|| self.leftovers()).or_else(|| self.check_rules());
        };
        match first.or_else(|| self.left_in_communication()) {
            Some(cause) => Some(outputs::as_consequence(cause, &incorrect, self.lang)),
            None => Some(incorrect),
        }
    }

    fn total(&self, count: impl Fn(&RankReport) -> u64) -> u64 {
        self.reported().map(count).sum()
    }

    /// What the backend has found, of the first of these codes that it has found.
    fn first_found(&self, codes: &[Code]) -> Option<FailureReport> {
        let all = self.evidence.leaks.all();
        codes.iter().find_map(|code| {
            let found: Vec<_> = all.iter().filter(|found| found.code == *code).cloned().collect();
            let (headline, hint) = diagnosis::backend_texts(*code).filter(|_| !found.is_empty())?;
            let (headline, hint) = (headline(self.lang, found.len()), hint(self.lang));
            Some(FailureReport::from_findings(FailureKind::Finding, &found, headline, hint))
        })
    }

    fn leftovers(&self) -> Option<FailureReport> {
        let lang = self.lang;
        let left = self
            .left_processes()
            .or_else(|| self.left_in_communication())
            .or_else(|| self.first_found(&[Code::WindowLeak, Code::FileLeak]));
        if left.is_some() {
            return left;
        }
        let (sends, receives) = (self.total(|e| e.counts.sends), self.total(|e| e.counts.receives));
        let unaccounted = || text::unaccounted(lang, sends, receives);
        (sends != receives).then(|| {
            FailureReport::new(
                FailureKind::MessagesUnaccounted,
                unaccounted(),
                wb_messages::backend_finding::hint_leftovers(lang),
            )
        })
    }

    /// Processes that the task started and did not wait for: they have been ended.
    fn left_processes(&self) -> Option<FailureReport> {
        let (lang, left) = (self.lang, &self.evidence.leaks.processes);
        let headline = text::processes_left(lang, left.len());
        let finding =
            FailureReport::new(FailureKind::ProcessesLeft, headline, text::hint_processes_left(lang));
        (!left.is_empty()).then(|| finding.with_details(left.clone()))
    }

    /// Messages that no rank received and requests that no rank waited for: the data that an output lacks may be in them.
    fn left_in_communication(&self) -> Option<FailureReport> {
        self.first_found(&[Code::UnreceivedMessage, Code::RequestLeak])
    }

    fn check_rules(&self) -> Option<FailureReport> {
        let (lang, expected) = (self.lang, &self.test_case.expected);
        let fail = |kind, headline| Some(FailureReport::new(kind, headline, text::hint_rules(lang)));
        let others = self.total(|entry| expected.allowed.count_others(&entry.counts));
        if others > 0 {
            let places: Vec<_> =
                self.reported().filter_map(|entry| entry.first_collective.as_ref()).collect();
            let first = fail(FailureKind::OtherVerbs, expected.allowed.describe(others, lang))?;
            let lines = places.iter().copied().map(source_line).collect();
            let details = places.iter().map(|place| place.text().render(lang)).collect();
            return Some(FailureReport { lines, ..first }.with_details(details));
        }
        let output = self.reported().find_map(|entry| entry.output.as_ref());
        let least = output.map_or(&[][..], |output| &output.least_sent_bytes);
        let short = self.reported().find(|entry| least.get(entry.rank) > Some(&entry.counts.sent_bytes));
        if let Some(RankReport { rank, counts, .. }) = short {
            let headline = wb_messages::judge::bypassed(lang, rank, counts.sent_bytes, least[*rank]);
            return fail(FailureKind::Bypassed, headline);
        }
        let sends = self.total(|entry| entry.counts.sends);
        match expected.messages {
            Some(wanted) if wanted != sends => {
                fail(FailureKind::MessageCount, text::messages(lang, sends, wanted))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
