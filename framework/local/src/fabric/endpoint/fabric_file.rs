//! One rank's handle of a file.
//!
//! The content is read and written by the rank itself, outside of the state. In virtual time it first waits until the simulated storage has
//! transferred the bytes, so accesses take place in the order of time.
use std::{cell::Cell, ops::Range, rc::Rc, sync::Arc};

use wb_comm::{
    CallSite, Code, CollectiveCall, CollectiveCounts, Datatype, ErasedFile, FileArgs, FilePlace, FileView,
    Result, View, ViewMut,
};

use crate::fabric::{
    agreement::Proposal,
    delivery::DeliveryModel as _,
    endpoint::Endpoint,
    files::{file_state::byte_count, storage::Storage},
    job_state::rank_state::{WaitCondition, WaitState},
    races::{
        RaceDetector,
        file_accesses::{FileAccess, FileAccessKind},
    },
    runtime::Runtime,
};

/// One rank's handle of a file.
pub(crate) struct FabricFile<H: Runtime> {
    /// The endpoint on the communicator of the file.
    endpoint: Endpoint<H>,
    storage: Arc<Storage>,
    path: String,
    opened_at: CallSite,
    /// Whether its accesses are checked for races.
    is_race_checked: bool,
    is_closed: Cell<bool>,
}

impl<H: Runtime> FabricFile<H> {
    /// Collective: opens the file on a communicator.
    pub(super) fn open(parent: &Endpoint<H>, args: &FileArgs, site: CallSite) -> Result<Self> {
        let call = CollectiveCall::new(site).with_file(args.clone());
        let made = parent.agree_on(Proposal::FileOpen, call)?.expect("a file has all members");
        let context = Rc::clone(&parent.context);
        let endpoint = Endpoint { context, communicator: made.index, rank: parent.rank, size: parent.size };
        let state = endpoint.runtime().lock_state();
        let storage = Arc::clone(&state.files[&made.index].storage);
        let is_race_checked = state.race_detector.is_some();
        drop(state);
        let (path, is_closed) = (args.path.clone(), Cell::new(false));
        let file = Self { endpoint, storage, path, opened_at: site, is_race_checked, is_closed };
        file.check_races(|races, (_, file), rank| races.acquire_file(file, rank));
        file.wait_for_storage(1, 0, site)?;
        Ok(file)
    }

    /// Informs the race detector, if there is one.
    fn check_races(&self, record: impl FnOnce(&mut RaceDetector, (&str, usize), usize)) {
        if self.is_race_checked {
            let mut state = self.endpoint.runtime().lock_state();
            let races = state.race_detector.as_mut().expect("detection does not end before the job");
            record(races, (&self.path, self.endpoint.communicator), self.endpoint.context.rank);
        }
    }

    /// Records an access for the race detector.
    fn record(&self, kind: FileAccessKind, blocks: Vec<Range<u64>>, concerns_end: bool, site: CallSite) {
        self.check_races(|races, (path, file), rank| {
            races.record_file_access(path, rank, FileAccess { file, kind, blocks, concerns_end, site });
        });
    }

    /// Waits, in virtual time, until the storage has served some requests, one after the other.
    fn wait_for_storage(&self, requests: usize, bytes: u64, site: CallSite) -> Result<()> {
        if !H::Delivery::TIMED {
            return Ok(());
        }
        let mut state = self.endpoint.enter_call(site)?;
        let rank = self.endpoint.context.rank;
        state.start_transfer(rank, requests, bytes);
        let wait_state = WaitState { site, condition: WaitCondition::Storage { rank } };
        let mut state = self.endpoint.runtime().block(state, rank, wait_state)?;
        state.delivery.advance_to_event(rank);
        Ok(())
    }

    /// Waits until these blocks can be transferred: alone, or with the blocks of all ranks.
    fn wait_for_transfer(&self, blocks: Vec<Range<u64>>, is_collective: bool, site: CallSite) -> Result<()> {
        if !is_collective {
            // The storage is reached even where there is nothing to transfer.
            return self.wait_for_storage(blocks.len().max(1), byte_count(&blocks), site);
        }
        let communicator = self.endpoint.communicator;
        let mut state = self.endpoint.enter_call(site)?;
        state.files.get_mut(&communicator).expect("it is open").request(self.endpoint.rank, blocks);
        drop(state);
        self.agree(Proposal::FileTransfer, CollectiveCall::new(site))
    }

    /// Accesses the content. In virtual time this rank holds the state meanwhile: the time that the real file takes is not computing of the
    /// rank.
    fn access<R>(&self, content: impl FnOnce(&Storage) -> Result<R>) -> Result<R> {
        let _held = H::Delivery::TIMED.then(|| self.endpoint.runtime().lock_state());
        content(&self.storage)
    }

    fn agree(&self, proposal: Proposal, call: CollectiveCall) -> Result<()> {
        self.endpoint.agree_on(proposal, call)?;
        self.endpoint.runtime().lock_state().delivery.advance_to_event(self.endpoint.context.rank);
        Ok(())
    }
}

impl<H: Runtime> ErasedFile for FabricFile<H> {
    fn set_view(&self, view: &FileView, site: CallSite) -> Result<()> {
        let call = CollectiveCall::new(site).with_elements(view.datatype(), CollectiveCounts::None);
        self.agree(Proposal::FileCall, call)
    }

    fn read(&self, place: FilePlace<'_>, mut into: ViewMut<'_>, site: CallSite) -> Result<usize> {
        let (count, size) = (into.count(), into.datatype().size());
        let blocks = place.blocks(count, size)?;
        let available = |storage: &Storage| Ok(place.available(count, size, storage.size()?));
        let asked = place.blocks(self.access(available)?, size)?;
        self.wait_for_transfer(asked, place.is_collective, site)?;
        let read = self.access(|storage| {
            let read = available(storage)?;
            storage.read(&place.blocks(read, size)?, &mut into.bytes()[..read * size])?;
            Ok(read)
        })?;
        self.record(FileAccessKind::Read, blocks, read < count, site);
        Ok(read)
    }

    fn write(&self, place: FilePlace<'_>, from: View<'_>, site: CallSite) -> Result<()> {
        let blocks = place.blocks(from.count(), from.datatype().size())?;
        self.wait_for_transfer(blocks.clone(), place.is_collective, site)?;
        let before = self.access(|storage| {
            let before = storage.size()?;
            storage.write(&blocks, from.bytes())?;
            Ok(before)
        })?;
        let extends = blocks.last().is_some_and(|last| last.end > before);
        self.record(FileAccessKind::Write, blocks, extends, site);
        Ok(())
    }

    fn size(&self, site: CallSite) -> Result<u64> {
        self.wait_for_storage(1, 0, site)?;
        self.record(FileAccessKind::Read, vec![], true, site);
        self.access(Storage::size)
    }

    fn set_size(&self, bytes: u64, site: CallSite) -> Result<()> {
        let counts = CollectiveCounts::Equal(usize::try_from(bytes).unwrap_or(usize::MAX));
        let call = CollectiveCall::new(site).with_elements(Datatype::U8, counts);
        self.agree(Proposal::FileSize { bytes }, call)?;
        // The next call for a size needs this rank, so it is still this one's.
        let resized = self.endpoint.runtime().lock_state().files[&self.endpoint.communicator].resized();
        self.record(FileAccessKind::SetSize, resized, false, site);
        Ok(())
    }

    fn sync(&self, site: CallSite) -> Result<()> {
        self.check_races(|races, file, rank| {
            races.release_file(file, rank);
            races.acquire_file(file.1, rank);
        });
        self.agree(Proposal::FileCall, CollectiveCall::new(site))?;
        // Once for all ranks: they share the file.
        if self.endpoint.rank == 0 { self.access(Storage::sync) } else { Ok(()) }
    }

    fn close(self: Box<Self>, site: CallSite) -> Result<()> {
        self.is_closed.set(true);
        self.check_races(RaceDetector::release_file);
        self.agree(Proposal::FileClose, CollectiveCall::new(site))?;
        self.check_races(|races, (_, file), rank| races.close_file(file, rank));
        Ok(())
    }
}

impl<H: Runtime> Drop for FabricFile<H> {
    fn drop(&mut self) {
        if !self.is_closed.get() {
            let rank = self.endpoint.context.rank;
            self.endpoint.runtime().lock_state().note_leak(Code::FileLeak, rank, self.opened_at);
        }
    }
}
