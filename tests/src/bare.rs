//! A transport without its library's collectives, so that our algorithms run over any backend's messages.
use std::rc::Rc;

use wb_comm::{
    Block, Label, Layout, Match, Op, Pending, Rank, Result, Site, Source, Status, Transport, Window,
    WindowKind,
};

/// Another transport, stripped of [`Transport::library`].
pub struct Bare(pub Rc<dyn Transport>);

impl Transport for Bare {
    fn contribute(&self, contribution: wb_comm::Contribution) -> Result<()> {
        self.0.contribute(contribution)
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
    fn round(&self, ops: &mut [Op<'_>], site: Site) -> Result<()> {
        self.0.round(ops, site)
    }
    fn post_send(
        &self,
        to: Rank,
        label: Label,
        data: Block,
        synchronous: bool,
        site: Site,
    ) -> Result<Box<dyn Pending>> {
        self.0.post_send(to, label, data, synchronous, site)
    }
    fn post_recv(&self, from: Source, label: Match, into: Block, site: Site) -> Result<Box<dyn Pending>> {
        self.0.post_recv(from, label, into, site)
    }
    fn probe(&self, from: Source, label: Match, site: Site) -> Result<Status> {
        self.0.probe(from, label, site)
    }
    fn iprobe(&self, from: Source, label: Match, site: Site) -> Result<Option<Status>> {
        self.0.iprobe(from, label, site)
    }
    fn split(&self, color: Option<u32>, key: i32, site: Site) -> Result<Option<Rc<dyn Transport>>> {
        let part = self.0.split(color, key, site)?;
        Ok(part.map(|part| Rc::new(Self(part)) as Rc<dyn Transport>))
    }
    fn dup(&self, site: Site) -> Result<Rc<dyn Transport>> {
        Ok(Rc::new(Self(self.0.dup(site)?)))
    }
    fn window(&self, kind: WindowKind, layout: Layout, count: usize, site: Site) -> Result<Box<dyn Window>> {
        self.0.window(kind, layout, count, site)
    }
    fn nodes(&self, site: Site) -> Result<Vec<usize>> {
        self.0.nodes(site)
    }
    fn now(&self) -> u64 {
        self.0.now()
    }
}
