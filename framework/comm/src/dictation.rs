//! What a rank does, written down without running it: every round is over at once, nobody waits, nothing is carried.
//!
//! It is for programs that depend neither on time nor on data: receive buffers stay as they are and statuses stay empty.
//! What comes out otherwise each time is refused.
use std::rc::Rc;

use crate::{
    Block, Error, Label, Match, Op, Pending, Rank, Result, Site, Source, Status, Text, Transport, text::setup,
};

/// Who writes down what a rank does.
pub trait Scribe {
    /// Whose rounds these are.
    fn rank(&self) -> Rank;

    /// Among how many.
    fn size(&self) -> usize;

    /// As [`Transport::backend`].
    fn name(&self) -> &'static str;

    /// One more round.
    ///
    /// # Errors
    /// For what it cannot write down ([`unknowable`]).
    fn write(&self, ops: &[Op<'_>]) -> Result<()>;
}

/// See the module.
pub struct Dictation<S>(pub S);

/// A call whose outcome depends on time or on data.
pub fn unknowable(what: Text) -> Error {
    Error::Setup(setup::not_recordable(what))
}

impl<S: Scribe> Transport for Dictation<S> {
    fn rank(&self) -> Rank {
        self.0.rank()
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn backend(&self) -> &'static str {
        self.0.name()
    }

    fn round(&self, ops: &mut [Op<'_>], _: Site) -> Result<()> {
        self.0.write(ops)
    }

    fn post_send(&self, _: Rank, _: Label, _: Block, _: bool, _: Site) -> Result<Box<dyn Pending>> {
        Err(unknowable(setup::late_send()))
    }

    fn post_recv(&self, _: Source, _: Match, _: Block, _: Site) -> Result<Box<dyn Pending>> {
        Err(unknowable(setup::late_receive()))
    }

    fn probe(&self, _: Source, _: Match, _: Site) -> Result<Status> {
        Err(unknowable(setup::probe()))
    }

    fn iprobe(&self, _: Source, _: Match, _: Site) -> Result<Option<Status>> {
        Err(unknowable(setup::probe()))
    }

    fn split(&self, _: Option<u32>, _: i32, _: Site) -> Result<Option<Rc<dyn Transport>>> {
        Err(unknowable(setup::split()))
    }

    fn dup(&self, _: Site) -> Result<Rc<dyn Transport>> {
        Err(unknowable(setup::duplicate()))
    }

    fn now(&self) -> u64 {
        0
    }
}
