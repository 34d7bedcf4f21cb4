//! Symmetry of nodes: if all nodes behave the same at the same times, one of them is simulated for all.
//!
//! Condition: the program of every rank is that of the rank at the same position of node 0 with partners moved by
//! whole nodes (modulo P, or by xor), all ranks enter alike, and there is no noise. Then moving all ranks by whole
//! nodes changes nothing, so ranks at the same positions of all nodes have the same times. Only ranks of node 0 are
//! simulated: a message from rank i of node 0 to node q represents the one to node 0 from the rank that the same move
//! brings there, which is at position i of its node.
//!
//! Invariant: *times are those of all ranks simulated individually.* One thing differs between nodes: of messages from
//! different nodes that arrive at a NIC at the same time, that of the lowest rank goes first, and moving ranks modulo
//! P changes which rank that is. Where this happens ([`NicArrivals`]), every rank is simulated.
use wb_comm::Rank;

use super::recording::Recording;
use crate::sim::Machine;

/// How ranks are moved by whole nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symmetry {
    /// Every rank is simulated.
    None,
    /// Added modulo the number of ranks.
    Cyclic,
    /// Combined bit by bit.
    Xor,
}

/// Selects the ranks that are simulated; see the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct SymmetryReduction {
    symmetry: Symmetry,
    ranks: usize,
    /// The number of simulated ranks: those of node 0, or all.
    representatives: usize,
}

impl SymmetryReduction {
    /// Every rank is simulated.
    pub(super) fn none(ranks: usize) -> Self {
        Self { symmetry: Symmetry::None, ranks, representatives: ranks }
    }

    /// The symmetry of a recording whose ranks enter at these times, without noise.
    pub(super) fn from_recording(recording: &Recording, machine: &Machine, entries: &[u64]) -> Self {
        let (ranks, period) = (recording.size(), machine.cores_per_group * machine.groups_per_node);
        let whole = Self::none(ranks);
        let are_full = period < ranks && ranks % period == 0;
        if !are_full || (period..ranks).any(|rank| entries[rank] != entries[rank - period]) {
            return whole;
        }
        let are_powers = ranks.is_power_of_two() && period.is_power_of_two();
        let folds =
            [Symmetry::Cyclic, Symmetry::Xor].map(|by| Self { symmetry: by, ranks, representatives: period });
        let possible = folds.into_iter().filter(|fold| fold.symmetry != Symmetry::Xor || are_powers);
        let holds = |fold: &Self| (period..ranks).all(|rank| fold.is_translated(recording, rank));
        possible.into_iter().find(holds).unwrap_or(whole)
    }

    pub(super) fn is_reduced(&self) -> bool {
        self.symmetry != Symmetry::None
    }

    /// The number of simulated ranks, which are the lowest ones.
    pub(super) fn representatives(&self) -> usize {
        self.representatives
    }

    /// The rank that is simulated for `rank`.
    pub(super) fn representative(&self, rank: Rank) -> Rank {
        if self.is_reduced() { rank % self.representatives } else { rank }
    }

    /// The sender of the message that arrives at the representative of `to`, when `from`, which is simulated, sends to
    /// `to`.
    pub(super) fn sender(&self, from: Rank, to: Rank) -> Rank {
        let nodes = to - self.representative(to);
        match self.symmetry {
            Symmetry::None => from,
            Symmetry::Cyclic if nodes > from => from + self.ranks - nodes,
            Symmetry::Cyclic => from - nodes,
            Symmetry::Xor => from ^ nodes,
        }
    }

    /// Whether the program of `rank` is that of its representative, moved by whole nodes.
    fn is_translated(&self, recording: &Recording, rank: Rank) -> bool {
        let home = self.representative(rank);
        if recording.is_shared(rank, home, self.symmetry == Symmetry::Xor) {
            return true;
        }
        let (program, model) = (recording.program(rank), recording.program(home));
        let is_moved = |op| {
            let peer = self.translated(model.peer(op), rank - home);
            program.class(op) == model.class(op) && program.peer(op) == peer
        };
        program.len() == model.len() && (0..program.len()).all(is_moved)
    }

    /// `rank` moved by `by` ranks, which are whole nodes.
    fn translated(&self, rank: Rank, by: usize) -> Rank {
        match self.symmetry {
            Symmetry::None => rank,
            Symmetry::Cyclic => (rank + by) % self.ranks,
            Symmetry::Xor => rank ^ by,
        }
    }
}

/// The last message at each NIC of the simulated node: its arrival time and its node.
#[derive(Clone, Debug, Default)]
pub(super) struct NicArrivals(Vec<(u64, usize)>);

impl NicArrivals {
    /// Adds a message at a NIC: is there one of another node at the same time?
    pub(super) fn has_collision(&mut self, nic: usize, at: u64, node: usize) -> bool {
        if self.0.len() <= nic {
            self.0.resize(nic + 1, (u64::MAX, 0));
        }
        let (before, other) = std::mem::replace(&mut self.0[nic], (at, node));
        before == at && other != node
    }
}

#[cfg(test)]
mod tests {
    use wb_algorithms::barriers::{GroupConfig, adapters::MessageBarrier, catalogue};
    use wb_comm::{Barrier as _, CallSite, Verb};

    use super::{
        super::{ArrivalPattern, MaxPlusRun, Noise},
        *,
    };
    use crate::sim::machine_library;

    /// The barriers of the catalogue, recorded for `size` ranks.
    fn recordings(size: usize, machine: &Machine) -> Vec<(&'static str, Recording)> {
        let nodes = (0..size).map(|rank| machine.node_of(rank)).collect();
        let setting = GroupConfig { size, nodes, radix: None };
        let record = |entry: &'static wb_algorithms::barriers::BarrierEntry| {
            let plans = entry.plans(&setting)?.ok()?;
            let site = CallSite::caller(Verb::Barrier);
            let recording = Recording::from_program(size, |transport| {
                MessageBarrier::new(&plans[transport.rank()], transport, site).wait()
            });
            Some((entry.name, recording.expect("a pattern depends on no data")))
        };
        catalogue::all().into_iter().filter_map(record).collect()
    }

    /// With one node simulated for all, and with every rank simulated: the exits, and the path to the last one.
    #[test]
    fn every_pattern_takes_as_long_as_with_every_rank_simulated() {
        let mut folded: Vec<(&str, usize)> = vec![];
        for name in ["cluster-ib", "loggops"] {
            for size in [64, 128, 192, 256] {
                let machine =
                    machine_library::find(name).expect("a machine").machine(name, size).expect("its cores");
                for (pattern, recording) in recordings(size, &machine) {
                    let mut run =
                        MaxPlusRun::new(&recording, &machine, &ArrivalPattern::Simultaneous, Noise::none());
                    let outcome = run.episode().expect("it ends");
                    if run.symmetry.is_reduced() {
                        folded.push((pattern, size));
                    }
                    // The times of entry are all the same, but given individually.
                    let mut all =
                        MaxPlusRun::new(&recording, &machine, &ArrivalPattern::Simultaneous, Noise::none());
                    let all = all.without_symmetry();
                    assert_eq!(all.episode().as_ref(), Ok(&outcome), "{pattern}, {name}, P = {size}");
                    let paths = [run.critical_path(&outcome.exits), all.critical_path(&outcome.exits)];
                    assert_eq!(paths[0], paths[1], "{pattern}, {name}, P = {size}");
                }
            }
        }
        let of = |pattern| {
            folded.iter().filter(|(of, _)| *of == pattern).map(|(_, size)| *size).collect::<Vec<_>>()
        };
        // On loggops a rank is a node; on cluster-ib a single node of 64 ranks has no symmetry.
        assert_eq!(of("dissemination"), [128, 192, 256, 64, 128, 192, 256]);
        // By xor, only powers of two.
        assert_eq!(of("recursive_doubling"), [128, 256, 64, 128, 256]);
        assert!(of("linear").is_empty());
    }

    #[test]
    fn what_differs_between_nodes_is_not_folded() {
        let machine = machine_library::find("cluster-ib")
            .expect("a machine")
            .machine("cluster-ib", 256)
            .expect("its cores");
        let recordings = recordings(256, &machine);
        let (_, recording) = recordings.iter().find(|(name, _)| *name == "dissemination").expect("a pattern");
        let is_folded =
            |entry, noise| MaxPlusRun::new(recording, &machine, &entry, noise).symmetry.is_reduced();
        assert!(is_folded(ArrivalPattern::Simultaneous, Noise::none()));
        assert!(is_folded(ArrivalPattern::Explicit((0..256).map(|rank| rank % 64).collect()), Noise::none()));
        assert!(!is_folded(ArrivalPattern::OneLate { rank: 100, delay: 1 }, Noise::none()));
        let settings = wb_config::NoiseSettings { every_ns: 1000, detour_ns: 1 };
        assert!(!is_folded(ArrivalPattern::Simultaneous, Noise::from_settings(&settings, 256, 1)));
    }

    #[test]
    fn messages_of_two_nodes_at_a_card_at_a_time_are_noticed() {
        let mut arrivals = NicArrivals::default();
        let met = [(0, 5, 1), (1, 5, 2), (0, 5, 1), (0, 6, 2), (0, 6, 1), (1, 5, 2)];
        assert_eq!(
            met.map(|(nic, at, node)| arrivals.has_collision(nic, at, node)),
            [false, false, false, false, true, false]
        );
    }
}
