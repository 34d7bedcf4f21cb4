//! The groups of ranks that are measured one after the other: two on one host, two on different hosts, and all.
//!
//! While a group is measured, the other ranks sleep: a rank that waits in the library may use a core that a measured one needs.
use std::{rc::Rc, thread, time::Duration};

use serde::{Deserialize, Serialize};
use wb_barriers::GroupConfig;
use wb_comm::{CallSite, MessageTag, Op, Rank, Result, SendMode, Source, Transport, Verb, View, ViewMut};

use super::probe::{self, ProbeResult};

/// The interval at which a rank that sleeps looks for the end of a measurement.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// The tag of the messages that end it.
const TAG: MessageTag = MessageTag::internal(2000);

/// What a group measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum ProbeKind {
    /// Messages between two ranks of one host.
    WithinHost,
    /// Messages between two ranks of different hosts.
    BetweenHosts,
    /// Collective operations of all ranks.
    AllRanks,
}

/// Some of the ranks; rank 0 is the first of each group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProbeGroup {
    pub(super) kind: ProbeKind,
    members: Vec<Rank>,
}

/// The groups of ranks on these nodes.
pub(super) fn groups(nodes: &[usize]) -> Vec<ProbeGroup> {
    let pair = |kind, is_wanted: &dyn Fn(usize) -> bool| {
        let other = (1..nodes.len()).find(|&rank| is_wanted(nodes[rank]))?;
        Some(ProbeGroup { kind, members: vec![0, other] })
    };
    let within = pair(ProbeKind::WithinHost, &|node| node == nodes[0]);
    let between = pair(ProbeKind::BetweenHosts, &|node| node != nodes[0]);
    let has_both = within.is_some() && between.is_some();
    let all = has_both.then(|| ProbeGroup { kind: ProbeKind::AllRanks, members: (0..nodes.len()).collect() });
    [within, between, all].into_iter().flatten().collect()
}

impl ProbeGroup {
    /// The members' group as barriers see it: nodes matter only where all ranks take part.
    pub(super) fn config(&self, nodes: &[usize]) -> GroupConfig {
        match self.kind {
            ProbeKind::AllRanks => GroupConfig { nodes: nodes.to_vec(), ..GroupConfig::new(nodes.len()) },
            ProbeKind::WithinHost | ProbeKind::BetweenHosts => GroupConfig::new(self.members.len()),
        }
    }

    /// Collective over all ranks: measures the group; `None` on ranks that are not in it.
    pub(super) fn probe(
        &self,
        transport: &dyn Transport,
        nodes: &[usize],
        batches: usize,
    ) -> Result<Option<ProbeResult>> {
        let site = CallSite::caller(Verb::Split);
        let is_member = self.members.contains(&transport.rank());
        let own: Option<Rc<dyn Transport>> = transport.split(is_member.then_some(0), 0, site)?;
        let Some(own) = own else {
            sleep_until_told(transport)?;
            return Ok(None);
        };
        let found = probe::probe(&*own, &self.config(nodes), batches)?;
        if transport.rank() == 0 {
            (0..transport.size())
                .filter(|rank| !self.members.contains(rank))
                .try_for_each(|rank| tell(transport, rank))?;
        }
        Ok(Some(found))
    }
}

fn tell(transport: &dyn Transport, to: Rank) -> Result<()> {
    let send = Op::Send { to, tag: TAG, data: View::from_slice::<u8>(&[]), mode: SendMode::Standard };
    transport.post_and_wait(&mut [send], CallSite::caller(Verb::Send))
}

fn sleep_until_told(transport: &dyn Transport) -> Result<()> {
    let site = CallSite::caller(Verb::Recv);
    while transport.iprobe(Source::Rank(0), TAG.into(), site)?.is_none() {
        thread::sleep(POLL_INTERVAL);
    }
    let data = ViewMut::from_slice::<u8>(&mut []);
    let receive = Op::Recv { from: Source::Rank(0), tag: TAG.into(), data, status: None };
    transport.post_and_wait(&mut [receive], site)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(nodes: &[usize]) -> Vec<(ProbeKind, Vec<Rank>)> {
        groups(nodes).into_iter().map(|group| (group.kind, group.members)).collect()
    }

    #[test]
    fn pairs_are_taken_from_the_nodes_and_all_ranks_where_there_are_both_kinds() {
        use ProbeKind::{AllRanks, BetweenHosts, WithinHost};
        assert_eq!(found(&[0, 0]), [(WithinHost, vec![0, 1])]);
        assert_eq!(found(&[0, 1]), [(BetweenHosts, vec![0, 1])]);
        assert_eq!(
            found(&[0, 0, 0, 1, 1, 1]),
            [(WithinHost, vec![0, 1]), (BetweenHosts, vec![0, 3]), (AllRanks, (0..6).collect())]
        );
    }

    #[test]
    fn only_all_ranks_know_their_nodes() {
        let nodes = [0, 0, 1, 1];
        let configs = groups(&nodes).iter().map(|group| group.config(&nodes).nodes).collect::<Vec<_>>();
        assert_eq!(configs, [vec![0, 0], vec![0, 0], vec![0, 0, 1, 1]]);
    }
}
