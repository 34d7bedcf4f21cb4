//! A transport without its library's collectives, so that our algorithms run over any backend's messages.
use std::rc::Rc;

use wb_comm::{
    Block, CallSite, Datatype, ErasedWindow, MessageTag, Op, Pending, Rank, Result, Source, Status,
    TagPattern, Transport, WindowKind,
};

/// Another transport, stripped of [`Transport::native_collectives`].
pub struct WithoutLibrary(pub Rc<dyn Transport>);

impl Transport for WithoutLibrary {
    fn enter_collective(&self, contribution: wb_comm::CollectiveCall) -> Result<()> {
        self.0.enter_collective(contribution)
    }
    fn rank(&self) -> Rank {
        self.0.rank()
    }
    fn size(&self) -> usize {
        self.0.size()
    }
    fn backend(&self) -> &'static str {
        self.0.backend()
    }
    fn post_and_wait(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<()> {
        self.0.post_and_wait(ops, site)
    }
    fn post_send(
        &self,
        to: Rank,
        label: MessageTag,
        data: Block,
        synchronous: bool,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        self.0.post_send(to, label, data, synchronous, site)
    }
    fn post_recv(
        &self,
        from: Source,
        label: TagPattern,
        into: Block,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        self.0.post_recv(from, label, into, site)
    }
    fn probe(&self, from: Source, label: TagPattern, site: CallSite) -> Result<Status> {
        self.0.probe(from, label, site)
    }
    fn iprobe(&self, from: Source, label: TagPattern, site: CallSite) -> Result<Option<Status>> {
        self.0.iprobe(from, label, site)
    }
    fn split(&self, color: Option<u32>, key: i32, site: CallSite) -> Result<Option<Rc<dyn Transport>>> {
        let part = self.0.split(color, key, site)?;
        Ok(part.map(|part| Rc::new(Self(part)) as Rc<dyn Transport>))
    }
    fn dup(&self, site: CallSite) -> Result<Rc<dyn Transport>> {
        Ok(Rc::new(Self(self.0.dup(site)?)))
    }
    fn window(
        &self,
        kind: WindowKind,
        layout: Datatype,
        count: usize,
        site: CallSite,
    ) -> Result<Box<dyn ErasedWindow>> {
        self.0.window(kind, layout, count, site)
    }
    fn nodes(&self, site: CallSite) -> Result<Vec<usize>> {
        self.0.nodes(site)
    }
    fn now(&self) -> u64 {
        self.0.now()
    }
}
