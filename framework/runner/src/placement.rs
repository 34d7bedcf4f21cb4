//! Where a rank runs: its host and its processors; and the hosts of a job from those of its ranks.
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use wb_messages::{Lang, performance as text};
use wb_record::HostPlacement;

use crate::format::group;

/// The place of one rank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankPlacement {
    /// The host's name.
    pub host: String,
    /// The processors that the rank's thread may use, for example `0-3,8`; `None` where the system does not report them.
    pub cpus: Option<String>,
    /// The cores of these processors.
    pub cores: BTreeSet<String>,
    /// The sockets of these processors.
    pub sockets: BTreeSet<usize>,
    /// The number of processors that the system permits its process to use at a time, whatever it is bound to.
    pub parallelism: usize,
}

impl RankPlacement {
    /// The place of the calling thread.
    pub fn of_this_thread() -> Self {
        let status = std::fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
        let cpus = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        Self {
            host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
            cpus: cpus.map(|cpus| cpus.trim().to_owned()),
            cores: wb_process::cores_of_this_thread(),
            sockets: wb_process::sockets_of_this_thread(),
            parallelism: wb_process::permitted_parallelism(),
        }
    }

    fn processors(&self) -> Option<BTreeSet<usize>> {
        wb_process::parse_cpus(self.cpus.as_deref()?)
    }
}

/// As [`hosts`], for ranks on this host that must be on processors of `mask`, if there is one.
///
/// # Errors
/// The rank that is on other ones: its launcher has bound it outside of the affinity mask of the process that launched, and the cores of
/// such ranks are not those that a record may count.
pub fn hosts_within<'a>(
    mask: Option<&BTreeSet<usize>>,
    places: impl IntoIterator<Item = &'a RankPlacement> + Clone,
) -> Result<Vec<HostPlacement>, String> {
    for (rank, place) in places.clone().into_iter().enumerate() {
        let outside = |cpus: &BTreeSet<usize>| mask.is_some_and(|mask| !cpus.is_subset(mask));
        if place.processors().as_ref().is_some_and(outside) {
            let (lang, cpus) = (Lang::from_environment(), place.cpus.as_deref().unwrap_or_default());
            let mask = mask.into_iter().flatten().map(usize::to_string).collect::<Vec<_>>().join(",");
            return Err(text::outside_of_mask(lang, rank, cpus, mask));
        }
    }
    Ok(hosts(places))
}

/// The hosts of a job, in the order of their lowest ranks, from the places of its ranks by rank.
pub fn hosts<'a>(places: impl IntoIterator<Item = &'a RankPlacement>) -> Vec<HostPlacement> {
    let ranks = places.into_iter().enumerate();
    let hosts = group(ranks.map(|(rank, place)| (place.host.clone(), (rank as u32, place))));
    hosts.into_iter().map(|(host, ranks)| host_placement(host, &ranks)).collect()
}

fn host_placement(host: String, ranks: &[(u32, &RankPlacement)]) -> HostPlacement {
    let by_rank = |of: fn(&RankPlacement) -> String| {
        let all: Vec<String> = ranks.iter().map(|(_, place)| of(place)).collect();
        // One rank without a value would shift those of the others.
        if all.iter().all(String::is_empty) { vec![] } else { all }
    };
    let (usable_cores, physical_cores) = cores(ranks).unzip();
    HostPlacement {
        host,
        ranks: ranks.iter().map(|(rank, _)| *rank).collect(),
        cpus: by_rank(|place| place.cpus.clone().unwrap_or_default()),
        sockets: by_rank(|place| place.sockets.iter().map(usize::to_string).collect::<Vec<_>>().join(",")),
        usable_cores,
        physical_cores,
    }
}

/// The usable and the physical cores of all ranks together; `None` if one of them does not know its processors.
fn cores(ranks: &[(u32, &RankPlacement)]) -> Option<(u32, u32)> {
    let each = || ranks.iter().map(|(_, place)| place.processors());
    let union = each().try_fold(BTreeSet::new(), |union, cpus| Some(&union | &cpus?))?;
    let names: BTreeSet<&String> = ranks.iter().flat_map(|(_, place)| &place.cores).collect();
    let physical = if names.is_empty() { union.len() } else { names.len() };
    // A quota of processor time limits all ranks together, also where each is bound to a core of its own.
    let permitted = ranks.iter().map(|(_, place)| place.parallelism).max().unwrap_or(usize::MAX);
    Some((physical.min(permitted) as u32, physical as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(host: &str, cpus: Option<&str>) -> RankPlacement {
        let cores = cpus.iter().flat_map(|cpus| wb_process::parse_cpus(cpus)).flatten();
        RankPlacement {
            host: host.into(),
            cpus: cpus.map(Into::into),
            sockets: cpus.iter().map(|cpus| cpus.len()).collect(),
            // Hardware threads 2k and 2k + 1 are of one core.
            cores: cores.map(|cpu| (cpu / 2).to_string()).collect(),
            parallelism: usize::MAX,
        }
    }

    #[test]
    fn ranks_are_grouped_by_their_hosts() {
        let places = [place("n1", Some("0")), place("n2", None), place("n1", Some("1-3"))];
        let of = |host: &str, ranks: &[u32], cpus: &[&str], cores: Option<(u32, u32)>| HostPlacement {
            host: host.into(),
            ranks: ranks.into(),
            cpus: cpus.iter().map(|&cpus| cpus.into()).collect(),
            sockets: cpus.iter().map(|cpus| cpus.len().to_string()).collect(),
            usable_cores: cores.map(|(usable, _)| usable),
            physical_cores: cores.map(|(_, physical)| physical),
        };
        assert_eq!(
            hosts(&places),
            [of("n1", &[0, 2], &["0", "1-3"], Some((2, 2))), of("n2", &[1], &[], None)]
        );
    }

    #[test]
    fn ranks_have_the_cores_of_their_binding_as_far_as_the_quota_permits() {
        let cores = |cpus: [&str; 2], parallelism| {
            let places = cpus.map(|cpus| RankPlacement { parallelism, ..place("n1", Some(cpus)) });
            let host = hosts(&places).remove(0);
            (host.usable_cores, host.physical_cores)
        };
        // Hardware threads 2k and 2k + 1 are of one core.
        assert_eq!(cores(["0", "0"], 8), (Some(1), Some(1)));
        assert_eq!(cores(["0", "1"], 8), (Some(1), Some(1)), "two hardware threads");
        assert_eq!(cores(["0", "2"], 8), (Some(2), Some(2)));
        assert_eq!(cores(["0", "2"], 1), (Some(1), Some(2)), "a quota of one core, each rank bound to one");
        assert_eq!(cores(["0-7", "0-7"], 8), (Some(4), Some(4)));
        assert_eq!(cores(["0-7", "0-7"], 2), (Some(2), Some(4)), "a quota");
    }

    #[test]
    fn a_rank_outside_of_the_mask_is_refused() {
        let places = [place("n1", Some("0")), place("n1", Some("1"))];
        let within = |mask: &[usize]| hosts_within(Some(&mask.iter().copied().collect()), &places);
        assert_eq!(within(&[0, 1, 2]), Ok(hosts(&places)));
        assert_eq!(hosts_within(None, &places), Ok(hosts(&places)));
        let refused = within(&[0]).expect_err("rank 1 is outside");
        assert!(refused.contains("rank 1 runs on the processors 1 ") && refused.contains("(0)"), "{refused}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_thread_has_a_host_and_processors() {
        let place = RankPlacement::of_this_thread();
        assert!(!place.host.is_empty() && place.cpus.is_some_and(|cpus| !cpus.is_empty()));
        assert!(place.parallelism > 0);
    }
}
