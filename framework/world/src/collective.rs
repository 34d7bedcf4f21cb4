//! The collective verbs of a [`World`]: they check lengths, then use the library's call or our algorithm.
mod reduce_scatter;

use wb_comm::{
    Barrier, CallSite, CollectiveCall, CollectiveCounts, Datatype, Error, Number, Operation, Rank, Result,
    Verb, View, ViewMut, Wire,
};

use wb_barriers::adapters::MessageBarrier;
use wb_collectives::{MessagePort, broadcast};
use wb_record::CollectiveShape;

use crate::{World, barrier_choice::BarrierChoice, call_tracer::rank_number};

#[allow(clippy::missing_errors_doc, reason = "all: Error::Rank, Error::Count, and what the backend can meet")]
impl World {
    /// No rank returns before every rank has entered (`MPI_Barrier`): the library's own barrier, or the one that
    /// [`choose_barrier`](Self::choose_barrier) or the environment (`WB_BARRIER_ALGORITHM`) selects.
    #[track_caller]
    pub fn barrier(&self) -> Result<()> {
        let site = CallSite::caller(Verb::Barrier);
        self.run_collective(site, CollectiveShape::All, 0, || match self.selected_barrier(site)? {
            BarrierChoice::Library => self.counted(CollectiveCall::new(site), |c| c.barrier(site)),
            BarrierChoice::Pattern(_, plan) => {
                self.transport().enter_collective(CollectiveCall::new(site))?;
                MessageBarrier::new(&plan, &**self.transport(), site).wait()?;
                self.stats().note_collective(site);
                Ok(())
            }
        })
    }

    /// Copies `root`'s `data` to the `data` of every rank, which has the same length on all ranks (`MPI_Bcast`).
    #[track_caller]
    pub fn bcast<T: Wire>(&self, data: &mut [T], root: Rank) -> Result<()> {
        let site = CallSite::caller(Verb::Bcast);
        self.run_collective(site, CollectiveShape::From(rank_number(root)), size_of_val(data), || {
            self.check_root(root)?;
            let brings = collective_call::<T>(site, CollectiveCounts::Equal(data.len())).with_root(root);
            self.counted(brings, |c| c.bcast(ViewMut::from_slice(data), root, site))
        })
    }

    /// As [`bcast`](Self::bcast), with our broadcast of that name (`cargo wb broadcasts list`), over messages; `"auto"`
    /// is the selector's choice. All ranks must pass the same name.
    ///
    /// ```no_run
    /// # fn run(world: &wb_world::World) -> wb_world::Result<()> {
    /// let mut data = vec![world.rank() as f64; 100_000];
    /// world.broadcast_by("pipeline", &mut data, 0)?;
    /// assert_eq!(data, vec![0.0; 100_000]);
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn broadcast_by<T: Wire>(&self, name: &str, data: &mut [T], root: Rank) -> Result<()> {
        let site = CallSite::caller(Verb::Bcast);
        self.run_collective(site, CollectiveShape::From(rank_number(root)), size_of_val(data), || {
            self.check_root(root)?;
            let chosen = broadcast::select(name, self.size(), size_of_val(data))?;
            let brings = collective_call::<T>(site, CollectiveCounts::Equal(data.len())).with_root(root);
            self.transport().enter_collective(brings)?;
            let port = MessagePort::new(&**self.transport(), Verb::Bcast, site);
            chosen.run(&port, ViewMut::from_slice(data), root, broadcast::default_segment(size_of::<T>()))?;
            self.stats().note_collective(site);
            Ok(())
        })
    }

    /// The broadcasts that [`broadcast_by`](Self::broadcast_by) offers, for any number of ranks.
    pub fn broadcasts() -> Vec<&'static str> {
        broadcast::all().into_iter().map(|broadcast| broadcast.name).collect()
    }

    /// Distributes `send` (on `root` only, `size * recv.len()` elements) in equal blocks (`MPI_Scatter`).
    #[track_caller]
    pub fn scatter<T: Wire>(&self, send: Option<&[T]>, recv: &mut [T], root: Rank) -> Result<()> {
        let site = CallSite::caller(Verb::Scatter);
        self.run_collective(site, CollectiveShape::From(rank_number(root)), buffer_bytes(send, recv), || {
            let send = self.root_argument(root, send)?;
            if let Some(send) = send {
                self.check_equal_blocks(site, "send", send.len(), recv.len())?;
            }
            let brings = collective_call::<T>(site, CollectiveCounts::Equal(recv.len())).with_root(root);
            self.counted(brings, |c| {
                c.scatter(send.map(View::from_slice), ViewMut::from_slice(recv), root, site)
            })
        })
    }

    /// Distributes `send` (on `root` only: the elements and each rank's count) in blocks; `recv` has this rank's count
    /// (`MPI_Scatterv` with contiguous blocks).
    #[track_caller]
    pub fn scatterv<T: Wire>(
        &self,
        send: Option<(&[T], &[usize])>,
        recv: &mut [T],
        root: Rank,
    ) -> Result<()> {
        let site = CallSite::caller(Verb::Scatterv);
        self.run_collective(
            site,
            CollectiveShape::From(rank_number(root)),
            buffer_bytes(send.map(|(send, _)| send), recv),
            || {
                let send = self.root_argument(root, send)?;
                if let Some((send, counts)) = send {
                    self.check_blocks(site, "send", send.len(), counts)?;
                    check_count(site, "recv", recv.len(), counts[root])?;
                }
                let lengths = collective_counts(send.map(|(_, counts)| counts), recv.len());
                let brings = collective_call::<T>(site, lengths).with_root(root);
                self.counted(brings, |c| {
                    c.scatterv(
                        send.map(|(s, n)| (View::from_slice(s), n)),
                        ViewMut::from_slice(recv),
                        root,
                        site,
                    )
                })
            },
        )
    }

    /// Collects equal blocks `send` in `recv` (on `root` only, `size * send.len()` elements) in rank order
    /// (`MPI_Gather`).
    #[track_caller]
    pub fn gather<T: Wire>(&self, send: &[T], recv: Option<&mut [T]>, root: Rank) -> Result<()> {
        let site = CallSite::caller(Verb::Gather);
        self.run_collective(
            site,
            CollectiveShape::To(rank_number(root)),
            buffer_bytes(recv.as_deref(), send),
            || {
                let recv = self.root_argument(root, recv)?;
                if let Some(recv) = &recv {
                    self.check_equal_blocks(site, "recv", recv.len(), send.len())?;
                }
                let brings = collective_call::<T>(site, CollectiveCounts::Equal(send.len())).with_root(root);
                self.counted(brings, |c| {
                    c.gather(View::from_slice(send), recv.map(ViewMut::from_slice), root, site)
                })
            },
        )
    }

    /// Collects blocks of any length in `recv` (on `root` only: room for them and each rank's count) (`MPI_Gatherv`).
    #[track_caller]
    pub fn gatherv<T: Wire>(&self, send: &[T], recv: Option<(&mut [T], &[usize])>, root: Rank) -> Result<()> {
        let site = CallSite::caller(Verb::Gatherv);
        self.run_collective(
            site,
            CollectiveShape::To(rank_number(root)),
            buffer_bytes(recv.as_ref().map(|(recv, _)| &**recv), send),
            || {
                let recv = self.root_argument(root, recv)?;
                if let Some((recv, counts)) = &recv {
                    self.check_blocks(site, "recv", recv.len(), counts)?;
                    check_count(site, "send", send.len(), counts[root])?;
                }
                let lengths = collective_counts(recv.as_ref().map(|(_, counts)| *counts), send.len());
                let brings = collective_call::<T>(site, lengths).with_root(root);
                self.counted(brings, |c| {
                    c.gatherv(
                        View::from_slice(send),
                        recv.map(|(r, n)| (ViewMut::from_slice(r), n)),
                        root,
                        site,
                    )
                })
            },
        )
    }

    /// Collects equal blocks `send` in `recv` on every rank (`MPI_Allgather`).
    #[track_caller]
    pub fn allgather<T: Wire>(&self, send: &[T], recv: &mut [T]) -> Result<()> {
        let site = CallSite::caller(Verb::Allgather);
        self.run_collective(site, CollectiveShape::All, size_of_val(recv), || {
            self.check_equal_blocks(site, "recv", recv.len(), send.len())?;
            let brings = collective_call::<T>(site, CollectiveCounts::Equal(send.len()));
            self.counted(brings, |c| c.allgather(View::from_slice(send), ViewMut::from_slice(recv), site))
        })
    }

    /// Collects blocks of any length in `recv` on every rank; `counts` are the same on all ranks (`MPI_Allgatherv`).
    #[track_caller]
    pub fn allgatherv<T: Wire>(&self, send: &[T], recv: &mut [T], counts: &[usize]) -> Result<()> {
        let site = CallSite::caller(Verb::Allgatherv);
        self.run_collective(site, CollectiveShape::All, size_of_val(recv), || {
            self.check_blocks(site, "recv", recv.len(), counts)?;
            check_count(site, "send", send.len(), counts[self.rank()])?;
            let brings = collective_call::<T>(site, CollectiveCounts::Table(counts.to_vec()));
            self.counted(brings, |c| {
                c.allgatherv(View::from_slice(send), ViewMut::from_slice(recv), counts, site)
            })
        })
    }

    /// Reduces `send` of all ranks element by element into `recv` (on `root` only) (`MPI_Reduce`).
    #[track_caller]
    pub fn reduce<T: Number>(
        &self,
        send: &[T],
        recv: Option<&mut [T]>,
        operation: Operation,
        root: Rank,
    ) -> Result<()> {
        let site = CallSite::caller(Verb::Reduce);
        self.run_collective(site, CollectiveShape::To(rank_number(root)), size_of_val(send), || {
            check_operation(operation, T::DATATYPE)?;
            let recv = self.root_argument(root, recv)?;
            if let Some(recv) = &recv {
                check_count(site, "recv", recv.len(), send.len())?;
            }
            let brings = collective_call::<T>(site, CollectiveCounts::Equal(send.len()))
                .with_root(root)
                .with_operation(operation);
            self.counted(brings, |c| {
                c.reduce(View::from_slice(send), recv.map(ViewMut::from_slice), operation, root, site)
            })
        })
    }

    /// Reduces `send` of all ranks element by element into `recv` on every rank (`MPI_Allreduce`).
    #[track_caller]
    pub fn allreduce<T: Number>(&self, send: &[T], recv: &mut [T], operation: Operation) -> Result<()> {
        let site = CallSite::caller(Verb::Allreduce);
        self.run_collective(site, CollectiveShape::All, size_of_val(send), || {
            check_operation(operation, T::DATATYPE)?;
            check_count(site, "recv", recv.len(), send.len())?;
            let brings =
                collective_call::<T>(site, CollectiveCounts::Equal(send.len())).with_operation(operation);
            self.counted(brings, |c| {
                c.allreduce(View::from_slice(send), ViewMut::from_slice(recv), operation, site)
            })
        })
    }

    /// `recv` of rank r becomes the reduction over ranks `0..=r` (`MPI_Scan`).
    #[track_caller]
    pub fn scan<T: Number>(&self, send: &[T], recv: &mut [T], operation: Operation) -> Result<()> {
        let site = CallSite::caller(Verb::Scan);
        self.run_collective(site, CollectiveShape::Prefix, size_of_val(send), || {
            check_operation(operation, T::DATATYPE)?;
            check_count(site, "recv", recv.len(), send.len())?;
            let brings =
                collective_call::<T>(site, CollectiveCounts::Equal(send.len())).with_operation(operation);
            self.counted(brings, |c| {
                c.scan(View::from_slice(send), ViewMut::from_slice(recv), operation, site)
            })
        })
    }

    /// `recv` of rank r becomes the reduction over ranks `0..r`; rank 0's is unchanged (`MPI_Exscan`).
    #[track_caller]
    pub fn exscan<T: Number>(&self, send: &[T], recv: &mut [T], operation: Operation) -> Result<()> {
        let site = CallSite::caller(Verb::Exscan);
        self.run_collective(site, CollectiveShape::Prefix, size_of_val(send), || {
            check_operation(operation, T::DATATYPE)?;
            check_count(site, "recv", recv.len(), send.len())?;
            let brings =
                collective_call::<T>(site, CollectiveCounts::Equal(send.len())).with_operation(operation);
            self.counted(brings, |c| {
                c.exscan(View::from_slice(send), ViewMut::from_slice(recv), operation, site)
            })
        })
    }

    /// Block `j` of `send` goes to rank `j`, block `i` of `recv` comes from rank `i`, all of one length
    /// (`MPI_Alltoall`).
    #[track_caller]
    pub fn alltoall<T: Wire>(&self, send: &[T], recv: &mut [T]) -> Result<()> {
        let site = CallSite::caller(Verb::Alltoall);
        self.run_collective(site, CollectiveShape::All, size_of_val(send), || {
            check_count(site, "recv", recv.len(), send.len())?;
            self.check_equal_blocks(site, "send", send.len(), send.len() / self.size())?;
            let brings = collective_call::<T>(site, CollectiveCounts::Equal(send.len()));
            self.counted(brings, |c| c.alltoall(View::from_slice(send), ViewMut::from_slice(recv), site))
        })
    }

    /// As [`alltoall`](Self::alltoall) with blocks of any length (`MPI_Alltoallv` with contiguous blocks).
    #[track_caller]
    pub fn alltoallv<T: Wire>(
        &self,
        send: &[T],
        send_counts: &[usize],
        recv: &mut [T],
        recv_counts: &[usize],
    ) -> Result<()> {
        let site = CallSite::caller(Verb::Alltoallv);
        self.run_collective(site, CollectiveShape::All, size_of_val(send).max(size_of_val(recv)), || {
            self.check_blocks(site, "send", send.len(), send_counts)?;
            self.check_blocks(site, "recv", recv.len(), recv_counts)?;
            let lengths = CollectiveCounts::Exchange(send_counts.to_vec(), recv_counts.to_vec());
            let brings = collective_call::<T>(site, lengths);
            self.counted(brings, |c| {
                c.alltoallv(View::from_slice(send), send_counts, ViewMut::from_slice(recv), recv_counts, site)
            })
        })
    }

    /// The argument on the root; `None` on the other ranks, where MPI ignores it.
    pub(crate) fn root_argument<A>(&self, root: Rank, argument: Option<A>) -> Result<Option<A>> {
        self.check_root(root)?;
        if self.rank() != root {
            return Ok(None);
        }
        match argument {
            Some(argument) => Ok(Some(argument)),
            None => Err(Error::RootBuffer { root }),
        }
    }

    /// Checks that a buffer consists of a block of `each` elements for every rank.
    pub(crate) fn check_equal_blocks(
        &self,
        site: CallSite,
        buffer: &'static str,
        got: usize,
        each: usize,
    ) -> Result<()> {
        let ranks = self.size();
        match each.checked_mul(ranks) {
            Some(expected) if expected == got => Ok(()),
            _ => Err(Error::Blocks { verb: site.verb.name(), buffer, got, each, ranks }),
        }
    }

    pub(crate) fn check_blocks(
        &self,
        site: CallSite,
        buffer: &'static str,
        length: usize,
        counts: &[usize],
    ) -> Result<()> {
        check_count(site, "counts", counts.len(), self.size())?;
        check_count(site, buffer, length, counts.iter().sum())
    }
}

/// The number of bytes of the root's buffer, or of the buffer that every rank has.
fn buffer_bytes<T>(root: Option<&[T]>, everybody: &[T]) -> usize {
    root.map_or(0, size_of_val).max(size_of_val(everybody))
}

/// The description of a collective call on elements of `T`.
pub(crate) fn collective_call<T: Wire>(site: CallSite, lengths: CollectiveCounts) -> CollectiveCall {
    CollectiveCall::new(site).with_elements(T::DATATYPE, lengths)
}

/// The counts that this rank knows: all blocks on the root, its own block on the others.
pub(crate) fn collective_counts(counts: Option<&[usize]>, own: usize) -> CollectiveCounts {
    counts.map_or(CollectiveCounts::Block(own), |counts| CollectiveCounts::Table(counts.to_vec()))
}

pub(crate) fn check_count(site: CallSite, buffer: &'static str, got: usize, expected: usize) -> Result<()> {
    if got == expected { Ok(()) } else { Err(Error::Count { verb: site.verb.name(), buffer, got, expected }) }
}

pub(crate) fn check_operation(operation: Operation, layout: Datatype) -> Result<()> {
    if operation.is_defined_for(layout) {
        Ok(())
    } else {
        Err(Error::Operation { operation, datatype: layout })
    }
}
