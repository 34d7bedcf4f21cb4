//! How crowded the machines of a measurement were.

use std::cmp::Ordering;

use crate::{Environment, HostMachine, HostPlacement};

/// The ranks on one machine, and the cores that they share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MachineLoad {
    /// The number of ranks.
    pub ranks: u32,
    /// The number of cores that they may use at a time. Hardware threads of one core count once.
    pub usable_cores: u32,
}

impl MachineLoad {
    /// Whether there are more ranks than cores.
    pub fn is_oversubscribed(self) -> bool {
        self.ranks > self.usable_cores
    }

    /// Compares the numbers of ranks per core.
    pub fn cmp_load(&self, other: &Self) -> Ordering {
        let crossed = |a: &Self, b: &Self| u64::from(a.ranks) * u64::from(b.usable_cores);
        crossed(self, other).cmp(&crossed(other, self)).then(self.ranks.cmp(&other.ranks))
    }
}

impl Environment {
    /// The machine with the most ranks per core of a measurement on `ranks` ranks.
    ///
    /// Hosts whose ranks read one clock share a kernel, so they are one machine. Where the cores of the hosts are not known, they are
    /// taken for those of the host that started the measurement.
    pub fn highest_load(&self, ranks: u32) -> MachineLoad {
        let HostMachine { usable_cores, physical_cores, .. } = self.machine;
        // Records of earlier versions count hardware threads as usable cores.
        let load = |host: &HostPlacement| MachineLoad {
            ranks: host.ranks.len() as u32,
            usable_cores: host
                .usable_cores
                .unwrap_or(usable_cores)
                .min(host.physical_cores.unwrap_or(physical_cores)),
        };
        let hosts = || self.placement.iter().map(load);
        let most = hosts().map(|host| host.usable_cores).max();
        let usable_cores = most.unwrap_or(usable_cores.min(physical_cores));
        let one_machine = MachineLoad { ranks, usable_cores };
        match self.clock.compared.is_empty() {
            true => one_machine,
            false => hosts().max_by(MachineLoad::cmp_load).unwrap_or(one_machine),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ComparedClock;

    fn host(name: &str, ranks: std::ops::Range<u32>, cores: Option<u32>) -> HostPlacement {
        let ranks = ranks.collect();
        HostPlacement {
            host: name.into(),
            ranks,
            cpus: vec![],
            sockets: vec![],
            usable_cores: cores,
            physical_cores: cores,
        }
    }

    fn environment(placement: Vec<HostPlacement>, clocks: u32) -> Environment {
        let mut environment = Environment::example();
        environment.placement = placement;
        let clock = |first_rank| ComparedClock {
            host: String::new(),
            first_rank,
            ranks: 1,
            offset_ns: 0.0,
            drift_ppm: 0.0,
            uncertainty_ns: 1.0,
            step_ns: 0.0,
        };
        environment.clock.compared = (0..clocks).map(clock).collect();
        environment
    }

    #[test]
    fn a_small_host_is_more_crowded_than_a_large_one_with_more_ranks() {
        let load = environment(vec![host("large", 0..8, Some(16)), host("small", 8..12, Some(2))], 2)
            .highest_load(12);
        assert_eq!(load, MachineLoad { ranks: 4, usable_cores: 2 });
        assert!(load.is_oversubscribed());
        let load =
            environment(vec![host("large", 0..8, Some(16)), host("small", 8..9, Some(2))], 2).highest_load(9);
        assert!(!load.is_oversubscribed());
    }

    #[test]
    fn hosts_of_one_kernel_are_one_machine() {
        let placement = vec![host("a", 0..2, Some(2)), host("b", 2..4, Some(2))];
        assert!(environment(placement.clone(), 0).highest_load(4).is_oversubscribed());
        assert!(!environment(placement, 2).highest_load(4).is_oversubscribed());
    }

    #[test]
    fn unknown_cores_are_those_of_the_host_that_started_the_measurement() {
        let load = environment(vec![], 0).highest_load(3);
        assert_eq!(load, MachineLoad { ranks: 3, usable_cores: 2 });
        let load = environment(vec![host("a", 0..2, None), host("b", 2..4, None)], 2).highest_load(4);
        assert_eq!((load.ranks, load.usable_cores), (2, 2));
    }

    #[test]
    fn hardware_threads_of_one_core_count_once() {
        let mut shared = environment(vec![], 0);
        shared.machine.usable_cores = 4;
        assert_eq!(shared.highest_load(4), MachineLoad { ranks: 4, usable_cores: 2 });
        let mut threads = host("a", 0..4, Some(4));
        threads.physical_cores = Some(2);
        assert!(environment(vec![threads], 0).highest_load(4).is_oversubscribed());
    }
}
