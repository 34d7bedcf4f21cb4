//! Nodes that all do the same at the same times: one of them is simulated for all.
//!
//! When the program of every rank is that of the rank in the same place of node 0 with partners moved by whole nodes
//! (modulo P, or by xor), all enter alike and nothing interrupts them, then moving all ranks by whole nodes changes nothing, so ranks in
//! the same places of all nodes have the same times. Only ranks of node 0 are simulated: a message from rank i of node 0 to
//! node q stands for the one that comes to node 0 from the rank that the same move brings there, which is in place i of its node.
//!
//! Invariant: *times are those of all ranks simulated one by one.* One thing is not the same on all nodes: of messages from
//! different nodes that come to a card at the same time, that of the lowest rank goes first, and moving ranks modulo P changes who that
//! is. Where this happens ([`Meetings`]) every rank is simulated after all.
use wb_comm::Rank;

use super::recording::Recording;
use crate::Machine;

/// How ranks are moved by whole nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    /// Every rank is simulated.
    Not,
    /// Added modulo the number of ranks.
    Cyclic,
    /// Combined bit by bit.
    Xor,
}

/// Which ranks are simulated. See the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fold {
    by: Move,
    ranks: usize,
    /// How many are simulated: those of node 0, or all.
    period: usize,
}

impl Fold {
    /// Every rank is simulated.
    pub(super) fn none(ranks: usize) -> Self {
        Self { by: Move::Not, ranks, period: ranks }
    }

    /// Of ranks that enter like this, and that nothing interrupts.
    pub(super) fn of(recording: &Recording, machine: &Machine, entries: &[u64]) -> Self {
        let (ranks, period) = (recording.size(), machine.cores_per_group * machine.groups_per_node);
        let whole = Self::none(ranks);
        let are_full = period < ranks && ranks % period == 0;
        if !are_full || (period..ranks).any(|rank| entries[rank] != entries[rank - period]) {
            return whole;
        }
        let are_powers = ranks.is_power_of_two() && period.is_power_of_two();
        let folds = [Move::Cyclic, Move::Xor].map(|by| Self { by, ranks, period });
        let possible = folds.into_iter().filter(|fold| fold.by != Move::Xor || are_powers);
        let holds = |fold: &Self| (period..ranks).all(|rank| fold.is_moved(recording, rank));
        possible.into_iter().find(holds).unwrap_or(whole)
    }

    pub(super) fn is_folded(&self) -> bool {
        self.by != Move::Not
    }

    /// How many ranks are simulated: 0 to this.
    pub(super) fn simulated(&self) -> usize {
        self.period
    }

    /// The rank that is simulated for `rank`.
    pub(super) fn home(&self, rank: Rank) -> Rank {
        if self.is_folded() { rank % self.period } else { rank }
    }

    /// Who sends what comes to the home of `to`, when `from`, which is simulated, sends to `to`.
    pub(super) fn sender(&self, from: Rank, to: Rank) -> Rank {
        let nodes = to - self.home(to);
        match self.by {
            Move::Not => from,
            Move::Cyclic if nodes > from => from + self.ranks - nodes,
            Move::Cyclic => from - nodes,
            Move::Xor => from ^ nodes,
        }
    }

    /// Is the program of `rank` that of its home, moved by whole nodes?
    fn is_moved(&self, recording: &Recording, rank: Rank) -> bool {
        let home = self.home(rank);
        if recording.is_shared(rank, home, self.by == Move::Xor) {
            return true;
        }
        let (program, model) = (recording.program(rank), recording.program(home));
        let is_moved = |op| {
            let peer = self.moved(model.peer(op), rank - home);
            program.class(op) == model.class(op) && program.peer(op) == peer
        };
        program.len() == model.len() && (0..program.len()).all(is_moved)
    }

    /// `rank` moved by whole nodes, which have so many ranks.
    fn moved(&self, rank: Rank, by: usize) -> Rank {
        match self.by {
            Move::Not => rank,
            Move::Cyclic => (rank + by) % self.ranks,
            Move::Xor => rank ^ by,
        }
    }
}

/// The last message at each card of the node that is simulated: when it came, and from which node.
#[derive(Clone, Debug, Default)]
pub(super) struct Meetings(Vec<(u64, usize)>);

impl Meetings {
    /// A message comes to a card: does it meet there one of another node?
    pub(super) fn meets(&mut self, card: usize, at: u64, node: usize) -> bool {
        if self.0.len() <= card {
            self.0.resize(card + 1, (u64::MAX, 0));
        }
        let (before, other) = std::mem::replace(&mut self.0[card], (at, node));
        before == at && other != node
    }
}

#[cfg(test)]
mod tests {
    use wb_collectives::{
        catalogue::{self, Setting},
        over::OverMessages,
    };
    use wb_comm::{Barrier as _, Site, Verb};

    use super::{
        super::{Entry, Noise, Run},
        *,
    };
    use crate::library;

    /// Two nodes of 64 and more.
    fn recordings(size: usize, machine: &Machine) -> Vec<(&'static str, Recording)> {
        let nodes = (0..size).map(|rank| machine.node_of(rank)).collect();
        let setting = Setting { size, nodes, radix: None };
        let record = |entry: &'static catalogue::Entry| {
            let plans = entry.plans(&setting)?.ok()?;
            let site = Site::here(Verb::Barrier);
            let recording = Recording::of(size, |transport| {
                OverMessages::new(&plans[transport.rank()], transport, site).wait()
            });
            Some((entry.name, recording.expect("a pattern depends on no data")))
        };
        catalogue::all().into_iter().filter_map(record).collect()
    }

    /// With one node simulated for all, and with every rank simulated: when each leaves, and the path to the last one.
    #[test]
    fn every_pattern_takes_as_long_as_with_every_rank_simulated() {
        let mut folded: Vec<(&str, usize)> = vec![];
        for name in ["cluster-ib", "loggops"] {
            for size in [64, 128, 192, 256] {
                let machine = library::find(name).expect("a machine").machine(name, size).expect("its cores");
                for (pattern, recording) in recordings(size, &machine) {
                    let mut run = Run::new(&recording, &machine, &Entry::Together, Noise::none());
                    let outcome = run.episode().expect("it ends");
                    if run.fold.is_folded() {
                        folded.push((pattern, size));
                    }
                    // The times of the entries are all the same, but given one by one.
                    let mut all = Run::new(&recording, &machine, &Entry::Together, Noise::none());
                    let all = all.unfolded();
                    assert_eq!(all.episode().as_ref(), Ok(&outcome), "{pattern}, {name}, P = {size}");
                    let paths = [run.critical_path(&outcome.exits), all.critical_path(&outcome.exits)];
                    assert_eq!(paths[0], paths[1], "{pattern}, {name}, P = {size}");
                }
            }
        }
        let of = |pattern| {
            folded.iter().filter(|(of, _)| *of == pattern).map(|(_, size)| *size).collect::<Vec<_>>()
        };
        // On loggops a rank is a node; on cluster-ib one node of 64 ranks cannot be folded.
        assert_eq!(of("dissemination"), [128, 192, 256, 64, 128, 192, 256]);
        // By xor powers of two only.
        assert_eq!(of("recursive_doubling"), [128, 256, 64, 128, 256]);
        assert_eq!(of("linear"), []);
    }

    #[test]
    fn what_differs_between_nodes_is_not_folded() {
        let machine =
            library::find("cluster-ib").expect("a machine").machine("cluster-ib", 256).expect("its cores");
        let recordings = recordings(256, &machine);
        let (_, recording) = recordings.iter().find(|(name, _)| *name == "dissemination").expect("a pattern");
        let is_folded = |entry, noise| Run::new(recording, &machine, &entry, noise).fold.is_folded();
        assert!(is_folded(Entry::Together, Noise::none()));
        assert!(is_folded(Entry::Given((0..256).map(|rank| rank % 64).collect()), Noise::none()));
        assert!(!is_folded(Entry::OneLate { rank: 100, by: 1 }, Noise::none()));
        let settings = wb_config::NoiseSettings { every_ns: 1000, detour_ns: 1 };
        assert!(!is_folded(Entry::Together, Noise::of(&settings, 256, 1)));
    }

    #[test]
    fn messages_of_two_nodes_at_a_card_at_a_time_are_noticed() {
        let mut meetings = Meetings::default();
        let met = [(0, 5, 1), (1, 5, 2), (0, 5, 1), (0, 6, 2), (0, 6, 1), (1, 5, 2)];
        assert_eq!(
            met.map(|(card, at, node)| meetings.meets(card, at, node)),
            [false, false, false, false, true, false]
        );
    }
}
