//! What an algorithm speaks through: a transport, the verb's own internal tag and the user's call.
//!
//! Every round carries the user's [`CallSite`], so a rank that hangs inside an algorithm is found at the student's line
//! under the student's verb, not in here. Each verb has a tag of its own: ranks that call different collectives by
//! mistake do not exchange nonsense but wait, which the backend can explain.
use wb_comm::{CallSite, MessageTag, Op, Rank, Result, Source, Transport, Verb, View, ViewMut};

/// See the module.
#[derive(Clone, Copy)]
pub struct MessagePort<'t> {
    transport: &'t dyn Transport,
    tag: MessageTag,
    site: CallSite,
}

impl<'t> MessagePort<'t> {
    /// For the messages of `verb`, called at `site` (whose verb may be another: one that is made of this one).
    pub fn new(transport: &'t dyn Transport, verb: Verb, site: CallSite) -> Self {
        Self { transport, tag: MessageTag::internal(verb as i32), site }
    }

    /// This rank.
    pub fn rank(&self) -> Rank {
        self.transport.rank()
    }

    /// How many ranks take part.
    pub fn size(&self) -> usize {
        self.transport.size()
    }

    /// One step of a [`round`](Self::post_and_wait): `data` goes to `to`.
    pub fn send_op<'a>(&self, to: Rank, data: View<'a>) -> Op<'a> {
        Op::Send { to, tag: self.tag, data, synchronous: false }
    }

    /// One step of a [`round`](Self::post_and_wait): `data` comes from `from`.
    pub fn recv_op<'a>(&self, from: Rank, data: ViewMut<'a>) -> Op<'a> {
        Op::Recv { from: Source::Rank(from), tag: self.tag.into(), data, status: None }
    }

    /// Posts all steps together, returns when all are done.
    ///
    /// # Errors
    /// What the transport can meet; the same for the other verbs here.
    pub fn post_and_wait(&self, steps: &mut [Op<'_>]) -> Result<()> {
        self.transport.post_and_wait(steps, self.site)
    }

    /// `data` goes to `to`.
    ///
    /// # Errors
    /// What the transport can meet.
    pub fn send(&self, to: Rank, data: View<'_>) -> Result<()> {
        self.post_and_wait(&mut [self.send_op(to, data)])
    }

    /// `data` comes from `from`.
    ///
    /// # Errors
    /// What the transport can meet.
    pub fn receive(&self, from: Rank, data: ViewMut<'_>) -> Result<()> {
        self.post_and_wait(&mut [self.recv_op(from, data)])
    }

    /// `out` goes to `to` while `into` comes from `from`; safe on a ring of any message size.
    ///
    /// # Errors
    /// What the transport can meet.
    pub fn exchange(&self, to: Rank, out: View<'_>, from: Rank, into: ViewMut<'_>) -> Result<()> {
        self.post_and_wait(&mut [self.recv_op(from, into), self.send_op(to, out)])
    }
}
