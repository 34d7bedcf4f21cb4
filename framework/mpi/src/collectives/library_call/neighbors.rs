//! The library's neighbourhood collectives.
use mpi::ffi::{
    MPI_Ineighbor_allgather, MPI_Ineighbor_allgatherv, MPI_Ineighbor_alltoall, MPI_Ineighbor_alltoallv,
    MPI_Neighbor_allgather, MPI_Neighbor_allgatherv, MPI_Neighbor_alltoall, MPI_Neighbor_alltoallv,
};
use wb_comm::{CollectiveKind, Error, Neighbours, Result, text::topology};

use super::{Form, LibraryCall};
use crate::{
    buffers::{CountsAndDispls, total_count},
    check::{self, check},
    collectives::args::Span,
    neighbor_order_workaround,
};

impl LibraryCall<'_> {
    /// Makes the call of a neighbourhood collective.
    pub(super) fn run_neighbors(&mut self, kind: CollectiveKind<'_>) -> Result<()> {
        self.assert_same_type();
        let Some(neighbours) = kind.neighbours() else { unreachable!("{kind:?} has no neighbours") };
        let sources = self.check_degrees(neighbours)?;
        match kind {
            CollectiveKind::NeighborAllgatherv { counts, .. } => self.neighbor_allgatherv(counts, sources),
            CollectiveKind::NeighborAlltoall { .. } => self.neighbor_alltoall(neighbours),
            CollectiveKind::NeighborAlltoallv { send_counts, recv_counts, .. } => {
                self.neighbor_alltoallv(neighbours, send_counts, recv_counts)
            }
            _ => self.neighbor_allgather(sources),
        }
    }

    /// The number of sources. Both numbers are those of the communicator: memory safety needs it.
    fn check_degrees(&self, neighbours: &Neighbours) -> Result<usize> {
        let passed = (neighbours.sources.len(), neighbours.destinations.len());
        match self.transport.communicator.degrees {
            Some(known) if known == passed => Ok(passed.0),
            _ => Err(Error::Setup(topology::no_neighbours(self.verb.name()))),
        }
    }

    fn neighbor_allgather(&mut self, sources: usize) -> Result<()> {
        self.check_length("recv", self.recv.count, total_count(sources, self.send.count))?;
        let (Span { start, count, datatype }, into) = (self.send_span()?, self.recv_span()?.start);
        library_call!(
            self,
            MPI_Neighbor_allgather | MPI_Ineighbor_allgather,
            start,
            count,
            datatype,
            into,
            count,
            datatype
        )
    }

    fn neighbor_allgatherv(&mut self, counts: &[usize], sources: usize) -> Result<()> {
        let capacity = self.recv.count;
        let made = CountsAndDispls::for_buffer((self.verb.name(), "recv"), counts.into(), sources, capacity)?;
        let (lengths, displs) = self.keep(made);
        let (Span { start, count, datatype }, into) = (self.send_span()?, self.recv_span()?.start);
        library_call!(
            self,
            MPI_Neighbor_allgatherv | MPI_Ineighbor_allgatherv,
            start,
            count,
            datatype,
            into,
            lengths,
            displs,
            datatype
        )
    }

    fn neighbor_alltoall(&mut self, neighbours: &Neighbours) -> Result<()> {
        let (sources, destinations) = (neighbours.sources.len(), neighbours.destinations.len());
        let (sent, received) = (self.send.count, self.recv.count);
        let block = sent.checked_div(destinations).or(received.checked_div(sources)).unwrap_or(0);
        self.check_length("send", sent, total_count(destinations, block))?;
        self.check_length("recv", received, total_count(sources, block))?;
        if neighbor_order_workaround::needs_alltoallv(neighbours, self.form)? {
            return self.neighbor_alltoallv(neighbours, &vec![block; destinations], &vec![block; sources]);
        }
        let count = check::to_count(block)?;
        let (Span { start, datatype, .. }, into) = (self.send_span()?, self.recv_span()?.start);
        library_call!(
            self,
            MPI_Neighbor_alltoall | MPI_Ineighbor_alltoall,
            start,
            count,
            datatype,
            into,
            count,
            datatype
        )
    }

    fn neighbor_alltoallv(
        &mut self,
        neighbours: &Neighbours,
        send_counts: &[usize],
        recv_counts: &[usize],
    ) -> Result<()> {
        let (sources, destinations) = (neighbours.sources.len(), neighbours.destinations.len());
        let (sent, received) = (self.send.count, self.recv.count);
        let mut to =
            CountsAndDispls::for_buffer((self.verb.name(), "send"), send_counts.into(), destinations, sent)?;
        let from =
            CountsAndDispls::for_buffer((self.verb.name(), "recv"), recv_counts.into(), sources, received)?;
        neighbor_order_workaround::reorder_blocks(neighbours, &mut to, self.form)?;
        let ((out, out_at), (inward, in_at)) = (self.keep(to), self.keep(from));
        let (Span { start, datatype, .. }, into) = (self.send_span()?, self.recv_span()?.start);
        library_call!(
            self,
            MPI_Neighbor_alltoallv | MPI_Ineighbor_alltoallv,
            start,
            out,
            out_at,
            datatype,
            into,
            inward,
            in_at,
            datatype
        )
    }
}
