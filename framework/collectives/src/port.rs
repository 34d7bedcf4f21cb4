//! What an algorithm speaks through: a transport, the verb's own internal tag and the user's call.
//!
//! Every round carries the user's [`Site`], so a rank that hangs inside an algorithm is found at the student's line
//! under the student's verb, not in here. Each verb has a tag of its own: ranks that call different collectives by
//! mistake do not exchange nonsense but wait, which the backend can explain.
use wb_comm::{Label, Op, Rank, Result, Site, Source, Transport, Verb, View, ViewMut};

/// See the module.
#[derive(Clone, Copy)]
pub struct Port<'t> {
    transport: &'t dyn Transport,
    label: Label,
    site: Site,
}

impl<'t> Port<'t> {
    /// For the messages of `verb`, called at `site` (whose verb may be another: one that is made of this one).
    pub fn new(transport: &'t dyn Transport, verb: Verb, site: Site) -> Self {
        Self { transport, label: Label::internal(verb as i32), site }
    }

    /// This rank.
    pub fn rank(&self) -> Rank {
        self.transport.rank()
    }

    /// How many ranks take part.
    pub fn size(&self) -> usize {
        self.transport.size()
    }

    /// One step of a [`round`](Self::round): `data` goes to `to`.
    pub fn sending<'a>(&self, to: Rank, data: View<'a>) -> Op<'a> {
        Op::Send { to, label: self.label, data, synchronous: false }
    }

    /// One step of a [`round`](Self::round): `data` comes from `from`.
    pub fn receiving<'a>(&self, from: Rank, data: ViewMut<'a>) -> Op<'a> {
        Op::Recv { from: Source::Rank(from), label: self.label.into(), data, status: None }
    }

    /// Posts all steps together, returns when all are done.
    ///
    /// # Errors
    /// What the transport can meet; the same for the other verbs here.
    pub fn round(&self, steps: &mut [Op<'_>]) -> Result<()> {
        self.transport.round(steps, self.site)
    }

    /// `data` goes to `to`.
    ///
    /// # Errors
    /// What the transport can meet.
    pub fn send(&self, to: Rank, data: View<'_>) -> Result<()> {
        self.round(&mut [self.sending(to, data)])
    }

    /// `data` comes from `from`.
    ///
    /// # Errors
    /// What the transport can meet.
    pub fn receive(&self, from: Rank, data: ViewMut<'_>) -> Result<()> {
        self.round(&mut [self.receiving(from, data)])
    }

    /// `out` goes to `to` while `into` comes from `from`; safe on a ring of any message size.
    ///
    /// # Errors
    /// What the transport can meet.
    pub fn exchange(&self, to: Rank, out: View<'_>, from: Rank, into: ViewMut<'_>) -> Result<()> {
        self.round(&mut [self.receiving(from, into), self.sending(to, out)])
    }
}
