//! Where a rank runs: its host and its processors; and the hosts of a job from those of its ranks.
use serde::{Deserialize, Serialize};
use wb_record::HostPlacement;

/// The place of one rank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RankPlacement {
    /// The host's name.
    pub(crate) host: String,
    /// The processors that the rank's thread may use, for example `0-3,8`; `None` where the system does not report them.
    pub(crate) cpus: Option<String>,
}

impl RankPlacement {
    /// The place of the calling thread.
    pub(crate) fn of_this_thread() -> Self {
        let status = std::fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
        let cpus = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        Self {
            host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
            cpus: cpus.map(|cpus| cpus.trim().to_owned()),
        }
    }
}

/// The hosts of a job, in the order of their lowest ranks, from the places of its ranks by rank.
pub(crate) fn hosts<'a>(places: impl IntoIterator<Item = &'a RankPlacement>) -> Vec<HostPlacement> {
    let mut hosts: Vec<HostPlacement> = vec![];
    for (rank, place) in places.into_iter().enumerate() {
        let known = hosts.iter().position(|host| host.host == place.host);
        let index = known.unwrap_or_else(|| {
            hosts.push(HostPlacement { host: place.host.clone(), ranks: vec![], cpus: vec![] });
            hosts.len() - 1
        });
        hosts[index].ranks.push(rank as u32);
        hosts[index].cpus.push(place.cpus.clone().unwrap_or_default());
    }
    // One rank without processors would shift those of the others.
    hosts.iter_mut().filter(|host| host.cpus.iter().all(String::is_empty)).for_each(|host| host.cpus.clear());
    hosts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_grouped_by_their_hosts() {
        let place =
            |host: &str, cpus: Option<&str>| RankPlacement { host: host.into(), cpus: cpus.map(Into::into) };
        let places = [place("n1", Some("0")), place("n2", None), place("n1", Some("1-3"))];
        let of = |host: &str, ranks: &[u32], cpus: &[&str]| HostPlacement {
            host: host.into(),
            ranks: ranks.into(),
            cpus: cpus.iter().map(|&cpus| cpus.into()).collect(),
        };
        assert_eq!(hosts(&places), [of("n1", &[0, 2], &["0", "1-3"]), of("n2", &[1], &[])]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_thread_has_a_host_and_processors() {
        let place = RankPlacement::of_this_thread();
        assert!(!place.host.is_empty() && place.cpus.is_some_and(|cpus| !cpus.is_empty()));
    }
}
