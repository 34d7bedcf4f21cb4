//! The collective verbs of a [`World`]: lengths are checked here, then the library's call or our algorithm is taken.
use wb_comm::{
    Barrier, Contribution, Error, Layout, Lengths, Number, Operation, Rank, Result, Site, Verb, View,
    ViewMut, Wire,
};

use wb_collectives::{Port, broadcast, over::OverMessages};
use wb_record::Shape;

use crate::{World, barrier::Chosen, recorder::number};

#[allow(clippy::missing_errors_doc, reason = "all: Error::Rank, Error::Count, and what the backend can meet")]
impl World {
    /// Nobody returns before everybody has entered (`MPI_Barrier`): the library's own barrier, or the one that
    /// [`choose_barrier`](Self::choose_barrier) or the environment (`WB_BARRIER_ALGORITHM`) wishes for.
    #[track_caller]
    pub fn barrier(&self) -> Result<()> {
        let site = Site::here(Verb::Barrier);
        self.collectively(site, Shape::All, 0, || match self.chosen_barrier(site)? {
            Chosen::Library => self.counted(Contribution::of(site), |c| c.barrier(site)),
            Chosen::Ours(_, plan) => {
                self.transport().contribute(Contribution::of(site))?;
                OverMessages::new(&plan, &**self.transport(), site).wait()?;
                self.ledger().collective(site);
                Ok(())
            }
        })
    }

    /// `root`'s `data` reaches everybody's `data`, which has the same length everywhere (`MPI_Bcast`).
    #[track_caller]
    pub fn bcast<T: Wire>(&self, data: &mut [T], root: Rank) -> Result<()> {
        let site = Site::here(Verb::Bcast);
        self.collectively(site, Shape::From(number(root)), size_of_val(data), || {
            self.check_root(root)?;
            let brings = of::<T>(site, Lengths::Equal(data.len())).root(root);
            self.counted(brings, |c| c.bcast(ViewMut::of(data), root, site))
        })
    }

    /// As [`bcast`](Self::bcast), by our broadcast of that name (`cargo wb broadcasts list`), over messages; `"auto"` is the
    /// selector's choice. All ranks must name the same.
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
        let site = Site::here(Verb::Bcast);
        self.collectively(site, Shape::From(number(root)), size_of_val(data), || {
            self.check_root(root)?;
            let chosen = broadcast::select(name, self.size(), size_of_val(data))?;
            let brings = of::<T>(site, Lengths::Equal(data.len())).root(root);
            self.transport().contribute(brings)?;
            let port = Port::new(&**self.transport(), Verb::Bcast, site);
            chosen.run(&port, ViewMut::of(data), root, broadcast::segment_of(size_of::<T>()))?;
            self.ledger().collective(site);
            Ok(())
        })
    }

    /// The broadcasts that [`broadcast_by`](Self::broadcast_by) offers, for any number of ranks.
    pub fn broadcasts() -> Vec<&'static str> {
        broadcast::all().into_iter().map(|broadcast| broadcast.name).collect()
    }

    /// Deals `send` (on `root` only, `size * recv.len()` elements) out in equal blocks (`MPI_Scatter`).
    #[track_caller]
    pub fn scatter<T: Wire>(&self, send: Option<&[T]>, recv: &mut [T], root: Rank) -> Result<()> {
        let site = Site::here(Verb::Scatter);
        self.collectively(site, Shape::From(number(root)), on_both(send, recv), || {
            let send = self.on_root(root, send)?;
            if let Some(send) = send {
                self.equal_blocks(site, "send", send.len(), recv.len())?;
            }
            let brings = of::<T>(site, Lengths::Equal(recv.len())).root(root);
            self.counted(brings, |c| c.scatter(send.map(View::of), ViewMut::of(recv), root, site))
        })
    }

    /// Deals `send` (on `root` only: the elements and each rank's count) out in blocks; `recv` has this rank's count
    /// (`MPI_Scatterv` with contiguous blocks).
    #[track_caller]
    pub fn scatterv<T: Wire>(
        &self,
        send: Option<(&[T], &[usize])>,
        recv: &mut [T],
        root: Rank,
    ) -> Result<()> {
        let site = Site::here(Verb::Scatterv);
        self.collectively(site, Shape::From(number(root)), on_both(send.map(|(send, _)| send), recv), || {
            let send = self.on_root(root, send)?;
            if let Some((send, counts)) = send {
                self.blocks(site, "send", send.len(), counts)?;
                fits(site, "recv", recv.len(), counts[root])?;
            }
            let lengths = table_or_own(send.map(|(_, counts)| counts), recv.len());
            let brings = of::<T>(site, lengths).root(root);
            self.counted(brings, |c| {
                c.scatterv(send.map(|(s, n)| (View::of(s), n)), ViewMut::of(recv), root, site)
            })
        })
    }

    /// Equal blocks `send` meet in `recv` (on `root` only, `size * send.len()` elements) in rank order (`MPI_Gather`).
    #[track_caller]
    pub fn gather<T: Wire>(&self, send: &[T], recv: Option<&mut [T]>, root: Rank) -> Result<()> {
        let site = Site::here(Verb::Gather);
        self.collectively(site, Shape::To(number(root)), on_both(recv.as_deref(), send), || {
            let recv = self.on_root(root, recv)?;
            if let Some(recv) = &recv {
                self.equal_blocks(site, "recv", recv.len(), send.len())?;
            }
            let brings = of::<T>(site, Lengths::Equal(send.len())).root(root);
            self.counted(brings, |c| c.gather(View::of(send), recv.map(ViewMut::of), root, site))
        })
    }

    /// Blocks of any length meet in `recv` (on `root` only: room for them and each rank's count) (`MPI_Gatherv`).
    #[track_caller]
    pub fn gatherv<T: Wire>(&self, send: &[T], recv: Option<(&mut [T], &[usize])>, root: Rank) -> Result<()> {
        let site = Site::here(Verb::Gatherv);
        self.collectively(
            site,
            Shape::To(number(root)),
            on_both(recv.as_ref().map(|(recv, _)| &**recv), send),
            || {
                let recv = self.on_root(root, recv)?;
                if let Some((recv, counts)) = &recv {
                    self.blocks(site, "recv", recv.len(), counts)?;
                    fits(site, "send", send.len(), counts[root])?;
                }
                let lengths = table_or_own(recv.as_ref().map(|(_, counts)| *counts), send.len());
                let brings = of::<T>(site, lengths).root(root);
                self.counted(brings, |c| {
                    c.gatherv(View::of(send), recv.map(|(r, n)| (ViewMut::of(r), n)), root, site)
                })
            },
        )
    }

    /// Equal blocks `send` meet in everybody's `recv` (`MPI_Allgather`).
    #[track_caller]
    pub fn allgather<T: Wire>(&self, send: &[T], recv: &mut [T]) -> Result<()> {
        let site = Site::here(Verb::Allgather);
        self.collectively(site, Shape::All, size_of_val(recv), || {
            self.equal_blocks(site, "recv", recv.len(), send.len())?;
            let brings = of::<T>(site, Lengths::Equal(send.len()));
            self.counted(brings, |c| c.allgather(View::of(send), ViewMut::of(recv), site))
        })
    }

    /// Blocks of any length meet in everybody's `recv`; `counts` are the same everywhere (`MPI_Allgatherv`).
    #[track_caller]
    pub fn allgatherv<T: Wire>(&self, send: &[T], recv: &mut [T], counts: &[usize]) -> Result<()> {
        let site = Site::here(Verb::Allgatherv);
        self.collectively(site, Shape::All, size_of_val(recv), || {
            self.blocks(site, "recv", recv.len(), counts)?;
            fits(site, "send", send.len(), counts[self.rank()])?;
            let brings = of::<T>(site, Lengths::Table(counts.to_vec()));
            self.counted(brings, |c| c.allgatherv(View::of(send), ViewMut::of(recv), counts, site))
        })
    }

    /// Reduces everybody's `send` element by element into `recv` (on `root` only) (`MPI_Reduce`).
    #[track_caller]
    pub fn reduce<T: Number>(
        &self,
        send: &[T],
        recv: Option<&mut [T]>,
        operation: Operation,
        root: Rank,
    ) -> Result<()> {
        let site = Site::here(Verb::Reduce);
        self.collectively(site, Shape::To(number(root)), size_of_val(send), || {
            admits(operation, T::LAYOUT)?;
            let recv = self.on_root(root, recv)?;
            if let Some(recv) = &recv {
                fits(site, "recv", recv.len(), send.len())?;
            }
            let brings = of::<T>(site, Lengths::Equal(send.len())).root(root).operation(operation);
            self.counted(brings, |c| c.reduce(View::of(send), recv.map(ViewMut::of), operation, root, site))
        })
    }

    /// Reduces everybody's `send` element by element into everybody's `recv` (`MPI_Allreduce`).
    #[track_caller]
    pub fn allreduce<T: Number>(&self, send: &[T], recv: &mut [T], operation: Operation) -> Result<()> {
        let site = Site::here(Verb::Allreduce);
        self.collectively(site, Shape::All, size_of_val(send), || {
            admits(operation, T::LAYOUT)?;
            fits(site, "recv", recv.len(), send.len())?;
            let brings = of::<T>(site, Lengths::Equal(send.len())).operation(operation);
            self.counted(brings, |c| c.allreduce(View::of(send), ViewMut::of(recv), operation, site))
        })
    }

    /// `recv` of rank r becomes the reduction over ranks `0..=r` (`MPI_Scan`).
    #[track_caller]
    pub fn scan<T: Number>(&self, send: &[T], recv: &mut [T], operation: Operation) -> Result<()> {
        let site = Site::here(Verb::Scan);
        self.collectively(site, Shape::Prefix, size_of_val(send), || {
            admits(operation, T::LAYOUT)?;
            fits(site, "recv", recv.len(), send.len())?;
            let brings = of::<T>(site, Lengths::Equal(send.len())).operation(operation);
            self.counted(brings, |c| c.scan(View::of(send), ViewMut::of(recv), operation, site))
        })
    }

    /// `recv` of rank r becomes the reduction over ranks `0..r`; rank 0's stays as it is (`MPI_Exscan`).
    #[track_caller]
    pub fn exscan<T: Number>(&self, send: &[T], recv: &mut [T], operation: Operation) -> Result<()> {
        let site = Site::here(Verb::Exscan);
        self.collectively(site, Shape::Prefix, size_of_val(send), || {
            admits(operation, T::LAYOUT)?;
            fits(site, "recv", recv.len(), send.len())?;
            let brings = of::<T>(site, Lengths::Equal(send.len())).operation(operation);
            self.counted(brings, |c| c.exscan(View::of(send), ViewMut::of(recv), operation, site))
        })
    }

    /// Block `j` of `send` goes to rank `j`, block `i` of `recv` comes from rank `i`, all of one length
    /// (`MPI_Alltoall`).
    #[track_caller]
    pub fn alltoall<T: Wire>(&self, send: &[T], recv: &mut [T]) -> Result<()> {
        let site = Site::here(Verb::Alltoall);
        self.collectively(site, Shape::All, size_of_val(send), || {
            fits(site, "recv", recv.len(), send.len())?;
            self.equal_blocks(site, "send", send.len(), send.len() / self.size())?;
            let brings = of::<T>(site, Lengths::Equal(send.len()));
            self.counted(brings, |c| c.alltoall(View::of(send), ViewMut::of(recv), site))
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
        let site = Site::here(Verb::Alltoallv);
        self.collectively(site, Shape::All, size_of_val(send).max(size_of_val(recv)), || {
            self.blocks(site, "send", send.len(), send_counts)?;
            self.blocks(site, "recv", recv.len(), recv_counts)?;
            let lengths = Lengths::Exchange(send_counts.to_vec(), recv_counts.to_vec());
            let brings = of::<T>(site, lengths);
            self.counted(brings, |c| {
                c.alltoallv(View::of(send), send_counts, ViewMut::of(recv), recv_counts, site)
            })
        })
    }

    /// The root's argument on the root, nothing elsewhere, as MPI ignores it there.
    fn on_root<A>(&self, root: Rank, argument: Option<A>) -> Result<Option<A>> {
        self.check_root(root)?;
        if self.rank() != root {
            return Ok(None);
        }
        match argument {
            Some(argument) => Ok(Some(argument)),
            None => Err(Error::RootBuffer { root }),
        }
    }

    /// Is a buffer made of a block of `each` elements for every rank?
    fn equal_blocks(&self, site: Site, buffer: &'static str, got: usize, each: usize) -> Result<()> {
        let ranks = self.size();
        match each.checked_mul(ranks) {
            Some(expected) if expected == got => Ok(()),
            _ => Err(Error::Blocks { verb: site.verb.name(), buffer, got, each, ranks }),
        }
    }

    fn blocks(&self, site: Site, buffer: &'static str, length: usize, counts: &[usize]) -> Result<()> {
        fits(site, "counts", counts.len(), self.size())?;
        fits(site, buffer, length, counts.iter().sum())
    }
}

/// Bytes of the root's buffer, or of everybody's.
fn on_both<T>(root: Option<&[T]>, everybody: &[T]) -> usize {
    root.map_or(0, size_of_val).max(size_of_val(everybody))
}

/// What a call on elements of `T` brings.
fn of<T: Wire>(site: Site, lengths: Lengths) -> Contribution {
    Contribution::of(site).elements(T::LAYOUT, lengths)
}

/// The root has the table of all blocks, the others their own.
fn table_or_own(counts: Option<&[usize]>, own: usize) -> Lengths {
    counts.map_or(Lengths::Own(own), |counts| Lengths::Table(counts.to_vec()))
}

fn fits(site: Site, buffer: &'static str, got: usize, expected: usize) -> Result<()> {
    if got == expected { Ok(()) } else { Err(Error::Count { verb: site.verb.name(), buffer, got, expected }) }
}

fn admits(operation: Operation, layout: Layout) -> Result<()> {
    if operation.admits(layout) { Ok(()) } else { Err(Error::Operation { operation, layout }) }
}
