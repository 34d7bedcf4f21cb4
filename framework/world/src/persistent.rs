//! Persistent requests: sends, receives and collective operations that are made once and started many times.
#[cfg(doc)]
use wb_comm::Error;
use wb_comm::{
    Block, CallSite, MessageTag, Persistent, PersistentArgs, Rank, Result, SendMode, Source, Verb, Wire,
};

use crate::{Tags, World, message_calls, world::room_for};

mod collective;
mod operation;
mod receive;
mod send;

pub use collective::PersistentCollective;
pub use operation::PersistentRequest;
pub use receive::PersistentRecv;
pub use send::PersistentSend;

#[allow(clippy::missing_errors_doc, reason = "all: Error::Rank, Error::Tag, Error::TooLong")]
impl World {
    /// Makes a persistent send of `data` (`MPI_Send_init`); [`start`](PersistentSend::start) starts it.
    #[track_caller]
    pub fn send_init<T: Wire>(&self, data: Vec<T>, dest: Rank, tag: i32) -> Result<PersistentSend<T>> {
        self.persistent_send(CallSite::caller(Verb::SendInit), data, (dest, tag), SendMode::Standard)
    }

    /// Makes a persistent synchronous send of `data` (`MPI_Ssend_init`); [`start`](PersistentSend::start) starts it.
    #[track_caller]
    pub fn ssend_init<T: Wire>(&self, data: Vec<T>, dest: Rank, tag: i32) -> Result<PersistentSend<T>> {
        self.persistent_send(CallSite::caller(Verb::SsendInit), data, (dest, tag), SendMode::Synchronous)
    }

    /// Makes a persistent buffered send of `data` (`MPI_Bsend_init`); [`start`](PersistentSend::start) starts it.
    #[track_caller]
    pub fn bsend_init<T: Wire>(&self, data: Vec<T>, dest: Rank, tag: i32) -> Result<PersistentSend<T>> {
        self.persistent_send(CallSite::caller(Verb::BsendInit), data, (dest, tag), SendMode::Buffered)
    }

    /// Makes a persistent ready send of `data` (`MPI_Rsend_init`); [`start`](PersistentSend::start) starts it.
    #[track_caller]
    pub fn rsend_init<T: Wire>(&self, data: Vec<T>, dest: Rank, tag: i32) -> Result<PersistentSend<T>> {
        self.persistent_send(CallSite::caller(Verb::RsendInit), data, (dest, tag), SendMode::Ready)
    }

    fn persistent_send<T: Wire>(
        &self,
        site: CallSite,
        data: Vec<T>,
        (to, tag): (Rank, i32),
        mode: SendMode,
    ) -> Result<PersistentSend<T>> {
        let tag = MessageTag::user(tag);
        let (block, library) =
            self.bind(site, PersistentArgs::Send { to, tag, mode }, || Ok(Block::from_vec(data)))?;
        Ok(PersistentSend::new(self, site, (to, tag, mode), block, library))
    }

    /// Makes a persistent receive of at most `count` elements (`MPI_Recv_init`); [`start`](PersistentRecv::start) starts it.
    #[track_caller]
    pub fn recv_init<T: Wire>(
        &self,
        count: usize,
        source: impl Into<Source>,
        tag: impl Into<Tags>,
    ) -> Result<PersistentRecv<T>> {
        let site = CallSite::caller(Verb::RecvInit);
        let (from, tag) = (source.into(), tag.into().to_pattern());
        let args = PersistentArgs::Recv { from, tag };
        let (block, library) = self.bind(site, args, || room_for::<T>(count))?;
        Ok(PersistentRecv::new(self, site, (from, tag), block, library))
    }

    /// The library's persistent request for a buffer, if it has one.
    fn bind(
        &self,
        site: CallSite,
        args: PersistentArgs,
        buffer: impl FnOnce() -> Result<Block>,
    ) -> Result<(Block, Option<Box<dyn Persistent>>)> {
        self.run(site, || {
            let mut block = buffer()?;
            let library = message_calls::persistent(&**self.transport(), args, &mut block)?;
            Ok((block, library))
        })
    }

    /// Starts all of these persistent requests (`MPI_Startall`).
    ///
    /// # Errors
    /// The first error of a start.
    #[track_caller]
    pub fn start_all<'r, R: PersistentRequest + 'r>(
        &self,
        requests: impl IntoIterator<Item = &'r mut R>,
    ) -> Result<()> {
        let site = CallSite::caller(Verb::StartAll);
        requests.into_iter().try_for_each(|request| request.start_at(site))
    }
}
