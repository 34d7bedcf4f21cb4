//! How two groups make a communicator between them: their leaders exchange who is in each group, and inform their ranks.
use wb_algorithms::collectives::{CollectiveContext, broadcast};
use wb_comm::{
    CallSite, CollectiveCall, Error, Rank, Result, Verb, View, ViewMut, Wire, limits, text::group as text,
};
use wb_record::CollectiveShape;

use super::InterWorld;
use crate::World;

/// The arguments that the ranks of a group pass.
#[derive(Clone, Copy)]
struct Arguments<'a> {
    local_leader: Rank,
    peer: &'a World,
    remote_leader: Rank,
    tag: i32,
    site: CallSite,
}

impl World {
    /// Collective over two groups: a communicator between the ranks of this communicator and those of another one (`MPI_Intercomm_create`).
    /// `local_leader` is a rank here, `remote_leader` is the rank of the other group's leader in `peer`, which contains all ranks of both
    /// groups (MPI asks only for the leaders). Calls with other tags are separate.
    ///
    /// # Errors
    /// [`Error::Rank`]; [`Error::CommunicatorArgument`] if a rank of this communicator is not in `peer`, or is in both groups;
    /// [`Error::Tag`]; the errors of the backend.
    #[track_caller]
    pub fn intercomm_create(
        &self,
        local_leader: Rank,
        peer: &World,
        remote_leader: Rank,
        tag: i32,
    ) -> Result<InterWorld> {
        let site = CallSite::caller(Verb::IntercommCreate);
        let arguments = Arguments { local_leader, peer, remote_leader, tag, site };
        let create = || self.create_intercommunicator(arguments);
        self.run_collective(site, CollectiveShape::All, 0, create)
    }

    fn create_intercommunicator(&self, arguments: Arguments<'_>) -> Result<InterWorld> {
        let Arguments { local_leader, peer, remote_leader, tag, site } = arguments;
        limits::check_tag(Some(tag))?;
        let here = self.transport();
        here.enter_collective(CollectiveCall::new(site).with_root(local_leader))?;
        Error::check_rank("local leader", local_leader, self.size())?;
        Error::check_rank("remote leader", remote_leader, peer.size())?;
        let local = self.group()?.ranks_in(&peer.group()?, "intercomm_create")?;
        check_disjoint(&local, &[remote_leader])?;

        let mut remote =
            if here.rank() == local_leader { exchange_groups(&local, arguments)? } else { vec![] };
        let inform = CollectiveContext::new(&**here, Verb::IntercommCreate, site);
        broadcast_ranks(&inform, &mut remote, local_leader)?;
        check_disjoint(&local, &remote)?;

        let is_first = local[local_leader] < remote_leader;
        let (first, second) = if is_first { (&local, &remote) } else { (&remote, &local) };
        let members = [&first[..], second].concat();
        let made = peer.transport().create_group(&members, tag, site)?;
        let tracer = peer.tracer.as_ref().map(|tracer| tracer.for_group(&made, &members, tag));
        let (low, high) = (0..first.len(), first.len()..members.len());
        let (local, remote) = if is_first { (low, high) } else { (high, low) };
        Ok(InterWorld { both: self.derived(made, tracer, site)?, local, remote })
    }
}

/// The ranks of the other group in the peer communicator; only the leader calls it.
fn exchange_groups(local: &[Rank], arguments: Arguments<'_>) -> Result<Vec<Rank>> {
    let Arguments { local_leader, peer, remote_leader, tag, site } = arguments;
    let mut leaders = [local[local_leader], remote_leader];
    leaders.sort_unstable();
    let pair = peer.transport().create_group(&leaders, tag, site)?;
    let other = 1 - pair.rank();
    let comm = CollectiveContext::new(&*pair, Verb::IntercommCreate, site);
    let mut count = [0];
    exchange(&comm, other, &[local.len()], &mut count)?;
    let mut remote = vec![0; count[0]];
    exchange(&comm, other, local, &mut remote)?;
    Ok(remote)
}

fn exchange<T: Wire>(comm: &CollectiveContext<'_>, other: Rank, out: &[T], into: &mut [T]) -> Result<()> {
    comm.exchange(other, View::from_slice(out), other, ViewMut::from_slice(into))
}

/// Copies the ranks that `root` has to all ranks.
fn broadcast_ranks(comm: &CollectiveContext<'_>, ranks: &mut Vec<Rank>, root: Rank) -> Result<()> {
    let algorithm = broadcast::find("binomial")?;
    let copy = |data: &mut [Rank]| {
        let segment = broadcast::default_segment(size_of::<Rank>());
        algorithm.run(comm, ViewMut::from_slice(data), root, segment)
    };
    let mut count = [ranks.len()];
    copy(&mut count)?;
    ranks.resize(count[0], 0);
    copy(ranks)
}

/// Checks that no rank of the peer communicator is in both groups.
fn check_disjoint(local: &[Rank], remote: &[Rank]) -> Result<()> {
    match local.iter().find(|rank| remote.contains(rank)) {
        Some(&rank) => Err(Error::CommunicatorArgument(text::in_both_groups(rank))),
        None => Ok(()),
    }
}
