//! Where a rank runs: its host and its processors; and the hosts of a job from those of its ranks.
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use wb_record::HostPlacement;

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
    /// The number of processors that it may use at a time.
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
            parallelism: wb_process::usable_cores(),
        }
    }
}

/// The hosts of a job, in the order of their lowest ranks, from the places of its ranks by rank.
pub fn hosts<'a>(places: impl IntoIterator<Item = &'a RankPlacement>) -> Vec<HostPlacement> {
    let mut hosts: Vec<(String, Vec<(u32, &RankPlacement)>)> = vec![];
    for (rank, place) in places.into_iter().enumerate() {
        let rank = (rank as u32, place);
        match hosts.iter_mut().find(|(host, _)| *host == place.host) {
            Some((_, ranks)) => ranks.push(rank),
            None => hosts.push((place.host.clone(), vec![rank])),
        }
    }
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
    let each = || ranks.iter().map(|(_, place)| wb_process::parse_cpus(place.cpus.as_deref()?));
    let sets: Vec<BTreeSet<usize>> = each().collect::<Option<_>>()?;
    // A quota of processor time limits each rank to fewer processors than it may use in turn.
    let is_limited =
        |(cpus, (_, place)): (&BTreeSet<usize>, &(u32, &RankPlacement))| place.parallelism < cpus.len();
    let quota =
        sets.iter().zip(ranks).filter(|pair| is_limited(*pair)).map(|(_, (_, place))| place.parallelism);
    let union: BTreeSet<&usize> = sets.iter().flatten().collect();
    let usable = quota.max().map_or(union.len(), |quota| quota.min(union.len()));
    let names: BTreeSet<&String> = ranks.iter().flat_map(|(_, place)| &place.cores).collect();
    let physical = if names.is_empty() { usable } else { names.len().min(usable) };
    Some((usable as u32, physical as u32))
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
            [of("n1", &[0, 2], &["0", "1-3"], Some((4, 2))), of("n2", &[1], &[], None)]
        );
    }

    #[test]
    fn ranks_that_are_bound_to_one_core_have_one_core() {
        let cores = |cpus: [&str; 2], parallelism| {
            let places = cpus.map(|cpus| RankPlacement { parallelism, ..place("n1", Some(cpus)) });
            hosts(&places)[0].usable_cores
        };
        assert_eq!(cores(["0", "0"], 1), Some(1));
        assert_eq!(cores(["0", "1"], 1), Some(2));
        assert_eq!(cores(["0-7", "0-7"], 8), Some(8));
        assert_eq!(cores(["0-7", "0-7"], 2), Some(2), "a quota");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_thread_has_a_host_and_processors() {
        let place = RankPlacement::of_this_thread();
        assert!(!place.host.is_empty() && place.cpus.is_some_and(|cpus| !cpus.is_empty()));
        assert!(place.parallelism > 0);
    }
}
