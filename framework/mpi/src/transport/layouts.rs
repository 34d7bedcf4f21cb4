//! Blocking messages of the elements that layouts name.
use wb_comm::{
    CallSite, LayoutView, LayoutViewMut, MessageTag, Rank, Result, SendMode, Source, Status, TagPattern,
};

use super::MpiTransport;
use crate::blocked_call::WaitTarget;

impl MpiTransport {
    pub(super) fn send_layout(
        &self,
        to: Rank,
        tag: MessageTag,
        data: LayoutView<'_>,
        site: CallSite,
    ) -> Result<()> {
        let (args, start) = self.communicator.layout_send_args(to, tag, data)?;
        // SAFETY: the view has checked that its elements are inside the slice, which it borrows.
        unsafe { self.send_raw(to, &args, start, data.byte_count(), SendMode::Standard, site) }
    }

    pub(super) fn recv_layout(
        &self,
        from: Source,
        tag: TagPattern,
        data: &mut LayoutViewMut<'_>,
        site: CallSite,
    ) -> Result<Status> {
        let (args, start) = self.communicator.layout_recv_args(from, tag, data)?;
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { self.recv_raw(from, tag.tag, &args, start, data.byte_count(), site) }
    }

    pub(super) fn sendrecv_layout(
        &self,
        (to, out_tag, out): (Rank, MessageTag, LayoutView<'_>),
        (from, in_tag, into): (Source, TagPattern, &mut LayoutViewMut<'_>),
        site: CallSite,
    ) -> Result<Status> {
        let (send, send_start) = self.communicator.layout_send_args(to, out_tag, out)?;
        let (recv, recv_start) = self.communicator.layout_recv_args(from, in_tag, into)?;
        let capacity = into.byte_count();
        let wait = WaitTarget::from(from, in_tag.tag, capacity);
        // SAFETY: as above. The views are of different slices, or of one slice and have no element in common.
        unsafe { self.sendrecv_raw((&send, send_start), (&recv, recv_start, capacity), wait, site) }
    }
}
