//! Wrong collectives: each rank contributes its elements in another order. The laws must notice.
use std::rc::Rc;

use wb_algorithms::collectives::Algorithms;
use wb_comm::{
    Block, BorrowedBuffers, CallSite, CollectiveKind, Collectives, LayoutBuffers, OwnedBuffers, Pending,
    Rank, Result, Transport, TransportDecorator, ViewMut,
};

/// Another transport, with our algorithms over its messages; the last element of each contribution comes first.
pub struct RotatedContributions(pub Rc<dyn Transport>);

impl TransportDecorator for RotatedContributions {
    fn inner(&self) -> &dyn Transport {
        &*self.0
    }
    fn native_collectives(&self) -> Option<&dyn Collectives> {
        Some(self)
    }
    fn decorate(&self, made: Rc<dyn Transport>) -> Rc<dyn Transport> {
        Rc::new(Self(made))
    }
}

/// Rotates the elements by one.
fn rotate(mut data: ViewMut<'_>) {
    if data.count() > 0 {
        let size = data.datatype().size();
        data.bytes().rotate_right(size);
    }
}

impl RotatedContributions {
    fn right(&self) -> Algorithms<'_> {
        Algorithms(&*self.0)
    }

    /// In a broadcast the root's contribution is in its receive buffer.
    fn contributes_by_recv(&self, kind: CollectiveKind<'_>) -> bool {
        kind == CollectiveKind::Bcast { root: self.0.rank() }
    }
}

impl Collectives for RotatedContributions {
    fn run(&self, kind: CollectiveKind<'_>, buffers: BorrowedBuffers<'_>, site: CallSite) -> Result<()> {
        let BorrowedBuffers { send, mut recv } = buffers;
        let mut send = Block::copy_of(send);
        rotate(send.view_mut());
        if self.contributes_by_recv(kind) {
            rotate(recv.reborrow());
        }
        self.right().run(kind, BorrowedBuffers { send: send.view(), recv }, site)
    }

    fn start(
        &self,
        kind: CollectiveKind<'_>,
        buffers: OwnedBuffers,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        let OwnedBuffers { mut send, mut recv } = buffers;
        rotate(send.view_mut());
        if self.contributes_by_recv(kind) {
            rotate(recv.view_mut());
        }
        self.right().start(kind, OwnedBuffers { send, recv }, site)
    }

    fn run_in_place(&self, kind: CollectiveKind<'_>, mut data: ViewMut<'_>, site: CallSite) -> Result<()> {
        rotate(data.reborrow());
        self.right().run_in_place(kind, data, site)
    }

    fn run_layout(&self, root: Rank, buffers: LayoutBuffers<'_>, site: CallSite) -> Result<()> {
        let rotated = |data: wb_comm::LayoutView<'_>| {
            let mut copy = data.to_block();
            rotate(copy.view_mut());
            copy
        };
        match buffers {
            LayoutBuffers::Bcast(mut data) => {
                let copy = rotated(data.as_view());
                data.copy_from(copy.view().bytes());
                self.right().run_layout(root, LayoutBuffers::Bcast(data), site)
            }
            LayoutBuffers::Scatter(send, recv) => {
                let send = rotated(send);
                let buffers = BorrowedBuffers { send: send.view(), recv };
                self.right().run(CollectiveKind::Scatter { root }, buffers, site)
            }
            LayoutBuffers::Gather(send, recv) => {
                let mut send = Block::copy_of(send);
                rotate(send.view_mut());
                self.right().run_layout(root, LayoutBuffers::Gather(send.view(), recv), site)
            }
        }
    }
}
