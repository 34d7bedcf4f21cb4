//! A transport that counts the messages of its rank, by whether they leave the node.
use std::{cell::Cell, rc::Rc};

use wb_barriers::MessageCounts;
use wb_comm::{CallSite, Op, Result, Transport, TransportDecorator};

pub(super) struct CountingTransport<'n> {
    inner: Rc<dyn Transport>,
    /// The node of each rank.
    nodes: &'n [usize],
    sent: Cell<MessageCounts>,
}

impl<'n> CountingTransport<'n> {
    /// Around `inner`, whose ranks are on these nodes.
    pub(super) fn new(inner: Rc<dyn Transport>, nodes: &'n [usize]) -> Self {
        Self { inner, nodes, sent: Cell::default() }
    }

    /// The messages that this rank has sent.
    pub(super) fn sent(&self) -> MessageCounts {
        self.sent.get()
    }
}

impl TransportDecorator for CountingTransport<'_> {
    fn inner(&self) -> &dyn Transport {
        &*self.inner
    }

    fn post_and_wait(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<()> {
        let mut sent = self.sent.get();
        for op in ops.iter() {
            if let Op::Send { to, .. } = op {
                sent += MessageCounts::one(self.nodes[self.inner.rank()], self.nodes[*to]);
            }
        }
        self.sent.set(sent);
        self.inner.post_and_wait(ops, site)
    }
}
