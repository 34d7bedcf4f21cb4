//! Why a job on several hosts ended without its results: the reason that the launcher's output hides, or that no launcher notices.
use std::{collections::BTreeSet, io, path::Path, process::Command, time::Duration};

use wb_messages::{Lang, hosts as text};
use wb_process::{
    JobExit,
    heartbeat::{JobHeartbeats, RANK_SILENCE_MAX, RankOnHost},
};

use crate::{format::format_ranks, launch, lost_hosts, output_tail};

/// How much later than the first sign of others that of a rank may come: launchers start hosts one after the other.
const START_MAX: Duration = Duration::from_secs(15);

/// The cause of the end of a job on several hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobLoss {
    /// These hosts do not answer.
    Hosts(Vec<String>),
    /// These ranks gave no sign any more, though their hosts answer; and the hosts on which no rank gave one at all.
    Silent(Vec<RankOnHost>, BTreeSet<String>),
    /// One of these ranks was killed: the others were asked to end.
    Killed(Vec<RankOnHost>),
}

/// The watch over a job on several hosts. The ranks end when it is dropped.
#[derive(Debug)]
pub struct JobWatch(JobHeartbeats);

impl JobWatch {
    /// The watch over a job of so many ranks in this folder; none where all ranks are on this host.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn start(folder: &Path, ranks: usize, program: &mut Command) -> io::Result<Option<Self>> {
        if !launch::places_ranks() {
            return Ok(None);
        }
        let heartbeats = JobHeartbeats::start(folder, ranks)?;
        heartbeats.add_to(program);
        Ok(Some(Self(heartbeats)))
    }

    /// Whether a rank gives no sign any more, so that the job cannot end by itself.
    pub fn has_silent_rank(&mut self) -> bool {
        self.0.look();
        !self.0.silent_ranks(START_MAX).is_empty()
    }

    /// Why the job ended without the results of all ranks; those of `reported` left one. `None` where that is not known.
    pub fn loss(&mut self, exit: &JobExit, reported: &BTreeSet<usize>) -> Option<JobLoss> {
        let silent = self.0.silent_ranks(START_MAX);
        let placement = launch::placement().ok();
        let hosts = placement.and_then(|placement| placement.hosts.as_ref());
        let lost = hosts.map_or_else(Vec::new, lost_hosts);
        if !lost.is_empty() {
            return Some(JobLoss::Hosts(lost));
        }
        if !silent.is_empty() {
            let started = self.0.started_ranks();
            let has_started = |name: &String| started.iter().any(|at| at.host.as_ref() == Some(name));
            let names = hosts.iter().flat_map(|file| file.hosts.iter()).map(|host| host.name.clone());
            let unseen = names.filter(|name| !has_started(name)).collect();
            return Some(JobLoss::Silent(silent, unseen));
        }
        let asked: BTreeSet<usize> = self.0.ranks_asked_to_end().iter().map(|at| at.rank).collect();
        let is_lost = |at: &RankOnHost| !asked.contains(&at.rank) && !reported.contains(&at.rank);
        let mut killed = self.0.started_ranks();
        let started = killed.len();
        killed.retain(is_lost);
        // Where no rank was asked to end, each may have been killed by the launcher.
        let is_known = !killed.is_empty() && killed.len() < started;
        (is_known && output_tail::is_killed(exit.status)).then_some(JobLoss::Killed(killed))
    }
}

impl JobLoss {
    /// Whether no other job on these hosts can be expected to run.
    pub fn is_lasting(&self) -> bool {
        !matches!(self, Self::Killed(_))
    }

    /// The cause in a line. `how` says how the launcher ended.
    pub fn describe(&self, how: &str, lang: Lang) -> String {
        match self {
            Self::Hosts(names) => text::lost(lang, names.join(", "), how),
            Self::Silent(ranks, unseen) => {
                let all = [describe_ranks(ranks, lang)].into_iter();
                let all = all.chain(unseen.iter().map(|host| text::no_rank_on(lang, host)));
                text::silent(lang, all.collect::<Vec<_>>().join("; "), RANK_SILENCE_MAX.as_secs())
            }
            Self::Killed(ranks) => text::rank_killed(lang, describe_ranks(ranks, lang)),
        }
    }
}

/// Ranks by host: `2, 3 on host wb2`.
fn describe_ranks(ranks: &[RankOnHost], lang: Lang) -> String {
    let hosts: BTreeSet<Option<&str>> = ranks.iter().map(|at| at.host.as_deref()).collect();
    let of_host = |host: Option<&str>| {
        let ranks = ranks.iter().filter(|at| at.host.as_deref() == host).map(|at| at.rank);
        let ranks = format_ranks(ranks).unwrap_or_default();
        match host {
            Some(host) => text::ranks_on(lang, ranks, host),
            None => text::ranks_not_started(lang, ranks),
        }
    };
    hosts.into_iter().map(of_host).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(rank: usize, host: &str) -> RankOnHost {
        RankOnHost { rank, host: (!host.is_empty()).then(|| host.to_owned()) }
    }

    #[test]
    fn ranks_are_listed_by_host_and_those_without_a_sign_as_that() {
        let ranks = [at(2, "wb2"), at(3, "wb2"), at(4, ""), at(5, "wb3")];
        let described = describe_ranks(&ranks, Lang::En);
        assert_eq!(described, "rank 4, which has not started; rank 2, 3 on host wb2; rank 5 on host wb3");
    }

    #[test]
    fn a_loss_names_host_and_cause() {
        let said = |loss: JobLoss| loss.describe("exit code 1", Lang::En);
        assert!(said(JobLoss::Hosts(vec!["wb2".into()])).contains("wb2 (exit code 1)"));
        let silent = said(JobLoss::Silent(vec![at(3, "wb2")], ["wb3".to_owned()].into()));
        assert!(silent.contains("rank 3 on host wb2") && silent.contains("15 s"), "{silent}");
        assert!(silent.contains("no rank on host wb3 has started"), "{silent}");
        let killed = said(JobLoss::Killed(vec![at(3, "wb2")]));
        assert!(killed.contains("rank 3 on host wb2 was killed by signal 9"), "{killed}");
    }
}
