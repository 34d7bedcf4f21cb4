//! Signals as zero-byte messages of a two-sided transport.
//!
//! A transport may complete a send only when it is received (MPI allows that whatever the size), and `tell` must not
//! wait for the peer. So `tell` only notes the signal; the next `hear` posts it together with its receive. Signals that
//! no `hear` follows are sent by [`flush`](Messages::flush).
use wb_comm::{Label, Op, Rank, Result, Signal, Site, Slot, Source, Transport, View, ViewMut};

/// Internal tags from here on are barrier slots; those below belong to [`Port`](crate::Port).
const FIRST_SLOT_TAG: i32 = 1 << 8;

/// See the module.
pub struct Messages<'t> {
    transport: &'t dyn Transport,
    site: Site,
    untold: Vec<(Rank, Slot)>,
}

impl<'t> Messages<'t> {
    /// For one or more episodes called at `site`.
    pub fn new(transport: &'t dyn Transport, site: Site) -> Self {
        Self { transport, site, untold: Vec::new() }
    }

    /// Sends what was told since the last `hear`. Call when an episode is over.
    ///
    /// # Errors
    /// What the transport can meet.
    pub fn flush(&mut self) -> Result<()> {
        match self.untold.is_empty() {
            true => Ok(()),
            false => self.round(None),
        }
    }

    fn round(&mut self, heard: Option<(Rank, Slot)>) -> Result<()> {
        let receive = |(from, slot)| Op::Recv {
            from: Source::Rank(from),
            label: label(slot).into(),
            data: ViewMut::of::<u8>(&mut []),
            status: None,
        };
        let send =
            |(to, slot)| Op::Send { to, label: label(slot), data: View::of::<u8>(&[]), synchronous: false };
        let mut ops: Vec<_> = heard.map(receive).into_iter().chain(self.untold.drain(..).map(send)).collect();
        self.transport.round(&mut ops, self.site)
    }
}

fn label(slot: Slot) -> Label {
    let slot = i32::try_from(slot).expect("a slot is the number of a round");
    Label::internal(FIRST_SLOT_TAG + slot)
}

impl Signal for Messages<'_> {
    fn rank(&self) -> Rank {
        self.transport.rank()
    }

    fn size(&self) -> usize {
        self.transport.size()
    }

    fn tell(&mut self, peer: Rank, slot: Slot) -> Result<()> {
        self.untold.push((peer, slot));
        Ok(())
    }

    fn hear(&mut self, peer: Rank, slot: Slot) -> Result<()> {
        self.round(Some((peer, slot)))
    }
}
