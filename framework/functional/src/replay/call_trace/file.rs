//! A file whose collective calls are recorded, as calls of a communicator of its own; no rank waits for the calls of one rank alone.
use wb_comm::{
    CallSite, CollectiveCall, CollectiveCounts, Datatype, ErasedFile, FilePlace, FileView, Result, View,
    ViewMut,
};

use crate::replay::call_trace::{
    call_action::{CallAction, CollectiveArgs},
    trace::TraceBuffer,
};

pub(crate) struct TracingFile {
    inner: Box<dyn ErasedFile>,
    trace: TraceBuffer,
    number: usize,
}

impl TracingFile {
    pub(crate) fn new(inner: Box<dyn ErasedFile>, trace: TraceBuffer, number: usize) -> Self {
        Self { inner, trace, number }
    }

    fn record<R>(&self, call: CollectiveCall, verb: impl FnOnce(&dyn ErasedFile) -> Result<R>) -> Result<R> {
        let action = CallAction::Collective(CollectiveArgs::from_call(&call));
        self.trace.record(call.site, self.number, action, || verb(&*self.inner))
    }
}

impl ErasedFile for TracingFile {
    fn set_view(&self, view: &FileView, site: CallSite) -> Result<()> {
        let call = CollectiveCall::new(site).with_elements(view.datatype(), CollectiveCounts::None);
        self.record(call, |file| file.set_view(view, site))
    }

    fn read(&self, place: FilePlace<'_>, into: ViewMut<'_>, site: CallSite) -> Result<usize> {
        match place.is_collective {
            true => self.record(CollectiveCall::new(site), |file| file.read(place, into, site)),
            false => self.inner.read(place, into, site),
        }
    }

    fn write(&self, place: FilePlace<'_>, from: View<'_>, site: CallSite) -> Result<()> {
        match place.is_collective {
            true => self.record(CollectiveCall::new(site), |file| file.write(place, from, site)),
            false => self.inner.write(place, from, site),
        }
    }

    fn size(&self, site: CallSite) -> Result<u64> {
        self.inner.size(site)
    }

    fn set_size(&self, bytes: u64, site: CallSite) -> Result<()> {
        let counts = CollectiveCounts::Equal(usize::try_from(bytes).unwrap_or(usize::MAX));
        let call = CollectiveCall::new(site).with_elements(Datatype::U8, counts);
        self.record(call, |file| file.set_size(bytes, site))
    }

    fn sync(&self, site: CallSite) -> Result<()> {
        self.record(CollectiveCall::new(site), |file| file.sync(site))
    }

    fn close(self: Box<Self>, site: CallSite) -> Result<()> {
        let Self { inner, trace, number } = *self;
        let action = CallAction::Collective(CollectiveArgs::from_call(&CollectiveCall::new(site)));
        trace.record(site, number, action, || inner.close(site))
    }
}
