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
        label: MessageTag,
        data: LayoutView<'_>,
        site: CallSite,
    ) -> Result<()> {
        let (args, start) = self.communicator.layout_send_args(to, label, data)?;
        // SAFETY: the view has checked that its elements are inside the slice, which it borrows.
        unsafe { self.send_raw(to, &args, start, data.byte_count(), SendMode::Standard, site) }
    }

    pub(super) fn recv_layout(
        &self,
        from: Source,
        label: TagPattern,
        data: &mut LayoutViewMut<'_>,
        site: CallSite,
    ) -> Result<Status> {
        let (args, start) = self.communicator.layout_recv_args(from, label, data)?;
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { self.recv_raw(from, label.tag, &args, start, data.byte_count(), site) }
    }

    pub(super) fn sendrecv_layout(
        &self,
        (to, out_label, out): (Rank, MessageTag, LayoutView<'_>),
        (from, in_label, into): (Source, TagPattern, &mut LayoutViewMut<'_>),
        site: CallSite,
    ) -> Result<Status> {
        let (send, send_start) = self.communicator.layout_send_args(to, out_label, out)?;
        let (recv, recv_start) = self.communicator.layout_recv_args(from, in_label, into)?;
        let capacity = into.byte_count();
        let wait = WaitTarget::from(from, in_label.tag, capacity);
        // SAFETY: as above. The views are of different slices, or of one slice and have no element in common.
        unsafe { self.sendrecv_raw((&send, send_start), (&recv, recv_start, capacity), wait, site) }
    }
}
