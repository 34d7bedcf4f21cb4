//! Inter-communicators: messages between the ranks of two groups (MPI 4.0, section 7.6).
//!
//! Both groups are in one communicator of this crate, in which the ranks of the other group have their numbers after or before those of
//! the own one. So every backend, the checker and traces treat the messages like any others. Where an error or a trace shows a message, its
//! ranks are those of that communicator.
mod creation;

use std::ops::Range;

use wb_comm::{CallSite, Error, PROC_NULL, Rank, Result, Source, Status, Verb, Wire, text};
use wb_record::CollectiveShape;

use crate::{Group, RecvRequest, SendRequest, Tags, World};

/// A communicator between two groups (`MPI_Intercomm_create`): peers are ranks of the other group.
pub struct InterWorld {
    both: World,
    /// The ranks of the own group in `both`.
    local: Range<Rank>,
    /// The ranks of the other group in `both`.
    remote: Range<Rank>,
}

impl InterWorld {
    /// This rank in its own group (`MPI_Comm_rank`).
    pub fn rank(&self) -> Rank {
        self.both.rank() - self.local.start
    }

    /// The number of ranks of the own group (`MPI_Comm_size`).
    pub fn size(&self) -> usize {
        self.local.len()
    }

    /// The number of ranks of the other group (`MPI_Comm_remote_size`).
    pub fn remote_size(&self) -> usize {
        self.remote.len()
    }

    /// The ranks of the other group, in their order (`MPI_Comm_remote_group`).
    ///
    /// # Errors
    /// The errors of the backend.
    pub fn remote_group(&self) -> Result<Group> {
        self.both.group()?.incl(&self.remote.clone().collect::<Vec<_>>())
    }

    /// Sends `data` to a rank of the other group (`MPI_Send`).
    ///
    /// # Errors
    /// As [`World::send`].
    #[track_caller]
    pub fn send<T: Wire>(&self, data: &[T], dest: Rank, tag: i32) -> Result<()> {
        self.both.send(data, self.destination(Verb::Send, dest)?, tag)
    }

    /// Receives into `data` from a rank of the other group (`MPI_Recv`); the source of the status is its rank there.
    ///
    /// # Errors
    /// As [`World::recv`].
    #[track_caller]
    pub fn recv<T: Wire>(
        &self,
        data: &mut [T],
        source: impl Into<Source>,
        tag: impl Into<Tags>,
    ) -> Result<Status> {
        let status = self.both.recv(data, self.source(Verb::Recv, source)?, tag)?;
        Ok(self.remote_status(status))
    }

    /// Receives a message of any length from a rank of the other group (`MPI_Probe`, then `MPI_Recv` of the message found).
    ///
    /// # Errors
    /// As [`World::recv_vec`].
    #[track_caller]
    pub fn recv_vec<T: Wire>(
        &self,
        source: impl Into<Source>,
        tag: impl Into<Tags>,
    ) -> Result<(Vec<T>, Status)> {
        let (data, status) = self.both.recv_vec(self.source(Verb::Recv, source)?, tag)?;
        Ok((data, self.remote_status(status)))
    }

    /// Sends to a rank of the other group and receives from one, without deadlock in either order (`MPI_Sendrecv`).
    ///
    /// # Errors
    /// As [`World::sendrecv`].
    #[track_caller]
    pub fn sendrecv<S: Wire, R: Wire>(
        &self,
        send: &[S],
        dest: Rank,
        send_tag: i32,
        recv: &mut [R],
        source: impl Into<Source>,
        recv_tag: impl Into<Tags>,
    ) -> Result<Status> {
        let (dest, source) = (self.destination(Verb::Sendrecv, dest)?, self.source(Verb::Sendrecv, source)?);
        let status = self.both.sendrecv(send, dest, send_tag, recv, source, recv_tag)?;
        Ok(self.remote_status(status))
    }

    /// Starts a send to a rank of the other group (`MPI_Isend`).
    ///
    /// # Errors
    /// As [`World::isend`].
    #[track_caller]
    pub fn isend<T: Wire>(&self, data: Vec<T>, dest: Rank, tag: i32) -> Result<SendRequest<T>> {
        self.both.isend(data, self.destination(Verb::Isend, dest)?, tag)
    }

    /// Starts a receive of at most `count` elements from a rank of the other group (`MPI_Irecv`).
    ///
    /// # Errors
    /// As [`World::irecv`].
    #[track_caller]
    pub fn irecv<T: Wire>(
        &self,
        count: usize,
        source: impl Into<Source>,
        tag: impl Into<Tags>,
    ) -> Result<RecvRequest<T>> {
        let request = self.both.irecv(count, self.source(Verb::Irecv, source)?, tag)?;
        Ok(RecvRequest { first_source: self.remote.start, ..request })
    }

    /// Waits for a message from the other group without receiving it (`MPI_Probe`).
    ///
    /// # Errors
    /// As [`World::probe`].
    #[track_caller]
    pub fn probe(&self, source: impl Into<Source>, tag: impl Into<Tags>) -> Result<Status> {
        let status = self.both.probe(self.source(Verb::Probe, source)?, tag)?;
        Ok(self.remote_status(status))
    }

    /// Checks for a message from the other group without waiting (`MPI_Iprobe`).
    ///
    /// # Errors
    /// As [`World::iprobe`].
    #[track_caller]
    pub fn iprobe(&self, source: impl Into<Source>, tag: impl Into<Tags>) -> Result<Option<Status>> {
        let status = self.both.iprobe(self.source(Verb::Iprobe, source)?, tag)?;
        Ok(status.map(|status| self.remote_status(status)))
    }

    /// Collective over both groups: a communicator of all ranks, those of the group that passes `high: false` first
    /// (`MPI_Intercomm_merge`). All ranks of a group pass the same. If both groups pass the same, the group whose leader has the lower rank
    /// in the peer communicator is first.
    ///
    /// # Errors
    /// [`Error::CommunicatorArgument`] on all ranks if the ranks of a group do not pass the same; the errors of the backend.
    #[track_caller]
    pub fn merge(&self, high: bool) -> Result<World> {
        let site = CallSite::caller(Verb::IntercommMerge);
        let both = &self.both;
        let merge = || both.transport().split(Some(0), i32::from(high), site);
        let made = both.run_collective(site, CollectiveShape::All, 0, merge)?;
        let merged = both.child(made.expect("every rank has the color"), Some(0), site)?;
        both.run(site, || {
            let (before, after) = (both.group()?, merged.group()?);
            let second = self.local.start.max(self.remote.start);
            let mut turned = before.processes().to_vec();
            turned.rotate_left(second);
            if after.processes() == before.processes() || after.processes() == turned {
                return Ok(merged);
            }
            Err(Error::CommunicatorArgument(text::group::high_differs()))
        })
    }

    /// The rank in `both` of a rank of the other group.
    #[track_caller]
    fn peer(&self, verb: Verb, role: &'static str, rank: Rank) -> Result<Rank> {
        match rank {
            PROC_NULL => Ok(PROC_NULL),
            rank if rank < self.remote.len() => Ok(self.remote.start + rank),
            rank => {
                let refused = || Err(Error::invalid_remote_rank(role, rank, self.remote.len()));
                self.both.run(CallSite::caller(verb), refused)
            }
        }
    }

    #[track_caller]
    fn destination(&self, verb: Verb, dest: Rank) -> Result<Rank> {
        self.peer(verb, "destination", dest)
    }

    #[track_caller]
    fn source(&self, verb: Verb, source: impl Into<Source>) -> Result<Source> {
        match source.into() {
            Source::Any => Ok(Source::Any),
            Source::Rank(rank) => self.peer(verb, "source", rank).map(Source::Rank),
        }
    }

    fn remote_status(&self, status: Status) -> Status {
        status.with_sources_from(self.remote.start)
    }
}
