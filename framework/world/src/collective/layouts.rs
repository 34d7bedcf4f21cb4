//! The collective verbs whose buffer on one side is the elements that a layout names (MPI's derived datatypes).
//!
//! The block of rank r starts `r * extent` elements after that of rank 0, where the extent is that of the layout
//! ([`Layout::resized`]). Only the root of a scatter or a gather has such blocks; the other ranks may call the verbs without layouts.
#[cfg(doc)]
use wb_comm::Error;
use wb_comm::{
    CallSite, CollectiveKind, Layout, LayoutBuffers, LayoutView, LayoutViewMut, Rank, Result, View, ViewMut,
    Wire,
};

use super::CollectiveArguments;
use crate::World;

impl World {
    /// Copies the elements of `root`'s `data` that `layout` names to those of every rank (`MPI_Bcast` of an `MPI_Type_vector`, ...). The layouts
    /// may differ; their numbers of elements may not.
    ///
    /// # Errors
    /// [`Error::Layout`] where an element is outside of `data` or occurs twice; otherwise as [`bcast`](Self::bcast).
    #[track_caller]
    pub fn bcast_layout<T: Wire>(&self, data: &mut [T], layout: &Layout, root: Rank) -> Result<()> {
        let kind = CollectiveKind::Bcast { root };
        let (site, data) = (CallSite::caller(kind.verb()), ViewMut::from_slice(data));
        let counts = (Some(0), Some(layout.count()));
        let arguments = CollectiveArguments::new(self, (site, T::DATATYPE), kind, counts);
        self.run_layout(&arguments, root, || Ok(LayoutBuffers::Bcast(LayoutViewMut::new(data, layout)?)))
    }

    /// Distributes blocks of `send` (on `root` only: the elements and the layout of rank 0's block); `recv` has the elements of this rank's block,
    /// one after the other (`MPI_Scatter` of an `MPI_Type_create_resized`).
    ///
    /// ```no_run
    /// # use wb_world::{Layout, World};
    /// # fn run(world: &World) -> wb_world::Result<()> {
    /// // Column r of a matrix of 100 rows, with one column for each rank.
    /// let columns = world.size();
    /// let matrix = (world.rank() == 0).then(|| vec![1.5; 100 * columns]);
    /// let column = Layout::vector(100, 1, columns).resized(1);
    /// let mut mine = vec![0.0; 100];
    /// world.scatter_layout(matrix.as_deref().map(|matrix| (matrix, &column)), &mut mine, 0)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Layout`] where an element is outside of `send`; otherwise as [`scatter`](Self::scatter).
    #[track_caller]
    pub fn scatter_layout<T: Wire>(
        &self,
        send: Option<(&[T], &Layout)>,
        recv: &mut [T],
        root: Rank,
    ) -> Result<()> {
        let kind = CollectiveKind::Scatter { root };
        let Some((send, layout)) = send.filter(|_| self.rank() == root) else {
            return self.run_kind((kind, None, Some(recv)));
        };
        let (site, blocks) = (CallSite::caller(kind.verb()), layout.of_ranks(self.size()));
        let (send, recv) = (View::from_slice(send), ViewMut::from_slice(recv));
        let counts = (Some(blocks.count()), Some(recv.count()));
        let arguments = CollectiveArguments::new(self, (site, T::DATATYPE), kind, counts);
        self.run_layout(&arguments, root, || {
            Ok(LayoutBuffers::Scatter(LayoutView::new(send, &blocks)?, recv))
        })
    }

    /// Collects equal blocks `send` in blocks of `recv` (on `root` only: room for them, and the layout of rank 0's block) (`MPI_Gather` into an
    /// `MPI_Type_create_resized`). No other element of `recv` changes.
    ///
    /// # Errors
    /// [`Error::Layout`] where an element is outside of `recv` or in two blocks; otherwise as [`gather`](Self::gather).
    #[track_caller]
    pub fn gather_layout<T: Wire>(
        &self,
        send: &[T],
        recv: Option<(&mut [T], &Layout)>,
        root: Rank,
    ) -> Result<()> {
        let kind = CollectiveKind::Gather { root };
        let Some((recv, layout)) = recv.filter(|_| self.rank() == root) else {
            return self.run_kind((kind, Some(send), None));
        };
        let (site, blocks) = (CallSite::caller(kind.verb()), layout.of_ranks(self.size()));
        let (send, recv) = (View::from_slice(send), ViewMut::from_slice(recv));
        let counts = (Some(send.count()), Some(blocks.count()));
        let arguments = CollectiveArguments::new(self, (site, T::DATATYPE), kind, counts);
        self.run_layout(&arguments, root, || {
            Ok(LayoutBuffers::Gather(send, LayoutViewMut::new(recv, &blocks)?))
        })
    }

    fn run_layout<'a>(
        &self,
        arguments: &CollectiveArguments<'_>,
        root: Rank,
        buffers: impl FnOnce() -> Result<LayoutBuffers<'a>>,
    ) -> Result<()> {
        let site = arguments.site;
        self.run_collective(site, arguments.shape(), arguments.bytes(), || {
            let (counts, buffers) = (arguments.check()?, buffers()?);
            self.transport().enter_collective_with(|| arguments.call(counts))?;
            self.counted(site, |collectives| collectives.run_layout(root, buffers, site))
        })
    }
}
