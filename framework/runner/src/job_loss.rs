//! Why a job on several hosts ended without its results: the reason that the launcher's output hides, or that no launcher notices.
use std::{
    collections::BTreeSet,
    path::Path,
    time::{Duration, Instant},
};

use wb_config::HostFile;
use wb_messages::{Lang, hosts as text};
use wb_process::JobExit;

use crate::{
    format::{format_ranks, group_ranks},
    full_folders::full_folders,
    launch, lost_hosts, output_tail,
    rank_signs::{QUIET_BEFORE, RANK_SILENCE_MAX, RankOnHost, RankSigns},
    slurm_job::{self, AllocationEnd},
};

/// How much later than the start of the job the first sign of a rank may come.
const START_MAX: Duration = Duration::from_secs(15);

/// How much later than the start of the job its hosts are asked where no rank has given a sign or the job has no result.
const START_QUESTION: Duration = Duration::from_secs(8);

/// How long a rank was silent before the end of its job that was lost then.
const LOST_BEFORE: Duration = Duration::from_secs(4);

/// The cause of the end of a job on several hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobLoss {
    /// These hosts do not answer.
    Hosts(Vec<String>),
    /// Slurm has lost these nodes.
    Nodes {
        /// The nodes.
        names: Vec<String>,
        /// Whether the job of Slurm that all launches are in is over for that reason.
        ends_allocation: bool,
    },
    /// The job of Slurm that all launches are in is over.
    Allocation(AllocationEnd),
    /// These ranks gave no sign any more, though their hosts answer.
    Silent {
        /// The ranks.
        ranks: Vec<RankOnHost>,
        /// If one of them gave no sign at all: the hosts where it may be.
        incomplete: Vec<IncompleteHost>,
        /// The seconds without a sign.
        seconds: u64,
    },
    /// These ranks gave no sign for a moment before the end: a possible cause where a limit was reached, and no proof.
    Quiet {
        /// The ranks.
        ranks: Vec<RankOnHost>,
        /// The seconds without a sign.
        seconds: u64,
    },
    /// These ranks were stopped by a signal; none is named where all ranks are one process.
    Stopped(Vec<usize>),
    /// These folders of hosts are full: host and folder.
    FullFolders(Vec<(String, String)>),
    /// One of these ranks was killed by signal 9: the others were asked to end.
    Killed(Vec<RankOnHost>),
    /// One of these ranks ended without a result: the others were asked to end, or left one.
    Ended(Vec<RankOnHost>),
}

/// A host on which fewer ranks gave a sign than it has slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncompleteHost {
    /// The name of the host.
    pub name: String,
    /// The number of ranks that gave a sign.
    pub started: usize,
    /// The number of its slots.
    pub slots: usize,
}

/// The scope of a loss: what else fails for the same cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossScope {
    /// Nothing: the next job can run.
    Job,
    /// Each job on these hosts.
    Hosts,
    /// All that would still be launched. It has not failed: it cannot begin.
    Allocation,
}

/// The watch over a job on several hosts.
#[derive(Debug)]
pub(crate) struct JobWatch {
    pub(crate) signs: RankSigns,
    hosts: Option<&'static HostFile>,
    started: Instant,
    /// Whether the hosts were asked because the job had not begun.
    has_asked: bool,
    /// The ranks that gave no sign any more when the job was ended for that reason.
    silent: Vec<RankOnHost>,
}

impl JobWatch {
    /// The watch over a job of `ranks` ranks, which starts now.
    pub(crate) fn new(ranks: usize) -> Self {
        let hosts = launch::placement().ok().and_then(|placement| placement.hosts.file());
        Self {
            signs: RankSigns::new(ranks),
            hosts,
            started: Instant::now(),
            has_asked: false,
            silent: vec![],
        }
    }

    /// Whether a rank gives no sign any more, so that the job cannot end by itself. `has_begun` is asked whether the job has done more than
    /// to start its ranks.
    pub(crate) fn has_silent_rank(&mut self, has_begun: impl FnOnce() -> bool) -> bool {
        self.silent = self.signs.silent_ranks(START_MAX);
        !self.silent.is_empty() || self.cannot_start(has_begun)
    }

    /// Whether the job has not begun and a host does not answer: its launcher may wait for it longer, and so may ranks that connect to each
    /// other, which give signs meanwhile. It is asked once.
    fn cannot_start(&mut self, has_begun: impl FnOnce() -> bool) -> bool {
        if self.has_asked || self.started.elapsed() < START_QUESTION {
            return false;
        }
        self.has_asked = true;
        (self.signs.started_ranks().is_empty() || !has_begun())
            && self.hosts.is_some_and(|hosts| !lost_hosts(hosts).is_empty())
    }

    /// The reason why the job with this file of its output ended without the results of all ranks; those of `reported` left one. `None` where that is
    /// not known.
    pub(crate) fn loss(
        &mut self,
        exit: &JobExit,
        output: &Path,
        reported: &BTreeSet<usize>,
    ) -> Option<JobLoss> {
        let silent = std::mem::take(&mut self.silent);
        let (end, names) = (slurm_job::allocation_end(), slurm_job::lost_nodes(output));
        if !names.is_empty() {
            return Some(JobLoss::Nodes { names, ends_allocation: end.is_some() });
        }
        if let Some(end) = end {
            return Some(JobLoss::Allocation(end));
        }
        let lost = self.hosts.map_or_else(Vec::new, lost_hosts);
        if !lost.is_empty() {
            return Some(JobLoss::Hosts(lost));
        }
        if !silent.is_empty() {
            return Some(self.silent(silent, RANK_SILENCE_MAX));
        }
        let (early, silence) = self.signs.silent_before_the_end(LOST_BEFORE);
        if !early.is_empty() {
            return Some(self.silent(early, silence));
        }
        let ended = self.ended_rank(exit, reported);
        let (ranks, silence) = self.signs.silent_before_the_end(QUIET_BEFORE);
        Some(JobLoss::Quiet { ranks, seconds: silence.as_secs() })
            .filter(|quiet| quiet.explains(&ended))
            .or(ended)
    }

    fn silent(&mut self, mut ranks: Vec<RankOnHost>, silence: Duration) -> JobLoss {
        let started = self.signs.started_ranks();
        // A launcher lets a stopped rank continue before it asks it to end: only then it may say where it is.
        for at in ranks.iter_mut().filter(|at| at.host.is_none()) {
            at.host = started.iter().find(|known| known.rank == at.rank).and_then(|known| known.host.clone());
        }
        let has_unstarted = ranks.iter().any(|at| at.host.is_none());
        let slots = if has_unstarted { launch::slots_by_host() } else { vec![] };
        let incomplete = incomplete_hosts(slots, &started);
        JobLoss::Silent { ranks, incomplete, seconds: silence.as_secs() }
    }

    /// The ranks of which one has ended the job: neither asked to end nor with a result.
    fn ended_rank(&mut self, exit: &JobExit, reported: &BTreeSet<usize>) -> Option<JobLoss> {
        let all = self.signs.ranks().len();
        let mut ended = self.signs.ended_ranks();
        ended.retain(|at| !reported.contains(&at.rank));
        let full = self.hosts.filter(|_| !ended.is_empty()).map_or_else(Vec::new, full_folders);
        if !full.is_empty() {
            return Some(JobLoss::FullFolders(full));
        }
        // Where no rank was asked to end or left anything, the launcher may have killed each of them.
        if ended.is_empty() || ended.len() == all {
            return None;
        }
        // The status of a job that its runner has ended is that of its launcher.
        let is_killed = !exit.has_timed_out && output_tail::is_killed(exit.status);
        Some(if is_killed { JobLoss::Killed(ended) } else { JobLoss::Ended(ended) })
    }
}

impl JobLoss {
    /// The scope of a loss: what else fails for the same cause.
    pub fn scope(&self) -> LossScope {
        match self {
            Self::Stopped(_) | Self::Killed(_) | Self::Ended(_) | Self::Quiet { .. } => LossScope::Job,
            Self::Nodes { ends_allocation: true, .. } | Self::Allocation(_) => LossScope::Allocation,
            Self::Hosts(_) | Self::Nodes { .. } | Self::Silent { .. } | Self::FullFolders(_) => {
                LossScope::Hosts
            }
        }
    }

    /// Whether no other job there can be expected to run.
    pub fn is_lasting(&self) -> bool {
        self.scope() != LossScope::Job
    }

    /// Whether ranks were quiet and that is a better reason than another one. A launcher kills a stopped rank with the others: it
    /// looks like one that ended.
    fn explains(&self, other: &Option<Self>) -> bool {
        let Self::Quiet { ranks, .. } = self else { return false };
        !ranks.is_empty() && matches!(other, None | Some(Self::Ended(_)))
    }

    /// Whether it is a possible cause only.
    pub fn is_hint(&self) -> bool {
        matches!(self, Self::Quiet { .. })
    }

    /// The cause in a line. `exit` says how the launcher ended.
    pub fn describe(&self, exit: &str, lang: Lang) -> String {
        match self {
            Self::Hosts(names) => text::lost(lang, names.join(", "), exit),
            Self::Nodes { names, .. } => text::lost_nodes(lang, names.join(", "), exit),
            Self::Allocation(AllocationEnd::TimeLimit) => text::time_is_over(lang),
            Self::Allocation(AllocationEnd::State(state)) => text::allocation_ended(lang, state),
            Self::Silent { ranks, incomplete, seconds } => {
                let all = [describe_ranks(ranks, lang)].into_iter();
                let all = all.chain(incomplete.iter().map(|host| host.describe(lang)));
                text::silent(lang, all.collect::<Vec<_>>().join("; "), seconds)
            }
            Self::Quiet { ranks, seconds } => text::quiet(lang, describe_ranks(ranks, lang), seconds),
            Self::Stopped(ranks) => match format_ranks(ranks.iter().copied()) {
                Some(ranks) => text::stopped(lang, ranks),
                None => text::all_stopped(lang),
            },
            Self::FullFolders(full) => {
                let named = full.iter().map(|(host, folder)| text::folder_on(lang, folder, host));
                text::no_space(lang, named.collect::<Vec<_>>().join(", "), exit)
            }
            Self::Killed(ranks) if ranks.len() == 1 => text::rank_killed(lang, describe_ranks(ranks, lang)),
            Self::Killed(ranks) => text::some_rank_killed(lang, describe_ranks(ranks, lang)),
            Self::Ended(ranks) if ranks.len() == 1 => {
                text::rank_ended(lang, describe_ranks(ranks, lang), exit)
            }
            Self::Ended(ranks) => text::some_rank_ended(lang, describe_ranks(ranks, lang), exit),
        }
    }
}

impl IncompleteHost {
    fn describe(&self, lang: Lang) -> String {
        match self.started {
            0 => text::no_rank_on(lang, &self.name),
            started => text::ranks_started_on(lang, &self.name, started, self.slots),
        }
    }
}

/// The hosts with more slots than ranks of `started`.
fn incomplete_hosts(slots: Vec<(String, usize)>, started: &[RankOnHost]) -> Vec<IncompleteHost> {
    let count = |name: &String| started.iter().filter(|at| at.host.as_ref() == Some(name)).count();
    let hosts = slots.into_iter();
    let hosts = hosts.map(|(name, slots)| IncompleteHost { started: count(&name), name, slots });
    hosts.filter(|host| host.started < host.slots).collect()
}

/// Ranks by host: `2, 3 on host wb2`.
fn describe_ranks(ranks: &[RankOnHost], lang: Lang) -> String {
    let hosts = group_ranks(ranks.iter().map(|at| (at.rank, at.host.as_deref())));
    let of_host = |(ranks, host): (String, Option<&str>)| match host {
        Some(host) => text::ranks_on(lang, ranks, host),
        None => text::ranks_not_started(lang, ranks),
    };
    hosts.into_iter().map(of_host).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    fn at(rank: usize, host: &str) -> RankOnHost {
        RankOnHost { rank, host: (!host.is_empty()).then(|| host.to_owned()) }
    }

    #[test]
    fn ranks_are_listed_by_host_and_those_without_a_sign_as_that() {
        let ranks = [at(2, "wb2"), at(3, "wb2"), at(4, ""), at(5, "wb3")];
        let described = describe_ranks(&ranks, Lang::En);
        assert_eq!(described, "rank 2, 3 on host wb2; rank 4, which gave no sign at all; rank 5 on host wb3");
    }

    #[test]
    fn a_loss_names_host_and_cause() {
        let described = |loss: JobLoss| loss.describe("exit code 1", Lang::En);
        assert!(described(JobLoss::Hosts(vec!["wb2".into()])).contains("wb2 (exit code 1)"));
        let slots = ["wb1", "wb2", "wb3"].map(|name| (name.to_owned(), 2)).to_vec();
        let incomplete = incomplete_hosts(slots, &[at(0, "wb1"), at(1, "wb1"), at(2, "wb2")]);
        let silent = described(JobLoss::Silent { ranks: vec![at(3, "wb2")], incomplete, seconds: 15 });
        assert!(silent.contains("rank 3 on host wb2") && silent.contains("15 s"), "{silent}");
        assert!(silent.contains("no rank on host wb3 has started"), "{silent}");
        assert!(silent.contains("1 of 2 ranks have started on host wb2"), "{silent}");
        assert!(!silent.contains("wb1"), "{silent}");
        let full = described(JobLoss::FullFolders(vec![("wb2".into(), "/tmp".into())]));
        assert!(full.contains("/tmp on host wb2"), "{full}");
        let killed = described(JobLoss::Killed(vec![at(3, "wb2")]));
        assert!(killed.contains("rank 3 on host wb2 was killed by signal 9"), "{killed}");
        let one_of = described(JobLoss::Killed(vec![at(0, "wb1"), at(2, "")]));
        assert!(one_of.starts_with("one of these was killed by signal 9"), "{one_of}");
        let quiet = JobLoss::Quiet { ranks: vec![at(3, "wb2")], seconds: 3 };
        assert!(quiet.is_hint() && !quiet.is_lasting());
        assert!(described(quiet).starts_with("rank 3 on host wb2 gave no sign for 3 s before the end"));
        let ended = described(JobLoss::Ended(vec![at(3, "wb2")]));
        assert!(ended.contains("rank 3 on host wb2 ended without a result (exit code 1)"), "{ended}");
    }

    #[test]
    fn a_rank_that_was_quiet_has_not_ended_by_itself() {
        let quiet = |ranks| JobLoss::Quiet { ranks, seconds: 3 };
        let (stopped, empty) = (quiet(vec![at(3, "wb2")]), quiet(vec![]));
        assert!(stopped.explains(&None) && stopped.explains(&Some(JobLoss::Ended(vec![at(3, "wb2")]))));
        assert!(!stopped.explains(&Some(JobLoss::Killed(vec![at(3, "wb2")]))));
        assert!(!empty.explains(&None) && !empty.explains(&Some(JobLoss::Ended(vec![]))));
    }

    /// Why a job of two ranks ended, of which `asked` were asked to end and `reported` have a result.
    fn ended_rank(asked: &[usize], reported: &[usize], signal: i32) -> Option<JobLoss> {
        let mut signs = RankSigns::new(2);
        for rank in 0..2 {
            signs.join(rank, "wb2".into());
            signs.add(rank, asked.contains(&rank));
        }
        let mut watch =
            JobWatch { signs, hosts: None, started: Instant::now(), has_asked: false, silent: vec![] };
        let status = std::process::ExitStatus::from_raw(signal);
        let exit = JobExit { status, has_timed_out: false, elapsed: Duration::ZERO };
        watch.ended_rank(&exit, &reported.iter().copied().collect())
    }

    #[test]
    fn a_rank_is_accused_only_where_another_one_was_asked_to_end_or_has_a_result() {
        let (killed, ended) =
            (Some(JobLoss::Killed(vec![at(1, "wb2")])), Some(JobLoss::Ended(vec![at(1, "wb2")])));
        for (asked, reported, signal, expected) in [
            (&[][..], &[][..], 9, &None),
            (&[0, 1], &[], 9, &None),
            (&[0], &[], 9, &killed),
            (&[], &[0], 15, &ended),
        ] {
            let found = ended_rank(asked, reported, signal);
            assert_eq!(found, *expected, "asked to end: {asked:?}, with a result: {reported:?}");
        }
    }

    #[test]
    fn after_the_end_of_a_rank_other_jobs_can_run() {
        assert!(!JobLoss::Killed(vec![]).is_lasting() && !JobLoss::Ended(vec![]).is_lasting());
        assert!(JobLoss::Hosts(vec![]).is_lasting() && JobLoss::FullFolders(vec![]).is_lasting());
        let node = |ends_allocation| JobLoss::Nodes { names: vec!["wb2".into()], ends_allocation };
        assert_eq!(
            [node(false), node(true)].map(|loss| loss.scope()),
            [LossScope::Hosts, LossScope::Allocation]
        );
        let over = JobLoss::Allocation(AllocationEnd::TimeLimit);
        assert!(over.is_lasting() && over.scope() == LossScope::Allocation);
    }
}
