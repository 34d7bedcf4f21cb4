//! Messages of the elements that layouts name (MPI's derived datatypes).
use std::marker::PhantomData;

#[cfg(doc)]
use wb_comm::Error;
use wb_comm::{
    Block, CallSite, Layout, LayoutView, LayoutViewMut, MessageTag, Op, PROC_NULL, Rank, Result, SendMode,
    Source, Status, TagPattern, Verb, View, ViewMut, Wire, limits,
};
use wb_record::EventKind;

use super::World;
use crate::{
    RecvLayoutRequest, SendRequest, Tags, message_calls,
    message_status::{element_count, message_envelope, receive_status, source_envelope},
};

impl World {
    /// Sends the elements of `data` that `layout` names (`MPI_Send` of an `MPI_Type_vector`, `MPI_Type_indexed`, ...). The receiver
    /// may receive them into any layout of as many elements, or into a slice.
    ///
    /// # Errors
    /// [`Error::Layout`] where an element is outside of `data`; otherwise as [`send`](Self::send).
    #[track_caller]
    pub fn send_layout<T: Wire>(&self, data: &[T], layout: &Layout, dest: Rank, tag: i32) -> Result<()> {
        self.send_elements(CallSite::caller(Verb::SendLayout), (View::from_slice(data), layout), dest, tag)
    }

    fn send_elements(
        &self,
        site: CallSite,
        (data, layout): (View<'_>, &Layout),
        to: Rank,
        tag: i32,
    ) -> Result<()> {
        let bytes = layout.count().saturating_mul(data.datatype().size());
        let verb = || {
            let data = LayoutView::new(data, layout)?;
            self.post_and_wait(&mut [Op::SendLayout { to, tag: MessageTag::user(tag), data }], site)?;
            self.stats.note_sent(to, bytes);
            Ok(())
        };
        self.run_traced(site, verb, |_, ()| EventKind::Send {
            to: message_envelope(to, tag, bytes),
            synchronous: false,
        })
    }

    /// Receives into the elements of `data` that `layout` names (`MPI_Recv` into an `MPI_Type_vector`, `MPI_Type_indexed`, ...). A
    /// shorter message fills the first of them; no other element changes.
    ///
    /// # Errors
    /// [`Error::Layout`] where an element is outside of `data` or occurs twice; otherwise as [`recv`](Self::recv).
    #[track_caller]
    pub fn recv_layout<T: Wire>(
        &self,
        data: &mut [T],
        layout: &Layout,
        source: impl Into<Source>,
        tag: impl Into<Tags>,
    ) -> Result<Status> {
        let site = CallSite::caller(Verb::RecvLayout);
        let place = (ViewMut::from_slice(data), layout);
        let status = self.receive_elements(site, place, source.into(), tag.into().to_pattern())?;
        self.run(site, || element_count::<T>(&status))?;
        Ok(status)
    }

    fn receive_elements(
        &self,
        site: CallSite,
        (data, layout): (ViewMut<'_>, &Layout),
        from: Source,
        tag: TagPattern,
    ) -> Result<Status> {
        let verb = || {
            let data = LayoutViewMut::new(data, layout)?;
            let mut ops = [Op::RecvLayout { from, tag, data, status: None }];
            self.post_and_wait(&mut ops, site)?;
            let status = receive_status(&ops[0]);
            self.stats.note_message_received(&status);
            Ok(status)
        };
        self.run_traced(site, verb, |_, status| EventKind::Receive { from: source_envelope(status) })
    }

    /// Sends one part of `data` and receives into another part of the same slice, without deadlock in either order
    /// (`MPI_Sendrecv` with two derived datatypes), as in an exchange of halos. The parts must not have an element in common.
    ///
    /// # Errors
    /// [`Error::Layout`] where an element is outside of `data` or is received twice or in both layouts; otherwise as
    /// [`sendrecv`](Self::sendrecv).
    #[track_caller]
    #[allow(clippy::too_many_arguments, reason = "MPI_Sendrecv has them")]
    pub fn sendrecv_layout<T: Wire>(
        &self,
        data: &mut [T],
        send: &Layout,
        dest: Rank,
        send_tag: i32,
        recv: &Layout,
        source: impl Into<Source>,
        recv_tag: impl Into<Tags>,
    ) -> Result<Status> {
        let site = CallSite::caller(Verb::SendrecvLayout);
        let to = (dest, send_tag);
        let from = (source.into(), recv_tag.into().to_pattern());
        let status = self.exchange_elements(site, ViewMut::from_slice(data), (send, to), (recv, from))?;
        self.run(site, || element_count::<T>(&status))?;
        Ok(status)
    }

    fn exchange_elements(
        &self,
        site: CallSite,
        data: ViewMut<'_>,
        (send, (dest, send_tag)): (&Layout, (Rank, i32)),
        (recv, (from, tag)): (&Layout, (Source, TagPattern)),
    ) -> Result<Status> {
        let bytes = send.count().saturating_mul(data.datatype().size());
        let verb = || {
            let (out, data) = LayoutViewMut::pair(data, send, recv)?;
            let mut ops = [
                Op::RecvLayout { from, tag, data, status: None },
                Op::SendLayout { to: dest, tag: MessageTag::user(send_tag), data: out },
            ];
            self.post_and_wait(&mut ops, site)?;
            let status = receive_status(&ops[0]);
            self.stats.note_sent(dest, bytes);
            self.stats.note_message_received(&status);
            Ok(status)
        };
        let to = message_envelope(dest, send_tag, bytes);
        self.run_traced(site, verb, |_, status| EventKind::Exchange { to, from: source_envelope(status) })
    }

    /// Starts a send of the elements of `data` that `layout` names (`MPI_Isend` of a derived datatype). The request owns the whole
    /// buffer and returns it.
    ///
    /// # Errors
    /// As [`send_layout`](Self::send_layout).
    #[track_caller]
    pub fn isend_layout<T: Wire>(
        &self,
        data: Vec<T>,
        layout: &Layout,
        dest: Rank,
        tag: i32,
    ) -> Result<SendRequest<T>> {
        let site = CallSite::caller(Verb::IsendLayout);
        let bytes = layout.count().saturating_mul(size_of::<T>());
        let request = self.next_request();
        let (block, message_tag) = (Block::from_vec(data), MessageTag::user(tag));
        let post = || match dest {
            PROC_NULL => message_calls::post_send(
                &**self.transport(),
                (dest, message_tag),
                block,
                SendMode::Standard,
                site,
            ),
            _ => {
                limits::check_tag(Some(tag))?;
                self.transport.post_send_layout(dest, message_tag, block, layout, site)
            }
        };
        let to = message_envelope(dest, tag, bytes);
        let pending = self.run_traced(site, post, |_, _| EventKind::StartSend { to, request })?;
        self.stats.note_sent(dest, bytes);
        Ok(SendRequest { started: self.start_request(pending, request), element: PhantomData })
    }

    /// Starts a receive into the elements of `data` that `layout` names (`MPI_Irecv` into a derived datatype). The request owns the
    /// whole buffer and returns it.
    ///
    /// # Errors
    /// As [`recv_layout`](Self::recv_layout).
    #[track_caller]
    pub fn irecv_layout<T: Wire>(
        &self,
        data: Vec<T>,
        layout: &Layout,
        source: impl Into<Source>,
        tag: impl Into<Tags>,
    ) -> Result<RecvLayoutRequest<T>> {
        let site = CallSite::caller(Verb::IrecvLayout);
        let (from, tag) = (source.into(), tag.into().to_pattern());
        let request = self.next_request();
        let block = Block::from_vec(data);
        let post = || match from {
            Source::Rank(PROC_NULL) => {
                message_calls::post_recv(&**self.transport(), (from, tag), block, site)
            }
            _ => {
                limits::check_tag(tag.tag)?;
                self.transport.post_recv_layout(from, tag, block, layout, site)
            }
        };
        let pending = self.run_traced(site, post, |_, _| EventKind::StartReceive { request })?;
        Ok(RecvLayoutRequest { started: self.start_request(pending, request), element: PhantomData })
    }
}
