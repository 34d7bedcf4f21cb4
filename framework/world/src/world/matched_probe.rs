//! Matched probes: they take a message out of its queue, so that no other receive gets it.
use std::rc::Rc;

#[cfg(doc)]
use wb_comm::Error;
use wb_comm::{CallSite, Result, Source, Status, Verb, ViewMut, Wire};
use wb_record::EventKind;

use super::World;
use crate::{
    CommStats, Tags,
    call_tracer::{self, OptionalTracer},
    message_status::{element_count, source_envelope},
};

/// A message that a matched probe has taken (`MPI_Message`); it must be received.
#[must_use = "a message that was taken must be received"]
pub struct ProbedMessage {
    message: Box<dyn wb_comm::PendingMessage>,
    status: Status,
    stats: Rc<CommStats>,
    tracer: OptionalTracer,
}

impl World {
    /// Waits for a message and takes it (`MPI_Mprobe`).
    ///
    /// # Errors
    /// As [`probe`](Self::probe).
    #[track_caller]
    pub fn mprobe(&self, source: impl Into<Source>, tag: impl Into<Tags>) -> Result<ProbedMessage> {
        let site = CallSite::caller(Verb::Mprobe);
        let taken = self.matched_probe(site, source.into(), tag.into(), true)?;
        Ok(taken.expect("it waits for a message"))
    }

    /// Takes a message if there is one (`MPI_Improbe`).
    ///
    /// # Errors
    /// As [`probe`](Self::probe).
    #[track_caller]
    pub fn improbe(&self, source: impl Into<Source>, tag: impl Into<Tags>) -> Result<Option<ProbedMessage>> {
        let site = CallSite::caller(Verb::Improbe);
        self.matched_probe(site, source.into(), tag.into(), false)
    }

    fn matched_probe(
        &self,
        site: CallSite,
        from: Source,
        tag: Tags,
        waits: bool,
    ) -> Result<Option<ProbedMessage>> {
        let probe = || self.take_message(from, tag.to_pattern(), waits, site);
        let taken = self.run_traced(site, probe, |_, _| EventKind::Local)?;
        Ok(taken.map(|message| ProbedMessage {
            status: message.status(),
            message,
            stats: Rc::clone(&self.stats),
            tracer: self.tracer.clone(),
        }))
    }
}

impl ProbedMessage {
    /// The source, tag and size of the message.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Receives it into `data` (`MPI_Mrecv`); the message may be shorter.
    ///
    /// # Errors
    /// As [`World::recv`].
    #[track_caller]
    pub fn recv<T: Wire>(self, data: &mut [T]) -> Result<Status> {
        self.receive(CallSite::caller(Verb::Mrecv), data)
    }

    /// Receives it into a new vector of its length (`MPI_Mrecv`).
    ///
    /// # Errors
    /// [`Error::Type`] or [`Error::PartialElement`] when it has other elements.
    #[track_caller]
    pub fn recv_vec<T: Wire>(self) -> Result<Vec<T>> {
        let site = CallSite::caller(Verb::Mrecv);
        let count =
            element_count::<T>(&self.status).inspect_err(|error| self.stats.note_error(site, error))?;
        let mut data = vec![T::default(); count];
        self.receive(site, &mut data)?;
        Ok(data)
    }

    fn receive<T: Wire>(self, site: CallSite, data: &mut [T]) -> Result<Status> {
        let Self { message, stats, tracer, .. } = self;
        let receive = || {
            let status = message.receive(ViewMut::from_slice(data), site)?;
            stats.note_message_received(&status);
            element_count::<T>(&status)?;
            Ok(status)
        };
        let receive = || receive().inspect_err(|error| stats.note_error(site, error));
        let event = |_: &_, status: &Status| EventKind::Receive { from: source_envelope(status) };
        call_tracer::trace_call(&tracer, site, receive, event)
    }
}
